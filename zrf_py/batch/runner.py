"""Run a job: submit missing tasks, store results, and resubmit tasks whose worker died."""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field

from zrf_py.batch.jobs import Job, Result
from zrf_py.batch.store import Store
from zrf_py.batch.workers import Workers
from zrf_py.hosts import Lost
from zrf_py.text.diagnostics import ZrfError

LOSSES = 2
"""Number of times that a task is resubmitted after it has lost its worker; then it is reported as faulty."""
BARREN = 8
"""Maximum number of worker deaths in a row without any result; one more aborts the run."""
LOOK = 1.0
"""Seconds between checks for new workers and Ctrl-C."""

Seen = Callable[[int, Result], None]
"""Callback for each new result, in order of arrival."""
Enough = Callable[[int, Result], bool]
"""Callback for each result, first the stored ones; it returns True if no more tasks are needed."""


def run(
    job: Job, tasks: int, store: Store, workers: Workers, seen: Seen | None = None, enough: Enough | None = None,
) -> dict[int, Result]:
    """Run tasks 0 … `tasks` - 1 of a job except those already stored; return the results of all that are stored.

    On Ctrl-C and other exceptions the store keeps all finished tasks. Once `enough` returns True, the run ends;
    tasks in progress are abandoned.

    :raises ZrfError: if results can't be written, a cluster is gone, or the worker processes keep dying.
    """
    store.begin(job)
    done = store.numbers(job)
    under_way = _Run(job, store, workers, seen, enough, deque(n for n in range(tasks) if n not in done))
    if enough:
        for number, result in store.results(job, tasks).items():
            under_way.is_enough |= enough(number, result)
    under_way.go()
    return store.results(job, tasks)


@dataclass
class _Run:
    job: Job
    store: Store
    workers: Workers
    seen: Seen | None
    enough: Enough | None
    waiting: deque[int]
    losses: Counter[int] = field(default_factory=Counter)
    under_way: dict[Future[Result], int] = field(default_factory=dict)
    barren: int = 0
    is_enough: bool = False

    def go(self) -> None:
        try:
            while (self.waiting or self.under_way) and not self.is_enough:
                room = self.workers.room() - len(self.under_way)
                for _ in range(min(room, len(self.waiting))):
                    number = self.waiting.popleft()
                    self.under_way[self.workers.submit(self.job, number)] = number
                finished, _ = wait(self.under_way, LOOK, FIRST_COMPLETED)
                self._take(finished)
        finally:
            for future in self.under_way:
                future.cancel()

    def _take(self, finished: Iterable[Future[Result]]) -> None:
        """Store the results of finished futures; resubmit tasks that lost their worker."""
        results, is_gone = [], False
        for future in finished:
            number = self.under_way.pop(future)
            try:
                results.append((number, future.result()))
            except Lost:
                self.barren += 1
                self.losses[number] += 1
                if self.losses[number] > LOSSES:
                    results.append((number, _fault()))
                else:
                    self.waiting.append(number)
            except (BrokenExecutor, CancelledError):
                is_gone = True
            except Exception as error:
                if type(error).__name__ != "KilledWorker":
                    raise
                results.append((number, _fault()))
        self._keep(results)
        if is_gone:
            raise ZrfError("the connection to the cluster is lost", "no-cluster",
                           help="finished games are saved; the same command resumes from there")
        if self.barren > BARREN:
            raise ZrfError("the worker processes exit at once; finished games are saved", "no-workers")

    def _keep(self, results: list[tuple[int, Result]]) -> None:
        if results:
            self.store.add(self.job, results)
            self.barren = 0
        for number, result in results:
            if self.seen:
                self.seen(number, result)
            if self.enough:
                self.is_enough |= self.enough(number, result)


def _fault() -> Result:
    return {"games": 0, "fault": "the process that played it ended unexpectedly each time"}
