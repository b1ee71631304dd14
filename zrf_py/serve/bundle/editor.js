/* The editor of the desk: CodeMirror, configured for the language of rules files. Built into ../static/desk-editor.js.

It depends on neither the page nor the server: `make` receives functions for its queries. It lives in a shadow root,
where scripts create its style sheets, which the page's content security policy allows. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, tooltips,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const zrf = StreamLanguage.define({
  name: "zrf",
  startState: () => ({ string: false, head: false }),
  token(stream, state) {
    if (state.string || stream.eat('"')) {
      state.string = !stream.match(/^[^"]*"/);
      if (state.string) stream.skipToEnd();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^;.*/)) return "comment";
    const head = state.head;
    state.head = false;
    if (stream.eat("(")) {
      state.head = true;
      return "bracket";
    }
    if (stream.eat(")")) return "bracket";
    if (stream.match(/^[+-]?[0-9]+(?=[\s()";]|$)/)) return "number";
    const word = stream.match(/^[^\s()";]+/);
    if (!word) { stream.next(); return null; }
    if (word[0].includes("$")) return "variableName";
    if (word[0].endsWith("?")) return "atom";
    return head ? "keyword" : "name";
  },
  languageData: { commentTokens: { line: ";" }, closeBrackets: { brackets: ["(", '"'] }, wordChars: "-?$!+" },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.atom, color: "var(--code-test)" },
  { tag: tags.variableName, color: "var(--code-slot)" },
  { tag: tags.bracket, color: "var(--soft)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", color: "var(--ink)", backgroundColor: "var(--card)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--accent-soft) !important" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px",
    maxWidth: "44rem", boxShadow: "var(--shadow)" },
  ".cm-tooltip pre": { margin: "0", padding: ".5rem .75rem", whiteSpace: "pre-wrap", maxHeight: "22rem", overflow: "auto" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--accent-ink)" },
});

const KINDS = { keyword: "keyword", macro: "function", piece: "class", position: "constant", player: "interface", zone: "namespace" };

/** An editor in a shadow root of `parent`; `label` is its name. `asks` has `changed(text)`, `complete(at)`, `hover(at)`,
 *  `goto(at)`, `save()`, `format()`; those that answer return promises. */
export function make(parent, text, label, asks) {
  const root = parent.attachShadow({ mode: "open" });
  const holder = document.createElement("div");
  holder.style.height = "100%";
  root.append(holder);

  const complete = async (context) => {
    const found = await asks.complete(context.pos);
    if (!found || (!context.explicit && found.from === context.pos && !/[(\s]/.test(context.state.sliceDoc(context.pos - 1, context.pos)))) return null;
    const typed = context.state.sliceDoc(found.from, context.pos);
    return {
      from: found.from, filter: found.complete,
      // Filter the same completions while the user types on: until a new answer arrived, Enter would insert a line break.
      validFor: (text) => found.complete && text.startsWith(typed) && /^[^\s()";]*$/.test(text),
      options: found.items.map(([label, kind, detail]) => ({ label, detail, type: KINDS[kind] || "variable" })),
    };
  };
  const meaning = hoverTooltip(async (view, pos) => {
    const found = await asks.hover(pos);
    if (!found) return null;
    return {
      pos: found.from, end: found.to, above: true,
      create: () => {
        const dom = document.createElement("pre");
        dom.textContent = found.text.replace(/```\w*\n?|\*\*/g, "").replace(/\n{3,}/g, "\n\n");
        return { dom };
      },
    };
  }, { hideOnChange: true });
  const own = [
    { key: "Mod-s", preventDefault: true, run: () => { asks.save(); return true; } },
    { key: "F12", run: (view) => { asks.goto(view.state.selection.main.head); return true; } },
    { key: "Shift-Alt-f", run: () => { asks.format(); return true; } },
    { key: "Mod-Space", run: startCompletion },
  ];
  const view = new EditorView({
    parent: holder, root,
    state: EditorState.create({
      doc: text,
      extensions: [
        highlightSpecialChars({ addSpecialChars: /[\u202a-\u202e\u2066-\u2069]/g }), // these characters change the order in which a line is shown
        lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(), bracketMatching(),
        closeBrackets(), highlightSelectionMatches(), indentUnit.of("  "), zrf, syntaxHighlighting(colours), look,
        autocompletion({ override: [complete] }), meaning, lintGutter(), EditorView.lineWrapping,
        tooltips({ tooltipSpace: () => parent.getBoundingClientRect() }),
        keymap.of([...own, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap,
          indentWithTab, ...defaultKeymap]),
        EditorView.updateListener.of((update) => { if (update.docChanged) asks.changed(update.state.doc.toString()); }),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      ],
    }),
  });

  return {
    text: () => view.state.doc.toString(),
    cursor: () => view.state.selection.main.head,
    focus: () => view.focus(),
    /** Show problems: {from, to, severity, text, fixes: [{title, apply}]}. */
    problems(found) {
      const size = view.state.doc.length;
      const shown = found.filter((p) => p.from <= size).map((p) => ({
        from: p.from, to: Math.min(Math.max(p.to, p.from), size), severity: p.severity === "note" ? "info" : p.severity,
        message: p.text + (p.help ? `\n${p.help}` : ""),
        actions: p.fixes.map((fix) => ({ name: fix.title, apply: fix.apply })),
      }));
      view.dispatch(setDiagnostics(view.state, shown));
    },
    /** Apply edits [from, to, text], with offsets in the current text. */
    apply(edits) {
      view.dispatch({ changes: edits.map(([from, to, insert]) => ({ from, to, insert })), userEvent: "input.fix" });
    },
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    select(from, to, focus = true) {
      view.dispatch({ selection: { anchor: from, head: to ?? from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      if (focus) view.focus();
    },
    /** The offset at which a line (from 1) begins, plus columns. */
    offset: (line, column) => (line <= view.state.doc.lines ? view.state.doc.line(line).from + column - 1 : 0),
  };
}
