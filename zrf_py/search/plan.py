"""What machine code is asked to do, and what it answers. Types only: to name them takes no LLVM."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Lines:
    """Rows of squares that win together. Each entry: (line, owner wanted + 1 or 0 for any, somebody else is wanted,
    type wanted + 1, the answer is turned round), by square."""

    at: tuple[tuple[tuple[int, int, int, int, int], ...], ...] = ()
    players: tuple[int, ...] = ()
    """Whose a line is; -1 - player for one to be avoided."""
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class Races:
    """Goals that need many squares: `goals[player]` are the squares, `costs[player][type][square][target]` what the way
    there costs a piece, in hundredths of a step; -1 where there is none. `steps[player][type][square]`: where it steps
    to alone."""

    goals: tuple[frozenset[int], ...]
    costs: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    steps: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]


@dataclass(frozen=True)
class Plan:
    """What search should do in a game; see `PLAN` of `memory.py`."""

    lines: Lines = field(default_factory=Lines)
    null_move: bool = False
    counts_leaves: bool = True
    last_matters: bool = False
    races: Races | None = None
    sums_tell: bool = False
    beam: bool = False


@dataclass
class Weights:
    """What things are worth, in hundredths of a typical move's mobility.

    `board[player][type][square]`, `hand[player][type]`, `kinds[type]` (to put captures in order), `lines[missing]`,
    `takes` whether anything was seen to be taken, `terms` the others by their names in `TERMS` of `memory.py`.
    """

    board: list[list[list[int]]]
    hand: list[list[int]]
    kinds: list[int]
    lines: list[int]
    takes: bool
    terms: dict[str, int]


@dataclass(frozen=True)
class Found:
    """What a search to some depth came to: the value for the player to move, the numbers of the moves of the best line
    in the order of generation, positions visited in all, whether the root was searched to its end, and whether
    the value rests on finished games alone."""

    value: int
    line: tuple[int, ...]
    visited: int
    complete: bool
    proven: bool


@dataclass(frozen=True, slots=True)
class Way:
    """A position of a generation: its slot, what it is worth after the player's own turn, how far he is ahead (when it
    is his turn again, if the others answer), the numbers of the legs from the root in the order of generation, and how
    many of them are the first turn."""

    slot: int
    value: int
    lead: int
    legs: tuple[int, ...]
    first: int


@dataclass(frozen=True)
class MctsSettings:
    """How a tree is grown; see `memory.py`."""

    estimates: bool
    explore: int = 80_000
    longest: int = 600
    rollout_legs: int = 0
    spread: int = 300
    tries: int = 1


@dataclass(frozen=True)
class Node:
    """A node of the tree: lines through it, what they came to for the player who chose it (0 to 1) and for the one
    asked about, and the mask of winners if that is proven, with the legs until then, else a negative number."""

    number: int
    visits: int
    reward: float
    reward_asked: float
    proven: int
    far: int
    mover: int
