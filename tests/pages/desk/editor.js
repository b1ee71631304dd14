import { editors } from "./world.js";
/** As much of an editor as a test can type into. */
export function make(place, begun, name, asks) {
  let text = begun;
  const change = (next) => { text = next; asks.changed(text); };
  const put = (now, [from, to, part]) => now.slice(0, from) + part + now.slice(to);
  return editors[name] = {
    asks, place, selected: "", at: 0, listed: [], isFocused: false,
    text: () => text, replace: change, apply: (edits) => change(edits.reduce(put, text)),
    select(from, to) { this.selected = text.slice(from, to); }, cursor() { return this.at; },
    offset: (line, column) => text.split("\n").slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + column - 1,
    focus() { this.isFocused = true; }, problems(list) { this.listed = list; } };
}
