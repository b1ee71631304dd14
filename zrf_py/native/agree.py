"""Compare two engines: play a random game through both, and compare everything at every ply.

The interpreter is the reference; `agree` checks the native engine against it.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Protocol, TypeVar, runtime_checkable

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.position import NOBODY, Move, Position
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import ZrfError

T = TypeVar("T")
ALIKE = 4
"""Make and unmake are checked in this many consecutive plies, then left unchecked in as many, and so on."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """First difference between two engines: what differs, after how many plies of the random games with this seed."""

    title: str
    seed: int
    ply: int
    what: str
    only_interpret: tuple[str, ...]
    only_native: tuple[str, ...]
    board: str

    def __str__(self) -> str:
        lines = [f"{self.title}: the engines differ in the {self.what} after {self.ply} plies", "", self.board, ""]
        lines += [f"only interpret: {text}" for text in self.only_interpret[:12]]
        lines += [f"only native:    {text}" for text in self.only_native[:12]]
        lines.append(f"to repeat this: zrf agree FILE --variant {self.title!r} --seed {self.seed} --plies {self.ply}")
        return "\n".join(lines)


def agree(
    program: Program, seed: int, plies: int, native: Engine, budget: Callable[[], bool] | None = None,
) -> Disagreement | int:
    """Play random games through both engines and compare them.

    When a game ends early another one begins. Return the number of plies compared, or the first disagreement. `budget`
    is called before each ply; False ends the comparison.
    """
    comparison = _Comparison(program, seed, native)
    for ply in range(plies):
        if budget is not None and not budget():
            return ply
        disagreement = comparison.ply(ply)
        if disagreement is not None:
            return disagreement
    return plies


@runtime_checkable
class Unmakes(Protocol):
    """An engine that makes and unmakes moves in one memory, and can report what it fails to restore."""

    def not_restored(self, position: Position) -> list[str]: ...


class _Comparison:
    """A random game in both engines, each continuing from its own position.

    At some plies the last position is still in native memory, at others it is overwritten; so both paths are tested.
    """

    def __init__(self, program: Program, seed: int, native: Engine) -> None:
        self.program = program
        self.seed = seed
        self.random = random.Random(seed)
        self.rules = Rules(program)
        self.native = native
        self.position = self.there = self.rules.start()

    def ply(self, ply: int) -> Disagreement | None:
        """Compare moves and outcome, play a move, compare the positions after it; return None if they agree."""
        moves, fault = _answer(lambda: self.rules.moves(self.position))
        others, other_fault = _answer(lambda: self.native.moves(self.there))
        if fault != other_fault:
            return self._differ(ply, "fault", (fault,), (other_fault,))
        if moves != others:
            return self._differ(ply, *_difference(moves, others))
        outcome, _ = _answer(lambda: (self.rules.outcome(self.position),))
        other, _ = _answer(lambda: (self.native.outcome(self.there),))
        if outcome != other:
            return self._differ(ply, "outcome", (str(outcome),), (str(other),))
        looks_back = ply // ALIKE % 2 == 0
        if looks_back and isinstance(self.native, Unmakes) and (wrong := self.native.not_restored(self.there)):
            return self._differ(ply, "make and unmake", (), tuple(wrong))
        if not moves:
            self.position = self.there = self.rules.start()
            return None
        move = self.random.choice(moves)
        return self._play(ply, move)

    def _play(self, ply: int, move: Move) -> Disagreement | None:
        after, fault = _answer(lambda: (self.rules.after(self.position, move),))
        other, other_fault = _answer(lambda: (self.native.after(self.there, move),))
        if fault != other_fault or tuple(map(_facts, after)) != tuple(map(_facts, other)):
            return self._differ(ply, f"position after {move}", _differing(after, other) or (fault,),
                                _differing(other, after) or (other_fault,))
        self.position = after[0] if after else self.rules.start()
        self.there = other[0] if other else self.position
        return None

    def _differ(self, ply: int, difference: str, values: tuple[str, ...], others: tuple[str, ...]) -> Disagreement:
        return Disagreement(self.program.game.title, self.seed, ply, difference, values, others,
                            board_text(self.program, self.position))


def _answer(question: Callable[[], tuple[T, ...]]) -> tuple[tuple[T, ...], str]:
    """Return (answer, ""), or ((), fault text) if the question raises an error."""
    try:
        return question(), ""
    except ZrfError as error:
        return (), str(error) or "fault"


def _difference(moves: tuple[Move, ...], others: tuple[Move, ...]) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    mine, theirs = set(moves), set(others)
    if mine == theirs:
        return "order of the moves", tuple(map(str, moves)), tuple(map(str, others))
    return ("moves", tuple(str(move) for move in moves if move not in theirs),
            tuple(str(move) for move in others if move not in mine))


_FACTS = tuple(field.name for field in fields(Position))


def _facts(position: Position) -> tuple[object, ...]:
    """Return all fields of a position."""
    return tuple(getattr(position, name) for name in _FACTS)


def _differing(positions: tuple[Position, ...], others: tuple[Position, ...]) -> tuple[str, ...]:
    if not positions or not others:
        return ()
    pairs = zip(_FACTS, _facts(positions[0]), _facts(others[0]), strict=True)
    return tuple(f"{name} {mine}" for name, mine, other in pairs if mine != other)


def board_text(program: Program, position: Position) -> str:
    """Format the pieces of each player, the turn, the chain and the last move."""
    game = program.game
    lines = []
    for number, player in enumerate(game.players):
        pieces = " ".join(
            f"{game.pieces[position.piece[s]].name}-{place.name}"
            for s, place in enumerate(game.board.places) if position.owner[s] == number != NOBODY
        )
        lines.append(f"{player.name}: {pieces}")
    return "\n".join([*lines, f"turn {position.turn}, chain {position.chain}, last {position.last_from} "
                              f"{position.last_to}"])
