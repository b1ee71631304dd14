"""The visual editors without a page: pictures of moves, drawn moves converted to code and back, boards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from zrf_py.author.desk_answers import answered, game_of
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.rename import Edit
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import new_game
from zrf_py.author.visual.drawn import Drawn, code_of, read, redraw
from zrf_py.author.visual.played import MovePicture, picture_of
from zrf_py.front.decode import decode
from zrf_py.library import contents, shelf
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

HOP = formatted(new_game("men", "Hop", 5, "squares"))
HEXAGONS = formatted(new_game("men", "Hop", 5, "hexagons"))
PATHS = [("n",), ("ne", "n"), ("n", "n", "e")]
EVERY = [Drawn(path, slides, takes, *turned) for path in PATHS for slides in (False, True)[: 2 - (len(path) > 1)]
         for takes in ("both", "move", "take") for turned in ((), ("goal", "Man"))]


def analysis_of(text: str, path: Path | None = None) -> Analysis:
    return analyse(Source(str(path or "game.zrf"), text), path)


def edited(text: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end), reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@cache
def file_of(name: str) -> tuple[str, Path, Analysis]:
    path = shelf()[name]
    text = decode(contents(path))
    return text, path, analysis_of(text, path)


def asked(text: str, question: str, **more: Any) -> Any:
    """Return the reply to a request that the page might send; if it consists of edits, the edited text."""
    reply = answered(analysis_of(text), {"what": question, "title": "Hop", **more})
    if question in ("make-board", "zone", "draw-moves"):
        for start, end, part in reply:
            text = text[:start] + part + text[end:]
        return text
    return reply


def seen(picture: MovePicture) -> tuple[str, list[str], list[str], list[str]]:
    return picture.start, picture.moves, picture.takes, picture.slides


# ------------------------------------------------------------------------------------------------------- whole shelf


def pictures_of(names: Iterable[str], every: bool) -> Counter[str]:
    """Make pictures of the pieces of games. If moves can be read from a piece's code, remove them, draw them again, and
    compare. Return the number of pieces for each result, such as `read`."""
    counts: Counter[str] = Counter()
    for name in names:
        text, path, analysis = file_of(name)
        for program in analysis.stages.programs[: None if every else 1]:
            title = program.game.title
            for piece in program.game.pieces:
                picture = picture_of(game_of(analysis, title), piece.name)
                counts["drawn"] += 1
                counts["has moves"] += bool(picture.moves or picture.takes)
                if program is not analysis.stages.programs[0]:
                    continue
                try:
                    code = code_of(analysis, title, piece.name)
                except ZrfError as error:
                    assert error.diagnostics[0].code == "cant-write" and "(include " in text, (name, piece.name)
                    counts["in another file"] += 1
                    continue
                counts[code.problem or "plain"] += 1
                if code.drawn:
                    counts["read"] += 1
                    bare = edited(text, redraw(analysis, title, piece.name, ()))
                    again = edited(bare, redraw(analysis_of(bare, path), title, piece.name, code.drawn))
                    result = analysis_of(again, path)
                    assert seen(picture_of(game_of(result, title), piece.name)) == seen(picture), (name, piece.name)
                    assert bare != text and code_of(result, title, piece.name).opaque == code.opaque
    return counts


PLAIN = ["breakthrough", "chess", "xiangqi", "tictactoe", "othello", "nine-mens-morris"]


def test_moves_of_pieces_are_read_and_written_again() -> None:
    counts = pictures_of(PLAIN, every=False)
    assert counts["drawn"] == 17 and counts["read"] == 7, counts


@pytest.mark.slow
def test_moves_of_every_piece_of_the_shelf_are_read_and_written_again() -> None:
    counts = pictures_of(shelf(), every=True)
    assert counts["drawn"] > 700 and counts["read"] >= 29 and counts["in another file"] < 60, counts


# ------------------------------------------------------------------------------------------------------ moves as code


@pytest.mark.parametrize("move", EVERY, ids=lambda move: re.sub(r"\W+", "-", move.block()))
def test_every_drawn_move_is_read_as_it_was_written(move: Drawn) -> None:
    assert read(move.block()) == move
    text = asked(HOP, "draw-moves", piece="Man", moves=[move])
    code = code_of(analysis_of(text), "Hop", "Man")
    assert code.drawn == (move,) and not code.opaque and not code.problem


@pytest.mark.parametrize("block", [
    "(n)", "(add)", "(n add)", "(n (verify empty?) add add)", "(n (verify empty?) (add Man))", "((verify empty?) add)",
    "(n ne (while empty? add n))", "(n (while empty? add e))", "(n (verify empty?) (verify empty?) add)",
    "(n (verify friend?) add)", "(a1 (verify (empty? n)) add)"])
def test_other_code_is_not_read_as_drawn_moves(block: str) -> None:
    assert read(block) is None


def test_drawn_moves_prefer_macros_of_the_text_then_of_std() -> None:
    moves = [(("n",), False, "move"), (("e",), True, "both"), (("n", "ne"), False, "both"), (("e",), True, "take"),
             (("n",), False, "take", "goal", "Man")]
    text = asked(HOP, "draw-moves", piece="Rider", moves=[[*move, "", ""][:5] for move in moves])
    assert ("(moves\n      (walk n) (slide e) (leap n ne) (strike e)\n"
            "      (n (verify enemy?) (arrive goal Man)))") in text
    for line in ('(include "std/slides.zrf")', '(include "std/leaps.zrf")', '(include "std/promotion.zrf")',
                 "(define strike ($1 (while empty? $1) (verify enemy?) add))"):
        assert text.count(line) == 1
    assert formatted(text) == text and not analysis_of(text).errors
    text = asked(HOP, "draw-moves", piece="Man", moves=[[["s"], False, "both", "", ""]])
    assert '(include "std/steps.zrf")' in text and "(moves (step s))" in text  # the file already has `walk` and `take`
    taken = HOP.replace("(define walk", "(define slide n)\n(define walk")
    assert "(define slide-2 " in asked(taken, "draw-moves", piece="Rider", moves=[[["e"], True, "both", "", ""]])


def test_unreadable_code_is_left_unchanged() -> None:
    """Blocks that can't be read as drawn moves, such as castling, are listed and kept; a leap is added beside them."""
    text, _, analysis = file_of("chess")
    code = code_of(analysis, "Chess", "Pawn")
    assert code.opaque == ["(pawn-run)", "(en-passant e)", "(en-passant w)"]
    king = code_of(analysis, "Chess", "King")
    assert not king.drawn and len(king.opaque) == 10
    new = edited(text, redraw(analysis, "Chess", "King", [Drawn(("n", "n"), False, "move")]))
    lines = "\n      (leap-to n n)", "\n(define leap-to ($1 $2 (verify empty?) add))"
    assert new.replace(lines[0], "").replace(lines[1], "") == text and all(line in new for line in lines)


