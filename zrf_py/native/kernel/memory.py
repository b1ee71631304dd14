"""Memory of a game: every array of the kernel, and the layout of their rows.

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
    """1: the array `reach` is filled; 2: `routine_hits` and `kind_hits` as well."""
    uniform: int
    """All records but passes have the same length."""
    sense: int
    plus: int
    """The game needs the ZRF+ turn fields (legs, counters, players out)."""
    keeps: int
    """Number of fields of `state` that make saves and unmake restores."""
    hashes: int
    """A hash of the board is maintained."""
    must_finish: int
    """Some generated moves may begin a turn that cannot be finished legally."""
    has_unfinished: int
    null_turns: int
    has_outs: int
    plain_turns: int
    """No turn is ever skipped."""
    adds_pass: int
    counters: int
    counters_at: int
    made_at: int
    stores: int
    """Length of the array `stores`, where counters begin at `counters_at`, numbers of complete turns at `made_at`."""
    score: int
    """The tree of the score, or -1."""
    lowest_wins: int
    hands: int
    """Pieces come from off the board, or go there."""
    plain_legs: int
    """Within a turn, every generated leg with which the turn can be finished is legal."""
    legs_matter: int
    """Moves may depend on the number of legs made."""
    asks_last: int
    """The next leg may depend on the squares of the last one."""
    rows_room: int
    met_room: int
    way_room: int
    reaches: int
    """1: turns may be of the kind in `reaches.py`; 2: the same, and players who drop out may lose pieces."""
    singles: int
    """Every turn is a single leg; see `singles.py`."""
    reach_room: int
    reach_last: int
    """A piece's next legs depend on the square that it came from."""
    watched: int
    """The hooks of `watch.py` are implemented."""
    asks_attacks: int
    """Blocks test whether squares are attacked, and read no flags of other blocks."""


params = Params(constant=True)

PASS_NEVER, PASS_ALWAYS, PASS_FORCED = 0, 1, 2
TO_OWNER, TO_CAPTOR = 1, 2

steps = Array(16, constant=True)
"""[player][motion][square]: the next square or -1."""
zones = Array(8, constant=True)
"""[zone][player][square]: 1 if the square belongs to the zone."""
goal_square = Array(8, constant=True)
neutral = Array(8, constant=True)
"""[player + 1]: 1 if the player has no turns; 0 for an empty square."""
near_from = Array(32, constant=True)
near = Array(16, constant=True)
"""The neighbours of a square are near[near_from[square] : near_from[square + 1]]."""

code = Array(32, constant=True)
"""Operations, `ROW` numbers each."""
ROW = 8
OP, A, B, WHERE, WANT, TARGET, TYPES_AT, TYPES_COUNT = 0, 1, 2, 3, 4, 5, 6, 7
LEFT, RIGHT = 6, 7
"""Operands of numeric operations: indices of their trees in `numbers`."""
add_types = Array(32, constant=True)

routine_code = Array(64, constant=True)
routine_type = Array(32, constant=True)
"""Piece type of the block."""
routine_move_type = Array(32, constant=True)
moves_from = Array(32, constant=True)
"""The move blocks of a type are the routines moves_from[type] to moves_from[type + 1]; drop blocks follow them all."""
drop_from = Array(32, constant=True)
drop_squares = Array(16, constant=True)
"""A drop block runs on drop_squares[drop_from[block, player] : drop_from[block, player + 1]]."""
drop_empty = Array(8, constant=True)
"""1 if a drop block runs on all squares and first requires an empty square; 0 if blocks read flags of others."""

numbers = Array(64, constant=True)
"""Numeric expressions as trees; see `kernel/numbers.py`."""
measures = Array(32, constant=True)
"""[measure][player][square]: the number that the measure assigns to the square."""
counter_each = Array(8, constant=True)
"""[counter]: 1 if every player has a value of their own."""

