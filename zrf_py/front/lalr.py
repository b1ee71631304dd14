"""LALR(1) parser loop over Lark's tables: terminals with their nodes in, the tree of one grammar symbol out.

Only the tables are Lark's: its own general loop took half of a compile's time.
"""

from collections.abc import Callable, Iterable, Set
from typing import Any, TypeAlias

from lark import Lark
from lark.parsers.lalr_analysis import Shift

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

        :param tokens: terminals and nodes; a NAME becomes a keyword wherever the grammar accepts that keyword.
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
