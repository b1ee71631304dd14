"""Rules that nobody would write, put together at random from all of the language: every engine plays them alike.

The games of the shelf use a word where it makes sense; here each stands beside each other.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.engines import Make, any_game, kernel_as_python, one_game
from tests.fuzz.work import TooMuchWork, bounded
from tests.playing import slow
from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.native.agree import Disagreement, agree
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

pytest.importorskip("llvmlite", reason="the engines that are compared need llvmlite")

PLACES = ("n", "e", "s", "w", "b2", "c3", "(opposite n)")
PIECES = ("Man", "Rook", "King")
TESTS = ("empty?", "friend?", "enemy?", "neutral?", "on-board?", "marked?", "last-from?", "last-to?",
         "adjacent-to-enemy?", "goal-position?", "attacked?", "defended?", "attacked?", "defended?", "old?")
NUMBERS = ("0", "1", "2", "-1", "(counter laps)", "(counter won)", "(counter won Black)", "(count friend)",
           "(count enemy Man)", "(count nobody home)", "(count anybody Rook home)", "(turns-made)", "(legs-made)",
           "(store Man)", "(store Rook Black)", "(at way)", "(at way n)", "(sum 1 (counter laps))",
           "(difference 3 (counter won) 1)", "(product 2 (at way e))")
GOALS = ("stalemated", "(captured King)", "(checkmated King)", "(pieces-remaining 1)", "(pieces-remaining 1 Man)",
         "(total-piece-count 4)", "(absolute-config Man (home))", "(relative-config Man n Rook)", "repetition",
         "(and (relative-config Man e Man) (not (relative-config Rook)))", "(less? (count friend) 2)",
         "(or (equal? (counter won) 3) (absolute-config (opponent Rook) (b2)))")
OPTIONS = {"pass turn": ("false", "true", "forced"), "pass partial": ("false", "true"),
           "maximal captures": ("false", "false", "true", "2"), "recycle captures": ("false", "true", "captor"),
           "recycle promotions": ("false", "true"), "include off-pieces": ("false", "true"),
           "discard cascades": ("false", "true"), "null turns": ("true", "false"),
           "repetition": ("default", "none", "2", "5")}
ORDERS = ("White Black", "White repeat Black White White", "(White jump) White Black Black", "White (White Grey) Black")


class Writer:
    """Writes the rules of a game. The same seed writes the same."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def one(self, *ways: str) -> str:
        return self.random.choice(ways)

    def place(self) -> str:
        return self.one(*PLACES)

    def condition(self, depth: int = 2) -> str:
        kind = self.random.randrange(12 if depth else 8)
        no = self.one("", "", "not-")
        match kind:
            case 0 | 1 | 2:
                return f"{no if (test := self.one(*TESTS)) != 'old?' else ''}{test}"
            case 3 | 4:
                return f"({no}{self.one(*TESTS[:-1])} {self.place()})"
            case 5:
                return f"({no}piece? {self.one(*PIECES)} {self.one(self.place(), '')})"
            case 6:
                return self.one(f"({no}in-zone? home {self.place()})", f"({no}position? b2)", "(old? n)",
                                f"({no}position-flag? seen {self.place()})", f"({no}flag? up)")
            case 7:
                return f"({self.one('equal?', 'less?', 'greater?')} {self.one(*NUMBERS)} {self.one(*NUMBERS)})"
            case 8 | 9:
                return f"({self.one('and', 'or')} {self.condition(depth - 1)} {self.condition(depth - 1)})"
        return f"(not {self.condition(depth - 1)})"

    def effect(self) -> str:
        """What happens with the move, and what the next conditions see."""
        place = self.one("", self.place())
        if self.random.randrange(3) == 0:
            return self.one("capture", f"(capture {self.place()})", f"capture (capture {self.place()}) flip")
        return self.one(
            f"(flip {place})" if place else "flip",
            f"(change-owner {place})" if place else "change-owner", f"(change-type {self.one(*PIECES)} {place})",
            f"(create {self.one('', 'Black', 'Grey')} {self.one(*PIECES)} {place})",
            f"(set-attribute old? {self.condition(1)} {place})", f"(set-flag up {self.condition(1)})",
            f"(set-position-flag seen true {place})", f"(set-counter laps {self.one(*NUMBERS)})",
            f"(add-to-counter won {self.one('', 'Black')} {self.one('1', '-1', '2')})",
            f"(next-turn {self.one('0', '1', '2', '-1', '9')})", "must-continue", "cascade", "add-pass")

    def add(self) -> str:
        return self.one("add", "add", "add", "(add Rook Man)", "add-partial", "(add-partial jump)", "add-copy",
                        "(add-partial King jump)", "(add-copy Rook)")

    def instruction(self, depth: int = 2) -> str:
        match self.random.randrange(11 if depth else 9):
            case 0 | 1 | 2:
                return self.one("n", "e", "s", "w", "n", "e", "s", "w", "(opposite e)", "b2")
            case 3:
                return self.one("mark", "(mark n)", "back", "from", "to", "(go from)", "(go to)", "(go mark)",
                                "(go last-from)", "(go last-to)")
            case 4 | 5:
                return self.effect()
            case 6:
                return f"(verify {self.condition()})"
            case 7:
                return self.add()
            case 8:
                return f"(while (empty? {(way := self.one('n', 'e', 's', 'w'))}) {way} {self.one('', self.add())})"
            case 9:
                return f"(if {self.condition()} {self.instruction(depth - 1)} else {self.instruction(depth - 1)})"
        return f"(if {self.condition()} {self.instruction(depth - 1)} {self.instruction(depth - 1)})"

    def block(self) -> str:
        inner = " ".join(self.instruction() for _ in range(self.random.randrange(1, 6)))
        return f"({self.one('n', 'e', 's', 'w')} {inner} {self.add()})"

    def blocks(self, count: int) -> str:
        return " ".join(self.block() for _ in range(count))

    def piece(self, name: str) -> str:
        drops = self.one("", "", "(drops ((verify empty?) add))", f"(drops ((verify empty?) {self.effect()} add))")
        return f"""(piece (name {name}) (attribute old? {self.one('true', 'false')})
            (moves (move-type step) {self.blocks(2)} (move-type jump) {self.blocks(2)}) {drops})"""

    def goal(self) -> str:
        return f"({self.one('win', 'loss', 'draw', 'count')}-condition (White Black) {self.one(*GOALS)})"

    def game(self) -> str:
        options = "".join(f'(option "{name}" {self.one(*values)})' for name, values in OPTIONS.items())
        priorities = self.one("", "(move-priorities jump step)", "(move-priorities jump)")
        return f"""(version "zrf+") (game (title "Made up") (players White Black Grey) {priorities}
          (turn-order {self.one(*ORDERS)}) (counter laps) (counter won each 0) {options}
          (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("4/3/2/1" (0 9)))
                       (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (symmetry Black (n s) (s n))
            (zone (name home) (players White) (positions a4 b4)) (zone (name home) (players Black) (positions a1 b1))
            (measure (name way) (players White Black) (values (1 a1 b2) (2 c3))))
          {' '.join(self.piece(name) for name in PIECES)}
          (board-setup (White (King a1) (Man b1 a2 off 2) (Rook c1)) (Black (King a4) (Man b4 off 1) (Rook c4))
                       (Grey (Man c2)))
          {self.goal()} {self.goal()})"""


