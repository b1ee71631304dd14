"""Memory of the puzzle kernel, allocated only to solve puzzles."""

from zrf_py.jit.language import Array, Record, Rows, name_all


class Puzzle(Record):
    """Counters and limits of a puzzle."""

    level: int
    visited: int
    limit: int
    """Maximum number of turns of a solution; 0: no limit."""
    solvers: int
    """Bit set of the players who should win."""
    solved: int
    """Number of legs of the solution; 0: none found."""
    table_mask: int
    count_turns: int
    """True if the number of turns made is part of a position's key."""
    noise: int
    """Random number that orders moves of equal score."""
    children: int
    made: int
    """Turns made since the root."""
    cut: int
    """True if something was omitted for lack of room."""
    below: int
    """Exclusive upper bound on values: worse turns, except solutions, are omitted, and counted in `dropped`."""
    dropped: int
    goal: int
    """Key of the only position that counts as a solution; 0: any win."""
    need: int
    """Number of wanted places that a solution fills; -1: unknown."""
    unmet: int
    """Value added for each unmet part of the goal."""
    skip_counters: int
    """True if counters are not part of a position's key."""


puzzle = Puzzle()

aim = Array(32)
"""[cell's owner][cell's type][square]: value of the piece there; lower is better."""

want = Array(8)
"""[cell's owner][cell's type][square]: WANTED or UNWANTED in every solution, else 0."""
WANTED, UNWANTED = 1, 2

LEVELS = 2000
list_from = Array(32)
list_next = Array(32)
list_end = Array(32)
"""[level]: untried moves are `list_next[level]` to `list_end[level]` - 1 in `list_record`, `list_score` …"""
list_base = Array(64)
"""[level]: index of the first record in `moves`."""
list_record = Array(32)
list_score = Array(64)
list_index = Array(32)
level_index = Array(32)
"""[level]: index, in generation order, of the leg being tried."""
level_turn = Array(8)
"""[level]: True if the leg being tried completed a turn."""

CHILDREN_ROOM = 1 << 15


class Child(Record):
    """A complete turn."""

    row: int
    """Row of `native/kernel/turns.py` that the last leg extends; `number` is the index of that leg."""
    number: int
    key: int
    value: int
    """Value of the position after the turn."""
    end: int
    """0: the game goes on, 1: it is over, 2: solved."""


child = Rows(Child)

table = Array(64)
"""Transposition table: keys whose low bits hold the number of turns left; allocated by Python."""

LATE = (table,)
"""Arrays accessed through a pointer, since their size is chosen at run time."""

TREE = name_all(globals())
