"""Saved games, read and written in the format of the original program."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zrf_py
from tests.playing import RULES, slow
from zrf_py.cli.main import main
from zrf_py.play.formats.record_files import load_record
from zrf_py.play.game import load, loads
from zrf_py.play.players import random_turn
from zrf_py.play.replay import replay
from zrf_py.play.session import Session, read_controllers
from zrf_py.play.zsg import HEADER, Edit, Ply, SavedGame, read_game, record, save_game, write_game
from zrf_py.text.diagnostics import ZrfError

TEXT = """Zillions Save Game File Version 0.02 HC\r
RulesFile=Checker Games.zrf\r
VariantName=Turkish Dama\r
(x b6)\r
(White Checker b6)\r
1. Checker a3 - a4\r
1. Checker a6 - a5\r
(x a1)\r
2. partial 2 Checker c3 - c5 x c4\r
2. Pass\r
"""


def test_a_saved_game_is_written_as_it_was_read():
    assert write_game(read_game(TEXT)) == TEXT


def test_the_headers_of_a_saved_game_are_read():
    game = read_game(TEXT)
    assert (game.rules_file, game.variant, game.players) == ("Checker Games.zrf", "Turkish Dama", "HC")
    assert (len(game.entries), game.plies) == (7, 4)
    assert game.entries[0] == Edit("(x b6)", 4)
    assert game.entries[-1] == Ply(2, "Pass", 10)


@pytest.mark.parametrize("noise", ["\n", "\r\n", "\n\n\n", "\r\n  \r\n"])
def test_blank_lines_and_line_ends_do_not_matter(noise):
    text = TEXT.replace("\r\n", noise)
    assert [e.text for e in read_game(text).entries] == [e.text for e in read_game(TEXT).entries]


def test_extra_blanks_do_not_matter():
    assert read_game(TEXT.replace(" - ", "   -  ")).entries[2].text == "Checker a3 - a4"


@pytest.mark.parametrize("text", ["", "hello", "\x00\x01", "Zillions Save Game File Version 0.02 HC\nVariantName=x"])
def test_files_of_other_kinds_are_refused(text):
    with pytest.raises(ZrfError, match="not-a-saved-game"):
        read_game(text)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    try:
        read_game(TEXT + text)
        read_game(text)
    except ZrfError:
        pass


NAMES = st.text("abcXYZ-_?!09", min_size=1, max_size=8)
ENTRIES = st.lists(st.one_of(st.builds(lambda a, b: Edit(f"(x {a}{b})"), NAMES, NAMES),
                             st.builds(lambda n, a, b: Ply(n, f"{a} {a} - {b}"), st.integers(1, 99), NAMES, NAMES)))


@given(ENTRIES, st.text("HC", min_size=1, max_size=4))
def test_written_games_are_read_back(entries, players):
    game = SavedGame("a game.zrf", "A Title", players, tuple(entries))
    found = read_game(write_game(game))
    assert [type(e)(*([e.round] if isinstance(e, Ply) else []), e.text) for e in found.entries] == entries
    assert write_game(found) == write_game(game)


def test_a_file_is_replaced_atomically(tmp_path, monkeypatch):
    path = tmp_path / "game.zsg"
    save_game(path, read_game(TEXT))
    monkeypatch.setattr("os.replace", lambda a, b: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(ZrfError, match="No space left"):
        save_game(path, SavedGame("x", "y", "H", ()))
    assert path.read_bytes().decode() == TEXT
    assert list(tmp_path.iterdir()) == [path]


def saved(tmp_path, *lines):
    path = tmp_path / "game.zsg"
    path.write_text("\r\n".join([f"{HEADER} HH", "RulesFile=tictactoe.zrf", *lines, ""]), "cp1252", newline="")
    return path


@pytest.mark.parametrize(("line", "why"), [
    ("(X Marc b2)", "there is no piece `Marc`: did you mean `Mark`?"),
    ("(Z Mark b2)", "there is no player `Z`: the players are `X`, `O`"),
    ("(X Mark z9)", "there is no place `z9`: the places are "),
    ("(x z9)", "there is no place `z9`: "),
    ("(store X Mark 1000001)", "a store holds at most 1,000,000 pieces of one type"),
    ("(turn Y)", "there is no player `Y`: "), ("(Z Marc z9)", "write `(x square)`"), ("()", "write `(x square)`")])
def test_edits_with_unknown_names_are_reported(tmp_path, line, why):
    result = replay(load("tictactoe"), load_record(saved(tmp_path, line)))
    assert result.stop and result.stop.reason.startswith(f"`{line}` is not a valid change to the board; {why}")


def test_a_saved_game_without_a_variant_belongs_to_the_first_title(tmp_path):
    session = Session(load("tictactoe"), "tictactoe.zrf", [None, None], Random(1))
    session.load(saved(tmp_path, "VariantName=", "1. X Mark b2"))
    assert session.position.player == "O"


def test_a_byte_order_mark_is_ignored(tmp_path):
    path = saved(tmp_path, "VariantName=Tic-Tac-Toe", "1. X Mark b2")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_record(path).plies == 1


def test_records_send_no_control_characters_and_no_floods(tmp_path, capsys):
    for text in ("\x1b[31mhello", "X Mark \x00\x07", "X Mark " + "a" * 100_000):
        path = saved(tmp_path, f"1. {text}")
        assert main(["replay", str(path), "--rules", str(RULES / "tictactoe.zrf")]) == 1
        out = capsys.readouterr().out
        assert "stopped after 0 of 1 move\n" in out and all(c.isprintable() or c == "\n" for c in out)
        assert len(out) < 2_000


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(ZrfError, match="can't be read"):
        load_record(tmp_path / "nothing.zsg")


# --------------------------------------------------------------------------------------------------- games of the shelf


def played(name: str, seed: int, plies: int, variant: int | None = None) -> zrf_py.Position:
    """Return the position after some random moves."""
    game = zrf_py.load(name, variant)
    position = game.start()
    random = Random(seed)
    for _ in range(plies):
        if not (moves := position.moves()):
            break
        position = position.play(random.choice(moves))
    return position


@pytest.mark.parametrize("name", ["tictactoe", "checkers", "halma", *slow(["othello", "chess", "peg-solitaire"])])
def test_games_survive_saving(name):
    position = played(name, 1, 60)
    text = write_game(record(position, f"{name}.zrf", "HH"))
    result = replay(position.game, read_game(text))
    assert result.stop is None
    assert result.position.state.key() == position.state.key()
    assert write_game(record(result.position, f"{name}.zrf", "HH")) == text


ORDERS = """
(game (title "Orders") (players White Black) (turn-order White repeat Black White White)
  (move-priorities step jump)
  (board (grid (dimensions ("a/b/c/d" (9 0)) ("3/2/1" (0 9))) (directions (e 1 0) (w -1 0) (n 0 -1) (s 0 1))))
  (piece (name Man) (moves (move-type step) (e (add-partial step)) (n (add-partial jump)) (w (add-partial zig))
                           (s (add-partial apple)) (move-type zig) (w add)))
  (piece (name Rook) (moves (move-type apple) (n add)))
  (piece (name Stone) (moves (e add)))
  (board-setup (White (Stone a1)) (Black (Stone a3))))
