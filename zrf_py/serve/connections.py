"""Uvicorn's connections with deadlines and limits: no client can hold one for long without sending requests."""

import asyncio
import time
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from zrf_py.serve.guard import HEADERS, PAGE_POLICY
from zrf_py.serve.limits import Budget, ConnectionSlot, visitor

IDLE, HEAD, BODY, ANSWER = "idle", "head", "body", ""
"""Phases of a connection: before the first byte of a request, in its head, in its body, while it is answered."""
CLOSE_SECONDS = 1.0
"""Seconds to wait for the client's close frame; a client that floods the server may never send one."""
PROTECTED = {**HEADERS, "content-security-policy": PAGE_POLICY, "connection": "close"}
"""Headers of responses that this module writes itself."""


class Deadline:
    """A timer that runs an action unless it is cancelled in time."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float, action: Any) -> None:
        """Start the timer, or restart it."""
        self.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, action)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def refusal(status: HTTPStatus, text: str, with_body: bool = True) -> bytes:
    """Return a complete HTTP response that announces the end of the connection."""
    body = f"{text}\n"
    headers = {**PROTECTED, "content-type": "text/plain; charset=utf-8", "content-length": str(len(body))}
    lines = [f"HTTP/1.1 {status} {status.phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", body if with_body else ""]).encode()


def protocols(budget: Budget) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """Return uvicorn's two connection classes, bound to the budget of one server."""
    return (type("Http", (HttpConnection,), {"budget": budget}),
            type("Web", (WebConnection,), {"budget": budget}))


class HttpConnection(H11Protocol):
    """An HTTP connection, with deadlines for the client to send each head and body, and to read each response."""

    budget: Budget

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # count every unsent byte as pending
        self._deadline, self._taking = Deadline(), Deadline()
        self._phase = ""
        self.place = ConnectionSlot(visitor(self.client[0] if self.client else ""), transport.abort)
        if self.budget.enter(self.place):
            self._enter(IDLE)
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections")

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        self._taking.cancel()
        self._unset_keepalive_if_required()
        self.budget.leave(self.place)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._review()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._review()

    def _review(self) -> None:
        """Update the phase, unless the connection has become a web socket."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        theirs = self.conn.their_state
        phase = BODY if theirs is h11.SEND_BODY else ANSWER
        if theirs is h11.IDLE:
            phase = HEAD if self.conn.trailing_data[0] else IDLE
        if phase != self._phase:
            self._enter(phase)

    def _enter(self, phase: str) -> None:
        limits = self.budget.limits
        self._phase = phase
        if phase == ANSWER:
            self.place.waiting = None
            self._deadline.cancel()
        else:
            self.place.waiting = time.monotonic()
            self._deadline.set(limits.body_seconds if phase == BODY else limits.head_seconds, self._give_up)

    def _give_up(self) -> None:
        if self._phase == IDLE:
            self.transport.abort()
        else:
            self.budget.refusals["requests that were not complete in time"] += 1
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the request was not complete in time")

    def timeout_keep_alive_handler(self) -> None:
        """Disable uvicorn's deadline for the next request; the phase `IDLE` has one of its own."""

    def pause_writing(self) -> None:
        super().pause_writing()
        self._taking.set(self.budget.limits.take_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taking.cancel()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._deadline.cancel()
        self._taking.cancel()
        self.place.waiting = None
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        assert isinstance(protocol, WebConnection)
        protocol.place = self.place
        if not protocol.handshake_initiated:  # h11 and websockets disagree on what a request is
            self.budget.refusals["requests that were not HTTP"] += 1
            self.transport.write(refusal(HTTPStatus.BAD_REQUEST, "a web socket begins with a request without a body"))
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self.budget.refusals["requests that were not HTTP"] += 1
        self._refuse(HTTPStatus.BAD_REQUEST, msg)

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        """Refuse the request if no response has begun, and close the connection."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and not self.transport.get_write_buffer_size():
            is_head = self.conn.our_state is h11.SEND_RESPONSE and self.scope["method"] == "HEAD"
            self.transport.write(refusal(status, text, not is_head))
            self.transport.close()
        else:
            self.transport.abort()


class WebConnection(WebSocketsSansIOProtocol):
    """A web socket: text only, with limits on frames per message and on the time that the client takes to read."""

    budget: Budget
    place: ConnectionSlot | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.close_timeout = CLOSE_SECONDS
        self._taking = Deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._taking.cancel()
        if self.place is not None:
            self.budget.leave(self.place)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated and not self.handshake_complete:  # clients must not send before the response
            self.budget.refusals["sockets that broke the protocol"] += 1
            self.transport.abort()
        else:
            super().data_received(data)

    def pause_writing(self) -> None:
        """Stop reading from a client that doesn't read: each of its pings would need another pong."""
        super().pause_writing()
        self.transport.pause_reading()
        self._taking.set(self.budget.limits.take_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taking.cancel()
        if not self.read_paused:
            self.transport.resume_reading()

    def handle_connect(self, event: Request) -> None:
        response = self.conn.accept(event)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            super().handle_connect(event)
            return
        response.headers.update(PROTECTED)
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        self.conn.send_response(response)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def shutdown(self) -> None:
        if self.handshake_complete and self.conn.state is not State.OPEN:  # uvicorn would send a second close frame
            self.close_sent = True
        super().shutdown()

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send" and self.transport.is_closing():
            raise ClientDisconnected  # asyncio logs writes until uvicorn notices, one iteration later
        await super().send(message)
        if message["type"] == "websocket.http.response.body":  # otherwise uvicorn logs an incomplete handshake
            self.handshake_complete = True

    def handle_bytes(self, event: Frame) -> None:
        self._fail(1003, "texts only")

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= self.budget.limits.message_parts:
            self._fail(1009, "too many parts")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        self.frames = [b"".join(self.frames)]
        try:
            self.frames[0].decode()
        except UnicodeDecodeError:
            self._fail(1007, "not UTF-8")
        else:
            super().send_receive_event_to_app()

    def _fail(self, code: int, reason: str) -> None:
        if not self.close_sent:
            self.frames = []
            self.budget.refusals["sockets that broke the protocol"] += 1
            self.conn.fail(code, reason)
            self.handle_parser_exception()
