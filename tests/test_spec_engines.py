"""The examples of the language, run again by every engine except the interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from test_spec import CASES

from tests.engines import OTHERS, Make, one_game, played
from zrf_py.author.tests import running
from zrf_py.author.tests.pages import Example
from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.text.diagnostics import Diagnostic, Report
from zrf_py.text.source import Source

COMPILED: dict[str, tuple[tuple[Program, ...], list[Diagnostic]]] = {}
PLAYED = [(page, e) for page, e in CASES if e.moves]


@pytest.fixture(autouse=True)
def _compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the rules of an example once for all engines."""
    monkeypatch.setattr(running, "compile_source", compiled)


def compiled(source: Source, include: Any, report: Report) -> tuple[Program, ...]:
    if source.text not in COMPILED:
        COMPILED[source.text] = compile_source(source, include, report), report.items
    programs, report.items = COMPILED[source.text]
    return programs


def by_turns() -> Iterator[Any]:
    """Yield a row for each example and engine; quick tests run each example on one of the quick engines, in turn."""
    quick = [make for make in OTHERS if pytest.mark.slow not in make.marks]
    for number, (page, example) in enumerate(PLAYED):
        for make in OTHERS:
            late = make in quick and make is not quick[number % len(quick)]
            yield pytest.param(example, *make.values, id=f"{page}-{example}-{make.id}",
                               marks=[*make.marks, *([pytest.mark.slow] if late else [])])


@pytest.mark.share(6)
@pytest.mark.parametrize(("example", "make"), [*by_turns()])
def test_an_example_holds_with_another_engine(example: Example, make: Make) -> None:
    engine = running.run(example, make, counts=make is one_game)
    assert engine is not None and played(engine), "the interpreter was compared with itself"


def test_there_are_examples() -> None:
    assert len(PLAYED) > 250
