// The payload of a page → its parts: see payload.py.

/** The bytes of a text in base 64. */
export const decoded = (text) => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Return {names, page, part(number)} of a payload's bytes. */
export function unpack(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const { names, parts, page } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const part = (number) => {
    const [at, size] = parts[number];
    return bytes.slice(4 + length + at, 4 + length + at + size);
  };
  const value = (entry) => (typeof entry === "number" ? page.shared[entry] : values(entry));
  const values = (table) => Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, value(entry)]));
  const variants = page.games.map((game, i) => ({ game: values(game), image: page.images[i] }));
  return { names, part, page: { fields: page.fields, first: page.first ?? 0, variants } };
}
