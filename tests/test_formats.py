"""Formats of other programs: handwritten records are read, and games that we write can be read back unchanged."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from tests.playing import ROOT, TooSlow, counted, some_of, time_limit
from zrf_py.archives import RECORDS
from zrf_py.cli.main import main
from zrf_py.library import load_file, shelf
from zrf_py.play.formats import kif, record_files
from zrf_py.play.formats.conventions import row_of, shelf_rows
from zrf_py.play.formats.forsyth import Fen
from zrf_py.play.formats.record_files import (
    FORMATS,
    SAVED,
    format_of,
    games_in,
    load_record,
    position_after,
    read_record,
    text_of,
    wanted_format,
    written,
)
from zrf_py.play.formats.score import played
from zrf_py.play.game import Game, Position, load, loads
from zrf_py.play.zsg import SavedGame, encoded, read_game, record, write_game
from zrf_py.port.records import follow_record
from zrf_py.text.diagnostics import ZrfError

chess = pytest.importorskip("chess")
pgn = pytest.importorskip("chess.pgn")

RECORDED = ROOT / "tests" / "formats"
FAMILIES = [("chess", "pgn"), ("makruk", "pgn"), ("xiangqi", "pgn"), ("shogi", "usi"), ("shogi", "kif"),
            ("minishogi", "usi"), ("minishogi", "kif"), ("international-draughts", "pdn"), ("checkers", "pdn"),
            ("five-in-a-row", "sgf"), ("othello", "sgf")]


def texts(saved: SavedGame) -> list[str]:
    return [entry.text for entry in saved.entries]


def random_games(name: str, seeds: Sequence[int], plies: int) -> tuple[Game, list[SavedGame]]:
    game = load(name)
    rules = f"{name}.zrf"
    return game, [record(whole(game.start().playout(seed, plies)), rules, "HH") for seed in seeds]


def whole(position: Position) -> Position:
    """Return the position after an unfinished turn has been completed with the first legal legs."""
    while position.in_turn:
        position = position.play(0)
    return position


def written_and_read(game: Game, games: list[SavedGame], kind: str, folder: Path) -> list[SavedGame]:
    bundles = [[saved] for saved in games] if FORMATS[kind].together is None else [games]
    back: list[SavedGame] = []
    for number, bundle in enumerate(bundles):
        path = folder / f"{number}.{kind}"
        path.write_bytes(all_written(game, bundle, kind))
        back += load_records(path)
    return back


def all_written(game: Game, games: list[SavedGame], kind: str) -> bytes:
    return (FORMATS[kind].together or "").encode().join(written(game, saved, kind, "games") for saved in games)


def load_records(path: Path) -> list[SavedGame]:
    return [read(None) for _, read in games_in(path)]


@pytest.mark.parametrize(("name", "kind"), some_of(FAMILIES, 4))
def test_games_are_read_back(name: str, kind: str, tmp_path: Path) -> None:
    """The rules, the moves and their numbers are read from the file alone."""
    game, games = random_games(name, range(4), 60)
    back = written_and_read(game, games, kind, tmp_path)
    assert [write_game(replace(saved, tags=())) for saved in back] == list(map(write_game, games))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), FAMILIES)
def test_many_games_are_read_back(name: str, kind: str, tmp_path: Path) -> None:
    """`ZRF_GAMES` sets the number of games in each format, by default twenty; a thousand take two minutes."""
    game, games = random_games(name, range(int(os.environ.get("ZRF_GAMES", "20"))), 80)
    back = written_and_read(game, games, kind, tmp_path)
    assert list(map(texts, back)) == list(map(texts, games))
    assert {saved.variant for saved in back} == {game.title}


def with_python_chess(games: list[SavedGame], game: Game) -> int:
    """Compare our PGN and FEN with python-chess at every ply; return the number of plies."""
    stream = io.StringIO(all_written(game, games, "pgn").decode())
    codec, plies = Fen(game, row_of(game)), 0
    for saved in games:
        theirs = pgn.read_game(stream)
        assert theirs is not None and not theirs.errors, theirs and theirs.errors
        board = theirs.board()
        ours = played(game, saved, "game")
        moves = list(theirs.mainline_moves())
        assert len(moves) == len(ours.turns)
        numbers = codec.numbers(ours.tags)
        for turn, move in zip(ours.turns, moves, strict=True):
            assert codec.write_fen(turn.before, *numbers) == board.fen()
            board.push(move)
            plies += 1
        assert codec.write_fen(ours.end, *numbers) == board.fen()
    assert pgn.read_game(stream) is None
    return plies


def test_python_chess_reads_our_games() -> None:
    game, games = random_games("chess", range(100, 104), 120)
    assert with_python_chess(games, game) > 300


@pytest.mark.slow
def test_python_chess_reads_a_hundred_games() -> None:
    game, games = random_games("chess", range(200, 300), 150)
    assert with_python_chess(games, game) > 10_000


def test_python_chess_reads_converted_games() -> None:
    """The games come from a handwritten file with headers, variations and a set-up position."""
    games = list(load_records(RECORDED / "immortal.pgn"))
    assert with_python_chess(games, load("chess")) > 45
    again = pgn.read_game(io.StringIO(written(load("chess"), games[0], "pgn", "game").decode()))
    original = pgn.read_game(io.StringIO((RECORDED / "immortal.pgn").read_text()))
    assert again and original and dict(again.headers) == dict(original.headers)
    line = [str(move) for move in original.end().board().move_stack]
    assert [str(move) for move in again.end().board().move_stack] == line
    branches = [[str(v.move) for v in node.variations] for node in original.mainline()]
    assert [[str(v.move) for v in node.variations] for node in again.mainline()] == branches
    assert max(map(len, branches)) == 2


# ---------------------------------------------------------------------------------------------- records written by hand


def test_handwritten_pgn_is_read() -> None:
    """The file has comments of each kind, move numbers without blanks, marks, `0-0-0`, `e.p.`, and a promotion without
    `=`."""
    immortal, other = load_records(RECORDED / "immortal.pgn")
    assert (immortal.rules_file, immortal.variant, immortal.plies) == ("chess.zrf", "Chess", 45)
    assert ("White", "Adolf Anderssen") in immortal.tags
    assert len(immortal.variations) == 6
    end = position_after(load_record(RECORDED / "immortal.pgn"), "immortal.pgn", load("chess"))
    assert str(end.outcome()) == "White won (checkmate)"
    moves = texts(other)[-7:]
    assert moves[:2] == ["Pawn d2 - d4", "Pawn e4 - d3 x d4"]
    assert "King e1 - c1" in moves[2] and "Rook a1 - d1" in moves[2]
    assert "King e8 - g8" in moves[3] and "Rook h8 - f8" in moves[3]
    assert moves[4] == "Pawn b7 x a8 = Rook"
    assert other.variations[0][1].startswith("Pawn b7 - b8 = Queen")


def test_handwritten_pdn_is_read() -> None:
    game, capture = load_records(RECORDED / "dammen.pdn")
    assert (game.rules_file, game.plies, len(game.variations)) == ("international-draughts.zrf", 15, 2)
    assert texts(game)[0] == "Man d4 - e5"
    assert capture.plies == 5
    end = played(load("international-draughts"), capture, "x").end
    men = [end.game.program.game.board.places[i].name for i, owner in enumerate(end.state.owner) if owner >= 0]
    assert end.player == "Black" and "j8" in men and len(men) == 2


def test_handwritten_kif_is_read(tmp_path: Path) -> None:
    """The file has times, comments, and variations after the end of the game; an old encoding is read, too."""
    saved = load_record(RECORDED / "meijin.kif")
    assert (saved.rules_file, saved.plies, len(saved.variations)) == ("shogi.zrf", 7, 4)
    assert texts(saved)[2:5] == ["Bishop 8h x 2b = Horse", "Silver 3a x 2b", "Sente Bishop 4e"]
    assert saved.variations == (
        (2, "Pawn 2g - 2f"), (8, "Pawn 8c - 8d"), (4, "Silver 7i - 8h"), (10, "Gote Bishop 6e"))
    old = tmp_path / "old.kif"
    old.write_bytes((RECORDED / "meijin.kif").read_text("utf-8").encode("cp932"))
    assert load_record(old) == saved


def test_handwritten_sgf_is_read() -> None:
    saved = load_record(RECORDED / "gomoku.sgf")
    assert (saved.rules_file, texts(saved)[:2]) == ("five-in-a-row.zrf", ["Black Stone h8", "White Stone i8"])
    assert len(saved.variations) == 4 and ("PB", "Kuro [one]") in saved.tags
    back = written(load("five-in-a-row"), saved, "sgf", "x").decode()
    assert write_game(read_record(back, "x.sgf")) == write_game(saved)


def test_handwritten_usi_is_read() -> None:
    first, second = load_records(RECORDED / "shogi.usi")
    assert first.plies == 5 and texts(first)[-1] == "Sente Bishop 4e"
    assert second.plies == 2 and texts(second)[0].startswith("(")


def test_handwritten_fen_is_read() -> None:
    """Each line is a position; python-chess agrees on its legal moves and on the line that we write for it."""
    game = load("chess")
    lines = (RECORDED / "positions.fen").read_text().splitlines()
    for line, saved in zip(lines, load_records(RECORDED / "positions.fen"), strict=True):
        board, position = chess.Board(line), played(game, saved, "x").end
        assert written(game, saved, "fen", "x").decode().strip() == board.fen()
        assert len(position.moves()) == board.legal_moves.count()
    assert len(lines) == 4


# ------------------------------------------------------------------------------------------------------------ positions


@pytest.mark.parametrize(("name", "kind"), [(n, k) for n, k in FAMILIES if k != "kif"])
def test_positions_are_read_back(name: str, kind: str, tmp_path: Path) -> None:
    """A game that begins in the middle of another is written with its start position and the moves from there."""
    game = load(name)
    for seed in counted(range(3)):
        middle = game.start().playout(seed, 24)
        while middle.in_turn:
            middle = middle.play(0)
        after = game.start().edited(f"(position {middle.text})").playout(seed, 10)
        saved = record(after, f"{name}.zrf", "HH")
        [back] = written_and_read(game, [saved], kind, tmp_path)
        end = played(game, back, "x").end
        assert end.state.owner == after.state.owner and end.state.piece == after.state.piece
        assert end.player == after.player and texts(back)[-1] == texts(saved)[-1]


@pytest.mark.parametrize(("name", "kind"), [("chess", "fen"), ("xiangqi", "fen"), ("shogi", "sfen")])
def test_positions_without_moves_are_read_back(name: str, kind: str, tmp_path: Path) -> None:
    game = load(name)
    for seed in counted(range(4)):
        text = written(game, record(game.start().playout(seed, 50), f"{name}.zrf", "HH"), kind, "x")
        path = tmp_path / f"x.{kind}"
        path.write_bytes(text)
        assert written(game, load_record(path, game), kind, "x") == text


def test_an_edit_may_be_a_whole_position() -> None:
    """Castling rights are neither a piece nor a player, so single edits can't express them."""
    saved = read_record("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "x.fen")
    assert len(saved.entries) == 1 and write_game(read_game(write_game(saved))) == write_game(saved)
    moves = [move.text for move in played(load("chess"), saved, "x").end.moves()]
    assert len([text for text in moves if "Rook" in text and "King" in text]) == 1
    with pytest.raises(ZrfError, match="not part of a position"):
        load("chess").start().edited("(position White Kong e1)")


# --------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(("name", "text", "message"), [
    ("x.pgn", '[Event "a"]\n\n1. e4 e5\n2. Nf6 *', "x.pgn, line 4: `Nf6` is not a legal move of White"),
    ("x.pgn", "1. e4 Zz9 *", "line 1: `Zz9` is not a move of this game"),
    ("x.pgn", "1. e4 (1. d4 *", "line 1: a variation is not closed"),
    ("x.pgn", "( 1. d4 )", "line 1: a variation begins before any move"),
    ("x.pgn", "1. e4 ) e5 *", "line 1: `\\)` closes no variation"),
    ("x.pgn", "1. e4 {never closed", "line 1: `{` is not closed"),
    ("x.pgn", '[Variant "Atomic"]\n1. e4 *', "no bundled game has Variant `Atomic`"),
    ("x.pgn", "1. f3 e5 2. g4 Qh4# 3. a3 *", "`a3` comes after the end of the game"),
    ("x.fen", "8/8/8 w - - 0 1", "it has 3 ranks, but the board has 8"),
    ("x.fen", "8/8/8/8/8/8/8/7X w - - 0 1", "`X` \\(rank 8 from the top\\) is not a piece of Chess"),
    ("x.fen", "8/8/8/8/8/8/8/9 w - - 0 1", "has 9 squares, not 8"),
    ("x.fen", "8/8/8/8/8/8/8/8 x - - 0 1", "is not the player to move"),
    ("x.fen", "8/8/8/8/8/8/8/8 w Z - 0 1", "`Z` is not a castling right"),
    ("x.fen", "8/8/8/8/8/8/8/8 w - z9 0 1", "`z9` is not a square"),
    ("x.fen", " ; only a comment", "x.fen holds no game"),
    ("x.pgn", '[FEN " "]\n1. e4 *', "` `: the second field is not the player to move"),
    ("x.sfen", "9/9/9/9/9/9/9/9/9 b 2x 1", "`x` \\(in hand\\) is not a piece"),
    ("x.pdn", "1. 32-99 *", "there is no square 99"),
    ("x.pdn", "1. 0-5 *", "there is no square 0"),
    ("x.pdn", f"1. {'1' * 5000}-2 *", "is not a move"),
    ("x.pdn", '[GameType "20"]\n1. a1-b2 *', "`a1-b2` is not a move"),
    ("x.pdn", '[FEN "X:W1:B2"]\n*', "it doesn't have the form"),
    ("x.pdn", '[FEN "W:W51:B2"]\n*', "`51` is not a square"),
    ("x.sgf", "(;GM[4]SZ[19];B[aa])", "the record's board has size 19"),
    ("x.sgf", "(;GM[4]SZ[15];B[aa]", "the game is not closed"),
    ("x.sgf", "(;GM[4]SZ[15]]", "`\\]` is not SGF here"),
    ("x.sgf", "(;GM[4]SZ[15]AB[zz])", "not a point of the board"),
    ("x.sgf", "(;GM[4]SZ[15]AB[aa bb])", "`AB\\[aabb\\]`: this is not a point of the board"),
    ("x.kif", "手合割：香落ち\n", "no bundled game has 手合割 `香落ち`"),
    ("x.kif", "手合割：平手\n1 ７六歩(77)\n変化：5手\n", "line 3: a variation begins at move 5"),
    ("x.kif", "手合割：平手\n1 ７六歩(78)\n", "line 2: `７六歩\\(78\\)` is not a legal move"),
    ("x.usi", "position startpos moves 7g7e", "line 1: `7g7e` is not a legal move"),
    ("x.zsg", "1. e4", "x.zsg is not a saved game"),
    ("x.pgn", "", "x.pgn holds no game"),
])
def test_errors_have_a_place_and_a_remedy(name: str, text: str, message: str) -> None:
    with pytest.raises(ZrfError, match=message) as error:
        read_record(text, name)
    assert error.value.diagnostics[0].help
    if name.endswith("fen") and "holds no game" not in message:
        assert f"`{text}`: " in error.value.diagnostics[0].message, "whatever part is wrong, the whole text is quoted"


