"""The native engine against the interpreter: random games through both, everything compared at every ply.

`ZRF_CORPUS` names a folder of other people's rules files to be tried as well, each variant for `ZRF_CORPUS_PLIES` (100)
plies or `ZRF_CORPUS_SECONDS` (3).
"""

from __future__ import annotations

import ast
import inspect
import os
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines import Make, any_game, kernel_as_python, one_game, played
from zrf_py.data import data_file
from zrf_py.ir.ops import EFFECTS, OPS, Program
from zrf_py.library import load_file
from zrf_py.native.agree import Disagreement, agree
from zrf_py.run.interpret import TESTS
from zrf_py.text.diagnostics import ZrfError

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from zrf_py.native.kernel import board, vm
from zrf_py.native.specialise.emit import EMIT

FILES = sorted(data_file("rules").rglob("*.zrf"))
CORPUS = Path(os.environ.get("ZRF_CORPUS", "/nowhere"))
PLIES = int(os.environ.get("ZRF_CORPUS_PLIES", "100"))
SECONDS = float(os.environ.get("ZRF_CORPUS_SECONDS", "3"))


@cache
def programs(path: Path) -> tuple[Program, ...]:
    return load_file(path).programs


class Budget:
    """Budget of plies: at least this many, then as many as the processor time allows.

    The time of the first ply does not count, since it compiles the code.
    """

    def __init__(self, at_least: int, seconds: float) -> None:
        self.at_least = at_least
        self.seconds = seconds
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        if self.asked == 2:
            self.end = time.process_time() + self.seconds
        return self.asked <= self.at_least or time.process_time() < self.end


def check(program: Program, seed: int, plies: int, seconds: float, make: Make = any_game, at_least: int = 20) -> None:
    """Compare at least `at_least` plies."""
    engine = make(program)
    found = agree(program, seed, plies, engine, Budget(at_least, seconds))
    assert not isinstance(found, Disagreement), str(found)
    assert found >= at_least
    assert played(engine), "the interpreter was compared with itself"


def test_machine_code_has_every_operation() -> None:
    assert set(EMIT) == set(OPS)
    answers = ast.parse(inspect.getsource(vm.ask)).body[0].body  # type: ignore[attr-defined]
    assert sum(isinstance(node, ast.If | ast.Return) for node in answers) == len(TESTS)
    assert all(getattr(board, name.upper().replace("-", "_")) == at for at, name in enumerate(EFFECTS))


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_generic_kernel_agrees_with_the_interpreter(path: Path) -> None:
    check(programs(path)[0], seed=1, plies=30, seconds=0.3)


@pytest.mark.share(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "shogi", "checkers", "amazons", "othello", "nine-mens-morris", "halma",
                                  "booklet/sternhalma", "booklet/gefangen-1", "platonic/platonic-advanced"])
def test_own_code_agrees_with_the_interpreter(name: str) -> None:
    check(programs(data_file("rules") / f"{name}.zrf")[0], seed=2, plies=60, seconds=1, make=one_game)


@pytest.mark.parametrize("name", ["breakthrough", "checkers", "othello", "nine-mens-morris", "tictactoe"])
def test_the_kernel_run_as_python_agrees_with_the_interpreter(name: str) -> None:
    check(programs(data_file("rules") / f"{name}.zrf")[0], 3, 12, 0.0, kernel_as_python, at_least=12)


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_generic_kernel_agrees_on_random_variants(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(FILES))
    program = data.draw(st.sampled_from(programs(path)))
    check(program, data.draw(st.integers(0, 10**6)), plies=40, seconds=0.4)


def corpus() -> list[Path]:
    return sorted(path for path in CORPUS.rglob("*") if path.suffix.lower() == ".zrf") if CORPUS.is_dir() else []


@pytest.mark.slow
@pytest.mark.skipif(not corpus(), reason="ZRF_CORPUS names no folder with rules files")
@pytest.mark.parametrize("path", corpus(), ids=lambda path: path.stem)
def test_engines_agree_on_the_corpus(path: Path) -> None:
    try:
        found = programs(path)
    except ZrfError as error:
        pytest.skip(f"does not load: {error}")
    for number, program in enumerate(found):
        check(program, seed=number, plies=PLIES, seconds=SECONDS)
