"""The syntax tree: what a rules file says, before any name is looked up. Types only.

Names stay `Atom`s, because they carry their text and their origin. A shared form (the same macro call again) has one
tree, so trees may be compared and remembered by identity.
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
    """A position or direction name; `against` asks for the step against the direction: `(opposite n)`."""

    name: Atom
    against: bool = False


# ---------------------------------------------------------------------------------------------------------- move code


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    value: bool


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """`word` asked at `place` (the cursor if none), about `name` if the word takes one; "attribute" for attributes."""

    word: str
    name: Atom | None
    place: Place | None
    origin: Origin


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """"and", "or" and "not" over conditions."""

    word: str
    parts: tuple[Condition, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A whole number: `word` is "number" or the keyword of what is counted, `parts` the numbers inside it."""

    word: str
    origin: Origin
    value: int = 0
    names: tuple[Atom, ...] = ()
    place: Place | None = None
    parts: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """`word` is "equal?", "less?" or "greater?"."""

    word: str
    left: Number
    right: Number
    origin: Origin


Condition: TypeAlias = Constant | Test | Logic | Comparison


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """An instruction other than the three below; `word` is its keyword, or "step" for a bare name."""

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


# ----------------------------------------------------------------------------------------------------------- sections


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A title, a help text, a sound …: `word` and the strings (or file names) after it."""

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
    """A turn is its names: `(White)`, `(White jump)`, `(?Dice White)`, `(repeat)`; `when` lets it be passed over."""

    names: tuple[Atom, ...]
    when: tuple[GoalTree, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TurnOrder:
    turns: tuple[Turn, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """Bitmaps: for a board the files; for a piece players' names, each followed by files."""

    items: tuple[Atom, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """`rectangle` is left, top, right, bottom in pixels; a dimension is its labels text and its pixel step."""

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
    """One name cuts every link of a position; a pair cuts the links between two, or one direction of the first."""

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
    """Numbers on squares, for some players."""

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
    """(player, ((piece, (position | "off" number …)) …)) for each player."""

    sides: tuple[tuple[Atom, tuple[tuple[Atom, tuple[Atom, ...]], ...]], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    name: Atom
    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class CapturedAs:
    """The type a captured piece has in the store it goes to."""

    name: Atom


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """`word` is "moves" or "drops"."""

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
    captured_as: CapturedAs | None = None


# -------------------------------------------------------------------------------------------------------- end of game


@dataclass(frozen=True, slots=True, eq=False)
class Occupant:
    """A piece as goals name it: `T`, `(opponent T)`, `(any-owner T)`; `negated` for `(not …)`."""

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
    """Any other goal: its word, a number and names where it takes them."""

    word: str
    number: int
    names: tuple[Atom, ...]
    origin: Origin


GoalTree: TypeAlias = GoalLogic | Config | Goal | Comparison


@dataclass(frozen=True, slots=True, eq=False)
class EndCondition:
    """`word` is win-, loss-, draw-, count-, score- or out-condition; `players` is None where the file names none.

    `remove` is the zone from which the men of a player who is out are taken off.
    """

    word: str
    players: tuple[Atom, ...] | None
    goal: GoalTree
    origin: Origin
    remove: Atom | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """`each` for one number per player."""

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
    """`word` is "game" or "variant"."""

    word: str
    sections: tuple[Section, ...]
    origin: Origin
    number: int = 0
    """Its place among the games of the file."""


@dataclass(frozen=True, slots=True, eq=False)
class FileTree:
    version: str
    translations: tuple[tuple[str, str], ...]
    games: tuple[GameTree, ...]
