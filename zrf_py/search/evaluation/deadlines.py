"""Squares that must be left in time → what a piece that is still there costs, the more the nearer the end of the time.

A rule such as "who has made more than 30 turns loses with a piece at home" shows far too late in a search that looks
some turns ahead; so the worths of squares are changed from position to position.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.run.position import Position

LATE = 6.0
"""What a piece costs that is too late, in steps."""


@dataclass(frozen=True)
class Deadline:
    """A player's pieces of some types must have left the squares when he has made more than so many turns."""

    player: int
    kinds: frozenset[int]
    squares: tuple[int, ...]
    turns: int

    def cost(self, position: Position) -> float:
        """What each such piece costs, in steps: nothing at first, then more with every turn."""
        left = max(0, self.turns - position.made[self.player])
        return LATE * (1 - left / (self.turns + 1))


def deadlines(program: Program) -> list[Deadline]:
    """The deadlines that lose a game of `program` to a player who isn't in time."""
    players = [i for i, p in enumerate(program.game.players) if p.kind == "player"]
    found: list[Deadline] = []
    for end in program.game.ends:
        if end.result == "loss" and isinstance(end.goal, model.AllOf) and end.goal.word == "and":
            for player in end.players if end.players is not None else players:
                found += _of_parts(program, end.goal.parts, player)
    return found


def _of_parts(program: Program, parts: Sequence[model.Goal], player: int) -> Iterator[Deadline]:
    """The deadlines of conditions that must hold together."""
    more = [(part.left, part.right.a) for part in parts
            if isinstance(part, model.Compare) and part.word == "greater?" and part.right.kind == "number"]
    turns = [most for number, most in more if number.kind == "turns-made" and number.a in (player, model.SIDE)]
    for number, most in more:
        if turns and most == 0 and number.kind == "count" and number.c >= 0 and (
                number.a in (player, model.SIDE, model.FRIEND)):
            kinds = range(len(program.game.pieces)) if number.b < 0 else (number.b,)
            yield Deadline(player, frozenset(kinds), program.game.board.zones[number.c][player], min(turns))
