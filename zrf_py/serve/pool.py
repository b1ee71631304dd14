"""Pools of worker processes that answer questions about rules, each within a time limit.

A process answers one question at a time. If it takes too long it is killed, and another one rebuilds its caches. Boards
whose rules turn out to be slow share a few processes and take turns there, so that other boards don't wait for them.
"""

import asyncio
import contextlib
import itertools
import json
import time
from collections.abc import AsyncIterator, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from zrf_py.hosts import STARTING, Late, Lost, Worker
from zrf_py.text.diagnostics import Diagnostic, ZrfError

QUICK = 0.25
"""Maximum processor time, in seconds, of an answer about rules that count as quick."""
SLOW = 1.0
"""Processor time, in seconds, after which a question about quick rules is stopped if others wait for a process; other
questions get 1.5 times as long. After half of it, a question moves to the slow processes if they have room."""
LOOK = 0.1
"""Seconds between two checks of the processor time of a process."""
BELIEVED = 600.0
"""Seconds after a slow answer during which the board gets no reserved process."""
MAX_WAITING = 400
"""Maximum number of questions that wait or are being answered; further ones are refused at once."""
MAX_KNOWN = 10_000
"""Maximum number of boards, games and visitors that are remembered."""

TELLING = ("view", "play", "picture", "think", "at once", "look")
"""Questions that list moves: only quick answers to these show that rules are quick."""


class WorkerFailed(ZrfError):
    """A question got no answer: too many are waiting, or its process could not be started, took too long or died."""


class RulesProblem(ZrfError):
    """An error in the rules of a board; `text` is the message for users, with its place in the rules."""

    def __init__(self, code: str, summary: str, text: str) -> None:
        super().__init__([Diagnostic(code, summary, None)])
        self.code = code
        self.text = text


class Turns:
    """Priority semaphore: at most `count` run at once; the last `reserved` free turns are for trusted callers only.

    Waiters (visitor, board) are served by urgency (lowest first); of equal urgency, the visitor who was served longest
    ago comes first, then the visitor's board that was served longest ago, then the board's first question.
    """

    def __init__(self, count: int, reserved: int = 0) -> None:
        self.free = count
        self.reserved = reserved
        self.waiting: list[tuple[int, tuple[str, str], int, bool, asyncio.Future[None]]] = []
        self._served: dict[Hashable, int] = {}
        """Sequence number of the last service of each visitor and board; if there was none, that of the first wait."""
        self._count = itertools.count(1)

    def locked(self, is_trusted: bool = True) -> bool:
        """Return whether a caller would have to wait."""
        return self.free <= (0 if is_trusted else self.reserved)

    @contextlib.asynccontextmanager
    async def at(self, urgency: int, asker: tuple[str, str] = ("", ""), is_trusted: bool = True) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as this context."""
        turn = asyncio.get_running_loop().create_future()
        if len(self._served) > MAX_KNOWN:
            self._served.clear()
        number = next(self._count)
        for key in (asker[0], asker):
            self._served.setdefault(key, number)
        waiter = (urgency, asker, number, is_trusted, turn)
        self.waiting.append(waiter)
        self._grant()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._grant(1)
            else:
                self.waiting.remove(waiter)
            raise
        try:
            yield
        finally:
            self._grant(1)

    def _grant(self, freed: int = 0) -> None:
        """Serve waiters, after `freed` turns have ended."""
        self.free += freed
        while ready := [w for w in self.waiting if not w[4].done() and not self.locked(is_trusted=w[3])]:
            served = self._served
            chosen = min(ready, key=lambda w: (w[0], served.get(w[1][0], 0), served.get(w[1], 0), w[2]))
            self.waiting.remove(chosen)
            _, asker, _, _, turn = chosen
            served[asker[0]] = served[asker] = next(self._count)
            self.free -= 1
            turn.set_result(None)


class Speeds:
    """Processor time of answers about boards, in seconds; a new board starts with the time of its game's boards."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[float, float]] = {}
        """Board or rules → (seconds of the last answer, or half the value before if more; when it may be quick)."""

    def is_slow(self, board: str, rules: Hashable) -> bool:
        """Return whether the board's questions belong to the slow processes."""
        return self._known.get(board, self._known.get(rules, (0.0, 0.0)))[0] > QUICK

    def is_quick(self, board: str, rules: Hashable) -> bool:
        """Return whether the board (if new, its game) was measured, and has not been slow for `BELIEVED` seconds."""
        took, until = self._known.get(board, self._known.get(rules, (SLOW, 0.0)))
        return took <= QUICK and time.monotonic() >= until

    def learn(self, board: str, rules: Hashable, took: float) -> None:
        """Record the processor time of an answer, in seconds."""
        if len(self._known) > MAX_KNOWN:
            self._known.clear()
        for key in (board, rules):
            before, until = self._known.get(key, (0.0, 0.0))
            self._known[key] = max(took, before / 2), time.monotonic() + BELIEVED if took > QUICK else until


