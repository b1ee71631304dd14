"""Short notation: moves are written as is usual in each game, without ambiguity, and can be read back."""

from __future__ import annotations

from random import Random

import pytest

import zrf_py
from tests.playing import ROOT, counted, slow
from zrf_py.library import load_file
from zrf_py.play.game import Game, loads
from zrf_py.play.short import _ray
from zrf_py.play.turn_text import checked, played_turn, read_turn, turn_text

chess = pytest.importorskip("chess")

RULES = sorted((ROOT / "rules").rglob("*.zrf"))


def play(name, *moves):
    position = zrf_py.load(name).start()
    for move in moves:
        position = position.play(move)
    return position


def random_positions(game, plies, seed=0):
    random, position = Random(seed), game.start()
    for _ in range(plies):
        moves = position.moves()
        if not moves:
            return
        yield position
        position = position.play(random.choice(moves))


@pytest.mark.slow
def test_chess_moves_equal_the_san_of_python_chess():
    game = zrf_py.load("chess")
    for seed in range(5):
        board = chess.Board()
        for position in counted(random_positions(game, 100, seed), 5):
            if position.move:
                san = played_turn(position)
                assert board.san(board.parse_san(san)) == san
                board.push_san(san)
            wanted = {board.san(move).rstrip("+#") for move in board.legal_moves}
            assert {position.short(move) for move in position.moves()} == wanted


def test_castling_promotion_en_passant_and_mate_have_their_usual_notation():
    position = play("chess", "e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5")
    assert played_turn(position.play("O-O")) == played_turn(position.play("0-0")) == "O-O"
    position = play("chess", "f3", "e5", "g4")
    assert played_turn(position.play("Qh4")) == "Qh4#"
    position = play("chess", "e4", "a6", "e5", "d5")
    assert played_turn(position.play("e5d6")) == "exd6"
    position = play("chess", "h4", "g5", "hxg5", "h6", "gxh6", "a6", "h7", "a5")
    assert played_turn(position.play("h7g8q")) == "hxg8=Q"


@pytest.mark.slow
@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_different_moves_are_written_differently_and_read_again(path):
    for program in load_file(path).programs:
        told_apart(Game(program), 12)


SOME = ("shogi", "nine-mens-morris", "platonic-adv-3p", "amazons", "wuerfel-2p", "gefangen2-6p")


@pytest.mark.parametrize("name", [*SOME[:3], *slow(SOME[3:])])
def test_different_moves_of_some_games_are_written_differently(name):
    told_apart(zrf_py.load(name), 30)


def told_apart(game, plies):
    for position in random_positions(game, plies, seed=1):
        texts = {move.text: position.short(move) for move in position.moves()}
        assert len(set(texts.values())) == len(texts)
        for move in position.moves()[:10]:
            assert position.find(position.short(move)).text == move.text


@pytest.mark.parametrize(("game", "moves", "said"), [
    ("shogi", ["P-7f", "P-3d"], ["Bx2b+", "Bx2b=", "G4i-5h", "G6i-5h", "K-5h"]),
    ("xiangqi", [], ["Che3", "Hc3", "c5"]),
    ("xiangqi", ["c5", "c6"], ["cxc6", "Hc3"]),
    ("gomoku", [], ["e12"]),
    ("nine-mens-morris", ["a1", "b2", "a4", "b4"], ["a7 xb2", "a7 xb4", "d1"]),
    ("halma", [], ["b5-c5", "a4-a6"]),
    ("checkers", [], ["b6-a5"]),
    ("platonic-adv-3p", [], ["S*b1", "T*b1"]),
])
def test_usual_moves_have_short_notations(game, moves, said):
    position = play(game, *moves)
    assert set(said) <= {position.short(move) for move in position.moves()}


def test_a_drop_from_the_hand_is_written_with_a_star():
    position = play("shogi", "P-7f", "P-3d", "Bx2b+", "Sx2b")
    assert {"B*5e", "B*1b"} <= {position.short(move) for move in position.moves()}
    assert played_turn(position.play("B*5e")) == "B*5e"


def test_a_turn_of_several_legs_is_written_and_read_as_one_text():
    game = zrf_py.load("stern-2p")
    for position in random_positions(game, 30, seed=3):
        if position.in_turn and position.previous and not position.previous.in_turn:
            onward = [move for move in position.moves() if not move.raw.is_pass]
            before, first = position.previous, position.move
            if onward:
                text = turn_text(before, [first, onward[0]])
                assert text.count("-") == 2
                assert read_turn(before, text)[:2] == (first, onward[0])
                return
    pytest.fail("no chain was found")


@pytest.mark.parametrize(("game", "moves", "words", "places"), [
    ("tictactoe", "a1 b1 a2 b2 a3", "X won (three in a row)", {"a1", "a2", "a3"}),
    ("chess", "f3 e5 g4 Qh4", "Black won (checkmate)", {"e1"}),
])
def test_results_are_described_with_the_pieces_involved(game, moves, words, places):
    position = play(game, *moves.split())
    outcome = position.outcome()
    assert str(outcome) == words
    assert {position.game.program.game.board.places[i].name for i in outcome.why.places} == places


def test_a_king_in_check_is_detected():
    position = play("chess", "e4", "f6", "Qh5")
    assert [position.game.program.game.board.places[i].name for i in checked(position)] == ["e8"]
    assert checked(play("chess", "e4")) == ()


def test_a_line_of_squares_ends_at_the_edge_or_where_it_began() -> None:
    assert _ray([-1, 0, 1, 2], 3) == [2, 1, 0]
    assert _ray([-1, 0, 1, 2], 0) == []
    assert _ray([1, 2, 3, 0], 1) == [2, 3, 0]
    assert _ray([1, 2, 1], 0) == [1, 2]


POINTS = """(game (title "Points") (players White Black) (turn-order White Black)
  (board
    (positions (s1 0 0 9 9) (s2 50 0 59 9) (s3 50 50 59 59) (c1 0 50 9 59) (c2 0 90 9 99))
    (links on (s1 s2) (s2 s3) (s3 c1) (c1 c2)))
  (piece (name Man) (moves (on (verify enemy?) add)))
  (piece (name King) (moves (on (verify enemy?) add) (on add)))
  (board-setup (White (Man s1) (King c1)) (Black (Man s2) (Man c2))))"""


def test_named_points_are_not_columns() -> None:
    """The points s1, s2, s3 lie around a corner, so the letter alone doesn't identify the starting point."""
    start = loads(POINTS).start()
    assert {start.short(move) for move in start.moves()} == {"s1xs2", "Kxc2"}


TRAILS = """(game (title "Trails") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("1" (0 9))) (directions (e 1 0) (w -1 0))))
  (piece (name Man) (moves (e (verify empty?) w w capture e e add)))
  (piece (name Trail))
  (board-setup (White (Man b1)) (Black (Man d1) MORE)))"""


def test_traces_of_moves_are_not_captures():
    """The capture of a piece on a1 is written only if pieces of its type stand on the board at the start; other types
    merely mark the traces of moves."""
    for set_up, shown in (("", "b1-c1"), ("(Trail a1)", "b1-c1 xa1")):
        position = zrf_py.loads(TRAILS.replace("MORE", set_up)).start().edited("(Black Trail a1)")
        [move] = position.moves()
        assert (move.captures, position.short(move)) == (("a1",), shown)
