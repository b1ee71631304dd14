"""`host.js`, the table of a page without a server, sends the same messages and states as the server; further tests
are about links, saved games, variants and computers, which such a page handles by itself."""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")
pytest.importorskip("starlette", reason="boards need the extra `board`")

from seats import Seat, seated, serving
from starlette.testclient import TestClient

import zrf_py
from tests.exporting import Paged, measured_once, plain
from tests.test_export_advice import rounded
from zrf_py.author.sharing import link_of
from zrf_py.play.game import Game, Position
from zrf_py.play.zsg import read_game
from zrf_py.serve import opponents
from zrf_py.view.scene import scene
from zrf_py.view.svg import Style, svg

HOST = """import { Host } from "./host.js";
const messages = [];
const host = new Host(globalThis.zrfPage, (message) => messages.push(message));
const last = (type) => messages.findLastIndex((message) => message.type === type);
const isThere = (kind, times) => messages.filter((message) => message.type === kind).length >= times;
const isQuiet = (kind, times) => (!kind || isThere(kind, times)) && !host.computers.thinking
  && last("address") >= last("state");
globalThis.zrfAsk = async ([message, kind, times]) => {
  try {
    if (message.type === "open") await host.open(message.link);
    else for (const one of [message].flat()) await host.hear(one);
    for (let i = 0; i < 2000 && !isQuiet(kind, times); i += 1) await new Promise((go) => { setTimeout(go, 2); });
    return { ok: messages.splice(0) };
  } catch (error) {
    return { error: String(error.stack ?? error) };
  }
};
process.stdin.on("end", () => setTimeout(() => process.exit(), 50));
"""
NAMES = ["tictactoe", "checkers", "chess", "halma"]


class Table:
    """A user at the table of a page, who keeps the state as a page would."""

    def __init__(self, page: Paged) -> None:
        self.page = page
        self.state: dict[str, Any] = {}

    def tell(self, type: str, answer: str = "", times: int = 1, **message: Any) -> list[dict[str, Any]]:
        """Send a message; return the replies, once the page is quiet and `times` replies of type `answer` have come."""
        messages: list[dict[str, Any]] = self.page({"type": type, **message}, answer, times)
        for one in messages:
            if one["type"] == "state":
                merge(self.state, one)
        return messages

    def answer(self, type: str, answer: str, **message: Any) -> dict[str, Any]:
        return next(one for one in self.tell(type, answer, **message) if one["type"] == answer)

    def refused(self, type: str, **message: Any) -> str:
        found = self.tell(type, "problem", **message)
        assert [one["code"] for one in found] == ["refused"]
        return str(found[0]["summary"])


def merge(state: dict[str, Any], news: dict[str, Any]) -> None:
    for name in ("plies", "nodes"):
        news[name] = state.get(name, [])[: news["from"]] + news[name]
    state |= news


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [zrf_py.load(name) for name in NAMES]


@pytest.fixture(scope="module")
def page(games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Paged]:
    with pytest.MonkeyPatch.context() as patch:
        measured_once(patch)
        (tests := tmp_path_factory.mktemp("x") / "tests").mkdir()
        (tests / "bench.js").write_text(HOST, "utf-8")
        patch.setattr("tests.exporting.ROOT", tests.parent)
        page = Paged(games, tmp_path_factory.mktemp("page"))
        Table(page).tell("open")
        yield page
        page.close()


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("boards"), messages=(10_000.0, 10_000.0)) as site:
        yield site


COMPARED = ["ply", "node", "length", "game", "live", "tip", "turn", "seats", "you", "owner", "paused", "pace", "note",
            "asked", "help", "player", "side", "inTurn", "legs", "outcome", "check", "taken", "scores", "moved",
            "nodes", "plies", "variations", "watchers", "judged", "clock"]
"""Fields of a state that are compared; the others concern a table within a server, or are compared elsewhere."""


