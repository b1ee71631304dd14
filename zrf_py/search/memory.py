"""Memory of the search kernels, allocated only for search. `[a][b]: …` describes an array's element at indices a, b."""

from zrf_py.jit.language import Array, Record, Rows, name_all


class Plan(Record):
    """Constant facts about a game that search uses; zero without search."""

    lines: int
    """Number of lines."""
    last_matters: int
    """True if some block tests a square of the last move, or goes there."""
    null_move: int
    """True if null-move pruning applies."""
    counts_leaves: int
    """True if mobility is evaluated at the leaves."""
    races: int
    """True if goals need many squares."""
    many: int
    """True if the game has more than two players."""
    sums_suffice: int
    """True if leaves are evaluated without generating moves."""
    endless: int
    """True if there are several players and repetition never ends the game."""
    patterns: int
    """Number of learned patterns."""
    pattern_first: int
    """Player from whose view the learned weights are given."""
    phases: int
    """True if there are learned values of squares by phase."""


plan = Plan(constant=True)


line_from = Array(32, constant=True)
line_entry = Array(32, constant=True)
"""Places of lines (see `evaluation/lines.py`): those of a square are line_from[square] to line_from[square + 1], ENTRY
numbers each: line, wanted owner + 1 (0: any), owner negated, wanted type + 1, result negated."""
ENTRY = 5
line_player = Array(32, constant=True)
"""[line]: owner; -1 - player for a line to avoid."""
line_length = Array(32, constant=True)

race_goal = Array(64, constant=True)
"""[player][word]: bitboard of the squares to fill."""
race_cost = Array(16, constant=True)
"""[player][type][square][target]: a lone piece's path cost in hundredths of a step; -1: no path, or no goal square."""
race_near = Array(64, constant=True)
"""[player][type][square][word]: bitboard of the squares one step away for a lone piece."""
race_free = Array(64)
race_man = Array(64)
race_choice = Array(64)
"""Work space of races: free goal squares; `costs_index` of pieces outside the goal; number of squares each reaches."""

pattern_from = Array(32, constant=True)
pattern_entry = Array(32, constant=True)
"""Learned patterns of a square: from pattern_from[square] to pattern_from[square + 1], two numbers each: the pattern,
and the place value of the square's digit."""
pattern_base = Array(32, constant=True)
"""[pattern]: value of `pattern_index` on an empty board: the index of its first weight within a stage."""
pattern_digit = Array(8, constant=True)
"""[owner + 1][type + 1]: digit of a cell."""
pattern_stage = Array(32, constant=True)
"""[pieces on the board]: index of the stage's first weight."""

phase_part = Array(32, constant=True)
"""[type + 1]: a piece's share of the full material, in units of 1/`FULL`."""
FULL_BITS = 8
FULL = 1 << FULL_BITS
"""Sum of `phase_part` over the most material in any position of the training; most games begin with it."""

opponent = Array(8, constant=True)
"""[player]: the opponent, in a game for two."""

piece_square = Array(32)
"""[player + 1][type + 1][square]: value of a piece to its owner."""
hand_value = Array(32)
"""[player][type]: value of a piece off the board."""
type_value = Array(32)
"""[type + 1]: value of capturing a piece of the type, at least 1, to order moves."""
last_matters = Array(8)
"""[type + 1][(to - from) & 63]: True if replies to such a last move were seen to depend on it, or couldn't be tried."""
line_weight = Array(32)
"""[places missing]: value of a line that can still be completed."""
standing = Array(64)
"""[player + 1]: incremental sum over board, hand and lines."""
line_has = Array(32)
line_blocked = Array(32)
"""[line]: number of places filled as wanted (`line_has`), or holding a piece that does not fit (`line_blocked`)."""
pattern_index = Array(32)
"""[pattern]: `pattern_base` plus the number that the squares' contents form: index of the weight within a stage."""
pattern_weight = Array(16)
"""[stage][index]: learned weights, in hundredths."""
phase_value = Array(16)
"""[owner + 1][type + 1][square], then [player][type] for pieces off the board: two learned values, in hundredths, with
all material and with none."""

WIN = 1 << 28
INFINITE = 1 << 30
MANY = 1 << 50
"""Number of positions that stands for no limit."""
SURE = WIN - 4096
"""Limit above which a value is a proven win."""
ARRIVING = 5000
"""Threshold of `square_gain` beyond which a move wins by arriving."""


