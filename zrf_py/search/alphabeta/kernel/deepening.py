"""Iterative deepening with aspiration windows and several lines; it can be suspended after any position."""

from zrf_py.jit.language import entry, fill_all
from zrf_py.native.kernel.memory import state
from zrf_py.search.alphabeta.kernel.lines import clear_lines, clip_lines, keep_line
from zrf_py.search.alphabeta.kernel.search import begin_root, step
from zrf_py.search.memory import INFINITE, SKIPS, SURE, WIN, ply, pv_line, pv_table, root_skip, search

WINDOW = 60
"""Half the width of the aspiration window."""
DEEPEST = 100


@entry
def alphabeta_begin(count: int, depth: int) -> None:
    """Start searching for `count` lines (at most the number of moves) to `depth` (0: no limit), after
    `search_clear`; the position must be loaded and evaluated."""
    clear_lines(count)
    search.wanted_depth = depth
    search.ended = 0
    search.root_depth = 0
    search.found = 0


@entry
def alphabeta_go(budget: int) -> int:
    """Visit up to `budget` more positions, but stop at the end of a depth: `search.at` is then -1, and the root is
    loaded. Return True if the search is over."""
    limit = search.visited + budget
    while state.error == 0:
        if search.at < 0:
            begin_line()
        while search.at >= 0 and search.visited < limit and state.error == 0:
            step()
        if search.at >= 0:
            return False
        if end_line():
            return search.ended
    return False


@entry
def alphabeta_lines() -> None:
    """Keep the best line of an unfinished depth, if only one line is wanted."""
    if search.at >= 0 and search.wanted_lines == 1 and ply[0].best > search.low and pv_table[0]:
        keep_line(search.root_depth, ply[0].best, ply[0].best, 0)
        clip_lines()


def begin_line() -> None:
    """Start searching the next line; the first line of a deep search gets a window around its previous value."""
    search.low = -INFINITE
    high = INFINITE
    if search.found == 0:
        search.root_depth = search.root_depth + 1
        search.certain = 1
        fill_all(root_skip, 0, 0, SKIPS)
        guess = pv_line[0].value
        if search.root_depth > 3 and guess > -SURE and guess < SURE:
            search.low = guess - WINDOW
            high = guess + WINDOW
    begin_root(search.root_depth, search.low, high)


def end_line() -> int:
    """Keep a finished line, or search it again with a full window; return True if it was the last of its depth."""
    value = ply[0].best
    if search.low > -INFINITE and (value <= search.low or value >= ply[0].beta):
        search.low = -INFINITE
        begin_root(search.root_depth, -INFINITE, INFINITE)
        return False
    search.certain = search.certain & ply[0].proven
    search.found = search.found + 1
    if pv_table[0]:
        keep_line(search.root_depth, value, value, 0)
        clip_lines()
        if pv_table[0] > 0 and pv_table[0] <= SKIPS:
            root_skip[pv_table[0] - 1] = 1
    if search.found < search.wanted_lines:
        return False
    search.found = 0
    best = pv_line[0].value if pv_line[0].value > 0 else -pv_line[0].value
    search.settled = search.certain or best > SURE
    search.ended = ply[0].legal == 1 if search.wanted_depth == 0 else search.root_depth >= search.wanted_depth
    if search.root_depth >= DEEPEST or (WIN - best <= search.root_depth if best > SURE else search.certain):
        search.ended = 1
    return True
