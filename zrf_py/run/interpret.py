"""Generate moves by interpreting a program. This file defines the meaning of every operation of `ir/ops.py`.

`TABLE` has a function for each operation; where another engine differs, that engine is wrong. A walker runs one block
for one piece and passes each move that `add` writes to `emit`. The position never changes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from zrf_py.front.model import Compare
from zrf_py.ir.ops import COPIES, EFFECTS, HERE, OPS, PARTIAL, Op, Program, Routine
from zrf_py.run.faults import FUEL, endless
from zrf_py.run.faults import RulesFault as RulesFault
from zrf_py.run.numbers import compare, counter_place, value
from zrf_py.run.position import ANY_TYPE, COPY, DROP, KEEP, MOVE, NOBODY, NOT_PARTIAL, Effect, Move, Movement, Position

Emit = Callable[[Move], None]
Doing = Callable[["Walker", Op, int], int]
"""Implementation of an operation; returns the index of the next one, negative at the end of the block."""


class _MoveExists(Exception):
    """Raised to end a search as soon as a matching move is generated."""


class Walker:
    """Machine state of a running block. `drop` is true while drop blocks run."""

    __slots__ = (
        "captures", "cascades", "depth", "drop", "effects", "emit", "flags", "from_", "here", "kind", "mark",
        "marked", "must", "owner", "piece", "position", "position_flags", "program", "side", "start", "steps",
        "table", "to",
    )

    def __init__(self, program: Program, position: Position, side: int, emit: Emit, depth: int = 0) -> None:
        self.program = program
        self.position = position
        self.owner = position.owner
        self.piece = position.piece
        self.side = side
        self.steps = program.steps[side]
        self.emit = emit
        self.depth = depth
        self.flags = 0
        self.drop = False
        self.table: Mapping[str, Doing] = TABLE
        """Implementation of each operation; tracers replace it."""

    def run(self, routine: Routine, start: int) -> None:
        """Run a block from a square.

        :raises RulesFault: if it executes more than `FUEL` operations.
        """
        self.kind = routine.piece
        self.start = self.here = self.from_ = self.mark = start
        self.to = -1
        self.marked = -1
        self.position_flags: dict[int, set[int]] = {}
        self.effects: list[Effect] = []
        self.captures: list[int] = []
        self.cascades: list[Movement] = []
        self.must = False
        code, table = routine.code, self.table
        counter = 0
        for _ in range(FUEL):
            op = code[counter]
            counter = table[op.name](self, op, counter)
            if counter < 0:
                return
        raise endless(routine)

    def where(self, op: Op) -> int:
        """Return the square of an operation; -1 if it is off the board."""
        operand = op.where
        if operand == HERE:
            return self.here
        return operand - 1 if operand > 0 else self.steps[-operand - 1][self.here]


END = -1

# ------------------------------------------------------------------------------------------------------- the cursor


def _step(w: Walker, op: Op, at: int) -> int:
    w.here = w.steps[op.a][w.here]
    return at + 1 if w.here >= 0 else END


def _jump(w: Walker, op: Op, at: int) -> int:
    w.here = op.a
    return at + 1


def _go(w: Walker, op: Op, at: int) -> int:
    w.here = (w.from_, w.to if w.to >= 0 else w.here, w.mark, w.position.last_from, w.position.last_to)[op.a]
    return at + 1 if w.here >= 0 else END


def _mark(w: Walker, op: Op, at: int) -> int:
    w.mark = w.marked = w.where(op)
    return at + 1 if w.mark >= 0 else END


def _from(w: Walker, op: Op, at: int) -> int:
    w.from_ = w.here
    return at + 1


def _to(w: Walker, op: Op, at: int) -> int:
    w.to = w.here
    return at + 1


# ---------------------------------------------------------------------------------------------------- writing moves


def _cascade(w: Walker, op: Op, at: int) -> int:
    end = w.to if w.to >= 0 else w.here
    if w.drop:
        w.cascades.append((DROP, -1, end, w.kind))
    elif w.from_ != end:
        if w.owner[w.from_] == NOBODY:
            return END
        w.cascades.append((MOVE, w.from_, end, KEEP))
    w.from_, w.to = w.here, -1
    return at + 1


def _add(w: Walker, op: Op, at: int) -> int:
    end = w.to if w.to >= 0 else w.here
    for kind in op.types or (KEEP,):
        if move := _written(w, op, end, kind):
            w.emit(move)
    return _begun_anew(w, at)


def _begun_anew(w: Walker, at: int) -> int:
    """Clear the parts of the move just written (cascades if an option says so); return the next operation's index."""
    w.effects, w.captures, w.must = [], [], False
    w.from_, w.to = w.start, -1
    if w.program.game.options.discard_cascades:
        w.cascades = []
    return at + 1


