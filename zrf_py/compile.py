"""Rules text → programs: the whole compiler on one page, the only place that sees all its stages."""

from collections.abc import Callable
from dataclasses import dataclass, field

from zrf_py.front.check import check
from zrf_py.front.expand import expand
from zrf_py.front.forms import read_forms
from zrf_py.front.nodes import Expanded, Node
from zrf_py.front.parse import parse
from zrf_py.front.syntax import FileTree
from zrf_py.ir.emitter import FileScope
from zrf_py.ir.lower import lower
from zrf_py.ir.ops import Program
from zrf_py.text.diagnostics import WHOLE_FILE, Report
from zrf_py.text.packing import without_collector
from zrf_py.text.source import Origin, Source


def compile_source(
    source: Source, include: Callable[[str, Origin], Source | None], report: Report,
) -> tuple[Program, ...]:
    """The programs of a rules file, one for each game and variant, in file order.

    Problems go to `report`; programs of games to which it holds errors may be incomplete and must not be run.
    """
    return compile_stages(source, include, report).programs


@dataclass(frozen=True)
class Stages:
    """What each stage made of a text, for who wants to look at more than the last; empty beyond the stage that failed.
    """

    forms: tuple[Node, ...] = ()
    expanded: Expanded = field(default_factory=lambda: Expanded((), {}, 0))
    tree: FileTree | None = None
    programs: tuple[Program, ...] = ()


def compile_stages(
    source: Source, include: Callable[[str, Origin], Source | None], report: Report,
    pause: Callable[[], None] = lambda: None,
) -> Stages:
    """As `compile_source`, with what lies between the text and the programs.

    `pause` is called between stages; who wants no more of it raises something there.
    """
    with without_collector():
        return _compile(source, include, report, pause)


def _compile(
    source: Source, include: Callable[[str, Origin], Source | None], report: Report, pause: Callable[[], None],
) -> Stages:
    forms = read_forms(source, report, include)            # text             → nested forms
    if report.errors:
        return Stages(forms)  # half a text would only earn messages about what the other half defines
    pause()
    expanded = expand(forms, report)                       # forms            → forms without macros
    pause()
    tree = parse(expanded.nodes, expanded.macros, report)  # expanded forms   → syntax tree
    pause()
    games = check(tree, report)                            # syntax tree      → checked games
    pause()
    scope = FileScope(expanded.macros)
    programs = tuple(lower(game, report, scope) for game in games)  # checked games → programs
    report.part = WHOLE_FILE
    return Stages(forms, expanded, tree, programs)
