"""Boards on disk: acknowledged changes survive crashes, full disks and a second server; old boards are removed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

import websockets.sync.client as client
from seats import Seat, seated, serving
from serving import PATIENCE, Server
from websockets.exceptions import ConnectionClosed

from tests.playing import HANG, ROOT, slow
from zrf_py.cli.main import main
from zrf_py.lsp.boards import serve
from zrf_py.serve import lobby as lobbies
from zrf_py.serve.lobby import Lobby
from zrf_py.serve.referee import Referee
from zrf_py.serve.run import Settings
from zrf_py.serve.sockets import Socket
from zrf_py.serve.store import KEPT_DAYS, UNUSED_SECONDS, Store
from zrf_py.serve.table import Table, new_id


def lobby_of(store: Store) -> Lobby:
    """Return a lobby that never loads rules."""
    return Lobby(cast(Referee, SimpleNamespace(games={})), store)


def plies_of(server: Server, ids: list[str]) -> dict[str, int]:
    """Return, by id, the number of moves of each board that the server still has."""
    request = Request(f"{server.address}/api/boards", json.dumps({"ids": ids}).encode(),
                      {"content-type": "application/json"})
    return {board["id"]: board["plies"] for board in json.load(urlopen(request, timeout=HANG))["boards"]}


# ---------------------------------------------------------------------------------------------------------- sudden ends


def play(server: Server, game: str, until: float, least: int = 0) -> tuple[str, int]:
    """Play on a new board until a time, and at least `least` moves, then kill the server; return the board and the
    number of moves acknowledged."""
    made, ply = server.make(game=game), 0
    with contextlib.suppress(OSError, EOFError, TimeoutError, ConnectionClosed), client.connect(
            f"ws://127.0.0.1:{server.port}/ws/{made['id']}", max_size=None) as web:
        web.send(json.dumps({"type": "join", "token": made["token"]}))
        while (left := until - time.monotonic()) > 0 or ply < least:
            state = json.loads(web.recv(timeout=PATIENCE if ply < least else left))
            if state["type"] == "state" and state["ply"] >= ply:
                ply = state["ply"]
                if not state["legs"]:
                    break
                web.send(json.dumps({"type": "play", "ply": ply, "move": state["legs"][ply % len(state["legs"])][0]}))
        server.process.kill()
    return made["id"], ply


@pytest.mark.parametrize("kills", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_a_crash_loses_nothing_that_was_acknowledged(tmp_path: Path, kills: int) -> None:
    """The server is killed right after a board was made, and at random moments of a game."""
    random = Random(kills)
    acknowledged: dict[str, int] = {}
    for kill in range(kills):
        server = Server(tmp_path)
        assert plies_of(server, list(acknowledged)) == acknowledged | plies_of(server, list(acknowledged))
        fresh = server.make(game="chess")["id"]
        seconds = random.uniform(0, 1.5) if kill else 0.5
        id, plies = play(server, "breakthrough", time.monotonic() + seconds, least=not kill)
        server.kill()
        acknowledged |= {fresh: 0, id: plies}
    server = Server(tmp_path)
    found = plies_of(server, list(acknowledged))
    assert all(found.get(id, -1) >= plies for id, plies in acknowledged.items()), (found, acknowledged)
    assert sum(acknowledged.values()) > 0
    assert server.end() == ""


def test_the_next_server_restores_boards_after_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After random changes and removals, some of which can't be written, and a crash, each board is as last saved, or
    as it was before a change that was reported as not stored."""
    random = Random(5)
    run = Store._run
    failures = 0

    def failing(store: Store, statement: str, *values: Any) -> list[Any]:
        nonlocal failures
        if statement.startswith("INSERT") and random.random() < 0.3:
            failures += 1
            raise sqlite3.OperationalError("database or disk is full")
        return run(store, statement, *values)

    expected: dict[str, float] = {}
    for _ in range(25):
        store = Store(tmp_path)
        store.claim()
        assert {id: (store.load(id) or {}).get("touched") for id in expected} == expected
        monkeypatch.setattr(Store, "_run", failing)
        lobby, tables = lobby_of(store), [Table(new_id(), "chess", None, "owner") for _ in range(3)]
        for step in range(random.randrange(1, 30)):
            table = random.choice(tables)
            kind = random.random()
            if kind < 0.6 and not table.discarded:
                table.touched = step
                lobby.save(table)
            elif kind < 0.65:
                lobby.discard(table)
                expected.pop(table.id, None)
                assert store.load(table.id) is None
            else:
                lobby.save_again()
            expected |= {t.id: t.touched for t in tables if not t.unkept and not t.discarded and store.load(t.id)}
        monkeypatch.setattr(Store, "_run", run)
        store.release()  # the system releases the lock when a process is killed
    assert failures > 20 and len(expected) > 20


