"""Traversal of goals (the leaves of a tree of `and`, `or` and `not`) and of move code."""

from collections.abc import Collection, Iterable, Iterator

from zrf_py.front.model import AllOf, Game, Goal
from zrf_py.front.syntax import If, Instruction, While

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


def instructions(body: Iterable[Instruction], ids: set[int]) -> Iterator[Instruction]:
    """Yield the instructions of some code, nested ones included, each once; `ids` collects their ids."""
    todo = list(reversed(list(body)))
    while todo:
        instruction = todo.pop()
        if id(instruction) not in ids:
            ids.add(id(instruction))
            yield instruction
            if isinstance(instruction, If):
                todo += [*instruction.then, *instruction.otherwise]
            elif isinstance(instruction, While):
                todo += instruction.body
