"""The native engine with the fleet's kernel compiled in: one kernel per thread, and the arrays of all slots."""

import mmap
from array import array
from collections.abc import Sequence
from ctypes import addressof, c_int8, c_int32, c_int64, memmove, sizeof
from dataclasses import replace
from typing import Any

from zrf_py.envs.actions import Actions
from zrf_py.envs.kernel import memory as f
from zrf_py.envs.kernel.slots import FIRST
from zrf_py.envs.names import may_choose_type
from zrf_py.envs.planes import Planes
from zrf_py.ir.ops import Program
from zrf_py.jit.language import Storage
from zrf_py.native.border import Border
from zrf_py.native.code import is_small
from zrf_py.native.extension import Extension
from zrf_py.native.kernel import goals as g
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import lay_out
from zrf_py.native.machine import UNITS, Machine
from zrf_py.run import goals
from zrf_py.run.position import NOBODY, Outcome, Position
from zrf_py.run.rules import Rules

MANY = 256
"""With this many slots or more, the constructor waits for a small game's own code: ten seconds, once per machine."""
LARGE_PAGE = 1 << 21
SLOT_ARRAYS = tuple(storage for storage in f.ARRAYS if storage.name.startswith("slot_"))
GROWING = (f.slot_legal, f.slot_code, f.slot_record)
FLEETS = Extension(
    tuple(f"zrf_py.envs.kernel.{name}" for name in ("slots", "past", "names", "show", "step", "crew")),
    f.ARRAYS, f.ARRAYS,
    (("fleet_root", 1), ("fleet_put", 2), ("fleet_seed", 3), ("fleet_load", 1), ("fleet_lead", 0), ("fleet_follow", 2)))
"""Kernel modules and entry points that are compiled only for fleets."""


class FleetEngine:
    """The kernel of one thread."""

    def __init__(self, program: Program, own: bool) -> None:
        """:param own: wait for code compiled for this game; otherwise it is compiled in the background.
        :raises NoRoom: if only the interpreter can play the game."""
        self.program = program
        self.machine = Machine(program, FLEETS, own and is_small(lay_out(program)))
        if not self.machine.is_own:
            self.machine.settle()
        self.border = Border(self.machine, Rules(program))
        self.machine.make_ready()
        numbers = lined_up(c_int64, f.Fleet.size)
        self.machine.bind(f.fleet, numbers)
        self.fleet = f.Fleet.over(numbers)

    def call(self, name: str, *arguments: int) -> int:
        """Call a kernel function with the GIL released, first switching to the game's own code if it is ready."""
        if self.machine.is_waiting:
            self.machine.advance()
        return self.machine.call[name](*arguments)

    def at_hand(self) -> Position:
        """Read the position loaded in the kernel; `origin` is not restored within a turn."""
        state, game = self.machine.state, self.program.game
        players, cells = len(game.players), self.machine.cell[:]
        stores, counters = self.border.numbers()
        attributes = tuple(self.machine.arrays["attributes"][:]) if game.attributes else (0,) * len(cells)
        captured = self.machine.arrays["taken"][state.taken_from : state.taken_to]
        chain = (int(state.chain), int(state.chain_type)) if state.chain >= 0 else None
        position = Position(
            tuple((held & 255) - 1 for held in cells), tuple((held >> 8) - 1 if held else 0 for held in cells),
            attributes, stores,
            turn=int(state.turn), last_from=int(state.last_from), last_to=int(state.last_to), chain=chain,
            taken=tuple(((c & 255) - 1, (c >> 8) - 1) for c in captured), mover=int(state.mover),
            counters=counters, made=tuple(self.machine.arrays["stores"][-players:]), legs=int(state.legs),
            must=bool(state.must),
            step=int(state.step) if self.program.game.plus else 1,
            out=frozenset(p for p in range(players) if state.out >> p & 1),
            stores_tell=game.options.recycle_captures == "captor")
        return replace(position, result=self._ended(position, int(state.result)))

    def _ended(self, position: Position, result: int) -> Outcome | None:
        """Return the outcome of a result code; None if there is none, or it depends on the mover or on repetition."""
        if 0 <= result < g.DEFAULTS:
            end, player = divmod(result, len(self.program.game.players))
            if not goals.asks_state(self.program.game.ends[end].goal):
                return goals.outcome_of(self.program, position, end, player)
        return goals.last_team(self.program, position) if result >= 3 * g.DEFAULTS else None

    def keys(self, past: Sequence[Position], now: Position) -> list[int]:
        """Return the kernel's hash keys of earlier positions of a game; leaves `now` loaded."""
        keys = []
        for before in past:
            self.border.load(before)
            keys.append(self.machine.call["of_position"]())
        self.border.load(replace(now, chain=None, must=False))
        with_board = self.machine.call["of_position"]()
        self.border.load(replace(now, owner=(NOBODY,) * len(now.owner), attributes=(0,) * len(now.owner), chain=None))
        rest = self.machine.call["of_position"]()
        self.border.load(now)
        if self.machine.layout is not None and self.machine.layout.params.plus:
            return keys
        return [key ^ with_board ^ rest for key in keys]

    def faulty(self, code: int) -> None:
        """Raise the error that `code`, an error code of the kernel, stands for.

        :raises RulesFault: if the rules can't be followed.
        :raises NoRoom: if the kernel's memory did not suffice.
        """
        self.machine.state.error = code
        try:
            self.border.check()
        finally:
            self.machine.state.error = m.NO_ERROR


