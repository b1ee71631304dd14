import { modulesOf, qr } from "./qr.js";
show(TEXTS.map((text) => modulesOf(text)));
const [svg] = qr(TEXTS[0]);
show([svg.getAttribute("viewBox"), svg.querySelector("path").getAttribute("d"), qr("x".repeat(107)).length]);
