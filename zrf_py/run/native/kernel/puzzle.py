"""Puzzles: a way to a win depth first, and all complete turns of a position breadth first."""

from __future__ import annotations

from zrf_py.run.native.kernel.board import HEAD, MOVE, SMALL, SQUARE, length, mix, position_hash, unmake
from zrf_py.run.native.kernel.goals import GOAL_AND, GOAL_OR, final_result, holds, winners
from zrf_py.run.native.kernel.legal import legal
from zrf_py.run.native.kernel.memory import (
    CHAIN,
    COUNTERS,
    COUNTERS_AT,
    END_GOAL,
    END_RESULT,
    END_ROW,
    END_STATE,
    ENDS,
    ERROR,
    FRAME,
    LAST_FROM,
    LAST_TO,
    PLAYERS,
    PLUS,
    RESULT,
    RESULT_WIN,
    TAKEN_FROM,
    TAKEN_TO,
    TOP,
    TYPES,
    UNDO,
    WORDS,
    cell,
    ends,
    goal,
    moves,
    occupied,
    params,
    state,
    stores,
)
from zrf_py.run.native.kernel.memory import (
    MOVES_ROOM as ROOM,
)
from zrf_py.run.native.kernel.tree import (
    BELOW,
    CHILDREN,
    CHILDREN_ROOM,
    COUNT_TURNS,
    CUT,
    DROPPED,
    GOAL,
    LEVEL,
    LEVELS,
    LIMIT,
    MADE,
    MET,
    NEED,
    NODES,
    NODES_ROOM,
    NOISE,
    SKIP_COUNTERS,
    SOLVED,
    SOLVERS,
    STAMP,
    TABLE_MASK,
    UNMET,
    VISITED,
    WANTED,
    aim,
    child_end,
    child_index,
    child_key,
    child_node,
    child_value,
    level_index,
    level_turn,
    list_base,
    list_end,
    list_from,
    list_index,
    list_next,
    list_record,
    list_score,
    met_key,
    met_stamp,
    node_index,
    node_legs,
    node_parent,
    node_record,
    table,
    tree,
    want,
    way,
)
from zrf_py.run.native.kernel.turn import after
from zrf_py.run.native.kernel.weigh import number_of
from zrf_py.run.native.kernel.words import entry, inline, lowest_bit, shift_right

LEFT = 4095
"""The bits of a table entry that say how many turns were left."""
PROBES = 8
WIDEST = 30000
"""Words kept free for the moves of one position."""

# ------------------------------------------------------------------------------------------------------ positions


def puzzle_key() -> int:
    """What tells positions apart, in 64 bits; within a turn the last leg may limit the next."""
    found = position_hash()
    if params[PLUS] and tree[SKIP_COUNTERS]:
        for i in range(params[COUNTERS] * params[PLAYERS]):
            found = found ^ mix(mix(stores[params[COUNTERS_AT] + i] + 11) + i)
    for i in range(params[PLAYERS] * params[TYPES]):
        if stores[i]:
            found = found ^ mix(stores[i] * 65536 + i + 7919)
    if state[CHAIN] >= 0:
        found = found ^ mix(state[LAST_FROM] * 65536 + state[LAST_TO] + 104729)
    if tree[COUNT_TURNS]:
        found = found ^ mix(tree[MADE] + 1299709)
    return found


def in_the_way() -> int:
    """How much is in the way of a solution: the less the better."""
    words = params[WORDS]
    total = 0
    for owner in range(1, params[PLAYERS] + 1):
        for word in range(words):
            bits = occupied[owner * words + word]
            while bits:
                square = word * 64 + lowest_bit(bits)
                total += aim[number_of(square, cell[square])]
                bits = bits & (bits - 1)
    if tree[UNMET]:
        total += tree[UNMET] * unmet_goals()
    return total


def unmet_goals() -> int:
    """How many parts of the win that is nearest do not hold."""
    best = 1 << 30
    for e in range(params[ENDS]):
        row = e * END_ROW
        if ends[row + END_STATE] == 0 and ends[row + END_RESULT] == RESULT_WIN:
            for player in range(params[PLAYERS]):
                if tree[SOLVERS] >> player & 1:
                    count = unmet_parts(ends[row + END_GOAL], player)
                    if count < best:
                        best = count
    return best if best < 1 << 30 else 0


def unmet_parts(node: int, player: int) -> int:
    """The same for one goal: all parts of `and`, the best of `or`."""
    kind = goal[node]
    count = 0
    if kind == GOAL_AND:
        for i in range(goal[node + 1]):
            count += unmet_parts(goal[node + 2 + i], player)
        return count
    if kind == GOAL_OR:
        count = 1 << 20
        for i in range(goal[node + 1]):
            part = unmet_parts(goal[node + 2 + i], player)
            if part < count:
                count = part
        return count
    return 1 - holds(node, player)


