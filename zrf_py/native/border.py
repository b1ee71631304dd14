"""Marshalling: load positions into native memory, make moves there, read positions back.

The last position loaded or reached stays in memory, so that playing move by move does not load every position.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from zrf_py.native.errors import NoRoom
from zrf_py.native.kernel import goals as g
from zrf_py.native.kernel import memory as m
from zrf_py.native.kernel.cells import UNDO_WORDS
from zrf_py.native.machine import Machine
from zrf_py.native.records import decode, encode
from zrf_py.run import goals
from zrf_py.run.faults import endless, endless_turn
from zrf_py.run.position import Move, Position
from zrf_py.run.rules import Rules
from zrf_py.text.numbers import LARGEST

Answer = TypeVar("Answer")
S = m.PositionFields
STAMPS = (S.fields["stamps"].at, S.fields["stamps"].at + 1, S.met_stamp, S.reach_stamp, S.asked_stamp)
"""Counters of the state that survive loading a position, so that results cached under earlier values stay invalid."""
_TURN, _FROM, _TO, _CHAIN, _CHAIN_TYPE = S.turn, S.last_from, S.last_to, S.chain, S.chain_type
_MOVER, _RESULT, _TAKEN_FROM, _TAKEN_TO = S.mover, S.result, S.taken_from, S.taken_to
_MUST, _STEP, _OUT, _UNDO, _TOP, _ERROR = S.must, S.step, S.out, S.undo, S.top, S.error
Numbers = tuple[tuple[int, ...], ...]


class Border:
    """Marshaller between positions and the memory of one machine."""

    def __init__(self, machine: Machine, rules: Rules) -> None:
        self.machine = machine
        self.program = machine.program
        self.rules = rules
        """The interpreter: the reference, and the fallback."""
        self._last_cells: tuple[Position, list[int]] | None = None
        self._held: Position | None = None
        """The position in native memory; None once anything else has been done there."""
        self.marks: list[tuple[int, ...]] = []
        """Marks of the positions in memory that make up a line of play (`line.py`)."""
        self.used = 0
        """Number of loads and other uses of the memory; after a change, a caller's data may have been overwritten."""

    def legal(self, position: Position) -> list[Move]:
        """Return the legal moves of a position.

        :raises NoRoom: if they don't fit. Raises the errors of `check`, too.
        """
        data = self._holding(position, self._list_moves)
        self._held = position
        return decode(data, self.rules.turns[position.turn].side)

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move; raises like `legal`."""
        record = encode(move)
        logged = self._holding(position, lambda: self._make_move(record))
        self._held = new = self.position(position, logged)
        return new

    def _holding(self, position: Position, work: Callable[[], Answer]) -> Answer:
        """Run `work` with the position in native memory. The caller sets `_held` to the position left there."""
        others = self.machine.is_waiting or self.machine.also.modules  # new code or extensions may change the memory
        if self._held is position and not others:
            self._held = None
            self.used += 1
            with suppress(NoRoom):  # the log may be full of moves that were never unmade
                return work()
        self.load(position)
        return work()

    def _list_moves(self) -> bytes:
        """Return the records of the legal moves."""
        state = self.machine.arrays["state"]
        state[_TOP] = 0
        base = self.machine.call["legal"]()
        self.check()
        return self.machine.records[base : state[_TOP]].tobytes()

    def _make_move(self, record: Sequence[int]) -> int:
        """Make a move in native memory; return the index in the undo log where its entries begin."""
        state = self.machine.arrays["state"]
        for i, word in enumerate(record):
            self.machine.moves[i] = word
        state[_TOP], logged = len(record), int(state[_UNDO])
        self.machine.call["after"](0)
        self.check()
        return logged

    def load(self, position: Position) -> None:
        """Load a position into native memory; raise `NoRoom` if it does not fit."""
        if self.machine.arrays:
            if self.machine.is_waiting:
                self.machine.advance()
        else:
            self.machine.make_ready()
        self._held = None
        self.used += 1
        self.marks.clear()
        arrays, memory, words = self.machine.arrays, self.machine.arrays["state"], [0] * S.size
        self.machine.cell[:] = self._cells_of(position)
        if self.program.game.attributes:
            arrays["attributes"][:] = position.attributes
        for at in STAMPS:
            words[at] = memory[at]
        words[S.turn], words[S.last_from], words[S.last_to] = position.turn, position.last_from, position.last_to
        words[S.chain], words[S.chain_type] = position.chain or (-1, 0)
        words[S.mover], words[S.result], words[S.taken_to] = position.mover, -1, len(position.taken)
        self._load_numbers(position, words)
        memory[:] = words
        captured = arrays["taken"]
        if len(position.taken) > len(captured):
            raise NoRoom
        for i, (player, kind) in enumerate(position.taken):
            captured[i] = player + 1 | kind + 1 << 8
        if position.chain and position.origin and not self.rules.null_turns:
            self.machine.cell[:] = _cells(*position.origin)
            self.machine.state.origin = self.machine.call["of_cells"]()
            self.machine.cell[:] = self._cells_of(position)
        self.machine.call["recount"]()

    def _cells_of(self, position: Position) -> list[int]:
        """Return the cells of a position; the last result is cached."""
        if self._last_cells is None or self._last_cells[0] is not position:
            self._last_cells = position, _cells(position.owner, position.piece)
        return self._last_cells[1]

    def _load_numbers(self, position: Position, words: list[int]) -> None:
        """Load the array `stores` and the ZRF+ fields of `words`; raise `NoRoom` if a number is too large."""
        rows = [*position.stores, *position.counters, position.made]
        numbers = [number for row in rows for number in row]
        if any(abs(number) > LARGEST for number in numbers) or abs(position.step) > LARGEST:
            raise NoRoom
        self.machine.arrays["stores"][:] = numbers
        words[S.legs], words[S.must], words[S.step] = position.legs, position.must, position.step
        words[S.out] = sum(1 << player for player in position.out)

    def position(self, before: Position, logged: int = 0, is_next: bool = True) -> Position:
        """Read back the position after a move from `before`; only squares in the undo log from `logged` on may differ.

        Without `is_next`, there may be several moves between the two positions, and no turn is under way.
        """
        arrays, words = self.machine.arrays, self.machine.arrays["state"][:]
        owner, piece, attributes = list(before.owner), list(before.piece), before.attributes
        stores, counters = before.stores, before.counters
        for square in arrays["undo"][logged : words[_UNDO] : UNDO_WORDS]:
            if square >= 0:
                held = self.machine.cell[square]
                owner[square], piece[square] = (held & 255) - 1, (held >> 8) - 1 if held else 0
            elif stores is before.stores:
                stores, counters = self.numbers()
        if self.program.game.attributes:
            attributes = tuple(arrays["attributes"][:])
        captured = arrays["taken"][words[_TAKEN_FROM] : words[_TAKEN_TO]]
        on, out, mover, turns_made = words[_CHAIN] >= 0, before.out, words[_MOVER], before.made
        if words[_OUT] and not on:
            out = frozenset(p for p in range(len(stores)) if words[_OUT] >> p & 1)
        if not is_next:
            turns_made = tuple(arrays["stores"][-len(turns_made) :]) if turns_made else turns_made
        elif not on and mover >= 0:
            turns_made = (*turns_made[:mover], turns_made[mover] + 1, *turns_made[mover + 1 :])
        began = (before.origin if before.chain else (before.owner, before.piece)) if on else None
        new = Position(
            tuple(owner), tuple(piece), attributes, stores, words[_TURN], words[_FROM], words[_TO],
            (words[_CHAIN], words[_CHAIN_TYPE]) if on else None,
            tuple([((c & 255) - 1, (c >> 8) - 1) for c in captured]), mover, None, counters, turns_made,
            before.legs + 1 if on else 0, on and bool(words[_MUST]), words[_STEP], began, out, before.stores_tell,
        )
        result = words[_RESULT]
        if on or result < 0:
            return new
        if result >= 3 * g.DEFAULTS:
            return replace(new, result=goals.last_team(self.program, new))
        end, player = divmod(result, len(self.program.game.players))
        return replace(new, result=goals.outcome_of(self.program, new, end, player))

    def numbers(self) -> tuple[Numbers, Numbers]:
        """Read back the pieces off the board and the counters."""
        numbers, game = self.machine.arrays["stores"][:], self.program.game
        types, players = len(game.pieces), len(game.players)
        counters_at = players * types
        made_at = counters_at + len(game.counters) * players
        return (tuple(tuple(numbers[at : at + types]) for at in range(0, counters_at, types)),
                tuple(tuple(numbers[at : at + players]) for at in range(counters_at, made_at, players)))

    def check(self) -> None:
        """Raise the error of the last call, if any: a RulesFault, or NoRoom if native memory was too small."""
        error = self.machine.arrays["state"][_ERROR]
        if error == m.ENDLESS_TURN:
            raise endless_turn()
        if error == m.ENDLESS:
            assert self.machine.layout is not None
            raise endless(self.machine.layout.routines[self.machine.state.fault])
        if error:
            raise NoRoom


def _cells(owners: tuple[int, ...], pieces: tuple[int, ...]) -> list[int]:
    return [o + 1 | k + 1 << 8 if o >= 0 else 0 for o, k in zip(owners, pieces, strict=True)]
