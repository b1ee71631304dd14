"""Workers that run pieces: processes on this machine, or a Dask cluster; both are `concurrent.futures` executors."""

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
"""Seconds to wait for a cluster to answer."""
RETRIES = 5
"""Times that Dask reruns a piece whose worker died, beyond its own count of tolerated deaths."""


class Workers(Protocol):
    """An executor of pieces that can be restarted."""

    def submit(self, job: Job, number: int) -> Future[Result]:
        """Submit a piece.

        :raises BrokenExecutor: if a process has died; nothing is accepted until `renew`.
        """
        ...

    def room(self) -> int:
        """Return the number of pieces worth submitting at a time."""
        ...

    def renew(self) -> None:
        """Restart after a worker has died."""
        ...

    def close(self, at_once: bool = False) -> None:
        """Shut down; `at_once` aborts running pieces."""
        ...


def open_workers(count: int | None = None, cluster: str | None = None) -> Workers:
    """Return workers: `count` processes on this machine (None: one per processor), or those of a Dask cluster.

    :raises ZrfError: if the cluster can't be reached or the package for it is missing.
    """
    return OnCluster(cluster) if cluster else OnThisMachine(count or os.cpu_count() or 1)


# -------------------------------------------------------------------------------------------------------- this machine


class OnThisMachine:
    """Process pool that is restarted when a process dies."""

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
    """Initialise a worker: ignore Ctrl-C, which its parent handles; exit with the parent, even within a game."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("zrf_py").setLevel(logging.ERROR)  # the parent alone warns that the interpreter plays
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: Any) -> None:
    parent.join()
    os._exit(1)


# ------------------------------------------------------------------------------------------------------------- cluster


class OnCluster:
    """Dask cluster at an address; Dask itself reruns pieces whose worker died."""

    def __init__(self, address: str) -> None:
        self.address = address
        try:
            import distributed
        except ImportError:
            raise missing_extra("a cluster", "cluster") from None
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":  # its relevant messages arrive as exceptions
                logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            dask: Any = distributed
            self._client = dask.Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ZrfError(f"there is no Dask scheduler at {address}: {error}", "no-cluster",
                           help="start one with `dask scheduler`, workers with `dask worker ADDRESS`") from None
        self.executor: Executor = self._client.get_executor(pure=False, retries=RETRIES)
        self._counted = 0.0
        self._room = 0

    def submit(self, job: Job, number: int) -> Future[Result]:
        return self.executor.submit(do_piece, job.work, job.packed, dict(job.parameters), number)

    def room(self) -> int:
        """Three pieces per thread of the cluster, counted every two seconds since workers may come and go."""
        if time.monotonic() - self._counted > 2:
            self._room = 3 * sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return max(self._room, 2)

    def renew(self) -> None:
        raise ZrfError([Diagnostic("no-cluster", f"the cluster at {self.address} is gone", None,
                                   help="what was finished is kept; the same command goes on from there")])

    def close(self, at_once: bool = False) -> None:
        with suppress(Exception):
            self.executor.shutdown(wait=not at_once)
        with suppress(Exception):
            self._client.close(timeout=2)
