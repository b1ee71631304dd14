"""Lints distinguish mistakes from idioms: each pair consists of a mistake and similar text that is intended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint_draw import UNNAMED, Finding, draw, table
from tests.playing import ROOT
from zrf_py.author.lint.linting import lint_source
from zrf_py.author.tests.pages import Example, FencedBlock, wrap
from zrf_py.cli.main import main
from zrf_py.text.source import Source

UNSAID = {"no-end", "no-description"}


def lints(rules: str) -> list[str]:
    """Return the codes of the lints of `rules`, after adding what is missing for a whole game."""
    text = wrap(Example("", FencedBlock("zrf", "", rules, 1), None)).text
    linted = lint_source(Source("x.zrf", text), Path(__file__))
    assert not linted.errors
    return [d.code for d in linted.lints or () if d.code not in UNSAID]


def test_a_game_without_pieces_is_reported() -> None:
    """The end of the file may be missing, as in this half of a file."""
    board = "(board (grid (start-rectangle 0 0 9 9) (dimensions (\"a/b\" (9 0)) (\"1\" (0 9))) (directions (e 1 0))))"
    for pieces, codes in (("", ["no-pieces"]), ("(piece (name Man) (moves (e (verify empty?) add)))", [])):
        text = f'(game (title "Half") (players White Black) (turn-order White Black) {board} {pieces})'
        assert [d.code for d in lint_source(Source("x.zrf", text)).lints or () if d.code == "no-pieces"] == codes


BASE = """(zone (name base) (players White) (positions a1)) (zone (name base) (players Black) (positions a4))
(piece (name Man) (moves ({} (verify empty?) add) (e (verify empty?) add)))
(board-setup (White (Man a1 b1)) (Black (Man a4 c4)))"""
HOME = """(zone (name home) {} (positions a1 b1))
(zone (name home) (players {}) (positions a2 b2))
(zone (name last) (players White Black) (positions a4))
(piece (name Man) (moves (n (verify (and (in-zone? home) (not-in-zone? last))) add)))"""
TYPED = """(turn-order White (Black {}))
(piece (name Man) (moves (move-type jump) (n add)))"""
ROW = """(piece (name Man) (moves (n (verify empty?) add)))
(board-setup (White (Man a1 c1)) (Black (Man a4 c4)))
(win-condition (White Black) (relative-config {}))"""
LOOP = """(piece (name Man) (moves
  ((set-flag far false) (while (empty? n) (set-flag {} true) n) (if (flag? far) add))))"""
BESIDE = """(piece (name Man) (moves (n (verify empty?) add)))
(board-setup (White (Man a1)))
(win-condition (White) (and (absolute-config Man (a2)) (absolute-config {} (b4))))"""
START = """(piece (name Man) (moves ({} (verify empty?) add)))
(board-setup (White (Man {})) (Black (Man a3 a2 b1)))
(links s (a1 c1))"""
TAKEN = """(piece (name Man) (moves (n (verify {}) add)))
(board-setup (White (Man a1)) (Black (Man a4)))
(loss-condition (White Black) (captured Man))"""
LEFT = """(piece (name Man) (moves (n (verify not-friend?) add)))
(board-setup (White (Man a1 b1)) (Black (Man a4 b4)))
(loss-condition (White Black) (pieces-remaining {}))"""
SHARED = """(players Ann Bob Men)
(turn-order {})
(piece (name Man) (moves (n (verify empty?) add)))
(board-setup (Ann (Man c1)) (Bob (Man b1)) (Men (Man a1)))
(win-condition ({}) (absolute-config Man (a4)))"""
TYPES = """(piece (name Man) (moves (n (verify empty?) add)))
(piece (name Guard) (moves (n (verify empty?) add)))
(piece (name Lion) (moves (n (verify empty?) add)))
(board-setup (White ({} b1)))"""
TURNED = """(symmetry Black {}) (board-setup (White (Man a1)) (Black (Man a4)))
  (piece (name Man) (moves (ne (verify enemy?) add) (n (verify empty?) add)))"""
COPIED = """(zone (name home) (players White) (positions {0})) (zone (name home) (players Black) (positions {0}))
  (piece (name Man) (moves (n (verify (not-in-zone? home)) (verify empty?) add)))"""
CALLS = """(define jump ($1 (verify (empty? $2)) (verify (empty? $3)) (verify enemy?) add))
(piece (name Man) (moves (jump n {}) (jump e n n) (jump w n n)))"""
DIAGONAL = """(symmetry Black {})
(board-setup (White (Man a1)) (Black (Man a4)))
(define step ($1 (verify empty?) add))
(piece (name Man) (moves (step nw) (step ne) (step sw)))"""
ASKED = """(piece (name Man) (attribute fresh? true) (moves (n (verify empty?) (set-attribute fresh? false) add)))
(piece (name Guard) (moves (n (verify empty?) add)))
(piece (name King) (moves (e (verify (and (piece? {}) fresh?)) add)))
(board-setup (White (Man a1) (King b1) (Guard c1)))"""
GIVEN = """(piece (name Man) (attribute fresh? true) (moves (n (verify (and fresh? (empty? n))) add)))
(piece (name King) (moves ((verify (piece? Man s)) n (verify empty?) {} add)))
(board-setup (White (Man a1) (King a2)))"""
KINDS = """(piece (name Man) (moves (n (verify ({} (piece? Man) (piece? King))) add)))
(piece (name King) (moves (n (verify empty?) add)))
(board-setup (White (Man a1) (King b1)))"""
ZONES = """(zone (name near) (players White Black) (positions a4 a3))
(zone (name far) (players White Black) (positions {1}))
(piece (name Man) (moves (n (verify (in-zone? near)) (verify {0}) add) (e (verify empty?) add)))
(board-setup (White (Man a3)))"""
DRAWN = """(piece (name Man) (moves (n (verify not-friend?) add)))
(board-setup (White (Man a1)) (Black (Man a4)))
(draw-condition (White Black) (total-piece-count {}))"""
JUMP = """(piece (name Man) (moves (n (verify enemy?) {} n (verify empty?) {} add)))"""
SHIFT = """(define shift (verify not-friend?) $1 (verify not-friend?) add)
(piece (name Man) (moves {}))"""
LINE = """(game (title "Line") (players White Black) (turn-order White Black)
  (board
    (positions (a 0 0 9 9) (b 9 0 18 9) (c 18 0 27 9) (d 27 0 36 9) (e 36 0 45 9))
    (links right (a b) (b c) (c d) (d e))
    (links left (b a) (c b) (d c) {}))
  (piece (name Man) (moves (right (verify empty?) add) (left (verify empty?) add)))
  (board-setup (White (Man a)) (Black (Man d)))
  (loss-condition (White Black) stalemated))
