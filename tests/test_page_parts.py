"""Parts of pages in node, and a small whole page with rare features."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")

import zrf_py
from tests.exporting import Paged, follow, in_node, measured_once, paged, plain
from tests.playing import ROOT, counted
from tests.test_export_advice import advised
from zrf_py.author.sharing import link_of
from zrf_py.export.payload import Payload
from zrf_py.export.wasm import Image
from zrf_py.play.players import Greedy
from zrf_py.play.tree import Tree
from zrf_py.play.turns import search_turns
from zrf_py.play.zsg import Edit, read_game
from zrf_py.run.rules import Rules
from zrf_py.serve.clock import Clock
from zrf_py.text.diagnostics import ZrfError
from zrf_py.view.xml import MAX_TEXT, number, text

TIMES = [("White", 0), ("Black", 10.33), ("", 4.21), ("White", 100), ("", 7.12), ("nobody", 1), ("Black", 2),
         ("White", 2000)]
"""(player to move from now on, seconds that have passed since the previous entry)."""
CLOCK = """import { Clock } from "./clock.js";
let now = 0;
globalThis.performance = { now: () => 1000 * now };
const clock = Clock.wished([60, 5], ["White", "Black"]);
for (const [player, seconds] of TIMES) { now += seconds; clock.run(player); show([clock.told(), clock.over]); }
"""


def test_the_clock_of_a_page_behaves_like_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns earn the increment, pauses don't; no clock goes below zero. The server rounds times to hundredths."""
    now = [0.0]
    monkeypatch.setattr("zrf_py.serve.clock.time.monotonic", lambda: now[0])
    clock = Clock.wished([60, 5], ["White", "Black"])
    assert clock is not None
    expected = []
    for player, seconds in TIMES:
        now[0] += seconds
        clock.run(player)
        expected.append([clock.for_page(), ""])
    script = CLOCK.replace("TIMES", str([[player, seconds] for player, seconds in TIMES]))
    for (here, over), (there, _) in counted(zip(in_node(script), plain(expected), strict=True)):
        assert over == "" and here == {**there, "left": pytest.approx(there["left"], abs=0.0051)}
    assert expected[-1][0]["left"] == {"White": 47.55, "Black": 5.0}


def test_a_premove_is_played_if_it_is_legal() -> None:
    """It is played only if exactly one leg leads from 3 to 5; there are two if a man may become one of two types."""
    script = """import { Premove } from "./premoves.js";
const premove = new Premove();
for (const legs of [[["a", 3, 5], ["b", 3, 5]], [["a", 3, 5], ["c", 3, 4]], [["c", 3, 4]]]) {
  premove.click(3, true);
  premove.click(5, false);
  show([premove.isSet, premove.take({ sources: new Map([[3, legs]]) }), premove.isSet]);
}"""
    assert in_node(script) == [[True, None, False], [True, ["a", 3, 5], False], [True, None, False]]


TREES = """import { Tree } from "./tree.js";
const tree = new Tree(null);
for (const [what, node, text, ply, tried] of STEPS) {
  if (what === "add") show(tree.add(node, text, { ply: () => ply }, tried));
  else {
    if (what === "choose") tree.choose(node);
    const line = tree.line(node);
    show([tree.way(node), tree.onward(node), line, tree.opening(node), tree.texts(node), tree.variations(line),
      tree.beside(node),
      tree.nodes.map((_, at) => [tree.isOn(line, at), tree.isHalfSetUp(node, at)])]);
  }
}
"""


