"""The memory of search: what stands here is of no concern to the rules, and is allotted when search is asked for."""

from zrf_py.jit.language import Array, Record, Rows, name_all

# ------------------------------------------------------------------------------------------------ the game (constant)


class Plan(Record):
    """What search knows of a game before it begins; zero while nobody searches."""

    lines: int
    """How many there are."""
    last_matters: int
    """Some block asks where the last move went."""
    null_move: int
    """It is worth trying what happens if a player does nothing."""
    counts_leaves: int
    """At the end of the depth it matters who has how many moves."""
    races: int
    """The goals need many squares."""
    many: int
    """More than two play, or in teams."""
    sums_tell: int
    """At the end of the depth moves need not be looked at."""
    choosy: int
    """Not every man gets to every square of his race."""
    endless: int
    """Positions may come again as often as they like: that ends no game of several players."""


plan = Plan(constant=True)
"""What search knows of a game before it begins; zero while nobody searches."""


line_from = Array(32, constant=True)
line_entry = Array(32, constant=True)
"""The places of lines (see `evaluation/lines.py`) on a square: line_from[square] to line_from[square + 1], ENTRY
numbers each: the line, the wanted owner (0: any) and whether somebody else is wanted, the wanted type, negated."""
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

piece_square = Array(32)
"""[player + 1][type + 1][square]: what a cell is worth to its owner."""
hand_value = Array(32)
"""[player][type]: the same for a piece off the board."""
type_value = Array(32)
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


class Search(Record):
    """Counters and limits of a search."""

    visited: int
    at: int
    value: int
    root_depth: int
    table_mask: int
    past: int
    skipped: int
    deepest: int
    order_top: int
    per_move: int
    """What a move more than the other has is worth."""
    noise: int
    """The width of random numbers that are added to estimates, the same for the same position."""
    noise_seed: int
    proven: int
    """The value rests on finished games alone."""
    estimates: int
    """The sums tell who is ahead."""
    explore: int
    """How much is tried beside the best."""
    grown: int
    """Nodes so far."""
    longest: int
    """Legs of a line played to its end."""
    nodes_room: int
    rollout_legs: int
    """Legs played before the sums are asked."""
    spread: int
    """The lead with which three games of four are won."""
    tries: int
    """Moves drawn, of which the best is played."""
    per_step: int
    """What a step nearer to the goal is worth to a man outside."""
    per_point: int
    """What a point of the score is worth where the sums know nothing of it."""
    per_stranger: int
    """What somebody else's man costs on a square of one's goal."""
    per_locked: int
    """What he costs besides if he can't step away."""
    beam_root: int
    """For `beam/kernel.py`: the player to move at the root."""
    beam_width: int
    """How many positions a generation keeps."""
    beam_depth: int
    """Generations that are complete."""
    beam_at: int
    beam_count: int
    """Positions of the generation before, and of this one."""
    beam_next: int
    beam_half: int
    """Which half of the slots holds those before."""
    beam_room: int
    """Slots of a half."""
    beam_end: int
    """The slot with the way to a win (`beam_won`), behind it that to a draw (`beam_draw`)."""
    beam_stamp: int
    """Marks the table's entries of this generation."""
    beam_limit: int
    """Positions that may be visited in all."""
    beam_won: int
    beam_draw: int
    beam_answered: int
    """The others move between one's own turns."""
    answering: int
    """They are about to."""
    turn_slot: int
    """The slot whose turns are looked at, -1 for the root."""
    turn_turns: int
    """Turns found."""
    best_turn: int
    """What the best answer is worth; its last leg, as record and number, and the row it goes on from, -1 for none."""
    best_move: int
    best_number: int
    best_at: int
    turn_of: int
    """Of so many turns `turn_drawn` are drawn to be looked at; 0: all are,"""
    turn_drawn: int


search = Search()
TERMS = tuple(name for name in Search.fields if name.startswith("per_"))
"""What the evaluation's terms are worth: `evaluation/weights.py` says it by these names, kernels read it."""

MAX_PLY = 192


