"""Compile a checked game to a program: move code becomes operations.

This fixes the meaning of move code once for all engines. Names in move code are resolved here, in the same pass that
needs their numbers.

Reports unknown names in move code, and too many flags.
"""

from collections.abc import Mapping, Sequence

from zrf_py.front import model, syntax
from zrf_py.front.goals import leaves
from zrf_py.front.nodes import Atom
from zrf_py.ir.emitter import Emitter, FileScope, Lowered
from zrf_py.ir.ops import OPS, Op, Program, Routine
from zrf_py.ir.traits import Operand
from zrf_py.text.diagnostics import Report


def lower(game: model.Game, report: Report, scope: FileScope) -> Program:
    """Compile one game of a file; errors go to `report`."""
    report.part = game.number
    lowering = _Lowering(game, report, scope)
    pieces = range(len(game.pieces))
    moves = tuple(lowering.routines(i, game.pieces[i].moves, False) for i in pieces)
    drops = tuple(lowering.routines(i, game.pieces[i].drops, True) for i in pieces)
    board = game.board
    goal_positions = frozenset(
        square for end in game.ends for goal in leaves(end.goal) if isinstance(goal, model.Absolute)
        for place in goal.places for player in range(len(game.players)) for square in board.squares(place, player))
    return Program(
        game, moves, drops, _steps(board), tuple(tuple(frozenset(s) for s in zone) for zone in board.zones),
        tuple(tuple(dict.fromkeys(t[p] for t in board.links if t[p] >= 0)) for p in range(len(board.places))),
        goal_positions, tuple(game.symbols.move_types), _ordinals(game, moves, drops, scope.then),
        tuple(scope.flags), tuple(scope.position_flags),
    )


def look_up(game: model.Game, report: Report, scope: FileScope) -> None:
    """Report the errors of a game without building its program; blocks checked with equal symbol tables are reused."""
    report.part = game.number
    lowering = _Lowering(game, report, scope)
    for piece in game.pieces:
        for routine in piece.moves:
            lowering.report_errors(routine.block, False)
    for piece in game.pieces:  # in the order of `lower`
        for routine in piece.drops:
            lowering.report_errors(routine.block, True)


def operations(game: model.Game, instruction: syntax.Instruction, scope: FileScope) -> tuple[Op, ...]:
    """Return the operations of one instruction of a checked game, for tools that explain rules text."""
    return _Lowering(game, Report(), scope).code(instruction)


def _ordinals(
    game: model.Game, moves: tuple[tuple[Routine, ...], ...], drops: tuple[tuple[Routine, ...], ...],
    added: Mapping[int, Sequence[int]],
) -> tuple[int, ...]:
    """Number the move types like the original: turn order and priorities backwards, then pieces from last to first.
    `added` holds the move types of each block's `add` instructions.

    Derived from recorded games: this order explains 37 of the 40 (number, name) pairs in them.
    """
    visited: set[int] = set()
    named = [turn.move_type for turn in reversed(game.turns)] + list(reversed(game.priorities))
    for piece in reversed(range(len(game.pieces))):
        for routine in (*moves[piece], *drops[piece]):
            named.append(routine.move_type)
            if id(routine.code) not in visited:
                visited.add(id(routine.code))
                named += added[id(routine.code)]
    order = {name: i for i, name in enumerate(dict.fromkeys(n for n in named if n >= 0), 1)}
    return tuple(order.get(name, 0) for name in range(len(game.symbols.move_types)))


def _steps(board: model.Board) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(
        tuple(table for d in range(len(board.directions)) for table in (board.links[side[d]], board.reverse[side[d]]))
        for side in board.symmetry
    )


class _Lowering:
    """Compiler for the blocks of one game."""

    def __init__(self, game: model.Game, report: Report, scope: FileScope) -> None:
        self.report = report
        self.symbols = game.symbols
        self.scope = scope
        self.names = scope.names(game.symbols)

    def routines(self, piece: int, blocks: tuple[model.Routine, ...], drop: bool) -> tuple[Routine, ...]:
        """Compile the blocks of a piece, or return the ones cached by a variant that shares the piece."""
        key = (id(blocks), piece, self.names, drop)
        cached = self.scope.pieces.get(key)
        if cached is None:
            mark = len(self.report.error_log)
            compiled = tuple(self.routine(piece, block, drop) for block in blocks)
            cached = self.scope.pieces[key] = blocks, compiled, self.report.errors_since(mark)
        else:
            self.report.log_errors(cached[2])
        return cached[1]

    def routine(self, piece: int, routine: model.Routine, drop: bool) -> Routine:
        """Compile one block. A drop block may start with the zone or position where it runs."""
        key = (routine.block, self.names, drop)
        lowered = self.scope.routines.get(key)
        if lowered is None:
            mark = len(self.report.error_log)
            zone, position, body = self.begin(routine.block, drop)
            ops = [op for instruction in body for op in self.code(instruction)]
            ops.append(Op("end", origin=routine.block.origin))
            lowered = self.scope.routines[key] = Lowered(zone, position, tuple(ops), self.report.errors_since(mark))
            self.scope.then[id(lowered.code)] = [op.b for op in lowered.code if OPS[op.name].b is Operand.MOVE_TYPE]
        else:
            self.report.log_errors(lowered.errors)
        return Routine(piece, routine.move_type, lowered.code, lowered.zone, lowered.position)

    def begin(self, block: syntax.Block, drop: bool) -> tuple[int, int, tuple[syntax.Instruction, ...]]:
        """Return the zone and position that restrict a block (-1: none), and its instructions."""
        body = block.body
        if drop and body and (name := _bare_name(body[0])) and name.text not in self.symbols.directions:
            if name.text in self.symbols.zones:
                return self.symbols.zones[name.text], -1, body[1:]
            if name.text in self.symbols.positions:
                return -1, self.symbols.positions[name.text], body[1:]
        return -1, -1, body

    def report_errors(self, block: syntax.Block, drop: bool) -> None:
        """Report the errors of a block."""
        key = (block, self.names, drop)
        errors = self.scope.blocks.get(key)
        if errors is not None:
            self.report.log_errors(errors)
            return
        mark = len(self.report.error_log)
        for instruction in self.begin(block, drop)[2]:
            self.code(instruction)
        self.scope.blocks[key] = self.report.errors_since(mark)

    def code(self, instruction: syntax.Instruction) -> tuple[Op, ...]:
        """Return the operations of one instruction. Jumps are relative, so the list can be copied anywhere."""
        key = (instruction, self.names)
        cached = self.scope.code.get(key)
        if cached is not None:
            self.report.log_errors(cached[1])
            return cached[0]
        mark = len(self.report.error_log)
        emitter = Emitter(self.symbols, self.report, self.scope, self.code)
        emitter.instruction(instruction)
        ops = emitter.finish()
        self.scope.code[key] = ops, self.report.errors_since(mark)
        return ops


def _bare_name(instruction: syntax.Instruction) -> Atom | None:
    if isinstance(instruction, syntax.Command) and instruction.word == "step" and instruction.place is None:
        return instruction.names[0]
    return None