@pytest.mark.parametrize("seed", range(3))
def test_the_game_tree_of_a_page_behaves_like_the_servers(seed: int) -> None:
    """Trees are compared after moves, set-ups and dice rolls at random nodes, and after choices of other branches."""
    random, tree = Random(seed), Tree()
    steps: list[list[Any]] = []
    expected: list[Any] = []
    for _ in range(60):
        node = random.choice([0, len(tree), random.randrange(len(tree) + 1)])
        what = random.choice(["add", "add", "add", "look", "choose"])
        text = random.choice(["a", "b", "c"])
        is_edit = (node == 0 or tree.is_change(node)) and random.random() < 0.3
        ply = [text, random.choice(["White", "?Dice"]) if not is_edit else "", False, is_edit, False, text]
        steps.append([what, node, text, ply, random.random() < 0.3])
        if what == "add":
            expected.append(tree.add(node, text, ply, "guest" if steps[-1][4] else ""))
            continue
        if what == "choose":
            tree.choose(node)
        line = tree.line(node, None)
        expected.append([tree.path(node), list(tree.onward(node, None)), line, len(tree.opening(node)),
                         tree.texts(node), tree.variations(line, None), tree.beside(node),
                         [[tree.on(line, at), tree.is_half_set_up(node, at)] for at in range(len(tree) + 1)]])
    found = in_node(TREES.replace("STEPS", json.dumps(steps)))
    assert found == plain(expected) and len(tree) > 20


LIST = """import { MoveList, movesAmong, openingOf } from "./record.js";
const made = (name) => ({ name, dataset: {}, append() {}, setAttribute() {}, addEventListener() {} });
globalThis.document = { createElement: made, getElementById: made };
globalThis.ResizeObserver = class { observe() {} };
const rows = (plies) => {
  const list = new MoveList(() => null);
  const found = [];
  list.row = (all, first) => { found.push(first); };
  list.home.lastElementChild = made("li");
  for (let at = 0; at < plies.length;) at = list.append(plies, at);
  return found;
};
"""


def test_rows_of_the_list_of_moves_begin_with_rounds_and_set_ups() -> None:
    """A set-up of two changes is one row; the move after it begins a row, and so does each move after the end of a
    round."""
    script = LIST + """
const edit = ["x a1", "", false, true, false, "x a1"];
const ply = (player, ends, goesOn = false) => ["a1 - a2", player, goesOn, false, ends, "a2"];
const game = [edit, edit, ply("White", false), ply("Black", true), ply("White", false, true), ply("White", false)];
show([rows(game), movesAmong(game, 4), openingOf(game), openingOf([edit]), rows(game.slice(2))]);"""
    assert in_node(script) == [[[0, 2, 4], 2, 2, 1, [0, 2]]]


def test_an_illegal_move_of_a_game_without_its_rules_has_that_reason() -> None:
    script = """import { recorded } from "./notation.js";
show(["its rules are elsewhere", ""].map((missing) => (
  recorded({ game: { info: { missing } }, moves: [] }, "a1").why)));"""
    assert in_node(script) == [["its rules are elsewhere", "the game is over"]]


def test_dice_stay_visible_during_the_turn() -> None:
    """Two dice are shown for White, who makes two moves in the turn; before Black rolls, none is."""
    script = """import { thrownFor } from "./record.js";
const ply = (player, said) => [said, player, false, false, false, said];
const game = [ply("?Dice", "3"), ply("?Dice", "5"), ply("White", "a2"), ply("White", "b2"), ply("?Dice", "1"),
  ply("Black", "c2")];
show([[2, "White"], [4, "White"], [4, "?Dice"], [5, "?Dice"], [5, "Black"], [0, "?Dice"], [6, "White"]]
  .map(([ply, player]) => thrownFor({ ply, player }, game)));"""
    assert in_node(script) == [["3+5", "3+5", "", "", "1", "", ""]]


MIXED = """(game (title "Mixed") (players White Black) (turn-order White Black) (option "pass partial" true)
  (option "recycle captures" true)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c/d" (40 0)) ("4/3/2/1" (0 40)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify empty?) (add-partial)) (e (verify empty?) (add-partial))
    ((verify (not-on-board? n)) (add King)) (n (verify enemy?) (capture) (if (enemy? e) (capture e) (flip s)) add)))
  (piece (name King) (moves (n (verify not-friend?) add) (w (verify not-friend?) add) (s (verify empty?) add))
    (drops ((verify empty?) add)))
  (board-setup (White (Man a1 b1 c1) (King d1)) (Black (Man a4 b4 c4 d4)))
  (loss-condition (White Black) (pieces-remaining 2)))"""


