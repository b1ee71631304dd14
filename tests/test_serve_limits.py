"""Real connections: deadlines, limits for each visitor, and malformed requests."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

import websockets.sync.client as client
from seats import Listening, get, listening, rest
from serving import Server
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tests.playing import HANG, some_of
from zrf_py.serve import run
from zrf_py.serve.limits import Budget, ConnectionSlot, Full, Limits, visitor
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import text_of

SHORT: dict[str, Any] = {"head_seconds": 0.3, "body_seconds": 0.3, "join_seconds": 0.3, "ping_seconds": 0.3,
                         "take_seconds": 0.3}
UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
POST = (b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 19\r\n\r\n{\"game\":")
JOIN = b'{"type": "join", "token": "xyz"}'


def frame(data: bytes, opcode: int = 1, fin: bool = True) -> bytes:
    """Return a short WebSocket frame as a browser would send it."""
    assert len(data) < 126
    return bytes([opcode | (0x80 if fin else 0), 0x80 | len(data)]) + bytes(4) + data


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    """A server with the usual deadlines."""
    with listening(tmp_path_factory.mktemp("boards")) as server:
        yield server


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    """A server with short deadlines."""
    with listening(tmp_path_factory.mktemp("boards"), **SHORT) as server:
        yield server


def make_board(server: Listening, game: str = "tictactoe", **wish: Any) -> dict[str, str]:
    wish = {"game": game, **wish}
    request = Request(f"http://127.0.0.1:{server.port}/api/tables", json.dumps(wish).encode(),
                      {"content-type": "application/json"})
    made: dict[str, str] = json.load(urlopen(request, timeout=HANG))
    return made


# ------------------------------------------------------------------------------------------------------------ deadlines


@pytest.mark.parametrize(("data", "answers"), [
    (b"", []), (b"GET / HTTP/1.1\r\nHost: loc", [408]), (get("/api/site") + b"GET / HT", [200, 408]),
    (POST, [408]), (get("/api/site") + POST, [200, 408]), (get("/ws/x", *UPGRADE)[:-2], [408]),
    (get("/api/site", "Content-Length: 5") + b"abc", [408])])
def test_unfinished_requests_are_dropped(
    hasty: Listening, data: bytes, answers: list[int],
) -> None:
    """This holds for first and later requests on a connection, for heads, bodies and handshakes."""
    said = hasty.ask(data)
    assert [int(part.split()[0]) for part in said.split(b"HTTP/1.1 ")[1:]] == answers


def test_sockets_that_never_join_or_answer_no_ping_are_closed(hasty: Listening) -> None:
    board = make_board(hasty)
    for more in (b"", frame(JOIN)):
        with hasty.connect() as web:
            web.sendall(get(f"/ws/{board['id']}", *UPGRADE))
            assert web.recv(12) == b"HTTP/1.1 101"
            web.sendall(more)
            rest(web)


def test_clients_that_read_no_answer_are_dropped(hasty: Listening) -> None:
    """They read neither the answers to requests nor the pongs."""
    board = make_board(hasty)
    for first, more in ((b"", get("/static/desk-editor.js")),
                        (get(f"/ws/{board['id']}", *UPGRADE), frame(b"x" * 100, 9) * 500)):
        with hasty.connect() as web:
            web.settimeout(0.2)
            web.sendall(first)
            with pytest.raises(ConnectionError):
                for _ in range(HANG * 20):
                    with contextlib.suppress(TimeoutError):
                        web.sendall(more)
                    time.sleep(0.05)


# --------------------------------------------------------------------------------------------------------------- shares


def held(server: Listening, data: bytes, count: int, source: str, first: bytes = b"") -> list[socket.socket]:
    """Return open connections; each has sent `first`, a whole request unless it is empty, and then `data`."""
    connections = []
    for _ in range(count):
        web = server.connect(source)
        web.sendall(first)
        assert not first or web.recv(1 << 16).startswith(b"HTTP/1.1 200")
        web.sendall(data)
        connections.append(web)
    return connections


@pytest.mark.parametrize("source", ["127.0.0.1", "127.0.0.2"])
@pytest.mark.parametrize(("first", "data"), [(b"", b""), (get("/api/site"), b"GET / HTTP/1.1\r\nX-a: "), (b"", POST)])
def test_held_connections_do_not_block_visitors(tmp_path: Path, source: str, first: bytes, data: bytes) -> None:
    """They block neither visitors from other addresses nor those from the same one, however long they are held."""
    with listening(tmp_path, head_seconds=HANG, body_seconds=HANG, connections=40, connections_each=30) as server:
        connections = held(server, data, 60, source, first)
        assert server.status() == 200 and server.status("127.0.0.3") == 200
        assert server.budget.refusals["connections closed in favour of newer ones"] >= 30
        for web in connections:
            web.close()


def test_one_visitor_cannot_take_all_sockets(tmp_path: Path) -> None:
    with listening(tmp_path, sockets=6, sockets_each=4, watchers_each=3) as server:
        board = make_board(server)
        ask = get(f"/ws/{board['id']}", *UPGRADE) + frame(JOIN)
        connections = held(server, ask, 4, "127.0.0.2")
        said = [web.recv(12) for web in connections]
        assert said == [b"HTTP/1.1 101"] * 4
        refused = server.ask(ask, "127.0.0.2")
        assert refused.startswith(b"HTTP/1.1 503") and b"content-security-policy" in refused
        with client.connect(f"ws://127.0.0.1:{server.port}/ws/{board['id']}") as web:
            web.send(json.dumps({"type": "join", "token": board["token"]}))
            assert json.loads(web.recv(timeout=HANG))["type"] == "state"
        for one in connections:
            one.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize(("files", "connections", "each", "sockets", "sockets_each"), [
    (-1, 600, 200, 400, 100), (1024, 600, 200, 400, 100), (450, 300, 100, 200, 50), (64, 75, 25, 50, 12)])
def test_connections_are_limited_by_the_number_of_open_files(
    files: int, connections: int, each: int, sockets: int, sockets_each: int, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A visitor gets a third of the connections and a quarter of the sockets. If `files` is -1, files are unlimited."""
    import resource

    most = resource.RLIM_INFINITY if files < 0 else files
    monkeypatch.setattr(resource, "getrlimit", lambda kind: {resource.RLIMIT_NOFILE: (most, most)}[kind])
    limits = run._within_files(Limits())
    assert (limits.connections, limits.connections_each) == (connections, each)
    assert (limits.sockets, limits.sockets_each) == (sockets, sockets_each)
    few = Limits(connections=5, connections_each=4, sockets=3, sockets_each=2)
    assert run._within_files(few) == few


