"""The server's side of boards: what it tells, what it allows, what it survives."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from serving import Server

pytest.importorskip("starlette", reason="boards need the extra `board`")

import websockets.sync.client as client
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed

from zrf_py.cli.main import main
from zrf_py.serve.app import make_app
from zrf_py.serve.games import Games
from zrf_py.serve.guard import Bucket, Guard
from zrf_py.serve.house import House, Pace
from zrf_py.serve.links import MAX_PLAIN, pack, unpack
from zrf_py.serve.pool import Pool, WorkerFailed
from zrf_py.serve.run import Settings, make_house, make_server
from zrf_py.serve.sockets import Socket
from zrf_py.serve.store import Store
from zrf_py.serve.table import Table
from zrf_py.text.diagnostics import ZrfError

HERE = {"host": "localhost"}


@contextlib.contextmanager
def serving(state: Path, wish: str | None = None, watch: bool = False) -> Iterator[TestClient]:
    house, pictures = make_house(Settings(wish, state=state, pace=Pace(0, 0)))
    with TestClient(make_app(house, pictures, watch=watch), base_url="http://localhost", headers=HERE) as site:
        yield site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("boards")) as site:
        yield site


class Seat:
    """Somebody at a table: keeps the state as a page would."""

    def __init__(self, web: Any, id: str, token: str) -> None:
        self.web = web
        self.id, self.token = id, token
        self.state: dict[str, Any] = {}
        self.plies: list[Any] = []
        self.said: list[dict[str, Any]] = []
        self.tell(type="join", token=token)
        self.until(lambda s: True)

    def tell(self, **message: Any) -> None:
        self.web.send_text(json.dumps(message))

    def read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.web.receive_text())
        if message["type"] == "state":
            self.plies[message["from"] :] = message["plies"]
            self.state |= message
        else:
            self.said.append(message)
        return message

    def until(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read until a state is as wanted."""
        while True:
            message = self.read()
            assert message["type"] != "problem", message
            if message["type"] == "state" and true(self.state):
                return self.state

    def answer(self, kind: str) -> dict[str, Any]:
        """Read until a message of a kind."""
        while True:
            message = self.read()
            if message["type"] == kind:
                return message
            assert message["type"] != "problem", message

    def play(self, *moves: str) -> dict[str, Any]:
        for move in moves:
            ply = self.state["ply"]
            self.tell(type="play", ply=ply, move=move)
            self.until(lambda s, ply=ply: s["ply"] > ply)
        return self.state

    def legs(self) -> list[str]:
        return [leg[0] for leg in self.state["legs"]]


@contextlib.contextmanager
def seated(site: TestClient, **wish: Any) -> Iterator[Seat]:
    made = site.post("/api/tables", json=wish).json() if "id" not in wish else wish
    with site.websocket_connect(f"/ws/{made['id']}", headers=HERE) as web:
        yield Seat(web, made["id"], made.get("token", ""))


# --------------------------------------------------------------------------------------------------------- what is told


def test_the_gallery_has_every_game_and_its_picture(site: TestClient) -> None:
    games = site.get("/api/games").json()["games"]
    assert {"chess", "monks-2p", "platonic-adv-4p"} <= {g["id"] for g in games}
    picture = site.get("/picture/tictactoe")
    assert picture.text.startswith("<svg") and "sandbox" in picture.headers["content-security-policy"]
    assert site.get("/picture/nothing").status_code == 404


