"""A browser at a table: the state that it has received, its queue of messages, its rate limit.

States are computed when they are sent; so however fast a game changes, at most one state and a few messages wait.
"""

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from zrf_py.play.tree import Ply, common
from zrf_py.serve.limits import Bucket, Limits
from zrf_py.serve.rights import RIGHTS
from zrf_py.serve.table import HELP, Table

SEND_SECONDS = 15
OWN = ("svg", "plies", "count", "stop")
"""Fields of a worker's view that are not copied to the state."""
MAX_MESSAGES = 32

Send = Callable[[str], Awaitable[None]]


@dataclass(eq=False)
class Socket:
    """A browser's connection: `token` gives its user's rights; `plies`, `svg` … are what it has already received."""

    send: Send
    token: str = ""
    visitor: str = ""
    at: int = 0
    """The node that the browser shows."""
    is_judged: bool = False
    """True if the user has turned on evaluations of positions."""
    bucket: Bucket = field(default_factory=lambda: Bucket(*Limits().messages))
    refused: int = 0
    overlays: tuple[str, ...] = ()
    plain: bool = False
    letters: bool = False
    """`plain` is True if the rules' bitmaps are not used, `letters` if letters replace the signs of a piece set."""
    plies: list[Ply] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    variations: list[dict[str, Any]] | None = None
    svg: str = ""
    info: dict[str, Any] | None = None
    messages: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MAX_MESSAGES))
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _is_stale: bool = False

    def wake(self) -> None:
        """Mark the browser's state as stale, so that a new one is sent."""
        self._is_stale = True
        self._wake.set()

    def say(self, message: dict[str, Any]) -> None:
        """Queue a message; if too many wait, the oldest is dropped."""
        self.messages.append(message)
        self._wake.set()

    async def pump(self, state: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Send states and messages, forever; raise `TimeoutError` if the browser doesn't read them in time."""
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
        async with asyncio.timeout(SEND_SECONDS):  # `wait_for` may swallow a cancellation
            await self.send(text)

    def news(self, table: Table, view: dict[str, Any], svg: str, turn: str) -> dict[str, Any]:
        """Return the state of a table for this browser, without the parts that it already has."""
        tree, viewer = table.tree, table.name_of(self.token)
        line = tree.line(self.at, viewer)
        state: dict[str, Any] = {
            "type": "state", "ply": tree[self.at].depth, "node": self.at, "length": len(line),
            "game": table.ply if tree.on(line, table.tip) else -1, "live": self.at == table.tip, "tip": table.tip,
            "turn": turn, "away": table.away,
            "seats": table.seats, "you": table.may_play(self.token), "owner": table.is_owner(self.token),
            "may": {action: table.right(action, self.token) for action in RIGHTS}, "paused": table.paused,
            "thinking": table.thinking, "preparing": table.preparing, "error": table.error,
            "note": table.unkept or table.note or table.info.get("program", ""), "watchers": len(table.sockets),
            "names": table.names, "claim": table.claim_in(self.token), "spectators": table.spectators,
            "judged": self.is_judged, "worth": self._worth(table),
            "clock": table.clock and table.clock.for_page(), "pace": table.pace,
            "help": {name: table.offers(action) for name, action in HELP.items()}, "asked": self._request(table),
            **{name: value for name, value in view.items() if name not in OWN},
        }
        if self.at == table.tip and table.ended:
            state["outcome"] = table.ended
        if table.error:
            state |= {"legs": [], "player": "", "turn": ""}
        if state["owner"]:
            state["links"] = {name: table.tokens[name] for name in table.by_link if name in table.tokens}
        return state | self._fresh(table, line, tree.variations(line, viewer), svg)

    def _worth(self, table: Table) -> dict[str, Any] | None:
        """Return the evaluation of the position shown, without lines; None if it is unknown or turned off."""
        if not self.is_judged or (evaluation := table.looks.get(self.at)) is None:
            return None
        return {name: evaluation[name] for name in ("chances", "why") if name in evaluation}

    def _request(self, table: Table) -> dict[str, Any] | None:
        """Return the pending request, and whether this user is to answer it; None if there is no request."""
        request = table.request
        if request is None:
            return None
        own = request.by == table.who(self.token)
        waits = not own and bool(set(table.may_play(self.token)) - request.agreed)
        return {"what": request.what, "by": request.by, "own": own, "answer": waits,
                "ply": table.tree[request.node].depth}

    def _fresh(self, table: Table, line: list[int], variations: list[dict[str, Any]], svg: str) -> dict[str, Any]:
        """Return new moves, variations, drawing and facts, if the browser lacks them, and record them as sent."""
        plies = table.tree.plies(line)
        same = min(common(self.plies, plies), common(self.nodes, line))
        changes: dict[str, Any] = {"from": same, "plies": plies[same:], "nodes": line[same:]}
        self.plies, self.nodes = plies, line
        if variations != self.variations:
            changes["variations"] = self.variations = variations
        if svg != self.svg:
            changes["svg"] = self.svg = svg
        if table.info is not self.info:
            changes["info"] = self.info = table.info
        return changes