class Search(Record):
    """Counters and limits of a search."""

    visited: int
    at: int
    value: int
    root_depth: int
    table_mask: int
    past: int
    wanted_lines: int
    wanted_depth: int
    """Number of lines to find (`wanted_lines`); maximum depth (`wanted_depth`; 0: no limit)."""
    lines: int
    """Number of lines in `pv_line`; if 0, row 0 holds only the first move."""
    found: int
    """Number of lines finished at this depth; their first moves are excluded from the next line."""
    low: int
    """Lower end of the root's window."""
    certain: int
    """True if all lines found at this depth are proven."""
    worth_to: int
    """Player for whom lines are evaluated where chance is to move; -1: the player to move."""
    settled: int
    """True if the value of the root is proven (alpha-beta: by the last finished depth)."""
    ended: int
    """True if a deeper search is not wanted, or can't find anything better."""
    order_top: int
    per_arrival: int
    """`ARRIVING` if some piece-square values differ by at least `ARRIVING`, else 0."""
    per_move: int
    """Value of each move by which the player's mobility exceeds the opponent's."""
    pattern_men: int
    """Number of pieces on the board, counted only if there are learned patterns."""
    phase_full: int
    phase_bare: int
    """Sums of the values by phase, with all material (`phase_full`) and with none (`phase_bare`)."""
    phase_left: int
    """Material on the board, in units of 1/`FULL`."""
    noise: int
    """Width of the noise added to evaluations, a function of the position."""
    noise_seed: int
    proven: int
    """True if `value` rests on finished games alone."""
    estimates: int
    """True if the evaluation can show who is ahead."""
    explore: int
    """Exploration constant of PUCT, in units of 1/65536."""
    grown: int
    """Number of nodes created so far; `nodes_room` once the tree has stopped growing."""
    longest: int
    """Maximum number of legs of a rollout."""
    nodes_room: int
    rollout_legs: int
    """Legs of a rollout before the evaluation is applied."""
    tries: int
    """Number of moves drawn at each step of a rollout; the best one is played."""
    per_step: int
    """Value of a step nearer to the goal, for a piece outside it."""
    per_point: int
    """Value of a point of the score, if the piece-square values do not include it."""
    per_stranger: int
    """Cost of another player's piece on a square of one's goal."""
    per_locked: int
    """Cost, in addition to `per_stranger`, if that piece can't step away."""
    beam_root: int
    """Player to move at the root (beam search)."""
    beam_width: int
    """Beam width: positions kept per generation."""
    beam_depth: int
    """Number of completed generations."""
    beam_at: int
    beam_count: int
    """Number of positions of the previous generation."""
    beam_next: int
    """Number of positions of this generation so far."""
    beam_half: int
    """0 or 1: the half of the slots with the positions to expand; new ones go into the other half."""
    beam_room: int
    """Slots per half."""
    beam_end: int
    """Slot of the path to a win (`beam_won`); the next two are for the path to a draw (`beam_draw`) and the root."""
    beam_stamp: int
    """Stamp of this generation's table entries."""
    beam_widest: int
    """Maximum width of a generation."""
    beam_goal: int
    """Turns of the root player that this pass looks ahead."""
    beam_first: int
    """Number of positions visited by the first pass: one for each first turn searched."""
    beam_left: int
    """Positions that may still be visited within the limits, as estimated by the host."""
    kept_lines: int
    """Number of lines of the last pass, which are stored in the second half of `pv_line`."""
    beam_limit: int
    """Maximum number of positions to visit in total."""
    beam_won: int
    beam_draw: int
    beam_answered: int
    """True if the other players move between turns of the root player."""
    answering: int
    """True while the others move."""
    turn_slot: int
    """Slot whose turns are being generated; -1: the root."""
    turn_turns: int
    """Number of turns generated."""
    best_turn: int
    best_move: int
    best_number: int
    best_at: int
    """The best answer: its value; record and index of its last leg; the row that this leg extends (-1: no answer)."""
    turn_of: int
    """Number of turns of which `turn_drawn` are sampled for search; 0: all; `COUNTING`: only those ending the game."""
    turn_drawn: int


search = Search()
TERMS = tuple(name for name in Search.fields if name.startswith("per_"))
"""Names of evaluation terms, set by `evaluation/weights.py` and read by kernels."""

MAX_PLY = 192