def test_a_state_has_what_a_page_needs(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        state = white.state
        assert (state["player"], state["ply"], len(state["legs"]), state["you"]) == ("White", 0, 20, ["White", "Black"])
        e2, e4 = (state["info"]["places"].index(name) for name in ("e2", "e4"))
        assert ["Pawn e2 - e4", e2, e4, -1, ""] in state["legs"]
        state = white.play("Pawn e2 - e4")
        assert (state["player"], state["moved"], white.plies) == (
            "Black", [[e2, e4]], [["Pawn e2 - e4", "White", False, False, False]])


def test_a_browser_is_told_only_what_is_new(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        white.play("Pawn e2 - e4")
        white.tell(type="play", ply=1, move="Pawn e7 - e5")
        news = white.answer("state")
        assert news["from"] == 1 and len(news["plies"]) == 1 and "info" not in news
        white.tell(type="overlays", overlays=["zones", "nonsense"])
        white.answer("state")


def test_drops_promotions_and_passes_can_be_told_apart(site: TestClient) -> None:
    with seated(site, game="platonic-simple-2p") as south:
        b1 = [leg for leg in south.state["legs"] if leg[0].endswith(" b1")]
        assert {leg[3] for leg in b1} == {0, 1, 2, 3} and {leg[1] for leg in b1} == {-1}
    line = ["(x a7)", "(x a8)", "(White Pawn a7)"]
    with seated(site, link=pack("chess", None, line)) as white:
        assert sorted(leg[4] for leg in white.state["legs"] if "a7 - a8" in leg[0]) == [
            "Bishop", "Knight", "Queen", "Rook"]


# ------------------------------------------------------------------------------------------------------ what is allowed


def test_only_legal_moves_of_the_position_that_was_meant(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        white.tell(type="play", ply=0, move="Pawn e2 - e5")
        assert "not a legal move" in white.answer("problem")["summary"]
        white.tell(type="play", ply=7, move="Pawn e2 - e4")
        assert white.answer("state")["ply"] == 0
        for junk in ({"type": "play", "ply": 0, "move": 5}, {"type": "goto", "ply": -1}, {"type": "goto", "ply": "x"},
                     {"type": "fly"}, {}, {"type": "seat", "player": "Green", "who": "human"},
                     {"type": "seat", "player": "White", "who": "god"}, {"type": "new", "variant": "no"},
                     {"type": "load", "text": "junk"}, {"type": "load", "text": "x" * 300_000}):
            white.tell(**junk)
            assert white.answer("problem")["summary"]
        for text in ("[1, 2", "[" * 5_000):
            white.web.send_text(text)
            assert white.answer("problem")["code"] == "bad-message"
        white.play("Pawn e2 - e4")


def test_seats_by_link(site: TestClient) -> None:
    with seated(site, game="chess", seats=["human", "link"]) as white:
        token = white.state["links"]["Black"]
        with (seated(site, id=white.id, token=token) as black, seated(site, id=white.id) as nobody):
            assert (white.state["you"], black.state["you"], nobody.state["you"]) == (["White"], ["Black"], [])
            assert "links" not in black.state
            black.tell(type="play", ply=0, move="Pawn e2 - e4")
            assert black.answer("problem")["code"] == "not-your-turn"
            white.play("Pawn e2 - e4")
            white.tell(type="play", ply=1, move="Pawn e7 - e5")
            assert white.answer("problem")["code"] == "not-your-turn"
            black.until(lambda s: s["ply"] == 1)
            black.play("Pawn e7 - e5")
            for forbidden in ({"type": "undo"}, {"type": "hint"}, {"type": "seat", "player": "White", "who": "random"}):
                nobody.tell(**forbidden)
                assert nobody.answer("problem")["code"] == "not-yours"
            black.tell(type="new")
            assert black.answer("problem")["code"] == "not-yours"


# ----------------------------------------------------------------------------------------------------------- going back


def test_taking_back_against_a_computer(site: TestClient) -> None:
    """One takes back to one's own choice; where a computer is to move it waits until somebody goes on."""
    with seated(site, game="breakthrough", seats=["human", "random"]) as white:
        white.play(white.legs()[0])
        white.until(lambda s: s["ply"] == 2)
        white.play(white.legs()[0])
        white.until(lambda s: s["ply"] == 4 and not s["thinking"])
        white.tell(type="undo")
        white.until(lambda s: s["ply"] == 2)
        white.tell(type="goto", ply=1)
        assert white.until(lambda s: s["ply"] == 1)["paused"]
        assert len(white.plies) == 4
        white.tell(type="redo")
        white.until(lambda s: s["ply"] == 2)
        white.tell(type="goto", ply=1)
        white.until(lambda s: s["ply"] == 1)
        white.tell(type="resume")
        white.until(lambda s: s["ply"] == 2 and not s["thinking"])
        assert len(white.plies) == 2


def test_computers_play_to_the_end(site: TestClient) -> None:
    for seats in (["random", "greedy"], ["ai:1", "ai:3"]):
        with seated(site, game="tictactoe", seats=seats) as watcher:
            assert watcher.until(lambda s: bool(s["outcome"]))["ply"] >= 5


def test_other_seats_do_not_wake_a_computer_that_waits(site: TestClient) -> None:
    with seated(site, game="breakthrough", seats=["human", "random"]) as white:
        white.play(white.legs()[0])
        white.until(lambda s: s["ply"] == 2 and not s["thinking"])
        white.tell(type="goto", ply=1)
        white.until(lambda s: s["ply"] == 1 and s["paused"])
        white.tell(type="seat", player="White", who="link")
        assert white.until(lambda s: s["seats"]["White"] == "link")["paused"]
        white.tell(type="seat", player="Black", who="human")
        assert not white.until(lambda s: s["seats"]["Black"] == "human")["paused"]


def test_computers_stop_where_a_record_is_full(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zrf_py.serve.house.MAX_LINE", 3)
    with seated(site, game="breakthrough", seats=["random"]) as watcher:
        state = watcher.until(lambda s: s["paused"] or s["ply"] > 3)
        assert state["ply"] == 3 and "at most 3 moves" in state["note"] and not state["thinking"]


class Rules(Pool):
    """Answers at once with legs that are always the same; `playing` is asked when a leg is to be played."""

    def __init__(self, playing: Callable[[], Any]) -> None:
        super().__init__()
        self.playing = playing
        self.thought = 0

    async def ask(self, question: dict[str, Any], seconds: float) -> Any:
        if question["op"] == "think":
            self.thought += 1
            return {"legs": ["hop"]}
        await self.playing()
        ply = len(question["line"]) + 1
        player = "White" if ply < 5 else ""
        return {"bitmaps": {}, "plies": [["hop", "White", False, False, False]], "player": player, "svg": ""}


def test_who_comes_while_a_computer_moves_starts_no_second_one(tmp_path: Path) -> None:
    async def go() -> tuple[int, list[str]]:
        async def somebody_comes() -> None:
            house.advance(table)
            await asyncio.sleep(0)

        rules = Rules(somebody_comes)
        house = House(Games(None), Store(None), rules, rules, Pace(0, 0))
        table = Table("x" * 12, "chess", None, "", seats={"White": "random"}, view={"player": "White"})
        table.sockets.add(Socket(lambda text: asyncio.sleep(0)))
        house.advance(table)
        for _ in range(100):
            await asyncio.sleep(0)
        assert table.task is not None and table.task.done() and not table.thinking
        return rules.thought, table.line

    assert asyncio.run(go()) == (5, ["hop"] * 5)


def test_a_hint_is_a_legal_move(site: TestClient) -> None:
    with seated(site, game="tictactoe") as x:
        x.tell(type="hint")
        assert x.answer("hint")["legs"][0] in x.legs()


def test_where_chance_is_to_move_there_is_no_hint_but_a_balance(site: TestClient) -> None:
    """It is told for who moves when the dice have been rolled."""
    with seated(site, game="rakado-square-2p", seats=["human"]) as x:
        x.until(lambda s: s["player"] == "South")
        x.tell(type="goto", ply=0)
        x.until(lambda s: s["player"] == "?Dice" and s["paused"])
        x.tell(type="hint")
        while (message := x.read())["type"] != "problem":
            pass
        assert message["code"] == "no-hint" and "chance is to move" in message["summary"]
        x.tell(type="evaluate", on=True)
        found = x.answer("evaluation")
        assert (found["player"], found["legs"]) == ("South", []) and 0.3 < found["chance"] < 0.7


# ------------------------------------------------------------------------------------------------------ saving, loading


def test_saved_games_and_links(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        white.play("Pawn e2 - e4", "Pawn e7 - e5")
        saved = site.get(f"/t/{white.id}/game.zsg")
        assert "1. Pawn e7 - e5" in saved.text and "RulesFile=chess.zrf" in saved.text
        white.tell(type="link")
        link = white.answer("link")["link"]
        white.tell(type="new")
        white.until(lambda s: s["ply"] == 0)
        white.tell(type="load", text=saved.text)
        white.until(lambda s: s["ply"] == 2)
        white.tell(type="load", text=saved.text.replace("e7 - e5", "e7 - e9"))
        assert "don't fit" in white.answer("problem")["summary"]
    for wish in ({"zsg": saved.text}, {"link": link}):
        with seated(site, **wish) as copy:
            assert copy.state["ply"] == 2


@pytest.mark.parametrize("wish", [
    {}, {"game": "../../etc/passwd"}, {"game": "file/../../x.zrf"}, {"link": "AAAA"}, {"link": "x" * 100_000},
    {"zsg": "junk"}, {"zsg": "Zillions Save Game File Version 0.02 HC\nRulesFile=/etc/passwd\nVariantName=x\n"},
    {"game": "chess", "variant": "none"}, {"game": 5}, {"link": pack("chess", "no", [])}])
def test_bad_wishes_get_one_message(site: TestClient, wish: dict[str, Any]) -> None:
    answer = site.post("/api/tables", json=wish)
    assert answer.status_code == 400 and answer.json()["error"]["summary"]


def test_a_link_can_not_fill_the_memory() -> None:
    with pytest.raises(ZrfError):
        unpack(pack("chess", None, ["x" * (2 * MAX_PLAIN)]))
    with pytest.raises(ZrfError):
        unpack("é")


def test_boards_outlive_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as site, seated(site, game="chess") as white:
        white.play("Pawn e2 - e4", "Pawn e7 - e5")
        white.tell(type="undo")
        white.until(lambda s: s["ply"] == 1)
    with serving(tmp_path) as site, seated(site, id=white.id, token=white.token) as white:
        assert (white.state["ply"], len(white.plies), white.state["owner"]) == (1, 2, True)


def test_damaged_boards_are_no_boards(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for i, text in enumerate(["", "[]", "{}", '{"id": 5}', "[" * 100_000, "\0" * 50]):
        (tmp_path / f"damagedboard{i}.json").write_text(text)
    with serving(tmp_path) as site:
        for i in range(6):
            with site.websocket_connect(f"/ws/damagedboard{i}", headers=HERE) as web:
                web.send_text('{"token": ""}')
                assert json.loads(web.receive_text())["type"] == "gone"
    assert store.load("../damagedboard0") is None
    assert store.load("x" * 300) is None


# ------------------------------------------------------------------------------------------------------------ strangers


@pytest.mark.parametrize("headers", [
    {"host": "evil.example"}, {"host": "localhost.evil.example"}, {"host": ""},
    {"host": "localhost", "origin": "http://evil.example"}, {"host": "localhost", "origin": "null"},
    {"host": "localhost:8000", "origin": "http://localhost:9000"},
    {"host": "localhost", "sec-fetch-site": "cross-site"}])
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


def test_nothing_outside_the_folder_is_served(site: TestClient) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/picture/..%2f..%2fetc%2fpasswd",
                 "/t/x/../../app.py", "/t/..%2f..%2fx/game.zsg"):
        assert b"import" not in site.get(path).content


def test_bodies_are_small_json(site: TestClient) -> None:
    for body in (b"x" * (5 << 20), b"[" * 200_000, b"[]", b"\xff"):
        assert site.post("/api/tables", content=body, headers=JSON).status_code == 400
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


def test_names_of_hosts() -> None:
    guard = Guard(lambda *_: None, ("my-box",))  # type: ignore[arg-type,return-value]
    assert all(map(guard.is_known, ["localhost:1", "127.0.0.1:8000", "[::1]:8000", "192.168.1.5", "MY-BOX:80"]))
    assert not any(map(guard.is_known, ["", "evil", "127.0.0.1.evil", "localhost.", "[evil]"]))


# ----------------------------------------------------------------------------------------------------------- hard times

def test_a_pool_ends_what_takes_too_long_and_answers_the_others() -> None:
    async def run() -> None:
        pool = Pool(2)
        try:
            game = {"path": "rules/chess.zrf", "variant": None, "stamp": ""}
            await pool.ask({"op": "view", "game": game, "board": "a"}, 20)
            with pytest.raises(WorkerFailed):
                await pool.ask({"op": "view", "game": game, "board": "b"}, 0.001)
            questions = [{"op": "view", "game": game, "board": str(i)} for i in range(6)]
            found = await asyncio.gather(*(pool.ask(question, 20) for question in questions))
            assert [len(view["legs"]) for view in found] == [20] * 6
            thought = asyncio.create_task(pool.ask({"op": "view", "game": game, "board": "c"}, 20))
            await asyncio.sleep(0)
            thought.cancel()
            await pool.ask({"op": "view", "game": game, "board": "d"}, 20)
        finally:
            await pool.close()

    asyncio.run(run())


def test_slow_rules_make_nobody_else_wait(tmp_path: Path) -> None:
    """Five boards whose moves take minutes; a sixth is answered as if they weren't there."""
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
            await pool.ask(chess, 20)
            slow_one = {"op": "view", "game": {"path": str(slow), "variant": None, "stamp": ""}}
            heavy = [asyncio.create_task(pool.ask({**slow_one, "board": f"slow {i}"}, 30)) for i in range(5)]
            await asyncio.sleep(0.1)
            for _ in range(3):
                await asyncio.wait_for(pool.ask(chess, 20), 10)
            assert not any(task.done() for task in heavy)
            for task in heavy:
                task.cancel()
            await asyncio.gather(*heavy, return_exceptions=True)
        finally:
            await pool.close()

    asyncio.run(run())


def test_without_its_packages_there_is_one_clear_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("zrf_py.cli.serve.find_spec", lambda name: None)
    assert main(["serve"]) == 1
    assert "pip install 'zrf-py[board]'" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [
    ["no-such-game"], ["--host", "203.0.113.7"], ["--port", "99999999"], ["--watch"], ["tests/spec"]])
def test_what_can_not_be_served(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *arguments]) == 1
    assert capsys.readouterr().err.startswith("error[")


def test_a_bucket() -> None:
    bucket = Bucket(10, 3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_ten_thousand_messages_a_second_do_no_harm(tmp_path: Path) -> None:
    """A flood is cut off, half-open sockets are too, and meanwhile somebody else plays."""
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
            while json.loads(web.recv(timeout=5)).get("ply") != 1:
                pass
        silent.close()
    finally:
        assert "Traceback" not in server.end()


def test_half_open_connections_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that say nothing, that stop in the middle of a request, that never join, that answer no ping."""
    monkeypatch.setattr("zrf_py.serve.run.HEAD_SECONDS", 0.5)
    monkeypatch.setattr("zrf_py.serve.run.PING_SECONDS", 0.5)
    monkeypatch.setattr("zrf_py.serve.app.JOIN_SECONDS", 0.5)
    server, listener, address = make_server(Settings(port=0, state=tmp_path))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        port = listener.getsockname()[1]
        made = json.load(urlopen(Request(f"{address}api/tables", b'{"game": "chess"}', JSON)))
        upgrade = (f"GET /ws/{made['id']} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode()
        join = b"\x81\x90\0\0\0\0" + b'{"token": "xyz"}'
        for words in (b"", b"GET / HTTP/1.1\r\nHost: loc", upgrade, upgrade + join):
            with socket.create_connection(("127.0.0.1", port), timeout=8) as web:
                web.sendall(words)
                while web.recv(1 << 16):
                    pass
    finally:
        server.should_exit = True
        thread.join()


JSON = {"content-type": "application/json"}
FLOOD = json.dumps({"type": "hint", "filler": "x" * 1000})
