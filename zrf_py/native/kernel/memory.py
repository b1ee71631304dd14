"""The memory of a game: every array of the kernel, and the numbers that say where things stand in them.

Squares, players, types, motions and zones have the numbers of `front/model.py`. A `cell` is 0 for an empty square, else
`owner + 1` in the low byte and `type + 1` above it.
"""

from zrf_py.jit.language import Array, Part, Record, Rows, name_all, several

# ---------------------------------------------------------------------------------------------- the game (constant)


class Params(Record):
    """Sizes and options of a game."""

    squares: int
    players: int
    types: int
    motions: int
    turns: int
    repeat: int
    words: int
    routines: int
    has_royals: int
    has_attributes: int
    recycle_captures: int
    """`TO_OWNER`, `TO_CAPTOR` or 0."""
    recycle_promotions: int
    discard_cascades: int
    maximal: int
    pass_partial: int
    pass_turn: int
    priorities: int
    ends: int
    off_pieces: int
    flags: int
    moves_room: int
    undo_room: int
    frames_room: int
    parts_room: int
    taken_room: int
    drop_routines: int
    keeps_flags: int
    count_cells: int
    reach: int
    """1: the array `reach` is known; 2: `routine_hits` and `kind_hits` as well."""
    uniform: int
    """All records but passes have the same length."""
    sense: int
    only_drop: int
    """A move puts a piece on an empty square, any of them, and there is nothing else to do."""
    plus: int
    """The turn holds more than a plain game's (legs, counters, who is out)."""
    keeps: int
    """How many numbers of `state` make and unmake save."""
    hashes: int
    """A hash of the board is kept up to date."""
    must_finish: int
    """A move may be generated with which its turn can't be finished."""
    has_unfinished: int
    null_turns: int
    has_outs: int
    plain_turns: int
    """No turn is ever passed over."""
    adds_pass: int
    counters: int
    counters_at: int
    """Where counters and complete turns made begin in `stores`, which has `stores` elements."""
    made_at: int
    stores: int
    score: int
    """The tree of the score, or -1."""
    lowest_wins: int
    hands: int
    """Pieces come from off the board, or go there."""
    plain_legs: int
    """Within a turn, whatever is generated and can be finished is legal."""
    legs_matter: int
    """Moves may depend on how many legs were made."""
    asks_last: int
    """What may follow within a turn may depend on where the last leg went."""
    rows_room: int
    met_room: int
    way_room: int
    reaches: int
    """A turn may be a piece and where it ends; see `reaches.py`."""
    reach_room: int
    reach_last: int
    """What it can do on a square depends on where it comes from."""
    watched: int
    """The hooks of `watch.py` are filled."""
    asks_attacks: int
    """Blocks ask whether a square is attacked, and see no flags of other blocks."""


params = Params(constant=True)

PASS_NEVER, PASS_ALWAYS, PASS_FORCED = 0, 1, 2
TO_OWNER, TO_CAPTOR = 1, 2

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
captured_as = Array(32, constant=True)
"""[type]: the type of a captured piece in the store it goes to."""

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


class State(Record):
    """What a position holds beside its cells, and the counters of the other arrays."""

    turn: int
    last_from: int
    last_to: int
    chain: int
    chain_type: int
    mover: int
    result: int
    taken_from: int
    taken_to: int
    undo: int
    clean: int
    """The goals on the board were all asked of the position before this turn, and none held."""
    turn_undo: int
    """The undo log where the turn began, so that what follows it names every square the turn has touched."""
    legs: int
    must: int
    step: int
    out: int
    """A bit for each player who is out."""
    origin: int
    """`hash` when the turn began."""
    hash: int
    """Of the cells."""
    masks: int
    """Of the attributes."""
    hands: int
    """Of the pieces off the board."""
    frame: int
    top: int
    error: int
    fault: int
    """The block that never ends."""
    fault_top: int
    """`top` when it was found."""
    depth: int
    level: int
    random: int
    dropping: int
    walk_flags: int
    stamp: int
    nodes: int
    group: int
    drawn: int
    drawn_type: int
    plies: int
    games: int
    ply: int
    target_square: int
    found: int
    seen: int
    ahead: int
    """A turn is being looked ahead."""
    looks: int
    """Legs tried so far to find the longest chain."""
    effects: Part = several(2)
    """What a walk has collected so far; the nested walk has the next number."""
    captures: Part = several(2)
    cascades: Part = several(2)
    musts: Part = several(2)
    stamps: Part = several(2)
    game_hash: int
    """Of a random game: see `kernel/history.py`."""
    history: int
    pieces: int
    rows: int
    met_stamp: int
    met_size: int
    met_count: int
    exact: int
    visiting: int
    """Ends of turns are shown to the hook `turn_ends`."""
    cut: int
    """Some legs of turns were left out for want of room."""
    reach_stamp: int
    reach_nodes: int
    reach_turns: int
    reach_start: int
    reach_depth: int
    reach_legs: int
    """Where the piece at hand began, how many legs it has made, how many partial ones were tried."""
    reach_unsure: int
    """With some of them it may be that the turn can't be finished."""
    reach_records: int
    """Legs found on the square at hand, of all men where a turn begins."""
    reach_passes: int
    """Blocks have written a pass there."""
    reach_sure: int
    """Of a move priority: some move can surely be finished."""
    reach_fits: int
    """So far each turn moves one piece and changes nothing else."""
    asked_stamp: int
    """Changes with every position in which blocks may ask for attacks."""


state = State()
"""What a position holds beside its cells, and the counters of the other arrays."""

KEPT = State.legs
"""So many numbers are saved and restored by make and unmake in a plain game."""
ALL_KEPT = State.frame

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
"""Move records, one after the other; see `records.py`."""
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



class Asked(Record):
    """The last answer to `attacked?` about a square: in which position, and to what it was."""

    stamp: int
    question: int
    answer: int


asked = Rows(Asked)
"""[square]"""

danger_opens = Array(64)
danger_closes = Array(64)
"""Of the position at hand: squares that a move must not leave, or enter, to be safe without a look."""

# ------------------------------------------------------------------------------------------------------------ loops

line_next = Array(64)
line_end = Array(64)
"""The moves still to be tried on each ply of a perft."""


class Row(Record):
    """A position within a turn, or the end of one; see `kernel/turns.py`."""

    move: int
    """The record of the last leg, and its number among the legal ones (of a turn that is visited)."""
    number: int
    parent: int
    depth: int
    """Legs so far; -1 for the end of a turn."""
    first: int
    last: int
    """Its moves, where they are kept."""
    board: int
    """The key of its board."""


rows = Rows(Row)
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
