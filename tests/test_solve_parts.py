"""Parts of the solver, each on a puzzle that needs it: depth-first and beam search, in both state spaces."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="state spaces are machine code")

import zrf_py
from tests.playing import HANG, counted
from tests.python_machine import PythonMachine
from tests.small_games import WALK
from zrf_py.ir.ops import Program
from zrf_py.native.errors import NoRoom
from zrf_py.native.layout import MOVES_ROOM
from zrf_py.play.game import Game, load
from zrf_py.run import goals
from zrf_py.solve import engine
from zrf_py.solve import kernel as puzzles
from zrf_py.solve import solver as solving
from zrf_py.solve.cost import measure
from zrf_py.solve.engine import NativeSpace
from zrf_py.solve.heuristic import FAR, GoalFacts, Heuristic, Target
from zrf_py.solve.solver import Progress, _Work, solve
from zrf_py.solve.state_space import InterpretedSpace, StateSpace
from zrf_py.text.diagnostics import ZrfError


def kernel_as_python(program: Program, *options: bool) -> NativeSpace:
    """Return a native space whose kernel runs as Python, with bounds checked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "Machine", PythonMachine)
        return NativeSpace(program, *options)


SPACES = [NativeSpace, InterpretedSpace, kernel_as_python]


@pytest.fixture(params=[NativeSpace, InterpretedSpace], ids=["machine-code", "interpreted"])
def work(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> _Work:
    monkeypatch.setattr(solving, "state_space", request.param)
    return _Work(load("peg-solitaire", "Latin Cross").start(), HANG, 0, None)


def test_depth_first_finds_a_solution_that_wins(work: _Work) -> None:
    work._depth_first(None, 100_000)
    assert work.best is not None and not work.complete
    outcome = work.best.end.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)