def test_watchers_do_not_shut_out_players(tmp_path: Path) -> None:
    with listening(tmp_path, watchers=3, watchers_each=2) as server:
        board = make_board(server)
        url = f"ws://127.0.0.1:{server.port}/ws/{board['id']}"
        with contextlib.ExitStack() as stack:
            types = []
            for token in ("", "", "", board["token"], board["token"]):
                web = stack.enter_context(client.connect(url))
                web.send(json.dumps({"type": "join", "token": token}))
                types.append(json.loads(web.recv(timeout=HANG))["type"])
        assert types == ["state", "state", "gone", "state", "state"]
        assert server.budget.refusals["too many watchers"] == 1


def test_new_boards_are_counted_for_each_visitor(tmp_path: Path) -> None:
    """The header with a visitor's address is trusted only from the configured proxies."""
    body = b'{"game": "tictactoe"}'
    ask = (b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
           b"X-Forwarded-For: 10.0.0.%d\r\nContent-Length: 21\r\n\r\n" + body)
    for proxies, expected in (((), [201, 201, 429, 201]), (("127.0.0.1",), [201, 201, 201, 201])):
        with listening(tmp_path / str(len(proxies)), proxies, new_tables=(0.0, 2.0)) as server:
            said = [server.ask(ask % i) for i in range(3)] + [server.ask(ask % 9, "127.0.0.2")]
        assert [int(part.split()[1]) for part in said] == expected


