// Dialogs: a link to copy, and a confirmation before something is lost.
import { nameField } from "./company.js";
import { toast } from "./panels.js";
import { qr } from "./qr.js";
import { $, copy, make, quoted } from "./shared.js";
import { t } from "./words.js";

/** `invited` ({player, ask}) for the link of a seat adds a QR code, a field for the user's name, and a checkbox to list the game. */
export function showLink(title, about, text, invited = null) {
  $("link-title").textContent = title;
  $("link-words").replaceChildren(...quoted(about));
  $("link-text").value = text;
  $("link").dataset.seat = invited?.player ?? "";
  const onchange = ({ target }) => invited.ask({ type: "offer", listed: target.checked });
  $("link-more").replaceChildren(...(invited ? [...qr(text), nameField(),
    make("label", {}, make("input", { type: "checkbox", id: "listed", onchange }), ` ${t("List this game on the first page, so that others can watch")}`)] : []));
  if (!$("link").open) $("link").showModal();
  $("link-text").select();
}

$("link-copy").onclick = async () => { await copy($("link-text")); toast(t("Copied")); };

/** Ask whether to do something that can't be undone; `yes` and `no` are the labels of the buttons. */
export function sure(words, yes, no) {
  return new Promise((settle) => {
    for (const [id, text] of [["sure-words", words], ["sure-yes", yes], ["sure-no", no]]) $(id).textContent = text;
    $("sure").returnValue = "no";
    $("sure").onclose = () => settle($("sure").returnValue === "yes");
    $("sure").showModal();
  });
}
