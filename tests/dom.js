// As much of a document as the pages ask for, for tests in node: elements, events that bubble, simple selectors, texts.

const VOID = /^(meta|link|input|img|br|path|use|circle)$/;
const REFLECTED = { className: "class", href: "href", title: "title", type: "type", role: "role", src: "src", id: "id" };

globalThis.ResizeObserver = class {
  static all = [];
  constructor(act) { this.act = act; ResizeObserver.all.push(act); }
  observe() {}
};

class Nodes {
  constructor() { this.childNodes = []; this.parentNode = null; this.heard = {}; this.first = {}; }
  addEventListener(name, act, isFirst = false) { ((isFirst ? this.first : this.heard)[name] ??= []).push(act); }
  dispatch(name, properties = {}) {
    const event = { type: name, target: this, defaultPrevented: false, ...properties,
      preventDefault() { event.defaultPrevented = true; }, stopPropagation() { event.isStopped = true; } };
    for (const act of document.first[name] ?? []) act(event);
    for (let at = this; at && !event.isStopped; at = at.parentNode ?? (at === document ? null : document)) {
      for (const act of at.heard[name] ?? []) act(event);
      at[`on${name}`]?.(event);
    }
    return event;
  }
}

class Text extends Nodes {
  constructor(data) { super(); this.data = data; }
  get textContent() { return this.data; }
  remove() { this.parentNode.childNodes = this.parentNode.childNodes.filter((node) => node !== this); }
}

