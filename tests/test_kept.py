"""Programs and problems read from the cache equal those of a new compilation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.playing import slow
from zrf_py import kept as kept_programs
from zrf_py.data import data_file
from zrf_py.library import RulesFile, load_file
from zrf_py.run.rules import Rules
from zrf_py.text.render import render

FILES = ("chess", "checkers", "nine-mens-morris", "amazons")
WRONG = '(game (title "T") (players A B) (turn-order A B) (board (zone (name z)))) (variant (titel "x"))'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    return tmp_path / "zrf_py"


def kept(place: Path) -> list[Path]:
    return list(place.glob("*.programs"))


@pytest.mark.parametrize("name", FILES)
def test_programs_come_from_the_disk_the_second_time(place: Path, name: str) -> None:
    first, second = (load_file(data_file("rules") / f"{name}.zrf") for _ in range(2))
    assert kept(place)
    one, two = first.programs[0], second.programs[0]
    assert one is not two and [p.game.title for p in first.programs] == [p.game.title for p in second.programs]
    assert [op.name for table in one.moves for r in table for op in r.code] == [
        op.name for table in two.moves for r in table for op in r.code]
    a, b = Rules(one), Rules(two)
    here, there = a.start(), b.start()
    for turn in range(12):
        assert here.key() == there.key() and a.moves(here) == b.moves(there)
        moves = a.moves(here)
        here, there = (rules.after(at, moves[turn % len(moves)]) for rules, at in ((a, here), (b, there)))


def test_cached_problems_are_reported_again(place: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.zrf"
    path.write_text(WRONG, "utf-8")

    def said(file: RulesFile) -> str:
        return render(file.report.items)

    first, second = load_file(path), load_file(path)
    assert kept(place) and said(first) == said(second) and "titel" in said(first)
    problem = second.report.items[0]
    count = len(second.report.items)
    second.report.add(problem.code, problem.message, problem.origin)
    assert len(second.report.items) == count  # the report remembers the places already named


def test_changed_text_is_read_again(place: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.zrf"
    text = (data_file("rules") / "tictactoe.zrf").read_text("utf-8")
    for title in ("One", "Two"):
        path.write_text(text.replace("Tic-Tac-Toe", title), "utf-8")
        assert load_file(path).programs[0].game.title == title


def test_changed_includes_invalidate_the_cache(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cached program is used only as long as the included texts are the same."""
    from zrf_py import compile as compiler

    text = (data_file("rules") / "tictactoe.zrf").read_text("utf-8")
    path, part = tmp_path / "t.zrf", tmp_path / "part.inc"
    path.write_text('(include "between.inc")')
    (tmp_path / "between.inc").write_text('(include "part.inc")')
    compiled = []
    compile_source = compiler.compile_source
    monkeypatch.setattr(compiler, "compile_source", lambda *given: compiled.append(given) or compile_source(*given))
    titles = []
    for title in ("One", "One", "Two", "Two", "One"):
        part.write_text(text.replace("Tic-Tac-Toe", title), "utf-8")
        titles.append(load_file(path).programs[0].game.title)
    assert titles == ["One", "One", "Two", "Two", "One"] and len(compiled) == 3


def test_messages_about_includes_are_repeated(place: Path, tmp_path: Path) -> None:
    """When rules are read again, an included file may be found elsewhere, or not at all."""
    text = (data_file("rules") / "tictactoe.zrf").read_text("utf-8")
    path, part = tmp_path / "t.zrf", tmp_path / "part.inc"
    path.write_text('(include "part.inc")')
    part.write_text(text, "utf-8")
    assert not load_file(path).report.items and kept(place)
    (tmp_path / "below").mkdir()
    part.rename(tmp_path / "below" / "part.inc")
    for _ in range(2):
        assert [d.code for d in load_file(path).report.items] == ["include-elsewhere"]
    (tmp_path / "below" / "part.inc").unlink()
    for _ in range(2):
        assert "include" in load_file(path).report.errors[0].code


def test_unreadable_entries_are_rebuilt(place: Path) -> None:
    path = data_file("rules") / "tictactoe.zrf"
    load_file(path)
    from zrf_py import cache

    (file,) = kept(place)
    cache.store(file.name, b"no pickle")
    assert load_file(path).programs[0].game.title == "Tic-Tac-Toe"


READERS = "zrf_py.compile lark llvmlite"


@pytest.mark.parametrize(("command", "unneeded"), [
    ("moves chess", READERS),
    *slow([("list", READERS + " zrf_py.ir.ops"), (f"check --no-lint {data_file('rules') / 'chess.zrf'}", READERS)])])
def test_short_commands_load_little(place: Path, command: str, unneeded: str) -> None:
    """The modules that read rules are not loaded for cached rules."""
    code = ("import sys; from zrf_py.cli.main import main; "
            f"main({command.split()!r}); print(*sys.modules, file=sys.stderr)")
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert not loaded & set(unneeded.split())


def test_oversized_programs_are_not_packed_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packing the programs of a large file takes as long as compiling them."""
    packed = []
    pack = kept_programs._packed
    monkeypatch.setattr(kept_programs, "LARGEST", 5_000)
    monkeypatch.setattr(kept_programs, "_packed", lambda *given: packed.append(given) or pack(*given))
    titles = {load_file(data_file("rules") / "chess.zrf").programs[0].game.title for _ in range(3)}
    assert titles == {"Chess"} and len(packed) == 1
    assert [path.stat().st_size < 200 for path in kept(place)] == [True]
    load_file(data_file("rules") / "tictactoe.zrf")
    assert len(packed) == 2


def test_every_file_of_the_compiler_is_part_of_the_key() -> None:
    """Messages are cached with their labels and remedies, whose texts come from data files beside the modules."""
    package = data_file("front").parent
    hashed = {path for pattern in kept_programs._MAKERS for path in package.glob(pattern)}
    for folder in ("text", "front", "ir"):
        files = [path for path in (package / folder).iterdir() if path.suffix in {".py", ".json"}]
        assert files and set(files) <= hashed
