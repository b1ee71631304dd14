"""The native engine: `run/engine.py`'s questions answered by machine code.

Each `Native` has memory and code of its own, so that several games can be alive at once; one object must not be used
by two threads at the same time. What does not fit into the native arrays (a single move of thousands of parts, chains
without end) is handed to the interpreter, whose answer is the definition anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, TypeVar

from zrf_py.ir.ops import Program
from zrf_py.native import code as machine
from zrf_py.native.border import Border
from zrf_py.native.errors import NoRoom, TooLong
from zrf_py.native.kernel import goals as g
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import PLIES_ROOM
from zrf_py.native.records import decode, record_length
from zrf_py.run import goals
from zrf_py.run.playouts import Playouts, one_by_one
from zrf_py.run.position import Move, Outcome, Position

Answer = TypeVar("Answer")
S = m.State
_KEPT = ("cell", "attributes", "stores", "occupied", "royals_at")
"""What make and unmake change besides `state`."""


class Native(Border):
    """Rules of one game, compiled. See `run/engine.py` for what each method promises."""

    exports: ClassVar[dict[str, int]] = {
        "legal": 0, "after": 1, "unmake": 0, "recount": 0, "of_cells": 0, "of_position": 0, "final_result": 0,
        "state_result": 2, "find_turns": 0, "make_turn": 1, "unmake_to": 1, "turn_perft_begin": 1, "turn_perft": 2,
        "turn_playouts": 3, "is_attacked": 1, "perft_begin": 0, "perft": 2, "playouts": 3, "seed": 1, "winners": 1,
    }

    def __init__(self, program: Program, compiled: bool = False) -> None:
        """`compiled`: by code made for this game, for which one waits. Else by the kernel for any game."""
        super().__init__(program, compiled)
        self.asked = 0
        """How often it had to be asked, because there was no room."""
        self._last: tuple[Position, tuple[Move, ...]] | None = None
        self._alone = compiled
        """Whether it does all work itself. No engine refers to itself: its memory is free as soon as it goes."""
        self._compiled: Native | None = None
        self._worker: Native | None = None

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

    def after(self, position: Position, move: Move) -> Position:
        try:
            if self.layout is not None and move.side == self.rules.turns[position.turn].side:
                return self._after(position, move)
        except (NoRoom, TooLong):
            self.asked += 1
        return self.rules.after(position, move)

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

    def for_many(self) -> Native:
        """Who answers thousands of questions: as `worker`, where this game is ever compiled for itself."""
        if self.layout is None or not machine.is_small(self.layout):
            return self
        worker = self.worker()
        worker.begin_own()
        return worker

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
        ends = [(m, m + record_length(self._moves[m])) for m in reversed(records)]
        return tuple(decode(self._records[start:end].tobytes(), side)[0] for start, end in ends)

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

    def _outcome(self, position: Position, result: int) -> Outcome:
        """The outcome a native result of a player without moves stands for."""
        if result >= 2 * g.DEFAULTS:
            return goals.default_stalemate(self.program, result - 2 * g.DEFAULTS)
        if result >= g.DEFAULTS:
            return Outcome((), (result - g.DEFAULTS,), "checkmated")
        end, player = divmod(result, len(self.program.game.players))
        attacked = self.rules.has_royals and self._call["is_attacked"](player)
        return goals.outcome_of(self.program, position, end, player, "checkmated" if attacked else "stalemated")