class Element extends Nodes {
  constructor(tag) {
    super();
    this.localName = tag;
    this.tagName = tag.toUpperCase();
    this.attributes = new Map();
    this.style = { setProperty(name, value) { this[name] = value; } };
    const element = this;
    const dash = (name) => `data-${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    this.dataset = new Proxy({}, {
      get: (_, name) => element.getAttribute(dash(name)) ?? undefined,
      set: (_, name, value) => { element.setAttribute(dash(name), value); return true; },
      deleteProperty: (_, name) => element.attributes.delete(dash(name)) || true,
    });
    this.classList = {
      contains: (name) => this.classes.includes(name),
      toggle: (name, on = !this.classes.includes(name)) => { this.className = [...this.classes.filter((one) => one !== name), ...(on ? [name] : [])].join(" "); },
      add: (name) => this.classList.toggle(name, true), remove: (name) => this.classList.toggle(name, false),
    };
  }
  get classes() { return words(this.attributes.get("class") ?? ""); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
    if (name === "hidden" || name === "disabled") this[name] = true;
    if (name === "value") this.value = value;
  }
  hasAttribute(name) { return this.attributes.has(name); }
  removeAttribute(name) { this.attributes.delete(name); }
  get children() { return this.childNodes.filter((node) => node instanceof Element); }
  get firstElementChild() { return this.children[0] ?? null; }
  get lastElementChild() { return this.children.at(-1) ?? null; }
  get textContent() { return this.childNodes.map((node) => node.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(text === "" ? [] : [String(text)])); }
  append(...nodes) { this.insert(this.childNodes.length, nodes); }
  prepend(...nodes) { this.insert(0, nodes); }
  insert(at, nodes) {
    const made = nodes.map((node) => (node instanceof Nodes ? node : new Text(String(node))));
    for (const node of made) { node.parentNode?.childNodes && (node.parentNode.childNodes = node.parentNode.childNodes.filter((one) => one !== node)); node.parentNode = this; }
    this.childNodes.splice(at, 0, ...made);
  }
  insertBefore(node, next) { node.remove?.(); this.insert(next ? this.childNodes.indexOf(next) : this.childNodes.length, [node]); }
  before(...nodes) { this.parentNode.insert(this.parentNode.childNodes.indexOf(this), nodes); }
  replaceChildren(...nodes) { for (const node of this.childNodes) node.parentNode = null; this.childNodes = []; this.append(...nodes); }
  remove() { if (this.parentNode) this.parentNode.childNodes = this.parentNode.childNodes.filter((node) => node !== this); this.parentNode = null; }
  contains(node) { return node === this || this.children.some((child) => child.contains(node)); }
  querySelectorAll(selector) { return within(this, selector, this, []); }
  querySelector(selector) { return within(this, selector, this, [], 1)[0] ?? null; }
  matches(selector, scope = null) { return either(selector).some((one) => fits(this, one, scope)); }
  closest(selector) { return this.matches(selector) ? this : this.parentNode?.closest?.(selector) ?? null; }
  click() {
    if (this.disabled) return;
    this.dispatch("click");
    const form = this.type === "button" ? null : this.closest("form");
    if (form?.getAttribute("method") !== "dialog") return;
    const dialog = form.closest("dialog");
    if (this.value) dialog.returnValue = this.value;
    dialog.close();
  }
  focus() { document.activeElement = this; }
  blur() { document.activeElement = document.body; }
  select() {}
  scrollIntoView() {}
  showModal() { this.open = true; }
  close() { this.open = false; this.dispatch("close"); }
  cloneNode() {
    const copy = new Element(this.localName);
    for (const [name, value] of this.attributes) copy.setAttribute(name, value);
    copy.append(...this.childNodes.map((node) => (node instanceof Text ? new Text(node.data) : node.cloneNode())));
    return copy;
  }
  get ownerDocument() { return document; }
  get ownerSVGElement() { return this.closest("svg"); }
  get viewBox() {
    const [x, y, width, height] = this.getAttribute("viewBox").split(" ").map(Number);
    return { baseVal: { x, y, width, height } };
  }
  getScreenCTM() {
    const up = this.localName === "svg" ? new Matrix() : this.parentNode.getScreenCTM();
    return Matrix.of(this.getAttribute("transform") ?? "").reduce((one, other) => one.multiply(other), up);
  }
  /** The box of a path that begins with a rectangle, of an element with a width, or of the first `use` within another. */
  getBBox() {
    const [, x, y, width, height] = /^M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)/.exec(this.getAttribute("d") ?? "") ?? [];
    if (x) return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
    const node = this.attributes.has("width") ? this : this.querySelector("use");
    const [a, b, c, d] = ["x", "y", "width", "height"].map((name) => Number(node?.getAttribute(name) ?? 0));
    return { x: a, y: b, width: c, height: d };
  }
  getBoundingClientRect() { return { left: 0, top: 0, width: 100, height: 100, right: 100, bottom: 100 }; }
}
for (const [property, name] of Object.entries(REFLECTED)) {
  Object.defineProperty(Element.prototype, property, {
    get() { return this.getAttribute(name) ?? ""; }, set(value) { this.setAttribute(name, value); } });
}

/** A shift, after half a turn if `sign` is -1: `sign` times a point, plus (e, f). */
class Matrix {
  constructor(sign = 1, e = 0, f = 0) { Object.assign(this, { sign, a: sign, e, f }); }
  static of(text) {
    return [...text.matchAll(/(translate|rotate)\(([^)]*)\)/g)].map(([, name, numbers]) => {
      const [a, b = 0, c = 0] = numbers.split(/[ ,]+/).map(Number);
      return name === "translate" ? new Matrix(1, a, b) : new Matrix(-1, 2 * b, 2 * c);
    });
  }
  multiply(by) { return new Matrix(this.sign * by.sign, this.e + this.sign * by.e, this.f + this.sign * by.f); }
  inverse() { return new Matrix(this.sign, -this.sign * this.e, -this.sign * this.f); }
}

/** Return a function with the same results, which computes each text's only once. */
function once(compute) {
  const known = new Map();
  return (text) => {
    if (!known.has(text)) known.set(text, compute(text));
    return known.get(text);
  };
}

function split(text, sign) {
  const found = [""];
  let depth = 0;
  for (const letter of text) {
    depth += { "(": 1, "[": 1, ")": -1, "]": -1 }[letter] ?? 0;
    if (letter === sign && !depth) found.push("");
    else found[found.length - 1] += letter;
  }
  return found;
}

/** `found`, with the elements below a node that match a selector added in document order, until it has `most`. */
function within(node, selector, scope, found, most = Infinity) {
  for (const child of node.childNodes) {
    if (found.length >= most) break;
    if (!(child instanceof Element)) continue;
    if (child.matches(selector, scope)) found.push(child);
    if (found.length < most) within(child, selector, scope, found, most);
  }
  return found;
}

/** The first element below a node that has an id. */
function named(node, id) {
  for (const child of node.childNodes) {
    if (!(child instanceof Element)) continue;
    const found = child.attributes.get("id") === id ? child : named(child, id);
    if (found) return found;
  }
  return null;
}

const words = once((text) => text.split(" ").filter(Boolean));
const either = once((selector) => split(selector, ",").map((one) => one.trim()));

/** The last step of a selector without commas, whether its node must be a child of the one before, and the steps before it. */
const stepped = once((selector) => {
  const steps = split(selector.replace(/\s*>\s*/g, " >"), " ");
  const last = steps.pop();
  return { last: last.replace(/^>/, ""), isChild: last.startsWith(">"), rest: steps.join(" ").replaceAll(" >", " > ") };
});

/** Whether a node matches a selector without commas: steps separated by spaces or `>`. */
function fits(node, selector, scope) {
  const { last, isChild, rest } = stepped(selector);
  if (!plain(last).every((test) => test(node, scope))) return false;
  if (!rest) return true;
  for (let up = node.parentNode; up instanceof Element; up = isChild ? null : up.parentNode) if (fits(up, rest, scope)) return true;
  return false;
}

/** The tests of one step of a selector. */
const plain = once((selector) => (selector.match(/^[\w-]+|[.#][\w-]+|\[[^\]]*\]|:not\([^)]*\)|:[\w-]+|\*/g) ?? []).map((part) => {
  const name = part.slice(1);
  if (part === "*") return () => true;
  if (part[0] === ".") return (node) => node.classes.includes(name);
  if (part[0] === "#") return (node) => node.attributes.get("id") === name;
  if (part[0] === "[") {
    const [, key, , value] = /^\[([\w-]+)(="?([^"\]]*)"?)?\]$/.exec(part);
    return value === undefined ? (node) => node.attributes.has(key) || node[key] === true : (node) => node.getAttribute(key) === value;
  }
  if (part === ":scope") return (node, scope) => node === scope;
  if (part === ":checked") return (node) => node.checked === true;
  if (part.startsWith(":not")) return (node, scope) => !node.matches(part.slice(5, -1), scope);
  return (node) => node.localName === part;
}));

/** Append the elements and texts of markup to a node; return the node. */
function parse(text, home) {
  let at = home;
  for (const [, end, tag, attributes, data] of text.matchAll(/<(\/?)([\w]+)((?:"[^"]*"|[^">])*)>|([^<]+)/g)) {
    if (data !== undefined) { at.append(data.replaceAll("&lt;", "<").replaceAll("&amp;", "&")); continue; }
    if (end) { if (at.localName === tag) at = at.parentNode; continue; }
    const made = new Element(tag);
    for (const [, name, , value] of attributes.matchAll(/([\w-]+)(="([^"]*)")?/g)) made.setAttribute(name, value ?? "");
    at.append(made);
    if (!VOID.test(tag) && !attributes.endsWith("/")) at = made;
  }
  return home;
}

/** An element as a person would find it: tags with some attributes, what is disabled, hidden or chosen, values, texts. */
function seen(node) {
  if (node instanceof Text) return node.data;
  const shown = ["class", "title", "aria-label", "aria-pressed", "href", "data-ply", "data-mark"].flatMap((name) => (node.attributes.has(name) ? [` ${name}="${node.getAttribute(name)}"`] : []));
  const set = ["disabled", "hidden", "selected", "checked"].flatMap((name) => (node[name] ? [` ${name}`] : []));
  const value = typeof node.value === "string" && node.localName !== "option" ? ` value="${node.value}"` : "";
  return `<${node.localName}${shown.join("")}${set.join("")}${value}>${node.childNodes.map(seen).join("")}</${node.localName}>`;
}
/** A whole element with all attributes, without the spaces around texts. */
const whole = (node) => (node instanceof Text ? node.data.trim() : `<${node.localName}${[...node.attributes].map(([name, value]) => ` ${name}="${value}"`).join("")}>${node.childNodes.map(whole).join("")}</>`);
const inside = (id) => document.getElementById(id).childNodes.map(seen).join("");

const document = globalThis.document = Object.assign(new Nodes(), {
  documentElement: new Element("html"), activeElement: null, title: "",
  createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag),
  getElementById: (id) => named(document.body, id),
  querySelector: (selector) => document.body.querySelector(selector),
  querySelectorAll: (selector) => document.body.querySelectorAll(selector),
  importNode: (node) => node,
  createTreeWalker(root) {
    const texts = [...function* walk(node) { for (const one of node.childNodes) if (one instanceof Text) yield one; else yield* walk(one); }(root)];
    return { nextNode() { return this.currentNode = texts.shift(); } };
  },
});
document.body = new Element("body");
document.documentElement.append(document.body);
const stored = new Map();
let now = 0;
Object.assign(globalThis, {
  NodeFilter: {}, Image: class {}, Audio: class {},
  localStorage: { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, value) },
  matchMedia: (query) => ({ matches: query.includes("reduced-motion") ? !globalThis.isMoving : Boolean(globalThis.isNarrow) }), requestAnimationFrame: (act) => act(), innerWidth: 800, innerHeight: 600,
  performance: { now: () => now }, addEventListener() {},
  DOMPoint: class {
    constructor(x, y) { Object.assign(this, { x, y }); }
    matrixTransform({ sign, e, f }) { return new DOMPoint(sign * this.x + e, sign * this.y + f); }
  },
  DOMParser: class {
    parseFromString(text) {
      const body = parse(text, new Element("div"));
      return { body, documentElement: body.firstElementChild, querySelector: (selector) => body.querySelector(selector), querySelectorAll: (selector) => body.querySelectorAll(selector) };
    }
  },
});
const it = (id) => document.getElementById(id);