def test_a_board_with_broken_rules_refuses_commands_that_need_them(tmp_path: Path) -> None:
    """If the rules are already broken when the server starts, nothing is known about the game: each command still gets
    an answer."""
    rules = tmp_path / "mine.zrf"
    rules.write_text('(include "tictactoe.zrf")')
    with serving(tmp_path / "boards", str(rules)) as site, seated(site, game="file/mine.zrf") as seat:
        board = {"id": seat.id, "token": seat.token}
        seat.play(seat.legs()[0])
    rules.write_text("(game")
    with serving(tmp_path / "boards", str(rules)) as site, seated(site, **board) as seat:
        assert seat.state["error"]
        for wish in ({"type": "seat", "player": "X", "who": "ai:1"}, {"type": "new", "swap": True},
                     {"type": "puzzle", "number": 1}, {"type": "undo"}, {"type": "goto", "ply": 0},
                     {"type": "play", "ply": 1, "move": "Mark a1"}, {"type": "review"}):
            seat.tell(**wish)
            assert seat.answer_to_nonsense() == "broken-rules"
        seat.tell(type="speak", name="Ann")
        assert seat.until(lambda state: bool(state["names"]))["names"]


def test_a_board_goes_on_when_its_game_gets_another_title(tmp_path: Path) -> None:
    """It has the new title after a restart, too. A game that is gone from its file is an error."""
    rules = tmp_path / "mine.zrf"
    text = (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8") + '\n(variant (title "Other"))'
    rules.write_text(text)
    board = {}
    with serving(tmp_path / "boards", str(rules), watch=True) as site, seated(
            site, game="file/mine.zrf", variant="Other") as seat:
        board |= {"id": seat.id, "token": seat.token}
        seat.play(seat.legs()[0])
        rules.write_text(text.replace('"Other"', '"Another"'))
        state = seat.until(lambda state: state["info"]["title"] == "Another")
        assert not state["error"] and state["ply"] == 1 and state["info"]["variants"] == ["Tic-Tac-Toe", "Another"]
    with serving(tmp_path / "boards", str(rules), watch=True) as site, seated(site, **board) as seat:
        assert not seat.state["error"] and seat.state["info"]["title"] == "Another"
        rules.write_text(text.partition("\n(variant")[0])
        assert "unknown-variant" in seat.until(lambda state: bool(state["error"]))["error"]


def test_boards_of_earlier_releases_are_adopted(tmp_path: Path) -> None:
    (tmp_path / "anyboardatall.json").write_text('{"touched": 2.0, "maker": "friend"}')
    (tmp_path / "damagedboard.json").write_text("half")
    store = Store(tmp_path)
    store.claim()
    assert store.load("anyboardatall") == {"touched": 2.0, "maker": "friend"}
    assert [path.name for path in tmp_path.glob("*.json")] == ["damagedboard.json"]
    store.release()


# ----------------------------------------------------------------------------------------------------------- full disks


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can limit the file size of another process")
def test_a_full_disk_is_reported_until_there_is_room(tmp_path: Path) -> None:
    """The page shows it, and the terminal prints it once, until there is room again; then everything is stored."""
    import resource

    server = Server(tmp_path)
    made = server.make(game="tictactoe")
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    with client.connect(f"ws://127.0.0.1:{server.port}/ws/{made['id']}") as web:
        def until(true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
            while True:
                state = json.loads(web.recv(timeout=HANG))
                if state["type"] == "state" and true(state):
                    return cast(dict[str, Any], state)

        web.send(json.dumps({"type": "join", "token": made["token"]}))
        state = until(lambda s: True)
        assert not state["note"]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, most))
        for ply in range(3):
            web.send(json.dumps({"type": "play", "ply": ply, "move": state["legs"][0][0]}))
            state = until(lambda s, ply=ply: s["ply"] == ply + 1)
            assert "can't be stored (`disk I/O error`)" in state["note"]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))
        until(lambda s: not s["note"])
    assert server.kill().splitlines() == [
        f"Boards can't be saved in {tmp_path}: disk I/O error. New boards and moves are lost when the server stops.",
        "Boards are saved again."]
    again = Server(tmp_path)
    assert plies_of(again, [made["id"]]) == {made["id"]: 3}
    again.end()