def _add_pass(w: Walker, op: Op, at: int) -> int:
    """Write the collected parts as a move without a movement of its own; with none collected it is a pass."""
    move = Move(w.side, tuple(w.cascades), tuple(w.effects), tuple(w.captures))
    if not (w.drop and w.cascades and w.position.stores[w.side][w.kind] <= 0):
        w.emit(move if move.is_pass else replace(move, start=w.start))
    return _begun_anew(w, at)


def _written(w: Walker, op: Op, end: int, kind: int) -> Move | None:
    """Return the move of an `add`; None if it has no parts or a piece is missing (on the board or in the store)."""
    movements = list(w.cascades)
    if w.drop:
        if w.position.stores[w.side][w.kind] <= 0:
            return None
        movements.append((DROP, -1 if kind in (KEEP, w.kind) else -2 - w.kind, end, w.kind if kind == KEEP else kind))
    elif op.a & COPIES or w.from_ != end or kind != KEEP:
        if w.owner[w.from_] == NOBODY or not _promotion_in_store(w, kind):
            return None
        movements.append((COPY if op.a & COPIES else MOVE, w.from_, end, kind))
    if not (movements or w.effects or w.captures):
        return None
    partial = (op.b if op.b >= 0 else ANY_TYPE) if op.a & PARTIAL else NOT_PARTIAL
    return Move(w.side, tuple(movements), tuple(w.effects), tuple(w.captures), partial, w.from_, end,
                must=w.must and partial != NOT_PARTIAL)


def _promotion_in_store(w: Walker, kind: int) -> bool:
    if kind in (KEEP, w.piece[w.from_]) or not w.program.game.options.recycle_promotions:
        return True
    return w.position.stores[w.side][kind] > 0


# ----------------------------------------------------------------------------------------------------------- effects


def _effect(w: Walker, effect: Effect) -> None:
    """Collect an effect. Captures come after all effects; the first capture so far becomes the last one.

    This follows the original, which swaps the effect with the first capture in its list. It affects only the order of
    the parts in notation, but recorded games show it.
    """
    w.effects.append(effect)
    if w.captures:
        w.captures.append(w.captures.pop(0))


def _capture(w: Walker, op: Op, at: int) -> int:
    if (square := w.where(op)) >= 0:
        w.captures.append(square)
    return at + 1


def _change(w: Walker, op: Op, at: int) -> int:
    if (square := w.where(op)) >= 0:
        _effect(w, (op.name, square, *op.operands(w.kind, w.side)))
    return at + 1


def _set_counter(w: Walker, op: Op, at: int) -> int:
    number = value(w.program, w.position, w.side, op.numbers[0], w.here)
    _effect(w, (op.name, op.a, number, counter_place(w.program, op.a, op.b, w.side)))
    return at + 1


def _next_turn(w: Walker, op: Op, at: int) -> int:
    _effect(w, ("next-turn", value(w.program, w.position, w.side, op.numbers[0], w.here), 0, 0))
    return at + 1


def _must_continue(w: Walker, op: Op, at: int) -> int:
    w.must = True
    return at + 1


def _set_flag(w: Walker, op: Op, at: int) -> int:
    w.flags = w.flags & ~(1 << op.a) | op.b << op.a
    return at + 1


