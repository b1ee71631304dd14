"""Best lines of a tree: the value of each first move, and the moves that follow it."""

from zrf_py.jit.language import apart, entry
from zrf_py.native.kernel.memory import params, plays
from zrf_py.search.alphabeta.kernel.lines import keep_line
from zrf_py.search.memory import (
    MAX_PLY, SPREAD, UNPROVEN, WIN, node_reward, order_score, pv_line, pv_moves, pv_table, search, tree,
)

LONGEST = 40
"""Maximum number of moves of a line, less 1."""
CERTAIN = 1 << 40
"""Merit of a proven win, greater than any number of visits."""
WHOLE = 1 << 32
"""The share of a certain win."""


@entry
def mcts_lines() -> None:
    """Write the best lines, by merit of their first moves or, where chance is to move, by value."""
    search.settled = tree[0].proven != UNPROVEN
    if tree[0].count == 0:
        return
    search.lines = 0
    first = tree[0].first
    player = search.worth_to if search.worth_to >= 0 else tree[0].mover
    total = 0
    known = 0
    for child in range(first, first + tree[0].count):
        order_score[child - first] = tree[child].visits == 0
        if tree[child].visits:
            total += share(child, player)
            known += 1
    if known == 0:
        order_score[0] = 0
        total = share(first, player)
        known = 1
    search.value = hundredths(total, known * WHOLE)
    wanted = search.wanted_lines
    for _i in range(wanted if wanted < known else known):
        best = -1
        for child in range(first, first + tree[0].count):
            if order_score[child - first] == 0 and (best < 0 or is_ahead(child, best, player)):
                best = child
        order_score[best - first] = 1
        write_line(best)
        value = value_for(best, player)
        keep_line(0, value, value, 0)
    for i in range(search.lines):
        depth = 0
        while pv_moves[i * MAX_PLY + depth]:
            depth += 1
        pv_line[i].depth = depth


def write_line(child: int) -> None:
    """Write the line of a child of the root, with the best moves after it, to `pv_table`."""
    node = 0
    depth = 0
    while True:
        pv_table[depth] = child - tree[node].first + 1
        depth += 1
        node = child
        if tree[node].count == 0 or depth > LONGEST:
            break
        child = tree[node].first
        for other in range(child + 1, child + tree[node].count):
            if is_better(other, child, node):
                child = other
        if tree[child].visits < 2 and tree[child].proven < 0:
            break
    pv_table[depth] = 0


def is_ahead(one: int, other: int, player: int) -> int:
    """Return whether a child of the root comes before another: as the better move, or if chance moves, by its value."""
    return share(one, player) > share(other, player) if search.worth_to >= 0 else is_better(one, other, 0)


def is_better(one: int, other: int, node: int) -> int:
    """Return whether a child is a better move than another: by merit, or if their visits are equal, by reward."""
    mover = tree[node].mover
    mine = merit(one, mover)
    if mine != merit(other, mover) or mine != tree[one].visits:
        return mine > merit(other, mover)
    return node_reward[one * params.players + mover] > node_reward[other * params.players + mover]


def merit(child: int, mover: int) -> int:
    """Return a move's merit, by its visits. Except at chance nodes, proven wins rank above other moves, the soonest
    first, and proven losses below them, the latest first; dead ends rank last."""
    proven = tree[child].proven
    if proven > 0 and plays[mover]:
        return CERTAIN - tree[child].distance if proven >> mover & 1 else tree[child].distance - CERTAIN
    return tree[child].visits if proven >= UNPROVEN else -2 * CERTAIN


def share(child: int, player: int) -> int:
    """Return the mean reward of a node for a player, in parts of `WHOLE`."""
    if tree[child].proven > 0:
        return WHOLE if tree[child].proven >> player & 1 else 0
    if tree[child].proven == 0 or tree[child].visits == 0:
        return WHOLE // 2
    return (node_reward[child * params.players + player] << 16) // tree[child].visits


def value_for(child: int, player: int) -> int:
    """Return the value of a node for a player, on the scale of `hundredths`; near ±`WIN` if a win or loss is proven."""
    if tree[child].proven > 0:
        won = WIN - 1 - tree[child].distance
        return won if tree[child].proven >> player & 1 else -won
    if tree[child].proven == 0 or tree[child].visits == 0:
        return 0
    return hundredths(node_reward[child * params.players + player], tree[child].visits << 16)


@apart
def hundredths(part: int, whole: int) -> int:
    """Return the value equivalent to a share of games won; see `result.hundredths`."""
    size = 2 * part - whole if 2 * part > whole else whole - 2 * part
    value = 999 * SPREAD
    if size * 1000 < whole * 999:
        value = (2 * SPREAD * size + whole - size) // (2 * (whole - size))
    return value if 2 * part > whole else -value
