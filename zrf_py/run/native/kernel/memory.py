"""The memory of a game: every array of the kernel, and the numbers that say where things stand in them.

Squares, players, types, motions and zones have the numbers of `front/model.py`. A `cell` is 0 for an empty square, else
`owner + 1` in the low byte and `type + 1` above it.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.words import Array, name_all

# ---------------------------------------------------------------------------------------------- the game (constant)

params = Array(64, constant=True)
"""Sizes and options; see the numbers below."""

SQUARES, PLAYERS, TYPES, MOTIONS, TURNS, REPEAT, WORDS, ROUTINES = 0, 1, 2, 3, 4, 5, 6, 7
HAS_ROYALS, HAS_ATTRIBUTES, RECYCLE_CAPTURES, RECYCLE_PROMOTIONS, DISCARD_CASCADES = 8, 9, 10, 11, 12
MAXIMAL, PASS_PARTIAL, PASS_TURN, PRIORITIES, ENDS, SINGLE, OFF_PIECES, FLAGS = 13, 14, 15, 16, 17, 18, 19, 20
MOVES_ROOM, UNDO_ROOM, FRAMES_ROOM, PARTS_ROOM, TAKEN_ROOM = 21, 22, 23, 24, 25
DROP_ROUTINES, KEEPS_FLAGS, COUNT_CELLS, REACH, UNIFORM, SENSE, ONLY_DROP = 26, 27, 28, 29, 30, 31, 32
PLUS, KEEPS, HASHES, MUST_FINISH, HAS_UNFINISHED, NULL_TURNS, HAS_OUTS, PLAIN_TURNS = 33, 34, 35, 36, 37, 38, 39, 40
ADDS_PASS, COUNTERS, COUNTERS_AT, MADE_AT, STORES, SCORE, LOWEST_WINS = 41, 42, 43, 44, 45, 46, 47
HANDS, PLAIN_LEGS, LEGS_MATTER, ROWS_ROOM, MET_ROOM, WAY_ROOM = 48, 49, 50, 51, 52, 53
PARAMS = 56
"""
UNIFORM: all records but passes have the same length.
ONLY_DROP: a move puts a piece on an empty square, any of them, and there is nothing else to do.
PLUS: the turn holds more than a plain game's (legs, counters, who is out).
KEEPS: how many numbers of `state` make and unmake save.
HASHES: a hash of the board is kept up to date.
MUST_FINISH: a move may be generated with which its turn can't be finished.
PLAIN_TURNS: no turn is ever passed over.
COUNTERS_AT, MADE_AT: where counters and complete turns made begin in `stores`, which has STORES elements.
SCORE: the tree of the score, or -1.
HANDS: pieces come from off the board, or go there.
PLAIN_LEGS: within a turn, whatever is generated and can be finished is legal.
LEGS_MATTER: moves may depend on how many legs were made.
"""

PASS_NEVER, PASS_ALWAYS, PASS_FORCED = 0, 1, 2

steps = Array(16, constant=True)
"""[player][motion][square]: the next square or -1."""
zones = Array(8, constant=True)
"""[zone][player][square]: whether the square belongs to the zone."""
goal_square = Array(8, constant=True)
neutral = Array(8, constant=True)
"""[player + 1]: whether the player has no turns; 0 for an empty square."""
near_from = Array(32, constant=True)
near = Array(16, constant=True)
"""The neighbours of a square are near[near_from[square] : near_from[square + 1]]."""

code = Array(32, constant=True)
"""Operations, `ROW` numbers each."""
ROW = 8
OP, A, B, WHERE, WANT, TARGET, TYPES_AT, TYPES_COUNT = 0, 1, 2, 3, 4, 5, 6, 7
LEFT, RIGHT = 6, 7
"""For operations about numbers: where their trees are in `numbers`."""
add_types = Array(32, constant=True)

routine_code = Array(64, constant=True)
routine_type = Array(32, constant=True)
"""The piece type whose block it is."""
routine_move_type = Array(32, constant=True)
moves_from = Array(32, constant=True)
"""The move blocks of a type are the routines moves_from[type] to moves_from[type + 1]; the drop blocks follow all."""
drop_from = Array(32, constant=True)
drop_squares = Array(16, constant=True)
"""A drop block runs on drop_squares[drop_from[block, player] : drop_from[block, player + 1]]."""
drop_plain = Array(8, constant=True)
"""Whether a drop block can only drop its own type, so that an empty store leaves it nothing to do."""

drop_empty = Array(8, constant=True)
"""Whether a drop block runs on all squares and begins by asking for an empty one."""

numbers = Array(64, constant=True)
"""Whole numbers as trees; see `kernel/numbers.py`."""
measures = Array(32, constant=True)
"""[measure][player][square]"""
counter_each = Array(8, constant=True)
"""[counter]: whether every player has one of his own."""

turn_mover = Array(32, constant=True)
turn_side = Array(32, constant=True)
turn_type = Array(32, constant=True)
guards_from = Array(32, constant=True)
guards = Array(32, constant=True)
"""A turn is passed over unless the goals guards[guards_from[turn] : guards_from[turn + 1]] hold."""
side_plays = Array(8, constant=True)
"""[player]: whether some turn moves the player's pieces."""
priorities = Array(32, constant=True)
royal = Array(8, constant=True)
"""[player + 1][type + 1]: whether such a cell is a royal piece."""
values = Array(64, constant=True)
"""What a captured type is worth for maximal captures."""
start_attributes = Array(64, constant=True)
next_player = Array(32, constant=True)
"""[player]: whom a piece goes to when it is flipped."""

