"""Macros that come with zrf_py: their effects, and how any rules include them as `std/NAME.zrf`."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from random import Random

import pytest

from tests.playing import ROOT, RULES
from zrf_py.author.draft import Draft
from zrf_py.front.cures import STANDARD as INCLUDED
from zrf_py.front.forms import read_forms
from zrf_py.front.macros import collect
from zrf_py.library import STANDARD, load_file, load_text, read_source
from zrf_py.play.game import Position, loads
from zrf_py.text.diagnostics import Report

RECIPES = ROOT / "grammar" / "cookbook"
RULES_OF = """(include "std/{file}.zrf")
(game (title "T") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 20 20) (dimensions ("a/b/c/d/e" (20 0)) ("5/4/3/2/1" (0 20)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0)))
    (zone (name home) (players White Black) (positions a1 e1 c5)))
  (piece (name Man) (attribute never-moved? true) {man})
  (piece (name Queen) (moves (n add)))
  (board-setup (White {white}) (Black (Man {black}))){ends})
"""


def ends(man: str, file: str, white: str = "(Man c3)", black: str = "e5", kind: str = "moves") -> str:
    """Return the squares where White's first moves end, with captures (`x`) and the new type if the piece promotes."""
    game = loads(RULES_OF.format(file=file, man=f"({kind} {man})", white=white, black=black, ends=""))
    return " ".join(sorted(f"{move.end}{'x' + ','.join(move.captures) if move.captures else ''}"
                           f"{'=' + move.becomes if move.becomes not in (None, 'Man') else ''}"
                           for move in game.start().moves() if move.piece in (None, "Man") or kind == "drops"))


@pytest.mark.parametrize(("man", "file", "black", "expected"), [
    ("(step n) (step e)", "steps", "c4", "c4xc4 d3"),
    ("(walk n) (walk e)", "steps", "c4", "d3"),
    ("(take n) (take e)", "steps", "c4", "c4xc4"),
    ("(slide n) (slide e)", "slides", "e3", "c4 c5 d3 e3xe3"),
    ("(glide n) (glide e)", "slides", "e3", "c4 c5 d3"),
    ("(leap n e) (leap w s)", "leaps", "d4", "b2 d4xd4"),
    ("(hop n) (hop e)", "leaps", "c4", "c5"),
    ("(jump n) (jump e)", "leaps", "c4", "c5xc4"),
])
def test_moves_of_std_reach_the_expected_squares(man: str, file: str, black: str, expected: str) -> None:
    assert ends(man, file, black=black) == expected


def test_sliding_pieces_stop_before_friends() -> None:
    assert ends("(slide n)", "slides", "(Man c3 c5)") == "c4" and ends("(step n)", "steps", "(Man c3 c4)") == "c5"
    assert ends("(jump n)", "leaps", "(Man c3 c4)") == "" and ends("(hop n)", "leaps", "(Man c3 c4)") == "c5"


def test_drops_need_empty_squares() -> None:
    assert ends("(drop)", "drops", "(Man off 1 a1)", "c5", kind="drops").count(" ") == 22  # 25 squares, two men
    assert ends("(drop-in home)", "drops", "(Man off 1 a1)", "c5", kind="drops") == "e1"


def test_pieces_promote_only_in_the_zone() -> None:
    for name, away, there in (("arrive", "c4", "c5=Queen"), ("may-turn", "c4", "c5 c5=Queen")):
        man = f"(n (verify empty?) ({name} home Queen))"
        assert (ends(man, "promotion"), ends(man, "promotion", "(Man c4)")) == (away, there)


@pytest.mark.parametrize(("goal", "length"), [("three", 3), ("four", 4), ("five", 5)])
def test_a_row_wins_once_it_is_long_enough(goal: str, length: int) -> None:
    text = RULES_OF.format(file="rows", man="(moves (e (verify empty?) add))", white="{}", black="e5",
                           ends=f" (win-condition (White) ({goal} Man n))")
    column = [f"b{rank}" for rank in range(1, length + 1)]
    for missing, wins in ((column[1], False), ("", True)):
        game = loads(text.replace("{}", f"(Man a2 {' '.join(sorted(set(column) - {missing, column[1]}))})"))
        after = game.start().play("a2 b2") if wins else game.start()
        assert (after.outcome() is not None) == wins


