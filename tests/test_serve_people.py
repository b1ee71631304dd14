"""People at a table: rights, separate views, takebacks by consent, moves tried privately."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from seats import Seat, seated
from starlette.testclient import TestClient

from zrf_py.play.tree import Tree
from zrf_py.serve.commands import CHANGES, LOOKS
from zrf_py.serve.lobby import Lobby
from zrf_py.serve.referee import Referee
from zrf_py.serve.rights import AFTER, ALONE, ASK, GUEST, NO, OFFERED, OWNER, RIGHTS, ROLES, WATCHER, YES, right
from zrf_py.serve.store import Store
from zrf_py.serve.table import Table, new_id


class Party:
    """White, who created the board, Black, who has a link, and a spectator."""

    def __init__(self, site: TestClient, **wish: Any) -> None:
        self.made = site.post("/api/tables", json={"game": "tictactoe", "seats": ["human", "link"], **wish}).json()
        self.site = site

    def __enter__(self) -> tuple[Seat, Seat, Seat]:
        self.white = seated(self.site, **self.made)
        white = self.white.__enter__()
        self.black = seated(self.site, id=white.id, token=white.state["links"]["O"])
        self.nobody = seated(self.site, id=white.id)
        return white, self.black.__enter__(), self.nobody.__enter__()

    def __exit__(self, *problem: Any) -> None:
        for context in (self.nobody, self.black, self.white):
            context.__exit__(None, None, None)


MESSAGES: dict[str, dict[str, Any]] = {
    "look": {"type": "goto", "ply": 1}, "overlays": {"type": "overlays", "overlays": []}, "link": {"type": "link"},
    "resume": {"type": "resume"}, "undo": {"type": "undo"},
    "hint": {"type": "hint"}, "evaluate": {"type": "evaluate", "on": False}, "analyse": {"type": "analyse"},
    "review": {"type": "review"}, "pause": {"type": "pause", "on": False}, "draft": {"type": "draft"},
    "offer": {"type": "offer"},
    "seat": {"type": "seat", "player": "X", "who": "human"}, "resign": {"type": "resign"},
    "answer": {"type": "answer", "agree": False}, "new": {"type": "new", "variant": "none"},
    "speak": {"type": "speak", "phrase": 0}, "draw": {"type": "draw"}, "abort": {"type": "abort"},
    "claim": {"type": "claim"}, "load": {"type": "load", "text": "junk"},
    "play": {"type": "play", "ply": 2, "move": "nonsense"},
}
NEED_MORE = {"edit", "try", "go-on"}
"""Rights that have no message of their own."""


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("what", sorted(MESSAGES))
def test_the_table_of_rights_is_enforced(site: TestClient, what: str, role: str) -> None:
    """In the middle of a game, forbidden commands are refused with the code `not-yours`, and allowed ones never are."""
    cell = RIGHTS[what][ROLES.index(role)]
    made = {"game": "tictactoe", "seats": ["human", "human" if role == ALONE else "link"]}
    with seated(site, **made) as white:
        white.play(white.legs()[0])
        if role != ALONE:
            with seated(site, id=white.id, token=white.state["links"]["O"]) as black:
                black.play(black.legs()[0])
        else:
            white.play(white.legs()[0])
        token = {ALONE: white.token, OWNER: white.token, WATCHER: ""}.get(role) if role != GUEST else (
            white.state["links"]["O"])
        with seated(site, id=white.id, token=token) as seat:
            seat.until(lambda s: s["ply"] == 2) if seat.state["ply"] != 2 else None
            alone = "yes" if role == ALONE else "no"
            expected = {YES: "yes", ASK: "ask", NO: "no", OFFERED: alone, AFTER: "no"}[cell]
            assert seat.state["may"][what] == expected
            seat.tell(**MESSAGES[what])
            seat.tell(type="nothing known")
            codes = []
            while "unknown-message" not in codes:
                found = seat.read()
                if found["type"] == "problem":
                    codes.append(found["code"])
            assert ("not-yours" in codes) == (expected == "no"), codes


def test_help_is_available_if_offered_or_after_the_game() -> None:
    cells = {(what, role): right(what, role) for what in RIGHTS for role in ROLES
             if RIGHTS[what][ROLES.index(role)] == OFFERED}
    assert cells and set(cells.values()) == {NO}
    for what, role in cells:
        assert right(what, role, offered=True) == right(what, role, over=True) == YES


def test_every_command_has_a_right() -> None:
    """Every command of browsers is in the table, and the table has no others."""
    names = {"goto": "look", "reach": "look", "puzzle": "link"}
    assert {names.get(n, n) for n in {*CHANGES, *LOOKS}} | NEED_MORE == set(RIGHTS)
    assert set(MESSAGES) == set(RIGHTS) - NEED_MORE


def test_browsing_history_changes_no_other_view(site: TestClient) -> None:
    with Party(site) as (white, black, nobody):
        white.play(white.legs()[0])
        black.until(lambda s: s["ply"] == 1)
        black.tell(type="goto", ply=0)
        assert black.until(lambda s: s["ply"] == 0)["game"] == 1
        nobody.until(lambda s: s["ply"] == 1)
        nobody.tell(type="goto", ply=0)
        assert nobody.until(lambda s: s["ply"] == 0)["length"] == 1
        white.tell(type="goto", ply=1)
        assert white.until(lambda s: s["watchers"] == 3 and s["ply"] == 1)["live"]
        black.tell(type="goto", ply=1)
        black.until(lambda s: s["live"])
        black.play(black.legs()[0])
        white.until(lambda s: s["ply"] == 2 and s["live"])
        nobody.until(lambda s: s["length"] == 2)
        assert nobody.state["ply"] == 0


@pytest.mark.parametrize("agrees", [True, False])
def test_a_takeback_between_people_needs_consent(site: TestClient, agrees: bool) -> None:
    with Party(site) as (white, black, nobody):
        white.play(white.legs()[0])
        black.until(lambda s: s["ply"] == 1)
        white.tell(type="undo")
        asked = black.until(lambda s: s["asked"] is not None)["asked"]
        assert (asked["what"], asked["answer"], asked["own"], asked["ply"]) == ("undo", True, False, 0)
        assert black.state["ply"] == 1
        assert not nobody.until(lambda s: s["asked"] is not None)["asked"]["answer"]
        nobody.tell(type="answer", agree=True)
        assert nobody.answer("problem")["code"] == "not-yours"
        assert white.until(lambda s: s["asked"] is not None)["asked"]["own"]
        white.tell(type="answer", agree=True)
        while (message := white.read())["type"] != "problem":
            pass
        assert message["code"] == "not-yours"
        black.tell(type="answer", agree=agrees)
        state = black.until(lambda s: s["asked"] is None)
        assert state["ply"] == (0 if agrees else 1)
        assert white.answer("answered")["agreed"] == agrees


def test_takeback_among_three_needs_all_players(site: TestClient) -> None:
    seats = ["human", "link", "link"]
    with seated(site, game="stern-3p", seats=seats) as south:
        first, second = south.state["links"].values()
        with seated(site, id=south.id, token=first) as one, seated(site, id=south.id, token=second) as other:
            south.play(south.legs()[0])
            before = south.state["ply"]
            other.until(lambda s: s["ply"] == before)
            south.tell(type="undo")
            one.until(lambda s: s["asked"] is not None)
            one.tell(type="answer", agree=True)
            assert one.until(lambda s: s["asked"] is None or not s["asked"]["answer"])["ply"] == before
            other.until(lambda s: s["asked"] is not None)
            other.tell(type="answer", agree=True)
            assert other.until(lambda s: s["asked"] is None)["ply"] < before


def test_a_move_cancels_open_requests(site: TestClient) -> None:
    with Party(site) as (white, black, _):
        white.play(white.legs()[0])
        black.until(lambda s: s["ply"] == 1)
        white.tell(type="undo")
        black.until(lambda s: s["asked"] is not None)
        black.play(black.legs()[0])
        assert black.state["asked"] is None


def test_help_can_be_changed_only_before_the_first_move(site: TestClient) -> None:
    with Party(site, hints=True) as (white, black, nobody):
        assert (white.state["may"]["hint"], black.state["may"]["hint"]) == ("yes", "yes")
        assert (nobody.state["may"]["hint"], black.state["may"]["evaluate"]) == ("no", "no")
        white.tell(type="offer", hints=False, balance=True)
        state = black.until(lambda s: s["may"]["evaluate"] == "yes")
        assert state["may"]["hint"] == "no"
        white.play(white.legs()[0])
        white.tell(type="offer", hints=True)
        while (message := white.read())["type"] != "problem":
            pass
        assert message["code"] == "too-late"


def test_a_tried_move_is_private_until_the_game_is_over(site: TestClient) -> None:
    with Party(site) as (white, black, _):
        white.play(white.legs()[0])
        black.until(lambda s: s["ply"] == 1)
        black.tell(type="goto", ply=0)
        assert black.until(lambda s: s["ply"] == 0)["turn"] == "try"
        black.tell(type="play", ply=0, move=black.legs()[5])
        state = black.until(lambda s: s["ply"] == 1)
        assert (state["game"], state["live"], len(state["variations"])) == (-1, False, 1)
        white.tell(type="goto", ply=0)
        state = white.until(lambda s: s["ply"] == 0)
        assert state["variations"] == []
        white.tell(type="goto", node=2)
        while (message := white.read())["type"] != "problem":
            pass
        assert message["code"] == "no-such-move"
        black.tell(type="resign")
        assert white.until(lambda s: s["variations"])["game"] == 1


def test_trying_a_move_alone_keeps_the_rest_as_a_variation(site: TestClient) -> None:
    """After five plies, a different second ply is tried: the old line stays, can be resumed, and is saved."""
    with seated(site, game="chess") as white:
        white.play("Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3", "Knight b8 - c6", "Bishop f1 - b5")
        white.tell(type="goto", ply=1)
        white.until(lambda s: s["ply"] == 1)
        white.tell(type="play", ply=1, move="Pawn c7 - c5")
        state = white.until(lambda s: s["ply"] == 2)
        assert (state["live"], state["length"], state["game"]) == (True, 2, 2)
        [other] = state["variations"]
        assert [ply[0] for ply in other["plies"]] == [
            "Pawn e7 - e5", "Knight g1 - f3", "Knight b8 - c6", "Bishop f1 - b5"] and other["ply"] == 1
        saved = site.get(f"/t/{white.id}/game.zsg").text
        assert "1. Pawn c7 - c5" in saved and "; 1 Pawn e7 - e5" in saved and "; 5 Bishop f1 - b5" in saved
        white.tell(type="goto", node=other["node"])
        state = white.until(lambda s: s["ply"] == 2 and not s["live"])
        assert state["length"] == 5
        white.tell(type="play", ply=2, move="Knight g1 - f3")
        white.until(lambda s: s["game"] == 3)
        assert len(white.plies) == 5
    with seated(site, zsg=saved) as copy:
        assert copy.state["ply"] == 2
        [other] = copy.state["variations"]
        assert other["plies"][3][0] == "Bishop f1 - b5"
        copy.tell(type="goto", node=5)
        assert copy.until(lambda s: s["ply"] == 4)["player"] == "White"


def test_a_new_game_leaves_the_old_one_as_it_is(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        white.play("Pawn e2 - e4")
        white.tell(type="new")
        moved = white.answer("moved")
        assert moved["id"] != white.id and not moved["empty"]
    with seated(site, id=moved["id"], token=white.token) as again:
        assert (again.state["ply"], again.state["owner"]) == (0, True)
        again.tell(type="new")
        empty = again.answer("moved")
        assert empty["empty"]
    facts = site.post("/api/boards", json={"ids": [white.id, moved["id"], empty["id"]]}).json()["boards"]
    assert [(f["id"], f["plies"], f["player"]) for f in facts] == [
        (white.id, 1, "Black"), (empty["id"], 0, "White")]
    now, start = (site.get(f"/t/{id}/picture.svg").text for id in (white.id, empty["id"]))
    assert now.startswith("<svg") and now != start == site.get("/picture/chess").text


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("by", [0, 1])
def test_a_rematch_with_swapped_colours_is_offered(by: int, is_over: bool, site: TestClient) -> None:
    """No player is moved to the new board without consent, and spectators stay where they are."""
    with Party(site) as people:
        white, _, watcher = people
        asker, other = people[by], people[1 - by]
        white.play(white.legs()[0])
        if is_over:
            white.tell(type="resign")
            other.until(lambda s: s["outcome"])
        asker.tell(type="new", swap=True)
        asked = other.until(lambda s: s["asked"])["asked"]
        assert asked["answer"] and asked["by"] == ("owner", "O")[by]
        other.tell(type="answer", agree=False)
        assert not asker.answer("answered")["agreed"]
        asker.tell(type="new", swap=True)
        other.until(lambda s: s["asked"])
        other.tell(type="answer", agree=True)
        moved = other.answer("moved")
        assert asker.answer("moved") == moved and watcher.answer("another")["id"] == moved["id"]
        assert not [message for message in watcher.said if message["type"] == "moved"]
        tokens = white.token, people[1].token
    for token, plays in zip(tokens, (["O"], ["X"]), strict=True):
        with seated(site, id=moved["id"], token=token) as seat:
            assert seat.state["you"] == plays


def test_a_rematch_begins_at_once_if_the_opponent_has_left(site: TestClient) -> None:
    made = site.post("/api/tables", json={"game": "tictactoe", "seats": ["human", "link"]}).json()
    with seated(site, **made) as white:
        white.play(white.legs()[0])
        white.tell(type="new")
        assert white.answer("moved")["id"] != white.id


def test_players_see_each_other_leave_and_come_back(site: TestClient) -> None:
    """A seat is empty until its first page opens, and again when its last page has closed."""
    with seated(site, game="tictactoe", seats=["human", "link"]) as white:
        assert white.state["away"] == ["O"]
        link = {"id": white.id, "token": white.state["links"]["O"]}
        for _ in range(2):
            with seated(site, **link) as black:
                assert black.state["away"] == white.until(lambda s: s["watchers"] == 2)["away"] == []
                with seated(site, **link), seated(site, id=white.id):
                    white.until(lambda s: s["watchers"] == 4)
                assert white.until(lambda s: s["watchers"] == 2)["away"] == []
            assert white.until(lambda s: s["watchers"] == 1)["away"] == ["O"]
        with seated(site, **link) as black:
            white.web.close()
            assert black.until(lambda s: s["away"])["away"] == ["X"]


def test_a_draw_is_offered_and_agreed_to(site: TestClient) -> None:
    with Party(site) as (white, black, nobody):
        white.tell(type="draw")
        assert white.answer("problem")["code"] == "no-game"
        white.play(white.legs()[0])
        black.until(lambda s: s["ply"] == 1)
        for agrees in (False, True):
            white.tell(type="draw")
            asked = black.until(lambda s: s["asked"] is not None)["asked"]
            assert (asked["what"], asked["answer"]) == ("draw", True)
            nobody.tell(type="draw")
            assert nobody.answer("problem")["code"] == "not-yours"
            black.tell(type="answer", agree=agrees)
            state = white.until(lambda s: s["asked"] is None)
            assert (state["outcome"] is not None) == agrees
        assert (state["outcome"]["text"], state["outcome"]["winners"]) == ("draw (by agreement)", [])
        assert state["turn"] == "", "the last position takes no moves"
        white.tell(type="play", ply=1, move=state["legs"][0][0])
        assert white.answer("problem")["code"] == "not-your-turn"
        black.tell(type="goto", ply=0)
        assert black.until(lambda s: s["ply"] == 0)["turn"] == "try"


def test_a_game_can_be_aborted_until_both_have_moved(site: TestClient) -> None:
    with Party(site) as (white, black, _):
        white.play(white.legs()[0])
        black.until(lambda s: s["ply"] == 1)
        black.tell(type="abort")
        assert white.until(lambda s: s["outcome"])["outcome"]["sentence"] == "the game was aborted"
    with Party(site) as (white, black, _):
        white.play(white.legs()[0])
        black.until(lambda s: s["ply"] == 1)
        black.play(black.legs()[0])
        black.tell(type="abort")
        assert black.answer("problem")["code"] == "too-late"


def test_a_long_absence_may_lose_the_game(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player may claim the win when the others have been away for a minute in a game that has begun."""
    with Party(site) as (white, black, nobody):
        white.play(white.legs()[0])
        black.until(lambda s: s["ply"] == 1)
        black.play(black.legs()[0])
        assert white.until(lambda s: s["ply"] == 2)["claim"] is None
        black.web.close()
        assert 0 < white.until(lambda s: s["away"])["claim"] <= 60
        white.tell(type="claim")
        assert white.answer("problem")["code"] == "too-early"
        monkeypatch.setattr("zrf_py.serve.table.CLAIM_SECONDS", 0.0)
        nobody.tell(type="claim")
        assert nobody.answer("problem")["code"] == "not-yours"
        white.tell(type="claim")
        outcome = white.until(lambda s: s["outcome"])["outcome"]
        assert (outcome["text"], outcome["winners"]) == ("X won (O left the game)", ["X"])


