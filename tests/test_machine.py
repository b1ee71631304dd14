"""Long work starts on the generic kernel and switches to the game's own code: the answers stay the same."""

from __future__ import annotations

import ast
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playing import ROOT, slow
from zrf_py import cache
from zrf_py.data import data_file
from zrf_py.hosts import Worker
from zrf_py.ir.ops import Program
from zrf_py.library import load_file

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from zrf_py.jit.language import Array
from zrf_py.native import Native, making, sources
from zrf_py.native import code as machine
from zrf_py.native import machine as at_work
from zrf_py.native.errors import NoRoom
from zrf_py.native.extension import NOTHING, Extension
from zrf_py.native.layout import lay_out
from zrf_py.native.specialise.templates import most_loops

pytestmark = pytest.mark.own_code
PATIENCE = 300


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "none")
    machine.make_kernel.cache_clear()
    yield tmp_path / "zrf_py"


def rules_file(name: str) -> Program:
    return load_file(data_file("rules") / f"{name}.zrf").programs[0]


def growing(program: Program) -> Native:
    """Return an engine for long work on the generic kernel, without compilation in the background."""
    found = Native(program).worker()
    found.machine.grows = False
    found.border.load(found.start())
    return found


class Ripe:
    """A compilation made in this process; `is_done` is False the first `after` times that it is read."""

    def __init__(self, engine: Native, after: int) -> None:
        assert engine.machine.layout is not None
        self.left = after
        attacks = machine.known_attacks(engine.program)
        layout = machine.own_layout(engine.program, engine.machine.layout, attacks)
        self.made = making.Made(attacks, machine.game_code(engine.program, layout))

    @property
    def is_done(self) -> bool:
        self.left -= 1
        return self.left < 0

    def wait(self, seconds: float) -> bool:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "breakthrough", "othello", "checkers", "halma", "amazons", "connect-four",
                                  "nine-mens-morris", "shogi", "booklet/sternhalma", "platonic/platonic-simple"])
def test_both_kinds_of_code_give_the_same_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games and counts are the same by the game's own code, by the generic kernel, and while switching between
    them."""
    monkeypatch.setattr(at_work, "SLOW_SLICE", 97)
    program = rules_file(name)
    own = Native(program, compiled=True)
    played, counted = own.playouts(6, 5, 200), own.perft(own.start(), 3)
    turns = own.turn_perft(own.start(), 2), own.turn_playouts(2, 3, 40)
    for after in (0, 1, 7, 1_000_000):
        engine = growing(program)
        engine.machine.making = Ripe(engine, after)  # type: ignore[assignment]
        assert engine.playouts(6, 5, 200) == played
        assert engine.perft(engine.start(), 3) == counted
        assert (engine.turn_perft(engine.start(), 2), engine.turn_playouts(2, 3, 40)) == turns
        assert engine.machine.is_own == (after < 1000)


@pytest.mark.slow
def test_a_running_game_switches_to_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_work, "SLOW_SLICE", 17)
    program = rules_file("tictactoe")
    own = Native(program, compiled=True)
    engine = growing(program)
    engine.machine.making = Ripe(engine, 3)  # type: ignore[assignment]
    assert engine.playouts(200, 5) == own.playouts(200, 5)
    assert engine.machine.is_own and engine.machine.making is None
    assert engine.perft(engine.start(), 5) == own.perft(own.start(), 5)


@pytest.mark.slow
def test_code_is_compiled_in_the_background(place: Path) -> None:
    """Another process compiles it and then ends; the code is cached."""
    engine = Native(rules_file("tictactoe"))
    worker = engine.worker()
    began = time.monotonic()
    while not worker.machine.is_own and time.monotonic() - began < PATIENCE:
        assert engine.playouts(20_000, 1).games == 20_000
    assert worker.machine.is_own
    while making._running and time.monotonic() - began < PATIENCE:
        time.sleep(0.05)
    assert not making._running
    kept = sorted(path.suffix for path in place.iterdir() if path.suffix not in (".programs", ".tables"))
    assert kept == [".attacks", ".game", ".kernel", ".lock"]
    again = Native(rules_file("tictactoe")).worker()
    again.border.load(again.start())
    assert again.machine.is_own


@pytest.mark.slow
def test_a_compilation_that_once_failed_is_not_tried_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generic kernel stays in use."""
    program = rules_file("tictactoe")
    engine = growing(program)
    assert engine.machine.layout is not None
    layout = machine.knowing(program, engine.machine.layout)
    cache.store(machine.game_name(layout, engine.machine.also), b"")
    engine.machine.grows = True
    engine.machine.advance()
    engine.machine.finish(PATIENCE)
    assert not engine.machine.is_own and engine.machine.making is None
    assert engine.perft(engine.start(), 4) == 3024


