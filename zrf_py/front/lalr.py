"""The loop of a parser over Lark's tables: terminals with what they stand for → the tree of one symbol.

The tables are Lark's; its own loop, which serves every kind of grammar, took half of a compile.
"""

from collections.abc import Callable, Iterable, Set
from typing import Any, TypeAlias

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from zrf_py.front.children import Token

_END = "$END"

_Reduce: TypeAlias = "tuple[int, Callable[[list[Any]], Any], str]"
"""How many values a rule takes, what makes one of them, and the rule's name."""


class Unexpected(Exception):
    """No rule goes on with `token` (None: the end) here; `expected` are the terminals that could stand here."""

    def __init__(self, token: Token | None, expected: Set[str]) -> None:
        super().__init__(token and token.type)
        self.token = token
        self.expected = expected


class Tables:
    """What a grammar does in each state with each terminal: the next state (a number), or a rule that is complete."""

    def __init__(self, grammar: Lark) -> None:
        """`grammar` has been made with a transformer, whose methods are called for the rules."""
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
        """
        The tree of `symbol`, with all that it is made of.

        :param tokens: terminals and nodes; a NAME is a keyword where the grammar can use that keyword at this point.
        :param foreign: keywords that are none.
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
    """Put what a complete rule makes in the place of what it is made of; the row of the state then."""
    size, make, name = action
    if size:
        taken = values[-size:]
        del states[-size:], values[-size:]
    else:
        taken = []
    state = rows[states[-1]][name]
    values.append(make(taken))
    states.append(state)
    return rows[state]


def _terminals(row: dict[str, Any]) -> set[str]:
    return {name for name in row if name.isupper()}
