"""Parts of a board's page in node: puzzles, people at one table, position editor, links and QR codes.

The expected results have independent sources: the rules of the game, and for QR codes their standard.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import zrf_py
from tests.playing import ROOT, counted
from tests.test_page_dom import CONNECTED, MODULES, RACE, SERVER, STATIC, on_page, states
from zrf_py.view.describe import describe
from zrf_py.view.scene import scene
from zrf_py.view.svg import Style, svg

SCRIPTS = ROOT / "tests" / "pages" / "users"


def shows(script: str, **modules: str) -> list[Any]:
    """Return the values that a script shows on the page of a board; `later` has postponed calls, `named` finds a
    button."""
    lines = script.strip().split("\n")
    imports = [line for line in lines if line.startswith("import ")]
    rest = (line for line in lines if line not in imports)
    return list(on_page("\n".join([*imports, read("selects"), *rest]), **modules))


def read(name: str, **values: Any) -> str:
    """Return a script of `pages/users/` in which words in capitals are replaced by values."""
    text = (SCRIPTS / f"{name}.js").read_text("utf-8")
    for word, value in values.items():
        text = text.replace(word, json.dumps(value))
    return text


# ------------------------------------------------------------------------------------------------------------ puzzles


def test_a_puzzle_is_tried_solved_and_followed_by_the_next() -> None:
    """A wrong turn is taken back; puzzles solved without help are remembered; the next one is not yet solved."""
    rows = iter(shows(read("puzzles")))

    def seen(words: str, kind: str, *buttons: str, done: str = "0 of 3", chips: str = "", level: str = "") -> None:
        is_hidden, texts, name, _, numbers = next(rows)
        assert not is_hidden and texts[1] == words and name == f"puzzle {kind}"
        assert texts[3] == "".join(buttons) and texts[4] == f"{done} solved123"
        assert level in texts[2]
        assert [name for _, name, *_ in numbers] == ["done" if sign in chips else "" for sign in "123"]

    assert next(rows) == ["open", "begun", "solved", "wrong", "wrong", "solved"]
    assert next(rows) == ["Puzzles (3)"]
    level = "Found by computer level 4 (casual player) and above. The win is certain in 3 moves."
    ways, on = ("Next puzzle", "Show the solution"), "Play on against the computer"
    seen("White to move. Find the winning turn.", "open", *ways, level=level)
    seen("Correct so far: continue the turn.", "begun", ways[0])
    seen("That turn doesn't win.", "wrong", ways[0])
    assert next(rows) == [True]
    assert next(rows) == [{"type": "goto", "node": 7}]
    seen("Try again: White has exactly one winning turn.", "open", *ways)
    seen("The solution: a b c", "solved", ways[0], on)
    assert next(rows) == [[["a", "b"]], None], "what was shown is not solved"
    seen("Correct! a b c", "solved", ways[0], on, done="1 of 3", chips="2")
    assert json.loads(next(rows)) == {"Hop": [2]}
    assert next(rows) == [{"type": "puzzle", "number": 3}, {"type": "seat", "player": "Black", "who": "ai:10"},
                          {"type": "puzzle", "number": 1}]
    seen("Correct! a b c", "solved", ways[0], done="1 of 3", chips="2")
    seen("Correct! a b c", "solved", ways[0], done="1 of 3", chips="2")
    level = "No level of the computer player finds it. It wins by a clear margin."
    seen("White to move. Find the winning turn.", "open", *ways, done="1 of 3", chips="2", level=level)
    seen("Correct! a b c", "solved", ways[0], on, done="2 of 3", chips="12")
    seen("Correct! a b c", "solved", ways[0], on, done="3 of 3", chips="123")
    assert next(rows) == [{"type": "puzzle", "number": number} for number in (1, 1, 1)]
    assert next(rows) == [True, []]


# ------------------------------------------------------------------------------------------------------------- people


def test_people_at_one_table_talk_leave_and_claim() -> None:
    """Each is offered what is allowed: to abort the game before all have moved, and then to offer a draw; to claim the
    game some time after the opponent has left."""
    rows = iter(shows(read("company")))
    talk, draw, abort = ["name", "phrases"], "Offer a draw", "Abort the game"
    assert next(rows) == ["Ann", "White", "Dice"]
    assert next(rows) == [False, [abort, *talk]]
    assert next(rows) == [False, ["Waiting for Ann …", abort, *talk]]
    assert next(rows) == [False, [draw, *talk]]
    assert next(rows) == [False, talk], "an offer waits for its answer"
    assert next(rows) == [False, [draw, *talk, "1 person is watching"]]
    assert next(rows) == [False, [draw, *talk, "2 people are watching"]]
    assert next(rows) == next(rows) == [False, talk]
    assert next(rows) == [False, ["3 people are watching"]]
    assert next(rows)[0], "alone with a computer"
    assert next(rows) == [False, [draw, "Your opponent has left. You can claim the game in 13 s.", *talk]]
    assert next(rows) == [12200]
    claims = ["Claim the win", "Call it a draw"]
    assert next(rows) == [draw, *claims]
    assert next(rows) == [False, [draw, *claims, *talk]]
    options = next(rows)
    assert options[0] == "Say something" and options[4] == "One moment, please." and len(options) == 7
    assert next(rows) == ["", [{"type": "abort"}, {"type": "draw"}, {"type": "claim"}, {"type": "claim", "draw": True},
                               {"type": "speak", "phrase": 3}]]
    assert [next(rows) for _ in range(3)] == [[False, [draw, *talk, *watching]] for watching in (
        ["1 person is watching"], [], ["2 people are watching"])]
    assert next(rows) == [[], True], "nobody loses what they are typing when somebody comes to watch"
    speaks = {"type": "speak", "name": "B  b"}
    assert next(rows) == [[speaks], '"B  b"']
    for asked in ([speaks], [], [speaks], [], [speaks]):  # a name that the server changes isn't sent again and again
        assert next(rows) == [False, [abort, "phrases"]]
        assert next(rows) == asked
    assert next(rows) == ["input"]
    assert next(rows) == ["Ann has left.", True, "Ann is here.", False, "", "", ""]
    assert next(rows) == "Ann: Good move!"
    assert next(rows) == ["● Your turn – Hop", *4 * ["Hop"]]
    assert next(rows, None) is None


# ---------------------------------------------------------------------------------------------------------- positions


def test_a_position_is_set_up_by_clicks() -> None:
    """Pieces are placed, removed or swapped; the position requested is the one shown."""
    position = zrf_py.loads(RACE).start()
    drawn = svg(scene(position, held=False), style=Style(every=True))
    places = [place.name for place in position.game.program.game.board.places]
    info = {"title": "Race: 1", "types": ["Man", "King"], "stores": [[0, 0], [1, 1]],
            "players": [{"name": "White", "kind": "player"}, {"name": "Black", "kind": "player"}]}
    state = {"svg": drawn, "player": "White", "held": [[0, 0, 2], [1, 1, 1]], "error": ""}
    ended = zrf_py.load("tictactoe").start().playout(1)
    assert ended.outcome() is not None
    at = {name: number for number, name in enumerate(places)}
    rows = iter(shows(read("editing", OVER=describe(ended)["outcome"], STATE=state, INFO=info, AT=at)))

    def men(**pieces: list[int]) -> dict[str, list[int]]:
        return {str(places.index(square)): man for square, man in pieces.items()}

    start = men(a1=[0, 0], b1=[0, 1], b2=[1, 0], c2=[1, 0])
    assert [next(rows), next(rows)] == [True, False]
    stores = [[0, 0, 2], [1, 1, 1]]
    draft, *more, turns, turn, palette, words, counts, count = next(rows)
    assert draft == {"men": start, "stores": stores, "player": "White"} and more == [False, "true", True]
    assert (turns, turn, counts, count) == (["White", "Black"], "White", [2, 1], 0)
    names = ["White Man", "White King", "Black Man", "Black King"]
    assert palette == [["Move pieces", "true"], ["Remove pieces", "false"], *([name, "false"] for name in names)]
    assert words == ["White Man", "Black King"]
    assert next(rows) == [["<svg/>"], "Black to move, 3 legal moves", False, False]
    assert next(rows) == [True, True]
    assert next(rows) is True
    assert next(rows) == 0, "a piece is only held"
    moved = men(c1=[0, 0], b1=[0, 1], b2=[1, 0], c2=[1, 0])
    assert next(rows) == moved
    assert next(rows) == men(c1=[0, 0], b1=[0, 1], c2=[1, 0]), "a piece on the way is taken"
    assert next(rows) == 0, "an empty square holds nothing"
    assert next(rows) == 0, "a choice of the palette puts down the piece that was held"
    assert next(rows) == men(c1=[0, 0], c2=[1, 0])
    assert next(rows) == men(c1=[0, 0], c2=[1, 0]), "there was nothing to move"
    assert next(rows) == ["Black King"]
    assert next(rows) == men(c1=[0, 0], c2=[1, 0], a2=[1, 1])
    assert next(rows) == men(c1=[0, 0], c2=[1, 1], a2=[1, 1])
    assert next(rows) == men(c1=[0, 0], c2=[1, 1]), "the same again takes it away"
    assert next(rows) == men(c1=[0, 0])
    assert next(rows) == {}
    assert next(rows) == "Black"
    assert [next(rows) for _ in range(4)] == [[7, 1], [0, 1], [999, 1], [0, 1]]
    assert next(rows) == [{"men": start, "stores": stores, "player": "Black"}, [2, 1]]
    assert next(rows) == ["Race-1.zsg", list("T é".encode("cp1252")), "text/plain"]
    assert next(rows) == [True, False, [["play", "L"], "closed"]]
    assert next(rows) == [True, 3]
    assert next(rows, None) is None


# -------------------------------------------------------------------------------------------------- links and codes


def test_links_are_copied_and_questions_are_asked() -> None:
    rows = shows(read("dialogs"))
    assert rows[0] == [True, "Share", "words", "http://x/#1", 0, ""]
    assert rows.pop(1) == ["start the server with --host 0.0.0.0.", ["--host 0.0.0.0"]], "a command is never broken"
    assert rows[1] == [1, ["text", "checkbox"], "Black"]
    assert rows[2] == [[{"type": "offer", "listed": True}, ["copied", "http://x/#2"]], "Copied"]
    assert rows[3] == ["copy"]
    assert rows[4] == [True, "Really?", "Yes!", "No!"]
    assert rows[5] == [True, False, False]



def alignment(rows: list[list[int]], size: int) -> None:
    """Check the patterns that a reader looks for: three large ones in corners, a small one, dotted lines."""
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    for x, y in ((0, 0), (size - 7, 0), (0, size - 7)):
        assert ["".join(map(str, row[x:x + 7])) for row in rows[y:y + 7]] == finder
    small = ["11111", "10001", "10101", "10001", "11111"]
    assert ["".join(map(str, row[size - 9:size - 4])) for row in rows[size - 9:size - 4]] == small
    assert [rows[6][i] for i in range(8, size - 8)] == [rows[i][6] for i in range(8, size - 8)] == [
        1 - i % 2 for i in range(8, size - 8)]
    assert not any(rows[7][:8]) and not any(row[7] for row in rows[:8]) and not any(rows[size - 8][:8])


def test_qr_codes_of_links_are_readable() -> None:
    """A decoder written from ISO/IEC 18004 reads them: patterns, format, column pairs, the field of 256 elements."""
    texts = ["http://192.168.0.7:8000/t/abc#seat=xyz", "", "é✓" * 20, "x" * 106]
    codes, (box, path, count) = on_page(read("codes", TEXTS=texts))
    power, log = [1], {1: 0}
    for n in range(1, 255):
        power.append(power[-1] << 1 if power[-1] < 128 else power[-1] << 1 ^ 0x11D)
        log[power[-1]] = n
    for text, rows in zip(texts, codes, strict=True):
        size = len(rows)
        alignment(rows, size)
        around = [*(rows[8][i] for i in (0, 1, 2, 3, 4, 5, 7, 8)), *(rows[i][8] for i in (7, 5, 4, 3, 2, 1, 0))]
        word = int("".join(map(str, around)), 2)
        assert (word ^ 0b101010000010010) >> 10 == 0b01000, "correction level L, mask 0"
        beside = [*(rows[size - 1 - i][8] for i in range(7)), *(rows[8][size - 8 + i] for i in range(8))]
        assert beside == around and rows[size - 8][8] == 1
        fixed = {(x, y) for x in range(size) for y in range(size) if x == 6 or y == 6 or (x < 9 and y < 9)
                 or (x < 9 and y >= size - 8) or (y < 9 and x >= size - 8)
                 or (size - 9 <= x <= size - 5 and size - 9 <= y <= size - 5)}
        bits, is_up = [], True
        for right in [*range(size - 1, 6, -2), 5, 3, 1]:
            for y in (range(size - 1, -1, -1) if is_up else range(size)):
                bits += [rows[y][x] ^ ((x + y) % 2 == 0) for x in (right, right - 1) if (x, y) not in fixed]
            is_up = not is_up
        words = [int("".join(map(str, map(int, bits[n:n + 8]))), 2) for n in range(0, 134 * 8, 8)]
        for root in range(26):
            total = 0
            for word in words:  # Horner's rule at the root 2 ** root
                total = (power[(log[total] + root) % 255] if total else 0) ^ word
            assert total == 0, f"the check words fit the data at root {root}"
        data = "".join(f"{word:08b}" for word in words[:108])
        length = int(data[4:12], 2)
        assert data[:4] == "0100" and bytes(int(data[12 + 8 * n:20 + 8 * n], 2) for n in range(length)) == text.encode()
        rest = words[length + 2:108]
        assert rest == [(0xEC, 0x11)[n % 2] for n in range(len(rest))]
    dark = {(int(x) - 4, int(y) - 4) for x, y in (part.split("h")[0].split() for part in path.split("M")[1:])}
    assert dark == {(x, y) for y, row in enumerate(codes[0]) for x, value in enumerate(row) if value}
    assert (box, count) == (f"0 0 {len(codes[0]) + 8} {len(codes[0]) + 8}", 0)



def test_a_board_keeps_its_seat_and_comes_back_to_its_server() -> None:
    """The token of a link is stored and removed from the address; a lost connection is retried after ever longer
    delays."""
    server = (STATIC / "server.js").read_text("utf-8")
    rows = iter(shows(read("served"), server=read("browser") + server))
    assert next(rows) == ["7/x", "/t/7%2Fx/sound/take", True]
    assert next(rows) == ["?lang=en", []], "only a connection needs the token"
    assert next(rows) == "/t/7%2Fx/game.zsg"
    assert next(rows) == {"address": "http://lan:8", "watch": True}
    (title, words, address), (_, _, copy) = next(rows)
    assert (title, words) == ("Play Black", "Anyone who opens this link plays Black on this board.")
    assert address == "https://h:8/t/7%2Fx#seat=s%26t", "the page's own address reaches the server"
    assert copy == "https://h:8/new#abc"
    assert next(rows) == [{"html": "<p>x</p>"}, ["/api/site", "/t/7%2Fx/rules?language=de"]]
    url, sent, heard, times = next(rows)
    assert url == "wss://h:8/ws/7%2Fx"
    assert sent == [{"type": "join", "token": "tok&en"}, {"type": "move"}], "nothing is sent before it is open"
    assert heard == [["away", True], ["away", False], "opened", {"type": "state", "ply": 1}, ["away", True]], (
        "a message that can't be sent is told")
    wait, count, longest = next(rows)
    assert times == [wait] and count == 12 and wait < longest == 10_000
    assert next(rows) == [[["away", False], "opened", "gone"], 0], "a board that is gone is not asked for again"
    assert next(rows) == [{"id": "7/x", "token": "tok&en", "title": "Hop"}]
    boards = [{"id": "n/2", "token": "tok&en"}, {"id": "7/x", "token": "tok&en", "title": "Hop"}]
    assert next(rows) == [["/t/n%2F2"], boards]
    assert next(rows) == [["/t/n3"], ["n3", "n/2"]], "a board without moves is forgotten"
    assert next(rows) == [{"address": "http://lan:8", "watch": True}, "The server isn't responding."]
    assert next(rows, None) is None


REPLIES = """export const replies = { now: { html: "<h1>Hop</h1><p>Men hop.</p><ul>x</ul>" }, asked: 0 };
export const rulesInWords = async () => { replies.asked += 1; return replies.now; };
"""


def test_rules_in_words_are_requested_when_first_opened() -> None:
    """The request is for the game shown, and repeated after an error. Toasts and computers' pace are tested, too."""
    server = SERVER.replace('export const rulesInWords = async () => ({ html: "" });',
                            REPLIES)
    rows = iter(shows(read("rules"), server=server))
    assert next(rows) == [False, [["h3", "history"], ["p", "old"], ["p", "very old"]], ""]
    assert next(rows) == "Describing the rules …"
    assert next(rows) == [True, ["notes", "told"], [["p", "Men hop."], ["ul", "x"]], "summary"]
    assert next(rows) == ["notes", "notes"]
    assert next(rows) == ["too large", 2]
    assert next(rows) == ["two", 3]
    assert next(rows) == [[], "two", 4]
    off, on = "false", "true"
    assert next(rows) == [[False, "", off], [False, "2", on], [True, "2", on], [True, "2", on], [True, "2", on],
                          [False, "", off]]
    assert next(rows) == [False, "", off], "what is in use is not drawn anew"
    assert next(rows) == [{"type": "pause", "on": True}, {"type": "pause", "on": False}, {"type": "pause", "pace": 6},
                          {"type": "pause", "pace": None}]
    assert [next(rows), next(rows)] == [["two", False], True]
    assert next(rows) == ["No board", "This board is gone.", "/home"]
    assert next(rows, None) is None


