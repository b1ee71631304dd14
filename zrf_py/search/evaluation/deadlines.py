"""Deadlines: squares that must be left in time, and the growing cost of pieces still there.

A rule such as "a player who has made more than 30 turns loses with a piece at home" is beyond the search horizon until
it is too late; so the weights of squares change from position to position.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.run.position import Position

LATE = 6.0
"""Cost of a piece that is too late, in steps."""


@dataclass(frozen=True)
class Deadline:
    """A player's pieces of some types must have left the squares before the player has made more than `turns` turns."""

    player: int
    kinds: frozenset[int]
    squares: tuple[int, ...]
    turns: int

    def cost(self, position: Position) -> float:
        """Return the cost of each piece still on the squares, in steps; it grows with every turn of the player."""
        left = max(0, self.turns - position.made[self.player])
        return LATE * (1 - left / (self.turns + 1))


def deadlines(program: Program) -> list[Deadline]:
    """Return the deadlines of a game's loss conditions."""
    players = program.game.playing
    losing: list[Deadline] = []
    for end in program.game.ends:
        if end.result == "loss" and isinstance(end.goal, model.AllOf) and end.goal.word == "and":
            for player in end.players if end.players is not None else players:
                losing += _of_parts(program, end.goal.parts, player)
    return losing


def _of_parts(program: Program, parts: Sequence[model.Goal], player: int) -> Iterator[Deadline]:
    """Iterate over the deadlines in a conjunction."""
    more = [(part.left, part.right.a) for part in parts
            if isinstance(part, model.Compare) and part.word == "greater?" and part.right.kind == "number"]
    turns = [most for number, most in more if number.kind == "turns-made" and number.a in (player, model.SIDE)]
    for number, most in more:
        if turns and most == 0 and number.kind == "count" and number.c >= 0 and (
                number.a in (player, model.SIDE, model.FRIEND)):
            kinds = range(len(program.game.pieces)) if number.b < 0 else (number.b,)
            yield Deadline(player, frozenset(kinds), program.game.board.zones[number.c][player], min(turns))