goal = Array(32, constant=True)
"""Goals as trees; see `kernel/goals.py`."""
ends = Array(32, constant=True)
"""END_ROW numbers for each end condition."""
END_ROW = 8
END_RESULT, END_GOAL, END_STATE, END_PLAYERS, END_PLAYERS_AT, END_LOCAL, END_REMOVE = 0, 1, 2, 3, 4, 5, 6
RESULT_WIN, RESULT_LOSS, RESULT_DRAW, RESULT_COUNT, RESULT_SCORE, RESULT_OUT = 0, 1, 2, 3, 4, 5
STALEMATED, REPETITION, CHECKMATED = 0, 1, 2
zone_from = Array(32, constant=True)
zone_squares = Array(16, constant=True)
"""The squares of a zone for a player, in the order written."""
plays = Array(8, constant=True)
"""[player]: whether the player is an ordinary one, who wins and loses."""
teams = Array(64, constant=True)
"""[player]: a bit for the player and each of his partners."""
zone_bits = Array(64, constant=True)
"""[zone][player][word]: the same as sets."""
zone_once = Array(8, constant=True)
"""[zone]: whether it names no square twice."""
starts_from = Array(32, constant=True)
starts = Array(16, constant=True)
"""For a relative configuration, a player and a square: where patterns start that look at the square."""

reach = Array(64, constant=True)
"""[side][target][word]: squares from which some piece of the side could remove what stands on the target."""
opens = Array(64, constant=True)
"""[side][start][target][word]: squares that may let an attack through when they become empty."""
closes = Array(64, constant=True)
"""[side][start][target][word]: squares that may bring an attack about when somebody arrives there."""
kind_hits = Array(64, constant=True)
"""[type][side][square][word]: targets that the type may hit from the square."""
routine_hits = Array(64, constant=True)
"""[move block][side][square][word]: targets that the block may hit from the square."""

# ------------------------------------------------------------------------------------------------------ the position

state = Array(64)
"""What a position holds beside its cells, and the counters of the other arrays."""

TURN, LAST_FROM, LAST_TO, CHAIN, CHAIN_TYPE, MOVER, RESULT, TAKEN_FROM, TAKEN_TO, UNDO = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
CLEAN, TURN_UNDO = 10, 11
"""CLEAN: the goals on the board were all asked of the position before this turn, and none held. TURN_UNDO: the undo
log where the turn began, so that what follows it names every square the turn has touched."""
KEPT = 12
"""So many numbers are saved and restored by make and unmake in a plain game."""
LEGS, MUST, STEP, OUT, ORIGIN, HASH, MASKS = 12, 13, 14, 15, 16, 17, 18
"""OUT: a bit for each player who is out. HASH: of the cells. MASKS: of the attributes. ORIGIN: HASH when the turn
began."""
ALL_KEPT = 19
FRAME, TOP, ERROR, FAULT, DEPTH, LEVEL, RANDOM, DROPPING, WALK_FLAGS, STAMP = 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
NODES, GROUP, PLIES, GAMES, PLY, TARGET_SQUARE, FOUND, SEEN, ROOT = 30, 31, 32, 33, 34, 35, 36, 37, 38
AHEAD, LOOKS = 39, 40
"""AHEAD: a turn is being looked ahead. LOOKS: legs tried so far to find the longest chain."""
ROWS, MET_STAMP, MET_SIZE, MET_COUNT, EXACT = 56, 57, 58, 59, 60
EFFECTS, CAPTURES, CASCADES, MUSTS, STAMPS = 42, 44, 46, 48, 50
"""What a walk has collected so far; the nested walk has the next number."""
GAME_HASH, HISTORY, PIECES = 53, 54, 55
"""Of a random game: see `kernel/history.py`."""
STATE = 64

NO_ERROR, ENDLESS, NO_ROOM, ENDLESS_TURN = 0, 1, 2, 3

cell = Array(32)
attributes = Array(64)
stores = Array(32)
"""[player][type]: pieces off the board; behind them [counter][player] the counters, and [player] complete turns."""
occupied = Array(64)
"""[player + 1][word]: a bit for each square a player's piece stands on."""
royals_at = Array(64)
"""[player + 1][word]: the same for royal pieces."""
counts = Array(32)
"""[player + 1][type]: pieces on the board."""
taken = Array(32)
"""Cells removed, the newest turn's last."""

undo = Array(64)
"""(square, cell before, attributes before) or (-1, number of a store, count before)."""
frames = Array(64)
moves = Array(64)
"""Move records, one after the other; see `kernel/records.py`."""
scores = Array(64)
path = Array(64)
"""Hashes of positions met while a chain is looked ahead."""

# ------------------------------------------------------------------------------------------------ a block at work

effects = Array(64)
captures = Array(64)
cascades = Array(64)
marks = Array(64)
"""[depth][flag][square]: the stamp of the run in which a position flag was set."""
lifted = Array(64)

danger_opens = Array(64)
danger_closes = Array(64)
"""Of the position at hand: squares that a move must not leave, or enter, to be safe without a look."""

# ------------------------------------------------------------------------------------------------------------ loops

line_next = Array(64)
line_end = Array(64)
"""The moves still to be tried on each ply of a perft."""
rows = Array(64)
"""Positions within turns, and ends of turns; see `kernel/turns.py`."""
met = Array(64)
"""The table of positions met within a turn: (hash, stamp)."""
met_again = Array(64)
turn_way = Array(64)
level_rows = Array(64)
level_top = Array(64)
level_frame = Array(64)
"""Where the rows, records and frames of each ply begin."""
choices = Array(32)
"""Where the records begin among which a random one is drawn."""
root_state = Array(64)
root_cell = Array(32)
root_attributes = Array(64)
root_stores = Array(32)
"""The position random games start from."""
tally = Array(64)
"""[result code]: games that ended so."""

ARRAYS = name_all(globals())
