"""`Fleet`: many games of one kind in native memory, advanced together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from ctypes import memset, sizeof
from functools import cached_property, partial
from hashlib import sha256
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zrf_py.envs.actions import VERSION, ambiguous
from zrf_py.envs.arguments import MOST, bad, illegal, playable
from zrf_py.envs.crew import Crew
from zrf_py.envs.engine import FleetEngine, Slots
from zrf_py.envs.graph import Graph
from zrf_py.envs.kernel import memory as f
from zrf_py.envs.kernel.slots import TIMES
from zrf_py.native.errors import NoRoom
from zrf_py.play.game import Game, Position
from zrf_py.text import arguments
from zrf_py.text.diagnostics import ZrfError

FIRST_ROOM = 64
WORDS_EACH = 4
ARRAYS = ("legal", "count", "observation", "final_observation", "reward", "done", "truncated", "player", "ply",
          "_action")
"""Attributes that are deleted when a fleet is closed."""
AUTORESET = {"off": f.OFF, "next": f.NEXT, "same": f.SAME}

Ints: TypeAlias = NDArray[np.int32]
Bytes: TypeAlias = NDArray[np.int8]
Truths: TypeAlias = NDArray[np.bool_]


class Fleet:
    """`size` games of one kind, each in a slot of native memory; `step` plays one leg in each of them.

    The arrays belong to the fleet, and each call overwrites them: copy data that must last. One row per slot:

    | array | shape, type | holds |
    |---|---|---|
    | `legal` | (size, room) int32 | the legal actions, padded with -1 |
    | `count` | (size,) int32 | the number of legal actions |
    | `observation` | (size, planes, squares) int8 | the position from the view of the player to move (`planes.py`) |
    | `final_observation` | as `observation` | with `autoreset="same"`: the last one of the game that just ended |
    | `reward` | (size, players) int8 | 1 won, -1 lost, else 0; nonzero only in the step that ends a game |
    | `done`, `truncated` | (size,) bool | the game is over; it was cut off after `max_plies` legs |
    | `player` | (size,) int32 | index in `players` of the player to move; -1 if the game ended before a roll of dice |
    | `ply` | (size,) int32 | legs played in this game |

    `autoreset`: `"next"` begins a new game with the next step, whose action for that slot is ignored; `"same"` begins
    it at once, so that observation and actions belong to the new game, reward and done to the old one; `"off"` never
    does. The action `HOLD` leaves the game of a slot as it is.

    >>> fleet = Fleet("tictactoe", 2)
    >>> fleet.step(fleet.legal[:, 0])
    >>> fleet.count.tolist(), fleet.player.tolist()
    ([8, 8], [1, 1])
    """

    HOLD = f.HOLD

    def __init__(
        self, game: Game | str, size: int, *, seed: int | Sequence[int] = 0, threads: int = 1, max_plies: int = 1000,
        autoreset: str = "next", observe: bool = True, variant: str | int | None = None,
    ) -> None:
        """:raises ZrfError: if the game or an argument is unsuitable."""
        size, threads = arguments.whole("size", size, 1, MOST), arguments.whole("threads", threads, 1, 256)
        max_plies = arguments.whole("max_plies", max_plies, 1, MOST)
        arguments.want("observe", observe, bool, "True or False")
        self.size, self.max_plies, self.autoreset = size, max_plies, arguments.one_of("autoreset", autoreset, AUTORESET)
        self.game, self.actions, self.plane_list = playable(game, variant)
        self._seeds(seed)
        try:
            self._slots = Slots(self.game.program, self.actions, self.plane_list, size, min(threads, size), max_plies,
                                AUTORESET[autoreset], observe)
        except (NoRoom, ImportError) as error:
            raise ZrfError(f"{self.game.title} can't be played as a fleet: {error}", "no-native-engine",
                           help="a fleet requires the native engine (`pip install llvmlite`) and a smaller game",
                           ) from None
        self._crew = Crew(self._slots.engines, size)
        self._closed = False
        self._watched = observe
        room = min(FIRST_ROOM, self.action_count + 1)
        self._allot(room, room * WORDS_EACH)
        self.reset(seed)

    def _allot(self, room: int, words: int) -> None:
        """Allocate memory for `room` legal actions, and `words` words of their records, in each slot."""
        total = sum(self._slots.sizes(room, words).values())
        have = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 62
        if total > have:
            raise bad(f"{self.size:,} games take {total >> 20:,} MiB, more than this machine can provide",
                      "make `size` or `max_plies` smaller, or leave out observations with `observe=False`")
        self._slots.allot(room, words)
        self._look()

    def _look(self) -> None:
        """Create the public numpy views of native memory."""
        squares = len(self.game.program.game.board.places)
        planes, players = len(self.plane_list.names), len(self.plane_list.ordinary)
        self.legal: Ints = self._array("slot_legal", np.int32, self.room)
        self.count: Ints = self._array("slot_count", np.int32)
        shape = (planes, squares) if self._watched else (0, squares)
        self.observation: Bytes = self._array("slot_observation", np.int8, *shape)
        final = shape if self.autoreset == "same" else (0, squares)
        self.final_observation: Bytes = self._array("slot_final", np.int8, *final)
        self.reward: Bytes = self._array("slot_reward", np.int8, players)
        self.done: Truths = self._array("slot_done", np.bool_)
        self.truncated: Truths = self._array("slot_truncated", np.bool_)
        self.player: Ints = self._array("slot_player", np.int32)
        self.ply: Ints = self._array("slot_ply", np.int32)
        self._action: Ints = self._array("slot_action", np.int32)

    def cut_off(self, slots: NDArray[Any]) -> None:
        """Mark the games of `slots` (indices or a mask; else `ZrfError`) as `truncated`, without a reward."""
        self._open()
        try:
            np.frombuffer(self._slots.memory["slot_truncated"], np.bool_)[: self.size][slots] = True
        except (IndexError, OverflowError, ValueError):
            raise arguments.bad("slots", slots, f"give slots from 0 to {self.size - 1}, or a mask of them") from None

    def _array(self, name: str, kind: Any, *shape: int) -> NDArray[Any]:
        memory = np.frombuffer(self._slots.memory[name], kind)
        each = int(np.prod(shape)) if shape else 1
        view: NDArray[Any] = memory[: self.size * each].reshape((self.size, *shape))
        view.flags.writeable = name == "slot_action"
        return view

    # -------------------------------------------------------------------------------------------------- properties

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the ordinary players (no dice, no neutral ones), in the order of the columns of `reward`."""
        return tuple(self.game.program.game.players[i].name for i in self.plane_list.ordinary)

    @property
    def action_count(self) -> int:
        """Size of the action space; actions are numbered from 0."""
        return len(self.actions)

    def action_text(self, action: int) -> str:
        """Return the text of an action, such as `e2-e4`.

        :raises ZrfError: if the number is out of range.
        """
        return self.actions.texts[arguments.whole("action", action, 0, self.action_count - 1)]

    def action_number(self, text: str) -> int:
        """Return the number of the action with this text.

        :raises ZrfError: if there is none.
        """
        if not isinstance(text, str) or text not in self.actions.numbers:
            raise bad(f"`{text}` is not an action of {self.game.title}", "`action_text` shows the notation of actions")
        return self.actions.numbers[text]

    @property
    def planes(self) -> tuple[str, ...]:
        """Names of the planes of an observation, in order (`planes.py`)."""
        return self.plane_list.names

    @cached_property
    def graph(self) -> Graph:
        """The board as a graph, with its rows and columns if it is a rectangle."""
        return Graph(self.game.program)

    @property
    def room(self) -> int:
        """Number of columns of `legal`. If a position has more legal actions, `legal` is replaced by a wider array."""
        return int(self._slots.engines[0].fleet.room)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Index in `legal.ravel()` of each slot's first legal action, (size,)."""
        return np.arange(self.size, dtype=np.int64) * self.room

    @property
    def mask(self) -> Truths:
        """Action mask, (size, actions). Computed at each access; `legal` is quicker."""
        legal = np.zeros((self.size, self.action_count), np.bool_)
        rows = np.repeat(np.arange(self.size), self.count)
        legal[rows, self.legal[self.legal >= 0]] = True
        return legal

    # ------------------------------------------------------------------------------------------------------- steps

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begin new games in all slots; a seed, or one per slot, also restarts the random numbers of dice and `sample`.

        :raises ZrfError: if `seed` is neither a number nor one number for each slot.
        """
        self._open()
        slots, seeds = self._slots, self._seeds(seed)
        slots.engines[0].border.load(self.game.engine.start())
        slots.engines[0].call("fleet_root", self.size)
        memset(slots.memory["slot_legal"], 255, sizeof(slots.memory["slot_legal"]))
        if len(seeds) == 1:
            slots.engines[0].call("fleet_seed", 0, self.size, seeds[0])
        else:
            for slot, number in enumerate(seeds):
                slots.engines[0].call("fleet_seed", slot, slot + 1, number)
        self._crew.run(f.BEGIN)
        self._settle()

    def _seeds(self, seed: int | Sequence[int] | None) -> list[int]:
        """Return one seed for all slots, one per slot, or an empty list for None."""
        if isinstance(seed, Sequence | np.ndarray) and np.ndim(seed) and len(seed) == self.size:
            numbers = [arguments.integer(number) for number in seed]
        else:
            numbers = [] if seed is None else [arguments.integer(seed)]
        if None in numbers:
            raise bad(f"seed is {seed!r}", f"give a whole number, or {self.size} numbers, one for each slot")
        return [number % (1 << 62) for number in numbers if number is not None]

    def step(self, actions: ArrayLike) -> None:
        """Play one leg in each game: `actions` (size,) holds a legal action, or `HOLD`, for each slot.

        :raises ZrfError: if an action is illegal; the message names slot and action, and no leg is played.
        :raises RulesFault: if the rules can't be followed in some slot; only its game is truncated.
        """
        self._open()
        numbers = np.asarray(actions)
        if numbers.shape != (self.size,) or not np.issubdtype(numbers.dtype, np.integer):
            raise bad(f"actions are {numbers.dtype} of shape {numbers.shape}",
                       f"give whole numbers of shape ({self.size},), one for each slot")
        fits = numbers if numbers.dtype == np.int32 else np.clip(numbers, self.HOLD - 1, self.action_count)
        np.copyto(self._action, fits, casting="unsafe")
        wrong = self._crew.run(f.CHECK, f.STEP)
        if wrong >= 0:
            legal = self.legal[wrong, : int(self.count[wrong])].tolist()
            raise illegal(f"slot {wrong}: ", numbers[wrong], self.actions, legal)
        self._settle()

    def sample(self) -> Ints:
        """Draw a legal action (0 if there is none) for each slot, (size,), uniformly; reproducible by the seed."""
        self._open()
        self._crew.run(f.DRAW)
        return self._action.copy()

    def _settle(self) -> None:
        """Finish a step: enlarge the lists of legal actions if needed, and raise faults reported by the kernels."""
        if not self._crew.has_trouble:
            return
        fleets = [engine.fleet for engine in self._slots.engines]
        room = max(int(fleet.wanted_room) for fleet in fleets)
        words = max(int(fleet.wanted_words) for fleet in fleets)
        if room or words:
            room, words = max(self.room, _above(room)), max(int(fleets[0].words_room), _above(words))
            self._allot(room, words)
            self._crew.run(f.LIST)
        for engine in self._slots.engines:
            if engine.fleet.fault:
                self._complain(engine)

    def _complain(self, engine: FleetEngine) -> None:
        code, slot = int(engine.fleet.fault), int(engine.fleet.fault_slot)
        engine.fleet.fault = 0
        if code in (f.UNNAMED, f.AMBIGUOUS):
            raise ambiguous(f"slot {slot}")
        try:
            engine.faulty(code)
        except NoRoom:
            raise bad(f"slot {slot}: a position of {self.game.title} does not fit into native memory",
                       "use `Position` to play this game") from None

    # --------------------------------------------------------------------------------------------------- positions

    def position(self, slot: int) -> Position:
        """Return the position of a slot, without its history."""
        slot, engine = self._slot(slot), self._slots.engines[0]
        engine.call("fleet_load", slot)
        return Position(self.game, engine.at_hand())

    def times(self, slot: int) -> int:
        """Return how often the position of a slot has occurred in its game, this time included."""
        slot, engine = self._slot(slot), self._slots.engines[0]
        return int(self._slots.memory["slot_words"][slot * engine.fleet.stride + TIMES])

    def put(self, slot: int, position: Position) -> None:
        """Continue the game of a slot from a position; the position's history counts for repetition.

        :raises ZrfError: if there is no such slot, the position belongs to another game, or its game is over.
        """
        slot = self._slot(slot)
        if not isinstance(position, Position):
            raise bad(f"the position is {position!r}", "give a `zrf_py.Position`, such as `fleet.position(0)`")
        if position.game.program is not self.game.program:
            raise bad(f"the position belongs to {position.game.title}, not to this fleet's game",
                       "make the fleet with the position's game: `Fleet(position.game, …)`")
        if position.state.result is not None:
            raise bad("the game of the position is over", "use a position in which a player can move")
        engine = self._slots.engines[0]
        room = int(engine.fleet.seen_room)
        past = [state for state in position.earlier() if state.chain is None][-(room // 2) :] if room else []
        keys = engine.keys(past, position.state)
        if keys:
            self._slots.memory["slot_seen"][slot * room : slot * room + len(keys)] = keys
        engine.call("fleet_put", slot, len(keys))
        self._settle()

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of all slot arrays, for `load`. To store them: `numpy.savez(file, **fleet.state())`."""
        self._open()
        room = np.array([self.room, self._slots.engines[0].fleet.words_room])
        return {name: np.frombuffer(memory, np.uint8).copy() for name, memory in self._slots.memory.items()
                if name.startswith("slot_")} | {"room": room, "kind": self._kind}

    @cached_property
    def _kind(self) -> NDArray[np.uint8]:
        """Digest, for `load`, of the version, size, `max_plies`, `observe`, and the names of the planes and actions."""
        traits = [VERSION, self.size, self.max_plies, self._watched, self.planes, self.actions.names]
        return np.frombuffer(sha256(repr(traits).encode()).digest(), np.uint8)

    def load(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore a state returned by `state` of a fleet of the same game and size.

        :raises ZrfError: if the state is of a different kind of fleet; this fleet is then unchanged.
        """
        self._open()
        if not isinstance(state, Mapping) or "room" not in state or "kind" not in state:
            raise bad("the value is not the state of a fleet", "give a result of `Fleet.state`")
        numbers = np.asarray(state["room"]).tolist()
        room, words = numbers if isinstance(numbers, list) and len(numbers) == 2 else (0, 0)
        sizes = self._slots.sizes(room, words)
        if not np.array_equal(state["kind"], self._kind) or any(
                name not in state or np.asarray(state[name]).nbytes != size for name, size in sizes.items()):
            raise bad("the state is of a different kind of fleet", "game, size, max_plies and observe must be the same")
        if (room, words) != (self.room, int(self._slots.engines[0].fleet.words_room)):
            self._allot(room, words)
        for name in sizes:
            np.frombuffer(self._slots.memory[name], np.uint8)[:] = np.asarray(state[name]).view(np.uint8)

    __setstate__ = load

    # ----------------------------------------------------------------------------------------------------- closing

    def close(self) -> None:
        """Stop the threads and free the memory; arrays that the caller still holds remain valid."""
        if not self._closed:
            self._closed = True
            self._crew.stop()
            for name in ("_crew", "_slots", *ARRAYS):
                delattr(self, name)

    def _open(self) -> None:
        if self._closed:
            raise bad("the fleet is closed", "create a new fleet")

    def _slot(self, slot: int) -> int:
        self._open()
        return arguments.whole("slot", slot, 0, self.size - 1)

    def __getattr__(self, name: str) -> Any:
        if name in ("_crew", "_slots", *ARRAYS):
            self._open()
        raise AttributeError(f"a fleet has no `{name}`")

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle a fleet as its arguments and its state; a copy plays on independently."""
        self._open()
        return partial(Fleet, self.game, self.size, threads=len(self._slots.engines), max_plies=self.max_plies,
                       autoreset=self.autoreset, observe=self._watched), (), self.state()

    def __repr__(self) -> str:
        return f"<Fleet of {self.size} games of {self.game.title}>"


def _above(number: int) -> int:
    """Return a power of two above `number`, with at least a quarter to spare; 0 for 0."""
    return 1 << (number + number // 4).bit_length() if number else 0
