"""Input and output of the lints: a compiled rules file and the findings about it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from zrf_py.compile import Stages
from zrf_py.front.nodes import Atom, Node
from zrf_py.ir.ops import MAKING, Op, Program
from zrf_py.text.codes import explanations
from zrf_py.text.diagnostics import Diagnostic
from zrf_py.text.source import Origin, Source, Span

T = TypeVar("T")
LINTS = explanations(Path(__file__).with_name("codes.json"))
"""Explanations of all lint codes: meaning, a wrong and a right example. `zrf explain CODE` prints them."""
NOTES = {"no-end", "no-pictures"}
"""Codes of findings that are often intended: shown as notes, not counted, without effect on the exit code."""


@dataclass
class Subject:
    """A rules file without errors, stage by stage. `findings` has one entry per code and place."""

    source: Source
    stages: Stages
    findings: dict[tuple[str, int, int, str], Diagnostic] = field(default_factory=dict)
    losing: set[str] = field(default_factory=set)
    """Names of the types of which a player may lose pieces by a move ("": any type); set by the lints about code."""
    codes: set[str] = field(default_factory=set)
    """Codes of the compiler's messages about the file."""

    def has(self, *codes: str) -> bool:
        """Return whether a finding has one of these codes."""
        return any(code in codes for code, *_ in self.findings)

    def sections(self, kind: type[T]) -> list[T]:
        """Return all sections of a kind, of the file's game and variants."""
        games = self.stages.tree.games if self.stages.tree else ()
        return [section for game in games for section in game.sections if isinstance(section, kind)]

    def own(self, program: Program, kind: type[T]) -> list[T]:
        """Return the sections of a kind of one game; if a variant has none, those of the file's game."""
        trees = sorted(self.stages.tree.games if self.stages.tree else (),
                       key=lambda tree: tree.number != program.game.number)
        parts: list[list[T]] = [[part for part in tree.sections if isinstance(part, kind)] for tree in trees]
        return next(filter(None, parts), [])

    def find(self, code: str, origin: Origin | None, *facts: object, label: str = "", help: str = "",
             related: tuple[tuple[Span, str], ...] = ()) -> None:
        """Add a finding, unless this place already has one of this code. Its texts come from the table of codes, with
        the facts for `{0}`, `{1}` …; `label` and `help` replace the table's."""
        row = LINTS[code]
        message, label = row.message.format(*facts), label or row.label.format(*facts)
        span = origin.span if origin else None
        key = (code, span.start, span.end, span.source.name) if span else (code, -1, -1, message)
        self.findings.setdefault(key, Diagnostic(code, message, origin, label, (), help or row.help.format(*facts),
                                              "note" if code in NOTES else "warning", related))


def motions_of(ops: Iterable[Op]) -> set[int]:
    """Return the motions of steps, and of operations about neighbouring squares."""
    return {op.a if op.name == "step" else -op.where - 1 for op in ops if op.name == "step" or op.where < 0}


def types_made(ops: Iterable[Op]) -> set[int]:
    """Return the piece types that operations create or turn pieces into; -1 stands for the type that moves."""
    return {kind for op in ops for kind in (*op.types, *((op.a,) if op.name in MAKING else ()))}


def words_of(forms: Iterable[Node], without: tuple[str, ...] = ("zone",)) -> set[str]:
    """Return the words of all forms but those with a head in `without`; a form that macro calls share is read once."""
    words: set[str] = set()
    todo, visited = list(forms), set[int]()
    while todo:
        node = todo.pop()
        if isinstance(node, Atom):
            words.add(node.text)
        elif node.head not in without and id(node) not in visited:
            visited.add(id(node))
            todo += node.items
    return words
