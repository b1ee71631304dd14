"""Positions as nodes of a tree of play: each stores its predecessor and a move number; the rest is computed on demand.

Native memory holds the line of play to the position reached last, and states are read back from it. If it holds another
line, the moves are replayed from an earlier position whose state is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from zrf_py.play import engines
from zrf_py.play.lazy import lazy
from zrf_py.play.move import Listed, Move, Moves
from zrf_py.play.notation import move_text
from zrf_py.run import position as run

if TYPE_CHECKING:
    from zrf_py.native.line import Mark, NativeLine

Game = Any
"""The class of `play/game.py`, which imports this module."""
UNLISTED = -3
REPLAYED = 250
"""Maximum number of moves replayed so that a line of play begins at the start of the game."""
MOST_TEXTS = 100_000
"""Maximum number of cached move texts of a game; a fuller cache is cleared."""
_new = object.__new__


class TreeNode:
    """Base class of `play/game.py`'s `Position`: its state, its moves, and the positions after them."""

    game: Game
    previous: Any
    _count = UNLISTED
    """Number of legal moves (0 or -1 if a goal on the board ended the game), or `UNLISTED`."""
    _number = -1
    """Number of the move that led here, among the moves of `previous`. If it is -1, `move` and `state` are known."""
    _mark: Mark | None = None
    """Mark of the position on a line of play in native memory; None if it has not been on one."""

    @lazy
    def state(self) -> run.Position:
        """The engine's position, with numbers instead of names; read back from native memory on first use."""
        before = self.previous
        assert before is not None
        state = self._read()
        if state is None and before.state is not None:  # within a turn, native memory holds only what a leg changes
            state = self._read()
        return state or self.game.engine.after(before.state, before.legal[self._number])

    def _read(self) -> run.Position | None:
        """Read the state back from native memory; None if that is impossible."""
        if (reached := self._reach()) is None:
            return None
        line, mark = reached
        return line.state(mark, vars(self.previous).get("state"))

    @lazy
    def move(self) -> Move | None:
        """The move that led here; None at the start, and after an edit."""
        return Listed(self.previous, self._number) if self.previous is not None else None

    def _reach(self) -> tuple[NativeLine, Mark] | None:
        """Bring native memory to a line of play with this position; return (line, mark), or None if that fails."""
        line, mark = self.game.here.line, self._mark
        if line and mark and line.holds(mark):
            return line, mark
        first, steps = self._back(line)
        if line and first._mark and line.holds(first._mark):
            mark = first._mark
        elif (begun := self._begun(first)) is not None:
            line, mark = begun
        else:
            return None
        for step in steps:
            if (mark := line.step(mark, step._number)) is None:
                return None
            step._mark, step._count = mark, line.count
        line.limit_room()
        return (line, mark) if mark else None

    def _back(self, line: NativeLine | None) -> tuple[TreeNode, list[TreeNode]]:
        """Return the position from which to replay, and those after it up to this one. Replay begins at the game's
        start if `REPLAYED` allows, to detect repetition; else at the last position on `line` or with a known state."""
        here: TreeNode = self
        steps: list[TreeNode] = []
        while "state" not in vars(here) and not (line and line.holds(here._mark)):
            steps.append(here)
            here = here.previous
        there, more = here, steps.copy()
        while there._number >= 0 and len(more) < REPLAYED and not (line and line.holds(there._mark)):
            more.append(there)
            there = there.previous
        if there.previous is None:
            here, steps = there, more
        return here, steps[::-1]

    def _begun(self, first: TreeNode) -> tuple[NativeLine, Mark] | None:
        """Begin a line of play with a position; return (line, mark), or None if native code can't play on from it."""
        engine = self.game.engine
        if not isinstance(engine, engines.Auto) or first.state.result:
            return None
        begun = engine.begin(first.state, is_first=first.previous is None)
        if begun:
            first._mark, first._count = begun[1], begun[0].count
        return begun

    @lazy
    def legal(self) -> tuple[run.Move, ...]:
        """The engine's legal moves, with numbers instead of names."""
        reached = self._reach()
        return reached[0].moves(reached[1]) if reached else self.game.engine.moves(self.state)

    @lazy
    def texts(self) -> list[str]:
        """The notation of the legal moves, in their order."""
        reached, cached = self._reach(), self.game.texts
        if reached is None:
            return [move_text(self.game.program, self.state, raw) for raw in self.legal]
        keys = reached[0].texts(reached[1])
        if len(cached) > MOST_TEXTS:
            self.game.texts = cached = {}  # other threads keep using the old cache
        texts: list[str] = [*map(cached.get, keys)]
        if None in texts:
            for key, raw in zip(keys, self.legal, strict=True):
                if key not in cached:
                    cached[key] = move_text(self.game.program, self.state, raw)
            texts = [cached[key] for key in keys]
        return texts

    def moves(self) -> Moves:
        """Return the legal moves or legs of the player to move, in generation order; empty if the game is over,
        except by repetition. A move that several blocks generate is listed once for each of them, as equal moves.

        :raises RulesFault: a kind of `ZrfError`, if the rules can't be followed on this position.
        """
        if self._count == UNLISTED:
            self._list()
        return Moves(self, self._count if self._count > 0 else 0)

    def _list(self) -> None:
        """Count the legal moves, natively if possible."""
        if (reached := self._reach()) is None:
            self._count = len(self.legal)
        else:
            self.game.repeats = reached[0].repeats

    def play(self, move: Move | str | int) -> Self:
        """Return the position after a legal move, given as a `Move`, as text, or by its number in `moves()`, which is
        the fastest.

        :raises ZrfError: if the move isn't legal here.
        """
        if isinstance(move, Listed) and move.position is self:
            number = move.number
        elif move.__class__ is int and 0 <= move < self._count:
            number = move
        else:
            return self._play_other(move)
        line = self.game.here.line
        mark = line.step(self._mark, number) if line is not None else None
        if mark is None and self._mark is not None and (reached := self._reach()) is not None:
            line, mark = reached[0], reached[0].step(reached[1], number)
        if mark is not None and line is not None:
            new = _new(type(self))
            new.game, new.previous, new._number, new._mark, new._count = self.game, self, number, mark, line.count
            return new
        new = self.after(Move(self.legal[number], self.game.program, self.state))
        new._number = number
        return new

    def _play_other(self, move: Any) -> Self:
        """Like `play`, for a text, a move that isn't from this position's list, or a number that needs a check."""
        raise NotImplementedError

    def after(self, move: Move) -> Self:
        """Return the position after a move, such as one from a faulty record, without checking that it is legal."""
        raise NotImplementedError
