"""Matches of two players: groups of games from one opening, in which the players swap seats.

A group of a two-sided game is a pair. With more sides, a group has one game for each assignment of seats in which both
players take part; over a group, equal players score one half. An opening is a few random turns after which the game is
still open. Random games, or a search if a margin is given, decide how even an opening is.

`contest` plays a match of a program; with an `Sprt`, it ends once that is decided.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from operator import itemgetter
from random import Random
from statistics import mean
from typing import Any

from zrf_py.batch.contestants import NO_LIMITS, Contestant, PlayerLimits, check_game, check_opponent, contestant
from zrf_py.batch.elo import Rating, rate
from zrf_py.batch.games import Played, Watcher, play, still_in, winners
from zrf_py.batch.jobs import Job, Result, seeded
from zrf_py.batch.outside import OutsidePlayer
from zrf_py.batch.runner import run
from zrf_py.batch.sprt import Run, Sprt, mean_score, pentanomial
from zrf_py.batch.store import Store
from zrf_py.batch.workers import Workers, open_workers
from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import is_quick, playouts
from zrf_py.run.position import Position
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.grouping import by_key

MAX_TURNS = 1000
Watching = Callable[[Position], Watcher]
"""Factory of a watcher for a game, given the position after its opening."""
OPENING = 4
"""Default number of turns of an opening."""
TRIES, MANY_TRIES = 6, 24
"""Maximum numbers of candidates for an opening: if random games rate them, and if a search does. See `opening`."""
NODES = 2500
"""Positions visited by the search that rates an opening."""
PLAYOUTS = 60
PLAYOUT_PLIES = 400


def opening(engine: Engine, seed: int, number: int, turns: int, margin: float | None = None) -> Played:
    """Return opening `number`: `turns` random turns from the start (fewer if the game ends).

    With a `margin`, it is the first of `MANY_TRIES` candidates whose search value is at most `margin` from 0 (in
    hundredths, like `Analysis.value`), or else the one nearest to 0. Without a margin, it is the one of `TRIES`
    candidates after which the sides win random games most evenly, if the engine plays random games fast. No opening
    ends the game or allows a move that does, unless all candidates do.
    """
    candidates: list[tuple[float, Played]] = []
    for attempt in range(0 if not turns else TRIES if margin is None else MANY_TRIES) or range(1):
        random = seeded(seed, "opening", number, attempt)
        played = play(engine, engine.start(), {}, random, turns)
        candidates.append((_unevenness(engine, played, random, margin), played))
        if candidates[-1][0] == 0.0:
            break
    return min(candidates, key=itemgetter(0))[1]


def _unevenness(engine: Engine, played: Played, random: Random, margin: float | None = None) -> float:
    """Return the unevenness of an opening: 0 (even) to 1; above 1 if the game is over or a move can end it at once."""
    if played.outcome is not None:
        return 3.0
    if any(engine.outcome(engine.after(played.end, move)) is not None for move in engine.moves(played.end)):
        return 2.0
    if margin is not None:
        value = search_for(engine.program).analyse(played.end, (), Limits(nodes=NODES)).value
        return 0.0 if abs(value) <= margin else 1 - margin / abs(value)
    if not is_quick(engine):
        return 0.0
    games = playouts(engine, PLAYOUTS, random.getrandbits(60), PLAYOUT_PLIES, played.end)
    won = [sum(games.won[player] for player in side) / len(side) for side in engine.program.game.sides]
    return (max(won) - min(won)) / PLAYOUTS if won else 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """Two players (`names`) and settings; a game cut off after `max_turns` turns counts as drawn. `margin` as in
    the function `opening`; None: openings are rated by random games."""

    names: tuple[str, str]
    limits: PlayerLimits = NO_LIMITS
    seed: int = 1
    opening: int = OPENING
    max_turns: int = MAX_TURNS
    margin: float | None = None

    def job(self, program: Program) -> Job:
        """Return the match as a job whose tasks are games.

        :raises ZrfError: like `check_game`; if a player is unknown or can't play this game, or there is no opponent.
        """
        check_game(program)
        if len(program.game.sides) < 2:
            raise ZrfError(f"`{program.game.title}` is for one player: there is no opponent for a match", "usage")
        for name in self.names:
            check_opponent(name, program, self.limits)
        return Job(one_game, program, self.parameters)

    @property
    def parameters(self) -> dict[str, Any]:
        """The match as parameters of a job whose games `seated_game` plays."""
        return {"names": list(self.names), "seconds": self.limits.seconds, "nodes": self.limits.nodes,
                "cpu_limit": self.limits.cpu, "seed": self.seed, "opening": self.opening, "max_turns": self.max_turns,
                "margin": self.margin}


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
    opponents: Sequence[Contestant | OutsidePlayer] = (),
) -> tuple[Result, Played]:
    """Like `one_game`, with a watcher from the end of the opening on; return the record of that part, too.

    :param opponents: the two players; default: those of `parameters["names"]`. They are closed at the end.
    """
    program = engine.program
    sides = program.game.sides
    assignments = seatings(len(sides)) or [(0,)]
    group, index = divmod(number, len(assignments))
    seed = parameters["seed"]
    begun = opening(engine, seed, group, parameters["opening"], parameters["margin"])
    limits = PlayerLimits(parameters["seconds"], parameters["nodes"], parameters["cpu_limit"])
    players = opponents or [contestant(name, engine, limits, begun) for name in parameters["names"]]
    seats = {seat: players[who] for side, who in zip(sides, assignments[index], strict=True) for seat in side}
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
    """Return the first player's points: shared if both have won, or if neither has won and both are still in the game;
    a player who has dropped out has lost, however the other sides finish."""
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

    :param workers: the processes that play; if None, one per processor is started, and closed at the end.
    :param store: where finished games are kept; None means in memory.
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
    """Return a run of `test` for a match of this game, without results so far."""
    return Run(test, len(seatings(len(program.game.sides))))


def standing(program: Program, results: Mapping[int, Result], test: Run | None = None) -> Standing:
    """Add up results (by game number) of a match; if `test` is decided, only those of the games that decided it."""
    if test and test.decision:
        results = {n: r for n, r in results.items() if n < test.games}
    good = {n: r for n, r in results.items() if "fault" not in r}
    size = len(seatings(len(program.game.sides)))
    groups = by_key((number // size, result["points"]) for number, result in good.items())
    points = [r["points"] for r in good.values()]
    cut_off = sum(r["cut_off"] and r["points"] == 0.5 for r in good.values())
    won_by = Counter(side for r in good.values() for side in r["won"])
    return Standing(
        rate(list(groups.values())), won=sum(p > 0.5 for p in points), lost=sum(p < 0.5 for p in points),
        drawn=sum(p == 0.5 for p in points) - cut_off, cut_off=cut_off, faults=len(results) - len(good),
        turns=mean(r["turns"] for r in good.values()) if good else 0.0,
        by_side=tuple((name, won_by[i]) for i, name in enumerate(program.game.side_names)),
        reasons=tuple(Counter(r["reason"] or "cut off" for r in good.values()).most_common()),
        pairs=pentanomial(Counter(mean_score(group) for group in groups.values() if len(group) == size == 2)),
        cpu=(_per_turn(good, 0), _per_turn(good, 1)),
        llr=test.llr if test else None, decision=test.decision if test else "",
    )


def _per_turn(results: Mapping[int, Result], who: int) -> float:
    """Return a player's processor seconds per turn; 0 if it had no turn, or they were not measured."""
    used: list[tuple[int, float]] = [result["used"][who] for result in results.values() if "used" in result]
    return sum(seconds for _, seconds in used) / max(1, sum(turns for turns, _ in used))
