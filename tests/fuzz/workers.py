"""Processes that try inputs: one that hangs, dies or takes too much memory is a finding, and another one goes on."""

from __future__ import annotations

import multiprocessing
import resource
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.targets import Target
from tests.fuzz.work import TooMuchWork
from tests.playing import TooSlow, time_limit

SECONDS = 20
"""Processor time of one input; the bound of 5 s is for a machine with nothing else to do."""
HANG = 300
"""Seconds after which nothing more is expected, however busy the machine is."""
START = 3_600
"""Seconds after which a process that hasn't begun with its inputs never will: it may read a thousand files first."""
MEMORY = 3 << 30
"""Address space of a process that tries inputs, most of it only reserved."""
RIGHT, UNFINISHED = True, False
"""What is said of an input in which nothing was found: all of it is right, or what there was time to look at."""
LIFE = 2_000
"""Inputs after which a process gives way to a fresh one."""


@dataclass(frozen=True)
class Found:
    """A finding: the number of its input, what happened."""

    number: int
    what: str


@dataclass
class Run:
    """State of a run: number of inputs, number of unfinished ones, findings."""

    done: int = 0
    unfinished: int = 0
    found: list[Found] = field(default_factory=list)


Tell = Callable[[Run, Found | None], None]
"""Hears after each input of the run so far, and of what was found in it."""


def input_of(target: Target, name: str, seed: int, number: int) -> bytes:
    """The input of a number, the same each time."""
    return target.make(Random(f"{name} {seed} {number}"))


def fuzz(
    make_target: Callable[[], Target], name: str, seed: int, numbers: range, out: Path | None = None,
    tell: Tell = lambda run, found: None, until: float = float("inf"),
) -> Run:
    """Try the inputs of `numbers`; those that break something are put into `out`.

    `until` is a time on the clock of `time.monotonic` after which no more are begun.
    """
    run = Run()
    while run.done < len(numbers) and time.monotonic() < until:
        chunk = numbers[run.done : run.done + LIFE]
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(make_target, name, seed, chunk, there, out), daemon=False)
        process.start()
        there.close()
        try:
            _listen(here, process, chunk, run, tell, until)
        finally:
            process.kill()
            process.join()
    return run


def _listen(pipe: Connection, process: Any, chunk: range, run: Run, tell: Tell, until: float) -> None:
    """Hear what a process says of its inputs, until it has said all or will say no more."""
    _next(pipe, process, START)
    for number in chunk:
        if time.monotonic() > until:
            return
        answer = _next(pipe, process, HANG)
        found = Found(number, answer) if isinstance(answer, str) else None
        run.done += 1
        run.unfinished += answer is UNFINISHED
        run.found += [found] if found else []
        tell(run, found)
        if found and not process.is_alive():
            return


def _next(pipe: Connection, process: Any, seconds: float) -> object:
    """Return the next message of a process; if there is none, end the process and return the reason."""
    try:
        if pipe.poll(seconds):
            return pipe.recv()
        process.kill()
        process.join()
        return f"hangs for {seconds} s"
    except EOFError:
        process.join()
        return f"the process ended with {process.exitcode}"


def _work(
    make_target: Callable[[], Target], name: str, seed: int, chunk: range, pipe: Connection, out: Path | None,
) -> None:
    target = make_target()
    resource.setrlimit(resource.RLIMIT_AS, (_mapped() + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    pipe.send(RIGHT)
    for number in chunk:
        data = input_of(target, name, seed, number)
        path = out / f"{name}-{seed}-{number}{target.ending}" if out else None
        if path:
            path.write_bytes(data)
        answer = tried(target, data)
        if path and not isinstance(answer, str):
            path.unlink()
        pipe.send(answer)


def apart(target: Target, data: bytes) -> object:
    """Return the finding about one input, tried in a process of its own, which it may kill."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=lambda: there.send(tried(target, data)))
    process.start()
    there.close()
    try:
        return _next(here, process, HANG)
    finally:
        process.kill()
        process.join()


@contextmanager
def any_memory() -> Iterator[None]:
    """Let processes that begin meanwhile have all the address space there is: node reserves much of it."""
    most, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _mapped() -> int:
    """Bytes of addresses that this process has: as the copy of a large one it begins with many."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()


def tried(target: Target, data: bytes) -> str | bool:
    """Return the finding about one input, or `RIGHT` or `UNFINISHED`."""
    try:
        with time_limit(SECONDS):
            target.run(data)
    except TooMuchWork:
        return UNFINISHED
    except TooSlow as error:
        return f"{error}\n{traceback.format_exc(limit=-6)}"
    except BaseException:
        return traceback.format_exc(limit=-6)
    return RIGHT
