"""The web application: pages, pictures, and the web sockets of boards.

`limits.py` and the modules of the commands hold the limits on clients; the README of this folder lists them.
"""

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from zrf_py.author.sharing import unpack
from zrf_py.catalogue import LANGUAGES
from zrf_py.play.gallery import stamp
from zrf_py.play.shipped_puzzles import puzzles_of, record_of
from zrf_py.play.tree import Tree
from zrf_py.play.zsg import encoded
from zrf_py.serve import commands, company, guard, moves, opponents, rematch, rights, sockets, wire
from zrf_py.serve.desk import Desk
from zrf_py.serve.limits import Bucket, Budget
from zrf_py.serve.pictures import Pictures
from zrf_py.serve.reads import Wording, allow, asker
from zrf_py.serve.session import Services
from zrf_py.serve.table import Table
from zrf_py.text.diagnostics import ZrfError

STATIC = Path(__file__).with_name("static")
WATCH_SECONDS = 0.4
AGAIN_SECONDS = 2.0
"""Seconds between attempts to save boards that could not be saved."""
TICK_SECONDS = 0.1
PICTURE_SECONDS = 30.0
MAX_CANDIDATES = 4
"""Maximum number of rules files of the recorded name that are tried for a saved game."""
MAX_LISTED = 60
"""Maximum number of boards described in one response."""
PRUNE_AFTER = 60
"""Interval between removals of boards beyond the limit, as a multiple of `AGAIN_SECONDS`."""


