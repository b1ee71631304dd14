"""Puzzles: a way to a win depth first, and all complete turns of a position breadth first."""

from zrf_py.jit.language import entry, inline, lowest_bit, shift_right
from zrf_py.native.kernel import board, cells, goals, keys, legal, turn, turns
from zrf_py.native.kernel.memory import (
    END_GOAL, END_RESULT, END_ROW, END_STATE, RESULT_WIN, cell, ends, goal, moves, occupied, params, state,
)
from zrf_py.solve.memory import (
    CHILDREN_ROOM, LEVELS, WANTED, aim, child, level_index, level_turn, list_base, list_end, list_from, list_index,
    list_next, list_record, list_score, puzzle, table, want,
)

LEFT = 4095
"""The bits of a table entry that say how many turns were left."""
PROBES = 8
WIDEST = 30000
"""Words kept free for the moves of one position."""

# ------------------------------------------------------------------------------------------------------ positions


@entry
def puzzle_key() -> int:
    """What tells positions apart, in 64 bits; within a turn the last leg may limit the next."""
    found = keys.of_all()
    if params.plus and puzzle.skip_counters:
        found = found ^ keys.of_counters()
    if state.chain >= 0 and params.asks_last:
        found = found ^ keys.of_last()
    if puzzle.count_turns:
        found = found ^ keys.mix(puzzle.made + 1299709)
    return found


def in_the_way() -> int:
    """How much is in the way of a solution: the less the better."""
    words = params.words
    total = 0
    for owner in range(1, params.players + 1):
        for word in range(words):
            bits = occupied[owner * words + word]
            while bits:
                square = word * 64 + lowest_bit(bits)
                total += aim[cells.number_of(square, cell[square])]
                bits = bits & (bits - 1)
    if puzzle.unmet:
        total += puzzle.unmet * unmet_goals()
    return total


def unmet_goals() -> int:
    """How many parts of the win that is nearest do not hold."""
    best = 1 << 30
    for e in range(params.ends):
        row = e * END_ROW
        if ends[row + END_STATE] == 0 and ends[row + END_RESULT] == RESULT_WIN:
            for player in range(params.players):
                if puzzle.solvers >> player & 1:
                    count = unmet_parts(ends[row + END_GOAL], player)
                    if count < best:
                        best = count
    return best if best < 1 << 30 else 0


def unmet_parts(node: int, player: int) -> int:
    """The same for one goal: all parts of `and`, the best of `or`."""
    kind = goal[node]
    count = 0
    if kind == goals.GOAL_AND:
        for i in range(goal[node + 1]):
            count += unmet_parts(goal[node + 2 + i], player)
        return count
    if kind == goals.GOAL_OR:
        count = 1 << 20
        for i in range(goal[node + 1]):
            part = unmet_parts(goal[node + 2 + i], player)
            if part < count:
                count = part
        return count
    return 1 - goals.holds(node, player)


def too_few_turns() -> int:
    """Whether more turns are needed than are left, if a turn brings one piece to where it is wanted."""
    if puzzle.limit == 0 or puzzle.need < 0:
        return False
    words = params.words
    filled = 0
    unwanted = 0
    for owner in range(1, params.players + 1):
        for word in range(words):
            bits = occupied[owner * words + word]
            while bits:
                square = word * 64 + lowest_bit(bits)
                what = want[cells.number_of(square, cell[square])]
                filled += what & WANTED
                unwanted += what >> 1
                bits = bits & (bits - 1)
    left = puzzle.limit - puzzle.made
    return puzzle.need - filled > left or unwanted > left


@inline
def aim_at(held: int, square: int) -> int:
    return aim[cells.number_of(square, held)]


def clearance(m: int) -> int:
    """What a record brings for the value, as far as its movements and captures tell."""
    head = moves[m]
    at = m + board.HEAD
    total = 0
    for _i in range(head & board.SMALL):
        part = moves[at]
        end = part >> 28 & board.SQUARE
        if part & 255 == board.MOVE:
            start = (part >> 8 & board.SQUARE) - 1
            total += aim_at(cell[start], start) - aim_at(cell[start], end)
        at += 1
    at += head >> 12 & board.SMALL
    for _i in range(head >> 24 & board.SMALL):
        total += aim_at(cell[moves[at]], moves[at])
        at += 1
    return total


# ------------------------------------------------------------------------------------------------------ depth first


def is_in_table() -> int:
    """Whether the position was met before with as many turns left; now it is."""
    left = LEFT
    if puzzle.limit:
        left = puzzle.limit - puzzle.made
    key = puzzle_key()
    if key == 0:
        key = 1 << 40
    mask = puzzle.table_mask
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
    puzzle.cut = 1
    table[(slot + (key & (PROBES - 1))) & mask] = (key & ~LEFT) | left
    return False


