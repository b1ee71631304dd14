"""What keeps strangers out: who may ask (Host, Origin), how often, and what a page may do in the browser."""

import asyncio
import ipaddress
import re
import socket
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zrf_py.text.diagnostics import Diagnostic, ZrfError

PAGE_POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
               "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
ORIGIN = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?")
NOWHERE = "'none'"
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""For a drawing opened by itself: it may look as it likes and do nothing."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def embedder(origin: str) -> str:
    """
    The address of a site whose pages may show boards, as browsers compare it.

    :raises ZrfError: if it isn't one.
    """
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or not ORIGIN.fullmatch(parts.netloc) or parts.path.strip("/"):
        raise ZrfError([Diagnostic("bad-origin", f"`{origin[:80]}` is no address of a site", None,
                                   help="write scheme and name, such as `--embed https://example.org`")])
    return f"{parts.scheme}://{parts.netloc}"


@dataclass
class Bucket:
    """Allows `rate` things a second, and `burst` at once."""

    rate: float
    burst: float
    level: float = field(init=False)
    last: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.level = self.burst

    def take(self, cost: float = 1.0) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.last) * self.rate)
        self.last = now
        if self.level < cost:
            return False
        self.level -= cost
        return True


def host_name(value: str) -> str:
    """The name in a Host header or in the address of an Origin, without its port."""
    value = value.strip().lower()
    if value.startswith("["):
        return value[1:].partition("]")[0]
    return value.rpartition(":")[0] if value.count(":") == 1 else value


class Guard:
    """Lets through requests that name this machine and come from its own pages.

    A page of another site can make a browser ask us, also under a name of its own that leads here; so Host must be a
    number, or a name we know, and Origin, where a browser sends it, the same as Host.
    """

    def __init__(self, app: ASGIApp, names: tuple[str, ...] = (), embed: tuple[str, ...] = ()) -> None:
        self.app = app
        self.policy = PAGE_POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(embed) or NOWHERE}")
        own = socket.gethostname().lower()
        self.names = {"localhost", own, f"{own}.local", *(n.lower() for n in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        if not self.is_known(headers.get("host", "")) or not self.is_own(headers):
            await _refuse(scope, receive, send)
            return

        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                names = {k.lower() for k, _ in message["headers"]}
                extra = {"content-security-policy": self.policy, **HEADERS}
                message["headers"] = [*message["headers"], *(
                    (k.encode(), v.encode()) for k, v in extra.items() if k.encode() not in names)]
            await send(message)

        try:
            await self.app(scope, receive, send_guarded)
        except asyncio.CancelledError:  # the server ends, and has waited long enough
            if begun or scope["type"] != "http":
                raise
            await _answer(send, 503, b"This server is ending.\n")

    def is_known(self, host: str) -> bool:
        """Whether a Host header names this machine."""
        name = host_name(host)
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def is_own(self, headers: dict[str, str]) -> bool:
        """Whether a request comes from one of our own pages, or from no page at all."""
        site = headers.get("sec-fetch-site", "none")
        origin = headers.get("origin")
        if origin is None:
            return site in ("none", "same-origin") or headers.get("sec-fetch-mode") == "navigate"
        return urlsplit(origin).netloc.lower() == headers.get("host", "").strip().lower()


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await _answer(send, 403, b"This server answers only its own pages, under its own name.\n")


async def _answer(send: Send, status: int, text: bytes) -> None:
    await send({"type": "http.response.start", "status": status,
                "headers": [(b"content-type", b"text/plain; charset=utf-8"),
                            (b"content-length", str(len(text)).encode())]})
    await send({"type": "http.response.body", "body": text})