def program(seed: int) -> Program:
    report = Report()
    found = compile_source(Source("made-up.zrf", Writer(seed).game()), lambda name, origin: None, report)
    assert not report.errors, f"{report.errors[0]}\n{Writer(seed).game()}"
    return found[0]


def compare(seeds: range, plies: int, make: Make) -> int:
    """How many plies were the same; a game that takes the interpreter too long is left."""
    compared = 0
    for seed in seeds:
        game = program(seed)
        engine = make(game)
        try:
            with bounded(200_000):
                found = agree(game, seed, plies, engine)
        except TooMuchWork:
            continue
        assert not isinstance(found, Disagreement), f"{found}\n{Writer(seed).game()}"
        compared += found if engine.layout is not None else 0
    return compared


@pytest.mark.parametrize("first", [0, 20, 40, *slow([60, 80, 100])])
def test_any_game(first: int) -> None:
    assert compare(range(first, first + 20), 8, any_game) > 100


STOCK = """(game (title "Stock") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (drops ((verify empty?) add)))
  (piece (name Guard) (drops ((verify empty?) (verify (empty? n)) add)))
  (board-setup (White (Man off 1) (Guard off 1)) (Black (Man off 1) (Guard off 2))) (option "pass turn" forced))"""


SMALL = """(version "zrf+") (game (title "Small") (players White Black Grey) (turn-order {order}) {more}
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("5/4/3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (move-type step) (n (verify empty?) add)
                           (move-type jump) ((verify (not-flag? seen)) n n (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man b1)) (Grey (Man c1))) (option "pass turn" forced))"""