def test_connections_are_admitted_and_displaced_by_visitor() -> None:
    """To admit a new connection, the one that has waited longest is closed, preferably one of the same visitor; a
    connection that is being answered stays."""
    closed: list[int] = []
    budget = Budget(Limits(connections=4, connections_each=2), proxies=["::ffff:9.9.9.9"])

    def come(number: int, who: str, waiting: float | None) -> bool:
        return budget.enter(ConnectionSlot(who, lambda: closed.append(number), waiting))

    assert come(0, "a", 5.0) and come(1, "a", 3.0) and come(2, "a", 4.0) and closed == [1]
    assert come(3, "b", None) and come(4, "b", None) and not come(5, "b", 1.0) and closed == [1]
    assert come(6, "c", None) and closed == [1, 2]
    assert come(7, "9.9.9.9", None) and closed == [1, 2, 0]
    assert not come(8, "9.9.9.9", 1.0) and not come(9, "d", 1.0)
    assert "too many connections: 3" in budget.summary()


def test_requests_of_a_visitor_are_counted_while_they_are_answered() -> None:
    budget = Budget(Limits(requests_each=1))
    with budget.share("requests", "a"), budget.share("requests", "b"), pytest.raises(Full), budget.share(
            "requests", "a"):
        pass
    with budget.share("requests", "a"):
        pass


def test_only_the_visitor_who_sends_a_flood_waits() -> None:
    budget = Budget(Limits(requests=(0.001, 3.0), turn_seconds=2_000.0))
    assert [round(budget.turn("flood") / 1_000) for _ in range(5)] == [0, 0, 0, 1, 2]
    with pytest.raises(Full):
        budget.turn("flood")
    assert budget.turn("friend") == 0
    assert "too many requests: 1" in budget.summary()


def test_excess_requests_of_a_visitor_are_refused(tmp_path: Path) -> None:
    with listening(tmp_path, requests=(0.001, 2.0), turn_seconds=0.0) as server:
        request = b"GET /api/site HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

        def status(source: str) -> bytes:
            with socket.create_connection(("127.0.0.1", server.port), HANG, (source, 0)) as web:
                web.sendall(request)
                return web.recv(1 << 16).split()[1]

        assert [status("127.0.0.2") for _ in range(4)] == [b"200", b"200", b"503", b"503"]
        assert status("127.0.0.3") == b"200"


def test_clients_that_send_before_the_handshake_are_cut_off(tmp_path: Path) -> None:
    """The server delays the handshake longer in each attempt, since a busy machine may send the next bytes late."""
    for seconds in (0.5, 4.0, 30.0):
        with listening(tmp_path / str(seconds), requests=(0.5 / seconds, 0.5), turn_seconds=HANG) as server:
            with server.connect() as web:
                web.sendall(get("/ws/x", *UPGRADE))
                while not any(bucket.level < 0 for bucket in server.budget._requests._buckets.values()):
                    time.sleep(0.01)
                web.sendall(b"\xff" * 40)
                said = rest(web)
            while not server.budget.refusals["sockets that broke the protocol"]:
                time.sleep(0.01)
        if not said:
            return
    pytest.fail("the socket was opened before it was cut off")


@pytest.mark.parametrize(("address", "who"), [
    ("10.0.0.7", "10.0.0.7"), ("::ffff:10.0.0.7", "10.0.0.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::/64"), ("testclient", "testclient")])
def test_visitors_are_distinguished_by_address(address: str, who: str) -> None:
    assert visitor(address) == who


# ------------------------------------------------------------------------------------------------------------ malformed


