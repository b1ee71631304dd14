"""A game's own code counts and draws moves without listing them, with the same results as the generic kernel."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite", reason="machine code needs llvmlite")

from tests.engines import any_game
from tests.playing import slow, some_of
from tests.test_own_code import unoptimised
from tests.test_reaches import read
from zrf_py.data import data_file
from zrf_py.ir.ops import Op
from zrf_py.library import load_file
from zrf_py.native import Native, code
from zrf_py.native.kernel.masks import ASKING_ENDS, Setting
from zrf_py.native.specialise.rays import slides_of

GAME = """(version "2.0")
(game (title "Lines") (players White Black) (turn-order {turns}) {options}
  (board (grid (start-rectangle 0 0 9 9)
    (dimensions ("a/b/c/d/e/f/g/h/i" (10 0)) ("1/2/3/4/5/6/7/8" (0 10)))
    (directions (n 0 1) (e 1 0) (s 0 -1) (w -1 0) (ne 1 1) (sw -1 -1)))
    (zone (name last) (players White Black) (positions a8 b8 c8 d8 e8 f8 g8 h8 i8)))
  (piece (name Man) (attribute fresh true) (moves {moves}))
  (piece (name Stone))
  (piece (name King) (moves (n (verify not-friend?) add) (e (verify not-friend?) add)
    (s (verify not-friend?) add) (w (verify not-friend?) add)))
  (board-setup (White (Man a1 d2 h1){king_of_white}) (Black (Man a8 e7 i6){king_of_black}))
  {goal})"""
BLOCKS = {
    "slide": "({d} (while empty? add {d}))",
    "slide and take": "({d} (while empty? add {d}) (verify enemy?) add)",
    "slide twice": "({d} (while empty? add {d}) (verify friend?) {d} (while empty? add {d}))",
    "slide with an attribute": "({d} (while empty? (set-attribute fresh false) add {d}) (verify enemy?) add)",
    "leave stones": "({d} (while empty? mark (create White Stone) (go from) add back {d}))",
    "add twice": "({d} (while empty? add add {d}))",
    "add nothing": "({d} (while empty? mark (go from) add back {d}))",
    "change on the last row": "({d} (while empty? (if (in-zone? last) (add Man Stone) else add) {d}))",
    "leap over men": "({d} (while empty? {d}) {d} (while empty? add {d}))",
    "capture at a distance": "({d} (while empty? {d}) {d} (while empty? {d}) (verify enemy?) add)",
    "step": "({d} (verify not-friend?) add)",
    "change and step": "({d} (verify empty?) (if (in-zone? last) (add Man Stone) else add))",
}
FRESH = " ((verify fresh) n (verify empty?) (set-attribute fresh false) add)"
"""A block whose moves can't be counted by sets of squares, since no set shows whether a man is fresh."""
KINGS = {"king_of_white": " (King b2)", "king_of_black": " (King f6)",
         "goal": "(loss-condition (White Black) (checkmated King))"}
POSITIONS = {"chess": 26, "shogi": 10, "xiangqi": 4, "makruk": 3, "minishogi": 7}
"""Number of titles in each file of positions."""
FREE = {"king_of_white": "", "king_of_black": "", "goal": "(loss-condition (White Black) stalemated)"}


@pytest.fixture(autouse=True)
def quick_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "game_code", unoptimised)


def same_numbers(text: str, depth: int) -> Setting:
    """Compare perft and random games; return the setting of the game's own code."""
    program = read(text)
    own, other = Native(program, compiled=True), any_game(program)
    for plies in range(1, depth + 1):
        assert own.perft(own.start(), plies) == other.perft(other.start(), plies)
    for seed in range(3):
        assert own.playouts(20, seed, 60) == other.playouts(20, seed, 60)
    assert own.machine.layout is not None
    return Setting.over(own.machine.layout.tables["setting"])