def test_pieces_that_cannot_be_edited_are_not_written() -> None:
    for name, piece, problem in (("booklet/halma", "Man", "macro"), ("checkers", "Man", "types")):
        analysis = file_of(name)[2]
        title = analysis.stages.programs[0].game.title
        assert code_of(analysis, title, piece).problem == problem
        with pytest.raises(ZrfError):
            redraw(analysis, title, piece, [])
    for name in ("White", "walk", "a b", "", "(", "n"):
        with pytest.raises(ZrfError):
            redraw(analysis_of(HOP), "Hop", name, [])


def test_a_picture_shows_what_the_game_plays() -> None:
    """A cannon slides to move and captures over another piece; pictures show the moves played, whatever the code."""
    _, _, analysis = file_of("xiangqi")
    chariot, cannon = (picture_of(game_of(analysis, "Xiangqi"), piece, "e4") for piece in ("Chariot", "Cannon"))
    assert chariot.moves == cannon.moves and sorted(chariot.slides) == sorted(["e10", "i4", "e1", "a4"])
    assert sorted(chariot.moves) == sorted(chariot.takes) and not cannon.takes
    assert chariot.links["n"]["e4"] == "e5" and "n" in chariot.links
    assert asked(HOP, "moves", at=HOP.index("(name Man)"))["piece"] == "Man"


