// A position → the SVG of the board, character for character as view/svg.py draws it.
import { kindAt, ownerAt } from "./engine.js";

const MOST_LETTERS = 400;

/** Escape a text, cut to `MOST_LETTERS`, for element content or an attribute; characters that XML forbids become `�`. */
export function text(value) {
  const letters = [...value].slice(0, MOST_LETTERS).join("");
  return letters.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#x27;");
}

/** Format a number with at most two decimals; halves round to even. */
export function number(value) {
  const cents = value * 100;
  const low = Math.floor(cents);
  const isHalf = Number.isInteger(value * 8) && cents - low === 0.5;
  const digits = (isHalf ? (low + (low % 2 ? 1 : 0)) / 100 : value).toFixed(2).replace(/0+$/, "").replace(/\.$/, "");
  return digits === "-0" ? "0" : digits;
}

export class Composer {
  constructor(game) {
    this.game = game;
    this.drawn = game.drawing;
    this.symbols = new Map(this.drawn.symbols.map(([player, kind, symbol]) => [`${player}-${kind}`, symbol]));
    this.sizes = new Map(this.drawn.sizes.map(([player, kind, w, h]) => [`${player}-${kind}`, [w, h]]));
    this.pointed = new Set(this.drawn.pointed.map(([player, kind]) => `${player}-${kind}`));
    this.hidden = new Set(this.drawn.hidden);
    this.places = new Map(this.drawn.places.map(([index, x, y, w, h, room, stack]) => [index, { index, x, y, w, h, room, stack }]));
  }

  svg(position) {
    const { title, width, bottom, paper, board, kinds } = this.drawn;
    const used = new Set();
    const { state, player } = position;
    const marks = [...turnMarks(position.lastTurn())].filter(([i]) => this.places.has(i)).map(([i, kind]) => this.#mark(i, kind));
    const pieces = [...this.#pieces(state, used)];
    for (const [owner, kind] of kinds) used.add(`${owner}-${kind}`);
    const size = `${number(width)} ${number(bottom)}`;
    const sides = `width="${number(width)}" height="${number(bottom)}"`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" ${sides} role="img" font-family="DejaVu Sans, Verdana, Arial, sans-serif">`,
      `<title>${text(title)}</title>`, `<desc>${text(player ? `${player} to move` : title)}</desc>`,
      "<defs>", ...[...used].map((name) => this.symbols.get(name)), "</defs>",
      '<g class="layer" data-layer="board">', `<rect class="paper" ${sides} fill="${paper}"/>`, board, "</g>",
      '<g class="layer" data-layer="marks">', ...marks, "</g>", '<g class="layer" data-layer="overlays">', "</g>",
      '<g class="layer" data-layer="pieces">', ...pieces, "</g>", "</svg>", "",
    ].join("\n");
  }

  #mark(index, kind) {
    const trace = this.drawn.traces[this.drawn.places.findIndex(([i]) => i === index)];
    return `<g class="mark ${kind}" data-index="${index}"><path d="${trace}" ${this.drawn.touch[kind]}/></g>`;
  }

  #use(player, kind, room, used) {
    const name = `${player}-${kind}`;
    used.add(name);
    const [w, h] = this.sizes.get(name) ?? [room, room];
    return `<use href="#piece-${name}" x="${number(-w / 2)}" y="${number(-h / 2)}" width="${number(w)}" height="${number(h)}"/>`;
  }

  *#pieces(state, used) {
    const high = new Map();
    for (const { index, x, y, room, stack } of this.places.values()) {
      const [owner, kind] = [ownerAt(state, index), kindAt(state, index)];
      if (owner < 0 || this.hidden.has(kind)) continue;
      const [place, type] = [text(this.game.places[index]), text(this.game.types[kind])];
      const title = text(`${this.game.players[owner].name} ${this.game.types[kind]}, ${this.game.places[index]}`);
      yield `<g class="piece${this.pointed.has(`${owner}-${kind}`) ? " points" : ""}" data-place="${place}" data-index="${index}" data-player="${owner}" `
        + `data-type="${type}" transform="translate(${number(x)} ${number(y)})"><title>${title}</title>${this.#use(owner, kind, room, used)}</g>`;
      high.set(stack, (high.get(stack) ?? 0) + 1);
    }
    for (const [low, count] of high) if (low >= 0 && count > 1) yield this.#count(this.places.get(low), count);
  }

  #count(place, count) {
    const { unit, paper, line, ink } = this.drawn;
    const size = 0.34 * unit;
    const [x, y] = [place.x + 0.34 * place.w, place.y + 0.34 * place.h];
    return `<g class="count"><circle cx="${number(x)}" cy="${number(y)}" r="${number(0.62 * size)}" fill="${paper}" stroke="${line}"/>`
      + `<text x="${number(x)}" y="${number(y + 0.35 * size)}" font-size="${number(size)}" fill="${ink}" text-anchor="middle">${count}</text></g>`;
  }
}

/** Map the places of a turn's legs to marks: "to" for final destinations, "from" for all others. */
function turnMarks(legs) {
  const ends = new Set(legs.filter(([, end], i) => !legs.slice(i + 1).some(([start]) => start === end)).map(([, end]) => end));
  const marks = new Map();
  for (const leg of legs) for (const i of leg) if (i >= 0) marks.set(i, ends.has(i) ? "to" : "from");
  return marks;
}
