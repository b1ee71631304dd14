"""Texts being edited, analysed in a process of their own, for programs with an event loop.

The process (`Bench`) analyses the texts and answers questions about them; this side (`Room`) holds what is needed to
restart it. If a text takes too long or too much memory, the process is killed, and a new one gets the other texts.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.workshop import Document, Workshop
from zrf_py.hosts import Tell, Worker, messages
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

MAX_WAIT = 20.0
"""Maximum number of seconds that a question waits for its text to be compiled."""
SECONDS = 30.0
"""Maximum number of seconds for the analysis of a text, and for its lints; an answer may take `MAX_WAIT` longer."""

Shape = Callable[["Bench", Document, Analysis], Any]
"""Converts an analysis into a message for `publish` (None: publish nothing); called in the other process."""


class Changed(Exception):
    """The text was changed or closed after the question."""


@dataclass(eq=False)
class _Text:
    """An open text; `number` is unique to it, `problem` is the reason why it isn't analysed (None: it is)."""

    name: str
    path: Path | None
    text: str
    version: int
    number: int
    problem: ZrfError | None = None


class Room:
    """The open texts of an editor, by name (such as a URI). To be used on one event loop at a time.

    `publish(name, version, news)` is called with the result of `shape` for each analysis of the current text, or with a
    `ZrfError` if the text can't be analysed.
    """

    def __init__(self, shape: Shape, publish: Callable[[str, int, Any], None]) -> None:
        self.shape, self.publish = shape, publish
        self.texts: dict[str, _Text] = {}
        self.worker: Worker | None = None
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._busy: dict[int, tuple[int, asyncio.TimerHandle]] = {}
        """Work in progress: the number of its text, and the deadline."""

    def begin(self) -> None:
        """Start the process and send it the texts, unless it is running."""
        self._loop = asyncio.get_running_loop()
        if self.worker is not None:
            return
        ready = threading.Event()
        worker, out = self.worker, self._out = Worker(), SimpleQueue[tuple[Any, ...]]()

        def hear(message: tuple[Any, ...]) -> None:
            ready.set()
            with suppress(RuntimeError):  # the loop has been closed
                self._loop.call_soon_threadsafe(self._hear, worker, *message)

        def listen() -> None:
            try:
                worker.call(work, self.shape, tell=hear)
            except Exception as error:
                hear(("lost", ready.is_set(), str(error) or type(error).__name__))
            worker.close()

        def speak() -> None:
            ready.wait()
            while message := out.get():
                worker.send(message)

        for thread in (listen, speak):  # sending blocks while the pipe of a busy process is full
            threading.Thread(target=thread, name="room", daemon=True).start()
        for text in self.texts.values():
            if text.problem is None:
                out.put(("take", text.name, text.path, text.text, text.number))

    def take(self, name: str, path: Path | None, text: str, version: int) -> None:
        """Open a text, or replace the open one of that name."""
        self.texts[name] = _Text(name, path, text, version, next(self._numbers))
        self._send("take", name, path, text, self.texts[name].number)

    def change(self, name: str, text: str, version: int) -> None:
        """Replace a text, if it is open."""
        if name in self.texts:
            self.take(name, self.texts[name].path, text, version)

    def close(self, name: str) -> None:
        self.texts.pop(name, None)
        self._send("close", name)

    def reread(self) -> None:
        """Analyse again the texts that depend on files that have changed or appeared on disk."""
        self._send("reread")

    def end(self) -> None:
        """Close all texts and kill the process; open questions raise a `ZrfError`."""
        self.texts.clear()
        self._stop(ZrfError("the texts have been closed"))

    async def ask(self, name: str | None, question: Callable[..., Any], *args: Any) -> Any:
        """Return `question(bench, document, *args)`, called in the other process; without a `name`, `document` is None.

        :raises Changed: if the text changes in the meantime.
        :raises ZrfError: if the text isn't open or can't be analysed, the answer takes too long, or the call fails.
        :raises KeyError, TypeError, ValueError, OverflowError: if `question` does.
        """
        text = self.texts.get(name or "")
        if name is not None and (text is None or text.problem):
            raise (text and text.problem) or ZrfError(f"{name} is not open")
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self._send("ask", number, name, text and text.number, question, args)
        deadline = self._loop.call_later(MAX_WAIT + SECONDS, self._fail, _too_slow("answer", MAX_WAIT + SECONDS))
        try:
            value = await answer
        finally:
            deadline.cancel()
            del self._asked[number]
        if name is not None and self.texts.get(name) is not text:
            raise Changed
        return value

    def _send(self, *message: Any) -> None:
        self.begin()
        self._out.put(message)

    def _hear(self, worker: Worker, kind: str, number: int, value: Any) -> None:
        """Handle a message from the process; ignore one from an earlier process."""
        if worker is not self.worker:
            return
        if kind == "busy":
            self._busy[number] = value, self._loop.call_later(SECONDS, self._fail, _too_slow("text", SECONDS), value)
        elif kind == "idle":
            blamed, deadline = self._busy.pop(number)
            deadline.cancel()
            if value is not None:
                self._fail(value, blamed)
        elif kind == "news" and value is not None:
            for text in self.texts.values():
                if text.number == number:
                    self.publish(text.name, text.version, value)
        elif kind == "answer" and number in self._asked and not self._asked[number].done():
            future, (is_fine, result) = self._asked[number], value
            (future.set_result if is_fine else future.set_exception)(result)
        elif kind == "lost":
            if number:  # blame the open questions, or else the text on which work began last
                self._fail(_unchecked(value), 0 if self._asked else [0, *(text for text, _ in self._busy.values())][-1])
            else:  # the process can't start: the next `_send` tries again
                self._stop(_unchecked(value))

    def _fail(self, problem: ZrfError, blamed: int = 0) -> None:
        """Restart the process after a problem; the text with the number `blamed` is left out until it changes."""
        self._stop(problem)
        for text in self.texts.values():
            if text.number == blamed:
                text.problem = problem
                self.publish(text.name, text.version, problem)
        self.begin()

    def _stop(self, problem: ZrfError) -> None:
        """Kill the process; open questions raise `problem`."""
        for _, deadline in self._busy.values():
            deadline.cancel()
        self._busy.clear()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(problem)
        if self.worker is not None:
            self.worker.kill()
            self._out.put(())
        self.worker = None


