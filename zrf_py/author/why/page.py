"""Format answers as lines of text, as `zrf why` prints them."""

from collections.abc import Iterator

from zrf_py.author.why.ends import Ends, Part
from zrf_py.author.why.steps import Answer, BlockReport, Run, Step, Written
from zrf_py.author.why.wording import Wording, holds, source_place, source_text, square_name
from zrf_py.ir.ops import Program, Routine
from zrf_py.ir.show import show_op
from zrf_py.play.game import Position
from zrf_py.text.numbers import number

MANY = 12
"""Maximum number of blocks, and of moves of one block, shown unless `full`."""


def as_text(position: Position, result: Answer | Ends, full: bool = False) -> str:
    """Format the result of `why_move` or `why_end` as text; `full` shows every instruction of every block."""
    page = Page(position, full)
    return "\n".join(page.answer(result) if isinstance(result, Answer) else page.ends(result))


class Page:
    """Formats answers about one position; `full` shows every instruction."""

    def __init__(self, position: Position, full: bool = False) -> None:
        self.program: Program = position.game.program
        self.full = full
        self.player = position.player
        self.wording = Wording(position)

    def answer(self, answer: Answer) -> Iterator[str]:
        """Yield the lines of an answer about moves."""
        to_move = f" ({self.player} to move)" if self.player else ""
        yield f"{answer.question}: {'legal' if answer.legal else 'not legal'}{to_move}"
        if not answer.legal:
            for remark in answer.remarks or (answer.verdict,):
                yield f"  {remark}"
        blocks = [report for report in answer.blocks if report.near] or list(answer.blocks)
        for report in blocks if self.full else blocks[:MANY]:
            yield ""
            yield from self.block(report)
        left = len(blocks) - MANY
        if left > 0 and not self.full:
            yield f"\n{number(left, 'more block')}: --full shows all"
        far = len(answer.blocks) - len(blocks)
        if far:
            yield f"\n{number(far, 'other block')} of this piece never {'reaches' if far == 1 else 'reach'} that square"

    def block(self, report: BlockReport) -> Iterator[str]:
        """Yield the lines of a block: its place and text in the file, then what it did."""
        place = source_place(report.routine.code[-1].origin) or "?"
        yield f"  {report.man}, {report.name}, {place}: {_call(report.routine)}"
        if report.run is None:
            yield f"    not tried: {report.skipped}"
            return
        if self.full:
            yield from self._steps(report.run)
        matching = [w for w in report.written if w.asked]
        for written in matching if self.full else matching[:MANY]:
            yield f"    generates {self._written(written)}"
        if len(matching) > MANY and not self.full:
            yield f"    generates {number(len(matching) - MANY, 'more move')}"
        others = [w for w in report.written if not w.asked]
        if others:
            yield f"    generates {number(len(others), 'other move')}" + f": {others[0].text}" * (len(others) == 1)
        if not matching or self.full:
            yield f"    stops {report.stop}"

    def _written(self, written: Written) -> str:
        verdict = written.verdict
        witness = f": {verdict.witness}" if verdict.witness else ""
        return f"{written.text} - {verdict.words if verdict.legal else f'not legal, {verdict.words}{witness}'}"

    def _steps(self, run: Run) -> Iterator[str]:
        """Yield the trace of a run: operation number, cursor, source text and result of each step."""
        width = max((len(square_name(self.program, s.cursor)) for s in run.steps), default=0)
        previous = ""
        for at, step in enumerate(run.steps):
            macro = step.op.origin.via.macro if step.op.origin and step.op.origin.via else ""
            if macro != previous:
                yield f"    {'in ' + macro if macro else 'in the block itself'} ({source_place(step.op.origin) or '?'})"
                previous = macro
            if run.left_out and at == len(run.steps) - 1:
                yield f"         ({number(run.left_out, 'more step')})"
            yield f"    {step.at:>4}  {square_name(self.program, step.cursor):<{width}}  {self._step(run, step)}"

    def _step(self, run: Run, step: Step) -> str:
        text, words = source_text(step.op), show_op(self.program, step.op, step.at)
        finding = self.wording.finding(run, step)
        answer = {None: "", True: "yes", False: "no"}[holds(step)]
        if step.op.name == "end" or (step.op.name == "goto"):
            return words
        quoted = f"`{text}`" if text and text != words else f"`{words}`"
        wrote = "; ".join(self._wrote(step))
        return " ".join(filter(None, (f"{quoted}{':' if finding or answer or wrote else ''}", answer,
                                      f"({finding})" if finding and answer else finding, wrote)))

    def _wrote(self, step: Step) -> Iterator[str]:
        from zrf_py.play.notation import move_text

        for move in step.wrote:
            yield f"generates {move_text(self.program, self.wording.position, move)}"

    def ends(self, ends: Ends) -> Iterator[str]:
        """Yield the lines about the end conditions."""
        yield ends.outcome or "the game goes on"
        for end in ends.ends:
            yield ""
            place = ", ".join(filter(None, [f"{end.result} of {end.player}", source_place(end.origin)]))
            yield f"{place}: {'holds' if end.goal.holds else 'does not hold'}"
            yield from self._part(end.goal, "  ")
        if ends.defaults:
            yield ""
        yield from ends.defaults

    def _part(self, part: Part, indent: str) -> Iterator[str]:
        count = f", {part.have} of {part.want}" if part.want and not part.holds else ""
        detail = f" ({part.detail})" if part.detail else ""
        yield f"{indent}{'yes' if part.holds else 'no '} {part.words}{count}{detail}"
        for inner in part.parts:
            yield from self._part(inner, indent + "  ")


def _call(routine: Routine) -> str:
    """Return the source text of a block, at most 70 characters: its macro call, or else the block itself."""
    origin = routine.code[-1].origin
    if origin is None:
        return ""
    span = origin.via.call if origin.via else origin.span
    text = " ".join(span.text.split())
    return text if len(text) <= 70 else f"{text[:69]}…"
