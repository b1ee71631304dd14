"""Misspellings planted in the tests of the shelf's games: each is refused or fails, on its own line; none passes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.playing import RULES
from zrf_py.author.tests.pages import FencedBlock, blocks
from zrf_py.author.tests.running import LazyRules, Result
from zrf_py.author.tests.running import tests_of as read_tests
from zrf_py.author.tests.running import tests_of_text as found_in

PAGES = sorted(RULES.glob("*.md"))
LENGTHY = ("perft", "games")
"""Beginnings of lines that are left out before a misspelt line, since they take long to run."""
IGNORED = re.compile(r"can't be read: (this block tests nothing|`at most:` needs `games:`)")
"""Problems that arise only because the lines after the planted one are left out."""
WORDS = {"won": "wno", "within": "wihtin", "none": "nnoe", "draw": "drwa", "put: store": "put: stoer"}
FENCES = ("```move", "```mvoes", "```Moves:", "``moves", "~~~moves", "```tests", "```")


@dataclass(frozen=True)
class Plant:
    """A correct block, and a misspelling of its last line."""

    page: Path
    kind: str
    right: tuple[str, ...]
    wrong: str

    def __str__(self) -> str:
        return f"{self.page.stem}-{self.kind}-{self.wrong}"


@cache
def rules_of(page: Path) -> LazyRules:
    return LazyRules(page.with_suffix(".zrf"))


def results(page: Path, lines: tuple[str, ...], fence: str = "```moves") -> list[Result]:
    text = "\n".join([fence, *lines, "```"]) + "\n"
    return [test.run() for test in found_in(page.with_suffix(".zrf"), "", text, rules_of(page))]


def swapped(word: str) -> str:
    """Return a word with two letters swapped, or with an extra letter."""
    if len(word) < 2:
        return f"{word}q"
    at = next((i for i in range(len(word) - 2, 0, -1) if word[i] != word[i + 1]), 0)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def spoilt(page: Path, line: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, misspelt line) for each way to misspell a line."""
    key, colon, rest = line.partition(":")
    if not colon:
        return
    game = rules_of(page).game(None).program.game
    yield "key", f"{swapped(key)}:{rest}"
    yield "colon", f"{key}{rest}"
    for kind, names in (("square", game.symbols.positions), ("piece", game.symbols.pieces),
                        ("player", game.symbols.players)):
        if key in ("among", "variant", "outcome") and kind != "player":
            continue
        named = [word for word in re.findall(r"[\w-]+", rest) if word in names]
        if named:
            wrong = f"{named[0]}77" if kind == "square" else swapped(named[0])
            yield kind, f"{key}:" + re.sub(rf"(?<![\w-]){re.escape(named[0])}(?![\w-])", wrong, rest, count=1)
    for word, wrong in WORDS.items():
        if word in line:
            yield "keyword", line.replace(word, wrong)


def plants() -> list[Plant]:
    """Return a plant for each page, key of a line, and kind of misspelling: in the first line where it is possible."""
    found = []
    for page in PAGES:
        seen = set()
        for block in blocks(page.read_text("utf-8")):
            lines = block.text.splitlines() if isinstance(block, FencedBlock) and block.kind == "moves" else []
            if "variant:" in "".join(lines):
                continue
            for number, line in enumerate(lines):
                before = tuple(other for other in lines[:number] if not other.startswith(LENGTHY))
                for kind, wrong in spoilt(page, line):
                    what = line.partition(":")[0], kind
                    if what not in seen:
                        seen.add(what)
                        found.append(Plant(page, kind, (*before, line), wrong))
    return found


def missed(plant: Plant) -> str:
    """Return the reason if a misspelling is not reported at its line, or if the correct block fails; "" otherwise."""
    *before, line = plant.right
    if not line.startswith((*LENGTHY, "at most")):
        problems = [r for r in results(plant.page, plant.right) if r.problem and not IGNORED.search(r.problem)]
        if problems:
            return f"{plant}: the right block fails: {problems}"
    found = [r for r in results(plant.page, (*before, plant.wrong)) if r.problem]
    if len(found) != 1 or IGNORED.search(found[0].problem):
        return f"{plant}: passes"
    place, problem = f":{len(plant.right) + 1}", found[0].problem
    return "" if found[0].place.endswith(place) and problem.startswith(plant.wrong.strip()) else f"{plant}: {found}"


