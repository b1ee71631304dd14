"""Expanded forms → syntax tree, by grammar/zrf.lark.

The grammar reads tokens, not characters: a form is its opening bracket, its items and its closing bracket. A word is
a keyword where the grammar can use that keyword at this point, and a name everywhere else.

The file is read part by part (sections, pieces' blocks). A part that does not fit is reported and left out, so one
run shows all problems; inside a block the same is done for each instruction. A block that several macro calls share
is read once, since expansion hands over the same form.

Reports: unexpected, unknown-section, unknown-instruction, missing-game. Leaves to `check` and `lower`: every name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from lark import Lark, UnexpectedToken
from lark.lexer import Lexer

from zrf_py.data import data_file
from zrf_py.front import syntax as s
from zrf_py.front.nodes import NAME, NUMBER, STRING, Atom, Form, Macro, Node
from zrf_py.front.tree import Token, TreeBuilder
from zrf_py.text.diagnostics import Report
from zrf_py.text.suggest import listing, suggest

_TERMINAL = {NAME: "NAME", NUMBER: "NUMBER", STRING: "STRING"}


class _FormLexer(Lexer):
    """Hands the tokens of a form to Lark; looks at what the parser can accept to tell keywords from names."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        self.keywords = {t.pattern.value: t.name for t in lexer_conf.terminals if t.pattern.type == "str"}

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:  # type: ignore[override]
        states = parser_state.parse_conf.states
        stack = parser_state.state_stack
        keywords = self.keywords
        for terminal, node in lexer_state.text:
            if terminal == "NAME":
                keyword = keywords.get(node.text)
                if keyword and (keyword in states[stack[-1]] or "NAME" not in states[stack[-1]]):
                    terminal = keyword
            yield Token(terminal, node)


@cache
def _grammar() -> Lark:
    return Lark(
        data_file("grammar/zrf.lark").read_text("utf-8"),
        parser="lalr",
        lexer=_FormLexer,
        start=["game", "variant", "section", "block", "instruction", "version", "translate"],
        keep_all_tokens=True,
        transformer=TreeBuilder(),
    )


def parse(nodes: tuple[Node, ...], macros: Mapping[str, Macro], report: Report) -> s.FileTree:
    """Read the forms of a whole file; what can't be read is reported and left out."""
    reader = _Reader(report, macros)
    version = ""
    translations: list[tuple[str, str]] = []
    games: list[s.GameTree] = []
    for node in nodes:
        word = node.head if isinstance(node, Form) else ""
        if word not in ("game", "variant", "version", "translate"):
            reader.unknown_top(node)
            continue
        tree = reader.read(node, word)
        if isinstance(tree, s.GameTree):
            games.append(tree)
        elif isinstance(tree, s.Text):
            version = tree.values[0]
        elif tree is not None:
            translations.extend(tree)
    return s.FileTree(version, tuple(translations), tuple(games))