def test_labels_beside_a_board_stay_readable() -> None:
    """On a small screen they grow, by two fifths at most; on a large one they keep the size in which they are drawn."""
    position = zrf_py.load("chess").start()
    drawn = svg(scene(position, held=False), style=Style(every=True))
    rows = on_page(f"""import {{ fit, wish }} from "./fitting.js";
import {{ parsed }} from "./patching.js";
wish.coordinates = "outside";
for (const room of [4000, 100, 60, 40, 30, 10]) {{
  const drawing = parsed({json.dumps(drawn)});
  const labels = drawing.querySelector('[data-layer="board"] > g > text').parentNode.children;
  const sizes = () => labels.map((text) => Number(text.getAttribute("font-size")));
  const before = sizes();
  fit(drawing, () => ({{ width: room, height: room }}), false);
  const {{ width, height }} = drawing.viewBox.baseVal;
  show([room / Math.max(width, height), before, sizes()]);
}}""")
    grown = set()
    for scale, before, after in counted(rows, 6):
        for old, new in counted(zip(before, after, strict=True), 1):
            assert old <= new <= 1.4 * old + 1e-9
            assert scale * new >= 11 - 1e-9 or abs(new - 1.4 * old) < 1e-9
            grown.add("not" if new == old else "most" if abs(new - 1.4 * old) < 1e-9 else "some")
    assert {"not", "most"} <= grown


