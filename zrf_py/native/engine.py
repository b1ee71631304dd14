"""The native engine: `run/engine.py`'s questions answered by machine code.

Each `Native` has memory and code of its own, so that several games can be alive at once; one object must not be used
by two threads at the same time. What does not fit into the native arrays (a single move of thousands of parts, chains
without end) is handed to the interpreter, whose answer is the definition anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from ctypes import c_int64
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from zrf_py.ir.ops import Program
from zrf_py.native import code as machine
from zrf_py.native.errors import NoRoom, TooLong
from zrf_py.native.kernel import goals as g
from zrf_py.native.kernel import memory as m
from zrf_py.native.kernel.cells import UNDO_WORDS
from zrf_py.native.layout import PLIES_ROOM
from zrf_py.native.records import decode, encode, record_length
from zrf_py.native.tiers import Tiers
from zrf_py.run import goals
from zrf_py.run.faults import LARGEST, endless, endless_turn
from zrf_py.run.playouts import Playouts, one_by_one
from zrf_py.run.position import Move, Outcome, Position
from zrf_py.run.rules import Rules

if TYPE_CHECKING:
    from ctypes import Array as Memory

Answer = TypeVar("Answer")
S = m.State
_STAMPS = (S.fields["stamps"].at, S.fields["stamps"].at + 1, S.met_stamp, S.reach_stamp, S.asked_stamp)
"""What must not be another's when a position is loaded."""
_TURN, _FROM, _TO, _CHAIN, _CHAIN_TYPE = S.turn, S.last_from, S.last_to, S.chain, S.chain_type
_MOVER, _RESULT, _TAKEN_FROM, _TAKEN_TO = S.mover, S.result, S.taken_from, S.taken_to
_MUST, _STEP, _OUT, _UNDO, _TOP, _ERROR = S.must, S.step, S.out, S.undo, S.top, S.error
Numbers = tuple[tuple[int, ...], ...]
_KEPT = ("cell", "attributes", "stores", "occupied", "royals_at")
"""What make and unmake change besides `state`."""


