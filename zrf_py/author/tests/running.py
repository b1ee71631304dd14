"""Find and run the tests of rules files.

The tests of `hop.zrf` are blocks of moves in `hop.md` beside it, or in its own comments (see grammar/tests.md). If
a page has blocks of rules, its blocks of moves test those rules.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from xml.etree import ElementTree

from zrf_py.archives import shown
from zrf_py.author.format.tree import pieces
from zrf_py.author.tests.pages import EXPECTED, Example, FencedBlock, Unexpected, Wrapped, blocks, expect, wrap
from zrf_py.author.tests.pages import examples as examples_of
from zrf_py.author.tests.session import BlockSession
from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.library import RulesFile, load_file, read_source
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game
from zrf_py.run.engine import Engine
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Diagnostic, Report, ZrfError
from zrf_py.text.render import render
from zrf_py.text.source import Source


def run(example: Example, make: Callable[[Program], Engine] = Rules, counts: bool = False) -> Engine | None:
    """Compile the rules of an example, compare their problems with the expected ones, then run its block of moves.

    Return the engine that played the moves; None if there are none.
    """
    wrapped = wrap(example)
    report = Report()
    source = Source("example.zrf", wrapped.text)
    files = {name: Source(name, text) for name, text in example.files.items()}
    programs = compile_source(source, lambda name, origin: files.get(name), report)
    compare_problems(example, wrapped, source, report)
    if example.moves is None:
        return None
    expect(programs, "the rules define no game")
    variant = re.search(r"^variant: (.*)", example.moves.text, re.M)
    matches = [p for p in programs if not variant or p.game.title == variant[1].strip()]
    expect(matches, f"there is no variant {variant and variant[1]}")
    engine = make(matches[0])
    session = BlockSession(Game(matches[0], engine=engine), example.moves)
    session.counts = counts
    session.run()
    return engine


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
    expect(not unexpected, "unexpected problems:\n" + render(unexpected))
    missing = [key for key, count in expected.items() if count > 0]
    expect(not missing, f"expected problems that are not reported: {missing}\n" + render(report))


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


@dataclass(frozen=True)
class Result:
    """The result of a test: `problem` is "" if it passed; `seconds` is processor time."""

    name: str
    place: str
    problem: str
    seconds: float


class LazyRules:
    """A rules file whose games are created when a test first needs them."""

    def __init__(self, path: Path, file: RulesFile | None = None) -> None:
        """`file` is the loaded file, if the caller has loaded it."""
        self.path = path
        self._known = file
        self._games: dict[str | None, Game] = {}

    @cached_property
    def file(self) -> RulesFile:
        file = self._known or load_file(self.path)
        file.report.check()
        return file

    def game(self, title: str | None) -> Game:
        """Return a game of the file (None: the default one), played by the fastest engine available.

        :raises ZrfError: if the file has errors or no such game.
        """
        if title not in self._games:
            program = self.file.program(title)
            self._games[title] = Game(program, (), make_engine(program, "auto"), self.path)
        return self._games[title]


@dataclass(frozen=True)
class Test:
    """A test on a page or in a rules file, and its place (`file:line`)."""

    __test__ = False
    name: str
    place: str
    check: Callable[[], object]
    """Raises `Unexpected`, `AssertionError` or `ZrfError` if a statement of the block does not hold."""

    def run(self) -> Result:
        """Run the test; a failure or an error is stored in the result."""
        start, place, problem = time.process_time(), self.place, ""
        try:
            self.check()
        except (AssertionError, ZrfError) as error:
            place, problem = _line(place, error), str(error)
        return Result(self.name, place, problem, time.process_time() - start)


def _play(block: FencedBlock, rules: LazyRules) -> None:
    """Run a block of moves on the variant it names, or else on the default one."""
    variant = re.search(r"^\s*variant:(.*)", block.text, re.M)
    BlockSession(rules.game(variant[1].strip() if variant else None), block, own=True).run()


def _refuse(fault: str) -> None:
    """Raise `Unexpected` for a block that is meant to be a test but can't be read."""
    raise Unexpected(fault)


def _line(place: str, error: Exception) -> str:
    """Return the place of a problem: its own line if known, else that of the block."""
    return f"{place.rpartition(':')[0]}:{error.line}" if isinstance(error, Unexpected) and error.line else place


def tests_of(path: Path) -> list[Test]:
    """Return the tests of a rules file and its page, or of a page alone.

    :raises ZrfError: if the file can't be read.
    """
    if path.suffix.lower() == ".md":
        beside = path.with_suffix(".zrf")
        return list(_page(path, read_source(path).text, LazyRules(beside) if beside.is_file() else None))
    page = path.with_suffix(".md")
    tests = read_source(page).text if page.is_file() else ""
    return tests_of_text(path, read_source(path).text, tests, LazyRules(path))


def tests_of_text(path: Path, text: str, page: str, rules: LazyRules) -> list[Test]:
    """Return the tests in the comments of a text, then those of its page."""
    return [*_moves(path, _comments(text), rules), *_page(path.with_suffix(".md"), page, rules)]


def _page(path: Path, text: str, rules: LazyRules | None) -> Iterator[Test]:
    fenced = [block for block in blocks(text) if isinstance(block, FencedBlock)]
    if first := next((block.line for block in fenced if block.kind == "zrf"), 0):
        for block in fenced:
            is_early = block.kind == "moves" and block.line < first
            if fault := block.fault or ("no rules stand before this block" if is_early else ""):
                yield Test(path.stem, f"{shown(path)}:{block.line}", partial(_refuse, fault))
        for example in examples_of(text):
            line = (example.moves or example.rules).line
            yield Test(example.heading, f"{shown(path)}:{line}", partial(run, example))
    elif rules:
        yield from _moves(path, text, rules)


def _moves(path: Path, text: str, rules: LazyRules) -> Iterator[Test]:
    heading = path.stem
    for block in blocks(text):
        if isinstance(block, str):
            heading = block
        elif block.fault:
            yield Test(heading, f"{shown(path)}:{block.line}", partial(_refuse, block.fault))
        elif block.kind == "moves":
            yield Test(heading, f"{shown(path)}:{block.line}", partial(_play, block, rules))


def _comments(text: str) -> str:
    """Return the comments on lines of their own, without semicolons; other lines are empty, to keep line numbers."""
    lines = ["" for _ in range(text.count("\n") + 1)]
    for kind, start, end in pieces(text):
        if kind == "COMMENT" and not text[text.rfind("\n", 0, start) + 1 : start].strip():
            lines[text.count("\n", 0, start)] = re.sub(r"^;+ ?", "", text[start:end].rstrip())
    return "\n".join(lines)


def junit(results: Iterable[Result]) -> str:
    """Format results as JUnit XML, for build servers."""
    results = list(results)
    suite = ElementTree.Element("testsuite", name="zrf", tests=str(len(results)),
                                failures=str(sum(bool(r.problem) for r in results)))
    for result in results:
        file, _, line = _printable(result.place).rpartition(":")
        case = ElementTree.SubElement(suite, "testcase", classname=file, name=_printable(result.name), file=file,
                                      line=line, time=f"{result.seconds:.3f}")
        if result.problem:
            ElementTree.SubElement(case, "failure", message=_printable(result.problem.partition("\n")[0])).text = (
                _printable(f"{result.place}\n{result.problem}"))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """Replace characters that XML can't hold by `?`."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", "?", text)