class Site:
    """State shared by the request handlers."""

    def __init__(self, services: Services, pictures: Pictures, watch: bool, address: str, budget: Budget,
                 desk: Desk | None) -> None:
        self.services = services
        self.lobby = services.lobby
        self.referee = services.referee
        self.all_games = services.lobby.games
        self.pictures = pictures
        self.watch = watch
        self.address = address
        self.budget = budget
        self.desk = desk
        self.learning: asyncio.Task[None] | None = None
        """The task that adds facts of checked games to the gallery's cards."""
        self.wording = Wording(services.referee, services.adviser.searchers)

    # ---------------------------------------------------------------------------------------------------------- pages

    def page(self, name: str) -> Any:
        async def show(request: Request) -> Response:
            return FileResponse(STATIC / name, headers={"cache-control": "no-cache"})

        return show

    async def games(self, request: Request) -> Response:
        """Return the games of the gallery."""
        games = await asyncio.to_thread(self.all_games.all)
        waiting = not all(g.is_checked for g in games)
        if waiting and (self.learning is None or self.learning.done()):
            self.learning = asyncio.create_task(self.pictures.learn(self.all_games))
        return JSONResponse({
            "games": [{"id": g.id, "title": g.title, "group": g.group, "about": g.about, "words": g.words,
                       "file": g.id if g.is_own else g.path.name, "puzzles": len(puzzles_of(g.path, g.title))}
                      for g in games],
            "waiting": waiting,
            "start": self.all_games.start, "watch": self.watch, "kinds": opponents.kinds()})

    async def where(self, request: Request) -> Response:
        """Return the address for other machines ("": none), whether files are watched, and the game being edited."""
        return JSONResponse({"address": self.address, "watch": self.watch, "edited": getattr(self.desk, "game", "")})

    async def picture(self, request: Request) -> Response:
        """Return a game's start position as SVG."""
        allow(self.budget, request, "drawing")
        served = self.all_games[request.path_params["id"]]
        text = await self.pictures.get(served)
        return Response(text, media_type="image/svg+xml", headers={
            "content-security-policy": guard.PICTURE_POLICY, "cache-control": "private, max-age=60"})

    async def bitmap(self, request: Request) -> Response:
        """Return a bitmap to which a drawing refers, by its name; status 404 if it is unknown or can't be read."""
        allow(self.budget, request, "drawing")
        bitmap = self.referee.bitmaps.get(request.path_params["name"])
        data = await self.pictures.bitmap(*bitmap) if bitmap else b""
        if not data:
            return Response(status_code=404)
        return Response(data, media_type="image/png", headers={"cache-control": "private, max-age=604800, immutable"})

    # --------------------------------------------------------------------------------------------------------- tables

    async def create(self, request: Request) -> Response:
        """Create a table from a game, a puzzle of a game, a link or a saved game."""
        if not self.budget.new_tables.of(asker(request)).take():
            self.budget.refusals["too many new boards"] += 1
            raise rights.Refused("too many new boards at once; try again in a moment", "busy")
        wish = await wire.read_body(request)
        table = await self._create(wish, asker(request))
        return JSONResponse({"id": table.id, "token": table.owner}, 201)

    async def _create(self, wish: dict[str, Any], maker: str) -> Table:
        lobby, games = self.lobby, self.all_games
        seats = wish.get("seats")
        seats = [str(s)[:40] for s in seats[:32]] if isinstance(seats, list) else []
        variant = wish.get("variant")
        variant = variant if isinstance(variant, str) else None
        line: list[str] | Tree = []
        if isinstance(wish.get("link"), str):
            game, variant, line = unpack(wish["link"])
            served = games[game]
        elif isinstance(wish.get("zsg"), str):
            saved = await self.referee.ask({"op": "read", "text": wish["zsg"][:rematch.MAX_TEXT]})
            return await self._reopened(saved, seats or saved["seats"], maker, wish)
        else:
            served = games[str(wish.get("game"))[:500]]
            if wish.get("puzzle"):
                line = record_of(served.path, served.title, wish["puzzle"])
        table = await lobby.create(served, line, seats, variant, maker, wish)
        self.services.computers.prepare(table)
        return table

    async def _reopened(self, saved: dict[str, Any], seats: list[str], maker: str, wish: dict[str, Any]) -> Table:
        """Create a table from a saved game. Of the games that it may belong to, take the first whose rules allow all
        its moves, else the first whose rules can be used."""
        variant, tables, problems = saved["variant"] or None, list[Table](), list[ZrfError]()
        for served in self.all_games.for_record(saved["rules"], saved["variant"])[:MAX_CANDIDATES]:
            try:
                tables.append(await self.lobby.create(served, rematch.tree_of(saved), seats, variant, maker, wish))
            except ZrfError as error:
                problems.append(error)
            if tables and not tables[-1].note:
                break
        if not tables:
            raise problems[0]
        chosen = tables[0] if tables[-1].note else tables[-1]
        for table in tables:
            if table is not chosen:
                self.lobby.discard(table)
        self.services.computers.prepare(chosen)
        return chosen

    async def boards(self, request: Request) -> Response:
        """Return facts (title, seats, number of moves, result …) about those of the requested boards that exist."""
        ids = (await wire.read_body(request)).get("ids")
        requested = [str(id) for id in ids[:MAX_LISTED]] if isinstance(ids, list) else []
        return JSONResponse({"boards": await self.lobby.facts(requested)})

    async def playing(self, request: Request) -> Response:
        """Return the games in progress whose owners allow them to be listed."""
        return JSONResponse({"boards": company.listed(list(self.lobby.tables.values()))[:MAX_LISTED]})

    async def board_picture(self, request: Request) -> Response:
        """Return a board's current position, drawn small."""
        allow(self.budget, request, "picture")
        table = await self.lobby.find(request.path_params["id"])
        drawing = await self.pictures.painters.ask(self.referee.question(table, "picture"), PICTURE_SECONDS)
        return Response(drawing["text"], media_type="image/svg+xml", headers={
            "content-security-policy": guard.PICTURE_POLICY, "cache-control": "no-cache"})

    async def rules(self, request: Request) -> Response:
        """Return the rules of a board in words and pictures."""
        language = next((name for name in LANGUAGES if name == request.query_params.get("language")), "en")
        allow(self.budget, request, "words")
        words = await self.wording.of(await self.lobby.find(request.path_params["id"]), language)
        return JSONResponse(words, headers={"cache-control": "no-store"})

    async def sound(self, request: Request) -> Response:
        """Return a sound of a board's rules file; status 404 if there is none."""
        allow(self.budget, request, "sound")
        table = await self.lobby.find(request.path_params["id"])
        question = self.referee.question(table, "sound", 0, kind=request.path_params["kind"])
        result = await self.pictures.painters.ask(question, PICTURE_SECONDS)
        return Response(base64.b64decode(result["wav"]), 200 if result["wav"] else 404, media_type="audio/wav",
                        headers={"cache-control": "private, max-age=3600"})

    async def saved_game(self, request: Request) -> Response:
        """Return the game as a .zsg file, the format of the original program."""
        allow(self.budget, request, "write")
        table = await self.lobby.find(request.path_params["id"])
        served = self.all_games[table.game]
        seats = ["human" if table.is_human(player) else kind for player, kind in table.seats.items()]
        beside = table.tree.beside(table.tip)
        question = self.referee.question(table, "write", rules=self.all_games.name_for_record(served),
                                         seats=seats, variations=beside)
        text = (await self.referee.ask(question))["text"]
        name = "".join(c if c.isalnum() and c.isascii() else "-" for c in served.title).strip("-")[:60] or "game"
        return Response(encoded(text), media_type="application/octet-stream", headers={
            "content-disposition": f"attachment; filename={quote(name)}.zsg", "cache-control": "no-store"})

    async def socket(self, web: WebSocket) -> None:
        """Serve a browser at a table."""
        try:
            await web.accept()
            await self._attend(web)
        except (WebSocketDisconnect, RuntimeError, OSError, TimeoutError, ValueError):
            pass
        finally:
            with contextlib.suppress(Exception):
                await web.close(1008)

    async def _attend(self, web: WebSocket) -> None:
        limits = self.budget.limits
        socket = sockets.Socket(web.send_text, visitor=asker(web), bucket=Bucket(*limits.messages))
        try:
            hello = wire.read_message(await asyncio.wait_for(web.receive_text(), limits.join_seconds))
            socket.token = str(hello.get("token", ""))[:64]
            table = await self.lobby.find(web.path_params["id"])
            if not table.may_play(socket.token) and table.is_crowded(socket.visitor, limits):
                self.budget.refusals["too many watchers"] += 1
                raise rights.Refused("too many spectators on this board", "busy")
        except ZrfError as error:
            await web.send_text(json.dumps({"type": "gone", **wire.error_json(error)}))
            return
        socket.at = table.tip
        table.sockets.add(socket)
        table.note_presence()
        pump = asyncio.create_task(self._pump(web, table, socket))
        try:
            table.tell()
            self.services.computers.advance(table)
            await self._listen(web, table, socket)
        finally:
            table.sockets.discard(socket)
            table.note_presence()
            pump.cancel()
            table.tell()
            await asyncio.wait([pump])  # keep a reference: a task without one may be garbage-collected before it ends

    async def _pump(self, web: WebSocket, table: Table, socket: sockets.Socket) -> None:
        async def state() -> dict[str, Any]:
            at, view = socket.at, table.view
            with contextlib.suppress(ZrfError):
                view = await self.referee.view(table, at) if not table.error else view
            svg = await self.referee.svg(table, socket, view)
            return socket.news(table, view, svg, moves.turn_of(table, socket.token, at, view))

        try:
            await socket.pump(state)
        except (RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
            with contextlib.suppress(Exception):
                await web.close(1013)

    async def _listen(self, web: WebSocket, table: Table, socket: sockets.Socket) -> None:
        while True:
            text = await web.receive_text()
            if not socket.bucket.take():
                socket.refused += 1
                if socket.refused == 1:
                    socket.say({"type": "problem", "code": "too-fast", "summary": "too many requests; slow down"})
                if socket.refused > self.budget.limits.excess_messages:
                    self.budget.refusals["sockets that sent too many messages"] += 1
                    return
                continue
            try:
                await commands.obey(self.services, table, socket, wire.read_message(text))
            except ZrfError as error:
                socket.say({"type": "problem", **wire.error_json(error)})
                socket.wake()

    # ----------------------------------------------------------------------------------------------- in the background

    async def watching(self) -> None:
        """Watch the files being edited, and the rules files of open boards if they are the user's own, forever."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            with contextlib.suppress(OSError):
                if self.desk:
                    self.desk.look()
            for table in list(self.lobby.tables.values()):
                with contextlib.suppress(ZrfError, OSError):
                    served = self.all_games[table.game]
                    if table.sockets and (served.is_own or served.id == self.all_games.start):
                        now = await asyncio.to_thread(stamp, served.path)
                        if now and now != table.stamp:
                            await commands.rules_changed(self.services, table)

    async def saving(self) -> None:
        """Remove boards beyond the limit, and retry saves that failed, forever."""
        while True:
            watched = {table.id for table in self.lobby.tables.values() if table.sockets}
            await asyncio.to_thread(self.lobby.store.prune, watched)
            for _ in range(PRUNE_AFTER):
                await asyncio.sleep(AGAIN_SECONDS)
                self.lobby.save_again()

    async def ticking(self) -> None:
        """Check the clocks of all tables, forever."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            for table in list(self.lobby.tables.values()):
                if table.clock and not table.lock.locked():
                    self.services.mover.ticked(table)


def make_app(
    services: Services, pictures: Pictures, *, watch: bool = False, names: tuple[str, ...] = (), address: str = "",
    embed: tuple[str, ...] = (), desk: Desk | None = None, budget: Budget | None = None,
) -> Starlette:
    """Return the application; `names` are further names of this machine that Host headers may contain.

    `address` is the server's address for other machines, "" if they can't reach it; pages of the sites in `embed` may
    embed boards. `desk` is the rules editor, if it is in use: its page embeds boards, too.
    """
    at_desk = [] if desk is None else [Route("/desk", desk.page), WebSocketRoute("/ws/desk", desk.socket)]
    embed = embed if desk is None else (*embed, "'self'")
    budget = budget or Budget()
    site = Site(services, pictures, watch, address, budget, desk)
    referee, adviser = services.referee, services.adviser

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await referee.rules.warm()
        tasks = [asyncio.create_task(site.saving()), asyncio.create_task(site.ticking())]
        if watch:
            tasks.append(asyncio.create_task(site.watching()))
        yield
        for task in (*tasks, *filter(None, [site.learning])):
            task.cancel()
        services.close()
        if desk is not None:
            await desk.close()
        services.lobby.save_again()
        services.lobby.store.release()
        for pool in (referee.rules, referee.movers, adviser.searchers, pictures.painters):
            await pool.close()

    return Starlette(
        routes=[
            Route("/", site.page("gallery.html")),
            Route("/new", site.page("new.html")),
            Route("/t/{id}", site.page("board.html")),
            Route("/t/{id}/game.zsg", site.saved_game),
            Route("/t/{id}/picture.svg", site.board_picture),
            Route("/t/{id}/rules", site.rules),
            Route("/t/{id}/sound/{kind}", site.sound),
            Route("/api/boards", site.boards, methods=["POST"]),
            Route("/api/games", site.games),
            Route("/api/playing", site.playing),
            Route("/api/site", site.where),
            Route("/api/tables", site.create, methods=["POST"]),
            Route("/picture/{id:path}", site.picture),
            Route("/bitmap/{name}", site.bitmap),
            *at_desk,
            WebSocketRoute("/ws/{id}", site.socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(guard.Guard, names=names, embed=embed, budget=budget)],
        exception_handlers={ZrfError: wire.refusal}, lifespan=lifespan)
