"""Kinds of moves as values: paths over the board, conditions on squares, effects. Types only."""

from __future__ import annotations

from dataclasses import dataclass

from zrf_py.author.words.squares import ANYONE, OFF, START
from zrf_py.front.model import Number


class Hashed:
    """Base of the types below, whose values nest deeply: the hash of each is computed only once."""

    __slots__ = ("_hash",)
    _hash: int
    __match_args__: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls.__hash__ = Hashed.__hash__  # type: ignore[method-assign]  # or `dataclass` would make one

    def __hash__(self) -> int:
        if not hasattr(self, "_hash"):
            object.__setattr__(self, "_hash", hash(tuple(getattr(self, name) for name in self.__match_args__)))
        return int(self._hash)


class Unclear(Exception):
    """A block can't be expressed by these types; it must be written instruction by instruction."""


@dataclass(frozen=True, slots=True)
class Loop(Hashed):
    """A run: steps repeated zero or more times; with `most`, as often as possible.

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
class Spot(Hashed):
    """A square: the end of a path from `base`; `position` is the number of the base square if that is NAMED."""

    base: str = START
    position: int = -1
    path: Path = ()

    def along(self, *steps: int | Loop) -> Spot:
        """Return the square reached from this one by further steps."""
        return Spot(self.base, self.position, self.path + steps)


@dataclass(frozen=True, slots=True)
class Fact(Hashed):
    """A test (`ir/ops.py`) with the required answer `want`; `spot` is None if it concerns no square.

    Besides `ALWAYS`, three tests exist only here. "same?": the square is `other`. "count?": `inner`, with ANY as the
    spot, holds on at least `a` of `squares`. "row?": a piece on the square would complete a row of `a` pieces; the
    first of `numbers` is their side (0: friends, 1: enemies), the rest are its directions; `other` counts as empty.
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
class Many(Hashed):
    """Conditions that must all hold (`word` "and"), or at least one of them ("or")."""

    word: str
    parts: tuple[Condition, ...]


Condition = Fact | Many
ALWAYS, NEVER = Fact("always", True), Fact("always", False)


@dataclass(frozen=True, slots=True)
class Deed(Hashed):
    """An effect (`ir/ops.py`).

    Four effects exist only here. Three apply `deeds`: "every" to each of `squares` where `fact` holds, "one" to one of
    these, which the player chooses (its spot in `deeds` is ANY), "when" only if `fact` holds before the move; in it,
    "must-continue" means that the turn may not end here. "each" applies the `deeds` of the run that leads to `spot`.
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
class Form(Hashed):
    """A kind of move that a block writes.

    The piece on `start` (`drop`: from the store) goes to `end` (ANY: any of `squares`), after other pieces have moved
    (`others`: from, to). `contents` are the possible contents of squares, in the order of the path; `types` the types
    that the piece may change to. With a condition `rise`, it changes only if that holds; then `rise_deeds` happen, too,
    `rise_must` forbids ending the turn here, and `rise_ends` ends it. `keeps`: conditions under which the piece may
    keep its type (None: only if `rise` does not hold). `partial` is the move type of the next leg (-1: any; None: the
    turn is over). `chain`: the piece must go on while it can, and only marks what it captures; `chain` holds the effect
    by which the last leg takes these pieces, and the `partial` of that leg.
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
