// Fit the drawing of a board into its place: turn it, put coordinates into its squares, crop it.

const [READABLE, MOST_LARGER] = [11, 1.4]; // minimum size of labels in pixels; maximum factor of enlargement
const LEGIBLE = 9; // size in pixels below which names of places are left out
const SQUARE = /^M([\d.-]+) ([\d.-]+)h([\d.]+)v([\d.]+)h/;
/** Place of the coordinates: `inside` the squares, `outside` or `none`. */
export const wish = { coordinates: "inside" };

/** Turn, label and crop a drawing; `measure` returns the available width and height, once the shape is known. The
 * page's `data-coordinates` lists the values of `wish.coordinates` that differ on this board. */
export function fit(svg, measure, isTurned) {
  const labels = svg.querySelector('[data-layer="board"] > g > text')?.parentNode;
  const names = new Set([...svg.querySelectorAll(".place")].map(({ dataset }) => dataset.place));
  const isNamed = [...labels?.querySelectorAll("tspan") ?? []].every((part) => names.has(part.textContent)); // without rows and columns
  const squares = isNamed || svg.querySelector(".piece.points") ? [] : squaresOf(svg, isTurned); // such pieces fill their squares
  const isInside = wish.coordinates === "inside" && squares.length > 0;
  if (wish.coordinates === "none") labels?.remove();
  if (isTurned) turn(svg);
  crop(svg, isTurned, isInside ? labels : null);
  const { width, height } = svg.viewBox.baseVal;
  svg.closest(".table")?.style.setProperty("--ratio", width / height);
  const room = measure();
  const scale = Math.min(room.width / width, room.height / height);
  for (const text of labels?.children ?? []) {
    if (isInside) inside(text, squares, scale);
    else enlarge(text, scale, ...isNamed ? [2, isTurned ? 1 : -.3] : [MOST_LARGER, .35]);
    if (isNamed && text.getAttribute("font-size") * scale < LEGIBLE) text.remove();
  }
  document.documentElement.dataset.coordinates = !labels?.children.length ? "" : isNamed ? "inside none" : squares.length ? "inside outside none" : "outside none";
  if (!labels?.parentNode) return;
  labels.setAttribute("class", isNamed ? "labels names" : "labels");
  labels.setAttribute("transform", isTurned ? half(svg) : "");
  svg.querySelector('[data-layer="pieces"]').before(labels); // above the marks of the last move
}

/** The places of a board as the user sees them, if all are rectangles; else none. */
function squaresOf(svg, isTurned) {
  const found = [...svg.querySelectorAll(".place")].map((place) => SQUARE.exec(place.getAttribute("d"))?.slice(1).map(Number));
  const seen = (at, size) => (isTurned ? svg.getAttribute(size) - at : at);
  return found.every(Boolean) ? found.map(([x, y, w, h]) => ({ x: seen(x + w / 2, "width"), y: seen(y + h / 2, "height"), w, h })) : [];
}

/** Enlarge labels that would be too small to read, by a factor of `most` at most; they move down by a share `down` of that. */
function enlarge(text, scale, most, down) {
  const size = Number(text.getAttribute("font-size"));
  const more = size * Math.min(most, READABLE / (size * scale)) - size;
  if (!(more > 0)) return;
  text.setAttribute("font-size", size + more);
  for (const part of text.children) part.setAttribute("y", Number(part.getAttribute("y")) + down * more);
}

/** Put column labels into a corner of the lowest squares, row labels into a corner of the leftmost ones, as seen by
 * the user. */
function inside(text, squares, scale) {
  const unit = Math.min(...squares.map(({ w, h }) => Math.min(w, h)));
  const before = Number(text.getAttribute("font-size"));
  const size = Math.min(.34 * unit, Math.max(.16 * unit, (READABLE - 1) / scale));
  for (const part of text.children) {
    const label = { x: Number(part.getAttribute("x")), y: part.getAttribute("y") - .35 * before };
    const [row, column] = ["y", "x"].map((way) => squares.filter((at) => Math.abs(at[way] - label[way]) < unit / 4));
    const isRow = row.length > 0;
    const [at] = isRow ? row.sort((p, q) => p.x - q.x) : column.sort((p, q) => q.y - p.y);
    if (!at) continue;
    const side = isRow ? -1 : 1;
    part.setAttribute("text-anchor", isRow ? "start" : "end");
    part.setAttribute("x", at.x + side * (.5 * at.w - .035 * unit));
    part.setAttribute("y", at.y + side * (.5 * at.h - .035 * unit) + (isRow ? .75 * size : 0));
  }
  text.setAttribute("font-size", size);
}

/** Crop the drawing to the board; `labels` inside it need no room beside it. */
function crop(svg, isTurned, labels) {
  const { width: w, height: h } = svg.viewBox.baseVal;
  const seen = [...svg.querySelectorAll('[data-layer="board"] > :not(.paper, .places), [data-layer="overlays"] > *')]
    .filter((node) => node !== labels).map((node) => node.getBBox()).filter((b) => b.width);
  const [left, top] = ["x", "y"].map((name) => Math.min(...seen.map((b) => b[name])));
  const [right, bottom] = [["x", "width"], ["y", "height"]].map(([at, size]) => Math.max(...seen.map((b) => b[at] + b[size])));
  if (!Number.isFinite(right - left + bottom - top)) return;
  const edge = (right - left) / 130;
  const [x, y] = isTurned ? [w - right, h - bottom] : [left, top];
  svg.setAttribute("viewBox", `${x - edge} ${y - edge} ${right - left + 2 * edge} ${bottom - top + 2 * edge}`);
}

/** A half turn about the middle of the original drawing, as a `transform`. */
export const half = (svg) => `rotate(180 ${svg.getAttribute("width") / 2} ${svg.getAttribute("height") / 2})`;

/** Turn the layers by half a turn, and texts back again so that they can be read. */
function turn(svg) {
  const turned = half(svg);
  for (const layer of svg.querySelectorAll(".layer")) {
    layer.setAttribute("transform", turned);
    for (const node of layer.children) upright(node);
  }
}

/** Turn the contents of a turned layer upright; pieces that point in the direction of play stay turned. */
export function upright(node) {
  if (node.matches(".piece:not(.points)")) node.setAttribute("transform", `${node.getAttribute("transform") ?? ""} rotate(180)`);
  if (node.matches(".piece")) return;
  for (const text of node.matches("text") ? [node] : node.querySelectorAll("text")) {
    const size = Number(text.getAttribute("font-size")) || 12;
    if (text.querySelector("tspan")) { turnParts(text, size); continue; }
    text.setAttribute("transform", `rotate(180 ${text.getAttribute("x") ?? 0} ${(Number(text.getAttribute("y")) || 0) - .35 * size})`);
  }
}

/** Move the parts of a text to the opposite sides, and turn the text itself back. */
function turnParts(text, size) {
  const svg = text.ownerSVGElement;
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  text.setAttribute("transform", half(svg));
  for (const part of text.children) {
    part.setAttribute("x", width - part.getAttribute("x"));
    part.setAttribute("y", height - part.getAttribute("y") + .7 * size);
  }
}

/** Centre and size of a node in the units of the whole drawing. */
export function boxOf(svg, node) {
  const b = node.getBBox();
  const matrix = svg.getScreenCTM().inverse().multiply(node.getScreenCTM());
  const [p, q] = [[b.x, b.y], [b.x + b.width, b.y + b.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
  return { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2, w: Math.abs(q.x - p.x), h: Math.abs(q.y - p.y) };
}
