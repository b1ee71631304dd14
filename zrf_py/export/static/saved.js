// Saved games as text, written and parsed: the same as play/zsg.py; and games packed into links.
import { pack, unpack } from "./packing.js";

const HEADER = "Zillions Save Game File Version 0.02";
const MOST_PLIES = 4000;

const spaced = (words) => words.split(/\s+/).filter(Boolean).join(" ");

/** A request that can't be met; the message is for the user. */
export class Refused extends Error {}

/** The text of a saved game. `seats` are the controllers of the players with turns; `end` is the last position. */
export function writeGame(game, seats, end, beside) {
  const letters = seats.map((seat) => (seat === "human" ? "H" : "C")).join("");
  const line = [...end.line()].reverse().slice(1);
  const lines = [`${HEADER} ${letters}`.trimEnd(), `RulesFile=${game.rules}`, `VariantName=${spaced(game.title.replaceAll("`", '"'))}`];
  let round = 1;
  for (const after of line) {
    if (!after.move) { lines.push(after.change); continue; }
    lines.push(`${round}. ${after.move.text}`);
    if (!after.inTurn && after.state.turn === game.repeat) round += 1;
  }
  for (const [parent, text] of beside) lines.push(`; ${parent} ${text}`);
  if (seats.some((seat) => !["human", "ai:5"].includes(seat))) lines.push(`; [Players "${seats}"]`);
  return `${lines.join("\r\n")}\r\n`;
}

/** Return whether titles are the same, ignoring case, blanks and the kind of quotation marks. */
export const isSameTitle = (...titles) => new Set(titles.map((title) => spaced(title.replaceAll("`", '"')).toLowerCase())).size === 1;

/** Parse a saved game: {rules, variant, seats, entries, beside}; throws if the text is not one or too long. */
export function readGame(text) {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  if (!lines[0].trim().toLowerCase().startsWith("zillions save game")) throw new Refused("This file is not a saved game.");
  const letters = /\s([HC]+)\s*$/.exec(lines[0])?.[1] ?? "";
  const named = /^[ \t]*;\s*\[Players\s+"(.*)"\][ \t]*$/m.exec(text)?.[1].split(",") ?? [];
  const seats = [...letters].map((letter, i) => (letter === "H" ? "human" : named[i] || "ai:5"));
  const game = { rules: "", variant: "", seats, entries: [], beside: [] };
  for (const raw of lines.slice(1)) {
    const line = raw.replace(/^[ \t\x1a\0]+|[ \t\x1a\0]+$/g, "");
    const fact = /^(rulesfile|variantname)\s*=(.*)$/i.exec(line);
    const move = /^\d+\s*\.\s*(.*)$/.exec(line);
    const other = /^;\s*(\d{1,9})\s+(\S.*)$/.exec(line);
    if (fact && !game.entries.length) game[fact[1].toLowerCase() === "rulesfile" ? "rules" : "variant"] = fact[2].trim();
    else if (line.startsWith("(")) game.entries.push(spaced(line));
    else if (move) game.entries.push(spaced(move[1]));
    else if (other) game.beside.push([Number(other[1]), spaced(other[2])]);
  }
  if (game.entries.length > MOST_PLIES) throw new Refused("This saved game is too long.");
  return game;
}

/** Pack a game for a link: its variant, the players, the moves. */
export const packGame = (title, seats, texts) => pack(JSON.stringify([title, seats, texts]));

/** Decode a link: {title, seats, texts}; throws if it is damaged. */
export async function unpackGame(letters) {
  try {
    const [title, seats, texts] = JSON.parse(await unpack(letters));
    const isText = (value) => typeof value === "string";
    if (!isText(title) || !Array.isArray(texts) || texts.length > MOST_PLIES || !texts.every(isText)) throw new Error();
    return { title, seats: Object(seats), texts };
  } catch {
    throw new Error("This link is damaged or incomplete, so it was not opened.");
  }
}
