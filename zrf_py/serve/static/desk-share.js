/* A text in a link: raw deflate in base64url in the fragment of the address, which no server sees; author/sharing.py
   is the counterpart. A text from a link is only offered, never loaded by itself. */
import { $ } from "./shared.js";
import { t } from "./words.js";

const MARK = "#z=";
const MAX_PACKED = 256 << 10; // characters
const MAX_TEXT = 1 << 20; // bytes

/** Pass bytes through a stream; return the result, or null if it is longer than `most`. */
async function through(bytes, stream, most = Infinity) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).then(() => writer.close()).catch(() => {}); // the reader reports errors
  const chunks = [];
  let size = 0;
  for (const reader = stream.readable.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.length;
    if (size > most) {
      reader.cancel();
      return null;
    }
    chunks.push(value);
  }
}

export async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the text of a link, or of its data. */
export async function unpack(link) {
  const data = link.slice(link.lastIndexOf(MARK) + 1 && link.lastIndexOf(MARK) + MARK.length).trim();
  if (data.length > MAX_PACKED) throw new Error(t("the text of this link is too long"));
  let bytes, text;
  try {
    const signs = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    bytes = await through(Uint8Array.from(signs, (sign) => sign.charCodeAt(0)), new DecompressionStream("deflate-raw"), MAX_TEXT);
    text = bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch { throw new Error(t("this link is damaged")); }
  if (!bytes) throw new Error(t("the text of this link is too long"));
  return text;
}

export const isShared = (address) => address.includes(MARK);

export class Share {
  /** `desk.text()` returns the text, `desk.take(text)` replaces it, `desk.compare()` shows the differences. */
  constructor(desk) {
    this.desk = desk;
    this.original = null; // the text from a link
    $("share").onclick = () => this.link();
    $("copy-link").onclick = () => navigator.clipboard.writeText($("link").value).catch(() => $("link").select());
    $("open-link").onclick = () => this.open($("link").value);
    $("differs").onclick = () => desk.compare();
    $("fork").onclick = () => { $("came").hidden = true; desk.take(this.original); };
    $("leave").onclick = () => { $("came").hidden = true; };
  }

  async link() {
    $("sharing").hidden = !$("sharing").hidden;
    $("link").value = `${location.origin}${location.pathname}${MARK}${await pack(this.desk.text())}`;
    $("link").select();
  }

  /** Offer the text of a link. */
  async open(link) {
    try {
      this.original = await unpack(link);
      $("sharing").hidden = true;
      $("came").hidden = false;
      $("against").querySelector("[value=link]").disabled = false;
      $("against").value = "link";
    } catch (problem) { this.desk.say(problem.message, true); }
  }
}
