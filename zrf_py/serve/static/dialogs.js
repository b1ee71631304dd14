// Dialogs: a link to copy, and a confirmation before something is lost.
import { toast } from "./panels.js";
import { $ } from "./shared.js";
import { t } from "./words.js";

export function showLink(title, about, text) {
  $("link-title").textContent = title;
  $("link-words").textContent = about;
  $("link-text").value = text;
  if (!$("link").open) $("link").showModal();
  $("link-text").select();
}

$("link-copy").addEventListener("click", async () => {
  $("link-text").select();
  try {
    await navigator.clipboard.writeText($("link-text").value);
    toast(t("Copied"));
  } catch {
    document.execCommand("copy");
  }
});

/** Ask whether to do something that can't be undone; `yes` and `no` are the labels of the buttons. */
export function sure(words, yes, no) {
  return new Promise((settle) => {
    for (const [id, text] of [["sure-words", words], ["sure-yes", yes], ["sure-no", no]]) $(id).textContent = text;
    $("sure").returnValue = "no";
    $("sure").onclose = () => settle($("sure").returnValue === "yes");
    $("sure").showModal();
  });
}
