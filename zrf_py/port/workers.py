"""Items → facts, on all processors: a file that hangs or ends its process costs that process and nothing else."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from zrf_py.port.finding import Item
from zrf_py.port.look import FAULT, Facts, Tell, look_at
from zrf_py.port.records import REFUSED
from zrf_py.processes import unheard

PATIENCE = 600.0
"""Seconds that a file may take before its process is ended."""
STARTING = 60.0
"""Seconds that a process may take to begin."""


Work = Callable[[Item, bool, Tell], Facts]
"""(item, with a picture, called with how far it is) → facts; a function at the top of a module, so that other processes
find it."""
Doing = Callable[[Item, str], None]
"""Callback for progress: the item, and its progress in words."""


def look_at_all(
    items: Sequence[Item], count: int, picture: bool, patience: float = PATIENCE, work: Work = look_at,
    doing: Doing = lambda item, text: None,
) -> Iterator[tuple[Item, Facts]]:
    """Yield each item with its facts, in order of completion; at most `count` processes run."""
    waiting = deque(items)
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < count:
                workers.append(_Worker.begin(picture, work))
                workers[-1].give(waiting.popleft(), patience)
            ready = wait([w.pipe for w in workers], timeout=0.5)
            for worker in list(workers):
                facts = worker.answer(worker.pipe in ready, patience, doing)
                if facts is None:
                    continue
                yield worker.item, facts
                if waiting and worker.is_alive:
                    worker.give(waiting.popleft(), patience)
                else:
                    worker.end()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.end()


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    item: Item = None  # type: ignore[assignment]
    until: float = 0.0
    is_alive: bool = True

    @staticmethod
    def begin(picture: bool, work: Work) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, picture, work), daemon=True)
        with unheard():
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def give(self, item: Item, patience: float) -> None:
        self.item = item
        self.until = time.monotonic() + patience + STARTING * (self.until == 0)
        with suppress(OSError):  # it has ended: the answer will say so
            self.pipe.send(item)

    def answer(self, is_ready: bool, patience: float, doing: Doing) -> Facts | None:
        """Return the facts of the current item, None while it is in progress."""
        if is_ready:
            try:
                message: Facts | str | None = self.pipe.recv()
            except (EOFError, OSError):
                self.is_alive = False
                return _failed(self.item, "the process that looked at it ended")
            if message is None:
                self.until = time.monotonic() + patience
            if isinstance(message, str):
                doing(self.item, message)
                return None
            return message
        if time.monotonic() > self.until:
            self.is_alive = False
            return _failed(self.item, f"it took longer than {patience:.0f} s")
        return None

    def end(self) -> None:
        with suppress(OSError, ValueError):
            self.process.kill()
            self.process.join(5)
            self.pipe.close()


def _failed(item: Item, why: str) -> Facts:
    if item.kind == "record":
        return {"name": item.name, "status": REFUSED, "plies": 0, "of": 0, "title": "", "rules": "", "why": why}
    return {"name": item.name, "status": FAULT, "errors": [why]}


def _serve(pipe: Connection, picture: bool, work: Work) -> None:
    """Worker loop until the other end of the pipe is closed; Ctrl-C is left to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("zrf_py").setLevel(logging.ERROR)
    pipe.send(None)  # here we are: from now on time counts
    while True:
        try:
            item = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        try:
            facts = work(item, picture, pipe.send)
        except Exception as error:
            facts = _failed(item, f"{type(error).__name__}: {error}")
        pipe.send(facts)
