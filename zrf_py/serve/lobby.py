"""The tables of a server, in memory and on disk: creating, finding and saving them, up to a limit."""

import asyncio
import sys
import time
from collections import OrderedDict
from typing import Any

from zrf_py.play import gallery
from zrf_py.play.tree import Tree
from zrf_py.serve import pool, rights
from zrf_py.serve.clock import Clock
from zrf_py.serve.referee import MAX_LINE, Referee
from zrf_py.serve.store import TOO_LARGE, Store
from zrf_py.serve.table import HELP, Table, new_id

MAX_TABLES = 200
"""Number of tables in memory beyond which idle ones are dropped; those are loaded from disk again on demand."""


class Lobby:
    """All tables: those in memory, by id, and those in the store."""

    def __init__(self, referee: Referee, store: Store) -> None:
        self.referee = referee
        self.games = referee.games
        self.store = store
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._unsaved: set[Table] = set()
        self._is_failing = False

    async def create(self, served: gallery.Served, line: list[str] | Tree, seats: dict[str, str] | list[str],
                     variant: str | None = None, maker: str = "", wish: dict[str, Any] | None = None,
                     like: Table | None = None) -> Table:
        """Create a table, with a record to start from.

        :param seats: by player, or in the players' order (the last one for all further players).
        :param maker: the address of the client that creates it.
        :param wish: `hints` and `balance`: whether they are offered; `clock`: `[seconds, increment]`.
        :param like: the table from which users move to this one.
        :raises ZrfError: if the rules can't be used, or there is no room.
        """
        if not await asyncio.to_thread(self.store.make_room, maker, {t.id for t in self.tables.values() if t.sockets}):
            raise rights.Refused("the server has too many boards; try again later", "busy")
        table = Table(new_id(), served.id, variant or served.variant, like.owner if like else new_id(), maker=maker)
        if like:
            table.tokens, table.help = dict(like.tokens), dict(like.help)
        table.tree = line if isinstance(line, Tree) else Tree([str(text) for text in line[:MAX_LINE]])
        table.tip = (table.tree.line(0) or [0])[-1]
        wish = wish or {}
        table.help |= {name: wish[name] for name in HELP if isinstance(wish.get(name), bool)}
        await self._set_up(table, seats)
        if table.error:
            raise pool.RulesProblem("broken-rules", table.error.splitlines()[0], table.error)
        table.clock = Clock.wished(wish.get("clock"), table.players)
        if like:
            table.clock, table.is_listed = table.clock or (like.clock and like.clock.fresh()), like.is_listed
        table.paused = bool(table.played or table.note) and not table.is_human(table.player)
        self._keep(table)
        self.save(table)
        return table

    async def _set_up(self, table: Table, seats: dict[str, str] | list[str]) -> None:
        await self.referee.look_again(table)
        if isinstance(seats, list):
            players = [p["name"] for p in table.info.get("players", ()) if p["kind"] == "player"]
            seats = {name: str(seats[min(i, len(seats) - 1)]) for i, name in enumerate(players) if seats}
        if table.info:
            table.sit(seats)

    async def find(self, id: str) -> Table:
        """Return a table by id, from memory or disk.

        :raises ZrfError: if there is none, its game is no longer served, or too many tables are open.
        """
        table = self.tables.get(id)
        if table is None:
            if id not in self._opening:  # several requests may open the same table at once
                task = self._opening[id] = asyncio.create_task(self._reopen(id))
                task.add_done_callback(lambda _: self._opening.pop(id, None))
            table = self.tables.setdefault(id, await asyncio.shield(self._opening[id]))  # it may have left memory again
        self.tables.move_to_end(id)
        return table

    async def _reopen(self, id: str) -> Table:
        """Load a table from disk."""
        data = await asyncio.to_thread(self.store.load, id)
        table = Table.from_json(data) if data else None
        if table is None or table.id != id:
            raise rights.Refused("no such board; it may have been removed", "no-such-board")
        await self._set_up(table, table.seats)
        self._keep(table)
        return table

    def _keep(self, table: Table) -> None:
        self.tables[table.id] = table
        for other in list(self.tables.values()):
            if len(self.tables) <= MAX_TABLES:
                break
            is_idle = other.task is None or other.task.done()
            if not other.sockets and other is not table and is_idle and other not in self._unsaved:
                del self.tables[other.id]
        if len(self.tables) > MAX_TABLES * 2:
            del self.tables[table.id]
            raise rights.Refused("too many boards are open; try again later", "busy")

    async def facts(self, ids: list[str]) -> list[dict[str, Any]]:
        """Return `id` and facts of each board in `ids` that still exists."""
        entries = []
        for id in ids:
            table = self.tables.get(id)
            data = {"facts": table.facts()} if table else await asyncio.to_thread(self.store.load, id)
            facts = (data or {}).get("facts")
            if isinstance(facts, dict):
                entries.append({"id": id, **facts})
        return entries

    def save(self, table: Table, moved: bool = False) -> None:
        """Save a table before anybody is notified of the change; `moved`: a move was made. Users see a failure until a
        later save succeeds; the terminal shows when saving begins to fail, and when no board is unsaved any more."""
        if moved:
            table.touched = time.time()
        if table.discarded:
            return
        problem = self.store.save(table.id, table.as_json())
        (self._unsaved.add if problem not in ("", TOO_LARGE) else self._unsaved.discard)(table)
        unkept = f"This game can't be stored (`{problem}`); it is lost when the server stops." if problem else ""
        if unkept != table.unkept:
            table.unkept = unkept
            table.tell()
        if bool(self._unsaved) != self._is_failing:
            self._is_failing = bool(self._unsaved)
            print(f"Boards can't be saved in {self.store.folder}: {problem}. New boards and moves are lost when the "
                  "server stops." if self._unsaved else "Boards are saved again.", file=sys.stderr, flush=True)

    def save_again(self) -> None:
        """Try again to save the tables that could not be saved."""
        for table in list(self._unsaved):
            self.save(table)

    def discard(self, table: Table) -> None:
        """Remove a table that nobody needs, from memory and from disk; it is never saved again."""
        table.discarded = True
        self.tables.pop(table.id, None)
        self._unsaved.discard(table)
        self.store.remove(table.id)
