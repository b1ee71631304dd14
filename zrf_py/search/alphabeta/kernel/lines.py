"""Best lines of a search: the deepest first, then by value."""

from zrf_py.jit.language import apart, copy_all, inline
from zrf_py.search.memory import MAX_PLY, PvLine, pv_line, pv_moves, pv_table, search

LINE = PvLine.size


def clear_lines(count: int) -> None:
    """Clear the lines, of which at most `count` will be kept; until one is found, row 0 holds the first move."""
    search.wanted_lines = count
    search.lines = 0
    search.settled = 0
    search.worth_to = -1
    search.at = -1
    pv_line[0].value = 0
    pv_line[0].depth = 0
    pv_moves[0] = 1
    pv_moves[1] = 0


def is_same(at: int, turn: int) -> int:
    """Return whether a line begins with the same turn, of `turn` legs, as `pv_table` (0: with the same move)."""
    if turn and pv_line[at].turn != turn:
        return False
    for i in range(turn if turn else 1):
        if pv_moves[at * MAX_PLY + i] != pv_table[i]:
            return False
    return True


@inline
def comes_before(depth: int, rank: int, at: int) -> int:
    return depth > pv_line[at].depth or (depth == pv_line[at].depth and rank > pv_line[at].rank)


@apart
def keep_line(depth: int, rank: int, value: int, turn: int) -> None:
    """Insert the first row of `pv_table` into the lines, by depth (deepest first), then rank, in place of a line that
    begins alike (`is_same`), else of the last one if all are in use. With a `turn`, a line alike and as deep stays."""
    at = 0
    while at < search.lines and is_same(at, turn) == 0:
        at += 1
    if at < search.lines and turn and pv_line[at].depth == depth:
        return
    if at == search.wanted_lines:
        at -= 1
    elif at == search.lines:
        search.lines = at + 1
    while at > 0 and comes_before(depth, rank, at - 1):
        copy_all(pv_line, at * LINE, pv_line, (at - 1) * LINE, LINE)
        copy_all(pv_moves, at * MAX_PLY, pv_moves, (at - 1) * MAX_PLY, MAX_PLY)
        at -= 1
    pv_line[at].depth = depth
    pv_line[at].rank = rank
    pv_line[at].value = value
    pv_line[at].turn = turn
    copy_all(pv_moves, at * MAX_PLY, pv_table, 0, MAX_PLY)


def clip_lines() -> None:
    """Limit each line's value to that of the line before it: lines of lower depths, which come last, aren't better."""
    for i in range(1, search.lines):
        if pv_line[i].value > pv_line[i - 1].value:
            pv_line[i].value = pv_line[i - 1].value
