// A static page of a site: light and dark, the user's language, offline use.
import { $, followTheme } from "./shared.js";
import { facts, translatePage } from "./words.js";

if (Object.keys(globalThis.zrfAlone.words).length) translatePage();
for (const node of document.querySelectorAll(".cards .words > *")) node.textContent = facts(node.textContent);
followTheme($("theme"));
const worker = document.querySelector("link[rel=manifest]").href.replace("manifest.webmanifest", "sw.js");
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register(worker).catch(() => {});
