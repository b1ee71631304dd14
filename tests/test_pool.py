"""The pool of rules processes: order, fairness, limits."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from random import Random
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from tests.playing import HANG
from zrf_py.play.game import load
from zrf_py.serve import pool
from zrf_py.serve.pool import Turns, WorkerFailed
from zrf_py.serve.worker import op_at_once


def test_waiters_are_served_by_urgency_then_arrival() -> None:
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


def test_cancelled_waiters_do_not_block_others() -> None:
    async def run() -> bool:
        turns = Turns(1)
        async with turns.at(0):
            waiting = asyncio.create_task(turns.at(0).__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
        async with asyncio.timeout(HANG), turns.at(0):
            return turns.locked()

    assert asyncio.run(run())


def test_cancellation_neither_loses_nor_adds_slots() -> None:
    """Some calls are cancelled while they wait, some just as they get a slot, some while they hold it: at most three
    run at once, and in the end all three slots are free."""
    async def run(random: Random) -> Counter[str]:
        turns, running, ends = Turns(3, reserved=1), 0, Counter[str]()

        async def work(is_trusted: bool, urgency: int, length: int) -> None:
            nonlocal running
            async with turns.at(urgency, ("", str(random.randrange(4))), is_trusted):
                running += 1
                assert running <= 3
                try:
                    for _ in range(length):
                        await asyncio.sleep(0)
                finally:
                    running -= 1

        tasks: list[asyncio.Task[None]] = []
        for _ in range(60):
            while random.random() < 0.6:
                tasks.append(asyncio.create_task(work(random.random() < 0.5, random.randrange(2), random.randrange(4))))
            if tasks and random.random() < 0.7:
                random.choice(tasks[-8:]).cancel()
            await asyncio.sleep(0)
        async with asyncio.timeout(HANG):
            for done in await asyncio.gather(*tasks, return_exceptions=True):
                ends[type(done).__name__] += 1
        assert (turns.free, turns.waiting, running) == (3, [], 0)
        return ends

    ends = sum((asyncio.run(run(Random(seed))) for seed in range(12)), Counter[str]())
    assert set(ends) == {"NoneType", "CancelledError"} and min(ends.values()) > 100


def test_an_immediate_turn_depends_on_its_seed() -> None:
    """It is drawn from equally good turns; the same seed draws the same one."""
    desk = SimpleNamespace(line=lambda question: SimpleNamespace(position=load("tictactoe").start()))
    turns = [tuple(op_at_once(desk, {"seed": seed})["legs"]) for seed in (*range(6), *range(6))]  # type: ignore[arg-type]
    assert turns[:6] == turns[6:] and len(set(turns)) > 1


def test_a_full_queue_refuses_further_waiters(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_visitors_take_turns_and_so_do_their_boards() -> None:
    """Round robin: the visitor served longest ago comes first, and of this visitor's boards the one served longest
    ago."""
    async def run() -> list[str]:
        turns, done = Turns(1), []

        async def work(visitor: str, board: str) -> None:
            async with turns.at(0, (visitor, board)):
                done.append(board)
                await asyncio.sleep(0)

        jobs = [("crowd", "a")] * 4 + [("crowd", "b")] * 2 + [("one", "c")] * 2
        await asyncio.gather(*(work(*job) for job in jobs))
        return done

    assert asyncio.run(run()) == list("aacbcaba")


def test_untrusted_waiters_never_take_the_reserved_slot() -> None:
    async def run() -> list[bool]:
        turns, most, running = Turns(3, reserved=1), [0], 0
        seen: list[bool] = []

        async def work() -> None:
            nonlocal running
            async with turns.at(0, is_trusted=False):
                running += 1
                most.append(running)
                await asyncio.sleep(0)
                running -= 1

        strangers = [asyncio.create_task(work()) for _ in range(9)]
        for _ in range(5):
            await asyncio.sleep(0)
            async with asyncio.timeout(HANG), turns.at(7):
                seen.append(running <= 2)
        await asyncio.gather(*strangers)
        assert max(most) == 2 and len(most) == 10
        return seen

    assert asyncio.run(run()) == [True] * 5


class Bench:
    """A pool with simulated processes; `takes` maps boards to the processor time of their answers (default 0).

    No clock is involved; `running` lists the boards of calls in progress, `killed` those of cancelled calls.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **size: int) -> None:
        self.pool = pool.Pool(**size)
        self.takes: dict[str, float] = {}
        self.running: list[str] = []
        self.killed: list[str] = []
        self.work: dict[object, float] = {}
        self.started = 0
        monkeypatch.setattr(pool, "LOOK", 0)
        monkeypatch.setattr(pool, "_worked", lambda worker: self.work[worker])
        monkeypatch.setattr(self.pool, "_wait", self.wait)
        monkeypatch.setattr(self.pool, "_start", self.start)

    async def start(self) -> object:
        worker = Mock()
        self.started += 1
        self.work[worker] = 0.0
        self.pool._all[worker] = set()  # type: ignore[index]
        return worker

    async def wait(self, worker: object, seconds: float, call: object, question: str) -> bytes:
        board = json.loads(question)["board"]
        took = 0.0
        self.running.append(board)
        try:
            while took < self.takes.get(board, 0.0):
                await asyncio.sleep(0)
                took += 0.01
                self.work[worker] += 0.01
        except asyncio.CancelledError:
            self.killed.append(board)
            raise
        finally:
            self.running.remove(board)
        return json.dumps({"ok": board, "took": took}).encode()

    def ask(self, board: str, op: str = "view") -> asyncio.Task[object]:
        return asyncio.create_task(self.pool.ask({"op": op, "board": board, "game": {"path": board}}, HANG))


