"""Run a job: submit missing pieces, store results, and resubmit pieces whose worker died."""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field

from zrf_py.batch.jobs import Job, Result
from zrf_py.batch.store import Store
from zrf_py.batch.workers import Workers
from zrf_py.text.diagnostics import ZrfError

LOSSES = 2
"""Worker deaths after which a piece that was running each time is run alone; one more death, and the piece is reported
as faulty."""
BARREN = 8
"""Worker deaths in a row, without any result, after which the run is aborted."""
LOOK = 1.0
"""Seconds between checks for new workers and Ctrl-C."""

Seen = Callable[[int, Result], None]
"""Callback for each new result, in order of arrival."""


def run(job: Job, pieces: int, store: Store, workers: Workers, seen: Seen | None = None) -> dict[int, Result]:
    """Run pieces 0 … `pieces` - 1 of a job except those already stored; return the results of all.

    On Ctrl-C and other exceptions the store keeps all finished pieces.

    :raises ZrfError: if results can't be written or a cluster is gone.
    """
    store.begin(job)
    done = store.numbers(job)
    _Run(job, store, workers, seen, deque(n for n in range(pieces) if n not in done)).go()
    return store.results(job, pieces)


@dataclass
class _Run:
    job: Job
    store: Store
    workers: Workers
    seen: Seen | None
    waiting: deque[int]
    alone: deque[int] = field(default_factory=deque)
    """Suspected pieces: each is run while nothing else is."""
    losses: Counter[int] = field(default_factory=Counter)
    under_way: dict[Future[Result], int] = field(default_factory=dict)
    barren: int = 0

    def go(self) -> None:
        try:
            while self.waiting or self.alone or self.under_way:
                if not self._hand_out():
                    self._lost(())
                    continue
                finished, _ = wait(self.under_way, LOOK, FIRST_COMPLETED)
                self._take(finished)
        except BaseException:
            for future in self.under_way:
                future.cancel()
            raise

    def _hand_out(self) -> bool:
        """Submit pieces to idle workers; return False if the pool is broken."""
        if self.alone and not self.under_way and not self.waiting:
            return self._submit(self.alone.popleft())
        room = self.workers.room()
        while self.waiting and len(self.under_way) < room:
            if not self._submit(self.waiting.popleft()):
                return False
        return True

    def _submit(self, number: int) -> bool:
        try:
            self.under_way[self.workers.submit(self.job, number)] = number
        except BrokenExecutor:
            self.waiting.appendleft(number)
            return False
        return True

    def _take(self, finished: Iterable[Future[Result]]) -> None:
        """Store the results of finished futures."""
        results, lost = [], []
        for future in finished:
            number = self.under_way.pop(future)
            try:
                results.append((number, future.result()))
            except (BrokenExecutor, CancelledError):
                lost.append(number)
            except Exception as error:
                if type(error).__name__ != "KilledWorker":
                    raise
                results.append((number, _fault()))
        self._keep(results)
        if lost:
            self._lost(lost)

    def _keep(self, results: list[tuple[int, Result]]) -> None:
        if results:
            self.store.add(self.job, results)
            self.barren = 0
        for number, result in results:
            if self.seen:
                self.seen(number, result)

    def _lost(self, lost: Iterable[int]) -> None:
        """Recover from the death of a worker, and of its pool: resubmit all running pieces."""
        again = [*lost, *self.under_way.values()]
        self.under_way.clear()
        self.barren += 1
        if self.barren > BARREN:
            raise ZrfError("the processes that should play end at once; what was finished is kept", "no-workers")
        self.workers.renew()
        self.losses.update(again)
        by_itself = len(again) == 1
        for number in again:
            if by_itself and self.losses[number] > LOSSES:
                self._keep([(number, _fault())])
            elif self.losses[number] >= LOSSES:
                self.alone.append(number)
            else:
                self.waiting.append(number)


def _fault() -> Result:
    return {"games": 0, "fault": "the process that played it ended each time"}