CASTLING = """(include "std/castling.zrf") (include "std/steps.zrf")
(game (title "T") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 20 20) (dimensions ("a/b/c/d/e/f/g/h" (20 0)) ("3/2/1" (0 20)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (zone (name home) (players White Black) (positions e1)))
  (piece (name King) (attribute never-moved? true)
    (moves (n (verify not-friend?) (has-moved) add) (castle-short home Rook e w) (castle-long home Rook w e)))
  (piece (name Rook) (attribute never-moved? true) (moves (s (while empty? (has-moved) add s) (verify enemy?) add)))
  (board-setup (White (King e1) (Rook a1 h1)) (Black (King MEN) (Rook ROOKS)))
  (loss-condition (White Black) (checkmated King)))
"""


@pytest.mark.parametrize(("rooks", "expected"), [
    ("a3", {"c1": "Rook d1", "g1": "Rook f1"}), ("f3", {"c1": "Rook d1"}), ("d3", {"g1": "Rook f1"}), ("e3", {}),
    ("b3", {"c1": "Rook d1", "g1": "Rook f1"})])
def test_castling_moves_both_unless_the_path_is_attacked(rooks: str, expected: dict[str, str]) -> None:
    start = loads(CASTLING.replace("ROOKS", rooks).replace("MEN", "h3")).start()
    castled = {}
    for move in start.moves():
        if move.piece == "King" and move.end in ("c1", "g1"):
            pieces = start.play(move).pieces()
            castled[move.end] = next(f"Rook {square}" for square in ("d1", "f1") if square in pieces)
            assert pieces[move.end] == ("White", "King") and len(pieces) == 5
    assert castled == expected


def with_std(recipe: str, macros: str, *changes: tuple[str, str]) -> Position:
    """Return the start of a recipe's game with other macros; `changes` replace parts of the game."""
    text = (RECIPES / f"{recipe}.zrf").read_text("utf-8")
    body = text[text.index("\n(game") :]
    for old, new in changes:
        assert old in body
        body = body.replace(old, new)
    return loads(f'(version "zrf+") (include "std/{recipe}.zrf") {macros}{body}').start()


def same_games(first: Position, other: Position, seed: int) -> None:
    """Play a random game on both positions, which must have the same moves and the same result."""
    random = Random(seed)
    for _ in range(60):
        moves = [str(move) for move in first.moves()]
        assert moves == [str(move) for move in other.moves()] and str(first.outcome()) == str(other.outcome())
        if not moves:
            return
        move = random.randrange(len(moves))
        first, other = first.play(first.moves()[move]), other.play(other.moves()[move])


def recipe(name: str) -> Position:
    return loads((RECIPES / f"{name}.zrf").read_text("utf-8")).start()


@pytest.mark.parametrize("seed", range(3))
def test_the_die_of_std_works_like_that_of_the_recipe(seed: int) -> None:
    """Unlike the recipe's, the die of `std/` does not change its picture."""
    text = (RECIPES / "dice.zrf").read_text("utf-8")
    macros = "".join(line for line in text.splitlines(True) if line.startswith(("(define die ", "(define again ")))
    further = [(f"(further {n})", f"(further {n} e)") for n in (1, 2, 3)]
    assert "(change-type Die$1) " in text
    same_games(loads(text.replace("(change-type Die$1) ", "")).start(), with_std("dice", macros, *further), seed)


@pytest.mark.parametrize("seed", range(3))
def test_chains_of_std_work_like_those_of_the_recipe(seed: int) -> None:
    near = " ".join(f"(near {direction} Linked)" for direction in ("e", "w", "ne", "nw", "se", "sw"))
    drop = "(set-position-flag new true)\n       mark (spread) back (add Linked)"
    made = with_std("connection", f"(define touches (or (in-zone? own-side) {near}))", ("(beside-linked)", "(touches)"),
                    (drop, "(link-from a5 Stone Linked)"))
    same_games(recipe("connection"), made, seed)


@pytest.mark.parametrize("seed", range(3))
def test_seeds_of_std_work_like_those_of_the_recipe(seed: int) -> None:
    types = ("Zero", "One", "Two", "Three", "Four", "Five", "Six")
    more = " ".join(f"(grow {less} {more})" for less, more in itertools.pairwise(types))
    last = "next (if (and enemy? (piece? One)) (change-type Zero) (add-to-counter won 2) else (more)) add"
    made = with_std("sowing", f"(define more {more}) (define finish {last})", ("(begin)", "(lift Zero)"),
                    ("(seed)", "(sow next)"))
    same_games(recipe("sowing"), made, seed)