def test_depth_first_search_without_memory_stops_without_a_proof(work: _Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a position has more moves than fit into memory, the search ends at once, without a proof."""
    monkeypatch.setattr(work.space, "depth_first", lambda *_: (None, False))
    work._depth_first(None, 100_000)
    assert work.best is None and not work.complete and work.visited == 0


def test_a_beam_that_is_wide_enough_finds_the_fewest_turns(work: _Work) -> None:
    work._sweep(Heuristic(), 1_000)
    assert work.best is not None and work.best.cost == 5


def test_depth_first_keeps_to_its_limit_and_reports_a_complete_search(work: _Work) -> None:
    """The shortest solution has five turns."""
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
def test_the_best_score_may_be_the_highest_or_the_lowest(lowest: str, best: int) -> None:
    """The solutions are three steps, or a step and a leap, which is worth a point."""
    start = zrf_py.loads(SCORED.format(lowest=lowest)).start()
    costs = {}
    for way in (("a1-b1", "b1-c1", "c1-d1"), ("a1-b1", "b1-d1")):
        position = start
        for move in way:
            position = position.play(move)
        cost, score = measure(start).of(position, [1] * len(way))
        costs[cost] = score
    assert len(costs) == 2 and costs[min(costs)] == best


def test_the_fewest_turns_are_not_reported_as_the_best_score() -> None:
    """The search proves which solution has the fewest turns, but the one with the best score has more."""
    work = _Work(zrf_py.loads(SCORED.format(lowest="lowest")).start(), HANG, 0, None)
    work._breadth_first(100)
    assert work.best is not None and work.best.score == 1 and not work.complete and not work.best.shortest


TWO_LEGS = """(game (title "Two legs") (players Solver) (turn-order (Solver at-first))
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g" (9 0)) ("7/6/5/4/3/2/1" (0 9)))
                 (directions (n 0 -1) (e 1 0))))
    (piece (name Walker) (moves (move-type at-first) (e (verify empty?) add)))
    (piece (name Dancer) (moves (move-type at-first) (n (verify empty?) (add-partial at-last))
                                (move-type at-last)  (n (verify empty?) add)))
    (board-setup (Solver (Walker a1) (Dancer g1)))
    (win-condition (Solver) (absolute-config Walker (f1))))"""
"""The walker reaches the goal in five turns; the dancer has three turns of two legs each."""

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
"""A king moves about on sixteen squares."""

Make = Callable[..., StateSpace]


@pytest.mark.parametrize("make", SPACES)
def test_limit_counts_turns_and_not_legs(make: Make) -> None:
    game = zrf_py.loads(TWO_LEGS)
    space = make(game.program, False)
    root = space.node(game.start().state)
    for noise in range(5):
        for turns, is_found in ((4, False), (5, True)):
            space.limit(turns)
            legs, is_sure = space.depth_first(root, noise, 12, lambda visited: 100_000 - visited)
            assert (legs is not None) == is_found and is_sure


@pytest.mark.parametrize("make", SPACES)
def test_one_turn_for_each_missing_piece_may_suffice(make: Make) -> None:
    """Three walkers are each one step from the goal."""
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


@pytest.mark.parametrize("make", SPACES)
def test_depth_first_searches_a_position_once(make: Make) -> None:
    """On sixteen squares with 48 links, a position that was searched with as many turns left is not searched again."""
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


@pytest.mark.parametrize("make", SPACES)
@pytest.mark.parametrize("count_turns", [False, True])
def test_keys_of_turns_match_the_positions_they_lead_to(make: Make, count_turns: bool) -> None:
    """A turn to `goal` is marked as solved. A turn back to the start has the key of the start, unless turns count."""
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


@pytest.mark.parametrize("make", [NativeSpace, kernel_as_python])
def test_only_turns_below_a_value_are_reported(make: Make) -> None:
    game = zrf_py.loads(ROUND.format(goal="d4", beside=""))
    space = make(game.program)
    facts = GoalFacts(game.program, game.start().state)
    space.aim(facts.table(Heuristic(), None), 0)
    node = space.after_legs(space.node(game.start().state), (0,))
    values = sorted(space.turns(node).values)
    assert len(values) == 3 and values[0] < values[-1]
    for below in {*values, values[-1] + 1}:
        found = space.turns(node, below)
        assert sorted(found.values) == [value for value in values if value < below]
        assert found.dropped == sum(value >= below for value in values)


# ---------------------------------------------------------------- the kernel run as Python, against the interpreter

WIDE = """(game (title "Wide") (players Solver ?Cat) (turn-order Solver)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g/h/i/j/k/l" (9 0)) ("7/6/5/4/3/2/1" (0 9)))
                 (directions (n 0 -1) (e 1 0))))
    (piece (name Pawn) (moves (n (verify empty?) add) (n (verify enemy?) add) (e (verify enemy?) capture add)))
    (piece (name Rook) (moves (e add) (n n (verify empty?) add)))
    (board-setup (Solver (Pawn a1 c1 l3) (Rook a3 l1)) (?Cat (Pawn a2 b3 l5 d1) (Rook b1 l4)))
    (win-condition (Solver) (or (and (absolute-config Pawn (a7 l7)) (absolute-config Rook (l7)))
        (and (absolute-config Rook (l2 l1)) (absolute-config Rook (a4)) (absolute-config Pawn (c5)))
        (and (pieces-remaining 2) (or (absolute-config Pawn (d1)) (absolute-config Rook (d3)))))))"""
"""A board of more than 64 squares, two owners, two kinds, captures, and a win with parts that are met one by one."""


STUCK = """(game (title "Stuck") (players Solver) (turn-order Solver)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1" (0 9))) (directions (e 1 0))))
    (piece (name Walker) (moves (e (verify empty?) add)))
    (board-setup (Solver (Walker a1 b1))) (win-condition (Solver) stalemated))"""
"""A player whose walkers have all reached the end can't move, and has won."""


def walks(make: Make, game: Game, seed: int, turns: int) -> list[tuple[zrf_py.Position, StateSpace, Any]]:
    """Return the positions of a random game, each with a space and the position's node in it."""
    draw, space, position = Random(seed), make(game.program, False), game.start()
    out: list[tuple[zrf_py.Position, StateSpace, Any]] = []
    node = space.node(position.state)
    while position.outcome() is None and len(out) < turns:
        out.append((position, space, node))
        children = space.turns(node)
        legs = space.legs(draw.randrange(len(children.keys)))
        for number in legs:
            position = position.play(position.moves()[number])
        node = space.after_legs(node, legs)
    return out


