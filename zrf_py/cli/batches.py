"""What the commands that play games by the thousand share: where games are played and kept, and how far they are."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zrf_py.batch.jobs import Job, Result
    from zrf_py.batch.store import Store
    from zrf_py.batch.workers import Workers

RESULTS = "zrf-results.sqlite"

Play = Callable[["Job", int, str], "dict[int, Result]"]
"""(job, how many pieces of it, what it is called) → the results of all its pieces."""


def add_batch(parser: argparse.ArgumentParser) -> None:
    """The arguments that say where games are played and kept."""
    parser.add_argument("--workers", type=positive, metavar="N", help="processes that play (default: one a processor)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on the Dask cluster of this scheduler, such as "
                        "tcp://machine:8786 (needs zrf-py[cluster])")
    parser.add_argument("--results", metavar="FILE", default=RESULTS, help="the SQLite file that keeps every finished "
                        "game; the same command goes on from there (default: %(default)s)")


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def limit(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e6:
        raise ValueError
    return seconds


@contextmanager
def batch(args: argparse.Namespace) -> Iterator[tuple[Play, Store]]:
    """A function that has jobs done and shows how far they are, and the file of results; all closed at the end.

    :raises ZrfError: if the file or the cluster can't be used.
    """
    from zrf_py.batch.store import Store
    from zrf_py.batch.workers import open_workers
    from zrf_py.play.engines import say_if_slow

    store = Store(args.results)
    workers = open_workers(args.workers, args.cluster)
    say_if_slow()
    finished = False
    try:
        with _asked_to_end():
            yield _player(store, workers), store
        finished = True
    finally:
        workers.close(at_once=not finished)
        store.close()


@contextmanager
def _asked_to_end() -> Iterator[None]:
    """Who asks the program to end is heard as Ctrl-C is."""
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not the main thread: whoever runs us handles signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _player(store: Store, workers: Workers) -> Play:
    def play(job: Job, pieces: int, name: str) -> dict[int, Result]:
        from zrf_py.batch.runner import run

        with _progress(name, pieces) as advance:
            advance(sum(n < pieces for n in store.numbers(job)))
            return run(job, pieces, store, workers, lambda number, result: advance(1))

    return play


@contextmanager
def _progress(name: str, pieces: int) -> Iterator[Callable[[int], None]]:
    """A line that shows how far a job is, if somebody is there to see it."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns: list[Any] = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(name, total=pieces)
        yield lambda count: progress.advance(task, count)
