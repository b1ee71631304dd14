"""Verdicts on moves written by blocks: legal, or the rule applied after the blocks that forbids the move.

The interpreter's rules do the work; `Watcher` records the moves left after each of their stages.
"""

from collections.abc import Iterator

from zrf_py.author.why.steps import Verdict
from zrf_py.ir.ops import Program
from zrf_py.play.notation import move_text
from zrf_py.run.interpret import generate_from, removed
from zrf_py.run.position import NOBODY, Move, Position
from zrf_py.run.rules import Rules

LEGAL = Verdict("legal", "legal")


class Watcher(Rules):
    """The rules of a game, with the stages of move generation recorded for one position."""

    def __init__(self, program: Program, position: Position) -> None:
        super().__init__(program)
        self.position = position
        self.scores: dict[Move, tuple[int, int]] = {}
        """(legs, value) of the longest chain that begins with each move; empty without "maximal captures"."""
        self.left = tuple(self.candidates(position)) if self.turns and position.result is None else ()
        """The moves that turn order and move priorities allow, in order."""
        self.allowed = frozenset(self.left)
        self.chosen = self._chosen_priority()
        self.legal = frozenset(self.moves(position))

    def _reach(
        self, position: Position, move: Move, path: frozenset[object], looks: Iterator[int],
    ) -> tuple[int, int]:
        score = super()._reach(position, move, path, looks)
        if position is self.position:
            self.scores[move] = score
        return score

    def _chosen_priority(self) -> int:
        """Return the move type that has priority here; -1 if none has."""
        position, game = self.position, self.game
        if not self.turns or position.result is not None:
            return -1
        required = position.chain[1] if position.chain else self.turns[position.turn].move_type
        if not game.priorities or required >= 0:
            return -1
        for move_type in game.priorities:
            moves = self.generated(position, move_type)
            if moves and frozenset(moves) == self.allowed:
                return move_type
        return -1

    def verdict(self, move: Move) -> Verdict:
        """Return the verdict on a move that a block wrote here; the code "unknown" would be a bug in this module."""
        if move in self.legal:
            return LEGAL
        if move not in self.allowed:
            return self._too_low()
        if self.scores and self.scores[move] != max(self.scores.values()):
            return self._too_short(move)
        if not self._can_finish(self.position, move):
            return self._unfinished(move)
        if move.is_pass:
            return Verdict("pass-twice", "the list already contains a pass")
        return Verdict("unknown", "left out for an unknown reason")

    def _too_low(self) -> Verdict:
        if self.chosen < 0:
            return Verdict("unknown", "left out before priorities, for an unknown reason")
        first = self.program.move_types[self.chosen]
        witness = move_text(self.program, self.position, self.left[0])
        return Verdict("priority", f"there are moves of type `{first}`, which come first (move-priorities)", witness)

    def _too_short(self, move: Move) -> Verdict:
        best = max(self.scores.values())
        better = next(m for m, score in self.scores.items() if score == best)
        legs, value = self.scores[move]
        words = f"another turn has more legs: {best[0]} against {legs}"
        if legs == best[0]:
            words = f"another turn captures pieces of a higher value: {best[1]} against {value}"
        witness = move_text(self.program, self.position, better)
        return Verdict("maximal-captures", f"{words} (maximal captures)", witness)

    def _unfinished(self, move: Move) -> Verdict:
        new = self._after(self.position, move)
        if new.chain is not None:
            return Verdict("no-end", "after it, there is no legal way to finish the turn")
        if move.must:
            return Verdict("must-continue", "the turn may not end with it, but can't continue (must-continue)")
        if self._is_null(self.position, new):
            return Verdict("null-turn", "the turn would leave the board unchanged (null turns)")
        takers = list(self.takers(new))
        if not takers:
            return Verdict("unknown", "the turn can't end with it, for an unknown reason")
        piece, witness = takers[0]
        return Verdict("royal", f"{piece} could be captured", witness)

    def takers(self, position: Position) -> Iterator[tuple[str, str]]:
        """Yield the other players' royal pieces that the player to move could take, each with the capturing move."""
        turn, game = self.turns[position.turn], self.game
        for square, owner in enumerate(position.owner):
            if owner != turn.side:
                continue
            for move in generate_from(self.program, position, turn.side, square, turn.move_type):
                for target in removed(move):
                    holder = position.owner[target]
                    if holder not in (NOBODY, turn.side) and position.piece[target] in self.royals[holder]:
                        man = f"the {game.players[holder].name} {game.pieces[position.piece[target]].name}"
                        yield f"{man} on {game.board.places[target].name}", move_text(self.program, position, move)

    def passing(self) -> Verdict:
        """Return the verdict on a pass that no block writes."""
        position = self.position
        if any(m.is_pass for m in self.legal):
            return LEGAL
        if position.chain:
            if position.must:
                return Verdict("must-continue", "the turn may not end here (must-continue)")
            if not self.options.pass_partial:
                return Verdict("pass-partial", 'the turn must continue: the option "pass partial" is not true')
        elif self.options.pass_turn == "forced":
            if self.legal:
                return Verdict("pass-turn", 'the option "pass turn" is forced, and there are other moves')
        elif self.options.pass_turn == "never":
            return Verdict("pass-turn", 'passing is not allowed: the option "pass turn" is not true')
        return self._unfinished(Move(self.turns[position.turn].side))
