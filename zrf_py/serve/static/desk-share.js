/* A text in a link: raw deflate in base64url in the fragment of the address, which no server sees; author/sharing.py is its
   counterpart. A text that comes by a link is only shown until somebody takes it. */
import { $ } from "./shared.js";
import { t } from "./words.js";

const MARK = "#z=";
const MAX_PACKED = 256 << 10; // characters
const MAX_TEXT = 1 << 20; // bytes

/** The bytes that come of others through a stream; null if they are more than `most`. */
async function through(bytes, stream, most = Infinity) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).then(() => writer.close()).catch(() => {}); // what is wrong with them shows where they are read
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

/** The text of a link, or of its data. */
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
  /** `desk.text()` is the text, `desk.take(text)` puts another in its place, `desk.compare()` shows what differs. */
  constructor(desk) {
    this.desk = desk;
    this.original = null; // the text that came by a link
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

  /** The text of a link comes: it is offered. */
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