HEXAGONS = """(game (title "Hex") (players White) (turn-order White) (board (grid (start-rectangle 0 0 48 48)
  (dimensions ("a/b/c/d" (50 0)) ("1/2/3/4" (25 44))) (directions (e 1 0)))) (piece (name Man) (moves (e add)))
  (board-setup (White (Man a1))))"""


def test_names_inside_hexagons_can_be_read_or_are_left_out() -> None:
    """They grow on a small screen, to twice their size at most, and are above the marks of the last move. The settings
    offer only places of coordinates that differ on the board; Shogi's pieces leave no room in their squares."""
    pictures = [svg(scene(position, held=False), style=Style(every=True)) for position in (
        zrf_py.loads(HEXAGONS).start(), zrf_py.load("chess").start(), zrf_py.load("shogi").start())]
    rows = on_page(f"""import {{ fit, wish }} from "./fitting.js";
import {{ parsed }} from "./patching.js";
const PICTURES = {json.dumps(pictures)};
for (const [number, room] of [[0, 4000], [0, 250], [0, 60], [1, 800], [2, 800]]) for (const turned of [false, true]) {{
  const drawing = parsed(PICTURES[number]);
  fit(drawing, () => ({{ width: room, height: room }}), turned);
  const {{ width, height }} = drawing.viewBox.baseVal;
  const layers = drawing.children.map((node) => node.dataset.layer ?? node.classes[0]);
  const sizes = drawing.querySelectorAll(".names text").map((text) => Number(text.getAttribute("font-size")));
  const [marks, labels, pieces] = ["marks", "labels", "pieces"].map((name) => layers.indexOf(name));
  const isAbove = marks < labels && labels < pieces;
  show([room / Math.max(width, height), sizes, isAbove, document.documentElement.dataset.coordinates]);
}}""")
    large, _, middle, _, small, _, chess, _, shogi, _ = rows
    assert [row[1:] for row in rows[::2]] == [row[1:] for row in rows[1::2]]
    for scale, sizes, *more in (large, middle):
        assert scale * sizes[0] >= 9 and 7.2 <= sizes[0] <= 14.4 and more == [True, "inside none"]
    assert large[1] == [7.2] and middle[1] != [7.2]
    assert small[1:] == [[], True, ""]
    assert chess[1:] == [[], True, "inside outside none"]
    assert shogi[1:] == [[], True, "outside none"]


