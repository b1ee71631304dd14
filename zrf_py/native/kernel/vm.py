"""Virtual machine that runs the blocks of any game from its table of operations.

Its registers (the cursor and so on) are locals; the parts collected for the next `add` are in `walk.py`. Operations are
numbered as in the table of `ir/ops.py`.
"""

from zrf_py.ir.ops import OPS
from zrf_py.jit.language import inline
from zrf_py.native.kernel import attack, board, numbers, tests, walk
from zrf_py.native.kernel.memory import (
    A, B, ENDLESS, LEFT, NO_ERROR, OP, RIGHT, ROW, TARGET, TYPES_AT, TYPES_COUNT, WANT, WHERE, code, marks, params,
    routine_code, routine_move_type, routine_type, state, steps,
)

(
    STEP, JUMP, GO, MARK, FROM, TO, CASCADE, ADD, ADD_PASS, MUST_CONTINUE, SET_FLAG, SET_POSITION_FLAG, GOTO, END,
    CAPTURE, *_EFFECTS, IS_EMPTY, IS_FRIEND, IS_ENEMY, IS_NEUTRAL, IS_PIECE, IS_IN_ZONE, IS_POSITION, IS_ON_BOARD,
    IS_MARKED, IS_LAST_FROM, IS_LAST_TO, IS_NEAR_ENEMY, IS_ATTACKED, IS_DEFENDED, IS_GOAL, HAS_POSITION_FLAG, HAS_FLAG,
    HAS_ATTRIBUTE, IS_EQUAL, IS_LESS, IS_GREATER,
) = range(len(OPS))
FIRST_EFFECT = CAPTURE + 1
"""Number of the operation that makes effect number 0 of `board.py`; the others follow."""
OWN_TYPE, OWN_SIDE = -1, -2
"""Operands that stand for the type whose block runs, and for the side to move."""
FUEL_LIMIT = 200000


@inline
def set_position_flag(square: int, a: int, b: int) -> None:
    marks[tests.position_flag_at(square, a)] = state.stamp if b else 0


@inline
def set_flag(a: int, b: int) -> None:
    state.walk_flags = state.walk_flags & ~(1 << a) | b << a


@inline
def begin_run() -> None:
    """Clear the collected parts and the position flags."""
    walk.begin_walk()
    state.stamp = state.stamps[state.depth] + 1
    state.stamps[state.depth] = state.stamp


@inline
def ask(op: int, square: int, a: int, side: int, kind: int, marked: int) -> int:
    """Return the result of a test of a square of the board."""
    if op == IS_EMPTY:
        return tests.is_empty(square)
    if op == IS_FRIEND:
        return tests.is_friend(square, side)
    if op == IS_ENEMY:
        return tests.is_enemy(square, side)
    if op == IS_NEUTRAL:
        return tests.is_neutral(square)
    if op == IS_PIECE:
        return tests.is_piece(square, a)
    if op == IS_IN_ZONE:
        return tests.is_in_zone(square, a, side)
    if op == IS_POSITION:
        return square == a
    if op == IS_ON_BOARD:
        return True
    if op == IS_MARKED:
        return square == marked
    if op == IS_LAST_FROM:
        return tests.is_last_from(square)
    if op == IS_LAST_TO:
        return tests.is_last_to(square)
    if op == IS_NEAR_ENEMY:
        return tests.is_near_enemy(square, side)
    if op == IS_ATTACKED:
        return attack.attacked(square, a, side, kind)
    if op == IS_DEFENDED:
        return attack.defended(square, a, side, kind)
    if op == IS_GOAL:
        return tests.is_goal(square)
    if op == HAS_POSITION_FLAG:
        return tests.has_position_flag(square, a)
    return tests.has_attribute(square, a)


