"""Properties of the native engine alone: buffers, fuel, bulk random games, code cached on disk."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from ctypes import c_int64
from dataclasses import fields, replace
from pathlib import Path
from random import Random

import pytest

from tests.playing import counted, slow
from zrf_py import cache, load, loads
from zrf_py.compile import compile_source
from zrf_py.data import data_file
from zrf_py.ir.ops import Program
from zrf_py.jit.compiler import compile_module
from zrf_py.library import load_file
from zrf_py.native.agree import Disagreement, agree
from zrf_py.play.perft import perft
from zrf_py.play.turns import search_turns, turns
from zrf_py.run import goals, interpret
from zrf_py.run import playouts as bulk_games
from zrf_py.run.interpret import RulesFault
from zrf_py.run.playouts import one_by_one
from zrf_py.run.position import Position
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Report
from zrf_py.text.numbers import LARGEST
from zrf_py.text.source import Source

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from tests.test_own_code import unoptimised
from zrf_py.native import Native, compiler, layout
from zrf_py.native import code as machine
from zrf_py.native.kernel import vm
from zrf_py.native.specialise.flags import leaks_flags

GAME = """
(game (title "Small") (players White Black) (turn-order White Black)
  (option "pass partial" true) {more}
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g/h" (9 0)) ("4/3/2/1" (0 9)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  (piece (name Man) (moves {moves}))
  (board-setup (White (Man a1 b1)) (Black (Man a4 c4)))
  (win-condition (White Black) (pieces-remaining 1)))
"""


def read(text: str) -> Program:
    report = Report()
    (program,) = compile_source(Source("small.zrf", text), lambda name, origin: None, report)
    assert not report.errors, [str(error) for error in report.errors]
    return program


def small(moves: str, more: str = "", version: str = "") -> Program:
    return read(version + GAME.format(moves=moves, more=more))


LONG = "({} n (verify empty?) add)".format("(flip a4) " * 5000)
"""A block whose move has more parts than fit into native memory."""


def rules_file(name: str) -> Program:
    return load_file(data_file("rules") / f"{name}.zrf").programs[0]


@pytest.mark.parametrize("compiled", [False, *slow([True])])
def test_an_endless_block_raises_the_same_fault(compiled: bool) -> None:
    program = small("(n (while (not-piece? Man w) n s) add)")
    with pytest.raises(RulesFault) as expected:
        Rules(program).moves(Rules(program).start())
    native = Native(program, compiled)
    with pytest.raises(RulesFault) as found:
        native.moves(native.start())
    assert str(found.value) == str(expected.value)


@pytest.mark.slow
def test_fuel_ends_at_the_same_operation(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """A block that needs exactly the available fuel finishes; with one unit less it does not."""
    program = small("((while (on-board? n) n (if empty? (set-flag there true))) (verify (on-board? s)) s add)")

    def outcome(engine: Rules | Native) -> str:
        try:
            return repr(engine.moves(engine.start()))
        except RulesFault as fault:
            return str(fault)

    spoken = []
    for fuel in range(5, 60):
        monkeypatch.setattr(interpret, "FUEL", fuel)
        spoken.append(outcome(Rules(program)))
    edge = next(fuel for fuel, one in enumerate(spoken, 5) if one == spoken[-1])
    assert spoken[0] != spoken[-1] and 15 < edge < 59
    for fuel in (edge - 1, edge):
        monkeypatch.setattr(interpret, "FUEL", fuel)
        monkeypatch.setattr(vm, "FUEL_LIMIT", fuel)
        cache.clear()
        assert outcome(Native(program, compiled=True)) == spoken[fuel - 5]


def test_a_move_with_too_many_parts_is_left_to_the_interpreter() -> None:
    program = small(LONG)
    native = Native(program)
    found = agree(program, 1, 3, native)
    assert not isinstance(found, Disagreement), str(found)
    assert native.asked > 0


def test_long_work_that_does_not_fit_is_left_to_the_interpreter() -> None:
    program = small(LONG)
    native, rules = Native(program), Rules(program)
    start = rules.start()
    assert native.perft(start, 2) == perft(rules, start, 2)
    assert perft(native, start, 2, whole_turns=True) == perft(rules, start, 2, whole_turns=True)
    assert native.playouts(2, max_plies=2).games == 2


@pytest.mark.slow
def test_an_endless_longest_chain_raises_the_same_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The legs capture nothing, so there are too many sequences to find the longest one."""
    monkeypatch.setattr("zrf_py.run.rules.MAX_LOOKS", 500)  # as good a test as 50,000, and quicker
    hop = "({} (verify empty?) (add-partial))"
    program = small(" ".join(hop.format(way) for way in "nesw"), '(option "maximal captures" true)')
    with pytest.raises(RulesFault) as expected:
        Rules(program).moves(Rules(program).start())
    for compiled in (False, True):
        native = Native(program, compiled)
        with pytest.raises(RulesFault) as found:
            native.moves(native.start())
        assert str(found.value) == str(expected.value)


