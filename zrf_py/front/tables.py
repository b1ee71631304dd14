"""Disk cache of LALR parse tables: generating them takes longer than compiling most rules files.

The tables are JSON and not pickles, so that loading them can't run code. The key covers the grammar's text and Lark's
version; the folder is one that nobody but the user can write to (see `zrf_py/cache.py`).
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


def entry_name(text: str, start: list[str]) -> str:
    """Return the name of a grammar's cache entry."""
    return cache.key(_FORMAT, lark.__version__, text, *start) + ".tables"


def load_grammar(text: str, lexer: type[Lexer], transformer: object, start: list[str]) -> Lark:
    """Return an LALR parser for a grammar that passes all tokens to the transformer; cached on disk."""
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
    data, memo = json.loads(stored, object_hook=_unplain)
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


def _unplain(value: dict[str, Any]) -> dict[Any, Any]:
    return dict(value[_PAIRS]) if _PAIRS in value else value
