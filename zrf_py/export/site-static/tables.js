// The tables of a game as Python packs them for the board, and as links carry them.
import { inflated } from "./packing.js";
import { unpack } from "./unpack.js";

const MOST = 1 << 20; // bytes of the tables of a link
const OTHER = /<(?!\/?(?:circle|g|path|rect|symbol|text|title|tspan)[ />])/; // a tag that is neither of a shape nor of a text

/** Return the contents of packed tables, as `unpack.js` does. Anybody may have made the tables of a link: throw an Error if they are
 * damaged or too long, or if their drawing would bring anything but shapes and texts to the page. */
export async function opened(packed, common, isLinked) {
  const bytes = await inflated(packed, isLinked ? MOST : Infinity, common);
  const tables = unpack(bytes);
  if (isLinked && OTHER.test(JSON.stringify(tables.page.variants.map(({ game }) => game.drawing)))) throw new Error("not a drawing");
  return { ...tables, names: {} };
}
