"""The memory of counting and drawing moves by sets; see `bitboards/sets.py` and `sampling.py`. Empty in other games."""

from zrf_py.jit.language import Array, Record, Rows, name_all


class Setting(Record):
    """What of sets a game uses."""

    sets: int
    """All blocks can be said in sets."""
    kind_sets: int
    """`kinds_at` is kept up to date."""
    move_types: int
    """How many move types there are, and types of a yield at most."""
    most_types: int
    repeats: int
    """Occurrences of a position that end the game; 0: none may come again, or nobody asks."""
    counts: int
    """Blocks can be counted without writing; what they write is legal, and of the right move type."""
    monotone: int
    """The number of pieces on the board only grows, or only shrinks."""
    all_end: int
    """No block can run out of fuel, so that the first move found is enough to know that there is one."""
    one_group: int
    """There is one group only, and every turn is of it."""
    simple: int
    """Every move is one movement that ends the turn: a piece dropped, or the piece moved as it is."""
    fills: int
    """Every move puts a piece on an empty square, and nobody asks what a turn has changed: it needn't be logged."""
    own_only: int
    """A turn puts pieces of the player who makes it somewhere, and never others."""


setting = Setting(constant=True)


class SetNode(Record):
    """An operation on sets of squares; its parts are numbers of nodes or what its kind says."""

    kind: int
    a: int
    b: int


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

set_from = Array(32, constant=True)
"""The nodes of a group are those from set_from[group] to set_from[group + 1]: `fills.py` works them out."""
set_node = Rows(SetNode, constant=True)
set_words = Array(64, constant=True)
"""[set][word]: sets that are known beforehand; the first holds every square."""
yield_node = Array(32, constant=True)
"""[yield]: the node with its starts."""
set_values = Array(64)
"""[node][word]: the sets of the group at hand."""

kinds_at = Array(64)
"""[type + 1][word]: a bit for each square a piece of the type stands on."""
yield_masks = Array(64)
"""[yield][word]: the starts found last."""
yield_below = Array(64)
"""[yield]: how many records the yields of its group before it stand for."""
root_occupied = Array(64)
root_royals_at = Array(64)
root_kinds_at = Array(64)
seen_key = Array(64)
seen_times = Array(64)
"""Positions of the random game under way, by hash; how often each has occurred | which game it was."""
SEEN_ROOM = 1 << 14

MASKS = name_all(globals())
