// The search of the book runs in a worker. A page opened from a disk may not start one, so a hidden frame stands in for it.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = this.inner = frame.contentWindow;
      this.ready = new Promise((resolve) => { inner.onready = resolve; });
      inner.onanswer = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        this.onmessage?.(message);
      };
      inner.document.open();
      inner.document.write(`<script>
        function load(url) {
          return new Promise((resolve, reject) => {
            const script = document.createElement("script");
            Object.assign(script, { src: url, onload: resolve, onerror: reject });
            document.head.append(script);
          });
        }
        var importScripts = (...urls) => urls.reduce((done, url) => done.then(() => load(url)), Promise.resolve());
        var postMessage = (data) => onanswer(data);
        load(${JSON.stringify(String(new URL(url, location.href)))}).then(() => onready());
      <\/script>`);
      inner.document.close();
    }

    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {}
  };
}