MILLS = """(include "std/mills.zrf")
(game (title "T") (players White Black) (turn-order White Black)
  (board (positions (a1 0 40 9 49) (d1 20 40 29 49) (g1 40 40 49 49) (a4 0 20 9 29) (b4 10 20 19 29) (c4 20 20 29 29)
                    (a7 0 0 9 9) (d7 20 0 29 9) (g7 40 0 49 9) (g4 40 20 49 29))
    (row a1 d1 g1) (row a7 d7 g7) (row a4 b4 c4) (column a1 a4 a7) (column g1 g4 g7))
  (piece (name Man) (moves ((leave) n (verify empty?) (if (new-mill?) (add Mill) else add))
                           ((leave) e (verify empty?) (if (new-mill?) (add Mill) else add))
                           (n (verify enemy?) (verify (not (enemy-mill?))) add)))
  (piece (name Mill))
  (board-setup (White (Man {white})) (Black (Man {black}))))
"""


@pytest.mark.parametrize(("white", "black", "expected"), [
    ("a1 d7 g7", "c4", "a1-a4 a1-d1"),            # still one step from a7: no mill yet
    ("a4 d7 g7", "c4", "a4-a7=Mill a4-b4"),       # the row is full
    ("a4 a1 d7", "c4", "a1-d1 a4-a7 a4-b4 d7-g7"),  # the man who leaves a4 is not part of a new column
    ("d1 a1 g4", "c4", "a1-a4 d1-g1 g4-g7"),
    ("d1 a1 g4", "g7 d7 a7", "a1-a4 d1-g1"),      # men in a mill are safe
    ("d1 a1 g4", "g7 d7", "a1-a4 d1-g1 g4-g7"),
])
def test_mills_are_found(white: str, black: str, expected: str) -> None:
    start = loads(MILLS.format(white=white, black=black)).start()
    moves = (f"{move.start}-{move.end}{'=Mill' if move.becomes == 'Mill' else ''}" for move in start.moves())
    assert " ".join(sorted(moves)) == expected


# --------------------------------------------------------------------------------------------------------- every face


def test_every_macro_is_in_the_reference() -> None:
    reference = (ROOT / "tests" / "spec" / "macros.md").read_text("utf-8")
    files = sorted(STANDARD.glob("*.zrf"))
    assert len(files) >= 11
    for path in files:
        text = path.read_text("utf-8")
        assert text.startswith("; ") and f'(include "std/{path.name}")' in text
        stages = Draft(f'(include "std/{path.name}") (game (title "T"))').analysis.stages
        names = collect(stages.forms, Report())
        assert names and f"`std/{path.name}`" in reference
        assert all(re.search(rf"`\({re.escape(name)}[ )]", reference) for name in names), path.name


def test_std_files_are_found_from_any_text(tmp_path: Path) -> None:
    """A file, a text without a file, and an analysis find them; a file of the same name in a folder `std` beside the
    rules takes precedence."""
    text = RULES_OF.format(file="steps", man="(moves (step n))", white="(Man c3)", black="e5", ends="")
    path = tmp_path / "own.zrf"
    path.write_text(text, "utf-8")
    for report in (load_file(path).report, load_text(text).report):
        assert not report.items
    assert not Draft(text).problems and not Draft(text, path).problems
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "steps.zrf").write_text("(define nothing)", "utf-8")
    assert not load_file(path).report.items
    (tmp_path / "std").mkdir()
    (tmp_path / "std" / "steps.zrf").write_text("(define step ($1 (verify false) add))", "utf-8")
    assert not loads(text, folder=tmp_path).start().moves()
    for name in ("std/../library.py", "std/nothing.zrf", "std"):
        assert load_text(text.replace("std/steps.zrf", name)).report.items


def test_the_editor_offers_and_explains_the_macros() -> None:
    text = RULES_OF.format(file="steps", man="(moves (step n))", white="(Man c3)", black="e5", ends="")
    draft = Draft(text)
    hover = draft.hover(draft.at("(step n)") + 1)
    assert hover and "verify not-friend?" in hover.text
    assert "walk" in [item.word for item in draft.complete(draft.at("(step n)") + 1).items]
    offered = Draft('(include "s', RULES / "own.zrf").complete(len('(include "s')).items
    assert {f"std/{path.name}" for path in sorted(STANDARD.glob("*.zrf"))} <= {item.word for item in offered}


def test_games_of_the_shelf_use_the_macros() -> None:
    users = [path.stem for path in RULES.rglob("*.zrf") if '(include "std/' in path.read_text("utf-8")]
    assert {"makruk", "xiangqi"} <= set(users)


def test_messages_name_the_file_of_each_macro() -> None:
    """A call of a bundled macro without its `include` is reported with the file to include."""
    report = Report()
    for path in STANDARD.glob("*.zrf"):
        forms = read_forms(read_source(path), report, lambda *_: None)
        assert {name for name, file in INCLUDED.items() if file == path.stem} == {*collect(forms, report)}
    assert {*INCLUDED.values()} == {path.stem for path in STANDARD.glob("*.zrf")}
