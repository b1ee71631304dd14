// A drawing of a board → as it fits its place: turned round, with letters to be read, nothing left free on a phone.

const [READABLE, MOST_LARGER] = [11, 1.4]; // pixels; how much larger than drawn
export const NARROW = matchMedia("(max-width: 860px)");

/** Do all of that; `room` is what there is of the screen: its width and height. */
export function fit(svg, room, isTurned) {
  enlarge(svg, room);
  if (isTurned) turn(svg);
  if (NARROW.matches) trim(svg, isTurned);
  const { width, height } = svg.viewBox.baseVal;
  svg.closest(".stage")?.style.setProperty("--shape", `${width} / ${height}`);
}

/** Letters and numbers beside a large board are made larger where they would be too small to read. */
function enlarge(svg, room) {
  const { width, height } = svg.viewBox.baseVal;
  const scale = Math.min(room.width / width, NARROW.matches ? Infinity : room.height / height);
  for (const text of svg.querySelectorAll('[data-layer="board"] > g > text')) {
    const size = Number(text.getAttribute("font-size"));
    const more = size * Math.min(MOST_LARGER, READABLE / (size * scale)) - size;
    if (!(more > 0)) continue;
    text.setAttribute("font-size", size + more);
    for (const part of partsOf(text)) part.setAttribute("y", Number(part.getAttribute("y")) + .35 * more);
  }
}

/** Where the parts of a text stand: the labels of a board are one text. */
const partsOf = (text) => text.querySelector("tspan") ? text.children : [text];

/** On a phone the width is all there is: nothing is left free beside the board and its labels. */
function trim(svg, isTurned) {
  const box = svg.viewBox.baseVal;
  const seen = [...svg.querySelectorAll('[data-layer="board"] > :not(.paper, .places)')].map((node) => node.getBBox()).filter((b) => b.width);
  const left = Math.min(...seen.map((b) => b.x));
  const right = Math.max(...seen.map((b) => b.x + b.width), ...[...svg.querySelectorAll(".store")].map((node) => boxOf(svg, node)).map((b) => b.x + b.w / 2));
  if (!Number.isFinite(right - left)) return;
  const [from, to] = isTurned ? [box.width - right, box.width - left] : [left, right];
  const edge = (to - from) / 150;
  svg.setAttribute("viewBox", `${from - edge} ${box.y} ${to - from + 2 * edge} ${box.height}`);
}

/** Half a turn about the middle of a drawing, as a `transform`. */
export function half(svg) {
  const box = svg.viewBox.baseVal;
  return `rotate(180 ${box.x + box.width / 2} ${box.y + box.height / 2})`;
}

/** Turn the layers half way round, and what is to be read back again. */
function turn(svg) {
  const turned = half(svg);
  for (const layer of svg.querySelectorAll(".layer")) {
    layer.setAttribute("transform", turned);
    for (const node of layer.children) upright(node);
  }
}

/** What stands in a layer that is turned, to be read; pieces that point to where they go stay turned. */
export function upright(node) {
  if (node.matches(".piece:not(.points), .store, .slot:not(.points)")) node.setAttribute("transform", `${node.getAttribute("transform") ?? ""} rotate(180)`);
  if (node.matches(".store.points")) for (const use of node.querySelectorAll(":scope > use")) use.setAttribute("transform", "rotate(180)");
  if (node.matches(".piece, .store")) return;
  for (const text of node.matches("text") ? [node] : node.querySelectorAll("text")) {
    const size = Number(text.getAttribute("font-size")) || 12;
    if (text.querySelector("tspan")) { turnParts(text, size); continue; }
    text.setAttribute("transform", `rotate(180 ${text.getAttribute("x") ?? 0} ${(Number(text.getAttribute("y")) || 0) - .35 * size})`);
  }
}

/** The parts of a text go to the other side each, and the text itself is turned back. */
function turnParts(text, size) {
  const svg = text.ownerSVGElement;
  const box = svg.viewBox.baseVal;
  text.setAttribute("transform", half(svg));
  for (const part of text.children) {
    part.setAttribute("x", 2 * box.x + box.width - part.getAttribute("x"));
    part.setAttribute("y", 2 * box.y + box.height - part.getAttribute("y") + .7 * size);
  }
}

/** Centre and size of a node in the units of the whole drawing. */
export function boxOf(svg, node) {
  const b = node.getBBox();
  const matrix = svg.getScreenCTM().inverse().multiply(node.getScreenCTM());
  const [p, q] = [[b.x, b.y], [b.x + b.width, b.y + b.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
  return { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2, w: Math.abs(q.x - p.x), h: Math.abs(q.y - p.y) };
}
