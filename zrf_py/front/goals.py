"""Traversal of goals: the leaves of a goal's tree of `and`, `or` and `not`."""

from collections.abc import Collection, Iterator

from zrf_py.front.model import AllOf, Game, Goal

ANY_WORD = ("and", "or", "not")


def leaves(goal: Goal, through: Collection[str] = ANY_WORD) -> Iterator[Goal]:
    """Yield the leaves of a goal; subtrees joined by a word not in `through` are skipped."""
    if not isinstance(goal, AllOf):
        yield goal
    elif goal.word in through:
        for part in goal.parts:
            yield from leaves(part, through)


def wanted(game: Game, player: int) -> Iterator[Goal]:
    """Yield the leaves of a player's win conditions, except those under a `not`."""
    for end in game.ends:
        if end.result == "win" and (end.players is None or player in end.players):
            yield from leaves(end.goal, ("and", "or"))


def every_leaf(game: Game) -> Iterator[Goal]:
    """Yield the leaves of all end conditions and of all guards of turns."""
    for goal in (*(end.goal for end in game.ends), *(guard for turn in game.turns for guard in turn.guards)):
        yield from leaves(goal)
