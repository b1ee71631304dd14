"""Moves counted and drawn by sets of squares are those that the interpreter finds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from zrf_py import load, loads
from zrf_py.data import data_file
from zrf_py.ir.ops import Program
from zrf_py.library import load_file
from zrf_py.run.playouts import Playouts
from zrf_py.run.position import Move, Position
from zrf_py.run.rules import Rules

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from tests.benchmarks import sizes
from zrf_py.native import Native
from zrf_py.native import code as machine
from zrf_py.native.bitboards import bits, counting
from zrf_py.native.bitboards.graph import Graph
from zrf_py.native.kernel import masks
from zrf_py.native.kernel.masks import Setting, setting
from zrf_py.native.layout import lay_out
from zrf_py.native.records import decode

BY_SETS = ("breakthrough", "checkers", "connect-four", "five-in-a-row", "halma", "othello", "tictactoe")
"""Files whose first game is known to be sayable in sets."""


def native(program: Program) -> Native:
    found = Native(program, compiled=True)
    found.border.load(found.start())
    return found


def drawn(engine: Native, position: Position, legal: Sequence[Move]) -> list[Move]:
    """Return every move record that can be drawn, in any order within a block, perhaps twice. Passes come last; they
    are counted, but never drawn."""
    engine.border.load(position)
    code = engine.machine.code
    count = code.function("count_legal", 0)()
    side = engine.program.game.turns[position.turn].side
    found = [move for move in legal if move.is_pass]
    for left in range(count - len(found)):
        engine.border.load(position)
        code.function("count_legal", 0)()
        engine.machine.state.random = left * 7919 + 1
        base = code.function("draw", 1)(left)
        if base >= 0:
            found += decode(engine.machine.records[base:engine.machine.state.top].tobytes(), side)
        else:
            found.append(Move(side))
    return found


def key(move: Move) -> tuple[object, ...]:
    return move.movements, move.effects, move.captures, move.partial, move.is_pass


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_SETS)
def test_counted_and_drawn_moves_are_legal(name: str) -> None:
    program = load_file(data_file("rules") / f"{name}.zrf").programs[0]
    engine = native(program)
    assert engine.machine.layout is not None and engine.machine.layout.tables["setting"][masks.Setting.sets]
    choose = random.Random(4)
    position = engine.start()
    for _ in range(60):
        legal = engine.rules.moves(position)
        if not legal or engine.rules.outcome(position) is not None:
            position = engine.start()
            continue
        engine.border.load(position)
        assert engine.machine.code.function("count_legal", 0)() == len(legal), str(position)
        found = drawn(engine, position, legal)
        # A block may write several records, of which one is drawn each time.
        assert {key(move) for move in found} <= {key(move) for move in legal}
        if all(len(move.movements) == 1 and not move.captures and not move.effects for move in legal):
            assert sorted(map(repr, map(key, found))) == sorted(map(repr, map(key, legal)))
        position = engine.rules.after(position, choose.choice(legal))


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(data_file("rules").glob("*.zrf")), ids=lambda path: path.stem)
def test_counts_equal_the_numbers_of_moves(path: Path) -> None:
    """Throughout a random game, sets and lists count as many moves as the interpreter."""
    program = load_file(path).programs[0]
    plain = Native(program)
    layout = plain.machine.layout
    if layout is None or layout.params.must_finish or not machine.is_small(layout):
        return
    engine = native(program)
    assert engine.machine.layout is not None
    setting = engine.machine.layout.tables["setting"]
    if not (setting[masks.Setting.sets] or setting[masks.Setting.counts]):
        return
    choose = random.Random(9)
    position = engine.start()
    for _ in range(40):
        legal = plain.moves(position)
        if not legal or position.result is not None:
            return
        engine.border.load(position)
        assert engine.machine.code.function("count_legal", 0)() == len(legal)
        position = engine.rules.after(position, choose.choice(legal))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["halma", "five-in-a-row", "checkers"])
def test_sets_of_several_words_play_the_same_games_as_one_number(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:
    program = load_file(data_file("rules") / f"{name}.zrf").programs[0]
    found = []
    for widest in (bits.WIDEST, 0):
        monkeypatch.setattr(bits, "WIDEST", widest)
        monkeypatch.setenv("ZRF_CACHE", str(tmp_path / str(widest)))
        engine = native(program)
        found.append((engine.playouts(40, 5, 600), engine.perft(engine.start(), 3)))
    assert found[0] == found[1]
    assert found[0][0].plies > 1000


STRIDES = """(game (title "Strides") (players White Black) (turn-order White Black)
 (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g/h/i" (9 0)) ("9/8/7/6/5/4/3/2/1" (0 9)))
   (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0) (se 1 1) (nw -1 -1))))
 (define step ($1 (verify empty?) add))
 (piece (name Man) (moves (step n) (step s) (step e) (step w) (step se) (step nw)))
 (board-setup (White (Man a9 i9 h3 d2 e2)) (Black (Man a1 i1 b7 f2 c2)))
 (loss-condition (White Black) stalemated))"""


def test_sets_cross_the_border_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """81 squares take two words of a vector; square 63 is a2, and c2 to f2 are beside it. No other test may compile
    these rules: the cache does not know `WIDEST`."""
    monkeypatch.setattr(bits, "WIDEST", 0)
    program = loads(STRIDES).program
    engine, rules = native(program), Rules(program)
    assert engine.machine.layout is not None and engine.machine.layout.tables["setting"][masks.Setting.sets]
    position, choose = engine.start(), random.Random(2)
    for _ in range(40):
        legal = rules.moves(position)
        engine.border.load(position)
        assert engine.machine.code.function("count_legal", 0)() == len(legal)
        assert {key(move) for move in drawn(engine, position, legal)} == {key(move) for move in legal}
        position = rules.after(position, choose.choice(legal))


@pytest.mark.parametrize("name", ["tictactoe", "five-in-a-row", "breakthrough", "booklet/gomoku"])
def test_random_games_are_the_same_with_and_without_records(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = load(name).program

    def played() -> tuple[bool, list[Playouts]]:
        lay_out.cache_clear()
        layout = machine.common(program, lay_out(program))
        engine = Native(program)
        games = [engine.playouts(30, 5, most) for most in (7, 5000)]
        return bool(Setting.over(layout.tables[setting.name]).simple), games

    is_simple, without = played()
    monkeypatch.setattr(counting, "_simplify", lambda *facts: {})
    is_still_simple, recorded = played()
    assert is_simple and not is_still_simple
    assert without == recorded




@pytest.mark.slow
def test_a_board_of_sixteen_thousand_squares_is_compiled() -> None:
    program = sizes.program("breakthrough", 128)
    engine = native(program)
    assert engine.machine.layout is not None and engine.machine.layout.tables["setting"][masks.Setting.sets]
    assert engine.perft(engine.start(), 1) == len(engine.rules.moves(engine.start())) == 3 * 128 - 2
    assert engine.playouts(1, 1, 2000).plies == 2000


TYPES = """
(game (title "Types") (players White Black) (turn-order (White a) Black (White b) (Black a))
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("4/3/2/1" (0 9)))
               (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (move-type a) (n (verify (not-piece? Rook)) (verify not-friend?) add) (w e add)
                           (move-type b) (e (verify empty?) add) ((verify enemy?) w add)))
  (piece (name Rook) (moves (move-type a) (w (verify (piece? Man)) (verify enemy?) add) (w (verify empty?) add)
                            (move-type b) (s (verify empty?) (add-partial a))
                           (n (verify (piece? Rook)) (verify enemy?) add)))
  (board-setup (White (Man a1 b2 e1) (Rook c1 d2)) (Black (Man a4 c3 e4) (Rook b4 d4))))
