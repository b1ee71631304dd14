"""The cache shipped with the package: used at the first start, ignored where it does not fit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="kernels are made by llvmlite")

from llvmlite import ir

from tests.playing import ROOT
from zrf_py import cache
from zrf_py.data import data_file
from zrf_py.export import page, wasm
from zrf_py.front import lalr, parse
from zrf_py.jit import compiler
from zrf_py.jit.loader import WASM
from zrf_py.library import load_file
from zrf_py.native import Native, code, machine
from zrf_py.native.extension import NOTHING
from zrf_py.search.searcher import SEARCHING
from zrf_py.solve.engine import PUZZLES

pytestmark = pytest.mark.slow
SHIP = ("import sys, pathlib; from zrf_py import cache, shipping; "
        "cache.SHIPPED = pathlib.Path(sys.argv[1]); shipping.ship()")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "shipped"
    folder.mkdir()
    (folder / "left.kernel").write_text("of another release")
    for _again in range(2):
        subprocess.run([sys.executable, "-c", SHIP, str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.fixture(autouse=True)
def _first_start(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "SHIPPED", built)


def test_the_shipped_cache_is_complete(built: Path) -> None:
    pages = [".elsewhere"] * len(wasm.SHIPPED)
    assert sorted(path.suffix for path in built.iterdir()) == pages + [".kernel"] * 4 + [".tables"]


def test_first_start_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "make_kernel", lambda *args, **kinds: pytest.fail("made"))
    monkeypatch.setattr(lalr, "_to_tables", lambda parser: pytest.fail("made"))
    parse.grammar.cache_clear()
    native = Native(load_file(data_file("rules") / "tictactoe.zrf").programs[0])
    assert native.perft(native.start(), 6) == 54720
    for also in (SEARCHING, PUZZLES):
        assert code.kernel_code(also)


@pytest.mark.parametrize(("name", "modules"), [
    ("tictactoe", 1), ("halma", 2), ("othello", 1), ("chess-positions", 0), ("booklet/cat-and-mouse", 0),
    ("booklet/gomoku", 0), ("booklet/connection", 0), ("booklet/tippy", 0),
])
def test_a_page_of_few_variants_compiles_one_module_for_each(
    name: str, modules: int, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only WebAssembly is compiled: the generic kernel comes with the package, and the machine that makes the page
    needs no code of its own for its measurements."""
    compiled: list[str] = []

    def compile_module(module: ir.Module, keep: Collection[str] | None = None, processor: str = "") -> bytes:
        compiled.append(module.triple)
        return compile_one(module, keep, processor)

    compile_one = compiler.compile_module
    monkeypatch.setattr(compiler, "compile_module", compile_module)
    monkeypatch.setattr(machine, "Making", lambda *order: pytest.fail("code for this machine is made"))
    code.make_kernel.cache_clear()
    wasm.kernel.cache_clear()
    page(data_file("rules") / f"{name}.zrf")
    assert compiled == [WASM] * modules


def test_stale_foreign_or_damaged_entries_are_ignored(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    shipped = code.kernel_name(NOTHING)
    assert cache.load(shipped)
    with monkeypatch.context() as older:
        older.setattr(code, "baseline", lambda: "an older one")
        assert cache.load(code.kernel_name(NOTHING)) is None
    monkeypatch.setattr(cache, "SHIPPED", tmp_path)
    (tmp_path / shipped).write_bytes((built / shipped).read_bytes()[:-1])
    assert cache.load(shipped) is None and (tmp_path / shipped).exists()
