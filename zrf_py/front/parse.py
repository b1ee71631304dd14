"""Parser: converts expanded forms to a syntax tree, by the LALR grammar of grammar/zrf.lark.

The terminals are tokens, not characters: a form is a parenthesis, its items and a closing parenthesis. A word is
a keyword wherever the grammar accepts that keyword, and a name everywhere else.

The file is parsed part by part (sections, blocks of pieces) for error recovery: a part with a syntax error is reported
and left out, so that one run shows all problems; within a block the parts are instructions. A form that several macro
calls share is parsed once.

Reports: unexpected, incomplete, unknown-section, unknown-keyword, number-too-large, too-large.
Names are resolved by `check` and `lower`.
"""

from collections.abc import Iterator, KeysView, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, TypeAlias

from lark.lexer import Lexer

from zrf_py.data import data_file
from zrf_py.front import children, lalr
from zrf_py.front import syntax as s
from zrf_py.front.cures import as_form, cure, cure_of_head, form_of
from zrf_py.front.keywords import BODIES, CONDITIONS, INSTRUCTIONS, KEYWORDS, PIECE_PARTS, PLUS_WORDS
from zrf_py.front.macros import SLOT, walk
from zrf_py.front.names import unknown
from zrf_py.front.nodes import NAME, NUMBER, STRING, Atom, Form, Macro, Node
from zrf_py.front.tree import TreeBuilder
from zrf_py.text.diagnostics import WHOLE_FILE, Report
from zrf_py.text.numbers import LARGEST, is_too_large
from zrf_py.text.suggest import did_you_mean, listing, suggest

MAX_TOKENS = 220_000
"""Maximum number of words and forms, shared ones counted once; the largest known file has 162,000."""

_TERMINAL = {NAME: "NAME", NUMBER: "NUMBER", STRING: "STRING"}


