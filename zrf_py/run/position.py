"""Positions and moves shared by all engines, and the effect of a move on a position.

A position never changes; `play` makes a new one. Numbers are those of `front/model.py`; NOBODY marks an empty square.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from zrf_py.ir.ops import Program
from zrf_py.run.faults import bounded
from zrf_py.text.packing import packed

NOBODY = -1
KEEP = -1
"""Value for the type of a movement: the piece keeps its type."""
NEW = -1
"""Origin of a piece that was not on the board."""
NOT_PARTIAL = -2
ANY_TYPE = -1

MOVE, COPY, DROP = range(3)

Movement = tuple[int, int, int, int]
"""(MOVE | COPY | DROP, from, to, type). `type` may be KEEP except in a drop. A drop has no start square: `from` is -1
if the piece comes from the store of its own type, -2 - t if it comes from the store of type t (`from_store`)."""

Effect = tuple[str, int, int, int]
"""("create", square, type, player), ("flip", square, 0, 0), ("change-owner", square, player, 0), ("change-type",
square, type, 0), ("set-attribute", square, attribute, value), ("set-counter" or "add-to-counter", counter, value,
player) or ("next-turn", distance, 0, 0); in code order."""

Changes = tuple[tuple[Movement, ...], tuple[Effect, ...], tuple[int, ...]]
"""(movements, effects, squares of captures) of a move."""


def from_store(movement: Movement) -> int:
    """Return the type whose store supplies a dropped piece: that of the block, even if another type is placed."""
    return movement[3] if movement[1] == -1 else -2 - movement[1]


@packed
@dataclass(frozen=True, slots=True)
class Move:
    """One move or leg.

    `side` is the player whose pieces move. `partial` is NOT_PARTIAL, or the move type of the next leg (ANY_TYPE for
    all). `start` and `end` are the block's from and to squares; the next leg starts on `end`, which is -1 for a pass
    and for the moves of `add-pass`. A move without parts is a pass.
    """

    side: int
    movements: tuple[Movement, ...] = ()
    effects: tuple[Effect, ...] = ()
    captures: tuple[int, ...] = ()
    partial: int = NOT_PARTIAL
    start: int = -1
    end: int = -1
    must: bool = False
    """The leg may not be the last of its turn."""

    @property
    def is_pass(self) -> bool:
        """True if nothing moves and nothing changes."""
        return not (self.movements or self.effects or self.captures)

    @property
    def changes(self) -> Changes:
        """The movements, effects and captures."""
        return self.movements, self.effects, self.captures

    @property
    def key(self) -> tuple[int, int]:
        """(from, to), the squares that a player clicks: those of the first movement, or else of the block; -1: none."""
        if self.movements:
            return max(self.movements[0][1], -1), self.movements[0][2]
        return (self.start, self.end) if self.end >= 0 else (-1, -1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a game: `winners` and `losers` are player numbers, both empty in a draw; `reason` names the rule."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    reason: str

    def is_won_by(self, *side: int) -> bool:
        """Return whether a side has won: a member is a winner, or there are only losers and no member is one."""
        if self.winners:
            return not set(side).isdisjoint(self.winners)
        return bool(self.losers) and set(side).isdisjoint(self.losers)

    def points(self, *side: int) -> int:
        """Return 1 if a side has won, -1 if it has lost, 0 in a draw."""
        return 1 if self.is_won_by(*side) else -1 if self.winners or self.losers else 0


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """Full state of a game in progress, except its history.

    `owner`, `piece` and `attributes` (a bit mask) are indexed by square; `stores[player][type]` counts pieces off the
    board. `turn` is the index in the turn order. Within a turn `chain` is (square, move type or ANY_TYPE): only the
    piece there may continue. `taken` lists (player, type) of the pieces captured in the current or last turn.
    """

    owner: tuple[int, ...]
    piece: tuple[int, ...]
    attributes: tuple[int, ...]
    stores: tuple[tuple[int, ...], ...]
    turn: int = 0
    last_from: int = -1
    last_to: int = -1
    chain: tuple[int, int] | None = None
    taken: tuple[tuple[int, int], ...] = ()
    mover: int = -1
    """The player who made the last complete turn; -1 before the first."""
    result: Outcome | None = None
    """Outcome by a board goal that the last turn reached."""
    counters: tuple[tuple[int, ...], ...] = ()
    """The values of each counter, by player number; a shared counter uses only index 0."""
    made: tuple[int, ...] = ()
    """Number of complete turns that each player has made, by player number."""
    legs: int = 0
    """Legs made in the current turn."""
    must: bool = False
    """The turn may not end here."""
    step: int = 1
    """Distance in the turn order to the next turn; 1 unless a leg changed it by `next-turn`."""
    origin: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """Within a turn: `owner` and `piece` as they were when it began."""
    out: frozenset[int] = frozenset()
    """Players who are out of the game."""
    stores_tell: bool = False
    """True if stores are part of the repetition key, because captured pieces change hands."""

    def emptied(self) -> "Position":
        """Return this position without the pieces on the board."""
        size = len(self.owner)
        return replace(self, owner=(NOBODY,) * size, piece=(0,) * size, attributes=(0,) * size)

    def with_pieces(self, *pieces: tuple[int, int, int, int]) -> "Position":
        """Return this position with pieces (square, owner, type, attributes) in place of any that stand there."""
        owner, piece, attributes = list(self.owner), list(self.piece), list(self.attributes)
        for square, *content in pieces:
            owner[square], piece[square], attributes[square] = content
        return replace(self, owner=tuple(owner), piece=tuple(piece), attributes=tuple(attributes))

    def key(self) -> tuple[object, ...]:
        """Repetition key: board, attributes, state of the turn, counters, players out; stores if `stores_tell`."""
        return (self.owner, self.piece, self.attributes, self.turn, self.chain, self.counters, self.must, self.step,
                self.out, self.stores if self.stores_tell else ())


def initial(program: Program) -> Position:
    """Return the start position."""
    game = program.game
    size = len(game.board.places)
    owner, piece, attributes = [NOBODY] * size, [0] * size, [0] * size
    for player, kind, square in game.setup:
        owner[square], piece[square], attributes[square] = player, kind, game.pieces[kind].attributes
    stores = [[0] * len(game.pieces) for _ in game.players]
    for player, kind, count in game.stores:
        stores[player][kind] += count
    counters = tuple((counter.start,) * len(game.players) for counter in game.counters)
    return Position(
        tuple(owner), tuple(piece), tuple(attributes), tuple(tuple(s) for s in stores), counters=counters,
        made=(0,) * len(game.players), stores_tell=game.options.recycle_captures == "captor",
    )


def play(program: Program, position: Position, move: Move) -> Position:
    """Return the position after a move or leg, except for the state of the turn, which the caller sets.

    Order, as in the original: all movements at once, then effects in code order, then captures. A move without
    a destination leaves `last_from` and `last_to` unchanged.
    """
    taken = position.taken if position.chain else ()
    board = MutableBoard(program, position, move.side)
    board.apply(move)
    last_from, last_to = move.key
    if last_to < 0:
        last_from, last_to = position.last_from, position.last_to
    stores = tuple(tuple(s) for s in board.stores) if board.stores is not None else position.stores
    counters = tuple(tuple(c) for c in board.counters) if board.counters else position.counters
    return replace(
        position, owner=tuple(board.owner), piece=tuple(board.piece), attributes=tuple(board.attributes),
        stores=stores, last_from=last_from, last_to=last_to, chain=None, taken=(*taken, *board.taken),
        counters=counters, step=board.step,
    )


class Overlay(dict[int, int]):
    """Copy-on-write view of a tuple of numbers: unchanged squares read through to the tuple."""

    def __init__(self, below: tuple[int, ...]) -> None:
        self.below = below

    def __missing__(self, square: int) -> int:
        return self.below[square]


class MutableBoard:
    """Board to which one move is applied.

    `origin` holds, for each square on which a piece was put or has changed (owner or type), the square where that piece
    was before (NEW: not on the board), in order of writing. `gone` lists the former squares of removed pieces.
    """

    def __init__(
        self, program: Program, position: Position, side: int,
        cells: Callable[[tuple[int, ...]], list[int] | Overlay] = list,
    ) -> None:
        """`cells` makes the arrays: `list` copies the board, `Overlay` does not."""
        game = program.game
        self.pieces = game.pieces
        self.recycle_captures = game.options.recycle_captures
        self.recycle_promotions = game.options.recycle_promotions
        self.owner, self.piece = cells(position.owner), cells(position.piece)
        self.attributes = cells(position.attributes)
        self.origin: dict[int, int] = {}
        self.gone: list[int] = []
        self.before = position.stores
        self.stores: list[list[int]] | None = None
        self.taken: list[tuple[int, int]] = []
        self.counters = [list(c) for c in position.counters]
        self.step = position.step
        self.side = side

    def apply(self, move: Move) -> None:
        self.movements(move)
        for effect in move.effects:
            self.effect(effect)
        for square in move.captures:
            self.remove(square)

    def store(self, player: int, kind: int, change: int) -> None:
        """Add `change` to the number of a player's off-board pieces of a type."""
        if self.stores is None:
            self.stores = [list(s) for s in self.before]
        self.stores[player][kind] += change

    def take_from_store(self, player: int, kind: int) -> None:
        """Take a dropped piece from its store; no change if the store is empty."""
        if (self.stores or self.before)[player][kind] > 0:
            self.store(player, kind, -1)

    def remove(self, square: int) -> None:
        """Capture the piece on a square, if there is one."""
        player = self.owner[square]
        if player == NOBODY:
            return
        kind = self.piece[square]
        self.taken.append((player, kind))
        self.gone.append(self.origin.get(square, square))
        if self.recycle_captures:
            keeper = player if self.recycle_captures == "owner" else self.side
            self.store(keeper, self.pieces[kind].captured_as, 1)
        self.owner[square], self.piece[square], self.attributes[square] = NOBODY, 0, 0

    def put(self, square: int, player: int, kind: int, attributes: int, origin: int = NEW) -> None:
        """Place a piece; capture one that stands there."""
        self.remove(square)
        self.origin[square] = origin
        self.owner[square], self.piece[square], self.attributes[square] = player, kind, attributes

    def movements(self, move: Move) -> None:
        """Lift all moving pieces, then put them down; each captures the piece on its destination, if there is one."""
        lifted = []
        starts = set()
        for movement in move.movements:
            how, start, end, kind = movement
            if how == DROP:
                self.take_from_store(move.side, from_store(movement))
                lifted.append((end, move.side, kind, self.pieces[kind].attributes, NEW))
                continue
            player, old, attributes = self.owner[start], self.piece[start], self.attributes[start]
            new = old if kind == KEEP else kind
            if self.recycle_promotions and new != old:
                self.store(move.side, new, -1)
                self.store(move.side, old, 1)
            if how == COPY:
                attributes = self.pieces[new].attributes if kind != KEEP else attributes
            lifted.append((end, player, new, attributes, NEW if how == COPY or start in starts else start))
            if how == MOVE:
                starts.add(start)
        for start in starts:
            self.owner[start], self.piece[start], self.attributes[start] = NOBODY, 0, 0
        for end, player, kind, attributes, origin in lifted:
            if player != NOBODY:
                self.put(end, player, kind, attributes, origin)

    def effect(self, effect: Effect) -> None:
        """Apply one effect to the current content of its square; on an empty square only `create` has an effect."""
        name, square, a, b = effect
        if name == "next-turn":
            self.step = square
            return
        if name.endswith("-counter"):
            self.counters[square][b] = a if name == "set-counter" else bounded(self.counters[square][b] + a)
        elif name == "create":
            self.put(square, b, a, self.pieces[a].attributes)
        elif self.owner[square] == NOBODY:
            return
        elif name == "flip":
            self.change_owner(square, (self.owner[square] - 1) % len(self.before))
        elif name == "change-owner":
            self.change_owner(square, a)
        elif name == "change-type":
            self.change_type(square, a)
        else:
            self.attributes[square] = self.attributes[square] & ~(1 << a) | b << a

    def change_owner(self, square: int, player: int) -> None:
        """Change a piece's owner; its type and attributes stay."""
        self.origin.setdefault(square, square)
        self.owner[square] = player

    def change_type(self, square: int, kind: int) -> None:
        """Change a piece's type; its owner and attributes stay."""
        self.origin.setdefault(square, square)
        if self.recycle_promotions and self.piece[square] != kind:
            self.store(self.owner[square], kind, -1)
            self.store(self.owner[square], self.piece[square], 1)
        self.piece[square] = kind