class Ply(Record):
    """What alpha-beta remembers of each ply of the line it is looking at."""

    stage: int
    mover: int
    alpha: int
    beta: int
    depth: int
    best: int
    best_index: int
    base: int
    """Where the records of the ply begin in `moves`."""
    order: int
    """Where its list begins in `order_move`."""
    count: int
    tried: int
    move: int
    index: int
    """Record and number (in the order of generation) of the move being tried."""
    phase: int
    key: int
    place: int
    """What decides what may follow, and what the rules of repetition compare."""
    chained: int
    checked: int
    legal: int
    seen: int
    """How many moves the other player had when it was last counted; -1: unknown."""
    own: int
    """How many moves the player had when his turn began; -1: unknown."""
    static: int
    proven: int
    """Whether all values so far rest on finished games alone."""
    raised: int
    quiet: int


ply = Rows(Ply)
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
pv_table = Array(16)
"""[ply][ply]: the triangular table of principal variations, by the numbers of moves; 0 ends a row."""
SKIPS = 8192
root_skip = Array(8)
"""[number of a root move]: left out."""

# -------------------------------------------------------------------------------------------------- Monte-Carlo tree

UNPROVEN = -1
reward = Array(64)
"""[player]: what the last simulation came to, in shares of 1 << 16."""
credit = Array(64)
"""[player]: what his side is worth in all."""
in_team = Array(8, constant=True)
"""[player][player]: whether both win together."""


class TreeNode(Record):
    """What the search remembers of a node of its tree."""

    visits: int
    proven: int
    """The mask of winners (0: a draw) that best play leads to; UNPROVEN, or another negative number."""
    prior: int
    """How promising the move that leads to it looks, as a share of 1 << 16 among its siblings."""
    first: int
    count: int
    """Its children stand one behind the other; 0: none yet."""
    mover: int
    distance: int
    """Legs from a proven node to the end of the game, as far as was found: the winner hurries, the others don't."""


tree = Rows(TreeNode)
KEPT_WORDS = 3
node_record = Array(64)
"""[node][word]: the record that leads to it, with bit 62 set in its first word; 0 for one that is longer."""
node_reward = Array(64)
"""[node][player]: the sum of shares."""

# ----------------------------------------------------------------------------------------------------- the widest ways

COUNTING = -1
KEPT_LEGS = 192
"""So many legs of a way are known."""
beam_cell = Array(32)
beam_attributes = Array(64)
"""[slot][square]"""
beam_stores = Array(32)
beam_state = Array(64)
"""[slot][number]: what make and unmake save."""
beam_way = Array(16)
"""[slot][leg]: numbers of the legs from the root."""


class BeamSlot(Record):
    """What the beam remembers of a position that it keeps."""

    value: int
    """What the position is worth to the player at the root, after his turn."""
    lead: int
    """How far he is ahead; when it is his turn again, if the others move between."""
    debt: int
    """What is deducted for a position on the way that was there before."""
    legs: int
    first: int
    """Legs of the way, and of its first turn."""


beam = Rows(BeamSlot)
beam_heap = Array(32)
"""Slots of this generation, the worst on top."""
beam_list = Array(32)
"""Slots of the generation before that are gone on from, written by Python."""

learned = Array(64)
"""[player + 1][type + 1][square]: what was learned of a worth but is too little yet to change it."""
sample_cell = Array(32)
"""[sample][square]: cells of positions to learn from."""

# ---------------------------------------------------------------------------------------------------------- the table

table_key = Array(64)
table_data = Array(64)
"""The transposition table, which Python allots. A value: number of the move + 1 (16 bits), depth (12), bound (2),
proven (1), score + 2^31 (32 bits, from the top)."""

BEAM_ROWS = (beam_cell, beam_attributes, beam_stores, beam_state, beam_way)
LATE = (table_key, table_data, tree, node_record, node_reward, beam, beam_heap, beam_list, *BEAM_ROWS)
"""Arrays that are always behind a pointer, since their size is chosen when search begins."""

NOTES = name_all(globals())
