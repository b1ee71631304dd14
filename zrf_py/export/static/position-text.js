// Reads a position from one line of text, as play/position_text.py does; only positions between turns.
const written = (name) => name.replace(/[;|,%\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`) || "%";

/** The state that a text describes; `start` is the state at the start. Throws if a name is unknown or a turn is in progress. */
export function readPosition(game, start, text) {
  const [players, types, places, attributes] = [game.players.map((p) => p.name), game.types, game.places, game.attributes].map((names) => names.map(written));
  const at = (names, name) => {
    if (!names.includes(name)) throw new Error(`there is no \`${name}\` in a position of ${game.title}`);
    return names.indexOf(name);
  };
  const [men, ...fields] = text.split("|").map((field) => field.trim());
  const state = { ...start, cell: new Int32Array(places.length), attributes: start.attributes && new BigInt64Array(places.length), stores: start.stores.slice() };
  for (const group of men.split(";").filter((one) => one.trim())) {
    const [owner, kind, ...squares] = group.trim().split(/\s+/);
    for (const square of squares) state.cell[at(places, square)] = (at(players, owner) + 1) | ((at(types, kind) + 1) << 8);
  }
  const counters = game.counters.map(([name]) => written(name));
  const [width, held] = [players.length, players.length * types.length];
  const square = (name) => (name === "%" ? -1 : at(places, name));
  const readers = {
    turn: (player, number) => { state.turn = number === undefined ? game.turnOf[at(players, player)] : Number(number); },
    store: (player, kind, count) => { state.stores[at(players, player) * types.length + at(types, kind)] = Number(count); },
    counter: (name, ...values) => state.stores.set(values.map(Number), held + width * at(counters, name)),
    last: (from, to) => Object.assign(state, { lastFrom: square(from), lastTo: square(to) }),
    mover: (player) => { state.mover = at(players, player); },
    made: (...values) => state.stores.set(values.map(Number), state.stores.length - width),
    out: (...names) => { state.out = names.reduce((mask, name) => mask | (1 << at(players, name)), 0); },
  };
  for (const [word, ...rest] of fields.map((field) => field.split(/\s+/))) {
    if (word.startsWith("@")) for (const name of rest) state.attributes[at(places, name)] |= 1n << BigInt(at(attributes, word.slice(1)));
    else if (Object.hasOwn(readers, word)) readers[word](...rest);
    else throw new Error(`\`${word}\` is not part of a position between turns`);
  }
  return state;
}
