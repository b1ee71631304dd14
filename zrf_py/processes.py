"""Processes that help: they leave Ctrl-C to their parent from the first moment, which ends them at once if need be."""

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress

PATIENCE = 5.0
"""Seconds in which a process that is killed is gone."""


@contextmanager
def unheard() -> Iterator[None]:
    """Processes and threads begun meanwhile never hear Ctrl-C; this one hears it at the end.

    A terminal tells all processes of a command at once, and those that are only just beginning can't be told to ignore
    it by what they do themselves.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # when it begins it lets the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_at_once(pool: ProcessPoolExecutor) -> None:
    """End a pool with whatever its processes are in the middle of."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError, ValueError):
            process.kill()
    for process in processes:
        process.join(PATIENCE)
