"""Processes that answer for rules: whose turn it is."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from tests.playing import HANG
from zrf_py.play.game import load
from zrf_py.serve import pool
from zrf_py.serve.pool import Turns, WorkerFailed
from zrf_py.serve.worker import op_at_once


def test_the_most_urgent_comes_first_and_of_these_the_first() -> None:
    async def run() -> list[str]:
        turns, done = Turns(1), []

        async def work(name: str, urgency: int) -> None:
            async with turns.at(urgency):
                done.append(name)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(work(*job)) for job in (
            ("running", 2), ("computers", 2), ("person", 0), ("opponent", 1), ("computers again", 2), ("person 2", 0))]
        await asyncio.gather(*tasks)
        return done

    assert asyncio.run(run()) == ["running", "person", "person 2", "opponent", "computers", "computers again"]


def test_who_gives_up_waiting_keeps_nobody_from_his_turn() -> None:
    async def run() -> bool:
        turns = Turns(1)
        async with turns.at(0):
            waiting = asyncio.create_task(turns.at(0).__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
        async with asyncio.timeout(HANG), turns.at(0):
            return turns.locked()

    assert asyncio.run(run())


def test_a_turn_at_once_is_drawn_by_its_seed() -> None:
    """Of many that are as good; the same seed draws the same."""
    desk = SimpleNamespace(line=lambda question: SimpleNamespace(position=load("tictactoe").start()))
    turns = [tuple(op_at_once(desk, {"seed": seed})["legs"]) for seed in (*range(6), *range(6))]  # type: ignore[arg-type]
    assert turns[:6] == turns[6:] and len(set(turns)) > 1


def test_who_comes_when_as_many_wait_as_may_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MAX_WAITING", 2)

    async def run() -> list[str]:
        workers = pool.Pool(1)
        going = asyncio.Event()

        async def quick(*question: object) -> dict[str, str]:
            await going.wait()
            return {"ok": "answered"}

        monkeypatch.setattr(workers, "_quick", quick)
        tasks = [asyncio.create_task(workers.ask({}, HANG)) for _ in range(3)]
        for _ in range(9):
            await asyncio.sleep(0)
        going.set()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        answers.append(await workers.ask({}, HANG))
        await workers.close()
        return [a.diagnostics[0].code if isinstance(a, WorkerFailed) else a for a in answers]

    assert asyncio.run(run()) == ["answered", "answered", "busy", "answered"]