def test_an_unusable_folder_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    with serving(tmp_path / "file" / "boards") as site, seated(site, game="tictactoe") as x:
        assert "can't be stored (`Not a directory`)" in x.state["note"]
    assert capsys.readouterr().err.count(f"Boards can't be saved in {tmp_path / 'file' / 'boards'}: Not a dir") == 1


def test_an_oversized_board_is_reported_and_blocks_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("zrf_py.serve.store.MAX_BYTES", 2_000)
    store = Store(tmp_path)
    store.claim()
    lobby, (small, large) = lobby_of(store), (Table(new_id(), name, None, "owner") for name in ("chess", "x" * 2_000))
    for table in (small, large):
        lobby.save(table)
    assert "too large" in large.unkept and not small.unkept
    assert store.load(small.id) and not store.load(large.id)
    assert capsys.readouterr().err == ""
    store.release()


# ----------------------------------------------------------------------------------------------- one folder, one server


def test_a_second_server_names_the_owner_of_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second is refused until the first has ended or has been killed."""
    server = Server(tmp_path)
    assert main(["serve", "--port", "0", "--state", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error[folder-in-use]") and "`zrf serve --state FOLDER`" in said and "Ctrl+C" in said
    assert f"it is at {server.address}/, process {server.process.pid}" in said
    file = tmp_path / "my hop.zrf"
    assert main(["serve", "--edit", str(file), "--port", "0", "--state", str(tmp_path)]) == 1
    assert f"`zrf serve --edit '{file}' --state FOLDER`" in " ".join(capsys.readouterr().err.split())
    server.kill()
    Server(tmp_path).end()


def test_an_edited_file_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its server runs beside those of the gallery, of other files and of other editors, and finds its boards again."""
    monkeypatch.setenv("ZRF_STATE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    folders = []

    def served(settings: Settings, ready: object) -> None:
        assert settings.state is not None
        folders.append(settings.state)
        store = Store(settings.state)
        store.claim()
        stores.callback(store.release)

    monkeypatch.setattr("zrf_py.serve.run.run", served)
    with contextlib.ExitStack() as stores:
        for words in (["chess"], ["--edit", "a.zrf"], ["--edit", "b.zrf"]):
            assert main(["serve", *words]) == 0
        serve(tmp_path / "c.zrf", print)
        assert main(["serve", "--edit", str(tmp_path / "a.zrf")]) == 1
    assert folders[0] == tmp_path and len(set(folders)) == 4 and folders[4] == folders[1]


def test_a_damaged_file_of_boards_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Boards can't be stored in it, and it stays as it is."""
    (tmp_path / "boards.sqlite").write_bytes(b"something else" * 100)
    with serving(tmp_path) as site, seated(site, game="tictactoe") as x:
        assert "can't be stored (`file is not a database`)" in x.state["note"]
    assert (tmp_path / "boards.sqlite").read_bytes() == b"something else" * 100
    assert f"Boards can't be saved in {tmp_path}: file is not a database" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------------- removal of boards


@pytest.mark.parametrize(("used", "age", "goes"), [
    (True, UNUSED_SECONDS + 60, False), (True, KEPT_DAYS * 86_400 - 60, False), (True, KEPT_DAYS * 86_400 + 60, True),
    (False, UNUSED_SECONDS - 60, False), (False, UNUSED_SECONDS + 60, True)])
def test_games_that_people_play_are_kept_for_a_month_and_others_for_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, used: bool, age: float, goes: bool,
) -> None:
    monkeypatch.setattr("zrf_py.serve.store.MAX_STORED", 1)
    store = Store(tmp_path)
    store.claim()
    store.save("runninggame1", {"maker": "friend", "used": used, "touched": time.time() - age})
    assert store.make_room("somebody") == goes
    assert (store.load("runninggame1") is None) == goes
    assert (KEPT_DAYS, UNUSED_SECONDS) == (30, 3_600)
    store.release()


