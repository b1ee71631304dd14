"""Cost of a solution: its score, if the rules define one, else its number of turns.

Random games show whether the score grows by turns or by legs; the search can then proceed by cost.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.play.game import Position
from zrf_py.run import goals
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Diagnostic, ZrfError

TURNS, LEGS, OTHER = "turns", "legs", "other"
GAMES, LENGTH = 4, 12


@dataclass(frozen=True)
class Measure:
    """Cost of solutions: a turn costs 1 (`kind` TURNS), its number of legs (LEGS) or an unknown amount (OTHER). Rules
    define a score (`scored`), test how many turns were made (`turns_matter`) or counters (`counters_matter`)."""

    program: Program
    scored: bool
    kind: str
    turns_matter: bool
    counters_matter: bool
    solver: int

    @property
    def adds_up(self) -> bool:
        """True if the cost of a solution is the sum of the costs of its turns."""
        return self.kind != OTHER

    def cost(self, legs: int) -> int:
        """Return the cost of a turn."""
        return legs if self.kind == LEGS else 1

    def of(self, end: Position, legs: Sequence[int]) -> tuple[int, int | None]:
        """Return (cost, score or None) of a solution with the given legs per turn; lower costs are better."""
        score = goals.score(self.program, end.state, self.solver) if self.scored else None
        if self.adds_up or score is None:
            return sum(self.cost(n) for n in legs), score
        return score if self.program.game.lowest_wins else -score, score


def measure(start: Position) -> Measure:
    """Determine the cost measure of a puzzle.

    :raises ZrfError: if a random game reaches a chance move with several outcomes.
    """
    program = start.game.program
    game = program.game
    solver = game.playing[0]
    steps = [step for n in range(GAMES) for step in _play(start, solver, n)]
    kind = TURNS
    if game.score is not None:
        kind = OTHER
        if game.lowest_wins:
            by_legs = game.score.kind != "turns-made" and all(change == legs for change, legs in steps)
            kind = LEGS if by_legs else TURNS if all(change == 1 for change, _ in steps) else OTHER
    parts = game.ends, game.turns, (program.moves, program.drops)
    return Measure(program, game.score is not None, kind, any(_mentions(part, "turns-made") for part in parts),
                   any(_mentions(part, "counter") for part in parts), solver)


def _play(start: Position, solver: int, seed: int) -> list[tuple[int, int]]:
    """Play a random game; return for each turn the change of the score and the number of legs."""
    program, engine, draw = start.game.program, Rules(start.game.program), random.Random(seed)
    state, steps, legs, before = start.state, [], 0, 0
    if program.game.score is not None:
        before = goals.score(program, state, solver)
    for _ in range(LENGTH):
        moves = engine.moves(state)
        if not moves:
            break
        if len(moves) > 1 and program.game.players[engine.player_to_move(state)].kind == "random":
            raise ZrfError([Diagnostic("chance-goes-on", f"{start.game.title} has chance moves after the start", None,
                                       help="`zrf solve` is for puzzles without chance after the start")])
        move = draw.choice(moves)
        legs += not move.is_pass
        state = engine.after(state, move)
        if state.chain is None:
            now = goals.score(program, state, solver) if program.game.score is not None else 0
            steps.append((now - before, legs))
            before, legs = now, 0
    return steps


def _mentions(node: object, kind: str) -> bool:
    """Return whether a `Number` of this kind occurs anywhere in a part of the checked game."""
    if isinstance(node, model.Number) and node.kind == kind:
        return True
    if isinstance(node, tuple):
        return any(_mentions(part, kind) for part in node)
    return is_dataclass(node) and any(_mentions(getattr(node, f.name), kind) for f in fields(node))
