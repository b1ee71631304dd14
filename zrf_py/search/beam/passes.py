"""Passes of the beam search: each wider than the one before and looking farther ahead, until a limit is reached."""

from zrf_py.jit.language import copy_all, entry
from zrf_py.native.kernel.memory import params, plays, state, turn_mover
from zrf_py.search.alphabeta.kernel.lines import LINE, clear_lines, clip_lines, keep_line
from zrf_py.search.beam.kernel import grow, next_generation
from zrf_py.search.beam.slots import load_slot, store_slot
from zrf_py.search.memory import (
    INFINITE, KEPT_LEGS, MAX_PLY, WIN, beam, beam_heap, beam_list, beam_way, ply, pv_line, pv_moves, pv_table, search,
)

DEEPEST = 9
"""Maximum number of the player's own turns to look ahead; each further turn needs a pass of about twice the width."""
ANSWERED = 8
"""Minimum width of passes in which the others move between the root player's turns; in narrower ones, they don't."""
SHARE = 80
"""Percentage of the remaining budget that the next pass should take."""
NOISE_SHARE, MOST_NOISE = 4, 900
"""The noise width is squared for this search, then divided by `NOISE_SHARE`, and limited to `MOST_NOISE`. Whole turns
differ by more than moves do, so medium levels need more noise to vary their play; strong ones still get little."""


@entry
def beam_begin(count: int, depth: int, widest: int) -> None:
    """Start to search the loaded and evaluated position for `count` lines, `depth` own turns deep (0: `DEEPEST`) and
    at most `widest` positions wide, after `search_clear`. `pv_line` must have room for twice as many lines."""
    noise = search.noise * search.noise // NOISE_SHARE
    search.noise = noise if noise < MOST_NOISE else MOST_NOISE
    clear_lines(count)
    search.wanted_depth = depth if depth > 0 and depth < DEEPEST else DEEPEST
    search.beam_widest = widest
    search.beam_width = 0
    store_slot(search.beam_end + 2)


@entry
def beam_go(budget: int) -> int:
    """Continue for about `budget` positions, at most to the end of a pass; return True if the search is over."""
    limit = search.visited + budget
    if search.at < 0:
        begin_pass()
    while search.at >= 0:
        if grow(limit) == 0:
            return False
        end_generation()
    return search.settled or search.beam_width >= search.beam_widest


@entry
def beam_lines() -> None:
    """End an unfinished pass: its lines count if they are deeper than those of the previous pass."""
    if search.at < 0:
        return
    made = search.beam_depth + 1
    if made == 1:
        rank_generation()
        keep_best(made)
    end_pass(made > pv_line[search.wanted_lines].depth)


def begin_pass() -> None:
    """Start a pass at the root, after saving the lines of the last pass."""
    search.beam_width = next_width() if search.beam_width else 1
    search.beam_goal = depth_of(search.beam_width)
    move_lines(0, search.wanted_lines)
    search.kept_lines = search.lines
    search.lines = 0
    search.at = 0
    load_slot(search.beam_end + 2)
    search.beam_root = turn_mover[state.turn]
    ply[0].mover = search.beam_root
    search.beam_depth = 0
    search.beam_half = 0
    search.beam_won = 0
    search.beam_draw = 0
    search.beam_count = 1
    start_generation()


def start_generation() -> None:
    search.beam_answered = search.beam_width >= ANSWERED and search.beam_depth + 1 < search.beam_goal
    next_generation()


def end_generation() -> None:
    """Keep the best paths of a finished generation, and start the next one or end the pass."""
    made = search.beam_depth
    if search.beam_won:
        made += 1
        end_pass(False)
        write_path(search.beam_end)
        keep_line(DEEPEST + 1, 0, WIN - beam[search.beam_end].legs, 0)
        pv_line[0].depth = made
        clip_lines()
        search.settled = made == 1
        return
    rank_generation()
    if search.beam_count == 0:
        end_pass(True)
        if search.beam_draw:
            search.lines = 0
            write_path(search.beam_end + 1)
            keep_line(1, 0, 0, 0)
        return
    keep_best(made)
    if search.beam_width == 1:
        search.beam_first = search.visited
    if made == search.beam_goal:
        end_pass(True)
    else:
        start_generation()


def end_pass(counts: int) -> None:
    """End a pass; restore the lines of the previous pass, unless this one `counts` and has found a line."""
    search.at = -1
    if counts == 0 or search.lines == 0:
        move_lines(search.wanted_lines, 0)
        search.lines = search.kept_lines
    clip_lines()


def move_lines(one: int, to: int) -> None:
    """Copy `search.wanted_lines` lines from row `one` on to the rows from `to` on."""
    count = search.wanted_lines
    copy_all(pv_line, to * LINE, pv_line, one * LINE, count * LINE)
    copy_all(pv_moves, to * MAX_PLY, pv_moves, one * MAX_PLY, count * MAX_PLY)


def depth_of(width: int) -> int:
    """Return the lookahead of a pass, in turns of the root player."""
    depth = 0
    while width >> depth:
        depth += 1
    if width > 3:
        depth -= 1
    return depth if depth < search.wanted_depth else search.wanted_depth


def next_width() -> int:
    """Return the next width: as large as the budget allows, at least twice the last one, at most `beam_widest`."""
    width = 2 * search.beam_width
    while width < search.beam_widest and cost(width * 9 // 8 + 1) * 100 < search.beam_left * SHARE:
        width = width * 9 // 8 + 1
    return width if width < search.beam_widest else search.beam_widest


def cost(width: int) -> int:
    """Estimate the number of positions that a pass visits."""
    each = 1
    if width >= ANSWERED:
        each = 0
        for player in range(params.players):
            each += plays[player]
    return search.beam_first * (1 + each * width * (depth_of(width) - 1))


def rank_generation() -> None:
    """List the slots of the generation in which the game goes on, best first."""
    count = 0
    for i in range(search.beam_next):
        slot = beam_heap[i]
        if beam[slot].value > -INFINITE:
            at = count
            while at > 0 and beam[beam_list[at - 1]].value < beam[slot].value:
                beam_list[at] = beam_list[at - 1]
                at -= 1
            beam_list[at] = slot
            count += 1
    search.beam_count = count


def keep_best(made: int) -> None:
    """Keep the best paths of a generation, one per first turn."""
    for i in range(search.wanted_lines if search.wanted_lines < search.beam_count else search.beam_count):
        slot = beam_list[i]
        write_path(slot)
        keep_line(made, beam[slot].value, beam[slot].lead - beam[slot].debt, beam[slot].first)


def write_path(slot: int) -> None:
    """Write the path of a slot to `pv_table`; only its first turn if the other players' turns were skipped."""
    legs = beam[slot].legs if search.beam_width >= ANSWERED else beam[slot].first
    if legs > MAX_PLY - 1:
        legs = MAX_PLY - 1
    for i in range(legs):
        pv_table[i] = beam_way[slot * KEPT_LEGS + i] + 1
    pv_table[legs] = 0
