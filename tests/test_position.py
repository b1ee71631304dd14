"""Positions and moves in the Python API: structure, text, equality, pickling, random games, counting."""

from __future__ import annotations

import os
import pickle
import random
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

import zrf_py
from tests.playing import RULES, games, slow
from zrf_py.compile import compile_source
from zrf_py.library import find, includer, load_file, read_source
from zrf_py.play.game import Game, Move, Position, load, loads
from zrf_py.play.lazy import lazy
from zrf_py.play.packing import pack
from zrf_py.play.perft import divide, perft
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Report, ZrfError

FILES = sorted(RULES.rglob("*.zrf"))
QUICK = ["tictactoe", "chess", "checkers", "shogi", "othello", "nine-mens-morris", "cat-and-mouse"]


def walk(game: Game, plies: int, seed: int) -> Iterator[tuple[Position, Move, Position]]:
    """Play a random game: yield each position, the move played, and the position after it."""
    choose, position = random.Random(seed).choice, game.start()
    for _ in range(plies):
        moves = position.moves()
        if not moves or position.outcome():
            return
        after = position.play(move := choose(moves))
        yield position, move, after
        position = after


def test_a_move_empties_the_first_of_two_places_with_one_name() -> None:
    game = zrf_py.loads("""
(game (title "Twice") (players White Black) (turn-order White Black)
  (board (grid (dimensions ("a/b/a" (9 0))) (directions (e 1))) (kill-positions a))
  (piece (name Man) (moves (e add))) (board-setup (White (Man b))))""")
    assert [move.text for move in game.start().moves()] == ["Man b - a"]


# --------------------------------------------------------------------------------------------------------------- moves


def check_structure(before: Position, move: Move, after: Position) -> None:
    """Check that the attributes of a move describe its effects on the board."""
    old, new = before.pieces(), after.pieces()
    assert len(new) == len(old) - len(move.captures) + len(move.placed), move.text
    assert all(square in old or square in {move.start, *(m for m in _ends(move))} for square in move.captures)
    changed = {square for square in old | new if old.get(square) != new.get(square)}
    assert changed <= {word for part in move.parts for word in part}, move.text
    if move.is_pass:
        assert (move.start, move.end, move.captures, move.parts) == (None, None, (), ())
    if move.is_drop:
        assert move.start is None and move.end in move.placed
    if move.start and move.piece and move.raw.movements:
        assert old[move.start][1] == move.piece
        if move.end and not move.captures and not _end_is_busy(move):
            assert new[move.end][1] == (move.becomes or move.piece)
    assert pickle.loads(pickle.dumps(move)) == move


def _ends(move: Move) -> list[str]:
    return [part[-1] for part in move.parts if part[0] == "move"]


def _end_is_busy(move: Move) -> bool:
    """Return whether the square where the first man arrives is changed in other ways as well."""
    return [word for part in move.parts for word in part].count(move.end or "") > 1


def check_text(position: Position) -> None:
    """Check that the text of a position is one line, and is read as the same position."""
    read = position.game.read(position.text)
    assert read.text == position.text and read == position and hash(read) == hash(position)
    assert [m.text for m in read.moves()] == [m.text for m in position.moves()]
    for field in fields(position.state):
        if field.name not in ("last_from", "last_to", "made", "legs", "taken", "origin", "piece"):
            assert getattr(read.state, field.name) == getattr(position.state, field.name), field.name
    assert "\n" not in position.text


@pytest.mark.parametrize("name", [QUICK[0], *slow(QUICK[1:2]), QUICK[2], *slow(QUICK[3:])])
def test_moves_and_texts_of_games_are_consistent(name: str) -> None:
    for before, move, after in walk(load(name), 60, 5):
        check_structure(before, move, after)
        check_text(before)


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_moves_and_texts_of_every_title_are_consistent(path: Path) -> None:
    for number, game in enumerate(games(load_file(path))):
        for before, move, after in walk(game, 4 if number else 12, 3):
            check_structure(before, move, after)
            check_text(before)


def test_promotion_castling_and_en_passant_are_found_and_described() -> None:
    game = load("chess")
    start = game.start()
    passing = start.play("e2e4").play("a7a6").play("e4e5").play("d7d5").find("e5 d6")
    assert (passing.start, passing.end, passing.piece, passing.captures) == ("e5", "d6", "Pawn", ("d5",))
    promotion = game.read("White King e1; White Pawn a7; Black King h8; Black Rook b8 | turn White").find("a7b8q")
    assert (promotion.becomes, promotion.captures, promotion.player) == ("Queen", ("b8",), "White")
    position = start
    for text in ("g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7"):
        position = position.play(text)
    assert [part[2:] for part in position.find("e1g1").parts if part[0] == "move"] == [
        ("e1", "-", "g1"), ("h1", "-", "f1")]


