// A game with everything that answers questions about it: engine, notation, pictures, search.
import { Composer } from "./compose.js";
import { Engine } from "./engine.js";
import { ShortWriter } from "./short.js";
import { Thinker } from "./think.js";

/** `page`: the tables of a page ({fields, variants}); `part(number)` gives bytes of it. */
export async function openWorld(page, number, part) {
  const { game, image } = page.variants[number];
  const module = await WebAssembly.compile(part(image.module));
  const writes = image.writes.map(([address, data]) => [address, part(data)]);
  const engine = async () => new Engine(await WebAssembly.instantiate(module, {}), { ...image, writes }, page.fields, game);
  let mind = null;
  /** Who thinks, with memory of its own, so that the rules can be asked meanwhile; `pause` lets others in. */
  const thinker = async (pause) => {
    mind ??= new Thinker(await engine());
    mind.pause = pause ?? (async () => {});
    return mind;
  };
  return { game, engine: await engine(), writer: new ShortWriter(game), composer: new Composer(game), thinker };
}