def test_pieces_are_animated_from_their_old_places() -> None:
    """This holds when stepping forwards and backwards through the game, and on a turned board; a captured piece
    fades, and reappears after an undo."""
    moves = ["a1-a2", "c2-c1", "Pass", "b2xb1"]
    before = f"globalThis.isMoving = true;\nconst STATES = {json.dumps(states(moves))};"
    rows = iter(on_page(read("flight"), before=before, server=SERVER + CONNECTED,
                        board=MODULES["board"] + "export const ready = true;\n"))
    places = {place.name: place.rectangle for place in zrf_py.loads(RACE).program.game.board.places}

    def flight(start: str, end: str) -> list[Any]:
        (x, y, *_), (to_x, to_y, *_) = places[start], places[end]
        return [[f"translate({x - to_x}px, {y - to_y}px)", "none"], end, "Man", True]

    fades, appears = [[1, "scale(1.1)", "scale(.3)"], "ghost", "", True], [[0, 1], "b1", "King", True]
    expected = {1: [flight("a1", "a2")], 2: [flight("c2", "c1")], 3: [], 4: [flight("b2", "b1"), fades]}
    back = {3: [flight("b1", "b2"), appears], 2: [], 1: [flight("c1", "c2")], 0: [flight("a2", "a1")]}
    assert next(rows) == [True, 0], "nothing flies at the start"
    for number, flights in [*expected.items(), *back.items(), (1, [flight("a1", "a2")])]:
        assert next(rows) == [number, flights]
        assert next(rows) == [True, 0], "afterwards all pieces are in the drawing, in their layer"
    assert next(rows, None) is None