class _NoLexer(Lexer):
    """Placeholder for Lark, which requires a lexer: the input consists of tokens already."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[children.Token]:  # type: ignore[override]
        raise NotImplementedError


STARTS = ["game", "variant", "version", "translate", "section", "board_item", "piece_item", "block", "instruction"]
"""Symbols of the grammar that are parsed on their own."""


def grammar_text() -> str:
    return data_file("grammar/zrf.lark").read_text("utf-8")


@cache
def grammar() -> lalr.Tables:
    return lalr.Tables(lalr.load_grammar(grammar_text(), _NoLexer, TreeBuilder(), STARTS))


Memo: TypeAlias = dict[tuple[Node, str], tuple[Any, frozenset[int]]]
"""Memo of parsed forms: (form, grammar symbol) → its tree and its errors."""


def parse(
    nodes: tuple[Node, ...], macros: Mapping[str, Macro], report: Report, memo: Memo | None = None,
) -> s.FileTree:
    """Parse the forms of a whole file; parts with syntax errors are reported and left out.

    :param memo: results of earlier calls, extended by this one; entries with errors are valid for one report only.
    """
    reader = _FileParser(nodes, report, macros, {} if memo is None else memo)
    translations: list[tuple[str, str]] = []
    games: list[s.GameTree] = []
    version, number, stray = "", -1, None
    reader.plus = any(_is_plus(node) for node in nodes)
    report.macros = {name: max(map(int, SLOT.findall(macro.definition.text)), default=0)
                     for name, macro in macros.items()}
    for node in nodes:
        word, stray = (node.head, None) if isinstance(node, Form) else ("", stray or node)
        if word not in ("game", "variant", "version", "translate"):
            reader.unknown_top(stray or node)  # one message for words in a row
            continue
        if word in ("game", "variant"):
            report.part = number = number + 1
        tree = reader.read(node, word)
        report.part = WHOLE_FILE
        if isinstance(tree, s.GameTree):
            games.append(replace(tree, number=number))
            if word == "game":  # variants inherit what is missing here: report it once
                report.log_errors(report.blamed.get(number, ()))
        elif isinstance(tree, s.Text):
            version = tree.values[0]
        elif tree is not None:
            translations.extend(tree)
    return s.FileTree(version, tuple(translations), tuple(games))


def _is_plus(node: Node) -> bool:
    """Return True for the form (version "zrf+"), which turns the words of ZRF+ into keywords."""
    return (isinstance(node, Form) and node.head == "version" and len(node.items) > 1
            and isinstance(node.items[1], Atom) and node.items[1].text.lower().startswith("zrf+"))


class _FileParser:
    """Memoising parser of the parts of a file."""

    def __init__(self, nodes: tuple[Node, ...], report: Report, macros: Mapping[str, Macro], memo: Memo) -> None:
        self.nodes = nodes
        self.report = report
        self.macros = macros
        self.memo = memo
        self.grammar = grammar()
        self.plus = False
        self.first_foreign: Atom | None = None
        self.tokens = 0
        self.spelling = {name: word for word, name in self.grammar.keywords.items()}

    @property
    def foreign(self) -> frozenset[str]:
        """Keywords that count as names in this file."""
        return frozenset() if self.plus else PLUS_WORDS

    def read(self, form: Node, symbol: str) -> Any:
        """Return the tree of a form as `symbol` of the grammar; None after an error, which is reported."""
        key = (form, symbol)
        if key in self.memo:
            tree, errors = self.memo[key]
            self.report.log_errors(errors)
            return tree
        mark = len(self.report.error_log)
        tree = self._read(form, symbol)
        self.memo[key] = tree, self.report.errors_since(mark)
        return tree

    def _read(self, form: Node, symbol: str) -> Any:
        try:
            return self._parse(form, symbol, split=False)
        except lalr.Unexpected as error:
            if symbol not in ("block", "instruction"):
                self._explain(error, form, symbol)
                self.report.unread.update(_names(form))
                return None
            if symbol == "block" and isinstance(form, Form) and len(form.items) == 1 and self._is_code(form.items[0]):
                self.report.add("unexpected", f"`({_excerpt(form.items[0])})` has too many parentheses", form.origin,
                                label="two pairs", help="leave out one pair")
                return None
        try:  # once more, one instruction at a time, to report every error and not just the first
            return self._parse(form, symbol, split=True)
        except lalr.Unexpected as error:
            self._explain(error, form, symbol)
            return None

    def _parse(self, form: Node, symbol: str, split: bool) -> Any:
        tokens: list[tuple[str, Any]] = []
        self._tokens(form, symbol, split, tokens)
        return self.grammar.parse(tokens, symbol, self.foreign)

    def _tokens(self, node: Node, symbol: str, split: bool, out: list[tuple[str, Any]]) -> None:
        if isinstance(node, Atom):
            if "$" in node.text:
                self.report.log_error_at("missing-argument", node.origin.call)
            if node.kind == NUMBER and is_too_large(node.text):
                self.report.add("number-too-large", f"`{_excerpt(node)}` is too large", node.origin,
                                label=f"beyond {LARGEST:,}", help=f"numbers go from -{LARGEST:,} to {LARGEST:,}")
            out.append((_TERMINAL[node.kind], node))
            return
        self.tokens += len(node.items)
        if self.tokens > MAX_TOKENS:
            self.report.give_up("too-large", f"the rules contain more than {MAX_TOKENS:,} words and forms", node.origin)
        out.append(("LPAR", node))
        for index, item in enumerate(node.items):
            part = "" if isinstance(item, Atom) else self._part(node, symbol, index, item, split)
            if part == "block" and isinstance(item, Form) and item.head in PIECE_PARTS and self.defined.isdisjoint(
                    {("direction", item.head), ("position", item.head)}):
                self.report.add("unexpected", f"`{item.head}` can't stand inside `{node.head}`", item.origin,
                                label="unexpected", help=f"close `{node.head}` with `)` before it")
            elif not part:
                self._tokens(item, "", split, out)
            elif (tree := self.read(item, part)) is not None:
                out.append((part.upper(), tree))
        out.append(("RPAR", node))

    @staticmethod
    def _part(parent: Form, symbol: str, index: int, item: Form, split: bool) -> str:
        """Return the grammar symbol of a child that is parsed by itself, "" if it is parsed with its parent.

        `if` and `while` are always parsed by themselves: macros nest and share them by the thousand.
        """
        if symbol in ("game", "variant"):
            return "section"
        if symbol == "section" and parent.head in ("board", "piece"):
            return f"{parent.head}_item"
        if symbol == "piece_item" and parent.head in ("moves", "drops"):
            return "" if item.head == "move-type" else "block"
        if symbol == "block" or (symbol == "instruction" and parent.head in BODIES and index > 1):
            return "instruction" if split or item.head in BODIES else ""
        return ""

    def unknown_top(self, node: Node) -> None:
        """Report a top-level word, or a form other than `game`, `variant`, `version` and `translate`."""
        if isinstance(node, Atom):
            self.report.add("unexpected", f"`{_excerpt(node)}` is outside any form", node.origin)
            return
        word = node.head or "(…)"
        keywords = ["game", "variant", "define", "include", "version", "translate", *self.macros]
        self.report.add(
            "unknown-section", f"`{word}` is not allowed at the top level of a file",
            node.items[0].origin if node.items else node.origin, help=did_you_mean(
                word, keywords, f"expected: {', '.join(f'`{name}`' for name in keywords[:6])} and macros you define"))

    def _explain(self, error: lalr.Unexpected, form: Node, symbol: str) -> None:
        token = error.token
        node = token.node if token else form
        around = _around(form, node)
        parent = around[0] if around else None
        for code in around[:2]:
            if not (code is form and symbol == "block") and self._is_code(code) and (macro := self._macro_of(code)):
                self.report.add(
                    "unexpected", f"`{_excerpt(code)}` is not allowed here", code.origin, label="unexpected",
                    help=f"leave out the parentheses around the code of `{macro.name}`: it is called within other code")
                return
        allowed = {_KIND.get(t) or self.spelling.get(t, "") for t in error.expected} - self.foreign
        words = allowed & set(KEYWORDS)
        expectation = _expected(allowed)
        if isinstance(node, Atom) and node.kind == STRING and expectation == _KIND["NAME"]:
            expectation += ", without quotation marks"
        if isinstance(node, Atom) and parent and parent.items[0] is node:
            self._unknown_word(node, words, around)
        elif token and token.type == "RPAR":
            self.report.add(
                "incomplete", f"`{_excerpt(node)}` is incomplete", node.origin,
                label="something is missing", help=cure(node, around) or f"expected {expectation}{form_of(node)}",
            )
        else:
            inside = f" in `({parent.head} …)`" if parent and parent.head else ""
            self.report.add(
                "unexpected", f"`{_excerpt(node)}` is not allowed here{inside}", node.origin, label="unexpected",
                help=f"to call the macro, write `{as_form(node, self.report.macros[node.text])}`"
                if isinstance(node, Atom) and node.text in self.macros
                else did_you_mean(node.text if isinstance(node, Atom) else "", words) or cure(node, around)
                or (did_you_mean(node.text, (name for _, name in self.defined))
                    if isinstance(node, Atom) and expectation == _KIND["NAME"] else "")
                or f"expected {expectation}{form_of(parent) if expectation == 'nothing more' else ''}",
            )

    def _is_code(self, form: Node) -> bool:
        """Return True for a form that reads like move code in parentheses, such as one that begins with a step."""
        if not isinstance(form, Form):
            return False
        if form.head not in INSTRUCTIONS:
            return ("direction", form.head) in self.defined or ("position", form.head) in self.defined
        return not KEYWORDS[form.head].form.startswith("(") and any(
            isinstance(item, Form) and item.head in INSTRUCTIONS for item in form.items)

    def _macro_of(self, form: Form) -> Macro | None:
        """Return the macro whose body is this form alone, or None."""
        macro = self.macros.get(form.origin.via.macro) if form.origin.via else None
        return macro if macro and [node.origin.span for node in macro.body] == [form.origin.span] else None

    @cached_property
    def defined(self) -> KeysView[tuple[str, str]]:
        """The names that the file may define, as (kind, name), in the order of the text."""
        return dict.fromkeys(name for form in dict.fromkeys(walk(self.nodes)) for name in _names(form)).keys()

    def _unknown_word(self, word: Atom, words: set[str], around: list[Form]) -> None:
        """Report a form whose first word can't begin a form here."""
        if word.text in self.foreign:
            word = self.first_foreign = self.first_foreign or word  # one cause, one message
            self.report.add(
                "unexpected", f"`{word.text}` is a keyword of ZRF+", word.origin, label="unknown in this file",
                help='to use the keywords of ZRF+, write `(version "zrf+")` at the top of the file',
            )
            return
        if "cascade" in words and ("direction", word.text) in self.defined:
            self.report.add("unexpected", f"`({word.text} …)` is not allowed here", word.origin, label="unexpected",
                            help=f"write a direction without parentheses: `{word.text}`")
            return
        guess = did_you_mean(word.text, [*words, *self.macros])
        if word.text in KEYWORDS:
            place = KEYWORDS[word.text].where.removeprefix("ZRF+: ")
            self.report.add(
                "unexpected", f"`({word.text} …)` is not allowed here", word.origin, label="unexpected",
                help="write it without parentheses: `(if (empty? n) add else capture add)`" if word.text == "else"
                else f"write `(verify ({word.text} …))`; a block that begins with `while` or `if` needs its own "
                "parentheses" if word.text in CONDITIONS and "cascade" in words
                else guess or (f"it belongs in {place}" if len(words) > 9
                               else f"it belongs in {place}; expected here: {_expected(words)}"),
            )
            return
        last = around[0].items[-1]
        if isinstance(last, Atom) and len(around[0].items) == 2 and last.text in words and last.kind == NAME:
            guess = f"the keyword comes first: write `({last.text} {_excerpt(word)})`"
        unknown([*words, *self.macros], word, "keyword", self.report, (),
                f"`{_excerpt(word)}` is neither a keyword allowed here nor a macro",
                help="" if guess.startswith("did") else guess or
                cure_of_head(around[0], around[1:]) or f"expected {_expected(words)}")


