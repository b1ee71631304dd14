// What all pages need: elements, requests, what this browser remembers, light and dark.

export const $ = (id) => document.getElementById(id);

/** An element with properties, attributes (names with a dash) and children; text is text, never markup. */
export function make(tag, properties = {}, ...children) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") found.setAttribute(name, value);
    else found[name] = value;
  }
  found.append(...children);
  return found;
}

const SVG = "http://www.w3.org/2000/svg";

export function draw(tag, attributes = {}, ...children) {
  const found = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
  found.append(...children);
  return found;
}

/** Ask the server for a new board; the answer's `error` says what is wrong. */
export async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  return answer.json();
}

// ---- what this browser remembers ----

export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch { /* a browser that keeps nothing */ }
}

export function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

const MAX_BOARDS = 24;

/** Boards this browser has a right to play at, last used first: [{id, token, title}]. */
export function boards() {
  const found = recall("zrf-boards", []);
  return Array.isArray(found) ? found.filter((b) => b && typeof b.id === "string") : [];
}

/** Remember what is new about a board; with `null` instead of facts it is forgotten. */
export function keepBoard(id, facts) {
  const all = boards();
  if (!facts) return remember("zrf-boards", all.filter((b) => b.id !== id));
  const old = all.find((b) => b.id === id) ?? {};
  remember("zrf-boards", [{ ...old, id, ...facts }, ...all.filter((b) => b.id !== id)].slice(0, MAX_BOARDS));
  return undefined;
}

// ---- light and dark ----

export function followTheme(button) {
  const root = document.documentElement;
  const wish = recall("zrf-theme", "");
  if (wish) root.dataset.theme = wish;
  button?.addEventListener("click", () => {
    const dark = getComputedStyle(root).colorScheme.includes("dark");
    root.dataset.theme = dark ? "light" : "dark";
    remember("zrf-theme", root.dataset.theme);
  });
}

export async function readText(file) {
  if (file.size > 256 * 1024) throw new Error("The file is too large for a saved game.");
  return new TextDecoder("windows-1252").decode(await file.arrayBuffer());
}
