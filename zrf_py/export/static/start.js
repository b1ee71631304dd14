(async () => {
  const show = (why) => { const p = document.getElementById("away"); p.textContent = "This page can't run here: " + why; p.hidden = false; };
  try {
    if (!globalThis.WebAssembly || !globalThis.DecompressionStream) throw new Error("it needs a browser of 2023 or later");
    const letters = document.getElementById("packed").textContent;
    const packed = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    const opened = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(opened).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const { names, parts } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    const text = (name) => { const [at, size] = parts[names[name]]; return new TextDecoder().decode(bytes.subarray(4 + length + at, 4 + length + at + size)); };
    const url = (name) => URL.createObjectURL(new Blob([text(name)], { type: "text/javascript" }));
    globalThis.zrfAlone = { bytes, words: { de: JSON.parse(text("de")) }, workerUrl: url("worker"), fail: show };
    const script = document.createElement("script");
    script.src = url("board");
    document.head.append(script);
  } catch (error) {
    show(error.message);
  }
})();
