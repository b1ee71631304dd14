"""Collect statistics of a game in progress: choices; pieces, blocks and squares used; leads."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from zrf_py.batch.games import Played, mover_of
from zrf_py.batch.judge.blocks import BlockFinder
from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import Program
from zrf_py.run import goals
from zrf_py.run.diff import move_diff
from zrf_py.run.position import NEW, NOBODY, Move, Position
from zrf_py.search.chance import is_drawn

Evaluator = Callable[[Position], Sequence[float]]
"""Function from a position to a value for each side, in any scale; more is better."""

LOOKS = 24
"""Maximum number of evaluations of the lead per game; a longer game drops every second one and halves the rate."""
TENTHS = 10
ALL_CHOICES = 7
"""Interval, in legs, between records of the blocks that offer a legal move."""


@lru_cache(maxsize=4)
def finder_for(program: Program) -> BlockFinder:
    return BlockFinder(program)


class Notes:
    """Collector for one game; `watch` is called with each leg."""

    def __init__(self, program: Program, start: Position, evaluator: Evaluator | None = None) -> None:
        self.program = program
        self.evaluator = evaluator
        self.finder = finder_for(program)
        self.choices: list[int] = []
        """Number of legal moves (or first legs) at each turn of a player."""
        self.legs = 0
        self.longest = 0
        self.captured: Counter[int] = Counter()
        self.moved: Counter[int] = Counter()
        self.made: Counter[int] = Counter()
        self.used: Counter[int] = Counter()
        self.acted: set[int] = set()
        self.passed: set[int] = set()
        self.offered: set[int] = set()
        self.arrived: Counter[int] = Counter()
        self.present = {k for k, owner in zip(start.piece, start.owner, strict=True) if owner != NOBODY}
        self.held = {s for s, owner in enumerate(start.owner) if owner != NOBODY}
        self.seen: set[object] = {start.key()}
        self.again = 0
        self.leads: list[tuple[int, tuple[float, ...]]] = []
        self._every = 1
        self._leg = 0

    def watch(self, before: Position, moves: Sequence[Move], move: Move, after: Position) -> None:
        if is_drawn(self.program, before):  # a throw of dice is not a choice
            self._count(before, move, after)
            return
        if before.chain is None:
            self._turn(before)
            self.choices.append(len(moves))
        if self.legs % ALL_CHOICES == 0 and len(self.offered) < len(self.finder.blocks):
            side = self.program.game.turns[before.turn].side
            self.offered.update(self.finder.possible(before, side, frozenset(moves)))
        self.legs += 1
        self._leg += 1
        self.longest = max(self.longest, self._leg)
        self._count(before, move, after)
        if after.chain is None:
            key = after.key()
            self.again += key in self.seen
            self.seen.add(key)

    def _turn(self, before: Position) -> None:
        turn = len(self.choices)
        self._leg = 0
        if self.evaluator and turn % self._every == 0:
            self.leads.append((turn, tuple(round(float(worth), 4) for worth in self.evaluator(before))))
            if len(self.leads) > LOOKS:
                self.leads = self.leads[::2]
                self._every *= 2

    def _count(self, before: Position, move: Move, after: Position) -> None:
        (self.passed if move.is_pass else self.acted).add(mover_of(self.program, before))
        generators = self.finder.of(before, move)
        self.used.update(generators)
        if not move.movements:  # a throw of dice counts as a move of the die
            self.moved.update({self.finder.blocks[number].piece for number in generators})
        for _, start, end, kind in move.movements:
            self.moved[before.piece[start] if start >= 0 else kind] += 1
            self.arrived[end] += 1
        for square, origin, _, kind in move_diff(self.program, before, move).men:
            self.held.add(square)
            self.present.add(kind)
            if origin != NEW and kind != before.piece[origin]:
                self.made[kind] += 1
        self.captured.update(kind for _, kind in after.taken[len(before.taken) if before.chain else 0 :])

    def result(self, played: Played) -> dict[str, Any]:
        """Return the notes as JSON data; counts are lists of [number, count]."""
        turns = len(self.choices)
        return {
            "choices": sum(self.choices), "forced": self.choices.count(1), "most": max(self.choices, default=0),
            "profile": _profile(self.choices), "watched": turns, "legs": self.legs, "longest": self.longest,
            "acted": sorted(self.acted), "passed": sorted(self.passed), "offered": sorted(self.offered),
            "captures": self.captured.total(), "captured": _pairs(self.captured), "moved": _pairs(self.moved),
            "made": _pairs(self.made), "used": _pairs(self.used), "arrived": _pairs(self.arrived),
            "present": sorted(self.present), "held": sorted(self.held), "again": self.again, "leads": self.leads,
            "ends": ended_by(self.program, played),
        }


def _profile(choices: Sequence[int]) -> list[float]:
    """Return the mean number of choices in each tenth of a game; empty for very short games."""
    count = len(choices)
    if count < TENTHS:
        return []
    parts = [choices[i * count // TENTHS : (i + 1) * count // TENTHS] for i in range(TENTHS)]
    return [round(sum(part) / len(part), 2) for part in parts]


def _pairs(counts: Counter[int]) -> list[list[int]]:
    return [[key, count] for key, count in sorted(counts.items())]


def ended_by(program: Program, played: Played) -> list[int]:
    """Return the numbers of the end conditions met at the end; none if a default rule or nothing ended the game."""
    if played.outcome is None:
        return []
    players = [p for side in program.game.sides for p in side]
    numbers = []
    for number, end in enumerate(program.game.ends):
        affected = players if end.players is None else end.players
        if goals.asks_state(end.goal):
            holds = played.outcome.reason in _states(end.goal)
        else:
            holds = any(goals.holds(program, played.end, end.goal, player) for player in affected)
        if holds:
            numbers.append(number)
    return numbers


def _states(goal: model.Goal) -> set[str]:
    """Return the reasons of outcomes, such as "stalemated", that belong to a goal."""
    words = {part.word for part in leaves(goal) if isinstance(part, model.StateGoal)}
    return words | {"checkmated" for part in leaves(goal) if isinstance(part, model.Taken) and part.royal}
