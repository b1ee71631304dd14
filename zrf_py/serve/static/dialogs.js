// Windows over the page: a link to copy, and a question before something is left.
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

/** Whether people want what can't be undone; `yes` and `no` are what the buttons say. */
export function sure(words, yes, no) {
  return new Promise((settle) => {
    for (const [id, text] of [["sure-words", words], ["sure-yes", yes], ["sure-no", no]]) $(id).textContent = text;
    $("sure").returnValue = "no";
    $("sure").onclose = () => settle($("sure").returnValue === "yes");
    $("sure").showModal();
  });
}