LONG_WORK = """
from zrf_py.data import data_file; from zrf_py.library import load_file; from zrf_py.native import Native, making
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever began the tests may ignore it
n = Native(load_file(data_file('rules') / 'chess.zrf').programs[0]).worker()
n.border.load(n.start()); n.machine.make()
while not making._running: time.sleep(0.01)
print(*(w.process.pid for w in making._running), flush=True)
{then}
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
@pytest.mark.parametrize("how", ["end", "interrupt", "kill"])
@pytest.mark.parametrize("pause", [0.0, 1.0])
def test_no_process_and_no_unfinished_file_is_left(place: Path, how: str, pause: float) -> None:
    """The compiling process ends with its parent or with its work; no unfinished file is left in the cache."""
    then = "" if how == "end" else "time.sleep(300)"
    parent = subprocess.Popen([sys.executable, "-c", LONG_WORK.format(then=f"time.sleep({pause})\n{then}")],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(pause)
        if how != "end":
            parent.send_signal(signal.SIGINT if how == "interrupt" else signal.SIGKILL)
        parent.wait(PATIENCE)
    began = time.monotonic()
    while _is_there(child) and time.monotonic() - began < PATIENCE:
        time.sleep(0.02)
    assert not _is_there(child)
    assert not [path.name for path in place.iterdir() if path.name.startswith("new-")]
    assert all(cache.load(path.name) is not None for path in place.iterdir() if path.suffix != ".lock")


@pytest.mark.slow
def test_a_started_compilation_is_finished_for_the_next_start(place: Path) -> None:
    """A short command doesn't wait for the compilation that it has started; the next command finds the code."""
    pytest.importorskip("fcntl", reason="needs file locks to see when the compiler is at work")
    at_work = """
import fcntl; from zrf_py import cache
with (cache.folder() / "making.lock").open("ab") as lock:
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(lock, fcntl.LOCK_UN)
            time.sleep(0.01)
        except BlockingIOError:
            break
"""
    done = subprocess.run([sys.executable, "-c", LONG_WORK.format(then=at_work)], check=True, timeout=PATIENCE,
                          capture_output=True, text=True)
    began = time.monotonic()
    while _is_there(int(done.stdout)) and time.monotonic() - began < PATIENCE:
        time.sleep(0.02)
    engine = Native(rules_file("chess")).worker()
    assert engine.machine.layout is not None
    assert machine.kept_game(engine.program, machine.common(engine.program, engine.machine.layout), engine.machine.also)


def test_shutdown_may_run_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C closes the input of the processes, so nothing may be written to it when Python exits."""
    worker = Worker()
    monkeypatch.setattr(making, "_running", {worker})
    monkeypatch.setattr(making, "_ending", False)
    making.leave(finish=False)
    making.leave()
    worker.process.wait(PATIENCE)
    worker.close()


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_kind_of_code_in_use_is_reported(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """`zrf show --native` reports which code is in use, and why."""
    from zrf_py.cli.main import main

    def said() -> str:
        assert main(["show", "halma", "--native"]) == 0
        return capsys.readouterr().out

    first = said()
    assert "the kernel for any game at first" in first and "by sets of squares" in first
    assert "the squares that a piece can reach" in first
    program = rules_file("halma")
    layout = machine.knowing(program, machine.common(program, Native(program).machine.layout))  # type: ignore[arg-type]
    cache.store(machine.game_name(layout, machine.NOTHING), b"")
    assert "compiling this game would exceed the limits" in said()
    cache.store(machine.game_name(layout, machine.NOTHING), b"code")
    assert "its own code, cached on disk" in said()
    monkeypatch.setattr(machine, "BLOCKS", 3)
    assert "more than 3" in said()


@pytest.mark.slow
def test_changed_source_is_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither this process nor the compiling one compiles it, since the code would not match the loaded modules."""
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    program = load_file(data_file("rules") / "tictactoe.zrf").programs[0]
    layout = lay_out(program)
    names: list[str] = []
    assert making._compile(making.Order(program, layout, NOTHING, "others"), names.append) is None and not names
    monkeypatch.setitem(sources._loaded, "jit", frozenset({("jit/language.py", 0, 0)}))
    with pytest.raises(NoRoom, match="has changed"):
        machine.game_code(program, layout)
    assert not list(tmp_path.rglob("*.game"))


