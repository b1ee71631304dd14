"""Program → the search of its positions: of the kind that serves the game, ready to be asked."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, wraps
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from zrf_py.ir.ops import Program
from zrf_py.native.errors import NoRoom
from zrf_py.run.engine import Engine, say_slow
from zrf_py.run.position import NOBODY, Move, Position
from zrf_py.run.rules import Rules
from zrf_py.search.fallback import Slow
from zrf_py.search.limits import A_SECOND, GLANCE, Limits
from zrf_py.search.request import Request, Search
from zrf_py.search.result import Analysis, Progress, Stop
from zrf_py.search.traits import ALPHA_BETA, BEAM, SLOW, SOLVE, TREE, GameTraits, game_traits
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.search.base import Base

MOST_LEGS = 500
"""A turn with more is handed out unfinished."""
SHORT = 0.01
"""Seconds that are too few for a search: then only a glance is taken."""
LEISURE = 3.0
"""Seconds from which on a turn has room to learn in."""
PATIENCE = 60.0
"""Seconds that may be waited for a game's own code where what is learned is to last; it is made once and kept."""
KEPT_GAMES = 4
"""Games whose searchers are kept: each has tables of some ten megabytes."""


Method = TypeVar("Method", bound=Callable[..., Any])


def _alone(method: Method) -> Method:
    """Let one thread at a time call such methods of a search; they may call each other."""
    @wraps(method)
    def alone(self: GameSearch, *args: Any, **options: Any) -> Any:
        with self._lock:
            return method(self, *args, **options)

    return cast(Method, alone)


class GameSearch:
    """Searches positions of one game: for any thread, one after the other. `engine` and `base` are for one."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rules = Rules(program)
        self.traits: GameTraits = game_traits(program)
        self._kinds: dict[str, Search] = {}
        self._lock = RLock()

    @property
    def kind(self) -> str:
        """The kind of search that serves the game."""
        if not self.is_native:
            return SLOW
        if self.can_widen:
            return BEAM
        return TREE if self.traits.kind == SOLVE else self.traits.kind

    def kind_for(self, wish: str) -> str:
        """The kind that is used if this one is wished for, or none: without machine code always the slow one."""
        kind = wish or self.kind
        return SLOW if kind in MAKERS and not self.is_native else kind

    @property
    def is_native(self) -> bool:
        """Whether machine code can search the game."""
        return self.base is not None

    @_alone
    def analyse(
        self, position: Position, past: Sequence[Position] = (), limits: Limits | None = None, count: int = 1,
        seed: int = 0, kind: str = "", progress: Progress | None = None, stop: Stop | None = None,
    ) -> Analysis:
        """The best `count` lines of a position in which the game goes on.

        `past` are the positions of the game before it, the oldest first. The same arguments give the same lines, unless
        time is a limit or the game has yet to `settle`. `progress` is called with what is known so far; when `stop`
        says so, the search ends with that.

        :raises ZrfError: if there is no move, or no such kind of search for the game.
        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        kind, limits = self.kind_for(kind), limits or A_SECOND
        if not self.engine.moves(position):
            raise ZrfError("there is no move to think about: the game is over", "no-move")
        if limits.time is None or limits.time >= LEISURE:
            self.settle()
        past = () if kind == SLOW else may_return(position, past)
        return self._search(kind).analyse(Request(position, past, limits, count, seed, progress, stop))

    @_alone
    def settle(self, seconds: float = 0.0) -> None:
        """Learn anew with the game's own code what was learned in haste without it; wait for it so long."""
        if self.base:
            self.base.settle(seconds)

    def _search(self, kind: str) -> Search:
        """The search of a kind, made when it is first asked for."""
        if kind not in self._kinds:
            if kind in MAKERS and self.base:
                self._kinds[kind] = MAKERS[kind](self, self.base)
            elif kind == SLOW:
                self._kinds[kind] = Slow(self.rules)
            else:
                raise ZrfError(f"there is no search of the kind `{kind}`", "bad-kind")
        return self._kinds[kind]

    @property
    def engine(self) -> Engine:
        """The fastest rules there are."""
        return self.base.searcher.engine if self.base else self.rules

    @property
    @_alone
    def base(self) -> Base | None:
        """What machine code starts from; None where there is none, or no room in it for the game."""
        return self._base

    @cached_property
    def _base(self) -> Base | None:
        try:
            from zrf_py.search.base import Base

            return Base(self.program)
        except NoRoom:
            return None
        except ImportError as error:
            say_slow(error)
            return None

    @property
    def can_widen(self) -> bool:
        """Whether more than two race, and nothing is ever taken."""
        return self.base is not None and self.base.searcher.plan.beam

    @_alone
    def turn(
        self, position: Position, past: Sequence[Position] = (), limits: Limits | None = None, seed: int = 0,
        kind: str = "",
    ) -> tuple[Move, ...]:
        """The legs of the best complete turn; where it takes more than the best line tells, it is thought on.

        The limits are those of the whole turn. Nobody goes round in circles: a leg back to where the turn has been
        gives way to one that ends it or goes on.
        """
        began = time.perf_counter()
        legs: list[Move] = []
        seen: set[object] = {position.key()}
        while True:
            line = self.analyse(position, past, limits if not legs else _rest(limits, began), 1, seed, kind).best
            for leg in line.moves:
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
        """In the middle of a turn: a pass, else a leg that ends it, else one to somewhere new, else any."""
        found = [(move, self.engine.after(position, move)) for move in self.engine.moves(position)]
        return min(found, key=lambda way: (not way[0].is_pass, way[1].chain is not None, way[1].key() in seen))


