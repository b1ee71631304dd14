"""Users at tables, for tests of the protocol: a server in this process, and seats that keep the messages."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tests.playing import HANG
from zrf_py.serve import app
from zrf_py.serve.computers import Pace
from zrf_py.serve.limits import Budget, Limits
from zrf_py.serve.run import Settings, make_server, make_services

HERE = {"host": "localhost"}


@contextlib.contextmanager
def serving(state: Path, wish: str | None = None, watch: bool = False, **limits: Any) -> Iterator[TestClient]:
    """Run a server in this process; `limits` override the usual ones."""
    budget = Budget(Limits(**{"new_tables": (1_000.0, 1_000.0), **limits}))  # tests create many boards
    services, pictures = make_services(Settings(wish, state=state, pace=Pace(0, 0)))
    made = app.make_app(services, pictures, watch=watch, budget=budget)
    with TestClient(made, base_url="http://localhost", headers=HERE) as site:
        yield site


@contextlib.contextmanager
def listening(state: Path, proxies: tuple[str, ...] = (), wish: str | None = None, edit: bool = False,
              **limits: Any) -> Iterator[Listening]:
    """Run a server that listens at a port, in a thread of this process; it must not log any error."""
    settings = Settings(wish, port=0, state=state, pace=Pace(0, 0), edit=edit, proxies=proxies,
                        limits=Limits(**limits))
    server, listener, address = make_server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        said: list[str] = []
        noting = logging.Handler()
        noting.emit = lambda record: said.append(noting.format(record))  # type: ignore[method-assign]
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addHandler(noting)
        yield Listening(listener.getsockname()[1], address, server.budget, said)
        assert not said, said
    finally:
        server.should_exit = True
        thread.join()


@dataclass(frozen=True)
class Listening:
    """A listening server: its port and address, counts of its visitors (`budget`), and the errors it logs (`said`)."""

    port: int
    address: str
    budget: Budget
    said: list[str]

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """Return a connection from an address of this machine."""
        return socket.create_connection(("127.0.0.1", self.port), HANG, (source, 0))

    def ask(self, data: bytes, source: str = "127.0.0.1") -> bytes:
        """Send some bytes and return the whole answer until the connection ends."""
        with self.connect(source) as web:
            with contextlib.suppress(ConnectionError):
                web.sendall(data)
            return rest(web)

    def status(self, source: str = "127.0.0.1") -> int:
        """Return the status of the answer to a plain request."""
        return int(self.ask(get("/api/site", "Connection: close"), source).split()[1])


def get(path: str, *headers: str, host: str = "localhost") -> bytes:
    """Return the bytes of a GET request."""
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *headers, "", ""]).encode()


def rest(web: socket.socket) -> bytes:
    """Return all bytes received until a connection ends."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := web.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


class Seat:
    """A user at a table, who keeps the state as a page would."""

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
        """Read messages until the state satisfies a condition."""
        while True:
            message = self.read()
            assert message["type"] != "problem", message
            if message["type"] == "state" and true(self.state):
                return self.state

    def answer(self, kind: str) -> dict[str, Any]:
        """Read until a message of this type, and return it."""
        while True:
            message = self.read()
            if message["type"] == kind:
                return message
            assert message["type"] != "problem", message

    def answer_to_nonsense(self) -> str:
        """Read until something is refused; return the code of the message."""
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
