"""Solver for games of one player: finds short solutions and improves them as time allows.

The cost is the score, if the rules define one, else the number of complete turns. A breadth-first search comes first,
which proves the shortest solution of a small puzzle. Otherwise depth-first searches and widening beams with varied
heuristics (`heuristic.py`) look for solutions; the best one is improved by searching parts of it anew, from one of its
positions to a later one.
"""

import random
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, replace

from zrf_py.play.game import Move, Position
from zrf_py.solve.beam import Beam, Turns
from zrf_py.solve.children import Node
from zrf_py.solve.cost import TURNS, Measure, measure
from zrf_py.solve.heuristic import GoalFacts, Heuristic, Target
from zrf_py.solve.state_space import StateSpace, state_space
from zrf_py.text.diagnostics import Diagnostic, ZrfError

SMALL = 3_000
"""Beam width of the first, exhaustive attempt. All work is measured in positions, not seconds, so that results depend
on the seed alone; the clock only ends it."""
LARGE = 3_000_000
TABLE_BITS = 22
ENDLESS = 1 << 40
Tell = Callable[["Progress"], None]


@dataclass(frozen=True)
class Solution:
    """A solution that ends in `end`.

    `cost` is minimised. `runs`: turns, with consecutive turns of one piece counted once. `shortest`: proved optimal.
    """

    end: Position
    cost: int
    turns: int
    legs: int
    runs: int
    score: int | None
    shortest: bool = False


@dataclass(frozen=True)
class Progress:
    """Progress report: current method, positions visited in total, best solution so far, seconds since the start."""

    doing: str
    visited: int
    best: Solution | None
    seconds: float


@dataclass(frozen=True)
class SolverResult:
    """Result: best solution or None; whether the search space is exhausted or the optimum proved; effort."""

    solution: Solution | None
    complete: bool
    visited: int
    seconds: float
    interrupted: bool = False


def solve(
    position: Position, *, seconds: float = 60.0, shortest: bool = False, seed: int = 0, tell: Tell | None = None,
) -> SolverResult:
    """Solve a puzzle from a position. Initial chance, such as a random set-up, is drawn with `seed`.

    A puzzle without a score is done once a solution is found, unless the `shortest` is wanted; with a score, solutions
    are improved until time is up. Ctrl-C ends the search and keeps the best solution.

    :raises ZrfError: if it is not a game for one player, or has chance after the solver's first move.
    """
    work = _Work(_after_chance(position, seed), seconds, seed, tell)
    interrupted = False
    try:
        work.run(shortest)
    except KeyboardInterrupt:
        interrupted = True
    return SolverResult(work.best, work.complete, work.visited, clock.monotonic() - work.began, interrupted)


def _after_chance(position: Position, seed: int) -> Position:
    """Play initial chance moves; return the position in which the solver moves first."""
    players = position.game.program.game.players
    solvers = [p for p in players if p.kind == "player"]
    if len(solvers) != 1:
        raise ZrfError([Diagnostic("not-a-puzzle", f"{position.game.title} is a game for {len(solvers)} players", None,
                                   help="`zrf solve` is for games with one player")])
    draw = random.Random(seed)
    while position.outcome() is None and position.player.startswith("?"):
        position = position.play(draw.choice(position.moves()))
    return position


