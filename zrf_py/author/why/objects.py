"""Convert answers to plain values with names instead of numbers, for `--json` and for the stepper."""

from typing import Any

from zrf_py.author.why.ends import Ends, Part
from zrf_py.author.why.steps import Answer, BlockReport, Run, Step
from zrf_py.author.why.wording import Wording, holds, source_text
from zrf_py.ir.ops import OPS
from zrf_py.ir.show import show_op
from zrf_py.play.game import Position
from zrf_py.play.notation import move_text
from zrf_py.text.source import Origin

Object = dict[str, Any]


class Objects:
    """Converts answers about one position to JSON values."""

    def __init__(self, position: Position) -> None:
        self.program = position.game.program
        self.game = self.program.game
        self.state = position.state
        self.player = position.player
        self.wording = Wording(position)

    def answer(self, answer: Answer) -> Object:
        """Convert an answer about moves: `blocks`, each with its `steps` and the moves it wrote."""
        return {
            "question": answer.question, "player": self.player, "legal": answer.legal, "verdict": answer.verdict,
            "remarks": list(answer.remarks), "blocks": [self._block(block) for block in answer.blocks],
        }

    def _block(self, report: BlockReport) -> Object:
        run = report.run
        return {
            "piece": self.game.pieces[report.routine.piece].name, "block": report.name, "man": report.man,
            "place": place(report.routine.code[-1].origin), "near": report.near,
            "tried": run is not None, "stop": report.stop or report.skipped,
            "start": self._square(run.start) if run else None,
            "moves": [{"move": w.text, "asked": w.asked, "legal": w.verdict.legal, "verdict": w.verdict.code,
                       "words": w.verdict.words, "witness": w.verdict.witness} for w in report.written],
            "steps": [self._step(run, step) for step in run.steps] if run else [],
            "left_out": run.left_out if run else 0,
        }

    def _step(self, run: Run, step: Step) -> Object:
        flags = self.program.flags
        return {
            "place": place(step.op.origin),
            "macro": step.op.origin.via.macro if step.op.origin and step.op.origin.via else None,
            "number": step.at,
            "operation": show_op(self.program, step.op, step.at),
            "text": source_text(step.op),
            "is_test": OPS[step.op.name].is_test,
            "answer": step.answer, "holds": holds(step),
            "found": self.wording.finding(run, step),
            "before": self._square(step.before), "cursor": self._square(step.cursor),
            "about": self._square(step.about),
            "from": self._square(step.from_), "to": self._square(step.to), "mark": self._square(step.marked),
            "flags": [name for number, name in enumerate(flags) if step.flags >> number & 1],
            "position_flags": {self.program.position_flags[flag]: [self._square(s) for s in sorted(squares)]
                               for flag, squares in step.position_flags},
            "movements": [[self._square(start), self._square(end)] for _, start, end, _ in step.movements],
            "effects": [[name, self._square(on) if OPS[name].where else on] for name, on, _, _ in step.effects],
            "captures": [self._square(square) for square in step.captures],
            "writes": [move_text(self.program, self.state, move) for move in step.wrote],
            "ends": step.ends,
        }

    def _square(self, square: int) -> str | None:
        return self.game.board.places[square].name if square >= 0 else None

    def ends(self, ends: Ends) -> Object:
        """Convert the end conditions."""
        return {
            "outcome": ends.outcome or None,
            "ends": [{"result": e.result, "player": e.player, "place": place(e.origin), **_part(e.goal)}
                     for e in ends.ends],
            "defaults": list(ends.defaults),
        }


def _part(part: Part) -> Object:
    return {"goal": part.words, "holds": part.holds, "have": part.have, "want": part.want, "detail": part.detail,
            "parts": [_part(inner) for inner in part.parts]}


def place(origin: Origin | None) -> Object | None:
    """Return the file, line and column (from 1) and text of an origin; None if there is none."""
    if origin is None:
        return None
    span = origin.span
    line, column = span.source.position(span.start)
    return {"file": span.source.name, "line": line, "column": column, "text": span.text}
