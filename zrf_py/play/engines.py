"""The one place that chooses an engine by name."""

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

PATIENCE = 0.4
"""Seconds that the interpreter may take for a game before machine code is worth loading."""
DEEP = 3
"""Plies from which on counting is long work."""
MANY = 1000
"""Lists of moves after which a game's own code is worth having."""
_NATIVE = "zrf_py.native"
Answer = TypeVar("Answer")


def make_engine(
    program: Program, name: str = "interpret", patient: bool = False, unnoticed: float = 0.0,
) -> Engine:
    """
    The engine for a program: "interpret", "native", or "auto" for native where this machine can run it.

    The native engine is a module with a class `Native` that takes the program; it is loaded only when asked for.
    "auto" with `patient` begins with the interpreter and goes over to machine code when there is work for it: when its
    answers have taken long together, of each only what it took beyond `unnoticed` seconds.

    :raises ZrfError: if the native engine is asked for by name and can't be used.
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
    """Before long work: let the user know if there is no machine code to do it."""
    try:
        import_module(f"{_NATIVE}.engine")
    except ImportError as error:
        say_slow(error)


def listing(program: Program, piece: int | None = None) -> Iterator[str]:
    """The machine's code of the blocks of a piece type, or of all, as lines.

    :raises ZrfError: if there is no native engine here, or the game is too large for it.
    """
    lines, errors = _native_modules("listing", "errors")
    try:
        yield from lines.list_blocks(program, lambda op, at: show_op(program, op, at), piece)
    except errors.TooLarge:
        raise ZrfError([Diagnostic("no-native-engine", "this game is too large for the native engine", None,
                                   help="`zrf show --program` shows the operations")]) from None


def describe_native(program: Program) -> Iterator[str]:
    """Which machine code does long work in a game, and how, line by line.

    :raises ZrfError: if there is no native engine here.
    """
    lines, errors = _native_modules("listing", "errors")
    try:
        yield from lines.describe(program)
    except errors.TooLarge:
        yield "none: the game is too large for native memory, so the interpreter plays it"


class _Slow(Exception):
    """The interpreter has worked too long for an answer that machine code gives at once."""


class _Own:
    """What answers one thread: machine code with memory of its own, or the interpreter where there is none."""

    def __init__(self, native: Native | None, rules: Rules) -> None:
        self.native = native
        self.engine: Engine = native or rules
        self.lists = 0

    def moves(self, position: Position) -> tuple[Move, ...]:
        self.lists += 1
        if self.lists == MANY and self.native:
            self.engine = self.native.for_many()
        return self.engine.moves(position)


class _Lease:
    """Gives what answered a thread to the next one as soon as the thread has ended."""

    def __init__(self, free: deque[_Own], own: _Own) -> None:
        self.free, self.own = free, own

    def __del__(self) -> None:
        self.free.append(self.own)


class Auto:
    """The interpreter for a few questions, machine code for many: both give the same answers.

    A short command so pays neither for loading LLVM nor for compiling. Where there is no LLVM the interpreter stays,
    and that is said once. Threads may share it: each gets machine code with memory of its own, and no thread waits for
    another, except while the interpreter answers.
    """

    def __init__(self, program: Program, unnoticed: float = 0.0) -> None:
        self.program = program
        self.rules = Rules(program, self._look_at_clock)
        self._until = math.inf
        """When the interpreter is to give up the question it is asked."""
        self._unnoticed = unnoticed
        self._left = PATIENCE
        self._lock = RLock()
        """Held while the interpreter answers and until it is settled what comes after it."""
        self._is_settled = False
        """Whether machine code has taken over, or is known to be missing."""
        self._is_missing = False
        self._threads = local()
        self._free: deque[_Own] = deque()
        """What answered threads that have ended."""

    @property
    def answering(self) -> Engine:
        """The engine that answers this thread now."""
        return self._own().engine if self._is_settled else self.rules

    def start(self) -> Position:
        return self.rules.start()

    def moves(self, position: Position) -> tuple[Move, ...]:
        if self._is_settled:
            return self._own().moves(position)
        return self._ask(lambda engine: engine.moves(position))

    def after(self, position: Position, move: Move) -> Position:
        if self._is_settled:
            return self._own().engine.after(position, move)
        return self._ask(lambda engine: engine.after(position, move))

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        if self._is_settled:
            return self._own().engine.outcome(position, repetitions)
        return self._ask(lambda engine: engine.outcome(position, repetitions))

    def is_attacked(self, position: Position, player: int) -> bool:
        return self._ask(lambda engine: engine.is_attacked(position, player))

    def find_turns(self, position: Position) -> list[tuple[tuple[Move, ...], Position]] | None:
        """Every complete turn, if machine code is at hand; else None, and the definition finds them."""
        native = self._at_hand
        return native.find_turns(position) if native else None

    def perft(self, position: Position, depth: int) -> int | None:
        """How many lines of `depth` plies start here; None for little work, which the definition does."""
        return self._count(depth, lambda native: native.perft(position, depth))

    def turn_perft(self, position: Position, depth: int) -> int | None:
        """The same in complete turns."""
        return self._count(depth, lambda native: native.turn_perft(position, depth))

    def _count(self, depth: int, count: Callable[[Native], int | None]) -> int | None:
        native = self.native() if depth >= DEEP else self._at_hand
        if native is None:
            return None
        try:
            return count(native)
        except import_module(f"{_NATIVE}.errors").NoRoom:
            return None

    def _ask(self, question: Callable[[Engine], Answer]) -> Answer:
        """Ask the engine at hand; when the interpreter has worked long enough it is the last time, or it is stopped."""
        if not self._is_settled:
            with self._lock:
                if not self._is_settled:
                    with suppress(_Slow):
                        return self._interpreted(question)
                    self._settle()
        return question(self._own().engine)

    def _interpreted(self, question: Callable[[Engine], Answer]) -> Answer:
        """:raises _Slow: if that takes too long."""
        began = time.perf_counter()
        self._until = began + self._left + self._unnoticed
        try:
            answer = question(self.rules)
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
        """Machine code, if it has taken over and can be had."""
        return self._own().native if self._is_settled else None

    def native(self) -> Native | None:
        """Machine code from now on, that of this thread; None where it can't be had."""
        with self._lock:
            self._settle()
        return self._own().native

    def _settle(self) -> None:
        """Let machine code take over."""
        if not self._is_settled:
            self._free.append(self._made())
            self._is_settled = True

    def _made(self) -> _Own:
        if self._is_missing:
            return _Own(None, self.rules)
        try:
            return _Own(_native(self.program), self.rules)
        except ImportError as error:
            self._is_missing = True
            say_slow(error)
            return _Own(None, self.rules)

    def _own(self) -> _Own:
        """What answers this thread."""
        found: _Own | None = getattr(self._threads, "own", None)
        return found or self._lease()

    def _lease(self) -> _Own:
        try:
            own = self._free.pop()
        except IndexError:
            own = self._made()
        self._threads.own, self._threads.lease = own, _Lease(self._free, own)
        return own


def _native(program: Program) -> Native:
    if find_spec(_NATIVE) is None:
        raise ImportError("it isn't part of this installation")
    engine: Native = import_module(_NATIVE).Native(program)
    return engine


def _native_modules(*names: str) -> list[ModuleType]:
    """Modules of the native engine.

    :raises ZrfError: if it can't be used here.
    """
    try:
        return [import_module(f"{_NATIVE}.{name}") for name in names]
    except ImportError as error:
        raise _refusal(error) from None


def _refusal(error: ImportError) -> ZrfError:
    return ZrfError([Diagnostic("no-native-engine", f"the native engine can't be used here: {error}", None,
                                help="`pip install llvmlite`; without it the interpreter plays, with the same moves")])