def _too_slow(subject: str, seconds: float) -> ZrfError:
    return ZrfError(f"work on the {subject} takes longer than {seconds:g} seconds", "too-slow",
                    help="the text is checked again when it changes")


def _unchecked(reason: str) -> ZrfError:
    return ZrfError(f"this text can't be checked: {reason}", "no-analysis")


def work(shape: Shape, tell: Tell) -> None:
    """Handle the messages of a room until it closes the pipe: the main loop of the process."""
    bench = Bench(shape, tell)
    tell(("ready", 0, None))
    for kind, *message in messages():
        getattr(bench, kind)(*message)


class Bench(Workshop):
    """The part of a room that runs in the other process; the version of a document is the `number` of its text."""

    def __init__(self, shape: Shape, tell: Tell) -> None:
        super().__init__(self._report)
        self.shape, self.tell = shape, tell
        self._news = threading.Condition()
        self._askers = ThreadPoolExecutor(os.cpu_count(), "zrf-answers")
        self._works = count()

    def take(self, name: str, path: Path | None, text: str, version: int = 0) -> Document:
        before = self.documents.get(name)
        document = before and before.path == path and self.change(name, text, version)
        with self._news:
            self._news.notify_all()
        return document or super().take(name, path, text, version)

    def ask(self, number: int, name: str | None, version: int | None, question: Callable[..., Any], args: Any) -> None:
        self._askers.submit(self._answer, number, self.documents.get(name or ""), version, question, args)

    def _answer(self, number: int, document: Any, version: int | None, question: Any, args: Any) -> None:
        try:
            if document is not None and document.version != version:
                raise Changed
            self.tell(("answer", number, (True, question(self, document, *args))))
        except (ZrfError, Changed, KeyError, TypeError, ValueError, OverflowError) as error:
            self.tell(("answer", number, (False, error)))
        except Exception as error:
            self.tell(("answer", number, (False, ZrfError(f"the request failed: {type(error).__name__} {error}"))))

    def current(self, document: Document) -> Analysis:
        """Wait for the analysis of the current text and return it.

        :raises Changed: if the text changes in the meantime. :raises ZrfError: after `MAX_WAIT` seconds.
        """
        version, end = document.version, time.monotonic() + MAX_WAIT
        with self._news:
            while (analysis := document.current) is None:
                if document.version != version or self.documents.get(document.name) is not document:
                    raise Changed
                if not self._news.wait(end - time.monotonic()):
                    raise ZrfError("reading the rules takes too long", "too-slow")
        return analysis

    def _report(self, document: Document, analysis: Analysis) -> None:
        with self._news:
            self._news.notify_all()
        number = document.version
        if analysis.source is document.source:
            self.tell(("news", number, self.shape(self, document, analysis)))

    def _analyse(self, document: Document, source: Source) -> None:
        with self._working(document):
            super()._analyse(document, source)

    def _lint(self, document: Document, analysis: Analysis) -> None:
        with self._working(document):
            super()._lint(document, analysis)

    @contextmanager
    def _working(self, document: Document) -> Iterator[None]:
        """Report the beginning and the end of work on a text, so that the room can blame it for delays and errors."""
        number, problem = next(self._works), None
        self.tell(("busy", number, document.version))
        try:
            yield
        except MemoryError:
            problem = _unchecked("it takes too much memory")
        except Exception as error:
            problem = _unchecked(f"{type(error).__name__} {error}")
        self.tell(("idle", number, problem))
