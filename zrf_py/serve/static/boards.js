// Boards of a server: creating one, and the list of those that this browser has opened.
import { recall, remember } from "./shared.js";

/** Send a JSON request to the server; return its JSON response, in which `error` is the reason for a refusal. */
export async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  return answer.json();
}

const MAX_BOARDS = 24;

/** The boards that this browser can play on, most recently used first: [{id, token, title}]. */
export function boards() {
  const stored = recall("zrf-boards", []);
  return Array.isArray(stored) ? stored.filter((b) => b && typeof b.id === "string") : [];
}

/** Store new facts about a board, and move it to the front of the list; null instead of facts removes it. */
export function keepBoard(id, facts) {
  const old = boards().find((b) => b.id === id) ?? {};
  const others = boards().filter((b) => b.id !== id);
  remember("zrf-boards", facts ? [{ ...old, id, ...facts }, ...others].slice(0, MAX_BOARDS) : others);
}
