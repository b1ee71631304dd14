"""All tables of a server, and everything that can happen at one: moves, taking back, seats, computers, new rules.

What a browser asks arrives at `obey`. Whoever changes a table holds its lock; computers think without it and check
afterwards that nothing has changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zrf_py.library import folded
from zrf_py.play.players import HUMAN
from zrf_py.serve import opponents
from zrf_py.serve.games import Games, Served, stamp
from zrf_py.serve.links import pack
from zrf_py.serve.pool import Pool, RulesProblem
from zrf_py.serve.sockets import Socket
from zrf_py.serve.store import Store
from zrf_py.serve.table import Table, new_id
from zrf_py.text.diagnostics import ZrfError

MAX_TABLES = 200
"""Tables in memory; more are on disk and come back when somebody asks."""
MAX_LINE = 4_000
MAX_TEXT = 256 << 10
"""Characters of a saved game."""
MAX_BITMAPS = 20_000
RULES_SECONDS = 20.0
THINK_SECONDS = 60.0


@dataclass(frozen=True)
class Pace:
    """Seconds between a computer's legs, and before chance rolls: so that people can follow."""

    leg: float = 0.45
    chance: float = 0.6


class Refused(ZrfError):
    """What a browser asked isn't allowed to it, or makes no sense now."""


