"""Choice of the engine if none is named: the interpreter for little work, machine code for much."""

from __future__ import annotations

import builtins
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, cast

import pytest

import zrf_py
from zrf_py.cli.main import main
from zrf_py.ir.ops import Program
from zrf_py.play import engines
from zrf_py.play.engines import Auto, make_engine
from zrf_py.play.perft import perft
from zrf_py.run import engine
from zrf_py.run.rules import Rules
from zrf_py.search.game_search import GameSearch
from zrf_py.solve.state_space import state_space
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.native import Native


def modules_after(code: str) -> set[str]:
    """Return the modules that a fresh Python has imported after some code."""
    result = subprocess.run([sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, sep='\\n')"],
                            capture_output=True, text=True, check=True)
    return set(result.stdout.split())


@pytest.mark.parametrize("code", [
    "from zrf_py.cli.main import main; main(['check', 'rules/chess.zrf'])",
    "from zrf_py.cli.main import main; main('play tictactoe --players random --seed 1'.split())",
    "import zrf_py; zrf_py.load('chess').start().moves()",
])
def test_short_work_does_not_load_llvm(code: str) -> None:
    assert "llvmlite" not in modules_after(f"import os; os.chdir({str(Path(__file__).parents[1])!r})\n{code}")


@pytest.mark.slow
def test_long_work_switches_to_machine_code() -> None:
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    game = zrf_py.load("chess")
    engine = game.engine
    assert isinstance(engine, Auto)
    start = engine.start()
    first = engine.moves(start)
    assert engine.perft(start, 2) is None
    assert perft(engine, start, 3) == 8902
    native = engine.native()
    assert native is not None and engine.moves(start) == first == native.moves(start)
    assert engine.after(start, first[0]).key() == native.after(start, first[0]).key()


def test_native_engine_answers_after_the_waiting_time(monkeypatch: pytest.MonkeyPatch) -> None:
    native = pytest.importorskip("zrf_py.native", reason="the native engine needs llvmlite")
    monkeypatch.setattr(engines, "PATIENCE", 0.0)
    monkeypatch.setattr(native.Native, "has_own_at_hand", lambda self: False)  # another test may have cached it
    engine = make_engine(zrf_py.load("tictactoe").program, "auto", patient=True)
    assert isinstance(engine, Auto)
    position = engine.start()
    while moves := engine.moves(position):
        position = engine.after(position, moves[0])
    assert engine.answering is engine._at_hand is not None


def test_short_answers_never_switch_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    monkeypatch.setattr(engines, "PATIENCE", 1.0)
    clock = iter(float(tick) for tick in range(1000))
    monkeypatch.setattr(engines.time, "perf_counter", lambda: next(clock))
    game = zrf_py.load("tictactoe")
    quick, slow = (Auto(game.program, unnoticed) for unnoticed in (1.0, 0.4))
    for auto in (quick, slow):
        for _ in range(3):
            auto.moves(auto.start())
    assert quick._at_hand is None and slow._at_hand is not None


@pytest.mark.parametrize("machine", ["with LLVM", "without"])
def test_a_slow_call_is_restarted_in_machine_code(monkeypatch: pytest.MonkeyPatch, machine: str) -> None:
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    monkeypatch.setattr(engines, "PATIENCE", 0.0)
    if machine == "without":
        def missing(program: object) -> None:
            raise ImportError("No module named 'llvmlite'")

        monkeypatch.setattr(engines, "_native", missing)
    looked: list[bool] = []
    monkeypatch.setattr(Rules, "moves", lambda rules, at, real=Rules.moves: looked.append(True) or real(rules, at))
    game = zrf_py.load("chess")
    auto = game.engine
    assert isinstance(auto, Auto)
    start = auto.start()
    assert auto.moves(start) == Rules(game.program).moves(start)
    assert (auto._at_hand is None) == (machine == "without")
    assert len(looked) == (3 if machine == "without" else 2)  # calls: interrupted, without LLVM, the test's own


@pytest.mark.own_code
def test_long_listings_switch_to_the_games_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    monkeypatch.setattr(engines, "MANY", 3)
    monkeypatch.setattr(engines, "PATIENCE", 0.0)
    game = zrf_py.load("breakthrough")
    position, random = game.start(), Random(1)
    rules = Rules(game.program)
    for ply in range(30):
        assert [move.raw for move in position.moves()] == list(rules.moves(position.state))
        position = position.play(random.choice(position.moves()))
        if ply == 10:
            assert isinstance(game.engine, Auto)
            answering = cast("Native", game.engine.answering)
            assert answering is not game.engine.native()
            answering.machine.finish(60)
            assert answering.machine.is_own