def test_players_sit_at_their_sides_of_the_board() -> None:
    """The visitor's own seat is below; each seat shows the pieces held and taken, the counters, and who plays it."""
    rows = iter(shows(read("seats")))

    def sides(above: str, below: str, *classes: str) -> None:
        assert next(rows) == [above.split(), below.split(), [], "table", [*classes]]

    sides("Black", "White", "seat", "seat on")
    taken = "Captured: 2 Black Man, 1 Black King"
    assert next(rows) == ["Ann", "away", "goals: 3 of 5", taken, ["Man×2", "King"], 0, 1, 1]
    assert next(rows) == ["2 White King", "Black Man", "#fff", True]
    kinds = ["Human", "Human, by link", "Computer 4 (casual player)", "Greedy"]
    assert next(rows) == ["link", kinds, "Who plays Black"]
    seat = {"type": "seat", "player": "Black", "who": "ai:4"}
    assert next(rows) == [[["Black", "tok"]], [["King", False], ["King", True]], [seat]]
    sides("Black", "White", "seat on", "seat")
    sides("Black", "White", "seat won", "seat")
    sides("White", "Black", "seat on", "seat")
    sides("White", "Black", "seat on", "seat")
    sides("Black", "White", "seat", "seat on")
    assert next(rows) == ["You", "Human, by link", 0, 1]
    assert next(rows) == [[], [], ["White", "Black", "Red"], "table many", ["seat on", "seat", "seat"]]
    assert next(rows) == [[], ["White"], [], "table solo", ["seat on"]]
    assert next(rows) == ["Computer 5", "Greedy"]
    assert next(rows, None) is None