def test_numbers_beyond_32_bits_are_left_to_the_interpreter() -> None:
    """A counter is squared again and again: beyond 32 bits only the interpreter goes on."""
    grow = ("({} (verify empty?) (set-counter sum (product (sum 2 (counter sum)) (sum 2 (counter sum))))"
            " (add-to-counter own (count friend)) (verify (less? (counter own Black) 50)) add)")
    program = small(
        f"{grow.format('n')} {grow.format('s')} (e (verify empty?) (next-turn (difference 1 (count nobody)))"
        " (if (less? (legs-made) 2) must-continue) (add-partial))",
        "(counter sum 1) (counter own each -3)", version='(version "zrf+")')
    for seed in range(4):
        native = Native(program)
        found = agree(program, seed, 60, native)
        assert not isinstance(found, Disagreement), str(found)
    assert native.asked > 0


@pytest.mark.parametrize("number", [LARGEST, -LARGEST, LARGEST + 1, -LARGEST - 1])
@pytest.mark.parametrize("where", ["stores", "counters", "made", "step"])
def test_position_with_too_large_a_number_is_left_to_the_interpreter(where: str, number: int) -> None:
    program = small("(n (verify empty?) add)", "(counter sum 1) (counter own each -3)", version='(version "zrf+")')
    native = Native(program)
    start = native.start()
    value = getattr(start, where)
    if where == "step":
        changed = number
    elif where == "made":
        changed = (*value[:-1], number)
    else:
        changed = (*value[:-1], (*value[-1][:-1], number))
    position = replace(start, **{where: changed})
    assert native.moves(position) == native.rules.moves(position)
    assert (native.asked > 0) == (abs(number) > LARGEST)


DANGER = """
(game (title "Danger") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  (piece (name King) (moves (n (verify empty?) add)))
  (piece (name Rook) (moves (n (while (or empty? ghost?) n) (verify not-friend?) add)))
  (piece (name Helper) (attribute ghost? false) (moves {helper}))
  (board-setup (White (King d4) (Helper {at})) (Black (King a4) (Rook {rook})))
  (loss-condition (White Black) (checkmated King)))
"""


@pytest.mark.parametrize(("helper", "at", "rook", "count"), [
    ("(e (verify enemy?) from e e add) (n add)", "a1", "b1", 1),
    *slow([("(n (set-attribute ghost? true) add) (n add)", "d2", "d1", 1),
           ("(n (set-attribute ghost? true) add) (n add)", "c2", "c1", 2),
           ("(n (set-attribute ghost? true) add) (e n (set-attribute ghost? true) add)", "c2", "d1", 0)]),
])
def test_a_king_may_be_exposed_without_leaving_a_line(helper: str, at: str, rook: str, count: int) -> None:
    """A move may expose the king by moving an enemy's rook, or because the moved piece on the line doesn't block it."""
    program = read(DANGER.format(helper=helper, at=at, rook=rook))
    native, rules = Native(program, True), Rules(program)
    assert native.moves(native.start()) == rules.moves(rules.start())
    assert len(rules.moves(rules.start())) == count


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "xiangqi", "shogi", "makruk"])
def test_attacks_agree_with_the_interpreter(name: str) -> None:
    program = rules_file(name)
    engines = Rules(program), Native(program), Native(program, compiled=True)
    seen = {True: 0, False: 0}
    for seed in range(4 if name == "chess" else 12):
        draw, position = Random(seed), engines[1].start()
        for _ in range(60):
            moves = engines[1].moves(position)
            if not moves:
                break
            position = engines[1].after(position, draw.choice(moves))
            for player in range(len(program.game.players)):
                answer, *others = (engine.is_attacked(position, player) for engine in engines)
                assert others == [answer, answer]
                seen[answer] += 1
    assert min(seen.values()) > 5