def test_games_without_a_format_are_refused() -> None:
    """Each message gives the reason."""
    for name, kind, reason in (("nine-mens-morris", "pgn", "not a full grid"), ("stern-3p", "fen", "for two"),
                               ("chess", "sgf", "placing"), ("chess", "pdn", "no kings"), ("chess", "kif", "no sign")):
        game = load(name)
        saved = record(game.start().playout(1, 3), "x.zrf", "HH")
        with pytest.raises(ZrfError, match=reason):
            written(game, saved, kind, "x")


def test_edits_in_the_middle_of_a_game_are_refused() -> None:
    position = load("chess").start().play("e4").edited("(x a2)")
    with pytest.raises(ZrfError, match="in the middle"):
        written(load("chess"), record(position, "chess.zrf", "HH"), "pgn", "x")


# ---------------------------------------------------------------------------------------------------------------- table


def test_the_table_of_formats_names_rules_of_the_shelf() -> None:
    rows = shelf_rows()
    assert len(rows) > 5
    for row in rows:
        game = load(row["rules"], row["title"])
        kinds = [kind for kind in row if kind in FORMATS]
        assert kinds
        for kind in kinds:
            FORMATS[kind].codec(game, row)


def test_a_table_beside_the_rules_gives_a_game_its_format(tmp_path: Path) -> None:
    """One line of data is enough, here for a variant whose pieces have letters of their own."""
    rules = tmp_path / "my.zrf"
    rules.write_text((ROOT / "rules" / "xiangqi.zrf").read_text("utf-8").replace('"Xiangqi"', '"My Xiangqi"'), "utf-8")
    game = load(rules)
    start = record(game.start(), "my.zrf", "HH")
    assert written(game, start, "fen", "x").decode().startswith("rheagaehr/")
    (tmp_path / "formats.json").write_text(json.dumps({"games": [
        {"title": "My Xiangqi", "letters": {"General": "K", "Horse": "N"}, "fen": {}}]}))
    assert written(game, start, "fen", "x").decode().startswith("rneakaenr/")
    for text, why in (('{"games": 7}', "not a table of formats"), ('{"games": [{}]}', "'title' is missing")):
        (tmp_path / "formats.json").write_text(text)
        with pytest.raises(ZrfError, match=why):
            written(game, start, "fen", "x")


