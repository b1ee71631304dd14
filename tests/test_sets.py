"""Moves counted and drawn by sets of squares are the moves of the definition."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from zrf_py.data import data_file
from zrf_py.ir.ops import Program
from zrf_py.library import load_file
from zrf_py.run.position import Move, Position

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from zrf_py.run.native import Native, machine
from zrf_py.run.native.kernel import masks
from zrf_py.run.native.kernel import memory as m
from zrf_py.run.native.records import decode

BY_SETS = ("breakthrough", "checkers", "connect-four", "five-in-a-row", "halma", "othello", "tictactoe")
"""Files whose first game is known to be sayable in sets."""


def native(program: Program) -> Native:
    found = Native(program, compiled=True)
    found._load(found.start())
    return found


def drawn(engine: Native, position: Position) -> list[Move]:
    """Every record that can be drawn; those of one block may come in another order, or twice."""
    engine._load(position)
    code = engine._code
    count = code.function("count_legal", 0)()
    found: list[Move] = []
    side = engine.program.game.turns[position.turn].side
    for left in range(count):
        engine._load(position)
        code.function("count_legal", 0)()
        engine._state[m.RANDOM] = left * 7919 + 1
        base = code.function("draw", 1)(left)
        if base >= 0:
            found += decode(engine._moves[base:engine._state[m.TOP]], side)
        else:
            found.append(Move(side, is_pass=True))
    return found


def key(move: Move) -> tuple[object, ...]:
    return move.movements, move.effects, move.captures, move.partial, move.is_pass


@pytest.mark.parametrize("name", BY_SETS)
def test_what_is_counted_and_drawn_is_legal(name: str) -> None:
    program = load_file(data_file("rules") / f"{name}.zrf").programs[0]
    engine = native(program)
    assert engine.layout is not None and engine.layout.tables["setting"][masks.SETS]
    choose = random.Random(4)
    position = engine.start()
    for _ in range(60):
        legal = engine.rules.moves(position)
        if not legal or engine.rules.outcome(position) is not None:
            position = engine.start()
            continue
        engine._load(position)
        assert engine._code.function("count_legal", 0)() == len(legal), str(position)
        found = drawn(engine, position)
        # Of a block that writes several records one is drawn anew each time.
        assert {key(move) for move in found} <= {key(move) for move in legal}
        if all(len(move.movements) == 1 and not move.captures and not move.effects for move in legal):
            assert sorted(map(repr, map(key, found))) == sorted(map(repr, map(key, legal)))
        position = engine.rules.after(position, choose.choice(legal))


@pytest.mark.parametrize("path", sorted(data_file("rules").glob("*.zrf")), ids=lambda path: path.stem)
def test_counting_counts_what_is_written(path: Path) -> None:
    """By sets or from piece to piece: as many moves as the definition has, all through a random game."""
    program = load_file(path).programs[0]
    plain = Native(program)
    if plain.layout is None or plain.layout.tables["params"][m.MUST_FINISH] or not machine.is_small(plain.layout):
        return
    engine = native(program)
    assert engine.layout is not None
    setting = engine.layout.tables["setting"]
    if not (setting[masks.SETS] or setting[masks.COUNTS]):
        return
    choose = random.Random(9)
    position = engine.start()
    for _ in range(40):
        legal = plain.moves(position)
        if not legal or position.result is not None:
            return
        engine._load(position)
        assert engine._code.function("count_legal", 0)() == len(legal)
        position = engine.rules.after(position, choose.choice(legal))
