"""Goal squares: those that configurations name, and those of zones in which win conditions count pieces."""

from collections.abc import Iterator

from zrf_py.front import model
from zrf_py.ir.ops import Program

ALL = 0.6
"""Fraction of the board's squares above which a goal is too large to give pieces a direction."""


def goal_places(program: Program) -> frozenset[int]:
    """Return the squares of all absolute configurations and win conditions; none if they cover most of the board."""
    squares = program.goal_positions.union(*goals_of(program))
    return squares if len(squares) < ALL * sum(not p.dummy for p in program.game.board.places) else frozenset()


def goals_of(program: Program) -> tuple[frozenset[int], ...]:
    """Return the squares of each player's win conditions, by player; an empty set if they cover most of the board."""
    game, targets = program.game, [set[int]() for _ in program.game.players]
    for result, player, goal, _ in program.aims.leaves:
        if result == "win":
            targets[player].update(_squares(game, goal, player))
    most = ALL * sum(not place.dummy for place in game.board.places)
    return tuple(frozenset(squares) if len(squares) < most else frozenset() for squares in targets)


def _squares(game: model.Game, goal: model.Goal, player: int) -> Iterator[int]:
    if isinstance(goal, model.Absolute):
        for place in goal.places:
            yield from game.board.squares(place, player)
    elif isinstance(goal, model.Compare):
        for number in (goal.left, goal.right):
            yield from _counted(game, number, player)


def _counted(game: model.Game, number: model.Number, player: int) -> Iterator[int]:
    if number.kind == "count" and number.c >= 0:
        yield from game.board.zones[number.c][player]
    for part in number.parts:
        yield from _counted(game, part, player)
