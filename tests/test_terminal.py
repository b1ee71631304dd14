"""Boards as text, and the interactive session on the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

import zrf_py
from zrf_py.cli.autosave import AUTOSAVE
from zrf_py.cli.draw import TARGET, BoardView, last_move_marks
from zrf_py.cli.table import TerminalTable
from zrf_py.play.letters import abbreviations
from zrf_py.play.session import Session, read_controllers
from zrf_py.text.display import display_lines, display_text
from zrf_py.view.symbols import PieceSymbols

HEX = """
(game (title "Hexagon") (players White Black) (turn-order White Black)
  (board (positions {positions}) (links e (b1 b2) (b2 b3)))
  (piece (name Man) (moves (e (verify empty?) add)))
  (board-setup (White (Man b1)) (Black (Man b3))))
"""


def drawn(position: zrf_py.Position, marks: dict[int, str] | None = None, **wishes: bool) -> str:
    view = BoardView(position.game.program, **wishes)
    return "\n".join(view.board(position.state, marks))


def load_text(tmp_path: Path, text: str) -> zrf_py.Game:
    path = tmp_path / "game.zrf"
    path.write_text(text)
    return zrf_py.load(path)


def same(found: str, wanted: str) -> None:
    assert found == dedent(wanted).strip("\n")


# -------------------------------------------------------------------------------------------------------------- boards


def test_a_board_of_squares_marks_the_last_move():
    position = zrf_py.load("tictactoe").start().play("b2").play("a1")
    same(drawn(position, last_move_marks(position)), """
           a  b  c
        3  ·  ·  ·  3
        2  ·  X  ·  2
        1 [O] ·  ·  1
           a  b  c""")


def test_chess_symbols_are_used_if_every_piece_has_one():
    view = BoardView(zrf_py.load("chess").program, figures=True)
    lines = view.board(zrf_py.load("chess").start().state)
    assert "".join(lines[1].split()) == "8♜♞♝♛♚♝♞♜8" and "".join(lines[7].split()) == "2♙♙♙♙♙♙♙♙2"
    words = view.legend(zrf_py.load("chess").start().state)
    assert "♕♛ Queen" in words and "CAPITALS" not in words
    for name in ("shogi", "halma", "makruk", "booklet/sternhalma"):
        game = zrf_py.load(name)
        assert BoardView(game.program, figures=True).board(game.start().state) == \
            BoardView(game.program).board(game.start().state)


def test_off_board_pieces_are_counted_and_a_single_one_has_no_number(tmp_path):
    rules = HEX.format(positions="(b1 0 0 9 9) (b2 9 0 18 9) (b3 18 0 27 9)") \
        .replace("(Man b1)", "(Man off 1)").replace("(Man b3)", "(Man b3 off 2)")
    position = load_text(tmp_path, rules).start()
    view = BoardView(position.game.program, ascii=True)
    assert view.stores(position.state) == ["Store of White: Man", "Store of Black: Man 2"]


def test_a_supply_that_cannot_run_out_is_not_counted():
    for name in ("five-in-a-row", "othello", "tictactoe", "connect-four", "nine-mens-morris"):
        game, lines = zrf_py.load(name), 2 if name == "nine-mens-morris" else 0
        position = game.start()
        for _ in range(4):
            assert len(BoardView(game.program).stores(position.state)) == lines
            position = position.play(position.moves()[0])


def test_targets_are_marked():
    position = zrf_py.load("chess").start()
    board = drawn(position, dict.fromkeys([position.game.program.game.symbols.positions[s] for s in ("a3", "a7")],
                                          TARGET), ascii=True)
    assert "3  *  ." in board
    assert "7 <p> p" in board


def test_points_are_joined_by_lines():
    position = zrf_py.load("nine-mens-morris").start().play("a1")
    same(drawn(position), """
           a   b   c   d   e   f   g
        7  ·───────────·───────────·   7
           │           │           │
        6      ·───────·───────·       6
           │   │       │       │   │
        5          ·───·───·           5
           │   │   │   │   │   │   │
        4  ·───·───·       ·───·───·   4
           │   │   │   │   │   │   │
        3          ·───·───·           3
           │   │       │       │   │
        2      ·───────·───────·       2
           │           │           │
        1  W───────────·───────────·   1
           a   b   c   d   e   f   g""")


def hexagon() -> str:
    rows = {"a": (16, 2), "b": (0, 3), "c": (16, 2)}
    return " ".join(f"({row}{i + 1} {x + 32 * i} {28 * y} {x + 32 * i + 32} {28 * y + 32})"
                    for y, (row, (x, count)) in enumerate(rows.items()) for i in range(count))


def test_hexagons_are_drawn(tmp_path):
    game = load_text(tmp_path, HEX.format(positions=hexagon()))
    assert drawn(game.start()).splitlines() == ["    ·   ·", "  W───·───B", "    ·   ·"]


def test_hexagons_have_names(tmp_path):
    game = load_text(tmp_path, HEX.format(positions=hexagon()))
    lines = BoardView(game.program).names()
    assert [line.split() for line in lines] == [["a1", "a2"], ["b1", "b2", "b3"], ["c1", "c2"]]


def test_squares_off_the_picture_or_without_area_are_not_drawn(tmp_path):
    hidden = hexagon() + " (off -40 -40 -10 -10) (flat 0 0 0 0)"
    game = load_text(tmp_path, HEX.format(positions=hidden))
    assert len(BoardView(game.program).layout.cells) == 7


def test_a_star_of_121_holes_fits(tmp_path):
    counts = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
    holes = " ".join(f"(h{y}-{i} {400 - 20 * n + 40 * i} {36 * y} {430 - 20 * n + 40 * i} {36 * y + 30})"
                     for y, n in enumerate(counts) for i in range(n))
    text = HEX.format(positions=holes).replace("b1", "h0-0").replace("b2", "h1-0").replace("b3", "h1-1")
    lines = BoardView(load_text(tmp_path, text).program).board(zrf_py.load(tmp_path / "game.zrf").start().state)
    assert len(lines) == 17
    assert max(map(len, lines)) <= 78
    assert [len(re.findall(r"[·WB]", line)) for line in lines] == counts


def test_a_board_that_is_too_wide_is_cut(tmp_path):
    grid = ('(grid (start-rectangle 0 0 20 20) (dimensions ("' + "/".join(f"x{i}" for i in range(60)) +
            '" (20 0)) ("a/b" (0 20))) (directions (e 1 0)))')
    text = HEX.replace("(positions {positions}) (links e (b1 b2) (b2 b3))", grid)
    game = load_text(tmp_path, text.replace("b1", "x0a").replace("b3", "x1a"))
    lines = BoardView(game.program).board(game.start().state)
    assert max(map(len, lines)) <= 80
    assert sum(line.count("·") + line.count("W") + line.count("B") for line in lines) == 120


@pytest.mark.parametrize(("name", "size", "rows"), [
    ("stern-3p", (80, 22), 1), ("stern-3p", (120, 38), 2), ("shogi", (80, 22), 1), ("shogi", (120, 38), 3),
    ("chess", (80, 22), 2), ("chess", (80, 20), 1), ("chess", (120, 38), 4), ("nine-mens-morris", (120, 38), 4)])
def test_the_board_fills_the_window(name, size, rows, capsys):
    """Title, legend and board are visible at once; lines are spaced as far apart as fits."""
    game = zrf_py.load(name)
    session = Session(game, name, read_controllers(game, "human"), Random(1))
    view = BoardView(game.program, color=True, figures=True, room=size[0] - 1)
    table = TerminalTable(session, view, min(size[0], 100))
    table.welcome()
    table.fit(*size)
    table.draw({})
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == game.title and len(lines) <= size[1] and max(map(len, lines)) <= size[0]
    found = sorted({line for line, _ in table.view.spots.values()})
    assert found[1] - found[0] == rows
    board = table.view.board(session.position.state)
    names = [place.name for place in game.program.game.board.places]
    for place, (line, column) in table.view.spots.items():
        content = table.view._content(session.position.state, place)[0]
        shown = re.sub(r"\x1b\[[0-9;]*m", "", board[line])[column:]
        assert shown.startswith(content) or (content in "·◦" and shown[:1] in ("", " ")), names[place]


@pytest.mark.parametrize("name", ["halma", "chess", "xiangqi", "shogi", "amazons", "international-draughts"])
def test_boards_of_the_shelf_fit(name):
    position = zrf_py.load(name).start()
    assert max(map(len, drawn(position).splitlines())) <= 80


def test_colour_changes_no_letter():
    """With colour, the same pieces stand in the same columns; only marks and empty squares look different."""
    position = zrf_py.load("chess").start()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", drawn(position, color=True))
    assert [line.rstrip() for line in plain.splitlines()] == [
        line.replace("·", " ").rstrip() if set(line) & {"·"} else line for line in drawn(position).splitlines()]


def test_goal_squares_look_different():
    assert "+" in drawn(zrf_py.load("halma").start().play("a5 a6"), ascii=True)


# ------------------------------------------------------------------------------------------------------------- symbols


@pytest.mark.parametrize(("names", "wanted"), [
    (["Pawn", "Rook", "Knight", "Bishop", "Queen", "King"], ["P", "R", "N", "B", "Q", "K"]),
    (["Man", "King"], ["M", "K"]),
    (["Silver", "PromotedSilver", "Pawn"], ["S", "Ps", "P"]),
    (["p1", "p2", "q1"], ["P", "P2", "Q"]),
    (["X", "x"], ["X", "X2"]),
    ([], []),
])
def test_abbreviations_match_the_examples(names, wanted):
    assert abbreviations(names) == wanted


def test_abbreviations_are_short_and_all_different():
    names = [f"{a}{b}ragon{c}" for a in "DXY" for b in "aeiou" for c in ("", "Man", "King2", "!")]
    found = [s.upper() for s in abbreviations(names)]
    assert len(set(found)) == len(names)
    assert max(map(len, found)) == 2


def test_players_have_distinct_marks():
    for name, variant in (("chess", None), ("halma", 1), ("othello", None)):
        game = zrf_py.load(name, variant)
        view = BoardView(game.program)
        shown = {view.symbols.symbol(p, k) for p, k, _ in game.program.game.setup}
        assert len(shown) == len({(p, k) for p, k, _ in game.program.game.setup})


# --------------------------------------------------------------------------------------------------------------- texts


def test_texts_of_the_rules_are_displayed():
    assert display_lines('A\\\\B\n   c `d`\\\n E\n\nF') == ["A", "", 'B c "d"', "E", "F"]
    assert display_text("one two\\three", 7, " ") == " one\n two\n three"


# --------------------------------------------------------------------------------------------------------------- table


@pytest.fixture
def table():
    def make(name: str, players: str = "human", position: str = "", variant: int | None = None) -> TerminalTable:
        game = zrf_py.load(name, variant)
        session = Session(game, f"{name}.zrf", read_controllers(game, players), Random(1))
        session.position = game.position(position)
        return TerminalTable(session, BoardView(game.program), 80)

    return make


def last_move(table: TerminalTable) -> str:
    move = table.session.position.move
    return move.text if move else ""


@pytest.mark.parametrize("typed", ["e2 e4", "e4", "Pawn e2 - e4", "pawn e4", "12", "#12", "  e2   e4 ", "e2-e4"])
def test_moves_are_read_in_many_notations(table, typed):
    t = table("chess")
    assert t.obey(typed)
    assert last_move(t) == "Pawn e2 - e4"


@pytest.mark.parametrize("typed", ["e4", "pawn e4", "Pawn e4", "0-0", "O-O"])
def test_an_illegal_move_is_not_taken_for_another(table, typed):
    """`e4` does not move a pawn that already stands on e4; the zeros of castling are not read as numbers."""
    t = table("chess", position="(x e2)\n(White Pawn e4)\n(x a2)\n(x b2)\n(x c2)\n(x d2)\n(x f2)\n(x g2)\n(x h2)")
    before = t.session.position
    assert not t.obey(typed)
    assert t.session.position is before


def test_hints_use_the_commands_of_the_terminal(table, capsys):
    assert not table("chess").obey("history")
    assert "write FROM TO, or a notation from the list of legal moves" in capsys.readouterr().out


@pytest.mark.parametrize("typed", ["1. e4", "1.e4", "1... e4"])
def test_a_move_number_before_a_move_is_ignored(table, typed):
    board = table("chess")
    assert board.obey(typed) and board.session.position.text.startswith(board.session.game.start().play("e4").text)


@pytest.mark.parametrize("name", ["game1.zsg", "2. try.zsg", "a  b.zsg"])
def test_names_of_saved_games_are_kept_as_typed(table, tmp_path, name):
    board = table("chess")
    assert board.obey("1. e4") and not board.obey(f"save {tmp_path / name}")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert board.obey("undo") and board.obey(f"load {tmp_path / name}") and last_move(board) == "Pawn e2 - e4"


def test_resigning_loses_and_quits(table, capsys):
    board = table("chess")
    assert board.obey("e4")
    with pytest.raises(EOFError):
        board.obey("resign")
    assert "Black resigns. White won.\n" in capsys.readouterr().out
    for name in ("stern-3p", "peg-solitaire"):
        with pytest.raises(EOFError):
            table(name).obey("resign")
        assert capsys.readouterr().out.endswith(" resigns.\n")


def test_ambiguous_input_lists_its_moves(table, capsys):
    t = table("chess", position="(x e8)(White Pawn e7)(x e2)".replace(")(", ")\n("))
    assert not t.obey("e7 e8")
    assert "`e7 e8` could be:" in capsys.readouterr().out
    assert t.obey("e7 e8 Queen")
    assert "= Queen" in last_move(t)


def test_typing_a_square_shows_targets(table, capsys):
    t = table("chess")
    assert not t.obey("b1")
    assert "From b1 to: c3 a3" in capsys.readouterr().out


@pytest.mark.parametrize(("typed", "words"), [
    ("zz", "`zz` is not a move of this game"), ("d3 d9", "there is no `d9`"), ("d3 d4", "not a legal move"),
    ("99", "a number from 1 to 20"), ("targets z9", "no square `z9`"),
    ("targets a1", "No piece can move from a1"), ("pass", "do not allow you to pass"), ("undo", "nothing to undo"),
    ("redo", "nothing to redo"), ("save", "Give the name of the file"), ("load", "Give the name of the file"),
    ("load /no/such/file.zsg", "can't be read"), ("save /no/such/folder/x", "can't be written"),
    ("save .", "can't be written"), ("save ~nobody/x", "can't be written"), ("load ~nobody/x", "can't be read"),
    ("hint", "Suggestion: "), ("moves b1", "Nc3"), ("help", "quit"), ("names", "a8"), ("rules", "Pawn"),
    ("zone x", "zones are"), ("mvoes", "did you mean `moves`?"),
])
def test_every_typed_line_gets_a_reply(table, capsys, typed, words):
    t = table("chess")
    assert not t.obey(typed)
    assert words in capsys.readouterr().out


def test_help_explains_the_marks_of_the_board(table, capsys):
    """Goals are explained only if the board has some; with colours, backgrounds replace the brackets."""
    board = table("halma")
    board.obey("help")
    marks = capsys.readouterr().out.split("\n\n")[1].splitlines()
    assert marks[:2] == ["[W]  the piece that moved last, where it is now", "(·)  the square that it left"]
    assert marks[-1] == " ◦   an empty goal: a square that decides the game"
    board.view.color = True
    board.obey("help")
    assert "\x1b[48;5;65m W \x1b[0m  the piece that moved last" in capsys.readouterr().out
    table("chess").obey("help")
    assert "empty goal" not in capsys.readouterr().out


def test_an_empty_line_plays_nothing_while_there_are_moves(table, capsys):
    assert not table("chess").obey("")
    assert not capsys.readouterr().out


def test_a_turn_of_several_legs_is_typed(table, capsys):
    t = table("halma", position="(White Man d5)")
    assert t.obey("a5 c5")
    t.show()
    out = capsys.readouterr().out
    assert "White may go on from c5:" in out
    assert "c5-e5 …" in out
    assert "ends the turn" in out
    assert t.obey("")
    assert t.session.position.player == "Black"


def test_the_result_is_shown_and_can_be_taken_back(table, capsys):
    t = table("tictactoe")
    for move in ("a1", "b1", "a2", "b2", "a3"):
        t.obey(move)
    t.show()
    assert "The game is over: X won (three in a row)." in capsys.readouterr().out
    assert not t.obey("c3")
    assert t.obey("undo")
    assert t.prompt() == "X> "


def test_moves_of_a_puzzle_are_counted(table, capsys):
    t = table("peg-solitaire")
    t.obey("1")
    t.show()
    assert "move 2" in capsys.readouterr().out


def test_quitting_saves_the_game(table, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("ZRF_STATE", str(tmp_path / "state"))
    t = table("tictactoe")
    t.interactive = True
    assert t.leave() == 0
    assert list(tmp_path.iterdir()) == []
    t.obey("b2")
    t.leave()
    path = tmp_path / "state" / AUTOSAVE
    assert f"The game was saved; `zrf play --load {path}` continues it" in capsys.readouterr().out
    assert path.is_file()
    assert "1. X Mark b2" in (tmp_path / "state" / "zrf-autosave.zsg").read_text()


def test_pieces_of_a_single_owner_have_no_owner_letter():
    """The legend of a puzzle lists types only."""
    symbols = PieceSymbols(zrf_py.load("peg-solitaire").program.game)
    assert symbols.legend(symbols.kinds) == ["P Peg"]
