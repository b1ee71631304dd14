"""Facade of search: chooses the kind of search that serves a game, and caches its searchers."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from threading import Lock, RLock
from typing import TYPE_CHECKING

from zrf_py.ir.ops import Program
from zrf_py.native.errors import NoRoom
from zrf_py.run.engine import Engine, say_slow
from zrf_py.run.position import NOBODY, Move, Position
from zrf_py.run.rules import Rules
from zrf_py.search.fallback import Slow
from zrf_py.search.limits import A_SECOND, GLANCE, Limits
from zrf_py.search.plan import Patterns
from zrf_py.search.result import Analysis, Progress, Request, Stop
from zrf_py.search.trained import trained_for
from zrf_py.search.traits import ALPHA_BETA, BEAM, NATIVE, SLOW, GameTraits, game_traits
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.native.extension import Extension
    from zrf_py.native.machine import Machine
    from zrf_py.search.base import Base
    from zrf_py.search.driver import Driver

MOST_LEGS = 500
"""Maximum number of legs of a turn returned by `turn`; a longer one is returned unfinished."""
SHORT = 0.01
"""Seconds below which the rest of a turn gets `GLANCE` positions only."""
KEPT_GAMES = 4
"""Number of games whose searchers are cached; each has tables of some ten megabytes."""


class GameSearch:
    """Search for one game. Its methods are thread-safe; `engine` and `base` are not."""

    def __init__(self, program: Program, trained: Callable[[Program], Patterns | None] = trained_for,
                 machine: Callable[[Program, Extension], Machine] | None = None) -> None:
        """:param trained: function that returns the learned patterns of a game (None: there are none).
        :param machine: see `Base`."""
        self.program = program
        self._trained = trained
        self._machine = machine
        self.rules = Rules(program)
        self.traits: GameTraits = game_traits(program)
        self._kinds: dict[str, Driver | Slow] = {}
        self._lock = RLock()

    @property
    def kind(self) -> str:
        """The default kind of search for the game."""
        if not self.is_native:
            return SLOW
        return BEAM if self.can_widen else self.traits.kind

    def kind_for(self, wish: str) -> str:
        """Return the kind of search used for `wish` ("": the default); `slow` replaces native kinds that can't run."""
        kind = wish or self.kind
        return SLOW if kind in NATIVE and not self.is_native else kind

    @property
    def is_native(self) -> bool:
        """True if native code can search the game."""
        return self.base is not None

    def analyse(
        self, position: Position, past: Sequence[Position] = (), limits: Limits | None = None, count: int = 1,
        seed: int = 0, kind: str = "", progress: Progress | None = None, stop: Stop | None = None,
    ) -> Analysis:
        """Return the best `count` lines of a position in which the game goes on.

        `past` holds the game's earlier positions, oldest first. Equal arguments give equal lines, unless time is
        limited. `progress` receives interim results; when `stop` returns True, the search ends.

        :raises ZrfError: if there is no move, or no such kind of search for the game.
        :raises RulesFault: if a block of the rules does not terminate.
        """
        with self._lock:
            kind, limits = self.kind_for(kind), limits or A_SECOND
            if not self.engine.moves(position):
                raise ZrfError("there is no legal move: the game is over", "no-move")
            past = () if kind == SLOW else may_return(position, past)
            return self._search(kind).analyse(Request(position, past, limits, count, seed, progress, stop))

    def _search(self, kind: str) -> Driver | Slow:
        """Return the search of a kind, created on first use."""
        if kind not in self._kinds:
            if kind in NATIVE and self.base:
                self._kinds[kind] = self._native(kind, self.base)
            elif kind == SLOW:
                self._kinds[kind] = Slow(self.rules)
            else:
                raise ZrfError(f"there is no kind of search `{kind}`", "bad-kind")
        return self._kinds[kind]

    def _native(self, kind: str, base: Base) -> Driver:
        from zrf_py.search.driver import Driver

        if kind == ALPHA_BETA and (self.traits.players < 2 or self.traits.chance):
            raise ZrfError("alpha-beta search is for two or more players, without chance", "bad-kind")
        if kind == BEAM and not self.can_widen:
            raise ZrfError("beam search is for races of more than two players, without captures", "bad-kind")
        return Driver(base, kind)

    @property
    def engine(self) -> Engine:
        """The fastest engine available."""
        return self.base.searcher.engine if self.base else self.rules

    @property
    def base(self) -> Base | None:
        """Native search data; None if there is no native engine, or the game does not fit it."""
        with self._lock:
            return self._base

    @cached_property
    def _base(self) -> Base | None:
        try:
            from zrf_py.search.base import Base

            return Base(self.program, self._trained(self.program), self._machine)
        except NoRoom:
            return None
        except ImportError as error:
            say_slow(error)
            return None

    @property
    def can_widen(self) -> bool:
        """True if the game is a race of more than two players without captures."""
        return self.base is not None and self.base.searcher.plan.beam

    def turn(
        self, position: Position, past: Sequence[Position] = (), limits: Limits | None = None, seed: int = 0,
        kind: str = "",
    ) -> tuple[Move, ...]:
        """Return the legs of the best complete turn, searching again if it is longer than the best line.

        The limits apply to the whole turn. To avoid cycles, a leg back to a position of this turn is replaced by one
        that ends the turn or leads elsewhere.
        """
        legs: list[Move] = []
        seen: set[object] = {position.key()}
        with self._lock:
            began = time.perf_counter(), time.thread_time()
            while True:
                rest = _rest(limits, began) if legs else limits
                for leg in self.analyse(position, past, rest, 1, seed, kind).best.moves:
                    after = self.engine.after(position, leg)
                    if is_circle := after.chain is not None and after.key() in seen:
                        leg, after = self._way_out(position, seen)
                    position = after
                    legs.append(leg)
                    seen.add(position.key())
                    if position.chain is None or len(legs) >= MOST_LEGS:
                        return tuple(legs)
                    if is_circle:
                        break

    def _way_out(self, position: Position, seen: Container[object]) -> tuple[Move, Position]:
        """Return (leg, position after it): a pass, else a leg that ends the turn, else one to a new position."""
        successors = [(move, self.engine.after(position, move)) for move in self.engine.moves(position)]
        return min(successors, key=lambda pair: (not pair[0].is_pass, pair[1].chain is not None, pair[1].key() in seen))


