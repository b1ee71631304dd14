"""Turns generated from the squares that a piece can reach are those of the interpreter, each once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.playing import counted, slow
from tests.test_own_code import unoptimised
from zrf_py.data import data_file
from zrf_py.ir.ops import Program
from zrf_py.library import load_file
from zrf_py.play.turns import search_turns
from zrf_py.run.position import Position
from zrf_py.text.diagnostics import ZrfError

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from zrf_py.native import Native, code

UNFIT = -1


def ends(engine: Native, position: Position) -> list[Position] | None:
    """Return the positions after the turns that `find_ends` generates, in order; None if it can't generate them."""
    engine.border.load(position)
    code = engine.machine.code
    find, take = code.function("find_ends", 0), code.function("take_end", 1)
    count = find()
    if count == UNFIT:
        return None
    found = []
    for number in range(count):
        engine.border.load(position)
        assert find() == count
        take(number)
        engine.border.check()
        found.append(engine.border.position(position))
    return found


def compare(program: Program, turns: int, seed: int = 3, compiled: bool = False) -> int:
    """Play at random, and compare each position's turns with the interpreter's, also those of own code if `compiled`;
    return the number of positions whose turns `find_ends` generated."""
    engines = [Native(program, own) for own in ([False, True] if compiled else [False])]
    rules, choose = engines[0].rules, random.Random(seed)
    position, fits = rules.start(), 0
    for _ in range(turns):
        try:
            expected = [turn.end for turn in search_turns(rules, position)]
        except ZrfError:
            return fits
        kinds = set()
        for engine in engines if position.result is None else ():
            found = ends(engine, position)
            kinds.add(found is None)
            if found is not None:
                fits += engine is engines[0]
                assert len(found) == len(expected)
                assert {as_text(end) for end in found} == {as_text(end) for end in expected}
                assert engine.turn_perft(position, 1) == len(expected)
        assert len(kinds) < 2, "only one of the engines generates them this way"
        position = choose.choice(expected) if expected else rules.start()
        if rules.outcome(position) is not None:
            position = rules.start()
    return fits


def as_text(end: Position) -> str:
    """Return a position as text, without the start of the last leg, which may differ between equally short paths."""
    return repr((end.key(), end.stores, end.counters, end.made, end.turn, end.last_to, end.chain, end.legs, end.mover))


@pytest.mark.parametrize(("name", "variant"), [
    ("halma", 0), ("booklet/dutch-halma", 0), ("booklet/sternhalma", 1), ("brainking/brainking-halma", 0)])
def test_turns_agree_with_the_interpreter(name: str, variant: int) -> None:
    program = load_file(data_file("rules") / f"{name}.zrf").programs[variant]
    assert compare(program, 6) >= 5


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", [path for folder in ("booklet", "brainking", "monks", "platonic", ".")
                                  for path in sorted((data_file("rules") / folder).glob("*.zrf"))
                                  if "add-partial" in path.read_text("utf-8") or "include" in path.read_text("utf-8")],
                         ids=lambda path: path.stem)
def test_turns_of_the_shelf_agree_with_the_interpreter(path: Path) -> None:
    for number, program in enumerate(counted(load_file(path).programs[:4])):
        engine = Native(program)
        if engine.machine.layout is not None and engine.machine.layout.params.reaches:
            compare(program, 10 if number else 30, compiled=number == 0)
            if number == 0:
                both = [Native(program, own).turn_playouts(5, 2, 150) for own in (False, True)]
                assert both[0] == both[1]


