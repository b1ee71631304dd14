"""Two or more ways to choose turns → a game played between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Outcome, Position

Choose = Callable[[Engine, Position, Random, Sequence[Position]], tuple[Move, ...]]
"""(engine, position, chance, positions before it) → the legs of a turn."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game. `outcome` is None if it was cut off; `turns` counts complete turns."""

    outcome: Outcome | None
    turns: int
    moves: tuple[Move, ...]
    last: Position


def play_game(
    engine: Engine, players: Sequence[Choose], seed: int, random_turns: int = 0, most_turns: int = 400,
    start: Position | None = None,
) -> Played:
    """Play a game: `players[i]` chooses for player i of the rules file, chance for random players.

    The first `random_turns` turns are random, so that games differ; the same seed gives the same game, if the players
    choose the same. After `most_turns` turns the game is cut off.
    """
    random = Random(seed)
    program: Program = engine.program
    position = start or engine.start()
    past: list[Position] = []
    seen: dict[object, int] = {}
    moves: list[Move] = []
    turns = 0
    while True:
        key = position.key()
        occurred = seen[key] = seen.get(key, 0) + 1
        outcome = engine.outcome(position, occurred)
        if outcome is not None or turns >= most_turns:
            return Played(outcome, turns, tuple(moves), position)
        player = program.game.turns[position.turn].mover
        chance = program.game.players[player].kind == "random" or turns < random_turns
        legs = _random_turn(engine, position, random) if chance else players[player](engine, position, random, past)
        past.append(position)
        for leg in legs:
            position = engine.after(position, leg)
        moves.extend(legs)
        turns += 1


def _random_turn(engine: Engine, position: Position, random: Random) -> tuple[Move, ...]:
    legs: list[Move] = []
    while moves := engine.moves(position):
        legs.append(random.choice(moves))
        position = engine.after(position, legs[-1])
        if position.chain is None or len(legs) > 200:
            break
    return tuple(legs)