@pytest.fixture
def no_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a machine without llvmlite."""
    for name in [name for name in sys.modules if name.startswith(("llvmlite", "zrf_py.jit", "zrf_py.native"))]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def refuse(
        name: str, globals: Mapping[str, object] | None = None, locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (), level: int = 0,
    ) -> ModuleType:
        if name.startswith("llvmlite"):
            raise ImportError("No module named 'llvmlite'")
        return real(name, globals, locals, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", refuse)
    engine._say_once.cache_clear()


@pytest.mark.usefixtures("no_llvm")
def test_without_llvm_the_interpreter_plays_and_warns_once(caplog: pytest.LogCaptureFixture) -> None:
    engine = make_engine(zrf_py.load("tictactoe").program, "auto", patient=True)
    assert perft(engine, engine.start(), 4) == 3024
    assert perft(engine, engine.start(), 4) == 3024
    assert [record.message for record in caplog.records] == [
        "the slower interpreter is used: the native engine can't be used here (No module named 'llvmlite')"]
    assert isinstance(make_engine(engine.program, "auto"), Rules)
    with pytest.raises(ZrfError, match="the native engine can't be used here"):
        make_engine(engine.program, "native")


BLOCKER = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "llvmlite":
            raise ImportError("No module named 'llvmlite'")

sys.meta_path.insert(0, Refuse())
"""
"""A `sitecustomize.py` that hides llvmlite from Python and from the processes that it starts."""


def run_without_llvm(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as on a machine without llvmlite."""
    (folder / "sitecustomize.py").write_text(BLOCKER, "utf-8")
    paths = os.pathsep.join((str(folder), str(Path(__file__).parents[1])))
    return subprocess.run([sys.executable, "-m", "zrf_py", *words], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": paths})


SLOWLY = "the slower interpreter is used: the native engine can't be used here (No module named 'llvmlite')\n"


@pytest.mark.parametrize(("module", "work"), [
    ("zrf_py.solve.engine", lambda program: state_space(program, False)),
    ("zrf_py.search.base", lambda program: GameSearch(program).base),
    ("zrf_py.native.engine", lambda program: make_engine(program, "auto")),
    ("zrf_py.native.engine", lambda program: engines.say_if_slow()),
], ids=["solver", "search", "engine", "long-work"])
def test_missing_machine_code_is_reported(
    module: str, work: Callable[[Program], object], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:
    engine._say_once.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    for _ in range(2):
        work(zrf_py.load("peg-solitaire").program)
    assert [record.getMessage().partition(" (")[0] for record in caplog.records] == [SLOWLY.partition(" (")[0]]
    engine._say_once.cache_clear()


@pytest.mark.parametrize(("command", "slowly", "shown"), [
    ("play tictactoe --players random --seed 1 --plies 3", False, "O to move"),
    ("play tictactoe --players ai:1 --seed 1 --plies 3", True, "O to move"),
    ("analyse breakthrough --nodes 200 --kind mcts", True, "slow, "),
    ("match random greedy --game tictactoe --games 2", True, "2 games"),
    ("match ai:1 random --game tictactoe --games 2", True, "2 games"),
    ("judge tictactoe --games 4 --levels random,ai:1", True, "Who wins"),
    ("solve peg-solitaire --time 600 --variant 'Latin Cross'", True, "solved in 5 turns"),
    ("check tictactoe", False, "no problems"),
    ("moves tictactoe", False, "X Mark a3"),
    ("perft tictactoe 3", True, "perft 3 504"),
])
@pytest.mark.slow
def test_usual_commands_work_without_llvm(command: str, slowly: bool, shown: str, tmp_path: Path) -> None:
    done = run_without_llvm(tmp_path, *shlex.split(command))
    assert (done.returncode, done.stderr) == (0, SLOWLY if slowly else ""), done.stderr
    assert shown in done.stdout


@pytest.mark.parametrize("command", ["agree tictactoe", "show tictactoe --llvm", "moves tictactoe --engine native"])
def test_commands_about_machine_code_name_the_missing_package(command: str, tmp_path: Path) -> None:
    done = run_without_llvm(tmp_path, *command.split())
    assert done.returncode == 1 and "error[no-native-engine]" in done.stderr and "`pip install llvmlite`" in done.stderr


def test_llvm_code_is_listed_beside_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    assert main(["show", "chess", "--llvm", "--piece", "Knight"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("; block 1 of Knight, motions n, ne\n")
    assert text.count("define internal") == 1, "eight blocks share one function"
    assert "alloca" not in text, "variables are in registers"
    for part in ("chess.zrf", "(verify not-friend?)", "@is_friend", "@write_simple", "step n"):
        assert part in text
