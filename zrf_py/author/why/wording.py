"""Describe what a step of a block found or did, as a phrase."""

from zrf_py.author.why.steps import Run, Step
from zrf_py.front.model import Number
from zrf_py.ir.ops import OPS, Op, Program
from zrf_py.ir.show import show_op
from zrf_py.ir.traits import Operand, Reads
from zrf_py.play.game import Position as Played
from zrf_py.run.numbers import value
from zrf_py.run.position import NOBODY, Position
from zrf_py.text.source import Origin, harmless
from zrf_py.text.suggest import clipped

_ENDED = {"go": "there is no such square to go to", "mark": "there is no such square",
          "cascade": "there is no piece where the movement begins"}
"""Reason why a block ends, by the operation at which it ends."""


def square_name(program: Program, square: int) -> str:
    """Return the name of a square; "off the board" for -1."""
    return program.game.board.places[square].name if square >= 0 else "off the board"


def content(program: Program, position: Position, square: int) -> str:
    """Describe the contents of a square."""
    name, owner = square_name(program, square), position.owner[square]
    if owner == NOBODY:
        return f"{name} is empty"
    return f"{name} holds a {program.game.players[owner].name} {program.game.pieces[position.piece[square]].name}"


def source_text(op: Op) -> str:
    """Return the source text of an operation on one line, clipped if long."""
    return clipped(" ".join(op.origin.span.text.split())) if op.origin else ""


def holds(step: Step) -> bool | None:
    """Return the answer to a test as written (`not-empty?` is run as a negated `empty?`); None if it is not a test."""
    is_negated = source_text(step.op).lstrip("(").startswith("not-") and not step.op.name.startswith("not-")
    return None if step.answer is None else step.answer != is_negated


def source_place(origin: Origin | None) -> str:
    """Return the name of the file and the line of an origin, `chess.zrf:12`; "" if there is none."""
    return harmless(origin.span.place) if origin else ""


class Wording:
    """Phrases about one position, from the point of view of the side to move."""

    def __init__(self, position: Played) -> None:
        self.program, self.position = position.game.program, position.state
        self.game = self.program.game
        self.side = self.game.turns[self.position.turn].side if self.game.turns else NOBODY

    def stop(self, run: Run) -> str:
        """Describe where and why a block stopped."""
        step = run.last
        square = square_name(self.program, step.before)
        if step.op.name != "end" and step.ends:
            return f"on {square} at `{source_text(step.op)}`: {self.finding(run, step)}"
        adds = [s for s in run.steps if s.op.name == "add"]
        if not adds and not run.moves:
            return f"on {square}: the block ends without `add`"
        if not run.moves:
            return f"on {square}: {self.finding(run, adds[-1])}"
        return f"on {square}: the block ends"

    def finding(self, run: Run, step: Step) -> str:
        """Describe what a step found or did; "" if there is nothing to report."""
        op = step.op
        if OPS[op.name].is_test:
            return self._test(step)
        if op.name == "step" and step.cursor < 0:
            words = show_op(self.program, op, 0).removeprefix("step ")
            return f"there is no square in direction `{words}` from {square_name(self.program, step.before)}"
        if op.name == "add":
            return self._add(run, step)
        if step.ends and op.name in _ENDED:
            return _ENDED[op.name]
        if OPS[op.name].moves_cursor and step.cursor != step.before:
            return f"to {square_name(self.program, step.cursor)}"
        return ""

    def _add(self, run: Run, step: Step) -> str:
        if step.wrote:
            return ""
        position, program = self.position, self.program
        if run.drop:
            return f"no {self.game.pieces[run.routine.piece].name} is in the store"
        previous = run.steps[run.steps.index(step) - 1] if run.steps.index(step) else None
        start = previous.from_ if previous else run.start
        if position.owner[start] == NOBODY:
            return f"there is no piece on {square_name(program, start)}"
        if step.op.types:
            return "none of these types is in the store (recycle promotions)"
        return "the move would change nothing: the piece is back where it started"

    def _test(self, step: Step) -> str:
        op, name = step.op, square_name(self.program, step.about)
        row = OPS[op.name]
        if row.where and step.about < 0:
            return f"there is no such square from {square_name(self.program, step.before)}"
        if row.reads is Reads.CONTENT:
            return content(self.program, self.position, step.about)
        if not row.where:
            return self._without_square(step)
        no = "" if step.answer else "not "
        if row.a is Operand.ZONE:
            zone, player = self.game.board.zone_names[op.a], self.game.players[self.side].name
            return f"{name} is {no}in the zone {zone} of {player}"
        if row.a is Operand.ATTRIBUTE:
            place = content(self.program, self.position, step.about)
            return f"{place}, `{self.game.attributes[op.a]}` is {no}set"
        words = {
            "position?": f"it is {no}that square, but {name}" if no else f"it is {name}",
            "marked?": f"{name} is {no}marked",
            "last-from?": f"the last move {'did not start' if no else 'started'} on {name}",
            "last-to?": f"the last move {'did not end' if no else 'ended'} on {name}",
            "adjacent-to-enemy?": f"{name} is {no}linked to an enemy",
            "attacked?": f"{name} is {no}attacked",
            "defended?": f"{name} is {no}defended",
            "goal-position?": f"{name} is {no}a goal",
            "position-flag?": f"the flag of {name} is {no}set",
            "on-board?": f"there is a square, {name}",
        }
        return words[op.name]

    def _without_square(self, step: Step) -> str:
        op = step.op
        if not op.numbers:
            return f"the flag {self.program.flags[op.a]} is {'' if step.answer else 'not '}set"
        left, right = (self.number(number, step.before) for number in op.numbers)
        return f"the numbers are {left} and {right}"

    def number(self, number: Number, square: int = -1) -> int:
        """Return the value of a numeric expression; `square` is the square it refers to (-1: none)."""
        return value(self.program, self.position, self.side, number, square)