def test_a_page_of_many_kinds_of_rules_plays_like_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This compares legs, words, pictures and ends of random games, and stores that are set up; the greedy player makes
    the best move."""
    measured_once(monkeypatch)
    game = zrf_py.loads(MIXED)
    with paged(game, tmp_path) as page:
        for seed in range(2):
            page("start")
            follow(page, game, 24, seed)
        page("start")
        position = game.start()
        for text in ("(store White King 5000)", "(x a4)", "(White Man a4)", "(x d1)"):
            position = position.edited(text)
            page("play", [text])
            greedy = Greedy(Rules(game.program))
            assert page("counted")[0] == pytest.approx([greedy.material(position.state, 0), 0])
        texts = [leg[0] for leg in page("legs")]
        assert texts == [move.text for move in position.moves()] and "= King on a4" in texts
        ends = [greedy.rate(turn.end, 0) for turn in search_turns(greedy.engine, position.state)]
        for text in page("greedy"):
            position = position.play(text)
        assert greedy.rate(position.state, 0) == pytest.approx(max(ends)) and len(set(ends)) > 2
        if not position.outcome():
            advised(page, position)
        for text, is_known in (("(store White King 1000000)", True), ("(store White King 1000001)", False)):
            with nullcontext() if is_known else pytest.raises(ZrfError, match="not a valid change to the board"):
                position.edited(text)
            with nullcontext() if is_known else pytest.raises(AssertionError, match="not a valid change to the board"):
                page("play", [text])


ENDS = """(game (title "Ends {number}") (players White Black ?Dice) (turn-order White Black ?Dice)
  (option "pass turn" true)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c" (40 0)) ("3/2/1" (0 40)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0)))
    (zone (name top) (players White Black) (positions a3 b3 c3)))
  (piece (name Man) (moves (n (verify not-friend?) add) (e (verify not-friend?) add) (s (verify not-friend?) add)))
  (piece (name Die) (moves ((change-type Man) add)) (drops ((verify empty?) add)))
  (board-setup (White (Man a1 b1)) (Black (Man c2 c3) (Die off 3)) (?Dice (Die b2)))
  {ends})"""
GOALS = ["(win-condition (White Black) (absolute-config Man (top)))",
         "(loss-condition (White Black) (pieces-remaining 1 Man))",
         "(win-condition (White Black) (relative-config Man e Man))",
         "(draw-condition (White Black) (total-piece-count 4))",
         "(win-condition (White) (absolute-config Man (a3 b3)))(loss-condition (Black) (absolute-config Man (top)))",
         "(win-condition (White Black) (or (relative-config Man n Man) (absolute-config (opponent Man) (b3))))",
         "(count-condition (total-piece-count 3))", "(draw-condition (White Black) repetition)"]
"""Ways to win, lose and draw; random games reach all of them."""


def test_a_page_gives_the_same_reasons_as_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page has several titles, each with its own end condition: the boards, words and reasons of random games are the
    same."""
    measured_once(monkeypatch)
    games = [zrf_py.loads(ENDS.format(number=number, ends=ends)) for number, ends in enumerate(GOALS)]
    page = Paged(games, tmp_path)
    try:
        for number, game in enumerate(games):
            page("open", number)
            for seed in range(4):
                page("start")
                follow(page, game, 16, seed)
    finally:
        page.close()


BROWSER = """const made = (tag) => ({ tag, set: {}, setAttribute(name, to) { this.set[name] = to; }, append() {} });
Object.assign(globalThis, { matchMedia: () => ({}), addEventListener() {} });
globalThis.document = {
  createElementNS: (_, tag) => made(tag), getElementById: (id) => homes[id], addEventListener() {},
};
globalThis.DOMPoint = class {
  constructor(x, y) { Object.assign(this, { x, y }); }
  matrixTransform(sign) { return new DOMPoint(sign * this.x, sign * this.y); }
};
const homes = { editor: { hidden: false } };
"""
"""Stand-in for a browser, as parts of boards use it; a matrix is a number: 1, or -1 for half a turn."""


