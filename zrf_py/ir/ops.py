"""The program: what every engine executes. Types, and the table that says what each operation does.

A block of a rules file becomes a list of operations. A test falls through if its answer is `want` and jumps by
`target` operations otherwise (BLOCK_END: the block ends); so `and`, `or`, `not`, `if`, `while` and `verify` need no
operations of their own.

`where` says which square an operation is about, in one number:

    0        the cursor
    p + 1    position number p
    -(m + 1) the square that motion m leads to from the cursor; off the board a test answers no, an effect is skipped

A motion is `2 * direction`, or `2 * direction + 1` for the step against it. Motions are read through the symmetry of
the side that moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from zrf_py.front.model import Game, Number
from zrf_py.text.source import Origin

HERE = 0
BLOCK_END = -1_000_000_000
"""The jump that ends the block; whatever operation it is added to, the sum is negative."""
SELF = -1
"""As the piece of `create`: the type whose block runs; as its player: the side that moves."""

GO_FROM, GO_TO, GO_MARK, GO_LAST_FROM, GO_LAST_TO = range(5)

OPS: Mapping[str, str] = {
    "step": "the cursor moves along motion a; off the board the block ends",
    "jump": "the cursor moves to position a",
    "go": "the cursor moves to the square a: from 0, to 1, mark 2, last-from 3, last-to 4; unset: the block ends",
    "mark": "`where` is marked; off the board the block ends",
    "from": "the from square is the cursor",
    "to": "the to square is the cursor",
    "cascade": "the movement built so far is stored; from becomes the cursor, to is unset",
    "add": "a move is written, one for each of `types` (or one that keeps the type); a: bit 0 copy, bit 1 partial; "
    "b: move type the next leg must have, -1 for any. Then effects are cleared, from is the start, to is unset",
    "capture": "effect: the piece on `where` is removed, after everything else",
    "flip": "effect: the piece on `where` goes to the next player",
    "change-owner": "effect: the piece on `where` goes to the side that moves",
    "create": "effect: a piece of type a (-1: the type that moves) of player b (-1: the side) appears on `where`",
    "change-type": "effect: the piece on `where` becomes type a",
    "set-attribute": "effect: attribute a of the piece on `where` becomes b",
    "set-counter": "effect: counter a of player b (-1: the side) becomes the number",
    "add-to-counter": "effect: counter a of player b (-1: the side) grows by the number",
    "next-turn": "effect: the turn that follows is the number counted from this one",
    "must-continue": "the leg that `add` writes next may not be the last of its turn",
    "add-pass": "the move Pass is written",
    "set-flag": "flag a becomes b, at once",
    "set-position-flag": "flag a of `where` becomes b, at once; forgotten when the block ends",
    "goto": "jump by `target` operations",
    "end": "the block ends",
    "empty?": "test: nobody is on `where`",
    "friend?": "test: a piece of the side is on `where`",
    "enemy?": "test: a piece of any other player is on `where`",
    "neutral?": "test: a piece of a player without turns is on `where`",
    "piece?": "test: a piece of type a is on `where`",
    "in-zone?": "test: `where` belongs to zone a of the side",
    "position?": "test: `where` is position a",
    "on-board?": "test: `where` exists",
    "marked?": "test: `where` is the marked square",
    "last-from?": "test: the previous move or leg started on `where`",
    "last-to?": "test: the previous move or leg ended on `where`",
    "adjacent-to-enemy?": "test: some link leads from `where` to an enemy",
    "attacked?": "test: an enemy move (of move type a unless -1) could capture on `where`",
    "defended?": "test: a move of the side (of move type a unless -1) could capture an enemy on `where`",
    "goal-position?": "test: `where` occurs in an absolute configuration",
    "position-flag?": "test: flag a of `where` is set",
    "flag?": "test: flag a is set",
    "attribute?": "test: the piece on `where` has attribute a",
    "equal?": "test: both `numbers` are the same",
    "less?": "test: the first of `numbers` is smaller",
    "greater?": "test: the first of `numbers` is larger",
}


@dataclass(frozen=True, slots=True)
class Op:
    """One operation; which fields it uses says its row in `OPS`. `target` and `want` are for tests and `goto`."""

    name: str
    a: int = 0
    b: int = 0
    where: int = HERE
    types: tuple[int, ...] = ()
    want: bool = True
    target: int = 0
    origin: Origin | None = None
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Routine:
    """A block of a piece type.

    `zone` and `position` restrict where a drop block runs (-1: everywhere). Blocks that come from the same text and
    mean the same share `code`.
    """

    piece: int
    move_type: int
    code: tuple[Op, ...]
    zone: int = -1
    position: int = -1

    def __repr__(self) -> str:
        return f"<Routine of piece {self.piece}, {len(self.code)} operations>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program:
    """A game ready to run.

    `moves[piece]` and `drops[piece]` are the routines of a type. `steps[player][motion][position]` is the next
    position, symmetry applied. `attribute_count`, `flags` and `position_flags` are how many there are.
    """

    game: Game
    moves: tuple[tuple[Routine, ...], ...]
    drops: tuple[tuple[Routine, ...], ...]
    steps: tuple[tuple[tuple[int, ...], ...], ...]
    zone_sets: tuple[tuple[frozenset[int], ...], ...]
    neighbours: tuple[tuple[int, ...], ...]
    """Positions that some link leads to, for `adjacent-to-enemy?`."""
    goal_positions: frozenset[int]
    move_types: tuple[str, ...]
    ordinals: tuple[int, ...]
    """The number saved games use for each move type, after `partial`; 0 for one this game never names."""
    flags: tuple[str, ...]
    position_flags: tuple[str, ...]

    def __repr__(self) -> str:
        """Short: written out, a program that shares its operations could fill the memory."""
        return f"<Program {self.game.title}>"

    def codes(self) -> Iterator[tuple[Op, ...]]:
        """The operations of each block; blocks that share theirs count once."""
        found = {id(r.code): r.code for routines in (*self.moves, *self.drops) for r in routines}
        yield from found.values()

    def uses(self, *names: str, suits: Callable[[Op], bool] = lambda op: True) -> bool:
        """Whether some block has an operation of one of these names that suits."""
        return any(op.name in names and suits(op) for code in self.codes() for op in code)
