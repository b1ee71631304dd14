"""Data: values that threads share never change; frequent data is small; nodes of trees compare by identity."""

from __future__ import annotations

import dataclasses
import importlib
from collections import defaultdict
from functools import cache

import pytest

from tests.playing import ROOT
from zrf_py.ir.traits import Row


def listed(names: str) -> set[str]:
    """The names of a list."""
    return set(names.split())


FOREIGN = {"envs.aec", "envs.gym", "envs.openspiel"}
"""Modules that need libraries which the tests may lack."""

CHANGES = listed("""
    author.editor.cursor._Open author.editor.outline.Symbol author.editor.quick._Chunk author.editor.roles.Roles
    author.editor.workshop.Document author.format.layout._Line author.format.tree.Item author.format.tree.Text
    author.lint.subject.Subject author.tests.pages.FencedBlock author.tests.pages.Example author.tests.pages.Wrapped
    author.why.steps.Run author.words.folding.Folding author.words.sweeps.Sweep batch.judge.judging._Games
    batch.runner._Run cli.draw.BoardView export.payload.Payload export.site.Site front.check._Shared
    front.expand._Building front.expand._Place front.forms._Open front.forms._Stream front.sections.Sections
    jit.wasm_link._Segment native.bitboards.sets._Branch native.layout._Builder native.specialise.analysis.Attacks
    play.chances.Samples play.players.Greedy play.repeats.Met play.session.Session play.short.Sketch port.finding.Found
    search.clock.TimeManager search.fallback._Node search.plan.Weights search.preparation.Prepared serve.clock.Clock
    serve.limits.Bucket serve.limits.ConnectionSlot serve.lines.GameLine serve.sockets.Socket serve.table.Request
    serve.table.Table serve.tree.Node solve.beam._Level text.diagnostics.Report
    """)
"""The classes whose instances change. A new class belongs here only if no two threads share its instances."""

SMALL = listed("""
    author.editor.colours author.editor.complete author.editor.cursor author.editor.fixes author.editor.names
    author.editor.outline author.editor.problems author.editor.rename author.format.layout author.format.tree
    author.why.ends author.why.questions author.why.steps author.words.forms author.words.merging batch.contestants
    batch.elo batch.games batch.judge.blocks batch.judge.judging batch.judge.leads batch.judge.report batch.match
    batch.selfplay front.expand front.forms front.keywords front.macros front.model front.nodes front.sections
    front.syntax ir.ops ir.traits native.agree native.piece_square play.advice play.reading play.reasons play.review
    play.short play.turns play.zsg run.playouts run.position search.fallback search.limits search.result serve.tree
    solve.beam solve.children solve.engine text.codes text.diagnostics text.render text.source view.field view.geometry
    view.looks view.scene view.svg view.trays
    """)
"""The modules whose data has slots."""

LARGE = {"batch.judge.judging._Games", "batch.judge.report.JudgeReport", "solve.beam.Sweep", "text.source.Source"}
"""The classes of these modules without slots: there is one for a whole file, search or report."""

ITSELF = listed("""
    author.editor.analysis.Analysis author.editor.quick._Chunk author.editor.workshop.Document front.expand._Building
    front.expand._Env front.expand._Place front.expand._Result front.forms._Open front.forms._Stream ir.ops.Program
    ir.ops.Routine play.repeats.Met run.position.Position serve.limits.ConnectionSlot serve.sockets.Socket
    serve.table.Request serve.table.Table serve.tree.Node text.source.Source
    """)
"""The classes, besides nodes of trees, whose instances are equal only to themselves."""

TREES = {"front.nodes", "front.syntax"}
"""The modules whose classes are all nodes: two forms with one text, at two places of a file, are two forms."""

BRIEF = {"front.model.Game", "ir.ops.Program", "ir.ops.Routine", "text.source.Source"}
"""The classes with a short `repr` of their own, because their contents would fill screens."""


@cache
def classes() -> dict[str, dict[str, type]]:
    """The dataclasses of each module of the package, by their names."""
    found: dict[str, dict[str, type]] = defaultdict(dict)
    for path in sorted((ROOT / "zrf_py").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT / "zrf_py").with_suffix("").parts).removesuffix(".__init__")
        if "@dataclass" in path.read_text("utf-8") and name not in FOREIGN:
            module = importlib.import_module(f"zrf_py.{name}")
            found[name] |= {n: c for n, c in vars(module).items() if isinstance(c, type) and dataclasses.is_dataclass(c)
                            and c.__module__ == module.__name__}
    return found


def named() -> dict[str, type]:
    """All dataclasses, by module and name."""
    return {f"{module}.{name}": kind for module, kinds in classes().items() for name, kind in kinds.items()}


def changes(kind: type) -> bool:
    """Whether an attribute of an instance can be set again."""
    try:
        setattr(object.__new__(kind), next((field.name for field in dataclasses.fields(kind)), "x"), 1)
    except dataclasses.FrozenInstanceError:
        return False
    return True


def test_values_that_threads_share_never_change() -> None:
    assert len(named()) > 250
    assert {name for name, kind in named().items() if changes(kind)} == CHANGES


def test_data_made_by_the_thousand_is_small() -> None:
    slotted = {name for name, kind in named().items() if not hasattr(object.__new__(kind), "__dict__")}
    assert {name.rpartition(".")[0] for name in slotted} == SMALL
    assert {name for name in named() if name.rpartition(".")[0] in SMALL} - slotted == LARGE


def test_parts_of_trees_are_equal_only_to_themselves() -> None:
    own = {name for name, kind in named().items() if kind.__eq__ is object.__eq__}
    assert own == ITSELF | {name for name in named() if name.rpartition(".")[0] in TREES}


def test_large_values_print_in_one_line() -> None:
    generated = {name for name, kind in named().items() if hasattr(kind.__repr__, "__wrapped__")}
    assert set(named()) - generated == BRIEF


def test_traits_of_an_operation_are_given_by_name() -> None:
    with pytest.raises(TypeError, match="positional"):
        Row("everything")  # type: ignore[call-arg, misc]
