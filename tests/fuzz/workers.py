"""Processes that try inputs: if one hangs, dies or takes too much memory, that is a finding, and another goes on."""

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
"""Maximum processor time of one input in seconds; 5 s would suffice on an idle machine."""
HANG = 300
"""Seconds after which a process counts as hanging, however busy the machine is."""
START = 3_600
"""Seconds within which a process must begin with its inputs: it may read a thousand files first."""
MEMORY = 3 << 30
"""Bytes of address space that a process may add while it tries inputs; most of it is only reserved."""
RIGHT, UNFINISHED = True, False
"""Results of an input without a finding: everything was checked and right, or only the part that the limit allowed."""
LIFE = 2_000
"""Number of inputs after which a process is replaced by a fresh one."""


@dataclass(frozen=True)
class Found:
    """A finding: the number of its input, and what happened."""

    number: int
    what: str


@dataclass
class Run:
    """State of a run: number of inputs, number of unfinished ones, findings."""

    done: int = 0
    unfinished: int = 0
    found: list[Found] = field(default_factory=list)


Tell = Callable[[Run, Found | None], None]
"""Called after each input with the run so far and the finding, if there is one."""


def input_of(target: Target, name: str, seed: int, number: int) -> bytes:
    """Return the input of this number, which is the same each time."""
    return target.make(Random(f"{name} {seed} {number}"))


def fuzz(
    make_target: Callable[[], Target], name: str, seed: int, numbers: range, out: Path | None = None,
    tell: Tell = lambda run, found: None, until: float = float("inf"),
) -> Run:
    """Try the inputs with these numbers; those that break something are stored in `out`.

    `until` is a time on the clock of `time.monotonic` after which no input is begun.
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
    """Receive the results of a process until it has sent all of them, has died, or time is up."""
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
    """Like `tried`, but in a separate process, which the input may kill."""
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
    """Let processes started in this context use the whole address space, since node reserves much of it."""
    most, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _mapped() -> int:
    """Return the size of this process's address space in bytes; it begins as large as that of its parent."""
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
