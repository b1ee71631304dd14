"""The native engine with the fleet's kernel compiled in: one kernel per thread, and the arrays of all slots."""

import mmap
from array import array
from collections.abc import Collection, Sequence
from ctypes import addressof, c_int8, c_int32, c_int64, memmove, sizeof
from dataclasses import replace
from typing import Any

from zrf_py.envs.actions import Actions
from zrf_py.envs.kernel import memory as f
from zrf_py.envs.kernel.slots import FIRST
from zrf_py.envs.names import may_choose_type
from zrf_py.envs.planes import MOST_TURNS, Planes
from zrf_py.ir.ops import Program
from zrf_py.jit.language import Storage
from zrf_py.native.border import Border
from zrf_py.native.code import is_small
from zrf_py.native.extension import Extension
from zrf_py.native.kernel import goals as g
from zrf_py.native.kernel import memory as m
from zrf_py.native.kernel.masks import Setting, setting
from zrf_py.native.layout import lay_out
from zrf_py.native.machine import UNITS, Machine
from zrf_py.run import goals
from zrf_py.run.position import NOBODY, Outcome, Position
from zrf_py.run.rules import Rules

MANY = 256
"""Minimum number of slots for which construction waits for the game's own code: ten seconds, once per machine."""
LARGE_PAGE = 1 << 21
GROWING = (f.slot_legal, f.slot_code, f.slot_record)
PER_SLOT: dict[str, str] = {
    "slot_words": "stride", "slot_cell": "squares", "slot_attribute": "attributes", "slot_store": "stores",
    "slot_taken": "taken_room", "slot_seen": "seen_room", "slot_record": "words_room", "slot_legal": "room",
    "slot_code": "room", "slot_observation": "cells", "slot_final": "final_cells", "slot_reward": "ordinary",
}
"""Arrays with several elements per slot, and the field that holds their number; all others have one."""


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

    def lead(self) -> bool:
        """Work as the leader; return whether all pending operations are done."""
        return bool(self.machine.call["fleet_lead"]())

    def follow(self, me: int, seen: int) -> int:
        """Work as thread `me` on jobs after number `seen`; return the last job number seen."""
        return self.machine.call["fleet_follow"](me, seen)

    def put(self, position: Position) -> None:
        """Load a position into the kernel."""
        self.border.load(position)

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
        """Return the outcome of a result code; None: no outcome, or one that depends on the mover or on repetition."""
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
        """Raise the error with the kernel's number `code`.

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

    def __init__(self, program: Program, actions: Actions, planes: Planes, slots: int, threads: int) -> None:
        """:raises NoRoom: if only the interpreter can play the game."""
        self.program = program
        self.slots = slots
        self.engines = [FleetEngine(program, slots >= MANY) for _ in range(threads)]
        self.memory: dict[str, Any] = {}
        self.planes = planes
        layout = self.engines[0].machine.layout
        assert layout is not None
        self._params = layout.params
        self._kinds = layout.tables[setting.name]
        yields = actions.yields(layout)
        self.by_sets = len(yields) > 0
        self._share(f.leg_yield, yields or [-1])
        tables = actions.tables()
        for storage, table in ((f.leg_pair, tables.pair), (f.leg_kind, tables.kind), (f.leg_more, tables.more)):
            self._share(storage, table)
        for engine in self.engines:
            for storage in (f.leg_stamp, f.leg_at):
                engine.machine.bind(storage, lined_up(c_int32, len(actions)))
        self._seats()
        self._set_up(actions)

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
        """Fill the tables of seats and planes, which are indexed by viewer."""
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

    def _set_up(self, actions: Actions) -> None:
        params, planes = self._params, self.planes
        game = self.program.game
        sets = (params.players + 1) * params.words
        stride = FIRST + params.keeps + sets * (2 if params.has_royals else 1)
        if self._kinds[Setting.kind_sets]:
            stride += (params.types + 1) * params.words
        for engine in self.engines:
            fleet = engine.fleet
            fleet.stride, fleet.autoreset, fleet.ordinary = stride, f.NEXT, len(planes.ordinary)
            fleet.alone = len(game.movers) == 1
            fleet.taken_room = len(game.board.places) * 2 if planes.chains else 0
            fleet.chances = any(p.kind == "random" for p in game.players)
            fleet.by_sets, fleet.pass_action = int(self.by_sets), actions.pass_action
            fleet.chooses_type = int(may_choose_type(self.program))
            fleet.others, fleet.others_end = len(actions.names), len(actions.names) + actions.others
            self._plane_numbers(fleet)

    def _plane_numbers(self, fleet: f.Fleet) -> None:
        planes = self.planes
        turns = len(self.program.game.turns)
        fleet.planes = len(planes.names)
        fleet.attribute_plane = planes.begin("attribute ")
        fleet.last_plane, fleet.chain_plane = planes.begin("last-from"), planes.begin("chain")
        fleet.fills = len(planes.fill_names)
        fleet.fill_plane = planes.names.index(planes.fill_names[0]) if planes.fill_names else -1
        fleet.turn_plane = planes.begin("turn") if turns > 1 else -1
        fleet.turn_planes = turns if 1 < turns <= MOST_TURNS else int(turns > 1)
        fleet.must_plane = planes.names.index("must") if "must" in planes.names else -1
        fleet.out_plane = next((i for i, name in enumerate(planes.names) if name == "own out"), -1)
        fleet.times_plane = planes.begin("times")

    # ------------------------------------------------------------------------------------------------------- memory

    def allot(self, room: int, words: int, most: int, autoreset: int, watched: bool) -> None:
        """Allocate the arrays of all slots."""
        for engine in self.engines:
            fleet = engine.fleet
            fleet.room, fleet.words_room, fleet.most = room, words, most
            fleet.autoreset, fleet.watched = autoreset, int(watched)
            fleet.seen_room = self._most_keys(most)
        for storage in f.ARRAYS:
            if storage.name.startswith("slot_"):
                self._share(storage, (self.slots + 1) * self.per_slot(storage.name))

    def _most_keys(self, most: int) -> int:
        """Return the maximum number of positions to store in a game of `most` legs, with rolls of dice in between."""
        players, turns = self.program.game.players, self.program.game.turns
        rolls = sum(players[turn.mover].kind == "random" for turn in turns)
        return (most + 2) * (1 + rolls) if self.planes.repeats else 0

    def grow(self, room: int, words: int) -> None:
        """Reallocate the lists of legal actions with more room; their contents are lost."""
        for engine in self.engines:
            engine.fleet.room, engine.fleet.words_room = room, words
            engine.fleet.wanted_room = engine.fleet.wanted_words = 0
        for storage in GROWING:
            self._share(storage, (self.slots + 1) * self.per_slot(storage.name))

    def sizes(self, names: Collection[str], room: int, words: int) -> dict[str, int]:
        """Return the size in bytes of each named array for the given room for legal actions and record words."""
        own = {"slot_legal": room, "slot_code": room, "slot_record": words}
        return {name: max((self.slots + 1) * own.get(name, self.per_slot(name)), 1) * sizeof(self.memory[name]._type_)
                for name in names}

    def per_slot(self, name: str) -> int:
        """Return the number of elements that an array has per slot."""
        fleet, squares = self.engines[0].fleet, len(self.program.game.board.places)
        match PER_SLOT.get(name, ""):
            case "":
                return 1
            case "squares":
                return squares
            case "attributes":
                return squares if self.program.game.attributes else 0
            case "stores":
                return int(self._params.stores)
            case "cells":
                return int(fleet.planes) * squares if fleet.watched else 0
            case "final_cells":
                return self.per_slot("slot_observation") if fleet.autoreset == f.SAME else 0
            case field:
                return int(getattr(fleet, field))

    def bytes_for(self, room: int, words: int, most: int, observations: int) -> int:
        """Return the bytes of memory per slot; `observations` is the number of observations stored (0 to 2)."""
        squares = len(self.program.game.board.places)
        stores = 4 * int(self._params.stores)
        captured = 8 * squares if self.planes.chains else 0
        attributes = 8 * squares if self.program.game.attributes else 0
        observation = len(self.planes.names) * squares * observations
        stride = 8 * int(self.engines[0].fleet.stride)
        seen = 8 * self._most_keys(most)
        return 4 * squares + stores + seen + captured + attributes + observation + stride + 8 * room + 8 * words + 32