def _rest(limits: Limits | None, began: tuple[float, float]) -> Limits | None:
    """Return the limits for the rest of a turn that `began` at (clock time, processor time): the time that is left, or
    `GLANCE` positions if that is too short. None, and limits without a time, are returned unchanged."""
    if limits is None or limits.seconds is None:
        return limits
    left = None if limits.time is None else limits.time - (time.perf_counter() - began[0])
    cpu = None if limits.cpu is None else limits.cpu - (time.thread_time() - began[1])
    rest = replace(limits, time=left, cpu=cpu)
    return rest if (rest.seconds or 0) > SHORT else Limits(nodes=GLANCE, noise=limits.noise)


def may_return(position: Position, past: Sequence[Position]) -> list[Position]:
    """Return the earlier positions between turns that may recur: those since the number of pieces last changed."""
    pieces = _pieces(position)
    earlier = []
    for before in reversed(past):
        if _pieces(before) != pieces:
            break
        if before.chain is None:
            earlier.append(before)
    return earlier[::-1]


def _pieces(position: Position) -> int:
    return len(position.owner) - position.owner.count(NOBODY)


_cached = lru_cache(maxsize=KEPT_GAMES)(GameSearch)
_creating = Lock()


def search_for(program: Program) -> GameSearch:
    """Return the cached search of a game, created on first use; the least recently used are dropped."""
    with _creating:
        return _cached(program)