class Pool:
    """Up to `size` processes for quick questions and `slow` for slow ones, started on demand."""

    def __init__(self, size: int = 3, *, slow: int = 0, gentle: bool = False) -> None:
        self.gentle = gentle
        """True if the processes run at low priority (`nice`)."""
        self.size = size
        self._turns = Turns(size, reserved=int(size > 1 and slow > 0))
        self._slow_turns = Turns(slow) if slow else None
        self._idle: list[Worker] = []
        """Idle processes; those last used by quick boards are at the end."""
        self._all: dict[Worker, set[str]] = {}
        """Workers, each with the boards that it has cached."""
        self._threads = ThreadPoolExecutor(MAX_WAITING, "rules")
        """Threads that wait for the workers."""
        self._speeds = Speeds()
        self._waiting = 0
        self._closed = False

    async def ask(self, question: dict[str, Any], seconds: float, urgency: int = 0) -> Any:
        """Return the answer to a question; cancelling the task kills the process that is working on it. Questions are
        served by `urgency`, lowest first: 0 is for questions that users wait for.

        :raises RulesProblem: if the worker reports one.
        :raises WorkerFailed: after `seconds`, if too many questions wait, or if the process dies or doesn't start.
        """
        if self._waiting >= MAX_WAITING:
            raise WorkerFailed("the server is busy; try again in a moment", "busy")
        asker, rules = _about(question)
        self._waiting += 1
        try:
            answer = None
            if self._slow_turns is None or not self._speeds.is_slow(asker[1], rules):
                answer = await self._quick(question, seconds, urgency)
            if answer is None:
                assert self._slow_turns
                async with self._slow_turns.at(urgency, asker):
                    answer = await self._answer(question, seconds, self._take(asker[1], False) or await self._start())
        finally:
            self._waiting -= 1
        if "error" in answer:
            raise RulesProblem(**answer["error"])
        return answer["ok"]

    async def _quick(self, question: dict[str, Any], seconds: float, urgency: int) -> dict[str, Any] | None:
        """Return the answer; None if the question turns out to be slow and has to start again in a slow process.

        If there is room for another slow question, this one goes on in its process; else it ends once others wait.
        """
        turns, slow = self._turns, self._slow_turns
        asker, rules = _about(question)
        is_trusted = slow is None or self._speeds.is_quick(asker[1], rules)
        async with contextlib.AsyncExitStack() as turn:
            await turn.enter_async_context(turns.at(urgency, asker, is_trusted))
            worker = self._take(asker[1], is_trusted) or await self._start()  # the start isn't charged to the question
            began = _worked(worker)
            task = asyncio.ensure_future(self._answer(question, seconds, worker))
            try:
                while slow and not (await asyncio.wait([task], timeout=LOOK))[0]:
                    worked = _worked(worker) - began
                    if worked >= SLOW / 2 and not slow.locked():
                        await turn.aclose()
                        await turn.enter_async_context(slow.at(urgency, asker))
                        break
                    if worked >= (SLOW if is_trusted else SLOW * 1.5) and turns.waiting:
                        self._speeds.learn(asker[1], rules, SLOW)
                        return None
                return await task
            finally:
                task.cancel()

    def _take(self, board: str, is_trusted: bool) -> Worker | None:
        """Take an idle process, preferably one that has the board cached; None if all are busy or reserved."""
        spare = self._idle if is_trusted else self._idle[:max(0, len(self._idle) - self._turns.reserved)]
        if not spare:
            return None
        worker = next((w for w in reversed(spare) if board in self._all[w]), spare[0])
        self._idle.remove(worker)
        return worker

    async def _answer(self, question: dict[str, Any], seconds: float, worker: Worker) -> dict[str, Any]:
        (_, board), rules = _about(question)
        boards = self._all[worker]
        fine = False
        try:
            answer: dict[str, Any] = json.loads(await self._wait(worker, seconds, _answer, json.dumps(question)))
            took = answer.pop("took")
            is_first = board not in boards and question.get("line")  # replaying its game takes time, too
            if question["op"] in TELLING if took <= QUICK else not is_first:
                self._speeds.learn(board, rules, took)
            fine = True
        except Late:
            self._speeds.learn(board, rules, SLOW)
            raise WorkerFailed(f"the rules ran for more than {seconds:g} seconds and were stopped",
                               "too-slow") from None
        except Exception:
            self._speeds.learn(board, rules, SLOW)
            raise WorkerFailed("the rules crashed the process that ran them", "worker-died") from None
        finally:
            if fine and not self._closed:
                boards.add(board)
                self._idle.insert(len(self._idle) if self._speeds.is_quick(board, rules) else 0, worker)
                while len(self._idle) > self.size:  # a burst of questions may have started more processes
                    self._end(self._idle.pop(0))
            else:
                self._end(worker)
        return answer

    async def _wait(self, worker: Worker, seconds: float, *call: Any) -> Any:
        """Return the result of `worker.call` without blocking the server."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, partial(worker.call, *call, seconds=seconds))

    def _end(self, worker: Worker) -> None:
        if self._all.pop(worker, None) is not None:
            worker.kill()
            self._threads.submit(worker.close)

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

    async def warm(self) -> None:
        """Start a process in advance."""
        self._idle.append(await self._start())

    async def close(self) -> None:
        """Kill all processes; waiting callers get an error."""
        self._closed = True
        await asyncio.sleep(0)  # let cancelled tasks end their own workers
        for worker in list(self._all):
            self._end(worker)
        self._idle.clear()
        await asyncio.to_thread(self._threads.shutdown)


def _about(question: dict[str, Any]) -> tuple[tuple[str, str], Hashable]:
    """Return the asker of a question (visitor, and board or rules file), and the key of its rules."""
    game = question.get("game", {})
    asker = str(question.get("visitor", "")), str(question.get("board") or game.get("path", ""))
    return asker, (game.get("path", ""), game.get("variant"), game.get("stamp"))


def _worked(worker: Worker) -> float:
    """Return the processor time of a process in seconds; on systems other than Linux, the time of a monotonic clock."""
    with contextlib.suppress(AttributeError, OSError):
        return time.clock_gettime(~worker.process.pid << 3 | 2)  # the clock that `clock_getcpuclockid` returns in C
    return time.monotonic()


# ------------------------------------------------------------------------------------------------ the other process


def _prepare() -> None:
    """Import the modules that answers need, before the first time limit."""
    import zrf_py.serve.worker  # noqa: F401 - only here: the server itself starts faster without it


def _answer(question: str) -> bytes:
    """Answer a question; question and answer are JSON."""
    from zrf_py.serve.worker import answer

    return answer(question)
