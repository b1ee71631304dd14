"""Memory of a fleet: the arrays of its kernel, bound at run time; threads share most of them.

A slot is a game. `[slot]` below means index `slot * n` for an array with n elements per slot. One more slot at the end
holds the start position.
"""

from typing import Any

from zrf_py.jit.language import Array, Record, name_all, several


class Fleet(Record):
    """Parameters common to all slots, and what the kernel reports to Python."""

    room: int
    """Capacity of a slot, in legal legs."""
    words_room: int
    """Capacity of a slot, in words of the records of legs."""
    stride: int
    """Words per slot in `slot_words`."""
    most: int
    """Number of legs after which a game is truncated."""
    autoreset: int
    taken_room: int
    seen_room: int
    """Keys per slot; 0 if no position can be repeated."""
    chances: int
    """True if there are dice."""
    watched: int
    """True if observations are written."""
    chooses_type: int
    """True if a leg's name includes the type set at its end square."""
    others: int
    """First spare action. A leg gets a spare action if other legs have taken all actions of its name."""
    others_end: int
    ordinary: int
    """Number of ordinary players."""
    alone: int
    """True if a single player has turns."""
    planes: int
    attribute_plane: int
    """First plane of the attributes; -1: none. Likewise the fields `…_plane` below, for other planes."""
    last_plane: int
    chain_plane: int
    fill_plane: int
    fills: int
    turn_plane: int
    turn_planes: int
    must_plane: int
    out_plane: int
    times_plane: int
    stamp: int
    """Current value for `leg_stamp`; incremented for each list of legs."""
    by_sets: int
    """True if legal actions are listed by bitboards of starting squares, without writing records."""
    pass_action: int
    wanted_room: int
    """Required capacities, if a list of legs did not fit; else 0."""
    wanted_words: int
    fault_slot: int
    fault: int


fleet = Fleet()

LINE = 16
"""Words of a pair of cache lines (128 bytes): fields written by several threads are this far apart."""


class Crew(Record):
    """State shared by the threads of a fleet; `LINE` words per thread follow it (`crew.py`)."""

    job: int
    """Number of the current job."""
    wanted: int
    """Pending operation, one of those below; 0: none."""
    then: int
    """Operation that follows the pending one, unless an action is illegal; 0: none."""
    posted: int
    """True if the current job runs the pending operation."""
    what: int
    slots: int
    chunk: int
    """Slots per chunk."""
    chunks: int
    threads: int
    wrong: int
    """First slot with an illegal action; -1: none."""
    trouble: int
    """True if a thread has reported a fault or lack of room in its `fleet`."""
    line: Any = several(LINE - 11)
    done: int
    """Finished chunks of the current job."""
    line_of_done: Any = several(LINE - 1)


crew = Crew()
CHECK, STEP, DRAW, BEGIN, LIST = 1, 2, 3, 4, 5

OFF, NEXT, SAME = 0, 1, 2
"""Restart of finished games: never, with the next step, or at once."""
HOLD = -2
"""The action that leaves the game of a slot as it is."""
UNNAMED, AMBIGUOUS = 100, 101
"""Faults in addition to those of the rules: a leg without a name, too many legs of one name."""

A_PASS, A_RECORD = -1, -2

leg_pair = Array(32)
"""First action, indexed [from][to]; the *from* of a drop is the number of squares + the type. -1: none."""
leg_kind = Array(32)
"""Type that the piece becomes, by action; -1: unchanged."""
leg_more = Array(8)
"""1 if the action after this one has the same name, 2 if only the same from and to, else 0; by action."""
leg_yield = Array(32)
"""Action of a leg, indexed as by `Actions.yields` (`actions.py`); -1: unknown without the leg's record."""
leg_stamp = Array(32)
leg_at = Array(32)
"""Stamp of the last list that held an action, and its record in that list, by action; separate for each thread."""

chance_player = Array(8)
"""True for dice; by player."""
seat_of = Array(32)
"""Index of a player among the ordinary players; -1 for others."""
piece_plane = Array(32)
"""Plane × number of squares, indexed [viewer][owner + 1][type + 1]."""
fill_at = Array(32)
"""Index in `stores` of the value that fills a plane, indexed [viewer][number of the plane in its section]."""
out_player = Array(32)
"""Player, indexed [viewer][seat]."""

slot_words = Array(64)
"""[slot]: see `slots.py`."""
slot_cell = Array(32)
slot_attribute = Array(64)
slot_store = Array(32)
slot_taken = Array(32)
slot_seen = Array(64)
"""[slot]: keys of earlier positions that may be repeated."""
slot_record = Array(64)
"""[slot]: records of the legal legs, unless they are listed by bitboards."""
slot_code = Array(32)
"""[slot]: how to play each of `slot_legal`: an index in `leg_yield`, `A_PASS`, or `A_RECORD` - index of its record."""

slot_legal = Array(32)
slot_count = Array(32)
slot_action = Array(32)
slot_chosen = Array(32)
"""[slot]: `slot_code` of the chosen action, looked up for all slots beforehand so that `step` can prefetch."""
slot_observation = Array(8)
slot_final = Array(8)
"""[slot]: last observation of the previous game, with `SAME`."""
slot_reward = Array(8)
slot_done = Array(8)
slot_truncated = Array(8)
slot_player = Array(32)
slot_ply = Array(32)

ARRAYS = name_all(globals())
