"""Values of pieces and squares where dice, counters or a score decide; the distance of a proven win."""

from __future__ import annotations

from pathlib import Path

import pytest

import zrf_py
from zrf_py.ir.ops import Program
from zrf_py.play.players import piece_values
from zrf_py.run.rules import Rules
from zrf_py.search.base import Base
from zrf_py.search.evaluation.mobility import expected_turns, reach
from zrf_py.search.evaluation.samples import MOST, situations
from zrf_py.search.evaluation.weights import points_of, weights
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits
from zrf_py.search.plan import MctsSettings
from zrf_py.search.preparation import NativeTrials
from zrf_py.search.traits import SLOW, TREE

TRACK = """(version "zrf+") (game (title "Track") (players White Black ?Coin) (counter luck {luck}) {score}
  (turn-order (?Coin toss) White (?Coin toss) Black)
  (board (positions (a 0 0 9 9) (b 10 0 19 9) (c 20 0 29 9) (d 30 0 39 9) (coin 40 0 49 9)) (links e (a b) (b c) (c d))
    (zone (name end) (players White Black) (positions c d)))
  (piece (name Head) (moves (move-type toss) ((set-counter luck 1) (add Head)) ((set-counter luck 0) (add Tail))))
  (piece (name Tail) (moves (move-type toss) ((set-counter luck 1) (add Head)) ((set-counter luck 0) (add Tail))))
  (piece (name Man) (moves (e (verify {may}) (verify empty?) add)))
  (option "pass turn" forced)
  (board-setup (White (Man a b)) (?Coin (Tail coin)))
  {end})
"""
BY_COUNTER, BY_DIE = "(equal? (counter luck) 1)", "(piece? Head coin)"
MAN = 2


def track(folder: Path, may: str, score: str = "", end: str = "(win-condition (White) (equal? (count friend end) 2))",
          ) -> Program:
    path = folder / "track.zrf"
    path.write_text(TRACK.format(may=may, luck=0, score=score, end=end), "utf-8")
    return zrf_py.load(path).program


@pytest.mark.parametrize("may", [BY_COUNTER, BY_DIE])
def test_squares_have_values_before_the_coin_is_tossed(may: str, tmp_path: Path) -> None:
    program = track(tmp_path, may)
    seen, quickly = situations(Rules(program)), situations(NativeTrials(program).games)
    assert 2 <= len(seen[0]) <= MOST
    assert [[p.key() for p in row] for row in seen] == [[p.key() for p in row] for row in quickly]
    a, b, c, d, _ = weights(program).board[0][MAN]
    assert a < b < c <= d


@pytest.mark.parametrize(("counted", "kinds"), [("Head", {0}), ("Man", {MAN}), ("", {0, 1, MAN})])
def test_only_counted_pieces_race(counted: str, kinds: set[int], tmp_path: Path) -> None:
    """A goal may count the pieces of one type in a zone (type 0 included), or pieces of any type."""
    end = f"(win-condition (White) (equal? (count friend {counted} end) 2))"
    race, = track(tmp_path, BY_DIE, end=end).aims.races[0]
    assert (race.kinds, race.squares, race.needs_all) == (kinds, (2, 3), True)


def test_the_greedy_player_considers_counters(tmp_path: Path) -> None:
    assert len(piece_values(track(tmp_path, BY_COUNTER))) == 3


def test_a_step_on_half_of_the_tosses_takes_twice_the_turns(tmp_path: Path) -> None:
    found = reach(track(tmp_path, BY_DIE), 0)
    turns = expected_turns(found, {(MAN, 3)})
    assert [turns[MAN, square] for square in range(4)] == pytest.approx([6, 4, 2, 0], abs=0.01)


def test_points_are_valued_on_and_before_the_scoring_move(tmp_path: Path) -> None:
    end = "(score-condition (White Black) (equal? (count White end) 2))"
    program = track(tmp_path, BY_DIE, "(score (count friend end))", end)
    points = points_of(program, 0)
    assert points and points[MAN] == [0, 0, 1, 1, 0]
    found = weights(program)
    a, b, c, d, _ = found.board[0][MAN]
    assert 0 < a < b < c == d and not found.terms["per_point"]


def test_search_evaluates_a_score_that_depends_on_a_counter(tmp_path: Path) -> None:
    """The score is not a sum over squares, so the evaluation has a term for it, `per_point`."""
    end = "(score-condition (White Black) (equal? (count White end) 2))"
    program = track(tmp_path, BY_DIE, "(score (product 2 (counter luck)))", end)
    assert points_of(program, 0) is None and weights(program).terms["per_point"] > 0


def test_a_tree_reports_the_distance_of_a_proven_win() -> None:
    """With X in the corner and O beside it, X wins with its fourth mark; the line reaches the end of the game."""
    search = GameSearch(zrf_py.load("tictactoe").program)
    here = search.engine.start()
    for number in (0, 1):
        here = search.engine.after(here, search.engine.moves(here)[number])
    found = search.analyse(here, limits=Limits(nodes=20_000), kind=TREE)
    assert found.proven and found.best.ends_in == len(found.best.moves) == 5
    for move in found.best.moves:
        here = search.engine.after(here, move)
    assert here.result is not None and here.result.winners == (0,)


def test_a_line_is_played_on_to_the_end_of_a_turn() -> None:
    """Lines end with a turn, since a position within a turn has no value yet. Each turn here has three legs; the first
    leg belongs to the tree, and `visited` includes the start position."""
    rules = """(game (title "Three legs") (players White Black) (turn-order (White first) (Black first))
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("7/6/5/4/3/2/1" (0 9)))
                     (directions (n 0 -1))))
        (piece (name Man) (moves (move-type first)  (n (verify empty?) (add-partial second))
                                 (move-type second) (n (verify empty?) (add-partial third))
                                 (move-type third)  (n (verify empty?) add)))
        (board-setup (White (Man a1)) (Black (Man b1)))
        (win-condition (White Black) (absolute-config Man (a7))))"""
    searcher = Base(zrf_py.loads(rules).program).searcher
    visited = []
    for legs in range(8):
        searcher.begin_tree(searcher.engine.start(), (), 4096, MctsSettings(True, rollout_legs=legs))
        searcher.go(TREE, 1)
        visited.append(searcher.visited)
    assert visited == [1 + 3] * 3 + [1 + 6] * 3 + [1 + 9] * 2


def test_slow_search_takes_a_win_at_once() -> None:
    """The search may visit only one position, and X already has two marks in a row."""
    search = GameSearch(zrf_py.load("tictactoe").program)
    here = search.rules.start()
    for number in (0, 2, 0, 2):
        here = search.rules.after(here, search.rules.moves(here)[number])
    line = search.analyse(here, limits=Limits(nodes=1), kind=SLOW).best
    assert line.ends_in == 1
    assert search.rules.after(here, line.moves[0]).result is not None
