"""A position and who plays → the game: the moves by number, how it ended, and whatever a watcher notes on the way."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from zrf_py.ir.ops import Program
from zrf_py.play.game import Game
from zrf_py.play.game import Position as GamePosition
from zrf_py.play.players import Choose, random_turn
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Outcome, Position

Watcher = Callable[[Position, Sequence[Move], Move, Position], None]
"""Called with each leg: the position, all that were legal in it, the one played, the position after it."""

Seats = Mapping[int, Choose]
"""Who plays for each player number; a player who is not listed (chance) plays at random."""


@dataclass(frozen=True, slots=True)
class Played:
    """`moves` are numbers among the legal moves of each position, for each leg; `outcome` is None for a game that was
    cut off."""

    moves: tuple[int, ...]
    turns: int
    outcome: Outcome | None
    end: Position


def play(
    engine: Engine, start: Position, seats: Seats, random: Random, max_turns: int, watcher: Watcher | None = None,
) -> Played:
    """
    Play from a position to the end, or for `max_turns` turns.

    :raises RulesFault: if a block of the rules never ends on one of the positions.
    """
    position, turns = start, 0
    numbers: list[int] = []
    past: list[Position] = []
    seen: Counter[object] = Counter([start.key()])
    while (outcome := engine.outcome(position, seen[position.key()])) is None and turns < max_turns:
        choose = seats.get(mover_of(engine.program, position), random_turn)
        legs = choose(engine, position, random, past)
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
    """The player who chooses the next move."""
    return program.game.turns[position.turn].mover


def sides(program: Program) -> list[tuple[int, ...]]:
    """Those who win and lose together, in the order of the players: partners, or single players; chance has no side."""
    game = program.game
    movers = {turn.mover for turn in game.turns}
    partners = {player: tuple(sorted(team)) for team in game.teams for player in team}
    found: list[tuple[int, ...]] = []
    for number, player in enumerate(game.players):
        side = partners.get(number, (number,))
        if player.kind == "player" and number in movers and side not in found:
            found.append(side)
    return found


def winners(program: Program, outcome: Outcome | None) -> tuple[int, ...]:
    """Numbers of the `sides` that won; empty for a draw or a game that was cut off.

    Where the rules only say who has lost, all others have won.
    """
    if outcome is None:
        return ()
    found = []
    for number, side in enumerate(sides(program)):
        if outcome.winners:
            won = any(player in outcome.winners for player in side)
        else:
            won = bool(outcome.losers) and not any(player in outcome.losers for player in side)
        if won:
            found.append(number)
    return tuple(found)


def still_in(program: Program, end: Position) -> tuple[int, ...]:
    """Numbers of the `sides` that haven't dropped out of the game."""
    return tuple(number for number, side in enumerate(sides(program)) if not end.out.issuperset(side))


def replayed(game: Game, moves: Iterable[int]) -> GamePosition:
    """The position at the end of a game that was noted by numbers, with the moves that led there."""
    position = game.start()
    for number in moves:
        position = position.play(position.moves()[number])
    return position
