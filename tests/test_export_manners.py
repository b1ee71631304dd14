"""Texts that visitors of an exported page read: the game, the end, the moves and the counters, in players' words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import PATIENCE, Board, chromium, until

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")
pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    chromium() is None and os.environ.get("CI") != "true", reason="there is no Chromium on this machine")]

import zrf_py  # noqa: E402
from zrf_py.export import link_of  # noqa: E402
from zrf_py.export import page as exported  # noqa: E402

Open = Callable[..., Board]

RACE = """(version "zrf+")
(define step ($1 (verify empty?) add))
(define hop ($1 (verify not-empty?) (verify not-neutral?) mark $1 (verify empty?) (create ?Trail Print mark) add))
(game
  (title "Home Run")
  (description "DEFINITIONS\\\\
Two people play, the stones of the third are nobody's and\\
stand still. Whoever has both men home wins.
A man steps or hops. There is a third sentence here that a card has no room for, and a fourth after it.")
  (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 48 48) (dimensions ("a/b/c" (48 0)) ("4/3/2/1" (0 48)))
    (directions (n 0 -1) (s 0 1)))
    (symmetry Black (n s) (s n))
    (zone (name goal-man) (players White) (positions a4 b4))
    (zone (name goal-man) (players Black) (positions b1 c1)))
  (piece (name Man) (moves (step n)))
  (board-setup (White (Man a3 b3)) (Black (Man c3)))
  (win-condition (White Black) (equal? (count friend goal-man) 2)))
"""


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """`opened(game, line)` opens an exported page in a browser of its own; errors in the browser fail the test."""
    contexts, complaints = [], []

    def begin(game: str | Path, line: Iterable[str] = ()) -> Board:
        path = tmp_path / f"{Path(game).stem}.html"
        path.write_text(exported(game), "utf-8")
        contexts.append(browser.new_context(reduced_motion="reduce", offline=True))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        moves = list(line)
        page.goto(path.as_uri() + (f"#{link_of(zrf_py.load(game).title, moves, None)}" if moves else ""))
        until(page, f"Number(document.querySelector('#board svg')?.dataset.ply ?? -1) >= {len(moves)}")
        return Board(page)

    yield begin
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def race(tmp_path: Path) -> Path:
    path = tmp_path / "home-run.zrf"
    path.write_text(RACE, "utf-8")
    return path


def test_the_reason_for_the_end_names_no_zone(opened: Open, race: Path) -> None:
    board = opened(race, ["Man a3 - a4", "Man c3 - c2"])
    board.go("b3", "b4")
    board.page.wait_for_selector("#ending:visible")
    assert board.page.text_content("#ending strong") == "White won: all two pieces are home (White 2, Black 0)"
    assert "goal-man" not in board.page.inner_text("body")


def test_the_description_is_whole_sentences_without_the_heading(opened: Open, race: Path) -> None:
    page = opened(race).page
    assert page.inner_text("#start .about").startswith(
        "Two people play, the stones of the third are nobody's and stand still. Whoever has both men home wins.")
    assert "DEFINITIONS" not in page.inner_text("#start")
    assert page.inner_text("#start .about").rstrip().endswith(" more") and "null" not in page.inner_text("body")
    page.click("#start .about .more")
    assert page.is_visible("#notes >> text=There is a third sentence here")


def test_the_start_waits_for_the_first_choice_after_the_dice(opened: Open) -> None:
    board = opened("wuerfel-2p")
    board.at(2)
    page = board.page
    page.wait_for_selector("#board .piece.can")
    assert page.is_visible("#start fieldset") and page.is_disabled("#back") and page.is_visible("#start .about")
    board.page.locator(".piece.can").first.click(force=True)
    board.click_target()
    page.wait_for_selector("#start", state="hidden")


HOPS = """# steps 0 # jumps 0 # first-die 6 = Six on first-die;
# second-die 3 = Three on second-die; Man b5 - b6 @ b6 0 1
# steps +1 # next-turn 0; Man d3 - e4 @ e4 0 1 # steps +1 # next-turn 0; Man b4 - b5 @ b5 0 1 # steps +1 #
next-turn 0; Man c4 - c5 @ c5 0 1 # steps +1 # next-turn 0; Man b3 - b4 @ b4 0 1 # steps +1 # next-turn 0; Man
a5 - a6 @ a6 0 1 # steps +1 # next-turn 0; Pass; @ b4 0 0 @ e4 0 0 @ b5 0 0 @ c5 0 0 @ a6 0 0 @ b6 0 0 # steps 0
# jumps 0 # first-die 3 = Three on first-die; # second-die 2 = Two on second-die; Man o12 - n12 @ n12 0 1 #
steps +1 # next-turn 0; Man l15 - l14 @ l14 0 1 # steps +1 # next-turn 0; Man n14 - m13 @ m13 0 1 # steps +1 #
next-turn 0; partial 9 Man n13 - l15 Trail Footprint n13 # jumps 1; Man l15 - l13 @ l13 0 1 # jumps 2 #
next-turn 0 x n13; Pass; @ n12 0 0 @ l13 0 0 @ m13 0 0 @ l14 0 0 # steps 0 # jumps 0 # first-die 4 = Four on
first-die; # second-die 3 = Three on second-die; Man c5 - d6 @ d6 0 1 # steps +1 # next-turn 0; Man a6 - b7 @ b7
0 1 # steps +1 # next-turn 0; Man e1 - f1 @ f1 0 1 # steps +1 # next-turn 0; partial 9 Man a4 - c4 Trail
Footprint a4 # jumps 1; partial 9 Man c4 - a6 Trail Footprint c4 # jumps 2; Man a6 - c6 @ c6 0 1 # jumps 3 #
next-turn 0 x c4 x a4""".replace("\n", " ").split("; ")
"""Two turns and part of a third, ending with a hop of three jumps; the last jump of a hop removes its footprints."""


def test_removed_marks_are_not_captures_and_inner_counters_are_not_shown(opened: Open) -> None:
    board = opened("wuerfel-2p-norepeat", HOPS)
    assert board.moves()[-1] == "a4-c4-a6-c6" and not any("x" in move for move in board.moves())
    texts = board.page.inner_text("body")
    assert "Rolled: 4+3" in texts and "0 of 19 in the goal" in texts
    assert not [name for name in ("once only", "set out at", "first die", "once-only", "first-die") if name in texts]