@pytest.mark.parametrize("unmet", [0, 500])
@pytest.mark.parametrize("text", [WIDE, WALK, THREE], ids=["wide", "walk", "three"])
def test_the_kernel_values_positions_as_the_interpreter_does(text: str, unmet: int) -> None:
    """The table of the heuristic is random; `unmet` is added to a value for each part of the goal that is not met."""
    game = zrf_py.loads(text)
    program = game.program
    interpreted = InterpretedSpace(program, False)
    numbers = [Random(5).randrange(-50, 2000) for _ in range(interpreted._table.size)]
    interpreted.aim(numbers)

    def missing(goal: object, state: object) -> int:
        parts = getattr(goal, "parts", ())
        if parts and goal.word in ("and", "or"):  # type: ignore[attr-defined]
            return (sum if goal.word == "and" else min)([missing(part, state) for part in parts])  # type: ignore[attr-defined]
        return not goals.holds(program, state, goal, 0)  # type: ignore[arg-type]

    wins = [end.goal for end in program.game.ends if end.result == "win"]
    for seed in counted(range(3), 3):
        for position, space, node in counted(walks(kernel_as_python, game, seed, 6), 2):
            space.aim(numbers, unmet)
            children, plain = space.turns(node), interpreted.turns(position.state)
            expected = {}
            for i, value in enumerate(plain.values):
                state = interpreted.after_legs(position.state, interpreted.legs(i))
                expected[interpreted.legs(i)] = value + unmet * min(missing(goal, state) for goal in wins), \
                    plain.ended[i], plain.solved[i], plain.legs[i]
            found = {space.legs(i): (children.values[i], children.ended[i], children.solved[i], children.legs[i])
                     for i in range(len(children.keys))}
            assert found == {legs: expected[legs] for legs in found} and children.complete
            assert len(found) == len(set(plain.keys)) and children.legs == sorted(children.legs)


@pytest.mark.parametrize("make", SPACES)
@pytest.mark.parametrize(("text", "limit"), [(WALK, 6), (TWO_LEGS, 5), (THREE, 3), (STUCK, 4)])
def test_depth_first_returns_a_line_that_wins(make: Make, text: str, limit: int) -> None:
    """Each leg of the line is legal, and only the last position is won, with any noise in the order of moves."""
    game = zrf_py.loads(text)
    space = make(game.program, False)
    facts = GoalFacts(game.program, game.start().state)
    space.aim(facts.table(Heuristic(), None), 0)
    space.limit(limit)
    for noise in (0, 7):
        root = node = space.node(game.start().state)
        legs, is_sure = space.depth_first(root, noise, 12, lambda visited: 20_000 - visited)
        assert legs and is_sure
        position, turns = game.start(), 0
        for number in legs:
            assert position.outcome() is None and not space.is_solved(node)
            position = position.play(position.moves()[number])
            turns += not position.in_turn
            node = space.after_legs(node, [number])
        outcome = position.outcome()
        assert outcome is not None and outcome.winners == ("Solver",) and space.is_solved(node)
        assert turns <= limit


@pytest.mark.parametrize("make", SPACES)
def test_a_stopped_search_claims_no_proof(make: Make) -> None:
    game = zrf_py.loads(ROUND.format(goal="far", beside="(dummy far)"))
    space = make(game.program, False)
    for most in (0, 1, 10):
        given: list[int] = []

        def slices(visited: int, most: int = most, given: list[int] = given) -> int:
            given.append(visited)
            return min(4, most - visited)

        assert space.depth_first(space.node(game.start().state), 1, 12, slices) == (None, False)
        assert given == sorted(given) and given[0] == 0 and given[-1] == most


FAR_APART = """(game (title "Far apart") (players Solver) (turn-order Solver)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g/h/i/j/k/l" (9 0)) ("7/6/5/4/3/2/1" (0 9)))
                 (directions (n 0 -1) (e 1 0))))
    (piece (name Walker) (moves (n (verify empty?) add) (e (verify empty?) add)))
    (board-setup (Solver (Walker a1 l3)))
    (win-condition (Solver) (and {goal})))"""
"""One walker stands in the first word of the board's bits, the other in the second."""


