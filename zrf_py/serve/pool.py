"""Worker processes and who gets which: questions about rules → answers, each within its time.

A process answers one question at a time. One that doesn't answer in time is ended, and what it kept is found again by
another. Boards whose rules turned out slow share a few processes among themselves, so that the others never wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from zrf_py.text.diagnostics import Diagnostic, ZrfError

MAX_ANSWER = 64 << 20
MAX_QUESTION = 8 << 20
SLOW = 1.0
"""Seconds after which a board counts as slow."""
MAX_WAITING = 400
"""Questions that may wait for a process; further ones are refused at once."""


class WorkerFailed(ZrfError):
    """A question got no answer: it took too long, or its process ended; `answer` of others is not touched."""


class RulesProblem(ZrfError):
    """A worker's own message: `text` is it as people read it, with the place in the rules."""

    def __init__(self, code: str, summary: str, text: str) -> None:
        super().__init__([Diagnostic(code, summary, None)])
        self.code = code
        self.text = text


@dataclass(eq=False)
class Worker:
    """One process; `boards` are those it has answered for, so that it knows them."""

    process: asyncio.subprocess.Process
    boards: set[str] = field(default_factory=set)

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(question, separators=(",", ":")).encode() + b"\n")
        await self.process.stdin.drain()
        line = await self.process.stdout.readline()
        if not line:
            raise ConnectionError
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()


class Pool:
    """Up to `size` processes, started when they are needed."""

    def __init__(self, size: int = 3, *, slow: int = 1, gentle: bool = False) -> None:
        self.size = size
        self.gentle = gentle
        """Whether the processes give way to everything else on the machine."""
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._turns = asyncio.Semaphore(size)
        self._slow_turns = asyncio.Semaphore(max(1, min(slow, size)))
        self._slow: dict[str, float] = {}
        self._waiting = 0
        self._closed = False

    async def ask(self, question: dict[str, Any], seconds: float) -> Any:
        """
        The answer to a question; cancelling the task ends the process that works on it.

        :raises RulesProblem: if that is what the worker says.
        :raises WorkerFailed: after `seconds`, or if the process dies, or if too many wait.
        """
        if self._waiting >= MAX_WAITING:
            raise WorkerFailed("the server is busy; try again in a moment", "busy")
        board = str(question.get("board") or question.get("game", {}).get("path", ""))
        self._waiting += 1
        try:
            async with contextlib.AsyncExitStack() as turns:
                if board in self._slow:
                    await turns.enter_async_context(self._slow_turns)
                await turns.enter_async_context(self._turns)
                answer = await self._answer(question, board, seconds)
        finally:
            self._waiting -= 1
        if "error" in answer:
            raise RulesProblem(**answer["error"])
        return answer["ok"]

    async def _answer(self, question: dict[str, Any], board: str, seconds: float) -> dict[str, Any]:
        worker = self._take(board) or await self._start()
        start = time.monotonic()
        fine = False
        try:
            answer = await asyncio.wait_for(worker.ask(question), seconds)
            fine = True
        except TimeoutError:
            raise WorkerFailed(f"the rules took longer than {seconds:g} seconds here, so they were stopped",
                               "too-slow") from None
        except (OSError, ValueError):
            raise WorkerFailed("the rules broke the process that ran them", "worker-died") from None
        finally:
            self._remember(board, time.monotonic() - start, question["op"])
            if fine and not self._closed:
                worker.boards.add(board)
                self._idle.append(worker)
            else:
                worker.end()
                self._all.discard(worker)
        return answer

    def _remember(self, board: str, took: float, op: str) -> None:
        """Which boards are slow, and until when that is believed."""
        if took > SLOW and op not in ("think", "advise", "prepare", "picture", "bitmap"):
            self._slow[board] = time.monotonic() + 60
        elif self._slow.get(board, 0) and self._slow[board] < time.monotonic():
            del self._slow[board]
        if len(self._slow) > 10_000:
            self._slow.clear()

    def _take(self, board: str) -> Worker | None:
        """An idle process, best one that knows the board."""
        if not self._idle:
            return None
        found = next((w for w in reversed(self._idle) if board in w.boards), self._idle[-1])
        self._idle.remove(found)
        return found

    async def _start(self) -> Worker:
        arguments = [sys.executable, "-m", "zrf_py.serve.worker", *(["--nice"] if self.gentle else [])]
        try:
            process = await asyncio.create_subprocess_exec(
                *arguments, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=MAX_ANSWER,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True)
        except OSError as error:
            raise WorkerFailed(f"no process could be started: {error.strerror}", "no-worker") from None
        worker = Worker(process)
        self._all.add(worker)
        return worker

    async def warm(self, count: int = 1) -> None:
        """Start processes before anybody asks."""
        for _ in range(min(count, self.size) - len(self._all)):
            self._idle.append(await self._start())

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        for worker in list(self._all):
            worker.end()
        for worker in list(self._all):
            with contextlib.suppress(Exception):
                await asyncio.wait_for(worker.process.wait(), 2)
        self._all.clear()
        self._idle.clear()