class Ply(Record):
    """Stack frame of alpha-beta for one ply."""

    stage: int
    mover: int
    alpha: int
    beta: int
    depth: int
    best: int
    best_index: int
    base: int
    """Index of the ply's first record in `moves`."""
    order: int
    """Index of its first move in `order_move`."""
    count: int
    tried: int
    move: int
    index: int
    """Record and index (in generation order) of the move being tried."""
    phase: int
    key: int
    """Key of the position, including the last move where that matters."""
    place: int
    """Key of the position, to detect repetition."""
    chained: int
    checked: int
    legal: int
    seen: int
    """Opponent's mobility when last counted; -1: unknown."""
    own: int
    """Player's mobility at the start of the turn; -1: unknown."""
    static: int
    proven: int
    """True if all values so far rest on finished games alone."""
    raised: int
    quiet: int


ply = Rows(Ply)
killers = Array(64)
"""[ply][2]: killer moves, as signatures."""
order_move = Array(32)
order_score = Array(64)
order_index = Array(32)
history = Array(32)
"""[player][signature & 65535]: cutoffs by a quiet move, weighted by depth squared."""
HISTORY = 65536
past = Array(64)
"""Keys of the game's earlier positions that may be repeated."""
pv_table = Array(16)
"""[ply][ply]: triangular table of principal variations, as indices of moves + 1; 0 ends a row."""


class PvLine(Record):
    """Line kept as a result: its value to the root player, and the depth searched."""

    rank: int
    """Order among lines of the same depth."""
    value: int
    depth: int
    turn: int
    """Number of legs of the first turn, where that is known."""


pv_line = Rows(PvLine)
pv_moves = Array(16)
"""[line][ply]: its moves, as in `pv_table`."""
SKIPS = 8192
root_skip = Array(8)
"""[index of a root move]: True if it is excluded."""

SPREAD = 300
"""Lead at which three games of four are won. With a third of it, the search won in one
dice game (25 to 10) and lost in another (10 to 19)."""
UNPROVEN = -1
reward = Array(64)
"""[player]: reward of the last simulation, in units of 1/65536."""
credit = Array(64)
"""[player]: total value of the player's side."""
in_team = Array(8, constant=True)
"""[player][player]: True if both are partners, or the same player."""


class TreeNode(Record):
    """Node of the Monte-Carlo search tree."""

    visits: int
    proven: int
    """Mask of winners under best play (0: a draw); UNPROVEN if it is not known, `DEAD` for a dead end."""
    prior: int
    """PUCT prior of the move that leads here, in units of 1/65536; the priors of siblings add up to about 1."""
    first: int
    count: int
    """Number of children, 0 if not expanded; they are consecutive, from `first` on."""
    mover: int
    distance: int
    """Legs from a proven node to the end of the game, as found so far: winners prefer few, losers many."""


tree = Rows(TreeNode)
KEPT_WORDS = 3
node_record = Array(64)
"""[node][word]: record of the move that leads here, with bit 62 of its first word set; 0 for a longer record."""
node_reward = Array(64)
"""[node][player]: sum of rewards."""

COUNTING = -1
KEPT_LEGS = 192
"""Maximum number of legs of a path that are stored."""
beam_cell = Array(32)
beam_attributes = Array(64)
"""[slot][square]: contents of the square, and its attributes."""
beam_stores = Array(32)
beam_state = Array(64)
"""[slot][number]: the part of `state` that `push_frame` saves and `unmake` restores."""
beam_way = Array(16)
"""[slot][leg]: indices of the legs from the root."""


class BeamSlot(Record):
    """Position kept by the beam."""

    value: int
    """Value of the position to the root player, after that player's turn."""
    lead: int
    """Lead of the root player after its turn, or after the replies of the others once they are made."""
    debt: int
    """Deduction for a repeated position on the path."""
    legs: int
    """Number of legs of the path."""
    first: int
    """Number of legs of its first turn."""


beam = Rows(BeamSlot)
beam_heap = Array(32)
"""Heap of this generation's slots, the worst on top."""
beam_list = Array(32)
"""Slots of the previous generation to expand, best first."""

learned = Array(64)
"""[player + 1][type + 1][square]: learned fraction of a weight, too small yet to change it."""
sample_cell = Array(32)
"""[sample][square]: cells of sampled positions."""

table_key = Array(64)
table_data = Array(64)
"""Transposition table, allocated by Python. An entry: index of the best move + 1 (16 bits), depth (12), bound (2),
proven (1), score + 2^31 (the upper 32 bits)."""

BEAM_ROWS = (beam_cell, beam_attributes, beam_stores, beam_state, beam_way)
LATE = (
    table_key, table_data, pv_line, pv_moves, tree, node_record, node_reward, beam, beam_heap, beam_list, *BEAM_ROWS,
)
"""Arrays accessed through a pointer, since their size is chosen at run time."""

NOTES = name_all(globals())