def test_clicks_hit_the_drawn_board() -> None:
    """A click hits a place, or nothing between places; the frame of a square has the same inset on all sides; pieces
    are found on a turned board, and boxes keep their size."""
    script = """import { Drawing } from "./drawing.js";
import { boxOf } from "./fitting.js";
const board = new Drawing(null);
board.places = [{ x: 50, y: 50, w: 100, h: 100, reach: 50 }];
for (const [x, y] of [[40, 60], [310, 60], [321, 50], [335, 50], [300, 85], [200, 50]]) {
  board.point = () => ({ x, y });
  show(Object.keys(board.hit() ?? {}));
}
board.unit = 100;
const { set } = board.frame({ x: 50, y: 50, w: 100, h: 80 }, "frame");
show([set.x * 2 + set.width, set.y * 2 + set.height, set.width < 100]);
const texts = [];
Object.assign(board, { text: "drawn", standing: "before", replace: (text) => texts.push(text) });
board.again();
show([texts, board.standing]);
const matrix = (sign) => ({ inverse: () => ({ multiply: (by) => by }), sign });
for (const sign of [1, -1]) {
  const getBBox = () => ({ x: 10, y: 20, width: 30, height: 8 });
  show(boxOf({ getScreenCTM: () => matrix(1) }, { getBBox, getScreenCTM: () => sign }));
}"""
    box = {"x": 25, "y": 24, "w": 30, "h": 8}
    assert in_node(script, BROWSER) == [
        ["place"], [], [], [], [], [], [100, 100, True], [["drawn"], None],
        box, {**box, "x": -25, "y": -24}]


@pytest.mark.parametrize(("counts", "placed", "free", "endless"), [
    ((112, 112), 1, 224, True), ((111, 112), 1, 224, False), ((4, 4), 1, 8, True), ((9, 9), 0, 24, False),
    ((30, 30), 64, 0, True), ((3, 1), 3, 2, False)])
def test_a_supply_that_cannot_run_out_has_no_number(
    counts: tuple[int, int], placed: int, free: int, endless: bool,
) -> None:
    rows = [[player, 0, count] for player, count in enumerate(counts)]
    script = f"""import {{ supplies }} from "./drawing.js";
const men = Array({placed}).fill([0, 0, 1]);
show(supplies({rows}, {free + placed}, men));
show(supplies({[*rows, [0, 1, 2]]}, {free + placed}, men));"""
    own, others = ([player, 0, 0 if endless else count] for player, count in enumerate(counts))
    assert in_node(script, BROWSER) == [
        [] if endless else [own, others], [own, *([] if endless else [others]), [0, 1, 2]]]


def test_the_position_editor_shows_the_stores() -> None:
    script = """import { Editor } from "./editing.js";
const node = (data) => ({ dataset: data });
const men = [node({ index: "3", player: "1", type: "King" })];
const found = { ".piece": men };
globalThis.DOMParser = class { parseFromString() { return { querySelectorAll: (name) => found[name] }; } };
for (const hidden of [false, true]) {
  let times = 0;
  homes.editor.hidden = hidden;
  const info = { types: ["Man", "King"], stores: [[0, 1]] };
  const editor = { state: { held: [[0, 1, 2]] }, info, showStores() { times += 1; } };
  Editor.prototype.asItStands.call(editor);
  show([times, [...editor.men], editor.stores.get("0 1")]);
}"""
    assert in_node(script, BROWSER) == [[1, [[3, [1, 1]]], 2], [0, [[3, [1, 1]]], 2]]