def test_formats_are_recognised() -> None:
    """They are recognised by the extension of the file, or else by the text."""
    for path in counted(sorted(RECORDED.iterdir()), 6):
        kind = path.suffix.removeprefix(".")
        assert format_of(path) == kind
        assert format_of("-", text_of(path.read_bytes())) == kind, path
    assert format_of("a.zsg", "(;") == SAVED == format_of("-", "Zillions Save Game File Version 0.02 HC")
    assert set(RECORDS) == {".zsg", *(ending for format in FORMATS.values() for ending in format.endings)}
    assert wanted_format(".EPD") == "fen"
    with pytest.raises(ZrfError, match="there is no format `png`"):
        wanted_format("png")


# ------------------------------------------------------------------------------------------------------------ read back

LEAPERS = """(define leap ($1 (verify enemy?) capture $1 (verify empty?) {after} (add-partial Man King)))
  (define step ($1 (verify empty?) add))
  (game (title "Leapers") (players White Black) (turn-order {order}) (option "pass partial" {passes})
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("5/4/3/2/1" (0 9)))
                 (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
    (piece (name Man) (moves (leap n) (leap e) (leap s) (leap w) (step n) (step s) (step e)))
    (piece (name King) (moves (leap n) (leap e) (leap s) (leap w) (step w)))
    (board-setup (White (Man a1 c1 e1 b2 d3)) (Black (Man b4 d4 b3 d2 a5 c5 e4))))"""


