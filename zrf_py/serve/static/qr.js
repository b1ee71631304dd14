// QR codes of links, to be opened on a phone: version 5, level L, always the same mask; longer texts get no code.
import { draw } from "./shared.js";
import { t } from "./words.js";

const SIZE = 37; // modules on a side
const DATA = 108; // codewords with data
const CHECKS = 26; // error-correction codewords
const FORMAT = 0b111011111000100; // level L, mask 0
const isMasked = (x, y) => (x + y) % 2 === 0;

/** Multiply in the finite field GF(256). */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ ((b >> bit & 1) * a);
  return product;
}

/** The Reed–Solomon error-correction codewords of the data. */
function checks(data) {
  let [root, divisor] = [1, [...new Array(CHECKS - 1).fill(0), 1]];
  for (let i = 0; i < CHECKS; i += 1) {
    divisor = divisor.map((value, j) => times(value, root) ^ (divisor[j + 1] ?? 0));
    root = times(root, 2);
  }
  const rest = new Array(CHECKS).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((value, i) => { rest[i] ^= times(value, factor); });
  }
  return rest;
}

function codewords(bytes) {
  const bits = [0b0100, bytes.length].map((value, i) => value.toString(2).padStart(i ? 8 : 4, "0")).join("") + [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("") + "0000";
  const data = bits.match(/.{8}/g).map((byte) => parseInt(byte, 2));
  while (data.length < DATA) data.push(...[0xec, 0x11].slice(0, DATA - data.length));
  return [...data, ...checks(data)];
}

/** The rows of the code's modules (1: dark); null if the text is too long. */
export function modulesOf(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > DATA - 2) return null;
  const grid = Array.from({ length: SIZE }, () => new Array(SIZE).fill(null));
  const square = (cx, cy, radius, isDark) => {
    for (let y = cy - radius; y <= cy + radius; y += 1) for (let x = cx - radius; x <= cx + radius; x += 1) if (grid[y]?.[x] !== undefined) grid[y][x] = Number(isDark(Math.max(Math.abs(x - cx), Math.abs(y - cy))));
  };
  for (let i = 0; i < SIZE; i += 1) grid[6][i] = grid[i][6] = Number(i % 2 === 0);
  for (const [x, y] of [[3, 3], [SIZE - 4, 3], [3, SIZE - 4]]) square(x, y, 4, (far) => far !== 2 && far !== 4);
  square(SIZE - 7, SIZE - 7, 2, (far) => far !== 1);
  for (let i = 0; i < 15; i += 1) { // the format, twice: around the first corner, and split between the two others
    const bit = FORMAT >> i & 1;
    grid[i < 6 ? i : i < 8 ? i + 1 : SIZE - 15 + i][8] = bit;
    grid[8][i < 8 ? SIZE - 1 - i : i === 8 ? 7 : 14 - i] = bit;
  }
  grid[SIZE - 8][8] = 1;
  const bits = codewords(bytes).flatMap((byte) => Array.from({ length: 8 }, (_, i) => byte >> (7 - i) & 1));
  let at = 0;
  for (let right = SIZE - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < SIZE; step += 1) {
      const y = (right + 1) & 2 ? step : SIZE - 1 - step;
      for (const x of [right, right - 1]) if (grid[y][x] === null) grid[y][x] = (bits[at++] ?? 0) ^ Number(isMasked(x, y));
    }
  }
  return grid;
}

/** A list with the picture of the code; empty if there is none. */
export function qr(text) {
  const path = modulesOf(text)?.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return path ? [draw("svg", { class: "qr", viewBox: `0 0 ${SIZE + 8} ${SIZE + 8}`, role: "img", "aria-label": t("QR code of the link") }, draw("rect", { width: SIZE + 8, height: SIZE + 8, fill: "#fff" }), draw("path", { d: path, fill: "#000" }))] : [];
}