@pytest.mark.parametrize(("squares", "inside", "code"), [(1, 1, "in-zone"), (2, 2, "all-in-zone"), (3, 2, "in-zone")])
def test_all_pieces_in_a_zone_is_a_reason_only_for_two_or_more(squares: int, inside: int, code: str) -> None:
    """The zone consists of the first squares; a single piece is not called "all pieces"."""
    script = f"""import {{ reasonOf }} from "./reasons.js";
const zone = [[...Array({inside}).keys()]];
const game = {{ goal: [8], ends: [{{ result: "win", goal: 0 }}], compares: [{{ code: "count", number: 0, zone }}] }};
const state = {{ cell: [...Array({squares}).fill(257), 0], mover: 0 }};
const engine = {{ game, holds: () => true, number: () => {inside} }};
show(reasonOf(engine, state, {{ reason: "", winners: [0], losers: [] }}));
"""
    assert in_node(script) == [{"code": code, "number": inside, "name": "", "places": [*range(inside)]}]


def test_a_page_formats_drawings_like_python() -> None:
    """Numbers have halves, thousandths and signs; texts have characters that XML forbids, that have entity names, or
    that take two UTF-16 units."""
    random = Random(4)
    numbers = [0, -0.0, 0.004, -0.004, 0.005, -0.005, 0.125, 0.375, -0.125, 2.5, 12.345, 100, -3, 1e4, 0.995, 1.005,
               7.10, *(random.randrange(-4000, 4000) / 8 for _ in range(40)),
               *(random.uniform(-99, 99) for _ in range(40))]
    texts = ["", "a&b<c>d\"e'f", "\x00\x08\t\n\r\x1f ~", "\ufffe\uffff\ufffd\ue000\ud7ff", "\U0001f600\U0010ffff",
             "x" * (MAX_TEXT - 1) + "\U0001f600y", "y" * (MAX_TEXT + 1)]
    script = f"""import {{ number, text }} from "./compose.js";
show({json.dumps(numbers)}.map(number)); show({json.dumps(texts)}.map(text));"""
    assert in_node(script) == [[number(value) for value in numbers], [text(value) for value in texts]]