def test_slow_boards_never_take_the_last_quick_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """24 slow boards send requests without end; each request of a quick board is answered at once."""
    async def run() -> None:
        bench = Bench(monkeypatch, size=3, slow=2)
        assert await bench.ask("quick") == "quick"
        slow = [f"slow {i}" for i in range(24)]
        await asyncio.gather(*(bench.ask(board, "open") for board in slow))  # opening them takes no time
        bench.takes = dict.fromkeys(slow, 0.7)
        answers = dict.fromkeys(slow, 0)

        async def on_and_on(board: str) -> None:
            while True:
                await bench.ask(board)
                answers[board] += 1

        tasks = [asyncio.create_task(on_and_on(board)) for board in slow]
        most, early = 0, answers
        for round in range(3_000):
            await asyncio.sleep(0)
            if round == 1_000:
                assert all(bench.pool._speeds.is_slow(board, (board, None, None)) for board in slow)
                early = dict(answers)
            most = max(most, len(bench.running))
            if round % 20 == 0:
                found = bench.ask("quick")
                for _ in range(9):  # passes of the event loop, enough for a quick reply; a slow one takes 70
                    await asyncio.sleep(0)
                assert found.done(), f"round {round}: {bench.running}"
        assert most <= 3 + 2 and len(bench.killed) <= len(slow), "once killed, a board is known to be slow"
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        later = [answers[board] - early[board] for board in slow]
        assert min(later) > 1 and max(later) - min(later) <= 1, "all have their turns"
        await bench.pool.close()

    asyncio.run(run())


def test_a_board_that_was_slow_never_gets_a_reserved_process() -> None:
    speeds = pool.Speeds()
    for took in (0.7, 0.0, 0.0, 0.0):
        speeds.learn("board", "rules", took)
    assert not speeds.is_slow("board", "rules") and not speeds.is_quick("board", "rules")
    speeds.learn("other", "other rules", 0.1)
    assert speeds.is_quick("other", "other rules") and speeds.is_quick("new board", "other rules")
    assert not speeds.is_quick("new board", "new rules") and not speeds.is_slow("new board", "new rules")
    speeds.learn("board", "rules", 0.7)
    speeds.learn("board", "rules", 0.0)
    assert speeds.is_slow("board", "rules") and speeds.is_slow("new board", "rules"), "one quick answer proves nothing"


def test_an_answer_is_abandoned_only_if_it_is_slow_and_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that are almost too slow are completed, and slow ones, too, unless another board waits for a process."""
    async def run() -> None:
        bench = Bench(monkeypatch, size=2, slow=1)
        brief, long = [f"brief {i}" for i in range(5)], ["long 0", "long 1"]
        bench.takes = {**dict.fromkeys(brief, 0.9 * pool.SLOW), **dict.fromkeys(long, 5 * pool.SLOW), "last": 0.1}
        assert await asyncio.gather(*map(bench.ask, brief)) == brief and bench.killed == []
        one = bench.ask("long 0")
        while not bench.pool._slow_turns.locked():  # type: ignore[union-attr]
            await asyncio.sleep(0)
        other = bench.ask("long 1")
        assert await asyncio.gather(one, other) == long and bench.killed == [], "nobody waits for their processes"
        bench.pool._speeds = pool.Speeds()
        running = [bench.ask(board) for board in long]
        while len(bench.running) < 2:
            await asyncio.sleep(0)
        assert await asyncio.gather(bench.ask("last"), *running) == ["last", *long] and bench.killed == ["long 1"]
        await bench.pool.close()

    asyncio.run(run())