def leapers(order: str = "White Black", passes: str = "false", after: str = "") -> Game:
    """Return a game with turns of several capturing leaps; each leap may change the piece's type and has the
    further effect `after`."""
    return loads(LEAPERS.format(order=order, passes=passes, after=after))


@pytest.mark.parametrize("passes", ["false", "true"])
@pytest.mark.parametrize("after", ["", "(flip a5)", "(create Man c3)"])
def test_long_turns_are_read_back_from_pgn(passes: str, after: str) -> None:
    """Turns have several legs, may end early (`passes`), and have effects with blanks in their notation (`after`)."""
    game, long = leapers(passes=passes, after=after), 0
    for seed in range(8):
        saved = record(game.start().playout(seed, 25), "leapers.zrf", "HH")
        back = read_record(written(game, saved, "pgn", "x").decode(), "x.pgn", game)
        assert texts(back) == texts(saved)
        long += any(len(turn.legs) > 1 for turn in played(game, saved, "x").turns)
    assert long > 3


def test_a_turn_is_one_word_of_pgn() -> None:
    game = leapers()
    position = whole(next(after for seed in range(50) for after in [game.start().playout(seed, 9)] if after.in_turn))
    turns = played(game, saved := record(position, "leapers.zrf", "HH"), "x").turns
    assert len(turns[-1].legs) > 1
    text = written(game, saved, "pgn", "x").decode()
    moves = [word for word in text.rpartition("]")[2].split() if not word[:1].isdigit() and word != "*"]
    assert len(moves) == len(turns), text


