"""Background compilation of a game's own code, in another process.

The process reads its job from standard input, writes the result to standard output, and caches it. If its parent exits
normally, it finishes the job, so that even short work speeds up the next start; if the parent is killed or crashes, its
input closes without a message, and it exits as well. Only one such process per user works at a time; others wait, and
check the cache first when it is their turn.
"""

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from zrf_py import cache
from zrf_py.ir.ops import Program
from zrf_py.native import code
from zrf_py.native.extension import Extension
from zrf_py.native.layout import Layout

SECONDS = 10
"""Limit on processor time in seconds; a game that exceeds it keeps the kernel for any game."""
MEMORY = 1 << 30
"""Limit on memory in bytes."""
TURN = 5
"""Seconds within which work must have begun for the process to be allowed to finish alone."""
_NAME = 64
"""Length in bytes of the message with the cache key of the code."""
_FINISH = b"."
"""Message that lets the process finish its job: its parent exits normally."""
_FULL = 3
"""Exit status of a process that ran out of memory."""

_running: set[subprocess.Popen[bytes]] = set()
_ending = False


@dataclass(frozen=True)
class Made:
    """Result of a job: a game's own object code and its attack tables."""

    attacks: bytes
    code: bytes


@dataclass(frozen=True)
class Order:
    """A job: the game to compile."""

    program: Program
    layout: Layout
    also: Extension
    versions: str
    """Versions behind the parent's code; the process compares them, because it may have loaded other source."""


class Making:
    """A running job. `made` is set when `is_done`; None if it failed."""

    def __init__(self, program: Program, layout: Layout, also: Extension) -> None:
        self._order = Order(program, layout, also, code.versions_of(also))
        self._done = threading.Event()
        self.made: Made | None = None
        threading.Thread(target=self._run, name="making code", daemon=True).start()

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for the job; return whether it is done."""
        return self._done.wait(seconds)

    def _run(self) -> None:
        try:
            with suppress(OSError, ValueError, EOFError, pickle.PickleError, RecursionError):
                self.made = _compile(pickle.dumps(self._order, pickle.HIGHEST_PROTOCOL))
        finally:
            self._done.set()


def _compile(order: bytes) -> Made | None:
    """Run a job in another process; None if it failed."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", "from zrf_py.native.making import main; main()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    _running.add(process)
    if _ending:
        process.kill()
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(len(order).to_bytes(8, "little") + order)
        process.stdin.flush()
        name = process.stdout.read(_NAME).decode().strip()
        answer = process.stdout.read()
        if answer:
            made: Made = pickle.loads(answer)
            return made
        process.wait()
        if name and process.returncode in (_FULL, -getattr(signal, "SIGXCPU", 0)):
            cache.store(name, b"")
        return None
    finally:
        threading.Thread(target=_reap, args=(process,), daemon=True).start()


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process that may have more to do, then close its pipes."""
    process.wait()
    _running.discard(process)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


@atexit.register
def leave(finish: bool = True) -> None:
    """Let the processes that work finish, within their limits; those that wait exit. Without `finish`, and after
    Ctrl-C, all exit at once and leave nothing half written."""
    global _ending
    _ending = True
    finish = finish and getattr(sys, "last_type", None) is not KeyboardInterrupt
    for process in list(_running):
        with suppress(OSError, ValueError):  # it has exited, or got its message before
            assert process.stdin is not None
            if finish:
                process.stdin.write(_FINISH)
            process.stdin.close()


# ------------------------------------------------------------------------------------------------ the other process


def main() -> None:
    """Run the job on standard input: the entry point of the process."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # closing `sys.stdout` would leave its descriptor open, and the parent waiting
    order: Order = pickle.loads(source.read(int.from_bytes(source.read(8), "little")))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    at_work = threading.Event()
    threading.Thread(target=_watch, args=(source, at_work), daemon=True).start()
    with cache.alone("making"):
        at_work.set()
        _limit()
        try:
            _carry_out(order, sink)
        except MemoryError:
            os._exit(_FULL)
    os._exit(0)  # without waiting for the watching thread


def _carry_out(order: Order, sink: BinaryIO) -> None:
    also = order.also
    if order.versions != code.versions_of(also):
        return
    attacks = code.known_attacks(order.program)
    layout = code.own_layout(order.program, order.layout, attacks)
    _tell(sink, code.game_name(layout, also).ljust(_NAME).encode())
    if not code.is_given_up(layout, also):
        _tell(sink, pickle.dumps(Made(attacks, code.game_code(order.program, layout, also))))
    with suppress(OSError):
        sink.close()


def _tell(sink: BinaryIO, data: bytes) -> None:
    """Send data to the parent, which may have exited."""
    with suppress(OSError):
        sink.write(data)
        sink.flush()


def _watch(source: BinaryIO, at_work: threading.Event) -> None:
    """Exit with the parent, unless it exits normally and there is work to finish."""
    if not (os.read(source.fileno(), 1) and at_work.wait(TURN)):
        _end()


def _end() -> None:
    """Exit now; drop half-written cache entries."""
    cache.forget_half()
    os._exit(0)


def _limit() -> None:
    """Limit time and memory, if the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