"""


def test_rounds_follow_the_repeating_part_of_the_turn_order():
    position = loads(ORDERS).start()
    for move in ("a1 b1", "a3 b3", "b1 c1", "c1 d1", "b3 c3"):
        position = position.play(move)
    assert [entry.round for entry in record(position, "", "").entries if isinstance(entry, Ply)] == [1, 2, 2, 2, 3]


def test_an_edited_turn_is_taken_from_the_repeating_part():
    """In the repeating part, White has two turns in succession; before that part, Black follows White."""
    position = loads(ORDERS).position("(turn Black)\n(turn White)")
    assert [position.player, position.play("a1 b1").player] == ["White", "White"]


def test_legs_are_numbered_as_in_the_original_program():
    """The move types of the priorities come first, in reverse order; then those of the pieces, the last piece first."""
    texts = {move.text for move in loads(ORDERS).position("(x a1)\n(White Man b2)").moves()}
    assert texts == {"partial 1 Man b2 - b3", "partial 2 Man b2 - c2", "partial 3 Man b2 - b1", "partial 4 Man b2 - a2"}


def test_header_lines_below_the_moves_are_ignored():
    found = read_game(TEXT + "VariantName=Another\r\nRulesFile=other.zrf\r\n")
    assert (found.variant, found.rules_file, found.plies) == ("Turkish Dama", "Checker Games.zrf", 4)


def test_round_numbers_grow_one_at_a_time():
    position = played("halma", 3, 30, variant=1)
    saved = record(position, "halma.zrf", "HHHH")
    rounds = [e.round for e in saved.entries if isinstance(e, Ply)]
    assert rounds[0] == 1
    assert all(b - a in (0, 1) for a, b in pairwise(rounds))


def test_edits_are_saved():
    game = zrf_py.load("tictactoe")
    position = game.position("(X Mark a1)\n(O Mark b2)").play("c3").edited("(x a1)")
    texts = [e.text for e in record(position, "tictactoe.zrf", "HH").entries]
    assert texts == ["(X Mark a1)", "(O Mark b2)", "X Mark c3", "(x a1)"]


# ------------------------------------------------------------------------------------------------------------- sessions


def session(name: str, players: str = "human") -> Session:
    game = zrf_py.load(name)
    return Session(game, f"{name}.zrf", read_controllers(game, players), Random(1))


def test_moves_are_undone_and_redone():
    s = session("tictactoe")
    s.play("a1")
    s.play("b1")
    assert (s.undo(), s.undo(), s.undo()) == (1, 1, 0)
    assert (s.redo(), s.redo(), s.redo()) == (1, 1, 0)
    assert len(s.position.moves()) == 7


def test_undo_against_a_computer_takes_a_whole_turn():
    s = session("tictactoe", "human,random")
    s.play("a1")
    for move in s.choose():
        s.play(move)
    assert s.undo() == 2
    assert s.position.move is None


def test_a_computers_first_move_cannot_be_undone():
    s = session("tictactoe", "random,human")
    for move in s.choose():
        s.play(move)
    here = s.position
    assert s.undo() == 0
    assert s.position is here


def test_loading_another_game_changes_nothing(tmp_path: Path):
    s = session("tictactoe")
    s.play("a1")
    here = s.position
    (tmp_path / "game.zsg").write_text(TEXT)
    with pytest.raises(ZrfError, match="other-game"):
        s.load(tmp_path / "game.zsg")
    assert s.position is here


def test_the_greedy_player_takes_and_prevents_wins():
    s = session("tictactoe", "greedy")
    for move in ("a1", "b1", "a2", "b3"):
        s.play(move)
    assert [m.text for m in s.choose()] == ["X Mark a3"]
    s = session("tictactoe", "greedy")
    for move in ("a1", "c3", "a2"):
        s.play(move)
    assert [m.text for m in s.choose()] == ["O Mark a3"]


def test_the_greedy_player_captures_undefended_pieces():
    s = session("chess", "greedy")
    for move in ("e2 e4", "d7 d5", "a2 a3", "d8 d6", "a3 a4", "d6 f4"):
        s.play(move)
    before = sum(owner == "Black" for owner, _ in s.position.pieces().values())
    for move in s.choose():
        s.play(move)
    assert sum(owner == "Black" for owner, _ in s.position.pieces().values()) == before - 1


def test_the_greedy_player_brings_men_home():
    s = session("halma", "greedy")
    for _ in range(12):
        for move in s.choose():
            s.play(move)
    assert sum(name[0] in "fghijk" for name in s.position.pieces()) > 3


def test_random_turns_end():
    game = zrf_py.load("halma")
    state = game.start().state
    for _ in range(20):
        for leg in random_turn(game.engine, state, Random(5)):
            state = game.engine.after(state, leg)
        assert state.chain is None


def test_a_ply_number_of_thousands_of_digits_is_read(tmp_path):
    path = tmp_path / "long.zsg"
    path.write_text(f"Zillions Save Game File Version 0.02 HC\nRulesFile=tictactoe.zrf\n{'1' * 5000}. X Mark a1\n")
    assert [entry.text for entry in load_record(path).entries] == ["X Mark a1"]


LEGS = """
(game (title "Legs") (players White Black) (turn-order White Black) (option "pass partial" true)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("2/1" (0 9))) (directions (e 1 0))))
  (piece (name Man) (moves (e (verify empty?) (add-partial))))
  (board-setup (White (Man a1)) (Black (Man a2))))