def test_an_unfinished_capture_is_read_back_from_pdn() -> None:
    """The game was saved in the middle of a capture."""
    game = load("international-draughts")
    position = next(after for seed in range(50) for after in [game.start().playout(seed, 45)] if after.in_turn)
    saved = record(position, "international-draughts.zrf", "HH")
    back = read_record(written(game, saved, "pdn", "x").decode(), "x.pdn")
    assert texts(back) == texts(saved)
    assert played(game, back, "x").end.state.key() == position.state.key()


def test_games_that_could_not_be_read_back_are_not_written(tmp_path: Path) -> None:
    """The message names the first move that the format can't express; an existing file stays unchanged."""
    rules, saved, other = tmp_path / "two.zrf", tmp_path / "a.zsg", tmp_path / "a.usi"
    rules.write_text(LEAPERS.format(order="White Black", passes="false", after="").replace(
        "(step e))", "(step e) (e (verify empty?) (flip a5) add))"), "utf-8")
    game = load(rules)
    twins = [move for move in game.start().moves() if move.raw.key[0] == move.raw.key[0] and "c1 - d1" in move.text]
    assert len(twins) == 2
    for move in twins:
        saved.write_bytes(write_game(record(game.start().play(move), "two.zrf", "HH")).encode())
        other.write_text("before")
        done = zrf("convert", str(saved), str(other))
        if done.returncode:
            assert f"move 1, `{move.text}`" in done.stderr and "--to zsg" in done.stderr
            assert other.read_text() == "before"
            break
    else:
        pytest.fail("both moves were written")
    with pytest.raises(ZrfError, match="the position would be different"):  # FEN can't express that White moves again
        written(leapers("White White Black"), record(leapers("White White Black").start().play(0), "x.zrf", "HH"),
                "fen", "x")


