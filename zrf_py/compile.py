"""The compiler driver: rules text in, programs out. `author/editor/quick.py` runs its stages incrementally."""

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
    """Compile a rules file; return a program for each game, then one for each variant, both in file order.

    Problems go to `report`; the program of a game with errors may be incomplete and must not be run.

    :raises GaveUp: if there are too many problems, or the rules are too large.
    """
    return compile_stages(source, include, report).programs


@dataclass(frozen=True)
class Stages:
    """Results of all stages; all but `forms` are empty if reading the forms failed."""

    forms: tuple[Node, ...] = ()
    expanded: Expanded = field(default_factory=lambda: Expanded((), {}, 0))
    tree: FileTree | None = None
    programs: tuple[Program, ...] = ()


@without_collector()
def compile_stages(
    source: Source, include: Callable[[str, Origin], Source | None], report: Report,
    pause: Callable[[], None] = lambda: None,
) -> Stages:
    """Like `compile_source`, but return the results of all stages.

    `pause` is called between stages; it may raise an exception to cancel the compilation.
    """
    forms = read_forms(source, report, include)            # text             → nested forms
    if report.errors:
        return Stages(forms)  # an incomplete text would only cause errors about definitions in its missing part
    pause()
    expanded = expand(forms, report)                       # forms            → forms without macros
    pause()
    tree = parse(expanded.nodes, expanded.macros, report)  # expanded forms   → syntax tree
    pause()
    games = check(tree, report)                            # syntax tree      → checked games
    pause()
    scope = FileScope()
    programs = tuple(lower(game, report, scope) for game in games)  # checked games → programs
    report.part = WHOLE_FILE
    return Stages(forms, expanded, tree, programs)
