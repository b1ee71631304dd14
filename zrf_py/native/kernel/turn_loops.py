"""Perft and playouts by complete turns, in slices as in `loops.py`."""

from zrf_py.jit.language import entry, inline
from zrf_py.native.kernel import board, goals, history, legal, loops, reaches, sampling, singles, turn, turns
from zrf_py.native.kernel.memory import NO_ERROR, level_frame, level_rows, level_top, line_end, line_next, rows, state

ROWS, ENDS, SINGLES = 0, 1, 2
"""Kinds of turns, by the search that found them: `turns.py`, `reaches.py` or `singles.py`."""


@entry
def turn_perft_begin(depth: int) -> None:
    """Write the root's turns on ply 0; the position must be loaded."""
    state.nodes = 0
    state.level = -1
    enter_position(depth)


def enter_position(depth: int) -> None:
    """Find the turns of the current position; on the last ply only count them."""
    level = state.level + 1
    level_rows[level] = state.rows
    level_top[level] = state.top
    level_frame[level] = state.frame
    found = 0
    if state.result < 0:
        found = reaches.find_ends()
        if found == reaches.UNFIT and level == depth - 1:
            found = singles.list_singles()
        if found == reaches.UNFIT and state.error == NO_ERROR:
            found = turns.find_turns()
        elif level < depth - 1:
            reaches.keep_ends()
    if level == depth - 1:
        state.nodes = state.nodes + found
        leave_level(level)
    else:
        state.level = level
        line_next[level] = level_rows[level]
        line_end[level] = state.rows


@inline
def leave_level(level: int) -> None:
    state.rows = level_rows[level]
    state.top = level_top[level]


@entry
def turn_perft(depth: int, budget: int) -> int:
    """Continue counting; return 1 when done. `state.nodes` is the number of leaves so far."""
    budget += state.nodes
    while state.level >= 0 and state.nodes < budget and state.error == NO_ERROR:
        level = state.level
        turns.unmake_to(level_frame[level])
        at = line_next[level]
        if at >= line_end[level]:
            leave_level(level)
            state.level = level - 1
        else:
            line_next[level] = at + 1
            budget -= 1
            if rows[at].depth < 0:
                make_row(at)
                enter_position(depth)
    return state.level < 0


@inline
def make_row(at: int) -> None:
    """Play the turn stored in a row."""
    if rows[at].parent == reaches.REACHED:
        reaches.take_way(rows[at].first, rows[at].last, rows[at].board)
    else:
        turns.make_turn(at)


# ------------------------------------------------------------------------------------------------------ random games


@entry
def turn_playouts(games: int, most: int, budget: int) -> int:
    """Like `playouts`, but choose among complete turns; `most` and `state.plies` count turns."""
    while state.games < games and budget > 0 and state.error == NO_ERROR:
        found = 0
        kind = ROWS
        result = state.result
        if result < 0 and state.ply < most:
            kind = ENDS
            found = reaches.find_ends()
            if found == reaches.UNFIT and state.error == NO_ERROR:
                kind = SINGLES
                found = singles.list_singles()
            if found == reaches.UNFIT and state.error == NO_ERROR:
                kind = ROWS
                found = turns.find_turns()
            budget -= found
            if found == 0 and state.error == NO_ERROR:
                state.top = 0
                legal.legal()
                if state.top == 0:
                    result = goals.final_result()
        budget -= 1
        if found > 0:
            take_turn(sampling.random_below(found), kind)
        elif state.error == NO_ERROR:
            loops.finish_game(result)
        state.top = 0
        state.rows = 0
    return state.games >= games


def take_turn(number: int, kind: int) -> None:
    """Play the turn with this number, without a way to undo it; `kind`: the search that found the turns."""
    if kind == ENDS:
        reaches.take_end(number)
    elif kind == SINGLES:
        turn.after(sampling.record_from(0, number))
    else:
        at = 0
        left = number
        while rows[at].depth >= 0 or left > 0:
            if rows[at].depth < 0:
                left -= 1
            at += 1
        turns.make_turn(at)
    history.continue_history()
    board.begin_afresh()
    state.ply = state.ply + 1
    state.plies = state.plies + 1
