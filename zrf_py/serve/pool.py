"""Pools of worker processes: questions about rules → answers, each within a time limit.

A process answers one question at a time. One that takes too long is killed, and another rebuilds its caches. Boards
whose rules turn out to be slow share a few processes, so that others don't wait for them.
"""

import asyncio
import contextlib
import heapq
import itertools
import json
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from zrf_py.hosts import STARTING, Late, Lost, Worker
from zrf_py.text.diagnostics import Diagnostic, ZrfError

SLOW = 1.0
"""Seconds after which a board counts as slow."""
BELIEVED = 60.0
"""Seconds for which a board counts as slow."""
MAX_WAITING = 400
"""Most questions that wait for a process; further ones are refused at once."""


class WorkerFailed(ZrfError):
    """A question got no answer: it took too long, or its process died."""


class RulesProblem(ZrfError):
    """A worker's own error; `text` is the message for users, with its place in the rules."""

    def __init__(self, code: str, summary: str, text: str) -> None:
        super().__init__([Diagnostic(code, summary, None)])
        self.code = code
        self.text = text


class Turns:
    """Priority semaphore: at most `count` run at once; waiters by urgency (lowest first), then by arrival."""

    def __init__(self, count: int) -> None:
        self.free = count
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._count = itertools.count()

    def locked(self) -> bool:
        """Return whether a caller would have to wait."""
        return self.free <= 0

    @contextlib.asynccontextmanager
    async def at(self, urgency: int) -> AsyncIterator[None]:
        """Wait for a turn; the context is the turn."""
        if self.free > 0:
            self.free -= 1
        else:
            turn = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (urgency, next(self._count), turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next()
                raise
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1


class Pool:
    """Up to `size` processes for quick questions and `slow` for slow ones, started on demand."""

    def __init__(self, size: int = 3, *, slow: int = 0, gentle: bool = False) -> None:
        self.gentle = gentle
        """True if the processes run at low priority (`nice`)."""
        self.size = size
        self._idle: list[Worker] = []
        self._all: dict[Worker, set[str]] = {}
        """Workers, each with the boards that it has cached."""
        self._threads = ThreadPoolExecutor(MAX_WAITING, "rules")
        """Threads that wait for the workers."""
        self._turns = Turns(size)
        self._slow_turns = Turns(slow) if slow else None
        self._slow: dict[str, float] = {}
        self._waiting = 0
        self._closed = False

    async def ask(self, question: dict[str, Any], seconds: float, urgency: int = 0) -> Any:
        """Return the answer to a question; cancelling the task kills the process that works on it. Waiting questions
        are served by `urgency`, lowest first: 0 is for questions that users wait for.

        :raises RulesProblem: if the worker reports one.
        :raises WorkerFailed: after `seconds`, if the process dies, or if too many questions wait.
        """
        if self._waiting >= MAX_WAITING:
            raise WorkerFailed("the server is busy; try again in a moment", "busy")
        board = str(question.get("board") or question.get("game", {}).get("path", ""))
        self._waiting += 1
        try:
            answer = await self._quick(question, board, seconds, urgency)
            if answer is None:
                assert self._slow_turns
                async with self._slow_turns.at(urgency):
                    answer = await self._answer(question, board, seconds)
        finally:
            self._waiting -= 1
        if "error" in answer:
            raise RulesProblem(**answer["error"])
        return answer["ok"]

    async def _quick(
        self, question: dict[str, Any], board: str, seconds: float, urgency: int,
    ) -> dict[str, Any] | None:
        """Return the answer; None if the board is slow, so that the question must go to the slow processes.

        If those have room, a question that turns out to be slow keeps running, and only its turn passes to another one.
        """
        if self._slow_turns is None:
            async with self._turns.at(urgency):
                return await self._answer(question, board, seconds)
        if self._slow.get(board, 0) > time.monotonic():
            return None
        async with contextlib.AsyncExitStack() as turn:
            await turn.enter_async_context(self._turns.at(urgency))
            worker = self._take(board) or await self._start()  # the start isn't charged to the question
            task = asyncio.ensure_future(self._answer(question, board, seconds, worker))
            try:
                await asyncio.wait([task], timeout=SLOW)
                if not task.done():
                    if self._slow_turns.locked():
                        return None
                    await turn.aclose()
                    await turn.enter_async_context(self._slow_turns.at(urgency))
                return await task
            finally:
                task.cancel()

    async def _answer(
        self, question: dict[str, Any], board: str, seconds: float, worker: Worker | None = None,
    ) -> dict[str, Any]:
        worker = worker or self._take(board) or await self._start()
        boards = self._all[worker]
        fine = False
        began = time.monotonic()
        try:
            answer: dict[str, Any] = json.loads(await self._wait(worker, seconds, _answer, json.dumps(question)))
            fine = True
        except Late:
            raise WorkerFailed(f"the rules took longer than {seconds:g} seconds here and were stopped",
                               "too-slow") from None
        except Exception:
            raise WorkerFailed("the rules crashed the process that ran them", "worker-died") from None
        finally:
            self._remember(board, board in boards, fine, answer.pop("took") if fine else time.monotonic() - began)
            if fine and not self._closed:
                boards.add(board)
                self._idle.append(worker)
                while len(self._idle) > self.size:  # a burst may have started more
                    self._end(self._idle.pop(0))
            else:
                self._end(worker)
        return answer

    async def _wait(self, worker: Worker, seconds: float, *call: Any) -> Any:
        """Return the result of `worker.call` without blocking the server."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, partial(worker.call, *call, seconds=seconds))

    def _remember(self, board: str, was_known: bool, fine: bool, took: float) -> None:
        """Record whether a board is slow, by processor time, since on a busy machine all of them wait; the first answer
        of a worker about a board proves nothing."""
        if took > SLOW and (was_known or not fine):
            self._slow[board] = time.monotonic() + BELIEVED
        elif fine:
            self._slow.pop(board, None)
        if len(self._slow) > 10_000:
            self._slow.clear()

    def _end(self, worker: Worker) -> None:
        if self._all.pop(worker, None) is not None:
            worker.kill()
            self._threads.submit(worker.close)

    def _take(self, board: str) -> Worker | None:
        """Take an idle process, preferably one that knows the board."""
        if not self._idle:
            return None
        found = next((w for w in reversed(self._idle) if board in self._all[w]), self._idle[-1])
        self._idle.remove(found)
        return found

    async def _start(self) -> Worker:
        if self._closed:
            raise WorkerFailed("the server is shutting down", "no-worker")
        try:
            worker = Worker(gentle=self.gentle)
        except OSError as error:
            raise WorkerFailed(f"no process could be started: {error.strerror}", "no-worker") from None
        self._all[worker] = set()
        try:
            await self._wait(worker, STARTING, _prepare)
        except BaseException as error:
            self._end(worker)
            if isinstance(error, Lost):
                raise WorkerFailed("no process could be started in time", "no-worker") from None
            raise
        return worker

    async def warm(self, count: int = 1) -> None:
        """Start processes in advance."""
        for _ in range(min(count, self.size) - len(self._all)):
            self._idle.append(await self._start())

    async def close(self) -> None:
        """Kill all processes; waiting callers get an error."""
        self._closed = True
        await asyncio.sleep(0)  # let cancelled tasks end their own workers
        for worker in list(self._all):
            self._end(worker)
        self._idle.clear()
        await asyncio.to_thread(self._threads.shutdown)


# ------------------------------------------------------------------------------------------------ the other process


def _prepare() -> None:
    """Import the modules that answers need, before the first time limit."""
    import zrf_py.serve.worker  # noqa: F401 - here only: the server itself starts faster without


def _answer(question: str) -> bytes:
    """Answer a question; both are JSON."""
    from zrf_py.serve.worker import answer

    return answer(question)
