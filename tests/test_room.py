"""Texts analysed in a separate process: a slow or hostile text affects no other."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.playing import HANG, slow
from zrf_py.author.editor import room as rooms
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.room import Bench, Changed, Room
from zrf_py.author.editor.workshop import Document
from zrf_py.text.diagnostics import ZrfError

GAME = """(game (title "Race") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify empty?) add))) (board-setup (White (Man a1)) (Black (Man c3)))
  (loss-condition (White Black) stalemated))
"""
SHORT = 0.3


def behave(word: str) -> None:
    """Behave as a text demands: hang, take too much memory, die, raise an error, or do nothing."""
    if "spins" in word:
        while True:
            pass
    if "sleeps" in word:
        time.sleep(10 * HANG)
    if "swells" in word:
        bytearray(1 << 40)
    if "dies" in word:
        os.kill(os.getpid(), signal.SIGKILL)
    if "errs" in word:
        raise LookupError("by design")


def news_of(bench: Bench, document: Document, analysis: Analysis) -> tuple[int, tuple[str, ...], bool]:
    """Return the length of a text, its errors and whether it is linted; if the text is hostile, obey it."""
    behave(analysis.source.text)
    return len(analysis.source.text), tuple(d.code for d in analysis.errors), analysis.lints is not None


def length(bench: Bench, document: Document, word: str) -> int:
    behave(word)
    return len(bench.current(document).source.text)


class Author:
    """An author with open texts; `said` has the results published about each."""

    def __init__(self, room: Room, said: list[tuple[str, int, Any]], news: asyncio.Event) -> None:
        self.room, self.said, self.news = room, said, news

    async def until(self, holds: Callable[[tuple[str, int, Any]], bool], since: int = 0) -> Any:
        """Wait for a result that fulfils `holds`, ignoring the first `since` results; return its value."""
        async def wait() -> Any:
            while True:
                for row in self.said[since:]:
                    if holds(row):
                        return row[2]
                self.news.clear()
                await self.news.wait()

        return await asyncio.wait_for(wait(), HANG)

    async def of(self, name: str, version: int, since: int = 0) -> Any:
        return await self.until(lambda row: row[:2] == (name, version), since)


def by_an_author(work: Callable[[Author], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        said: list[tuple[str, int, Any]] = []
        news = asyncio.Event()

        def publish(name: str, version: int, value: Any) -> None:
            said.append((name, version, value))
            news.set()

        room = Room(news_of, publish)
        try:
            room.take("other", None, GAME, 7)
            author = Author(room, said, news)
            assert (await author.until(lambda row: row[2][2]))[1] == ()  # with lints
            await work(author)
        finally:
            room.end()

    asyncio.run(main())


@pytest.mark.parametrize(("text", "code", "words"), [
    ("spins", "too-slow", "longer than"), *slow([("sleeps", "too-slow", "longer than")]),
    ("swells", "no-analysis", "memory"), ("dies", "no-analysis", "-9"), *slow([("errs", "no-analysis", "by design")])])
def test_a_hostile_text_affects_no_other(text: str, code: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text gets one message, which also answers requests about it and requests in progress; the next text is
    checked."""
    async def work(author: Author) -> None:
        room, said, before = author.room, author.said, author.room.worker
        if code == "too-slow":
            monkeypatch.setattr(rooms, "SECONDS", SHORT)
        room.take("mine", None, f"{GAME}; {text}", 1)
        asked = asyncio.ensure_future(room.ask("other", length, "sleeps"))
        since = len(said)
        problem = await author.until(lambda row: isinstance(row[2], ZrfError), since)
        monkeypatch.setattr(rooms, "SECONDS", HANG)
        assert problem.diagnostics[0].code == code and words in problem.summary()
        with pytest.raises(ZrfError, match=words):
            await asked
        with pytest.raises(ZrfError, match=words):
            await room.ask("mine", length, "")
        assert room.worker is not before
        assert (await author.of("other", 7, since))[0] == len(GAME)  # sent to the new process, and analysed again
        assert await room.ask("other", length, "") == len(GAME)
        room.change("mine", GAME + "\n", 2)
        assert (await author.of("mine", 2))[:2] == (len(GAME) + 1, ())
        assert [row for row in said if isinstance(row[2], ZrfError)] == [("mine", 1, problem)]

    by_an_author(work)