"""


def test_types_of_pieces_and_of_moves_match_the_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "types.zrf"
    path.write_text(TYPES, "utf-8")
    program = load_file(path).programs[0]
    engine = native(program)
    assert engine.machine.layout is not None and engine.machine.layout.tables["setting"][masks.Setting.sets]
    choose, position, counts = random.Random(1), engine.start(), []
    for _ in range(80):
        legal = engine.rules.moves(position)
        following = [engine.rules.after(position, move) for move in legal]
        assert engine.perft(position, 2) == sum(len(engine.rules.moves(after)) for after in following)
        counts.append(len(legal))
        if len(counts) % 8 == 1:
            assert {key(move) for move in drawn(engine, position, legal)} <= {key(move) for move in legal}
        position = engine.rules.after(position, choose.choice(legal)) if legal else engine.start()
    assert len(set(counts)) > 5


OVER_THE_EDGE = """
(game (title "Edge") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
               (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  (piece (name Man) (moves (n n n n e add) (e add) (w (verify not-friend?) add)))
  (board-setup (White (Man a1 b2)) (Black (Man c3 d4))))
"""


def test_a_path_that_leaves_the_board_from_every_square_ends_there(tmp_path: Path) -> None:
    path = tmp_path / "edge.zrf"
    path.write_text(OVER_THE_EDGE, "utf-8")
    program = load_file(path).programs[0]
    engine, rules = native(program), Native(program).rules
    positions = [rules.start()]
    for _ in range(2):
        positions = [rules.after(at, move) for at in positions for move in rules.moves(at)]
    assert engine.perft(engine.start(), 3) == sum(len(rules.moves(at)) for at in positions) == 27


def test_sets_are_simplified() -> None:
    """For example, unions with all squares, or squares that are both empty and an enemy's."""
    squares = Graph(64)
    a, b, c = (squares.leaf(name) for name in ("friend", "last-from", "last-to"))
    assert squares.choose(a, squares.all, b) == squares.either(a, b)
    assert squares.choose(a, b, squares.all) == squares.either(squares.other(a), b)
    empty, enemy = squares.leaf("empty"), squares.leaf("enemy")
    many = squares.both(squares.both(enemy, b), c)
    assert squares.both(squares.other(empty), many) == many
    assert squares.both(squares.other(a), squares.both(b, c)) != squares.both(b, c)


def test_constant_sets_are_folded() -> None:
    graph = Graph(9)
    pairs = [(a, b) for a in (0b1101, 0b10, 0b111) for b in (0b110, 0b1000, 0b101)]
    assert [graph.both(graph.const(a), graph.const(b)) for a, b in pairs] == [graph.const(a & b) for a, b in pairs]
