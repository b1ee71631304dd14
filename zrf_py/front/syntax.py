"""Types of the syntax tree of a rules file, before name resolution.

Names stay `Atom`s, which carry their text and origin. Equal macro calls share one form and therefore one tree, so
trees are compared and memoised by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zrf_py.front.nodes import Atom
from zrf_py.text.packing import packed
from zrf_py.text.source import Origin


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A position or direction name; `against` means a step against the direction: `(opposite n)`."""

    name: Atom
    against: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    value: bool


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """A test `word` ("attribute" for attributes) of `place` (None: the cursor), with `name` if the word takes one."""

    word: str
    name: Atom | None
    place: Place | None
    origin: Origin


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """Conditions joined by `word`, "and" or "or", or one condition negated by "not"."""

    word: str
    parts: tuple[Condition, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """An integer expression: `word` is "number" (a literal) or a keyword, `parts` are its operands."""

    word: str
    origin: Origin
    value: int = 0
    names: tuple[Atom, ...] = ()
    place: Place | None = None
    parts: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A comparison of two numbers; `word` is "equal?", "less?" or "greater?"."""

    word: str
    left: Number
    right: Number
    origin: Origin


Condition: TypeAlias = Constant | Test | Logic | Comparison


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """Any instruction except `verify`, `if`, `while`; `word` is its keyword ("step" for a bare name or `opposite`)."""

    word: str
    names: tuple[Atom, ...]
    place: Place | None
    condition: Condition | None
    origin: Origin
    number: Number | None = None


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Verify:
    conditions: tuple[Condition, ...]
    origin: Origin


@packed
@dataclass(frozen=True, slots=True, eq=False)
class If:
    condition: Condition
    then: tuple[Instruction, ...]
    otherwise: tuple[Instruction, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class While:
    condition: Condition
    body: tuple[Instruction, ...]
    origin: Origin


Instruction: TypeAlias = Command | Verify | If | While


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One move or drop definition: `(n add)`."""

    body: tuple[Instruction, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class MoveType:
    """`(move-type t)`: labels the blocks that follow."""

    name: Atom


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A title, a help text, a sound …: keyword and strings (or file names)."""

    word: str
    values: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    name: str
    value: str
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """A section that is a list of names: `players`, `move-priorities`, `dummy`, `kill-positions`."""

    word: str
    names: tuple[Atom, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A turn as a list of names: `(White)`, `(White jump)`, `(?Dice White)`, `(repeat)`; `when` holds its guards."""

    names: tuple[Atom, ...]
    when: tuple[GoalTree, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TurnOrder:
    turns: tuple[Turn, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """Image files. In a piece they may be preceded by a player's name, which holds for the files after it."""

    items: tuple[Atom, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A grid of positions. `rectangle` is left, top, right, bottom in pixels; a dimension is (labels, pixel step)."""

    rectangle: tuple[int, int, int, int] | None
    dimensions: tuple[tuple[Atom, tuple[int, ...]], ...]
    directions: tuple[tuple[Atom, tuple[int, ...]], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Named rectangles: left, top, right, bottom in pixels."""

    items: tuple[tuple[Atom, tuple[int, int, int, int]], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    direction: Atom
    pairs: tuple[tuple[Atom, Atom], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Unlink:
    """Links to remove: all of a position (one name), those between two positions, or (position, direction)."""

    items: tuple[tuple[Atom, ...], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    name: Atom | None
    players: tuple[Atom, ...]
    positions: tuple[Atom, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Numbers assigned to positions, for some players (ZRF+)."""

    name: Atom | None
    players: tuple[Atom, ...]
    values: tuple[tuple[int, tuple[Atom, ...]], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    player: Atom
    pairs: tuple[tuple[Atom, Atom], ...]
    origin: Origin


BoardItem: TypeAlias = Image | Grid | Positions | Names | Links | Unlink | Zone | Symmetry | Measure


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    items: tuple[BoardItem, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """Start position: (player, ((piece, (position | "off" number …)) …)) for each player."""

    sides: tuple[tuple[Atom, tuple[tuple[Atom, tuple[Atom, ...]], ...]], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    name: Atom
    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A list of blocks; `word` is "moves" or "drops"."""

    word: str
    items: tuple[Block | MoveType, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    name: Atom | None
    texts: tuple[Text, ...]
    images: tuple[Image, ...]
    attributes: tuple[Attribute, ...]
    codes: tuple[Code, ...]
    dummy: bool
    origin: Origin
    captured_as: Atom | None = None
    """The piece type under which a captured piece goes to a store."""


@dataclass(frozen=True, slots=True, eq=False)
class Occupant:
    """A piece in a goal: `T`, `(opponent T)` or `(any-owner T)`; `negated` for `(not …)`."""

    owner: str
    name: Atom
    negated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class GoalLogic:
    word: str
    parts: tuple[GoalTree, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Config:
    """`absolute-config` (occupants, then places) or `relative-config` (occupants and directions in turn)."""

    word: str
    occupants: tuple[Occupant, ...]
    places: tuple[Atom, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """Any other goal: its keyword with the number and names it takes."""

    word: str
    number: int
    names: tuple[Atom, ...]
    origin: Origin


GoalTree: TypeAlias = GoalLogic | Config | Goal | Comparison


@dataclass(frozen=True, slots=True, eq=False)
class EndCondition:
    """`word` is win-, loss-, draw-, count-, score- or out-condition; `players` is None where the file names none.

    In an out-condition, `remove` is the zone from which the player's pieces are removed.
    """

    word: str
    players: tuple[Atom, ...] | None
    goal: GoalTree
    origin: Origin
    remove: Atom | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """A counter (ZRF+); `each` is True if each player has a separate value."""

    name: Atom
    each: bool
    start: int
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Team:
    name: Atom
    players: tuple[Atom, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    number: Number
    lowest: bool
    origin: Origin


Section: TypeAlias = (
    Text | Option | Names | TurnOrder | Board | Setup | Piece | EndCondition | Counter | Team | Score
)


@dataclass(frozen=True, slots=True, eq=False)
class GameTree:
    """A game or variant; `word` is "game" or "variant"."""

    word: str
    sections: tuple[Section, ...]
    origin: Origin
    number: int = 0
    """Index among the games of the file."""


@dataclass(frozen=True, slots=True, eq=False)
class FileTree:
    version: str
    translations: tuple[tuple[str, str], ...]
    games: tuple[GameTree, ...]
