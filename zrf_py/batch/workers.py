"""Where pieces are done: processes of this machine, or a Dask cluster; both are `concurrent.futures` executors."""

import logging
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from typing import Any, Protocol

from zrf_py.batch.jobs import Job, Result, do_piece
from zrf_py.processes import end_at_once, unheard
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.extras import missing_extra

CONNECT = 10
"""Seconds in which a cluster has to answer."""
RETRIES = 5
"""Times Dask does a piece again whose worker was lost, beyond its own count of tolerated losses."""


class Workers(Protocol):
    """An executor, and what is peculiar to its kind."""

    def submit(self, job: Job, number: int) -> Future[Result]:
        """Have a piece done.

        :raises BrokenExecutor: if the executor has lost a process and takes nothing more until `renew`.
        """
        ...

    def room(self) -> int:
        """How many pieces it is worth to hand out at a time."""
        ...

    def renew(self) -> None:
        """Begin anew after a worker was lost."""
        ...

    def close(self, at_once: bool = False) -> None:
        """End; `at_once` gives up what is under way."""
        ...


def open_workers(count: int | None = None, cluster: str | None = None) -> Workers:
    """
    Processes on this machine, as many as there are processors unless `count` says so, or those of a Dask cluster.

    :raises ZrfError: if the cluster can't be reached or the package for it is missing.
    """
    return OnCluster(cluster) if cluster else OnThisMachine(count or os.cpu_count() or 1)


# -------------------------------------------------------------------------------------------------------- this machine


class OnThisMachine:
    """A pool of processes, started anew when one of them is lost."""

    def __init__(self, count: int) -> None:
        self.count = max(count, 1)
        self._pool: ProcessPoolExecutor | None = None

    @property
    def executor(self) -> Executor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.count, multiprocessing.get_context("spawn"), _begin)
        return self._pool

    def submit(self, job: Job, number: int) -> Future[Result]:
        with unheard():  # the first piece begins the processes
            return self.executor.submit(do_piece, job.work, job.packed, dict(job.parameters), number)

    def room(self) -> int:
        return 2 * self.count

    def renew(self) -> None:
        self.close(at_once=True)

    def close(self, at_once: bool = False) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        if at_once:
            end_at_once(pool)
        else:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """A new worker leaves Ctrl-C to its parent, and ends when that is gone, even if it is in the middle of a game."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("zrf_py").setLevel(logging.ERROR)  # that the interpreter plays is said by the parent, once
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: Any) -> None:
    parent.join()
    os._exit(1)


# ------------------------------------------------------------------------------------------------------------- cluster


class OnCluster:
    """A Dask cluster by its address; Dask itself does again what was under way on a worker that was lost."""

    def __init__(self, address: str) -> None:
        self.address = address
        try:
            import distributed
        except ImportError:
            raise missing_extra("a cluster", "cluster") from None
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":  # what matters of its messages comes as an exception
                logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            dask: Any = distributed
            self._client = dask.Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ZrfError([Diagnostic("no-cluster", f"there is no Dask scheduler at {address}: {error}", None,
                                       help="start one with `dask scheduler`, workers with `dask worker ADDRESS`")]
                           ) from None
        self.executor: Executor = self._client.get_executor(pure=False, retries=RETRIES)
        self._asked = 0.0
        self._room = 0

    def submit(self, job: Job, number: int) -> Future[Result]:
        return self.executor.submit(do_piece, job.work, job.packed, dict(job.parameters), number)

    def room(self) -> int:
        """Workers may come and go meanwhile; those that come late find work, too."""
        if time.monotonic() - self._asked > 2:
            self._room = 3 * sum(self._client.nthreads().values())
            self._asked = time.monotonic()
        return max(self._room, 2)

    def renew(self) -> None:
        raise ZrfError([Diagnostic("no-cluster", f"the cluster at {self.address} is gone", None,
                                   help="what was finished is kept; the same command goes on from there")])

    def close(self, at_once: bool = False) -> None:
        with suppress(Exception):
            self.executor.shutdown(wait=not at_once)
        with suppress(Exception):
            self._client.close(timeout=2)
