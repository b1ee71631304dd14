"""The memory of search: what stands here is of no concern to the rules, and is allotted when search is asked for."""

from __future__ import annotations

from zrf_py.run.native.kernel.words import Array, name_all

# ------------------------------------------------------------------------------------------------ the game (constant)

plan = Array(64, constant=True)
"""What search knows of a game before it begins; zero while nobody searches."""

WEIGHED, LINES, LAST_MATTERS, NULL_MOVE, COUNTS_LEAVES, RACES, MANY, SUMS_TELL, CHOOSY = (
    0, 1, 2, 3, 4, 5, 6, 7, 8)
PLAN = 16
"""WEIGHED: `weigh.py` keeps sums up to date with the board. LINES: how many there are. LAST_MATTERS: some block asks
where the last move went. NULL_MOVE: it is worth trying what happens if a player does nothing. COUNTS_LEAVES: at the end
of the depth it matters who has how many moves. RACES: the goals need many squares. MANY:
more than two play, or in teams. SUMS_TELL: at the end of the depth moves need not be looked at. CHOOSY: not every
man gets to every square of his race."""

line_from = Array(32, constant=True)
line_entry = Array(32, constant=True)
"""The places of lines (see `search/lines.py`) on a square: line_from[square] to line_from[square + 1], ENTRY numbers
each: the line, the wanted owner (0: any) and whether somebody else is wanted, the wanted type, negated."""
ENTRY = 5
line_player = Array(32, constant=True)
"""[line]: whose it is; negative - 1 if it is to be avoided."""
line_length = Array(32, constant=True)

race_goal = Array(64, constant=True)
"""[player][word]: the squares to be filled."""
race_cost = Array(16, constant=True)
"""[player][type][square][target]: what the way costs a man alone, in hundredths of a step; -1 where there is none, or
the target is no goal."""
race_near = Array(64, constant=True)
"""[player][type][square][word]: where a man alone steps to."""
race_free = Array(64)
race_man = Array(64)
race_choice = Array(64)
"""Goal squares that nobody has in mind yet; the men outside, and how many squares each could get to."""

opponent = Array(8, constant=True)
"""[player]: the other one, in a game for two."""

# ------------------------------------------------------------------------------------------------------------ sums

worth = Array(32)
"""[player + 1][type + 1][square]: what a cell is worth to its owner."""
hand_worth = Array(32)
"""[player][type]: the same for a piece off the board."""
kind_worth = Array(32)
"""[type + 1]: what capturing it is worth at least; orders moves."""
last_matters = Array(8)
"""[type + 1][(to - from) & 63]: whether it was seen that what may follow depends on such a last move."""
line_weight = Array(32)
"""[places missing]: what a line is worth that can still be completed."""
standing = Array(64)
"""[player + 1]: the sum over the board and the hand, with the lines."""
line_has = Array(32)
line_blocked = Array(32)
"""[line]: how many of its places are as wanted; how many are taken by somebody else."""

# ----------------------------------------------------------------------------------------------------- alpha-beta

WIN = 1 << 28
INFINITE = 1 << 30
SURE = WIN - 4096
"""Values above are won games."""
ARRIVING = 5000
"""So much more worth has a square only if arriving there wins."""

search = Array(64)
"""Counters and limits; see the numbers below."""
HASH, VISITED, AT, VALUE, ROOT_DEPTH, TABLE_MASK, PAST, SKIPPED, DEEPEST, ORDER_TOP, TREE_USED = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
PER_MOVE, PER_DRIFT, NOISE, NOISE_SEED, SOUND = 11, 12, 13, 14, 15
SEARCH = 56
"""PER_MOVE: what a move more than the other has is worth. PER_DRIFT: how much a better square counts when moves are put
in order. NOISE: the width of random numbers that are added to estimates, the same for the same position. SOUND: the
value rests on finished games alone."""

MAX_PLY = 192
ply_stage = Array(64)
ply_mover = Array(64)
ply_alpha = Array(64)
ply_beta = Array(64)
ply_depth = Array(64)
ply_best = Array(64)
ply_best_index = Array(64)
ply_base = Array(64)
"""Where the records of the ply begin in `moves`."""
ply_order = Array(64)
"""Where its list begins in `order_move`."""
ply_count = Array(64)
ply_tried = Array(64)
ply_move = Array(64)
ply_index = Array(64)
"""Record and number (in the order of generation) of the move being tried."""
ply_phase = Array(64)
ply_key = Array(64)
ply_place = Array(64)
"""What decides what may follow, and what the rules of repetition compare."""
ply_chained = Array(64)
ply_checked = Array(64)
ply_legal = Array(64)
ply_seen = Array(64)
"""How many moves the other player had when it was last counted; -1: unknown."""
ply_static = Array(64)
ply_sound = Array(64)
"""Whether all values so far rest on finished games alone."""
ply_raised = Array(64)
ply_quiet = Array(64)
killers = Array(64)
"""[ply][2]: signatures of quiet moves that refuted."""
order_move = Array(32)
order_score = Array(64)
order_index = Array(32)
history = Array(32)
"""[player][signature & 65535]: how often a quiet move refuted, by depth."""
HISTORY = 65536
past = Array(64)
"""Keys of the positions of the game so far that might come again."""
line_of_play = Array(16)
"""[ply][ply]: numbers of the moves of the best line from each ply."""
SKIPS = 8192
root_skip = Array(8)
"""[number of a root move]: left out."""

# -------------------------------------------------------------------------------------------------- Monte-Carlo tree

