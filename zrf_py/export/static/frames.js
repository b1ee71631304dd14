// Waiting for frames to be painted: everything else can come later.

const PATIENCE = 500; // milliseconds after which to stop waiting: a hidden page has no frames

/** Resolve when the next frame has been painted, after `PATIENCE` at the latest. */
export const framed = () => new Promise((go) => {
  requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => setTimeout(go); port2.postMessage(0); });
  setTimeout(go, PATIENCE);
});
