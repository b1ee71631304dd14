// The board of the rules editor: the enclosing page provides a game, which is then played as in an exported page.
const PATIENCE = 1500; // milliseconds in which the worker must answer, on a fast line and processor
const link = location.hash.slice(1);
const early = [];
const away = document.getElementById("away");
const fail = (why) => {
  if (parent.linked) parent.distrust();
  else { away.textContent = `This game can't be shown: ${why}`; away.hidden = false; }
};
const worker = new Worker(new URL("board-worker.js", import.meta.url), { type: "module" });
globalThis.zrfAlone = { worker, early, link, words: {}, fail, shown: null };
worker.onerror = (event) => fail(event.message ?? "its worker can't be started");
const told = new Promise((done) => { worker.onmessage = (event) => { early.push(event); done(null); }; });

/** Return a port for the worker, which sends every message back. The tables of a link may keep the worker busy forever: until
 * Python has made the same tables, give up if an answer takes too long. */
function watched() {
  const { port1, port2 } = new MessageChannel();
  let asked = 0; // when the worker was asked; Infinity: it answered; 0: it is not there yet
  let patience = 0;
  port1.onmessage = () => { asked = Infinity; patience ||= Math.max(PATIENCE, 3 * performance.now()); };
  const timer = setInterval(() => {
    if (!parent.linked) clearInterval(timer);
    else if (asked === Infinity) { asked = performance.now(); port1.postMessage(null); }
    else if (asked && performance.now() - asked > patience) fail("");
  }, 100);
  return port2;
}

try {
  const port = parent.linked ? watched() : undefined;
  const [packed, engine] = await Promise.all([parent.packed, parent.engine]);
  worker.postMessage({ packed, engine, file: parent.rulesFile, link, port }, port ? [port] : []);
  await told; // from now on it accepts messages
  document.querySelector("aside").hidden = false;
  document.getElementById("board").inert = false;
  await import("./board.js");
  const look = () => (document.querySelector("#board svg") ? parent.playable?.() : requestAnimationFrame(look));
  look();
} catch (problem) { fail(problem.message); }
