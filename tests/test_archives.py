"""Zip archives opened as they are, and what is refused of them; names of files as old rules have them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from zrf_py import archives
from zrf_py.cli.main import main
from zrf_py.library import load_file
from zrf_py.paths import parts_of, same_name
from zrf_py.play.game import load
from zrf_py.text.diagnostics import ZrfError

RULES = b"""(game (title "Hop") (players White Black) (turn-order White Black) (include "INC\\Board.INC")
  (piece (name Man) (moves (n add))) (board-setup (White (Man a1))))"""
BOARD = b'(board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1))))'


def packed(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(ZrfError) as error:
        load_file(path)
    return error.value.diagnostics[0].code


def test_a_game_in_an_archive_plays(tmp_path: Path) -> None:
    path = packed(tmp_path / "Hop.ZIP", **{"Hop/HOP.ZRF": RULES, "Hop/inc/board.inc": BOARD, "Hop/readme.txt": b"hi"})
    assert [str(m) for m in load(path).start().moves()] == ["Man a1 - a2"]


def test_one_of_several_games_is_named_through_the_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    path = packed(tmp_path / "two.zip", **{"Hop.zrf": RULES, "inc/board.inc": BOARD, "b/Other.zrf": RULES})
    assert refusal(path) == "not-a-file"
    assert load(f"{path}/hop.zrf").title == "Hop"
    assert main(["check", str(path)]) == 1  # the second one lacks what it includes
    assert "2 rules files (1 game), 1 without an error, 1 with errors" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["../out.zrf", "/out.zrf", "C:\\out.zrf", "a/../../out.zrf"])
def test_no_file_is_written_outside(tmp_path: Path, name: str) -> None:
    assert refusal(packed(tmp_path / "bad.zip", **{name: RULES})) == "bad-archive"
    assert not list(tmp_path.rglob("out.zrf"))


def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = packed(tmp_path / "bomb.zip", **{"a.zrf": bytes(archives.FREE_BYTES + 1)})
    assert bomb.stat().st_size < 100_000
    assert refusal(bomb) == "archive-too-large"
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    assert refusal(packed(tmp_path / "many.zip", a=b"", b=b"", c=b"")) == "archive-too-large"


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    whole = packed(tmp_path / "whole.zip", **{"a.zrf": RULES * 50}).read_bytes()
    for cut in (4, len(whole) // 2, len(whole) - 4):
        path = tmp_path / f"cut-{cut}.zip"
        path.write_bytes(whole[:cut])
        assert refusal(path) == "bad-archive"


def test_an_include_is_found_by_its_name_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "Hop.zrf").write_bytes(RULES)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "BOARD.inc").write_bytes(BOARD)
    file = load_file(tmp_path / "Hop.zrf")
    assert [(d.code, d.severity) for d in file.report.items] == [("include-elsewhere", "warning")]
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "board.inc").write_bytes(BOARD)  # now it could be either
    assert [d.code for d in load_file(tmp_path / "Hop.zrf").report.errors] == ["missing-include"]


@pytest.mark.parametrize(("name", "parts"), [
    (r"inc\a.bmp", ("inc", "a.bmp")), ("inc/a.bmp", ("inc", "a.bmp")), (r"..\a", ("..", "a")), (r"C:\a", None),
    (r"\a", None), ("/a", None), ("a\0", None)])
def test_paths_of_old_files(name: str, parts: tuple[str, ...] | None) -> None:
    assert parts_of(name) == parts


def test_capitals_of_every_step_are_left_out_of_account(tmp_path: Path) -> None:
    (tmp_path / "Images" / "Set").mkdir(parents=True)
    (tmp_path / "Images" / "Set" / "Man.BMP").write_bytes(b"")
    assert same_name(tmp_path, ("images", "SET", "man.bmp")) == tmp_path / "Images" / "Set" / "Man.BMP"
    assert same_name(tmp_path, ("images", "other", "man.bmp")) is None


def test_a_served_folder_shows_what_is_in_its_archives(tmp_path: Path) -> None:
    from zrf_py.serve.games import Games

    packed(tmp_path / "old.zip", **{"Hop/Hop.zrf": RULES, "Hop/inc/board.inc": BOARD})
    (tmp_path / "bad.zip").write_bytes(b"PK damaged")
    own = [game for game in Games(str(tmp_path)).all() if game.is_own]
    assert [(game.id, game.title) for game in own] == [("file/old.zip/Hop/Hop.zrf", "Hop")]
    assert load(own[0].path).title == "Hop"
