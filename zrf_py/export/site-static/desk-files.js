// The files of this browser: name → text, in IndexedDB.

const STORE = "files";

const settled = (request) => new Promise((done, fail) => {
  request.onsuccess = request.oncomplete = () => done(request.result);
  request.onerror = request.onabort = () => fail(new Error(request.error?.message || "access refused"));
});

export class Files {
  /** Open the files; `why` is the reason why nothing can be stored, or "". */
  static async open() {
    try {
      const request = indexedDB.open("zrf-workshop", 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      return new Files(await settled(request), "");
    } catch (error) {
      return new Files(null, `this browser cannot store files: ${error.message}`);
    }
  }

  constructor(base, why) { this.base = base; this.why = why; }

  #store(mode) { return this.base.transaction(STORE, mode).objectStore(STORE); }

  async names() { return this.base ? settled(this.#store("readonly").getAllKeys()) : []; }

  async text(name) { return this.base ? settled(this.#store("readonly").get(name)) : undefined; }

  /** Store a text; throws if that is impossible. */
  async put(name, text) {
    if (!this.base) throw new Error(this.why);
    const store = this.#store("readwrite");
    store.put(text, name);
    await settled(store.transaction); // until then, the text may still be refused for lack of room
  }
}
