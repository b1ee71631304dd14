"""Puzzles: games of one player, solved in the fewest moves or improved upon for as long as there is time.

What counts is what the rules file says: the score, if it names one, else complete turns. First the puzzle is gone
through breadth first, in case it is small: then the shortest solution is known to be. Otherwise solutions are looked
for depth first and with beams that grow wider, each with another heuristic (see `heuristic.py`), and the best one is
improved: parts of it are looked for once more, from a position on the way to a later one.
"""

import random
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, replace

from zrf_py.play.game import Move, Position
from zrf_py.solve.beam import Beam, Sweep
from zrf_py.solve.cost import TURNS, Measure, measure
from zrf_py.solve.heuristic import GoalFacts, Heuristic, Target
from zrf_py.solve.state_space import Node, StateSpace, state_space
from zrf_py.text.diagnostics import Diagnostic, ZrfError

SMALL = 3_000
"""Positions of the same cost up to which a puzzle is gone through as a whole before anything else is tried. All work is
measured in positions and not by the clock, so that the same seed finds the same; the clock only ends it."""
LARGE = 3_000_000
TABLE_BITS = 22
ENDLESS = 1 << 40
Tell = Callable[["Progress"], None]


@dataclass(frozen=True)
class Solution:
    """A way from `start` to `end`, which is solved there.

    `cost` is what is to be made small. `runs` counts several turns in a row with the same piece once. `shortest` says
    that there is no better one.
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
    """What is being tried, the positions seen in all, the best solution so far, and seconds since the beginning."""

    doing: str
    visited: int
    best: Solution | None
    seconds: float


@dataclass(frozen=True)
class Answer:
    """The best solution, None if none was found; whether the puzzle was gone through as a whole; how it went."""

    solution: Solution | None
    complete: bool
    visited: int
    seconds: float
    interrupted: bool = False


def solve(
    position: Position, *, seconds: float = 60.0, shortest: bool = False, seed: int = 0, tell: Tell | None = None,
) -> Answer:
    """
    Solve a puzzle from a position on. Chance that comes first, such as a random set-up, is drawn with `seed`.

    Without a score in its rules a puzzle is solved once a solution is found, unless the `shortest` is asked for; with
    one it is improved upon until the time is over. Ctrl-C ends the search and keeps what was found.

    :raises ZrfError: if it is not a game for one, or chance goes on after the solver's first move.
    """
    work = _Work(_after_chance(position, seed), seconds, seed, tell)
    interrupted = False
    try:
        work.run(shortest)
    except KeyboardInterrupt:
        interrupted = True
    return Answer(work.best, work.complete, work.visited, clock.monotonic() - work.began, interrupted)


def _after_chance(position: Position, seed: int) -> Position:
    """The position in which the solver begins."""
    players = position.game.program.game.players
    solvers = [p for p in players if p.kind == "player"]
    if len(solvers) != 1:
        raise ZrfError([Diagnostic("not-a-puzzle", f"{position.game.title} is a game for {len(solvers)} players", None,
                                   help="`zrf solve` is for games of one player")])
    draw = random.Random(seed)
    while position.outcome() is None and position.player.startswith("?"):
        position = position.play(draw.choice(position.moves()))
    return position


class _Work:
    """A search under way."""

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
        self.turns: tuple[tuple[int, ...], ...] = ()
        """The best solution, by numbers of legs."""
        self.heuristic = Heuristic()
        self.complete = False
        self.visited = 0
        self._told = 0.0
        self.began = clock.monotonic()
        """Now that everything is made ready: making machine code isn't what the time is given for."""
        self.until = self.began + seconds

    # ---------------------------------------------------------------------------------------------------------- plan

    def run(self, shortest: bool) -> None:
        if self.start.outcome() is not None:
            self.complete = True
            return
        self._whole(LARGE if shortest else SMALL)
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
        """Look for a first solution: depth first and with a beam, each longer than the last time."""
        heuristic = Heuristic(unmet=float(self.goals.has_parts)) if turn == 0 else self._any_heuristic()
        if not self.measure.scored:
            self._depth_first(heuristic if turn % 2 else None, 500_000 << min(turn // 4, 10))
        if self.best is None:
            self._sweep(heuristic, (64 if self.measure.scored else 250) << min(turn // 3, 10))

    def _improve(self, turn: int) -> None:
        """Look for a better one: all of it with another heuristic, or a part of it."""
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

    # --------------------------------------------------------------------------------------------------------- methods

    def _whole(self, width: int) -> None:
        """Breadth first, for as long as nothing has to be left out."""
        beam = self._beam(width, "breadth first")
        beam.only_whole = True
        self._aim(Heuristic(0, 1, 0, 0, 0))
        found = beam.sweep(self.root)
        self.visited += found.visited
        if found.turns is not None:
            self._keep(found.turns)
        if found.complete and (self.best is None or self.measure.adds_up):
            self.complete = True
            if self.best is not None:
                self.best = replace(self.best, shortest=True)

    def _depth_first(self, heuristic: Heuristic | None, most: int) -> None:
        """Depth first, with or without an idea of what is good, over so many positions."""
        self._aim(heuristic or Heuristic(0, 1, 0, 0, 0, 0.0))

        def slices(visited: int) -> int:
            self._say("depth first", self.visited + visited)
            self._seen = visited
            return min(50_000, most - visited) if self._in_time() else 0

        self.space.limit(self.goals.only.turns)
        legs, nothing = self.space.depth_first(self.root, self.draw.getrandbits(40), TABLE_BITS, slices)
        self.visited += self._seen
        if legs is not None:
            self._keep(self._as_turns(legs))
        elif nothing:
            self.complete = True

    def _sweep(self, heuristic: Heuristic, width: int) -> None:
        """A beam over the whole puzzle."""
        self._aim(heuristic)
        found = self._beam(width, f"beam {width}").sweep(self.root)
        self.visited += found.visited
        if found.turns is not None and self._keep(found.turns):
            self.heuristic = heuristic

    def _again(self, width: int) -> None:
        """The best solution up to some position, then a beam."""
        cut = self.draw.randrange(len(self.turns))
        node, cost = self._at(cut)
        near = self.heuristic.varied(self.draw, len(self.goals.targets))
        self._aim(self._any_heuristic() if self.draw.random() < 0.5 else near)
        beam = self._beam(width * 2, f"ending after {cut} turns", bound=self._bound() - cost)
        self._replace(beam.sweep(node), cut, len(self.turns))

    def _shortcut(self, width: int) -> None:
        """A shorter way between two positions of the best solution."""
        length = len(self.turns)
        begin = self.draw.randrange(length)
        end = min(length, begin + self.draw.randint(3, 14))
        if end >= length:
            return
        node, cost = self._at(begin)
        goal, there = self._at(end)
        self._aim(replace(self._any_heuristic(), target=0), self._as_target(end))
        beam = self._beam(width, f"shortcut from turn {begin} to {end}", bound=there - cost, whole=False)
        beam.goal = self.space.key(goal)
        self._replace(beam.sweep(node), begin, end)

    # ------------------------------------------------------------------------------------------------------------ tools

    def _aim(self, heuristic: Heuristic, target: Target | None = None) -> None:
        self.space.aim(self.goals.table(heuristic, target), round(1000 * heuristic.unmet))

    def _beam(self, width: int, doing: str, bound: int | None = None, whole: bool = True) -> Beam:
        def go_on(cost: int, visited: int) -> bool:
            self._say(f"{doing}, at {cost}", self.visited + visited)
            return self._in_time()

        self.space.limit(self._limit() if whole else 0)
        return Beam(self.space, width, self.measure.cost, self._bound() if bound is None else bound, go_on)

    def _limit(self) -> int:
        """How many turns a better solution has at most; 0 for any number."""
        most = self.goals.only.turns
        if self.best is not None and self.measure.kind == TURNS and not most:
            most = self.best.turns - 1
        return most

    def _bound(self) -> int:
        """What a solution must cost less than."""
        return self.best.cost if self.best is not None and self.measure.adds_up else ENDLESS

    def _replace(self, found: Sweep, begin: int, end: int) -> None:
        """Put turns that were found in the place of some of the best solution."""
        self.visited += found.visited
        if found.turns is not None:
            self._keep(self.turns[:begin] + found.turns + self.turns[end:])

    def _at(self, count: int) -> tuple[Node, int]:
        """The position after so many turns of the best solution, and what it cost to come there."""
        node = self.root
        for legs in self.turns[:count]:
            node = self.space.after_legs(node, legs)
        return node, sum(self.measure.cost(len(legs)) for legs in self.turns[:count])

    def _as_target(self, count: int) -> Target:
        """The position after so many turns of the best solution, as something to aim at."""
        position = self._play(self.turns[:count])[0]
        state = position.state
        return Target(frozenset(
            (o, k, s) for s, (o, k) in enumerate(zip(state.owner, state.piece, strict=True))
            if o in self.goals.solvers))

    def _as_turns(self, legs: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        position, turns, turn = self.start, [], []
        for number in legs:
            position = position.play(position.moves()[number])
            turn.append(number)
            if not position.in_turn:
                turns.append(tuple(turn))
                turn = []
        return tuple(turns)

    def _play(self, turns: tuple[tuple[int, ...], ...]) -> tuple[Position, list[list[Move]]]:
        position, played = self.start, []
        for legs in turns:
            moves = []
            for number in legs:
                moves.append(position.moves()[number])
                position = position.play(moves[-1])
            played.append(moves)
        return position, played

    def _keep(self, turns: tuple[tuple[int, ...], ...]) -> bool:
        """Remember a solution if it is the best; the rules are asked once more whether it is one."""
        end, played = self._play(turns)
        outcome = end.outcome()
        if outcome is None or not set(outcome.winners) & {self.start.game.program.game.players[p].name
                                                          for p in self.goals.solvers}:
            raise ZrfError([Diagnostic("internal", "a solution was found that is none", None)])
        cost, score = self.measure.of(end, [len(legs) for legs in turns])
        if self.best is not None and cost >= self.best.cost:
            return False
        legs = sum(1 for moves in played for move in moves if not move.raw.is_pass)
        self.best = Solution(end, cost, len(turns), legs, _runs(played), score)
        if self.measure.kind == TURNS and len(turns) <= self.goals.least_turns():
            self.complete, self.best = True, replace(self.best, shortest=True)
        self.turns = turns
        self._say("", self.visited, at_once=True)
        return True

    def _in_time(self) -> bool:
        return clock.monotonic() < self.until

    def _say(self, doing: str, visited: int, at_once: bool = False) -> None:
        now = clock.monotonic()
        if self.tell is not None and (at_once or now - self._told > 0.1):
            self._told = now
            self.tell(Progress(doing, visited, self.best, now - self.began))


def _runs(played: list[list[Move]]) -> int:
    """How many turns there are if several in a row with the same piece are counted once."""
    runs, at = 0, -1
    for moves in played:
        runs += moves[0].raw.key[0] != at or at < 0
        at = next((m.raw.key[1] for m in reversed(moves) if not m.raw.is_pass), -1)
    return runs


__all__ = ["Answer", "Progress", "Solution", "solve"]