def worker_rows(**given: Any) -> Iterator[Any]:
    """Run the worker of a site's rules editor with stand-ins for Python and for its archives; `given` sets them up."""
    worker = (ROOT / "zrf_py/export/site-static/desk-worker.js").read_text("utf-8")
    worker = re.sub(r"const BEGIN = `.*?`;", 'const BEGIN = "";', worker, flags=re.S)
    worker = re.sub(r"\./pyodide/pyodide\.mjs|\./desk-python\.js", "./pyodide.js", worker)
    worker = worker.replace("import.meta.url", '"http://x/desk/desk-worker.js"') + "\nexport const ready = begun;\n"
    stand_in = read("pyodide") + f"Object.assign(python, {json.dumps(given)});\n"
    names = {"KEPT": given.get("kept"), "MODULE": given.get("module", "compiled")}
    return iter(shows(read("worker", **names), worker=worker, pyodide=stand_in))


BEGUN = ["http://x/desk/pyodide/", "http://x/desk/zrf.data", "/zrf http://x/desk/zrf.data", "/project",
         "http://x/desk/rest.data"]


def test_python_in_a_worker_checks_texts_while_the_rest_is_loaded() -> None:
    """The worker of a site's rules editor: texts are checked at once; requests that need the rest of zrf_py wait;
    failures are reported, and the code that runs has no network. A stand-in for Python repeats its requests."""
    rows = worker_rows()
    urls, module, started, files, names, network = next(rows)
    assert urls == BEGUN and started == [True], "its memory can be stored later"
    assert module == "compiled", "the page's module is used, and not loaded again"
    assert files == [["/project/a.zrf", "text"], ["/project/a.md", "tests"]] and names == {"folder": "/project",
                                                                                           "name": "a.zrf"}
    assert network == [], "nothing that could reach a network is left"
    assert next(rows) == [], "a question waits"
    assert next(rows) == ["began text", "done"], "a text that needs a module of the rest fails, and waits"
    assert next(rows) == ["began text", "problems of x", "done"], "a later one does not"
    early, late, imported = next(rows)
    assert early == [] and imported == ["import one", "import two"]
    assert late == ["began ask", "problems of hover", "done", "whole"], "the older text is forgotten"
    assert next(rows) == []
    assert next(rows) == [["began keep", "done"], "saved"]
    assert next(rows) == [1, 2], "a text ends the pause before the lint, a question (which waits for its turn) does not"
    assert next(rows) == ["began ask", "problems of hover", "done", "began lint", "problems of lint", "done"]
    assert next(rows) == ["began ask", "done", "broken"]
    assert next(rows) == ["began text", "problems of z", "done"], "later messages are answered"
    assert next(rows, None) is None