@pytest.mark.parametrize(("goal", "need", "least"), [
    ("(absolute-config Walker (a2)) (absolute-config Walker (l4))", 2, 2),
    ("(absolute-config (not Walker) (a1)) (absolute-config (not Walker) (l3))", 0, 2),
    ("(absolute-config Walker (l4)) (absolute-config (not Walker) (a1))", 1, 1),
    ("(absolute-config Walker (b1)) (absolute-config Walker (l4)) (absolute-config (not Walker) (a1))", 2, 2),
])
def test_squares_filled_in_all_solutions_prune_the_search(goal: str, need: int, least: int) -> None:
    game = zrf_py.loads(FAR_APART.format(goal=goal))
    facts = GoalFacts(game.program, game.start().state)
    marks, number = facts.marks()
    assert (number, facts.least_turns()) == (need, least)
    visited = {}
    for known in (-1, need):
        space = kernel_as_python(game.program)
        space.want(marks, known)
        for limit, is_found in ((1, False), (2, True), (3, True)):
            space.limit(limit)
            legs, is_sure = space.depth_first(space.node(game.start().state), 3, 12, lambda visited: 9_000 - visited)
            assert (legs is not None) == is_found and is_sure
            visited[known, limit] = space.puzzle.visited
    assert visited[need, 1] <= visited[-1, 1] == len(game.start().moves())


ROOM = [("LEVELS", 4), ("WIDEST", MOVES_ROOM), ("PROBES", 1)]


