"""Queries to worker processes about a table's positions: legality, outcomes, drawings.

Users' questions don't wait for those of computers, whose moves have processes of their own.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from zrf_py.archives import on_disk
from zrf_py.play import tree
from zrf_py.play.gallery import Games, stamp
from zrf_py.serve import opponents, rights
from zrf_py.serve.pool import Pool
from zrf_py.serve.table import Table
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.serve.sockets import Socket

MAX_LINE = 4_000
"""Maximum number of moves of a game."""
MAX_BITMAPS = 20_000
RULES_SECONDS = 20.0


class Referee:
    """Queries workers: `rules` are the processes for users' questions, `movers` those for computers' moves."""

    def __init__(self, games: Games, rules: Pool, movers: Pool) -> None:
        self.games = games
        self.rules = rules
        self.movers = movers
        self.bitmaps: OrderedDict[str, tuple[str, bool]] = OrderedDict()
        """Bitmaps that browsers may fetch: name given by a worker → file, and whether green is transparent."""

    def question(self, table: Table, op: str, node: int | None = None, **more: Any) -> dict[str, Any]:
        """Return a question about the game's current position, or about the position at `node`."""
        game = self.games[table.game]
        return {"op": op, "game": {"path": str(on_disk(game.path)), "name": game.id.removeprefix("file/"),
                                   "variant": table.variant, "stamp": table.stamp},
                "board": table.id, "visitor": table.maker,
                "line": table.tree.texts(table.tip if node is None else node), **more}

    async def ask(self, question: dict[str, Any]) -> Any:
        """Return the answer to a question that a user waits for."""
        return await self.rules.ask(question, RULES_SECONDS)

    async def look_again(self, table: Table) -> None:
        """Replay the game with the current rules; cut it off before the first move that they refuse."""
        table.stamp = await asyncio.to_thread(stamp, self.games[table.game].path)
        try:
            info = await self.ask(self.question(table, "open"))
            table.views.clear()
            table.looks.clear()
            end = table.tree.line(table.tip)
            view = await self.drawn(self.question(table, "view", end[-1] if end else 0))
            fits = int(view["count"])
            table.tree.learn(end[-1] if end else 0, 0, view["plies"])
            table.note = unfit(view)
            if table.ply > fits:
                table.go_to(end[fits - 1] if fits else 0)
            for socket in table.sockets:
                if table.tree[socket.at].depth > fits or not table.tree.on(end, socket.at):
                    socket.at = table.tip
            table.info, table.error = {**info, "kinds": opponents.kinds()}, ""
            await self.view(table, table.tip)
            for node in range(len(table.tree), 0, -1)[:200]:  # moves of variations, with those before them
                if table.tree.first_unknown(node) < table.tree[node].depth:
                    with suppress(ZrfError):  # illegal under the current rules
                        await self.view(table, node)
        except ZrfError as error:
            titles = table.info.get("variants", [])
            if getattr(error, "code", "") == "unknown-variant" and table.variant in titles:
                table.variant = str(titles.index(table.variant))  # if only its title has changed, the game goes on
                return await self.look_again(table)
            table.error = getattr(error, "text", "") or error.diagnostics[0].message

    async def view(self, table: Table, node: int) -> dict[str, Any]:
        """Return the view of a node, from the cache or a worker.

        :raises ZrfError: if its moves are illegal, or the rules take too long.
        """
        view = table.views.get(node)
        if view is None:
            first = table.tree.first_unknown(node)
            view = await self.drawn(self.question(table, "view", node, plies=first))
            if view["stop"]:
                raise rights.Refused(unfit(view), "bad-record")
            table.tree.learn(node, first, view["plies"])
            table.keep_view(node, view)
        return view

    async def step(self, table: Table, node: int, move: str, by_computer: bool = False, tried: str = "") -> int:
        """Add a move after a node, and return its node.

        :raises ZrfError: if it isn't legal, or the game is too long.
        """
        depth = table.tree[node].depth
        if depth >= MAX_LINE or len(table.tree) >= tree.MAX_NODES:
            raise rights.Refused(f"a game here has at most {MAX_LINE} moves", "too-long")
        question = self.question(table, "play", node, move=move, plies=depth)
        view = await self.drawn(question, self.movers if by_computer else self.rules)
        after = table.tree.add(node, move, view["plies"][0], tried)
        table.keep_view(after, view)
        return after

    async def svg(self, table: Table, socket: Socket, view: dict[str, Any]) -> str:
        """Return the drawing for one browser: with its overlays and style of pieces, if they can be drawn."""
        usual = str(view.get("svg", ""))
        if not (socket.overlays or socket.plain or socket.letters) or table.error:
            return usual
        try:
            seen = await self.drawn(self.question(table, "overlay", socket.at, overlays=socket.overlays,
                                                   plain=socket.plain, letters=socket.letters))
        except ZrfError:
            return usual
        return str(seen["svg"])

    async def drawn(self, question: dict[str, Any], pool: Pool | None = None) -> dict[str, Any]:
        """Return an answer that includes a drawing, and let browsers fetch the bitmaps it needs."""
        view: dict[str, Any] = await (pool or self.rules).ask(question, RULES_SECONDS)
        for name, (path, transparent) in view.pop("bitmaps").items():
            self.bitmaps[name] = path, transparent
            self.bitmaps.move_to_end(name)
        while len(self.bitmaps) > MAX_BITMAPS:
            self.bitmaps.popitem(last=False)
        return view


def unfit(view: dict[str, Any]) -> str:
    """Return the reason why a record can't be followed to its end; "" if it can."""
    return f"A move of the record is illegal under these rules: {view['stop']}" if view["stop"] else ""
