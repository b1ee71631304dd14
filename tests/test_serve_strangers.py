"""Defences of boards against strangers, and attacks that boards survive: floods, slow rules, half-open connections."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock
from urllib.request import urlopen

import pytest
from serving import Server

pytest.importorskip("starlette", reason="boards need the extra `board`")

import websockets.sync.client as client
from seats import serving
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed, InvalidState
from websockets.protocol import State

from tests.playing import HANG
from zrf_py.cli.main import main
from zrf_py.play.gallery import Games
from zrf_py.serve.connections import WebConnection
from zrf_py.serve.guard import Guard, embedder
from zrf_py.serve.limits import Bucket, Buckets, Limits
from zrf_py.serve.pool import Pool, WorkerFailed
from zrf_py.serve.reads import COSTS
from zrf_py.serve.run import Settings, listen, make_server, run
from zrf_py.text.diagnostics import ZrfError


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("boards")) as site:
        yield site


# ------------------------------------------------------------------------------------------------------------ strangers


@pytest.mark.parametrize("headers", [
    {"host": "evil.example"}, {"host": "localhost.evil.example"}, {"host": ""},
    {"host": "localhost", "origin": "http://evil.example"}, {"host": "localhost", "origin": "null"},
    {"host": "localhost:8000", "origin": "http://localhost:9000"},
    {"host": "localhost", "sec-fetch-site": "cross-site"},
    {"host": "localhost", "sec-fetch-site": "same-site"}])
def test_other_sites_are_refused(site: TestClient, headers: dict[str, str]) -> None:
    assert site.get("/api/games", headers=headers).status_code == 403
    assert site.post("/api/tables", json={"game": "chess"}, headers=headers).status_code == 403
    with pytest.raises(Exception), site.websocket_connect("/ws/x", headers=headers):  # noqa: B017 - starlette's own
        pass


def test_pages_may_run_only_our_own_scripts(site: TestClient) -> None:
    for page in ("/", "/new", "/t/anything"):
        answer = site.get(page)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy and "default-src 'none'" in policy
        assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=|https?://(?!www\.w3\.org)", answer.text)
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_only_listed_sites_may_embed_boards(tmp_path: Path) -> None:
    async def nothing(*_: Any) -> None: ...

    assert "frame-ancestors 'none'" in Guard(nothing).policy
    assert Guard(nothing, embed=("https://example.org",)).policy.endswith("frame-ancestors https://example.org")
    assert embedder("https://example.org:8080/") == "https://example.org:8080"
    for bad in ("example.org", "*", "https://*", "https://a; script-src *", "javascript:x", "https://a/b", "https://", "http://[x"):
        with pytest.raises(ZrfError):
            embedder(bad)


def test_an_invalid_embedding_site_leaves_no_listening_socket() -> None:
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    with pytest.raises(ZrfError) as refused:
        make_server(Settings("tictactoe", port=port, embed=("example.org",)))
    with listen("127.0.0.1", port) as again:  # `refused` holds the frames of the failed call, and so its sockets
        assert again.getsockname()[1] == port, refused


def test_nothing_outside_the_folder_is_served(site: TestClient) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/picture/..%2f..%2fetc%2fpasswd",
                 "/t/x/../../app.py", "/t/..%2f..%2fx/game.zsg"):
        assert b"import" not in site.get(path).content


def test_request_bodies_must_be_small_json(site: TestClient) -> None:
    for body, status in ((b"x" * (5 << 20), 413), (b"[" * 200_000, 400), (b"[]", 400), (b"\xff", 400)):
        assert site.post("/api/tables", content=body, headers=JSON).status_code == status
    assert site.post("/api/tables", data={"game": "chess"}).status_code == 400


def test_links_out_of_a_served_folder_are_not_followed(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.zrf").write_text('(game (title "Secret"))')
    (inside / "open.zrf").write_text('(game (title "Open"))')
    (inside / "link.zrf").symlink_to(tmp_path / "secret.zrf")
    games = Games(str(inside))
    assert [g.title for g in games.all() if g.is_own] == ["Open"]
    with pytest.raises(ZrfError):
        games["file/../secret.zrf"]


def test_only_known_host_names_are_accepted() -> None:
    guard = Guard(lambda *_: None, ("my-box",))  # type: ignore[arg-type,return-value]
    assert all(map(guard.is_known, ["localhost:1", "127.0.0.1:8000", "[::1]:8000", "192.168.1.5", "MY-BOX:80"]))
    assert not any(map(guard.is_known, [
        "", "evil", "127.0.0.1.evil", "localhost.", "[evil]", "127.0.0.1:80 evil", "[::1", "::1]"]))


# ----------------------------------------------------------------------------------------------------------- hard times

@pytest.mark.slow
def test_a_pool_kills_slow_calls_and_answers_the_others() -> None:
    async def run() -> None:
        pool = Pool(2)
        try:
            game = {"path": "rules/chess.zrf", "variant": None, "stamp": ""}
            await pool.ask({"op": "view", "game": game, "board": "a"}, HANG)
            with pytest.raises(WorkerFailed):
                await pool.ask({"op": "view", "game": game, "board": "b"}, 0)
            questions = [{"op": "view", "game": game, "board": str(i)} for i in range(6)]
            found = await asyncio.gather(*(pool.ask(question, HANG) for question in questions))
            assert [len(view["legs"]) for view in found] == [20] * 6
            thought = asyncio.create_task(pool.ask({"op": "view", "game": game, "board": "c"}, HANG))
            await asyncio.sleep(0)
            thought.cancel()
            await pool.ask({"op": "view", "game": game, "board": "d"}, HANG)
        finally:
            await pool.close()

    asyncio.run(run())


@pytest.mark.slow
def test_slow_rules_delay_no_other_board(tmp_path: Path) -> None:
    """On five boards a move takes minutes; a sixth is answered three times before any of them."""
    columns = "/".join(f"p{i}" for i in range(600))
    walk = "(while (on-board? e) e) (while (on-board? w) w) " * 20
    slow = tmp_path / "slow.zrf"
    slow.write_text(f"""(game (title "Slow") (players A B) (turn-order A B)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("{columns}" (9 0)) ("x/y" (0 9)))
               (directions (e 1 0) (w -1 0))))
        (piece (name M) (moves ({walk} add)))
        (board-setup (A (M {" ".join(f"p{i}x" for i in range(600))}))))""")

    async def run() -> None:
        pool = Pool(2, slow=2)
        chess = {"op": "view", "game": {"path": "rules/chess.zrf", "variant": None, "stamp": ""}, "board": "quick"}
        try:
            await pool.ask(chess, HANG)
            slow_one = {"op": "view", "game": {"path": str(slow), "variant": None, "stamp": ""}}
            heavy = [asyncio.create_task(pool.ask({**slow_one, "board": f"slow {i}"}, HANG)) for i in range(5)]
            await asyncio.sleep(0.1)
            for _ in range(3):
                await asyncio.wait_for(pool.ask(chess, HANG), HANG)
            assert not any(task.done() for task in heavy)
            for task in heavy:
                task.cancel()
            await asyncio.gather(*heavy, return_exceptions=True)
        finally:
            await pool.close()

    asyncio.run(run())


def test_missing_packages_give_one_clear_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("zrf_py.cli.serve.find_spec", lambda name: None)
    assert main(["serve"]) == 1
    said = capsys.readouterr().err
    assert "error[missing-extra]" in said and "starlette" in said
    assert " -m pip install " in said or "uv pip install" in said or "pipx inject" in said
    assert "'" not in said.partition("help:")[2]  # cmd.exe passes single quotes on


@pytest.mark.parametrize("arguments", [
    ["no-such-game"], ["--host", "203.0.113.7"], ["--port", "99999999"], ["--watch"], ["tests/spec"]])
def test_invalid_arguments_of_the_command_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *arguments]) == 1
    said = capsys.readouterr().err.splitlines()
    assert [line.startswith("error[") for line in said].count(True) == 1
    assert all(line.startswith(("error[", "  = help: ", "Reading ")) for line in said)


def test_the_address_is_reported_before_the_server_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    server = Mock(run=lambda sockets: events.append(f"serves {sockets}"))
    monkeypatch.setattr("zrf_py.serve.run.make_server", lambda _: (server, contextlib.nullcontext(), "http://x/"))
    run(Settings("chess"), events.append)
    assert [event.partition(" ")[0] for event in events] == ["http://x/", "serves"]


def test_a_token_bucket_limits_the_rate() -> None:
    bucket = Bucket(10, 3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_rules_in_words_are_generated_once(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zrf_py.serve.reads.COSTS", dict.fromkeys(COSTS, 0.0))
    asked: list[str] = []
    ask = Pool.ask

    async def counted(pool: Pool, question: dict[str, Any], *more: Any) -> Any:
        asked.append(question["op"])
        return await ask(pool, question, *more)

    monkeypatch.setattr(Pool, "ask", counted)
    boards = [site.post("/api/tables", json={"game": "tictactoe"}).json()["id"] for _ in range(2)]
    told = {site.get(f"/t/{board}/rules?language={wish}").json()["html"]
            for board in boards for wish in ("en", "de", "en", "xx")}
    assert len(told) == 2 and asked.count("words") == 2


@pytest.mark.parametrize(("path", "most"), [("rules", 1), ("sound/move", 10), ("game.zsg", 5), ("picture.svg", 20)])
def test_endless_expensive_requests_are_refused(tmp_path: Path, path: str, most: int) -> None:
    """This holds even for a board that doesn't exist; meanwhile a visitor at another address is answered."""
    with serving(tmp_path, reading=(0.0, Limits().reading[1] / 10)) as site:
        asked = [site.get(f"/t/nowhere/{path}") for _ in range(most + 1)]
        assert [answer.status_code for answer in asked] == [404] * most + [429]
        assert asked[-1].json()["error"]["code"] == "busy"
        other = TestClient(site.app, base_url="http://localhost", client=("203.0.113.7", 50_000))
        assert other.get(f"/t/nowhere/{path}").status_code == 404