def differences(here: dict[str, Any], there: dict[str, Any]) -> dict[str, Any]:
    """Return the fields in which a state of the server differs from one of the page, each with both values."""
    found = {name: (seen(here, name), seen(there, name)) for name in COMPARED}
    return {name: pair for name, pair in found.items() if pair[0] != pair[1]}


def seen(state: dict[str, Any], name: str) -> Any:
    value = state.get(name)
    if name == "outcome" and value:
        return {key: value[key] for key in ("winners", "losers", "sentence", "number", "name", "places")}
    if name == "clock" and value:
        return {key: value[key] for key in ("seconds", "increment", "running")}
    return "" if name in ("turn", "legs") and state["outcome"] else value


def settle(seat: Seat, state: dict[str, Any], wanted: dict[str, Any], after: Any = None) -> None:
    """Read until the server's state equals the page's; fail if it still doesn't after some seconds."""
    for times in range(12):
        if not differences(state, wanted):
            return
        time.sleep(0.002 * 2 ** times if times else 0)
        seat.tell(type="link")
        while (message := seat.read())["type"] != "link":
            if message["type"] == "state":
                merge(state, message)
    assert not differences(state, wanted), after


def asked(random: Random, state: dict[str, Any]) -> dict[str, Any]:
    """Return a user's next request, most often a move."""
    others = ["goto", "node", "undo", "undo", "resume", "pause", "pace", "offer"]
    what = random.choice(["play"] * 8 + others)
    if what == "play" and state["legs"]:
        return {"type": "play", "node": state["node"], "move": random.choice(state["legs"])[0]}
    if what == "goto":
        return {"type": "goto", "ply": random.randrange(state["length"] + 1)}
    if what == "node":
        return {"type": "goto", "node": random.choice([0, *state["nodes"], *[v["node"] for v in state["variations"]]])}
    if what == "pause":
        return {"type": "pause", "on": random.random() < 0.5}
    if what == "pace":
        return {"type": "pause", "pace": random.choice([0, 2, 30, None])}
    if what == "offer":
        return {"type": "offer", random.choice(["hints", "balance"]): random.random() < 0.5}
    return {"type": "undo" if what == "undo" else "resume"}


@pytest.mark.parametrize("name", NAMES)
def test_a_page_answers_as_the_server_does(name: str, page: Paged, games: list[Game], boards: TestClient) -> None:
    """The requests are moves, variations, undo, pauses and help; now and then the targets of a piece, a saved game and
    a position that is set up are compared; at the end somebody resigns."""
    game, random, table = games[NAMES.index(name)], Random(name), Table(page)
    table.tell("new", variant=game.title)
    table.tell("pause", pace=None)
    table.tell("offer", hints=True, balance=True, clock=[900, 5] if name == "chess" else None)
    with seated(boards, game=name, **({"clock": [900, 5]} if name == "chess" else {})) as seat:
        state: dict[str, Any] = {}
        merge(state, {**seat.state, "from": 0, "plies": seat.plies})
        for step in range(80):
            settle(seat, state, table.state)
            message = asked(random, table.state)
            table.tell(**message)
            seat.tell(**message)
            settle(seat, state, table.state, [message, seat.said[-1:]])
            if step % 8 == 7:
                same_answers(table, seat, boards, random)
        for node in (0, table.state["nodes"][-1]):  # if nobody can resign at a node, both refuse
            for at in (table, seat):
                at.tell(type="goto", node=node)
                at.tell(type="resign")
            settle(seat, state, table.state)