def too_few_turns() -> int:
    """Whether more turns are needed than are left, if a turn brings one piece to where it is wanted."""
    if tree[LIMIT] == 0 or tree[NEED] < 0:
        return False
    words = params[WORDS]
    filled = 0
    unwanted = 0
    for owner in range(1, params[PLAYERS] + 1):
        for word in range(words):
            bits = occupied[owner * words + word]
            while bits:
                square = word * 64 + lowest_bit(bits)
                what = want[number_of(square, cell[square])]
                filled += what & WANTED
                unwanted += what >> 1
                bits = bits & (bits - 1)
    left = tree[LIMIT] - tree[MADE]
    return tree[NEED] - filled > left or unwanted > left


@inline
def aim_at(held: int, square: int) -> int:
    return aim[number_of(square, held)]


def clearance(m: int) -> int:
    """What a record brings for the value, as far as its movements and captures tell."""
    head = moves[m]
    at = m + HEAD
    total = 0
    for _i in range(head & SMALL):
        part = moves[at]
        end = part >> 28 & SQUARE
        if part & 255 == MOVE:
            start = (part >> 8 & SQUARE) - 1
            total += aim_at(cell[start], start) - aim_at(cell[start], end)
        at += 1
    at += head >> 12 & SMALL
    for _i in range(head >> 24 & SMALL):
        total += aim_at(cell[moves[at]], moves[at])
        at += 1
    return total


# ------------------------------------------------------------------------------------------------------ depth first


def dug_before() -> int:
    """Whether the position was met before with as many turns left; now it is."""
    left = LEFT
    if tree[LIMIT]:
        left = tree[LIMIT] - tree[MADE]
    key = puzzle_key()
    if key == 0:
        key = 1 << 40
    mask = tree[TABLE_MASK]
    slot = shift_right(key, 20) & mask
    for i in range(PROBES):
        at = (slot + i) & mask
        held = table[at]
        if (held ^ key) & ~LEFT == 0:
            if (held & LEFT) >= left:
                return True
            table[at] = (key & ~LEFT) | left
            return False
        if held == 0:
            table[at] = (key & ~LEFT) | left
            return False
    tree[CUT] = 1
    table[(slot + (key & (PROBES - 1))) & mask] = (key & ~LEFT) | left
    return False


def list_level(level: int) -> None:
    """Put the moves of the position on a level."""
    base = legal()
    at = list_from[level]
    list_base[level] = base
    m = base
    i = 0
    while m < state[TOP]:
        list_record[at] = m
        list_index[at] = i
        list_score[at] = clearance(m) * 65536 + (mix(moves[m + 2] ^ tree[NOISE]) & 65535)
        m += length(m)
        at += 1
        i += 1
    list_next[level] = list_from[level]
    list_end[level] = at
    list_from[level + 1] = at


@inline
def best_to_front(level: int) -> int:
    """Bring the best of the moves that are left to the front; where it is."""
    front = list_next[level]
    best = front
    for i in range(front + 1, list_end[level]):
        if list_score[i] > list_score[best]:
            best = i
    if best != front:
        record = list_record[best]
        score = list_score[best]
        index = list_index[best]
        list_record[best] = list_record[front]
        list_score[best] = list_score[front]
        list_index[best] = list_index[front]
        list_record[front] = record
        list_score[front] = score
        list_index[front] = index
    list_next[level] = front + 1
    return front


@inline
def is_solution(result: int) -> int:
    return result >= 0 and winners(result) & tree[SOLVERS] != 0


@entry
def dig_begin() -> None:
    """Put the root on level 0; the position must be loaded."""
    state[TOP] = 0
    tree[LEVEL] = 0
    tree[VISITED] = 0
    tree[SOLVED] = 0
    tree[CUT] = 0
    for i in range(tree[TABLE_MASK] + 1):
        table[i] = 0
    list_from[0] = 0
    dug_before()
    list_level(0)


@entry
def dig(budget: int) -> int:
    """Go on for `budget` positions; 1 when a way is found (its legs are counted in SOLVED) or there is none."""
    while budget > 0 and tree[LEVEL] >= 0 and tree[SOLVED] == 0 and state[ERROR] == 0:
        level = tree[LEVEL]
        if list_next[level] >= list_end[level]:
            state[TOP] = list_base[level]
            tree[LEVEL] = level - 1
            if level > 0:
                climb_back(level - 1)
            continue
        at = best_to_front(level)
        budget -= 1
        tree[VISITED] = tree[VISITED] + 1
        level_index[level] = list_index[at]
        after(list_record[at])
        level_turn[level] = state[CHAIN] < 0
        tree[MADE] = tree[MADE] + level_turn[level]
        if is_solution(state[RESULT]):
            tree[SOLVED] = level + 1
        elif dig_no_deeper(level) or dug_before():
            climb_back(level)
        else:
            list_level(level + 1)
            if list_end[level + 1] == list_from[level + 1] and is_solution(final_result()):
                tree[SOLVED] = level + 1
            tree[LEVEL] = level + 1
    return tree[LEVEL] < 0 or tree[SOLVED] > 0


