"""Mutated messages from a browser to a board. No connection may break, and the board must keep working."""

from __future__ import annotations

import contextlib
import json
import tempfile
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from starlette.testclient import TestClient

from tests.fuzz.targets import Finding
from tests.seats import HERE, Seat, serving
from zrf_py.serve import limits

GAMES = ("tictactoe", "checkers", "minishogi", "halma")
KINDS = ("play", "resume", "resign", "pause", "undo", "answer", "seat", "offer", "new", "load", "goto",
         "overlays", "reach", "draft", "join", "")
FIELDS = ("ply", "node", "move", "token", "overlays", "plain", "from", "men", "stores", "player", "variant", "swap",
          "agree", "pace", "on", "clock", "help", "text", "seats", "seat", "what", "count", "name", "kind", "link")
VALUES: tuple[Any, ...] = (
    0, 1, 2, -1, 2**63, -(2**70), 1.5, 1e308, float("nan"), True, False, None, "", "a1", "Man a1 - a2", "\x00",
    "é" * 300, [], {}, [1], ["a1", "b1"], [[0, 0, "a1"]], [["X", "a1"]], {"a": 1}, {"0": {"kind": "human"}},
    [None], [[]],
    "../../etc/passwd", "zones", ["zones", "links"], {"seconds": 1, "more": 2}, "human", "greedy", [{"player": "X"}],
    "\ud800", 9 * [{}], "Zillions Save Game File Version 0.02 HC\nRulesFile=x.zrf\n1. X a1")


class Messages:
    """Up to ten messages to a new board, none of them a request for a link; afterwards the board must still return a
    link, and another visitor must still see the board."""

    ending = ".json"

    def __init__(self, corpus: Path | None = None) -> None:
        self.stack = contextlib.ExitStack()

    @cached_property
    def site(self) -> TestClient:
        """A server in this process, without a limit on messages."""
        limits.Bucket.take = lambda self, cost=1, debt=0.0: True  # type: ignore[method-assign]
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        return self.stack.enter_context(serving(Path(folder)))

    def make(self, random: Random) -> bytes:
        game = random.choice(GAMES)
        texts = [self._text(random) for _ in range(random.randrange(1, 11))]
        return json.dumps([game, texts]).encode()

    def _text(self, random: Random) -> str:
        if random.random() < 0.05:
            return random.choice(("", "[]", "null", "{", "1" * 5_000, "[" * 2_000, '"\\ud800"', '{"type":'))
        message: dict[str, Any] = {"type": random.choice(KINDS)}
        if random.random() < 0.05:
            message["type"] = random.choice(VALUES)
        if random.random() < 0.7:
            message |= {"ply": random.randrange(3), "move": random.choice(("a1", "b2", "X a1", "Man c3 - d4"))}
        for _ in range(random.randrange(4)):
            message[random.choice(FIELDS)] = random.choice(VALUES)
        return json.dumps(message)

    def run(self, data: bytes) -> None:
        game, texts = json.loads(data)
        made = self.site.post("/api/tables", json={"game": game})
        if made.status_code >= 300:
            raise Finding(f"no new board: {made.text[:200]}")
        table = made.json()
        with self.site.websocket_connect(f"/ws/{table['id']}", headers=HERE) as web:
            seat = Seat(web, table["id"], table.get("token", ""))
            for text in texts:
                web.send_text(text)
            seat.tell(type="link")
            while (message := seat.read())["type"] != "link":
                if message.get("code") in ("internal", "worker-died", "no-worker"):
                    raise Finding(f"{message['code']}: {message}")
        with self.site.websocket_connect(f"/ws/{table['id']}", headers=HERE) as web:
            web.send_text('{"type": "join"}')
            if (first := web.receive_json())["type"] not in ("state", "gone"):  # a new board may have taken its place
                raise Finding(f"not seen by others: {first}")
