"""Inputs of the native search. Types only, so that importing them does not import LLVM."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from zrf_py.run.position import Position

Steps = Sequence[Sequence[Sequence[Sequence[int]]]]
"""Squares that a piece reaches in a step, [player][type][square]."""


@dataclass(frozen=True)
class Lines:
    """Lines: sets of squares that win together. `at[square]` holds its entries: (line, wanted owner + 1 or 0 for any,
    owner negated, wanted type + 1, result negated)."""

    at: tuple[tuple[tuple[int, int, int, int, int], ...], ...] = ()
    players: tuple[int, ...] = ()
    """Owner of each line; -1 - player for a line to avoid."""
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class Races:
    """Races (goals that need many squares). `goals[player]` holds the squares, `costs[player][type][square][target]`
    the cost of a piece's path in hundredths of a step (-1: none), `steps[player][type][square]` the squares one
    step away on an empty board."""

    goals: tuple[frozenset[int], ...]
    costs: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    steps: Steps


@dataclass(frozen=True)
class Patterns:
    """Learned patterns. The contents of a pattern's squares, first square first, are the digits of a number, the lowest
    first; `bases[pattern]` plus that number is the index of its weight among the `size` weights of a stage.

    `digits[(owner + 1) * (types + 1) + type + 1]` is the digit of a cell (0 if empty), `radix` the number of
    different digits; `stages[pieces on the board]` is the stage. `weights` are in hundredths from the view of player
    `first`; `per_move` replaces the value of each legal move in excess of the opponent's. `parts` and `values`, if
    there are any, are the arrays `phase_part` and `phase_value` of `memory.py`.
    """

    squares: tuple[tuple[int, ...], ...]
    bases: tuple[int, ...]
    digits: tuple[int, ...]
    radix: int
    stages: tuple[int, ...]
    size: int
    first: int
    per_move: int
    weights: "array[int]"
    parts: tuple[int, ...] = ()
    values: "array[int]" = field(default_factory=lambda: array("h"))


@dataclass(frozen=True)
class Plan:
    """Search features to use in a game; see `Plan` of `memory.py`."""

    lines: Lines = field(default_factory=Lines)
    null_move: bool = False
    counts_leaves: bool = True
    last_matters: bool = False
    races: Races | None = None
    sums_suffice: bool = False
    beam: bool = False
    patterns: Patterns | None = None


@dataclass(frozen=True)
class Weights:
    """Evaluation weights, in the unit of `SearchLine.value`: hundredths of a move's worth.

    `board[player][type][square]`, `hand[player][type]`, `kinds[type]` (to order captures), `lines[missing]`, `takes`
    (captures were seen), `terms`: the other terms, by name in `memory.TERMS`.
    """

    board: list[list[list[int]]]
    hand: list[list[int]]
    kinds: list[int]
    lines: list[int]
    takes: bool
    terms: dict[str, int]

    def men(self, position: Position, player: int) -> int:
        """Return the value of a player's pieces, on the board and off it."""
        board, pieces = self.board[player], position.piece
        held = sum(max(0, n) * worth for n, worth in zip(position.stores[player], self.hand[player], strict=True))
        return held + sum(board[pieces[s]][s] for s, owner in enumerate(position.owner) if owner == player)


@dataclass(frozen=True)
class MctsSettings:
    """Settings of the tree search; see `memory.py`."""

    estimates: bool
    explore: int = 80_000
    """Exploration constant, in units of 1/65536. With 2000 positions per move, twice this value won 14:0 (16 drawn) in
    a game of placing pieces and made no difference in four others (30 to 40 games each); in othello, half
    of it lost 5:14, and twice as much 8:12."""
    longest: int = 600
    rollout_legs: int = 0
    """Legs of a rollout before evaluation; four were no better (14 to 14)."""
    tries: int = 1
