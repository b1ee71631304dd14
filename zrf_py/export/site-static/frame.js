// The board of the rules editor: the enclosing page provides a game, which is then played as in an exported page.
const link = location.hash.slice(1);
const early = [];
const away = document.getElementById("away");
const fail = (why) => { away.textContent = `This game can't be shown: ${why}`; away.hidden = false; };
const worker = new Worker(new URL("board-worker.js", import.meta.url), { type: "module" });
globalThis.zrfAlone = { worker, early, link, words: {}, fail, shown: null };
worker.onerror = (event) => fail(event.message ?? "its worker can't be started");
const told = new Promise((done) => { worker.onmessage = (event) => { early.push(event); done(null); }; });
parent.packed.then(async (packed) => {
  worker.postMessage({ packed, link });
  await told; // from now on it accepts messages
  document.querySelector("aside").hidden = false;
  document.getElementById("board").inert = false;
  await import("./board.js");
}, (problem) => fail(problem.message));
