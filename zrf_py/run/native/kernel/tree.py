"""The memory of puzzles: of no concern to the rules, and allotted when a puzzle is to be solved."""

from __future__ import annotations

from zrf_py.run.native.kernel.words import Array, name_all

tree = Array(64)
"""Counters and limits; see the numbers below."""
LEVEL, VISITED, LIMIT, SOLVERS, SOLVED, TABLE_MASK, COUNT_TURNS, NOISE, NODES, CHILDREN, MADE, CUT, STAMP = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
BELOW, DROPPED, GOAL, NEED, UNMET, SKIP_COUNTERS = 13, 14, 15, 16, 17, 18
TREE_STATE = 24
"""LIMIT: turns that may be made, 0 for any number. SOLVERS: a bit for each player who should win. SOLVED: legs of the
solution that was found. COUNT_TURNS: positions differ if more turns were made. NOISE: how moves that look alike are
ordered. MADE: turns made since the root. CUT: whether something was left out for want of room. BELOW: turns to
positions of this value or more are left out, and DROPPED counts them. GOAL: the key of the only position that counts as
a solution, 0 for a win. NEED: how many wanted places a solution has filled, -1 where that can't be told. UNMET: what
a part of the goal that does not hold adds to the value. SKIP_COUNTERS: positions that differ in counters only are the
same."""

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

NODES_ROOM = 1 << 14
node_parent = Array(32)
node_record = Array(64)
node_index = Array(32)
node_legs = Array(32)
"""[node]: a position within a turn: the one before, the leg between as a record and as a number, how many legs."""
CHILDREN_ROOM = 1 << 15
child_node = Array(32)
child_index = Array(32)
child_key = Array(64)
child_value = Array(64)
child_end = Array(8)
"""[child]: the node and the number of the last leg; key and value of the position after the turn, and whether it is the
end (1) and a solution (2)."""
MET = 1 << 16
met_key = Array(64)
met_stamp = Array(64)
"""A hash set of the positions met within this turn."""
way = Array(32)
"""Nodes on the way down from the root."""

table = Array(64)
"""Positions that were met: a key whose low bits say how many turns were left; Python allots it."""

LATE = (table,)
"""Arrays that are always behind a pointer, since their size is chosen when the work begins."""

TREE = name_all(globals())