@pytest.mark.parametrize("path", ["picture/nowhere", "bitmap/nowhere"])
def test_a_large_gallery_loads_at_once_within_limits(tmp_path: Path, path: str) -> None:
    with serving(tmp_path, reading=(0.0, Limits().reading[1] / 10)) as site:
        asked = [site.get(f"/{path}").status_code for _ in range(81)]
        assert asked == [404] * 80 + [429]
        assert site.get("/t/nowhere/picture.svg").status_code == 429


def test_the_number_of_remembered_visitors_is_limited() -> None:
    buckets = Buckets((0.0, 1.0), 3)
    assert all(buckets.of(f"10.0.0.{i}").take() for i in range(10)) and len(buckets._buckets) == 3
    assert not buckets.of("10.0.0.9").take()


@pytest.mark.slow
def test_ten_thousand_messages_a_second_do_no_harm(tmp_path: Path) -> None:
    """A flood of messages is cut off, while another page at the board plays and a silent connection is open."""
    server = Server(tmp_path)
    try:
        made = server.make(game="chess")
        silent = socket.create_connection(("127.0.0.1", server.port))
        url = f"ws://127.0.0.1:{server.port}/ws/{made['id']}"
        with client.connect(url) as web:
            web.send(json.dumps({"type": "join", "token": made["token"]}))
            web.recv()
            with pytest.raises(ConnectionClosed), client.connect(url) as flood:
                flood.send(json.dumps({"type": "join"}))
                for _ in range(40_000):
                    flood.send(FLOOD)
            web.send(json.dumps({"type": "play", "ply": 0, "move": "Pawn e2 - e4"}))
            while json.loads(web.recv(timeout=HANG)).get("ply") != 1:
                pass
        silent.close()
    finally:
        assert "Traceback" not in server.end()


