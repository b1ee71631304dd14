"""Expensive requests about a board: limits for each visitor, and a cache of the rules in words.

These requests don't come through a socket, which has a token bucket of its own, so each visitor has a bucket for them.
"""

import asyncio
from collections import OrderedDict
from typing import Any

from starlette.requests import HTTPConnection, Request

from zrf_py.serve.computers import THINK_SECONDS
from zrf_py.serve.limits import Budget, visitor
from zrf_py.serve.pool import Pool
from zrf_py.serve.referee import Referee
from zrf_py.serve.rights import Refused
from zrf_py.serve.table import Table

COSTS = {"words": 20.0, "sound": 2.0, "picture": 1.0, "write": 4.0, "drawing": 0.25}
"""Costs of requests; `drawing` is a picture of the gallery or a bitmap, and a page may have hundreds of these."""
MAX_KEPT = 8 << 20
"""Maximum number of characters of cached rules in words."""

Key = tuple[str, str | None, str, str]


def allow(budget: Budget, request: Request, kind: str) -> None:
    """Charge a visitor for a request.

    :raises Refused: if the visitor has requested too much.
    """
    if not budget.reading.of(asker(request)).take(COSTS[kind]):
        budget.refusals["too many expensive requests"] += 1
        raise Refused("too many expensive requests; try again in a moment", "busy")


def asker(request: HTTPConnection) -> str:
    """Return the visitor who sent a request or opened a socket; "" if the server does not know the address."""
    return visitor(request.client.host) if request.client else ""


class Wording:
    """Cache of the rules of games in words; they are generated for one game at a time."""

    def __init__(self, referee: Referee, searchers: Pool) -> None:
        self.referee = referee
        self.searchers = searchers
        self._kept: OrderedDict[Key, dict[str, Any]] = OrderedDict()
        self._one = asyncio.Lock()

    async def of(self, table: Table, language: str) -> dict[str, Any]:
        """Return {`html`: the rules of a board in words and pictures, as an HTML fragment}.

        :raises ZrfError: if they can't be described.
        """
        key = (table.game, table.variant, table.stamp, language)
        if key not in self._kept:
            async with self._one:  # a second request would take a process from the computer players
                if key not in self._kept:
                    question = self.referee.question(table, "words", 0, language=language)
                    self._kept[key] = await self.searchers.ask(question, THINK_SECONDS)
        self._kept.move_to_end(key)
        words = self._kept[key]
        while sum(len(text["html"]) for text in self._kept.values()) > MAX_KEPT and len(self._kept) > 1:
            self._kept.popitem(last=False)
        return words