LONGEST = 60
"""Maximum seconds of processor time for one title; some boards have thousands of moves."""


def titles_of_everyone() -> list[tuple[Path, int]]:
    """Return the files of the shelf and of `ZRF_CORPUS`, each with 0 and with 1, the numbers of its first titles."""
    folder = os.environ.get("ZRF_CORPUS", "")
    paths = [*shelf().values(), *(sorted(Path(folder).rglob("*.zrf")) if folder else ())]
    return [(path, number) for path in {path.read_bytes(): path for path in paths}.values() for number in range(2)]


@pytest.mark.slow
def test_random_games_of_many_titles_are_read_back_from_pgn() -> None:
    """Random games of the first two titles of each file are written as PGN, if it can express them, and read back."""
    count: Counter[str] = Counter()
    for path, number in titles_of_everyone():
        file = load_file(path)
        if file.report.errors or number >= len(file.programs):
            continue
        game = Game(file.programs[number], tuple(p.game.title for p in file.programs), path=path)
        try:
            FORMATS["pgn"].codec(game, row_of(game))
            with time_limit(LONGEST):
                saved = record(game.start().playout(1, 24), path.name, "HH")
                back = read_record(written(game, saved, "pgn", "x").decode(), "x.pgn", game)
        except ZrfError as error:
            count[error.diagnostics[0].message.partition(":")[2][:60]] += 1
        except TooSlow:
            count["too slow"] += 1
        else:
            assert texts(back) == texts(saved), path
            count["read back"] += 1
    print(count)
    assert count["read back"] > 30
    assert not [reason for reason in count if ": move " in reason and "reading it back" in reason], count


# ------------------------------------------------------------------------------------------------------------- commands


def zrf(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "zrf_py", *words], input=stdin, capture_output=True, text=True)


def test_convert_writes_the_format_of_the_target(tmp_path: Path) -> None:
    ours, back = tmp_path / "a.zsg", tmp_path / "b.pgn"
    assert zrf("convert", str(RECORDED / "immortal.pgn"), str(ours), "--number", "1").returncode == 0
    assert "; [White \"Adolf Anderssen\"]" in ours.read_text("cp1252")
    assert zrf("replay", str(ours)).stdout.endswith("The game is over: White won (checkmate).\n")
    assert zrf("convert", str(ours), "-o", str(back)).returncode == 0  # with `-o`, as in other commands
    assert "23. Be7# 1-0" in back.read_text()
    done = zrf("convert", str(RECORDED / "immortal.pgn"), str(tmp_path / "c.zsg"))
    assert done.returncode == 1 and "holds 2 games" in done.stderr and "--number" in done.stderr
    folder = tmp_path / "many"
    assert zrf("convert", str(RECORDED / "immortal.pgn"), str(folder), "--to", "zsg").returncode == 0
    assert [path.name for path in sorted(folder.iterdir())] == ["0001.zsg", "0002.zsg"]
    piped = zrf("convert", "-", "--to", "fen", stdin="1. e4 e5 2. Nf3")
    assert piped.stdout.startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
    assert "no output format" in zrf("convert", "-", stdin="1. e4").stderr


def test_a_folder_of_rules_is_searched_for_the_game_of_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """The header Variant names the game, in PDN and SGF as in PGN; two files have the same name. Without the folder,
    the message tells how to name the rules."""
    monkeypatch.chdir(tmp_path)
    checkers = (ROOT / "rules" / "checkers.zrf").read_text("utf-8").replace('"Checkers"', '"My Checkers"')
    others = "".join(f'\n(variant (title "{title}"))' for title in ("Second Checkers", "Third Checkers"))
    row = (ROOT / "rules" / "five-in-a-row.zrf").read_text("utf-8").replace('"Five in a Row"', '"My Row"')
    for folder, text in (("a", "(game"), ("b", checkers + others), ("c", row)):
        Path("rules", folder).mkdir(parents=True)
        Path("rules", folder, "Mine.zrf").write_text(text, "utf-8")
    for folder, title, kind in (("b", "Third Checkers", "pdn"), ("b", "My Checkers", "pgn"), ("c", "My Row", "sgf")):
        game = load(Path("rules", folder, "Mine.zrf"), title)
        saved = record(whole(game.start().playout(3, 20)), "Mine.zrf", "HH")
        data = written(game, saved, kind, "x")
        Path(f"x.{kind}").write_bytes(data)
        assert format_of("-", data.decode()) == kind
        assert main(["convert", f"x.{kind}", "y.zsg"]) == 1 and "--rules" in capsys.readouterr().err
        assert main(["convert", f"x.{kind}", "y.zsg", "--rules", "rules"]) == 0
        back = load_record("y.zsg")
        assert (back.variant, texts(back)) == (title, texts(saved))
        assert main(["replay", f"x.{kind}", f"x.{kind}", "--rules", "rules"]) == 0
        assert main(["replay", f"x.{kind}", "--rules", f"rules/{folder}/Mine.zrf"]) == 0
        assert f"all legal ({title})" in capsys.readouterr().out
    assert main(["convert", str(RECORDED / "immortal.pgn"), "z.pgn", "--rules", "rules"]) == 0  # by bundled rules


