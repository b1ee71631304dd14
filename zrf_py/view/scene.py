"""Scene of a position: all data for drawing it (places with geometry, lines, pieces, stores, marks, overlays).

Coordinates are in the pixels of the rules file's own bitmap, translated so that the drawing begins at (0, 0); a place
is given by its centre. Pictures of all kinds are made from a scene alone. The lines of some boards differ from the
links: diagonals of a palace are added, lines across a river removed. `looks.json` names these zones, in the entry of
the piece set by which such a game is recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil
from pathlib import Path

from zrf_py.front.model import Board
from zrf_py.front.model import Game as Rules
from zrf_py.play.aims import goal_places
from zrf_py.play.game import Game, Position
from zrf_py.run.position import NEW, NOBODY
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.view import geometry, looks
from zrf_py.view.bitmaps import Bitmaps, size_of
from zrf_py.view.geometry import BoardLine, BoardPlan
from zrf_py.view.trays import Tray, bottom_of, held_types, trays, unit_of

OVERLAYS = ("zones", "links", "directions")


@dataclass(frozen=True, slots=True)
class Token:
    """Appearance of a player's pieces of one type: `label` is one or two letters, `glyph` the name of a symbol or "",
    `image` the key of a bitmap in the scene's `images` or "". A piece of a set has a `shape` ("wedge" or "coin") with a
    `sign` of colour `ink` on it; `turned` is True for a wedge that points down, False for one that points up, and None
    for all other pieces."""

    player: int
    kind: int
    type: str
    label: str
    glyph: str = ""
    image: str = ""
    shape: str = ""
    sign: str = ""
    ink: str = ""
    turned: bool | None = None


@dataclass(frozen=True, slots=True)
class DrawnPiece:
    """A piece on the board: `place` and `name` are the index and name of its place; `title` names piece and place."""

    place: int
    name: str
    token: Token
    title: str


@dataclass(frozen=True, slots=True)
class DrawnStore:
    """Pieces of one type that a player holds off the board, drawn in a square of `size` around (x, y)."""

    token: Token
    count: int
    x: float
    y: float
    size: float
    title: str


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone as an overlay: names of the players who share it, indexes of its places, position (x, y) of its name."""

    name: str
    players: tuple[str, ...]
    places: tuple[int, ...]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Arrow:
    """A link as an overlay, between places given by index; `both`: some direction leads back, too."""

    direction: str
    start: int
    end: int
    both: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """One position, ready for drawing.

    `moved` holds (from, to) for each leg of the last turn, as place indexes (-1: none); `targets` are the possible
    destinations. `board` is the rectangle (left, top, width, height) of the board itself within `width` x `height`,
    `panel` that of the ground below points, if there are any. `trays` hold the players' pieces off the board.
    `unit` is the size of a usual place, by which line widths scale. `bare`: pieces are figures, not discs.
    """

    title: str
    width: float
    height: float
    board: tuple[float, float, float, float]
    panel: tuple[float, float, float, float] | None
    unit: float
    places: tuple[geometry.DrawnPlace, ...]
    lines: tuple[geometry.BoardLine, ...]
    labels: tuple[geometry.Label, ...]
    pieces: tuple[DrawnPiece, ...]
    stores: tuple[DrawnStore, ...]
    trays: tuple[Tray, ...]
    players: tuple[looks.Look, ...]
    mover: str
    """Name of the player to move; "" in a game without turns."""
    moved: tuple[tuple[int, int], ...] = ()
    targets: tuple[int, ...] = ()
    zones: tuple[Zone, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    overlays: tuple[str, ...] = ()
    kinds: tuple[Token, ...] = ()
    """All kinds of pieces that players may have, on the board or not."""
    bare: bool = False
    background: str = ""
    """Key of the board's own bitmap in `images`, or ""."""
    sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Width and height of each bitmap, by key; a piece's bitmap is centred on its place."""
    images: Mapping[str, Path] = field(default_factory=dict)
    """Files of the bitmaps in use, by key."""


def scene(
    position: Position, *, last_move: Iterable[tuple[int, int]] | None = None, targets: Iterable[int | str] = (),
    overlays: Iterable[str] = (), bitmaps: bool = True, letters: bool = False, held: bool = True,
) -> Scene:
    """Make the scene of a position.

    :param last_move: (from, to) as place indexes; None means the turn that led to the position, () none.
    :param targets: places by index or name; unknown ones are left out.
    :param overlays: some of `OVERLAYS`.
    :param bitmaps: use the bitmaps of the rules file, if there are any.
    :param letters: draw letters instead of the signs of a piece set.
    :param held: draw what players have off the board; pages show that beside the drawing.
    :raises ZrfError: for an unknown overlay.
    """
    wanted_overlays = tuple(dict.fromkeys(overlays))
    for name in wanted_overlays:
        if name not in OVERLAYS:
            raise ZrfError([Diagnostic("unknown-overlay", f"there is no overlay `{name}`", None,
                                       help=f"the overlays are {', '.join(OVERLAYS)}")])
    stage = stage_of(position.game, bitmaps, letters)
    index = {place.name: place.index for place in stage.places}
    drawn = set(index.values())
    target_indexes = dict.fromkeys(t if isinstance(t, int) else index.get(t, -1) for t in targets)
    pieces = stage.pieces(position)
    stores, below = stage.stores(position) if held else ((), stage.below)
    zones, bottom = stage.zones(below) if "zones" in wanted_overlays else ((), below)
    linked = {"links", "directions"} & {*wanted_overlays}
    arrows = tuple(_arrows(position.game.program.game.board, drawn)) if linked else ()
    return Scene(
        title=position.game.title, width=stage.width, height=bottom, board=stage.board,
        panel=stage.panel, unit=stage.unit, places=stage.places, lines=stage.lines, labels=stage.labels,
        pieces=pieces, stores=stores, trays=stage.trays if held else (),
        players=stage.looks.players, mover=position.player,
        moved=tuple(last_turn(position) if last_move is None else last_move),
        targets=tuple(t for t in target_indexes if t in drawn), zones=zones, arrows=arrows, overlays=wanted_overlays,
        kinds=stage.kinds(), bare=stage.looks.bare, background=stage.background, sizes=stage.sizes, images=stage.images,
    )


def last_turn(position: Position) -> list[tuple[int, int]]:
    """Return (from, to) of each leg of the turn that led to a position, in order; `from` is -1 for a drop.

    A move with movements contributes its main piece and the mover's other pieces; any other move, all placed pieces.
    """
    legs: list[tuple[int, int]] = []
    reached: Position | None = position
    while reached is not None and reached.move is not None and reached.previous is not None:
        if reached is not position and reached.state.chain is None:
            break
        diff, raw, is_drop = reached.move.diff, reached.move.raw, reached.move.is_drop
        main = [(diff.start, diff.end)] if raw.movements else []
        others = [(origin, square) for square, origin, player, _ in diff.men if origin != square
                  and (not main or (player == raw.side and (origin != NEW or is_drop)))]
        legs[:0] = dict.fromkeys(main + others)
        reached = reached.previous
    return legs


def turn_marks(legs: Sequence[tuple[int, int]]) -> dict[int, str]:
    """Return the marks of the places of a turn's legs: "to" for final destinations, "from" for all others."""
    ends = {end for i, (_, end) in enumerate(legs) if end not in {start for start, _ in legs[i + 1:]}}
    return {i: "to" if i in ends else "from" for leg in legs for i in leg if i >= 0}


def _arrows(board: Board, drawn: set[int]) -> Iterable[Arrow]:
    pairs = {(a, b) for table in board.links for a, b in enumerate(table)}
    for direction, table in zip(board.directions, board.links, strict=True):
        for a, b in enumerate(table):
            if a in drawn and b in drawn and a != b:
                yield Arrow(direction, a, b, (b, a) in pairs)


@lru_cache(maxsize=32)
def stage_of(game: Game, bitmaps: bool, letters: bool = False) -> Stage:
    """Return the stage that all positions of a game share, cached."""
    return Stage(game, bitmaps, letters)


def _are_stones(rules: Rules) -> bool:
    """Return True if all pieces are of one type that is only ever dropped."""
    kinds = [piece for piece in rules.pieces if not piece.dummy]
    return len(kinds) == 1 and bool(kinds[0].drops) and not kinds[0].moves


class Stage:
    """Layout of a game's board, with the appearance of its pieces."""

    def __init__(self, game: Game, bitmaps: bool, letters: bool = False) -> None:
        self.letters = letters
        self.program = game.program
        self.game = rules = game.program.game
        self.looks = looks.Looks(rules)
        self.bitmaps = Bitmaps(game.path if bitmaps else None)
        self.images: dict[str, Path] = {}
        self.sizes: dict[str, tuple[int, int]] = {}
        picture = Bitmaps(game.path).first(rules.board.images)
        self.background = self._image(rules.board.images)
        shaded = any(p.moves for p in rules.pieces) and not self.looks.is_plain()
        plan = geometry.plan_of(rules.board, shaded, picture and size_of(picture[1]),
                       moved=not self.background, stones=_are_stones(rules))
        self.unit = plan.unit
        left, top, right, bottom = plan.bounds
        self.turned = [looks.goes_down(rules, player) for player in range(len(rules.players))]
        held = held_types(rules)
        if self.background:
            left = top = dx = 0.0
            self.width, bottom = map(float, self.sizes[self.background])
            right, around, beside = self.width, 0.0, 0.0
        else:
            high = max((t.size for t in plan.labels if t.x < left or t.y > bottom), default=0.0)
            around, beside = 0.45 * plan.unit, max(0.25 * plan.unit, 1.4 * high - 0.4 * plan.unit) if high else 0.0
            dx = around - left + beside
            self.width = right + dx + around
        slot = unit_of(held, self.width, self.unit)
        upper = trays({p: held[p] for p in held if self.turned[p]}, self.width, slot, 0.2 * self.unit, True)
        dy = bottom_of(upper, 0) + around - top
        end = bottom + dy + around + beside
        lower = trays({p: held[p] for p in held if not self.turned[p]}, self.width, slot, end, False)
        self.trays, self.below = upper + lower, bottom_of(lower, end) + (0.2 * self.unit if lower else 0)
        self.board = (left + dx, top + dy, right - left, bottom - top)
        self.labels = () if self.background else tuple(replace(t, x=t.x + dx, y=t.y + dy) for t in plan.labels)
        ground = plan.panel
        self.panel = ground and (ground[0] + dx, ground[1] + dy, ground[2] - ground[0], ground[3] - ground[1])
        goals = goal_places(self.program)
        self.places = tuple(
            replace(p, x=p.x + dx, y=p.y + dy, goal=p.index in goals,
                    room=min(p.w, p.h) if self.background else p.room,
                    outline=tuple((x + dx, y + dy) for x, y in p.outline)) for p in plan.places)
        lines = marked_lines(rules.board, plan, self.looks.lines()) if plan.lines else ()
        self.lines = tuple(geometry.BoardLine(n.x1 + dx, n.y1 + dy, n.x2 + dx, n.y2 + dy) for n in lines)
        self.tokens = {(player, kind): self._token(player, kind)
                       for player in range(len(rules.players)) for kind in range(len(rules.pieces))}

    def _image(self, names: Iterable[str]) -> str:
        """Add the first usable bitmap to `images`; return its key, or ""."""
        bitmap = self.bitmaps.first(names)
        size = size_of(bitmap[1]) if bitmap else None
        if bitmap is None or size is None:
            return ""
        self.images[bitmap[0]], self.sizes[bitmap[0]] = bitmap[1], size
        return bitmap[0]

    def _token(self, player: int, kind: int) -> Token:
        piece = self.game.pieces[kind]
        names = piece.images.get(self.game.players[player].name) or piece.images.get("", ())
        glyph = self.looks.glyph(player, kind)
        token = Token(player, kind, piece.name, self.looks.label(kind), glyph, self._image(names))
        shape = "" if token.image else self.looks.shape()
        if not shape:
            return token
        sign = "" if self.letters else self.looks.sign(player, kind)
        return replace(token, shape=shape, sign=sign, ink=self.looks.ink(player, kind),
                       turned=self.turned[player] if shape == "wedge" else None)

    def pieces(self, position: Position) -> tuple[DrawnPiece, ...]:
        """Return the pieces on drawn places, except dummies without a bitmap."""
        pieces = []
        for place in self.places:
            owner, kind = position.state.owner[place.index], position.state.piece[place.index]
            if owner == NOBODY or (self.game.pieces[kind].dummy and not self.game.pieces[kind].images):
                continue
            title = f"{self.game.players[owner].name} {self.game.pieces[kind].name}, {place.name}"
            pieces.append(DrawnPiece(place.index, place.name, self.tokens[owner, kind], title))
        return tuple(pieces)

    def kinds(self) -> tuple[Token, ...]:
        """Return the appearance of all kinds of pieces of the players, without dummies."""
        return tuple(token for (player, kind), token in self.tokens.items()
                     if self.game.players[player].kind == "player" and not self.game.pieces[kind].dummy)

    def stores(self, position: Position) -> tuple[tuple[DrawnStore, ...], float]:
        """Return the players' pieces off the board, and the y of their lower edge. Pieces without a slot in a tray
        (possible after edits) are put below all trays."""
        held = position.state.stores
        slots = {(tray.player, kind) for tray in self.trays for kind, _, _ in tray.slots}
        spots = [(tray.player, kind, x, y, tray.unit) for tray in self.trays for kind, x, y in tray.slots
                 if held[tray.player][kind] > 0]
        strange = [(p, k) for p, counts in enumerate(held) for k, n in enumerate(counts)
                   if n > 0 and (p, k) not in slots and self.game.players[p].kind == "player"
                   and not self.game.pieces[k].dummy]
        each = max(1, int((self.width - 0.4 * self.unit) // (1.6 * self.unit)))
        spots += [(p, k, (0.8 + i % each * 1.6) * self.unit, self.below + (0.5 + i // each) * self.unit, self.unit)
                  for i, (p, k) in enumerate(strange)]
        stores = (DrawnStore(self.tokens[p, k], held[p][k], x, y, 0.8 * unit,
                        f"{self.game.players[p].name} holds {held[p][k]} {self.game.pieces[k].name}")
                  for p, k, x, y, unit in spots)
        return tuple(stores), self.below + ceil(len(strange) / each) * self.unit

    def zones(self, top: float) -> tuple[tuple[Zone, ...], float]:
        """Return all zones, with their names one below the other from `top` on, and the y below the names."""
        board, names = self.game.board, [p.name for p in self.game.players]
        drawn = {p.index for p in self.places}
        zones: list[Zone] = []
        line = 0.45 * self.unit
        for name, by_player in zip(board.zone_names, board.zones, strict=True):
            for places in dict.fromkeys(p for p in by_player if drawn & set(p)):
                players = tuple(n for n, own in zip(names, by_player, strict=True) if own == places)
                squares = tuple(p for p in places if p in drawn)
                zones.append(Zone(name, players, squares, 0.5 * self.unit, top + (len(zones) + 0.5) * line))
        return tuple(zones), top + (len(zones) + 0.5) * line


def marked_lines(board: Board, plan: BoardPlan, marks: Mapping[str, str]) -> tuple[BoardLine, ...]:
    """Return a plan's lines, with the diagonals of each player's palace, but without those across the river."""
    spots = {(p.x, p.y): p.index for p in plan.places}
    left, right = min(p.x for p in plan.places), max(p.x for p in plan.places)
    side = {i: n for n, places in enumerate(_zone(board, marks.get("banks", ""))) for i in places}

    def crosses(line: BoardLine) -> bool:
        a, b = (side.get(spots.get(end, -1)) for end in ((line.x1, line.y1), (line.x2, line.y2)))
        return a is not None and b is not None and a != b and line.x1 not in (left, right)

    lines = [line for line in plan.lines if not crosses(line)]
    by_index = {p.index: p for p in plan.places}
    for places in _zone(board, marks.get("palace", "")):
        inside = [by_index[i] for i in places if i in by_index]
        xs, ys = [p.x for p in inside], [p.y for p in inside]
        lines += [BoardLine(min(xs), min(ys), max(xs), max(ys)), BoardLine(min(xs), max(ys), max(xs), min(ys))]
    return tuple(lines)


def _zone(board: Board, name: str) -> list[tuple[int, ...]]:
    """Return the distinct, non-empty sets of places that a zone has for the players."""
    if name not in board.zone_names:
        return []
    return [places for places in dict.fromkeys(board.zones[board.zone_names.index(name)]) if places]
