"""Types of a checked game, in which every name of the board, the players and the pieces is resolved to a number.

Positions, directions, players, piece types and zones are numbered in the order of the rules file, attributes from the
last piece to the first. Position -1 means "off the board". `front/check.py` makes these objects. Move code is still
syntax here (`Routine.block`); `ir/lower.py` compiles it to operations with `Symbols`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeVar

from zrf_py.text.packing import packed
from zrf_py.text.source import Origin

if TYPE_CHECKING:
    from zrf_py.front import syntax

Node = TypeVar("Node")
OFF = -1
MAX_STORE = 1_000_000
"""Maximum number of pieces of one type in a player's store at the start."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position with its rectangle in pixels (left, top, right, bottom); a `dummy` is never drawn."""

    name: str
    rectangle: tuple[int, int, int, int]
    dummy: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """Tables of the board: `links[direction][position]` is the next position or OFF, `reverse` a previous one or OFF.

    `symmetry[player][direction]` is the direction that the player's code uses instead. `zones[zone][player]` holds
    the positions of a zone for a player, in the order of the file.
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
    """`measures[measure][player]` maps positions to numbers; a missing position has 0."""
    measure_names: tuple[str, ...] = ()

    def squares(self, place: tuple[bool, int], player: int) -> tuple[int, ...]:
        """Return the positions of one entry of `Absolute.places`, for a player."""
        is_zone, number = place
        return self.zones[number][player] if is_zone else (number,)

    def linked(self) -> list[set[int]]:
        """Return the neighbours of each position, along links in either direction."""
        near: list[set[int]] = [set() for _ in self.places]
        for table in self.links:
            for a, b in enumerate(table):
                if b >= 0:
                    near[a].add(b)
                    near[b].add(a)
        return near


def steps_from(starts: Iterable[Node], onward: Callable[[Node], Iterable[Node]]) -> dict[Node, int]:
    """Return all nodes of a graph that can be reached, in breadth-first order, each with its distance from the nearest
    start; `onward` returns the nodes one step on."""
    steps = dict.fromkeys(starts, 0)
    queue = list(steps)
    for node in queue:
        for after in onward(node):
            if after not in steps:
                steps[after] = steps[node] + 1
                queue.append(after)
    return steps


@dataclass(frozen=True, slots=True)
class Player:
    """A player; `kind` is "player", "neutral" (has no turn) or "random" (has turns, its name starts with `?`)."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Number:
    """An integer expression over the position (ZRF+).

    `kind`: "number" (`a`), "counter" (a: counter, b: player or SIDE), "count" (a: player, FRIEND, ENEMY,
    ANYBODY or NOBODY, b: piece or -1, c: zone or -1), "turns-made" (a: player or SIDE), "legs-made",
    "store" (a: player or SIDE, b: piece), "at" (a: measure, b: `where` as in ir/ops.py), "sum" (also for the count of
    a team), "difference", "product" (of `parts`).
    """

    kind: str
    a: int = 0
    b: int = 0
    c: int = 0
    parts: tuple[Number, ...] = ()


SIDE, FRIEND, ENEMY, ANYBODY, NOBODY = -1, -2, -3, -4, -5


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two numbers; `word` is "equal?", "less?" or "greater?"."""

    word: str
    left: Number
    right: Number


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter (ZRF+) with its initial value; `each` is True if each player has a separate value."""

    name: str
    each: bool
    start: int


@dataclass(frozen=True, slots=True)
class Turn:
    """An entry of the turn order: `mover` moves `side`'s pieces, by moves of `move_type` (-1: any).

    The turn is skipped while one of the `guards` does not hold for `side`.
    """

    mover: int
    side: int
    move_type: int
    guards: tuple[Goal, ...] = ()


@packed
@dataclass(frozen=True, slots=True)
class Routine:
    """One block of a piece, with its move type (-1: none)."""

    move_type: int
    block: syntax.Block


@dataclass(frozen=True, slots=True)
class Piece:
    name: str
    notation: str
    dummy: bool
    attributes: int
    """Bit mask of the attributes that are initially true."""
    moves: tuple[Routine, ...]
    drops: tuple[Routine, ...]
    help: str = ""
    description: str = ""
    open: str = ""
    images: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    origin: Origin | None = None
    captured_as: int = -1
    """Piece type under which a captured piece goes to a store."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """A test of one square's piece. `owner`: "own", "opponent" or "any-owner"; `negated` inverts the test."""

    owner: str
    piece: int
    negated: bool


@dataclass(frozen=True, slots=True)
class AllOf:
    """Goals joined by `word`, "and" or "or", or one goal negated by "not"."""

    word: str
    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Absolute:
    """Every place holds one of the occupants. Place (False, n) is position n, (True, n) is some square of zone n."""

    occupants: tuple[Occupant, ...]
    places: tuple[tuple[bool, int], ...]


