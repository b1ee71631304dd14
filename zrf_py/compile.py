"""Rules text → programs: the whole compiler on one page, the only place that sees all its stages."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from zrf_py.front.check import check
from zrf_py.front.expand import expand
from zrf_py.front.forms import read_forms
from zrf_py.front.parse import parse
from zrf_py.ir.lower import FileScope, lower
from zrf_py.ir.ops import Program
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Origin, Source


def compile_source(
    source: Source, include: Callable[[str, Origin], Source | None], report: Report,
) -> tuple[Program, ...]:
    """The programs of a rules file, one for each game and variant, in file order.

    Problems go to `report`; where it holds errors the programs may be incomplete and must not be run.
    """
    with _without_collector():
        return _compile(source, include, report)


def _compile(
    source: Source, include: Callable[[str, Origin], Source | None], report: Report,
) -> tuple[Program, ...]:
    forms = read_forms(source, report, include)            # text             → nested forms
    if report.errors:
        return ()  # half a text would only earn messages about what the other half defines
    expanded = expand(forms, report)                       # forms            → forms without macros
    tree = parse(expanded.nodes, expanded.macros, report)  # expanded forms   → syntax tree
    games = check(tree, report)                            # syntax tree      → checked games
    scope = FileScope(expanded.macros)
    return tuple(lower(game, report, scope) for game in games)  # checked games → programs


@contextmanager
def _without_collector() -> Iterator[None]:
    """A compile makes very many objects and hardly a cycle: looking for cycles takes a fifth of its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
