"""Workers that run tasks: processes on this machine, or a Dask cluster; both return futures."""

import logging
import os
import time
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any, Protocol

from zrf_py.batch.jobs import Job, Result, do_task
from zrf_py.hosts import Pool
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.extras import missing_extra

CONNECT = 10
"""Seconds to wait for a cluster to answer."""
RETRIES = 5
"""Number of times that Dask reruns a failed task, in addition to its own reruns when a worker dies."""


class Workers(Protocol):
    """An executor of tasks. If the process of a task dies, `OnThisMachine` sets `Lost` as the future's exception."""

    def submit(self, job: Job, number: int) -> Future[Result]:
        """Submit a task; return the future of its result."""
        ...

    def room(self) -> int:
        """Return the number of submitted tasks that keeps the workers busy."""
        ...

    def close(self) -> None:
        """Shut down without waiting for results; those of running tasks are lost."""
        ...


def open_workers(count: int | None = None, cluster: str | None = None) -> Workers:
    """Return workers: `count` processes on this machine (None: one per processor), or those of a Dask cluster.

    :raises ZrfError: if the cluster can't be reached or the package for it is missing.
    """
    return OnCluster(cluster) if cluster else OnThisMachine(count or os.cpu_count() or 1)


class OnThisMachine:
    """Processes on this machine; one that dies loses only its own task."""

    def __init__(self, count: int) -> None:
        self.pool = Pool(count)
        self._room = 2 * count

    def submit(self, job: Job, number: int) -> Future[Result]:
        return self.pool.submit(do_task, job.work, job.packed, dict(job.parameters), number)

    def room(self) -> int:
        return self._room

    def close(self) -> None:
        self.pool.close()


class OnCluster:
    """Dask cluster at an address; Dask itself reruns tasks whose worker died."""

    def __init__(self, address: str) -> None:
        self.address = address
        try:
            import distributed
        except ImportError:
            raise missing_extra("a cluster", "cluster") from None
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":  # errors that matter are raised as exceptions
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
        return self.executor.submit(do_task, job.work, job.packed, dict(job.parameters), number)

    def room(self) -> int:
        """Return the number of tasks to keep submitted: three per thread of the cluster (counted anew every two
        seconds), at least 2."""
        if time.monotonic() - self._counted > 2:
            self._room = 3 * sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return max(self._room, 2)

    def close(self) -> None:
        with suppress(Exception):
            self.executor.shutdown(wait=False)
        with suppress(Exception):
            self._client.close(timeout=2)