def test_names_and_phrases_go_to_all_browsers(site: TestClient) -> None:
    with Party(site) as (white, black, nobody):
        black.tell(type="speak", name="  Eva   <b>\n" + "x" * 40)
        names = nobody.until(lambda s: s["names"])["names"]
        assert list(names) == ["O"] and names["O"].startswith("Eva <b> x") and len(names["O"]) == 24
        white.tell(type="speak", phrase=1)
        assert black.answer("phrase") == {"type": "phrase", "by": "X", "phrase": 1}
        nobody.tell(type="speak", phrase=1)
        assert nobody.answer("problem")["code"] == "not-yours"


def test_only_games_whose_owner_agrees_are_listed(site: TestClient) -> None:
    with Party(site) as (white, black, _):
        assert white.id not in [board["id"] for board in site.get("/api/playing").json()["boards"]]
        white.tell(type="offer", listed=True)
        black.tell(type="offer", listed=False)
        assert black.answer("problem")["code"] == "not-yours"
        [board] = [board for board in site.get("/api/playing").json()["boards"] if board["id"] == white.id]
        assert (board["title"], board["watchers"], board["seats"]) == ("Tic-Tac-Toe", 1, {"X": "human", "O": "link"})
        assert "token" not in str(board)


def test_a_clock_that_runs_out_loses(site: TestClient) -> None:
    with seated(site, game="tictactoe", clock=[1, 0]) as x:
        assert x.state["clock"]["left"] == {"X": 1.0, "O": 1.0} and not x.state["clock"]["running"]
        x.play(x.legs()[0])
        state = x.until(lambda s: s["outcome"] is not None)
        assert (state["outcome"]["text"], state["outcome"]["losers"]) == ("X won (O is out of time)", ["O"])