def run(routine: int, start: int, side: int) -> None:
    """Run a block from a square."""
    begin_run()
    kind = routine_type[routine]
    block_type = routine_move_type[routine]
    table = side * params.motions * params.squares
    here = start
    from_ = start
    mark = start
    to = -1
    marked = -1
    at = routine_code[routine] * ROW
    for _fuel in range(FUEL_LIMIT):
        op = code[at + OP]
        a = code[at + A]
        where = code[at + WHERE]
        square = here
        if where > 0:
            square = where - 1
        elif where < 0:
            square = steps[table + (-where - 1) * params.squares + here]
        if op >= IS_EMPTY:
            answer = 0
            if op == HAS_FLAG:
                answer = state.walk_flags >> a & 1
            elif op >= IS_EQUAL:
                answer = compare(op - IS_EQUAL, code[at + LEFT], code[at + RIGHT], side, here)
            elif square >= 0:
                answer = ask(op, square, a, side, kind, marked)
            if (answer != 0) == (code[at + WANT] != 0):
                at += ROW
            else:
                if code[at + TARGET] < 0 - 100000000:
                    return
                at += code[at + TARGET] * ROW
            continue
        if op == STEP:
            here = steps[table + a * params.squares + here]
            if here < 0:
                return
        elif op == JUMP:
            here = a
        elif op == GO:
            if a == 0:
                here = from_
            elif a == 1:
                here = to if to >= 0 else here
            elif a == 2:
                here = mark
            elif a == 3:
                here = state.last_from
            else:
                here = state.last_to
            if here < 0:
                return
        elif op == MARK:
            mark = square
            marked = square
            if square < 0:
                return
        elif op == FROM:
            from_ = here
        elif op == TO:
            to = here
        elif op == CASCADE:
            if walk.add_cascade(from_, to if to >= 0 else here, kind) == 0:
                return
            from_ = here
            to = -1
        elif op == ADD:
            walk.add_move(a, code[at + B], code[at + TYPES_AT], code[at + TYPES_COUNT], from_, to, here, side, kind,
                     block_type)
            if state.target_square >= 0 and state.found:
                return
            from_ = start
            to = -1
        elif op == GOTO:
            if code[at + TARGET] < 0 - 100000000:
                return
            at += code[at + TARGET] * ROW
            continue
        elif op == END:
            return
        elif op == SET_FLAG:
            set_flag(a, code[at + B])
        elif op == ADD_PASS:
            walk.add_pass(side, kind, start, block_type)
            if state.target_square >= 0 and state.found:
                return
            from_ = start
            to = -1
        elif op == MUST_CONTINUE:
            walk.must_continue()
        elif op >= FIRST_EFFECT + board.SET_COUNTER:
            run_number(op - FIRST_EFFECT, at, side, here)
        elif square >= 0:
            if op == CAPTURE:
                walk.add_capture(square)
            elif op == SET_POSITION_FLAG:
                set_position_flag(square, a, code[at + B])
            else:
                b = operand(code[at + B], side, kind)
                walk.add_effect(op - FIRST_EFFECT, square, operand(a, side, kind), b)
        at += ROW
    endless(routine)


@inline
def operand(number: int, side: int, kind: int) -> int:
    if number >= 0:
        return number
    return kind if number == OWN_TYPE else side


def run_number(which: int, at: int, side: int, here: int) -> None:
    """Run an effect on a counter or on the turn order."""
    number = numbers.value(code[at + LEFT], side, here)
    counter = code[at + A]
    if which == board.NEXT_TURN:
        walk.add_number(which, 0, 0, number)
    else:
        walk.add_number(which, counter, numbers.counter_place(counter, code[at + B], side), number)


@inline
def compare(which: int, left: int, right: int, side: int, here: int) -> int:
    return numbers.compared(which, numbers.value(left, side, here), numbers.value(right, side, here))


def endless(routine: int) -> None:
    """Set the fault of a block that has exceeded `FUEL_LIMIT`, unless there is an error already."""
    if state.error == NO_ERROR:
        state.error = ENDLESS
        state.fault = routine
        state.fault_top = state.top
