// A static page of a site: light and dark, the user's language, offline use.
import { $, followTheme } from "./shared.js";
import { translatePage } from "./words.js";

if (globalThis.zrfAlone.words.de) translatePage();
followTheme($("theme"));
const worker = document.querySelector("link[rel=manifest]").href.replace("manifest.webmanifest", "sw.js");
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register(worker).catch(() => {});