def _rest(limits: Limits | None, began: float) -> Limits | None:
    """What is left of the limits of a turn for its further legs: a glance at least."""
    if limits is None or limits.time is None:
        return limits
    left = limits.time - (time.perf_counter() - began)
    return replace(limits, time=left) if left > SHORT else Limits(nodes=GLANCE, noise=limits.noise)


def may_return(position: Position, past: Sequence[Position]) -> list[Position]:
    """Those of the earlier positions that could come again: as many pieces on the board, no turn under way."""
    pieces = _pieces(position)
    found = []
    for before in reversed(past):
        if _pieces(before) != pieces:
            break
        if before.chain is None:
            found.append(before)
    return found[::-1]


def _pieces(position: Position) -> int:
    return len(position.owner) - position.owner.count(NOBODY)


def _alpha_beta(search: GameSearch, base: Base) -> Search:
    from zrf_py.search.alphabeta.driver import AlphaBeta

    if search.traits.players < 2 or search.traits.chance:
        raise ZrfError("alpha-beta is for two players or more, without chance", "bad-kind")
    return AlphaBeta(base)


def _tree(search: GameSearch, base: Base) -> Search:
    from zrf_py.search.mcts.driver import TreeSearch

    return TreeSearch(base)


def _beam(search: GameSearch, base: Base) -> Search:
    from zrf_py.search.beam.driver import BeamSearch

    if not search.can_widen:
        raise ZrfError("a beam is for races of more than two in which nothing is taken", "bad-kind")
    return BeamSearch(base)


MAKERS: Mapping[str, Callable[[GameSearch, Base], Search]] = {ALPHA_BETA: _alpha_beta, TREE: _tree, BEAM: _beam}
"""The kinds of search that need machine code; what makes one says which games it is not for."""

_made: OrderedDict[int, GameSearch] = OrderedDict()
_finding = Lock()


def search_for(program: Program) -> GameSearch:
    """The search of a game, made when it is first asked for; the ones longest unused are forgotten."""
    with _finding:
        found = _made.pop(id(program), None)
        if found is None or found.program is not program:
            found = GameSearch(program)
        _made[id(program)] = found
        while len(_made) > KEPT_GAMES:
            _made.popitem(last=False)
        return found