@pytest.mark.parametrize(("limit", "value"), ROOM)
def test_a_search_without_room_claims_no_proof(limit: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is too deep, has too many moves on the way, or meets too many positions for its table."""
    monkeypatch.setattr(puzzles, limit, value)
    game = zrf_py.loads(WALK.replace("(positions f1 e1)", "(positions f1)"))
    space = kernel_as_python(game.program)
    legs, is_sure = space.depth_first(space.node(game.start().state), 1, 2, lambda visited: 30_000 - visited)
    assert legs is None and not is_sure


def test_listing_turns_again_takes_no_more_memory() -> None:
    game = zrf_py.loads(WIDE)
    space = kernel_as_python(game.program)
    space.turns(space.node(game.start().state))
    machine, rooms = space.machine, []
    for _ in range(3):
        count = machine.call["all_turns"]()
        rooms.append((count, machine.state.top, machine.state.rows))
    assert len(set(rooms)) == 1 and min(rooms[0]) > 0


def test_turns_that_do_not_fit_are_reported_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = zrf_py.loads(WIDE)
    whole = kernel_as_python(game.program).turns
    everything = whole(whole.__self__.node(game.start().state))  # type: ignore[attr-defined]
    for room in (len(everything.keys), len(everything.keys) - 1, 1):
        monkeypatch.setattr(puzzles, "CHILDREN_ROOM", room)
        space = kernel_as_python(game.program)
        found = space.turns(space.node(game.start().state))
        assert found.keys == everything.keys[:room] and found.complete == (room == len(everything.keys))


@pytest.mark.parametrize("make", [NativeSpace, kernel_as_python])
def test_a_leg_that_does_not_exist_is_refused(make: Make) -> None:
    game = zrf_py.loads(THREE)
    space = make(game.program, False)
    root = space.node(game.start().state)
    legal = len(game.start().moves())
    assert space.is_solved(space.after_legs(root, (legal - 1,))) is False
    for number in (legal, legal + 1, 99):
        with pytest.raises(NoRoom):
            space.after_legs(root, (number,))


@pytest.mark.parametrize("make", SPACES)
def test_counters_distinguish_positions_unless_they_are_skipped(make: Make) -> None:
    """Three steps, or a step and a leap, lead to the same board; only the counter of points differs."""
    start = zrf_py.loads(SCORED.format(lowest="")).start()
    for skip in (False, True):
        space = make(start.game.program, False, skip)
        keys = set()
        for way in (("a1-b1", "b1-c1", "c1-d1"), ("a1-b1", "b1-d1")):
            position = start
            for move in way[:-1]:
                position = position.play(move)
            node = space.node(position.play(way[-1]).state)
            keys.add(space.key(node))
        assert len(keys) == (1 if skip else 2)


# ------------------------------------------------------------------------------------------------ goals as targets


def target_of(cells: str, unwanted: str = "", need: int = 0) -> Target:
    """Return the target that requires walkers on `cells` of `FAR_APART` and forbids them on `unwanted`."""
    squares = zrf_py.loads(FAR_APART.format(goal="stalemated")).program.game.symbols.positions
    first, second = (frozenset((0, 0, squares[s]) for s in text.split()) for text in (cells, unwanted))
    return Target(first, second, need=need)


GOALS: list[tuple[str, list[Target], Target]] = [
    ("(absolute-config Walker (a2 l4))", [target_of("a2 l4", need=2)], target_of("a2 l4", need=2)),
    ("(absolute-config (not Walker) (a1))", [target_of("", "a1")], target_of("", "a1")),
    ("(or (absolute-config Walker (a2)) (absolute-config Walker (l4)))",
     [target_of("a2", need=1), target_of("l4", need=1)], target_of("a2", need=1)),
    ("(absolute-config Walker (a2)) (absolute-config Walker (l4)) (absolute-config (not Walker) (a1))",
     [target_of("a2 l4", "a1", need=2)], target_of("a2 l4", "a1", need=2)),
    ("(pieces-remaining 1)", [Target(fewer=True)], Target(fewer=True)),
    ("(pieces-remaining 3 Walker)", [Target(more=True)], Target(more=True)),
    ("(pieces-remaining 2)", [Target()], Target()),
    ("stalemated", [Target()], Target()),
]


@pytest.mark.parametrize(("goal", "targets", "certain"), GOALS)
def test_targets_are_read_from_one_goal(goal: str, targets: list[Target], certain: Target) -> None:
    game = zrf_py.loads(FAR_APART.format(goal=goal))
    facts = GoalFacts(game.program, game.start().state)
    assert facts.targets == targets and not facts.has_parts
    if len(targets) == 1:
        assert facts.only == certain
        marks, need = facts.marks()
        assert need == (-1 if certain.fewer or certain.more else certain.need)
        assert marks.count(1) == len(certain.wanted) and marks.count(2) == len(certain.unwanted)


ZONED = """(version "zrf+") (game (title "Zoned") (players Solver) (turn-order Solver)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
           (zone (name home) (players Solver) (positions c1 d1 d2)))
    (piece (name Walker) (moves (n (verify empty?) add) (e (verify empty?) add)))
    (piece (name Rook) (moves (e (while empty? add e))))
    (board-setup (Solver (Walker a1 b1) (Rook d1))) {goal})"""


IN_SEVEN_TURNS = "(win-condition (Solver) (and (equal? (count friend Walker home) 2) (equal? (turns-made) 7)))"


@pytest.mark.parametrize(("goal", "wanted", "unwanted", "need", "turns"), [
    ("(win-condition (Solver) (equal? (count friend Walker home) 2))", {"Walker"}, set(), 2, 0),
    ("(win-condition (Solver) (equal? (count friend Rook home) 0))", set(), {"Rook"}, 0, 0),
    ("(win-condition (Solver) (equal? (count friend home) 3))", {"Walker", "Rook"}, set(), 3, 0),
    ("(win-condition (Solver) (greater? (count friend Walker home) 1))", {"Walker"}, set(), 1, 0),
    ("(win-condition (Solver) (less? (count friend Walker home) 1))", set(), set(), 0, 0),
    (IN_SEVEN_TURNS, {"Walker"}, set(), 2, 7),
])
def test_the_target_of_a_zone_goal_is_its_zone(
    goal: str, wanted: set[str], unwanted: set[str], need: int, turns: int,
) -> None:
    game = zrf_py.loads(ZONED.format(goal=goal))
    board = game.program.game
    zone = {board.symbols.positions[s] for s in ("c1", "d1", "d2")}
    kinds = {piece.name: i for i, piece in enumerate(board.pieces)}
    only = GoalFacts(game.program, game.start().state).only
    assert only == Target(frozenset((0, kinds[k], s) for k in wanted for s in zone),
                          frozenset((0, kinds[k], s) for k in unwanted for s in zone), need=need, turns=turns)


def test_the_heuristic_table_holds_distances_to_targets() -> None:
    """A walker's distance on this board is the sum of the file and rank distances, if he can get there at all."""
    game = zrf_py.loads(FAR_APART.format(goal="(absolute-config Walker (e5 h7)) (absolute-config (not Walker) (a1))"))
    facts = GoalFacts(game.program, game.start().state)
    board, table = game.program.game, facts._table
    at = {name: (ord(name[0]) - 97, int(name[1:])) for name in (board.board.places[i].name for i in range(84))}

    def steps(here: str, there: str) -> int:
        (x, y), (u, v) = at[here], at[there]
        return u - x + v - y if u >= x and v >= y else FAR

    def worth(square: str, mean: float, power: float, nearest: float, farthest: float, there: float) -> int:
        lengths = [steps(square, "e5"), steps(square, "h7")]
        start = {target: sum(steps(s, target) for s in ("a1", "l3")) for target in ("e5", "h7")}
        back = max(start, key=lambda name: (start[name], board.symbols.positions[name]))
        value: float = mean * sum(n ** power for n in lengths) / 2
        value += nearest * min(lengths) + farthest * steps(square, back)
        return round(1000 * (value - there * (square in ("e5", "h7"))))

    for weights in counted([(1.0, 1.0, 0.0, 0.0, 0.0), (0.5, 2.0, 0.3, 0.7, 2.0), (0.0, 1.0, 1.0, 0.0, 1.0)], 3):
        numbers = facts.table(Heuristic(*weights))
        for square in at:
            extra = 1000 * (square == "a1")
            assert numbers[table.at(0, 0, board.symbols.positions[square])] == worth(square, *weights) + extra, square
        assert numbers[: table.at(0, 0, 0)] == [0] * table.at(0, 0, 0)
    other = Target(frozenset({(0, 0, 3)}), need=1)
    assert facts.table(Heuristic(), other) == facts.table(Heuristic(target=5), other) != facts.table(Heuristic())


