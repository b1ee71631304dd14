"""Engine selection: the interpreter, native code, or a switch from one to the other when it pays (`Auto`)."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from threading import RLock, local
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from zrf_py.ir.ops import Program
from zrf_py.ir.show import show_op
from zrf_py.run.engine import Engine, say_slow
from zrf_py.run.position import Move, Outcome, Position
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Diagnostic, ZrfError

if TYPE_CHECKING:
    from zrf_py.native import Native
    from zrf_py.native.line import Mark, NativeLine

PATIENCE = 0.15
"""Seconds of interpretation per game before native code is loaded."""
DEEP = 3
"""Depth in plies from which a perft is left to native code."""
MANY = 1000
"""Move generations per thread before code is compiled for this very game."""
_NATIVE = "zrf_py.native"
Answer = TypeVar("Answer")


def make_engine(
    program: Program, name: str = "interpret", patient: bool = False, unnoticed: float = 0.0,
) -> Engine:
    """Return an engine for a program: "interpret", "native", or "auto" (native if this machine supports it).

    "auto" with `patient` starts with the interpreter and switches to native code once the interpreter's time adds up
    to `PATIENCE` (tiered execution); the first `unnoticed` seconds of each call don't count.

    :raises ZrfError: if the native engine is requested by name and can't be used.
    """
    if name == "interpret":
        return Rules(program)
    if name == "auto" and patient:
        return Auto(program, unnoticed)
    try:
        return _native(program)
    except ImportError as error:
        if name == "auto":
            say_slow(error)
            return Rules(program)
        raise _refusal(error) from None


def say_if_slow() -> None:
    """Warn the user, before long work, if native code is unavailable."""
    try:
        import_module(f"{_NATIVE}.engine")
    except ImportError as error:
        say_slow(error)


def listing(program: Program, piece: int | None = None) -> Iterator[str]:
    """Yield the lines of a listing of native code for the blocks of a piece type (None: of all types).

    :raises ZrfError: if the native engine is unavailable, or the game is too large for it.
    """
    lines, errors = _native_modules("listing", "errors")
    try:
        yield from lines.list_blocks(program, lambda op, at: show_op(program, op, at), piece)
    except errors.TooLarge:
        raise ZrfError([Diagnostic("no-native-engine", "this game is too large for the native engine", None,
                                   help="`zrf show --program` shows the operations")]) from None


def describe_native(program: Program) -> Iterator[str]:
    """Yield the lines of a description of the native code that a game uses.

    :raises ZrfError: if the native engine is unavailable.
    """
    lines, errors = _native_modules("listing", "errors")
    try:
        yield from lines.describe(program)
    except errors.TooLarge:
        yield "none: the game is too large for native memory, so the interpreter runs it"


class _Slow(Exception):
    """The interpreter has used up its time for one call."""


class _Own:
    """Engine of one thread: native code with memory of its own, or the interpreter if that is unavailable."""

    def __init__(self, native: Native | None, rules: Rules) -> None:
        self.native = native
        self.engine: Engine = native or rules
        self.line: NativeLine | None = None
        self.lists = 0
        self.has_grown = native is None

    def grow(self) -> None:
        """Use the game's own code if it is cached; after `MANY` move lists, have it compiled if it isn't."""
        if self.has_grown or self.native is None:
            return
        lists = self.lists + (self.line.lists if self.line else 0)
        self.has_grown = lists >= MANY or (not lists and self.native.has_own_at_hand())
        if self.has_grown or self.line is None:
            native = self.native.for_many() if self.has_grown else self.native
            self.engine, self.line = native, native.line()
        if self.line and not self.has_grown:
            self.line.limit = MANY - self.lists

    def moves(self, position: Position) -> tuple[Move, ...]:
        self.grow()
        self.lists += 1
        return self.engine.moves(position)


class _Lease:
    """Thread-local guard that returns an engine to the pool when its thread ends."""

    def __init__(self, free: deque[_Own], own: _Own) -> None:
        self.free, self.own = free, own

    def __del__(self) -> None:
        self.free.append(self.own)


class Here(local):
    """Thread-local state of an engine."""

    own: _Own | None = None
    lease: _Lease | None = None
    line: NativeLine | None = None
    """The line of play in the thread's native memory; None before the switch to native code, or without it."""


