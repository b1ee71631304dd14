"""What a look for captures may pass over, and what it may not; and that an answer about an attack is asked for anew."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.engines import OTHERS, Make
from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

GAME = """
(game (title "Excursions") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
      (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0)))
    (links next (a1 b1) (b1 c1) (c1 d1) (d1 a2) (a2 b2) (b2 c2) (c2 d2) (d2 a3) (a3 b3) (b3 c3) (c3 d3) (d3 a4))
    (links round (a1 b1) (b1 c1) (c1 a1)))
  (piece (name King) (moves (n (verify not-friend?) add) (e (verify empty?) add)))
  (piece (name Wizard) (attribute seen? false) (moves ({block})))
  (board-setup (White (King a1) (Wizard c1)) (Black (King d4) (Wizard c3)))
  (loss-condition (White Black) (checkmated King)))
"""

PASSED = {
    "a loop to the end": "n mark a1 (while (on-board? next) next (if enemy? flip)) back (verify not-friend?) add",
    "two, one behind the other":
        "n mark a1 (while (on-board? next) next (set-attribute seen? true)) back"
        " mark (while (empty? e) e flip) back (verify not-friend?) add",
    "only a glance": "n mark (if (enemy? e) e flip) back (verify not-friend?) add",
    "nothing at all": "n mark back (verify not-friend?) add",
}
NOT_PASSED = {
    "it may end the block": "n mark a1 (while (on-board? next) next (verify not-enemy?)) back (verify not-friend?) add",
    "it may leave the board": "n mark n flip back (verify not-friend?) add",
    "it may run in a circle":
        "n mark a1 (while (and (on-board? round) (not-position? d1 round)) round flip) back (verify not-friend?) add",
    "it captures": "n mark a1 (while (on-board? next) next (if enemy? capture)) back (verify not-friend?) add",
    "it leaves a flag": "n mark (if (enemy? e) (set-flag met true)) back (if (flag? met) (verify empty?)) add",
    "it does not come back": "n mark (if (enemy? e) e flip) (verify not-friend?) add",
    "it comes back elsewhere": "n mark (if (enemy? e) e mark s) back (verify not-friend?) add",
    "it moves on the way": "n mark (if (empty? e) e add) back (verify not-friend?) add",
}


def read(block: str) -> Program:
    report = Report()
    (program,) = compile_source(Source("excursions.zrf", GAME.format(block=block)), lambda name, origin: None, report)
    assert not report.errors, [str(error) for error in report.errors]
    return program


def excursions(program: Program) -> int:
    """How many ways a look may pass over."""
    return sum(op.name == "mark" and op.target > 0 for code in program.codes() for op in code)


def compared(program: Program, make: Make) -> int:
    """Plies of a few games in which both engines have the same moves, in the same order, and the same ends."""
    rules, other = Rules(program), make(program)
    plies = 0
    for choice in range(6):
        position = rules.start()
        for _ in range(10):
            moves = rules.moves(position)
            assert tuple(other.moves(position)) == tuple(moves)
            assert other.outcome(position) == rules.outcome(position)
            if not moves:
                break
            position = rules.after(position, moves[choice % len(moves)])
            plies += 1
    return plies


@pytest.mark.parametrize("name", PASSED)
def test_is_passed_over(name: str) -> None:
    assert excursions(read(PASSED[name])) == 1 + (name == "two, one behind the other")


@pytest.mark.parametrize("name", NOT_PASSED)
def test_is_not_passed_over(name: str) -> None:
    assert excursions(read(NOT_PASSED[name])) == 0


def test_attacks_are_not_computed_without_royal_pieces_or_tests() -> None:
    program = compile_source(
        Source("excursions.zrf", GAME.format(block=PASSED["a loop to the end"]).replace("checkmated", "captured")),
        lambda name, origin: None, Report())[0]
    assert excursions(program) == 0


@pytest.mark.parametrize("make", OTHERS)
@pytest.mark.parametrize("name", [*PASSED, "it may end the block", "it captures", "it moves on the way"])
def test_moves_are_the_same(name: str, make: Make) -> None:
    assert compared(read({**PASSED, **NOT_PASSED}[name]), make) >= 6


ASKS = {
    "about one square, many times":
        "n (verify not-friend?) mark a1 (while (on-board? next) next"
        " (if (and friend? (piece? King)) (verify not-attacked?))) back add",
    "about where the man would stand": "e (verify empty?) (verify not-attacked?) add) (n (verify not-friend?)"
        " (verify attacked?) add",
}


@pytest.mark.skipif(find_spec("llvmlite") is None, reason="needs llvmlite")
@pytest.mark.parametrize("make", OTHERS)
@pytest.mark.parametrize("name", ASKS)
def test_every_position_is_asked_for_its_own_attacks(name: str, make: Make) -> None:
    assert compared(read(ASKS[name]), make) >= 6