def list_level(level: int) -> None:
    """Put the moves of the position on a level."""
    base = legal.legal()
    at = list_from[level]
    list_base[level] = base
    m = base
    i = 0
    while m < state.top:
        list_record[at] = m
        list_index[at] = i
        list_score[at] = clearance(m) * 65536 + (keys.mix(moves[m + 2] ^ puzzle.noise) & 65535)
        m += board.length(m)
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
    return result >= 0 and goals.winners(result) & puzzle.solvers != 0


@entry
def depth_first_begin() -> None:
    """Put the root on level 0; the position must be loaded."""
    state.top = 0
    puzzle.level = 0
    puzzle.visited = 0
    puzzle.solved = 0
    puzzle.cut = 0
    for i in range(puzzle.table_mask + 1):
        table[i] = 0
    list_from[0] = 0
    is_in_table()
    list_level(0)


@entry
def depth_first(budget: int) -> int:
    """Go on for `budget` positions; 1 when a way is found (its legs are counted in SOLVED) or there is none."""
    while budget > 0 and puzzle.level >= 0 and puzzle.solved == 0 and state.error == 0:
        level = puzzle.level
        if list_next[level] >= list_end[level]:
            state.top = list_base[level]
            puzzle.level = level - 1
            if level > 0:
                climb_back(level - 1)
            continue
        at = best_to_front(level)
        budget -= 1
        puzzle.visited = puzzle.visited + 1
        level_index[level] = list_index[at]
        turn.after(list_record[at])
        level_turn[level] = state.chain < 0
        puzzle.made = puzzle.made + level_turn[level]
        if is_solution(state.result):
            puzzle.solved = level + 1
        elif is_cut_off(level) or is_in_table():
            climb_back(level)
        else:
            list_level(level + 1)
            if list_end[level + 1] == list_from[level + 1] and is_solution(goals.final_result()):
                puzzle.solved = level + 1
            puzzle.level = level + 1
    return puzzle.level < 0 or puzzle.solved > 0


@inline
def climb_back(level: int) -> None:
    """Take back the leg of a level."""
    board.unmake()
    puzzle.made = puzzle.made - level_turn[level]


@inline
def is_cut_off(level: int) -> int:
    if state.result >= 0:
        return True
    if puzzle.limit and puzzle.made >= puzzle.limit:
        return True
    if level_turn[level] and too_few_turns():
        return True
    if level + 2 >= LEVELS or state.top + WIDEST > params.moves_room:
        puzzle.cut = 1
        return True
    return False


# ------------------------------------------------------------------------------------------------------- all turns


@entry
def all_turns() -> int:
    """Find every turn of the loaded position, shortest first; how many there are."""
    puzzle.children = 0
    puzzle.dropped = 0
    turns.visit_turns()
    puzzle.cut = puzzle.cut | state.cut
    return puzzle.children


def turn_ends(m: int, number: int, at: int) -> int:
    """A turn leads to the position at hand."""
    puzzle.visited = puzzle.visited + 1
    puzzle.made = puzzle.made + 1
    add_child(at, number)
    puzzle.made = puzzle.made - 1
    return True


def add_child(at: int, number: int) -> None:
    """Note down the turn that is just made, if it leads to somewhere new and promising."""
    worth = in_the_way()
    solved = is_solution(state.result)
    if worth >= puzzle.below and solved == 0 and puzzle.goal == 0:
        puzzle.dropped = puzzle.dropped + 1
        return
    if solved == 0 and too_few_turns():
        return
    key = puzzle_key()
    if turns.is_met_in_turn(key):
        return
    if puzzle.goal:
        solved = key == puzzle.goal
        if worth >= puzzle.below and solved == 0:
            puzzle.dropped = puzzle.dropped + 1
            return
    new = puzzle.children
    if new >= CHILDREN_ROOM:
        puzzle.cut = 1
        return
    child[new].row = at
    child[new].number = number
    child[new].key = key
    child[new].value = worth
    child[new].end = 2 if solved else state.result >= 0
    puzzle.children = new + 1


@entry
def is_puzzle_solved() -> int:
    """Whether the loaded position is a win; one without moves may be."""
    if state.result >= 0:
        return is_solution(state.result)
    state.top = 0
    legal.legal()
    if state.top:
        return False
    return is_solution(goals.final_result())


@entry
def play_leg(number: int) -> int:
    """Play the leg of a number for good; 0 where there is none."""
    state.top = 0
    m = legal.legal()
    for _i in range(number):
        if m < state.top:
            m += board.length(m)
    if m >= state.top:
        return False
    turn.after(m)
    if state.chain < 0:
        board.begin_afresh()
    state.frame = 0
    return state.error == 0