def test_a_move_of_another_position_is_refused() -> None:
    start = load("chess").start()
    move = start.find("e2e4")
    after = start.play(move)
    with pytest.raises(ZrfError, match="a move of another position"):
        after.play(move)
    with pytest.raises(ZrfError, match="a move of another position"):
        after.play(load("tictactoe").start().moves()[0])


# ---------------------------------------------------------------------------------------------------- text and equality


def test_the_text_of_a_position_is_readable() -> None:
    position = load("tictactoe").start()
    assert position.text == "empty | turn X 0"
    assert load("tictactoe").read(position.text) == load("tictactoe").read(" | turn X 0") == position
    assert position.play("b2").play("a1").text == (
        "X Mark b2; O Mark a1 | turn X 0 | store X Mark 4 | store O Mark 3 | mover O")


def test_texts_of_positions_are_read_leniently() -> None:
    position = load("tictactoe").read("X Mark a1  b2;O Mark c2|turn X")
    assert position.pieces() == {"a1": ("X", "Mark"), "b2": ("X", "Mark"), "c2": ("O", "Mark")}
    assert str(position.play("c3").outcome()).startswith("X won")


@pytest.mark.parametrize(("text", "said"), [
    ("Whit King e1", r"no `Whit`.*did you mean `White`"), ("White King z9", "no `z9`"),
    ("White King e1 e1", r"\(field 1\) lists `e1` twice"),
    ("White King e1; White Pawn a2 e1", r"`White King e1; White Pawn a2 e1` \(field 1\) lists `e1` twice"),
    ("White King e1 | turn White | @never-moved? e1 a1 e1", r"`@never-moved\? e1 a1 e1` \(field 3\) lists `e1` twice"),
    ("| out White White", r"\(field 2\) lists `White` twice"),
    ("| over checkmate | won Black Black", r"\(field 3\) lists `Black` twice"),
    ("| chain e4 | began White King e4; Black King e4", r"\(field 3\) lists `e4` twice"),
    ("White King", "not part"),
    ("| turn Blak", "`Blak`"), ("| turn White 1", r"\(field 2\).*write `turn PLAYER N`, where N counts the turn order"),
    ("| turn White 99", "not part"), ("| hello", "`hello`"), ("White King e1 |", r"\(field 2\).* it is empty"),
    ("White King e9", "no `e9`.*players are `White`, `Black`; pieces are .*; squares are `a8`, .* and 60 more"),
    ("| turn Green", "players are `White`, `Black`"), ("| made -1", "write `made N…`, a number from 0 for each player"),
    ("| chain e2 x y", "players are"), ("| last e2", "write `last SQUARE SQUARE`"),
    ("| store White Pawn many", "many"), ("| store White Pawn 2147483648", "numbers go from -2,147,483,647"),
    ("White hand Pawn 1 | turn White", "did you mean `store`"),
    ("| chain", "not part"), ("| won White", "not part"), ("|" * 9, "not part"),
])
def test_invalid_texts_of_positions_are_refused(text: str, said: str) -> None:
    with pytest.raises(ZrfError) as error:
        load("chess").read(text)
    assert re.search(said, str(error.value) + "; ".join(d.help for d in error.value.diagnostics))


@pytest.mark.parametrize("seed", range(20))
def test_damaged_texts_are_read_or_refused(seed: int) -> None:
    """The result is always a position or one clear message."""
    chance, game = random.Random(seed), load("checkers")
    text = list(game.start().playout(seed, 20).text)
    for _ in range(chance.randrange(1, 6)):
        text[chance.randrange(len(text))] = chance.choice("|; a1@%é-9\t")
    try:
        game.read("".join(text))
    except ZrfError as error:
        assert [d.code for d in error.diagnostics] == ["bad-position"]


@pytest.mark.parametrize(("name", "first", "again"), [
    ("chess", "turn White", "turn Black"), ("chess", "turn White 0", "turn White 0"),
    ("chess", "@never-moved? e1", "@never-moved? e8"), ("shogi", "store Sente Pawn 1", "store Sente Pawn 2"),
    ("chess", "mover White", "mover Black"), ("chess", "last e7 e5", "last e2 e4"),
    ("chess", "over checkmate", "over stalemate"),
])
def test_a_repeated_field_is_refused(name: str, first: str, again: str) -> None:
    game = load(name)
    whole = game.start().text.split(" | ")[0]
    game.read(f"{whole} | {first}")
    with pytest.raises(ZrfError) as error:
        game.read(f"{whole} | {first} | {again}")
    [problem] = error.value.diagnostics
    assert problem.code == "bad-position"
    assert problem.message.startswith(f"`{again}` (field 3) comes after `{first}`, but a position of ")


