"""Turns of one leg, taken from the list of legal moves, are the same as those found by a search of positions."""

from __future__ import annotations

import pytest

from tests.playing import slow
from tests.test_reaches import compare, read
from zrf_py.data import data_file
from zrf_py.ir.ops import Program
from zrf_py.library import load_file

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from zrf_py.native import Native, legs
from zrf_py.native.layout import lay_out


def with_and_without(program: Program, monkeypatch: pytest.MonkeyPatch, seeds: int = 3) -> None:
    """Check that turns taken from the list of legal moves give the same games and counts as trying every move."""
    assert lay_out(program).params.singles
    quick, start = Native(program), Native(program).start()
    with monkeypatch.context() as patch:
        patch.setattr(legs, "single_leg_turns", lambda program: False)
        lay_out.cache_clear()
        thorough = Native(program)
        assert not lay_out(program).params.singles
        for seed in range(seeds):
            assert quick.turn_playouts(3, seed, 120) == thorough.turn_playouts(3, seed, 120)
        assert [quick.turn_perft(start, depth) for depth in (1, 2)] == [
            thorough.turn_perft(start, depth) for depth in (1, 2)]
    lay_out.cache_clear()


@pytest.mark.parametrize(("name", "variant"), [
    ("booklet/tippy", 1), ("booklet/rakado-square", 0), ("booklet/gomoku", 4), ("chess", 0),
    *slow([("booklet/rakado-star", 4), ("booklet/gomoku", 3), ("othello", 0), ("shogi", 0), ("minishogi", 0),
           ("xiangqi", 0), ("connect-four", 0), ("breakthrough", 0), ("booklet/solo-halma", 1)])])
def test_turns_from_move_lists_agree_on_the_shelf(name: str, variant: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with_and_without(load_file(data_file("rules") / f"{name}.zrf").programs[variant], monkeypatch)


BOARD = """
(version "zrf+")
(game (title "Singles") (players White Black) (turn-order White Black) (option "pass turn" forced) (counter moved)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("5/4/3/2/1" (0 9)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  (piece (name Man) (attribute new? true) (moves {moves}) (drops {drops}))
  (piece (name Elder) (moves (e (verify not-friend?) add)))
  (board-setup (White (Man a1 b2 c1 off 3)) (Black (Man a5 d4 c4 off 3)))
  (draw-condition (White Black) (equal? (turns-made) 200)))
"""
DISTINCT = {
    "captures beside": ("(@ (verify empty?) (capture e) add)", ""),
    "types": ("(@ (verify not-friend?) (add Man Elder))", ""),
    "attributes of the moved": ("(@ (verify not-friend?) (set-attribute new? false) add)", ""),
    "counters": ("(@ (verify not-friend?) (add-to-counter moved 1) add)", "((verify empty?) add)"),
}
ALIKE = {
    "the same move twice": ("(@ (verify empty?) add) (@ (verify empty?) add)", ""),
    "own men taken": ("(@ (verify not-enemy?) add)", ""),
    "taken beside": ("(@ (verify empty?) (capture w) (capture e) add)", "((verify empty?) add)"),
    "drops from two blocks": ("", "((verify empty?) add) ((verify empty?) add)"),
    "others change": ("(@ (verify empty?) (flip e) add)", ""),
    "created": ("(@ (verify empty?) (create e) add)", ""),
    "copies": ("(@ (verify empty?) add-copy)", ""),
    "no movement": ("((capture @) add)", ""),
    "passes": ("(add-pass) (add-pass) (@ (verify empty?) add)", ""),
}


@pytest.mark.parametrize("kind", [*DISTINCT, *ALIKE])
def test_moves_that_may_lead_to_one_position_are_tried(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    moves, drops = {**DISTINCT, **ALIKE}[kind]
    program = read(BOARD.format(moves=" ".join(moves.replace("@", way) for way in "nesw"), drops=drops))
    with_and_without(program, monkeypatch)


OUT = """
(version "zrf+")
(game (title "Out") (players White Black Red) (turn-order White Black Red)
  (option "pass partial" true) (option "null turns" false) (counter c)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g" (9 0)) ("2/1" (0 9)))
    (directions (e 1 0) (w -1 0) (n 0 -1) (s 0 1)))
    (zone (name den) (players White Black Red) (positions e2 f2)))
  (piece (name Man) (moves (e (verify not-empty?) e (verify empty?) (add-partial))
    (w (verify not-empty?) w (verify empty?) (add-partial)) (n (verify empty?) add) (s (verify empty?) add)))
  (piece (name Rock))
  (board-setup (White (Man a1)) (Black (Rock e2 g2)) (Red (Rock b1 f1) (Man g1)))
  (out-condition (White Black Red) stalemated (remove den))
  (draw-condition (White Black Red) (equal? (turns-made) 100)))
"""


def test_a_chain_back_to_its_start_is_a_turn_if_others_lose_men_after_it() -> None:
    program = read(OUT)
    assert lay_out(program).params.reaches == 2
    compare(program, 30)
    engine = Native(program)
    assert engine.turn_perft(engine.start(), 1) == 3  # to c1; to a2; to c1 and back, after which rocks are removed