def test_a_sample_of_misspellings_is_found() -> None:
    planted = [plant for plant in plants() if plant.page.stem in ("tictactoe", "breakthrough", "makruk")]
    assert not [said for plant in planted if (said := missed(plant))]
    assert len(planted) >= 30


@pytest.mark.slow
def test_every_misspelling_is_found() -> None:
    planted = plants()
    assert not [said for plant in planted if (said := missed(plant))]
    count = Counter(plant.kind for plant in planted)
    assert len(planted) >= 250 and len({plant.page for plant in planted}) >= 10, count
    assert min(count[kind] for kind in ("key", "colon", "square", "piece", "player", "keyword")) >= 10, count


@pytest.mark.parametrize("fence", FENCES)
@pytest.mark.parametrize("inside", [True, False])
def test_a_misspelt_fence_is_found(fence: str, inside: bool) -> None:
    text = f"{fence}\ncannot: a1\n```\n"
    page, comments = ("", "".join(f"; {line}\n" for line in text.splitlines())) if inside else (text, "")
    path = RULES / "tictactoe.zrf"
    found = [test.run() for test in found_in(path, comments, page, LazyRules(path))]
    assert found and all(result.problem for result in found) and found[0].place.endswith(":1")


def test_an_unclosed_fence_is_found() -> None:
    path = RULES / "tictactoe.zrf"
    (test,) = found_in(path, "", "```moves\ncan: a1\n", LazyRules(path))
    assert "has no end" in test.run().problem


def test_moves_before_any_rules_are_found(tmp_path: Path) -> None:
    text = "# Men\n\n```moves\ncan: a1\n```\n\n```zrf\n(game (title \"Men\"))\n```\n"
    (tmp_path / "page.md").write_text(text, "utf-8")
    first, *_ = read_tests(tmp_path / "page.md")
    assert first.place.endswith("page.md:3") and "no rules stand before this block" in first.run().problem


@pytest.mark.parametrize("fence", ["```moves Y to move", "```moves X to mvoe", "```moves X Mark b2", "```moves Mrak b2",
                                   "```moves X tomove"])
def test_misspelt_words_after_the_fence_are_found(fence: str) -> None:
    (result,) = results(RULES / "tictactoe.md", ("can: a1",), fence)
    assert "can't be read" in result.problem


@pytest.mark.parametrize("drawing", [
    "M . .\n. . .", "M . .\n. . . .\n. . .", "M . .\n. Q .\n. . .", "M . .\n. - .\n. . .", "MM . .\n. . .\n. . .",
    "M  . .\n. . .\n. . .", "M . .\n. # .\n. . .", "M . .\n. . .\n. . .\n. . .", "can: b2\nM . .\n. . .\n. . .",
])
def test_a_drawing_that_is_wrong_is_found(drawing: str) -> None:
    (right,) = results(RULES / "tictactoe.md", ("M . .", ". . .", ". . .", "can: b2"))
    assert right.problem == ""
    (result,) = results(RULES / "tictactoe.md", (*drawing.splitlines(), "can: b2"))
    assert result.problem


@pytest.mark.parametrize("line", [
    "board: X Mark", "board: X Mark a1, O Mark a1", "play:", "play: ,", "games: 0 within 9", "count: nine", "perft: 3",
    "has: a1", "store: X Mark many", "can:", "cannot:", "among:", "position: X Mark z9", "position: X Mark a1 | trun O",
    "put: X Mark", "outcome:", "to move:", "links: a9 n a1", "at_most: X Mark 1", "position: X Mark a1",
])
def test_incomplete_and_wrong_test_lines_are_found(line: str) -> None:
    (result,) = results(RULES / "tictactoe.md", (line,))
    assert result.problem and result.place.endswith((":2", ":1"))
