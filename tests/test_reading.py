"""Typed moves: every usual notation, legal, illegal, and text that is not a move of the game."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.playing import slow
from zrf_py.author.why.explainer import why_move
from zrf_py.cli.main import main
from zrf_py.play.game import Position, load
from zrf_py.play.move_parser import split_moves
from zrf_py.play.turn_text import played_on
from zrf_py.text.diagnostics import ZrfError

GAMES = ("chess", "breakthrough", "checkers", "makruk", "xiangqi", "shogi", "halma", "amazons", "minishogi",
         "international-draughts")


def forms(position: Position, start: str, end: str) -> list[str]:
    """Return the ways to write a move from one square to another."""
    kind = position.pieces()[start][1]
    return [f"{start}-{end}", f"{start} {end}", f"{start}x{end}", f"{start} x {end}", f"{kind} {start} - {end}",
            f"{kind} {start} x {end}", f"{start}→{end}", f"{start}:{end}", f"{kind} {start}-{end}", f"{start}{end}"]


def code(position: Position, text: str) -> str:
    """Return `legal`, or the code of the error."""
    try:
        return "legal" if position.find(text) else ""
    except ZrfError as error:
        return error.diagnostics[0].code


@pytest.mark.parametrize("name", [*GAMES[:3], *slow(GAMES[3:])])
def test_each_form_of_a_pair_of_squares_is_read(name: str) -> None:
    """A pair of squares is legal or ambiguous if a generated move joins them; with an unknown square it is no move."""
    position, random, seen = load(name).start(), Random(1), Counter[str]()
    for _ in range(6):
        moves = [move for move in position.moves() if move.start and move.end and move.start != move.end]
        joined = {(move.start, move.end) for move in moves}
        unchanged = {(move.start, move.end) for move in moves if not move.becomes}
        squares = [place.name for place in position.game.program.game.board.places]
        men = sorted(square for square, (player, _) in position.pieces().items() if player == position.player)
        pairs = [(m.start, m.end) for m in moves[:8]]
        pairs += [(random.choice(men), random.choice(squares)) for _ in range(8)]
        for start, end in pairs:
            if not start or not end or start == end:
                continue
            for text in forms(position, start, end):
                meant = unchanged if text[0].isupper() else joined
                expected = ("legal", "ambiguous-move") if (start, end) in meant else ("no-such-move",)
                assert code(position, text) in expected, f"{text} in {position.text}"
                assert code(position, text.replace(end, "y77")) == "not-a-move", text
                seen["legal" if (start, end) in joined else "illegal"] += 1
        position = position.play(random.choice(position.moves()))
    assert min(seen["legal"], seen["illegal"]) >= 100, seen


@pytest.mark.parametrize(("name", "text", "expected"), [
    ("chess", "Ng1f3", "legal"), ("chess", "Nb1xc3", "legal"), ("chess", "Nxe5", "no-such-move"),
    ("chess", "exd3", "no-such-move"), ("chess", "e7e8q", "no-such-move"), ("chess", "e8=Q+", "no-such-move"),
    ("chess", "O-O", "no-such-move"), ("chess", "0-0-0", "no-such-move"), ("breakthrough", "O-O", "not-a-move"),
    ("chess", "Pe4", "legal"), ("chess", "Pe5", "no-such-move"), ("breakthrough", "Mxa5", "no-such-move"),
    ("breakthrough", "Ma3", "ambiguous-move"), ("chess", "Zf3", "not-a-move"), ("chess", "e2e9", "not-a-move"),
    ("chess", "zz9 nonsense", "not-a-move"),
    ("chess", "Knigth g1 - f3", "not-a-move"), ("chess", "Knight", "not-a-move"), ("chess", "", "not-a-move"),
    ("chess", "5", "not-a-move"), ("chess", "King e1 - g1 Rook h1 - f1", "no-such-move"),
    ("chess", "pass", "no-such-move"),
    ("chess", "e7e8z", "not-a-move"), ("chess", "e2" * 5000, "not-a-move"),
    ("shogi", "7g7f", "legal"), ("shogi", "P*5e", "no-such-move"), ("shogi", "P*5j", "not-a-move"),
    ("shogi", "Sente Pawn 5e", "no-such-move"), ("shogi", "Sente Pwan 5e", "not-a-move"),
    ("checkers", "c3xe5xg7", "no-such-move"), ("checkers", "c3xe5xg9", "not-a-move"),
    ("othello", "c4", "legal"), ("othello", "a1", "no-such-move"), ("othello", "a9", "not-a-move"),
])
def test_illegal_moves_and_non_moves_get_different_answers(name: str, text: str, expected: str) -> None:
    assert code(load(name).start(), text) == expected


def test_the_intended_move_is_guessed() -> None:
    with pytest.raises(ZrfError, match="there is no `zz9`"):
        load("chess").start().find("zz9 nonsense")
    with pytest.raises(ZrfError) as raised:
        load("chess").start().find("Knigth g1 - f3")
    assert raised.value.diagnostics[0].help == "did you mean `Knight g1 - f3`?"


def test_illegal_castling_is_explained() -> None:
    """On the kingside the king would cross an attacked square, on the queenside castling is legal; at the start of a
    game, pieces are in the way."""
    board = "White King e1; White Rook a1 h1; Black King e8; Black Rook f8 | turn White | @never-moved? a1 e1 h1"
    position = load("chess").read(board)
    assert not why_move(position, "O-O").legal and why_move(position, "0-0-0").legal
    assert not why_move(load("chess").start(), "O-O").legal
    assert main(["why", "chess", "O-O"]) == 0


@pytest.mark.parametrize("played", ["e2 e4; e7 e5", "e2e4, e7e5", "e2 e4,e7 e5", "e4; e5"])
def test_moves_may_be_separated_by_commas_and_semicolons(played: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["moves", "chess", "--play", played]) == 0
    assert "Pawn d2 - d4" in capsys.readouterr().out
    assert split_moves("1,2 - 1,3; 2,2 - 2,3", ["1,2"]) == ["1,2 - 1,3", "2,2 - 2,3"]


@pytest.mark.parametrize("name, played, parts", [
    ("chess", "f3 e5 g4 Qh4", "f3; e5; g4; Qh4"), ("chess", "e2 e4 e7 e5", "e2 e4; e7 e5"),
    ("chess", "e4; e5 Nf3 Nf9", "e5; Nf3; Nf9"), ("tictactoe", "a1 b2", "a1; b2")])
def test_moves_with_only_blanks_between_them_are_shown_apart(name: str, played: str, parts: str) -> None:
    with pytest.raises(ZrfError) as raised:
        played_on(load(name).start(), played)
    assert raised.value.diagnostics[0].help == f"separate moves by `;`: `{parts}`"


@pytest.mark.parametrize("played", ["e2 e5", "e4 e9", "Pawn e2 - e5", "e2 e3; e2 e4", "e4; xyz e5"])
def test_a_single_wrong_move_is_not_taken_apart(played: str) -> None:
    with pytest.raises(ZrfError) as raised:
        played_on(load("chess").start(), played)
    assert "separate" not in raised.value.diagnostics[0].help


def test_a_square_with_further_digits_is_no_move() -> None:
    for text in ("e277 e4", "e2 e477", "e2e477", "e4 7", "Nf33"):
        assert code(load("chess").start(), text) == "not-a-move", text


def test_a_file_or_rank_disambiguates_the_piece() -> None:
    """If both pieces match, or neither, the move is refused."""
    position = load("chess").read("White King g1; White Knight b1 f3; White Rook a1; Black King g8 | turn White")
    for typed, start in (("Nbd2", "b1"), ("Nfd2", "f3"), ("N1d2", "b1"), ("N3d2", "f3"), ("Nb-d2", "b1"),
                         ("knight b1 d2", "b1"), ("Nb1-d2", "b1"), ("b1d2", "b1")):
        move = position.find(typed)
        assert (move.start, move.end) == (start, "d2"), typed
    for typed in ("Nd2", "Ncd2", "N2d2", "Rbd1"):
        with pytest.raises(ZrfError):
            position.find(typed)