def test_python_in_a_worker_goes_on_with_stored_memory() -> None:
    """If Python refuses the stored memory, it starts as at the first visit, and its memory can be stored again."""
    kept = {"size": 4 << 16, "memory": "bytes"}
    (urls, _, started, *_), = worker_rows(kept=kept)
    assert started == ["bytes"] and urls == [BEGUN[0], 3, *BEGUN[1:]]
    (urls, _, started, *_), = worker_rows(kept=kept, isDamaged=True)
    assert started == [True] and urls[:2] == [BEGUN[0], BEGUN[0]]


def test_python_in_a_worker_loads_its_module_if_the_page_has_none() -> None:
    """A page may fail to compile Pyodide's module, for example if the server sends it with a wrong content type."""
    urls, module, *_ = next(worker_rows(module=None))
    assert urls == [BEGUN[0], "pyodide.asm.wasm", *BEGUN[1:]] and module == "pyodide.asm.wasm"


def test_the_largest_mistakes_of_a_game_are_listed() -> None:
    """If there are more than six mistakes, the six worst are listed in playing order; a graph shows all shares."""
    random = Random(7)
    shares = [[0.4, 0.4]]
    for _ in range(24):
        white = random.randrange(10, 71) / 100
        shares.append([white, round(0.8 - white, 2)])
    players = ["White", "Black"]
    plies = [[f"m{n}", players[n % 2], "", False, False, f"M{n}"] for n in range(24)]
    marks, falls = {}, []
    for ply in range(1, 25):
        own = (ply - 1) % 2
        loss = round(shares[ply - 1][own] - shares[ply][own], 2)  # the share of draws is constant and cancels out
        mark = "??" if loss >= 0.15 else "?" if loss >= 0.1 else "?!" if loss >= 0.05 else ""
        if mark and min(abs(loss - least) for least in (0.05, 0.1, 0.15)) > 0.001:
            marks[ply] = mark
        if mark:
            percent = round(100 * shares[ply - 1][own] + 10)
            falls.append((loss, ply, f"M{ply - 1}{mark}: {players[own]} from {percent}%"))
    seen, areas, (even, here), asked = shows(read("review", SHARES=shares, PLIES=plies))
    assert len(falls) > 8 and {ply: mark for ply, mark in seen[0] if ply in marks} == marks
    largest = sorted(falls, reverse=True)
    assert largest[5][0] > largest[6][0], "no two compete for the last place"
    listed = sorted(largest[:6], key=lambda fall: fall[1])
    assert len(seen[1]) == 6
    for row, (_, _, words) in zip(seen[1], listed, strict=True):
        assert words in row and row.endswith("better: better")
    assert [colour for colour, _ in areas] == ["#fff", "#000", "#a9a49b"]
    tops = [dict(points[:25]) for _, points in areas]
    width = 300 / 24
    for n, (_, points) in enumerate(areas):
        bottom = dict(points[25:])
        for ply, (white, black) in enumerate(shares):
            part = [white, black, 1 - white - black][n]
            at = next(x for x in bottom if abs(x - ply * width) < 1e-6)
            assert abs(bottom[at] - tops[n][at] - 96 * part) < 1e-6
            assert abs(bottom[at] - (tops[n - 1][at] if n else 96)) < 1e-6, "each stands on the one below"
    assert even == [0, 48, 300, 48] and here == [4 * width, 0, 4 * width, 96]
    assert asked == [{"type": "goto", "node": 100 + listed[0][1]}, {"type": "goto", "node": 107}]


