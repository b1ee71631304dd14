"""Sessions at a board, message by message, with the messages to each browser. Workers answer in this process."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from tests.playing import HANG
from zrf_py.play.gallery import Games
from zrf_py.serve import clock, commands, moves, wire, worker
from zrf_py.serve.computers import Pace
from zrf_py.serve.limits import Bucket, Limits
from zrf_py.serve.pool import RulesProblem
from zrf_py.serve.referee import Referee
from zrf_py.serve.run import assemble
from zrf_py.serve.sockets import Socket
from zrf_py.serve.store import Store
from zrf_py.serve.table import Table
from zrf_py.text.diagnostics import ZrfError

FOLDER = Path(__file__).parent / "sessions"


class Here:
    """A pool whose answers come at once; evaluations are made up from the moves so far."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        """The questions about computer moves and evaluations, as text."""

    async def ask(self, question: dict[str, Any], seconds: float, urgency: int = 0) -> Any:
        if question["op"] in ("think", "prepare", "at once", "look"):
            more = {name: question[name] for name in ("who", "seconds", "learn") if name in question}
            self.asked.append(f"  {question['op']} {json.dumps(more)} after {len(question['line'])} moves, "
                              f"urgency {urgency}, at most {seconds:g} s")
        if question["op"] == "prepare":
            return None
        if question["op"] == "look":
            return self.look(question)
        if question.get("who", "").startswith("ai"):
            return {"legs": [self.view(question)["legs"][-1][0]]}
        answer = json.loads(worker.answer(json.dumps(question)))
        if "error" in answer:
            raise RulesProblem(**answer["error"])
        return answer["ok"]

    def view(self, question: dict[str, Any]) -> Any:
        return json.loads(worker.answer(json.dumps({**question, "op": "view"})))["ok"]

    def look(self, question: dict[str, Any]) -> dict[str, Any]:
        legs = self.view(question)["legs"]
        return {"chances": {"White": 40 + len(question["line"])}, "why": "",
                "lines": [{"moves": [[leg[0], leg[0].startswith("partial")] for leg in legs[:2]]}]}


class Session:
    """A table with its browsers."""

    def __init__(self, game: str, wish: dict[str, Any]) -> None:
        self.pool = Here()
        pool: Any = self.pool
        self.services = assemble(Referee(Games(str(FOLDER / game)), pool, pool), Store(None), pool, Pace(0, 0))
        self.game, self.wish = game, wish
        self.sockets: dict[str, Socket] = {}
        self.seen: dict[str, dict[str, Any]] = {}
        self.table: Table

    async def begin(self) -> None:
        served = self.services.lobby.games[f"file/{self.game}"]
        seats = self.wish.get("seats", [])
        self.table = await self.services.lobby.create(served, [], seats, self.wish.get("variant"), "me", self.wish)

    def join(self, name: str) -> None:
        token = self.table.owner if name == "owner" else self.table.tokens.get(name, "stranger")
        socket = Socket(lambda text: asyncio.sleep(0), token, at=self.table.tip)
        self.sockets[name] = socket
        self.table.sockets.add(socket)
        self.services.computers.advance(self.table)

    async def obey(self, name: str, message: dict[str, Any]) -> str:
        """Carry out a message; return the refusal, if there is one."""
        socket = self.sockets[name]
        socket.bucket = Bucket(*Limits().messages)
        try:
            await commands.obey(self.services, self.table, socket, message)
        except ZrfError as error:
            error_json = wire.error_json(error)
            return f"{error_json['code']}: {error_json['summary']}"
        return ""

    async def settle(self) -> None:
        """Wait until computers and evaluations have finished."""
        for _ in range(3_000):
            tasks = [t for t in (self.table.task, self.table.judging, *self.services.adviser._asking.values(),
                                 *self.services.adviser._reviewing, *self.services.computers._prepared.values()) if t]
            if all(task.done() for task in tasks):
                break
            await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def news(self) -> Iterator[str]:
        """Return the messages that each browser receives, and the changes of its state."""
        return iter([line for name, socket in self.sockets.items() for line in await self.told(name, socket)])

    async def told(self, name: str, socket: Socket) -> list[str]:
        lines = [f"  {name} hears {text(message)}" for message in socket.messages]
        socket.messages.clear()
        view = self.table.view if self.table.error else await self.services.referee.view(self.table, socket.at)
        svg = await self.services.referee.svg(self.table, socket, view)
        turn = moves.turn_of(self.table, socket.token, socket.at, view)
        state = socket.news(self.table, view, svg, turn)
        drawn = hash(state.pop("svg")) if "svg" in state else 0
        state.pop("info", None)
        state["may"] = " ".join(f"{what}={yes}" for what, yes in state["may"].items() if yes != "no")
        state["legs"] = [leg[4] for leg in state["legs"]]
        last = self.seen.get(name, {})
        new = {key: value for key, value in state.items() if last.get(key) != value and (value or key in last)}
        self.seen[name] = state
        if drawn:
            new["drawn"] = "anew"
        return lines + ([f"  {name} sees {text(new)}"] if new else [])


def text(value: dict[str, Any]) -> str:
    """Return a message as text, with placeholders for random tokens, drawings and long texts."""
    shown = {key: "…" if key in ("svg", "text") and len(str(item)) > 200 else item for key, item in value.items()}
    found = json.dumps(shown, ensure_ascii=False)
    return re.sub(r'(?<=")[\w-]{16}(?=")', "TOKEN", found)


async def played(path: Path) -> list[str]:
    """Carry out the requests of a file; return its lines, each followed by its messages. The first line has the game
    and settings, each other line a browser and its request, or an event such as `wait 5`."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith(" ")]
    game, _, wish = lines[0].partition(" ")
    session = Session(game, json.loads(wish))
    await session.begin()
    made = [lines[0]]
    for line in lines[1:]:
        made.append(line)
        name, _, rest = line.partition(" ")
        refused = ""
        if rest == "joins":
            session.join(name)
        elif rest == "leaves":
            session.table.sockets.discard(session.sockets.pop(name))
        elif name == "wait":
            NOW[0] += float(rest)
            session.services.mover.ticked(session.table)
        elif name == "again":  # check that the board can be stored and read back
            stored = json.loads(json.dumps({**session.table.as_json(), "facts": None}))
            table = Table.from_json(stored)
            assert table is not None and json.loads(json.dumps({**table.as_json(), "facts": None})) == stored
        elif name == "rules":
            await commands.rules_changed(session.services, session.table)
        else:
            refused = await session.obey(name, json.loads(rest))
        await session.settle()
        made += [f"  {name} is refused: {refused}"] if refused else []
        made += session.pool.asked
        session.pool.asked.clear()
        made += await session.news()
    session.services.close()
    return made


NOW = [1000.0]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_session_matches_its_golden_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ZRF_WRITE_GOLDEN=1` regenerates the messages."""
    monkeypatch.setattr(worker, "desk", worker.Desk())
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: NOW[0]))
    monkeypatch.setattr("zrf_py.serve.computers.secrets", SimpleNamespace(randbits=lambda bits: 7))
    made = asyncio.run(played(path))
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text("\n".join(made) + "\n", "utf-8")
    assert made == path.read_text("utf-8").splitlines()


def test_a_closing_server_stops_all_work() -> None:
    """It stops computers that are thinking or getting ready, and evaluations."""
    async def go() -> list[bool]:
        session = Session("race.zrf", {"seats": ["human", "ai:3"]})
        await session.begin()
        tasks = [asyncio.create_task(asyncio.sleep(3600)) for _ in range(3)]
        session.table.task, session.table.judging = tasks[:2]
        session.services.computers._prepared = {("game", None, ""): tasks[2]}  # type: ignore[dict-item]
        session.services.close()
        await asyncio.wait(tasks, timeout=HANG)
        assert session.table.task is None and not session.table.thinking
        return [task.cancelled() for task in tasks]

    assert asyncio.run(go()) == [True] * 3
