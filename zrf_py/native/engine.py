"""The native engine: `run/engine.py`'s questions answered by machine code.

Each `Native` has memory and code of its own, so that several games can be alive at once; one object must not be used
by two threads at the same time. What does not fit into the native arrays (a single move of thousands of parts, chains
without end) is handed to the interpreter, whose answer is the definition anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from zrf_py.ir.ops import Program
from zrf_py.native import code as codes
from zrf_py.native.border import Border
from zrf_py.native.errors import NoRoom, TooLong
from zrf_py.native.kernel import goals as g
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import PLIES_ROOM
from zrf_py.native.machine import Machine
from zrf_py.native.records import decode, record_length
from zrf_py.run import goals
from zrf_py.run.playouts import Playouts, one_by_one
from zrf_py.run.position import Move, Outcome, Position
from zrf_py.run.rules import Rules

Answer = TypeVar("Answer")
S = m.State
_KEPT = ("cell", "attributes", "stores", "occupied", "royals_at")
"""What make and unmake change besides `state`."""


class Native:
    """Rules of one game, compiled. See `run/engine.py` for what each method promises."""

    def __init__(self, program: Program, compiled: bool = False, machine: Machine | None = None) -> None:
        """
        :param compiled: by code made for this game, for which one waits; else by the kernel for any game.
        :param machine: memory and code, where somebody else works there, too; then no other engine helps.
        """
        self.program = program
        self.rules = Rules(program)
        """The interpreter: the definition, and the fallback."""
        self.machine = machine or Machine(program, own=compiled)
        self.border = Border(self.machine, self.rules)
        self.asked = 0
        """How often it had to be asked, because there was no room."""
        self._last: tuple[Position, tuple[Move, ...]] | None = None
        self._alone = compiled or machine is not None
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
        if self.machine.layout is not None:
            try:
                return tuple(self.border.legal(position))
            except NoRoom:
                self.asked += 1
        return self.rules.moves(position)

    def _or_interpreted(self, quick: Callable[[], Answer], slow: Callable[[], Answer]) -> Answer:
        """What machine code says; what the interpreter says where there is no room."""
        try:
            if self.machine.layout is not None:
                return quick()
        except NoRoom:
            self.asked += 1
        return slow()

    def after(self, position: Position, move: Move) -> Position:
        try:
            if self.machine.layout is not None and move.side == self.rules.turns[position.turn].side:
                return self.border.after(position, move)
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
        self.border.load(position)
        result = self.machine.call["final_result"]()
        self.border.check()
        return self._outcome(position, result)

    def is_attacked(self, position: Position, player: int) -> bool:
        return self._or_interpreted(lambda: self._attacked(position, player),
                                    lambda: self.rules.is_attacked(position, player))

    def _attacked(self, position: Position, player: int) -> bool:
        self.border.load(position)
        found = bool(self.machine.call["is_attacked"](player))
        self.border.check()
        return found

    def hash(self, position: Position) -> int:
        """64 bits that are equal for positions that repetition calls equal."""
        self.border.load(position)
        return self.machine.call["of_position"]()

    def not_restored(self, position: Position) -> list[str]:
        """What make and unmake leave otherwise than it was, or count otherwise than it is: for those who compare.

        Every move of the position is made and taken back; names of arrays, and of hashes that were kept up to date.
        """
        if self.machine.layout is None or position.result is not None:
            return []
        try:
            self.border.load(position)
        except NoRoom:
            return []
        wrong = set()
        at = self.machine.call["legal"]()
        while at < self.machine.state.top and not self.machine.state.error:
            before = self._snapshot()
            self.machine.call["after"](at)
            if self.machine.call["of_position"]() != self._counted_hash():
                wrong.add("hash")
            self.machine.call["unmake"]()
            after = self._snapshot()
            wrong |= {name for name in before if before[name] != after[name]}
            at += record_length(self.machine.moves[at])
        return [] if self.machine.state.error else sorted(wrong)

    def _snapshot(self) -> dict[str, bytes]:
        """What make and unmake change."""
        assert self.machine.layout is not None
        state = bytes(self.machine.arrays["state"])[: 8 * self.machine.layout.params.keeps]
        return {name: bytes(self.machine.arrays[name]) for name in _KEPT} | {"state": state}

    def _counted_hash(self) -> int:
        """The hash of the position at hand, counted anew."""
        self.machine.call["recount"]()
        return self.machine.call["of_position"]()

    # --------------------------------------------------------------------------------------------------- long work

    def compiled(self) -> Native:
        """This game compiled for itself, whoever has to wait; a very large game stays with the kernel for any game."""
        if self._compiled is None and not self._alone:
            if self.machine.layout is not None and codes.is_small(self.machine.layout):
                self._compiled = self._worker = Native(self.program, compiled=True)
            else:
                self._alone = True
        return self._compiled or self

    def worker(self) -> Native:
        """Who does long work: the kernel for any game until the game's own code has been made beside it."""
        if self._worker is None and not self._alone:
            self._worker = Native(self.program)
            self._worker.machine.settle()
            self._worker._alone = True
        return self._worker or self

    def for_many(self) -> Native:
        """Who answers thousands of questions: as `worker`, where this game is ever compiled for itself."""
        if self.machine.layout is None or not codes.is_small(self.machine.layout):
            return self
        worker = self.worker()
        worker.machine.begin_own()
        return worker

    def perft(self, position: Position, depth: int) -> int:
        """How many lines of `depth` plies start here.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        if depth <= 0 or position.result is not None:
            return int(depth <= 0)
        if self.machine.layout is not None and depth > 3 and self.worker() is not self:
            return self.worker().perft(position, depth)
        return self._or_interpreted(lambda: self._leaves("perft", position, depth),
                                    lambda: self._by_moves(position, depth))

    def _leaves(self, loop: str, position: Position, depth: int) -> int:
        self.border.load(position)
        self.machine.call[f"{loop}_begin"](*([depth] if loop == "turn_perft" else []))
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
        while not self.machine.call[loop](depth, self.machine.slice):
            self.border.check()
            self.machine.advance(rest=True)
        self.border.check()
        return int(self.machine.state.nodes)

    def find_turns(self, position: Position) -> list[tuple[tuple[Move, ...], Position]] | None:
        """Every complete turn as `play/turns.py` finds them: its legs, and where it leads; None if there is no room.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        if position.result is not None or not self.rules.turns or self.machine.layout is None:
            return None
        try:
            self.border.load(position)
            self.machine.call["find_turns"]()
            self.border.check()
            side = self.rules.turns[position.turn].side
            return [(self._legs(at, side), self._end_of_turn(position, at))
                    for at in range(self.machine.state.rows) if self.row(at).depth < 0]
        except NoRoom:
            self.asked += 1
            return None

    def row(self, at: int) -> m.Row:
        """A row of the table of legs that `find_turns` filled."""
        return m.Row.over(self.machine.arrays["rows"], at * m.Row.size)

    def _legs(self, at: int, side: int) -> tuple[Move, ...]:
        """The legs from the first row to another one."""
        records = []
        while at > 0:
            records.append(self.row(at).move)
            at = self.row(at).parent
        ends = [(m, m + record_length(self.machine.moves[m])) for m in reversed(records)]
        return tuple(decode(self.machine.records[start:end].tobytes(), side)[0] for start, end in ends)

    def _end_of_turn(self, position: Position, at: int) -> Position:
        self.machine.call["make_turn"](at)
        self.border.check()
        end = self.border.position(position)
        self.machine.call["unmake_to"](0)
        return end

    def turn_perft(self, position: Position, depth: int) -> int | None:
        """How many lines of `depth` complete turns start here; None if there is no room to count them."""
        if depth <= 0 or position.result is not None:
            return int(depth <= 0)
        if self.machine.layout is None:
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

        if self.machine.layout is None or start.result is not None:
            return slow()
        if self.worker() is not self:
            return self.worker().playouts(games, seed, max_plies, start)
        return self._or_interpreted(lambda: self._play_out("playouts", games, seed, max_plies, start), slow)

    def turn_playouts(self, games: int, seed: int = 0, max_turns: int = 1000) -> Playouts | None:
        """The same, choosing among complete turns with different results; None where there is no room for them.

        `plies` are turns here.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        if self.machine.layout is None:
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
        self.border.load(start)
        self.machine.call["seed"](seed)
        while not self.machine.call[loop](games, most, self.machine.slice):
            self.border.check()
            self.machine.advance(rest=True)
        self.border.check()
        return self._counts(games)

    def _counts(self, games: int) -> Playouts:
        tally = self.machine.arrays["tally"]
        players = range(len(self.program.game.players))
        won = tuple(sum(tally[mask] for mask in range(1, 256) if mask >> p & 1) for p in players)
        return Playouts(games, int(self.machine.state.plies), won, int(tally[0]), int(tally[256]))

    def _outcome(self, position: Position, result: int) -> Outcome:
        """The outcome a native result of a player without moves stands for."""
        if result >= 2 * g.DEFAULTS:
            return goals.default_stalemate(self.program, result - 2 * g.DEFAULTS)
        if result >= g.DEFAULTS:
            return Outcome((), (result - g.DEFAULTS,), "checkmated")
        end, player = divmod(result, len(self.program.game.players))
        attacked = self.rules.has_royals and self.machine.call["is_attacked"](player)
        return goals.outcome_of(self.program, position, end, player, "checkmated" if attacked else "stalemated")

