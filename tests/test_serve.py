"""Boards on the server: states sent, requests allowed, failures survived."""

from __future__ import annotations

import asyncio
import base64
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from seats import HERE, seated, serving
from starlette.testclient import TestClient

from tests.playing import slow
from zrf_py.author.sharing import MAX_TEXT, pack, unpack
from zrf_py.play.gallery import Games
from zrf_py.play.game import load
from zrf_py.play.prisoners import taken
from zrf_py.serve.computers import Pace
from zrf_py.serve.lobby import Lobby
from zrf_py.serve.pool import Pool
from zrf_py.serve.referee import Referee
from zrf_py.serve.run import assemble
from zrf_py.serve.sockets import Socket
from zrf_py.serve.store import Store
from zrf_py.serve.table import Table
from zrf_py.text.diagnostics import ZrfError

# ---------------------------------------------------------------------------------------------------------- states sent


def test_the_gallery_has_every_game_and_its_picture(site: TestClient) -> None:
    games = site.get("/api/games").json()["games"]
    assert {"chess", "monks-2p", "platonic-adv-4p"} <= {g["id"] for g in games}
    picture = site.get("/picture/tictactoe")
    assert picture.text.startswith("<svg") and "sandbox" in picture.headers["content-security-policy"]
    assert site.get("/picture/nothing").status_code == 404


