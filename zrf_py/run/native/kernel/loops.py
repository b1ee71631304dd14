"""Long work in slices: counting leaves, playing random games. Each call stops after about `budget` positions.

Python calls again until nothing is left, so that Ctrl-C is heard at once.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.board import length, mix, play, recount, unmake
from zrf_py.run.native.kernel.drawing import (
    count_legal,
    count_moves,
    draw,
    list_records,
    passes,
    random_below,
)
from zrf_py.run.native.kernel.finish import can_finish, keep_longest
from zrf_py.run.native.kernel.goals import final_result, winners
from zrf_py.run.native.kernel.history import begin_history, continue_history
from zrf_py.run.native.kernel.legal import add_passes, candidates, legal, take_passes
from zrf_py.run.native.kernel.masks import (
    COUNTS,
    KIND_SETS,
    REPEATS,
    SEEN_ROOM,
    SETS,
    kinds_at,
    root_kinds_at,
    root_occupied,
    root_royals_at,
    seen_times,
    setting,
)
from zrf_py.run.native.kernel.memory import (
    ALL_KEPT,
    CHAIN,
    COUNT_CELLS,
    ERROR,
    GAMES,
    HAS_ATTRIBUTES,
    HAS_ROYALS,
    LEVEL,
    MAXIMAL,
    MUST_FINISH,
    NODES,
    ONLY_DROP,
    PASS_FORCED,
    PASS_TURN,
    PLAYERS,
    PLIES,
    PLY,
    RANDOM,
    RESULT,
    ROUTINES,
    SQUARES,
    STORES,
    TAKEN_FROM,
    TAKEN_TO,
    TARGET_SQUARE,
    TOP,
    TURN,
    TYPES,
    UNDO,
    UNIFORM,
    WORDS,
    attributes,
    cell,
    choices,
    line_end,
    line_next,
    occupied,
    params,
    root_attributes,
    root_cell,
    root_state,
    root_stores,
    routine_type,
    royals_at,
    state,
    stores,
    tally,
    turn_side,
)
from zrf_py.run.native.kernel.turn import after, chains, finish_turn
from zrf_py.run.native.kernel.walk import write_drop, write_pass
from zrf_py.run.native.kernel.words import MANY, bit_count, entry, inline, nth_bit

LENGTH = 3
"""Words of a record with one movement."""
CUT_OFF = 256
"""Where `tally` counts the games that did not end by themselves."""


@inline
def count_records(base: int, end: int) -> int:
    if params[UNIFORM]:
        return (end - base + 2) // LENGTH
    found = 0
    m = base
    while m < end:
        m += length(m)
        found += 1
    return found


@entry
def perft_begin() -> None:
    """Put the root's moves on ply 0; the position must be loaded."""
    base = legal()
    state[LEVEL] = 0
    state[NODES] = 0
    line_next[0] = base
    line_end[0] = state[TOP]


@entry
def perft(depth: int, budget: int) -> int:
    """Go on counting; 1 when everything is counted. state[NODES] is the number of leaves so far."""
    level = state[LEVEL]
    nodes = state[NODES]
    while level >= 0 and budget > 0 and state[ERROR] == 0:
        m = line_next[level]
        if level == depth - 1:
            nodes += count_records(m, line_end[level])
            m = line_end[level]
        if m >= line_end[level]:
            level -= 1
            if level >= 0:
                state[TOP] = line_end[level]
                unmake()
            continue
        line_next[level] = m + length(m)
        after(m)
        budget -= 1
        if (setting[SETS] or setting[COUNTS]) and params[MUST_FINISH] == 0 and level == depth - 2 and state[ERROR] == 0:
            nodes += count_legal()
            unmake()
        elif state[ERROR] == 0:
            level += 1
            line_next[level] = legal()
            line_end[level] = state[TOP]
    state[LEVEL] = level
    state[NODES] = nodes
    return level < 0


def pick_drop() -> int:
    """The same in a game of putting pieces on empty squares: draw the square, write that one record."""
    side = turn_side[state[TURN]]
    kind = routine_type[params[ROUTINES]]
    count = 0
    for word in range(params[WORDS]):
        count += bit_count(occupied[word])
    if count == 0 or stores[side * params[TYPES] + kind] <= 0:
        return -1
    left = random_below(count)
    for word in range(params[WORDS]):
        bits = occupied[word]
        here = bit_count(bits)
        if left < here:
            square = word * 64 + nth_bit(bits, left)
            base = state[TOP]
            write_drop(0, -1, square, square, side, kind, -1)
            return base
        left -= here
    return -1


def pick_by_sets() -> int:
    """The same without listing the moves; -1 also where many draws have found no safe one."""
    base = state[TOP]
    for _try in range(20 if params[MUST_FINISH] else 1):
        count = count_moves(MANY)
        total = count + passes(count)
        if total == 0 or (params[MUST_FINISH] and count == 0):
            return -1
        left = random_below(total)
        m = base
        if left < count:
            m = draw(left)
        else:
            state[TARGET_SQUARE] = -1
            write_pass(-1)
        if params[MUST_FINISH] == 0 or m < 0 or can_finish(m):
            return m
        state[TOP] = base
    return -1


