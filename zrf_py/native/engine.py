"""The native engine: the protocol of `run/engine.py`, implemented by machine code.

Each `Native` has memory and code of its own, so that several games can be alive at once; two threads must not use one
object at the same time. A query that does not fit into the native arrays (a move of thousands of parts, chains without
end) falls back to the interpreter, which is the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from zrf_py.ir.ops import Program
from zrf_py.native import code as codes
from zrf_py.native.border import Border
from zrf_py.native.errors import NoRoom
from zrf_py.native.kernel import goals as g
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import PLIES_ROOM, Layout
from zrf_py.native.line import NativeLine
from zrf_py.native.machine import Machine
from zrf_py.native.records import decode, record_length
from zrf_py.run import goals
from zrf_py.run.playouts import Playouts, one_by_one
from zrf_py.run.position import Move, Outcome, Position
from zrf_py.run.rules import Rules

Answer = TypeVar("Answer")
S = m.PositionFields
_KEPT = ("cell", "attributes", "stores", "occupied", "royals_at")
"""Arrays that make and unmake change besides `state`."""


class Native:
    """The compiled rules of one game; `run/engine.py` has the contract of its methods."""

    def __init__(self, program: Program, compiled: bool = False, machine: Machine | None = None) -> None:
        """:param compiled: use code compiled for this game, and wait for it; otherwise the kernel for any game.
        :param machine: memory and code that other objects use, too; then no worker engine is created."""
        self.program = program
        self.rules = Rules(program)
        """The interpreter: the reference, and the fallback."""
        self.machine = machine or Machine(program, own=compiled)
        self.border = Border(self.machine, self.rules)
        self.asked = 0
        """Number of fallbacks to the interpreter for lack of room."""
        self._last: tuple[Position, tuple[Move, ...]] | None = None
        self._alone = compiled or machine is not None
        """True if this engine does long work itself; `_worker` is then None: no reference to itself keeps it alive."""
        self._worker: Native | None = None

    # ------------------------------------------------------------------------------------------------ the protocol

    def line(self) -> NativeLine | None:
        """Return the line of play in this engine's memory; None for a game that only the interpreter can play."""
        return NativeLine(self.border) if self.machine.layout is not None else None

    @property
    def layout(self) -> Layout | None:
        """Memory layout; None for a game that only the interpreter can play."""
        return self.machine.layout

    def start(self) -> Position:
        return self.rules.start()

    def player_to_move(self, position: Position) -> int:
        return self.rules.player_to_move(position)

    def moves(self, position: Position) -> tuple[Move, ...]:
        if position.result is not None or not self.rules.turns:
            return ()
        if self._last is None or self._last[0] is not position:
            self._last = position, self._or_interpreted(
                lambda: tuple(self.border.legal(position)), lambda: self.rules.moves(position))
        return self._last[1]

    def _or_interpreted(self, quick: Callable[[], Answer], slow: Callable[[], Answer]) -> Answer:
        """Return the native result, or the interpreter's if there is no room."""
        try:
            if self.machine.layout is not None:
                return quick()
        except NoRoom:
            self.asked += 1
        return slow()

    def after(self, position: Position, move: Move) -> Position:
        if move.side != self.rules.turns[position.turn].side:
            return self.rules.after(position, move)
        return self._or_interpreted(
            lambda: self.border.after(position, move), lambda: self.rules.after(position, move))

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        if position.result is not None or not self.rules.turns:
            return position.result
        moves = self.moves(position)
        if moves:
            return self.rules.repeated(position, repetitions)
        return self._or_interpreted(lambda: self._end(position), lambda: self.rules.outcome(position, repetitions))

    def _end(self, position: Position) -> Outcome:
        """Return the outcome for a player without moves."""
        result = self._call("final_result", position)
        if result >= 2 * g.DEFAULTS:
            return goals.default_stalemate(self.program, result - 2 * g.DEFAULTS)
        if result >= g.DEFAULTS:
            return Outcome((), (result - g.DEFAULTS,), "checkmated")
        end, player = divmod(result, len(self.program.game.players))
        attacked = self.rules.has_royals and self.machine.call["is_attacked"](player)
        return goals.outcome_of(self.program, position, end, player, "checkmated" if attacked else "stalemated")

    def _call(self, function: str, position: Position, *arguments: int) -> int:
        """Call a kernel function on a position; raises like `Border.legal`."""
        self.border.load(position)
        result = self.machine.call[function](*arguments)
        self.border.check()
        return result

    def is_attacked(self, position: Position, player: int) -> bool:
        return self._or_interpreted(lambda: bool(self._call("is_attacked", position, player)),
                                    lambda: self.rules.is_attacked(position, player))

    def hash(self, position: Position) -> int:
        """Return a 64-bit hash, equal for positions that repetition treats as equal; raise NoRoom if they don't fit."""
        self.border.load(position)
        return self.machine.call["of_position"]()

    def not_restored(self, position: Position) -> list[str]:
        """Make and unmake every legal move, for tests; return the names of the arrays that were not restored.

        Add "hash" if the incremental hash differs from the recomputed one. Return no names if the game is over, the
        position does not fit, or a rule fails.
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
            updated = self.machine.call["of_position"]()
            self.machine.call["recount"]()
            if self.machine.call["of_position"]() != updated:
                wrong.add("hash")
            self.machine.call["unmake"]()
            after = self._snapshot()
            wrong |= {name for name in before if before[name] != after[name]}
            at += record_length(self.machine.moves[at])
        return [] if self.machine.state.error else sorted(wrong)

    def _snapshot(self) -> dict[str, bytes]:
        """Return a copy of the memory that make and unmake change."""
        assert self.machine.layout is not None
        state = bytes(self.machine.arrays["state"])[: 8 * self.machine.layout.params.keeps]
        return {name: bytes(self.machine.arrays[name]) for name in _KEPT} | {"state": state}

    # --------------------------------------------------------------------------------------------------- long work

    def worker(self) -> Native:
        """Return the engine for long work: self, or one that switches to the game's own code once that is compiled."""
        if self._worker is None and not self._alone:
            self._worker = Native(self.program)
            self._worker.machine.settle()
            self._worker._alone = True
        return self._worker or self

    def has_own_at_hand(self) -> bool:
        """Return whether the game's own code is in the cache."""
        layout = self.machine.layout
        if layout is None or not codes.is_small(layout):
            return False
        return codes.kept_game(self.program, codes.common(self.program, layout)) is not None

    def for_many(self) -> Native:
        """Return the engine for thousands of queries: `worker` if the game is small enough to compile, else self."""
        if self.machine.layout is None or not codes.is_small(self.machine.layout):
            return self
        worker = self.worker()
        worker.machine.begin_own()
        return worker

    def perft(self, position: Position, depth: int) -> int:
        """Count the lines of `depth` plies from a position.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        if depth <= 0 or position.result is not None:
            return int(depth <= 0)
        return self._or_interpreted(lambda: (self.worker() if depth > 3 else self)._leaves("perft", position, depth),
                                    lambda: self._by_moves(position, depth))

    def _by_moves(self, position: Position, depth: int) -> int:
        moves = self.moves(position)
        return sum(self.perft(self.after(position, move), depth - 1) for move in moves) if depth > 1 else len(moves)

    def _leaves(self, loop: str, position: Position, depth: int) -> int:
        """Run a loop that counts leaves, slice by slice, until it is done.

        :raises NoRoom: if the lines have too many plies or moves for the native arrays.
        """
        self.border.load(position)
        self.machine.call[f"{loop}_begin"](*([depth] if loop == "turn_perft" else []))
        if depth >= PLIES_ROOM:
            raise NoRoom("depth")
        self._run(loop, depth)
        return int(self.machine.state.nodes)

    def _run(self, loop: str, *arguments: int) -> None:
        """Run a loop of the kernel, slice by slice, until it is done."""
        while not self.machine.call[loop](*arguments, self.machine.slice):
            self.border.check()
            self.machine.advance(rest=True)
        self.border.check()

    def find_turns(self, position: Position) -> list[tuple[tuple[Move, ...], Position]] | None:
        """Return the complete turns as (legs, position after them), like `play/turns.py`; None if the game is over, or
        if native code can't list them.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        if position.result is not None or not self.rules.turns:
            return None
        return self._or_interpreted(lambda: self._turns(position), lambda: None)

    def _turns(self, position: Position) -> list[tuple[tuple[Move, ...], Position]]:
        self._call("find_turns", position)
        side = self.rules.turns[position.turn].side
        return [(self._legs(at, side), self._end_of_turn(position, at))
                for at in range(self.machine.state.rows) if self.row(at).depth < 0]

    def row(self, at: int) -> m.Row:
        """Return a row of the table of legs that `find_turns` filled."""
        return m.Row.over(self.machine.arrays["rows"], at * m.Row.size)

    def _legs(self, at: int, side: int) -> tuple[Move, ...]:
        """Return the legs from the root of the table to row `at`."""
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
        """Count the lines of `depth` complete turns from a position; None if there is no room."""
        if depth <= 0 or position.result is not None:
            return int(depth <= 0)
        return self._or_interpreted(
            lambda: (self.worker() if depth > 1 else self)._leaves("turn_perft", position, depth), lambda: None)

    def playouts(self, games: int, seed: int = 0, max_plies: int = 2000, start: Position | None = None) -> Playouts:
        """Play games of uniformly random legal moves, to their end or for `max_plies` plies.

        Repetition is counted from `start`; earlier positions of the game don't count.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        start = start or self.start()

        def slow() -> Playouts:
            return one_by_one(self.rules, games, seed, max_plies, start)

        if start.result is not None:
            return slow()
        return self._or_interpreted(lambda: self.worker()._play_out("playouts", games, seed, max_plies, start), slow)

    def turn_playouts(self, games: int, seed: int = 0, max_turns: int = 1000) -> Playouts | None:
        """Like `playouts`, but choose among complete turns with different results; `plies` counts turns. Return None if
        there is no room.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        return self._or_interpreted(
            lambda: self.worker()._play_out("turn_playouts", games, seed, max_turns, self.start()), lambda: None)

    def _play_out(self, loop: str, games: int, seed: int, most: int, start: Position) -> Playouts:
        """Run a loop that plays games, slice by slice, until it is done.

        :raises NoRoom: if a game needs more than the native arrays.
        """
        self.border.load(start)
        self.machine.call["seed"](seed)
        self._run(loop, games, most)
        tally = self.machine.arrays["tally"]
        players = range(len(self.program.game.players))
        won = tuple(sum(tally[mask] for mask in range(1, 256) if mask >> p & 1) for p in players)
        return Playouts(games, int(self.machine.state.plies), won, int(tally[0]), int(tally[256]))