def test_transpositions_reach_equal_positions() -> None:
    start = load("connect-four").start()
    one = start.play("d1").play("c1").play("e1")
    other = start.play("e1").play("c1").play("d1")
    assert one == other and len({one, other, start}) == 2 and one != start and one != "d1"
    assert one.text == other.text and one.previous != other.previous
    chess = load("chess").start()
    assert chess.play("e2e4") != chess.play("e2e3").play("a7a6"), "another player to move"


def test_positions_that_the_rules_do_not_distinguish_are_equal() -> None:
    position = load("connect-four").start().play("d1")
    moved = position.at(replace(position.state, last_from=3, last_to=4))
    assert moved == position and moved.text == position.text
    passing = load("chess").start().play("e2e4")
    assert passing.at(replace(passing.state, last_from=-1, last_to=-1)) != passing, "it may be taken in passing"


# ------------------------------------------------------------------------------------------------------------ pickling


def test_positions_are_pickled_with_their_history() -> None:
    position = load("tictactoe").start().play("b2").play("a1").play("c2").edited("(x a1)")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.change == "(x a1)" and again.game is position.game
    assert [p.text for p in again.line()] == [p.text for p in position.line()]
    assert again.previous.move == position.previous.move  # type: ignore[union-attr]
    assert again.moves() == position.moves()


def test_long_games_are_pickled() -> None:
    position = load("chess").start().playout(1, 300)
    assert len(list(position.line())) > sys.getrecursionlimit() // 4
    again = pickle.loads(pickle.dumps(position))
    assert again.repetitions == position.repetitions and again.outcome() == position.outcome()


def test_pickles_are_read_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "position"
    position = load("chess").start().play("e2e4")
    path.write_bytes(pickle.dumps([position, position.play("e7e5")]))
    code = ("import pickle, sys; a, b = pickle.load(open(sys.argv[1], 'rb')); import zrf_py\n"
            "assert a.game is b.game and a == zrf_py.load('chess').start().play('e2e4'); print(b.text)")
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == position.play("e7e5").text


def test_pickles_are_small() -> None:
    """A bundled game is stored once, as its name, and a move that occurs several times is stored once."""
    start = load("chess").start()
    assert len(pickle.dumps(start)) < 2_000
    last = start.playout(seed=1, max_plies=100)
    assert len(pickle.dumps(list(last.line()))) < 40_000 and len(pickle.dumps(last)) < 10_000


def test_edited_state_is_pickled() -> None:
    """A state set by `at` can't be restored by replaying moves."""
    start = load("tictactoe").start()
    put = start.play("b2").at(start.play("a1").state)
    after = put.play("c3")
    again = pickle.loads(pickle.dumps(after))
    assert again.text == after.text and again.previous.text == put.text != start.play("b2").text


KEYS = """
import sys, zrf_py
for line in sys.stdin.read().splitlines():
    name, text = line.split(":", 1)
    print(zrf_py.load(name).read(text).key)
"""


@pytest.mark.slow
def test_keys_are_the_same_in_every_process_and_for_equal_positions() -> None:
    lines, keys = [], []
    for name in ("chess", "tictactoe", "shogi", "halma"):
        game = load(name)
        for position in game.start().playout(seed=2, max_plies=30).line():
            lines.append(f"{name}:{position.text}")
            keys.append(position.key)
            assert 0 <= position.key < 1 << 64 and game.read(position.text).key == position.key
    assert len(set(keys)) == len(set(lines)) > 100
    done = subprocess.run([sys.executable, "-c", KEYS], input="\n".join(lines), capture_output=True, text=True,
                          check=True, env={**os.environ, "PYTHONHASHSEED": "5"})
    assert [int(key) for key in done.stdout.split()] == keys


def test_equal_positions_share_a_key_unless_their_rules_differ() -> None:
    start = load("chess").start()
    ways = [["e2e3", "e7e6", "d2d3"], ["d2d3", "e7e6", "e2e3"]]
    one, other = (start.play(a).play(b).play(c).play("d7d6") for a, b, c in ways)
    assert one == other and one.key == other.key
    text = (find("tictactoe")).read_text("utf-8")
    first, second = (loads(t).start() for t in (text, text.replace("Tic-Tac-Toe", "Noughts")))
    assert first.text == second.text and first.key != second.key


