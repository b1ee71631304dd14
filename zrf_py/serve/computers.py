"""Moves of computer players and of chance: one task for each table that is waiting for such a move."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zrf_py.serve import opponents
from zrf_py.serve.pool import Pool
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.serve.moves import Mover
    from zrf_py.serve.table import Table

THINK_SECONDS = 60.0
MAX_PREPARING = 4
MAX_PREPARED = 500
"""Maximum number of rules whose preparation is remembered; beyond it, finished preparations are forgotten."""
READY_SECONDS = 0.4
"""Seconds to wait for a computer player to get ready, before the interpreter moves in its place."""
FIRST_SECONDS = 1.0
"""Time limit of a computer player's first search, in seconds, as its fastest code may not be compiled yet."""
DICE = 3
"""Number of rolls in a row that are shown at the usual pace."""
HURRY = 6
"""Factor by which rolls beyond `DICE` in a row are shown faster: usually, they set up a board."""
FOR_PEOPLE, AMONG_THEMSELVES = 1, 2
"""Urgency of a computer's turn (lower is served first): in a game with people; in a game of computers only."""

Rules = tuple[str, str | None, str]
"""Game, variant and stamp of a table."""


@dataclass(frozen=True)
class Pace:
    """Seconds before a computer's leg (`leg`) and before a roll (`chance`), so that people can follow the game."""

    leg: float = 0.45
    chance: float = 0.6


class Computers:
    """Computer players of all tables; `searchers` are the processes that search, `mover` plays the chosen moves."""

    def __init__(self, mover: Mover, searchers: Pool, pace: Pace | None = None) -> None:
        self.mover = mover
        self.referee = mover.referee
        self.searchers = searchers
        self.pace = pace or Pace()
        self._prepared: dict[Rules, asyncio.Task[None]] = {}
        self._met: set[Rules] = set()
        mover.computers = self

    def prepare(self, table: Table) -> None:
        """Start preparing a table's computer players while its humans think, unless too many are being prepared."""
        at_work = sum(not task.done() for task in self._prepared.values())
        if any(kind.startswith("ai") for kind in table.seats.values()) and at_work < MAX_PREPARING:
            self._readiness(table)

    def _readiness(self, table: Table) -> asyncio.Task[None]:
        """Return the task that ends when a computer player is prepared for the rules of a table."""
        async def wait() -> None:
            with contextlib.suppress(ZrfError):
                await self.searchers.ask(self.referee.question(table, "prepare"), THINK_SECONDS, FOR_PEOPLE)

        rules = (table.game, table.variant, table.stamp)
        if rules not in self._prepared:
            if len(self._prepared) >= MAX_PREPARED:
                self._prepared = {other: task for other, task in self._prepared.items() if not task.done()}
            self._prepared[rules] = asyncio.create_task(wait())
        return self._prepared[rules]

    def advance(self, table: Table) -> None:
        """Start the task for the player to move, if it is a computer or chance."""
        busy = table.task is not None and not table.task.done() and table.thinking
        if busy or table.paused or not table.player or table.is_human(table.player):
            return
        self.stop(table)
        table.thinking = table.player
        table.task = asyncio.create_task(self._play(table))
        table.tell()

    async def _play(self, table: Table) -> None:
        """Play the computers' turns until a human is to move, the game is over or paused, or nobody watches."""
        rolled = 0
        try:
            while table.sockets and table.player and not table.paused and not table.is_human(table.player):
                table.thinking = table.player
                kind = table.seats[table.player]
                rolled = rolled + 1 if kind == opponents.RANDOM else 0
                table.tell()
                shown_at = time.monotonic()
                legs = await self._thought(table, kind)
                for leg in legs:
                    await asyncio.sleep(self._wait(table, kind, rolled) - (time.monotonic() - shown_at))
                    async with table.lock:
                        await self.mover.move(table, leg, by_computer=True)
                    shown_at = time.monotonic()
                if not legs:
                    break
        except ZrfError as error:
            table.paused = True
            table.note = f"The computer player failed: {error.diagnostics[0].message}"
        finally:
            if table.task is asyncio.current_task():  # otherwise another task is already thinking
                table.thinking = ""
                table.tell()

    def _wait(self, table: Table, kind: str, rolled: int) -> float:
        """Return the delay before a leg, in seconds; `rolled` counts the chance moves in a row, including this one."""
        if table.pace is not None:
            return table.pace
        if kind != opponents.RANDOM:
            return self.pace.leg
        if not table.played:
            return 0.0  # there is nothing to watch before the first roll
        return self.pace.chance if rolled <= DICE else self.pace.chance / HURRY

    async def _thought(self, table: Table, kind: str) -> list[str]:
        question = self.referee.question(table, "think", who=kind, seed=secrets.randbits(32))
        pool = self.referee.movers if kind == opponents.RANDOM else self.searchers
        watched = any(table.is_human(player) for player in table.seats)
        rules = (table.game, table.variant, table.stamp)
        if rules not in self._met and kind.startswith("ai"):
            table.preparing = True
            table.tell()
            try:
                if (legs := await self._while_preparing(table, question)) is not None:
                    return legs
            finally:
                table.preparing = False
            question["seconds"] = FIRST_SECONDS
        choice = await pool.ask(question, THINK_SECONDS, FOR_PEOPLE if watched else AMONG_THEMSELVES)
        if kind.startswith("ai"):
            self._met.add(rules)
        return [str(leg) for leg in choice["legs"]]

    async def _while_preparing(self, table: Table, question: dict[str, Any]) -> list[str] | None:
        """Return the interpreter's choice if the computer player isn't ready soon; None if it is, or on failure."""
        ready = self._readiness(table)
        await asyncio.wait([ready], timeout=READY_SECONDS)
        if ready.done():
            return None
        with contextlib.suppress(ZrfError):
            choice = await self.referee.movers.ask({**question, "op": "at once"}, THINK_SECONDS, FOR_PEOPLE)
            return [str(leg) for leg in choice["legs"]]
        return None

    def stop(self, table: Table) -> None:
        """Stop the computer's search."""
        if table.task is not None:
            table.task.cancel()
            table.task = None
        table.thinking = ""

    def close(self) -> None:
        for task in self._prepared.values():
            task.cancel()