_DEFINING = {"links": "direction", "grid": "direction", "positions": "position", "zone": "zone", "piece": "piece",
             "players": "player", "counter": "counter", "measure": "measure", "team": "team"}
"""Kind of the names that a form may define, by the form's head."""


def _names(form: Node) -> Iterator[tuple[str, str]]:
    """Yield each name that a form may define, as (kind, name)."""
    head = form.head if isinstance(form, Form) else ""
    kind = _DEFINING.get(head if head in KEYWORDS else suggest(head, _DEFINING) or "")
    stack = [form] if kind else []
    while stack:
        node = stack.pop()
        if isinstance(node, Form):
            stack.extend(node.items)
        elif node.kind == NAME and kind:
            yield kind, node.text


def _around(form: Node, target: Any) -> list[Form]:
    """Return the forms that enclose `target`, innermost first."""
    stack: list[tuple[Node, list[Form]]] = [(form, [])]
    while stack:
        node, around = stack.pop()
        if node is target:
            return around
        if isinstance(node, Form):
            stack.extend((item, [node, *around]) for item in node.items)
    return []


def _excerpt(node: Any) -> str:
    if isinstance(node, Form):
        return f"({node.head} …)"
    text: str = node.text if len(node.text) <= 40 else node.text[:39] + "…"
    return f'"{text}"' if node.kind == STRING else text


_KIND = {
    "NAME": "a name", "NUMBER": "a number", "STRING": "a string in quotation marks", "LPAR": "(",
    "RPAR": ")",
}


def _expected(expected: set[str]) -> str:
    """Describe the expected terminals in few words: keywords of one kind become the name of the kind."""
    left = expected - {""}
    words = []
    for sign, group, name in (
        ("empty?", set(CONDITIONS), "a condition"), ("cascade", set(INSTRUCTIONS), "an instruction"),
        ("stalemated", {"stalemated", "repetition"}, "a goal"),
    ):
        if sign in left:
            left -= group | {"(", _KIND["NAME"]}
            words.append(name)
    words += sorted(word for word in left if " " in word)
    keywords = sorted(word for word in left if " " not in word and word not in "()")
    if keywords:
        words.append(listing(keywords))
    if "(" in left and not words:
        words.append("a form in parentheses")
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "nothing more"
