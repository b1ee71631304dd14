// The engine, notation, pictures and search of a game.
import { Composer } from "./compose.js";
import { Engine } from "./engine.js";
import { ShortWriter } from "./short.js";
import { GameSearch } from "./think.js";

/** `page`: the tables of a page ({fields, variants}); `part(number)` returns bytes of the payload, `kernel` is the module
 * for games without one of their own. */
export async function openWorld(page, number, part, kernel) {
  const { game, image } = page.variants[number];
  const module = kernel ?? await WebAssembly.compile(part(image.module));
  const writes = image.writes.map(([address, data, isSteps]) => [address, isSteps ? summed(part(data)) : part(data)]);
  const engine = async () => new Engine(await WebAssembly.instantiate(module, {}), { ...image, writes }, page.fields, game);
  let gameSearch = null;
  /** The search has memory of its own, so that the rules can be queried meanwhile; `pause` lets other tasks run. */
  const search = async (pause) => {
    gameSearch ??= new GameSearch(await engine());
    gameSearch.pause = pause ?? (async () => {});
    return gameSearch;
  };
  return { game, engine: await engine(), writer: new ShortWriter(game), composer: new Composer(game), search };
}

/** Undo delta encoding in place: replace 32-bit differences by the numbers. */
function summed(bytes) {
  const numbers = new Int32Array(bytes.buffer);
  for (let i = 1; i < numbers.length; i += 1) numbers[i] += numbers[i - 1];
  return bytes;
}
