"""The tables in rules/README.md, made from the rules files: `python -m tests.rules_table --write`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.playing import RULES
from zrf_py.front.model import AllOf, Compare, Goal, Number
from zrf_py.ir.ops import Op, Program
from zrf_py.library import RulesFile, load_file
from zrf_py.play.facts import facts_of

README = RULES / "README.md"
CATALOGUE: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "catalogue" / "catalogue.json").read_text())
"""Facts that the documents state about each game, by id: its name there, the document, board, players."""

SOURCES = {
    "monks": "book of 1889", "brainking": "BrainKing", "booklet": "booklet", "platonic": "page of 2006",
}
"""By folder: the source of its games (the booklet is that of a game box); the headers of the files say more."""

ENTRY = re.compile(r"; id: (\S+)[ \t]*\n\s*\(title \"([^\"]*)\"")


@dataclass(frozen=True)
class Entry:
    """A game with an id."""

    id: str
    path: Path
    program: Program

    @property
    def title(self) -> str:
        return self.program.game.title


def ids(path: Path) -> list[tuple[str, str]]:
    """Return (id, title) for each game of a rules file that has an id."""
    return ENTRY.findall(path.read_text("utf-8"))


@cache
def load(path: Path) -> RulesFile:
    return load_file(path)


def documented() -> list[Path]:
    """Return the rules files in the folders of the documents."""
    return [path for folder in SOURCES for path in sorted((RULES / folder).glob("*.zrf"))]


@cache
def entries() -> tuple[Entry, ...]:
    """Return every game that has an id: those of the catalogue in its order, then other readings."""
    found = [
        Entry(name, path, program) for path in documented() for name, title in ids(path)
        for program in load(path).programs if program.game.title == title
    ]
    order = {name: number for number, name in enumerate(CATALOGUE)}
    return tuple(sorted(found, key=lambda entry: order.get(entry.id, len(order))))


# -------------------------------------------------------------------------------------------------- what a game uses


def players(program: Program) -> str:
    return facts_of(program).players


def board(program: Program) -> str:
    return facts_of(program).board


def words(program: Program) -> str:
    """Return the features of the language that a game needs beyond moves of one piece, then the words of ZRF+."""
    plain = [word for word, used in _plain(program).items() if used]
    plus = [f"`{word}`" for word in sorted(_plus(program))]
    return ", ".join(plain) + ("; " if plain and plus else "") + " ".join(plus)


def _operations(program: Program) -> list[Op]:
    return [op for piece in (*program.moves, *program.drops) for routine in piece for op in routine.code]


def _plain(program: Program) -> dict[str, bool]:
    game = program.game
    operations = _operations(program)
    names = {op.name for op in operations}
    return {
        "drops": any(program.drops),
        "chains": any(op.name == "add" and op.a & 2 for op in operations),
        "priorities": bool(game.priorities),
        "symmetry": any(row != tuple(range(len(row))) for row in game.board.symmetry),
        "attributes": bool(game.attributes),
        "cascades": "cascade" in names,
        "captures": "capture" in names,
        "creations": "create" in names,
        "changes": bool(names & {"flip", "change-owner", "change-type"}),
        "chance": any(player.kind == "random" for player in game.players),
    }


def _plus(program: Program) -> set[str]:
    game = program.game
    found = {op.name for op in _operations(program)} & {
        "must-continue", "add-pass", "next-turn", "set-counter", "add-to-counter"}
    numbers = [number for op in _operations(program) for number in op.numbers]
    goals = [end.goal for end in game.ends] + [guard for turn in game.turns for guard in turn.guards]
    numbers += [number for goal in goals for number in _numbers(goal)]
    numbers += [game.score] if game.score else []
    found |= {part.kind for number in numbers for part in _parts(number)} - {"number"}
    return found | {word for word, used in {
        "when": any(turn.guards for turn in game.turns), "team": bool(game.teams), "score": bool(game.score),
        "out-condition": any(end.result == "out" for end in game.ends),
        "score-condition": any(end.result == "score" for end in game.ends),
        "null turns": "null turns" in game.options.written,
        "captor": game.options.recycle_captures == "captor",
    }.items() if used}


def _numbers(goal: Goal) -> Iterator[Number]:
    if isinstance(goal, Compare):
        yield from (goal.left, goal.right)
    elif isinstance(goal, AllOf):
        for part in goal.parts:
            yield from _numbers(part)


def _parts(number: Number) -> Iterator[Number]:
    yield number
    for part in number.parts:
        yield from _parts(part)


# -------------------------------------------------------------------------------------------------------- the tables


def deviations(path: Path) -> str:
    """Return the text after `Deviations` in the header comment of a file, up to its next heading."""
    head = re.search(r"^; Deviations +(.*?)(?=^; [A-Z]|^;?\n|^\()", path.read_text("utf-8"), re.M | re.S)
    return " ".join(line.strip("; ") for line in head[1].splitlines()) if head else ""


def status(path: Path) -> str:
    """Return whether a game follows its source, in words. A draw by repetition, which few sources mention, does
    not count as a deviation."""
    text = re.sub(r"(a|the) third (repetition|appearance)( of a position)? is a draw", "", deviations(path))
    return "as documented" if re.match(r"(none\b.*)?$", text.strip(" ;.")) else "deviations: see its header"


def catalogue_table() -> str:
    lines = ["| id | title | players | board | uses | source | status |", "|---|---|---|---|---|---|---|"]
    for entry in entries():
        folder = entry.path.parent.name
        also = "" if entry.id in CATALOGUE else "another reading; "
        cells = (f"`{entry.id}`", f"[{entry.title}]({folder}/{entry.path.name})", players(entry.program),
                 board(entry.program), words(entry.program), SOURCES[folder], also + status(entry.path))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def shelf_table() -> str:
    lines = ["| file | titles | players | board | uses | status |", "|---|---|---|---|---|---|"]
    for path in sorted(RULES.glob("*.zrf")):
        programs = load(path).programs
        titles = ", ".join(program.game.title for program in programs if program.game.title != "-")
        if path.stem.endswith("-positions"):
            titles = f"{len(programs)} positions for tests"
        lines.append(f"| [{path.stem}]({path.name}) | {titles} | {players(programs[0])} | {board(programs[0])} "
                     f"| {words(programs[0])} | {status(path)} |")
    return "\n".join(lines) + "\n"


TABLES = {"shelf": shelf_table, "catalogue": catalogue_table}


def written(text: str) -> str:
    """Return the text with its tables up to date."""
    for name, make in TABLES.items():
        before, begin, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- end of {name} -->\n")
        text = before + begin + make() + end + after
    return text


if __name__ == "__main__":
    new = written(README.read_text("utf-8"))
    if "--write" in sys.argv[1:]:
        README.write_text(new, "utf-8")
    else:
        print(new)
