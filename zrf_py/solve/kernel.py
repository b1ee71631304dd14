"""Puzzle kernel: depth-first search for a solution, and generation of all complete turns of a position."""

from zrf_py.jit.language import entry, fill_all, inline, shift_right, squares_of
from zrf_py.native.kernel import board, cells, goals, keys, legal, turn, turns
from zrf_py.native.kernel.memory import (
    END_GOAL, END_RESULT, END_ROW, END_STATE, RESULT_WIN, cell, ends, goal, moves, occupied, params, state,
)
from zrf_py.solve.memory import (
    CHILDREN_ROOM, LEVELS, WANTED, aim, child, level_index, level_turn, list_base, list_end, list_from, list_index,
    list_next, list_record, list_score, puzzle, table, want,
)

LEFT = 4095
"""Bits of a table entry that hold the number of turns left."""
PROBES = 8
WIDEST = 30000
"""Words reserved in `moves` for one position."""


@entry
def puzzle_key() -> int:
    """Return the 64-bit key of the position; within a turn it includes the last leg, which may restrict the next."""
    key = keys.of_all()
    if params.plus and puzzle.skip_counters:
        key = key ^ state.counted
    if state.chain >= 0 and params.asks_last:
        key = key ^ keys.of_last()
    if puzzle.count_turns:
        key = key ^ keys.mix(puzzle.made + 1299709)
    return key


def position_cost() -> int:
    """Return the heuristic cost of the position; lower is better."""
    total = 0
    for owner in range(1, params.players + 1):
        for square in squares_of(occupied, owner, params.words):
            total += aim[cells.number_of(square, cell[square])]
    if puzzle.unmet:
        total += puzzle.unmet * unmet_goals()
    return total


def unmet_goals() -> int:
    """Return the least number of unmet parts of any win."""
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
    """Count the unmet parts of one goal: the sum over `and`, the least over `or`."""
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
    """Return whether more turns are needed than are left, given that a turn moves one piece (admissible pruning)."""
    if puzzle.limit == 0 or puzzle.need < 0:
        return False
    filled = 0
    unwanted = 0
    for owner in range(1, params.players + 1):
        for square in squares_of(occupied, owner, params.words):
            what = want[cells.number_of(square, cell[square])]
            filled += what & WANTED
            unwanted += what >> 1
    left = puzzle.limit - puzzle.made
    return puzzle.need - filled > left or unwanted > left


@inline
def aim_at(held: int, square: int) -> int:
    return aim[cells.number_of(square, held)]


def gain_of_record(m: int) -> int:
    """Return the improvement of the value by a move record, computed from its movements and captures alone."""
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


def is_in_table() -> int:
    """Store the position in the transposition table; return True if it was there with at least as many turns left."""
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
    """Generate and score the moves of a level."""
    base = legal.legal()
    at = list_from[level]
    list_base[level] = base
    m = base
    i = 0
    while m < state.top:
        list_record[at] = m
        list_index[at] = i
        list_score[at] = gain_of_record(m) * 65536 + (keys.mix(moves[m + 2] ^ puzzle.noise) & 65535)
        m += board.length(m)
        at += 1
        i += 1
    list_next[level] = list_from[level]
    list_end[level] = at
    list_from[level + 1] = at


@inline
def best_to_front(level: int) -> int:
    """Swap the best remaining move of a level to the front; return its index."""
    front = list_next[level]
    best = front
    for i in range(front + 1, list_end[level]):
        if list_score[i] > list_score[best]:
            best = i
    if best != front:
        list_record[best], list_record[front] = list_record[front], list_record[best]
        list_score[best], list_score[front] = list_score[front], list_score[best]
        list_index[best], list_index[front] = list_index[front], list_index[best]
    list_next[level] = front + 1
    return front


@inline
def is_solution(result: int) -> int:
    return result >= 0 and goals.winners(result) & puzzle.solvers != 0


@entry
def depth_first_begin() -> None:
    """Start a search from the loaded position."""
    state.top = 0
    puzzle.level = 0
    puzzle.visited = 0
    puzzle.solved = 0
    puzzle.cut = 0
    fill_all(table, 0, 0, puzzle.table_mask + 1)
    list_from[0] = 0
    is_in_table()
    list_level(0)


@entry
def depth_first(budget: int) -> int:
    """Continue the search for `budget` positions; return True if it is solved (`puzzle.solved` legs) or exhausted."""
    while budget > 0 and puzzle.level >= 0 and puzzle.solved == 0 and state.error == 0:
        level = puzzle.level
        if list_next[level] >= list_end[level]:
            state.top = list_base[level]
            puzzle.level = level - 1
            if level > 0:
                unmake_level(level - 1)
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
            unmake_level(level)
        else:
            list_level(level + 1)
            if list_end[level + 1] == list_from[level + 1] and is_solution(goals.final_result()):
                puzzle.solved = level + 1
            puzzle.level = level + 1
    return puzzle.level < 0 or puzzle.solved > 0


@inline
def unmake_level(level: int) -> None:
    """Unmake the leg of a level."""
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


@entry
def all_turns() -> int:
    """List the turns of the loaded position, shortest first; return their number."""
    puzzle.children = 0
    puzzle.dropped = 0
    turns.visit_turns()
    puzzle.cut = puzzle.cut | state.cut
    return puzzle.children


def turn_ends(m: int, number: int, at: int) -> int:
    """Hook of `visit_turns`: record a complete turn, whose position is loaded."""
    puzzle.visited = puzzle.visited + 1
    puzzle.made = puzzle.made + 1
    add_child(at, number)
    puzzle.made = puzzle.made - 1
    return True


def add_child(at: int, number: int) -> None:
    """Record the turn just made, if its position is new and promising."""
    worth = position_cost()
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
    """Return whether the loaded position is a win, or becomes one because there is no move."""
    if state.result >= 0:
        return is_solution(state.result)
    state.top = 0
    legal.legal()
    if state.top:
        return False
    return is_solution(goals.final_result())


@entry
def play_leg(number: int) -> int:
    """Play a leg by its number, without undo; return False if there is none, or an error occurred."""
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