def test_a_flood_of_new_tables_removes_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people have moved; then somebody creates boards without end, and plays on some of them."""
    monkeypatch.setattr("zrf_py.serve.store.MAX_STORED", 30)
    monkeypatch.setattr("zrf_py.serve.store.MAX_OF_MAKER", 20)
    monkeypatch.setattr("zrf_py.serve.store.MAX_UNUSED", 5)
    store = Store(tmp_path)
    store.claim()
    store.save("runninggame1", {"maker": "friend", "used": True, "touched": 1e12})
    refused = 0
    for i in range(100):
        if store.make_room("flood"):
            store.save(f"floodboard{i:03}", {"maker": "flood", "used": i % 2 == 0, "touched": 1e12 + i})
        else:
            refused += 1
    assert refused >= 20
    assert store.load("runninggame1") and store.make_room("friend")
    assert len(store._facts()) <= 21
    store.release()
    store.claim()
    assert not store.make_room("flood") and store.make_room("friend")
    store.release()


def test_a_discarded_board_is_not_saved_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.claim()
    lobby = Lobby(cast(Referee, SimpleNamespace(games={})), store)
    gone, kept = (Table(new_id(), "chess", None, "owner") for _ in range(2))
    for table in (gone, kept):
        lobby.save(table)
    lobby.discard(gone)
    for table in (gone, kept):
        lobby.save(table)
    assert [facts.id for facts in store._facts()] == [kept.id]
    store.release()


@pytest.mark.slow
def test_old_boards_are_removed_first_and_watched_ones_never(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zrf_py.serve.store.MAX_STORED", 2)
    store = Store(tmp_path)
    store.claim()
    for i, (used, touched) in enumerate([(True, 1.0), (True, 0.0), (False, 2.0), (True, 1e12)]):
        store.save(f"boardnumber{i}", {"maker": "", "used": used, "touched": touched})
    assert store.prune({"boardnumber1"}) == 2
    assert sorted(facts.id for facts in store._facts()) == ["boardnumber1", "boardnumber3"]
    store.release()


@pytest.mark.slow
def test_a_tree_comes_back_from_disk_as_it_was() -> None:
    tree = Tree(["a", "b", "c"])
    other = tree.grow(1, ["x", "y"])
    tree.choose(other)
    tree.add(2, "z", tried="owner")
    again = Tree.from_json(json.loads(json.dumps(tree.as_json())), tree.chosen())
    assert [again.texts(n) for n in range(7)] == [tree.texts(n) for n in range(7)]
    assert again.line(0) == tree.line(0) == [1, 4, 5]
    assert [v["node"] for v in again.variations([1, 2, 3], "owner")] == [4, 6]
    assert [v["node"] for v in again.variations([1, 2, 3])] == [4]
