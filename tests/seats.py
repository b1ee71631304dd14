"""People at tables as tests of the protocol have them: a server within the process, who keep what they are told."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from zrf_py.serve import app
from zrf_py.serve.computers import Pace
from zrf_py.serve.run import Settings, make_services

HERE = {"host": "localhost"}


@contextlib.contextmanager
def serving(state: Path, wish: str | None = None, watch: bool = False) -> Iterator[TestClient]:
    app.NEW_TABLES = (1_000.0, 1_000.0)  # tests make many in no time
    services, pictures = make_services(Settings(wish, state=state, pace=Pace(0, 0)))
    with TestClient(app.make_app(services, pictures, watch=watch), base_url="http://localhost", headers=HERE) as site:
        yield site


class Seat:
    """Somebody at a table: keeps the state as a page would."""

    def __init__(self, web: Any, id: str, token: str) -> None:
        self.web = web
        self.id, self.token = id, token
        self.state: dict[str, Any] = {}
        self.plies: list[Any] = []
        self.said: list[dict[str, Any]] = []
        self.tell(type="join", token=token)
        self.until(lambda s: True)

    def tell(self, **message: Any) -> None:
        self.web.send_text(json.dumps(message))

    def read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.web.receive_text())
        if message["type"] == "state":
            self.plies[message["from"] :] = message["plies"]
            self.state |= message
        else:
            self.said.append(message)
        return message

    def until(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read until a state is as wanted."""
        while True:
            message = self.read()
            assert message["type"] != "problem", message
            if message["type"] == "state" and true(self.state):
                return self.state

    def answer(self, kind: str) -> dict[str, Any]:
        """Read until a message of a kind."""
        while True:
            message = self.read()
            if message["type"] == kind:
                return message
            assert message["type"] != "problem", message

    def answer_to_nonsense(self) -> str:
        """Read until something is refused; the code of the message."""
        while (message := self.read())["type"] != "problem":
            pass
        return str(message["code"])

    def play(self, *moves: str) -> dict[str, Any]:
        for move in moves:
            ply = self.state["ply"]
            self.tell(type="play", ply=ply, move=move)
            self.until(lambda s, ply=ply: s["ply"] > ply)
        return self.state

    def legs(self) -> list[str]:
        return [leg[0] for leg in self.state["legs"]]


@contextlib.contextmanager
def seated(site: TestClient, **wish: Any) -> Iterator[Seat]:
    made = site.post("/api/tables", json=wish).json() if "id" not in wish else wish
    with site.websocket_connect(f"/ws/{made['id']}", headers=HERE) as web:
        yield Seat(web, made["id"], made.get("token", ""))