@dataclass(frozen=True, slots=True)
class Relative:
    """A pattern that starts anywhere: occupants to test and directions (plain numbers) to step, in turn."""

    items: tuple[Occupant | int, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """`pieces-remaining` (`everybody` false) or `total-piece-count`: exactly `number` pieces (`piece` -1: any type)."""

    everybody: bool
    number: int
    piece: int


@dataclass(frozen=True, slots=True)
class Taken:
    """The goal `captured` or `checkmated` (`royal` true) for the side's pieces of these types."""

    royal: bool
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StateGoal:
    """The goal `stalemated` or `repetition`."""

    word: str


Goal = AllOf | Absolute | Relative | Count | Taken | StateGoal | Compare


@dataclass(frozen=True, slots=True)
class EndCondition:
    """`result` is "win", "loss", "draw", "count", "score" or "out"; `players` is None for the side that just moved.

    For "out", `remove` is the zone from which the player's pieces are removed (-1: none).
    """

    result: str
    players: tuple[int, ...] | None
    goal: Goal
    origin: Origin | None = None
    remove: int = -1


@dataclass(frozen=True, slots=True)
class Symbols:
    """Symbol tables, name → number (`teams`: → players), one for each kind of name; the same name may be in several.

    Move types are numbered for the whole file; lowering adds those that only move code names.
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
"""Numeric values of the option "repetition"."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options that affect play, decoded; `written` has all options as in the file."""

    pass_turn: Literal["never", "always", "forced"] = "never"
    """Permission to pass; "forced": only if there is no other move."""
    pass_partial: bool = False
    """True if a turn of several legs may end after any of them."""
    maximal_captures: int = 0
    """0: off; 1: only the longest chains of legs are legal; 2: of these, only the captures of greatest total value."""
    recycle_captures: Literal["", "owner", "captor"] = ""
    """Owner of the store that captured pieces go to; "": they are removed."""
    recycle_promotions: bool = False
    """True if a promoted piece goes to the store, and the new piece is taken from there."""
    discard_cascades: bool = False
    include_off_pieces: bool = False
    """True if `pieces-remaining` counts pieces in stores, too."""
    null_turns: bool = True
    """True if a turn of several legs may leave the board unchanged."""
    repetition: int | None = None
    """Number of occurrences of a position that ends the game; 0: never; None: the default."""
    written: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, written: Mapping[str, str], plus: bool = False) -> Options:
        """Decode options; `plus`: a ZRF+ file. Unknown values count as the default, those of "pass turn" as `true`."""
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
    """Decode the option "recycle captures" into the owner of the store."""
    if value == "captor" and plus:
        return "captor"
    return "owner" if value == "true" else ""


def _occurrences(value: str) -> int | None:
    """Decode the option "repetition" into a number of occurrences (0: never; None: default or unknown)."""
    if value == "none":
        return 0
    return int(value) if value in REPETITIONS else None


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """A checked game or variant. `setup` holds (player, piece, position), `stores` (player, piece, count)."""

    title: str
    board: Board
    players: tuple[Player, ...]
    turns: tuple[Turn, ...]
    repeat: int
    """Index of the turn that follows the last one."""
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
    """True if the file is ZRF+: (version "zrf+")."""
    number: int = 0
    """Index among the games of the file; a report groups errors by it."""

    def __repr__(self) -> str:
        return f"<Game {self.title}>"

    def may_come_back(self, piece: int) -> bool:
        """Return True if pieces of a type may enter a store during the game and be used from there."""
        if self.options.recycle_promotions:
            return True
        droppable = self.options.recycle_captures == "owner" or bool(self.pieces[piece].drops)
        captured = self.options.recycle_captures and any(p.captured_as == piece for p in self.pieces)
        return bool(captured and droppable)

    @property
    def playing(self) -> tuple[int, ...]:
        """Numbers of the ordinary players: neither neutral nor random."""
        return tuple(number for number, player in enumerate(self.players) if player.kind == "player")

    @property
    def movers(self) -> set[int]:
        """Numbers of the players with turns."""
        return {turn.mover for turn in self.turns}

    @property
    def seats(self) -> tuple[int, ...]:
        """Numbers of the players that choose moves: ordinary players with turns."""
        return tuple(sorted(self.movers.intersection(self.playing)))

    @property
    def has_chance(self) -> bool:
        """True if a random player has turns."""
        return any(self.players[mover].kind == "random" for mover in self.movers)

    def team(self, player: int) -> tuple[int, ...]:
        """Return the player and the partners, sorted."""
        return next((tuple(sorted(team)) for team in self.teams if player in team), (player,))

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Teams of partners, or single players, in the order of the players; chance has no side."""
        return tuple(dict.fromkeys(self.team(player) for player in self.seats))

    @property
    def side_names(self) -> tuple[str, ...]:
        """Names of the sides; those of partners are joined by "and"."""
        return tuple(" and ".join(self.players[player].name for player in side) for side in self.sides)

    def are_together(self, player: int, other: int) -> bool:
        """Return True for the same player twice or for two members of one team."""
        return player == other or any(player in team and other in team for team in self.teams)
