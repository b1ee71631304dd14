"""Long work in slices: perft and playouts. Each call stops after about `budget` positions.

Python calls again until the work is done, so that Ctrl-C is handled promptly.
"""

from zrf_py.jit.language import MANY, copy_all, entry, inline
from zrf_py.native.kernel import board, cells, finish, goals, history, keys, leaves, legal, sampling, turn, walk
from zrf_py.native.kernel.masks import (
    SEEN_ROOM, kinds_at, root_kinds_at, root_occupied, root_royals_at, seen_times, setting, yield_end, yield_routine,
)
from zrf_py.native.kernel.memory import (
    ALL_KEPT, PASS_FORCED, attributes, cell, choices, line_end, line_next, occupied, params, root_attributes,
    root_cell, root_state, root_stores, routine_type, royals_at, state, stores, tally, turn_side,
)

LENGTH = 3
"""Words of a record with one movement."""
CUT_OFF = 256
"""Index in `tally` of the games that were cut off."""


@inline
def count_records(base: int, end: int) -> int:
    if params.uniform:
        return (end - base + 2) // LENGTH
    found = 0
    m = base
    while m < end:
        m = board.following(m)
        found += 1
    return found


@inline
def count_leaves() -> int:
    """Count the moves of the current position, without keeping them."""
    if params.must_finish:
        return leaves.count_listed()
    if setting.sets or setting.counts:
        return sampling.count_legal()
    base = legal.legal()
    found = count_records(base, state.top)
    state.top = base
    return found


@entry
def perft_begin() -> None:
    """Write the root's moves on ply 0; the position must be loaded."""
    base = legal.legal()
    state.level = 0
    state.nodes = 0
    line_next[0] = base
    line_end[0] = state.top


@entry
def perft(depth: int, budget: int) -> int:
    """Continue counting; return 1 when done. `state.nodes` is the number of leaves so far."""
    level = state.level
    nodes = state.nodes
    while level >= 0 and budget > 0 and state.error == 0:
        m = line_next[level]
        if level == depth - 1:
            nodes += count_records(m, line_end[level])
            m = line_end[level]
        if m >= line_end[level]:
            level -= 1
            if level >= 0:
                state.top = line_end[level]
                board.unmake()
            continue
        line_next[level] = board.following(m)
        turn.after(m)
        budget -= 1
        if level == depth - 2 and state.error == 0:
            nodes += count_leaves()
            board.unmake()
        elif state.error == 0:
            level += 1
            line_next[level] = legal.legal()
            line_end[level] = state.top
    state.level = level
    state.nodes = nodes
    return level < 0


def pick_by_sets() -> int:
    """Like `pick`, but without listing the moves; also return -1 if 20 draws have given no legal move."""
    base = state.top
    for _try in range(20 if params.must_finish else 1):
        count = sampling.count_moves(MANY)
        total = count + sampling.passes(count)
        if total == 0 or (params.must_finish and count == 0):
            return -1
        left = sampling.random_below(total)
        m = base
        if left < count:
            m = sampling.draw(left)
        else:
            state.target_square = -1
            walk.write_pass(-1)
        if params.must_finish == 0 or m < 0 or finish.can_finish(m):
            return m
        state.top = base
    return -1


def pick_counted() -> int:
    """Like `pick`, writing only the records of one block."""
    count = sampling.count_moves(MANY)
    total = count + sampling.passes(count)
    if total == 0:
        return -1
    left = sampling.random_below(total)
    if left < count:
        return sampling.draw_counted(left)
    m = state.top
    state.target_square = -1
    walk.write_pass(-1)
    return m


def pick() -> int:
    """Return a uniformly random legal move of the current position; -1 if there is none.

    The safety of royal pieces is tested only for drawn moves (rejection sampling without replacement).
    """
    base = state.top
    if setting.sets:
        m = pick_by_sets()
        if m >= 0 or params.must_finish == 0:
            return m
        state.top = base
    elif setting.draws:
        return pick_counted()
    legal.candidates()
    if params.maximal:
        finish.keep_longest(base)
    own = legal.take_passes(base)
    if params.must_finish == 0:
        legal.add_passes(base, own)
        if params.uniform:
            count = (state.top - base + 2) // LENGTH
            return base + LENGTH * sampling.random_below(count) if count else -1
        count = sampling.list_records(base, state.top)
        return choices[sampling.random_below(count)] if count else -1
    if own or params.pass_turn != PASS_FORCED or state.chain >= 0:
        legal.add_passes(base, own)
    count = sampling.list_records(base, state.top)
    while count and state.error == 0:
        i = sampling.random_below(count)
        if finish.can_finish(choices[i]):
            return choices[i]
        count -= 1
        choices[i] = choices[count]
    state.top = base
    if params.pass_turn == PASS_FORCED and state.chain < 0:
        legal.add_passes(base, False)
    return base if state.top > base else -1


