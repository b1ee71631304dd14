// Boards of a server: a new one, and those that this browser has opened.
import { recall, remember } from "./shared.js";

/** Ask the server for a new board; the answer's `error` says what is wrong. */
export async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  return answer.json();
}

const MAX_BOARDS = 24;

/** Boards this browser has a right to play at, last used first: [{id, token, title}]. */
export function boards() {
  const stored = recall("zrf-boards", []);
  return Array.isArray(stored) ? stored.filter((b) => b && typeof b.id === "string") : [];
}

/** Remember what is new about a board; with `null` instead of facts it is forgotten. */
export function keepBoard(id, facts) {
  const all = boards();
  if (!facts) return remember("zrf-boards", all.filter((b) => b.id !== id));
  const old = all.find((b) => b.id === id) ?? {};
  remember("zrf-boards", [{ ...old, id, ...facts }, ...all.filter((b) => b.id !== id)].slice(0, MAX_BOARDS));
  return undefined;
}
