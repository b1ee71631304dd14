"""Run an example with its own rules: compile them, compare the problems with the expected ones, check the moves."""

import re
from collections import Counter
from collections.abc import Callable

from zrf_py.author.tests.pages import EXPECTED, Example, Wrapped, expect, wrap
from zrf_py.author.tests.session import BlockSession
from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.play.game import Game
from zrf_py.run.engine import Engine
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Diagnostic, Report
from zrf_py.text.render import render
from zrf_py.text.source import Source


def run(example: Example, make: Callable[[Program], Engine] = Rules, counts: bool = False) -> Engine | None:
    """Compile the rules of an example, compare their problems with the expected ones, then run its block of moves.

    Return the engine that played the moves; None if there are none.
    """
    wrapped = wrap(example)
    report = Report()
    source = Source("example.zrf", wrapped.text)
    programs = compile_source(source, lambda name, origin: _include(example, name), report)
    compare_problems(example, wrapped, source, report)
    if example.moves is None:
        return None
    expect(programs, "no game")
    variant = re.search(r"^variant: (.*)", example.moves.text, re.M)
    matches = [p for p in programs if not variant or p.game.title == variant[1].strip()]
    expect(matches, f"there is no variant {variant and variant[1]}")
    engine = make(matches[0])
    session = BlockSession(Game(matches[0], engine=engine), example.moves)
    session.counts = counts
    session.run()
    return engine


def _include(example: Example, name: str) -> Source | None:
    return Source(name, example.files[name]) if name in example.files else None


def compare_problems(example: Example, wrapped: Wrapped, source: Source, report: Report) -> None:
    expected = Counter(
        (number, *match.groups())
        for number, line in enumerate(example.rules.text.splitlines(), 1)
        for match in EXPECTED.finditer(line)
    )
    unexpected = []
    for diagnostic in report.items:
        key = _key(diagnostic, wrapped, source, example, expected)
        if key:
            expected[key] -= 1
        elif diagnostic.severity != "note":
            unexpected.append(diagnostic)
    expect(not unexpected, "reported but not announced:\n" + render(unexpected))
    missing = [key for key, count in expected.items() if count > 0]
    expect(not missing, f"announced but not reported: {missing}\n" + render(report))


def _key(
    d: Diagnostic, wrapped: Wrapped, source: Source, example: Example, expected: Counter[tuple[object, ...]],
) -> tuple[object, ...] | None:
    line, text = 0, ""
    if d.origin:
        span = d.origin.span
        line = wrapped.line_of(span.start, example.rules.text) if span.source is source else 0
        text = span.text.strip('"')
    for key in ((line, d.severity, d.code, text), (line, d.severity, d.code, None)):
        if expected[key] > 0:
            return key
    if not line:  # a problem in an included file or of the whole file may be expected on any line
        return next((k for k, n in expected.items() if n > 0 and k[1:3] == (d.severity, d.code)), None)
    return None