SIGNAL = """(game (title "Signal") (players White Black) (turn-order White Black)
 (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("2/1" (0 9)))
   (directions (n 0 -1) (s 0 1) (e 1 0))))
 (piece (name King) (moves (e (verify not-attacked?) add)))
 (piece (name Man) (moves (n add)))
 (piece (name Gun) (moves ((if (enemy? c1) (set-position-flag hot true c1)) s (verify (position-flag? hot c1)) add)))
 (board-setup (White (King a1) (Man c1)) (Black (Gun b2))))"""


@pytest.mark.parametrize("compiled", [False, True])
def test_flags_of_an_attack_search_do_not_outlast_the_position(compiled: bool) -> None:
    """The gun attacks b1 only if an enemy stands on c1: its move then flags c1. Two positions alternate."""
    game = loads(SIGNAL)
    native, rules = Native(game.program, compiled=compiled), Rules(game.program)
    start = game.start()
    attacked, safe = start.state, start.edited("(x c1)").edited("(White Man d1)").state
    for position, moves in counted([(safe, 2), (attacked, 1)] * 3, 6):
        assert native.moves(position) == rules.moves(position) and len(rules.moves(position)) == moves


def test_perft_counts_nothing_after_the_end_and_one_line_at_depth_0() -> None:
    """Leaves are counted by the engine's own loop and move by move, in plies and in complete turns."""
    program = rules_file("tictactoe")
    rules, native = Rules(program), Native(program)
    position = rules.start()
    for _ in counted(range(9), 9):
        for depth in (-1, 0, 1, 2):
            by_hand = perft(Uncounted(rules), position, depth)
            assert native.perft(position, depth) == by_hand == perft(native, position, depth)
            assert native.turn_perft(position, depth) == by_hand
        position = rules.after(position, rules.moves(position)[0]) if rules.moves(position) else position
    assert rules.outcome(position) is not None and by_hand == 0


class Uncounted:
    """An engine without a method `perft`."""

    def __init__(self, rules: Rules) -> None:
        self.moves, self.after = rules.moves, rules.after


ENDS = """(version "zrf+")
(game (title "Ends") (players White Black Red Green ?Dice Grey) (turn-order White Black Red Green ?Dice)
  {more} (score (difference 1 (count friend)) {lowest})
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n add)))
  (board-setup (White (Man a1)) (Black (Man b1)) (Red (Man c1)) (Green (Man d1)) (Grey (Man a3)))
  (out-condition (White Black Red Green) stalemated)
  (win-condition (White Black Red Green) stalemated) (loss-condition (White Black Red Green) stalemated)
  (draw-condition (White Black) repetition) (count-condition (White Black) stalemated)
  (score-condition (White Black) stalemated))"""


@pytest.mark.parametrize("lowest", ["", "lowest"])
@pytest.mark.parametrize("more", ["", "(team warm White Red) (team cold Black Green)"])
def test_winners_agree_with_the_interpreter(more: str, lowest: str) -> None:
    """They agree for each result of each player, with some players out of the game, on random boards; random games and
    searches rely on these winners."""
    program = read(ENDS.format(more=more, lowest=lowest))
    native, draw, seen = Native(program), Random(1), set()
    start, players = native.start(), range(len(program.game.players))
    for _ in range(200):
        owner = tuple(draw.choice((-1, -1, *players)) for _ in start.owner)
        out = frozenset(p for p in range(4) if draw.random() < 0.3)
        position = replace(start, owner=owner, piece=(0,) * len(owner), out=out)
        native.border.load(position)
        for number, end in enumerate(program.game.ends):
            for player in range(4):
                mask = native.machine.call["winners"](number * len(players) + player)
                expected = goals.outcome_of(program, position, number, player).winners if end.result != "out" else ()
                assert [p for p in players if mask >> p & 1] == list(expected), (end.result, player, owner, out)
                seen.add((end.result, len(expected)))
    assert {("win", 2 if more else 1), ("draw", 0), ("count", 0), ("count", 1), ("score", 0), ("score", 1)} < seen
    assert len({count for result, count in seen if result == "loss"}) > (1 if more else 3)