def test_playing_does_not_change_the_packed_rules() -> None:
    played, fresh = load("chess"), load("chess")
    played.start().play("e2e4").perft(3)
    assert played.packed == fresh.packed and played.digest == fresh.digest


@pytest.mark.parametrize("name", ["checkers", *slow(["chess", "halma"])])
def test_packed_rules_are_the_same_whether_compiled_or_cached(name: str) -> None:
    """Shared strings and the insertion order of sets do not affect the packed rules."""
    path, report = find(name), Report()
    compiled = compile_source(read_source(path), includer(path, report), report)
    kept = load_file(name).programs
    assert [pack(program) for program in compiled] == [pack(program) for program in kept]
    assert len({zlib.crc32(pack(program)) for program in kept}) == len(kept)


# -------------------------------------------------------------------------------------------------------- many at once


@pytest.mark.slow
def test_random_games_depend_only_on_the_seed() -> None:
    game = load("connect-four")
    found = game.playouts(2000, seed=3)
    assert found == game.playouts(2000, seed=3) != game.playouts(2000, seed=4)
    assert found.games == 2000 == sum(found.won.values()) + found.drawn and found.cut_off == 0
    assert found.won[game.players[0]] > 1050, "who begins has the better chances"
    winning = game.start().play("d1").play("a1").play("d2").play("a2").play("d3").play("a3")
    assert winning.playouts(500).won[winning.player] > found.won[winning.player] / 4 + 20
    with pytest.raises(ZrfError, match="over"):
        winning.play("d4").playouts(10)
    with pytest.raises(ZrfError, match="`games` can't be 0"):
        game.playouts(0)


def test_a_single_random_game_can_be_inspected() -> None:
    start = load("tictactoe").start()
    end = start.playout(seed=5)
    assert end.outcome() and end == start.playout(seed=5)
    assert list(end.line())[-1] is start and 6 <= len(list(end.line())) <= 10
    assert start.playout(5, max_plies=3).outcome() is None


PACING = """(game (title "Pacing") (players A) (turn-order A) (board (grid (start-rectangle 0 0 9 9)
    (dimensions ("a/b/c" (9 0)) ("1" (0 9))) (directions (e 1 0) (w -1 0))))
    (piece (name P) (moves (e add) (w add))) (board-setup (A (P a1))))"""


def test_random_games_without_an_end_are_cut_off() -> None:
    """They are cut off after 2,000 legs, or after `max_plies`."""
    game = loads(PACING)
    last = game.start().playout(seed=1)
    assert sum(1 for _ in last.line()) - 1 == 2_000 and last.outcome() is None
    for found in (game.playouts(3), game.start().playouts(3)):
        assert (found.games, found.cut_off, found.plies) == (3, 3, 6_000)
    assert game.playouts(3, max_plies=7).plies == 21



@pytest.mark.slow
def test_perft_counts_moves_or_turns() -> None:
    start = load("chess").start()
    assert [start.perft(depth) for depth in range(5)] == [1, 20, 400, 8902, 197281]
    assert load("halma").start().perft(2, turns=True) > 0


def test_no_turn_continues_from_an_empty_square() -> None:
    text = "White Amazon a4; Black Amazon a7 | turn White 0 | chain e3 shot | began White Amazon g1"
    assert not load("amazons").read(text).moves()


def test_a_notebook_shows_the_board() -> None:
    position = load("tictactoe").start()
    assert position._repr_svg_().startswith("<svg") and "X to move" in position._repr_html_()
    end = position.playout(1)
    assert str(end.outcome()) in end._repr_html_().replace("&amp;", "&")
    assert repr(position) == "<Position of Tic-Tac-Toe: empty | turn X 0>"


def test_dir_lists_the_names_of_the_package() -> None:
    assert set(zrf_py.__all__) <= set(dir(zrf_py))


def test_features_equal_the_observations_of_a_fleet() -> None:
    np = pytest.importorskip("numpy")
    from zrf_py.envs import Fleet, features

    with Fleet("checkers", 1, seed=2) as fleet:
        for _ in range(20):
            fleet.step(fleet.sample())
        np.testing.assert_array_equal(features(fleet.position(0)), fleet.observation[0])
    start = load("chess").start()
    assert (features(start, "Black")[0] != features(start)[0]).any()


