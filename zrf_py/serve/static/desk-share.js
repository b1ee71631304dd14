/* Rules shared by links (packing.js). A host with several files opens the text of a link as another file; any
   other host only offers it. Visitors, who have no other text, see it at once. */
import { MARK, pack, unpack } from "./packing.js";
import { $, copy, download, quoted, reach } from "./shared.js";
import { t } from "./words.js";

const LONGEST = 32_000; // characters of an address: some programs cut longer ones

export class Share {
  /** `desk.text()` returns the text; `desk.take(text)` replaces it; `desk.compare()` shows the differences; `desk.address()` returns
   * the address of the server in its network, or ""; `desk.open(text)` opens the text of a link, or calls `came`; `desk.tables()`
   * resolves to the part that makes a link playable at once: "" if there is none, undefined if no page could use it. */
  constructor(desk) {
    this.desk = desk;
    this.original = null; // the text from a link
    $("share").onclick = () => this.link();
    $("copy-link").onclick = () => copy($("link"));
    $("open-link").onclick = () => this.open($("link").value);
    $("differs").onclick = () => desk.compare();
    $("fork").onclick = () => { $("came").hidden = true; desk.take(this.original); };
    $("leave").onclick = () => { $("came").hidden = true; };
    $("to-text").onclick = () => $("text").scrollIntoView();
    $("keep-copy").onclick = () => $("save").click();
    $("take").onclick = () => download("shared.zrf", desk.text());
  }

  async link() {
    $("sharing").hidden = !$("sharing").hidden;
    const { origin, note } = reach(this.desk.address());
    $("link-words").replaceChildren(...quoted(`${t(note || "Anyone who opens this link can read the rules.")} ${t("On any computer with zrf, `zrf new my.zrf --link LINK` writes the rules to a file.")}`));
    const link = `${origin}${location.pathname}${MARK}${await pack(this.desk.text())}`;
    $("link").value = link;
    $("link").select();
    const tables = await this.desk.tables();
    if (tables === undefined || $("link").value !== link) return;
    const isPlayable = tables && link.length + tables.length <= LONGEST;
    if (isPlayable) $("link").value = link + tables;
    $("link").select();
    $("link-words").append(` ${isPlayable ? t("The link also contains the game, which can be played at once.") : t("Those who open the link can play the game once the editor is loaded.")}`);
  }

  /** Open the text of a link as another file, or offer it. */
  async open(link) {
    try {
      this.desk.open(await unpack(link));
    } catch (problem) { this.desk.say(t(problem.message), true); }
  }

  /** Let the text be compared with that of a link; `isNew`: show the ways to use it. */
  came(text, isNew) {
    this.original = text;
    $("sharing").hidden = true;
    $("came").hidden = !isNew;
    $("against").querySelector("[value=link]").disabled = false;
    $("against").value = "link";
  }
}
