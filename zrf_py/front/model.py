"""The checked game: every name of the board, the players and the pieces resolved to a number. Types only.

Positions, directions, players, piece types, attributes and zones are numbered in the order the rules file defines
them. Off the board is -1 everywhere. Move code is still syntax here (`Routine.block`); `ir/lower.py` turns it into
operations with the help of `Symbols`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from zrf_py.text.packing import packed
from zrf_py.text.source import Origin

if TYPE_CHECKING:
    from zrf_py.front import syntax

OFF = -1
MAX_STORE = 1_000_000
"""Pieces of one type that a player may have off the board at the start."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position: its rectangle in pixels (left, top, right, bottom); `dummy` ones are never drawn."""

    name: str
    rectangle: tuple[int, int, int, int]
    dummy: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """`links[direction][position]` is the next position or OFF, `reverse[direction][position]` the one before.

    `symmetry[player][direction]` is the direction the player's code uses instead. `zones[zone][player]` is the
    tuple of positions the zone has for a player, in the order written.
    """

    places: tuple[Place, ...]
    directions: tuple[str, ...]
    links: tuple[tuple[int, ...], ...]
    reverse: tuple[tuple[int, ...], ...]
    symmetry: tuple[tuple[int, ...], ...]
    zone_names: tuple[str, ...]
    zones: tuple[tuple[tuple[int, ...], ...], ...]
    images: tuple[str, ...] = ()
    measures: tuple[tuple[Mapping[int, int], ...], ...] = ()
    """`measures[measure][player]` maps positions to numbers; others have 0."""
    measure_names: tuple[str, ...] = ()

    def squares(self, place: tuple[bool, int], player: int) -> tuple[int, ...]:
        """The positions that a place of a goal stands for (`Absolute.places`)."""
        is_zone, number = place
        return self.zones[number][player] if is_zone else (number,)


@dataclass(frozen=True, slots=True)
class Player:
    """`kind` is "player", "neutral" (it has no turn), "random" (it has, and its name starts with `?`)."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number that the position decides (ZRF+).

    `kind`: "number" (`a`), "counter" (a: counter, b: player or SIDE), "count" (a: who, b: piece or -1, c: zone or -1;
    who is a player, FRIEND, ENEMY, ANYBODY or NOBODY; a team is a sum), "turns-made" (a: player or SIDE), "legs-made",
    "store" (a: player or SIDE, b: piece), "at" (a: measure, b: `where` as in ir/ops.py), "sum", "difference",
    "product" (of `parts`).
    """

    kind: str
    a: int = 0
    b: int = 0
    c: int = 0
    parts: tuple[Number, ...] = ()


SIDE, FRIEND, ENEMY, ANYBODY, NOBODY = -1, -2, -3, -4, -5


@dataclass(frozen=True, slots=True)
class Compare:
    """`word` is "equal?", "less?" or "greater?"."""

    word: str
    left: Number
    right: Number


@dataclass(frozen=True, slots=True)
class Counter:
    """`each`: one number for every player."""

    name: str
    each: bool
    start: int


@dataclass(frozen=True, slots=True)
class Turn:
    """`mover` chooses a move made with `side`'s pieces, only of `move_type` unless that is -1.

    The turn is passed over while one of the `guards` does not hold for `side`.
    """

    mover: int
    side: int
    move_type: int
    guards: tuple[Goal, ...] = ()


@packed
@dataclass(frozen=True, slots=True)
class Routine:
    """One block of a piece: its move type (-1 for none)."""

    move_type: int
    block: syntax.Block