def test_heuristic_counts_missing_and_surplus_pieces_and_its_noise_follows_the_seed() -> None:
    tables = {}
    for number in (1, 2, 3):
        game = zrf_py.loads(FAR_APART.format(goal=f"(pieces-remaining {number})"))
        facts = GoalFacts(game.program, game.start().state)
        own = slice(facts._table.at(0, 0, 0), facts._table.at(0, 0, 0) + 84)
        tables[number] = set(facts.table(Heuristic())[own])
        draws = [facts.table(Heuristic(chance=0.5, seed=seed))[own] for seed in (1, 1, 2)]
        assert draws[0] == draws[1] != draws[2]
        base = next(iter(tables[number]))
        assert all(0 <= value - base <= 500 for value in draws[0]) and len(set(draws[0])) > 40
    assert tables == {1: {3000}, 2: {0}, 3: {-3000}}


def test_varied_heuristics_stay_near_the_original() -> None:
    draw, plain = Random(4), Heuristic(unmet=1.0)
    varied = [plain.varied(draw, 5) for _ in range(300)]
    assert all(0.2 <= h.mean <= 2.0 and 0.8 <= h.power <= 1.25 and 0 <= h.nearest <= 0.81 and 0 <= h.farthest <= 0.81
               and 0 <= h.there <= 2.2 and 0.5 <= h.unmet <= 1.7 and h.chance in (0.0, 0.1, 0.2, 0.4) for h in varied)
    assert max(h.mean for h in varied) > 1.7 and min(h.mean for h in varied) < 0.5
    assert max(h.there for h in varied) > 1.9
    assert {h.target for h in varied} == {0, 1, 2, 3, 4} and sum(h.target == 0 for h in varied) > 200
    assert len({h.seed for h in varied}) > 290
    powers = [Heuristic(power=p).varied(draw, 1).power for p in (0.41, 2.49) for _ in range(20)]
    assert min(powers) == 0.4 and max(powers) == 2.5