@inline
def finish_for_good() -> None:
    """End the turn without an undo log: it cannot be unmade."""
    turn.finish_turn()
    history.continue_history()
    board.begin_afresh()


@inline
def play_simply() -> int:
    """Draw a move and play it irrevocably, without a record; for games whose moves are one movement and end the turn.

    Return 0, without any change, if there is no move, or if passing is possible.
    """
    count = sampling.count_moves(MANY)
    if count == 0 or sampling.passes(count):
        return False
    start = sampling.find(sampling.random_below(count))
    routine = yield_routine[state.drawn]
    side = turn_side[state.turn]
    state.result = -1
    board.begin_leg()
    if setting.fills and params.hashes == 0:
        cells.fill_square(side, routine_type[routine], start)
    elif routine >= params.routines:
        cells.change_number(side * params.types + routine_type[routine], -1)
        cells.put_piece(side, routine_type[routine], yield_end[state.drawn * params.squares + start])
    else:
        cells.move_piece(start, yield_end[state.drawn * params.squares + start])
    finish_for_good()
    return True


def remember_root() -> None:
    words = (params.players + 1) * params.words
    copy_all(root_state, 0, state, 0, ALL_KEPT)
    copy_all(root_cell, 0, cell, 0, params.squares)
    copy_all(root_attributes, 0, attributes, 0, params.squares)
    copy_all(root_stores, 0, stores, 0, params.stores)
    copy_all(root_occupied, 0, occupied, 0, words)
    copy_all(root_royals_at, 0, royals_at, 0, words)
    if setting.kind_sets:
        copy_all(root_kinds_at, 0, kinds_at, 0, (params.types + 1) * params.words)


def return_to_root() -> None:
    words = (params.players + 1) * params.words
    copy_all(state, 0, root_state, 0, ALL_KEPT)
    copy_all(cell, 0, root_cell, 0, params.squares)
    if params.has_attributes:
        copy_all(attributes, 0, root_attributes, 0, params.squares)
    copy_all(stores, 0, root_stores, 0, params.stores)
    if params.count_cells:
        cells.recount()
    else:
        copy_all(occupied, 0, root_occupied, 0, words)
        if params.has_royals:
            copy_all(royals_at, 0, root_royals_at, 0, words)
        if setting.kind_sets:
            copy_all(kinds_at, 0, root_kinds_at, 0, (params.types + 1) * params.words)
    history.begin_history()
    state.ply = 0


@entry
def playouts(games: int, most: int, budget: int) -> int:
    """Continue playing random games from the loaded position; return 1 when `games` are finished.

    `state.games` counts games, `state.plies` the plies of all games. `tally` counts the games for each mask of winners,
    and in its last element the games that were cut off after `most` plies.
    """
    while state.games < games and budget > 0 and state.error == 0:
        base = state.top
        m = -1
        result = state.result
        budget -= 1
        if setting.simple and result < 0 and state.ply < most and play_simply():
            state.ply = state.ply + 1
            state.plies = state.plies + 1
            continue
        if result < 0:
            m = pick()
            if m < 0:
                result = goals.final_result()
        state.top = base
        if result >= 0 or state.ply >= most:
            finish_game(result)
        else:
            state.result = -1
            board.play(m)
            if turn.chains(m) == 0:
                finish_for_good()
            state.ply = state.ply + 1
            state.plies = state.plies + 1
    return state.games >= games


def finish_game(result: int) -> None:
    """Count a finished game and begin the next; a negative result means that it was cut off."""
    kind = goals.winners(result) & 255 if result >= 0 else CUT_OFF
    tally[kind] = tally[kind] + 1
    state.games = state.games + 1
    return_to_root()


@entry
def seed(number: int) -> None:
    """Begin a series of random games from the loaded position."""
    state.random = keys.mix(number + 1) | 1
    state.games = 0
    state.plies = 0
    state.ply = 0
    for i in range(CUT_OFF + 1):
        tally[i] = 0
    remember_root()
    if setting.repeats:
        for i in range(SEEN_ROOM):
            seen_times[i] = 0
        history.begin_history()
