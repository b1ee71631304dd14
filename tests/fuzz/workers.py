"""Processes that try inputs: one that hangs, dies or takes too much memory is a finding, and another one goes on."""

from __future__ import annotations

import multiprocessing
import resource
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.targets import Target
from tests.playing import TooSlow, time_limit

SECONDS = 20
"""Processor time of one input; the bound of 5 s is for a machine with nothing else to do."""
HANG = 300
"""Seconds after which nothing more is expected, however busy the machine is."""
MEMORY = 3 << 30
"""Address space of a process that tries inputs, most of it only reserved."""
LIFE = 2_000
"""Inputs after which a process gives way to a fresh one."""


@dataclass(frozen=True)
class Found:
    """A finding: the number of its input, what happened."""

    number: int
    what: str


def input_of(target: Target, name: str, seed: int, number: int) -> bytes:
    """The input of a number, the same each time."""
    return target.make(Random(f"{name} {seed} {number}"))


def fuzz(
    make_target: Callable[[], Target], name: str, seed: int, numbers: range, out: Path | None = None,
    tell: Callable[[int, list[Found]], None] = lambda done, found: None, until: float = float("inf"),
) -> tuple[int, list[Found]]:
    """Try the inputs of `numbers`; those that break something are put into `out`. How many were tried, and findings.

    `tell` hears after each how many are done; `until` is a time on the clock of `time.monotonic` after which no more
    are begun.
    """
    found: list[Found] = []
    done = 0
    while done < len(numbers) and time.monotonic() < until:
        chunk = numbers[done : done + LIFE]
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(make_target, name, seed, chunk, there, out), daemon=False)
        process.start()
        there.close()
        finished = _listen(here, process, chunk, found, lambda n, begun=done: tell(begun + n, found), until)
        done += finished
    return done, found


def _listen(
    pipe: Connection, process: Any, chunk: range, found: list[Found], tell: Callable[[int], None], until: float,
) -> int:
    """Hear what a process says of its inputs; how many are settled."""
    settled = 0
    while settled < len(chunk):
        if time.monotonic() > until:
            break
        try:
            if not pipe.poll(HANG):
                found.append(Found(chunk[settled], f"hangs for {HANG} s"))
                settled += 1
                break
            number, what = pipe.recv()
        except EOFError:
            process.join()
            found.append(Found(chunk[settled], f"the process ended with {process.exitcode}"))
            settled += 1
            break
        if what:
            found.append(Found(number, what))
        settled += 1
        tell(settled)
    process.kill()
    process.join()
    return settled


def _work(
    make_target: Callable[[], Target], name: str, seed: int, chunk: range, pipe: Connection, out: Path | None,
) -> None:
    target = make_target()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for number in chunk:
        data = input_of(target, name, seed, number)
        path = out / f"{name}-{seed}-{number}{target.ending}" if out else None
        if path:
            path.write_bytes(data)
        what = tried(target, data)
        if path and not what:
            path.unlink()
        pipe.send((number, what))


def tried(target: Target, data: bytes) -> str:
    """What is wrong with one input; empty if nothing is."""
    try:
        with time_limit(SECONDS):
            target.run(data)
    except TooSlow as error:
        return f"{error}\n{_last_lines()}"
    except BaseException:
        return traceback.format_exc(limit=-6)
    return ""


def _last_lines() -> str:
    return traceback.format_exc(limit=-6)
