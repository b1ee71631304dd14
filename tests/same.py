"""Compare two texts of rules: checked games and programs must be equal, but their places in the text may differ."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path

from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.library import includer
from zrf_py.text.diagnostics import GaveUp, Report
from zrf_py.text.source import Origin, Source


def programs_of(name: str, text: str, path: Path | None = None) -> tuple[tuple[Program, ...], Report]:
    """Return the programs of a text, and the report about it; included files are looked for beside `path`."""
    report = Report()
    include = includer(path, report) if path else lambda wanted, origin: None
    with suppress(GaveUp):
        return compile_source(Source(name, text), include, report), report
    return (), report


def same_rules(name: str, one: str, other: str, path: Path | None = None) -> bool:
    """Return whether two texts cause the same messages (by code) and, if none is an error, the same programs."""
    first, said = programs_of(name, one, path)
    second, said_too = programs_of(name, other, path)
    if [d.code for d in said.items] != [d.code for d in said_too.items]:
        return False
    numbers: dict[object, int] = {}
    return bool(said.errors) or _key(first, {}, numbers) == _key(second, {}, numbers)


def _key(value: object, seen: dict[int, tuple[object, int]], numbers: dict[object, int]) -> int:
    """Return a number for a value: with the same `numbers`, equal values have one number, whatever text they are from.

    `seen` has the numbers of earlier values by the values' ids, and keeps the values, so that no id is reused.
    """
    if value is None or isinstance(value, (int, str)):
        return numbers.setdefault((type(value).__name__, value), len(numbers))
    if id(value) in seen:
        return seen[id(value)][1]
    if isinstance(value, Origin):
        made: object = None
    elif is_dataclass(value) and not isinstance(value, type):
        made = (type(value).__name__, *(_key(getattr(value, f.name), seen, numbers) for f in fields(value)))
    elif isinstance(value, Mapping):
        made = ("map", *((k, _key(v, seen, numbers)) for k, v in value.items()))
    elif isinstance(value, (tuple, list)):
        made = ("list", *(_key(v, seen, numbers) for v in value))
    elif isinstance(value, (set, frozenset)):
        made = ("set", frozenset(value))
    else:
        made = (type(value).__name__, value)
    number = numbers.setdefault(made, len(numbers))
    seen[id(value)] = value, number
    return number
