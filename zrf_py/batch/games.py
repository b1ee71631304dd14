"""Play games between given players, recorded as the numbers of their moves, with a callback for each leg; play random
games in bulk, as jobs of many chunks, and add up their results."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from zrf_py.batch.jobs import Job, Result, seeded
from zrf_py.ir.ops import Program
from zrf_py.play.game import Game
from zrf_py.play.game import Position as GamePosition
from zrf_py.play.players import Choose, random_turn
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import Playouts, playouts
from zrf_py.run.position import Move, Outcome, Position

CHUNK = 100
"""Games per chunk: a fraction of a second of work where the engine is fast."""
Watcher = Callable[[Position, Sequence[Move], Move, Position], None]
"""Callback for each leg: position, legal legs, leg played, position after it."""

class Forfeit(Exception):
    """A player makes no legal move, or its program fails, so it loses the game; the text is the reason."""


Seats = Mapping[int, Choose]
"""Player functions by player number; those not listed (chance) play at random."""


@dataclass(frozen=True, slots=True)
class Played:
    """Record of a game: `moves` are indices in the legal moves of each position; `outcome` None: cut off."""

    moves: tuple[int, ...]
    turns: int
    outcome: Outcome | None
    end: Position


def play(
    engine: Engine, start: Position, seats: Seats, random: Random, max_turns: int, watcher: Watcher | None = None,
) -> Played:
    """Play from a position to the end of the game, at most `max_turns` turns; return the record of the game.

    :raises RulesFault: if a block of the rules does not terminate in a position.
    """
    position, turns = start, 0
    numbers: list[int] = []
    past: list[Position] = []
    seen: Counter[object] = Counter([start.key()])
    while (outcome := engine.outcome(position, seen[position.key()])) is None and turns < max_turns:
        mover = mover_of(engine.program, position)
        try:
            legs = seats.get(mover, random_turn)(engine, position, random, past)
        except Forfeit as why:
            outcome = Outcome((), (mover,), str(why))
            break
        past.append(position)
        for leg in legs:
            moves = engine.moves(position)
            after = engine.after(position, leg)
            numbers.append(moves.index(leg))
            if watcher:
                watcher(position, moves, leg, after)
            position = after
        turns += 1
        if position.chain is None:
            seen[position.key()] += 1
        elif not legs:
            break
    return Played(tuple(numbers), turns, outcome, position)


def mover_of(program: Program, position: Position) -> int:
    """Return the player to move."""
    return program.game.turns[position.turn].mover


def winners(program: Program, outcome: Outcome | None) -> tuple[int, ...]:
    """Return the numbers of the `sides` that won; empty for a draw or a game that was cut off."""
    return tuple(number for number, side in enumerate(program.game.sides) if outcome and outcome.is_won_by(*side))


def still_in(program: Program, end: Position) -> tuple[int, ...]:
    """Return the numbers of the `sides` that haven't dropped out of the game."""
    return tuple(number for number, side in enumerate(program.game.sides) if not end.out.issuperset(side))


def replayed(game: Game, moves: Iterable[int]) -> GamePosition:
    """Replay a game from its move numbers; return the last position, with its history."""
    position = game.start()
    for number in moves:
        position = position.play(position.moves()[number])
    return position


def chunk(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """Play the games of one chunk; return the fields of their `Playouts`."""
    seed = seeded(parameters["seed"], "chunk", number).getrandbits(62)
    return asdict(playouts(engine, parameters["chunk"], seed, parameters["max_plies"]))


def bulk_job(program: Program, games: int, seed: int = 1, max_plies: int = 2000, size: int = CHUNK) -> tuple[Job, int]:
    """Return a job of at least `games` random games, played in chunks of equal size, and its number of tasks."""
    parameters = {"chunk": size, "seed": seed, "max_plies": max_plies}
    return Job(chunk, program, parameters), -(-games // size)


def total(results: Iterable[Result]) -> Playouts:
    """Add up the chunks, without those that failed."""
    good = [r for r in results if "fault" not in r]
    won = [sum(counts) for counts in zip(*(r["won"] for r in good), strict=True)]
    games, plies, drawn, cut_off = (sum(r[name] for r in good) for name in ("games", "plies", "drawn", "cut_off"))
    return Playouts(games, plies, tuple(won), drawn, cut_off)