def test_heuristics_are_drawn_from_their_ranges() -> None:
    """Each weight lies between its bounds; `nearest` and `farthest` are 0 in half of the cases, `there` in a third."""
    parts = " ".join(f"(or (absolute-config Walker (a{i})) (absolute-config Walker (b{i})))" for i in range(3, 7))
    work = _Work(zrf_py.loads(FAR_APART.format(goal=parts)).start(), HANG, 1, None)
    drawn = [work._any_heuristic() for _ in range(400)]
    assert work.goals.has_parts and len(work.goals.targets) == 4
    assert {h.target for h in drawn} == set(range(4)) and len({h.seed for h in drawn}) == 400
    ranges = {"mean": (0.2, 2.0), "power": (0.5, 2.2), "nearest": (0, 1), "farthest": (0, 1), "there": (0, 20)}
    for name, (low, high) in ranges.items():
        values = [getattr(h, name) for h in drawn]
        assert low <= min(values) < low + 0.03 * (high - low) and low + 0.95 * (high - low) < max(values) <= high, name
        zeros = {"nearest": 200, "farthest": 200, "there": 133}.get(name, 0)
        assert abs(values.count(0) - zeros) <= (45 if zeros else 0), name
    assert all(h.there == 20 or 0 <= h.there <= 2 for h in drawn)
    assert [{h.chance for h in drawn}, {h.unmet for h in drawn}] == [{0.0, 0.2}, {0.0, 0.5, 3.0}]
    assert 80 < sum(h.chance == 0.2 for h in drawn) < 190
    plain = _Work(zrf_py.loads(THREE).start(), HANG, 1, None)
    assert {plain._any_heuristic().unmet for _ in range(20)} == {0.0}


# --------------------------------------------------------------------------------------------- costs and solutions


def test_the_kind_of_cost_is_measured_by_playing() -> None:
    variants = zrf_py.loads(WALK, 0), zrf_py.loads(WALK, 1), zrf_py.loads(SCORED.format(lowest="lowest"))
    plain = zrf_py.loads(THREE)
    kinds = [(m.kind, m.scored, m.adds_up, m.cost(3)) for m in (measure(game.start()) for game in (*variants, plain))]
    assert kinds == [("turns", True, True, 1), ("legs", True, True, 3), ("other", True, False, 1),
                     ("turns", False, True, 1)]
    end = plain.start()
    assert measure(end).of(end, [2, 1, 1]) == (3, None)
    assert measure(variants[1].start()).of(variants[1].start(), [2, 1, 1]) == (4, 0)


def test_rules_that_depend_on_turns_or_counters_are_noticed() -> None:
    timed = ZONED.format(goal=IN_SEVEN_TURNS)
    counted_moves = SCORED.format(lowest="").replace("(add-to-counter points 1)",
                                                     "(verify (less? (counter points) 1)) (add-to-counter points 1)")
    for text, matter in ((timed, (True, False)), (THREE, (False, False)), (SCORED.format(lowest=""), (False, False)),
                         (counted_moves, (False, True))):
        found = measure(zrf_py.loads(text).start())
        assert (found.turns_matter, found.counters_matter) == matter


CHANCE = """(game (title "Chance") (players Solver ?Dice) (turn-order {order})
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("1" (0 9))) (directions (e 1 0) (w -1 0))))
    (piece (name Walker) (moves (e (verify empty?) add)))
    (piece (name Die) (moves (w (verify empty?) add) (e (verify empty?) add)))
    (board-setup (Solver (Walker a1)) (?Dice (Die d1)))
    (win-condition (Solver) (absolute-config Walker ({goal}))))"""


def test_dice_at_the_beginning_are_rolled_and_later_dice_are_refused() -> None:
    first = zrf_py.loads(CHANCE.format(order="?Dice repeat Solver", goal="b1")).start()
    ends = {solve(first, seconds=HANG, seed=seed).solution.end.text for seed in range(8)}  # type: ignore[union-attr]
    assert len(ends) == 2
    with pytest.raises(ZrfError, match="has chance moves after the start"):
        solve(zrf_py.loads(CHANCE.format(order="Solver ?Dice", goal="c1")).start(), seconds=HANG)
    with pytest.raises(ZrfError, match="2 players"):
        solve(load("tictactoe").start())


@pytest.fixture(params=[InterpretedSpace, kernel_as_python], ids=["interpreted", "kernel-as-python"])
def wanderer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[_Work, list[Progress]]:
    """A solver that has stored a solution with a detour (a king reaches the far corner in ten turns, not six), and
    the list of its reports."""
    monkeypatch.setattr(solving, "state_space", request.param)
    game = zrf_py.loads(ROUND.format(goal="d4", beside=""))
    heard: list[Progress] = []
    work = _Work(game.start(), HANG, 3, heard.append)
    position, turns = game.start(), []
    for start, end in pairwise(["a1", "a2", "b2", "b1", "c1", "c2", "c3", "b3", "b4", "c4", "d4"]):
        number = next(i for i, move in enumerate(position.moves()) if (move.start, move.end) == (start, end))
        turns.append((number,))
        position = position.play(position.moves()[number])
    assert work._store(tuple(turns))
    return work, heard