def test_a_game_that_cannot_be_converted_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """The others are written and it is listed with its file, even if the target is a saved game again; if there are no
    others, no folder and no file is written."""
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    game = load("chess")
    for name, moves in (("a", "e4 e5"), ("b", "d4"), ("c", "")):
        position = reduce(Position.play, moves.split(), game.start())
        Path("games", f"{name}.zsg").write_bytes(encoded(write_game(record(position, "chess.zrf", "HH"))))
    illegal = Path("games/a.zsg").read_text().replace("e7 - e5", "e7 - e4")
    Path("games/a.zsg").write_text(illegal)
    Path("games/d.zsg").write_text("no saved game")
    Path("games/e.zip").write_text("no archive")
    for target, kind, files in (("out", "zsg", ["0002.zsg", "0003.zsg"]), ("out2", "pgn", ["0002.pgn", "0003.pgn"])):
        assert main(["convert", "games", target, "--to", kind]) == 1
        *lines, total = capsys.readouterr().err.splitlines()
        assert sorted(path.name for path in Path(target).iterdir()) == files
        assert [re.split("[:,]", line)[0] for line in lines] == ["games/e.zip", "games/a.zsg", "games/d.zsg"]
        assert "line 5" in lines[1] and total == f"2 games, 1 move: {target}; 3 not converted"
    assert main(["convert", "games", "all.pgn"]) == 1 and Path("all.pgn").read_text().count("[Event") == 2
    assert main(["convert", "games/a.zsg", "a2.zsg"]) == 1 and main(["convert", "games", "kif", "--to", "kif"]) == 1
    assert main(["convert", "games", "x.pgn", "--number", "1"]) == 1
    assert not any(Path(name).exists() for name in ("a2.zsg", "kif", "x.pgn"))


