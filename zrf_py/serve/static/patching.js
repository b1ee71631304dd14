// Patch one drawing of a board into the next one: parts whose lines are in both stay as they are.
// view/svg.py writes each part of a layer on a line of its own; where names break this rule, the whole drawing is replaced.

const CHANGING = ["marks", "overlays", "pieces"];
const LAYER = /^<g class="layer" data-layer="(\w+)">$/;

/** Split a drawing into lines: `frame` is common to all drawings of a board, `defs` has the shapes of pieces, others are layers. */
function linesOf(text) {
  const parts = { frame: [], defs: [], desc: "", marks: [], overlays: [], pieces: [] };
  let home = parts.frame;
  for (const line of text.split("\n")) {
    const layer = LAYER.exec(line)?.[1];
    if (layer) home = parts[layer] ?? parts.frame;
    if (line.startsWith("<desc>")) parts.desc = line;
    else if (line === "<defs>") home = parts.defs;
    else if (line === "</g>" || line === "</defs>") home = parts.frame;
    else if (!layer || home === parts.frame) home.push(line);
  }
  return { ...parts, frame: parts.frame.join("\n") };
}

/** Parse an SVG document; return its root for use in the page, or null if the text is not a well-formed SVG document. */
export function parsed(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (svg.localName !== "svg" || svg.querySelector("parsererror")) return null;
  askFirst(svg); // before the drawing is in the page: there the browser requests all bitmaps at once
  return document.importNode(svg, true);
}

/** Request visible bitmaps before those of pieces that may appear: first the board's, then those of the pieces on it.
 * A page can have only a few requests in progress. */
function askFirst(svg) {
  const symbols = new Map([...svg.querySelectorAll("symbol")].map((symbol) => [`#${symbol.id}`, symbol]));
  const standing = [...svg.querySelectorAll('[data-layer="pieces"] use')].map((use) => symbols.get(use.getAttribute("href"))?.querySelector("image"));
  for (const image of [...svg.querySelectorAll("image:not(symbol *)"), ...standing]) {
    const address = image?.getAttribute("href") ?? "";
    if (address.startsWith("/")) new Image().src = address;
  }
}

/** The lines of a drawing and the nodes made from them. */
export class Patched {
  constructor(svg, text) {
    this.svg = svg;
    this.lines = linesOf(text);
    this.nodes = Object.fromEntries(CHANGING.map((name) => {
      const { children } = this.#layer(name) ?? { children: [] };
      return [name, new Map(this.lines[name].map((line, i) => [line, children[i]]))];
    }));
    this.isSafe = CHANGING.every((name) => this.nodes[name].size === (this.#layer(name)?.children.length ?? -1) && this.nodes[name].size === this.lines[name].length);
  }

  #layer(name) { return this.svg.querySelector(`:scope > [data-layer="${name}"]`); }

  /** Change the drawing to that of another text; return the new nodes, or null if it must be replaced as a whole. */
  become(text) {
    const now = linesOf(text);
    const defs = new Set(this.lines.defs);
    const isOnce = CHANGING.every((name) => new Set(now[name]).size === now[name].length);
    if (!this.isSafe || !isOnce || now.frame !== this.lines.frame || !now.defs.every((line) => defs.has(line))) return null;
    const fresh = CHANGING.flatMap((name) => now[name].filter((line) => !this.nodes[name].has(line)));
    const drawn = parsed(`<svg xmlns="http://www.w3.org/2000/svg">${fresh.join("\n")}</svg>`);
    if (drawn?.children.length !== fresh.length) return null;
    const nodes = [...drawn.children];
    const waiting = nodes.values();
    for (const name of CHANGING) this.#follow(name, now[name], waiting);
    this.lines = { ...now, defs: this.lines.defs };
    const desc = this.svg.querySelector(":scope > desc");
    if (desc) desc.textContent = new DOMParser().parseFromString(now.desc, "text/xml").documentElement.textContent;
    return nodes;
  }

  /** Update one layer: remove nodes whose lines are gone, and insert new ones before the next node that stays. */
  #follow(name, lines, waiting) {
    const before = this.nodes[name];
    const after = new Map(lines.map((line) => [line, before.get(line) ?? waiting.next().value]));
    for (const [line, node] of before) if (!after.has(line)) node.remove();
    const layer = this.#layer(name);
    let next = null;
    for (const [line, node] of [...after].reverse()) {
      if (!before.has(line)) layer.insertBefore(node, next);
      next = node;
    }
    this.nodes[name] = after;
  }
}