def same_answers(table: Table, seat: Seat, boards: TestClient, random: Random) -> None:
    """Compare the answers about a position besides its state, and the saved game."""
    info = table.state["info"]
    start = random.randrange(len(info["places"]))
    seat.tell(type="reach", **{"from": start})
    assert table.answer("reach", "reach", **{"from": start})["ways"] == seat.answer("reach")["ways"]
    assert table.answer("save", "saved")["text"] == boards.get(f"/t/{seat.id}/game.zsg").text
    squares = random.sample(range(len(info["places"])), min(9, len(info["places"])))
    men = [[at, random.randrange(2), random.randrange(len(info["types"]))] for at in squares]
    wish = {"men": men, "stores": [], "player": random.choice(["", *[player["name"] for player in info["players"]]])}
    seat.tell(type="draft", **wish)
    here, there = table.answer("draft", "draft", **wish), seat.answer("draft")
    assert [here[key] for key in ("line", "moves", "player")] == [there[key] for key in ("line", "moves", "player")]
    assert seen(here, "outcome") == seen(there, "outcome")
    assert unpacked(here["link"])[2] == here["line"]


# ---------------------------------------------------------------------------------- links, saved games, computers, time


def unpacked(link: str) -> list[Any]:
    """Return the title, the seats and the moves of a link."""
    data = base64.urlsafe_b64decode(link + "=" * (-len(link) % 4))
    found: list[Any] = json.loads(zlib.decompress(data, -15))
    return found


def begun(page: Paged, game: Game, *texts: str, **seats: str) -> Table:
    """Return a new game of a page, in which computers wait; `texts` are played, then `seats` are assigned."""
    table = Table(page)
    for player in table.answer("pause", "state", on=True, pace=0)["seats"]:
        table.tell("seat", player=player, who="human")
    table.tell("new", variant=game.title)
    table.tell("offer", hints=True, balance=True, clock=None)
    table.tell("evaluate", on=False)
    for text in texts:
        table.tell("play", node=table.state["node"], move=text)
    for player, who in seats.items():
        table.tell("pause", on=True)
        table.tell("seat", player=player, who=who)
    return table


def played(game: Game, table: Table) -> Position:
    """Return the position that a page shows, computed from its list of moves."""
    position = game.start()
    for text, *_ in table.state["plies"][: table.state["ply"]]:
        position = position.play(text)
    return position


ILLEGAL = "A move of the record is illegal under these rules: "
OPENING = {"tictactoe": ["X Mark b2", "O Mark a1", "X Mark c1"],
           "chess": ["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3"]}


@pytest.mark.parametrize("name", OPENING)
def test_a_move_is_drawn_first_and_the_address_has_the_game(name: str, page: Paged, games: list[Game]) -> None:
    game = games[NAMES.index(name)]
    table = begun(page, game)
    for number, text in enumerate(OPENING[name], 1):
        drawn, state, address = table.tell("play", ply=number - 1, move=text)
        assert (drawn["type"], drawn["svg"], drawn["moved"]) == ("drawn", state["svg"], state["moved"])
        seen = scene(played(game, table), held=False)
        assert state["svg"] == svg(seen, style=Style(every=True)) and "info" not in state
        assert unpacked(address["link"]) == [game.title, state["seats"], OPENING[name][:number]]
    late = table.tell("play", ply=0, move=text)
    assert [one["type"] for one in late] == ["state", "address"] and table.state["ply"] == 3
    table.tell("goto", ply=1)
    link = table.answer("link", "link")["link"]
    assert unpacked(link) == unpacked(link_of(game.title, OPENING[name][:1], table.state["seats"]))
    assert table.tell("undo")[-1]["type"] == "address" and table.state["plies"][1][0] == OPENING[name][1]


