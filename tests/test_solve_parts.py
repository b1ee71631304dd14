"""Parts of the solver, each on a puzzle that needs it: depth first, a beam over the whole, both on both grounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("llvmlite", reason="state spaces are machine code")

import zrf_py
from tests.playing import HANG
from zrf_py.play.game import load
from zrf_py.solve import solver as solving
from zrf_py.solve.cost import measure
from zrf_py.solve.engine import NativeSpace
from zrf_py.solve.heuristic import GoalFacts, Heuristic
from zrf_py.solve.solver import _Work
from zrf_py.solve.state_space import InterpretedSpace, StateSpace


@pytest.fixture(params=[False, True], ids=["machine-code", "interpreted"])
def work(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> _Work:
    if request.param:
        monkeypatch.setattr(solving, "state_space", InterpretedSpace)
    return _Work(load("peg-solitaire", "Latin Cross").start(), HANG, 0, None)


def test_depth_first_finds_a_solution_that_wins(work: _Work) -> None:
    work._depth_first(None, 100_000)
    assert work.best is not None and not work.complete
    outcome = work.best.end.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)


def test_a_beam_that_is_wide_enough_finds_the_fewest_turns(work: _Work) -> None:
    work._sweep(Heuristic(), 1_000)
    assert work.best is not None and work.best.cost == 5


def test_depth_first_keeps_to_its_limit_and_knows_when_it_has_seen_all(work: _Work) -> None:
    """The fewest turns are five."""
    for turns, is_found in ((5, True), (4, False), (1, False)):
        work.space.limit(turns)
        legs, is_sure = work.space.depth_first(work.root, 0, 14, lambda visited: 500_000 - visited)
        assert (legs is not None) == is_found and is_sure


SCORED = """(version "zrf+") (game (title "Scored") (players Solver) (turn-order Solver) (counter points)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("1/2" (0 9))) (directions (e 1 0))))
    (piece (name Walker) (moves (e (verify empty?) add) (e e (add-to-counter points 1) (verify empty?) add)))
    (board-setup (Solver (Walker a1))) (score (counter points) {lowest})
    (score-condition (Solver) (absolute-config Walker (d1))))"""


@pytest.mark.parametrize(("lowest", "best"), [("", 1), ("lowest", 0)])
def test_the_best_score_is_the_highest_unless_it_is_the_lowest(lowest: str, best: int) -> None:
    """Three steps, or a step and a leap, which is worth a point."""
    start = zrf_py.loads(SCORED.format(lowest=lowest)).start()
    costs = {}
    for way in (("a1-b1", "b1-c1", "c1-d1"), ("a1-b1", "b1-d1")):
        position = start
        for move in way:
            position = position.play(move)
        cost, score = measure(start).of(position, [1] * len(way))
        costs[cost] = score
    assert len(costs) == 2 and costs[min(costs)] == best


def test_the_fewest_turns_are_not_said_to_be_the_best_score() -> None:
    """The whole puzzle is gone through for solutions of few turns; the best one has more."""
    work = _Work(zrf_py.loads(SCORED.format(lowest="lowest")).start(), HANG, 0, None)
    work._whole(100)
    assert work.best is not None and work.best.score == 1 and not work.complete and not work.best.shortest


TWO_LEGS = """(game (title "Two legs") (players Solver) (turn-order (Solver at-first))
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g" (9 0)) ("7/6/5/4/3/2/1" (0 9)))
                 (directions (n 0 -1) (e 1 0))))
    (piece (name Walker) (moves (move-type at-first) (e (verify empty?) add)))
    (piece (name Dancer) (moves (move-type at-first) (n (verify empty?) (add-partial at-last))
                                (move-type at-last)  (n (verify empty?) add)))
    (board-setup (Solver (Walker a1) (Dancer g1)))
    (win-condition (Solver) (absolute-config Walker (f1))))"""
"""A walker is there in five turns; a dancer makes two legs in each of his three."""

THREE = """(game (title "Three") (players Solver) (turn-order Solver)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1) (e 1 0))))
    (piece (name Walker) (moves (n (verify empty?) add) (e (verify empty?) add)))
    (board-setup (Solver (Walker a1 b1 c1)))
    (win-condition (Solver) (and (absolute-config Walker (a2)) (absolute-config Walker (b2))
      (absolute-config Walker (c2)))))"""

ROUND = """(game (title "Round") (players Solver) (turn-order Solver)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
                 (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) {beside})
    (piece (name King) (moves (n add) (e add) (s add) (w add)))
    (board-setup (Solver (King a1)))
    (win-condition (Solver) (absolute-config King ({goal}))))"""
"""A king goes round on sixteen squares."""

Make = Callable[..., StateSpace]


@pytest.mark.parametrize("make", [NativeSpace, InterpretedSpace])
def test_a_limit_is_one_of_turns_however_many_legs_they_have(make: Make) -> None:
    game = zrf_py.loads(TWO_LEGS)
    space = make(game.program, False)
    root = space.node(game.start().state)
    for noise in range(5):
        for turns, is_found in ((4, False), (5, True)):
            space.limit(turns)
            legs, is_sure = space.depth_first(root, noise, 12, lambda visited: 100_000 - visited)
            assert (legs is not None) == is_found and is_sure


@pytest.mark.parametrize("make", [NativeSpace, InterpretedSpace])
def test_as_many_turns_as_there_are_pieces_to_bring_are_enough(make: Make) -> None:
    """Three walkers have one step to go."""
    game = zrf_py.loads(THREE)
    space = make(game.program, False)
    root = space.node(game.start().state)
    marks, need = GoalFacts(game.program, game.start().state).marks()
    assert need == 3
    space.want(marks, need)
    for turns, is_found in ((2, False), (3, True)):
        space.limit(turns)
        legs, is_sure = space.depth_first(root, 0, 12, lambda visited: 10_000 - visited)
        assert (legs is not None) == is_found and is_sure


@pytest.mark.parametrize("make", [NativeSpace, InterpretedSpace])
def test_depth_first_goes_on_from_a_position_once(make: Make) -> None:
    """Sixteen squares with 48 ways between them; what was met with as many turns left is not gone through again."""
    game = zrf_py.loads(ROUND.format(goal="far", beside="(dummy far)"))
    space = make(game.program, False)
    seen: list[int] = []

    def slices(visited: int) -> int:
        seen.append(visited)
        return 100_000 - visited

    for turns, most in ((0, 48 * 16), (15, 48 * 16)):
        space.limit(turns)
        legs, is_sure = space.depth_first(space.node(game.start().state), 1, 12, slices)
        assert legs is None and is_sure
        assert max(seen) <= most, seen


@pytest.mark.parametrize("make", [NativeSpace, InterpretedSpace])
@pytest.mark.parametrize("count_turns", [False, True])
def test_keys_of_turns_are_those_of_the_positions_they_lead_to(make: Make, count_turns: bool) -> None:
    """And a turn to a position that is asked for counts as a solution; a walk and a round are told apart by turns."""
    game = zrf_py.loads(ROUND.format(goal="d4", beside=""))
    space = make(game.program, count_turns)
    first = node = space.node(game.start().state)
    for turn in (1, 2):
        found = space.turns(node)
        after = [space.after_legs(node, space.legs(i)) for i in range(len(found.keys))]
        assert [space.key(position) for position in after] == list(found.keys) and len(set(found.keys)) == len(after)
        assert (space.key(first) in found.keys) == (turn == 2 and not count_turns)
        wanted = space.key(after[-1])
        assert list(space.turns(node, goal=wanted).solved) == [key == wanted for key in found.keys]
        node = after[0]


def test_only_turns_to_a_value_below_are_told() -> None:
    game = zrf_py.loads(ROUND.format(goal="d4", beside=""))
    space = NativeSpace(game.program)
    facts = GoalFacts(game.program, game.start().state)
    space.aim(facts.table(Heuristic(), None), 0)
    node = space.after_legs(space.node(game.start().state), (0,))
    values = sorted(space.turns(node).values)
    assert len(values) == 3 and values[0] < values[-1]
    for below in {*values, values[-1] + 1}:
        found = space.turns(node, below)
        assert sorted(found.values) == [value for value in values if value < below]
        assert found.dropped == sum(value >= below for value in values)
