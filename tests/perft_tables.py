"""Reads `tests/perft/*.perft`: published counts of move sequences, one block for each position.

    # a comment
    id start                              begins a block
    file chess.zrf                        in `rules/` or `tests/rules/`
    variant "Horde"                       optional: a title of the file
    turns                                 optional: count complete turns by resulting position; `turns paths` counts
                                          every sequence of legs as a turn of its own
    source where the numbers come from    `ours …`: no proof, but a regression guard
    edits (x a2) (White Queen a8)         optional, more than once: changes of the start position
    perft 3 8902                          depth and count
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.playing import ROOT, RULES
from zrf_py.library import RulesFile, load_file

TABLES = ROOT / "tests" / "perft"
FOLDERS = (RULES, ROOT / "tests" / "rules")


@dataclass
class Table:
    """One block; `turns` is "" if single legs are counted, else "positions" or "paths"."""

    home: str
    id: str
    file: str = ""
    variant: str | None = None
    source: str = ""
    turns: str = ""
    edits: list[str] = field(default_factory=list)
    counts: list[tuple[int, int]] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.home}-{self.id}"


def read_tables() -> list[Table]:
    """Return every block of every table, with files in alphabetical order."""
    return [table for path in sorted(TABLES.glob("*.perft")) for table in _blocks(path)]


def _blocks(path: Path) -> list[Table]:
    tables: list[Table] = []
    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = raw.partition("#")[0] if raw.lstrip().startswith(("perft ", "#")) else raw
        word, _, rest = line.strip().partition(" ")
        if not word:
            continue
        if word == "id":
            tables.append(Table(path.stem, rest.strip()))
            continue
        try:
            _put(tables[-1], word, rest.strip())
        except (IndexError, ValueError) as error:
            raise ValueError(f"{path}:{number}: `{raw}`") from error
    return tables


def _put(table: Table, word: str, rest: str) -> None:
    match word:
        case "file":
            table.file = rest
        case "variant":
            table.variant = rest.strip('"')
        case "source":
            table.source = rest
        case "turns" if rest in ("", "positions", "paths"):
            table.turns = rest or "positions"
        case "edits":
            table.edits.append(rest)
        case "perft":
            depth, count = rest.replace(",", "").split()
            table.counts.append((int(depth), int(count)))
        case _:
            raise ValueError(word)


def rules_path(name: str) -> Path:
    """Return the path of a table's rules file."""
    return next(folder / name for folder in FOLDERS if (folder / name).is_file())


@cache
def loaded(path: Path) -> RulesFile:
    """Return a rules file, compiled once for all its tables."""
    file = load_file(path)
    file.report.check()
    return file
