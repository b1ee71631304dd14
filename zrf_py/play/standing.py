"""Numbers beside the players: the score, or else the count of pieces that an end condition tests."""

from functools import lru_cache
from typing import NamedTuple

from zrf_py.front import model
from zrf_py.front.goals import leaves, wanted
from zrf_py.ir.ops import Program
from zrf_py.play.reasons import STANDINGS
from zrf_py.run import goals
from zrf_py.run.numbers import value
from zrf_py.run.position import Position
from zrf_py.run.rules import Rules


class Standing(NamedTuple):
    """A number shown for a player, with words for it; `of` is the number that wins (0: the highest does)."""

    player: int
    words: str
    counted: model.Number | model.Count
    of: int = 0

    def number(self, program: Program, position: Position) -> int:
        if isinstance(self.counted, model.Count):
            return goals.count(program, position, self.counted, self.player)
        return value(program, position, self.player, self.counted)


@lru_cache(maxsize=32)
def standings(program: Program) -> tuple[Standing, ...]:
    """Return the standing of each player who has one."""
    return tuple(found for p, player in enumerate(program.game.players)
                 if player.kind == "player" and (found := _standing(program, p)))


def _standing(program: Program, player: int) -> Standing | None:
    game, start = program.game, Rules(program).start()
    if game.score:
        return Standing(player, STANDINGS["score"], game.score)
    if any(end.result == "count" for end in game.ends):
        return Standing(player, STANDINGS["most"], model.Number("count", model.FRIEND, -1, -1))
    for goal in wanted(game, player):
        match goal:
            case model.Compare("equal?", model.Number("count", model.FRIEND, _, zone) as men, model.Number(a=most)):
                if zone >= 0 and most > 1:
                    return Standing(player, STANDINGS["home"], men, most)
    tested = (goal for end in game.ends if player in (end.players or (player,)) for goal in leaves(end.goal)
              if isinstance(goal, model.Count) and not goal.everybody)
    return next((Standing(player, STANDINGS["left"], goal) for goal in tested  # a single king is not worth counting
                 if goals.count(program, start, goal, player) > goal.number + 1), None)
