"""Positions that are only passed through, held in native memory: a lone piece tried on a board, a random game.

`Native` would copy each of them in and out.
"""

from dataclasses import replace

from zrf_py.ir.ops import Program
from zrf_py.native.engine import Native
from zrf_py.native.extension import NOTHING, Extension
from zrf_py.native.kernel import memory as m
from zrf_py.native.machine import Machine
from zrf_py.native.records import changes, record_length
from zrf_py.run.position import Changes, Position


class Trials:
    """Trial placement of single pieces on a board, with the kernel for any game."""

    def __init__(self, program: Program, also: Extension = NOTHING) -> None:
        """:param also: an extension whose kernel is loaded anyway, so that no other one is needed."""
        self.machine = Machine(program, replace(also, exports=(*also.exports, ("moves_of", 2), ("place", 3))))
        self.games = Native(program, machine=self.machine)
        """Engine for whole games in the same memory."""
        self._board: tuple[Position, int] | None = None
        """The board in memory, and `Border.used` when it was loaded."""

    def changes_from(self, board: Position, side: int, kind: int, square: int) -> list[Changes]:
        """Return the changes of each move of a piece if it stood on a square, in generation order.

        :raises RulesFault: if a block never ends there.
        :raises NoRoom: if they don't fit into native memory.
        """
        machine, border = self.machine, self.games.border
        if self._board != (board, border.used):
            border.load(board)
            self._board = board, border.used
        held = self._put(square, side + 1 | kind + 1 << 8, machine.program.game.pieces[kind].attributes)
        try:
            machine.state.top = 0
            base = machine.call["moves_of"](square, side)
            border.check()
            return changes(machine.moves[base : machine.state.top])
        finally:
            machine.state.error = m.NO_ERROR
            self._put(square, *held)

    def _put(self, square: int, cell: int, attributes: int) -> tuple[int, int]:
        """Write a cell; return its previous content and attributes."""
        machine = self.machine
        held = machine.cell[square]
        old = machine.arrays["attributes"][square] if machine.program.game.attributes else 0
        machine.call["place"](square, cell, attributes)
        return held, old


class Walk:
    """A game in an engine's memory, from its start; call `moves` before `play`."""

    def __init__(self, engine: Native) -> None:
        """:raises NoRoom: if the start doesn't fit."""
        self._machine, self._border = engine.machine, engine.border
        self._words: list[int] = []
        self._records: list[int] = []
        engine.border.load(engine.start())

    @property
    def last(self) -> tuple[int, int, int] | None:
        """The last move: from (-1: a drop), to, type (-1: no piece is left); None at the start and within a turn."""
        state, cell = self._machine.state, self._machine.cell
        start, end = state.last_from, state.last_to
        if state.chain >= 0 or end < 0:
            return None
        return start, end, (cell[end] >> 8) - 1

    def moves(self) -> int:
        """List the legal moves and return their number; 0 if the game is over. Call it before the other methods.

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
        """Return whether the legal moves depend on the last move."""
        state, with_last = self._machine.state, self._words
        last = state.last_from, state.last_to
        state.last_from = state.last_to = -1
        without_last = self._list()
        state.last_from, state.last_to = last
        if with_last == without_last:
            return False
        self._list()
        return True

    def play(self, number: int) -> None:
        """Make a move, by its number in the last list."""
        self._machine.call["after"](self._records[number])
        self._border.check()

    def _list(self) -> list[int]:
        machine, state = self._machine, self._machine.state
        state.top = 0
        if state.result < 0:
            machine.call["legal"]()
            self._border.check()
        words: list[int] = machine.moves[: state.top]
        return words