CHAINS = """
(version "zrf+")
(game (title "Chains") (players White Black) (turn-order White Black)
  (option "pass partial" {partial}) (option "pass turn" {turn}) {more}
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g" (9 0)) ("6/5/4/3/2/1" (0 9)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0)))
    (zone (name mud) (players White Black) (positions c3 d3 d4 e5 b2)))
  (piece (name Man) (moves {moves}))
  (board-setup (White (Man a1 b1 c2 d2 e1 f3)) (Black (Man a6 c4 d5 e6 c6 g2)))
  (draw-condition (White Black) (equal? (turns-made) 1000)))
"""
HOP = "({d} (verify not-empty?) {d} (verify empty?) {before} (add-partial{type}))"
STEP = "({d} (verify empty?) add)"
KINDS = {
    "plain": (STEP, HOP.format(d="{d}", before="", type="")),
    "must": (STEP, HOP.format(d="{d}", before="(if (in-zone? mud) must-continue)", type="")),
    "last": (STEP, HOP.format(d="{d}", before="(verify not-last-from?)", type="")),
    "legs": (STEP, HOP.format(d="{d}", before="(verify (or (equal? (legs-made) 0) not-last-from?))", type="")),
    "takes": (STEP, "({d} (verify not-empty?) {d} (verify not-friend?) (add-partial))"),
    "hops-only": ("", HOP.format(d="{d}", before="", type="")),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("partial", ["true", "false"])
@pytest.mark.parametrize(("turn", "more"), [
    ("forced", ""), *slow([("false", ""), ("true", ""), ("forced", '(option "null turns" false)')])])
def test_turns_of_every_kind_of_chain_agree(kind: str, partial: str, turn: str, more: str) -> None:
    """Chains may stop after any leg, or only at their end; some must go on, depend on the last origin, or capture."""
    moves = " ".join(block.format(d=d) for block in KINDS[kind] for d in "nesw")
    program = read(CHAINS.format(partial=partial, turn=turn, more=more, moves=moves))
    assert compare(program, 20) >= (1 if kind == "takes" else 10)


@pytest.mark.parametrize(("step", "least"), [("add", 10), ("(if (in-zone? mud) (add King Man) else add)", 2)],
                         ids=["step", "promote"])
def test_turns_of_a_games_own_code_agree(step: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of own code pass legs to the search for turns, unless a leg changes more than the piece's square;
    guards that blocks share are tested once."""
    monkeypatch.setattr(code, "game_code", unoptimised)
    hops = [f"((verify (in-zone? mud)) {d} (verify empty?) (add-partial))" for d in "ne"]
    steps = [f"({d} (verify empty?) {step})" for d in "sw"]
    text = CHAINS.format(partial="true", turn="forced", more="", moves=" ".join(hops + steps))
    program = read(text.replace("(board-setup", f"(piece (name King) (moves {STEP.format(d='n')})) (board-setup"))
    assert least <= compare(program, 10, compiled=True)


def test_the_next_leg_may_depend_on_the_last_square() -> None:
    """The man reaches c3 by two paths; only the one found later leads on to d2."""
    ways = {"a1": ("a2",), "a2": ("a3", "b2"), "a3": ("c3",), "b2": ("c3",), "c3": ("c5",)}
    blocks = [f"((verify (position? {at})) {to} add-partial)" for at, ends in ways.items() for to in ends]
    blocks.append("((verify (position? c3) (last-from? b2)) d2 add-partial)")
    program = read(CHAINS.format(partial="true", turn="false", more="", moves=" ".join(blocks)).replace(
        "(White (Man a1 b1 c2 d2 e1 f3))", "(White (Man a1))"))
    engine = Native(program)
    found = ends(engine, engine.start())
    assert found is not None and len(found) == 6
    assert compare(program, 1) == 1


def read(text: str) -> Program:
    from zrf_py.compile import compile_source
    from zrf_py.text.diagnostics import Report
    from zrf_py.text.source import Source

    report = Report()
    (program,) = compile_source(Source("t.zrf", text), lambda *_: None, report)
    assert not report.errors, [str(e) for e in report.errors]
    return program


HERE = "(verify (in-zone? mud))"
RICH = "(verify (not (and (greater? (count friend mud) 0) (greater? (legs-made) 0))))"


@pytest.mark.parametrize(("block", "asked", "left"), [
    (f"{HERE} {RICH} n (verify empty?) add", ["in-zone?", "greater?", "greater?"], ["step", "empty?", "add", "end"]),
    (f"n (verify empty?) {HERE} {RICH} add", ["greater?", "greater?"], ["step", "empty?", "in-zone?", "add", "end"]),
    (f"{HERE} n (while empty? n) {RICH} add", ["in-zone?"],
     ["step", "empty?", "step", "goto", "greater?", "greater?", "add", "end"]),
    (f"n (if empty? e {RICH}) add", [], None),
    (f"n add {RICH} n add", [], None),
    ("n (if (greater? (count friend mud) 0) e) add", [], None),
])
def test_guards_are_taken_out_of_a_block(
    block: str, asked: list[str], left: list[str] | None,
) -> None:
    from zrf_py.native.specialise.templates import demands_of

    program = read(CHAINS.format(partial="true", turn="false", more="", moves=f"({block})"))
    routine = program.moves[0][0]
    demands, rest = demands_of(routine)
    assert [op.name for op in demands] == asked
    assert rest is routine if left is None else [op.name for op in rest.code] == left


TAKES = """({d} (verify enemy?) capture {d} (verify empty?) (if (in-zone? mud) must-continue) (add-partial))
    ({d} (verify friend?) {d} (verify empty?) (if (in-zone? mud) must-continue) (add-partial))"""


@pytest.mark.parametrize(("partial", "turn", "more"), [
    ("true", "forced", ""), ("false", "forced", ""), ("true", "true", ""), ("false", "false", ""),
    ("true", "forced", '(option "null turns" false)'),
    ("true", "false", "(counter taken)")])
def test_turns_agree_if_the_first_leg_may_be_a_dead_end(partial: str, turn: str, more: str) -> None:
    moves = " ".join(TAKES.format(d=d) for d in "nesw")
    program = read(CHAINS.format(partial=partial, turn=turn, more=more, moves=moves))
    engine, choose = Native(program), random.Random(4)
    position = engine.rules.start()
    for _ in range(25):
        expected = [turn.end for turn in search_turns(engine.rules, position)]
        found = engine.find_turns(position)
        assert found is not None
        assert [as_text(end) for _, end in found] == [as_text(end) for end in expected]
        position = choose.choice(expected) if expected else engine.rules.start()
        if engine.rules.outcome(position) is not None:
            position = engine.rules.start()
    assert engine.layout is not None and engine.layout.params.must_finish
