"""Matches of two players: groups of games from one opening, in which the players swap seats.

A group of a two-sided game is a pair. With more sides a group has a game for each assignment of the two players to the
seats that gives neither all of them; over a group, equal players score one half.

`contest` plays a match of a program; with an `Sprt`, it ends once that is decided.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import mean
from typing import Any

from zrf_py.batch.contestants import NO_LIMITS, Contestant, PlayerLimits, check_opponent, contestant
from zrf_py.batch.elo import Rating, rate
from zrf_py.batch.games import Played, Watcher, play, sides, still_in, winners
from zrf_py.batch.jobs import Job, Result, seeded
from zrf_py.batch.openings import opening
from zrf_py.batch.outside import OutsidePlayer
from zrf_py.batch.runner import run
from zrf_py.batch.sprt import Run, Sprt, mean_score, pentanomial
from zrf_py.batch.store import Store
from zrf_py.batch.workers import Workers, open_workers
from zrf_py.ir.ops import Program
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
    """Two players (`names`) and settings; a game cut off after `max_turns` turns counts as drawn. `margin` as in
    `openings.opening`; None: openings are rated by random games."""

    names: tuple[str, str]
    limits: PlayerLimits = NO_LIMITS
    seed: int = 1
    opening: int = OPENING
    max_turns: int = MAX_TURNS
    margin: float | None = None

    def job(self, program: Program) -> Job:
        """Return the match as a job whose tasks are games.

        :raises ZrfError: if a player is unknown, or the game has only one side.
        """
        if len(sides(program)) < 2:
            raise ZrfError(f"`{program.game.title}` is for one player: there is no opponent for a match", "usage")
        for name in self.names:
            check_opponent(name, program, self.limits)
        return Job(one_game, program, {
            "names": list(self.names), "seconds": self.limits.seconds, "nodes": self.limits.nodes, "seed": self.seed,
            "opening": self.opening, "max_turns": self.max_turns,
            "cpu_limit": self.limits.cpu, "margin": self.margin,
        })


def seatings(count: int) -> list[tuple[int, ...]]:
    """Return all assignments of both players (0, 1) to `count` seats; each is followed by its complement."""
    assignments = [way for way in product((0, 1), repeat=count) if len(set(way)) == 2]
    half = [way for way in assignments if way[0] == 0]
    return [seating for way in half for seating in (way, tuple(1 - seat for seat in way))]


def one_game(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """Play one game of the match: `points` (0 to 1) are the first player's, `moves` include the opening."""
    return seated_game(engine, parameters, number)[0]


def seated_game(
    engine: Engine, parameters: Mapping[str, Any], number: int, watching: Watching | None = None,
    given: Sequence[Contestant | OutsidePlayer] = (),
) -> tuple[Result, Played]:
    """Like `one_game`, with a watcher from the end of the opening on; return the record of that part, too.

    :param given: the two players; default: those of `parameters["names"]`. They are closed at the end.
    """
    program = engine.program
    assignments = seatings(len(sides(program))) or [(0,)]
    group, index = divmod(number, len(assignments))
    seed = parameters["seed"]
    begun = opening(engine, seed, group, parameters["opening"], parameters.get("margin"))
    limits = PlayerLimits(parameters["seconds"], parameters["nodes"], parameters.get("cpu_limit"))
    players = given or [contestant(name, engine, limits, begun) for name in parameters["names"]]
    seats = {seat: players[who] for side, who in zip(sides(program), assignments[index], strict=True) for seat in side}
    watcher = watching(begun.end) if watching else None
    try:
        played = play(engine, begun.end, seats, seeded(seed, "game", number), parameters["max_turns"], watcher)
    finally:
        for one in players:
            one.close()
    return {
        "games": 1, "seats": assignments[index], "won": winners(program, played.outcome),
        "points": points_of(program, played, assignments[index]),
        "reason": played.outcome.reason if played.outcome else "", "cut_off": played.outcome is None,
        "turns": begun.turns + played.turns, "opening": len(begun.moves), "moves": [*begun.moves, *played.moves],
        "used": [[p.turns, round(p.seconds, 6)] for p in players],
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

    Games that were cut off do not count as `drawn`. `by_side` holds (side, games it won), whoever played it. `pairs`
    counts complete pairs that scored 0, ½, 1, 1½ and 2 points (groups of more games aren't counted there); `cpu` holds
    both players' processor seconds per turn. `llr` and `decision` ("H0", "H1", "": open) are those of a test.
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
    pairs: tuple[int, ...]
    cpu: tuple[float, float]
    llr: float | None = None
    decision: str = ""


def contest(
    program: Program, match: Match, games: int, test: Sprt | None = None, workers: Workers | None = None,
    store: Store | None = None,
) -> Standing:
    """Play at most `games` games of a match, fewer if a test is decided earlier; return the totals.

    :param workers: the processes that play; None: as many as there are processors, closed at the end.
    :param store: where finished games are kept; None: in memory.
    :raises ZrfError: for the reasons of `Match.job` and `runner.run`.
    """
    under_way = begin(test, program) if test else None
    hands = workers or open_workers()
    try:
        results = run(match.job(program), games, store or Store(), hands, enough=under_way.add if under_way else None)
    finally:
        if not workers:
            hands.close()
    return standing(program, results, under_way)


def begin(test: Sprt, program: Program) -> Run:
    """Return a test for a match of this game, before its first result."""
    return Run(test, len(seatings(len(sides(program)))))


def standing(program: Program, results: Mapping[int, Result], test: Run | None = None) -> Standing:
    """Add up the results of a match, by game number; if `test` is decided, only of the games that decided it."""
    if test and test.decision:
        results = {n: r for n, r in results.items() if n < test.games}
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
        pairs=pentanomial(Counter(mean_score(group) for group in groups.values() if len(group) == size == 2)),
        cpu=(_per_turn(good, 0), _per_turn(good, 1)),
        llr=test.llr if test else None, decision=test.decision if test else "",
    )


def _per_turn(results: Mapping[int, Result], who: int) -> float:
    """Return a player's processor seconds per turn; 0 if it had no turn, or they were not measured."""
    used: list[tuple[int, float]] = [result["used"][who] for result in results.values() if "used" in result]
    return sum(seconds for _, seconds in used) / max(1, sum(turns for turns, _ in used))
