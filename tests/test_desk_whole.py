"""The rules editor of a site as a whole, in node: its page, its host, Python's answers; what users draw becomes rules.

`pages/desk/world.js` stands in for the browser. Drawings are checked by playing the rules that they become.
"""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
import subprocess
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import zrf_py
from tests.playing import HANG, ROOT, RULES
from tests.test_visual import HEXAGONS, asked
from zrf_py.author import sharing
from zrf_py.author.desk_answers import starts
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import BOARDS, KINDS
from zrf_py.author.trials import trying
from zrf_py.browser.host import Project
from zrf_py.export.bundle import bundle
from zrf_py.export.sources import modules

PAGES = ROOT / "tests" / "pages" / "desk"
HOST = ROOT / "zrf_py" / "export" / "site-static"


MARGIN = {"line": [["{side} wins {share} %", {"side": "?White", "share": 60}], ["games: {n}", {"n": 12}]],
          "never": ["King"]}


class Python:
    """The worker's side: what `desk-worker.js` does with Python in a browser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[dict[str, Any]] = []

    def replies(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        self.asked.append(message)
        return [{"type": "began", "message": message}, *self.answers(message), {"type": "done"}]

    def answers(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        if message["type"] == "begin":
            for name, text in message["files"].items():
                (self.folder / name).write_text(text, "utf-8")
            self.project = Project(self.folder, message["main"])
            return [{"type": "ready"}]
        if message.get("what") in ("payload", "page"):
            value = {"html": "<p>page</p>"} if message["what"] == "page" else f"tables of {message['title']}"
            return [{"type": "answer", "id": message["id"], "value": value}]
        if message.get("what") == "margin":  # other tests cover the random games, which take a second
            return [{"type": "answer", "id": message["id"], "value": MARGIN,
                     "version": self.project.version}]
        return list(json.loads(self.project.heed(json.dumps(message))))


def at_desk(name: str, folder: Path, given: dict[str, Any] | None = None, host: str = "", **world: Any) -> list[Any]:
    """Return the values shown by a script of `pages/desk/` in the whole page; `host` replaces the host of a site. The
    browser has stored `FILES` and is at the address `WHERE`, and the site has the files `PLACES`."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    browser = (PAGES / "world.js").read_text("utf-8")
    for word, value in {"FILES": {}, "PLACES": {}, "WHERE": {}, **world}.items():
        browser = re.sub(rf"\b{word}\b", lambda _, value=value: json.dumps(value), browser)  # type: ignore[misc]
    parts = {**modules(), "world": browser, "desk-editor": (PAGES / "editor.js").read_text("utf-8"),
             "test": (PAGES / f"{name}.js").read_text("utf-8")}
    for part in ("desk-host", "desk-files"):
        parts[part] = (HOST / f"{part}.js").read_text("utf-8").replace("import.meta.url", '"http://x/desk/desk.js"')
    parts["desk-host"] = host or parts["desk-host"]
    parts["desk"] += "export const ready = true;\n"
    body = re.sub(r"<!doctype html>|</?(html|body)[^>]*>", "",
                  (ROOT / "zrf_py/serve/static/desk.html").read_text("utf-8"))
    script = folder / "page.js"
    script.write_text("\n".join([
        "const show = (it) => console.log(JSON.stringify({ shown: it }));",
        f"const GIVEN = {json.dumps(given or {})};",
        'globalThis.location = { search: "?lang=en", hash: "", origin: "http://x" };',
        (ROOT / "tests" / "dom.js").read_text("utf-8"), f"parse({json.dumps(body)}, document.body);",
        bundle(parts, "test").removesuffix(";\n"),
        ".then(() => process.exit(0), (problem) => { console.error(problem); process.exit(1); });"]), "utf-8")
    (folder / "project").mkdir()
    python, shown = Python(folder / "project"), []
    with subprocess.Popen([node, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, encoding="utf-8") as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        for line in process.stdout:
            message = json.loads(line)
            if "shown" in message:
                shown.append(message["shown"])
                continue
            for reply in python.replies(message["asks"]):
                process.stdin.write(json.dumps(reply) + "\n")
            process.stdin.flush()
        problem = process.stderr.read()
        assert process.wait(HANG) == 0 and not problem, (problem[-2000:], shown)
    return shown


def rules(moves: str, more: str = "", men: str = "(White (Man c3)) (Black (Man a1))") -> str:
    return f"""(game (title "Draw") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c/d/e" (40 0)) ("5/4/3/2/1" (0 40)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (zone (name far) (players White Black) (positions b1 b2 b3)))
  (piece (name Man) {moves}) (piece (name Queen) (moves {more} (n (verify empty?) (if (empty? e) add))))
  (board-setup {men}) (loss-condition (White Black) stalemated))"""


def ends(text: str, men: str) -> set[tuple[str, int, str]]:
    """Return the moves of the piece on c3, as the engine computes them: (destination, number of captures, type
    afterwards). `men` is the whole set-up."""
    text, count = re.subn(r"\(board-setup .*(?= \(loss-condition)", f"(board-setup {men})", text)
    assert count == 1
    moves = zrf_py.loads(text).start().moves()
    return {(str(move.end), len(move.captures), move.becomes or move.piece) for move in moves if move.start == "c3"}


FULL = "(White (Man c3)) (Black (Man c4 d4 d5 e3))"
EMPTY = "(White (Man c3)) (Black (Man a1))"
LARGE = """(game (title "Large") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 40 40)
    (dimensions ("a/b/c/d/e/f/g/h/i/j/k/l/m/n/o" (40 0)) ("15/14/13/12/11/10/9/8/7/6/5/4/3/2/1" (0 40)))
    (directions (n 0 -1) (e 1 0))))
  (piece (name Man) (moves (n (verify not-friend?) add)))
  (board-setup (White (Man h8)) (Black (Man a1))) (loss-condition (White Black) stalemated))"""
LOCKED = "(define it (moves (n (verify empty?) add)))\n"


def test_drawn_moves_become_moves_of_the_game(tmp_path: Path) -> None:
    """Steps, leaps, slides, captures and promotions are drawn by clicks and keys; locked moves are only shown."""
    given = {"empty": rules(""), "large": LARGE, "locked": LOCKED + rules("(it)")}
    shown = iter(at_desk("moves", tmp_path, given))

    def text(name: str) -> str:
        row = next(shown)
        assert row[0] == name
        return str(row[1])

    step, leap, slide = "step n: move or capture", "leap n e: capture only", "slide e: move only"
    far, only = "leap n n e: move or capture", "step n: move only"
    start = [True, False, True, "Man", ["Man", "Queen"], "", ["no zone", "far"], True]
    assert next(shown) == [*start, "Click the squares that the piece can move to."]
    assert next(shown) == [[f"{step}Remove"], ["taking", "quiet"]]
    labels = [f"c4 · {step}", f"d3 · {slide}", f"d4 · {leap}", f"e3 · {slide}"]
    drawn = [*3 * ["quiet"], "sliding", *2 * ["taking"]]
    assert next(shown) == [[f"{row}Remove" for row in (step, leap, slide)], drawn, labels]
    assert next(shown) == [["no direction leads there", "bad"], 3]
    rows = [f"{row}Remove" for row in (leap, slide, far, only)]
    assert next(shown) == rows, "the same path with another kind of move replaces the first"
    first = text("first")
    assert ends(first, FULL) == {("d4", 1, "Man"), ("d3", 0, "Man"), ("d5", 1, "Man")}
    assert ends(first, EMPTY) == {("c4", 0, "Man"), ("d3", 0, "Man"), ("e3", 0, "Man"), ("d5", 0, "Man")}
    assert next(shown) == rows
    second = text("second")
    assert ends(second, EMPTY) == {("c4", 0, "Man")}, "a second click on the leap and a button on the slide remove them"
    assert next(shown) is False
    third = text("third")
    assert ends(third, EMPTY) == {("c4", 0, "Man"), ("b3", 0, "Queen")}
    assert ends(third, EMPTY.replace("a1", "b3")) == {("c4", 0, "Man"), ("b3", 1, "Queen")}
    rows = [f"{leap}Remove", f"{only}Remove", "step w: move or capture, promotes to Queen in farRemove"]
    assert next(shown) == rows
    code = "(n (verify empty?) (if (empty? e) add))"
    assert next(shown) == ["Queen", "", [], f"Shown in grey, and can't be changed here: {code}", ["quiet"]]
    assert [next(shown) for _ in range(3)] == [["a1", "b1"], "b2", "b1"], "arrow keys go over the squares"
    assert next(shown) == [["step n: move or capture, promotes to Queen in farRemove"], "a2"]
    assert next(shown) == "new-piece", "a piece needs a name"
    assert next(shown) == ["", "Rook", ["Man", "Queen", "Rook"], []]
    fourth = text("fourth")
    assert ends(fourth, EMPTY) == ends(third, EMPTY)
    assert ends(fourth, EMPTY.replace("Man c3", "Rook c3")) == {(f"c{n}", 0, "Rook") for n in (1, 2, 4, 5)}
    (left, top, width, height), (x, y), quiet, taking, next_square, size = next(shown)
    assert (left + width / 2, top + height / 2) == (x, y) and width == height and size == [None, None]
    assert 4 * 40 < width / 2 < 5 * 40, "four squares around the piece, and a part of the fifth"
    assert [[*next_square]] == [row[:2] for row in quiet] == [row[:2] for row in taking]
    assert 0 < quiet[0][2] < taking[0][2] < 20
    assert next(shown) == "no short path leads there"
    (arrow,), end = next(shown)
    assert arrow.startswith("M{} {}L{} {}M".format(x, y, *end))
    assert next(shown) == ["Man", True, "These moves come from a macro or another file. They are shown, but can't be "
                           "changed here.", []]
    assert next(shown) == []
    assert next(shown) == ["the rules have errors; fix them first", "bad"]
    assert next(shown, None) is None


CLOSED = """export class Host {
  constructor(heard) { Object.assign(this, { heard, isOpen: true }); }
  connect() { // a server answers when the page has offered the rules of its link
    if (it("came").hidden && location.hash) setImmediate(() => this.connect());
    else this.heard({ type: "gone", problem: { summary: "this page is another's" }, help: "ask its owner" });
  }

  send() {}
  show() {}
}"""


def test_a_visitor_sees_the_rules_of_a_link_and_nothing_without_one(tmp_path: Path) -> None:
    """If the server refuses editing, the text packed in the link is shown, as `shared.zrf`."""
    for number, (link, texts) in enumerate({"": [], f"#z={sharing.packed(STEPS)}": [STEPS]}.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        (ready, *said, names, title), shown = at_desk("visitor", folder, host=CLOSED, WHERE={"hash": link})
        assert ready and shown[:2] == [texts, bool(texts)]
        if texts:
            assert names == [title] == ["shared.zrf"] and shown[2], "nobody is asked whether to take these rules"
        else:
            assert not names and said == ["this page is another's: ask its owner", "bad"]


def test_a_file_is_checked_on_opening_and_requests_use_the_current_text(tmp_path: Path) -> None:
    """A file from this browser's storage is checked without typing; formatting uses the text as typed a moment ago."""
    following = STEPS.replace("(jump e)", "(jump n)")
    opened, text = at_desk("hasty", tmp_path, {"next": following}, FILES={"my-game.zrf": STEPS})
    assert opened == [True, "no problems", ["Steps", "Other"], STEPS]
    assert text == formatted(following) != following


@pytest.mark.parametrize("is_kept", [False, True])
def test_the_rules_of_a_link_are_opened_beside_the_visitors_own(tmp_path: Path, is_kept: bool) -> None:
    """They are stored once they are changed, or by a button; what another tab has stored is not overwritten unasked."""
    given = {"text": STEPS, "own": "; mine", "isKept": is_kept}
    shown = at_desk("linked", tmp_path, given, FILES={"my-game.zrf": "; mine"},
                    WHERE={"hash": f"#z={sharing.packed(STEPS)}"})
    opened, files, stored, compared, left, other, still, chosen, full = shown
    assert opened == [True, "shared.zrf", True, True, ["came", "board"], False]
    assert files == ["", ["shared", "my-game"], "new file", ["my-game.zrf"], True, "no problems"]
    assert stored == ["saved", ["my-game.zrf", "shared.zrf"], True, True, True]
    assert compared[:2] == [["versions"], "link"] and len(compared[2]) == 1 and '"Mine"' in compared[2][0]
    assert left == []
    assert other == ["not saved: the file has been changed elsewhere", "bad", "; other tab"]
    assert still == [other[0], "; other tab", ["theirs"]] and chosen == ["saved", True, []]
    assert full == ["not saved: no room left: download it to keep it", "bad", False]


def test_the_address_of_a_copy_opens_it_with_its_original(tmp_path: Path) -> None:
    copied = STEPS.replace("Steps", "Mine")
    opened, files = at_desk("linked", tmp_path, {"text": copied, "own": copied},
                            FILES={"my-game.zrf": copied, "shared.zrf": copied},
                            WHERE={"hash": f"#game=shared.zrf&z={sharing.packed(STEPS)}"})
    assert opened == [True, "shared.zrf", True, False, ["board"], False]
    assert files[1:3] == [["shared", "my-game"], "saved"]


def test_a_damaged_link_is_reported_beside_the_visitors_own_rules(tmp_path: Path) -> None:
    opened, files = at_desk("linked", tmp_path, {"text": STEPS, "own": STEPS}, FILES={"my-game.zrf": STEPS},
                            WHERE={"hash": f"#z={sharing.packed(STEPS)[8:]}"})
    assert opened == [True, "my-game.zrf", True, False, ["board"], True]
    assert files == ["The link can't be opened: this link is damaged.", ["my-game"], "saved", ["my-game.zrf"], True,
                     "no problems"]


TWO = """(game (title "Two") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 60 60) (dimensions ("a/b" (60 0)) ("2/1" (0 60)))
    (directions (n 0 -1) (e 1 0))))
  (piece (name Man) (moves (n (verify not-friend?) add)))
  (board-setup (White (Man a1)) (Black (Man b2))) (loss-condition (White Black) stalemated))"""


def squares(text: str) -> set[str]:
    return {place.name for place in zrf_py.loads(text).program.game.board.places}


def ways(text: str) -> set[tuple[str, str]]:
    """Return the pairs of squares joined by some direction."""
    board = zrf_py.loads(text).program.game.board
    return {(board.places[a].name, board.places[b].name)
            for row in board.links for a, b in enumerate(row) if b >= 0}


def zone(text: str) -> list[set[str]]:
    """Return the squares of the only zone, for each player."""
    board = zrf_py.loads(text).program.game.board
    (by_player,) = board.zones
    return [{board.places[at].name for at in squares} for squares in by_player]


def middles(text: str) -> dict[str, tuple[float, float]]:
    places = zrf_py.loads(text).program.game.board.places
    return {place.name: ((place.rectangle[0] + place.rectangle[2]) / 2, (place.rectangle[1] + place.rectangle[3]) / 2)
            for place in places}


def test_the_fields_show_the_shape_and_size_of_the_board(tmp_path: Path) -> None:
    """A board of another shape is shown as points and lines."""
    made = [asked(HEXAGONS, "make-board", kind=kind, columns=size, rows=0) for kind, size in (
        ("hexagon", 3), ("hexagon", 4), ("star", 3), ("star", 4))]
    odd = TWO.replace("(e 1 0))))", "(e 1 0))) (kill-positions b1))")
    assert odd != TWO
    shown = at_desk("sizes", tmp_path, {"texts": [TWO, *made, odd]})
    assert [fields[:2] if fields[0] != "rectangle" else fields for _, fields, _ in shown] == [
        ["rectangle", "2", "2"], ["hexagon", "3"], ["hexagon", "4"], ["star", "3"], ["star", "4"], ["points", "8"]]
    assert all(is_ready and is_disabled for is_ready, _, is_disabled in shown)


def test_a_drawn_board_becomes_the_board_of_the_game(tmp_path: Path) -> None:
    """The boards are rectangles, hexagons, and points added, joined, named and removed by clicks; zones are painted."""
    shown = iter(at_desk("boards", tmp_path, {"text": TWO}))
    assert next(shown) == ["2", "2"], "the size of the board"
    assert next(shown) == [True, True, [True, False, "Columns"], False]
    assert next(shown) is False, "a size was typed"
    assert squares(next(shown)) == {f"{column}{row}" for column in "abc" for row in (1, 2, 3, 4)}
    assert next(shown) == [True, True, "Side"]
    hexagon = next(shown).replace("(moves (n", "(moves (e")
    neighbours = Counter(a for a, _ in ways(hexagon))
    assert Counter(neighbours.values()) == {3: 6, 4: 6, 6: 7}, "corners, edges and insides of a hexagon of side 3"
    # Points and lines: the centres of four squares, 60 wide, become points; two more are added, the second by a click.
    sizes, is_hidden, (left, top, width, height), points, lines, fields = next(shown)
    assert (sizes, is_hidden, lines, fields) == ([False, True, "Side"], True, 4, 3 * [["", True]])
    at = {name: (float(x), float(y)) for name, x, y in points}
    assert at == {"a2": (30, 30), "a1": (30, 90), "b2": (90, 30), "b1": (90, 90)}
    assert left < 0 < 90 < left + width and top < 0 < 90 < top + height
    (name, x, y), is_disabled = next(shown)
    assert name == ["p5", False] and not is_disabled and float(y[0]) > 90 and y[1] is False is x[1]
    assert next(shown) == [["p6", False], ["300", False], ["12", False]], "at the nearest quarter of a distance"
    assert next(shown) == [["", "", ""], [200, -30, 30, 30], 0], "renamed, moved, joined; no point is chosen any more"
    chosen, labels = next(shown)
    assert chosen == ["a2"]
    joined = {"a2": "a1 b2 top", "a1": "a2 b1", "b2": "b1 a2", "b1": "a1 b2", "p5": "", "top": "a2"}
    assert {label.split(" – ")[0]: set(label.split(" – ")[1:]) for label in labels} == {
        name: set(others.split()) for name, others in joined.items()}
    assert next(shown) == 4, "two points that are joined are separated by clicks on both"
    assert next(shown) == ["b1", False], "another point is named `top`"
    assert next(shown) == [3, 3 * [["", True]], True], "its lines are gone with it"
    text = next(shown)
    pairs = {("a2", "b2"), ("a2", "top"), ("a1", "p7")}
    assert ways(text) == pairs | {(b, a) for a, b in pairs}
    old = {name: at[name] for name in ("a1", "a2", "b2")}
    assert squares(text) == {*old, "p5", "p7", "top"}
    moved = {name: middles(text)[name] for name in (*old, "top")}
    assert len({(x - moved[name][0], y - moved[name][1]) for name, (x, y) in {**old, "top": (200, -30)}.items()}) == 1
    # Zones.
    assert next(shown) == [["a new zone"], False, [" White ", " Black "], [True, True]]
    assert next(shown) == [["b2", "b1"], ["a2", "a1", "b2 in the zone", "b1 in the zone"]]
    assert next(shown) == ["zone-name", True], "a zone needs a name"
    assert zone(next(shown)) == [{"b1", "b2"}, set()]
    assert next(shown) == [True, True, ["b2", "b1"]]
    assert next(shown) == ['["hill",["White"]]', ["b2", "b1"]], "what was painted is taken back"
    assert zone(next(shown)) == [{"a2", "b2"}, set()]
    message, kind = next(shown)
    assert kind == "bad" and message
    assert next(shown) == "the rules have errors; fix them first"
    # An empty text.
    assert next(shown) == [False, 0, ""], "no field must be changed before the first board"
    first = next(shown)
    assert squares(first) == {f"{column}{row}" for column in "abcd" for row in range(1, 7)}
    game = zrf_py.loads(first)
    assert game.title == "My Game" and not game.start().moves() and first == formatted(first)
    assert squares(second := next(shown)) == {"p1", "p2"} and ways(second) == {("p1", "p2"), ("p2", "p1")}
    assert next(shown, None) is None


STEPS = """(define jump ($1 (verify enemy?) capture $1 (verify empty?) add))
(game (title "Steps") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 60 40) (dimensions ("a/b/c/d" (60 0)) ("3/2/1" (0 40)))
    (directions (n 0 -1) (e 1 0) (w -1 0))))
  (piece (name Man) (moves (jump e) (n (verify empty?) add)))
  (piece (name King) (moves (w (verify empty?) add)))
  (board-setup (White (Man a1) (King d1)) (Black (Man b1))) (loss-condition (White Black) stalemated))
(variant (title "Other"))"""


def test_a_game_is_written_tested_compared_shared_and_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From an empty file to a page: the display after each step, the saved files and when they are saved, and the
    messages."""
    monkeypatch.setattr(trying, "COMPARING", 0.1)
    bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.urlsafe_b64encode(bomb.compress(b"a" * (1 << 21)) + bomb.flush()).decode().rstrip("=")
    given = {"steps": STEPS, "counted": "Man a1 - a2\n", "miscounted": "Man a1 - a3\n", "bomb": f"#z={packed}"}
    card = {"id": "tictactoe", "title": "Tic-Tac-Toe", "about": "2 players", "picture": "p.svg", "file": "rules/t.zrf"}
    places = {"starts.json": {**starts(Path("my-game.zrf")), "games": [card]},
              "t.zrf": (RULES / "tictactoe.zrf").read_text("utf-8")}
    rows = iter(at_desk("page", tmp_path, given, PLACES=places, FILES={"other.zrf": "; other"},
                        WHERE={"hash": "#game=my-game.zrf", "hostname": "localhost"}))

    def shows(*expected: Any) -> None:
        shown = next(rows)
        assert shown == (expected[0] if len(expected) == 1 else [*expected])

    files, saved, board = ["my-game.zrf", "my-game.md"], ["saved", ""], ["board", "remembering"]
    shows(True, "my-game.zrf", files, ["new file", ""], ["start"], [["http://x/desk/desk-worker.js", "module"]])
    small, shelf, drawings = next(rows)
    assert {tuple(name.split(", ")) for name, _ in small} == {(kind, name) for kind in KINDS for name in BOARDS}
    assert drawings == len(small) == len(KINDS) * len(BOARDS)
    assert shelf == [["Tic-Tac-Toe2 players", "p.svg"]]
    text, problems, titles, *more = next(rows)
    assert zrf_py.loads(text).title == "My Game" and len(squares(text)) == 25
    assert [problems, titles, *more] == ["no problems", ["My Game"], board, True]
    text, *titles = next(rows)
    assert zrf_py.loads(text).start().perft(2) == 9 * 8 and titles == [["Tic-Tac-Toe"], "Tic-Tac-Toe"]
    shows("http://x/desk/board.html?N", True, "tables of Tic-Tac-Toe")
    shows(9, True)
    shows("http://x/desk/board.html?N", False, 12, "tables of Steps")
    shows("http://x/desk/board.html?N#link", 3)  # there is no picture of the start while a game is played
    shows("http://x/desk/board.html?N#link")
    shows("http://x/desk/board.html?N#link", "Steps")
    shows("http://x/desk/board.html?N", "Other")
    # Problems.
    shows("1 problem", ["not saved: there are errors", "bad"], False, 1, [])
    shows("verfy", "error", ["Steps", "Other"])
    shows(True, "no problems", saved, True, True)
    shows("2 problems")
    shows(["not saved", ""], True, "false")
    shows(saved, True)
    shows(["not saved: there are errors", "bad"], "1 problem", False)
    shows(saved, True)
    shows("(game", True, board)  # the file was empty: there is nothing to go back to
    shows("jump", True, "jump")
    text = next(rows)
    assert text != STEPS and text.split() == STEPS.split()
    # Tests and trials.
    shows(["margin"], "White wins 60 % · games: 12", "never used: King")
    shows(["judge"])
    shows("There are no tests yet. The buttons on the Play tab add one.", [])
    names, chosen, is_disabled, page, why, *hidden = next(rows)
    assert [names, chosen, is_disabled, why[1], hidden] == [files, "my-game.md", True, "bad", [True, False]]
    moves = {"King d1 - c1", "Man a1 - a2", "Man a1 - c1 x b1"}
    assert moves <= set(page.splitlines()) and page.count("```moves") == 2 and "`a1 b9`" in why[0]
    shows(["margin", "tests-now"], "Tests: 1 passed, 1 failed", "go error", True)
    lines = page.splitlines()
    first, second = lines.index("King d1 - c1") + 1, lines.index("```moves", lines.index("```")) + 1
    shows(["run"], [["error", f"my-game.md:{first}", 1], ["passed", f"my-game.md:{second}", 0]])
    shows("my-game.md", "```moves")
    shows("1 passed, 1 failed")
    text, results = next(rows)
    assert "no-description" in text and results == []
    shows("a full report takes too long in a browser", [], False, "")
    # Versions.
    text, boards = next(rows)
    assert re.fullmatch(r"No differences in [1-9]\d* positions from random games\.", text) and boards == []
    assert next(rows).split() == STEPS.split()
    changed = 'w (verify empty?)', 'w (verify enemy?)'
    (old, new), said, boards = next(rows)
    assert (old[0], new[0], said, boards) == ("removed", "added", "", [])
    assert changed[0] in old[1] and changed[1] in new[1]
    shows("Some moves are legal in only one version: at the start", ["two-boards"], "before: Kc1", "now: White to move",
          [[3, ["c1", "d1"]], [3, []]], 0)
    shows("`)` is missing here", [])
    shows("The texts are identical.", 0, True)
    # A link.
    # No note says that the link works only here.
    shows(["sharing"], "http://x/desk/", True, True, "zrf new my.zrf --link LINK")
    shows(True)
    shows([])
    shows([True], [], True, True)  # the link's text is opened as another file
    for reason in ("this link is damaged", "this link is damaged", *2 * ["the text of this link is too long"]):
        shows([], reason, "bad")
    shows(True, True)
    shows(2)
    # The rules in words, and the tools of a page without a server.
    shows(["words"], "en", True, None)
    shows("de", True)
    shows(True)
    shows(["my-game", "other"], ["New", "Download", "Export"])
    shows([["reload", "game=other.zrf"], ["reload", "game=my-game-2.zrf"]])
    text, archive = next(rows)
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(archive))) as files:
        assert files.namelist() == ["my-game.zrf", "my-game.md"] and files.read("my-game.zrf").decode() == text
        assert "```moves" in files.read("my-game.md").decode()
    shows("application/zip", "<p>page</p>", "text/html", 2)
    # A worker that does not answer.
    shows(1, ["not saved", ""])
    shows(2, True, ["not saved: there are errors", "bad"])
    too_slow = "error these rules take too long to checkedit them to check them again"
    shows(too_slow, "1 problem")
    shows("no problems")
    shows(too_slow)
    shows("Python failed: no memory", "bad")
    shows("Python could not be started: blocked", "bad")
    shows(True)
    assert next(rows, None) is None
