"""Memory for counting and drawing moves by sets (`bitboards/sets.py`, `sampling.py`) or by block. A yield is one `add`
of a block with the set of starts that reach it; a group holds the yields of a side for one move type, or for any."""

from zrf_py.jit.language import Array, Record, Rows, name_all


class Setting(Record):
    """Settings for counting and drawing moves."""

    sets: int
    """All blocks can be expressed by sets."""
    kind_sets: int
    """`kinds_at` is maintained."""
    move_types: int
    """Number of move types."""
    most_types: int
    """Maximum number of types of a yield."""
    repeats: int
    """Occurrences of a position that end the game; 0: no position can recur, or repetition doesn't matter."""
    counts: int
    """All records of blocks are legal, and they can be counted without being written."""
    draws: int
    """A move can be drawn by counting the records of one block after the other."""
    tallies: int
    """Legal moves of pieces on which no royal piece's safety depends are counted without being written. 0: never;
    ASKING_ENDS: in any position, testing each destination; 1: if no destination could endanger a royal piece."""
    monotone: int
    """The number of pieces on the board never falls, or never rises."""
    all_end: int
    """No block can exceed the limit on operations, so that a test for any legal move may stop at the first one."""
    one_group: int
    """There is only one group, and every turn uses it."""
    simple: int
    """Every move is one movement that ends the turn: a dropped piece, or a piece moved unchanged."""
    fills: int
    """Every move puts a piece on an empty square, and the turn's changes are never read, so they are not logged."""
    own_only: int
    """A turn only puts pieces of its own player on squares."""


setting = Setting(constant=True)
ASKING_ENDS = 2


class SetNode(Record):
    """An operation on sets of squares; the operands `a` and `b` are nodes or numbers, depending on the kind."""

    kind: int
    a: int
    b: int


class_from = Array(32, constant=True)
"""[side][move type + 1][in a chain]: start of the list of groups in `class_list`."""
class_list = Array(32, constant=True)
"""Lists of groups; the first group of a list with any move decides."""
group_from = Array(32, constant=True)
"""The yields of a group are group_from[group] to group_from[group + 1]."""

yield_routine = Array(32, constant=True)
yield_count = Array(32, constant=True)
"""[yield]: number of records for each start."""
yield_direct = Array(8, constant=True)
"""[yield]: 1 if each record is one movement, given by the arrays below."""
yield_head = Array(64, constant=True)
yield_from = Array(16, constant=True)
yield_end = Array(16, constant=True)
"""[yield][start]: squares of the movement."""
yield_types = Array(16, constant=True)
"""[yield][number]: type the piece becomes, -1 for its own."""

set_from = Array(32, constant=True)
"""The nodes of a group are set_from[group] to set_from[group + 1]; `fills.py` computes them."""
set_node = Rows(SetNode, constant=True)
set_words = Array(64, constant=True)
"""[set][word]: constant sets; the first contains every square."""
yield_node = Array(32, constant=True)
"""[yield]: node of its starts."""
set_values = Array(64)
"""[node][word]: sets of the current group."""

kinds_at = Array(64)
"""[type + 1][word]: a bit for each square with a piece of the type."""
yield_masks = Array(64)
"""[yield][word]: starts, as computed by the latest call of `fill_sets`."""
yield_below = Array(64)
"""[yield]: number of records of the yields before it in its group."""
root_occupied = Array(64)
root_royals_at = Array(64)
root_kinds_at = Array(64)
seen_key = Array(64)
seen_times = Array(64)
"""Hash table of the positions of the current random game: keys, and occurrences | `state.history`."""
SEEN_ROOM = 1 << 14

MASKS = name_all(globals())
