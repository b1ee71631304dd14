// Helpers of all pages: elements, browser storage, light and dark, links, files.

export const $ = (id) => document.getElementById(id);

/** Create an element with properties, attributes (`role` and names with a dash) and children; text is text, never markup. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  if (tag === "input" || tag === "select") element.autocomplete = "off"; // browsers must not restore old values: see board.html
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Create a button that shows words or elements; `more` are further properties. */
export const press = (shown, onclick, className = "button", more = {}) => make("button", { type: "button", className, onclick, ...more }, ...[shown].flat());

const SVG = "http://www.w3.org/2000/svg";

export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A list with a picture of a piece of a type and side; empty if the drawing has none. */
export function picture(kind, side) {
  const symbol = `piece-${side}-${kind}`;
  if (!document.getElementById(symbol)) return [];
  return [draw("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, draw("use", { href: `#${symbol}`, width: 100, height: 100 }))];
}

/** A question with several answers, one of which is chosen; `answers` are rows [value, [contents …], title]. The
 * element's `chosen` is the value. `kind` is the appearance: `chips` or `tiles`. */
export function choice(name, words, answers, value, kind = "chips") {
  const set = make("fieldset", { className: kind }, make("legend", { textContent: words }));
  for (const [answer, shown, title = ""] of answers) {
    const input = make("input", { type: "radio", name, value: answer, checked: answer === value });
    set.append(make("label", { title }, input, ...shown));
  }
  Object.defineProperty(set, "chosen", { get: () => set.querySelector("input:checked")?.value ?? "" });
  return set;
}

const lastShown = new Map();

/** Return whether a part of the page must be drawn again because one of its values has changed; `name` identifies the part. */
export function isNew(name, ...values) {
  const words = JSON.stringify(values);
  if (lastShown.get(name) === words) return false;
  lastShown.set(name, words);
  return true;
}

/** Replace the contents of a part of the page; nodes that stay keep the focus and any typed text. */
export function fill(home, nodes) {
  for (const old of [...home.children]) if (!nodes.includes(old)) old.remove();
  nodes.forEach((node, i) => { if (home.children[i] !== node) home.insertBefore(node, home.children[i]); });
}

// ---- browser storage ----

export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch { /* the browser stores nothing */ }
}

export function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
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

// ---- links ----

/** The nodes of a text; its passages between backticks become code, which is never broken. */
export const quoted = (text) => text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));

/** The nodes of a text in which names of files can be broken after a slash and before a full stop. */
export const breakable = (text) => text.split(/(?<=\/)(?=\w)|(?=\.\w)/).flatMap((part, i) => (i ? [make("wbr"), part] : [part]));

/** The origin of a link that others can open, and a note on its reach; `address` is the server's in its network, "" if it has none, undefined without a server. */
export function reach(address) {
  const isHere = /^(localhost|127\.|\[::1\])/.test(location.hostname);
  const note = isHere && address === "" ? "The link works only on this computer; for a link that works on your whole network, start the server with `--host 0.0.0.0`." : "";
  return { origin: (isHere && address) || location.origin, note };
}

/** Copy the text of a field; over unencrypted connections, browsers offer no clipboard to pages of other computers. */
export async function copy(field) {
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
}

// ---- files ----

/** Offer a text, or bytes, as a file to save. */
export function download(name, content, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Decode a file: UTF-16 or UTF-8 if valid, else Windows-1252, as the original program writes saved games. */
function decoded(bytes) {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const wide = { "255 254": "utf-16le", "254 255": "utf-16be" }[mark];
  try {
    return new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Encode a saved game: Windows-1252, or UTF-8 with a byte order mark if names need it; the same as play/zsg.py. */
export function encoded(text) {
  const western = new TextDecoder("windows-1252");
  const codes = new Map(Array.from({ length: 256 }, (_, code) => [western.decode(Uint8Array.of(code)), code]));
  const bytes = Uint8Array.from(text, (letter) => codes.get(letter) ?? 63);
  return decoded(bytes) === text ? bytes : new TextEncoder().encode(`\ufeff${text}`);
}

export async function readText(file) {
  if (file.size > 256 * 1024) throw new Error("The file is too large for a saved game.");
  return decoded(new Uint8Array(await file.arrayBuffer()));
}

/** A problem and its remedy, as one line. */
export const reason = (problem) => [problem.message, problem.help].filter(Boolean).join(": ");