@pytest.mark.parametrize("name", ["halma", "international-draughts", "booklet/sternhalma", "booklet/gefangen-1",
                                  "platonic/platonic-advanced", "chess"])
def test_turns_agree_with_the_interpreter(name: str) -> None:
    """The legs, order and ends of all turns are the same in the first five positions of a random game."""
    program = rules_file(name)
    rules, native, choose = Rules(program), Native(program), Random(3)
    position = rules.start()
    for _ in range(5):
        expected, found = search_turns(rules, position), turns(native, position)
        assert [turn.legs for turn in found] == [turn.legs for turn in expected]
        assert [facts(turn.end) for turn in found] == [facts(turn.end) for turn in expected]
        assert native.turn_perft(position, 1) == len(expected)
        if not expected:
            break
        position = choose.choice(expected).end
    assert native.asked == 0


def facts(position: Position) -> list[object]:
    return [getattr(position, field.name) for field in fields(position)]


def test_counting_turns_can_be_interrupted() -> None:
    native = Native(rules_file("halma"))
    start = native.start()
    assert native.turn_perft(start, 2) == 1600  # compiled here, so that the time below excludes it

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            native.turn_perft(start, 5)  # would take many seconds
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert native.turn_perft(start, 2) == 1600


@pytest.mark.parametrize("compiled", [False, *slow([True])])
def test_endless_hops_agree_with_the_interpreter(compiled: bool) -> None:
    program = small("({}) ({})".format(*(f"{d} (verify empty?) (add-partial)" for d in "ew")))
    found = agree(program, 3, 200, Native(program, compiled))
    assert not isinstance(found, Disagreement), str(found)


@pytest.mark.slow
def test_a_long_game_stays_in_native_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "FRAMES_ROOM", 1 << 12)
    program = load_file("monks/monks-halma").programs[0]
    layout.lay_out.cache_clear()
    rules, native, random = Rules(program), Native(program), Random(2)
    loads = list[Position]()
    load = native.border.load
    monkeypatch.setattr(native.border, "load", lambda position: (loads.append(position), load(position)))
    expected = here = rules.start()
    for ply in range(1000):
        moves = native.moves(here)
        if not moves:
            expected = here = rules.start()
            continue
        if ply % 100 == 0:
            assert moves == rules.moves(expected)
        move = random.choice(moves)
        expected, here = rules.after(expected, move), native.after(here, move)
        assert expected.key() == here.key()
    layout.lay_out.cache_clear()
    assert native.asked == 0 and 1 < len(loads) < 100, "the log is full of moves from time to time, not more often"


def test_random_games_of_tictactoe_have_the_known_shares_of_results() -> None:
    """The exact shares are known: the first player wins 737/1260 of random games, the second 121/420."""
    found = Native(rules_file("tictactoe")).playouts(100_000, seed=5)
    assert found.cut_off == 0
    assert found.games == sum(found.won) + found.drawn == 100_000
    assert found.won[0] / found.games == pytest.approx(737 / 1260, abs=0.01)
    assert found.won[1] / found.games == pytest.approx(121 / 420, abs=0.01)


FEW = """
(version "zrf+")
(game (title "Few") (players White Black) (turn-order White Black) {more}
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (e 1 0) (w -1 0))))
  (piece (name Man) (moves {moves}))
  (board-setup (White (Man a1)) (Black (Man b1))))
"""
"""Two men side by side."""


@pytest.mark.parametrize("compiled", [False, *slow([True])])
@pytest.mark.parametrize(("moves", "more", "plies", "won"), [
    ("(e (verify enemy?) add)", "(loss-condition (White Black) (captured Man))", 1, (1, 0)),
    ("(e (verify empty?) must-continue add-partial)", '(option "pass turn" true)', 4, (0, 0)),
    ("(e (verify empty?) must-continue add-partial)", '(option "pass turn" forced)', 4, (0, 0)),
    ("(e (verify empty?) must-continue add-partial)", "(draw-condition (White Black) stalemated)", 0, (0, 0)),
    ("(w (verify enemy?) add) (e (verify enemy?) must-continue add-partial)",
     '(option "pass turn" forced) (loss-condition (White Black) (captured Man))', 2, (0, 1)),
], ids=["first-capture", "may-pass", "must-pass", "may-not-pass", "passes-where-nothing-else"])
def test_forced_games_have_known_ends(moves: str, more: str, plies: int, won: tuple[int, int], compiled: bool) -> None:
    """They end by a capture, by the third repetition of the start, or at once."""
    found = Native(read(FEW.format(moves=moves, more=more)), compiled).playouts(3, seed=1, max_plies=10)
    assert (found.plies, found.won) == (3 * plies, tuple(3 * number for number in won))


