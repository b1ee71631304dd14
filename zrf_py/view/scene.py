"""A position → everything one needs to draw it: places with geometry, lines, pieces, stores, marks, overlays.

All coordinates are in the pixels of the rules file's own picture, moved so that the drawing begins at (0, 0); a place is
given by its centre. Nothing here knows about colours: players, shades and zones are numbers and names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from zrf_py.front.model import Game
from zrf_py.play.game import Position
from zrf_py.run.position import NOBODY
from zrf_py.view.geometry import Line, Place, plan_of
from zrf_py.view.symbols import PieceSymbols

OVERLAYS = ("zones", "links", "directions")


@dataclass(frozen=True, slots=True)
class Label:
    """Text at the edge of the board, centred on a point; `size` is its height."""

    x: float
    y: float
    text: str
    size: float


@dataclass(frozen=True, slots=True)
class Token:
    """How a piece of a type and a player looks: `label` is one or two letters, `glyph` the name of a symbol or "",
    `image` the key of a bitmap in the scene's `images` or ""."""

    player: int
    kind: int
    type: str
    label: str
    glyph: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the board: `place` is the place's index, `name` its name; `title` says both in words."""

    place: int
    name: str
    token: Token
    title: str


@dataclass(frozen=True, slots=True)
class Store:
    """Pieces of one type that a player holds off the board, drawn in a square of `size` around (x, y)."""

    token: Token
    count: int
    x: float
    y: float
    size: float
    title: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: `kind` is "player", "random" or "neutral"; `style` the number of the colour and outline it has."""

    number: int
    name: str
    kind: str
    style: int
    to_move: bool


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone as an overlay: the players (names) it is the same for, and the indexes of its places."""

    name: str
    players: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """A link as an overlay, from place to place; both ways if it is so drawn once."""

    direction: str
    start: int
    end: int
    both: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """One position, ready to be drawn.

    `moved` holds (from, to) for each leg of the last turn, as place indexes, -1 for none; `targets` are the places that
    may be gone to. `board` is the rectangle (left, top, width, height) of the board itself within `width` x `height`.
    `unit` is the size of a usual place, in which thicknesses are measured.
    """

    title: str
    width: float
    height: float
    board: tuple[float, float, float, float]
    unit: float
    places: tuple[Place, ...]
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    pieces: tuple[Piece, ...]
    stores: tuple[Store, ...]
    players: tuple[Seat, ...]
    moved: tuple[tuple[int, int], ...] = ()
    targets: tuple[int, ...] = ()
    zones: tuple[Zone, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    counters: tuple[tuple[str, str, int], ...] = ()
    """(name, player or "", value) of each counter of the rules (ZRF+)."""
    background: str = ""
    """The key of the board's own bitmap in `images`."""
    images: Mapping[str, Path] = field(default_factory=dict)
    """Files of the bitmaps that are used, by key; not part of `as_json`."""

    def as_json(self) -> dict[str, object]:
        """The scene as plain dicts, lists, text and numbers. Bitmaps are named by their keys."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name != "images"}
        return {name: _plain(value) for name, value in plain.items()}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value  # type: ignore[call-overload]


def scene(
    position: Position, *, last_move: Iterable[tuple[int, int]] | None = None, targets: Iterable[int | str] = (),
    overlays: Iterable[str] = (),
) -> Scene:
    """
    The scene of a position.

    `last_move` holds (from, to) as place indexes; None means the turn that led to the position, () none. `targets`
    are places by index or name; unknown ones are left out. `overlays` are some of `OVERLAYS`.
    """
    program, state = position.game.program, position.state
    game = program.game
    plan = plan_of(game.board)
    look = _Look(game)
    pieces = tuple(
        Piece(place.index, place.name, token, f"{game.players[token.player].name} {token.type}, {place.name}")
        for place in plan.places if state.owner[place.index] != NOBODY
        for token in (look.token(state.owner[place.index], state.piece[place.index]),))
    index = {place.name: place.index for place in plan.places}
    shown = set(index.values())
    wanted = (t if isinstance(t, int) else index.get(t, -1) for t in targets)
    return Scene(
        title=game.title, width=plan.width, height=plan.height, board=plan.board, unit=plan.unit, places=plan.places,
        lines=plan.lines, labels=(), pieces=pieces, stores=(), players=look.seats(position),
        moved=tuple(last_turn(position) if last_move is None else last_move),
        targets=tuple(t for t in wanted if t in shown),
    )


def last_turn(position: Position) -> list[tuple[int, int]]:
    """(from, to) of each leg of the turn that led to a position, the last leg last; `from` is -1 for a drop."""
    legs: list[tuple[int, int]] = []
    here: Position | None = position
    while here is not None and here.move is not None and here.previous is not None:
        if here is not position and here.state.chain is None:
            break
        raw = here.move.raw
        parts = [(start, end) for _, start, end, _ in raw.movements]
        legs[:0] = parts or [(-1, effect[1]) for effect in raw.effects if effect[0] == "create"]
        here = here.previous
    return legs


class _Look:
    """How the pieces of one game look."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symbols = PieceSymbols(game)

    def token(self, player: int, kind: int) -> Token:
        return Token(player, kind, self.game.pieces[kind].name, self.symbols.symbol(player, kind))

    def seats(self, position: Position) -> tuple[Seat, ...]:
        return tuple(Seat(i, p.name, p.kind, i, p.name == position.player) for i, p in enumerate(self.game.players))
