/* Rules shared by links (packing.js). The text of a link is only offered; visitors, who have no other text, see it at once. */
import { MARK, pack, unpack } from "./packing.js";
import { $, copy, download, reach } from "./shared.js";
import { t } from "./words.js";

export class Share {
  /** `desk.text()` returns the text, `desk.take(text)` replaces it, `desk.compare()` shows the differences, `desk.address()`
   * returns the address of the server in its network, or "". */
  constructor(desk) {
    this.desk = desk;
    this.original = null; // the text from a link
    $("share").onclick = () => this.link();
    $("copy-link").onclick = () => copy($("link"));
    $("open-link").onclick = () => this.open($("link").value);
    $("differs").onclick = () => desk.compare();
    $("fork").onclick = () => { $("came").hidden = true; desk.take(this.original); };
    $("leave").onclick = () => { $("came").hidden = true; };
    $("take").onclick = () => download("shared.zrf", desk.text());
  }

  async link() {
    $("sharing").hidden = !$("sharing").hidden;
    const { origin, note } = reach(this.desk.address());
    $("link-words").textContent = `${t(note || "Anyone who opens this link can read the rules.")} ${t("On any computer with zrf, `zrf new my.zrf --link LINK` writes the rules to a file.")}`;
    $("link").value = `${origin}${location.pathname}${MARK}${await pack(this.desk.text())}`;
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
    } catch (problem) { this.desk.say(t(problem.message), true); }
  }
}
