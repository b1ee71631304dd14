// For tests and benchmarks in node: the engine of a page answers lines of JSON, [what, …], with lines of JSON.
import { Adviser } from "./advice.js";
import { Greedy } from "./greedy.js";
import { Position, legs, ways } from "./position.js";
import { readGame, writeGame } from "./saved.js";
import { openWorld } from "./world.js";

const { page, part } = globalThis.zrfPage;
let world = null;
let position = null;
const begin = Position.start;
const greedy = () => new Greedy(world.engine, async () => {});
const analyse = async (here, limits, seed = 0, count = 1) => (await world.search()).analyse(here.state, here.earlier(), limits, seed, count);
const adviser = () => new Adviser(world.game, greedy());
/** Play the legs of a turn; return their texts. */
const played = (turn) => turn.map((leg) => {
  const { text } = position.moves.find((move) => move.raw.record.join() === leg.record.join());
  position = position.follow(text);
  return text;
});

const answers = {
  open: async (number) => { world = await openWorld(page, number, part); position = begin(world); return world.game.title; },
  play: (texts) => { for (const text of texts) position = position.follow(text); return position.state.turn; },
  rules: () => world.game.rules,
  replay: (text) => {
    position = readGame(text).entries.reduce((here, entry) => here.follow(entry), begin(world));
    const states = [...position.line()].reverse().map(({ state }) => [state.cell, state.stores.slice(0, world.game.players.length * world.game.types.length), state.attributes?.some(Boolean) ? Array.from(state.attributes, Number) : [], [state.turn, state.chain]].map((numbers) => Array.from(numbers)));
    return [writeGame(world.game, [], position, []), states];
  },
  start: () => { position = begin(world); return null; },
  legs: () => legs(position),
  diffs: () => position.moves.map(({ diff: { start, end, piece, becomes, taken, men } }) => [start, end, piece, becomes, taken, men]),
  view: () => ({ player: position.player, inTurn: position.inTurn, outcome: position.outcome(), scores: position.scores(), check: position.checked(), taken: position.taken(), ply: position.previous ? position.ply() : null, repetitions: position.repetitions }),
  earlier: () => [...position.line()].map((one) => [one.checked(), one.scores()]),
  svg: () => world.composer.svg(position),
  ways: (start) => ways(position, start),
  perft: (depth) => {
    world.engine.load(position.state);
    world.engine.call.perft_begin();
    while (!world.engine.call.perft(BigInt(depth), 200000n) && !world.engine.get("error"));
    return [world.engine.get("nodes"), world.engine.get("error")];
  },
  playouts: (games, seed, most) => {
    world.engine.load(begin(world).state);
    world.engine.call.seed(BigInt(seed));
    while (!world.engine.call.playouts(BigInt(games), BigInt(most), 200000n) && !world.engine.get("error"));
    return [world.engine.get("plies"), world.engine.get("error"), ...Array.from(world.engine.tally, Number)];
  },
  search: async (nodes, seed) => {
    const found = await (await world.search()).analyse(position.state, position.earlier(), { nodes }, seed);
    return { value: found.value ?? found.lines[0].value, nodes: found.nodes, first: position.moves.find((m) => m.raw.record.join() === found.lines[0].moves[0].record.join())?.text };
  },
  turn: async (limits, seed) => played(await (await world.search()).turn(position.state, position.earlier(), limits, seed)),
  greedy: async () => played(await greedy().turn(position.state)),
  lines: async (nodes, count) => adviser().lines(position, await analyse(position, { nodes }, 0, count)),
  turns: async () => (await greedy().turns(position.state)).map(({ legs, end }) => [legs.length, greedy().rate(end, world.game.turns[position.state.turn][0], true)]),
  counted: () => world.game.players.map((_, p) => [greedy().material(position.state, p), greedy().progress(position.state, p)]),
  features: (mover, value) => adviser().features(position, mover, value),
  look: async () => adviser().look(position, await world.search()),
  shares: async (nodes, count) => adviser().shares(position, await analyse(position, { nodes }, 0, count)),
  memory: async () => (await world.search()).engine.memory.buffer.byteLength,
};

globalThis.zrfAsk = async ([what, ...rest]) => {
  try {
    return { ok: await answers[what](...rest) };
  } catch (error) {
    return { error: String(error.stack ?? error) };
  }
};
