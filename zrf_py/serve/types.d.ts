/**
 * The messages from a host (the server, or the worker of an exported page) to its page; README.md explains them.
 * No page loads this file: `tests/test_page_types.py` checks the pages with it, and compares it with actual messages.
 * A field with `?` is sent only in some cases, or by only one of the hosts.
 */

/** The index of a place, piece type or player in `Info`; -1: none. */
type Index = number;

/** A legal leg: `text` is sent with `play`, `short` is displayed. `type` is the piece type that is dropped, `becomes` the
 * one on `to` afterwards; `taken` and `placed` are the other places where pieces vanish or appear. */
type Leg = [text: string, from: Index, to: Index, type: Index, short: string, becomes: Index, taken: Index[], placed: Index[]];

/** An entry of the list of moves: a leg, or an edit of the board. `turn` is the short notation of the turn so far. */
type Ply = [text: string, player: string, goesOn: boolean, isEdit: boolean, endsRound: boolean, turn: string];

/** Sends one of the page's messages to the host. */
type Ask = (message: { type: string, [field: string]: unknown }) => void;

interface Player {
  name: string;
  kind: "player" | "random" | "neutral"; // `random` moves by chance; `neutral` only owns pieces
  fill: string; // the colours of its pieces
  ink: string;
  above: boolean; // whether it starts in the upper half of the board
  goal: Index[]; // the places that its pieces must reach
}

/** The author's texts; `help` describes piece types. */
interface Texts {
  about: string;
  notes: { name: string, lines: string[] }[];
  help: [type: Index, line: string][];
}

/** The facts of a game that no move changes. */
interface Info extends Texts {
  title: string;
  variants: string[];
  players: Player[];
  places: string[];
  types: string[];
  called: string[]; // a short name for each type
  program: string; // a message about an engine named in the rules, or ""
  missing: string; // the reason why no piece has moves, if that engine has the rules, or ""
  stores: [player: Index, type: Index][]; // the pieces that players may have off the board
  signs: boolean; // whether pieces show the signs of a script
  sides: Index[]; // the first player who has each type at the start; 0 if none has
  de: Partial<Texts>; // the texts in German; {} if they are the same
  kinds: string[]; // the computer players available
  warnings: string;
  puzzles: number[]; // the level of each puzzle
  sounds?: string[]; // the kinds of sounds in the rules file
}

/** The result of a game. A page translates `sentence`, in which `number` and `name` are filled in. */
interface Outcome {
  winners: string[];
  losers: string[];
  text?: string;
  sentence?: string;
  number?: string;
  name?: string;
  reason?: string;
  places?: Index[]; // those that decided the game
}

/** The chances of a side; a draw has no players. */
interface Chance { players: string[]; share: number; percent: number; }

interface Line {
  moves: [text: string, from: Index, to: Index, goesOn: boolean][];
  turns: string[]; // the moves by turns, in short notation
  score: string;
  ends: number | null; // legs to a proven end, negative for a loss
  chance: number; // the player's expected result: 0 lost … 1 won
  depth: number;
}

/** A search's result; if `chances` is null, `why` is the reason, and `more` means that they may become known later. */
interface Evaluation {
  chances: Chance[] | null;
  why?: string;
  more?: boolean;
  lines?: Line[];
  player?: string;
  nodes?: number;
  proven?: boolean;
}

/** The time left, in seconds; `running` is the player whose time runs, or "". */
interface Clocks { seconds: number; increment: number; running: string; left: Record<string, number>; }

/** A branch off the line shown, at its move `ply`; `tried`: never played, only tried by this user. */
interface Variation { ply: number; node: number; plies: Ply[]; tried: boolean; }

/** A request to all other users; `own`: this user made it; `answer`: this user is to answer it. */
interface Asked { what: "undo" | "draw" | "new"; by: string; own: boolean; answer: boolean; ply: number; }

/** A row of `rules/puzzles/`: the `number`-th `of` its game's puzzles; `moves` are the legs of its solution. */
interface Puzzle {
  number: number; of: number;
  level: number; wins_in: number | null; player: string; moves: string[]; line: string[]; [fact: string]: any;
}

/** A table as one browser sees it. */
interface State {
  type: "state";
  ply: number; // the position shown: the moves before it, and its node in the tree
  node: number;
  length: number; // plies of the line shown
  game: number; // how many of them belong to the game; -1: the game took another line
  live: boolean; // whether the position is that of the game, `tip`
  tip: number;
  turn: "play" | "go-on" | "try" | ""; // the kind of a move made here
  seats: Record<string, string>; // player → `human`, `link` or a computer player
  you: string[];
  owner: boolean;
  may: Record<string, "yes" | "ask" | "no">;
  paused: boolean;
  pace: number | null; // seconds between the moves of computers
  thinking: string; // the computer player at work
  error: string;
  note: string;
  watchers: number;
  judged: boolean; // whether evaluations are turned on
  worth: Evaluation | null;
  clock: Clocks | null;
  help: Record<"hints" | "balance", boolean>;
  asked: Asked | null;
  player: string;
  side: Index; // the player whose pieces move
  inTurn: boolean; // whether a turn of several legs is under way
  legs: Leg[];
  outcome: Outcome | null;
  check: Index[];
  held: [player: Index, type: Index, count: number][];
  taken: [captor: Index, player: Index, type: Index, count: number][];
  scores: [player: string, count: number, words: string, target: number, counter?: string][];
  moved: [from: Index, to: Index][];
  puzzle: Puzzle | null;
  from: number; // `plies` and `nodes` are new from this index on
  plies: Ply[];
  nodes: number[];
  variations?: Variation[];
  svg?: string;
  info?: Info;
  away?: string[];
  preparing?: boolean;
  names?: Record<string, string>;
  claim?: number | null; // seconds until the game may be claimed; null: it can't be
  spectators?: number;
  links?: Record<string, string>; // player → the token of the seat
}

/** The state and what the page derives from it: `opening` counts the plies before the game, `begins` is the node after them. */
interface Shown extends State { opening: number; begins: number; isOnlySeen: boolean; }

interface At { ply: number; node: number; }
interface Problem { code: string; summary: string; help?: string; text?: string; }
interface Draft { svg: string; line: string[]; link: string; text: string; moves: number; player: string; outcome: Outcome | null; }

/** Messages by type. */
interface Messages {
  state: State;
  hint: At & { legs: string[] };
  analyse: At & Evaluation;
  review: At & Evaluation & { of: number };
  learning: { why: string };
  reach: { from: Index, ways: [to: Index, texts: string[]][] };
  draft: Draft;
  link: { link: string };
  puzzle: { link: string };
  answered: { what: string, agreed: boolean, by: string[], withdrawn: boolean };
  phrase: { by: string, phrase: number };
  moved: { id: string, empty: boolean };
  another: { id: string };
  problem: Problem;
  gone: Problem;
  drawn: { svg: string, moved: State["moved"] }; // this and the next one: only from the worker of an exported page
  broken: { summary: string };
}
type Handlers = { [Kind in keyof Messages]?: (message: Messages[Kind]) => void } & { opened?(): void, away?(isAway: boolean): void };
type Message<Kind extends keyof Messages> = { type: Kind } & Messages[Kind];
