"""Helpers of the commands that play many games: workers, results file, progress."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from zrf_py.cli.common import no_output, whole
from zrf_py.signals import raising

if TYPE_CHECKING:
    from zrf_py.batch.jobs import Job, Result
    from zrf_py.batch.runner import Enough
    from zrf_py.batch.store import Store

Play = Callable[..., "dict[int, Result]"]
"""Function (job, tasks, name, enough) that runs tasks and returns results by task number; `enough` may end the run."""
MOST_PROCESSES = 512
positive, processes = whole(1), whole(1, MOST_PROCESSES)


def add_batch(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the seed, workers and the results file."""
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    parser.add_argument("--workers", type=processes, metavar="N", help="worker processes (default: one per processor)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="scheduler of a Dask cluster that plays the games, such "
                        "as tcp://host:8786 (requires the package `distributed`)")
    parser.add_argument("--results", metavar="FILE", help="SQLite file that stores finished games; the "
                        "same command resumes from it (default: results.sqlite in your data folder; see `zrf cache`)")


@contextmanager
def batch(args: argparse.Namespace) -> Iterator[Play]:
    """Yield a function that runs jobs, shows progress and stores results; close the workers and the store at the end.

    :raises ZrfError: if the file or the cluster can't be used.
    """
    from zrf_py.batch.runner import run
    from zrf_py.batch.store import Store
    from zrf_py.batch.workers import open_workers
    from zrf_py.play.engines import say_if_slow

    no_output("--results", args.results, "SQLite file")
    store = Store(args.results or _results())
    workers = open_workers(args.workers, args.cluster)
    say_if_slow()
    begun: list[Job] = []

    def play(job: Job, tasks: int, name: str, enough: Enough | None = None) -> dict[int, Result]:
        begun.append(job)
        with _progress(name, tasks) as advance:
            advance(sum(n < tasks for n in store.numbers(job)))
            return run(job, tasks, store, workers, lambda number, result: advance(1), enough)

    try:
        with raising(KeyboardInterrupt, "SIGTERM"):
            yield play
    except KeyboardInterrupt:
        _print_stored(store, begun)
        raise
    finally:
        workers.close()
        store.close()


def _results() -> str:
    """Return the path of the user's results file; ":memory:" if there is no folder for it."""
    from zrf_py.cache import state_folder

    folder = state_folder()
    return str(folder / "results.sqlite") if folder else ":memory:"


def _print_stored(store: Store, begun: list[Job]) -> None:
    """Print how many games are finished, where they are stored (or that they are lost), and how to resume."""
    count = sum(store.games(job) for job in begun)
    games = f"{count} finished {'game is' if count == 1 else 'games are'}"
    end = (f"{games} lost, because there is no folder for results; `--results` names a file"
           if store.path == ":memory:" else f"{games} saved in {store.path}; the same command resumes from there")
    print(f"\nStopped. {end}.", file=sys.stderr)


@contextmanager
def _progress(name: str, tasks: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar of a job, if standard error is a terminal; yield the callback that advances it."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    with progress_bar(tasks) as update:
        update(description=name)
        yield lambda count: update(advance=count)


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[..., None]]:
    """Show a progress bar; yield a function that takes `advance` (a count) and `description`."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns: list[Any] = [BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(compact=True)]
    with Progress(*columns, "{task.description}", console=Console(stderr=True), transient=True) as bar:
        yield partial(bar.update, bar.add_task("", total=total))