class Auto:
    """Engine that starts with the interpreter and switches to native code for long work; both give the same results.

    A short command thus neither loads LLVM nor compiles. Without LLVM it stays with the interpreter and warns once.
    Thread-safe: each thread gets native code with memory of its own; only calls of the interpreter are serialised.
    """

    def __init__(self, program: Program, unnoticed: float = 0.0) -> None:
        self.program = program
        self.rules = Rules(program, self._look_at_clock)
        self._until = math.inf
        """Time (of `perf_counter`) at which the interpreter aborts the current call."""
        self._unnoticed = unnoticed
        self._left = PATIENCE
        self._lock = RLock()
        """Held during calls of the interpreter and during the switch."""
        self._is_settled = False
        """True after the switch to native code, or once it is known to be unavailable."""
        self._is_missing = False
        self.here = Here()
        self._free: deque[_Own] = deque()
        """Pool of the engines of threads that have ended."""

    @property
    def answering(self) -> Engine:
        """The engine that currently serves this thread."""
        return self._own().engine if self._is_settled else self.rules

    def start(self) -> Position:
        return self.rules.start()

    def moves(self, position: Position) -> tuple[Move, ...]:
        if self._is_settled:
            return self._own().moves(position)
        return self._call(lambda engine: engine.moves(position))

    def begin(self, position: Position, is_first: bool) -> tuple[NativeLine, Mark] | None:
        """Load a position that has no result (`NativeLine.begin`); return its line and mark, or None if native
        code isn't in use or has no room."""
        if not self._is_settled:
            return None
        own = self._own()
        own.grow()
        self.here.line = own.line
        mark = own.line.begin(position, is_first) if own.line else None
        return (own.line, mark) if own.line and mark else None

    def after(self, position: Position, move: Move) -> Position:
        if self._is_settled:
            return self._own().engine.after(position, move)
        return self._call(lambda engine: engine.after(position, move))

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        if self._is_settled:
            return self._own().engine.outcome(position, repetitions)
        return self._call(lambda engine: engine.outcome(position, repetitions))

    def is_attacked(self, position: Position, player: int) -> bool:
        return self._call(lambda engine: engine.is_attacked(position, player))

    def find_turns(self, position: Position) -> list[tuple[tuple[Move, ...], Position]] | None:
        """Return all complete turns, found by native code; None if it isn't used: the caller then finds them."""
        native = self._at_hand
        return native.find_turns(position) if native else None

    def perft(self, position: Position, depth: int) -> int | None:
        """Count move sequences of `depth` plies with native code; None if it isn't used: the caller then counts."""
        return self._count(depth, lambda native: native.perft(position, depth))

    def turn_perft(self, position: Position, depth: int) -> int | None:
        """Like `perft`, in complete turns."""
        return self._count(depth, lambda native: native.turn_perft(position, depth))

    def _count(self, depth: int, count: Callable[[Native], int | None]) -> int | None:
        native = self.native() if depth >= DEEP else self._at_hand
        if native is None:
            return None
        try:
            return count(native)
        except import_module(f"{_NATIVE}.errors").NoRoom:
            return None

    def _call(self, query: Callable[[Engine], Answer]) -> Answer:
        """Call the current engine; if the interpreter runs out of time, switch and call native code."""
        if not self._is_settled:
            with self._lock:
                if not self._is_settled:
                    with suppress(_Slow):
                        return self._interpreted(query)
                    self._settle()
        return query(self._own().engine)

    def _interpreted(self, query: Callable[[Engine], Answer]) -> Answer:
        """Call the interpreter within the time left.

        :raises _Slow: if the call takes longer.
        """
        began = time.perf_counter()
        self._until = began + self._left + self._unnoticed
        try:
            answer = query(self.rules)
        finally:
            self._until = math.inf
        self._left -= max(0.0, time.perf_counter() - began - self._unnoticed)
        if self._left <= 0:
            self._settle()
        return answer

    def _look_at_clock(self) -> None:
        if time.perf_counter() > self._until:
            raise _Slow

    @property
    def _at_hand(self) -> Native | None:
        """Native code, if it is available and the switch has happened; else None."""
        return self._own().native if self._is_settled else None

    def native(self) -> Native | None:
        """Switch to native code and return this thread's engine; None if it is unavailable."""
        with self._lock:
            self._settle()
        return self._own().native

    def _settle(self) -> None:
        """Switch to native code."""
        if not self._is_settled:
            self._free.append(self._make())
            self._is_settled = True

    def _make(self) -> _Own:
        if self._is_missing:
            return _Own(None, self.rules)
        try:
            return _Own(_native(self.program), self.rules)
        except ImportError as error:
            self._is_missing = True
            say_slow(error)
            return _Own(None, self.rules)

    def _own(self) -> _Own:
        return self.here.own or self._lease()

    def _lease(self) -> _Own:
        try:
            own = self._free.pop()
        except IndexError:
            own = self._make()
        self.here.own, self.here.lease, self.here.line = own, _Lease(self._free, own), own.line
        return own


def _native(program: Program) -> Native:
    if find_spec(_NATIVE) is None:
        raise ImportError("it is not part of this installation")
    engine: Native = import_module(_NATIVE).Native(program)
    return engine


def _native_modules(*names: str) -> list[ModuleType]:
    """Import modules of the native engine.

    :raises ZrfError: if it is unavailable.
    """
    try:
        return [import_module(f"{_NATIVE}.{name}") for name in names]
    except ImportError as error:
        raise _refusal(error) from None


def _refusal(error: ImportError) -> ZrfError:
    return ZrfError([Diagnostic("no-native-engine", f"the native engine can't be used here: {error}", None,
                                help="`pip install llvmlite`; without it, the interpreter generates the same moves")])
