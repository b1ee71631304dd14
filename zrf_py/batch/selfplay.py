"""Self-play games as training data: players, moves and rewards.

A task of the job is a few games. Each game is seeded by its own number, so that a file of 1,000 games begins with the
games of a file of 100.
"""

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from zrf_py.batch.contestants import check_game
from zrf_py.batch.games import play
from zrf_py.batch.jobs import Job, Result, seeded
from zrf_py.envs.actions import Actions
from zrf_py.ir.ops import Program
from zrf_py.play.notation import move_text
from zrf_py.play.players import Choose, Searching, player, random_turn
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Outcome, Position
from zrf_py.text.diagnostics import ZrfError

CHUNK = 20
"""Games per task; only one if a searching player takes part."""

Row = dict[str, Any]
"""A game: the values of `COLUMNS`, and for each of `LEG_COLUMNS` a list with one element per leg."""

COLUMNS, LEG_COLUMNS = json.loads(Path(__file__).with_name("columns.json").read_text("utf-8")).values()
"""Names and explanations of the columns: of a game, and of its legs."""


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Settings; `names` are the players: one for each seat, or one for all."""

    names: tuple[str, ...]
    seed: int = 1
    opening: int = 4
    max_turns: int = 1000

    def job(self, program: Program) -> Job:
        """Return the games as a job.

        :raises ZrfError: like `check_game`; if a player is unknown, or their number does not fit the seats.
        """
        for name in self.names:
            player(name)
        check_game(program)
        seats = program.game.seats
        if len(self.names) not in (1, len(seats)):
            seat_names = ", ".join(program.game.players[seat].name for seat in seats)
            raise ZrfError(f"there are {len(self.names)} players for the {len(seats)} seats of `{program.game.title}`",
                           "usage", help=f"give one for all, or one for each of {seat_names}, separated by commas")
        names = self.names * len(seats) if len(self.names) == 1 else self.names
        return Job(some_games, program, {
            "names": list(names), "chunk": 1 if any(n.startswith("ai") for n in names) else CHUNK, "seed": self.seed,
            "opening": self.opening, "max_turns": self.max_turns,
        })


def tasks_of(job: Job, games: int) -> int:
    """Return the number of tasks for at least `games` games."""
    return -(-games // int(job.parameters["chunk"]))


def is_timed(names: Sequence[str]) -> bool:
    """Return whether a player is limited by a clock, so that games are not reproducible."""
    players = [player(name) for name in names]
    return any(isinstance(p, Searching) and p.limits.seconds is not None for p in players)


def some_games(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """Play the games of a task; return their rows compressed, as `rows_of` reads them from the file of results."""
    size = parameters["chunk"]
    rows = [one_game(engine, parameters, number * size + i) for i in range(size)]
    text = json.dumps(rows, separators=(",", ":"))
    return {"games": size, "rows": base64.b85encode(zlib.compress(text.encode(), 6)).decode()}


def one_game(engine: Engine, parameters: Mapping[str, Any], number: int) -> Row:
    """Play one game; return its row."""
    program, opening = engine.program, parameters["opening"]
    legs = _Legs(program)
    players = {seat: opened(player(name), opening)
               for seat, name in zip(program.game.seats, parameters["names"], strict=True)}
    random = seeded(parameters["seed"], "selfplay", number)
    played = play(engine, engine.start(), players, random, parameters["max_turns"], legs.note)
    return {
        "game": number, "players": parameters["names"], "reward": rewards(program, played.outcome),
        "reason": played.outcome.reason if played.outcome else "", "cut_off": played.outcome is None,
        "turns": played.turns, "opening": min(opening, played.turns), **legs.rows,
    }


def opened(choose: Choose, turns: int) -> Choose:
    """Wrap a player so that it moves at random while fewer than `turns` turns have been played."""
    def turn(engine: Engine, position: Position, random: Random, past: Sequence[Position] = ()) -> tuple[Move, ...]:
        return (random_turn if len(past) < turns else choose)(engine, position, random, past)

    return turn


def rewards(program: Program, outcome: Outcome | None) -> list[int]:
    """Return the reward of each seat: 1, -1 or 0; all players of a side have the same."""
    return [outcome.points(*program.game.team(seat)) if outcome else 0 for seat in program.game.seats]


class _Legs:
    """Collects the columns of a game's legs."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.seats = {player: seat for seat, player in enumerate(program.game.seats)}
        self.actions = actions_of(program)
        self.rows: dict[str, list[Any]] = {name: [] for name in LEG_COLUMNS}

    def note(self, position: Position, moves: Sequence[Move], leg: Move, after: Position) -> None:
        """Record a leg; serves as a `Watcher`."""
        rows, mover = self.rows, self.program.game.turns[position.turn].mover
        rows["player"].append(self.seats.get(mover, -1))
        rows["move"].append(moves.index(leg))
        rows["legal"].append(len(moves))
        rows["action"].append(self.actions.number(leg, tuple(moves)))
        rows["text"].append(move_text(self.program, position, leg))


actions_of = lru_cache(maxsize=4)(Actions.of)


def rows_of(results: Mapping[int, Result], games: int) -> Iterator[Row]:
    """Yield the rows of games 0 … `games` - 1, in order, without those of tasks that failed."""
    for number in sorted(results):
        if "fault" not in results[number]:
            for row in json.loads(zlib.decompress(base64.b85decode(results[number]["rows"]))):
                if row["game"] < games:
                    yield row
