"""A browser at a table: what it has been sent, what waits to be sent, how much it may ask.

States are made when they are sent, so however fast a game changes, at most one state and a few messages wait.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from zrf_py.serve.guard import Bucket
from zrf_py.serve.table import Ply, Table

SEND_SECONDS = 15
MAX_MESSAGES = 32

Send = Callable[[str], Awaitable[None]]


@dataclass(eq=False)
class Socket:
    """`token` says what its owner may do; `plies` and `svg` are what the browser knows already."""

    send: Send
    token: str = ""
    bucket: Bucket = field(default_factory=lambda: Bucket(20, 40))
    refused: int = 0
    overlays: tuple[str, ...] = ()
    plain: bool = False
    """Whether the bitmaps of the rules aren't wanted."""
    plies: list[Ply] = field(default_factory=list)
    svg: str = ""
    info: dict[str, Any] | None = None
    messages: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MAX_MESSAGES))
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _is_stale: bool = False

    def wake(self) -> None:
        """There is a new state."""
        self._is_stale = True
        self._wake.set()

    def say(self, message: dict[str, Any]) -> None:
        """A message; of too many that wait the oldest are lost."""
        self.messages.append(message)
        self._wake.set()

    async def pump(self, state: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Send what there is, forever; ends with an error when the browser doesn't take it in time."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._is_stale:
                self._is_stale = False
                await self._send(await state())
            while self.messages:
                await self._send(self.messages.popleft())

    async def _send(self, message: dict[str, Any]) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        await asyncio.wait_for(self.send(text), SEND_SECONDS)

    def news(self, table: Table, svg: str) -> dict[str, Any]:
        """The state of a table, less what the browser has already."""
        view = table.view
        state: dict[str, Any] = {
            "type": "state", "ply": table.cursor, "length": len(table.plies), "seats": table.seats,
            "you": table.may_play(self.token), "owner": table.is_owner(self.token), "paused": table.paused,
            "thinking": table.thinking, "error": table.error, "note": table.note,
            "watchers": len(table.sockets), "judged": table.is_judged,
            **{name: view.get(name) for name in ("player", "side", "inTurn", "legs", "outcome", "scores", "moved")},
        }
        if table.error:
            state |= {"legs": [], "player": ""}
        if state["owner"]:
            state["links"] = {name: table.tokens[name] for name, kind in table.seats.items()
                              if kind == "link" and name in table.tokens}
        same = common(self.plies, table.plies)
        state |= {"from": same, "plies": table.plies[same:]}
        self.plies = list(table.plies)
        if svg != self.svg:
            state["svg"] = self.svg = svg
        if table.info is not self.info:
            state["info"] = self.info = table.info
        return state


def common(a: list[Ply], b: list[Ply]) -> int:
    """How many entries two lists have in common at their beginning."""
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x is not y and x != y:
            return i
    return min(len(a), len(b))
