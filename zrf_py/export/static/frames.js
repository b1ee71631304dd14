// Frames: what is seen comes first, all else can wait for it.

const PATIENCE = 500; // milliseconds after which nobody looks: a page that isn't seen has no frames

/** When the next frame has been shown. */
export const framed = () => new Promise((go) => {
  requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => setTimeout(go); port2.postMessage(0); });
  setTimeout(go, PATIENCE);
});
