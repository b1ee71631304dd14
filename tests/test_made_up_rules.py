"""Rules generated at random from the whole language: every engine plays them alike.

For longer runs: `python -m tests.fuzz games`. `GAMES` has rules with features that are seldom generated.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from tests import records
from tests.engines import Make, any_game, kernel_as_python, one_game
from tests.fuzz.work import TooMuchWork, bounded
from tests.fuzz.writer import Writer
from tests.playing import slow
from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.native.agree import Disagreement, agree
from zrf_py.run.faults import RulesFault
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

pytest.importorskip("llvmlite", reason="the engines that are compared need llvmlite")
if sys.platform == "win32":
    pytest.skip("inputs are bounded in memory as Unix has it", allow_module_level=True)

from tests.fuzz.games import comes_back, counts_alike, pages_alike, plays_alike

Check = Callable[[Program, int], None]


def program(seed: int) -> Program:
    report, text = Report(), Writer(Random(seed)).text
    found = compile_source(Source("made-up.zrf", text), lambda name, origin: None, report)
    assert not report.errors, f"{report.errors[0]}\n{text}"
    return found[0]


def with_kernel(game: Program, seed: int) -> None:
    plays_alike(game, seed, any_game)
    counts_alike(game)
    comes_back(game, seed)


def with_python(game: Program, seed: int) -> None:
    plays_alike(game, seed, kernel_as_python)


def with_own_code(game: Program, seed: int) -> None:
    plays_alike(game, seed, one_game)


def hold(seeds: range, check: Check) -> None:
    """Check the game generated from each seed; at most one in five may take the interpreter too long."""
    left = 0
    for seed in seeds:
        try:
            with bounded(100_000):
                check(program(seed), seed)
        except TooMuchWork:
            left += 1
    assert left <= len(seeds) / 5


def test_the_kernel_plays_random_rules_like_the_interpreter() -> None:
    hold(range(10), with_kernel)


def test_random_rules_are_varied_and_playable() -> None:
    games = [program(seed).game for seed in range(40)]
    sizes = [len(game.board.places) for game in games]
    assert min(sizes) < 5 and max(sizes) >= 256
    assert {len(game.players) for game in games} >= {1, 2, 3, 4, 5, 6}
    assert max(len(game.pieces) for game in games) > 40 and max(len(game.attributes) for game in games) > 30
    plies = Counter[bool]()
    for seed in range(40):
        try:
            end = records.play(records.game_of(program(seed)), 8, Random(seed))
        except RulesFault:
            continue
        plies[sum(1 for _ in end.line()) > 6] += 1
    assert plies[True] > 12


STOCK = """(game (title "Stock") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (drops ((verify empty?) add)))
  (piece (name Guard) (drops ((verify empty?) (verify (empty? n)) add)))
  (board-setup (White (Man off 1) (Guard off 1)) (Black (Man off 1) (Guard off 2))) (option "pass turn" forced))"""


SMALL = """(version "zrf+") (game (title "Small") (players White Black Grey) (turn-order {order}) {more}
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("5/4/3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (move-type step) (n (verify empty?) add)
                           (move-type jump) ((verify (not-flag? seen)) n n (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man b1)) (Grey (Man c1))) (option "pass turn" forced))"""
DEFENDED = """(game (title "Defended") (players White Black Grey) (turn-order White Black (White Grey))
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("5/4/3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify (and empty? defended?)) add) (n (verify (and enemy? not-neutral?)) add)))
  (board-setup (White (Man a1)) (Black (Man b1)) (Grey (Man c1))) (option "pass turn" forced))"""
BACK = """(version "zrf+") (game (title "Back") (players White Black Grey) (turn-order White repeat Black Grey)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("7/6/5/4/3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify empty?) (next-turn {step}) add)))
  (board-setup (White (Man a1)) (Black (Man b1)) (Grey (Man c1))) (option "pass turn" forced))"""
LEAVES = """(version "zrf+") (game (title "Leaves") (players White Black Red) (turn-order White Black Red)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("4/3/2/1" (0 9))) (directions (n 0 -1)))
    (zone (name all) (players White Black Red) (positions a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4)))
  (piece (name Man)) (piece (name Runner) (moves (n (verify empty?) add)))
  (board-setup (White (Man a1) (Runner c1)) (Black (Man a2)) (Red (Runner b1)))
  (out-condition (White Black Red) stalemated (remove all))
  (win-condition (White) (relative-config Man n (not (any-owner Man)))))"""
NOWHERE = """(game (title "Nowhere") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("8/7/6/5/4/3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify empty?) add))) (board-setup (White (Man a1)) (Black (Man b1)))
  (win-condition (White Black) (absolute-config Man ())))"""
SKIPS = """(version "zrf+") (game (title "Skips") (players White Black Red) (turn-order White Black Red)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("9/8/7/6/5/4/3/2/1" (0 9)))
    (directions (n 0 -1) (w -1 0))))
  (piece (name Man) (moves (n (verify empty?) (next-turn 2) (capture w) add)))
  (board-setup (White (Man b1 b3)) (Black (Man a2 c1)) (Red (Man c5 c7)))
  (out-condition (Black) (pieces-remaining 1)) (option "pass turn" forced))"""
AHEAD = """(version "zrf+") (game (title "Ahead") (players White Black) (turn-order White Black)
  (move-priorities first second) (option "pass turn" forced)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f" (9 0)) ("3/2/1" (0 9)))
      (directions (n 0 -1) (e 1 0))) (zone (name top) (players White Black) (positions a3 b3 c3 d3 e3 f3)))
  (piece (name Man) (moves (move-type first) (n (verify empty?) must-continue (add-partial))
                           (move-type second) (e (verify (and empty? (not-in-zone? top))) add)))
  (board-setup (White (Man a1)) (Black (Man d1))))"""
GAMES = {
    "stock": STOCK,
    "a look ahead takes the kind of moves that comes first, though it leads nowhere": AHEAD,
    "a turn passes over the player who drops out by it": SKIPS,
    "a pattern on no square holds for nobody": NOWHERE,
    "turns back, before the first one": BACK.format(step=-1),
    "turns back, farther than there are turns": BACK.format(step=-8),
    "a man removed with his player makes a pattern hold": LEAVES,
    "the imagined enemy is the first in the turn order, not the neutral player": DEFENDED,
    "a move type that a turn requires, and flags that blocks share": SMALL.format(
        order="(White step) (Black step) Grey", more="(move-priorities jump step)"),
    "the last turn is passed over, and not all turns are repeated": SMALL.format(
        order="White repeat Black (when (greater? (turns-made) 4) Grey)", more=""),
}


@pytest.mark.parametrize("make", [any_game, kernel_as_python, *slow([one_game])])
@pytest.mark.parametrize("name", GAMES)
def test_engines_agree_on_rare_features(name: str, make: Make) -> None:
    game = compile_source(Source(f"{name}.zrf", GAMES[name]), lambda name, origin: None, Report())[0]
    found = agree(game, 1, 12, make(game))
    assert not isinstance(found, Disagreement), str(found)
    assert found > 5


@pytest.mark.slow
@pytest.mark.parametrize(("check", "games"), [
    (with_kernel, 120), (with_python, 12), (with_own_code, 6), (pages_alike, 6)])
def test_every_engine_plays_random_rules_like_the_interpreter(check: Check, games: int) -> None:
    hold(range(1_000, 1_000 + games), check)