def test_name_of_cached_code_depends_on_the_memory_layout() -> None:
    shape = NOTHING.shape()
    assert "('turn', 0, 1), ('last_from', 1, 1)" in shape and "'reach_node'" in shape
    assert len({shape, Extension(arrays=(Array(8),)).shape(), Extension(arrays=(Array(16),)).shape()}) == 3


@pytest.mark.slow
def test_many_loops_in_one_block_are_compiled() -> None:
    """Each value that LLVM could track through all the loops would double the compile time per loop; such values are
    hidden from it."""
    program = rules_file("othello")
    layout = machine.knowing(program, lay_out(program))
    assert most_loops(layout) >= 16
    assert machine.is_small(layout)
    own, other = Native(program, compiled=True), Native(program)
    assert own is not other and own.machine.is_own
    assert own.playouts(20, 3) == other.playouts(20, 3)


class Never:
    """A compilation that never finishes; it records the waiting times."""

    is_done = False
    made = None

    def __init__(self) -> None:
        self.waits: list[float] = []

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return False


def test_work_pauses_for_the_compiler_only_if_allowed_and_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = [0.0]
    monkeypatch.setattr(at_work.time, "thread_time", lambda: times[0])
    engine, never = growing(rules_file("tictactoe")), Never()
    machine_at_work = engine.machine
    machine_at_work.making = never  # type: ignore[assignment]
    machine_at_work._began = machine_at_work._seen = 0.0
    for now, rest, waits in ((0.4, True, []), (0.9, False, []), (0.9, True, []), (1.5, False, []), (1.6, True, [5.6]),
                             (1.7, True, [5.6, 0.8])):
        times[0] = now
        machine_at_work.advance(rest)
        assert never.waits == pytest.approx(waits), (now, rest)
        assert machine_at_work.is_waiting and not machine_at_work.is_due and not machine_at_work.is_own
    machine_at_work.finish(3)
    assert never.waits[2:] == [3] and machine_at_work.slice == at_work.SLOW_SLICE


@pytest.mark.parametrize("moment", [*slow(["load"]), "copy"])
def test_ctrl_c_leaves_no_code_half_replaced(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """This holds both while code is loaded and while memory is copied; otherwise functions of one version would work in
    memory of another."""
    program = rules_file("tictactoe")
    engine = growing(program)
    was = engine.perft(engine.start(), 4)
    engine.machine.making = Ripe(engine, 0)  # type: ignore[assignment]
    if moment == "load":
        monkeypatch.setattr(at_work, "Code", lambda data: signal.raise_signal(signal.SIGINT))
    else:
        copy = at_work.memmove
        monkeypatch.setattr(at_work, "memmove", lambda *to: (signal.raise_signal(signal.SIGINT), copy(*to)))
    with pytest.raises(KeyboardInterrupt):
        engine.machine.advance()
    monkeypatch.undo()
    assert engine.machine.is_own == (moment == "copy") and not engine.machine.is_waiting
    assert engine.perft(engine.start(), 4) == was == 3024


def test_the_key_of_code_depends_on_every_file_that_decides_it() -> None:
    """If a file imported by the compiler changes, code made by an older version of the package is not used."""
    package = ROOT / "zrf_py"
    known = {path for pattern in machine.DECIDING for path in package.glob(pattern)}
    makers = [path for folder in ("kernel", "specialise", "bitboards")
              for path in (package / "native" / folder).glob("*.py")]
    imported = set()
    for node in (node for path in makers for node in ast.walk(ast.parse(path.read_text("utf-8")))):
        if isinstance(node, ast.ImportFrom) and node.module and re.match(r"zrf_py\.(front|ir|run)", node.module):
            base = ROOT / node.module.replace(".", "/")
            imported |= {base.with_suffix(".py")} if base.with_suffix(".py").is_file() else {
                base / f"{name.name}.py" for name in node.names}
    assert len(imported) >= 4 and imported <= known
    assert all(list(package.glob(pattern)) for pattern in machine.DECIDING)