TO_AND_FRO = """
(game (title "To and fro") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (e 1 0) (w -1 0))))
  (piece (name Man) (moves (e add) (w add)))
  (board-setup (White (Man a1)) (Black (Man {men})))
  {condition})
"""
LOSES = "(loss-condition (White Black) repetition)"


@pytest.mark.parametrize("compiled", [False, *slow([True])])
@pytest.mark.parametrize(("men", "condition", "plies", "won"), [
    ("a2", "", 8, (0, 0)), ("a2", LOSES, 8, (10, 0)), ("a2 b1", LOSES, 9, (0, 10))])
def test_the_third_repetition_ends_a_random_game(
    compiled: bool, men: str, condition: str, plies: int, won: tuple[int, int],
) -> None:
    """Nobody has a choice here. Either the start recurs after 4 and 8 plies, through Black's moves; or White captures,
    after which no earlier position can recur, and the position after the capture recurs."""
    program = read(TO_AND_FRO.format(men=men, condition=condition))
    native = Native(program, compiled)
    found = native.playouts(10)
    assert (found.plies, found.won, found.cut_off) == (10 * plies, won, 0)
    assert one_by_one(native.rules, 10, 0, 2000, native.start()) == found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "checkers", "othello", "nine-mens-morris", "connect-four",
                                  "amazons", "platonic/platonic-simple"])
def test_no_access_is_out_of_bounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game's own code runs with every index checked."""
    program = rules_file(name)
    monkeypatch.setattr(machine, "game_code", lambda program, layout, also=(): compile_module(
        compiler.game_module(program, layout, checked=True)))
    native = Native(program, compiled=True)
    native.perft(native.start(), 2 if "/" in name else 4)
    native.turn_perft(native.start(), 2)
    native.playouts(30, seed=2, max_plies=300)
    assert c_int64.from_address(native.machine.code.symbol("outside")).value == 0


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    found = cache.folder()
    assert found is not None
    yield found


def test_cache_stores_and_returns_code(place: Path) -> None:
    cache.store("a", b"code")
    assert cache.load("a") == b"code"
    assert cache.load("b") is None


def test_cache_refuses_truncated_or_changed_files(place: Path) -> None:
    cache.store("a", b"code" * 100)
    whole = (place / "a").read_bytes()
    for bad in (whole[:-1], whole[:10], b"", whole[:-1] + b"x"):
        (place / "a").write_bytes(bad)
        assert cache.load("a") is None


def test_cache_refuses_files_that_others_can_write(place: Path) -> None:
    cache.store("a", b"code")
    (place / "a").chmod(0o666)
    assert cache.load("a") is None
    (place / "a").chmod(0o600)
    assert cache.load("a") == b"code"
    place.chmod(0o777)
    assert cache.folder() is None


def test_a_full_cache_keeps_the_newest_entry(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "ROOM", 3000)
    for name in "abcde":
        cache.store(name, bytes(1000))
    assert sum(status.st_size for _, status in cache.entries()) <= 3000
    assert cache.load("e") == bytes(1000)


@pytest.mark.slow
def test_two_processes_may_compile_at_once(place: Path) -> None:
    """Both make the same code, and the cache entry is complete afterwards."""
    code = ("from zrf_py.data import data_file; from zrf_py.library import load_file; "
            "from zrf_py.native import Native; "
            "n = Native(load_file(data_file('rules') / 'tictactoe.zrf').programs[0], compiled=True); "
            "print(n.perft(n.start(), 6))")
    workers = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                                env={**os.environ, "ZRF_CACHE": str(place.parent)}) for _ in range(2)]
    assert [worker.communicate()[0].split() for worker in workers] == [["54720"], ["54720"]]
    names = [path.name for path, _ in cache.entries()]
    assert any(name.endswith(".game") for name in names) and not any(name.startswith("new-") for name in names)
    assert all(cache.load(name) is not None for name in names)


