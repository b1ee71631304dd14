"""Random clicks, drags and keys on the page of a board without a server.

The expected page after each action is computed here from the rules: the position that the moves lead to, the
squares that can be clicked, the tree of moves, moves made ahead. `pages/play/user.js` simulates the user.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")

import zrf_py
from tests.exporting import measured_once
from tests.playing import HANG, ROOT
from tests.test_page_dom import STATIC
from zrf_py.export.bundle import bundle
from zrf_py.export.contents import contents
from zrf_py.export.sources import modules
from zrf_py.play import turn_text
from zrf_py.play.game import Position
from zrf_py.view.describe import describe, destinations

SCRIPTS = ROOT / "tests" / "pages" / "play"
RULES = """(define hop ($1 (verify enemy?) capture $1 (verify empty?) (add-partial hopping)))
(define step ($1 (verify empty?) add))
(game (title "Race") (players White Black) (turn-order White Black) (option "pass turn" true)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c/d" (40 0)) ("4/3/2/1" (0 40)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify not-friend?) add) (e (verify not-friend?) (add Man King)))
    (drops ((verify empty?) add)))
  (piece (name King) (moves (step w) (n (verify not-friend?) add) (e (verify not-friend?) add)))
  (board-setup (White (Man a1 c1 off 2) (King b1 d1)) (Black (Man b4 c4 d4) (King a4 off 1)))
  (loss-condition (White Black) (pieces-remaining 1)))
(variant (title "Either")
  (piece (name Man) (moves (n (verify enemy?) add) (n (verify empty?) mark n (verify enemy?) capture back add)
    (n (verify empty?) mark e (verify enemy?) capture back add)
    (n (verify empty?) mark w (verify enemy?) capture back add)))
  (piece (name King) (moves (step n) (step e) (step w)))
  (board-setup (White (Man b1 c1 d1) (King a1)) (Black (Man a2 b3 c3 d3) (King c2 d4))))
(variant (title "Hops") (option "pass turn" false) (option "pass partial" true)
  (piece (name Man)
    (moves (move-type hopping) (hop n) (hop e) (hop w) (move-type stepping) (step n) (step e) (step w)))
  (piece (name King)
    (moves (move-type hopping) (hop n) (hop e) (hop s) (move-type stepping) (step n) (step e) (step s) (step w)))
  (board-setup (White (Man a1 b2 c1 d1) (King d2)) (Black (Man a2 b3 c2 d4) (King b4))))"""
TITLES = ("Race", "Either", "Hops")
TIME = """const timers = new Map();
let number = 0;
globalThis.setTimeout = (act, time = 0) => { timers.set(number += 1, { at: now + time, act }); return number; };
globalThis.setInterval = (act, time) => { timers.set(number += 1, { at: now + time, act, time }); return number; };
globalThis.clearTimeout = globalThis.clearInterval = (id) => timers.delete(id);
const ring = (id, { act, time }) => {
  if (time) timers.get(id).at += time; else timers.delete(id);
  act();
};
"""
"""Timers that expire when the script calls `ring`."""


def rows(games: list[list[Any]], folder: Path) -> list[list[Any]]:
    """Return what was done and seen in games, each given as [seed, title, kind, number of actions]."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    payload, tables = contents([zrf_py.loads(RULES, title) for title in TITLES])
    (folder / "page.bin").write_bytes(payload.packed(tables))
    markup = re.sub(r"<!doctype html>|</?(html|body)[^>]*>", "", (STATIC / "board.html").read_text("utf-8"))
    parts = {**modules(), "server": (SCRIPTS / "table.js").read_text("utf-8"),
             "test": (SCRIPTS / "user.js").read_text("utf-8").replace("./table.js", "./server.js"),
             "translations": "export async function translations() { return {}; }"}
    parts["board"] += "export const ready = true;\n"
    text = "\n".join([
        "const show = (it) => console.log(JSON.stringify(it));",
        'globalThis.location = { search: "?lang=en", pathname: "/", hash: "", origin: "http://x" };',
        f"const PAGE = {json.dumps(str(folder / 'page.bin'))}, GAMES = {json.dumps(games)};",
        (ROOT / "tests" / "dom.js").read_text("utf-8"), f"parse({json.dumps(markup)}, document.body);", TIME,
        bundle(parts, "test")])
    done = subprocess.run([node, "-"], input=text, capture_output=True, text=True, encoding="utf-8", timeout=HANG)
    assert done.returncode == 0 and not done.stderr, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@cache
def reached(title: str, moves: tuple[str, ...]) -> Position:
    if not moves:
        return zrf_py.loads(RULES, title).start()
    return reached(title, moves[:-1]).play(moves[-1])