DEFENDED = """(game (title "Defended") (players White Black Grey) (turn-order White Black (White Grey))
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("5/4/3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify (and empty? defended?)) add) (n (verify (and enemy? not-neutral?)) add)))
  (board-setup (White (Man a1)) (Black (Man b1)) (Grey (Man c1))) (option "pass turn" forced))"""
BACK = """(version "zrf+") (game (title "Back") (players White Black Grey) (turn-order White repeat Black Grey)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("7/6/5/4/3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify empty?) (next-turn {step}) add)))
  (board-setup (White (Man a1)) (Black (Man b1)) (Grey (Man c1))) (option "pass turn" forced))"""
LEAVES = """(version "zrf+") (game (title "Leaves") (players White Black Red) (turn-order White Black Red)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("4/3/2/1" (0 9))) (directions (n 0 -1)))
    (zone (name all) (players White Black Red) (positions a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4)))
  (piece (name Man)) (piece (name Runner) (moves (n (verify empty?) add)))
  (board-setup (White (Man a1) (Runner c1)) (Black (Man a2)) (Red (Runner b1)))
  (out-condition (White Black Red) stalemated (remove all))
  (win-condition (White) (relative-config Man n (not (any-owner Man)))))"""
NOWHERE = """(game (title "Nowhere") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("8/7/6/5/4/3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify empty?) add))) (board-setup (White (Man a1)) (Black (Man b1)))
  (win-condition (White Black) (absolute-config Man ())))"""
GAMES = {
    "stock": STOCK,
    "a pattern of no place holds for nobody": NOWHERE,
    "turns back, before the first one": BACK.format(step=-1),
    "turns back, farther than there are turns": BACK.format(step=-8),
    "a man who goes with his player makes a pattern hold": LEAVES,
    "the enemy that is imagined is the first of the turns, not the neutral one": DEFENDED,
    "a kind of move that is asked for, and flags that blocks share": SMALL.format(
        order="(White step) (Black step) Grey", more="(move-priorities jump step)"),
    "the last of the turns is passed over, and those that come again are not all": SMALL.format(
        order="White repeat Black (when (greater? (turns-made) 4) Grey)", more=""),
}


@pytest.mark.parametrize("make", [any_game, kernel_as_python, one_game])
@pytest.mark.parametrize("name", GAMES)
def test_what_chance_makes_seldom(name: str, make: Make) -> None:
    game = compile_source(Source(f"{name}.zrf", GAMES[name]), lambda name, origin: None, Report())[0]
    found = agree(game, 1, 12, make(game))
    assert not isinstance(found, Disagreement), str(found)
    assert found > 5


@pytest.mark.slow
@pytest.mark.parametrize(("make", "games"), [(any_game, 300), (kernel_as_python, 30), (one_game, 6)])
def test_more_by_every_engine(make: Make, games: int) -> None:
    assert compare(range(1000, 1000 + games), 20, make) > 10 * games
