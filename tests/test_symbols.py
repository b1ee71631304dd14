"""Letters for pieces on text boards and in moves, the legend, and marks on equal pictures."""

from __future__ import annotations

import pytest

import zrf_py
from tests.playing import counted
from zrf_py.play.letters import abbreviations, move_letters, without_player
from zrf_py.view.looks import Looks
from zrf_py.view.symbols import PieceSymbols


def game(players: str, pieces: str, setup: str, turns: str = "") -> zrf_py.Game:
    """Return a game with these pieces, each of which steps along rows of eight squares."""
    types = ""
    for name, _, notation in (item.partition(":") for item in pieces.split()):
        written = f'(notation "{notation}")' if notation else ""
        types += f"(piece (name {name}) {written} (moves (e (verify empty?) add)))"
    return zrf_py.loads(f"""(game (title "Letters") (players {players}) (turn-order {turns or players})
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g/h" (9 0)) ("1/2" (0 9)))
                     (directions (e 1 0))))
        {types} (board-setup {setup}))""")


MANY = " ".join(f"{a}{b}x" for a in "ABCDE" for b in "abc")


@pytest.mark.parametrize(("made", "symbols", "legend"), [
    (game("White Black", "King Queen Man", "(White (King a1)) (Black (Man b1))"), "K Q M k q m",
     ["K King", "Q Queen", "M Man", "White: CAPITALS", "Black: small letters"]),
    (game("White Black", "Man", "(White (Man a1)) (Black (Man b1))"), "W B", ["W White", "B Black"]),
    (game("X O", "Mark", "(X (Mark a1)) (O (Mark b1))"), "X O", []),
    (game("White Black Red", "King Man", "(White (King a1)) (Black (Man b1)) (Red (Man c1))"), "Wk Wm Bk Bm Rk Rm",
     ["k King", "m Man", "W… White", "B… Black", "R… Red"]),
    (game("Solver", "Peg Hole", "(Solver (Peg a1))"), "P H", ["P Peg", "H Hole"]),
    (game("Solver", "Peg", "(Solver (Peg a1))"), "P", ["P Peg"]),
    (game("White Black ?N", "King Wall", "(White (King a1)) (Black (King b1)) (?N (Wall c1))", "White Black"),
     "K W k w k w", ["K King", "W Wall", "White: CAPITALS", "Black: small letters"]),
    (game("White Black ?N", "King Wall", "(White (King a1)) (Black (Wall b1)) (?N (Wall c1))", "White Black"),
     "K W k w k w", ["K King", "W Wall", "White: CAPITALS", "Black: small letters", "neutral: small letters"]),
])
def test_each_piece_has_a_letter_and_the_legend_explains_it(made: zrf_py.Game, symbols: str, legend: list[str]) -> None:
    program = made.program.game
    found = PieceSymbols(program)
    kinds = range(len(program.pieces))
    assert " ".join(found.symbol(p, k) for p in range(len(program.players)) for k in kinds) == symbols
    assert found.legend(kinds) == legend and found.width == max(map(len, symbols.split()))


def test_a_legend_with_many_types_lists_only_those_present() -> None:
    """Up to 14 types are all listed; of 15, only those present."""
    for count, named in ((14, 14), (15, 2)):
        found = PieceSymbols(game("White Black", " ".join(MANY.split()[:count]), "(White (Aax a1))").program.game)
        assert len(found.legend([0, 3])) == named + 2 and len({*found.types.values()}) == count


def test_notations_are_letters_if_all_are_short_and_differ() -> None:
    for pieces, letters in counted((("King:Ag Man:M", "A M"), ("King:M Man:m", "K M"), ("King:Any Man:X", "K X"),
                                    ("King:+ Man:X", "K X"), ("King:A Man:B", "A B")), 5):
        found = PieceSymbols(game("White Black", pieces, "(White (King a1)) (Black (Man b1))").program.game)
        assert " ".join(found.symbol(0, kind) for kind in (0, 1)) == letters


@pytest.mark.parametrize(("names", "symbols"), [
    ("Knight King Pawn", "N K P"), ("Man Mann Manne", "M A N"), ("aa ab", "A Ab"), ("Go Golem", "G O"),
    ("Rook RookA Rook2", "R Ra R2"), ("x X", "X X2"), ("?? !!", "? ?2"), (MANY, None),
    (" ".join("abcdefghijklmno"), " ".join("ABCDEFGHIJKLMNO")),
])
def test_abbreviations_of_any_names_differ(names: str, symbols: str | None) -> None:
    found = abbreviations(names.split())
    assert len({s.upper() for s in found}) == len(found) == len(names.split()) and all(found)
    assert symbols is None or " ".join(found) == symbols


@pytest.mark.parametrize(("name", "stem"), [
    ("WhiteMan", "Man"), ("White-Man", "Man"), ("W-Man", "Man"), ("white_man", "man"), ("Man", "Man"),
    ("White", "White"),
    ("X-Man", "X-Man"), ("BlackBird", "Bird"), ("Bl-Bird", "Bird"), ("N-Wall", "Wall"), ("-Man", "Man"),
])
def test_names_of_types_omit_the_player(name: str, stem: str) -> None:
    made = game("White Black ?N", "Man", "(White (Man a1))", "White Black").program.game
    assert without_player(made, name) == stem


@pytest.mark.parametrize(("pieces", "setup", "letters"), [
    ("Pawn King", "(White (Pawn a1 b1 c1) (King d1)) (Black (Pawn a2))", {"Pawn": "", "King": "K"}),
    ("Pawn King", "(White (Pawn a1) (King d1))", {"Pawn": "P", "King": "K"}),
    ("Pawn King Rook", "(White (Pawn a1) (King d1) (Rook b1)) (Black (Rook c1))",
     {"Pawn": "P", "King": "K", "Rook": ""}),
    ("Pawn King Rook", "(White (Pawn a1 b1) (King c1 d1)) (Black (Rook e1))", {"Pawn": "P", "King": "K", "Rook": "R"}),
    ("Man", "(White (Man a1)) (Black (Man b1))", {"Man": ""}),
    ("Pawn King", "(White (Pawn a1))", {"Pawn": "", "King": "K"}),
    ("WhiteMan BlackMan King", "(White (WhiteMan a1 b1)) (Black (BlackMan c1 d1) (King e1))",
     {"WhiteMan": "", "BlackMan": "", "King": "K"}),
])
def test_the_most_common_piece_has_no_letter_in_moves(pieces: str, setup: str, letters: dict[str, str]) -> None:
    made = game("White Black", pieces, setup).program.game
    assert {made.pieces[k].name: letter for k, letter in move_letters(made).items()} == letters


@pytest.mark.parametrize(("pieces", "setup", "marks"), [
    ("King Old-King Queen", "(White (King a1) (Old-King b1) (Queen c1))", [0, 1, 0]),
    ("King Old-King", "(White (King a1)) (Black (Old-King b1))", [0, 0]),
    ("King Old-King Young-King", "(White (King a1) (Young-King c1)) (Black (Old-King b1) (Young-King d1))", [0, 0, 2]),
    ("King Old-King", "(White (King a1))", [0, 1]),
])
def test_types_with_one_picture_are_marked_if_a_player_may_have_both(pieces: str, setup: str, marks: list[int]) -> None:
    looks = Looks(game("White Black", pieces, setup).program.game)
    glyphs = [looks.glyph(0, kind) for kind in range(len(marks))]
    assert [glyph.count("*") for glyph in glyphs] == marks and glyphs[0].rstrip("*") == glyphs[1].rstrip("*") != ""
