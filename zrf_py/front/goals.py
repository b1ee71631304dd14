"""Traversal of goals (the leaves of a tree of `and`, `or` and `not`) and of move code."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from zrf_py.front.model import FRIEND, SIDE, Absolute, AllOf, Compare, Game, Goal, StateGoal, Taken
from zrf_py.front.syntax import If, Instruction, While

ANY_WORD = ("and", "or", "not")
USUAL_REPETITION = 3
"""Occurrences of a position that end a game by default."""


def leaves(goal: Goal, through: Collection[str] = ANY_WORD) -> Iterator[Goal]:
    """Yield the leaves of a goal; subtrees joined by a word not in `through` are skipped."""
    return (leaf for leaf, words in _with_words(goal) if words.issubset(through))


class Leaf(NamedTuple):
    """A leaf of the goal of an end condition, for one of its players; `words`: each `and`, `or` or `not` around it."""

    result: str
    player: int
    goal: Goal
    words: frozenset[str]


@dataclass(frozen=True)
class Race:
    """Squares that a player's own pieces of some types must occupy: all squares, or (`needs_all` False) one of them.
    `counts` is False for an absolute configuration, True for a number of pieces in a zone."""

    kinds: frozenset[int]
    squares: tuple[int, ...]
    needs_all: bool
    counts: bool = False


class Aims:
    """The end conditions of a game, collected once.

    `royals`[player]: royal piece types, those of `checkmated` goals, also within `and`, `or` or `not`; `states`: the
    words about a state (`stalemated`, `repetition`) in the conditions; `races`[player]: the player's races.
    """

    def __init__(self, game: Game) -> None:
        every = range(len(game.players))
        ends = [(end, tuple(_with_words(end.goal))) for end in game.ends]
        self.leaves = tuple(Leaf(end.result, player, goal, words) for end, goals in ends
                            for player in (every if end.players is None else end.players) for goal, words in goals)
        self.states = {goal.word for _, goals in ends for goal, _ in goals if isinstance(goal, StateGoal)}
        royals = [(player, kind) for end, goals in ends for goal, _ in goals if isinstance(goal, Taken) and goal.royal
                  for player in end.players or () for kind in goal.pieces]
        self.royals = tuple(frozenset(kind for owner, kind in royals if owner == player) for player in every)
        self.races = tuple(tuple(_races(game, self.wanted(player), player)) for player in every)
        self.repetition = _repetition(game, self.states)
        """Number of occurrences of a position that ends the game; 0 if repetition is unlimited."""

    def wanted(self, player: int) -> list[Goal]:
        """Return the leaves of a player's win conditions, except those under a `not`."""
        return [leaf.goal for leaf in self.leaves
                if leaf.result == "win" and leaf.player == player and "not" not in leaf.words]


def _with_words(goal: Goal, words: frozenset[str] = frozenset()) -> Iterator[tuple[Goal, frozenset[str]]]:
    """Yield the leaves of a goal, each with the words above it."""
    if isinstance(goal, AllOf):
        for part in goal.parts:
            yield from _with_words(part, words | {goal.word})
    else:
        yield goal, words


def _repetition(game: Game, states: set[str]) -> int:
    """Return `Aims.repetition` for a game whose conditions use the words `states`.

    Repetition is unlimited for a single player. With random players, positions recur by chance: repetition ends such
    a game only if its rules request it, by the option "repetition" or by a condition with that word.
    """
    if len(game.movers) < 2:
        return 0
    if game.options.repetition is not None:
        return game.options.repetition
    return 0 if game.has_chance and "repetition" not in states else USUAL_REPETITION


def _races(game: Game, goals: Iterable[Goal], player: int) -> Iterator[Race]:
    for goal in goals:
        if isinstance(goal, Absolute):
            kinds = frozenset(o.piece for o in goal.occupants if o.owner == "own" and not o.negated)
            squares = dict.fromkeys(s for place in goal.places for s in game.board.squares(place, player))
            if kinds and squares:
                yield Race(kinds, tuple(squares), len(goal.places) > 1)
        elif isinstance(goal, Compare):
            for side in (goal.left, goal.right):
                if side.kind == "count" and side.c >= 0 and side.a in (player, SIDE, FRIEND):
                    kinds = frozenset((side.b,)) if side.b >= 0 else frozenset(range(len(game.pieces)))
                    zone = game.board.zones[side.c][player]
                    if zone:
                        yield Race(kinds, tuple(zone), len(zone) > 1, counts=True)


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
