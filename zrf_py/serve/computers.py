"""Who thinks for the seats that computers play, and for chance: one task at a table that has something to do."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zrf_py.serve import opponents
from zrf_py.serve.pool import Pool
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.serve.moves import Mover
    from zrf_py.serve.table import Table

THINK_SECONDS = 60.0
MAX_PREPARING = 4
FOR_PEOPLE, AMONG_THEMSELVES = 1, 2
"""How urgent a computer's turn is: somebody waits for it, or only watches."""


@dataclass(frozen=True)
class Pace:
    """Seconds between a computer's legs, and before chance rolls: so that people can follow."""

    leg: float = 0.45
    chance: float = 0.6


class Computers:
    """`searchers` are the processes that search; `mover` makes the moves that are found."""

    def __init__(self, mover: Mover, searchers: Pool, pace: Pace | None = None) -> None:
        self.mover = mover
        self.referee = mover.referee
        self.searchers = searchers
        self.pace = pace or Pace()
        self._preparing: set[asyncio.Task[None]] = set()
        self._met: set[tuple[str, str | None, str]] = set()
        mover.computers = self

    def prepare(self, table: Table) -> None:
        """Let a computer player get ready while the humans think about their first move."""
        async def wait() -> None:
            with contextlib.suppress(ZrfError):
                await self.searchers.ask(self.referee.question(table, "prepare"), THINK_SECONDS)
                self._met.add((table.game, table.variant, table.stamp))

        if any(kind.startswith("ai") for kind in table.seats.values()) and len(self._preparing) < MAX_PREPARING:
            task = asyncio.create_task(wait())
            self._preparing.add(task)
            task.add_done_callback(self._preparing.discard)

    def advance(self, table: Table) -> None:
        """Let whoever is to move think, if that is a computer; for chance there is no difference."""
        busy = table.task is not None and not table.task.done() and table.thinking
        if busy or table.paused or not table.player or table.is_human(table.player):
            return
        self.stop(table)
        table.thinking = table.player
        table.task = asyncio.create_task(self._play(table))
        table.tell()

    async def _play(self, table: Table) -> None:
        """Turns of computers, until a human is to move or nobody watches any more."""
        try:
            while table.sockets and table.player and not table.paused and not table.is_human(table.player):
                table.thinking = table.player
                who = table.seats[table.player]
                table.tell()
                legs = await self._thought(table, who)
                for leg in legs:
                    await asyncio.sleep(self._wait(table, who))
                    async with table.lock:
                        await self.mover.move(table, leg, by_computer=True)
                if not legs:
                    break
        except ZrfError as error:
            table.paused = True
            table.note = f"The computer player gave up: {error.diagnostics[0].message}"
        finally:
            if table.task is asyncio.current_task():  # else somebody else thinks already
                table.thinking = ""
                table.tell()

    def _wait(self, table: Table, who: str) -> float:
        if table.pace is not None:
            return table.pace
        return self.pace.chance if who == opponents.RANDOM else self.pace.leg

    async def _thought(self, table: Table, who: str) -> list[str]:
        question = self.referee.question(table, "think", who=who, seed=secrets.randbits(32))
        pool = self.referee.movers if who == opponents.RANDOM else self.searchers
        watched = any(table.is_human(player) for player in table.seats)
        rules = (table.game, table.variant, table.stamp)
        if rules not in self._met and who.startswith("ai"):
            table.preparing = True
            table.tell()
        try:
            found = await pool.ask(question, THINK_SECONDS, FOR_PEOPLE if watched else AMONG_THEMSELVES)
        finally:
            table.preparing = False
        self._met.add(rules)
        return [str(leg) for leg in found["legs"]]

    def stop(self, table: Table) -> None:
        """End what a computer is thinking about."""
        if table.task is not None:
            table.task.cancel()
            table.task = None
        table.thinking = ""

    def close(self) -> None:
        for task in self._preparing:
            task.cancel()