def test_every_game_of_a_file_is_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An illegal second game is reported and the third replayed, whether the file is given alone or with another."""
    file, other = tmp_path / "three.pgn", tmp_path / "one.pgn"
    file.write_text("".join(f'[White "{name}"]\n[Result "*"]\n\n{moves} *\n\n' for name, moves in (
        ("A", "1. e4 e5 2. Nf3"), ("B", "1. d4 d5 2. c4 Ke4"), ("C", "1. d4 d5"))))
    other.write_text('[White "D"]\n\n1. c4 *\n')
    for files in [file], [file, other]:
        assert main(["replay", *map(str, files)]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert [line for line in lines if line.startswith(str(file))] == [
            f"{file}, game 1: 3 moves, all legal (Chess)",
            f"{file}, game 2: three.pgn, line 9: `Ke4` is not a legal move of Black",
            f"{file}, game 3: 2 moves, all legal (Chess)"]
    assert lines[-1] == "4 saved games, 6 moves: 3 replayed to the end, 1 unreadable or without rules"
    record = follow_record(str(file), file.name)
    assert (record.name, record.status) == ("three.pgn, game 2", "refused")


def test_analysing_a_record_reads_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    file, reads = tmp_path / "game.pgn", []
    file.write_text("1. e4 e5 2. Nf3 *\n\n1. d4 *\n")
    parse = record_files._saved
    monkeypatch.setattr(record_files, "_saved", lambda *given: reads.append(given) or parse(*given))
    assert main(["analyse", str(file), "--depth", "1", "--lines", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("# Black to move") and "game 1 of 2" in err
    assert len(reads) == 1


@pytest.mark.slow
def test_commands_take_archives_folders_and_both_names_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                    capsys: pytest.CaptureFixture[str]) -> None:
    """The commands run in one process, since only reading is tested."""
    monkeypatch.chdir(tmp_path)
    for folder in ("games", "out"):
        Path(folder).mkdir()
    for name in ("immortal.pgn", "meijin.kif"):
        shutil.copy(RECORDED / name, "games")
    shutil.make_archive("packed", "zip", "games")
    for place in ("packed.zip", "games"):
        assert main(["convert", place, "out", "--to", "zsg"]) == 0
        assert [path.name for path in sorted(Path("out").iterdir())] == ["0001.zsg", "0002.zsg", "0003.zsg"]
        capsys.readouterr()
        assert main(["replay", place, "games/immortal.pgn", "out"]) == 0
        report = capsys.readouterr().out
        assert f"{place}/meijin.kif: 7 moves, all legal (Shogi)" in report and "8 saved games" in report
        assert f"{place}/immortal.pgn, game 2: 7 moves" in report
    assert main(["convert", "games", "--to", "fen", "--number", "9"]) == 1
    assert "games contains no game 9" in capsys.readouterr().err
    Path("none").mkdir()
    assert main(["convert", "none", "a.fen"]) == 1 and "none contains no saved game" in capsys.readouterr().err
    for option in ("--rules", "--game"):
        assert main(["convert", "games/immortal.pgn", "a.fen", option, "chess"]) == 0
        assert main(["replay", "games/immortal.pgn", option, "chess"]) == 0
    assert "immortal.pgn, game 2: 7 moves, all legal (Chess)" in capsys.readouterr().out
    for command in ("convert", "replay"):
        assert main([command, "--help"]) == 0
        words = capsys.readouterr().out
        assert "--rules" in words and "--game" not in words


def test_the_title_in_a_record_chooses_the_variant(tmp_path: Path) -> None:
    rules = tmp_path / "two.zrf"
    rules.write_text(LEAPERS.format(order="White Black", passes="false", after="") + """
      (variant (title "Other leapers") (board-setup (White (Man a1 c1 e2)) (Black (Man a5 c5 e5))))""", "utf-8")
    game = load(rules, "Other leapers")
    saved = record(game.start().playout(1, 6), "two.zrf", "HH")
    back = read_record(written(game, saved, "pgn", "x").decode(), "x.pgn", load(rules))
    assert (back.variant, texts(back)) == ("Other leapers", texts(saved))


def test_records_open_wherever_saved_games_do(tmp_path: Path) -> None:
    record_file = str(RECORDED / "immortal.pgn")
    assert "45 moves, all legal (Chess)" in zrf("replay", record_file).stdout
    board = zrf("play", "--load", record_file, stdin="quit\n").stdout
    assert "White won" in board
    mate = tmp_path / "mate.fen"
    mate.write_text("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n")
    assert "Ra8#" in zrf("analyse", "chess", "--position", str(mate), "--depth", "2").stdout
    other = tmp_path / "Chess.zrf"
    shutil.copy(ROOT / "rules" / "chess.zrf", other)
    assert "all legal" in zrf("replay", record_file, "--rules", str(other)).stdout
    assert "is a saved game, not rules" in zrf("show", record_file).stderr


@pytest.mark.parametrize("played", [["Man c1"], ["a1-b1", "c4-d4", "Pass"]])
def test_draughts_with_drops_or_passes_cannot_be_written_as_pdn(played: list[str]) -> None:
    """PDN has no notation for them."""
    game = loads("""(game (title "Odd") (players W B) (turn-order W B) (option "pass turn" true)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
        (directions (e 1 0) (w -1 0))))
      (piece (name Man) (moves (e add) (w add)) (drops ((verify empty?) add))) (piece (name King) (moves (e add)))
      (board-setup (W (Man a1 off 1)) (B (Man c4))))""")
    position = game.start()
    for text in played:
        position = position.play(text)
    with pytest.raises(ZrfError, match="passes or drops"):
        written(game, record(position, "odd.zrf", "HH"), "pdn", "odd")


def test_comments_of_a_kif_record_are_not_headers() -> None:
    """Comments, bookmarks, remarks of programs and the closing line are skipped, whatever their text."""
    text = "手合割：平手\n*a：b\n# c: d\n&e:f\n1 ７六歩(77)\n*1 ３四歩(33)\n2 ３四歩(33)\nまで2手で: g\n"
    score, = kif.read(text, "k")
    assert (score.tags, [move.text for move in score.moves]) == ({"手合割": "平手"}, ["７六歩(77)", "３四歩(33)"])