def test_the_titles_of_a_file_are_a_choice_only_if_there_are_several() -> None:
    before = f"const STATES = {json.dumps(states(['a1-a2']))};"
    first, asked, question, answer, moves = on_page(
        read("variants"), before=before, server=SERVER + CONNECTED,
        board=MODULES["board"] + "export const ready = true;\n")
    one, two, three = ["Race"], ["Race", "Other"], ["Race", "Other", "Third"]
    assert first == [True, [True, False, one, True, "", False], [False, True, two, True, "", False],
                     [False, True, three, False, "mind", False], [True, False, one, True, "", True]]
    assert asked == [{"type": "new", "variant": "Other"}], "nothing is lost yet"
    assert question == [True, 0] and answer == ["Race", []], "a game in progress is left only after a question"
    assert moves == {"title": "Race", "moves": ["Man a1 - a2"]}


def test_the_board_of_the_rules_editor_waits_for_its_tables() -> None:
    """The editor's page provides the tables; the board begins once its worker has answered, and replaces a picture."""
    frame = (ROOT / "zrf_py/export/site-static/frame.js").read_text("utf-8").replace(
        "import.meta.url", '"http://x/desk/frame.js"').replace('await import("./board.js")', "world.begun += 1")
    begun, waiting = frame.split("\ntry {")  # `waiting` runs in a function, so that the test goes on meanwhile
    frame = (f'import {{ world }} from "./world.js";\n{begun}\n'
             f"(async () => {{ try {{{waiting}}})();\nexport const ready = true;\n")
    rows = iter(shows(read("frame"), frame=frame, world=read("world")))
    assert next(rows) == [True, "a1", {}, ["http://x/desk/board-worker.js"]]
    assert next(rows) == [[], True]
    assert next(rows) == [[{"packed": "tables", "link": "a1"}], True, True, 0]
    assert next(rows) == [False, False, 1, 1, ["x"]]
    assert next(rows) == [False, "This game can't be shown: no memory"]
    assert next(rows) == "This game can't be shown: its worker can't be started"
    assert next(rows, None) is None