ESTIMATES, EXPLORE, GROWN, LONGEST, NODES_ROOM, PLAYED_ON, SPREAD, TRIES, PER_STEP = 16, 17, 18, 19, 20, 21, 22, 23, 24
PER_POINT, PER_STRANGER, PER_LOCKED = 25, 26, 46
"""Further numbers of `search`. ESTIMATES: the sums tell who is ahead. EXPLORE: how much is tried beside the best.
GROWN: nodes so far. LONGEST: legs of a line played to its end. PLAYED_ON: legs played before the sums are asked.
SPREAD: the lead with which three games of four are won. TRIES: moves drawn, of which the best is played.
PER_STEP: what a step nearer to the goal is worth to a man outside. PER_POINT: what a point of the score is worth
where the sums know nothing of it. PER_STRANGER: what somebody else's man costs on a square of one's goal. PER_LOCKED:
what he costs besides if he can't step away."""
UNPROVEN = -1
share = Array(64)
"""[player]: what the last line came to."""
credit = Array(64)
"""[player]: what his side is worth in all."""
in_team = Array(8, constant=True)
"""[player][player]: whether both win together."""
node_first = Array(32)
node_count = Array(32)
node_visits = Array(32)
node_prior = Array(32)
node_mover = Array(8)
node_proven = Array(32)
"""The mask of winners (0: a draw) that best play leads to; UNPROVEN, or another negative number."""
node_far = Array(16)
"""Legs from a proven node to the end of the game, as far as was found: the winner hurries, the others don't."""
KEPT_WORDS = 3
node_record = Array(64)
"""[node][word]: the record that leads to it, with bit 62 set in its first word; 0 for one that is longer."""
node_worth = Array(64)
"""[node][player]: the sum of shares."""

# ----------------------------------------------------------------------------------------------------- the widest ways

(BEAM_ROOT, BEAM_WIDTH, BEAM_DEPTH, BEAM_AT, BEAM_COUNT, BEAM_NEXT, BEAM_HALF, BEAM_ROOM, BEAM_END, BEAM_STAMP,
 BEAM_LIMIT, BEAM_WON, BEAM_DRAW, BEAM_ANSWERED, ANSWERING, TURN_STAMP, TURN_TURNS, TURN_LEGS, BEST_TURN,
 TURN_NODES, TURN_OF, TURN_DRAWN) = (*range(27, 46), 47, 48, 49)
"""Further numbers of `search`, for `kernel/beam.py`. BEAM_ROOT: the player to move at the root. BEAM_WIDTH: how many
positions a generation keeps. BEAM_DEPTH: generations that are complete. BEAM_COUNT, BEAM_NEXT: positions of the
generation before, and of this one. BEAM_HALF: which half of the slots holds those before. BEAM_ROOM: slots of a half.
BEAM_END: the slot with the way to a win (BEAM_WON), behind it that to a draw (BEAM_DRAW). BEAM_STAMP: marks the table's
entries of this generation. BEAM_LIMIT: positions that may be visited in all. BEAM_ANSWERED: the others move between
one's own turns. ANSWERING: they are about to. TURN_STAMP: marks positions met in this turn. TURN_TURNS: turns found.
TURN_LEGS, BEST_TURN: the best one's legs and what it is worth. TURN_NODES: places where a turn can go on, its start
first. TURN_OF: of so many turns TURN_DRAWN are drawn to be looked at; 0: all are, COUNTING: they are counted."""
COUNTING = -1
KEPT_LEGS = 192
"""So many legs of a way are known."""
MET_IN_TURN = 8192
LONGEST_TURN = 120
"""Legs of a turn; what would be longer isn't looked at."""
beam_cell = Array(32)
beam_attributes = Array(64)
"""[slot][square]"""
beam_stores = Array(32)
beam_state = Array(64)
"""[slot][number]: what make and unmake save."""
beam_value = Array(64)
"""[slot]: what the position is worth to the player at the root, after his turn."""
beam_lead = Array(64)
"""[slot]: how far he is ahead; when it is his turn again, if the others move between."""
beam_debt = Array(64)
"""[slot]: what is deducted for a position on the way that was there before."""
beam_way = Array(16)
"""[slot][leg]: numbers of the legs from the root."""
beam_legs = Array(32)
beam_first = Array(32)
"""[slot]: legs of the way, and of its first turn."""
beam_heap = Array(32)
"""Slots of this generation, the worst on top."""
beam_list = Array(32)
"""Slots of the generation before that are gone on from, written by Python."""
turn_leg = Array(16)
best_leg = Array(16)
turn_key = Array(64)
turn_stamp = Array(64)
"""Numbers of the legs of the turn at hand, and of the best one; the table of positions met in the turn."""
turn_parent = Array(32)
turn_record = Array(32)
turn_number = Array(16)
turn_legs = Array(32)
walk_record = Array(32)
"""[place in the turn]: the one before, the leg that leads here with its number, and how many there are; the records of
the legs to such a place."""

learned = Array(64)
"""[player + 1][type + 1][square]: what was learned of a worth but is too little yet to change it."""
sample_cell = Array(32)
"""[sample][square]: cells of positions to learn from."""

# ---------------------------------------------------------------------------------------------------------- the table

table_key = Array(64)
table_data = Array(64)
"""The transposition table, which Python allots. A value: number of the move + 1 (16 bits), depth (12), bound (2),
sound (1), score + 2^31 (32 bits, from the top)."""

TREE = (node_first, node_count, node_visits, node_prior, node_mover, node_proven, node_far)
BEAM = (beam_value, beam_lead, beam_debt, beam_legs, beam_first, beam_heap, beam_list)
BEAM_ROWS = (beam_cell, beam_attributes, beam_stores, beam_state, beam_way)
LATE = (table_key, table_data, *TREE, node_record, node_worth, *BEAM, *BEAM_ROWS)
"""Arrays that are always behind a pointer, since their size is chosen when search begins."""

NOTES = name_all(globals())