def test_a_link_opens_a_game(page: Paged, games: list[Game]) -> None:
    """It opens with the link's seats and moves, as far as they are legal; an invalid link changes only the note."""
    game, table = games[2], begun(page, games[2])
    link = link_of(game.title, OPENING["chess"], {"Black": "ai:3", "White": "nobody"})
    state = table.answer("follow", "state", link=link)
    assert state["seats"] == {"White": "human", "Black": "ai:3"}
    assert [ply[0] for ply in state["plies"]] == OPENING["chess"]
    assert table.state["ply"] == 4 and played(game, table).player == "White"
    twice, damaged = ["Pawn e2 - e4", "Pawn e2 - e4"], "This link is damaged or incomplete,"
    for what, plies, note in [(link_of(game.title, OPENING["chess"]), 3, ""),
                              (link_of("Another"), 3, "This link belongs to another game,"),
                              (link_of(game.title, twice), 1, ILLEGAL + "move 2, `Pawn e2 - e4`"),
                              (link[: len(link) // 2], 1, damaged), ("?", 1, damaged)]:
        state = table.answer("follow", "state", link=what)
        assert set(state["seats"].values()) == {"human"} and state["note"].startswith(note)
        assert (state["ply"], state["length"]) == (plies, plies + (plies == 1))
        assert bool(state["note"]) == bool(note)


@pytest.mark.parametrize("name", OPENING)
def test_a_saved_game_is_loaded(name: str, page: Paged, games: list[Game]) -> None:
    """Its moves, variations and players are loaded; case is ignored in a title; files that are not saved games are
    refused."""
    game = games[NAMES.index(name)]
    table = begun(page, game, *OPENING[name][:2])
    table.tell("goto", ply=1)
    other = next(leg[0] for leg in table.state["legs"] if leg[0] != OPENING[name][1])
    table.tell("play", node=table.state["node"], move=other)
    text = table.answer("save", "saved")
    assert text["name"] == f"{name}.zsg" and read_game(text["text"]).variations == ((1, OPENING[name][1]),)
    texts = [OPENING[name][0], other]
    for change in (str, lambda text: text.replace(game.title, f" {game.title.upper()} ")):
        begun(page, games[1])
        state = table.answer("load", "state", text=change(text["text"]))
        assert [ply[0] for ply in state["plies"]] == texts and state["tip"] == state["ply"] == 2
        assert [one["plies"][0][0] for one in state["variations"]] == [OPENING[name][1]]
        assert set(state["seats"].values()) == {"human"} and state["info"]["title"] == game.title
    assert "not a saved game" in table.refused("load", text="[Event]")
    assert "which is not on this page" in table.refused("load", text=text["text"].replace(game.title, "Elsewhere"))
    wrong = text["text"].replace(other, "Nobody a1")
    assert ILLEGAL + "move 2, `Nobody a1`: no legal" in table.answer("load", "state", text=wrong)["note"]
    for header, level in (("", "ai:5"), ('; [Players "human,ai:3"]\r\n', "ai:3")):
        loaded = text["text"].replace(" HH", " HC") + header
        assert list(table.answer("load", "state", text=loaded)["seats"].values()) == ["human", level]
        assert table.answer("save", "saved")["text"].endswith(header)


@pytest.mark.parametrize("legal", [2, 0])
def test_a_record_with_an_illegal_move_is_kept_as_on_the_server(
        legal: int, page: Paged, games: list[Game], boards: TestClient) -> None:
    """The illegal move and the rest stay in the list; no request leads there; computers wait until they are resumed."""
    moves = [*OPENING["chess"][:legal], "Foo a1 - b9", "Pawn g7 - g6", "Foo a2 - b9"]
    text = "\n".join(["Zillions Save Game File Version 0.02 CC", "RulesFile=chess.zrf", "VariantName=Chess",
                      *[f"{1 + i // 2}. {move}" for i, move in enumerate(moves)], f"; {legal} Pawn a2 - a9",
                      f"; {len(moves) + 1} Pawn a7 - a6", '; [Players "random,random"]'])
    table = begun(page, games[NAMES.index("chess")])
    table.tell("load", text=text)
    kept = table.state
    assert kept["note"].startswith(f"{ILLEGAL}move {legal + 1}, `Foo a1 - b9`: no legal move of `White` matches")
    with seated(boards, zsg=text) as seat:
        for name in ("ply", "length", "game", "live", "note", "paused", "thinking", "player", "legs"):
            assert kept[name] == seat.state[name], name
        assert (kept["plies"], kept["paused"]) == (seat.plies, True)
        assert [[one["ply"], one["plies"]] for one in kept["variations"]] == [
            [one["ply"], one["plies"]] for one in seat.state["variations"]]
        for ply in (legal - 1, legal) if legal else ():
            table.tell("goto", ply=ply)
            seat.tell(type="goto", ply=ply)
            assert table.state["ply"] == seat.until(lambda state, ply=ply: state["ply"] == ply)["ply"] == ply
    saved = table.answer("save", "saved")["text"]
    assert read_game(saved).variations[0] == (legal, "Foo a1 - b9") and len(read_game(saved).variations) == 5
    for message in ({"type": "goto", "ply": legal + 1}, {"type": "goto", "node": kept["variations"][0]["node"]}):
        assert table.refused(**message).startswith(ILLEGAL) and table.state["ply"] == legal
    reviews = [one["ply"] for one in table.tell("review", "review", legal + 1) if one["type"] == "review"]
    assert reviews == [*range(legal + 1)] and table.state["note"]
    table.tell("seat", player="Black", who="human")
    table.tell("pause", pace=0)
    table.tell("resume", "drawn")
    assert table.state["length"] > legal and not table.state["note"]
    assert [one["plies"][0][0] for one in table.state["variations"]] == ["Foo a1 - b9", "Pawn a2 - a9"]


def test_impossible_requests_are_refused(page: Paged, games: list[Game]) -> None:
    table = begun(page, games[0], "X Mark b2")
    assert "not a legal move" in table.refused("play", node=table.state["node"], move="O Mark b2")
    assert "no such move" in table.refused("goto", node=99) and "no such move" in table.refused("goto", ply=7)
    assert "no such seat" in table.refused("seat", player="X", who="ai:11")
    assert "no such seat" in table.refused("seat", player="Y", who="human")
    assert "no such variant" in table.refused("new", variant="Another")
    assert "before the first move" in table.refused("offer", clock=[60, 0])
    assert "only on a server" in table.refused("answer") and "only on a server" in table.refused("toString")
    assert [one["type"] for one in table.tell("resign")] == ["state", "address"]
    assert (table.state["outcome"]["winners"], table.state["outcome"]["losers"]) == (["X"], ["O"])
    assert "nothing to resign" in table.refused("resign")


@pytest.mark.parametrize("seed", range(3))
def test_computers_play_games_to_their_ends(seed: int, page: Paged, games: list[Game]) -> None:
    """The moves of each kind of player are legal, the end follows the rules, and links contain the seats."""
    seats = {"X": ["random", "greedy", "ai:1"][seed], "O": ["greedy", "ai:2", "random"][seed]}
    table = begun(page, games[0], **seats)
    assert table.state["paused"] and table.state["seats"] == seats and table.state["you"] == []
    table.tell("resume")
    position = played(games[0], table)
    outcome = position.outcome()
    assert outcome and seen(table.state, "outcome")["winners"] == list(outcome.winners) and not table.state["thinking"]
    assert unpacked(table.answer("link", "link")["link"])[1] == seats
    swapped = {"X": seats["O"], "O": seats["X"]}
    table.tell("pause", on=True)
    table.tell("new", swap=True)
    assert table.state["seats"] == swapped


@pytest.mark.parametrize("who", ["greedy", "random"])
def test_a_computer_answers_a_person(who: str, page: Paged, games: list[Game]) -> None:
    """Undo returns to the user's own last choice; the game goes on after the moves taken back, and another is tried."""
    table = begun(page, games[0], O=who)
    table.tell("resume")
    assert table.state["you"] == ["X"] and table.state["ply"] == 0
    for text in ("X Mark b2", None):
        table.tell("play", node=table.state["node"], move=text or table.state["legs"][0][0])
    assert table.state["ply"] == 4 and table.state["turn"] == "play"
    table.tell("undo")
    assert (table.state["ply"], table.state["player"], table.state["paused"]) == (2, "X", False)
    table.tell("goto", ply=4)
    table.tell("resume")
    assert (table.state["ply"], table.state["player"]) == (4, "X")
    table.tell("goto", ply=1)
    assert table.state["turn"] == "try" and not table.state["live"] and table.state["game"] == 4
    table.tell("play", node=table.state["node"], move=table.state["legs"][-1][0])
    assert table.state["tip"] == 4 and table.state["ply"] == 2 and not table.state["live"]
    table.tell("undo")
    assert (table.state["ply"], table.state["live"]) == (2, True)
    table.tell("goto", ply=1)
    table.tell("resume")
    assert (table.state["ply"], table.state["live"], table.state["player"]) == (2, True, "X")


def test_a_new_game_stops_the_computer_that_is_thinking(page: Paged, games: list[Game]) -> None:
    table = begun(page, games[0], O="greedy")
    table.tell("pause", on=False, pace=0.2)
    first = {"type": "play", "node": 0, "move": table.state["legs"][0][0]}
    for message in page([first, {"type": "new"}], "state"):
        if message["type"] == "state":
            merge(table.state, message)
    time.sleep(0.4)
    table.tell("evaluate", on=False)
    seen = [table.state[name] for name in ("ply", "length", "note", "paused", "player", "turn")]
    assert seen == [0, 0, "", False, "X", "play"]


@pytest.mark.parametrize("name", ["tictactoe"])
def test_a_page_advises_as_the_server_does(name: str, page: Paged, games: list[Game]) -> None:
    """Hints, best lines and values equal those of Python's search, in the position shown and in a review."""
    game = games[NAMES.index(name)]
    table = begun(page, game, "X Mark b2", "O Mark a1", "X Mark c1", "O Mark a3")
    position = played(game, table)
    expected = [rounded(plain(opponents.look(here, learn=False))) for here in list(position.line())[::-1]]
    lines = expected[-1]["lines"]
    analysis = table.answer("analyse", "analyse")
    assert rounded(analysis["lines"]) == lines and (analysis["ply"], analysis["node"]) == (4, table.state["node"])
    assert table.answer("hint", "hint")["legs"] == [lines[0]["moves"][0][0]]
    for message in (one for one in table.tell("evaluate", on=True) if one["type"] == "state"):
        worth = message["worth"]
    assert rounded(worth["lines"]) == lines and table.state["judged"]
    table.tell("evaluate", on=False)
    assert table.state["worth"] is None
    reviews = [one for one in table.tell("review", "review", 5) if one["type"] == "review"]
    assert [(one["ply"], one["of"]) for one in reviews] == [(ply, 5) for ply in range(5)]
    assert [rounded(one["lines"]) for one in reviews] == [one["lines"] for one in expected]


def test_help_is_available_only_if_offered(page: Paged, games: list[Game]) -> None:
    table = begun(page, games[0])
    for hints, balance in ((False, True), (True, False), (True, True)):
        table.tell("offer", hints=hints, balance=balance)
        may = table.state["may"]
        assert (may["hint"], may["evaluate"]) == ("yes" if hints else "no", "yes" if balance else "no")
        assert (may["analyse"], may["review"], may["overlays"], may["answer"]) == ("yes", "yes", "no", "no")
        assert table.state["help"] == {"hints": hints, "balance": balance}
    table.tell("offer", hints="yes")
    assert table.state["help"]["hints"] is True


def test_running_out_of_time_loses(page: Paged, games: list[Game]) -> None:
    table = begun(page, games[0])
    table.tell("offer", clock=[1, 0])
    table.tell("play", ply=0, move="X Mark b2")
    assert table.state["clock"]["running"] == "O" and table.state["outcome"] is None
    time.sleep(1.4)
    table.tell("overlays")
    outcome = seen(table.state, "outcome")
    assert (outcome["winners"], outcome["losers"]) == (["X"], ["O"]) and "time" in outcome["sentence"]
    table.tell("new")
    assert table.state["clock"] == {"seconds": 1, "increment": 0, "running": "", "left": {"X": 1, "O": 1}}
