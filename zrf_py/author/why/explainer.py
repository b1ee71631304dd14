"""Answer a question about a position: each block that could make the move, with the verdict on the moves it wrote."""

from zrf_py.author.why.questions import ANY, Question, read_question
from zrf_py.author.why.steps import Answer, BlockReport, Run, Verdict, Written
from zrf_py.author.why.tracing import trace
from zrf_py.author.why.verdicts import Watcher
from zrf_py.author.why.wording import Wording, content, square_name
from zrf_py.ir.ops import GO, OPS, WRITING, Routine
from zrf_py.ir.traits import Writes
from zrf_py.play.game import Position
from zrf_py.play.move import Move
from zrf_py.play.notation import move_text
from zrf_py.run.interpret import drop_squares
from zrf_py.run.position import Move as Leg


def why_move(position: Position, text: str) -> Answer:
    """Explain why a move is legal in a position, or why not. `text` is a move, `PIECE@SQUARE` or a square.

    >>> from zrf_py.play.game import load
    >>> answer = why_move(load("chess").start(), "e2 e5")
    >>> answer.legal, answer.verdict, len(answer.blocks)
    (False, 'no block generates it', 6)

    :raises ZrfError: if the text is none of these, or a block never ends.
    """
    return Explainer(position).ask(text)


