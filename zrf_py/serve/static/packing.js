/* A text packed for the fragment of an address, which no server receives: raw deflate in base64url, as in author/sharing.py. */

/** The beginning of a fragment that holds a text of rules. */
export const MARK = "#z=";
const MAX_PACKED = 256 << 10; // characters
const MAX_TEXT = 1 << 20; // bytes

/** Return whether a text has a line that is too long to be shown: the editor would keep the page busy for a minute. */
export const isEndless = (text) => /[^\n]{20001}/.test(text);

export const isShared = (address) => address.includes(MARK);

/** Pass bytes through a stream; return the result, or null if it is longer than `most`. */
async function through(bytes, stream, most = Infinity) {
  const reader = new Blob(bytes).stream().pipeThrough(stream).getReader();
  const chunks = [];
  for (let size = 0, { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    size += value.length;
    if (size > most) return null;
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

export async function pack(text) {
  const bytes = await through([new TextEncoder().encode(text)], new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the bytes of packed data, or null if there are more than `most`. `common` is the dictionary with which they were
 * compressed: the data follow it as if it had been stored, uncompressed, in the same stream. */
export async function inflated(data, most, common = new Uint8Array()) {
  const bytes = Uint8Array.from(atob(data.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const [low, high] = [common.length & 255, common.length >> 8];
  const stored = Uint8Array.of(0, low, high, 255 - low, 255 - high);
  const all = await through([stored, common, bytes], new DecompressionStream("deflate-raw"), most + common.length);
  return all && all.slice(common.length);
}

/** Return the text of a link, or of its data alone; throw an Error if it is damaged or too long. */
export async function unpack(link) {
  const [data] = link.slice(link.lastIndexOf(MARK) + 1 && link.lastIndexOf(MARK) + MARK.length).trim().split("&");
  if (data.length > MAX_PACKED) throw new Error("the text of this link is too long");
  let bytes, text;
  try {
    bytes = await inflated(data, MAX_TEXT);
    text = bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch { throw new Error("this link is damaged"); }
  if (!bytes) throw new Error("the text of this link is too long");
  if (isEndless(text)) throw new Error("the text of this link has a line of more than 20,000 characters");
  return text;
}
