(async () => {
  const show = (why) => { const p = document.getElementById("away"); p.textContent = "This page can't run here: " + why; p.hidden = false; };
  try {
    if (!globalThis.WebAssembly || !globalThis.DecompressionStream) throw new Error("it needs a browser of 2023 or later");
    const letters = atob(document.getElementById("packed").textContent);
    const packed = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) packed[i] = letters.charCodeAt(i);
    const opened = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(opened).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const { names, parts } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    const text = (name) => { const [at, size] = parts[names[name]]; return new TextDecoder().decode(bytes.subarray(4 + length + at, 4 + length + at + size)); };
    const url = (name) => URL.createObjectURL(new Blob([text(name)], { type: "text/javascript" }));
    const script = document.createElement("script");
    script.src = url("board");
    const worker = new Worker(url("worker"));
    const early = [];
    globalThis.zrfAlone = { worker, early, words: { de: JSON.parse(text("de")) }, fail: show };
    worker.onerror = (event) => show(event.message ?? "the worker can't be started");
    worker.onmessage = (event) => {
      if (event.data.type === "ready") worker.postMessage({ bytes, link: location.hash.slice(1) }, [bytes.buffer]);
      else early.push(event);
    };
    document.head.append(script);
  } catch (error) {
    show(error.message);
  }
})();