def test_a_removed_board_is_gone_for_good(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.claim()
    for id in ("thisboard001", "otherboard01"):
        store.save(id, {"maker": "somebody"})
    store.remove("thisboard001")
    assert store.load("thisboard001") is None and store.load("otherboard01") == {"maker": "somebody"}
    store.release()


def test_a_board_with_people_is_never_closed_to_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If memory is full, boards without people are removed from it, once they are stored."""
    monkeypatch.setattr(lobbies, "MAX_TABLES", 2)
    store = Store(tmp_path)
    store.claim()
    lobby = lobby_of(store)
    watched, unsaved, left, fresh = (Table(new_id(), "chess", None, "owner") for _ in range(4))
    watched.sockets.add(Socket(lambda text: asyncio.sleep(0)))
    lobby._unsaved.add(unsaved)
    for table in (watched, unsaved, left, fresh):
        lobby._keep(table)
    assert list(lobby.tables.values()) == [watched, unsaved, fresh]
    lobby.save_again()
    lobby._keep(Table(new_id(), "chess", None, "owner"))
    assert watched in lobby.tables.values() and unsaved not in lobby.tables.values()
    assert store.load(unsaved.id)
    store.release()


# ------------------------------------------------------------------------------------------------------ read from disk


@pytest.mark.parametrize(("game", "more", "plies"), [
    ("tictactoe", {}, 4), *slow([("chess", {"clock": [900, 5]}, 3), ("halma-2p", {"seats": ["human", "link"]}, 1)])])
def test_a_board_read_from_disk_is_shown_as_before(
    tmp_path: Path, game: str, more: dict[str, Any], plies: int,
) -> None:
    """A page gets the same moves, player to move, board, links and rights, and a clock if there was one."""
    def shown(seat: Seat) -> dict[str, Any]:
        still = {name: value for name, value in seat.state.items() if name not in ("from", "nodes", "thinking", "pace")}
        return json.loads(json.dumps({**still, "plies": seat.plies, "clock": bool(seat.state["clock"])}))

    with serving(tmp_path) as site, seated(site, **{"game": game, "seats": ["human", "human"], **more}) as seat:
        for _ in range(plies):
            seat.play(seat.legs()[-1])
        before, id, token = shown(seat), seat.id, seat.token
    with serving(tmp_path) as site, seated(site, id=id, token=token) as seat:
        assert shown(seat) == before and len(before["plies"]) == plies and before["info"] and before["svg"]


def test_variations_read_from_disk_are_shown_as_before(tmp_path: Path) -> None:
    """Their moves are in short notation, with the players who made them."""
    with serving(tmp_path) as site, seated(site, game="chess", seats=["human", "human"]) as seat:
        for move in ("Pawn e2 - e4", "Pawn h7 - h5", "Pawn a2 - a3"):
            seat.play(move)
        seat.tell(type="goto", ply=1)
        seat.until(lambda s: s["ply"] == 1)
        seat.play("Pawn d7 - d5")
        before = seat.state["variations"]
        id, token = seat.id, seat.token
    with serving(tmp_path) as site, seated(site, id=id, token=token) as seat:
        assert seat.state["variations"] == before and [ply[-1] for ply in before[0]["plies"]] == ["h5", "a3"]