def test_nothing_is_written_to_a_connection_that_closes() -> None:
    """Otherwise asyncio would print a line for each reply to a client that has hung up."""
    web: Any = object.__new__(WebConnection)
    web.transport, web.conn, web.writable = Mock(), Mock(), Mock(wait=AsyncMock())
    web.disconnected = web.close_sent = False
    web.handshake_complete, web.initial_response = True, None
    web.conn.data_to_send.return_value = [b"answer"]
    web.transport.is_closing.return_value = False
    asyncio.run(web.send({"type": "websocket.send", "text": "answer"}))
    web.transport.write.assert_called_once_with(b"answer")
    web.transport.is_closing.return_value = True
    with pytest.raises(OSError):
        asyncio.run(web.send({"type": "websocket.send", "text": "answer"}))
    web.transport.write.assert_called_once()


@pytest.mark.parametrize("state", [State.CLOSING, State.CLOSED])
def test_a_server_that_ends_sends_no_second_close_frame(state: State) -> None:
    """A client hangs up while the server ends: `websockets` would refuse to close twice, and uvicorn would stop at that
    error."""
    web: Any = object.__new__(WebConnection)
    web.transport, web.conn, web.queue = Mock(), Mock(state=state), Mock()
    web.conn.send_close.side_effect = InvalidState("connection is closing")
    web.close_sent, web.close_timer, web.keepalive_timer, web.handshake_complete = False, None, None, True
    web.stop_keepalive = Mock()
    web.shutdown()
    web.transport.close.assert_called_once_with()


@pytest.mark.slow
def test_a_server_that_ends_while_drawing_logs_nothing(tmp_path: Path) -> None:
    """A picture that is not finished in the time allowed for shutting down is abandoned."""
    labels = "/".join(f"x{i}" for i in range(140))
    (tmp_path / "wide.zrf").write_text(f"""(game (title "Wide") (players A B) (turn-order A B)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("{labels}" (9 0)) ("{labels.replace("x", "y")}" (0 9)))
               (directions (e 1 0) (s 0 1) (se 1 1))))
        (piece (name M) (moves (e (verify empty?) add))) (board-setup (A (M x0y0))))""")
    server = Server(tmp_path / "state", str(tmp_path))
    with contextlib.ExitStack() as asked:
        for _ in range(3):
            web = asked.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=HANG))
            web.sendall(b"GET /picture/file/wide.zrf HTTP/1.1\r\nHost: localhost\r\n\r\n")
            urlopen(f"{server.address}/api/site").close()  # once answered, the earlier request is in progress
        assert server.end() == ""


async def _cancelled() -> list[dict[str, Any]]:
    """Return the response to a request that is cancelled before it is answered."""
    sent: list[dict[str, Any]] = []

    async def never(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {"type": "http", "headers": [(b"host", b"localhost")]}
    task = asyncio.create_task(Guard(never)(scope, receive, send))
    await asyncio.sleep(0)
    task.cancel()
    await task
    return sent


def test_a_request_cancelled_at_shutdown_gets_a_reply() -> None:
    assert asyncio.run(_cancelled())[0]["status"] == 503


JSON = {"content-type": "application/json"}
FLOOD = json.dumps({"type": "hint", "filler": "x" * 1000})