def pick() -> int:
    """A uniformly random legal move of the position at hand; -1 where there is none.

    The safety of royal pieces is asked only of moves that are drawn; one that is not safe is drawn no second time.
    """
    base = state[TOP]
    if setting[SETS]:
        m = pick_by_sets()
        if m >= 0 or params[MUST_FINISH] == 0:
            return m
        state[TOP] = base
    elif params[ONLY_DROP]:
        m = pick_drop()
        if m >= 0:
            return m
    candidates()
    if params[MAXIMAL]:
        keep_longest(base)
    own = take_passes(base)
    if params[MUST_FINISH] == 0:
        add_passes(base, own)
        if params[UNIFORM]:
            count = (state[TOP] - base + 2) // LENGTH
            return base + LENGTH * random_below(count) if count else -1
        count = list_records(base, state[TOP])
        return choices[random_below(count)] if count else -1
    if own or params[PASS_TURN] != PASS_FORCED or state[CHAIN] >= 0:
        add_passes(base, own)
    count = list_records(base, state[TOP])
    while count and state[ERROR] == 0:
        i = random_below(count)
        if can_finish(choices[i]):
            return choices[i]
        count -= 1
        choices[i] = choices[count]
    state[TOP] = base
    if params[PASS_TURN] == PASS_FORCED and state[CHAIN] < 0:
        add_passes(base, False)
    return base if state[TOP] > base else -1


def play_on(m: int) -> None:
    """Play a record for good: nothing will be unmade."""
    state[RESULT] = -1
    play(m)
    if chains(m) == 0:
        finish_turn()
        continue_history()
        state[UNDO] = 0
        state[TAKEN_TO] = 0
        state[TAKEN_FROM] = 0


def remember_root() -> None:
    for i in range(ALL_KEPT):
        root_state[i] = state[i]
    for square in range(params[SQUARES]):
        root_cell[square] = cell[square]
        root_attributes[square] = attributes[square]
    for i in range(params[STORES]):
        root_stores[i] = stores[i]
    for i in range((params[PLAYERS] + 1) * params[WORDS]):
        root_occupied[i] = occupied[i]
        root_royals_at[i] = royals_at[i]
    if setting[KIND_SETS]:
        for i in range((params[TYPES] + 1) * params[WORDS]):
            root_kinds_at[i] = kinds_at[i]


def return_to_root() -> None:
    for i in range(ALL_KEPT):
        state[i] = root_state[i]
    for square in range(params[SQUARES]):
        cell[square] = root_cell[square]
    if params[HAS_ATTRIBUTES]:
        for square in range(params[SQUARES]):
            attributes[square] = root_attributes[square]
    for i in range(params[STORES]):
        stores[i] = root_stores[i]
    recount_from_root()
    begin_history()
    state[PLY] = 0


def recount_from_root() -> None:
    """What `recount` finds for the position that `remember_root` has seen."""
    if params[COUNT_CELLS]:
        recount()
        return
    for i in range((params[PLAYERS] + 1) * params[WORDS]):
        occupied[i] = root_occupied[i]
    if params[HAS_ROYALS]:
        for i in range((params[PLAYERS] + 1) * params[WORDS]):
            royals_at[i] = root_royals_at[i]
    if setting[KIND_SETS]:
        for i in range((params[TYPES] + 1) * params[WORDS]):
            kinds_at[i] = root_kinds_at[i]


@entry
def playouts(games: int, most: int, budget: int) -> int:
    """Go on playing random games from the loaded position; 1 when `games` are finished.

    `state[GAMES]` counts games, `state[PLIES]` plies of all games, `tally` results: [mask of winners], and in the
    last element the games that were cut off after `most` plies.
    """
    while state[GAMES] < games and budget > 0 and state[ERROR] == 0:
        base = state[TOP]
        m = -1
        result = state[RESULT]
        if result < 0:
            m = pick()
            if m < 0:
                result = final_result()
        state[TOP] = base
        budget -= 1
        if result >= 0 or state[PLY] >= most:
            finish_game(result)
        else:
            play_on(m)
            state[PLY] = state[PLY] + 1
            state[PLIES] = state[PLIES] + 1
    return state[GAMES] >= games


def finish_game(result: int) -> None:
    """Count a game and begin the next; a result below 0 is that of a game that was cut off."""
    if result >= 0:
        count_result(result)
    else:
        tally[CUT_OFF] = tally[CUT_OFF] + 1
    state[GAMES] = state[GAMES] + 1
    return_to_root()


def count_result(result: int) -> None:
    mask = winners(result) & 255
    tally[mask] = tally[mask] + 1


@entry
def seed(number: int) -> None:
    """Begin a series of random games from the loaded position."""
    state[RANDOM] = mix(number + 1) | 1
    state[GAMES] = 0
    state[PLIES] = 0
    state[PLY] = 0
    for i in range(CUT_OFF + 1):
        tally[i] = 0
    remember_root()
    if setting[REPEATS]:
        for i in range(SEEN_ROOM):
            seen_times[i] = 0
        begin_history()