def lined_up(kind: Any, size: int) -> Any:
    """Allocate a zeroed ctypes array aligned to cache lines, so that threads do not share a line.

    A large one uses huge pages where the system has them: with 4 KiB pages, TLB misses cost more than the moves.
    """
    bytes_needed = max(size, 1) * sizeof(kind)
    line = f.LINE * sizeof(c_int64)
    if bytes_needed < LARGE_PAGE // 2 or not hasattr(mmap, "MADV_HUGEPAGE"):
        buffer: Any = (c_int8 * (bytes_needed + 2 * line))()
        at = -addressof(buffer) % line
    else:
        buffer = mmap.mmap(-1, bytes_needed + LARGE_PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        buffer.madvise(mmap.MADV_HUGEPAGE)
        at = -addressof(c_int8.from_buffer(buffer)) % LARGE_PAGE
    return (kind * max(size, 1)).from_buffer(buffer, at)


class Slots:
    """Arrays of all slots, bound to each thread's kernel."""

    def __init__(
        self, program: Program, actions: Actions, planes: Planes, slots: int, threads: int, most: int, autoreset: int,
        watched: bool,
    ) -> None:
        """:param most: number of legs after which a game is truncated.
        :param autoreset: OFF, NEXT or SAME.
        :param watched: True if observations are written.
        :raises NoRoom: if only the interpreter can play the game."""
        self.program = program
        self.slots = slots
        self.engines = [FleetEngine(program, slots >= MANY) for _ in range(threads)]
        self.memory: dict[str, Any] = {}
        self.planes = planes
        layout = self.engines[0].machine.layout
        assert layout is not None
        self._params, self._setting = layout.params, layout.setting
        yields = actions.yields(layout)
        self.by_sets = len(yields) > 0
        self._share(f.leg_yield, yields or [-1])
        for storage, table in zip((f.leg_pair, f.leg_kind, f.leg_more), actions.tables(), strict=True):
            self._share(storage, table)
        for engine in self.engines:
            for storage in (f.leg_stamp, f.leg_at):
                engine.machine.bind(storage, lined_up(c_int32, len(actions)))
        self._seats()
        for engine in self.engines:
            self._set_up(engine.fleet, actions)
            engine.fleet.most, engine.fleet.autoreset, engine.fleet.watched = most, autoreset, int(watched)
            engine.fleet.seen_room = self._most_keys(most)

    def _share(self, storage: Storage, values: Sequence[int] | int) -> Any:
        """Allocate an array, filled with `values` (an int: zeroed, of that size), and bind it in all kernels."""
        if isinstance(values, int):
            memory = lined_up(UNITS[storage.bits], values)
        else:
            source = array({8: "b", 32: "i", 64: "q"}[storage.bits], values)
            memory = lined_up(UNITS[storage.bits], len(source))
            memmove(memory, source.buffer_info()[0], len(source) * source.itemsize)
        self.memory[storage.name] = memory
        for engine in self.engines:
            engine.machine.bind(storage, memory)
        return memory

    def _seats(self) -> None:
        """Fill the tables of seats, indexed by player, and those of planes, indexed by the player who sees them."""
        game, planes = self.program.game, self.planes
        players, types, squares = range(len(game.players)), len(game.pieces), len(game.board.places)
        self._share(f.chance_player, [int(p.kind == "random") for p in game.players])
        ordinary = planes.ordinary
        self._share(f.seat_of, [ordinary.index(i) if i in ordinary else -1 for i in players])
        offsets: list[int] = []
        for viewer in players:
            seats = planes.seats(viewer)
            for owner in (-1, *players):
                seat = seats.index(owner) if owner >= 0 else 0
                offsets += (0, *((seat * types + kind) * squares for kind in range(types)))
        self._share(f.piece_plane, offsets)
        self._share(f.fill_at, [at for viewer in players for at in planes.fills(viewer)] or [0])
        self._share(f.out_player, [player for viewer in players for player in planes.seats(viewer)])

    def _set_up(self, fleet: f.Fleet, actions: Actions) -> None:
        """Set the parameters that depend on the game alone."""
        params, planes = self._params, self.planes
        game, first = self.program.game, planes.first
        sets = (params.players + 1) * params.words
        fleet.stride = FIRST + params.keeps + sets * (2 if params.has_royals else 1)
        if self._setting.kind_sets:
            fleet.stride += (params.types + 1) * params.words
        fleet.ordinary, fleet.alone = len(planes.ordinary), len(game.movers) == 1
        fleet.taken_room = len(game.board.places) * 2 if self.program.has_legs else 0
        fleet.chances = any(p.kind == "random" for p in game.players)
        fleet.by_sets, fleet.pass_action = int(self.by_sets), actions.pass_action
        fleet.chooses_type = int(may_choose_type(self.program))
        fleet.others, fleet.others_end = len(actions.names), len(actions.names) + actions.others
        fleet.planes, fleet.attribute_plane = len(planes.names), first["attributes"]
        fleet.last_plane, fleet.chain_plane = first["last"], first["chain"]
        fleet.fill_plane, fleet.fills = first["fills"], len(planes.sections["fills"])
        fleet.turn_plane, fleet.turn_planes = first["turn"], len(planes.sections["turn"])
        fleet.must_plane, fleet.out_plane, fleet.times_plane = first["must"], first["out"], first["times"]

    # ------------------------------------------------------------------------------------------------------- memory

    def allot(self, room: int, words: int) -> None:
        """Allocate the arrays of all slots, with room for `room` legal actions and `words` words of records in each.

        After the first time, only the lists of legal actions are allocated anew; their contents are lost.
        """
        for engine in self.engines:
            engine.fleet.room, engine.fleet.words_room = room, words
            engine.fleet.wanted_room = engine.fleet.wanted_words = 0
        sizes = self.sizes(room, words)
        for storage in GROWING if f.slot_legal.name in self.memory else SLOT_ARRAYS:
            self._share(storage, sizes[storage.name] * 8 // storage.bits)

    def _most_keys(self, most: int) -> int:
        """Return the maximum number of positions to store in a game of `most` legs (plus dice); 0 if none can recur."""
        players, turns = self.program.game.players, self.program.game.turns
        rolls = sum(players[turn.mover].kind == "random" for turn in turns)
        return (most + 2) * (1 + rolls) if self.planes.repeats else 0

    def sizes(self, room: int, words: int) -> dict[str, int]:
        """Return each slot array's size in bytes, with room for `room` legal actions and `words` words of records."""
        fleet, squares = self.engines[0].fleet, len(self.program.game.board.places)
        observed = fleet.planes * squares if fleet.watched else 0
        per_slot: dict[Storage, int] = {
            f.slot_words: fleet.stride, f.slot_cell: squares, f.slot_store: self._params.stores,
            f.slot_attribute: squares if self.program.game.attributes else 0, f.slot_taken: fleet.taken_room,
            f.slot_seen: fleet.seen_room, f.slot_record: words, f.slot_legal: room, f.slot_code: room,
            f.slot_observation: observed, f.slot_final: observed if fleet.autoreset == f.SAME else 0,
            f.slot_reward: fleet.ordinary}
        return {storage.name: max((self.slots + 1) * per_slot.get(storage, 1), 1) * storage.bits // 8
                for storage in SLOT_ARRAYS}
