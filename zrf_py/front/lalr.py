"""LALR(1) parser loop over Lark's tables: it turns terminals with their nodes into the tree of a grammar symbol.

Only the tables are Lark's: its own, more general loop took half of the time of a compilation.

Generating the tables takes longer than compiling most rules files, so they are cached on disk, as JSON and not pickles,
so that loading them can't run code. The key covers the grammar's text and Lark's version; the folder is one that nobody
but the user can write to (see `zrf_py/cache.py`).
"""

import json
from collections.abc import Callable, Iterable, Set
from typing import Any, TypeAlias

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef
from lark.parsers.lalr_analysis import Shift

from zrf_py import cache
from zrf_py.front.children import Token

_END = "$END"

_Reduce: TypeAlias = "tuple[int, Callable[[list[Any]], Any], str]"
"""Reduction by a rule: number of values popped, the callback that combines them, the rule's name."""


class Unexpected(Exception):
    """Syntax error at `token` (None: at the end of the input); `expected` holds the acceptable terminals."""

    def __init__(self, token: Token | None, expected: Set[str]) -> None:
        super().__init__(token and token.type)
        self.token = token
        self.expected = expected


class Tables:
    """Action table of a grammar, `rows[state][terminal]`: the next state (shift) or a completed rule (reduce)."""

    def __init__(self, grammar: Lark) -> None:
        """:param grammar: a Lark parser made with a transformer, whose methods become the rules' callbacks."""
        parser: Any = grammar.parser.parser
        table, callbacks = parser._parse_table, parser.parser.callbacks
        self.starts: dict[str, tuple[int, int]] = {
            name: (state, table.end_states[name]) for name, state in table.start_states.items()}
        self.rows: dict[int, dict[str, int | _Reduce]] = {
            state: {name: arg if action is Shift else (len(arg.expansion), callbacks[arg], arg.origin.name)
                    for name, (action, arg) in row.items()}
            for state, row in table.states.items()}
        self.keywords = {t.pattern.value: t.name for t in grammar.terminals if t.pattern.type == "str"}

    def parse(self, tokens: Iterable[tuple[str, Any]], symbol: str, foreign: Set[str]) -> Any:
        """Parse tokens as `symbol` and return its tree.

        :param tokens: terminals and nodes; a NAME becomes a keyword where the grammar accepts that, or accepts no name.
        :param foreign: keywords that count as names.
        :raises Unexpected: at the first token that doesn't fit.
        """
        rows, keywords = self.rows, self.keywords
        start, end = self.starts[symbol]
        states: list[int] = [start]
        values: list[Any] = []
        action: Any
        for terminal, node in tokens:
            row = rows[states[-1]]
            if terminal == "NAME":
                keyword = keywords.get(node.text)
                if keyword and (keyword in row or "NAME" not in row) and node.text not in foreign:
                    terminal = keyword
            while (action := row.get(terminal)).__class__ is tuple:
                row = _reduce(action, rows, states, values)
            if action is None:
                raise Unexpected(Token(terminal, node), _terminals(row))
            states.append(action)
            values.append(Token(terminal, node))
        row = rows[states[-1]]
        while states[-1] != end:
            action = row.get(_END)
            if action.__class__ is not tuple:
                raise Unexpected(None, _terminals(row))
            row = _reduce(action, rows, states, values)
        return values[-1]


def _reduce(
    action: Any, rows: dict[int, dict[str, Any]], states: list[int], values: list[Any],
) -> dict[str, Any]:
    """Reduce: replace a rule's values on the stack by their combination; return the row of the new state."""
    size, make, name = action
    if size:
        items = values[-size:]
        del states[-size:], values[-size:]
    else:
        items = []
    state = rows[states[-1]][name]
    values.append(make(items))
    states.append(state)
    return rows[state]


def _terminals(row: dict[str, Any]) -> set[str]:
    return {name for name in row if name.isupper()}


_FORMAT = "1"
_PAIRS = "#pairs"


def entry_name(text: str, start: list[str]) -> str:
    """Return the name of a grammar's cache entry."""
    return cache.key(_FORMAT, lark.__version__, text, *start) + ".tables"


def load_grammar(text: str, lexer: type[Lexer], transformer: object, start: list[str]) -> Lark:
    """Return an LALR parser, with tables cached on disk; it passes all tokens of a rule to the transformer."""
    name = entry_name(text, start)
    stored = cache.load(name)
    if stored is not None:
        try:
            return _from_tables(stored, lexer, transformer)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            pass  # an incompatible format: generate the tables again
    parser = Lark(text, parser="lalr", lexer=lexer, start=start, keep_all_tokens=True, transformer=transformer)
    cache.store(name, _to_tables(parser))
    return parser


def _to_tables(parser: Lark) -> bytes:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"].update(lexer=None, transformer=None)
    data["parser"]["lexer_conf"]["lexer_type"] = None
    return json.dumps([_plain(data), _plain(memo)], separators=(",", ":")).encode()


def _from_tables(stored: bytes, lexer: type[Lexer], transformer: object) -> Lark:
    data, memo = json.loads(stored, object_hook=lambda value: dict(value[_PAIRS]) if _PAIRS in value else value)
    data["options"]["lexer"] = lexer
    data["parser"]["lexer_conf"]["lexer_type"] = lexer
    parser: Lark = Lark._load_from_dict(data, memo, transformer=transformer)  # type: ignore[no-untyped-call]
    return parser


def _plain(value: Any) -> Any:
    """Convert to JSON types; a dictionary with keys other than strings becomes a list of pairs."""
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: _plain(v) for key, v in value.items()}
        return {_PAIRS: [[key, _plain(v)] for key, v in value.items()]}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return sorted(map(_plain, value)) if isinstance(value, set | frozenset) else value