SAVED = ["Zillions Save Game File Version 0.02 HC", "RulesFile=a.zrf", "VariantName= B  c", "1. a1 - b2",
         "  2.   x   y ", "(x   a1)", "; 3  Man a1", "; 3", "; 1234567890 too long", "Comment", "RulesFile=late.zrf",
         "3.", "[White A]", '; [Players "human,ai:3"]', "\t4. c\x1a", "variantname = late", "5 . d"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_page_reads_saved_games_like_the_python_code(end: str) -> None:
    """Most files have lines drawn in random order, and one has a byte order mark. Files of other kinds are refused."""
    random = Random(len(end))
    files = ["\ufeff" + end.join(SAVED), end.join(SAVED).upper(),
             *(end.join([*SAVED[:2], *random.sample(SAVED[2:], 9)]) for _ in range(8)),
             end.join(["zillions save game", "rulesfile = b.zrf"]), end.join(["Zillions Save Game CH", "RulesFile=c"])]
    expected = []
    for file in files:
        game = read_game(file)
        entries = [entry.text for entry in game.entries]
        variations = [list(row) for row in game.variations]
        expected.append([game.rules_file, game.variant, game.seats(), entries, variations])
        assert any(isinstance(entry, Edit) for entry in game.entries) or len(entries) < 7
    script = f"""import {{ isSameTitle, readGame }} from "./saved.js";
for (const text of {json.dumps(files)}) {{
  const game = readGame(text);
  show([game.rules, game.variant, game.seats, game.entries, game.beside]);
}}
const count = (text) => {{ try {{ return readGame(text).entries.length; }} catch (error) {{ return error.message; }} }};
show(["", "Saved", "[Event]"].map(count));
const long = (moves) => "Zillions Save Game\\n" + "1. a\\n".repeat(moves);
show([4000, 4001].map((moves) => count(long(moves))));
show([["A b", " a  B"], ["A`b", 'a"B'], ["Ab", "a b"], ["x", "X", "y"]].map((titles) => isSameTitle(...titles)));"""
    refused = "This file is not a saved game."
    found = in_node(script)
    assert found[: len(files)] == expected
    assert found[len(files) :] == [[refused] * 3, [4000, "This saved game is too long."], [True, True, False, False]]


def test_a_link_that_we_write_is_read_by_a_page() -> None:
    """A page also reads the links that it writes; damaged and overlong links are refused."""
    links = [link_of("Chess", ["e2 - e4"], {"White": "ai:5"}), link_of("A`b", []), link_of("\u2654 \u00df", ["a"] * 50)]
    script = f"""import {{ packGame, unpackGame }} from "./saved.js";
for (const link of {json.dumps(links)}) {{
  const game = await unpackGame(link);
  const again = await packGame(game.title, game.seats, game.texts);
  show([game, await unpackGame(again), /^[\\w-]+$/.test(again)]);
}}
const bad = [[5, {{}}, []], ["a", {{}}, 5], ["a", {{}}, [5]], ["a", {{}}, Array(4001).fill("b")]];
const links = ["", "a b", "abc", "{links[0][:-9]}", "a".repeat(65537),
  ...await Promise.all(bad.map((game) => packGame(...game)))];
show(await Promise.all(links.map((link) => unpackGame(link).catch((error) => error.message))));
show((await unpackGame(await packGame("a", null, Array(4000).fill("b")))).texts.length);"""
    games = [{"title": "Chess", "seats": {"White": "ai:5"}, "texts": ["e2 - e4"]},
             {"title": 'A"b', "seats": {}, "texts": []}, {"title": "\u2654 \u00df", "seats": {}, "texts": ["a"] * 50}]
    damaged = "This link is damaged or incomplete, so it was not opened."
    assert in_node(script) == [*([game, game, True] for game in games), [damaged] * 9, 4000]


def test_a_page_unpacks_its_payload() -> None:
    """Shared values of tables, and parts by number and by name, are restored; memory that is stored as differences is
    only marked, since `world.js` adds it up."""
    payload = Payload()
    payload.name("board", "a\u00df")
    steps = b"".join((7 * n).to_bytes(4, "little") for n in range(900))
    image = Image(b"module", [(8, b"abc"), (64, steps)], [], {}, [], 5)
    games = [{"title": "A", "info": {"a": [1, 2], "b": "x"}}, {"title": "B", "info": {"a": [1, 2], "b": {"c": None}}}]
    data = payload.packed(payload.page([(game, image) for game in games]))
    script = f"""import {{ unpack }} from "./unpack.js";
const bytes = Uint8Array.from([9, ...{list(data)}]).subarray(1);
const {{ names, part, page }} = unpack(bytes);
const text = (number) => new TextDecoder().decode(part(number));
show([page.variants.map(({{ game }}) => game), text(names.board), page.first]);
const sized = ([at, number, isSteps]) => [at, part(number).length, isSteps ?? 0];
show(page.variants.map(({{ image }}) => [text(image.module), image.writes.map(sized), image.end]));"""
    found = in_node(script)
    assert found[0] == [games, "a\u00df", 0]
    assert found[1] == [["module", [[8, 3, 0], [64, 3600, 1]], 5]] * 2


def test_no_method_is_called_without_its_object() -> None:
    """`const { ask } = link;` loses `this`, so that the first call of `ask` fails."""
    scripts = [path for folder in ("serve/static", "export/static") for path in (ROOT / "zrf_py" / folder).glob("*.js")
               if not path.name.endswith(".min.js")]
    pages = {path.name: path.read_text("utf-8") for path in scripts}
    methods: dict[str, bool] = {}
    for script in pages.values():
        for match in re.finditer(r"^  (?:async )?(\w+)\([^)\n]*\) \{(.*?)(?:^  \}|\}$)", script, re.M | re.S):
            methods[match[1]] = methods.get(match[1], False) or "this." in match[2]
    assert methods["ask"] and len(methods) > 100
    taken = [f"{name}: {part}" for name, script in pages.items()
             for names in re.findall(r"const \{ ([\w, ]+) \} = (?!this;)\w+;", script)
             for part in names.split(", ")  # a name never called is data that is spelt like a method
             if methods.get(part) and re.search(rf"^(?!  (?:async )?{part}\().*(?<![.\w]){part}\(", script, re.M)]
    assert not taken