def _set_position_flag(w: Walker, op: Op, at: int) -> int:
    if (square := w.where(op)) >= 0:
        squares = w.position_flags.setdefault(op.a, set())
        squares.add(square) if op.b else squares.discard(square)
    return at + 1


def _goto(w: Walker, op: Op, at: int) -> int:
    return at + op.target


def _end(w: Walker, op: Op, at: int) -> int:
    return END


# ------------------------------------------------------------------------------------------------------------- tests


def _attacked(w: Walker, op: Op, square: int) -> bool:
    """Return whether a square is attacked; unless a friendly piece is there, the moving piece is put on it first."""
    if w.depth:
        return False
    position = w.position
    if w.owner[square] != w.side:
        position = position.with_pieces((square, w.side, w.kind, 0))
    sides = {turn.side for turn in w.program.game.turns} - {w.side}
    return any(can_capture(w.program, position, side, {square}, op.a, w.depth + 1) for side in sorted(sides))


def _defended(w: Walker, op: Op, square: int) -> bool:
    """Return whether the side could capture an enemy piece of the moving type, if one stood on the square."""
    if w.depth:
        return False
    enemy = next((t.side for t in w.program.game.turns if t.side != w.side), NOBODY)
    if enemy == NOBODY:
        return False
    position = w.position.with_pieces((square, enemy, w.kind, 0))
    return can_capture(w.program, position, w.side, {square}, op.a, w.depth + 1)


Test = Callable[[Walker, Op, int], bool]

TESTS: dict[str, Test] = {
    "empty?": lambda w, op, square: w.owner[square] == NOBODY,
    "friend?": lambda w, op, square: w.owner[square] == w.side,
    "enemy?": lambda w, op, square: w.owner[square] not in (NOBODY, w.side),
    "neutral?": lambda w, op, square:
        w.owner[square] != NOBODY and w.program.game.players[w.owner[square]].kind == "neutral",
    "piece?": lambda w, op, square: w.owner[square] != NOBODY and w.piece[square] == op.a,
    "in-zone?": lambda w, op, square: square in w.program.zone_sets[op.a][w.side],
    "position?": lambda w, op, square: square == op.a,
    "on-board?": lambda w, op, square: True,
    "marked?": lambda w, op, square: square == w.marked,
    "last-from?": lambda w, op, square: square == w.position.last_from,
    "last-to?": lambda w, op, square: square == w.position.last_to,
    "adjacent-to-enemy?": lambda w, op, square:
        any(w.owner[p] not in (NOBODY, w.side) for p in w.program.neighbours[square]),
    "goal-position?": lambda w, op, square: square in w.program.goal_positions,
    "position-flag?": lambda w, op, square: square in w.position_flags.get(op.a, ()),
    "attribute?": lambda w, op, square: w.owner[square] != NOBODY and bool(w.position.attributes[square] >> op.a & 1),
    "attacked?": _attacked, "defended?": _defended,
}
"""The tests of squares. All of them fail off the board."""


def _branch(test: Test) -> Doing:
    """Make an operation from a test of a square."""

    def run(w: Walker, op: Op, at: int) -> int:
        operand = op.where
        square = w.here if operand == HERE else operand - 1 if operand > 0 else w.steps[-operand - 1][w.here]
        answer = square >= 0 and test(w, op, square)
        return at + 1 if answer == op.want else at + op.target

    return run


def _flag(w: Walker, op: Op, at: int) -> int:
    return at + 1 if bool(w.flags >> op.a & 1) == op.want else at + op.target


def _compare(w: Walker, op: Op, at: int) -> int:
    goal = Compare(op.name, op.numbers[0], op.numbers[1])
    answer = compare(w.program, w.position, w.side, goal, w.here)
    return at + 1 if answer == op.want else at + op.target