class _Work:
    """State of a search."""

    def __init__(self, start: Position, seconds: float, seed: int, tell: Tell | None) -> None:
        self.seconds = seconds
        self.start = start
        self.tell = tell
        self.draw = random.Random(seed)
        program = start.game.program
        self.measure: Measure = measure(start)
        self.goals = GoalFacts(program, start.state)
        self.space: StateSpace = state_space(program, self.measure.turns_matter, not self.measure.counters_matter)
        self.space.want(*self.goals.marks())
        self.root: Node = self.space.node(start.state)
        self.best: Solution | None = None
        self.turns: Turns = ()
        """Turns of the best solution."""
        self.heuristic = Heuristic()
        self.complete = False
        self.visited = 0
        self._reported = 0.0
        self.began = clock.monotonic()
        """Start of the time limit, after compilation, which does not count."""
        self.until = self.began + seconds

    def run(self, shortest: bool) -> None:
        if self.start.outcome() is not None:
            self.complete = True
            return
        self._breadth_first(LARGE if shortest else SMALL)
        turn = 0
        while not self.complete and self._in_time():
            if self.best is not None and not (self.measure.scored or shortest):
                return
            if self.best is None:
                self._search(turn)
            else:
                self._improve(turn)
            turn += 1

    def _search(self, turn: int) -> None:
        """Search for a first solution, depth first and by beam, with growing effort."""
        heuristic = Heuristic(unmet=float(self.goals.has_parts)) if turn == 0 else self._any_heuristic()
        if not self.measure.scored:
            self._depth_first(heuristic if turn % 2 else None, 500_000 << min(turn // 4, 10))
        if self.best is None:
            self._sweep(heuristic, (64 if self.measure.scored else 250) << min(turn // 3, 10))

    def _improve(self, turn: int) -> None:
        """Search for a better solution: from the root with another heuristic, or by replacing a part of the best."""
        size = 16 << min(turn // 12, 9)
        match turn % 4:
            case 0:
                self._sweep(self._any_heuristic(), size)
            case 1:
                self._sweep(self.heuristic.varied(self.draw, len(self.goals.targets)), size)
            case 2:
                self._again(size)
            case _:
                self._shortcut(size)

    def _any_heuristic(self) -> Heuristic:
        draw = self.draw
        return Heuristic(
            draw.uniform(0.2, 2), draw.uniform(0.5, 2.2), draw.choice((0, draw.random())),
            draw.choice((0, draw.random())), draw.choice((0, draw.uniform(0, 2), 20)), draw.choice((0.0, 0.0, 0.2)),
            draw.getrandbits(30), draw.randrange(len(self.goals.targets)),
            draw.choice((0.0, 0.5, 3.0)) if self.goals.has_parts else 0.0,
        )

    def _breadth_first(self, width: int) -> None:
        """Search breadth first; give up once a level exceeds `width`."""
        beam = self._beam(width, "breadth first")
        beam.only_whole = True
        self._aim(Heuristic(0, 1, 0, 0, 0))
        turns = self._run(beam, self.root)
        if turns is not None:
            self._store(turns)
        if beam.complete and (self.best is None or self.measure.adds_up):
            self.complete = True
            if self.best is not None:
                self.best = replace(self.best, shortest=True)

    def _depth_first(self, heuristic: Heuristic | None, most: int) -> None:
        """Search depth first, for up to `most` positions; without a heuristic, try moves in nearly random order."""
        self._aim(heuristic or Heuristic(0, 1, 0, 0, 0, 0.0))
        before = self.visited

        def slices(visited: int) -> int:
            self.visited = before + visited
            self._report("depth first", self.visited)
            return min(50_000, most - visited) if self._in_time() else 0

        self.space.limit(self.goals.only.turns)
        legs, exhausted = self.space.depth_first(self.root, self.draw.getrandbits(40), TABLE_BITS, slices)
        if legs is not None:
            self._store(self._as_turns(legs))
        elif exhausted:
            self.complete = True

    def _sweep(self, heuristic: Heuristic, width: int) -> None:
        """Run a beam search from the root."""
        self._aim(heuristic)
        turns = self._run(self._beam(width, f"beam {width}"), self.root)
        if turns is not None and self._store(turns):
            self.heuristic = heuristic

    def _again(self, width: int) -> None:
        """Run a beam search from a random position of the best solution."""
        cut = self.draw.randrange(len(self.turns))
        node, cost = self._at(cut)
        near = self.heuristic.varied(self.draw, len(self.goals.targets))
        self._aim(self._any_heuristic() if self.draw.random() < 0.5 else near)
        beam = self._beam(width * 2, f"ending after {cut} turns", bound=self._bound() - cost)
        self._replace(self._run(beam, node), cut, len(self.turns))

    def _shortcut(self, width: int) -> None:
        """Run a beam search for a shorter path between two positions of the best solution."""
        length = len(self.turns)
        begin = self.draw.randrange(length)
        end = min(length, begin + self.draw.randint(3, 14))
        if end >= length:
            return
        node, cost = self._at(begin)
        goal, total = self._at(end)
        self._aim(replace(self._any_heuristic(), target=0), self._as_target(end))
        beam = self._beam(width, f"shortcut from turn {begin} to {end}", bound=total - cost, full_turns=False)
        beam.goal = self.space.key(goal)
        self._replace(self._run(beam, node), begin, end)

    def _aim(self, heuristic: Heuristic, target: Target | None = None) -> None:
        self.space.aim(self.goals.table(heuristic, target), round(1000 * heuristic.unmet))

    def _beam(self, width: int, doing: str, bound: int | None = None, full_turns: bool = True) -> Beam:
        def go_on(cost: int, visited: int) -> bool:
            self._report(f"{doing}, at {cost}", self.visited + visited)
            return self._in_time()

        self.space.limit(self._limit() if full_turns else 0)
        return Beam(self.space, width, self.measure.cost, self._bound() if bound is None else bound, go_on)

    def _limit(self) -> int:
        """Return the maximum number of turns of a better solution; 0 means no limit."""
        most = self.goals.only.turns
        if self.best is not None and self.measure.kind == TURNS and not most:
            most = self.best.turns - 1
        return most

    def _bound(self) -> int:
        """Return the upper bound (exclusive) on the cost of a solution."""
        return self.best.cost if self.best is not None and self.measure.adds_up else ENDLESS

    def _run(self, beam: Beam, node: Node) -> Turns | None:
        """Sweep a beam from a node, and count the positions visited."""
        turns = beam.sweep(node)
        self.visited += beam.visited
        return turns

    def _replace(self, turns: Turns | None, begin: int, end: int) -> None:
        """Replace turns `begin` … `end` - 1 of the best solution by `turns` (None: do nothing)."""
        if turns is not None:
            self._store(self.turns[:begin] + turns + self.turns[end:])

    def _at(self, count: int) -> tuple[Node, int]:
        """Return the node after `count` turns of the best solution, and the cost to reach it."""
        node = self.root
        for legs in self.turns[:count]:
            node = self.space.after_legs(node, legs)
        return node, sum(self.measure.cost(len(legs)) for legs in self.turns[:count])

    def _as_target(self, count: int) -> Target:
        """Return a target: the solver's pieces as they stand after `count` turns of the best solution."""
        position = self._play(self.turns[:count])[0]
        state = position.state
        return Target(frozenset(
            (o, k, s) for s, (o, k) in enumerate(zip(state.owner, state.piece, strict=True))
            if o in self.goals.solvers))

    def _as_turns(self, legs: tuple[int, ...]) -> Turns:
        position, turns, turn = self.start, [], []
        for number in legs:
            position = position.play(position.moves()[number])
            turn.append(number)
            if not position.in_turn:
                turns.append(tuple(turn))
                turn = []
        return tuple(turns)

    def _play(self, turns: Turns) -> tuple[Position, list[list[Move]]]:
        position, played = self.start, []
        for legs in turns:
            moves = []
            for number in legs:
                moves.append(position.moves()[number])
                position = position.play(moves[-1])
            played.append(moves)
        return position, played

    def _store(self, turns: Turns) -> bool:
        """Store a solution if it is the best, after replaying it in the game itself; return whether it is."""
        end, played = self._play(turns)
        outcome = end.outcome()
        if outcome is None or not set(outcome.winners) & {self.start.game.program.game.players[p].name
                                                          for p in self.goals.solvers}:
            raise ZrfError([Diagnostic("internal", "the solver returned an invalid solution", None)])
        cost, score = self.measure.of(end, [len(legs) for legs in turns])
        if self.best is not None and cost >= self.best.cost:
            return False
        legs = sum(1 for moves in played for move in moves if not move.raw.is_pass)
        self.best = Solution(end, cost, len(turns), legs, _runs(played), score)
        if self.measure.kind == TURNS and len(turns) <= self.goals.least_turns():
            self.complete, self.best = True, replace(self.best, shortest=True)
        self.turns = turns
        self._report("just found", self.visited, at_once=True)
        return True

    def _in_time(self) -> bool:
        return clock.monotonic() < self.until

    def _report(self, doing: str, visited: int, at_once: bool = False) -> None:
        now = clock.monotonic()
        if self.tell is not None and (at_once or now - self._reported > 0.1):
            self._reported = now
            self.tell(Progress(doing, visited, self.best, now - self.began))


def _runs(played: list[list[Move]]) -> int:
    """Count the turns; consecutive turns of the same piece count as one."""
    runs, at = 0, -1
    for moves in played:
        runs += moves[0].raw.key[0] != at or at < 0
        at = next((m.raw.key[1] for m in reversed(moves) if not m.raw.is_pass), -1)
    return runs


__all__ = ["Progress", "Solution", "SolverResult", "solve"]