def test_a_newer_text_is_checked_after_a_slow_one_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """No result is published about a text that has been replaced."""
    async def work(author: Author) -> None:
        monkeypatch.setattr(rooms, "SECONDS", SHORT)
        before = author.room.worker
        author.room.take("mine", None, f"{GAME}; spins", 1)
        author.room.change("mine", GAME, 2)
        if (await author.until(lambda row: row[0] == "mine"))[1] == ():
            assert author.said[-1][:2] == ("mine", 2)
        monkeypatch.setattr(rooms, "SECONDS", HANG)
        assert await author.of("mine", 2) and all(version == 2 for name, version, _ in author.said if name == "mine")
        assert before is not None

    by_an_author(work)


@pytest.mark.parametrize("word", ["spins", *slow(["dies"])])
def test_a_hostile_request_fails_only_the_requests_in_progress(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(author: Author) -> None:
        room = author.room
        if word == "spins":
            monkeypatch.setattr(rooms, "SECONDS", SHORT)
            monkeypatch.setattr(rooms, "MAX_WAIT", 0)
        with pytest.raises(ZrfError):
            await room.ask("other", length, word)
        monkeypatch.setattr(rooms, "SECONDS", HANG)
        assert await room.ask("other", length, "") == len(GAME)
        with pytest.raises(ZrfError, match="LookupError"):
            await room.ask("other", odd)
        assert await room.ask("other", length, "") == len(GAME)

    by_an_author(work)


def odd(bench: Bench, document: Document) -> None:
    raise AttributeError("LookupError")


def test_results_are_published_in_order_and_always_for_the_last_text(tmp_path: Path) -> None:
    async def work(author: Author) -> None:
        room, last = author.room, 60
        path = tmp_path / "race.zrf"
        room.take("mine", path, GAME, 0)
        asked = asyncio.ensure_future(room.ask("mine", length, ""))
        await asyncio.sleep(0)
        for version in range(1, last + 1):
            room.change("mine", GAME + " " * version, version)
            if version % 20 == 0:
                await asyncio.sleep(0.02)
        assert (await author.of("mine", last))[0] == len(GAME) + last
        with pytest.raises(Changed):
            await asked
        assert await room.ask("mine", length, "") == len(GAME) + last
        versions = [version for name, version, _ in author.said if name == "mine"]
        assert versions == sorted(versions) and len(set(versions)) < last, "outdated texts are dropped"
        await author.until(lambda row: row[:2] == ("mine", last) and row[2][2])  # lints
        with pytest.raises(ZrfError, match="not open"):
            await room.ask("elsewhere", length, "")
        room.close("mine")
        with pytest.raises(ZrfError, match="not open"):
            await room.ask("mine", length, "")

    by_an_author(work)


def test_a_process_that_cannot_start_is_not_restarted_endlessly(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        started = []
        start = rooms.Worker

        def counted() -> Any:
            started.append(start())
            return started[-1]

        monkeypatch.setattr(rooms, "Worker", counted)
        room = Room(lambda *_: None, lambda *_: None)  # a function that the process can't find
        for number in (1, 2):
            with pytest.raises(ZrfError, match="can't be checked"):
                room.texts.clear()
                await asyncio.wait_for(room.ask(None, length), HANG)
            assert len(started) == number and room.worker is None
        room.end()

    asyncio.run(main())


def test_nothing_is_sent_to_a_process_that_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is still starting would take a text for the function that it is to call."""
    events: list[str] = []
    sent = threading.Event()

    class Starting:
        def call(self, work: Any, shape: Any, tell: Callable[[Any], None]) -> None:
            time.sleep(0.1)
            events.append("ready")
            tell(("ready", 0, None))
            assert sent.wait(HANG)

        def send(self, message: tuple[Any, ...]) -> None:
            events.append(message[0])
            sent.set()

        kill = close = lambda self: None

    async def main() -> None:
        room = Room(news_of, lambda *_: None)
        room.take("mine", None, GAME, 1)
        assert await asyncio.to_thread(sent.wait, HANG)
        room.end()

    monkeypatch.setattr(rooms, "Worker", Starting)
    asyncio.run(main())
    assert events[:2] == ["ready", "take"]