class Explainer:
    """Answers questions about one position; its blocks are traced once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.state = position.state
        self.program = position.game.program
        self.game = self.program.game
        self.rules = Watcher(self.program, self.state)
        turn = self.game.turns[self.state.turn] if self.game.turns else None
        self.wording = Wording(position)
        self.side = self.wording.side
        self.move_type = self.state.chain[1] if self.state.chain else turn.move_type if turn else -1
        self.runs = self._all_runs()
        self.furthest: dict[int, int] = {}
        """Id of the routine of a drop block → the furthest operation that any of its runs executes."""
        for run in self.runs:
            if run.drop:
                self.furthest[id(run.routine)] = max(run.reach, self.furthest.get(id(run.routine), 0))
        outcome = self.position.outcome()
        self.over = f"the game is over: {outcome}" if outcome else ""

    def _all_runs(self) -> list[Run]:
        """Return the runs of all blocks; a move type with priority is traced separately, as the rules run it."""
        if self.side < 0:
            return []
        runs, fault = trace(self.program, self.state, self.side, self.move_type)
        if fault:
            raise fault
        if self.rules.chosen >= 0:
            alone, _ = trace(self.program, self.state, self.side, self.rules.chosen)
            by_start = {(id(run.routine), run.start, run.drop): run for run in alone}
            runs = [by_start.get((id(run.routine), run.start, run.drop), run) for run in runs]
        return runs

    def ask(self, text: str) -> Answer:
        """Answer a question given as text.

        :raises ZrfError: if the text is not a question, or a block never ends.
        """
        return self.answer(read_question(self.position, text))

    def answer(self, question: Question) -> Answer:
        blocks = [self._report_of(run, question) for run in self.runs if self._concerns(run, question)]
        blocks += self._skipped(question)
        matching = [w for report in blocks for w in report.written if w.asked]
        legal = not self.state.result and any(w.verdict.legal for w in matching)
        verdict = "legal" if legal else "no block generates it"
        if matching and not legal:
            verdict = f"a block generates it, but {matching[0].verdict.words}"
        if question.passing:
            passing = self._passing(matching)
            legal, verdict = passing.legal, passing.words
        remarks = self._remarks(question)
        if not blocks and not remarks and not question.passing:
            remarks = ["no block moves two pieces at once" if question.castling
                       else f"no block reaches {square_name(self.program, question.end)}"]
        return Answer(question.text, legal, verdict, tuple(remarks), tuple(blocks))

    def _passing(self, matching: list[Written]) -> Verdict:
        if self.side < 0 or self.state.result:
            return Verdict("over", "no player is to move")
        return next((w.verdict for w in matching if w.verdict.legal), None) or self.rules.passing()

    def _concerns(self, run: Run, question: Question) -> bool:
        """Return whether a run is relevant to a question: it wrote the move, or could have led to it."""
        if run.moves and any(self._means(question, move) for move in run.moves):
            return question.kind in (ANY, run.routine.piece) and (run.drop or not question.store)
        if question.exact is not None or question.passing:
            return False
        if question.castling:
            return not run.drop and any(op.name == "cascade" for op in run.routine.code)
        if question.start != ANY:
            return run.start == question.start and not run.drop
        fits = question.kind in (ANY, run.routine.piece) and (run.drop or not question.store)
        if not fits or not run.drop:
            return fits and run.visits(question.end)
        if not _drops_elsewhere(run.routine):
            return run.start == question.end
        return run.reach == self.furthest[id(run.routine)] or (run.start != question.end and run.visits(question.end))

    def _means(self, question: Question, move: Leg) -> bool:
        if not question.castling or move.is_pass:
            return question.means(move)
        return self.position.game.writer.castled(Move(move, self.program, self.state)) == question.castling

    def _report_of(self, run: Run, question: Question) -> BlockReport:
        written = tuple(
            Written(move, move_text(self.program, self.state, move), self._means(question, move),
                    self.rules.verdict(move)) for move in run.moves)
        near = question.end == ANY or run.visits(question.end) or any(w.asked for w in written)
        man = self._man(run.routine, run.start, run.drop)
        return BlockReport(self._name(run.routine), run.routine, man, run, written, self.wording.stop(run), near=near)

    def _name(self, routine: Routine) -> str:
        """Return a block's name, with its number among the blocks of its piece: `moves 3`, `drops 1`."""
        for word, routines in (("moves", self.program.moves), ("drops", self.program.drops)):
            for number, candidate in enumerate(routines[routine.piece], 1):
                if candidate is routine:
                    return f"{word} {number}"
        return "?"

    def _man(self, routine: Routine, square: int, drop: bool) -> str:
        name = self.game.pieces[routine.piece].name
        if drop and square != ANY and _drops_elsewhere(routine):
            return f"{name} from the store (the block begins on {square_name(self.program, square)})"
        return f"{name} from the store" if drop else f"{name} on {square_name(self.program, square)}"

    def _skipped(self, question: Question) -> list[BlockReport]:
        """Return the blocks of the piece in question that were not tried, each with the reason."""
        if question.exact is not None or question.passing or self.state.chain or self.side < 0:
            return []
        reports = []
        if question.start != ANY and self.state.owner[question.start] == self.side:
            for routine in self.program.moves[self.state.piece[question.start]]:
                if words := self._other_type(routine):
                    reports.append(self._untried(routine, self._man(routine, question.start, False), words))
        if question.start == ANY and (question.kind != ANY or question.store):
            for routine in self.program.drops[question.kind]:
                words = self._other_type(routine)
                squares = drop_squares(self.program, routine, self.side)
                if not words and question.end not in squares and not _drops_elsewhere(routine):
                    words = f"it does not apply to {square_name(self.program, question.end)}"
                if words:
                    reports.append(self._untried(routine, self._man(routine, -1, True), words))
        return reports

    def _untried(self, routine: Routine, man: str, words: str) -> BlockReport:
        return BlockReport(self._name(routine), routine, man, skipped=words)

    def _other_type(self, routine: Routine) -> str:
        if self.move_type in (-1, routine.move_type):
            return ""
        return f"this turn is for moves of type `{self.program.move_types[self.move_type]}` only"

    def _remarks(self, question: Question) -> list[str]:
        """Return the reasons that do not depend on blocks, such as the end of the game."""
        if self.over:
            return [self.over]
        if self.side < 0:
            return ["no player has a turn in this game"]
        remarks = []
        chain = self.state.chain
        if chain and question.start != chain[0] and question.exact is None and not question.passing:
            remarks.append(f"a turn is in progress: only the piece on {square_name(self.program, chain[0])} can move")
        if question.start != ANY and self.state.owner[question.start] != self.side:
            remarks.append(f"{content(self.program, self.state, question.start)}; "
                           f"this turn is for pieces of {self.game.players[self.side].name}")
        elif question.start != ANY and not self.program.moves[self.state.piece[question.start]]:
            remarks.append(f"a {self.game.pieces[self.state.piece[question.start]].name} has no moves")
        return remarks


def _drops_elsewhere(routine: Routine) -> bool:
    """Return whether a drop block writes a move away from its first square; jumps in the code are not followed."""
    moved = False
    for op in routine.code:
        if op.name in WRITING and moved:
            return True
        if OPS[op.name].writes & Writes.CURSOR:
            moved = op.name != "go" or GO[op.a] not in ("from", "mark")
    return False
