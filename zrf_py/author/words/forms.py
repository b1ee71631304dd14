"""Kinds of moves as values: paths over the board, conditions on squares, effects. Types only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from zrf_py.front.model import Number

EMPTY, FRIEND, ENEMY, OFF = "empty", "friend", "enemy", "off"
"""Contents of a square; OFF: there is no such square."""
ON = frozenset({EMPTY, FRIEND, ENEMY})
ANYONE = ON | {OFF}
START, LAST_FROM, LAST_TO, NAMED = "start", "last-from", "last-to", "named"
ANY = "any"
"""A square that may be any of several: that of an "every" effect."""


class Unclear(Exception):
    """A block can't be expressed by these types; it must be written instruction by instruction."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Steps repeated any number of times, possibly none; with `most`, as often as possible.

    Squares of `contents`, `facts` and `deeds` are relative to the start of one repetition.
    """

    path: Path
    contents: tuple[tuple[Spot, frozenset[str]], ...] = ()
    facts: tuple[Condition, ...] = ()
    deeds: tuple[Deed, ...] = ()
    most: bool = False


Path = tuple["int | Loop", ...]
"""Motions (`ir/ops.py`) and runs, in their order."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A square: the end of a path from `base`; `position` is its number if the base is NAMED."""

    base: str = START
    position: int = -1
    path: Path = ()

    def along(self, *steps: int | Loop) -> Spot:
        """Return the square some steps further on."""
        return Spot(self.base, self.position, self.path + steps)


@dataclass(frozen=True, slots=True)
class Fact:
    """A test (`ir/ops.py`) with the required answer; `spot` is None if it concerns no square.

    There are three more: "same?" asks whether the square is `other`, "count?" whether `inner` holds on at least `a` of
    `squares` (a spot ANY), and "row?" whether the square is in a row of `a` pieces, with one on it. The first of
    `numbers` is then the side (0: friends, 1: enemies), the rest are directions; `other` counts as empty.
    """

    name: str
    want: bool
    spot: Spot | None = None
    a: int = 0
    numbers: tuple[Number, ...] = ()
    other: Spot | None = None
    inner: Condition | None = None
    squares: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Many:
    """Conditions that must all hold (`word` "and"), or at least one of them ("or")."""

    word: str
    parts: tuple[Condition, ...]


Condition = Fact | Many
ALWAYS, NEVER = Fact("always", True), Fact("always", False)


def joined(word: str, parts: Iterable[Condition]) -> Condition:
    """Join conditions by "and" or "or"; those that always or never hold are left out, or decide alone."""
    deciding, neutral = (NEVER, ALWAYS) if word == "and" else (ALWAYS, NEVER)
    flat = (inner for part in parts for inner in (
        part.parts if isinstance(part, Many) and part.word == word else (part,)))
    left = tuple(dict.fromkeys(part for part in flat if part != neutral))
    if not left or deciding in left:
        return deciding if left else neutral
    return left[0] if len(left) == 1 else Many(word, left)


def negated(condition: Condition) -> Condition:
    """Return the negation of a condition, by De Morgan's laws."""
    if isinstance(condition, Fact):
        return replace(condition, want=not condition.want)
    return Many("or" if condition.word == "and" else "and", tuple(map(negated, condition.parts)))


def opposite(some: Iterable[Condition], others: Iterable[Condition]) -> bool:
    """Return whether the conjunction of `some` is the negation of the conjunction of `others`."""
    return joined("and", some) == negated(joined("and", others))


@dataclass(frozen=True, slots=True)
class Deed:
    """An effect (`ir/ops.py`).

    Two more stand for `deeds` on squares (a spot ANY) where `fact` holds: "every" on each of `squares`, "one" on one of
    them, which the player chooses.
    """

    name: str
    spot: Spot | None = None
    a: int = 0
    b: int = 0
    numbers: tuple[Number, ...] = ()
    fact: Condition = ALWAYS
    deeds: tuple[Deed, ...] = ()
    squares: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of move that a block writes.

    The piece on `start` (`drop`: from the store) goes to `end`, after the pieces of `others`, each (from, to).
    `contents` are the possible contents of squares, in the order of the path; `types` is what the piece may become.
    With a condition `rise`, it becomes that only if this holds; then `rise_deeds` happen as well, with `rise_must` the
    turn may not end here, and with `rise_ends` it is over. `keeps` are conditions under which it may also stay what it
    is (None: only if `rise` does not hold). `partial` is the move type of the next leg, -1 for any and None if the turn
    is over. With a `chain`, the piece must go on while it can, and only marks what it captures; its last step takes all
    this by the effect of the chain, whose number is then the `partial`. An end ANY may be any of `squares`.
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
    chain: tuple[Deed, int | None] | None = None
    squares: frozenset[int] = frozenset()

    def at(self, spot: Spot) -> frozenset[str]:
        """Return the possible contents of a square of the path, given that it exists."""
        return dict(self.contents).get(spot, ANYONE) - {OFF}