"""


def test_legs_of_a_turn_share_the_round_number(tmp_path: Path) -> None:
    rules = tmp_path / "legs.zrf"
    rules.write_text(LEGS, "utf-8")
    position = zrf_py.load(rules).start()
    for leg in ("a1 b1", "b1 c1", "Pass", "a2 b2", "Pass", "c1 d1"):
        position = position.play(leg)
    rounds = [entry.round for entry in record(position, "legs.zrf", "HH").entries if isinstance(entry, Ply)]
    assert rounds == [1, 1, 1, 1, 1, 2]


def test_a_saved_game_is_synced_before_it_replaces_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "game.zsg"
    path.write_text("before")
    done: list[str] = []

    def sync(handle: int) -> None:
        done.append(f"{os.fstat(handle).st_size} synced, {path.read_text()}")

    monkeypatch.setattr("zrf_py.paths.os.fsync", sync)
    save_game(path, read_game(TEXT))
    assert done == [f"{len(TEXT)} synced, before"]
    assert path.read_bytes().decode() == TEXT


def test_only_players_with_turns_have_a_seat_and_a_letter() -> None:
    """`?Dice` has turns and moves at random; `Nobody` and `?Grey`, whose piece Black moves, have none."""
    game = zrf_py.loads("""
        (game (title "Seats") (players Nobody White Black ?Dice ?Grey) (turn-order (?Dice White) White (Black ?Grey))
          (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1/2/3" (0 9))) (directions (n 0 1))))
          (piece (name Man) (moves (n add))) (board-setup (White (Man a1)) (?Grey (Man c1))))""")
    controllers = read_controllers(game, "human")
    assert controllers == {"White": "human", "Black": "human", "?Dice": "random"}
    assert game.players == ("White", "Black", "?Dice")
    assert record(game.start(), "seats.zrf", [*controllers.values()]).players == "HHC"
    assert not Session(game, "seats.zrf", controllers, Random(1)).has_computers
    assert Session(game, "seats.zrf", read_controllers(game, "human,ai:1"), Random(1)).has_computers


def test_changes_of_the_board_are_not_plies() -> None:
    game = load("tictactoe")
    position = game.start().edited("(X Mark a1)").play("b2")
    found = replay(game, read_game(write_game(record(position, "tictactoe.zrf", "HH"))))
    assert found.stop is None and found.plies == 1
