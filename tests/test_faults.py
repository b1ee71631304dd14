"""Faults of rules: every engine reports the same faults at the same calls."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.engines import ENGINES, OTHERS, Make
from zrf_py.library import load_text
from zrf_py.play.game import Game
from zrf_py.play.notation import move_text
from zrf_py.run.faults import RulesFault
from zrf_py.text.diagnostics import ZrfError

HEAD = """(version "zrf+") (game (title "Faults") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1/2/3/4" (0 9)))
    (directions (n 0 1) (s 0 -1) (e 1 0) (w -1 0)))) """
SCORE = """(piece (name Man) (moves (move-type first) (n add-partial) (move-type second) (e must-continue add) (e add)))
  (board-setup (White (Man a1)) (Black (Man c1 b1 c3)))
  (score (product 900000000 (count enemy))) (score-condition (White Black) (not (absolute-config Man (a4)))))"""
DROP = """(piece (name Man) (moves (n add)))
  (piece (name Imp) (drops ((verify (equal? 0 (product 2000000000 2))) add)))
  (board-setup (White (Man a1)) (Black (Man b1) (Imp off {imps}))))"""
STUCK = """(piece (name Ox) (moves (e add)))
  (piece (name Rook) (moves ({before} s add (while not-friend?)) (w add)))
  (board-setup (White (Ox a2)) (Black (Rook c3))) (out-condition (White Black) stalemated))"""
LOOK = """(piece (name King) (moves (n add)))
  (piece (name Man) (moves (n add)))
  (piece (name Owl) (moves ((while (empty? c3)) {block})))
  (board-setup (White (King a1) (Man c3)) (Black (King b4) (Owl c1)))
  (loss-condition (White Black) (checkmated King)))"""
WORTH = """(piece (name Man) (moves (n (verify not-friend?) add)))
  (piece (name Ox) (moves (e (while (not (equal? (count anybody) 4)) ) add) (e add)))
  (board-setup (White (Man a1)) (Black (Man a3) (Ox a4 c4))) (option "maximal captures" 2))"""
CASES = [
    pytest.param(SCORE, ["partial 0 Man a1 - a2", "Man a2 - b2"], "number-too-large", id="score-where-it-ends"),
    pytest.param(DROP.format(imps=1), ["Man a1 - a2", ""], "number-too-large", id="drop-in-store"),
    pytest.param(DROP.format(imps=0), ["Man a1 - a2", "Man b1 - b2", "Man a2 - a3"], "", id="drop-not-in-store"),
    pytest.param(STUCK.format(before=""), ["Ox a2 - b2", ""], "endless-block", id="after-a-move"),
    pytest.param(STUCK.format(before="(while (empty? a4))"), ["Ox a2 - b2"], "endless-block", id="before-any-move"),
    pytest.param(WORTH, ["Man a1 - a2", "Ox a4 - b4", "Man a2 x a3"], "", id="a-block-that-fails-for-a-lone-man-only"),
    pytest.param(LOOK.format(block=""), [""], "endless-block",
                 id="looking-for-attackers-runs-blocks-that-hit-nothing"),
    pytest.param(LOOK.format(block="n (verify friend?) add"), [""], "endless-block",
                 id="looking-for-attackers-runs-blocks-that-cannot-hit-the-king"),
]


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize(("rules", "moves", "code"), CASES)
def test_engines_report_faults_at_the_same_call(make: Make, rules: str, moves: list[str], code: str) -> None:
    """The last of `moves` raises the fault `code` ("": none); the move "" stands for listing the moves."""
    file = load_text(HEAD + rules)
    file.check()
    [program] = file.programs
    engine = make(program)
    position = engine.start()
    found = ""
    for number, text in enumerate(moves):
        try:
            legal = {move_text(program, position, move): move for move in engine.moves(position)}
            assert text in legal, (number, sorted(legal))
            position = engine.after(position, legal[text])
        except RulesFault as fault:
            found = fault.diagnostics[0].code
            assert number == len(moves) - 1
    assert found == code


@pytest.mark.parametrize(("rules", "moves", "code"), [case for case in CASES if case.values[-1]])
def test_a_fleet_reports_the_same_faults(rules: str, moves: list[str], code: str) -> None:
    """Numbers that native memory can't hold have a message of their own."""
    pytest.importorskip("numpy")
    from zrf_py.envs import Fleet

    with pytest.raises(ZrfError) as error, Fleet(Game(load_text(HEAD + rules).programs[0]), 2) as fleet:
        for text in filter(None, moves):
            fleet.step([fleet.action_number("-".join(re.findall("[a-c][1-4]", text)))] * 2)
    assert error.value.diagnostics[0].code == {"number-too-large": "bad-fleet"}.get(code, code)


@pytest.mark.parametrize("make", OTHERS)
def test_counting_finds_the_fault_of_a_score(make: Any) -> None:
    """The score is computed when the game ends, after the second leg; only a count of depth 3 looks beyond this leg."""
    [program] = load_text(HEAD + SCORE).programs
    engine = make(program)
    assert engine.perft(engine.start(), 2) == 3
    with pytest.raises(RulesFault, match="number-too-large"):
        engine.perft(engine.start(), 3)
