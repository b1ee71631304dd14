"""The memory of counting and drawing moves by sets; see `sets.py` and `kernel/drawing.py`. Empty in other games."""

from __future__ import annotations

from zrf_py.run.native.kernel.words import Array, name_all

setting = Array(64, constant=True)
"""What of this a game uses."""

SETS, KIND_SETS, MOVE_TYPES, MOST_TYPES, REPEATS, COUNTS, MONOTONE, ALL_END = 0, 1, 2, 3, 4, 5, 6, 7
SETTINGS = 8
"""SETS: all blocks can be said in sets. KIND_SETS: `kinds_at` is kept up to date. MOVE_TYPES, MOST_TYPES: how many move
types there are, and types of a yield at most. REPEATS: a position may come again. COUNTS: blocks can be counted
without writing; what they write is legal, and of the right move type. MONOTONE: the
number of pieces on the board only grows, or only shrinks. ALL_END: no block can run out of fuel, so that the first move
found is enough to know that there is one."""

class_from = Array(32, constant=True)
"""[side][move type + 1][in a chain]: where its groups begin in `class_list`."""
class_list = Array(32, constant=True)
"""Groups to be generated; the first that yields anything counts."""
group_from = Array(32, constant=True)
"""The yields of a group are group_from[group] to group_from[group + 1]."""

yield_routine = Array(32, constant=True)
yield_count = Array(32, constant=True)
"""Records for each start."""
yield_direct = Array(8, constant=True)
"""Whether a record is one movement, which the numbers below say."""
yield_head = Array(64, constant=True)
yield_from = Array(16, constant=True)
yield_end = Array(16, constant=True)
"""[yield][start]: the squares of the movement."""
yield_types = Array(16, constant=True)
"""[yield][number]: the type the piece becomes, -1 for its own."""

kinds_at = Array(64)
"""[type + 1][word]: a bit for each square a piece of the type stands on."""
yield_masks = Array(64)
"""[yield][word]: the starts found last."""
root_occupied = Array(64)
root_royals_at = Array(64)
root_kinds_at = Array(64)
seen_key = Array(64)
seen_times = Array(64)
"""Positions of the random game under way, by hash; how often each has occurred | which game it was."""
SEEN_ROOM = 1 << 14

MASKS = name_all(globals())