@pytest.mark.parametrize(("data", "status"), [
    (get("/", "Origin: http://[x"), 403), (get("/", "Origin: http://"), 403), (get("/", "Origin: é"), 403),
    (get("/", host="127.0.0.1:80 evil"), 400), (get("/", host="[x"), 400), (get("/", host="localhost:80:80"), 400),
    (get("/", "x" * 70_000), 400), (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400), (b"GET / HTTP/9.9\r\n\r\n", 403),
    (b"GET / HTTP/1.1\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), (b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    (get("/static/%00"), 404), (get("/t/%ff%00/rules"), 404), (get("/picture/%00%ed%a0%80"), 404),
    (get("/api/games", *UPGRADE), 404), (get("/ws/x", *UPGRADE, "Content-Length: 5") + b"hello", 400),
    (get("/ws/x", *UPGRADE[:3], "Sec-WebSocket-Key: x"), 400),
    (get("/ws/x", *UPGRADE, "Origin: http://[x"), 403),
    (get("/", "Content-Length: 9999999") + b"x" * (2 << 20), 413),
    (get("/", "Transfer-Encoding: chunked") + b"zz\r\n", 400),
    (get("/", "Transfer-Encoding: chunked").replace(b"GET", b"HEAD") + b"zz\r\n", 400)])
def test_malformed_requests_are_refused_with_the_usual_headers(
    hasty: Listening, data: bytes, status: int,
) -> None:
    said = hasty.ask(data)
    assert said.split()[1] == str(status).encode()
    assert b"content-security-policy: default-src 'none'" in said and b"x-content-type-options: nosniff" in said


@pytest.mark.parametrize(("data", "code"), [
    (frame(b"\x00\x01", 2), 1003), (frame(b'{"type": "\xff"}'), 1007),
    (frame(b"a", fin=False) + frame(b"\xff", 0), 1007),
    (frame(b"a", fin=False) + frame(b"", 0, fin=False) * 2_000, 1009), (frame(b"", 0), 1002), (b"\xff" * 20, 1002)])
def test_frames_that_are_not_text_close_the_socket(patient: Listening, data: bytes, code: int) -> None:
    board = make_board(patient)
    with patient.connect() as web:
        web.sendall(get(f"/ws/{board['id']}", *UPGRADE))
        assert web.recv(12) == b"HTTP/1.1 101"
        web.sendall(frame(JOIN) + data)
        assert b"\x88" in (said := rest(web)) and code.to_bytes(2, "big") in said[said.rindex(b"\x88"):]


@pytest.mark.parametrize("token", ["é", "\ud800", ["x"], None, 5, "x" * 10_000])
def test_unknown_tokens_give_no_seat(patient: Listening, token: Any) -> None:
    board = make_board(patient)
    with client.connect(f"ws://127.0.0.1:{patient.port}/ws/{board['id']}") as web:
        web.send(json.dumps({"type": "join", "token": token}))
        state = json.loads(web.recv(timeout=HANG))
        assert (state["type"], state["you"]) == ("state", [])


def test_malformed_messages_to_the_rules_editor_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.zrf").write_text('(game (title "X"))')
    with listening(tmp_path / "boards", wish=str(tmp_path / "x.zrf"), edit=True) as server:
        url, token = f"ws://127.0.0.1:{server.port}/ws/desk", server.address.partition("#")[2]
        for bad in ("é", "\ud800", []):
            with client.connect(url) as web:
                web.send(json.dumps({"type": "join", "token": bad}))
                assert json.loads(web.recv(timeout=HANG))["type"] == "gone"
        with client.connect(url) as web:
            web.send(json.dumps({"type": "join", "token": token}))
            assert json.loads(web.recv(timeout=HANG))["type"] == "file"
            for bad in ([], {}, "x", None, 1.5, True):
                web.send(json.dumps({"type": "text", "text": "x", "version": bad}))
            web.send(json.dumps({"type": "ask", "id": 7, "what": []}))
            web.send(json.dumps({"type": "ask", "id": 8, "what": "complete", "at": float("inf")}))
            heard = iter(lambda: json.loads(web.recv(timeout=HANG)), None)  # news of the file may come between
            answers = [*islice((message for message in heard if message["type"] == "answer"), 8)]
            assert len(answers) == 8 and all("problem" in answer for answer in answers)


DESK_FILES = {"in/x.zrf": '(include "part.inc") (game (title "X"))', "in/x.md": "tests", "in/part.inc": "; part",
              "secret.zrf": "secret"}


@pytest.mark.parametrize(("name", "becomes"), some_of([
    *product(["../secret.zrf", "/etc/hostname", "..", "", "in/../../secret.zrf", "x\0.zrf", "\ud800", "y" * 999], [""]),
    *product(["x.zrf", "x.md", "part.inc"], ["link", "folder", "pipe", "gone"])], 4),
    ids=lambda value: ascii(value)[:30])
def test_the_rules_editor_writes_only_the_files_that_it_shows(tmp_path: Path, name: str, becomes: str) -> None:
    """It writes no file of another name, and none that has been replaced by a link, folder or pipe; a deleted file is
    written again."""
    for file, text in DESK_FILES.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    with listening(tmp_path / "boards", wish=str(tmp_path / "in" / "x.zrf"), edit=True) as server, client.connect(
            f"ws://127.0.0.1:{server.port}/ws/desk") as web:
        def read(kind: str) -> dict[str, Any]:
            while (message := json.loads(web.recv(timeout=HANG)))["type"] != kind:
                pass
            return dict(message)

        web.send(json.dumps({"type": "join", "token": server.address.partition("#")[2]}))
        read("problems")
        if becomes:
            (tmp_path / "in" / name).unlink()
            make = {"link": lambda at: at.symlink_to(tmp_path / "secret.zrf"), "folder": Path.mkdir,
                    "pipe": os.mkfifo, "gone": lambda at: None}
            make[becomes](tmp_path / "in" / name)
        at = tmp_path / "in" / name
        mark = hashlib.sha256(at.read_bytes() if os.path.isfile(at) else b"").hexdigest()
        wish = {"type": "ask", "what": "save", "name": name, "text": "new", "mark": mark}
        web.send(json.dumps(wish))
        answer = read("answer")
        web.send(json.dumps({"type": "ask", "what": "open", "name": "x.zrf"}))
        read("answer")
    assert ("value" in answer) == (becomes == "gone"), answer
    changed = {file for file, text in DESK_FILES.items()
               if (at := tmp_path / file).is_file() and not at.is_symlink() and at.read_text() != text}
    assert changed == ({f"in/{name}"} if becomes == "gone" else set())


def test_the_rules_editor_refuses_other_sites(tmp_path: Path) -> None:
    (tmp_path / "x.zrf").write_text("")
    with listening(tmp_path / "boards", wish=str(tmp_path / "x.zrf"), edit=True) as server, pytest.raises(
            InvalidStatus), client.connect(f"ws://127.0.0.1:{server.port}/ws/desk", origin=Origin("http://evil.example")):
        pass


def test_a_client_that_disconnects_during_a_request_leaves_no_trace(patient: Listening) -> None:
    for data in (POST, get("/static/desk-editor.js"), get("/picture/chess")):
        web = patient.connect()
        web.sendall(data)
        web.close()
    assert patient.status() == 200


def test_refusals_are_summed_up_at_the_end(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with socket.create_connection(("127.0.0.1", server.port), HANG) as web:
        web.sendall(b"nonsense\r\n\r\n" * 2)
        rest(web)
    assert server.end() == "Refused: requests that were not HTTP: 1\n"


# ------------------------------------------------------------------------------------------------ a game under attack


def play_to_the_end(server: Server, done: list[str]) -> None:
    """Let two people play at a board to the end, each with a socket of its own; append the outcome to `done`."""
    made = server.make(game="tictactoe", seats=["human", "link"])
    url = f"ws://127.0.0.1:{server.port}/ws/{made['id']}"
    with client.connect(url) as x, client.connect(url) as o:
        x.send(json.dumps({"type": "join", "token": made["token"]}))
        state = json.loads(x.recv(timeout=HANG))
        o.send(json.dumps({"type": "join", "token": state["links"]["O"]}))
        ply = 0
        while True:
            mover, other = (x, o) if ply % 2 == 0 else (o, x)
            while state.get("ply") != ply or not state.get("live"):
                state = json.loads(mover.recv(timeout=HANG))
            if state["outcome"]:
                break
            mover.send(json.dumps({"type": "play", "ply": ply, "move": state["legs"][0][0]}))
            ply += 1
            state = json.loads(other.recv(timeout=HANG))
    done.append(state["outcome"]["text"])


@pytest.mark.slow
@pytest.mark.parametrize("source", ["127.0.0.1", "127.0.0.2"])
def test_game_goes_on_whatever_connections_an_attacker_holds(tmp_path: Path, source: str) -> None:
    """599 connections at a time, each with one request and half of the next, are held and made again while two people
    play."""
    server = Server(tmp_path)
    stop, done, hostile = threading.Event(), list[str](), deque[socket.socket]()

    def hold() -> None:
        while not stop.is_set():
            time.sleep(0.002 if len(hostile) < 599 else 0.05)
            with contextlib.suppress(OSError):
                hostile.append(web := socket.create_connection(("127.0.0.1", server.port), HANG, (source, 0)))
                web.sendall(get("/api/site") + b"GET / HTTP/1.1\r\nHost: x\r\nX-a: ")
            if len(hostile) > 599:
                hostile.popleft().close()
        for web in hostile:
            web.close()

    third = threading.Thread(target=hold)
    third.start()
    try:
        while len(hostile) < 599:
            play_to_the_end(server, done)
        play_to_the_end(server, done)
        assert len(done) > 1 and all("won" in text for text in done)
        assert urlopen(f"{server.address}/api/site", timeout=HANG).status == 200
    finally:
        stop.set()
        third.join()
        said = server.end()
    assert said.startswith("Refused: ") and "closed in favour of newer ones" in said and "Traceback" not in said


# ---------------------------------------------------------------------------------------------------- start and address


def test_a_server_prints_its_address_first_and_frees_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the server fails, the port is freed, too."""
    done: list[Any] = []
    listener = contextlib.closing(SimpleNamespace(close=lambda: done.append("closed")))

    def serve(sockets: list[Any]) -> None:
        done.append(sockets == [listener])
        if len(done) > 3:
            raise OSError("it fails")

    server = SimpleNamespace(run=serve)
    monkeypatch.setattr(run, "make_server", lambda settings: (server, listener, f"http://{settings.host}/"))
    run.run(run.Settings(host="here"), done.append)
    assert done == ["http://here/", True, "closed"]
    with pytest.raises(OSError, match="it fails"):
        run.run(run.Settings(host="there"), done.append)
    assert done[3:] == ["http://there/", True, "closed"]


def test_printed_addresses_open_in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_own_address", lambda: "192.0.2.7")
    hosts = {"127.0.0.1": "127.0.0.1", "localhost": "localhost", "0.0.0.0": "192.0.2.7", "::": "192.0.2.7",
             "::1": "[::1]"}
    assert {host: run.address(host, 80) for host in hosts} == {
        host: f"http://{name}:80/" for host, name in hosts.items()}
    assert [host for host in (*hosts, "127.9.9.9", "10.0.0.1", "a.b") if run._is_loopback(host)] == [
        "127.0.0.1", "localhost", "::1", "127.9.9.9"]


def test_the_address_in_the_network_is_one_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server can listen on it; without a network, it is the machine's name."""
    own = run._own_address()
    assert own not in ("0.0.0.0", "::"), "that is no address to type"
    with run.listen(own, 0) as listener:
        assert listener.getsockname()[1]

    def fails(*_: object) -> None:
        raise OSError("there is no network")

    monkeypatch.setattr(run.socket, "socket", fails)
    monkeypatch.setattr(run.socket, "gethostname", lambda: "box")
    assert run._own_address() == "box"


@pytest.mark.parametrize("longest", [0, 1, 5])
def test_message_texts_may_reach_the_documented_length(longest: int) -> None:
    for length in range(longest + 1):
        assert text_of({"name": "x" * length}, "name", longest) == "x" * length
    for wrong in ("x" * (longest + 1), None, 5, ["x"]):
        with pytest.raises(Refused, match=f"`name` must be a string of at most {longest} characters"):
            text_of({"name": wrong, "other": ""}, "name", longest)