def test_long_work_can_be_interrupted() -> None:
    """Counting and random games return to Python many times a second, where Ctrl-C takes effect."""
    native = Native(rules_file("breakthrough"), compiled=True)
    native.perft(native.start(), 4)
    native.playouts(1)
    for work in (lambda: native.perft(native.start(), 9), lambda: native.playouts(10**9)):
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.1, signal.raise_signal, (signal.SIGINT,)).start()
            work()
    assert native.perft(native.start(), 3) == 11_132


def test_very_large_game_stays_with_the_generic_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own code is never compiled, even if the first call is long work."""
    def compile_it(*wanted: object) -> bytes:
        raise AssertionError("it would take minutes")

    monkeypatch.setattr(machine, "is_small", lambda layout: False)
    monkeypatch.setattr(machine, "game_code", compile_it)
    native = Native(rules_file("tictactoe"))
    assert native.perft(native.start(), 4) == 3024
    assert native.playouts(10, seed=1).games == 10


@pytest.mark.slow
@pytest.mark.parametrize(("loops", "own"), [(4, True), (16, True), (80, False)])
def test_block_of_very_many_loops_stays_with_the_generic_kernel(loops: int, own: bool) -> None:
    """LLVM would take minutes for sixteen loops if it could track the fuel that each uses."""
    text = """(define slide (while (empty? n) n) (while (empty? e) e))
        (game (title "t") (players White Black) (turn-order White Black)
          (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
            (directions (n 0 -1) (e 1 0))))
          (piece (name Man) (moves (%s add)))
          (board-setup (White (Man a1)) (Black (Man b4))) (loss-condition (White Black) stalemated))"""
    report = Report()
    (program,) = compile_source(Source("t.zrf", text % ("(slide) " * (loops // 2))), lambda *_: None, report)
    report.check()
    assert machine.is_small(layout.lay_out(program)) == own
    engine = Native(program, compiled=own)
    assert engine.perft(engine.start(), 2) == 1


@pytest.mark.parametrize("compiled", [False, *slow([True])])
def test_engine_is_freed_with_its_last_reference(compiled: bool) -> None:
    """Its memory, megabytes in few objects, must not wait for the cyclic garbage collector; nor must that of its
    worker."""
    engine = Native(load_file("tictactoe").programs[0], compiled)
    assert engine.perft(engine.start(), 4) == 3024
    gone = [weakref.ref(engine), weakref.ref(engine.worker())]
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        del engine
        assert [there() for there in gone] == [None, None]
    finally:
        if was_enabled:
            gc.enable()


FLAGS = """(game (title "Flags") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (e 1 0))))
  (piece (name Man) (moves ({before} n (verify (flag? seen)) add)))
  (board-setup (White (Man a1)) (Black (Man c1))))"""


@pytest.mark.parametrize(("before", "leaks"), [
    ("", True), ("(set-flag seen true)", False), ("(if (empty? e) (set-flag seen true))", True),
    ("(if (empty? e) (set-flag seen true) else (set-flag seen false))", False),
    ("(while (empty? e) e (set-flag seen true))", True),
])
def test_flags_that_leak_into_another_block_are_detected(before: str, leaks: bool) -> None:
    assert leaks_flags(read(FLAGS.format(before=before))) == leaks


COUNTED = """(game (title "Counted") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  {more} (piece (name Man) (moves {moves}))
  (board-setup (White (Man a1 b1 c1)) (Black (Man a3 b3 c3)))
  (draw-condition (White Black) (total-piece-count 5 Man)) (win-condition (White Black) (pieces-remaining 2 Man))
  (loss-condition (White Black) (total-piece-count 3)))"""
STEPS = " ".join(f"({d} (verify not-friend?) add)" for d in "nesw")
TWICE = """((create n) add add) (s (verify empty?) (create n) add (verify (friend? n)) add)
  (n (verify empty?) add (flip s) add)"""


@pytest.mark.parametrize(("moves", "more"), [(STEPS, ""), *slow([(TWICE, ""), (STEPS, "(piece (name Stone))")])])
def test_own_code_counts_moves_and_men(moves: str, more: str) -> None:
    """Men are of the only type or of one of several. If a block has several `add`, each of its moves has only the
    effects since the previous `add`."""
    program = read(COUNTED.format(more=more, moves=moves))
    native, rules = Native(program, True), Rules(program)
    draw, position, seen = Random(1), rules.start(), set()
    for _ in range(20):
        legal = rules.moves(position)
        following = [rules.after(position, move) for move in legal]
        assert [native.after(position, move).result for move in legal] == [after.result for after in following]
        assert native.perft(position, 2) == sum(len(rules.moves(after)) for after in following)
        seen.add(len(legal))
        position = draw.choice(following) if following else rules.start()
        position = rules.start() if position.result is not None else position
    assert len(seen) > 2


@pytest.mark.parametrize("passing", ["", '(option "pass turn" true)', '(option "pass turn" forced)'])
@pytest.mark.parametrize("hop", ["add", "(add-partial hopping)"])
def test_leaves_are_counted_in_games_with_a_royal_piece(passing: str, hop: str) -> None:
    """The games have stalemates, forced passes that leave the king safe, and chains that may be ended early."""
    program = read(f"""
      (game (title "Kings") (players White Black) (turn-order White Black)
        (option "pass partial" true) {passing}
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
          (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
        (piece (name King) (moves {STEPS}))
        (piece (name Rook) (moves (move-type hopping) (s (verify not-friend?) {hop}) (n (verify not-friend?) {hop})
          (move-type going) ((while (on-board? e) e (verify not-friend?) add))))
        (board-setup (White (King a1) (Rook b1)) (Black (King c3) (Rook a3)))
        (loss-condition (White Black) (checkmated King)))""")
    rules, native, random = Rules(program), Native(program), Random(3)
    counts = set()
    for _ in range(6):
        position = rules.start()
        for _ in range(12):
            legal = rules.moves(position)
            following = [rules.after(position, move) for move in legal]
            counts.add(sum(len(rules.moves(after)) for after in following))
            assert native.perft(position, 2) == sum(len(rules.moves(after)) for after in following)
            if not legal or position.result is not None:
                break
            position = random.choice(following)
    assert len(counts) > 5


CROWNED = """(game (title "Crowned") (players White Black) (turn-order White Black) (move-priorities jumping)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (move-type jumping) (n (verify enemy?) capture n (verify empty?) (add Queen Rook))))
  (piece (name Queen)) (piece (name Rook))
  (board-setup (White (Man a1)) (Black (Man a2))) (win-condition (White Black) (pieces-remaining 1 Queen)))"""


@pytest.mark.parametrize("compiled", [False, *slow([True])])
def test_promotions_of_one_jump_are_equally_likely(compiled: bool) -> None:
    """The only jump promotes to one of two types, so about half of the games have a queen."""
    found = Native(read(CROWNED), compiled).playouts(200, seed=1, max_plies=1)
    assert 70 < found.won[0] < 130 and found.plies == 200, found


ZONE_TWICE = """(game (title "Zone") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))))
    (zone (name home) (players White) (positions a1 b1 b1)) (zone (name home) (players White) (positions b1 c1)))
  (piece (name Man) (drops (home (verify empty?) add))) (board-setup (White (Man off 3)) (Black (Man a2))))"""


def test_a_square_listed_twice_in_a_zone_allows_one_drop() -> None:
    program = read(ZONE_TWICE)
    assert [perft(engine, engine.start(), 1) for engine in (Rules(program), Native(program))] == [3, 3]


def test_own_code_finds_patterns_completed_by_either_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pattern is a man below an enemy, completed by the man's move or by the enemy's."""
    monkeypatch.setattr(machine, "game_code", unoptimised)
    text = COUNTED.replace("3/2/1", "4/3/2/1").replace("a3 b3 c3", "a4 b4 c4")
    program = read(text.format(
        more="(loss-condition (White Black) (relative-config Man n (opponent Man)))", moves=STEPS))
    native, rules = Native(program, True), Rules(program)
    draw, position, losers = Random(1), rules.start(), set()
    for _ in range(6):
        moves = rules.moves(position)
        following = [rules.after(position, move) for move in moves]
        assert [native.after(position, move).result for move in moves] == [after.result for after in following]
        assert native.perft(position, 2) == perft(rules, position, 2), "without asking anew after each move"
        losers |= {(after.mover, *after.result.losers) for after in following if after.result}
        going_on = [after for after in following if after.result is None]
        position = draw.choice(going_on) if going_on else rules.start()
    assert {(0, 0), (1, 0)} <= losers