Moves = tuple[str, ...]


class Tree:
    """The moves made so far: the tree, the current branch, and the end of the game."""

    def __init__(self) -> None:
        self.children: dict[Moves, list[Moves]] = {}
        self.next: dict[Moves, Moves] = {}
        self.tip: Moves = ()

    def play(self, before: Moves, text: str) -> None:
        """Continue the game from a position, like a user who plays both sides."""
        self.tip = (*before, text)
        if self.tip not in self.children.setdefault(before, []):
            self.children[before].append(self.tip)
        for end in range(len(self.tip)):
            self.next[self.tip[:end]] = self.tip[:end + 1]

    def line(self, moves: Moves) -> Moves:
        """Return the moves to a position and those that were played after it."""
        while moves in self.next:
            moves = self.next[moves]
        return moves

    def variations(self, moves: Moves) -> int:
        line = self.line(moves)
        starts = [line[:end] for end in range(len(line) + 1)]
        return sum(child not in starts for start in starts for child in self.children.get(start, []))


class Judge:
    """Checks rows, each an action and the page after it, against the rules."""

    def __init__(self) -> None:
        self.tree = Tree()
        self.moves: Moves = ()
        self.before: dict[str, Any] = {}
        self.count: Counter[str] = Counter()

    def row(self, what: str, done: dict[str, Any], seen: dict[str, Any]) -> None:
        self.seen, self.done, moves = seen, done, tuple(seen["moves"])
        self.position = reached(seen["title"], moves)
        self.places = [place.name for place in self.position.game.program.game.board.places]
        self.legs = describe(self.position)["legs"]
        expected = getattr(self, what)(done, self.moves)
        self.count[what] += 1
        assert moves == expected, (what, done)
        self.moves = moves
        self.general()
        self.before = seen

    # ---- after every action

    def general(self) -> None:
        """Check the drawing, the list of moves and the buttons."""
        seen, position, line = self.seen, self.position, self.tree.line(self.moves)
        men = {name: f"{player} {kind}" for name, player, kind in standing(position)}
        assert seen["pieces"] == men and seen["loose"] == 0
        assert seen["legs"] == self.legs
        assert (tuple(seen["line"]), seen["variations"]) == (line, self.tree.variations(self.moves))
        assert seen["list"] == list(turns(seen["title"], line, len(self.moves)))
        is_live, ply = self.moves == self.tree.tip, len(self.moves)
        buttons = seen["buttons"]
        assert [buttons[id] for id in ("back", "first")] == 2 * [ply > 0]
        assert [buttons[id] for id in ("forward", "last")] == 2 * [ply < len(line)]
        assert buttons["return"] is not is_live and buttons["undo"] is (self.tree.tip != ())
        outcome = position.outcome()
        refused = seen["status"].endswith(("is not a legal destination.", "can't move now."))
        if outcome is None and is_live and not refused and "…" not in seen["status"] and "choose" not in seen["status"]:
            assert seen["status"].startswith(position.player)
        assert [name for name, is_on, _ in seen["seats"] if is_on] == ([] if outcome else [position.player])
        for label in seen["labels"]:
            name, what = re.split(", ", label, maxsplit=1)
            man = men.get(name, "").split(" ")
            assert what.startswith(f"{['White', 'Black'][int(man[0])]} {man[1]}" if man[0] else "empty"), label

    def named(self, index: int) -> str:
        return self.places[index] if index >= 0 else ""

    def at_rest(self) -> None:
        """Check a page before a choice: clickable squares begin moves; a piece is chosen if only it can continue."""
        sources = {self.named(leg[1]) for leg in self.legs if leg[1] >= 0 and leg[2] >= 0 and leg[1] != leg[2]}
        drops = {self.named(leg[2]) for leg in self.legs if leg[1] < 0 <= leg[2]}
        forced = self.position.in_turn and len(sources) == 1 and not drops
        assert self.seen["chosen"] == (sorted(sources) if forced else [])
        if forced:
            self.chosen(*sources)
        else:
            assert set(self.seen["can"]) == sources | drops
            assert self.seen["targets"] == []
        passes = [leg for leg in self.legs if leg[1] < 0 and leg[2] < 0]
        assert len(self.seen["choices"]) == len(passes) and self.seen["menu"] == []
        assert all(row[3] is self.droppable(row) and row[4] == "false" for row in self.seen["held"])

    def droppable(self, row: list[Any]) -> bool:
        player, kind, *_ = row
        types = [piece.name for piece in self.position.game.program.game.pieces]
        side = describe(self.position)["side"]
        return player == side and any(leg[3] == types.index(kind) and leg[1] < 0 for leg in self.legs)

    def chosen(self, start: str) -> None:
        """Check a page where a piece is chosen: its destinations are marked, separately for one leg and for several."""
        seen = self.seen
        ends = {self.named(leg[2]) for leg in self.legs if self.named(leg[1]) == start and leg[1] != leg[2]}
        far = {self.named(int(str(end))) for end, _ in destinations(self.position, self.places.index(start))} - ends
        assert (seen["chosen"], set(seen["targets"])) == ([start], ends)
        many = any(leg[0].startswith("partial ") for leg in self.legs if self.named(leg[1]) == start)
        assert set(seen["far"]) == (far if many else set())
        starts = {self.named(leg[1] if leg[1] >= 0 else leg[2]) for leg in self.legs if max(leg[1], leg[2]) >= 0}
        assert set(seen["can"]) == ends | set(seen["far"]) | starts
        words = [label for label in seen["labels"] if label.endswith(", legal destination")]
        assert {label.split(",")[0] for label in words} == ends

    # ---- actions: each returns the moves that the page must show afterwards

    def begin(self, done: dict[str, Any], moves: Moves) -> Moves:
        self.tree = Tree()
        self.at_rest_if_mine()
        return ()

    def at_rest_if_mine(self) -> None:
        if len(self.seen["you"]) == 2 and self.position.outcome() is None:
            self.at_rest()

    def move(self, done: dict[str, Any], moves: Moves) -> Moves:
        assert not re.search("no |nothing", done["route"]), done
        assert not [one for one in done.get("extra", []) if one["type"] == "play"], "nothing is played twice"
        self.tree.play(moves, done["text"])
        if "slow" not in done["route"]:
            self.at_rest_if_mine()
        return self.tree.tip

    def lost(self, done: dict[str, Any], moves: Moves) -> Moves:
        assert done["isAway"] or self.seen["toast"] == "refused"
        return moves

    def calm(self, done: dict[str, Any], moves: Moves) -> Moves:
        self.at_rest_if_mine()
        assert self.seen["sent"] == self.before["sent"] or "dropped" in done
        return moves

    def select(self, done: dict[str, Any], moves: Moves) -> Moves:
        self.chosen(done["from"])
        return moves

    def hand(self, done: dict[str, Any], moves: Moves) -> Moves:
        types = [piece.name for piece in self.position.game.program.game.pieces]
        ends = {self.named(leg[2]) for leg in self.legs if leg[1] < 0 and leg[3] == types.index(done["type"])}
        assert set(self.seen["targets"]) == ends and self.seen["chosen"] == []
        pressed = [row[1] for row in self.seen["held"] if row[4] == "true"]
        assert pressed == [done["type"]]
        return moves

    def go(self, done: dict[str, Any], moves: Moves) -> Moves:
        line, ply, tree = self.tree.line(moves), len(moves), self.tree
        if not done["was"]:
            return moves
        if done["id"] == "undo":
            tree.tip = tree.tip[:-1]
            return tree.tip
        if done["id"] == "return":
            return tree.tip
        return line[:{"back": ply - 1, "forward": ply + 1, "first": 0, "last": len(line)}[done["id"]]]

    def hurry(self, done: dict[str, Any], moves: Moves) -> Moves:
        line, ply = self.tree.line(moves), len(moves)
        for step in done["steps"]:
            if done["could"][step]:
                ply = min(max(ply + {"back": -1, "forward": 1}[step], 0), len(line))
        return line[:ply]

    def list(self, done: dict[str, Any], moves: Moves) -> Moves:
        return self.tree.line(moves)[:done["ply"]]

    def variation(self, done: dict[str, Any], moves: Moves) -> Moves:
        shown = tuple(self.seen["moves"])
        line = self.tree.line(moves)
        assert shown != line[:len(shown)] and shown[:-1] == line[:len(shown) - 1]
        assert shown in self.tree.children[shown[:-1]]
        return shown

    def turned(self, done: dict[str, Any], moves: Moves) -> Moves:
        return moves

    def sure(self, done: dict[str, Any], moves: Moves) -> Moves:
        line = self.tree.line(moves)
        is_running = bool(line) and reached(self.seen["title"], moves).outcome() is None
        assert done["isAsked"] is (is_running or done["id"] == "resign")
        if not done["isAsked"]:
            self.tree = Tree()
            return ()
        return moves

    def chain(self, done: dict[str, Any], moves: Moves) -> Moves:
        """Check that the piece has reached the place that was clicked, in several legs of one turn."""
        shown = tuple(self.seen["moves"])
        assert shown[:len(moves)] == moves and len(shown) > len(moves) + 1
        for end in range(len(moves), len(shown)):
            self.tree.play(shown[:end], shown[end])
            assert end + 1 == len(shown) or reached(self.seen["title"], shown[:end + 1]).in_turn
        man = self.before["pieces"][done["from"]]
        assert self.seen["pieces"][done["to"]] == man and done["from"] not in self.seen["pieces"]
        return shown

    # ---- against a computer

    def own(self, done: dict[str, Any], moves: Moves) -> Moves:
        self.tree.play(moves, done["text"])
        self.clocks(done["before"])
        return self.tree.tip

    def ahead(self, done: dict[str, Any], moves: Moves) -> Moves:
        """Check that a premove marks one or two squares; a click elsewhere, or on the same square again, cancels it."""
        start, end = self.premove(done)
        assert set(done["ahead"]) == {start, end} - {""}
        self.clocks(done["before"])
        return self.onwards(moves, *self.premove(done))

    def premove(self, done: dict[str, Any]) -> tuple[str, str]:
        start = end = ""
        for square in done["clicks"]:
            if start and not end and square != start:
                end = square
            elif square in done["own"] and square != start:
                start, end = square, ""
            else:
                start = end = ""
        return start, end

    def answer(self, done: dict[str, Any], moves: Moves) -> Moves:
        return self.onwards(moves, *self.premove(done))

    def onwards(self, moves: Moves, start: str, end: str) -> Moves:
        """Check the computer's move, and that the premove is then played if it fits exactly one legal move."""
        shown, title = tuple(self.seen["moves"]), self.seen["title"]
        assert shown[:len(moves)] == moves
        at = len(moves)
        while at < len(shown) and reached(title, shown[:at]).player == "Black":
            at += 1
        position = reached(title, shown[:at])
        if position.player == "White" and position.outcome() is None:
            legs = [leg for leg in describe(position)["legs"] if start and end
                    and (self.named(leg[1]), self.named(leg[2])) == (start, end)]
            passes = [leg[0] for leg in describe(position)["legs"]] == ["Pass"]
            self.count["kept"] += len(legs) == 1
            self.count["given up"] += bool(start and end) and len(legs) != 1
            if len(legs) == 1:
                assert shown[at:at + 1] == (legs[0][0],)
            elif not passes:
                assert len(shown) == at
                assert self.seen["ahead"] == []
        for number in range(len(moves), len(shown)):
            self.tree.play(shown[:number], shown[number])
        return shown

    def idle(self, done: dict[str, Any], moves: Moves) -> Moves:
        return self.onwards(moves, "", "")

    def clocks(self, before: Any) -> None:
        """Check that no clock rises, except by an increment."""
        for (name, _, old), (_, _, new) in zip(before, self.seen["seats"], strict=True):
            earned = 3 if self.position.player != name else 0
            assert seconds(new) <= seconds(old) + earned, (name, old, new)


