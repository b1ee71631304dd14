"""A game's own code, compiled beside the work by another process.

The process is told what to make through its standard input, and answers through its standard output. What it makes goes
into the cache, too. Where the one that began it ends well, it finishes what it is at, so that short work pays for the
next start; where that one is stopped or dies, its input ends without a word, and it ends as well. Only one such process
of a user is at work at a time; others wait, and look into the cache first when it is their turn.
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
"""Processor time that a game's own code may take; where it takes more the kernel for any game stays."""
MEMORY = 1 << 30
"""Bytes that it may take."""
TURN = 5
"""Seconds in which it must have begun to be allowed to finish alone."""
_NAME = 64
"""Bytes in which it says under what name it keeps the code."""
_FINISH = b"."
"""What it is told where the one that began it ends well."""
_FULL = 3
"""What the process ends with where memory was not enough."""

_running: set[subprocess.Popen[bytes]] = set()
_ending = False


@dataclass(frozen=True)
class Made:
    """A game's own object code, with what is known about attacks."""

    attacks: bytes
    code: bytes


@dataclass(frozen=True)
class Order:
    """What is to be made."""

    program: Program
    layout: Layout
    also: Extension
    versions: str
    """What must decide about the code there, too: the process may have loaded other source."""


class Making:
    """An order being carried out. `made` is there when `is_done`; None if nothing came of it."""

    def __init__(self, program: Program, layout: Layout, also: Extension) -> None:
        self._order = Order(program, layout, also, code.versions_of(also))
        self._done = threading.Event()
        self.made: Made | None = None
        threading.Thread(target=self._run, name="making code", daemon=True).start()

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is done, at most so long; whether it is."""
        return self._done.wait(seconds)

    def _run(self) -> None:
        try:
            with suppress(OSError, ValueError, EOFError, pickle.PickleError, RecursionError):
                self.made = _ask(pickle.dumps(self._order, pickle.HIGHEST_PROTOCOL))
        finally:
            self._done.set()


def _ask(order: bytes) -> Made | None:
    """Have an order carried out by another process."""
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
            found: Made = pickle.loads(answer)
            return found
        process.wait()
        if name and process.returncode in (_FULL, -getattr(signal, "SIGXCPU", 0)):
            cache.store(name, b"")
        return None
    finally:
        threading.Thread(target=_reap, args=(process,), daemon=True).start()


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process that may have more to do."""
    process.wait()
    _running.discard(process)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


@atexit.register
def leave(finish: bool = True) -> None:
    """Let such processes finish what they are at, in bounds; those that only wait end. Without `finish`, and after
    Ctrl-C, all end at once, and leave nothing half made behind."""
    global _ending
    _ending = True
    finish = finish and getattr(sys, "last_type", None) is not KeyboardInterrupt
    for process in list(_running):
        with suppress(OSError, ValueError):  # it has ended, or was told before
            assert process.stdin is not None
            if finish:
                process.stdin.write(_FINISH)
            process.stdin.close()


# ------------------------------------------------------------------------------------------------ the other process


def main() -> None:
    """Carry out the order on standard input."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # to close `sys.stdout` would leave its descriptor open, and the other side waiting
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
    os._exit(0)  # no waiting for the thread that watches


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
    """Send something to who may have ended."""
    with suppress(OSError):
        sink.write(data)
        sink.flush()


def _watch(source: BinaryIO, at_work: threading.Event) -> None:
    """End when the process that began this one does, unless it ends well and there is work to finish."""
    if not (os.read(source.fileno(), 1) and at_work.wait(TURN)):
        _end()


def _end() -> None:
    """End now; the cache forgets what is half written."""
    cache.forget_half()
    os._exit(0)


def _limit() -> None:
    """Keep time and memory bounded, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