def test_bulk_playouts_run_in_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine with a loop of its own never plays bulk games position by position."""
    engine = Native(load_file("tictactoe").program())
    monkeypatch.setattr(bulk_games, "one_by_one", lambda *_: pytest.fail("played one by one"))
    assert bulk_games.is_quick(engine) and bulk_games.playouts(engine, 50, 1).games == 50


def test_a_game_without_room_in_native_memory_is_played_by_the_interpreter() -> None:
    """Moves and random games are those of the interpreter, also after the end of the game."""
    program = load_file("tictactoe").program()
    native, rules, whole = Native(program), Rules(program), Native(program)
    native.machine.layout = None
    draw, position, asked = Random(4), rules.start(), 0
    while position.result is None:
        moves = rules.moves(position)
        assert native.moves(position) == moves
        assert native.playouts(3, 5, 7, position) == bulk_games.one_by_one(rules, 3, 5, 7, position)
        asked += 1
        position = rules.after(position, draw.choice(moves))
    assert asked > 4 and native.turn_playouts(3, 5, 7) is None
    assert native.for_many() is native, "there is no code to compile"
    over = bulk_games.one_by_one(rules, 3, 5, 7, position)
    assert over.plies == 0 and [engine.playouts(3, 5, 7, position) for engine in (native, whole)] == [over, over]


ONE_WAY = """(game (title "One way") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1/2/3/4/5/6" (0 9)))
    (directions (up 0 1) (down 0 -1))))
  (piece (name Man) (moves (up (verify empty?) add))) (piece (name Drum) (moves (up add) (down add)))
  (board-setup (White (Man a1)) (Black (Drum b6)))
  (win-condition (White) (absolute-config Man (a4))) (win-condition (Black) (absolute-config Drum (b1))))"""
"""White wins with its third turn, although the man could go on."""


def test_a_random_game_of_whole_turns_ends_like_the_rules() -> None:
    found = Native(loads(ONE_WAY).program).turn_playouts(4, 1, 40)
    assert found is not None and (found.plies, found.won, found.cut_off) == (4 * 5, (4, 0), 0)


HOPPER = """(game (title "Hopper") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g" (9 0)) ("1/2" (0 9)))
    (directions (e 1 0) (w -1 0))))
  (piece (name Hopper) (moves (e (verify enemy?) capture e (verify empty?) (add-partial))))
  (piece (name Man) (moves)) (piece (name Drum) (moves (w (verify empty?) add)))
  (board-setup (White (Hopper a1)) (Black (Man b1 d1) (Drum f2)))
  (loss-condition (White Black) stalemated))"""
"""White's only turn has two legs; after Black's turn White can't move."""


def test_random_games_of_turns_with_several_captures_end_like_the_rules() -> None:
    program = loads(HOPPER).program
    rules, plies = Rules(program), 0
    position = rules.start()
    while position.result is None and (moves := rules.moves(position)):
        assert len(moves) == 1
        position, plies = rules.after(position, moves[0]), plies + 1
    assert plies == 3 and not rules.moves(position)
    found = Native(program).turn_playouts(4, 1, 40)
    assert found is not None and (found.plies, found.won, found.cut_off) == (4 * 2, (0, 4), 0)


@pytest.mark.parametrize("name", ["tictactoe", "shogi"])
def test_moves_with_different_notations_have_different_keys(name: str) -> None:
    position, random = load(name).start(), Random(5)
    native = Native(position.game.program)
    line = native.line()
    assert line is not None
    for _ in counted(range(12), 12):
        mark = line.begin(position.state, False)
        assert mark is not None
        keys, texts = line.texts(mark), [move.text for move in position.moves()]
        assert len(keys) == len(texts) and len(set(keys)) == len(set(texts))
        if position.outcome() or not texts:
            break
        position = position.play(random.choice(texts))
        if position.outcome():
            position = position.game.start()
