"""Matches of two players: groups of games from one opening, in which the players swap seats.

A group of a two-sided game is a pair. With more sides a group has a game for each assignment of the two players to the
seats that gives neither all of them; over a group, equal players score one half.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import mean
from typing import Any

from zrf_py.batch.contestants import NO_LIMITS, PlayerLimits, check_name
from zrf_py.batch.elo import Rating, rate
from zrf_py.batch.games import Played, Watcher, play, sides, still_in, winners
from zrf_py.batch.jobs import Job, Result, seeded
from zrf_py.batch.openings import opening
from zrf_py.ir.ops import Program
from zrf_py.play.players import player
from zrf_py.run.engine import Engine
from zrf_py.run.position import Position
from zrf_py.text.diagnostics import ZrfError

MAX_TURNS = 1000
Watching = Callable[[Position], Watcher]
"""Factory of a watcher for a game, given the position after its opening."""
OPENING = 4
"""Default number of turns of an opening."""


@dataclass(frozen=True, slots=True)
class Match:
    """Two players (`names`) and settings; a game cut off after `max_turns` turns counts as drawn."""

    names: tuple[str, str]
    limits: PlayerLimits = NO_LIMITS
    seed: int = 1
    opening: int = OPENING
    max_turns: int = MAX_TURNS

    def job(self, program: Program) -> Job:
        """Return the match as a job whose pieces are games.

        :raises ZrfError: if a player is unknown, or the game has only one side.
        """
        for name in self.names:
            check_name(name)
        if len(sides(program)) < 2:
            raise ZrfError(f"`{program.game.title}` is played alone: there is nobody to play a match against", "usage")
        return Job(one_game, program, {
            "names": list(self.names), "seconds": self.limits.seconds, "nodes": self.limits.nodes, "seed": self.seed,
            "opening": self.opening, "max_turns": self.max_turns,
        })


def seatings(count: int) -> list[tuple[int, ...]]:
    """Return all assignments of both players (0, 1) to `count` seats; each is followed by its complement."""
    assignments = [way for way in product((0, 1), repeat=count) if len(set(way)) == 2]
    half = [way for way in assignments if way[0] == 0]
    return [seating for way in half for seating in (way, tuple(1 - seat for seat in way))]


def one_game(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """Play one game of the match: `points` are the first player's, `moves` include the opening."""
    return seated_game(engine, parameters, number)[0]


def seated_game(
    engine: Engine, parameters: Mapping[str, Any], number: int, watching: Watching | None = None,
) -> tuple[Result, Played]:
    """Like `one_game`, with a watcher from the end of the opening on; return the record of that part, too."""
    program = engine.program
    assignments = seatings(len(sides(program))) or [(0,)]
    group, index = divmod(number, len(assignments))
    seed = parameters["seed"]
    begun = opening(engine, seed, group, parameters["opening"])
    players = [player(name, parameters["seconds"], parameters["nodes"]) for name in parameters["names"]]
    seats = {seat: players[who] for side, who in zip(sides(program), assignments[index], strict=True) for seat in side}
    watcher = watching(begun.end) if watching else None
    played = play(engine, begun.end, seats, seeded(seed, "game", number), parameters["max_turns"], watcher)
    return {
        "games": 1, "seats": assignments[index], "won": winners(program, played.outcome),
        "points": points_of(program, played, assignments[index]),
        "reason": played.outcome.reason if played.outcome else "", "cut_off": played.outcome is None,
        "turns": begun.turns + played.turns, "opening": len(begun.moves), "moves": [*begun.moves, *played.moves],
    }, played


def points_of(program: Program, played: Played, seating: Sequence[int]) -> float:
    """Return the first player's points: shared if both have won, or neither has and both are still in; a player who has
    dropped out has lost, however the other sides finish."""
    if won := winners(program, played.outcome):
        return mean(1 - seating[side] for side in won)
    left = {seating[side] for side in still_in(program, played.end)}
    return 1 - left.pop() if len(left) == 1 else 0.5


@dataclass(frozen=True, slots=True)
class Standing:
    """Totals of a match so far, for the first player.

    Games that were cut off do not count as `drawn`. `by_side` holds (side, games it won), whoever played it.
    """

    rating: Rating
    won: int
    lost: int
    drawn: int
    cut_off: int
    faults: int
    turns: float
    by_side: tuple[tuple[str, int], ...]
    reasons: tuple[tuple[str, int], ...]


def standing(program: Program, results: Mapping[int, Result]) -> Standing:
    """Add up the results of a match, given by game number."""
    good = {n: r for n, r in results.items() if "fault" not in r}
    size = len(seatings(len(sides(program))))
    groups: dict[int, list[float]] = {}
    for number, result in good.items():
        groups.setdefault(number // size, []).append(result["points"])
    points = [r["points"] for r in good.values()]
    cut_off = sum(r["cut_off"] and r["points"] == 0.5 for r in good.values())
    won_by = Counter(side for r in good.values() for side in r["won"])
    names = [" and ".join(program.game.players[p].name for p in side) for side in sides(program)]
    return Standing(
        rate(list(groups.values())), won=sum(p > 0.5 for p in points), lost=sum(p < 0.5 for p in points),
        drawn=sum(p == 0.5 for p in points) - cut_off, cut_off=cut_off, faults=len(results) - len(good),
        turns=mean(r["turns"] for r in good.values()) if good else 0.0,
        by_side=tuple((name, won_by[i]) for i, name in enumerate(names)),
        reasons=tuple(Counter(r["reason"] or "cut off" for r in good.values()).most_common()),
    )
