"""The memory of a fleet: every array of its kernel. All are bound late; games in different threads share most of them.

A slot is a game. `[slot]` below is `slot * n`, n being how many elements a slot has; behind the last slot stands the
position that games begin with.
"""

from typing import Any

from zrf_py.jit.language import Array, Record, name_all, several


class Fleet(Record):
    """What holds for all slots."""

    room: int
    """Legs that a slot has room for, and words of their records."""
    words_room: int
    stride: int
    """Words of a slot in `slot_words`."""
    most: int
    """Legs after which a game is cut off."""
    autoreset: int
    taken_room: int
    seen_room: int
    """0 where no position can come again."""
    chances: int
    """Some player is the dice."""
    watched: int
    """Observations are written."""
    chooses_type: int
    """A change of type where a leg ends belongs to its name."""
    others: int
    """The first of the actions for legs whose name has no number left."""
    others_end: int
    ordinary: int
    """How many ordinary players there are."""
    alone: int
    """Only one of them has turns."""
    planes: int
    attribute_plane: int
    """Where planes of a kind begin; -1 where there are none."""
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
    """Of `leg_stamp`; the next record has another one."""
    by_sets: int
    """Legal actions are told by the squares that blocks start from: no record is written."""
    pass_action: int
    wanted_room: int
    """What would have been needed where room was too small."""
    wanted_words: int
    fault_slot: int
    fault: int


fleet = Fleet()

LINE = 16
"""Words that are brought to a processor together: what several threads write stands so far apart."""


class Crew(Record):
    """What the threads of a fleet tell each other; behind it a line of each thread (`crew.py`)."""

    job: int
    """The number of the job at hand."""
    wanted: int
    """What is to be done, one of those below, and after it unless an action was wrong; 0: nothing."""
    then: int
    posted: int
    """The job at hand is for what is wanted."""
    what: int
    slots: int
    """How many there are, how many of a chunk, chunks."""
    chunk: int
    chunks: int
    threads: int
    wrong: int
    """The first slot whose action is not legal; -1 if all are."""
    trouble: int
    """Some thread has something to tell in its `fleet`."""
    line: Any = several(LINE - 11)
    done: int
    """Chunks of the job that are done."""
    line_of_done: Any = several(LINE - 1)


crew = Crew()
CHECK, STEP, DRAW, BEGIN, LIST = 1, 2, 3, 4, 5

OFF, NEXT, SAME = 0, 1, 2
"""What becomes of a finished game: nothing, a new one with the next step, a new one at once."""
HOLD = -2
"""The action that leaves the game of a slot as it is."""
UNNAMED, AMBIGUOUS = 100, 101
"""Faults besides those of the rules: a leg without a name, two legs of one name."""

A_PASS, A_RECORD = -1, -2

leg_pair = Array(32)
"""[from, or squares + type for a drop][to]: the first action, -1 for none."""
leg_kind = Array(32)
"""[action]: the type that the piece becomes, -1 where it keeps its own."""
leg_more = Array(8)
"""[action]: 1 if the next one has the same name, 2 if it has the same from and to, else 0."""
leg_yield = Array(32)
"""[yield][start][type]: the action of its record, -1 where it has none."""
leg_stamp = Array(32)
leg_at = Array(32)
"""[action]: when it was found last, and its record. Every thread has its own."""

chance_player = Array(8)
"""[player]: he is the dice."""
seat_of = Array(32)
"""[player]: his number among the ordinary ones, -1 for others."""
piece_plane = Array(32)
"""[viewer][owner + 1][type + 1]: the plane, times squares."""
fill_at = Array(32)
"""[viewer][number]: an element of `stores` that fills a plane."""
out_player = Array(32)
"""[viewer][seat]: the player."""

slot_words = Array(64)
"""[slot]: see `slots.py`."""
slot_cell = Array(32)
slot_attribute = Array(64)
slot_store = Array(32)
slot_taken = Array(32)
slot_seen = Array(64)
"""[slot]: keys of the positions that may come again."""
slot_record = Array(64)
"""[slot]: records of the legal legs, where they are written."""
slot_code = Array(32)
"""[slot]: what to play for each of `slot_legal`: an element of `leg_yield`, `A_PASS`, `A_RECORD` - where it stands."""

slot_legal = Array(32)
slot_count = Array(32)
slot_action = Array(32)
slot_chosen = Array(32)
"""[slot]: what `slot_code` says of the action: looked up beforehand for all, since memory is slow where it is asked."""
slot_observation = Array(8)
slot_final = Array(8)
"""[slot]: the last observation of the game before this one, with `SAME`."""
slot_reward = Array(8)
slot_done = Array(8)
slot_truncated = Array(8)
slot_player = Array(32)
slot_ply = Array(32)

ARRAYS = name_all(globals())
