// A page of a site that is only read: light and dark, the reader's language, and to be there without a net.
import { $, followTheme } from "./shared.js";
import { translatePage } from "./words.js";

if (globalThis.zrfAlone.words.de) translatePage();
followTheme($("theme"));
const worker = document.querySelector("link[rel=manifest]").href.replace("manifest.webmanifest", "sw.js");
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register(worker).catch(() => {});
