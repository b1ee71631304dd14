/** What the pages use beyond the browser's own declarations; see `test_page_types.py`. */

/** An element found by its id or by a selector: its kind is in the markup, so it may have what several kinds have. */
interface Control extends HTMLElement {
  value: string;
  checked: boolean;
  disabled: boolean;
  open: boolean;
  href: any;
  download: string;
  returnValue: string;
  files: FileList;
  contentWindow: any;
  src: string;
  parentNode: any;
  onchange: (event?: Event) => any;
  showModal(): void;
  close(): void;
  select(): void;
  contains(other: EventTarget | null): boolean;
  getScreenCTM(): DOMMatrix | null;
}
interface Document {
  getElementById(id: string): Control;
  activeElement: Control | null;
}
interface ParentNode {
  querySelector(selector: string): Control | null;
  querySelectorAll(selector: string): NodeListOf<Control>;
  children: HTMLCollectionOf<Control>;
}
/** HTML and SVG elements share `dataset` and `focus`. */
interface Element extends HTMLOrSVGElement { firstElementChild: Control | null; }
/** Texts have `data`. */
interface Node { data?: string; }
/** The target of a pointer or key is an element. */
interface EventTarget {
  closest?(selector: string): Control | null;
  tagName?: string;
}

/** What the scripts of an exported page, of the worker with Python, and of the rules editor hand to each other. */
declare var zrfAlone: any, zrfOpened: any, early: Worker | null, packed: Promise<string>, compiled: Promise<WebAssembly.Module | null>;
/** `linked`: the tables of a link, in `format`, until Python has made those of its text; "" afterwards. */
declare var rulesFile: string, format: string, linked: string, engine: Promise<[WebAssembly.Module, Uint8Array<ArrayBuffer>]>;
declare function distrust(): void;
declare function playable(): void;

interface Window {
  packed: typeof packed; rulesFile: typeof rulesFile; linked: typeof linked; engine: typeof engine; distrust: typeof distrust; playable?: typeof playable;
}

/** Some browsers lack it. */
interface Uint8ArrayConstructor { fromBase64(text: string): Uint8Array<ArrayBuffer>; }

/** Workers. */
declare function importScripts(...addresses: string[]): void;

/** The service worker `sw.js`; `site.py` writes the first two. `desk-python.js` has the first one, too. */
declare const VERSION: string;
declare const FIRST: string[];
declare var clients: { claim(): Promise<void> };
declare function skipWaiting(): Promise<void>;
interface Lasting extends Event { waitUntil(work: Promise<unknown>): void; }
interface Fetching extends Lasting { request: Request; respondWith(answer: Promise<Response>): void; }
interface MessageEvent extends Pick<Lasting, "waitUntil"> {}
interface WindowEventMap { install: Lasting; activate: Lasting; fetch: Fetching; }