class Native(Tiers):
    """Rules of one game, compiled. See `run/engine.py` for what each method promises."""

    exports: ClassVar[dict[str, int]] = {
        "legal": 0, "after": 1, "unmake": 0, "recount": 0, "of_cells": 0, "of_position": 0, "final_result": 0,
        "state_result": 2, "find_turns": 0, "make_turn": 1, "unmake_to": 1, "turn_perft_begin": 1, "turn_perft": 2,
        "turn_playouts": 3, "is_attacked": 1, "perft_begin": 0, "perft": 2, "playouts": 3, "seed": 1, "winners": 1,
    }

    def __init__(self, program: Program, compiled: bool = False) -> None:
        """`compiled`: by code made for this game, for which one waits. Else by the kernel for any game."""
        super().__init__(program, compiled)
        self.rules = Rules(program)
        """The interpreter: the definition, and the fallback."""
        self.asked = 0
        """How often it had to be asked, because there was no room."""
        self._last: tuple[Position, tuple[Move, ...]] | None = None
        self._last_cells: tuple[Position, list[int]] | None = None
        self._held: Position | None = None
        """What stands in native memory, where nothing else was done there since."""
        self._alone = compiled
        """Whether it does all work itself. No engine refers to itself: its memory is free as soon as it goes."""
        self._compiled: Native | None = None
        self._worker: Native | None = None

    def _find(self) -> None:
        super()._find()
        self._cell: Any = self._arrays["cell"]
        self._moves: Memory[c_int64] = self._arrays["moves"]
        self._records = memoryview(self._moves).cast("B").cast("q")
        self._held = None

    # ------------------------------------------------------------------------------------------------ the protocol

    def start(self) -> Position:
        return self.rules.start()

    def player_to_move(self, position: Position) -> int:
        return self.rules.player_to_move(position)

    def moves(self, position: Position) -> tuple[Move, ...]:
        if position.result is not None or not self.rules.turns:
            return ()
        if self._last is None or self._last[0] is not position:
            self._last = position, self._listed(position)
        return self._last[1]

    def _listed(self, position: Position) -> tuple[Move, ...]:
        if self.layout is not None:
            try:
                return tuple(self._legal(position))
            except NoRoom:
                self.asked += 1
        return self.rules.moves(position)

    def _or_interpreted(self, quick: Callable[[], Answer], slow: Callable[[], Answer]) -> Answer:
        """What machine code says; what the interpreter says where there is no room."""
        try:
            if self.layout is not None:
                return quick()
        except NoRoom:
            self.asked += 1
        return slow()

    def _legal(self, position: Position) -> list[Move]:
        self._hold(position)
        self._arrays["state"][_TOP] = 0
        base = self._call["legal"]()
        self._check()
        self._held = position
        end = self._arrays["state"][_TOP]
        return decode(self._records[base:end].tobytes(), self.rules.turns[position.turn].side)

    def after(self, position: Position, move: Move) -> Position:
        try:
            if self.layout is not None and move.side == self.rules.turns[position.turn].side:
                return self._after(position, move)
        except (NoRoom, TooLong):
            self.asked += 1
        return self.rules.after(position, move)

    def _after(self, position: Position, move: Move) -> Position:
        record = encode(move)
        try:
            self._hold(position)
            logged = self._make_move(record)
        except NoRoom:  # perhaps the log is full of moves that nobody takes back
            self._load(position)
            logged = self._make_move(record)
        self._held = new = self._position(position, logged)
        return new

    def _hold(self, position: Position) -> None:
        """Have a position in native memory; until more is said of it, nothing is known of that memory."""
        if self._held is not position or self._making is not None:
            self._load(position)
        self._held = None

    def _make_move(self, record: list[int]) -> int:
        """Make a move in native memory; where the log of its changes begins."""
        state = self._arrays["state"]
        for i, word in enumerate(record):
            self._moves[i] = word
        state[_TOP], logged = len(record), int(state[_UNDO])
        self._call["after"](0)
        self._check()
        return logged

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        if position.result is not None or not self.rules.turns:
            return position.result
        moves = self.moves(position)
        if moves:
            return self.rules.repeated(position, repetitions)
        return self._or_interpreted(lambda: self._end(position), lambda: self.rules.outcome(position, repetitions))

    def _end(self, position: Position) -> Outcome:
        self._load(position)
        result = self._call["final_result"]()
        self._check()
        return self._outcome(position, result)

    def is_attacked(self, position: Position, player: int) -> bool:
        return self._or_interpreted(lambda: self._attacked(position, player),
                                    lambda: self.rules.is_attacked(position, player))

    def _attacked(self, position: Position, player: int) -> bool:
        self._load(position)
        found = bool(self._call["is_attacked"](player))
        self._check()
        return found

    def hash(self, position: Position) -> int:
        """64 bits that are equal for positions that repetition calls equal."""
        self._load(position)
        return self._call["of_position"]()

    def not_restored(self, position: Position) -> list[str]:
        """What make and unmake leave otherwise than it was, or count otherwise than it is: for those who compare.

        Every move of the position is made and taken back; names of arrays, and of hashes that were kept up to date.
        """
        if self.layout is None or position.result is not None:
            return []
        try:
            self._load(position)
        except NoRoom:
            return []
        wrong = set()
        at = self._call["legal"]()
        while at < self._state.top and not self._state.error:
            before = self._snapshot()
            self._call["after"](at)
            if self._call["of_position"]() != self._counted_hash():
                wrong.add("hash")
            self._call["unmake"]()
            after = self._snapshot()
            wrong |= {name for name in before if before[name] != after[name]}
            at += record_length(self._moves[at])
        return [] if self._state.error else sorted(wrong)

    def _snapshot(self) -> dict[str, bytes]:
        """What make and unmake change."""
        assert self.layout is not None
        state = bytes(self._arrays["state"])[: 8 * self.layout.params.keeps]
        return {name: bytes(self._arrays[name]) for name in _KEPT} | {"state": state}

    def _counted_hash(self) -> int:
        """The hash of the position at hand, counted anew."""
        self._call["recount"]()
        return self._call["of_position"]()

    # --------------------------------------------------------------------------------------------------- long work

    def compiled(self) -> Native:
        """This game compiled for itself, whoever has to wait; a very large game stays with the kernel for any game."""
        if self._compiled is None and not self._alone:
            if self.layout is not None and machine.is_small(self.layout):
                self._compiled = self._worker = Native(self.program, compiled=True)
            else:
                self._alone = True
        return self._compiled or self

    def worker(self) -> Native:
        """Who does long work: the kernel for any game until the game's own code has been made beside it."""
        if self._worker is None and not self._alone:
            self._worker = Native(self.program)
            self._worker.layout = self._worker._settle()
            self._worker._alone = True
        return self._worker or self

    def perft(self, position: Position, depth: int) -> int:
        """How many lines of `depth` plies start here.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        if depth <= 0 or position.result is not None:
            return int(depth <= 0)
        if self.layout is not None and depth > 3 and self.worker() is not self:
            return self.worker().perft(position, depth)
        return self._or_interpreted(lambda: self._leaves("perft", position, depth),
                                    lambda: self._by_moves(position, depth))

    def _leaves(self, loop: str, position: Position, depth: int) -> int:
        self._load(position)
        self._call[f"{loop}_begin"](*([depth] if loop == "turn_perft" else []))
        return self._count(loop, depth)

    def _by_moves(self, position: Position, depth: int) -> int:
        moves = self.moves(position)
        return sum(self.perft(self.after(position, move), depth - 1) for move in moves) if depth > 1 else len(moves)

    def _count(self, loop: str, depth: int) -> int:
        """Go on with a loop that counts leaves until it is done.

        :raises NoRoom: if the lines are too long or too wide for the native arrays.
        """
        if depth >= PLIES_ROOM:
            raise NoRoom("depth")
        while not self._call[loop](depth, self._slice):
            self._check()
            self._advance(rest=True)
        self._check()
        return int(self._state.nodes)

    def find_turns(self, position: Position) -> list[tuple[tuple[Move, ...], Position]] | None:
        """Every complete turn as `play/turns.py` finds them: its legs, and where it leads; None if there is no room.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        if position.result is not None or not self.rules.turns or self.layout is None:
            return None
        try:
            self._load(position)
            self._call["find_turns"]()
            self._check()
            side = self.rules.turns[position.turn].side
            return [(self._legs(at, side), self._end_of_turn(position, at))
                    for at in range(self._state.rows) if self._row(at).depth < 0]
        except NoRoom:
            self.asked += 1
            return None

    def _row(self, at: int) -> m.Row:
        return m.Row.over(self._arrays["rows"], at * m.Row.size)

    def _legs(self, at: int, side: int) -> tuple[Move, ...]:
        """The legs from the first row to another one."""
        records = []
        while at > 0:
            records.append(self._row(at).move)
            at = self._row(at).parent
        return tuple(decode(self._records[m : m + record_length(self._moves[m])].tobytes(), side)[0] for m in reversed(records))

    def _end_of_turn(self, position: Position, at: int) -> Position:
        self._call["make_turn"](at)
        self._check()
        end = self._position(position)
        self._call["unmake_to"](0)
        return end

    def turn_perft(self, position: Position, depth: int) -> int | None:
        """How many lines of `depth` complete turns start here; None if there is no room to count them."""
        if depth <= 0 or position.result is not None:
            return int(depth <= 0)
        if self.layout is None:
            return None
        if depth > 1 and self.worker() is not self:
            return self.worker().turn_perft(position, depth)
        return self._or_interpreted(lambda: self._leaves("turn_perft", position, depth), lambda: None)

    def playouts(self, games: int, seed: int = 0, max_plies: int = 2000, start: Position | None = None) -> Playouts:
        """Play random games, each move chosen uniformly among the legal ones, to their end or for `max_plies` plies.

        A position that comes for the third time ends a game as the rules say; what was before `start` doesn't count.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        start = start or self.start()
        def slow() -> Playouts:
            return one_by_one(self.rules, games, seed, max_plies, start)

        if self.layout is None or start.result is not None:
            return slow()
        if self.worker() is not self:
            return self.worker().playouts(games, seed, max_plies, start)
        return self._or_interpreted(lambda: self._play_out("playouts", games, seed, max_plies, start), slow)

    def turn_playouts(self, games: int, seed: int = 0, max_turns: int = 1000) -> Playouts | None:
        """The same, choosing among complete turns with different results; None where there is no room for them.

        `plies` are turns here.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        if self.layout is None:
            return None
        if self.worker() is not self:
            return self.worker().turn_playouts(games, seed, max_turns)
        with suppress(NoRoom):
            return self._play_out("turn_playouts", games, seed, max_turns, self.start())
        return None

    def _play_out(self, loop: str, games: int, seed: int, most: int, start: Position) -> Playouts:
        """Go on with a loop that plays games until it is done.

        :raises NoRoom: if a game needs more than the native arrays.
        """
        self._load(start)
        self._call["seed"](seed)
        while not self._call[loop](games, most, self._slice):
            self._check()
            self._advance(rest=True)
        self._check()
        return self._counts(games)

    def _counts(self, games: int) -> Playouts:
        tally = self._arrays["tally"]
        players = range(len(self.program.game.players))
        won = tuple(sum(tally[mask] for mask in range(1, 256) if mask >> p & 1) for p in players)
        return Playouts(games, int(self._state.plies), won, int(tally[0]), int(tally[256]))

    # -------------------------------------------------------------------------------------------------- the border

    def _load(self, position: Position) -> None:
        """Put a position into native memory."""
        if not self._arrays:
            self._open()
        elif self._is_waiting:
            self._advance()
        self._held = None
        arrays, memory, words = self._arrays, self._arrays["state"], [0] * S.size
        self._cell[:] = self._cells_of(position)
        if self.program.game.attributes:
            arrays["attributes"][:] = position.attributes
        for at in _STAMPS:
            words[at] = memory[at]
        words[S.turn], words[S.last_from], words[S.last_to] = position.turn, position.last_from, position.last_to
        words[S.chain], words[S.chain_type] = position.chain or (-1, 0)
        words[S.mover], words[S.result], words[S.taken_to] = position.mover, -1, len(position.taken)
        self._load_numbers(position, words)
        memory[:] = words
        taken = arrays["taken"]
        if len(position.taken) > len(taken):
            raise NoRoom
        for i, (player, kind) in enumerate(position.taken):
            taken[i] = player + 1 | kind + 1 << 8
        if position.chain and position.origin and not self.rules.null_turns:
            self._cell[:] = _cells(*position.origin)
            self._state.origin = self._call["of_cells"]()
            self._cell[:] = self._cells_of(position)
        self._call["recount"]()

    def _cells_of(self, position: Position) -> list[int]:
        """The cells of a position; those of the last one are remembered."""
        if self._last_cells is None or self._last_cells[0] is not position:
            self._last_cells = position, _cells(position.owner, position.piece)
        return self._last_cells[1]

    def _load_numbers(self, position: Position, words: list[int]) -> None:
        """What stands in `stores`: pieces off the board, counters, turns made; and what else ZRF+ adds to `words`."""
        rows = [*position.stores, *position.counters, position.made]
        numbers = [number for row in rows for number in row]
        if any(abs(number) > LARGEST for number in numbers) or abs(position.step) > LARGEST:
            raise NoRoom
        self._arrays["stores"][:] = numbers
        words[S.legs], words[S.must], words[S.step] = position.legs, position.must, position.step
        words[S.out] = sum(1 << player for player in position.out)

    def _position(self, before: Position, logged: int = 0) -> Position:
        """The position that a move made of `before`: only what the log names has changed."""
        arrays, words = self._arrays, self._arrays["state"][:]
        owner, piece, attributes = list(before.owner), list(before.piece), before.attributes
        stores, counters = before.stores, before.counters
        for square in arrays["undo"][logged : words[_UNDO] : UNDO_WORDS]:
            if square >= 0:
                held = self._cell[square]
                owner[square], piece[square] = (held & 255) - 1, (held >> 8) - 1 if held else 0
            elif stores is before.stores:
                stores, counters = self._numbers(before)
        if self.program.game.attributes:
            attributes = tuple(arrays["attributes"][:])
        taken = arrays["taken"][words[_TAKEN_FROM] : words[_TAKEN_TO]]
        on, out, mover, made = words[_CHAIN] >= 0, before.out, words[_MOVER], before.made
        if words[_OUT] and not on:
            out = frozenset(p for p in range(len(stores)) if words[_OUT] >> p & 1)
        if not on and mover >= 0:
            made = (*made[:mover], made[mover] + 1, *made[mover + 1 :])
        began = (before.origin if before.chain else (before.owner, before.piece)) if on else None
        new = Position(
            tuple(owner), tuple(piece), attributes, stores, words[_TURN], words[_FROM], words[_TO],
            (words[_CHAIN], words[_CHAIN_TYPE]) if on else None,
            tuple([((c & 255) - 1, (c >> 8) - 1) for c in taken]), mover, None, counters, made,
            before.legs + 1 if on else 0, on and bool(words[_MUST]), words[_STEP], began, out, before.stores_tell,
        )
        result = words[_RESULT]
        if on or result < 0:
            return new
        if result >= 3 * g.DEFAULTS:
            return replace(new, result=goals.last_team(self.program, new))
        end, player = divmod(result, len(self.program.game.players))
        return replace(new, result=goals.outcome_of(self.program, new, end, player))

    def _numbers(self, before: Position) -> tuple[Numbers, Numbers]:
        """What lies off the board, and the counters."""
        numbers, types, players = self._arrays["stores"][:], len(self.program.game.pieces), len(before.stores)
        counters_at = players * types
        made_at = counters_at + len(before.counters) * players
        return (tuple(tuple(numbers[at : at + types]) for at in range(0, counters_at, types)),
                tuple(tuple(numbers[at : at + players]) for at in range(counters_at, made_at, players)))

    def _outcome(self, position: Position, result: int) -> Outcome:
        """The outcome a native result of a player without moves stands for."""
        if result >= 2 * g.DEFAULTS:
            return goals.default_stalemate(self.program, result - 2 * g.DEFAULTS)
        if result >= g.DEFAULTS:
            return Outcome((), (result - g.DEFAULTS,), "checkmated")
        end, player = divmod(result, len(self.program.game.players))
        attacked = self.rules.has_royals and self._call["is_attacked"](player)
        return goals.outcome_of(self.program, position, end, player, "checkmated" if attacked else "stalemated")

    def _check(self) -> None:
        """Raise what the last call complained about."""
        error = self._arrays["state"][_ERROR]
        if error == m.ENDLESS_TURN:
            raise endless_turn()
        if error == m.ENDLESS:
            assert self.layout is not None
            raise endless(self.layout.routines[self._state.fault])
        if error:
            raise NoRoom


def _cells(owners: tuple[int, ...], pieces: tuple[int, ...]) -> list[int]:
    return [o + 1 | k + 1 << 8 if o >= 0 else 0 for o, k in zip(owners, pieces, strict=True)]