@dataclass(frozen=True, slots=True)
class Piece:
    name: str
    notation: str
    dummy: bool
    attributes: int
    """Bit mask of the attributes that are true when such a piece enters the board."""
    moves: tuple[Routine, ...]
    drops: tuple[Routine, ...]
    help: str = ""
    description: str = ""
    open: str = ""
    images: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    origin: Origin | None = None
    captured_as: int = -1
    """The type it has in the store when it is captured and goes there."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """Does a square satisfy it? `owner`: "own", "opponent" or "any-owner"; `negated` turns the answer round."""

    owner: str
    piece: int
    negated: bool


@dataclass(frozen=True, slots=True)
class AllOf:
    """Goals joined by "and", "or" or "not"."""

    word: str
    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Absolute:
    """Every place holds one of the occupants; a place is a position (`zone` false) or a zone (one square of it)."""

    occupants: tuple[Occupant, ...]
    places: tuple[tuple[bool, int], ...]


@dataclass(frozen=True, slots=True)
class Relative:
    """From some position: occupants tested and directions stepped in turn (a direction is a plain number)."""

    items: tuple[Occupant | int, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """`pieces-remaining` (`everybody` false) or `total-piece-count`: exactly `number` pieces; of any type if -1."""

    everybody: bool
    number: int
    piece: int


@dataclass(frozen=True, slots=True)
class Taken:
    """`captured` or `checkmated` (`royal` true): one of these types of the side."""

    royal: bool
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """`stalemated` or `repetition`."""

    word: str


Goal = AllOf | Absolute | Relative | Count | Taken | State | Compare


@dataclass(frozen=True, slots=True)
class EndCondition:
    """`result` is "win", "loss", "draw", "count", "score" or "out"; `players` is None for the side that just moved.

    `remove` is the zone from which the men of a player who is out are taken, -1 for none.
    """

    result: str
    players: tuple[int, ...] | None
    goal: Goal
    origin: Origin | None = None
    remove: int = -1


@dataclass(frozen=True, slots=True)
class Symbols:
    """Name → number, one table for each kind of name; the same spelling may stand in several.

    Move types are numbered for the whole file; lowering adds the ones that only move code names.
    """

    positions: Mapping[str, int]
    directions: Mapping[str, int]
    players: Mapping[str, int]
    pieces: Mapping[str, int]
    attributes: Mapping[str, int]
    zones: Mapping[str, int]
    measures: Mapping[str, int]
    counters: Mapping[str, int]
    teams: Mapping[str, tuple[int, ...]]
    move_types: dict[str, int]


REPETITIONS = tuple(map(str, range(2, 101)))
"""Numbers that the option "repetition" may have."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the options of a game say about its moves, and all options as they are written."""

    pass_turn: Literal["never", "always", "forced"] = "never"
    """Whether a player may pass; "forced": only where he has no move."""
    pass_partial: bool = False
    """A turn of several legs may end after each."""
    maximal_captures: int = 0
    """1: the longest chains of a turn only; 2: of these the most valuable."""
    recycle_captures: Literal["", "owner", "captor"] = ""
    """Whose store captured pieces go to."""
    recycle_promotions: bool = False
    """What was promoted goes to the store, and what it becomes comes from there."""
    discard_cascades: bool = False
    include_off_pieces: bool = False
    """`pieces-remaining` counts stores."""
    null_turns: bool = True
    """A turn of several legs may leave the board as it was."""
    repetition: int | None = None
    """Occurrences of a position that end the game, 0: no number of them; None: the file doesn't say."""
    written: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, written: Mapping[str, str], plus: bool = False) -> Options:
        """The options as they are written: a value that says nothing is the default. `plus`: in a file of ZRF+."""
        def is_true(name: str) -> bool:
            return written.get(name) == "true"

        rule = written.get("pass turn", "false")
        return cls(
            pass_turn="forced" if rule == "forced" else "never" if rule in ("false", "default") else "always",
            pass_partial=is_true("pass partial"),
            maximal_captures={"true": 1, "2": 2}.get(written.get("maximal captures", "false"), 0),
            recycle_captures=_keeper(written.get("recycle captures", "false"), plus),
            recycle_promotions=is_true("recycle promotions"),
            discard_cascades=is_true("discard cascades"), include_off_pieces=is_true("include off-pieces"),
            null_turns=written.get("null turns", "true") != "false",
            repetition=_occurrences(written.get("repetition", "default")) if plus else None, written=written,
        )


def _keeper(value: str, plus: bool) -> Literal["", "owner", "captor"]:
    """Whose store captured pieces go to, by the value of "recycle captures"."""
    if value == "captor" and plus:
        return "captor"
    return "owner" if value == "true" else ""


def _occurrences(value: str) -> int | None:
    """Occurrences that end a game, by the value of "repetition"; None where it says nothing."""
    if value == "none":
        return 0
    return int(value) if value in REPETITIONS else None


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """One game or variant, checked. `setup` holds (player, piece, position); `stores` (player, piece, count)."""

    title: str
    board: Board
    players: tuple[Player, ...]
    turns: tuple[Turn, ...]
    repeat: int
    """The turn that follows the last one."""
    pieces: tuple[Piece, ...]
    attributes: tuple[str, ...]
    priorities: tuple[int, ...]
    setup: tuple[tuple[int, int, int], ...]
    stores: tuple[tuple[int, int, int], ...]
    ends: tuple[EndCondition, ...]
    options: Options
    texts: Mapping[str, str]
    translations: Mapping[str, str]
    symbols: Symbols
    is_default: bool = False
    counters: tuple[Counter, ...] = ()
    teams: tuple[tuple[int, ...], ...] = ()
    score: Number | None = None
    lowest_wins: bool = False
    plus: bool = False
    """Whether the file says (version "zrf+")."""
    number: int = 0
    """Its place among the games of the file; a report tells the errors of each game apart by it."""

    def __repr__(self) -> str:
        return f"<Game {self.title}>"

    def may_come_back(self, piece: int) -> bool:
        """Whether pieces of a type may come into a store during the game, and be of use there."""
        if self.options.recycle_promotions:
            return True
        droppable = self.options.recycle_captures == "owner" or bool(self.pieces[piece].drops)
        captured = self.options.recycle_captures and any(p.captured_as == piece for p in self.pieces)
        return bool(captured and droppable)

    def are_together(self, one: int, other: int) -> bool:
        """Whether two players are one, or of one team."""
        return one == other or any(one in team and other in team for team in self.teams)