def seconds(text: str) -> float:
    minutes, rest = text.split(":")
    return 60 * int(minutes) + float(rest)


def standing(position: Position) -> Iterator[tuple[str, int, str]]:
    """Yield the pieces on the board: square, player, type."""
    game = position.game.program.game
    for place, owner, kind in zip(game.board.places, position.state.owner, position.state.piece, strict=True):
        if owner >= 0:
            yield place.name, owner, game.pieces[kind].name


def turns(title: str, line: Moves, ply: int) -> Iterator[list[Any]]:
    """Yield the buttons of the list of moves: text, last ply, whether the position shown is within the turn, and
    whether it is before the turn."""
    first = 1
    for end in range(1, len(line) + 1):
        after = reached(title, line[:end])
        if end < len(line) and after.in_turn:
            continue
        yield [turn_text.played_turn(after), end, first <= ply <= end, first > ply]
        first = end + 1


GAMES = [[1, "Race", "alone", 60], [2, "Hops", "alone", 60], [5, "Either", "alone", 30], [3, "Race", "rival", 40],
         [4, "Hops", "rival", 30]]


def test_the_page_follows_the_rules_under_random_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured_once(monkeypatch)
    judge = Judge()
    _, *seen = rows(GAMES, tmp_path)
    for what, done, view in seen:
        judge.row(what, done, view)
    assert min(judge.count[name] for name in ("move", "go", "ahead", "select", "calm")) > 10, judge.count
    assert min(judge.count[name] for name in ("chain", "lost", "hurry", "list", "kept", "given up", "sure", "hand"))
