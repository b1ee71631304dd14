"""Protection against abuse: checks of Host and Origin, limits for visitors, security headers."""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zrf_py.serve.limits import Budget, Full, visitor
from zrf_py.text.diagnostics import Diagnostic, ZrfError

PAGE_POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
               "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?", re.ASCII | re.IGNORECASE)
ORIGIN = re.compile(rf"(https?)://({HOST.pattern})", re.ASCII | re.IGNORECASE)
NOWHERE = "'none'"
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""Content security policy of a drawing that is opened by itself: inline styles are allowed, scripts are not."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def embedder(origin: str) -> str:
    """Return the origin of a site whose pages may embed boards, without trailing slashes, for `frame-ancestors`.

    :raises ZrfError: if it isn't an origin.
    """
    match = ORIGIN.fullmatch(origin.rstrip("/"))
    if not match:
        raise ZrfError([Diagnostic("bad-origin", f"`{origin[:80]}` is not a web origin", None,
                                   help="give the scheme and host, such as `--embed https://example.org`")])
    return f"{match[1]}://{match[2]}"


def host_name(value: str) -> str:
    """Return the name in a Host header, without its port; "" if it is malformed."""
    match = HOST.fullmatch(value.strip())
    return match[1].strip("[]").lower() if match else ""


class Guard:
    """Middleware that refuses requests addressed to other hosts or sent by pages of other sites, except for navigation.

    A page of another site can make a browser send requests here, even under a host name of its own that resolves to
    this machine. So Host must be an IP address or a known name, and Origin, if present, must equal Host.
    """

    def __init__(self, app: ASGIApp, names: tuple[str, ...] = (), embed: tuple[str, ...] = (),
                 budget: Budget | None = None) -> None:
        self.app = app
        self.budget = budget or Budget()
        self.policy = PAGE_POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(embed) or NOWHERE}")
        own = socket.gethostname().lower()
        self.names = {"localhost", own, f"{own}.local", *(n.lower() for n in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            is_first, begun = not begun, True
            if is_first and message["type"] == "websocket.close":  # no route for this socket
                return await _answer(scope, send_guarded, 404, "There is no such page.")
            if message["type"].endswith("response.start"):
                names = {k.lower() for k, _ in message["headers"]}
                extra = {"content-security-policy": self.policy, **HEADERS}
                message["headers"] = [*message["headers"], *(
                    (k.encode(), v.encode()) for k, v in extra.items() if k.encode() not in names)]
            return await send(message)

        try:
            await self._pass(scope, receive, send_guarded)
        except asyncio.CancelledError:  # the server is shutting down and its grace period is over
            if begun or scope["type"] != "http":
                raise
            await _answer(scope, send_guarded, 503, "This server is shutting down.")

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on when it is its visitor's turn, or refuse it."""
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        host, client = headers.get("host", ""), visitor(scope["client"][0] if scope.get("client") else "")
        try:
            await asyncio.sleep(self.budget.turn(client))
            if host and not HOST.fullmatch(host.strip()):
                return await _answer(scope, send, 400, "The Host header is malformed.")
            if not self.is_known(host) or not self.is_own(headers):
                return await _answer(scope, send, 403, "This server accepts requests only from its own pages and host.")
            if scope["type"] == "websocket":
                with self.budget.share("sockets", client):
                    return await self.app(scope, receive, send)
            body = await self._body(receive)
            if body is None:
                return None
            if len(body) > self.budget.limits.message_bytes:
                return await _answer(scope, send, 413, "The request is too large.")
            with self.budget.share("requests", client):
                return await self.app(scope, _again(body, receive), send)
        except Full as error:
            return await _answer(scope, send, 503, f"{error.diagnostics[0].message}")

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the body of a request, cut off soon after the limit; None if the client has disconnected."""
        body = b""
        while len(body) <= self.budget.limits.message_bytes:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        return body

    def is_known(self, host: str) -> bool:
        """Return whether a Host header holds a known name or any IP address."""
        name = host_name(host)
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def is_own(self, headers: dict[str, str]) -> bool:
        """Return whether a request comes from one of our own pages or from no page, or follows a link to a page."""
        site = headers.get("sec-fetch-site", "none")
        origin = headers.get("origin")
        if origin is None:
            return site in ("none", "same-origin") or headers.get("sec-fetch-mode") == "navigate"
        match = ORIGIN.fullmatch(origin)
        return match is not None and match[2].lower() == headers.get("host", "").strip().lower()


def _again(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """Return a `receive` that repeats a body already read, then continues."""
    parts = [body]

    async def read() -> Message:
        return {"type": "http.request", "body": parts.pop(), "more_body": False} if parts else await receive()

    return read


async def _answer(scope: Scope, send: Send, status: int, text: str) -> None:
    data = f"{text}\n".encode()
    kind = "http.response"
    if scope["type"] == "websocket":
        kind = "websocket.http.response"
        if kind not in scope.get("extensions", {}):
            return await send({"type": "websocket.close", "code": 1008})
    await send({"type": f"{kind}.start", "status": status,
                "headers": [(b"content-type", b"text/plain; charset=utf-8"),
                            (b"content-length", str(len(data)).encode()), (b"connection", b"close")]})
    await send({"type": f"{kind}.body", "body": data})
    return None
