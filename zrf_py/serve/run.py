"""The server process: its address, limits on connections, start and shutdown."""

import contextlib
import os
import shlex
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

import uvicorn

from zrf_py.archives import shown
from zrf_py.play.gallery import Games
from zrf_py.serve.advising import Adviser
from zrf_py.serve.app import make_app
from zrf_py.serve.computers import Computers, Pace
from zrf_py.serve.connections import protocols
from zrf_py.serve.desk import Desk
from zrf_py.serve.guard import embedder
from zrf_py.serve.limits import Budget, Limits
from zrf_py.serve.lobby import Lobby
from zrf_py.serve.moves import Mover
from zrf_py.serve.pictures import Pictures
from zrf_py.serve.pool import Pool
from zrf_py.serve.referee import Referee
from zrf_py.serve.session import Services
from zrf_py.serve.store import Store
from zrf_py.text.diagnostics import Diagnostic, ZrfError

OWN_FILES = 150
"""Number of open files and pipes that the server needs besides its connections."""


@dataclass(frozen=True)
class Settings:
    """The user's options; with `state` None, nothing is stored on disk."""

    wish: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    watch: bool = False
    state: Path | None = None
    names: tuple[str, ...] = ()
    pace: Pace | None = None
    embed: tuple[str, ...] = ()
    edit: bool = False
    """True if the served file can be edited in the browser."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies whose `X-Forwarded-For` is trusted."""
    limits: Limits = field(default_factory=Limits)


class BoardServer(uvicorn.Server):
    """A server that stops drawing pictures before it shuts down, and prints a summary of refused requests."""

    def __init__(self, config: uvicorn.Config, painters: Pool, budget: Budget) -> None:
        super().__init__(config)
        self.painters = painters
        self.budget = budget

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.painters.close()
        await super().shutdown(sockets)
        if refused := self.budget.summary():
            print(f"Refused: {refused}", file=sys.stderr)


def make_services(settings: Settings, address: str = "") -> tuple[Services, Pictures]:
    """Return the services behind the pages, and the gallery's pictures; `address` is the URL of the server.

    :raises ZrfError: if the games can't be found, or another server owns the folder of boards.
    """
    cores = os.cpu_count() or 2
    games = Games(settings.wish)
    searchers = Pool(min(cores, 8), gentle=True)
    referee = Referee(games, Pool(max(3, min(cores, 6)), slow=2), Pool(2, slow=1, gentle=True))
    store = Store(settings.state)
    store.claim(address, shlex.join(["zrf", "serve", *(["--edit"] * settings.edit), *filter(None, [settings.wish])]))
    return assemble(referee, store, searchers, settings.pace), Pictures(Pool(1, slow=1, gentle=True))


def assemble(referee: Referee, store: Store, searchers: Pool, pace: Pace | None = None) -> Services:
    """Build the services and connect them."""
    lobby = Lobby(referee, store)
    mover = Mover(referee, lobby)
    return Services(lobby, referee, mover, Computers(mover, searchers, pace), Adviser(mover, searchers))


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the first free one of ten ports from `port` on, or on any free port if it is 0.

    :raises ZrfError: if none of them can be used.
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
    raise ZrfError([Diagnostic("no-address", f"the server can't listen on {host}, port {port}: {problem}", None,
                               help="choose another address with `--host`, another port with `--port`")])


def make_server(settings: Settings) -> tuple[BoardServer, socket.socket, str]:
    """Return the server, its listening socket, and the address to type into a browser.

    :raises ZrfError: if the games can't be found, the address can't be used, another server owns the folder of boards,
        a site in `embed` isn't an origin, or the file can't be edited.
    """
    embed = tuple(map(embedder, settings.embed))
    budget = Budget(_within_files(settings.limits), settings.proxies)
    limits = budget.limits
    listener = listen(settings.host, settings.port)
    base_url = address(settings.host, listener.getsockname()[1])
    outside = "" if _is_loopback(settings.host) else base_url.rstrip("/")
    with contextlib.ExitStack() as opened:
        opened.enter_context(listener)
        services, pictures = make_services(settings, base_url)
        opened.callback(services.lobby.store.release)
        desk = _desk(settings, services, limits, outside) if settings.edit else None
        opened.pop_all()
    app = make_app(services, pictures, desk=desk, watch=settings.watch or settings.edit,
                   names=(settings.host, *settings.names), embed=embed, address=outside, budget=budget)
    http, ws = protocols(budget)
    server = BoardServer(uvicorn.Config(
        app, log_level="error", access_log=False, http=http, ws=ws,
        proxy_headers=bool(settings.proxies), forwarded_allow_ips=list(settings.proxies),
        ws_max_size=limits.message_bytes, ws_ping_interval=limits.ping_seconds, ws_ping_timeout=limits.ping_seconds,
        ws_per_message_deflate=not _is_loopback(settings.host),
        timeout_graceful_shutdown=3, server_header=False, lifespan="on"),
        pictures.painters, budget)
    if desk is not None:
        return server, listener, f"{base_url}desk#{desk.token}"
    start = services.lobby.games.start
    return server, listener, base_url + (f"new?game={quote(start)}" if start else "")


def _within_files(limits: Limits) -> Limits:
    """Return the limits, lowered if this process may not open enough files for so many connections."""
    try:
        import resource
    except ImportError:
        return limits
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return limits
    most = max(files - OWN_FILES, OWN_FILES // 2)
    return replace(limits, connections=min(limits.connections, most), sockets=min(limits.sockets, most * 2 // 3),
                   connections_each=min(limits.connections_each, most // 3),
                   sockets_each=min(limits.sockets_each, most // 6))


def _desk(settings: Settings, services: Services, limits: Limits, outside: str) -> Desk:
    """Return the rules editor for the served file; `outside` is the server's address in the network, or ""."""
    games = services.lobby.games
    served = games[games.start or ""]
    if not served.is_own:
        raise ZrfError([Diagnostic("usage", f"`{settings.wish}` is a bundled game and can't be edited in place", None,
                                   help="copy its rules file, and edit the copy: `zrf serve --edit my.zrf`")])
    if shown(served.path) != served.path:
        raise ZrfError(f"{settings.wish} is in an archive, where files can't be changed", "usage",
                       help="unpack it, and edit the file: `zrf serve --edit my.zrf`")
    return Desk(served.path, served.id, limits, outside)


def run(settings: Settings, ready: Callable[[str], None] = print) -> None:
    """Serve until the program is stopped; `ready` is called once with the address.

    :raises ZrfError: as `make_server` does.
    """
    server, listener, base_url = make_server(settings)
    ready(base_url)
    with listener:
        server.run(sockets=[listener])


def address(host: str, port: int) -> str:
    """Return the URL to type into a browser."""
    name = _own_address() if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def _own_address() -> str:
    """Return this machine's address in its network, as others would type it; without a network, its host name."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is looked up, nothing is sent
        return str(probe.getsockname()[0])
    return socket.gethostname()


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