turn_mover = Array(32, constant=True)
turn_side = Array(32, constant=True)
turn_type = Array(32, constant=True)
guards_from = Array(32, constant=True)
guards = Array(32, constant=True)
"""A turn is skipped unless the goals guards[guards_from[turn] : guards_from[turn + 1]] hold."""
side_plays = Array(8, constant=True)
"""[player]: 1 if some turn moves the player's pieces."""
priorities = Array(32, constant=True)
royal = Array(8, constant=True)
"""[player + 1][type + 1]: 1 if pieces of the player and type are royal."""
values = Array(64, constant=True)
"""[type]: value of a captured piece for maximal captures."""
start_attributes = Array(64, constant=True)
captured_as = Array(32, constant=True)
"""[type]: type of a captured piece in its store."""

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
"""Squares of a zone for a player, in the order written."""
plays = Array(8, constant=True)
"""[player]: 1 for an ordinary player, who can win and lose."""
teams = Array(64, constant=True)
"""[player]: a bit for the player and each partner."""
zone_bits = Array(64, constant=True)
"""[zone][player][word]: the zones as sets."""
zone_once = Array(8, constant=True)
"""[zone]: 1 if it names no square twice."""
starts_from = Array(32, constant=True)
starts = Array(16, constant=True)
"""Squares from which a relative configuration tests a square, by configuration, player and tested square."""

reach = Array(64, constant=True)
"""[side][target][word]: squares from which some piece of the side could remove the piece on the target."""
opens = Array(64, constant=True)
"""[side][start][target][word]: squares that may enable an attack when they become empty."""
closes = Array(64, constant=True)
"""[side][start][target][word]: squares that may enable an attack when a piece arrives there."""
kind_hits = Array(64, constant=True)
"""[type][side][square][word]: targets that the type may hit from the square."""
routine_hits = Array(64, constant=True)
"""[move block][side][square][word]: targets that the block may hit from the square."""

# ------------------------------------------------------------------------------------------------------ the position


class PositionFields(Record):
    """Fields of a position besides its cells, and the kernel's working data: lengths of arrays, stamps, tallies."""

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
    """The board goals were all tested on the position before this turn, and none held."""
    turn_undo: int
    """Index in the undo log where the turn began; later entries name every square it has changed."""
    legs: int
    must: int
    step: int
    out: int
    """A bit for each player who is out."""
    origin: int
    """`hash` at the start of the turn."""
    hash: int
    """Hash of the cells."""
    masks: int
    """Hash of the attributes."""
    hands: int
    counted: int
    """Hashes of the pieces off the board (`hands`) and of the counters (`counted`)."""
    frame: int
    top: int
    error: int
    fault: int
    """Number of the block that exceeded the limit on operations."""
    fault_top: int
    """`top` when the fault occurred."""
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
    must_list: int
    plies: int
    games: int
    ply: int
    target_square: int
    found: int
    seen: int
    ahead: int
    """1 during look-ahead within a turn."""
    looks: int
    """Legs tried so far for the longest chain."""
    effects: Part = several(2)
    """[depth]: number of parts that a run has collected; a nested run has the next depth."""
    captures: Part = several(2)
    cascades: Part = several(2)
    musts: Part = several(2)
    stamps: Part = several(2)
    game_hash: int
    """Hash for repetition in random games; see `kernel/history.py`."""
    history: int
    pieces: int
    rows: int
    met_stamp: int
    met_size: int
    met_count: int
    exact: int
    visiting: int
    """1 while ends of turns are passed to the hook `turn_ends`."""
    cut: int
    """Some legs of turns were omitted for lack of room."""
    reach_stamp: int
    reach_nodes: int
    reach_turns: int
    reach_start: int
    reach_depth: int
    reach_legs: int
    """Partial legs tried so far for a piece; `reach_start`: its start square, `reach_depth`: legs to where it is."""
    reach_unsure: int
    """1: after some of the legs found, it may be impossible to finish the turn."""
    reach_records: int
    """Number of legs generated on the current square; at the start of a turn, on all squares."""
    reach_passes: int
    """Blocks have written a pass."""
    reach_sure: int
    """With some move (of the current priority), the turn can certainly be finished."""
    reach_null: int
    """A chain may end where it began."""
    reach_fits: int
    """Every turn found so far moves one piece and changes nothing else."""
    asked_stamp: int
    """Stamp of cached `attacked?` answers; it changes with every position."""
    chosen: int
    line_room: int
    """Limit on the positions of the line, at most LEVELS; `chosen` is the number of the move that `line_step` plays."""


