"""Complete answers of the rules editor's server, about a text with characters that a browser counts as two."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient

from tests.playing import HANG, RULES, counted
from tests.small_games import MARCH
from zrf_py.author import desk_answers
from zrf_py.author.desk_state import NO_QUESTION, Units
from zrf_py.author.editor import room as rooms
from zrf_py.author.editor.room import Room
from zrf_py.author.new.templates import BOARDS, KINDS
from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import fragment
from zrf_py.browser.host import Project
from zrf_py.play.game import loads
from zrf_py.serve import desk as desks
from zrf_py.serve.desk import Desk
from zrf_py.serve.limits import Limits

RACE = """; 😀 a comment
(game (title "Race") (description "😀 Go.") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 60 60) (dimensions ("a/b/c" (60 0)) ("3/2/1" (0 60))) (directions (n 0 -1) (s 0 1)))
    (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify empty?) add)))
  (board-setup (White (Man a1 off 2)) (Black (Man c3)))
  (loss-condition (White Black) stalemated))
"""

SIDES = " ".join(f'("{"/".join(f"x{i}" for i in range(90))}" ({step}))' for step in ("10 0", "0 10"))
LONG = RACE + "".join(f'(variant (title "{n}") (board (grid (start-rectangle 0 0 {n} 9) (dimensions {SIDES}))))'
                      for n in range(10, 30))
"""Rules whose analysis takes most of a second."""


class Page:
    """A user of the rules editor."""

    def __init__(self, web: Any, desk: Desk) -> None:
        self.web, self.desk, self.number, self.text, self.version = web, desk, 0, "", 0
        self.told: list[dict[str, Any]] = []
        self.web.send_text(json.dumps({"token": desk.token}))
        self.file = self.read()
        self.text = self.file["text"]

    def read(self) -> dict[str, Any]:
        return dict(json.loads(self.web.receive_text()))

    def type(self, text: str) -> dict[str, Any]:
        """Change the text; return the first result about it."""
        self.text, self.version = text, self.version + 1
        self.web.send_text(json.dumps({"type": "text", "text": text, "version": self.version}))
        return self.problems()

    def problems(self) -> dict[str, Any]:
        while True:
            told = self.read()
            if told["type"] == "problems" and told["version"] == self.version:
                return told

    def ask(self, what: str, **more: Any) -> dict[str, Any]:
        """Return the answer to a request: its value, or the problem."""
        self.number += 1
        self.web.send_text(json.dumps({"type": "ask", "id": self.number, "what": what, **more}))
        while True:
            answer = self.read()
            if answer["type"] == "answer":
                assert answer.pop("id") == self.number and answer.pop("version") == self.version
                return answer

    def value(self, what: str, **more: Any) -> Any:
        answer = self.ask(what, **more)
        assert set(answer) == {"type", "value"}, answer
        return answer["value"]

    def at(self, words: str) -> int:
        """Return the offset of some words in UTF-16 units."""
        return len(self.text[: self.text.index(words)].encode("utf-16-le")) // 2

    def edited(self, edits: list[list[Any]]) -> str:
        """Return the text after edits whose offsets are in UTF-16 units."""
        wide = self.text.encode("utf-16-le")
        for start, end, new in edits:
            wide = wide[: 2 * start] + new.encode("utf-16-le") + wide[2 * end :]
        return wide.decode("utf-16-le")


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    """One process for all editors in this file, since starting it takes longest."""
    shared = Room(desk_answers.news, print)
    yield shared
    shared.end()


@pytest.fixture
def desk(tmp_path: Path, room: Room) -> Desk:
    (tmp_path / "race.zrf").write_text(RACE, "utf-8")
    made = Desk(tmp_path / "race.zrf", "own", Limits(join_seconds=HANG))
    made.room, room.publish = room, made._publish
    return made


@pytest.fixture
def page(desk: Desk) -> Iterator[Page]:
    app = Starlette(routes=[WebSocketRoute("/ws", desk.socket)])
    with TestClient(app) as site, site.websocket_connect("/ws") as web:
        yield Page(web, desk)
    desk.room = Room(desk_answers.news, print)  # so that `close` leaves the shared room open
    asyncio.run(desk.close())


def test_the_default_game_comes_first(page: Page) -> None:
    told = page.type(RACE + '(variant (title "Two"))(variant (title "Three") (default))')
    assert [game["title"] for game in told["games"]] == ["Three", "Race", "Two"]


@pytest.mark.parametrize("hello", ['{"token": "wrong"}', "{}", "[1]", "no json"])
def test_requests_without_the_token_get_nothing(desk: Desk, hello: str) -> None:
    app = Starlette(routes=[WebSocketRoute("/ws", desk.socket)])
    with TestClient(app) as site, site.websocket_connect("/ws") as web:
        web.send_text(hello)
        message = web.receive()
        if message["type"] == "websocket.send":
            told = json.loads(message["text"])
            assert told["type"] == "gone" and "text" not in told and told["problem"]["summary"]
            message = web.receive()
        assert message["type"] == "websocket.close" and message["code"] == 1008


def test_a_file_is_sent_with_its_problems(page: Page) -> None:
    file = page.file
    assert (file["type"], file["name"], file["game"], file["text"]) == ("file", "race.zrf", "own", RACE)
    assert file["path"] == str(page.desk.path)
    told = page.problems()
    assert (told["problems"], told["files"]) == ([], ["race.zrf", "race.md"])
    assert told["games"] == [{"title": "Race", "ok": True, "at": page.at("(game")}]
    told = page.type(RACE.replace("(verify", "(verfy"))
    problem, = told["problems"]
    assert (problem["from"], problem["to"]) == (page.at("verfy"), page.at("verfy") + 5)
    assert (problem["severity"], problem["code"], told["linted"]) == ("error", "unknown-keyword", False)
    fix = next(fix for fix in problem["fixes"] if "verify" in fix["title"])
    assert page.edited(fix["edits"]) == RACE and told["games"][0]["ok"] is False
    told = page.type(RACE.replace("(loss-condition", "(define idle add)\n(loss-condition"))
    while not told["linted"]:
        told = page.problems()


def test_requests_about_a_place_are_answered(page: Page) -> None:
    page.problems()
    found = page.value("hover", at=page.at("Man a1"))
    assert (found["from"], found["to"]) == (page.at("Man a1"), page.at("Man a1") + 3)
    assert found["text"].startswith("**Man** · piece")
    assert page.value("hover", at=page.at("comment")) is None
    assert page.value("definition", at=page.at("Man a1")) == [[page.at("Man) (moves"), page.at("Man) (moves") + 3]]
    assert page.edited(page.value("rename", at=page.at("Man a1"), name="Stone")) == RACE.replace("Man", "Stone")
    assert page.ask("rename", at=page.at("Man a1"), name="a b")["problem"]["code"] == "cant-rename"
    found = page.value("complete", at=page.at("Man a1") + 2)
    assert (found["from"], found["to"], found["complete"]) == (page.at("Man a1"), page.at("Man a1") + 3, True)
    assert found["items"] == [["Man", "piece", "piece"]]


def test_boards_and_moves_are_sent(page: Page) -> None:
    page.problems()
    game = loads(RACE)
    assert page.value("board", title="Race") == {
        "svg": game.start().svg(overlays=("zones",)), "men": [["a1", "White", "Man"], ["c3", "Black", "Man"]],
        "stores": [["White", "Man", 2]], "players": ["White", "Black"], "pieces": ["Man"]}
    edits = page.value("set-up", title="race", men=[["b2", "Black", "Man"]], stores=[["Black", "Man", 1]])
    assert loads(page.edited(edits)).start().pieces() == {"b2": ("Black", "Man")}
    assert page.value("words", title="Race", language="de") == {"html": fragment(rules_in_words(game, "de"))}
    found = page.value("why", title="Race", play="a1 a2; c3 c2", question="a2 a3")
    assert found["svg"] == game.start().play("a2").play("c2").svg() and found["answer"]
    assert page.ask("why", title="Race", play="a1 c1", question="a2 a3")["problem"]["code"] == "no-such-move"
    page.type(RACE.replace("(verify", "(verfy"))
    for what, more in (("board", {}), ("words", {"language": "en"})):
        assert page.ask(what, title="Race", **more)["problem"]["code"] == "rules-with-errors"


def test_a_text_is_formatted(page: Page) -> None:
    page.type(RACE.replace("  (piece", "(piece"))
    assert page.value("format")["text"].startswith("; 😀 a comment\n") and "\n  (piece" in page.value("format")["text"]
    page.type("(game")
    assert page.ask("format")["problem"]["summary"]


def test_files_are_saved_unless_another_program_has_changed_them(page: Page) -> None:
    page.problems()
    mark = page.file["mark"]
    saved = page.value("save", name="race.zrf", text=RACE + "; more\n", mark=mark)
    assert page.desk.path.read_text("utf-8") == RACE + "; more\n" and saved["mark"] != mark
    assert page.value("open", name="race.zrf") == {"text": RACE + "; more\n", "mark": saved["mark"]}
    assert page.ask("save", name="race.zrf", text="x", mark=mark)["problem"]["code"] == "changed-elsewhere"
    assert page.value("save", name="race.zrf", text=RACE + "; more\n", mark=mark) == saved  # the file has this text
    page.desk.path.write_bytes(b"; \xfc\r\n")
    opened = page.value("open", name="race.zrf")
    assert opened["text"] == "; ü\n"
    page.value("save", name="race.zrf", text="; ö\n;\n", mark=opened["mark"])
    assert page.desk.path.read_bytes() == b"; \xf6\r\n;\r\n"
    assert page.value("open", name="race.md") == {"text": "", "mark": desks._mark(b"")}
    page.value("save", name="race.md", text="# Tests\n", mark=desks._mark(b""))
    assert page.desk.path.with_suffix(".md").read_text("utf-8") == "# Tests\n"
    assert page.ask("open", name="../passwd")["problem"] == desks.NO_QUESTION
    page.desk.path.unlink()
    page.desk.path.mkdir()
    assert page.ask("save", name="race.zrf", text="x", mark=mark)["problem"]["code"] == "unwritable"


def test_included_files_of_the_folder_belong_to_the_game(page: Page) -> None:
    (page.desk.path.parent / "step.inc").write_text("(define step (n (verify empty?) add))", "utf-8")
    told = page.type('(include "step.inc")\n' + RACE.replace("(n (verify empty?) add)", "(step)"))
    assert told["problems"] == [] and told["files"] == ["race.zrf", "race.md", "step.inc"]
    assert page.value("open", name="step.inc")["text"].startswith("(define step")
    assert page.value("definition", at=page.at("step)")) == []  # defined in the other file


def test_games_to_start_from_are_listed(page: Page) -> None:
    page.problems()
    starts = page.value("starts")
    assert list(starts["kinds"]) == list(KINDS) and list(starts["small"]) == list(BOARDS)
    for games in starts["small"].values():
        for made in counted(games.values()):
            game = loads(made["text"])
            assert game.title == "Race" and made["svg"] == game.start().svg() and len(game.start().pieces()) != 1
    assert page.value("start", game="tictactoe")["text"] == (RULES / "tictactoe.zrf").read_text("utf-8")


def test_lints_of_the_file_are_sent(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    async def run_zrf(command: tuple[str, ...], seconds: float) -> tuple[int, bytes, bytes]:
        asked.append(command)
        return 1, b"found ", b"said"

    monkeypatch.setattr(desks, "run_zrf", run_zrf)
    assert page.value("lints") == {"text": "found said"}
    assert asked == [("lint", str(page.desk.path))]
    assert page.ask("run", command="rm")["problem"] == desks.NO_QUESTION


@pytest.mark.parametrize("message", [
    {"what": "fly"}, {}, {"what": "hover", "at": "x"}, {"what": "rename", "at": 3}, {"what": "set-up", "title": "Race"},
    {"what": "hover", "at": float("inf")}])
def test_invalid_requests_are_refused(page: Page, message: dict[str, Any]) -> None:
    page.problems()
    page.web.send_text(json.dumps({"type": "ask", "id": 7, **message}))
    while (answer := page.read())["type"] != "answer":
        pass
    assert answer["id"] == 7 and answer["problem"] == desks.NO_QUESTION
    page.web.send_text(json.dumps({"type": "text", "text": 5, "version": 1}))
    while (answer := page.read())["type"] != "answer":
        pass
    assert answer == {"type": "answer", "id": None, "problem": desks.NO_QUESTION}


def test_offsets_convert_to_utf16_and_back() -> None:
    for text in ("", "abc", "a😀b😀😀c", "😀"):
        units = Units(text)
        for at in counted(range(len(text) + 1)):
            assert units.out(at) == len(text[:at].encode("utf-16-le")) // 2 and units.back(units.out(at)) == at


def test_trials_use_the_text_as_typed(page: Page) -> None:
    """They run in a process of their own, which a page can stop; the next request starts it again."""
    page.problems()
    page.type(RACE + "; more")
    assert page.value("changes", old=RACE)[-1] == ["added", "+ ; more"]
    block = page.value("remember", title="Race", moves=["Man a1 - a2"])["block"]
    assert [row["problem"] for row in page.value("tests", page=block)] == [""]
    assert page.value("compare", title="Race", old=RACE)["difference"] is None
    assert page.value("stop") is None
    assert page.ask("remember", title="Race", moves=["Man a1 - a3"])["problem"]["code"] == "no-such-move"
    assert page.ask("remember", title="Race")["problem"] == NO_QUESTION


def test_a_text_that_takes_too_long_gets_one_message_and_the_next_is_checked(
    page: Page, monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = page.desk.room.worker
    page.problems()
    while not page.problems()["linted"]:
        pass
    monkeypatch.setattr(rooms, "SECONDS", 0.05)
    problem, = page.type(LONG)["problems"]
    assert (problem["code"], problem["severity"], problem["from"], problem["to"], problem["fixes"]) == (
        "too-slow", "error", 0, 0, [])
    assert "longer than 0.05 seconds" in problem["text"] and problem["help"]
    assert page.ask("hover", at=0)["problem"]["code"] == "too-slow"
    monkeypatch.setattr(rooms, "SECONDS", HANG)
    told = page.type(RACE)
    assert (told["problems"], told["games"][0]["title"]) == ([], "Race")
    assert told["files"] == ["race.zrf", "race.md"] and page.value("format")["text"]
    assert page.desk.room.worker is not before


def test_a_browser_searches_for_the_place_of_a_parenthesis_when_nobody_types(tmp_path: Path) -> None:
    project = Project(tmp_path, "march.zrf")
    text = "(define hop ($1 (verify (not-friend?) add))\n" + MARCH.format(ends="")
    [first] = json.loads(project.heed(json.dumps({"type": "text", "text": text, "version": 1})))
    [last] = json.loads(project.heed(json.dumps({"type": "lint"})))
    assert [problem["fixes"] for problem in first["problems"]] == [[]]
    at = text.index("(not")
    assert [fix["edits"] for problem in last["problems"] for fix in problem["fixes"]] == [[[at, at + 1, ""]]]
    assert not json.loads(project.heed(json.dumps({"type": "lint"})))


@pytest.mark.parametrize(("length", "is_linted"), [(100_000, True), (100_001, False)])
def test_a_browser_lints_no_long_texts(length: int, is_linted: bool, tmp_path: Path) -> None:
    """A comment pads the text to the given length."""
    project = Project(tmp_path, "march.zrf")
    text = (MARCH.format(ends="") + "\n;").ljust(length, "-")
    [state] = json.loads(project.heed(json.dumps({"type": "text", "text": text, "version": 1})))
    assert state["problems"] == []
    assert bool(json.loads(project.heed(json.dumps({"type": "lint"})))) == is_linted