TABLE: dict[str, Doing] = {
    "step": _step, "jump": _jump, "go": _go, "mark": _mark, "from": _from, "to": _to, "cascade": _cascade,
    "add": _add, "add-pass": _add_pass, "must-continue": _must_continue, "set-flag": _set_flag,
    "set-position-flag": _set_position_flag, "goto": _goto, "end": _end,
    **dict.fromkeys((name for name in EFFECTS if OPS[name].where), _change), "capture": _capture,
    "set-counter": _set_counter, "add-to-counter": _set_counter, "next-turn": _next_turn,
    "flag?": _flag, "equal?": _compare, "less?": _compare, "greater?": _compare,
    **{name: _branch(test) for name, test in TESTS.items()},
}
assert TABLE.keys() == OPS.keys(), "OPS and TABLE must hold the same operations"


# ------------------------------------------------------------------------------------------------------- generation


def generate(program: Program, position: Position, side: int, move_type: int) -> list[Move]:
    """Generate the pseudo-legal moves of a side, of all move types (-1) or of one.

    Order: pieces by square, each piece's blocks as written; then drops by type, each block over the squares.
    """
    moves: list[Move] = []
    run_every(Walker(program, position, side, moves.append), move_type)
    return moves


def can_move(program: Program, position: Position, side: int, move_type: int, suits: Callable[[Move], bool]) -> bool:
    """Return whether `generate` would give a move that satisfies `suits`; the search stops at the first."""

    def look(move: Move) -> None:
        if suits(move):
            raise _MoveExists

    try:
        run_every(Walker(program, position, side, look), move_type)
    except _MoveExists:
        return True
    return False


def run_every(walker: Walker, move_type: int) -> None:
    """Run the blocks of all pieces of the side, then its drop blocks, of all move types (-1) or of one."""
    program = walker.program
    for square, owner in enumerate(walker.owner):
        if owner == walker.side:
            run_piece(walker, program.moves[walker.piece[square]], square, move_type)
    walker.drop = True
    for kind, routines in enumerate(program.drops):
        for routine in routines if walker.position.stores[walker.side][kind] > 0 else ():
            if move_type in (-1, routine.move_type):
                for square in drop_squares(program, routine, walker.side):
                    walker.run(routine, square)


def generate_from(program: Program, position: Position, side: int, square: int, move_type: int) -> list[Move]:
    """Generate the moves of the piece on one square; none if the square is empty (a piece may capture itself)."""
    moves: list[Move] = []
    routines = program.moves[position.piece[square]] if position.owner[square] != NOBODY else ()
    run_piece(Walker(program, position, side, moves.append), routines, square, move_type)
    return moves


def run_piece(walker: Walker, routines: Iterable[Routine], square: int, move_type: int) -> None:
    """Run the blocks of one piece, of all move types (-1) or of one."""
    for routine in routines:
        if move_type in (-1, routine.move_type):
            walker.run(routine, square)


def drop_squares(program: Program, routine: Routine, side: int) -> Iterable[int]:
    """Return the squares on which a drop block runs."""
    if routine.zone >= 0:
        return program.game.board.zones[routine.zone][side]
    return range(len(program.game.board.places)) if routine.position < 0 else (routine.position,)


def can_capture(
    program: Program, position: Position, side: int, targets: set[int], move_type: int = -1, depth: int = 0,
) -> bool:
    """Return whether a pseudo-legal move of `side` would capture on one of the target squares. Drops don't count."""

    def look(move: Move) -> None:
        if not targets.isdisjoint(removed(move)):
            raise _MoveExists

    walker = Walker(program, position, side, look, depth)
    try:
        for square, owner in enumerate(position.owner):
            if owner == side:
                run_piece(walker, program.moves[position.piece[square]], square, move_type)
    except _MoveExists:
        return True
    return False


def removed(move: Move) -> list[int]:
    """Return the squares whose piece, if any, the move captures; a piece that moves away itself is not captured."""
    vacated = {start for kind, start, _, _ in move.movements if kind == MOVE}
    landed = [end for _, _, end, _ in move.movements if end not in vacated]
    return [*landed, *(e[1] for e in move.effects if e[0] == "create"), *(c for c in move.captures if c not in vacated)]