def test_a_detour_is_improved_by_each_method(wanderer: tuple[_Work, list[Progress]]) -> None:
    work, heard = wanderer
    assert work.best is not None
    assert (work.best.cost, work.best.turns, work.best.legs, work.best.runs, work.best.score) == (10, 10, 10, 1, None)
    detour, worse = work.turns, work.best
    for name in counted(("_again", "_shortcut", "_sweep"), 3):
        work.turns, work.best = detour, worse
        for _ in range(12):
            getattr(work, name)(*([Heuristic(), 16] if name == "_sweep" else [16]))
        assert work.best.cost == len(work.turns) == 6 and not work.best.shortest, name
        assert work._play(work.turns)[0].text == work.best.end.text
        outcome = work.best.end.outcome()
        assert outcome is not None and outcome.winners == ("Solver",)
    assert not work._store(detour) and work.best.cost == 6
    work._breadth_first(100)
    assert work.best.shortest and work.complete and work.best.cost == 6
    assert heard[0].doing == "just found" and heard[0].best is worse
    assert [p.visited for p in heard] == sorted(p.visited for p in heard) and heard[-1].best is not None


@pytest.mark.parametrize(("shortest", "cost"), [(False, 10), (True, 6)])
def test_unproven_solutions_are_improved_only_on_request(
    shortest: bool, cost: int, wanderer: tuple[_Work, list[Progress]], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This holds for a puzzle without a score in which breadth-first search proves nothing."""
    work, _ = wanderer
    for limit in ("SMALL", "LARGE"):
        monkeypatch.setattr(solving, limit, 1)
    rounds = iter(range(400))
    monkeypatch.setattr(work, "_in_time", lambda: next(rounds, None) is not None)
    work.run(shortest)
    assert work.best is not None and (work.best.cost, work.best.shortest) == (cost, False)
    assert (next(rounds, None) is None) == shortest, "until time is up, or at once"


@pytest.mark.parametrize("make", [InterpretedSpace, kernel_as_python])
def test_a_puzzle_is_solved_in_provably_the_fewest_turns(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results have a cost, turns, legs, runs (turns of one piece in a row), a score, and are proven the best."""
    monkeypatch.setattr(solving, "state_space", make)
    answers = {"walk": (WALK, 0), "legs": (WALK, 1), "three": (THREE, 0), "stuck": (STUCK, 0),
               "two legs": (TWO_LEGS, 0)}
    found = {}
    for name, (text, variant) in answers.items():
        answer = solve(zrf_py.loads(text, variant).start(), seconds=HANG, shortest=True)
        best = answer.solution
        assert best is not None and answer.complete and not answer.interrupted and answer.visited > 0
        found[name] = best.cost, best.turns, best.legs, best.runs, best.score, best.shortest
    assert found == {"walk": (4, 4, 4, 4, 4, True), "legs": (4, 4, 4, 4, 4, True), "three": (3, 3, 3, 3, None, True),
                     "stuck": (2, 2, 2, 2, None, True), "two legs": (5, 5, 5, 1, None, True)}


def test_a_puzzle_without_a_solution_is_proven_unsolvable() -> None:
    game = zrf_py.loads(ROUND.format(goal="far", beside="(dummy far)"))
    answer = solve(game.start(), seconds=HANG)
    assert answer.solution is None and answer.complete and answer.visited == 48, "ways between the sixteen squares"


def test_the_time_limit_holds_and_an_interruption_keeps_the_best() -> None:
    start = load("peg-solitaire").start()
    answer = solve(start, seconds=0.0)
    assert answer.solution is None and not answer.complete and not answer.interrupted and answer.seconds < HANG

    def tell(progress: Progress) -> None:
        if progress.best is not None:
            raise KeyboardInterrupt

    answer = solve(load("peg-solitaire", "Latin Cross").start(), seconds=HANG, tell=tell)
    assert answer.interrupted and answer.solution is not None and not answer.complete