class _Reader:
    """Reads parts of a file, each once."""

    def __init__(self, report: Report, macros: Mapping[str, Macro]) -> None:
        self.report = report
        self.macros = macros
        self.memo: dict[tuple[Node, str], Any] = {}
        self.grammar = _grammar()
        self.spelling = {t.name: t.pattern.value for t in self.grammar.terminals if t.pattern.type == "str"}

    def read(self, form: Node, symbol: str) -> Any:
        """The tree of a form as `symbol` of the grammar; None if it has been reported as wrong."""
        key = (form, symbol)
        if key not in self.memo:
            self.memo[key] = self._read(form, symbol)
        return self.memo[key]

    def _read(self, form: Node, symbol: str) -> Any:
        try:
            return self._parse(form, symbol, split=False)
        except UnexpectedToken as error:
            if symbol not in ("block", "instruction"):
                self._explain(error, form)
                return None
        try:  # once more, each instruction by itself, to find every slip and not only the first
            return self._parse(form, symbol, split=True)
        except UnexpectedToken as error:
            self._explain(error, form)
            return None

    def _parse(self, form: Node, symbol: str, split: bool) -> Any:
        return self.grammar.parse(list(self._tokens(form, symbol, split)), start=symbol)

    def _tokens(self, node: Node, symbol: str, split: bool) -> Iterator[tuple[str, Any]]:
        if isinstance(node, Atom):
            yield _TERMINAL[node.kind], node
            return
        yield "LPAR", node
        for index, item in enumerate(node.items):
            part = self._part(node, symbol, index, item, split)
            if not part:
                yield from self._tokens(item, "", split)
            elif (tree := self.read(item, part)) is not None:
                yield part.upper(), tree
        yield "RPAR", node

    @staticmethod
    def _part(parent: Form, symbol: str, index: int, item: Node, split: bool) -> str:
        """The symbol a child is read as by itself, or "" where it is read with its parent.

        `if` and `while` are always read by themselves: macros nest them, and share them, by the thousand.
        """
        if not isinstance(item, Form):
            return ""
        if symbol in ("game", "variant"):
            return "section"
        if parent.head in ("moves", "drops") and symbol != "block":
            return "" if item.head == "move-type" else "block"
        if symbol == "block" or (symbol == "instruction" and parent.head in ("if", "while") and index > 1):
            return "instruction" if split or item.head in ("if", "while") else ""
        return ""

    # ----------------------------------------------------------------------------------------- what went wrong

    def unknown_top(self, node: Node) -> None:
        """A form at the top of a file that is none of the four kinds."""
        if isinstance(node, Atom):
            self.report.add("unexpected", f"`{_shown(node)}` stands outside of any form", node.origin,
                            help="everything in a rules file stands in parentheses; a comment starts with `;`")
            return
        word = node.head or "(…)"
        guess = suggest(word, ["game", "variant", "define", "include", "version", "translate", *self.macros])
        self.report.add(
            "unknown-section", f"`{word}` can't stand at the top of a file",
            node.items[0].origin if node.items else node.origin, label="not known here",
            help=f"did you mean `{guess}`?" if guess
            else "here stand `game`, `variant`, `define`, `include`, `version`, `translate` and macros you define",
        )

    def _explain(self, error: UnexpectedToken, form: Node) -> None:
        token = error.token
        node = token.node if isinstance(token, Token) else form
        parent = _parent(form, node)
        expected = sorted(self._spell(t) for t in error.expected if t not in ("SECTION", "BLOCK", "INSTRUCTION"))
        head = parent.head if parent else ""
        if isinstance(node, Atom) and parent and parent.items and parent.items[0] is node:
            self._unknown_word(node, [self.spelling[t] for t in error.expected if t in self.spelling])
        elif isinstance(token, Token) and token.type == "RPAR":
            whole = node if isinstance(node, Form) else None
            self.report.add(
                "incomplete", f"`({whole.head if whole else ''} …)` ends too early", node.origin,
                label="something is missing", help=f"expected {_any_of(expected)}",
            )
        else:
            self.report.add(
                "unexpected", f"`{_shown(node)}` can't stand here" + (f" in `({head} …)`" if head else ""),
                node.origin, label="not expected", help=f"expected {_any_of(expected)}",
            )

    def _unknown_word(self, word: Atom, known: list[str]) -> None:
        known = [k for k in known if k not in "()"]
        guess = suggest(word.text, [*known, *self.macros])
        self.report.add(
            "unknown-keyword", f"`{_shown(word)}` is neither a keyword that may stand here nor a macro", word.origin,
            label="not known here",
            help=f"did you mean `{guess}`?" if guess else f"expected {listing(sorted(known))}",
        )

    def _spell(self, terminal: str) -> str:
        plain = {"NAME": "a name", "NUMBER": "a number", "STRING": "a text in quotation marks", "$END": "the end"}
        return plain.get(terminal) or f"`{self.spelling.get(terminal, terminal)}`"


def _parent(form: Node, wanted: Any) -> Form | None:
    """The form that directly holds `wanted`."""
    stack = [form]
    while stack:
        node = stack.pop()
        if isinstance(node, Form):
            if any(item is wanted for item in node.items):
                return node
            stack.extend(node.items)
    return None


def _shown(node: Any) -> str:
    if isinstance(node, Form):
        return f"({node.head} …)"
    text = str(node.text)
    text = text if len(text) <= 40 else text[:39] + "…"
    return f'"{text}"' if node.kind == STRING else text


def _any_of(words: list[str]) -> str:
    shown = words[:8]
    more = f" … ({len(words) - 8} more)" if len(words) > 8 else ""
    return ", ".join(shown) + more if shown else "nothing"