@pytest.mark.parametrize("block", some_of(BLOCKS, 3))
def test_every_kind_of_block_is_counted_with_kings(block: str) -> None:
    moves = " ".join(BLOCKS[block].format(d=d) for d in ("n", "e", "s", "w", "ne", "sw"))
    setting = same_numbers(GAME.format(moves=moves, turns="White Black", options="", **KINGS), 2)
    assert setting.tallies == (ASKING_ENDS if block == "capture at a distance" else 1)


@pytest.mark.share(3)
@pytest.mark.parametrize("block", some_of(BLOCKS, 3))
@pytest.mark.parametrize(("turns", "options"), [
    ("White Black", ""),
    *slow([("White Black", '(option "pass turn" true)'), ("White White Black", '(option "pass turn" forced)')])])
def test_every_kind_of_block_is_counted_without_kings(block: str, turns: str, options: str) -> None:
    moves = " ".join(BLOCKS[block].format(d=d) for d in ("n", "e", "s", "w", "ne", "sw"))
    assert same_numbers(GAME.format(moves=moves + FRESH, turns=turns, options=options, **FREE), 2).draws


@pytest.mark.parametrize("options", ["", '(option "recycle promotions" true)'], ids=["plain", "recycled"])
def test_drops_and_changes_of_type_are_not_counted_by_sets(options: str) -> None:
    moves = "(n (verify empty?) (add Man Stone)) (e (verify empty?) (add Stone))" + FRESH
    text = GAME.format(moves=moves, turns="White Black", options=options, **FREE)
    drops = "(drops ((verify empty?) add) (d4 (verify empty?) (add Stone Man)))"
    text = text.replace("(name Stone)", f"(name Stone) {drops}").replace("a1 d2 h1)", "a1 d2 h1) (Stone off 1)")
    assert not same_numbers(text, 3).sets


def test_random_games_draw_from_classes_of_moves() -> None:
    moves = ("(move-type take) (n (while empty? n) (verify enemy?) add) (move-type go) (n (while empty? add n)) "
             "(sw (while empty? add sw)) (w (while empty? add w)) (s (while empty? (add-partial go) s))")
    options = "(move-priorities take go)"
    assert same_numbers(GAME.format(moves=moves + FRESH, turns="White Black", options=options, **FREE), 2).draws


@pytest.mark.share(24)
@pytest.mark.parametrize(("name", "variant"), [
    ("chess-positions", 0), ("xiangqi", 0),
    *slow((f"{name}-positions", variant) for name, count in POSITIONS.items() for variant in range(count))])
def test_counts_of_games_of_the_shelf_are_equal(name: str, variant: int) -> None:
    program = load_file(data_file("rules") / f"{name}.zrf").programs[variant]
    own, other = Native(program, compiled=True), any_game(program)
    assert own.perft(own.start(), 3) == other.perft(other.start(), 3)


def test_loop_with_other_effects_is_not_a_slide() -> None:
    program = read(GAME.format(turns="White Black", options="", **FREE, moves=" ".join(
        (BLOCKS["slide"] + BLOCKS["change on the last row"] + BLOCKS["leap over men"]).format(d=d) for d in "ne")))
    slides: list[list[int]] = [[slide.records for slide in slides_of(routine.code).values()]
                               for routine in program.moves[0]]
    assert slides == [[1], [], [0, 1]] * 2
    program = read(GAME.format(turns="White Black", options="", **FREE, moves="".join(
        BLOCKS[name].format(d="n") for name in ("slide and take", "slide with an attribute", "leave stones"))))
    ends: list[list[int]] = [[slide.records for slide in slides_of(routine.code).values()]
                             for routine in program.moves[0]]
    assert ends == [[1], [1], [1]], "something after a slide, or a mark in it, is no obstacle"
    endless = (Op("empty?", target=3), Op("add"), Op("goto", target=-2), Op("end"))
    assert slides_of(endless) == {}
