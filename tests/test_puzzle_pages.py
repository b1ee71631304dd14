"""Puzzles in pages, served and exported; and the puzzles shipped with the package."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.playing import counted, slow
from zrf_py.data import data_file
from zrf_py.play.game import load
from zrf_py.play.shipped_puzzles import FOLDER, puzzle_at, puzzles_of, record_of
from zrf_py.text.diagnostics import ZrfError

SHIPPED = sorted(path.stem for path in data_file(FOLDER).glob("*.jsonl"))
BROWSER = pytest.mark.skipif(not os.environ.get("ZRF_CHROMIUM") and os.environ.get("CI") != "true",
                             reason="there is no Chromium on this machine")


@pytest.mark.parametrize("name", SHIPPED)
def test_each_shipped_puzzle_fits_its_game(name: str) -> None:
    """The position can be read, the solution is legal and a whole turn, and the line begins with it."""
    game = load(name)
    rows = list(counted(puzzles_of(game.path, game.title)))
    assert [row["level"] for row in rows] == sorted(row["level"] for row in rows)
    assert len({row["position"] for row in rows}) == len(rows)
    for number, row in enumerate(rows, 1):
        position = game.read(row["position"])
        assert position.player == row["player"] and position.text == row["position"] and len(position.moves()) > 1
        assert row["line"][0].rstrip("+#") == row["solution"].rstrip("+#")
        for text in row["moves"]:
            position = position.play(next(move for move in position.moves() if move.text == text))
        assert not position.in_turn and not position.outcome()
        puzzle = puzzle_at(game.path, game.title, record_of(game.path, game.title, number))
        assert puzzle and (puzzle["number"], puzzle["of"], puzzle["moves"]) == (number, len(rows), row["moves"])


def test_records_without_a_puzzle_are_skipped() -> None:
    game = load("connect-four")
    start = f"(position {game.start().text})"
    assert all(puzzle_at(game.path, game.title, record) is None for record in ([], ["Disc a1"], [start]))
    assert puzzles_of(None, "Chess") == []
    for number in (0, len(puzzles_of(game.path, game.title)) + 1, "1", None):
        with pytest.raises(ZrfError, match="no such puzzle"):
            record_of(game.path, game.title, number)


@pytest.mark.parametrize("name", ["connect-four", *slow(["chess", "international-draughts"])])
def test_pages_read_whole_positions_as_python_does(name: str, tmp_path: Path) -> None:
    """After each turn of a random game, an exported page reads the text of the position and then has the same legal
    moves as Python; they depend on castling rights, last moves and stores."""
    from random import Random

    from tests.exporting import paged

    game = load(name)
    random, position, reached = Random(3), game.start(), []
    for _ in range(40):
        if position.outcome() or not position.moves():
            break
        position = position.play(random.choice(position.moves()))
        if not position.in_turn and not position.outcome():
            reached.append(position)
    with paged(game, tmp_path) as ask:
        for position in counted(reached):
            ask("start")
            ask("play", [f"(position {position.text})"])
            assert sorted(leg[0] for leg in ask("legs")) == sorted(move.text for move in position.moves())


# ---------------------------------------------------------------------------------------------------------------- pages


@pytest.fixture(params=["served", "exported"])
def puzzle(request: pytest.FixtureRequest, browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The page of the first puzzle of Connect Four, reached from the start of a game."""
    from serving import PATIENCE, a_page

    if request.param == "served":
        server = request.getfixturevalue("server")
        with a_page(browser, server) as page:
            page.goto("/new?game=connect-four")
            yield _first(page)
        return
    from zrf_py.export import page as exported

    path = tmp_path / "page.html"
    path.write_text(exported("connect-four"), "utf-8")
    context = browser.new_context(reduced_motion="reduce", offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(path.as_uri())
    yield _first(page)
    context.close()


def _first(page: Any) -> Any:
    page.wait_for_selector("#start:visible")
    page.click("#start button:has-text('Puzzles (')")
    page.wait_for_selector("#puzzle h2:has-text('Puzzle 1 of ')")
    return page


@pytest.mark.slow
@BROWSER
def test_a_puzzle_is_tried_and_solved_in_a_page(puzzle: Any) -> None:
    """A wrong turn is taken back, the right one is praised and remembered, and the next puzzle is shown."""
    from serving import Board, until

    game, board = load("connect-four"), Board(puzzle)
    row = puzzles_of(game.path, game.title)[0]
    position = game.read(row["position"])
    right = next(move for move in position.moves() if move.text == row["moves"][0])
    wrong = next(move for move in position.moves() if move.text != right.text)
    assert "Find the winning turn" in puzzle.text_content("#puzzle p") and not puzzle.locator("#start:visible").count()
    board.click(place_of(wrong))
    until(puzzle, "document.querySelector('#puzzle .wrong')")
    until(puzzle, "document.querySelector('#puzzle .open')?.textContent.startsWith('Try again')")
    board.at(1)
    board.click(place_of(right))
    until(puzzle, "document.querySelector('#puzzle .solved')?.textContent.startsWith('Correct!')")
    assert puzzle.locator("#puzzle .numbers .done").count() == 1
    assert json.loads(puzzle.evaluate("localStorage['zrf-puzzles']")) == {game.title: [1]}
    puzzle.click("#puzzle button:has-text('Play on')")
    until(puzzle, "document.querySelectorAll('#list button').length >= 2")  # the computer has replied
    puzzle.click("#puzzle button:has-text('Next puzzle')")
    puzzle.wait_for_selector("#puzzle h2:has-text('Puzzle 2 of ')")
    board.at(1)
    puzzle.click("#puzzle button:has-text('Show the solution')")
    until(puzzle, "document.querySelector('#puzzle .solved')?.textContent.startsWith('The solution')")
    assert json.loads(puzzle.evaluate("localStorage['zrf-puzzles']")) == {game.title: [1]}
    puzzle.click("#puzzle summary")
    puzzle.click("#puzzle .numbers button >> nth=4")
    puzzle.wait_for_selector("#puzzle h2:has-text('Puzzle 5 of ')")
    puzzle.reload()  # the puzzle is a part of the record
    puzzle.wait_for_selector("#puzzle h2:has-text('Puzzle 5 of ')")


def place_of(move: Any) -> str:
    """Return the square of a drop."""
    return str(move.text.split()[-1])


@pytest.mark.slow
@BROWSER
def test_the_gallery_leads_to_puzzles(page: Any) -> None:
    page.goto("/")
    page.click("a[href='/new?game=connect-four&puzzle=1']")
    page.wait_for_selector("#puzzle h2:has-text('Puzzle 1 of ')")
    assert page.locator("#start:visible").count() == 0
