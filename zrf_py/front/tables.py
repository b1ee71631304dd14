"""The parser of a grammar, from tables kept on disk where there are some: making them takes longer than most files.

The tables are JSON and not Python's own form, so that reading them can't run anything. They are kept under a key of
the grammar's text and of what made them, and only where nobody but the user can write (see `zrf_py/cache.py`).
"""

import json
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef

from zrf_py import cache

_FORMAT = "1"
_PAIRS = "#pairs"


def load_grammar(text: str, lexer: type[Lexer], transformer: object, start: list[str]) -> Lark:
    """An LALR parser that keeps all tokens and hands them to the transformer."""
    name = cache.key(_FORMAT, lark.__version__, text, *start) + ".tables"
    kept = cache.load(name)
    if kept is not None:
        try:
            return _from_tables(kept, lexer, transformer)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            pass  # of another version after all: made anew below
    parser = Lark(text, parser="lalr", lexer=lexer, start=start, keep_all_tokens=True, transformer=transformer)
    cache.store(name, _to_tables(parser))
    return parser


def _to_tables(parser: Lark) -> bytes:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"].update(lexer=None, transformer=None)
    data["parser"]["lexer_conf"]["lexer_type"] = None
    return json.dumps([_plain(data), _plain(memo)], separators=(",", ":")).encode()


def _from_tables(kept: bytes, lexer: type[Lexer], transformer: object) -> Lark:
    data, memo = json.loads(kept, object_hook=_unplain)
    data["options"]["lexer"] = lexer
    data["parser"]["lexer_conf"]["lexer_type"] = lexer
    parser: Lark = Lark._load_from_dict(data, memo, transformer=transformer)  # type: ignore[no-untyped-call]
    return parser


def _plain(value: Any) -> Any:
    """Only what JSON has: other keys than text become pairs."""
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: _plain(v) for key, v in value.items()}
        return {_PAIRS: [[key, _plain(v)] for key, v in value.items()]}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return sorted(map(_plain, value)) if isinstance(value, set | frozenset) else value


def _unplain(value: dict[str, Any]) -> dict[Any, Any]:
    return dict(value[_PAIRS]) if _PAIRS in value else value
