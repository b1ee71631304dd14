"""Cached parser tables give the same parser as the grammar, and are rebuilt if they are unusable."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playing import RULES, slow
from zrf_py import cache
from zrf_py.compile import compile_source
from zrf_py.front import lalr, parse
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Origin, Source


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "none")
    parse.grammar.cache_clear()
    yield tmp_path / "zrf_py"
    parse.grammar.cache_clear()


def no_includes(name: str, origin: Origin) -> Source | None:
    raise AssertionError(f"{name} is included")


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.tables"))


def codes() -> list[object]:
    """Compile a file of the shelf anew; return its titles and operations."""
    parse.grammar.cache_clear()
    report = Report()
    programs = compile_source(Source("checkers.zrf", (RULES / "checkers.zrf").read_text("utf-8")), no_includes, report)
    assert not report.items and programs
    return [(p.game.title, [[op.name for op in r.code] for piece in p.moves for r in piece]) for p in programs]


def test_the_second_start_reads_the_tables_of_the_first(kept, monkeypatch):
    first = codes()
    assert len(files(kept)) == 1
    monkeypatch.setattr(lalr, "_to_tables", lambda parser: pytest.fail("made again"))
    assert codes() == first


@pytest.mark.parametrize("damage", [
    b'[{"parser": 1, "options": {}}, {}]', *slow([b"", b"[]", b"[{}, {}]", b"\xff\xfe"])])
def test_unusable_tables_are_rebuilt(kept, monkeypatch, damage):
    first = codes()
    monkeypatch.setattr(lalr.cache, "load", lambda name: damage)
    assert codes() == first


def test_tables_are_built_without_a_cache_folder(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "none")
    assert codes()