class House:
    """The tables, and the processes that know the rules (`rules`) or in which computer players think (`thinkers`)."""

    def __init__(self, games: Games, store: Store, rules: Pool, thinkers: Pool, pace: Pace | None = None) -> None:
        self.games = games
        self.store = store
        self.rules = rules
        self.thinkers = thinkers
        self.pace = pace or Pace()
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.bitmaps: OrderedDict[str, tuple[str, bool]] = OrderedDict()
        """What drawings may fetch: a name that only a worker makes → file, and whether green is transparent."""
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._preparing: set[asyncio.Task[None]] = set()
        self._unsaved: set[Table] = set()

    # --------------------------------------------------------------------------------------------------------- tables

    async def create(self, served: Served, line: list[str], seats: dict[str, str] | list[str],
                     variant: str | None = None) -> Table:
        """
        A new table, with a record to start from; `seats` by player, or in their order (the last for all further ones).

        :raises ZrfError: if the rules can't be used.
        """
        table = Table(new_id(), served.id, variant or served.variant, new_id())
        table.line = [str(text) for text in line[:MAX_LINE]]
        table.cursor = len(table.line)
        await self._set_up(table, seats)
        if table.error:
            raise RulesProblem("broken-rules", table.error.splitlines()[0], table.error)
        self._keep(table)
        self.save(table)
        self.prepare(table)
        return table

    async def _set_up(self, table: Table, seats: dict[str, str] | list[str]) -> None:
        served = self.games[table.game]
        table.stamp = await asyncio.to_thread(stamp, served.path)
        await self.look_again(table)
        if isinstance(seats, list):
            players = [p["name"] for p in table.info.get("players", ()) if p["kind"] == "player"]
            seats = {name: str(seats[min(i, len(seats) - 1)]) for i, name in enumerate(players) if seats}
        if table.info:
            table.sit(seats)

    async def find(self, id: str) -> Table:
        """
        A table by its id, from memory or from disk.

        :raises ZrfError: if there is none, or its game isn't served any more.
        """
        table = self.tables.get(id)
        if table is None:
            if id not in self._opening:  # several may ask at once for one and the same
                task = self._opening[id] = asyncio.create_task(self._reopen(id))
                task.add_done_callback(lambda _: self._opening.pop(id, None))
            table = self.tables.setdefault(id, await asyncio.shield(self._opening[id]))  # may have had to go again
        self.tables.move_to_end(id)
        return table

    async def _reopen(self, id: str) -> Table:
        """A table from disk."""
        data = await asyncio.to_thread(self.store.load, id)
        table = Table.from_json(data) if data else None
        if table is None or table.id != id:
            raise Refused("there is no such board here; it may have been removed long ago", "no-such-board")
        await self._set_up(table, table.seats)
        self._keep(table)
        return table

    def _keep(self, table: Table) -> None:
        self.tables[table.id] = table
        for other in list(self.tables.values()):
            if len(self.tables) <= MAX_TABLES:
                break
            if not other.sockets and other is not table and (other.task is None or other.task.done()):
                self.store.save(other.id, other.as_json())
                self._unsaved.discard(other)
                del self.tables[other.id]
        if len(self.tables) > MAX_TABLES * 2:
            del self.tables[table.id]
            raise Refused("there are too many boards open here; try again later", "busy")

    def save(self, table: Table) -> None:
        """Keep a table soon."""
        table.touched = time.time()
        self._unsaved.add(table)

    async def write(self) -> None:
        """Put what has changed on disk; in a thread, since a disk may take its time."""
        boards = [(table.id, table.as_json()) for table in self._unsaved]
        self._unsaved.clear()
        for id, board in boards:
            await asyncio.to_thread(self.store.save, id, board)

    def close(self) -> None:
        for table in self.tables.values():
            self._stop(table)
            if table.judging is not None:
                table.judging.cancel()
        for task in self._preparing:
            task.cancel()

    # -------------------------------------------------------------------------------------------------------- asking

    def question(self, table: Table, op: str, **more: Any) -> dict[str, Any]:
        game = self.games[table.game]
        return {"op": op, "game": {"path": str(game.path), "variant": table.variant, "stamp": table.stamp},
                "board": table.id, "line": table.line[: table.cursor], **more}

    async def look_again(self, table: Table) -> None:
        """Follow the whole record by the rules as they are now; it ends where it doesn't fit any more."""
        line = table.line
        try:
            info = await self.rules.ask(self.question(table, "open"), RULES_SECONDS)
            whole = await self._view(self.question(table, "view", line=line))
            table.plies = whole["plies"] + table.plies[whole["count"] : len(line)]
            table.plies += [[text, "", False, False, False] for text in line[len(table.plies) :]]
            table.note = _unfit(whole)
            table.cursor = min(table.cursor, whole["count"])
            table.info, table.error = {**info, "kinds": opponents.kinds()}, ""
            await self.look(table)
        except ZrfError as error:
            table.error = getattr(error, "text", "") or error.diagnostics[0].message

    async def look(self, table: Table) -> None:
        """The view at the cursor."""
        table.view = await self._view(self.question(table, "view", plies=table.cursor))

    async def _view(self, question: dict[str, Any]) -> dict[str, Any]:
        """Something with a drawing, whose bitmaps may be fetched from now on."""
        view: dict[str, Any] = await self.rules.ask(question, RULES_SECONDS)
        for name, (path, transparent) in view.pop("bitmaps").items():
            self.bitmaps[name] = path, transparent
            self.bitmaps.move_to_end(name)
        while len(self.bitmaps) > MAX_BITMAPS:
            self.bitmaps.popitem(last=False)
        return view

    async def svg(self, table: Table, socket: Socket) -> str:
        """The drawing for one browser."""
        usual = str(table.view.get("svg", ""))
        if not (socket.overlays or socket.plain) or table.error:
            return usual
        try:
            seen = await self._view(self.question(table, "overlay", overlays=socket.overlays, plain=socket.plain))
        except ZrfError:
            return usual
        return str(seen["svg"])

    # ------------------------------------------------------------------------------------------------------- obeying

    async def obey(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """
        Do what a browser asks.

        :raises ZrfError: if it may not, or can't be done.
        """
        command = COMMANDS.get(str(message.get("type")))
        if command is None:
            raise Refused("the page asked something this server doesn't know; reload it", "unknown-message")
        if not socket.bucket.take(COSTS.get(str(message["type"]), 0)):
            raise Refused("that takes much work; try again in a moment", "busy")
        async with table.lock:
            await command(self, table, socket, message)

    async def play(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """A move of a human: `ply` must be the present one, so that no move is made in a position nobody meant."""
        if table.error:
            raise Refused("the rules must be put right first", "broken-rules")
        if message.get("ply") != table.cursor:
            return socket.wake()
        if table.player not in table.may_play(socket.token):
            raise Refused("it is somebody else's turn", "not-your-turn")
        await self._play(table, _text(message, "move", 2_000))
        self.advance(table)
        return None

    async def _play(self, table: Table, move: str) -> None:
        if table.cursor >= MAX_LINE:
            raise Refused(f"a game here has at most {MAX_LINE} moves", "too-long")
        view = await self._view(self.question(table, "play", move=move, plies=table.cursor))
        is_computer = table.task is asyncio.current_task()
        if not is_computer:
            self._stop(table)
        table.forget_undone()
        table.line.append(move)
        table.plies += view["plies"]
        table.cursor += 1
        table.view = view
        table.paused = False
        table.note = ""
        if is_computer:  # it goes on at once if a computer is to move
            table.thinking = "" if table.is_human(table.player) else table.player
        self.save(table)
        table.tell()
        self.judge(table)

    async def go_to(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """Take back, or play again, to after so many moves; computers wait there until somebody goes on."""
        self._needs_seat(table, socket)
        kind = message["type"]
        ply = table.before() if kind == "undo" else table.after() if kind == "redo" else message.get("ply")
        if not isinstance(ply, int) or not 0 <= ply <= len(table.line):
            raise Refused("there is no such move in this game", "no-such-move")
        if table.error or ply == table.cursor:
            return socket.wake()
        self._stop(table)
        before, table.cursor = table.cursor, ply
        try:
            await self.look(table)
        except ZrfError:
            table.cursor = before
            raise
        table.note = _unfit(table.view)
        table.cursor = int(table.view["count"])
        table.paused = not table.is_human(table.player)
        self.save(table)
        table.tell()
        self.judge(table)
        return None

    async def resume(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """Let the computers go on."""
        self._needs_seat(table, socket)
        table.paused = False
        table.tell()
        self.advance(table)

    async def seat(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """Somebody else plays a seat from now on."""
        self._needs_owner(table, socket)
        player, who = _text(message, "player", 200), _text(message, "who", 40)
        if player not in table.seats or not _is_player(table, player):
            raise Refused("there is no such seat", "no-such-seat")
        if who not in (HUMAN, opponents.BY_LINK, *opponents.kinds()):
            raise Refused("nobody of that kind plays here", "unknown-player-kind")
        table.sit({**table.seats, player: who})
        if who != opponents.BY_LINK:
            table.tokens.pop(player, None)
        self._stop(table)
        self.prepare(table)
        table.paused = table.paused and not table.is_human(table.player)
        self.save(table)
        table.tell()
        self.advance(table)

    async def restart(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """The same game from its start, or another variant of it."""
        self._needs_owner(table, socket)
        variant = message.get("variant")
        if variant is not None and variant not in table.info["variants"]:
            raise Refused("there is no such variant", "unknown-variant")
        await self._replace(table, [], variant or table.variant, table.seats)

    async def load(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """Go on with a saved game of these rules."""
        self._needs_owner(table, socket)
        text = _text(message, "text", MAX_TEXT)
        saved = await self.rules.ask({"op": "read", "text": text}, RULES_SECONDS)
        variant = next((t for t in table.info["variants"] if folded(t) == folded(saved["variant"])), None)
        if variant is None:
            raise Refused(f"that is a game of `{saved['variant'][:80]}`, which these rules don't have", "other-game")
        await self._replace(table, saved["line"], variant, table.seats, strict=True)

    async def _replace(self, table: Table, line: list[str], variant: str | None, seats: dict[str, str],
                       strict: bool = False) -> None:
        """Another record in the place of the old one; `strict`: only if all of it fits the rules."""
        new = Table(table.id, table.game, variant, table.owner, tokens=table.tokens)
        new.line, new.cursor = line[:MAX_LINE], len(line[:MAX_LINE])
        await self._set_up(new, seats)
        if new.error:
            raise RulesProblem("broken-rules", new.error.splitlines()[0], new.error)
        if strict and new.note:
            raise Refused(f"that can't be played on. {new.note}", "bad-record")
        self._stop(table)
        for name in ("variant", "seats", "tokens", "line", "cursor", "plies", "info", "view", "note", "stamp"):
            setattr(table, name, getattr(new, name))
        table.error = ""
        table.paused = bool(line) and not table.is_human(table.player)
        self.save(table)
        table.tell()
        self.advance(table)

    async def hint(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """What a computer would play; told to whoever asked."""
        self._needs_seat(table, socket)
        if not table.player:
            raise Refused("the game is over", "no-hint")
        if not _is_player(table, table.player):
            raise Refused("chance is to move: there is nothing to choose", "no-hint")
        if table.task is None or table.task.done():
            table.task = asyncio.create_task(self._advise(table, [socket]))

    async def evaluate(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """Tell, or don't tell any more, what each position is worth."""
        self._needs_owner(table, socket)
        table.is_judged = bool(message.get("on"))
        self.judge(table)
        table.tell()

    def judge(self, table: Table) -> None:
        """See to it that the present position is weighed, if that is wished."""
        if table.is_judged and (table.judging is None or table.judging.done()):
            table.judging = asyncio.create_task(self._judge(table))

    async def _judge(self, table: Table) -> None:
        """Weigh positions until the present one has been; one that has passed is weighed to its end nevertheless."""
        done: list[str] | None = None
        while table.is_judged and table.sockets and table.player and done != table.line[: table.cursor]:
            done = table.line[: table.cursor]
            await self._advise(table, None)

    async def _advise(self, table: Table, sockets: list[Socket] | None) -> None:
        line = table.line[: table.cursor]
        try:
            found = await self.thinkers.ask(self.question(table, "advise"), THINK_SECONDS)
        except ZrfError as error:
            if sockets:
                table.say({"type": "problem", "code": "no-hint", "summary": f"no hint: {error.diagnostics[0].message}"},
                          sockets)
            return
        if table.line[: table.cursor] == line:
            kind = "evaluation" if sockets is None else "hint"
            table.say({"type": kind, "ply": len(line), **found}, sockets)

    async def overlay(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """What one browser sees over the board."""
        wanted = message.get("overlays")
        socket.overlays = tuple(str(o)[:20] for o in wanted[:6]) if isinstance(wanted, list) else ()
        socket.plain = bool(message.get("plain"))
        socket.wake()

    async def link(self, table: Table, socket: Socket, message: dict[str, Any]) -> None:
        """The position as a link: whoever opens it gets a board of their own that starts from here."""
        socket.say({"type": "link", "link": pack(table.game, table.variant, table.line[: table.cursor])})

    # ------------------------------------------------------------------------------------------------------ computers

    def prepare(self, table: Table) -> None:
        """Let a computer player get ready while the humans think about their first move."""
        async def wait() -> None:
            with contextlib.suppress(ZrfError):
                await self.thinkers.ask(self.question(table, "prepare"), THINK_SECONDS)

        if any(kind.startswith("ai") for kind in table.seats.values()) and len(self._preparing) < 4:
            task = asyncio.create_task(wait())
            self._preparing.add(task)
            task.add_done_callback(self._preparing.discard)

    def advance(self, table: Table) -> None:
        """Let whoever is to move think, if that is a computer; for chance there is no difference."""
        busy = table.task is not None and not table.task.done() and table.thinking
        if busy or table.paused or not table.player or table.is_human(table.player):
            return
        self._stop(table)
        table.thinking = table.player
        table.task = asyncio.create_task(self._computer(table))
        table.tell()

    async def _computer(self, table: Table) -> None:
        """Turns of computers, until a human is to move or nobody watches any more."""
        try:
            while table.sockets and table.player and not table.paused and not table.is_human(table.player):
                table.thinking = table.player
                who = table.seats[table.player]
                table.tell()
                legs = await self._thought(table, who)
                for leg in legs:
                    await asyncio.sleep(self.pace.chance if who == opponents.RANDOM else self.pace.leg)
                    async with table.lock:
                        await self._play(table, leg)
                if not legs:
                    break
        except ZrfError as error:
            table.paused = True
            table.note = f"The computer player gave up: {error.diagnostics[0].message}"
        finally:
            if table.task is asyncio.current_task():  # else somebody else thinks already
                table.thinking = ""
                table.tell()

    async def _thought(self, table: Table, who: str) -> list[str]:
        question = self.question(table, "think", who=who, seed=secrets.randbits(32))
        pool = self.rules if who == opponents.RANDOM else self.thinkers
        found = await pool.ask(question, THINK_SECONDS)
        return [str(leg) for leg in found["legs"]]

    def _stop(self, table: Table) -> None:
        """End what a computer is thinking about."""
        if table.task is not None:
            table.task.cancel()
            table.task = None
        table.thinking = ""

    # ---------------------------------------------------------------------------------------------------- permissions

    def _needs_seat(self, table: Table, socket: Socket) -> None:
        if not table.is_owner(socket.token) and not table.may_play(socket.token):
            raise Refused("you are watching this game", "not-yours")

    def _needs_owner(self, table: Table, socket: Socket) -> None:
        if not table.is_owner(socket.token):
            raise Refused("only who opened this board may do that", "not-yours")

    # ----------------------------------------------------------------------------------------------------------- watch

    async def rules_changed(self, table: Table, new_stamp: str) -> None:
        """The rules file of a table is another one now."""
        async with table.lock:
            self._stop(table)
            table.stamp = new_stamp
            await self.look_again(table)
            if not table.error:
                table.sit(table.seats)
            table.tell()
        self.advance(table)


def _text(message: dict[str, Any], name: str, longest: int) -> str:
    text = message.get(name)
    if not isinstance(text, str) or len(text) > longest:
        raise Refused(f"`{name}` must be a text of at most {longest} characters", "bad-message")
    return text


def _unfit(view: dict[str, Any]) -> str:
    """Why a record couldn't be followed to its end; "" if it could."""
    return f"From here the moves don't fit the rules: {view['stop']}" if view["stop"] else ""


def _is_player(table: Table, name: str) -> bool:
    return any(p["name"] == name and p["kind"] == "player" for p in table.info["players"])


COSTS = {"hint": 8, "load": 8, "new": 4, "overlays": 2}
"""What some messages cost beside the one they are."""

Command = Callable[[House, Table, Socket, dict[str, Any]], Any]

COMMANDS: dict[str, Command] = {
    "play": House.play, "goto": House.go_to, "undo": House.go_to, "redo": House.go_to, "resume": House.resume,
    "seat": House.seat, "new": House.restart, "load": House.load, "hint": House.hint, "overlays": House.overlay,
    "link": House.link, "evaluate": House.evaluate,
}
