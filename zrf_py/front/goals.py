"""What goals are made of: the plain ones within one, and those by which a player wins."""

from collections.abc import Collection, Iterator

from zrf_py.front.model import AllOf, Game, Goal

ANY_WORD = ("and", "or", "not")


def leaves(goal: Goal, through: Collection[str] = ANY_WORD) -> Iterator[Goal]:
    """The plain goals within one; of those joined by other words than `through`, none."""
    if not isinstance(goal, AllOf):
        yield goal
    elif goal.word in through:
        for part in goal.parts:
            yield from leaves(part, through)


def wanted(game: Game, player: int) -> Iterator[Goal]:
    """The plain goals by which a player wins, alone or together with others; none that has to fail."""
    for end in game.ends:
        if end.result == "win" and (end.players is None or player in end.players):
            yield from leaves(end.goal, ("and", "or"))


def every_leaf(game: Game) -> Iterator[Goal]:
    """All plain goals of a game: of its end conditions and of what must hold for a turn to take place."""
    for goal in (*(end.goal for end in game.ends), *(guard for turn in game.turns for guard in turn.guards)):
        yield from leaves(goal)
