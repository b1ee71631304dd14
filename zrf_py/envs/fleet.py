"""Many games of one kind at once: `Fleet`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from ctypes import memset, sizeof
from functools import cached_property
from hashlib import sha256
from types import TracebackType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zrf_py.envs.actions import VERSION, ambiguous
from zrf_py.envs.asked import bad, illegal, playable, want, whole
from zrf_py.envs.crew import Crew
from zrf_py.envs.engine import Slots
from zrf_py.envs.graph import Graph
from zrf_py.envs.kernel import memory as f
from zrf_py.envs.kernel.slots import TIMES
from zrf_py.native.errors import NoRoom
from zrf_py.play.game import Game, Position
from zrf_py.text.diagnostics import Diagnostic, ZrfError

FIRST_ROOM = 64
WORDS_EACH = 4
ARRAYS = ("legal", "count", "observation", "final_observation", "reward", "done", "truncated", "player", "ply",
          "_action")
"""What a fleet shows until it is closed."""
AUTORESET = {"off": f.OFF, "next": f.NEXT, "same": f.SAME}

Ints: TypeAlias = NDArray[np.int32]
Bytes: TypeAlias = NDArray[np.int8]
Truths: TypeAlias = NDArray[np.bool_]


class Fleet:
    """
    `size` games of one kind, each in a slot of native memory; `step` makes one leg in every one of them.

    The arrays belong to the fleet: each call writes into them anew, so copy what has to last. One row for a slot:

    | array | shape, type | holds |
    |---|---|---|
    | `legal` | (size, room) int32 | the legal actions, then -1 |
    | `count` | (size,) int32 | how many they are |
    | `observation` | (size, planes, squares) int8 | the position as the player to move sees it (`planes.py`) |
    | `final_observation` | as `observation` | with `autoreset="same"`: the last one of the game that has just ended |
    | `reward` | (size, players) int8 | 1 won, -1 lost, 0; only in the step that ends a game |
    | `done`, `truncated` | (size,) bool | the game is over; it was cut off after `max_plies` legs |
    | `player` | (size,) int32 | whose turn it is, a number in `players`; -1 where the dice stick |
    | `ply` | (size,) int32 | legs made in this game |

    `autoreset`: a finished game begins anew with the `"next"` step, which takes no action of it (any number will do);
    at once with `"same"`, so that observation and actions are already the new game's while reward and done are the old
    one's; or never with `"off"`. The action `HOLD` leaves the game of a slot as it is.

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
        """:raises ZrfError: if the game or a number does not fit; it says why, before anything is played."""
        size, threads = want("size", size, 1, 1 << 24), want("threads", threads, 1, 256)
        max_plies = want("max_plies", max_plies, 1, 1 << 24)
        if autoreset not in AUTORESET:
            raise bad(f"autoreset is {autoreset!r}", "write one of " + ", ".join(AUTORESET))
        self.size, self.max_plies, self.autoreset = size, max_plies, autoreset
        self.game, self.actions, self.plane_list = playable(game, variant)
        self._seeds(seed)
        try:
            self._slots = Slots(self.game.program, self.actions, self.plane_list, size, min(threads, size))
        except (NoRoom, ImportError) as error:
            raise ZrfError([Diagnostic(
                "no-native-engine", f"{self.game.title} can't be played by the thousand: {error}", None,
                help="a fleet needs the native engine (`pip install llvmlite`), and a game that fits it")]) from None
        self._crew = Crew(self._slots.engines, size)
        self._closed = False
        self._watched = observe
        room = min(FIRST_ROOM, self.action_count + 1)
        self._check_memory(room)
        self._slots.allot(room, room * WORDS_EACH, max_plies, AUTORESET[autoreset], observe)
        self._look()
        self.reset(seed)

    def _check_memory(self, room: int) -> None:
        observations = int(self._watched) + (self._watched and self.autoreset == "same")
        each = self._slots.bytes_for(room, room * WORDS_EACH, self.max_plies, observations)
        have = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 62
        if each * self.size > have:
            raise bad(f"{self.size:,} games take {each * self.size >> 20:,} MiB, more than this machine has",
                       "make `size` or `max_plies` smaller, or leave out observations with `observe=False`")

    def _look(self) -> None:
        """See native memory as numpy arrays."""
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
        """End the games of some slots, an index or mask of them, where they are: `truncated`, without a reward."""
        self._open()
        _view(self._slots.memory["slot_truncated"], np.bool_)[: self.size][slots] = True

    def _array(self, name: str, kind: Any, *shape: int) -> NDArray[Any]:
        whole = _view(self._slots.memory[name], kind)
        each = int(np.prod(shape)) if shape else 1
        found: NDArray[Any] = whole[: self.size * each].reshape((self.size, *shape))
        found.flags.writeable = name == "slot_action"
        return found

    # -------------------------------------------------------------------------------------------------- what it is

    @property
    def players(self) -> tuple[str, ...]:
        """Names of those who play, in the order of the columns of `reward`."""
        return tuple(self.game.program.game.players[i].name for i in self.plane_list.ordinary)

    @property
    def action_count(self) -> int:
        """How many actions the game has; they are numbered from 0."""
        return len(self.actions)

    def action_text(self, action: int) -> str:
        """An action as it is read, such as `e2-e4`.

        :raises ZrfError: if there is none of that number.
        """
        return self.actions.texts[want("action", action, 0, self.action_count - 1)]

    def action_number(self, text: str) -> int:
        """The action that is read so.

        :raises ZrfError: if there is none.
        """
        if text not in self.actions.numbers:
            raise bad(f"`{text}` is no action of {self.game.title}", "`action_text` says how they are written")
        return self.actions.numbers[text]

    @property
    def planes(self) -> tuple[str, ...]:
        """What each plane of an observation shows."""
        return self.plane_list.names

    @cached_property
    def graph(self) -> Graph:
        """The board: squares, links between them, rows and columns if it is a rectangle."""
        return Graph(self.game.program)

    @property
    def room(self) -> int:
        """Columns of `legal`. Where a position has more legal actions it grows, and `legal` is another array then."""
        return int(self._slots.engines[0].fleet.room)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where the row of each slot begins in `legal.ravel()`."""
        return np.arange(self.size, dtype=np.int64) * self.room

    @property
    def mask(self) -> Truths:
        """(size, actions): whether an action is legal. Made when asked for; `legal` is quicker."""
        found = np.zeros((self.size, self.action_count), np.bool_)
        rows = np.repeat(np.arange(self.size), self.count)
        found[rows, self.legal[self.legal >= 0]] = True
        return found

    # ------------------------------------------------------------------------------------------------------- steps

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """New games in all slots; with a seed, or one for each slot, dice and `sample` begin anew as well.

        :raises ZrfError: if seeds are something else.
        """
        self._open()
        slots, seeds = self._slots, self._seeds(seed)
        slots.engines[0].put(self.game.engine.start())
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
        """One seed for all, one for each slot, or none."""
        if isinstance(seed, Sequence | np.ndarray) and len(seed) == self.size:
            numbers = [whole(number) for number in seed]
        else:
            numbers = [] if seed is None else [whole(seed)]
        if None in numbers:
            raise bad(f"seed is {seed!r}", f"give a whole number, or {self.size} of them, one for each slot")
        return [number % (1 << 62) for number in numbers if number is not None]

    def step(self, actions: ArrayLike) -> None:
        """Make one leg in each game: `actions` holds a legal action for each slot.

        :raises ZrfError: if one is not legal, naming slot and action: then nothing at all has been played.
        :raises RulesFault: if the rules can't be followed in some slot, which is cut off; the others are played.
        """
        self._open()
        given = np.asarray(actions)
        if given.shape != (self.size,) or not np.issubdtype(given.dtype, np.integer):
            raise bad(f"actions are {given.dtype} of shape {given.shape}",
                       f"give whole numbers of shape ({self.size},), one for each slot")
        fits = given if given.dtype == np.int32 else np.clip(given, self.HOLD - 1, self.action_count)
        np.copyto(self._action, fits, casting="unsafe")
        wrong = self._crew.run(f.CHECK, f.STEP)
        if wrong >= 0:
            legal = self.legal[wrong, : int(self.count[wrong])].tolist()
            raise illegal(f"slot {wrong}: ", given[wrong], self.actions, legal)
        self._settle()

    def sample(self) -> Ints:
        """A legal action for each slot, drawn uniformly; the same ones for the same seed."""
        self._open()
        self._crew.run(f.DRAW)
        return self._action.copy()

    def _settle(self) -> None:
        """After a step: give actions more room if need be, and say what went wrong."""
        if not self._crew.has_trouble:
            return
        fleets = [engine.fleet for engine in self._slots.engines]
        room = max(int(fleet.wanted_room) for fleet in fleets)
        words = max(int(fleet.wanted_words) for fleet in fleets)
        if room or words:
            room, words = max(self.room, _above(room)), max(int(fleets[0].words_room), _above(words))
            self._check_memory(room)
            self._slots.grow(room, words)
            self._crew.run(f.LIST)
            self._look()
        for engine in self._slots.engines:
            which, slot = int(engine.fleet.fault), int(engine.fleet.fault_slot)
            if which:
                engine.fleet.fault = 0
                self._complain(engine.faulty, which, slot)

    def _complain(self, fault: Callable[[int], None], which: int, slot: int) -> None:
        if which in (f.UNNAMED, f.AMBIGUOUS):
            raise ambiguous(f"slot {slot}")
        try:
            fault(which)
        except NoRoom:
            raise bad(f"slot {slot}: a position of {self.game.title} does not fit into native memory",
                       "the game is cut off there; play it with `Position`") from None

    # --------------------------------------------------------------------------------------------------- positions

    def position(self, slot: int) -> Position:
        """The position of a slot, without what was before it."""
        self._open()
        slot = want("slot", slot, 0, self.size - 1)
        engine = self._slots.engines[0]
        engine.call("fleet_load", slot)
        return Position(self.game, engine.at_hand())

    def times(self, slot: int) -> int:
        """How often the position of a slot has been there in its game, now included."""
        self._open()
        slot = want("slot", slot, 0, self.size - 1)
        engine = self._slots.engines[0]
        return int(self._slots.memory["slot_words"][slot * engine.fleet.stride + TIMES])

    def put(self, slot: int, position: Position) -> None:
        """Let the game of a slot go on from a position; what it has met before counts for repetition.

        :raises ZrfError: if it is a position of another game, or its game is over.
        """
        self._open()
        slot = want("slot", slot, 0, self.size - 1)
        if not isinstance(position, Position):
            raise bad(f"the position is {position!r}", "give a `zrf_py.Position`, such as `fleet.position(0)`")
        if position.game.program is not self.game.program:
            raise bad(f"the position is of {position.game.title}, not of this fleet's game",
                       "make the fleet with the position's game: `Fleet(position.game, …)`")
        if position.state.result is not None:
            raise bad("the game of the position is over", "put a position that somebody can move in")
        engine = self._slots.engines[0]
        room = int(engine.fleet.seen_room)
        past = [state for state in position.earlier() if state.chain is None][-(room // 2) :] if room else []
        keys = engine.keys(past, position.state)
        if keys:
            self._slots.memory["slot_seen"][slot * room : slot * room + len(keys)] = keys
        engine.call("fleet_put", slot, len(keys))
        self._settle()

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything about all games, as copies: `load` goes on from there. `numpy.savez(file, **fleet.state())`."""
        self._open()
        room = np.array([self.room, self._slots.engines[0].fleet.words_room])
        return {name: _view(memory, np.uint8).copy() for name, memory in self._slots.memory.items()
                if name.startswith("slot_")} | {"room": room, "kind": self._kind}

    @cached_property
    def _kind(self) -> NDArray[np.uint8]:
        """A few bytes that are the same for fleets that can load each other's states."""
        told = [VERSION, self.size, self.max_plies, self._watched, self.planes, self.actions.names]
        return np.frombuffer(sha256(repr(told).encode()).digest(), np.uint8)

    def load(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` of a fleet of the same game and size has given.

        :raises ZrfError: if it is of another kind of fleet; then nothing has changed.
        """
        self._open()
        if not isinstance(state, Mapping) or "room" not in state or "kind" not in state:
            raise bad("this is not the state of a fleet", "give what `Fleet.state` has returned")
        numbers = np.asarray(state["room"]).tolist()
        room, words = numbers if isinstance(numbers, list) and len(numbers) == 2 else (0, 0)
        ours = {name for name in self._slots.memory if name.startswith("slot_")}
        wanted = self._slots.sizes(ours, room, words)
        if not np.array_equal(state["kind"], self._kind) or any(
                name not in state or np.asarray(state[name]).nbytes != size for name, size in wanted.items()):
            raise bad("the state is of another kind of fleet", "game, size, max_plies and observe must be the same")
        if (room, words) != (self.room, int(self._slots.engines[0].fleet.words_room)):
            self._slots.grow(room, words)
            self._look()
        for name in ours:
            _view(self._slots.memory[name], np.uint8)[:] = np.asarray(state[name]).view(np.uint8)

    # ----------------------------------------------------------------------------------------------------- closing

    def close(self) -> None:
        """Give the memory back; arrays that somebody still holds stay as they are."""
        if not self._closed:
            self._closed = True
            self._crew.stop()
            for name in ("_crew", "_slots", *ARRAYS):
                delattr(self, name)

    def _open(self) -> None:
        if self._closed:
            raise bad("the fleet is closed", "make another one")

    def __getattr__(self, name: str) -> Any:
        if name in ARRAYS:
            self._open()
        raise AttributeError(f"a fleet has no `{name}`")

    def __enter__(self) -> Fleet:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Fleet of {self.size} games of {self.game.title}>"


def _view(memory: Any, kind: Any) -> NDArray[Any]:
    """Native memory as an array."""
    return np.frombuffer(memory, kind)


def _above(number: int) -> int:
    """A power of two with room to spare."""
    return 1 << (number + number // 4).bit_length() if number else 0
