"""The memory of puzzles: of no concern to the rules, and allotted when a puzzle is to be solved."""

from zrf_py.jit.language import Array, Record, Rows, name_all


class Puzzle(Record):
    """Counters and limits of a puzzle."""

    level: int
    visited: int
    limit: int
    """Turns that may be made, 0 for any number."""
    solvers: int
    """A bit for each player who should win."""
    solved: int
    """Legs of the solution that was found."""
    table_mask: int
    count_turns: int
    """Positions differ if more turns were made."""
    noise: int
    """How moves that look alike are ordered."""
    children: int
    made: int
    """Turns made since the root."""
    cut: int
    """Whether something was left out for want of room."""
    below: int
    """Turns to positions of this value or more are left out, and `dropped` counts them."""
    dropped: int
    goal: int
    """The key of the only position that counts as a solution, 0 for a win."""
    need: int
    """How many wanted places a solution has filled, -1 where that can't be told."""
    unmet: int
    """What a part of the goal that does not hold adds to the value."""
    skip_counters: int
    """Positions that differ in counters only are the same."""


puzzle = Puzzle()

aim = Array(32)
"""[cell's owner][cell's type][square]: how much such a piece there is in the way of a solution."""

want = Array(8)
"""[cell's owner][cell's type][square]: WANTED if a solution has such pieces there, UNWANTED if it has none."""
WANTED, UNWANTED = 1, 2

# ------------------------------------------------------------------------------------------------------ depth first

LEVELS = 2000
list_from = Array(32)
list_next = Array(32)
list_end = Array(32)
"""[level]: the moves still to be tried are list_next[level] to list_end[level] of the three lists below."""
list_base = Array(64)
"""[level]: where the records begin in `moves`."""
list_record = Array(32)
list_score = Array(64)
list_index = Array(32)
level_index = Array(32)
"""[level]: the number, in the order of generation, of the leg being tried."""
level_turn = Array(8)
"""[level]: whether that leg ended a turn."""

# ---------------------------------------------------------------------------------------------------- all turns

CHILDREN_ROOM = 1 << 15


class Child(Record):
    """A turn that was found."""

    row: int
    """The row of `kernel/turns.py` its last leg goes on from, and the leg's number there."""
    number: int
    key: int
    value: int
    """Of the position after the turn."""
    end: int
    """Whether it is the end (1), and a solution (2)."""


child = Rows(Child)

table = Array(64)
"""Positions that were met: a key whose low bits say how many turns were left; Python allots it."""

LATE = (table,)
"""Arrays that are always behind a pointer, since their size is chosen when the work begins."""

TREE = name_all(globals())
