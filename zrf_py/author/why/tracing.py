"""Trace every block that the interpreter runs in a position, operation by operation.

The interpreter does the work: a subclass of its walker wraps each operation to record its effect.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from zrf_py.author.why.steps import Run, Step
from zrf_py.ir.ops import BLOCK_END, OPS, Op, Program, Routine
from zrf_py.ir.traits import Writes
from zrf_py.run.faults import RulesFault
from zrf_py.run.interpret import TABLE, Doing, Walker, drop_squares, run_every, run_piece
from zrf_py.run.position import Move, Position

MAX_STEPS = 2_000
"""Maximum number of recorded steps of a run; the last of them is always the run's last step."""
MAX_KEPT = 300_000
"""Maximum number of recorded steps of all runs together; later runs keep only their first and last step."""


def trace(program: Program, position: Position, side: int, move_type: int) -> tuple[list[Run], RulesFault | None]:
    """Trace the blocks run for a side's moves of one type (-1: all); during a turn, those of the moving piece only.

    The order is the interpreter's, and flags carry over from block to block as they do there. If a block never ends,
    its run is the last and its fault is returned; else drop blocks of pieces missing from the store follow.
    """
    tracer = _Tracer(program, position, side)
    try:
        if position.chain:
            square = position.chain[0]
            run_piece(tracer, program.moves[position.piece[square]], square, move_type)
        else:
            run_every(tracer, move_type)
            tracer.run_in_vain(move_type)
    except RulesFault as fault:
        return tracer.runs, fault
    return tracer.runs, None


class _Tracer(Walker):
    """A walker that records its runs."""

    __slots__ = ("runs", "snapshot", "step_count")

    def __init__(self, program: Program, position: Position, side: int) -> None:
        super().__init__(program, position, side, self.written)
        self.runs: list[Run] = []
        self.step_count = 0
        self.table = _WATCHED

    def run(self, routine: Routine, start: int) -> None:
        self.runs.append(Run(routine, start, self.drop))
        self.snapshot: tuple[Any, ...] = ((), (), (), ())
        super().run(routine, start)

    def run_in_vain(self, move_type: int) -> None:
        """Run the drop blocks of pieces missing from the side's store, to show where they fail."""
        absent = [r for kind, drops in enumerate(self.program.drops) for r in drops
                  if self.position.stores[self.side][kind] <= 0 and move_type in (-1, r.move_type)]
        for routine in absent:
            for square in drop_squares(self.program, routine, self.side):
                with suppress(RulesFault):
                    self.run(routine, square)

    def written(self, move: Move) -> None:
        self.runs[-1].moves.append(move)

    def keep(self, step: Step) -> None:
        run = self.runs[-1]
        if len(run.steps) > 1 and (len(run.steps) >= MAX_STEPS or self.step_count >= MAX_KEPT):
            run.steps[-1] = step
            run.left_out += 1
        else:
            run.steps.append(step)
            self.step_count += 1

    def in_hand(self, op: Op) -> tuple[Any, ...]:
        """Return copies of position flags, movements, effects and captures, renewed when an operation changes them."""
        row = OPS[op.name]
        if row.collects or row.writes & (Writes.MOVE | Writes.PASS | Writes.POSITION_FLAGS):
            flags = tuple((flag, frozenset(squares)) for flag, squares in sorted(self.position_flags.items()))
            self.snapshot = flags, tuple(self.cascades), tuple(self.effects), tuple(self.captures)
        return self.snapshot


def _watched(name: str, doing: Doing) -> Doing:
    """Wrap an operation so that it records a `Step`."""

    def run(w: Walker, op: Op, at: int) -> int:
        assert isinstance(w, _Tracer)
        before, count = w.here, len(w.runs[-1].moves)
        about = w.where(op) if OPS[op.name].where and before >= 0 else -1
        following = doing(w, op, at)
        wrote = tuple(w.runs[-1].moves[count:])
        answer = _answer(w, op, doing, following - at)
        flags, movements, effects, captures = w.in_hand(op)
        w.keep(Step(at, op, before, w.here, about, answer, following < 0, w.from_, w.to, w.marked, w.flags,
                    flags, movements, effects, captures, wrote))
        return following

    return run


def _answer(w: Walker, op: Op, doing: Doing, went: int) -> bool | None:
    """Infer a test's answer from its jump, or from a second run if both jumps are the same; None if not a test."""
    if not OPS[op.name].is_test:
        return None
    if op.target == 1:
        went = doing(w, replace(op, target=BLOCK_END), 0)
    return (went == 1) == op.want


_WATCHED: Mapping[str, Doing] = {name: _watched(name, doing) for name, doing in TABLE.items()}
