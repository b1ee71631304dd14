"""Thread pool of a fleet: the calling thread leads, the others follow (`kernel/crew.py`)."""

import threading
import time
import weakref
from collections.abc import Sequence
from ctypes import c_int64

from zrf_py.envs.engine import FleetEngine, lined_up
from zrf_py.envs.kernel import memory as f
from zrf_py.envs.kernel.crew import SHARES
from zrf_py.signals import uninterrupted

MOST_CHUNK = 64
"""Maximum number of slots in a chunk: 10 to 100 microseconds of work."""
CHUNKS_EACH = 16
"""Chunks per thread, if there are enough slots."""
NAP = 1e-5
"""Seconds that the leader sleeps between polls, after it has spun in native code without success."""


class Crew:
    """Engines that share the slots: the first runs in the caller's thread, the others in threads started by `run`."""

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

    def run(self, operation: int, then: int = 0) -> int:
        """Run `operation`, then `then` if all actions are legal; return the first slot with an illegal one (-1: none).

        A keyboard interrupt takes effect before or after the operations, never between slots.
        """
        if any(engine.machine.is_due for engine in self._engines):
            self.finish(0)
        if len(self._followers) < len(self._engines) - 1:
            with uninterrupted():  # so that each running thread is listed
                self._followers += [_Follower(engine, number) for number, engine in enumerate(self._engines) if number]
        for follower in self._followers:
            follower.wake()
        crew = self._crew
        self._lead()
        try:
            crew.wrong, crew.then, crew.wanted = -1, then, operation
            self._lead()
        finally:
            self._lead()
        return int(crew.wrong)

    def _lead(self) -> None:
        """Work as the leader until all pending operations are finished."""
        while not self._engines[0].machine.call["fleet_lead"]():
            time.sleep(NAP)

    @property
    def has_trouble(self) -> bool:
        """True if a thread has reported a fault or lack of room since the last call; reading it clears it."""
        trouble, self._crew.trouble = bool(self._crew.trouble), 0
        return trouble

    def finish(self, seconds: float) -> None:
        """Switch to code compiled for this game, waiting at most `seconds` for each thread."""
        self.stop()
        for engine in self._engines:
            engine.machine.finish(seconds)

    def stop(self) -> None:
        """Stop and join the threads; the next `run` starts new ones."""
        _dismiss(self._followers)
        for follower in self._followers:
            follower.join()
        self._followers.clear()


class _Follower(threading.Thread):
    """Worker thread: spins for a while in native code when there is no work, then sleeps until `wake`."""

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
            seen, job = job, self._engine.machine.call["fleet_follow"](self._number, job)
            if job == seen:
                self._asleep = True
                if not self._leaves:
                    self._gate.acquire()

    def wake(self) -> None:
        """Wake the thread if it sleeps; does not block."""
        if self._asleep:
            self._asleep = False
            self._gate.release()

    def leave(self) -> None:
        """Ask the thread to end once it is idle."""
        self._leaves = True
        self.wake()


def _dismiss(followers: Sequence[_Follower]) -> None:
    for follower in followers:
        follower.leave()