state = PositionFields()

KEPT = PositionFields.legs
"""Number of fields that make saves and unmake restores in a plain game."""
ALL_KEPT = PositionFields.frame

NO_ERROR, ENDLESS, NO_ROOM, ENDLESS_TURN = 0, 1, 2, 3

cell = Array(32)
attributes = Array(64)
stores = Array(32)
"""[player][type]: pieces off the board; then [counter][player]: counters; then [player]: complete turns."""
occupied = Array(64)
"""[player + 1][word]: a bit for each square with a piece of the player."""
royals_at = Array(64)
"""[player + 1][word]: a bit for each royal piece."""
counts = Array(32)
"""[player + 1][type + 1]: number of cells with such a piece."""
taken = Array(32)
"""Captured cells; those of the latest turn are last."""

undo = Array(64)
"""(square, cell before, attributes before) or (-1, index in `stores`, number before)."""
frames = Array(64)
moves = Array(64)
"""Move records, consecutive; see `board.py`."""
scores = Array(64)
path = Array(64)
"""Hashes of positions visited in look-ahead along a chain."""

# ------------------------------------------------------------------------------------------------ a running block

effects = Array(64)
captures = Array(64)
cascades = Array(64)
marks = Array(64)
"""[depth][flag][square]: stamp of the run that set the position flag."""
lifted = Array(64)


class Asked(Record):
    """Cached answer to `attacked?` about a square: stamp of the position, encoded question, answer."""

    stamp: int
    question: int
    answer: int


asked = Rows(Asked)
"""[square]: the cached answer about the square."""

danger_opens = Array(64)
danger_closes = Array(64)
"""Given `is_calm`, a simple move that leaves no square of `danger_opens` and enters none of `danger_closes` is safe."""

# ------------------------------------------------------------------------------------------------------------ loops

line_next = Array(64)
line_end = Array(64)
"""[ply]: in a perft, start and end of the records (or rows of turns) still to try; in a line (`stepping.py`), start and
end of the records of all moves of the position."""
line_key = Array(64)
"""[position of a line]: its key for repetition."""
LEVELS = 4000
"""Maximum number of plies or positions in these arrays."""


class Row(Record):
    """A position within a turn, or the end of a turn; see `kernel/turns.py`."""

    move: int
    """Record of the last leg."""
    number: int
    """Index of that leg among the legal moves; only in visited turns."""
    parent: int
    depth: int
    """Legs so far; -1 for the end of a turn."""
    first: int
    last: int
    """Start and end of the records of the position's moves, if they are kept."""
    board: int
    """Key of the position's board."""


rows = Rows(Row)
met = Array(64)
"""Hash table of positions visited within a turn: (hash, stamp)."""
met_again = Array(64)
turn_way = Array(64)
level_rows = Array(64)
level_top = Array(64)
level_frame = Array(64)
"""[ply]: start of the ply's rows, records and frames."""

choices = Array(32)
"""Starts of the records among which a random one is drawn."""
root_state = Array(64)
root_cell = Array(32)
root_attributes = Array(64)
root_stores = Array(32)
"""Start position of random games."""
tally = Array(64)
"""[mask of winners]: games with this result; the last element counts games cut off."""

ARRAYS = name_all(globals())