def test_state_has_everything_that_a_page_needs(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        state = white.state
        assert (state["player"], state["ply"], len(state["legs"]), state["you"]) == ("White", 0, 20, ["White", "Black"])
        e2, e4 = (state["info"]["places"].index(name) for name in ("e2", "e4"))
        assert ["Pawn e2 - e4", e2, e4, -1, "e4", -1, [], []] in state["legs"]
        state = white.play("Pawn e2 - e4")
        assert (state["player"], state["moved"], white.plies) == (
            "Black", [[e2, e4]], [["Pawn e2 - e4", "White", False, False, False, "e4"]])


def test_browsers_receive_only_changes(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        white.play("Pawn e2 - e4")
        white.tell(type="play", ply=1, move="Pawn e7 - e5")
        news = white.answer("state")
        assert news["from"] == 1 and len(news["plies"]) == 1 and "info" not in news
        white.tell(type="overlays", overlays=["zones", "nonsense"])
        white.answer("state")


def test_drops_promotions_and_passes_are_distinguishable(site: TestClient) -> None:
    with seated(site, game="platonic-simple-2p") as south:
        b1 = [leg for leg in south.state["legs"] if leg[0].endswith(" b1")]
        assert {leg[3] for leg in b1} == {0, 1, 2, 3} and {leg[1] for leg in b1} == {-1}
    line = ["(x a7)", "(x a8)", "(White Pawn a7)"]
    with seated(site, link=pack("chess", None, line)) as white:
        assert sorted(leg[4] for leg in white.state["legs"] if "a7 - a8" in leg[0]) == [
            "a8=B", "a8=N", "a8=Q", "a8=R"]
        assert {leg[5] for leg in white.state["legs"] if "a7 - a8" in leg[0]} == {
            white.state["info"]["types"].index(name) for name in ("Queen", "Rook", "Bishop", "Knight")}


# ----------------------------------------------------------------------------------------------------- requests allowed


def test_only_legal_moves_of_the_intended_position_are_accepted(site: TestClient) -> None:
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


def test_a_link_gives_a_seat(site: TestClient) -> None:
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


# ----------------------------------------------------------------------------------------------------------- going back


def test_undo_returns_to_the_players_own_last_choice(site: TestClient) -> None:
    """Undo returns to the player's own last choice; the moves taken back are kept, and the game can go on there."""
    with seated(site, game="breakthrough", seats=["human", "random"]) as white:
        first = white.legs()[0]
        white.play(first)
        white.until(lambda s: s["ply"] == 2)
        white.play(white.legs()[0])
        white.until(lambda s: s["ply"] == 4 and not s["thinking"])
        white.tell(type="undo")
        white.until(lambda s: s["ply"] == 2)
        white.tell(type="undo")
        white.until(lambda s: s["ply"] == s["game"] == 0)
        assert len(white.plies) == 4
        white.tell(type="goto", ply=1)
        white.until(lambda s: s["ply"] == 1 and s["game"] == 0)
        white.tell(type="resume")
        white.until(lambda s: s["game"] == 2 and s["live"] and not s["thinking"])
        assert white.plies[0][0] == first


def test_computers_play_to_the_end(site: TestClient) -> None:
    for seats in (["random", "greedy"], ["ai:1", "ai:3"]):
        with seated(site, game="tictactoe", seats=seats) as watcher:
            assert watcher.until(lambda s: bool(s["outcome"]))["ply"] >= 5


@pytest.mark.slow
def test_the_interpreter_plays_while_a_computer_player_gets_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It plays whole turns, also of several legs; the real player takes over as soon as it is ready."""
    ready: list[asyncio.Event] = []
    asked: list[dict[str, Any]] = []

    class Late(Pool):
        async def ask(self, question: dict[str, Any], seconds: float, urgency: int = 0) -> Any:
            asked.append(question)
            if question["op"] == "prepare":
                ready.append(asyncio.Event())
                return await ready[-1].wait()
            return await super().ask(question, seconds, urgency)

    monkeypatch.setattr("zrf_py.serve.computers.READY_SECONDS", 0.0)
    monkeypatch.setattr("zrf_py.serve.run.Pool", Late)
    with serving(tmp_path) as site, seated(site, game="halma", seats=["ai:10", "human"]) as player:
        while not player.state["ply"] or player.state["thinking"]:
            player.read()
        assert [q["op"] for q in asked if q["op"] in ("think", "at once")] == ["at once"]
        assert player.state["player"] == "Black" and not player.state["preparing"]
        ply = player.state["ply"]
        assert site.portal is not None
        site.portal.call(ready[0].set)
        player.play(next(leg for leg in player.legs() if not leg.startswith("partial")))
        while player.state["ply"] < ply + 2 or player.state["thinking"]:
            player.read()
        assert [q.get("seconds") for q in asked if q["op"] == "think"] == [1.0]


def test_changes_of_other_seats_do_not_wake_a_paused_computer(site: TestClient) -> None:
    with seated(site, link=pack("breakthrough", None, ["Man a2 - a3"]), seats=["human", "random"]) as white:
        assert white.state["paused"]
        white.tell(type="seat", player="White", who="link")
        assert white.until(lambda s: s["seats"]["White"] == "link")["paused"]
        white.tell(type="seat", player="Black", who="human")
        assert not white.until(lambda s: s["seats"]["Black"] == "human")["paused"]


def test_computers_stop_where_a_record_is_full(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zrf_py.serve.referee.MAX_LINE", 3)
    with seated(site, game="breakthrough", seats=["random"]) as watcher:
        state = watcher.until(lambda s: s["paused"] or s["ply"] > 3)
        assert state["ply"] == 3 and "at most 3 moves" in state["note"] and not state["thinking"]


class Rules(Pool):
    """A pool whose answers are made up: each turn is the same leg; `playing` is awaited before other answers."""

    def __init__(self, playing: Callable[[], Any]) -> None:
        super().__init__()
        self.playing = playing
        self.thought = 0

    async def ask(self, question: dict[str, Any], seconds: float, urgency: int = 0) -> Any:
        if question["op"] == "think":
            self.thought += 1
            return {"legs": ["hop"]}
        await self.playing()
        ply = len(question["line"]) + 1
        player = "White" if ply < 5 else ""
        return {"bitmaps": {}, "plies": [["hop", "White", False, False, False]], "player": player, "svg": ""}


def test_a_new_visitor_starts_no_second_computer_move() -> None:
    async def go() -> tuple[int, list[str]]:
        async def somebody_comes() -> None:
            services.computers.advance(table)
            await asyncio.sleep(0)

        rules = Rules(somebody_comes)
        services = assemble(Referee(Games(None), rules, rules), Store(None), rules, Pace(0, 0))
        table = Table("x" * 12, "chess", None, "", seats={"White": "random"})
        table.keep_view(0, {"player": "White"})
        table.sockets.add(Socket(lambda text: asyncio.sleep(0)))
        services.computers.advance(table)
        for _ in range(100):
            await asyncio.sleep(0)
        assert table.task is not None and table.task.done() and not table.thinking
        return rules.thought, table.line

    assert asyncio.run(go()) == (5, ["hop"] * 5)


def test_a_suggested_move_is_legal(site: TestClient) -> None:
    with seated(site, game="tictactoe") as x:
        x.tell(type="hint")
        assert x.answer("hint")["legs"][0] in x.legs()


def test_no_move_is_suggested_before_a_roll_of_the_dice(site: TestClient) -> None:
    with seated(site, game="rakado-square-2p", seats=["human"]) as x:
        x.until(lambda s: s["player"] == "South")
        x.tell(type="goto", ply=0)
        x.until(lambda s: s["player"] == "?Dice")
        x.tell(type="hint")
        while (message := x.read())["type"] != "problem":
            pass
        assert message["code"] == "no-hint" and "the next move is random" in message["summary"]


# ------------------------------------------------------------------------------------------------------ saving, loading


def test_saved_games_and_links_are_loaded(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        white.play("Pawn e2 - e4", "Pawn e7 - e5")
        saved = site.get(f"/t/{white.id}/game.zsg")
        assert "1. Pawn e7 - e5" in saved.text and "RulesFile=chess.zrf" in saved.text
        white.tell(type="link")
        link = white.answer("link")["link"]
        white.tell(type="load", text=saved.text.replace("e7 - e5", "e7 - e9"))
        while (message := white.read())["type"] != "problem":
            pass
        assert "is illegal under these rules" in message["summary"]
        white.tell(type="load", text=saved.text)
        again = white.answer("moved")
    with seated(site, id=again["id"], token=white.token) as white:
        assert (white.state["ply"], white.state["owner"]) == (2, True)
    for wish in ({"zsg": saved.text}, {"link": link}):
        with seated(site, **wish) as copy:
            assert copy.state["ply"] == 2


def test_a_saved_game_that_is_refused_leaves_no_board_behind(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    create = Lobby.create

    async def noting(*args: Any, **kinds: Any) -> Table:
        made.append((table := await create(*args, **kinds)).id)
        return table

    monkeypatch.setattr(Lobby, "create", noting)
    with seated(site, game="tictactoe") as x:
        x.play(x.legs()[0])
        saved = site.get(f"/t/{x.id}/game.zsg").text
        for text, is_there in ((saved.replace(" a3", " a9"), False), (saved, True)):
            assert is_there or text != saved
            x.tell(type="load", text=text)
            while (message := x.read())["type"] not in ("problem", "moved"):
                pass
            assert message["type"] == ("moved" if is_there else "problem")
            assert (site.get(f"/t/{made[-1]}/game.zsg").status_code == 200) == is_there
    assert len(made) == 3


@pytest.mark.parametrize("wish", [
    {}, {"game": "../../etc/passwd"}, {"game": "file/../../x.zrf"}, {"link": "AAAA"}, {"link": "x" * 100_000},
    {"zsg": "junk"}, {"zsg": "Zillions Save Game File Version 0.02 HC\nRulesFile=/etc/passwd\nVariantName=x\n"},
    {"game": "chess", "variant": "none"}, {"game": 5}, {"link": pack("chess", "no", [])}])
def test_invalid_requests_for_a_board_get_one_message(site: TestClient, wish: dict[str, Any]) -> None:
    answer = site.post("/api/tables", json=wish)
    assert answer.status_code == 400 and answer.json()["error"]["summary"]


def test_links_of_earlier_releases_are_read() -> None:
    """They were packed with zlib's header."""
    old = base64.urlsafe_b64encode(zlib.compress(b'["chess",null,["Pawn e2 - e4"]]', 9)).decode().rstrip("=")
    assert unpack(old) == unpack(pack("chess", None, ["Pawn e2 - e4"])) == ("chess", None, ["Pawn e2 - e4"])


def test_a_link_cannot_fill_the_memory() -> None:
    with pytest.raises(ZrfError):
        unpack(pack("chess", None, ["x" * (2 * MAX_TEXT)]))
    with pytest.raises(ZrfError):
        unpack("é")


def test_boards_outlive_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as site, seated(site, game="chess") as white:
        white.play("Pawn e2 - e4", "Pawn e7 - e5")
        white.tell(type="undo")
        white.until(lambda s: s["ply"] == 1)
    with serving(tmp_path) as site, seated(site, id=white.id, token=white.token) as white:
        assert (white.state["ply"], len(white.plies), white.state["owner"]) == (1, 2, True)


def test_damaged_boards_are_treated_as_missing(tmp_path: Path) -> None:
    for i, text in enumerate(["", "[]", "{}", '{"id": 5}', "[" * 100_000, "\0" * 50]):
        (tmp_path / f"damagedboard{i}.json").write_text(text)
    with serving(tmp_path) as site:
        for i in range(6):
            with site.websocket_connect(f"/ws/damagedboard{i}", headers=HERE) as web:
                web.send_text('{"token": ""}')
                assert json.loads(web.receive_text())["type"] == "gone"
    store = Store(tmp_path)
    store.claim()
    assert all(store.load(id) is None for id in ("../damagedboard0", "x" * 300, "\ud800" * 12))
    store.release()


@pytest.mark.parametrize("name", [
    "checkers", "tictactoe", *slow(["chess", "international-draughts", "peg-solitaire", "xiangqi"])])
def test_missing_pieces_have_been_captured(name: str) -> None:
    """If pieces are never added, missing ones are prisoners, also after turns of several legs; tictactoe has none."""
    position = load(name).start()
    began = len(position.pieces()) if name != "tictactoe" else 0
    random = Random(3)
    for _ in range(60):
        if not (moves := position.moves()) or position.outcome():
            break
        position = position.play(random.choice(moves))
        gone = sum(taken(position).values())
        assert gone == (began - len(position.pieces()) if began else 0)


@pytest.mark.slow
def test_captured_pieces_appear_in_the_hand() -> None:
    position = load("shogi").start()
    for text in ("P-7f", "P-3d", "Bx2b+", "Sx2b"):
        position = position.play(text)
    assert not taken(position) and sum(map(sum, position.state.stores)) == 2


def test_browser_receives_a_state_only_after_a_change() -> None:
    """Other messages bring no state; two unsent changes are sent as one state."""
    sent: list[str] = []

    async def send(text: str) -> None:
        sent.append(json.loads(text)["type"])

    async def state() -> dict[str, Any]:
        return {"type": "state"}

    async def talk() -> None:
        socket = Socket(send)
        pump = asyncio.create_task(socket.pump(state))
        for act in (socket.wake, lambda: socket.say({"type": "hint"}), lambda: socket.say({"type": "link"}),
                    lambda: (socket.wake(), socket.wake())):
            act()
            await asyncio.sleep(0.01)
        pump.cancel()

    asyncio.run(talk())
    assert sent == ["state", "hint", "link", "state"]
