"""Properties of every rules file of the shelf and every title in it; `test_records.py` tests saved games.

Files load without a warning and name their source; random games run without a fault; a move is found by its
notation; every file is tested by a perft table or a catalogue test.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from tests.perft_tables import read_tables
from tests.playing import HANG, ROOT, RULES, fault_in_random_game, games, random_game, time_limit
from zrf_py.library import RulesFile, load_file
from zrf_py.play.game import Game, Position

FILES = sorted(RULES.rglob("*.zrf"))
FIRST_PLIES, OTHER_PLIES, POSITION_PLIES = 100, 25, 3
"""Plies of random games: for the first title of a file, for each other one, and for files of positions."""
SECONDS = 1.0
"""Processor time in seconds after which a random game is abandoned, five times as much for a file's first title."""
LISTED = {"platonic/platonic-simple", "platonic/platonic-advanced"}
"""Files that catalogue/test_platonic.py tests under assembled names, which a search for the names does not find."""


@cache
def loaded(path: Path) -> RulesFile:
    return load_file(path)


def name_of(path: Path) -> str:
    return path.relative_to(RULES).with_suffix("").as_posix()


def is_positions(path: Path) -> bool:
    return path.stem.endswith("-positions")


each_file = pytest.mark.parametrize("path", FILES, ids=name_of)


@each_file
def test_each_file_loads_without_a_problem(path: Path) -> None:
    file = loaded(path)
    assert not file.report.items
    assert file.programs


HEADINGS = ("Names", "Players", "Inventor", "Men", "Board", "Source", "Stated", "Known", "Reading", "Deviations",
            "Author", "Licence")
LARGE = 20
"""Minimum number of `/` between the names in a grid that has to be shared in an included file."""


def headings_of(path: Path) -> list[str]:
    """Return the headings of a file's first block of comments; their texts begin in one column."""
    lines = path.read_text("utf-8").splitlines()
    block = "\n".join(lines[1 : next(i for i, line in enumerate(lines) if not line.startswith(";"))])
    return [match[1].strip() for match in re.finditer(r"^; ([A-Z][a-z]+ +)(?<=^.{14})\S", block, re.M)]


@pytest.mark.parametrize("path", [*FILES, *sorted(RULES.rglob("*.inc"))], ids=lambda path: path.name)
def test_the_header_comment_has_its_fields_in_order(path: Path) -> None:
    """The first comment names the game, the source of its rules and the author of the file, in this order."""
    found = headings_of(path)
    assert path.read_text("utf-8").startswith("; ") and found == [name for name in HEADINGS if name in found]
    wanted = {"Author", "Licence"} if path.suffix == ".inc" else {"Source", "Deviations", "Author", "Licence"}
    assert wanted <= set(found)


def grids(path: Path) -> list[str]:
    """Return the texts of the grids in a file, without comments and with single spaces."""
    text = re.sub(r";.*", "", path.read_text("utf-8"))
    found = []
    for begin in (match.start() for match in re.finditer(r"\(grid\b", text)):
        depth = end = 0
        for end in range(begin, len(text)):
            depth += (text[end] == "(") - (text[end] == ")")
            if depth == 0:
                break
        found.append(" ".join(text[begin:end].split()))
    return found


def test_no_large_board_is_written_twice() -> None:
    """Boards shared by several games are in an included file."""
    written = [(grid, name_of(path)) for path in [*FILES, *RULES.rglob("*.inc")] for grid in grids(path)
               if grid.count("/") >= LARGE]
    assert len(written) > 5
    assert not [pair for pair in combinations(written, 2) if pair[0][0] == pair[1][0]]


@pytest.mark.share(3)
@pytest.mark.slow
@each_file
def test_random_games_have_no_faults(path: Path) -> None:
    faults = []
    for number, game in enumerate(games(loaded(path))):
        plies = POSITION_PLIES if is_positions(path) else OTHER_PLIES if number else FIRST_PLIES
        faults.append(fault_in_random_game(game, plies, seed=number, seconds=SECONDS * (1 if number else 5)))
    assert not any(faults), "\n".join(filter(None, faults))


def assert_notation_leads_back(position: Position) -> None:
    """Check that the notation of each move is read as a move with the same text."""
    for move in position.moves():
        assert position.find(str(move)).text == move.text


@pytest.mark.share(3)
@pytest.mark.slow
@each_file
def test_a_written_move_is_read_as_the_same_move(path: Path) -> None:
    for game in games(loaded(path))[:3]:
        line = line_of(game, POSITION_PLIES if is_positions(path) else 30)
        for position in line[::6]:
            assert_notation_leads_back(position)


def line_of(game: Game, plies: int) -> list[Position]:
    """Return the positions of a random game."""
    with time_limit(HANG):
        return list(random_game(game, plies, seed=7))


def test_every_rules_file_is_tested() -> None:
    """Each has counts in `tests/perft`, or a catalogue test that names it."""
    counted = {table.file for table in read_tables()}
    tests = "".join(p.read_text("utf-8") for p in (ROOT / "tests" / "catalogue").glob("*.py"))
    alone = [name_of(p) for p in FILES if p.relative_to(RULES).as_posix() not in counted
             and p.stem not in tests and name_of(p) not in LISTED]
    assert not alone, f"neither a perft table nor a test of the catalogue: {alone}"
