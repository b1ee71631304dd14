"""What a block writes, as values: ways over the board, who must stand where, what happens. Types only."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zrf_py.front.model import Number

EMPTY, FRIEND, ENEMY, OFF = "empty", "friend", "enemy", "off"
"""What may be on a square; the last: there is no such square."""
ON = frozenset({EMPTY, FRIEND, ENEMY})
ANYONE = ON | {OFF}
START, LAST_FROM, LAST_TO, NAMED = "start", "last-from", "last-to", "named"


class Unclear(Exception):
    """A block does what these types can't say; it has to be told instruction by instruction."""


@dataclass(frozen=True, slots=True)
class Run:
    """Steps that are repeated as often as one likes, also not at all.

    Places of `contents`, `facts` and `deeds` count from where one repetition begins.
    """

    way: Way
    contents: tuple[tuple[Spot, frozenset[str]], ...] = ()
    facts: tuple[Condition, ...] = ()
    deeds: tuple[Deed, ...] = ()


Way = tuple["int | Run", ...]
"""Motions (`ir/ops.py`) and runs, in their order."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A square: where a way ends that begins at `base`; `position` is its number where the base is NAMED."""

    base: str = START
    position: int = -1
    way: Way = ()

    def along(self, *way: int | Run) -> Spot:
        """The square some steps on."""
        return Spot(self.base, self.position, self.way + way)


@dataclass(frozen=True, slots=True)
class Fact:
    """A test (`ir/ops.py`) with the answer it has to have; `spot` is None where it is about no square."""

    name: str
    want: bool
    spot: Spot | None = None
    a: int = 0
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class Many:
    """Conditions of which all have to hold (`word` "and") or one ("or")."""

    word: str
    parts: tuple[Condition, ...]


Condition = Fact | Many


def negated(condition: Condition) -> Condition:
    """What holds where the condition does not."""
    if isinstance(condition, Fact):
        return replace(condition, want=not condition.want)
    return Many("or" if condition.word == "and" else "and", tuple(map(negated, condition.parts)))


@dataclass(frozen=True, slots=True)
class Deed:
    """An effect (`ir/ops.py`)."""

    name: str
    spot: Spot | None = None
    a: int = 0
    b: int = 0
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of move that a block writes.

    The man on `start` (or one from the store) goes to `end`; before it those of `others` go, each from a square to one.
    `contents` says who may stand on squares, in the order in which they are met. `types` is what the man may become.
    Where there is a condition `rise`, he becomes it only if that holds; then `rise_deeds` happen as well, with
    `rise_must` the turn may not end here, and with `rise_ends` it is over. `keeps` are conditions with which he may
    stay what he is as well (None: only if `rise` does not hold). `partial` is the type of the leg that may follow, -1
    for any and None if the turn is over.
    """

    start: Spot
    end: Spot
    contents: tuple[tuple[Spot, frozenset[str]], ...] = ()
    facts: tuple[Condition, ...] = ()
    deeds: tuple[Deed, ...] = ()
    others: tuple[tuple[Spot, Spot], ...] = ()
    types: tuple[int, ...] = ()
    rise: Condition | None = None
    rise_deeds: tuple[Deed, ...] = ()
    rise_must: bool = False
    rise_ends: bool = False
    keeps: tuple[Condition, ...] | None = None
    copy: bool = False
    partial: int | None = None
    must: bool = False
    passes: bool = False
    drop: bool = False

    def at(self, spot: Spot) -> frozenset[str]:
        """Who may stand on a square of the way, which is there."""
        return dict(self.contents).get(spot, ANYONE) - {OFF}
