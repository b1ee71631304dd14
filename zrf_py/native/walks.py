"""Positions that are only passed by: a lone piece tried on a board, a random game; in native memory all the while.

To ask `Native` for each of them would copy every position in and out.
"""

from typing import ClassVar

from zrf_py.native.engine import Native
from zrf_py.native.kernel import memory as m
from zrf_py.native.records import changes, record_length
from zrf_py.run.position import Changes, Position


class Trials(Native):
    """Tries single pieces on a board, with the kernel for any game."""

    exports: ClassVar[dict[str, int]] = {**Native.exports, "moves_of": 2, "place": 3}
    _board: Position | None = None

    def changes_from(self, board: Position, side: int, kind: int, square: int) -> list[Changes]:
        """What a piece of a type could do if it stood on a square, in the order of the definition.

        :raises RulesFault: if a block never ends there.
        :raises NoRoom: if that doesn't fit into native memory.
        """
        if self._board is not board:
            self._load(board)
            self._board = board
        held = self._put(square, side + 1 | kind + 1 << 8, self.program.game.pieces[kind].attributes)
        try:
            self._state.top = 0
            base = self._call["moves_of"](square, side)
            self._check()
            return changes(self._moves[base : self._state.top])
        finally:
            self._state.error = m.NO_ERROR
            self._put(square, *held)

    def _load(self, position: Position) -> None:
        self._board = None
        super()._load(position)

    def _put(self, square: int, cell: int, attributes: int) -> tuple[int, int]:
        """Write a cell; what it held."""
        held = self._cell[square]
        old = self._arrays["attributes"][square] if self.program.game.attributes else 0
        self._call["place"](square, cell, attributes)
        return held, old


class Walk:
    """A game in an engine's memory, from its start; `moves` before `play`."""

    def __init__(self, engine: Native) -> None:
        """:raises NoRoom: if the start doesn't fit."""
        self._engine = engine
        self._words: list[int] = []
        self._records: list[int] = []
        engine._load(engine.start())

    @property
    def last(self) -> tuple[int, int, int] | None:
        """(from, to, type) of the last move, where a turn begins and the piece is still there."""
        state, cell = self._engine._state, self._engine._cell
        start, end = state.last_from, state.last_to
        if state.chain >= 0 or min(start, end) < 0 or not cell[end]:
            return None
        return start, end, (cell[end] >> 8) - 1

    def moves(self) -> int:
        """How many legal moves there are; none if the game is over. To be asked before the rest.

        :raises RulesFault: if a block never ends.
        :raises NoRoom: if they don't fit.
        """
        self._words = self._list()
        self._records = []
        at = 0
        while at < len(self._words):
            self._records.append(at)
            at += record_length(self._words[at])
        return len(self._records)

    def needs_last(self) -> bool:
        """Whether the legal moves would be others if nobody knew the last one."""
        state, known = self._engine._state, self._words
        last = state.last_from, state.last_to
        state.last_from = state.last_to = -1
        unknown = self._list()
        state.last_from, state.last_to = last
        if known == unknown:
            return False
        self._list()
        return True

    def play(self, number: int) -> None:
        """Make a move of those listed last."""
        self._engine._call["after"](self._records[number])
        self._engine._check()

    def _list(self) -> list[int]:
        engine, state = self._engine, self._engine._state
        state.top = 0
        if state.result < 0:
            engine._call["legal"]()
            engine._check()
        words: list[int] = engine._moves[: state.top]
        return words
