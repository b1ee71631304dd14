"""Mutated input to a server's port: methods, heads, bodies and frames, over a real connection.

The server answers each with one of its own messages or hangs up, prints nothing, and answers the next one as usual.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from functools import cached_property
from pathlib import Path
from random import Random

from tests.fuzz.mutations import spoil_bytes, spoil_words
from tests.fuzz.targets import Finding
from tests.seats import Listening, listening, rest

HEADERS = (b"Host: localhost", b"Host: 127.0.0.1:80 evil", b"Host: [x", b"Host: ", b"Origin: http://localhost",
           b"Origin: http://[x", b"Origin: null", b"Content-Length: 5", b"Content-Length: -1", b"Content-Length: 9" * 2,
           b"Transfer-Encoding: chunked", b"Transfer-Encoding: gzip, chunked", b"Content-Type: application/json",
           b"Connection: Upgrade", b"Upgrade: websocket", b"Upgrade: h2c", b"Sec-WebSocket-Version: 13",
           b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", b"Sec-WebSocket-Protocol: \xff", b"Expect: 100-continue",
           b"X-Forwarded-For: \xff, ::1, 10.0.0.1", b"Range: bytes=5-1", b"Range: bytes=0-0,2-3", b"X: " + b"y" * 9_000,
           b"Sec-Fetch-Site: cross-site", b"If-Modified-Since: 99", b"Accept: \x80", b"Connection: close")
METHODS = (b"GET", b"GET", b"POST", b"HEAD", b"PUT", b"OPTIONS", b"CONNECT", b"BREW", b"get")
PATHS = (b"/", b"/new", b"/api/games", b"/api/tables", b"/api/boards", b"/api/site", b"/static/board.js",
         b"/static/%00", b"/static/..%2f..%2f", b"/t/x/rules", b"/t/x/game.zsg", b"/t/%ff/picture.svg",
         b"/t/x/sound/%00", b"/ws/x", b"/picture/tictactoe", b"/picture/%00", b"/picture/%ed%a0%80", b"/bitmap/x", b"*",
         b"http://evil/", b"evil:80", b"/?" + b"a=%zz&" * 40, b"//", b"/t/" + b"x" * 5_000)
BODIES = (b"", b"hello", b'{"game": "tictactoe"}', b"5\r\nhello\r\n0\r\n\r\n", b"zz\r\n", b"ffffffffffffffff\r\n",
          b"[" * 9_000, b'{"ids": [[]]}', b'{"game": "\\ud800"}', b'{"link": "\xff"}', b'{"zsg": "\\u0000"}')
UPGRADE = (b"GET /ws/%s HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
TEXTS = (b'{"type": "join"}', b'{"type": "join", "token": "\xc3\xa9"}', b'{"type": "join", "token": "\\ud800"}',
         b"\xff\xfe", b"", b'{"type": "play", "ply": 0, "move": "a1"}', b'{"type": []}', b"x" * 100,
         b"\x03\xe8", b"\x00")
SECONDS = 0.1
"""Deadlines of the server in seconds, short so that unfinished requests end soon."""


class Connections:
    """An input is a list of pieces to send, with `BOARD` in place of a board's name."""

    ending = ".json"

    def __init__(self, corpus: Path | None = None) -> None:
        self.stack = contextlib.ExitStack()

    @cached_property
    def server(self) -> Listening:
        """A server in this process, without a limit on new boards."""
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        return self.stack.enter_context(listening(
            folder, new_tables=(1e9, 1e9), reading=(1e9, 1e9), head_seconds=SECONDS, body_seconds=SECONDS,
            join_seconds=SECONDS, ping_seconds=SECONDS, take_seconds=5.0))

    @cached_property
    def board(self) -> bytes:
        """The name of a board."""
        body = b'{"game": "tictactoe"}'
        said = self.server.ask(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                               b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        return str(json.loads(said.partition(b"\r\n\r\n")[2])["id"]).encode()

    def make(self, random: Random) -> bytes:
        pieces = self._frames(random) if random.random() < 0.4 else [
            self._request(random) for _ in range(random.choice((1, 1, 2, 3)))]
        spoilt = [random.choice((spoil_bytes, spoil_words))(p, pieces, random) if random.random() < 0.3 else p
                  for p in pieces]
        return json.dumps([piece.decode("latin-1") for piece in spoilt]).encode()

    def _request(self, random: Random) -> bytes:
        headers = random.sample(HEADERS, random.randrange(8))
        if random.random() < 0.7:
            headers = [b"Host: localhost", *(h for h in headers if not h.startswith(b"Host"))]
        version = random.choice((b"1.1", b"1.1", b"1.0", b"9"))
        line = b"%s %s HTTP/%s" % (random.choice(METHODS), random.choice(PATHS), version)
        return b"\r\n".join([line, *headers, b"", b""]) + random.choice(BODIES)

    def _frames(self, random: Random) -> list[bytes]:
        frames = [UPGRADE % b"BOARD", frame(b'{"type": "join"}', 0x81)][: random.choice((1, 2, 2))]
        for _ in range(random.randrange(6)):
            first = random.choice((0x81, 0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89, 0x8A, random.randrange(256)))
            frames.append(frame(random.choice(TEXTS), first) * random.choice((1, 1, 1, 50, 1_500)))
        return frames

    def run(self, data: bytes) -> None:
        pieces = [piece.encode("latin-1").replace(b"BOARD", self.board) for piece in json.loads(data)]
        with self.server.connect() as web:
            with contextlib.suppress(ConnectionError):
                for piece in pieces:
                    web.sendall(piece)
            said = rest(web)
        if said and not said.startswith((b"HTTP/1.1 1", b"HTTP/1.1 2", b"HTTP/1.1 3", b"HTTP/1.1 4", b"HTTP/1.1 503")):
            raise Finding(f"an answer of another kind: {said[:200]!r}")
        head = said.partition(b"\r\n\r\n")[0]
        if said and not said.startswith(b"HTTP/1.1 1") and b"x-content-type-options: nosniff" not in head:
            raise Finding(f"an answer without the headers of every answer: {head!r}")
        if self.server.status() != 200:
            raise Finding("nobody else is answered any more")
        if self.server.said:
            printed = self.server.said.pop()[-2_000:]
            self.server.said.clear()
            raise Finding(f"printed: {printed}")


def frame(data: bytes, first: int) -> bytes:
    """A short frame as a browser sends it; `first` is its first byte."""
    return bytes([first, 0x80 | len(data)]) + bytes(4) + data