def test_a_shared_counter_has_one_value() -> None:
    rules = '''(version "zrf+") (game (title "Die") (players White Black) (turn-order White Black) (counter die)
        (board (grid (dimensions ("a/b/c" (1 0)) ("1" (0 1))) (directions (e 1 0))))
        (piece (name Man) (moves (e (verify (equal? (counter die) 4)) add))) (board-setup (White (Man a1))))'''
    game = loads(rules)
    position = game.read("White Man a1 | turn White | counter die 4")
    assert [move.text for move in position.moves()] == ["Man a1 - b1"]
    assert game.read("White Man a1 | turn White | counter die 4 0").text == position.text
    with pytest.raises(ZrfError, match="counter die 4 4 4"):
        game.read("White Man a1 | counter die 4 4 4")


@pytest.mark.parametrize("name", ["tictactoe", "checkers"])
@pytest.mark.parametrize("turns", [False, True])
def test_perft_reports_counts_in_progress_and_splits_them_by_first_move(name: str, turns: bool) -> None:
    """The reported counts and the counts of each first move add up to the whole, both with the interpreter and with the
    engine of the game, which may count by itself."""
    game = load(name)
    state, rules = game.start().state, Rules(game.program)
    for depth in (0, 1, 2, 3):
        whole = perft(rules, state, depth, turns)
        for engine in (rules, game.engine):
            told: list[int] = []
            assert perft(engine, state, depth, turns, told.append) == whole
            assert sum(told) == (whole if depth else 0)
            if depth:
                parts = list(divide(engine, state, depth, turns))
                assert sum(count for _, count in parts) == whole and len(parts) == perft(rules, state, 1, turns)
    assert perft(rules, state, -1) == 1 and perft(rules, state, 2) == {"tictactoe": 72, "checkers": 49}[name]


def test_a_move_is_equal_to_the_same_move_of_another_list() -> None:
    start = load("tictactoe").start()
    one, other = start.moves(), load("tictactoe").start().moves()
    assert [a == b and hash(a) == hash(b) for a, b in zip(one, other, strict=True)] == [True] * 9
    assert len({*one, *other}) == 9 and one[0] != one[1] and one[0] != one[0].text
    assert repr(one[0]) == f"Move({one[0].text!r})" and str(one[0]) == one[0].text
    assert start.__eq__(3) is NotImplemented and one[0].__eq__(3) is NotImplemented


def test_random_games_are_tallied_by_winner() -> None:
    """Each game counts once: as won by one player, as drawn, or as cut off."""
    start = load("tictactoe").start()
    found = start.playouts(60, 5)
    assert found.games == 60 == sum(found.won.values()) + found.drawn + found.cut_off and found.cut_off == 0
    assert set(found.won) == {"X", "O"} and found.won["X"] > found.won["O"] > 0 < found.drawn
    assert 60 * 5 <= found.plies <= 60 * 9
    cut = start.playouts(60, 5, 4)
    assert (cut.cut_off, cut.drawn, sum(cut.won.values()), cut.plies) == (60, 0, 0, 240)
    end = start
    for move in ("b2", "a1", "b1", "a2", "b3"):
        end = end.play(move)
    with pytest.raises(ZrfError, match="over"):
        end.playouts(1)


def test_the_history_of_a_position_begins_with_the_oldest() -> None:
    positions = [load("tictactoe").start()]
    for move in ("b2", "a1", "c3"):
        positions.append(positions[-1].play(move))
    last = positions[-1]
    assert [p.text for p in last.line()] == [p.text for p in reversed(positions)]
    assert last.earlier() == [p.state for p in positions[:-1]] and positions[0].earlier() == []
    legs = [p.move.raw for p in positions[1:] if p.move]
    assert [m.text for m in positions[0].named(legs)] == [p.move.text for p in positions[1:] if p.move]


def test_lazy_attributes_are_computed_once() -> None:
    """A value of None is computed once, too, but after an exception the attribute is computed again. On the class, the
    attribute is the descriptor."""
    computed = []

    class Holder:
        @lazy
        def nothing(self) -> None:
            """A value."""
            computed.append(self)

        @lazy
        def failing(self) -> int:
            computed.append(self)
            raise ValueError

    holders = Holder(), Holder()
    for holder in holders * 2:
        assert holder.nothing is None and vars(holder) == {"nothing": None}
    assert computed == list(holders)
    for _ in range(2):
        with pytest.raises(ValueError):
            holders[0].failing  # noqa: B018
    assert len(computed) == 4
    assert isinstance(Holder.nothing, lazy) and (Holder.nothing.__doc__, Holder.nothing.name) == ("A value.", "nothing")
