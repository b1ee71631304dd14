"""Analysis of a text being edited, shared by all editor services: forms, compiler stages, names, messages.

An analysis belongs to one text and never changes. Facts missing from a half-typed text (pieces, board)
come from the last text that compiled.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from zrf_py.compile import Stages, compile_stages
from zrf_py.data import data_file
from zrf_py.front.keywords import KEYWORDS, PLUS_WORDS, Keyword
from zrf_py.front.macros import collect
from zrf_py.front.nodes import Macro
from zrf_py.ir.ops import Program
from zrf_py.library import TEXT, includer, read_source
from zrf_py.text.diagnostics import Diagnostic, GaveUp, Report, ZrfError
from zrf_py.text.source import Source

MACRO, PIECE, POSITION, DIRECTION, PLAYER, ZONE = "macro", "piece", "position", "direction", "player", "zone"
ATTRIBUTE, MOVE_TYPE, FLAG, POSITION_FLAG = "attribute", "move-type", "flag", "position-flag"
COUNTER, MEASURE, TEAM = "counter", "measure", "team"
KINDS = (MACRO, PIECE, DIRECTION, POSITION, PLAYER, ZONE, ATTRIBUTE, MOVE_TYPE, FLAG, POSITION_FLAG, COUNTER, MEASURE,
         TEAM)
"""Kinds of names in a rules file."""


@dataclass(frozen=True)
class Known:
    """The names in all games of a file, by kind; `program` is the game whose board and pieces are shown."""

    names: Mapping[str, frozenset[str]] = field(default_factory=dict)
    program: Program | None = None
    variants: tuple[Program, ...] = ()

    def of(self, kind: str) -> frozenset[str]:
        return self.names.get(kind, frozenset())

    def kinds(self, name: str) -> list[str]:
        """Return the kinds of things with this name, apart from macros."""
        return [kind for kind in KINDS[1:] if name in self.of(kind)]


@dataclass(frozen=True, eq=False)
class Analysis:
    """The results for one text. `diagnostics` holds the messages, `lints` the lints (None: not run yet).

    `sound` is True if the text has a game that compiled; if not, `known` is that of an earlier text. `files` are all
    texts that were read; the first is the compiled one, whose file is `path`. `source` is the text that queries are
    about; if that is an included file, the compiled text is the game that includes it.
    """

    source: Source
    path: Path | None
    stages: Stages
    diagnostics: tuple[Diagnostic, ...]
    known: Known
    sound: bool
    lints: tuple[Diagnostic, ...] | None = None
    quick: bool = False
    """True while only the messages are known: names are those of an earlier text."""
    files: tuple[Source, ...] = ()

    @property
    def root(self) -> Source:
        """The text that was compiled."""
        return self.files[0] if self.files else self.source

    def of(self, source: Source) -> "Analysis":
        """Return this analysis with another of its texts as the `source` of queries."""
        files = self.files if source in self.files else (*self.files, source)
        return self if source is self.source else replace(self, source=source, files=files)

    @cached_property
    def macros(self) -> Mapping[str, Macro]:
        return self.stages.expanded.macros or collect(self.stages.forms, Report())

    @cached_property
    def keywords(self) -> Mapping[str, Keyword]:
        """The words of the language in this text, with those of ZRF+ only if it declares that version."""
        tree = self.stages.tree
        plus = tree.version.lower().startswith("zrf+") if tree else '"zrf+' in self.source.text.lower()
        return KEYWORDS if plus else {w: row for w, row in KEYWORDS.items() if w not in PLUS_WORDS}

    @property
    def is_read(self) -> bool:
        """True if the text was read without errors, such as an open parenthesis or string: its words can be trusted."""
        return self.stages.tree is not None

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "error")


class Superseded(Exception):
    """The analysis is out of date and was abandoned."""


def analyse(
    source: Source, path: Path | None = None, before: Analysis | None = None, current: Callable[[], bool] | None = None,
    read: Callable[[Path], Source] = read_source,
) -> Analysis:
    """Compile a text; includes are resolved beside `path`, `before` is an analysis of an earlier text.

    `read` returns the text of an included file.

    :raises Superseded: between two stages, once `current` returns False.
    """
    def pause() -> None:
        if current is not None and not current():
            raise Superseded

    report = Report()
    stages = Stages()
    files = [source]

    def reading(file: Path) -> Source:
        files.append(read(file))
        return files[-1]

    include = includer(path or data_file("rules") / TEXT, report, read=reading)
    try:
        stages = compile_stages(source, include, report, pause)
    except GaveUp:
        pass
    except ZrfError as error:
        report.items += error.diagnostics
    names = _names_of(stages, before.known if before else Known())
    return Analysis(source, path, stages, tuple(report.items), names, bool(stages.programs), files=tuple(files))


def _names_of(stages: Stages, before: Known) -> Known:
    """Collect the names of the games; fall back to `before` if no game compiled."""
    tables: dict[str, set[str]] = {}
    for program in stages.programs:
        s = program.game.symbols
        for kind, table in ((PIECE, s.pieces), (POSITION, s.positions), (DIRECTION, s.directions), (PLAYER, s.players),
                            (ZONE, s.zones), (ATTRIBUTE, s.attributes), (MOVE_TYPE, s.move_types),
                            (COUNTER, s.counters), (MEASURE, s.measures), (TEAM, s.teams)):
            tables.setdefault(kind, set()).update(table)
        tables.setdefault(FLAG, set()).update(program.flags)
        tables.setdefault(POSITION_FLAG, set()).update(program.position_flags)
    if not tables:
        return before
    games = stages.programs
    main = next((p for p in games if p.game.is_default), games[0])
    if before.program and not (main.game.board.places and main.game.pieces):
        main = before.program  # half-typed: use the board of the last text that had one
    names = {kind: frozenset(table) or before.of(kind) for kind, table in tables.items()}
    return Known(names, main, games)
