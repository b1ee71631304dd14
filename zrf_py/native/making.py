"""Background compilation of a game's own code, in another process.

The process returns the result and caches it. If its parent exits normally, it finishes the job, so that even short
work speeds up the next start; if the parent is killed or crashes, it exits as well. Only one such process per user
works at a time; others wait, and check the cache first when it is their turn.
"""

import atexit
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass

from zrf_py import cache, hosts
from zrf_py.ir.ops import Program
from zrf_py.native import code
from zrf_py.native.extension import Extension
from zrf_py.native.layout import Layout

SECONDS = 10
"""Limit on processor time in seconds; a game that exceeds it keeps the kernel for any game."""
MEMORY = 1 << 30
"""Limit on memory in bytes."""
_TOO_LONG = -getattr(signal, "SIGXCPU", 0)
"""Exit status of a process that exceeded its processor time."""

_running: set[hosts.Worker] = set()
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
    """`code.versions_of` in the parent; the process compares them, because it may have loaded other source."""


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
        """Run the job in another process."""
        worker = None
        try:
            with suppress(Exception):
                worker = hosts.Worker(quiet=True)
                _running.add(worker)
                if _ending:
                    worker.kill()
                self.made = _ask(worker, self._order)
        finally:
            self._done.set()
        if worker is not None:
            worker.close()
            _running.discard(worker)


def _ask(worker: hosts.Worker, order: Order) -> Made | None:
    """Run a job in a worker; return None if it failed. Cache an empty entry if compilation exceeded the limits."""
    names: list[str] = []
    try:
        result: Made | None = worker.call(carry_out, order, tell=names.append)
        return result
    except (MemoryError, hosts.Lost) as error:
        if names and getattr(error, "status", _TOO_LONG) == _TOO_LONG:
            cache.store(names[0], b"")
        return None


@atexit.register
def leave(finish: bool = True) -> None:
    """Let working processes finish, within their limits; waiting ones exit. Without `finish`, and after Ctrl-C, all
    exit at once and leave nothing half-written."""
    global _ending
    _ending = True
    for worker in list(_running):
        worker.leave(finish and getattr(sys, "last_type", None) is not KeyboardInterrupt)


# ------------------------------------------------------------------------------------------------ the other process


def carry_out(order: Order, tell: hosts.Tell) -> Made | None:
    """Run a job when its turn comes, within limits; return None if it makes no code. `tell` receives the code's key."""
    with cache.alone("making"):
        hosts.begun.set()
        hosts.limit("CPU", SECONDS)
        hosts.limit("DATA", MEMORY)
        return _compile(order, tell)


def _compile(order: Order, tell: hosts.Tell) -> Made | None:
    also = order.also
    if order.versions != code.versions_of(also):
        return None
    attacks = code.known_attacks(order.program)
    layout = code.own_layout(order.program, order.layout, attacks)
    tell(code.game_name(layout, also))
    if code.is_given_up(layout, also):
        return None
    return Made(attacks, code.game_code(order.program, layout, also))
