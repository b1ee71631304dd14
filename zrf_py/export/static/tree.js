// All moves made, as a tree of nodes numbered from 0, the start; the same as play/tree.py.
const SHOWN = 12;

export class Tree {
  constructor(start) { this.nodes = [{ text: "", parent: 0, depth: 0, position: start, why: "", tried: false, children: [], next: 0 }]; }

  /** Add a move and return its node, or the existing node if the move was made there before; `why`: the reason why it has no position. */
  add(node, text, position, tried = false, why = "") {
    let child = this.nodes[node].children.find((c) => this.nodes[c].text === text);
    if (!child) {
      child = this.nodes.length;
      this.nodes.push({ text, parent: node, depth: this.nodes[node].depth + 1, position, why, ply: position?.ply() ?? [text, "", false, text.startsWith("("), false, text], tried, children: [], next: 0 });
      this.nodes[node].children.push(child);
    } else if (!tried) this.nodes[child].tried = false;
    if (!tried || !this.nodes[node].next) this.nodes[node].next = child;
    return child;
  }

  /** Make the path to a node the chosen continuation at each node on it. */
  choose(node) { for (let at = node; at; at = this.nodes[at].parent) this.nodes[this.nodes[at].parent].next = at; }

  way(node) {
    const path = [];
    for (let at = node; at; at = this.nodes[at].parent) path.unshift(at);
    return path;
  }

  onward(node) {
    const nodes = [];
    for (let at = this.nodes[node].next; at; at = this.nodes[at].next) nodes.push(at);
    return nodes;
  }

  line(node) { return [...this.way(node), ...this.onward(node)]; }

  /** The number of plies before the first choice on the path to a node: edits that set up a position, then rolls of dice. */
  opening(node) {
    const path = this.way(node);
    const first = path.findIndex((at) => !this.isChange(at) && !this.nodes[at].ply[1].startsWith("?"));
    return first < 0 ? path.length : first;
  }

  isChange(node) { return Boolean(this.nodes[node].ply?.[3]); }

  /** Return whether stepping through a game skips a node: it lies within a set-up, or it is the start before one. */
  isHalfSetUp(node, after) { return this.isChange(after) && (node === 0 || this.isChange(node)); }

  texts(node) { return this.way(node).map((at) => this.nodes[at].text); }

  plies(nodes) { return nodes.map((at) => this.nodes[at].ply); }

  /** The variations of a line. */
  variations(line) {
    const rows = [];
    for (const [ply, before] of [0, ...line].entries()) {
      for (const at of this.nodes[before].children) {
        if (at !== line[ply]) rows.push({ ply, node: at, plies: this.plies([at, ...this.onward(at)].slice(0, SHOWN)), tried: this.nodes[at].tried });
      }
    }
    return rows;
  }

  isOn(line, node) { return node === 0 || line[this.nodes[node].depth - 1] === node; }

  /** All moves off the path to a node, as saved games store them. */
  beside(node) {
    const number = new Map([0, ...this.way(node)].map((at, i) => [at, i]));
    const rows = [];
    for (let at = 1; at < this.nodes.length; at += 1) {
      if (number.has(at)) continue;
      number.set(at, number.size);
      rows.push([number.get(this.nodes[at].parent), this.nodes[at].text]);
    }
    return rows;
  }
}