# ------------------------------------------------------------------------------------------------------ boards, zones


@pytest.mark.parametrize(("kind", "columns", "rows", "count"), [
    ("rectangle", 6, 4, 24), ("hexagon", 3, 0, 19), ("hexagon", 4, 0, 37), ("star", 1, 0, 13), ("star", 4, 0, 121)])
def test_a_game_still_compiles_after_its_board_is_replaced(kind: str, columns: int, rows: int, count: int) -> None:
    text = asked(HEXAGONS if kind != "rectangle" else HOP, "make-board", kind=kind, columns=columns, rows=rows)
    analysis = analysis_of(text)
    assert not analysis.errors and formatted(text) == text
    board = analysis.stages.programs[0].game.board
    assert len([place for place in board.places if not place.dummy]) == count
    assert board.zone_names == ("goal",)
    assert re.sub(r"(?s)\(board\n.*?\n\n", "", text).split("(board-setup")[0] == \
        re.sub(r"(?s)\(board\n.*?\n\n", "", HEXAGONS if kind != "rectangle" else HOP).split("(board-setup")[0]


def test_a_board_of_points_keeps_its_positions_and_links() -> None:
    parts = asked(HOP, "board-parts")
    links: dict[str, list[list[str]]] = {"n2": [["a5", "x1"]], "s": [["x1", "a5"]]}
    for way, start, end in parts["links"]:
        links.setdefault(way, []).append([start, end])
    text = asked(HOP, "make-board", kind="points", points=[*parts["points"], ["x1", 24, 300]], links=links)
    board = analysis_of(text).stages.programs[0].game.board
    old = analysis_of(HOP).stages.programs[0].game.board
    assert [place.rectangle for place in board.places][:-1] == [place.rectangle for place in old.places]
    now = asked(text, "board-parts")
    assert sorted(now["links"]) == sorted([*parts["links"], ["n2", "a5", "x1"], ["s", "x1", "a5"]])
    assert now["zones"] == parts["zones"]
    two = asked(HOP.replace("(walk n) (take ne) (take nw)", "(walk e)"), "make-board", kind="points",
                points=[["a5", 24, 24], ["x1", -50, 30]], links={"e": [["x1", "a5"]]})
    places = analysis_of(two).stages.programs[0].game.board.places
    assert [place.rectangle for place in places] == [(60, 0, 108, 48), (0, 20, 20, 40)]  # no coordinate is negative
    for name in ("1", "a b", "(", ""):
        with pytest.raises(ZrfError):
            asked(HOP, "make-board", kind="points", points=[[name, 0, 0]], links={})
    for size in (0, 27):
        with pytest.raises(ZrfError):
            asked(HOP, "make-board", kind="rectangle", columns=size, rows=4)


def test_painting_changes_only_the_squares_of_a_zone() -> None:
    text = asked(HOP, "zone", name="goal", players=["White"], squares=["a5", "b5", "c3"])
    assert text == HOP.replace("(players White) (positions a5 b5 c5 d5 e5)", "(players White) (positions a5 b5 c3)")
    text = asked(HOP, "zone", name="middle", players=["White", "Black"], squares=["c3"])
    line = "\n    (zone (name middle) (players White Black) (positions c3))"
    assert text.replace(line, "") == HOP and line in text
    assert asked(text, "board-parts")["zones"][-1] == ("middle", ["White", "Black"], ["c3"])
    for name, players in (("goal", ["White", "Black"]), ("a b", ["White"])):
        with pytest.raises(ZrfError):
            asked(HOP, "zone", name=name, players=players, squares=["a1"])