(variant (title "Line again") {})"""
LINKS = """(define two (links left ($1 $2) ($3 $4)))
""" + LINE
STOCK = """(piece (name Man) (moves (n (verify empty?) add)) (drops ((verify empty?) add)))
(board-setup (White (Man a1) (Man off {})))"""

CROWNED = """(zone (name far) (players White) (positions a4 b4))
(define arrive (if (in-zone? far) (add King) else add))
(piece (name Man) (moves (n (verify empty?) {}) (ne (verify enemy?) (arrive)) {}))
(piece (name King) (moves (n (verify not-friend?) add) (s (verify not-friend?) add)))
(board-setup (White (Man a1)) (Black (King b4)))"""
SHOT = """(piece (name Arrow))
(piece (name Man) (moves (n (while empty? mark (create Black Arrow) (go from) add {} n))))"""
OUTFLANK = """(piece (name Man) (moves (n (verify enemy?) (while (enemy? n) n) (verify (friend? n))
  (while enemy? flip {}) add)))"""
ROOK = """(piece (name Rook) (moves (n (while {} n) (verify not-friend?) add)))
(board-setup (White (Rook a1)) (Black (Rook a4)))"""
BARE = """(piece (name Man) (moves (n (verify empty?) add)))
(piece (name Wall) (moves (e (verify empty?) {})))
(board-setup (White (Man a1) (Wall b1)) (Black (Man a4) (Wall b4)))
(loss-condition (White Black) (pieces-remaining 0 Man))"""

ROWS = """(piece (name Man) (drops ((verify empty?) add)))
(board-setup (White (Man off 8)) (Black (Man off 8)))
(win-condition (White Black) (or (relative-config Man n Man) (relative-config Man e Man) {}))"""

PAIRS = {
    "rows along one diagonal, and along both": (
        "row-missing", ROWS.format("(relative-config Man ne Man)"),
        ROWS.format("(relative-config Man ne Man) (relative-config Man nw Man)")),
    "a man who stays where others are crowned, and where all may walk back": (
        "stranded", CROWNED.format("add", ""), CROWNED.format("add", "(s (verify empty?) add)")),
    "a man who stays where others are crowned, and a goal": (
        "stranded", CROWNED.format("add", ""),
        CROWNED.format("add", "") + "(win-condition (White) (absolute-config Man (far)))"),
    "a shot that goes on from the start, and from its end": (
        "endless-while", SHOT.format("").replace("mark ", ""), SHOT.format("back")),
    "turned on the way out, and on the way home": (
        "runs-once", OUTFLANK.format("n"), OUTFLANK.format("s")),
    "a slide over pieces, and over empty squares": (
        "never-true", ROOK.format("not-empty? add"), ROOK.format("empty? add")),
    "a test that a loop ends by, after moves to empty squares or none": (
        "never-true", ROOK.format("friend? add"), ROOK.format("friend?")),
    "pieces that no move takes, and one that changes them": (
        "goal-out-of-reach", BARE.format("add"), BARE.format("(change-type Wall s) add")),
    "diagonals turned without the axis between them, and an axis": (
        "short-symmetry", TURNED.format("(ne se) (se ne) (nw sw) (sw nw)"), TURNED.format("(ne se) (se ne)")),
    "a flag for the next block": (
        "no-add", "(piece (name Man) (moves ((set-flag shut (not-empty? n)) (verify (flag? shut))) (n add)))",
        "(piece (name Man) (moves ((set-flag shut (not-empty? n))) ((verify (not-flag? shut)) n add)))"),
    "a block that is switched off": (
        "unreachable", "(piece (name Man) (moves (n (verify empty?) add (verify false) n add)))",
        "(piece (name Wall) (moves ((verify false) n add)))"),
    "a macro that asks what is known where it is called": (
        "never-true", "(define check (verify empty?) (verify enemy?))\n(piece (name Man) (moves (n (check) add)))",
        "(define check (if (in-zone? safe) (verify empty?)) capture)\n"
        "(zone (name safe) (players White Black) (positions a2))\n"
        "(piece (name Man) (moves (n (if not-empty? (check)) add)))"),
    "a zone without players": (
        "zone-of-nobody", HOME.format("", "White"), HOME.format("(players Black)", "White")),
    "a zone copied for the other player": (
        "zone-twice", HOME.format("(players White)", "White"),
        HOME.format("(players White Black)", "White")),
    "a type of a turn": (
        "unknown-move-type", TYPED.format("jmup"), TYPED.format("jump")),
    "pieces in a row": (
        "no-direction", ROW.format("Man Man"), ROW.format("Man e Man")),
    "a flag that a loop sets first": ("flag-never-set", LOOP.format("fur"), LOOP.format("far")),
    "castling": (
        "movement-lost", "(piece (name King) (moves (e to e from w w to add)))",
        "(piece (name King) (moves (e to cascade e from w w to add) (e to add w to add) (n to e (go to) w to add)))"),
    "a move that tests no square": (
        "untested-square", "(piece (name Man) (moves (n add) (e (verify empty?) add) (w (verify empty?) add)))",
        "(piece (name Man) (moves (n add) (e add) (w (verify empty?) add)))"),
    "a first turn in which nothing can be done": (
        "no-first-move", START.format("n", "a1"), START.format("s", "a1")),
    "captures": (
        "goal-out-of-reach", TAKEN.format("empty?"), TAKEN.format("not-friend?")),
    "as many as there are": (
        "too-few-men", LEFT.format(3), LEFT.format(1)),
    "a condition written twice": (
        "written-twice", "(piece (name Man) (moves (n (verify (and not-friend? not-friend?)) add)))",
        """(piece (name Man) (moves (n (verify not-empty?) (while not-empty? n) add)
          ((set-flag on false) e (verify (or empty? (piece? Man)))
           (if (piece? Man) (set-flag on true)) (verify (not-flag? on)) add)))"""),
    "a symmetry of an axis, and one of the diagonals": (
        "short-symmetry", TURNED.format("(n s) (s n)"), TURNED.format("(ne se) (se ne)")),
    "a zone of two players, and a square that is nowhere": (
        "zone-copied", COPIED.format("a1 b1"), COPIED.format("a1")),
    "a side whose pieces two players move": (
        "player-without-turn", SHARED.format("Ann Bob", "Men"), SHARED.format("(Ann Men) (Bob Men)", "Men Ann")),
    "types that never come": (
        "piece-never-there", TYPES.format("Man"), TYPES.format("Man a1) (Guard a2) (Lion")),
    "a type that never comes, and one of a numbered row": (
        "piece-never-there", TYPES.format("Man"), TYPES.format("Man1").replace("Man)", "Man1)").replace(
            "Guard", "Man2").replace("Lion", "Man3")),
    "a call that names both sides": (
        "one-sided", CALLS.format("w w"), CALLS.format("w e")),
    "players who face each other along a diagonal": (
        "one-sided", DIAGONAL.format("(n s) (s n) (ne se) (se ne) (nw sw) (sw nw)"),
        DIAGONAL.format("(nw se) (se nw)")),
    "an attribute of another type of piece": (
        "no-attribute", ASKED.format("Guard"), ASKED.format("Man")),
    "an attribute set on the piece that moves, or on another one": (
        "no-attribute", GIVEN.format("(set-attribute fresh? false)"), GIVEN.format("(set-attribute fresh? false a1)")),
    "tests of a neighbour, and of the next one": (
        "never-true", "(piece (name Man) (moves ((verify (empty? n)) n (verify enemy?) add)))",
        "(piece (name Man) (moves ((verify (empty? n)) n (verify (enemy? n)) add)))"),
    "a type of piece, and another one": (
        "never-true", KINDS.format("and"), KINDS.format("or")),
    "a zone of the first rank, tested after a step and before": (
        "zone-out-of-reach", BASE.format("n (verify (in-zone? base))"), BASE.format("(verify (in-zone? base)) n")),
    "zones of one square": (
        "never-true", ZONES.format("(in-zone? far)", "d4"), ZONES.format("(in-zone? far)", "a4 d4")),
    "captures itself behind the enemy, or at the end of the board": (
        "captures-itself", JUMP.format("", "capture"), JUMP.format("capture", "(if (empty? n) capture)")),
    "a test on the mover's own square, and the same macro on others": (
        "never-true", SHIFT.format("((shift n))"), SHIFT.format("((shift n)) (e (shift n))")),
    "a square twice in a zone": (
        "written-twice", ZONES.format("(in-zone? far)", "d4 a4 d4"), ZONES.format("(in-zone? far)", "a4 d4")),
    "a link replaced in one call of a macro, and a link written twice": (
        "link-replaced", LINKS.format("(e d)) (two a e b a) (two e d e c", ""),
        LINKS.format("(e d)) (two a e b a) (two e d e d", "")),
    "a link replaced in its form, and one replaced by a later form": (
        "link-replaced", LINE.format("(e d) (e c)", ""),
        LINE.format("(e d)) (links left (e d) (a e)) (links left (a d) (e a)", "")),
    "a draw at the start": (
        "true-at-start", DRAWN.format(2), DRAWN.format(1)),
    "a row of more men than there are": (
        "too-few-men", ROW.format("Man n Man n Man"), ROW.format("Man n (not Man) n Man")),
    "a store of none, and of one": ("no-stock", STOCK.format(0), STOCK.format(1)),
    "a square to which nobody comes": (
        "goal-out-of-reach", BESIDE.format("Man"), BESIDE.format("(not Man)")),
}


@pytest.mark.parametrize(("code", "mistake", "idiom"), PAIRS.values(), ids=PAIRS)
def test_mistake_is_found_but_not_the_idiom_beside_it(code: str, mistake: str, idiom: str) -> None:
    assert lints(mistake) == [code]
    assert lints(idiom) == []


@pytest.mark.parametrize("moves", [
    "(n (verify empty?) add add add)", "(n (verify empty?) add) (n (verify empty?) add)",
    "(n (verify empty?) (add Man) add)",
], ids=["added three times", "one block twice", "to another type and to none"])
def test_moves_may_be_written_twice(moves: str) -> None:
    """Authors wrote moves twice to make the original program value a piece more highly."""
    assert lints(f"(piece (name Man) (moves {moves}))") == []


@pytest.mark.slow
def test_a_block_with_many_cases_is_analysed() -> None:
    """A mistake after thousands of conditions is found like one after none."""
    loops = "(while (not-in-zone? home) (if (enemy? n) n else e) (if (friend? s) w else s)) n " * 800
    rules = f"(zone (name home) (players White) (positions a1))\n(piece (name Man) (moves ({loops} add capture)))"
    assert lints(rules) == ["effect-lost"]


@pytest.mark.parametrize("section", ['(option "pass turn" forced)', '(engine "rules.dll")'], ids=["passed", "engine"])
def test_turns_without_blocks_may_be_intended(section: str) -> None:
    """Such turns are passed, or an engine DLL generates their moves."""
    assert "unknown-move-type" not in lints(f"{section}\n{TYPED.format('none')}")
    assert "unknown-move-type" in lints(TYPED.format("none"))


GRID = """(game (title "Hop") (description "Hop.") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
    (directions (ne 1 {}) (se 1 1) (sw -1 1))) {})
  (piece (name Man) (moves (ne add) ({} add) (sw add)))
  (board-setup (White (Man a1)) (Black (Man a2))) (loss-condition (White Black) stalemated))"""


@pytest.mark.parametrize(("sign", "links", "used", "found"), [
    ("1", "", "se", True), ("-1", "", "se", False), ("1", "(links ne (a1 b2))", "se", False), ("1", "", "ne", True),
], ids=["a sign lost", "two directions", "one linked by hand", "one for the other side"])
def test_directions_with_the_same_steps_are_reported(sign: str, links: str, used: str, found: bool) -> None:
    linted = lint_source(Source("x.zrf", GRID.format(sign, links, used)))
    marked = [d.origin.span.text for d in linted.lints or () if d.code == "same-direction" and d.origin]
    assert marked == (["se"] if found else []) and not linted.errors


def test_a_direction_may_have_two_names() -> None:
    text = GRID.format("-1", "", "se").replace("(sw -1 1)", "(sw -1 1) (next 1 1) (n 0 1) (ahead 0 1)")
    assert "same-direction" not in {d.code for d in lint_source(Source("x.zrf", text)).lints or ()}


@pytest.mark.parametrize(("players", "said"), [("White Black", True), ("White ?Dice", False), ("White", False)])
def test_a_game_for_several_players_needs_an_end(players: str, said: bool) -> None:
    """A game for one player may go on as long as the player likes."""
    text = wrap(Example("", FencedBlock("zrf", "", f"(players {players})\n(turn-order {players})\n"
                                             "(piece (name Man) (moves (n (verify empty?) add)))", 1), None)).text
    assert ("no-end" in {d.code for d in lint_source(Source("x.zrf", text)).lints or ()}) == said


def test_notes_are_not_counted_as_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.zrf"
    text = (ROOT / "rules" / "breakthrough.zrf").read_text("utf-8")
    path.write_text(text.replace("(board\n", '(board (image "nowhere/board.bmp")\n', 1), "utf-8")
    assert main(["lint", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "no-pictures" in shown and "no findings" in shown
    assert main(["check", "--strict", str(path)]) == 0


def test_sample_has_every_kind_of_finding_of_every_author() -> None:
    found = [Finding(kind, author, Path(f"{n}.zrf"), n, "", "")
             for kind, author, copies in (("a", "Ann", 30), ("a", UNNAMED, 1), ("b", "Bob", 1)) for n in range(copies)]
    drawn = draw(found, 10, 7)
    assert len(drawn) == 10 and drawn == draw(found, 10, 7) != draw(found, 10, 8)
    assert {(f.kind, f.author) for f in drawn} == {("a", "Ann"), ("a", UNNAMED), ("b", "Bob")}
    verdicts = ["false" if f.kind == "b" else "real" for f in drawn]
    assert "9 of 10 real; weighted by kinds 97%" in table(found, drawn, verdicts)


def test_a_word_of_a_macro_is_reported_once() -> None:
    """Each call of the macro has the misspelt move type, but the text has it only once."""
    text = wrap(Example("", FencedBlock("zrf", "", "(define hop ($1 (verify empty?) (add-partial jmup)))\n"
                                        "(piece (name Man) (moves (move-type jump) (hop n) (hop e)))", 1), None)).text
    [finding] = [d for d in lint_source(Source("x.zrf", text)).lints or () if d.code == "unknown-move-type"]
    assert (finding.help, finding.related) == ("did you mean `jump`?", ())
