"""The threads of a fleet: the one that calls leads, the others follow (`kernel/crew.py`)."""

import threading
import time
import weakref
from collections.abc import Sequence
from ctypes import c_int64

from zrf_py.envs.engine import FleetEngine, lined_up
from zrf_py.envs.kernel import memory as f
from zrf_py.envs.kernel.crew import SHARES

MOST_CHUNK = 64
"""Slots of a chunk at most: some ten microseconds of work, or a hundred."""
CHUNKS_EACH = 16
"""Chunks of a thread where there are slots enough."""
NAP = 1e-5
"""Seconds between two looks whether the others are done, after the first looks were in vain."""


class Crew:
    """The engine of the thread that calls, and others with a thread each, which begin with the first call."""

    def __init__(self, engines: Sequence[FleetEngine], size: int) -> None:
        self._engines = engines
        orders = lined_up(c_int64, SHARES + f.LINE * len(engines))
        for engine in engines:
            engine.machine.bind(f.crew, orders)
        self._crew = crew = f.Crew.over(orders)
        chunk = min(max(size // (len(engines) * CHUNKS_EACH), 1), MOST_CHUNK)
        crew.slots, crew.chunk, crew.chunks, crew.threads = size, chunk, -(-size // chunk), len(engines)
        self._followers: list[_Follower] = []
        weakref.finalize(self, _dismiss, self._followers)

    def run(self, what: int, then: int = 0) -> int:
        """Have something done in all slots, and something after it unless an action is wrong: the slot with it, or -1.

        An interrupt comes before or after all that, never within.
        """
        if any(engine.machine.is_due for engine in self._engines):
            self.finish(0)
        if len(self._followers) < len(self._engines) - 1:
            self._followers += [_Follower(engine, number) for number, engine in enumerate(self._engines) if number]
        for follower in self._followers:
            follower.wake()
        crew = self._crew
        self._lead()
        try:
            crew.wrong, crew.then, crew.wanted = -1, then, what
            self._lead()
        finally:
            self._lead()
        return int(crew.wrong)

    def _lead(self) -> None:
        """Do what is still to be done."""
        while not self._engines[0].lead():
            time.sleep(NAP)

    @property
    def has_trouble(self) -> bool:
        """Whether some thread has something to tell since this was asked last."""
        found, self._crew.trouble = bool(self._crew.trouble), 0
        return found

    def finish(self, seconds: float) -> None:
        """Go over to code made for the game, waiting for it at most so long for each thread."""
        self.stop()
        for engine in self._engines:
            engine.machine.finish(seconds)

    def stop(self) -> None:
        """Let the threads end; the next call begins others."""
        _dismiss(self._followers)
        for follower in self._followers:
            follower.join()
        self._followers.clear()


class _Follower(threading.Thread):
    """A thread that helps with whatever the leader does. It sleeps where there is nothing to do for a while."""

    def __init__(self, engine: FleetEngine, number: int) -> None:
        super().__init__(name=f"fleet {number}", daemon=True)
        self._engine, self._number = engine, number
        self._gate = threading.Lock()
        self._gate.acquire()
        self._asleep = self._leaves = False
        self.start()

    def run(self) -> None:
        job = 0
        while not self._leaves:
            seen, job = job, self._engine.follow(self._number, job)
            if job == seen:
                self._asleep = True
                if not self._leaves:
                    self._gate.acquire()

    def wake(self) -> None:
        """Let it look for work. The leader does not wait for it."""
        if self._asleep:
            self._asleep = False
            self._gate.release()

    def leave(self) -> None:
        """Let it end as soon as it has nothing to do."""
        self._leaves = True
        self.wake()


def _dismiss(followers: Sequence[_Follower]) -> None:
    for follower in followers:
        follower.leave()
