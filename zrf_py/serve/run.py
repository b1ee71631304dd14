"""The server process: address, limits of connections, start and end."""

import asyncio
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from zrf_py.serve.advising import Adviser
from zrf_py.serve.app import MAX_SOCKETS, make_app
from zrf_py.serve.computers import Computers, Pace
from zrf_py.serve.desk import Desk
from zrf_py.serve.games import Games
from zrf_py.serve.guard import embedder
from zrf_py.serve.lobby import Lobby
from zrf_py.serve.moves import Mover
from zrf_py.serve.pictures import Pictures
from zrf_py.serve.pool import Pool
from zrf_py.serve.referee import Referee
from zrf_py.serve.session import Services
from zrf_py.serve.store import Store
from zrf_py.text.diagnostics import Diagnostic, ZrfError

HEAD_SECONDS = 15
"""How long a connection may take to send its first request."""
PING_SECONDS = 20
MAX_MESSAGE = 1 << 20


@dataclass(frozen=True)
class Settings:
    """What the user chose; `state` None keeps nothing on disk."""

    wish: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    watch: bool = False
    state: Path | None = None
    names: tuple[str, ...] = ()
    pace: Pace | None = None
    embed: tuple[str, ...] = ()
    edit: bool = False
    """Whether the file that is served is written at the desk."""


class PatientOnlyOnce(H11Protocol):
    """Closes a connection that doesn't come to the point: half-open ones would pile up otherwise."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._deadline = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._give_up)

    def _give_up(self) -> None:
        is_ours = self.transport.get_protocol() is self  # not handed on to a web socket
        if is_ours and self.cycle is None and not self.transport.is_closing():
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)


class ShortGoodbye(WebSocketsSansIOProtocol):
    """Waits less for the other side's goodbye: whoever is shut out for flooding hasn't read anything yet."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.close_timeout = 1.0


class EndsPaintersFirst(uvicorn.Server):
    """Pictures are not worth waiting for: whoever asked for one is told at once that there is none, before requests
    that are under way get their time."""

    def __init__(self, config: uvicorn.Config, painters: Pool) -> None:
        super().__init__(config)
        self.painters = painters

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.painters.close()
        await super().shutdown(sockets)


def make_services(settings: Settings) -> tuple[Services, Pictures]:
    """Everything behind the pages.

    :raises ZrfError: if what is to be served isn't there.
    """
    cores = os.cpu_count() or 2
    games = Games(settings.wish)
    searchers = Pool(min(cores, 8), gentle=True)
    referee = Referee(games, Pool(max(3, min(cores, 6)), slow=2), Pool(2, slow=1, gentle=True))
    return assemble(referee, Store(settings.state), searchers, settings.pace), Pictures(Pool(1, gentle=True))


def assemble(referee: Referee, store: Store, searchers: Pool, pace: Pace | None = None) -> Services:
    """Services that know each other."""
    lobby = Lobby(referee, store)
    mover = Mover(referee, lobby)
    return Services(lobby, referee, mover, Computers(mover, searchers, pace), Adviser(referee, searchers))


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, at the next free port of ten if the wanted one is taken.

    :raises ZrfError: if there is none.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem: OSError | None = None
    for candidate in range(port, port + 10) if port else (0,):
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, candidate))
            listener.listen(128)
            return listener
        except (OSError, OverflowError) as error:
            listener.close()
            problem = error if isinstance(error, OSError) else OSError(str(error))
    raise ZrfError([Diagnostic("no-address", f"nothing can be served at {host}, port {port}: {problem}", None,
                               help="another address is given with `--host`, another port with `--port`")])


def make_server(settings: Settings) -> tuple[uvicorn.Server, socket.socket, str]:
    """The server, the socket it listens at, and what to type into a browser.

    :raises ZrfError: if what is to be served isn't there, or the address can't be used.
    """
    services, pictures = make_services(settings)
    listener = listen(settings.host, settings.port)
    here = address(settings.host, listener.getsockname()[1])
    desk = _desk(settings, services) if settings.edit else None
    app = make_app(services, pictures, desk=desk, watch=settings.watch or settings.edit,
                   names=(settings.host, *settings.names),
                   embed=tuple(map(embedder, settings.embed)),
                   address="" if _is_loopback(settings.host) else here.rstrip("/"))
    server = EndsPaintersFirst(uvicorn.Config(
        app, log_level="warning", access_log=False, http=PatientOnlyOnce, ws=ShortGoodbye,
        ws_max_size=MAX_MESSAGE, ws_max_queue=16, ws_ping_interval=PING_SECONDS, ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=not _is_loopback(settings.host), limit_concurrency=MAX_SOCKETS + 200,
        timeout_keep_alive=15, timeout_graceful_shutdown=3, server_header=False, lifespan="on"),
        pictures.painters)
    if desk is not None:
        return server, listener, f"{here}desk#{desk.token}"
    start = services.lobby.games.start
    return server, listener, here + (f"new?game={quote(start)}" if start else "")


def _desk(settings: Settings, services: Services) -> Desk:
    """The desk for the file that is served."""
    games = services.lobby.games
    served = games[games.start or ""]
    if not served.is_own:
        raise ZrfError([Diagnostic("usage", f"`{settings.wish}` is a game of the shelf", None,
                                   help="copy its rules file, and name the copy: `zrf serve --edit my.zrf`")])
    return Desk(served.path, served.id)


def run(settings: Settings, ready: Callable[[str], None] = print) -> None:
    """Serve until somebody asks the program to end; `ready` is told the address once.

    :raises ZrfError: as `make_server` does.
    """
    server, listener, here = make_server(settings)
    ready(here)
    with listener:
        server.run(sockets=[listener])


def address(host: str, port: int) -> str:
    """What to type into a browser."""
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