@inline
def climb_back(level: int) -> None:
    """Take back the leg of a level."""
    unmake()
    tree[MADE] = tree[MADE] - level_turn[level]


@inline
def dig_no_deeper(level: int) -> int:
    if state[RESULT] >= 0:
        return True
    if tree[LIMIT] and tree[MADE] >= tree[LIMIT]:
        return True
    if level_turn[level] and too_few_turns():
        return True
    if level + 2 >= LEVELS or state[TOP] + WIDEST > params[ROOM]:
        tree[CUT] = 1
        return True
    return False


# ------------------------------------------------------------------------------------------------------- all turns


@inline
def met_in_turn(key: int) -> int:
    """Whether a position was met in this turn; now it is."""
    slot = shift_right(key, 24) & (MET - 1)
    while met_stamp[slot] == tree[STAMP]:
        if met_key[slot] == key:
            return True
        slot = (slot + 1) & (MET - 1)
    met_stamp[slot] = tree[STAMP]
    met_key[slot] = key
    return False


def walk_to_node(node: int) -> None:
    """From the root to the position of a node."""
    count = 0
    while node > 0:
        way[count] = node
        count += 1
        node = node_parent[node]
    while count > 0:
        count -= 1
        after(node_record[way[count]])


@entry
def all_turns() -> int:
    """Find every turn of the loaded position, shortest first; how many there are."""
    tree[STAMP] = tree[STAMP] + 1
    tree[NODES] = 1
    tree[CHILDREN] = 0
    tree[DROPPED] = 0
    node_legs[0] = 0
    state[TOP] = 0
    root = state[FRAME]
    met_in_turn(puzzle_key())
    n = 0
    while n < tree[NODES] and state[ERROR] == 0:
        walk_to_node(n)
        expand_node(n)
        while state[FRAME] > root:
            unmake()
        n += 1
    return tree[CHILDREN]


def expand_node(n: int) -> None:
    m = legal()
    end = state[TOP]
    i = 0
    while m < end and state[ERROR] == 0:
        after(m)
        tree[VISITED] = tree[VISITED] + 1
        if state[CHAIN] < 0:
            tree[MADE] = tree[MADE] + 1
            add_child(n, i)
            tree[MADE] = tree[MADE] - 1
        elif met_in_turn(puzzle_key()) == 0:
            add_node(n, m, i)
        unmake()
        m += length(m)
        i += 1


@inline
def add_node(parent: int, m: int, index: int) -> None:
    new = tree[NODES]
    if new >= NODES_ROOM or state[TOP] + WIDEST > params[ROOM]:
        tree[CUT] = 1
        return
    node_parent[new] = parent
    node_record[new] = m
    node_index[new] = index
    node_legs[new] = node_legs[parent] + 1
    tree[NODES] = new + 1


def add_child(node: int, index: int) -> None:
    """Note down the turn that is just made, if it leads to somewhere new and promising."""
    worth = in_the_way()
    solved = is_solution(state[RESULT])
    if worth >= tree[BELOW] and solved == 0 and tree[GOAL] == 0:
        tree[DROPPED] = tree[DROPPED] + 1
        return
    if solved == 0 and too_few_turns():
        return
    key = puzzle_key()
    if met_in_turn(key):
        return
    if tree[GOAL]:
        solved = key == tree[GOAL]
        if worth >= tree[BELOW] and solved == 0:
            tree[DROPPED] = tree[DROPPED] + 1
            return
    new = tree[CHILDREN]
    if new >= CHILDREN_ROOM:
        tree[CUT] = 1
        return
    child_node[new] = node
    child_index[new] = index
    child_key[new] = key
    child_value[new] = worth
    child_end[new] = 2 if solved else state[RESULT] >= 0
    tree[CHILDREN] = new + 1


@entry
def is_puzzle_solved() -> int:
    """Whether the loaded position is a win; one without moves may be."""
    if state[RESULT] >= 0:
        return is_solution(state[RESULT])
    state[TOP] = 0
    legal()
    if state[TOP]:
        return False
    return is_solution(final_result())


@entry
def play_leg(number: int) -> int:
    """Play the leg of a number for good; 0 where there is none."""
    state[TOP] = 0
    m = legal()
    for _i in range(number):
        if m < state[TOP]:
            m += length(m)
    if m >= state[TOP]:
        return False
    before = state[FRAME]
    after(m)
    state[FRAME] = before
    if state[CHAIN] < 0:
        state[UNDO] = 0
        state[TAKEN_FROM] = 0
        state[TAKEN_TO] = 0
    return state[ERROR] == 0
