// What a page holds → its parts: see payload.py.

/** {names, page, part(number)} of the bytes that a page was packed into; `shown` is the picture of the start, if there is one. */
export function unpack(bytes, shown = "") {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const { names, parts, page } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const part = (number) => {
    const [at, size] = parts[number];
    return bytes.slice(4 + length + at, 4 + length + at + size);
  };
  for (const number of page.cut ?? []) page.shared[number] = pasted(page.shared[number], shown);
  const value = (found) => (typeof found === "number" ? page.shared[found] : values(found));
  const values = (table) => Object.fromEntries(Object.entries(table).map(([name, found]) => [name, value(found)]));
  const variants = page.games.map((game, i) => ({ game: values(game), image: page.images[i] }));
  return { names, part, page: { fields: page.fields, first: page.first ?? 0, variants } };
}

/** A value with texts that stand in the picture taken from there: {"cut": [first letter, letters]}. */
function pasted(value, shown) {
  if (Array.isArray(value)) return value.map((one) => pasted(one, shown));
  return value?.cut ? shown.slice(value.cut[0], value.cut[0] + value.cut[1]) : value;
}
