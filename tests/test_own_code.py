"""A game's own code, without LLVM's optimisation and with every access checked, plays like the interpreter."""

from __future__ import annotations

from contextlib import suppress
from ctypes import c_int64
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="machine code needs llvmlite")

import llvmlite.binding as llvm

from tests.engines import any_game
from tests.fuzz.games import answer
from tests.fuzz.work import TooMuchWork, bounded
from tests.playing import ROOT, slow
from tests.test_made_up_rules import program as made_up
from zrf_py.ir.ops import Program
from zrf_py.jit.loader import host
from zrf_py.library import load_file, named
from zrf_py.native import Native, code, compiler
from zrf_py.native.agree import Disagreement, agree
from zrf_py.native.extension import Extension
from zrf_py.native.layout import Layout, lay_out


def unoptimised(program: Program, layout: Layout, also: Extension) -> bytes:
    """Return the game's own code without optimisation, compiled in a tenth of the usual time."""
    module = compiler.game_module(program, layout, checked=True, also=also)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(host()).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=0, jit=True)
    made: bytes = machine.emit_object(llvm.parse_assembly(str(module)))
    return made


def plays_as_defined(program: Program, seed: int, plies: int, games: int) -> None:
    """Compare moves, boards and ends of a random game with the interpreter, and perft, turns and random games with the
    generic kernel; check that no access was out of bounds."""
    own, other = Native(program, compiled=True), any_game(program)
    found = agree(program, seed, plies, own)
    assert not isinstance(found, Disagreement), found
    assert answer(lambda: own.perft(own.start(), 2)) == answer(lambda: other.perft(other.start(), 2))
    assert answer(lambda: own.turn_perft(own.start(), 1)) == answer(lambda: other.turn_perft(other.start(), 1))
    assert answer(lambda: own.playouts(games, seed, 60)) == answer(lambda: other.playouts(games, seed, 60))
    outside = c_int64.from_address(own.machine.code.symbol("outside"))  # type: ignore[union-attr]
    assert outside.value == 0, "accesses out of bounds"


@pytest.fixture(autouse=True)
def quick_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "game_code", unoptimised)


SHELF = ["breakthrough", "connect-four", "nine-mens-morris",
         *slow(["chess", "othello", "halma-2p", "checkers", "minishogi", "amazons", "xiangqi", "stern-team"])]
SEEDS = [25, 3, 8, 14]
"""Of the first thirty seeds, the one whose rules use most parts of the code generator, and some with other features."""


@pytest.mark.parametrize("name", SHELF)
def test_own_code_plays_games_of_the_shelf(name: str) -> None:
    path, variant = named(name, None)
    plays_as_defined(load_file(path).program(variant), 1, 20, 10)


@pytest.mark.share(3)
@pytest.mark.parametrize("seed", [*SEEDS, *slow(sorted({*range(30)} - {*SEEDS}))])
def test_own_code_plays_random_rules(seed: int) -> None:
    program = made_up(seed)
    with suppress(TooMuchWork), bounded(60_000):
        plays_as_defined(program, seed, 10, 10)


@pytest.mark.share(6)
@pytest.mark.slow
@pytest.mark.parametrize("path", [path.relative_to(ROOT) for path in sorted((ROOT / "rules").rglob("*.zrf"))], ids=str)
def test_code_of_every_title_but_large_ones_can_be_generated(path: Path) -> None:
    """LLVM is not run; large games are left out. If generation failed, games would silently stay in generic code."""
    made = 0
    for program in load_file(ROOT / path).programs:
        layout = lay_out(program)
        if code.is_small(layout):
            assert compiler.game_module(program, layout).globals["line_step"].blocks
            made += 1
    assert made
