"""Rules in zip archives, archives and files that are refused, and file names as old rules write them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.playing import ROOT
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


def test_a_path_through_an_archive_names_one_of_its_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    path = packed(tmp_path / "two.zip", **{"Hop.zrf": RULES, "inc/board.inc": BOARD, "b/Other.zrf": RULES})
    assert refusal(path) == "not-a-file"
    assert load(f"{path}/hop.zrf").title == "Hop"
    assert main(["check", str(path)]) == 1  # the second file's include is missing
    assert "2 rules files (1 game), 1 without errors, 1 with errors" in capsys.readouterr().out


def test_a_path_may_lead_through_nested_archives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    from zrf_py.port.collecting import find_items

    saved = b"Zillions Save Game File Version 0.02 HH\nRulesFile=Hop.zrf\nVariantName=Hop\n1. Man a1 - a2\n"
    files = {"a/Hop.zrf": RULES, "a/inc/board.inc": BOARD, "a/Hop.zsg": saved}
    inner = packed(tmp_path / "inner", **files).read_bytes()
    outer = packed(tmp_path / "outer.zip", **{"old/In.ZIP": inner})
    for item in find_items([str(outer)]).items:  # the names that a report shows
        assert main(["replay" if item.kind == "record" else "check", item.name]) == 0
    assert "1 move, all legal" in capsys.readouterr().out
    assert load(f"{outer}/OLD/in.zip").title == "Hop"
    with pytest.raises(ZrfError) as error:
        load(outer)
    assert error.value.diagnostics[0].help == f"name one of them, such as `{outer}/old/In.ZIP`"


def test_oversized_rules_are_reported(tmp_path: Path) -> None:
    path = packed(tmp_path / "bomb.zip", **{"bomb.zrf": bytes(17 * MIB)})
    assert refusal(path) == refusal(path / "bomb.zrf") == "too-large"
    assert sum(file.stat().st_blocks for file in archives.unpacked(path).rglob("*")) < 100  # the file is sparse


@pytest.mark.parametrize("name", ["../out.zrf", "/../out.zrf", "C:\\..\\out.zrf", "C:../out.zrf", "a/../../out.zrf"])
def test_no_file_is_written_outside_the_folder(tmp_path: Path, name: str) -> None:
    assert refusal(packed(tmp_path / "bad.zip", **{name: RULES})) == "bad-archive"
    assert not list(tmp_path.rglob("out.zrf"))


@pytest.mark.parametrize("root", ["/", "//", "C:\\", "d:", "C:\\\\"])
def test_a_path_with_drive_and_root_is_read_without_them(tmp_path: Path, root: str) -> None:
    """Old archivers recorded whole paths."""
    path = packed(tmp_path / "whole.zip", **{f"{root}Games\\Hop.zrf": RULES, f"{root}Games\\inc\\board.inc": BOARD})
    assert archives.members(path, (".zrf",)) == ["Games/Hop.zrf"]
    assert load(path).title == load(path / "Games/Hop.zrf").title == "Hop"
    assert all(file.is_relative_to(archives._room()) for file in archives.unpacked(path).rglob("*"))


def test_entries_without_a_name_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = packed(tmp_path / "hop.zip", **{"Hop.zrf": RULES, "inc/board.inc": BOARD, "?x.zrf": RULES})
    path.write_bytes(path.read_bytes().replace(b"?x.zrf", b"\0x.zrf"))  # a name ends at the first zero byte
    assert load(path).title == "Hop"
    assert main(["list", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{path}/Hop.zrf\tHop\n"


def test_commands_print_names_without_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a\x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}.zrf"
    path.write_bytes(RULES.replace(b'(include "INC\\Board.INC")', BOARD))
    (tmp_path / path.with_suffix(".md").name).write_text("```moves\ncan: a1 a2\ncannot: a1 a2\n```\n")
    for words in (["fmt", "--check"], ["why"], ["test", "-v"], ["check"], ["fmt"], ["show"]):
        main([*words, str(path), *(["a1a2"] if words == ["why"] else [])])
        out, err = capsys.readouterr()
        assert "\ufffd" in out + err or words == ["show"]
        assert not [(words, line) for line in (out + err).splitlines() if not line.isprintable()]
    main(["test", str(path), "--junit", str(tmp_path / "tests.xml")])
    file = ElementTree.parse(tmp_path / "tests.xml").getroot()[0].get("file", "")
    assert file.endswith("?[31m\N{RIGHT-TO-LEFT OVERRIDE}.md")


def test_names_that_are_not_utf_8_are_reported(tmp_path: Path) -> None:
    path = packed(tmp_path / "hop.zip", **{"\N{LATIN SMALL LETTER A WITH DIAERESIS}.zrf": RULES})
    path.write_bytes(path.read_bytes().replace(b"\xc3\xa4.zrf", b"a\xe4.zrf"))
    with pytest.raises(ZrfError, match="marked as UTF-8, but is not") as error:
        load_file(path)
    assert error.value.diagnostics[0].help


MIB = 1 << 20


def on_disk() -> int:
    """Return the total size in bytes of the files in the temporary folder of this process."""
    return sum(path.stat().st_size for path in archives._room().rglob("*") if path.is_file())


@pytest.fixture(autouse=True)
def _a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_excess", 0)


def bomb(path: Path, mebibytes: int) -> Path:
    """Write a small archive that holds an empty rules file and this many MiB of bitmaps, all zeros."""
    return packed(path, **{f"{i}.bmp": bytes(8 * MIB) for i in range(mebibytes // 8)}, **{"hop.zrf": b""})


def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = on_disk()
    path = bomb(tmp_path / "bomb.zip", 72)
    assert path.stat().st_size < 100_000
    assert refusal(path) == "archive-too-large"
    assert on_disk() == before
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    assert refusal(packed(tmp_path / "many.zip", a=b"", b=b"", c=b"")) == "archive-too-large"


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    whole = packed(tmp_path / "whole.zip", **{"a.zrf": RULES * 50}).read_bytes()
    for cut in (4, len(whole) // 2, len(whole) - 4):
        path = tmp_path / f"cut-{cut}.zip"
        path.write_bytes(whole[:cut])
        assert refusal(path) == "bad-archive"


def test_a_damaged_file_does_not_hide_others_in_its_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = packed(tmp_path / "old.zip", **{"bad.zrf": b";" * 99 + RULES, "Hop.zrf": RULES, "inc/board.inc": BOARD})
    data = bytearray(path.read_bytes())
    data[45] ^= 0xFF
    path.write_bytes(data)
    assert load(path / "Hop.zrf").title == load(path).title == "Hop"
    assert refusal(path / "bad.zrf") == "bad-archive"
    assert [name for name, _ in archives.left_out(path)] == ["bad.zrf"]
    for place in (path, tmp_path):
        main(["check", str(place)])
        assert "2 rules files (1 game), 1 without errors, 1 with errors" in capsys.readouterr().out
    (tmp_path / "Hop.md").write_text("# Hop\n\n```moves\nMan a1 - a2\n```\n", "utf-8")
    (tmp_path / "Hop.zrf").write_bytes(RULES)
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "board.inc").write_bytes(BOARD)
    assert main(["test", str(tmp_path)]) == 1
    shown = capsys.readouterr()
    assert "1 passed, 0 failed, 1 not read" in shown.out and "its file `bad.zrf` is damaged" in shown.err


def test_a_name_that_occurs_twice_in_an_archive_is_listed_once(tmp_path: Path) -> None:
    path = packed(tmp_path / "two.zip", **{"Hop.zrf": RULES, "inc/board.inc": BOARD})
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("Hop.zrf", "(game")
    assert archives.members(path, (".zrf",)) == ["Hop.zrf"] and load(path).title == "Hop"


def test_an_include_is_found_by_its_name_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "Hop.zrf").write_bytes(RULES)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "BOARD.inc").write_bytes(BOARD)
    file = load_file(tmp_path / "Hop.zrf")
    assert [(d.code, d.severity) for d in file.report.items] == [("include-elsewhere", "warning")]
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "board.inc").write_bytes(BOARD)  # now the include is ambiguous
    assert [d.code for d in load_file(tmp_path / "Hop.zrf").report.errors] == ["missing-include"]


@pytest.mark.parametrize(("name", "parts"), [
    (r"inc\a.bmp", ("inc", "a.bmp")), ("inc/a.bmp", ("inc", "a.bmp")), (r"..\a", ("..", "a")), (r"C:\a", None),
    (r"\a", None), ("/a", None), ("a\0", None)])
def test_paths_of_old_files_are_split_into_parts(name: str, parts: tuple[str, ...] | None) -> None:
    assert parts_of(name) == parts


def test_case_is_ignored_in_every_part_of_a_path(tmp_path: Path) -> None:
    (tmp_path / "Images" / "Set").mkdir(parents=True)
    (tmp_path / "Images" / "Set" / "Man.BMP").write_bytes(b"")
    assert same_name(tmp_path, ("images", "SET", "man.bmp")) == tmp_path / "Images" / "Set" / "Man.BMP"
    assert same_name(tmp_path, ("images", "other", "man.bmp")) is None


def test_a_served_folder_lists_the_games_in_its_archives(tmp_path: Path) -> None:
    from zrf_py.play.gallery import Games

    packed(tmp_path / "old.zip", **{"Hop/Hop.zrf": RULES, "Hop/inc/board.inc": BOARD})
    (tmp_path / "bad.zip").write_bytes(b"PK damaged")
    (tmp_path / "link.zrf").symlink_to(ROOT / "rules" / "chess.zrf")  # points outside the folder
    inner = packed(tmp_path / "inner", **{"Hop.zrf": RULES, "inc/board.inc": BOARD}).read_bytes()
    packed(tmp_path / "nest.zip", **{"a/In.zip": inner})
    packed(tmp_path / "texts.zip", **{"readme.txt": b"hi"})
    own = {game.id: game for game in Games(str(tmp_path)).all() if game.is_own}
    assert {id: game.title for id, game in own.items()} == {
        "file/bad.zip": "bad.zip", "file/nest.zip/a/In.zip/Hop.zrf": "Hop", "file/old.zip/Hop/Hop.zrf": "Hop",
        "file/texts.zip": "texts.zip"}
    for game in own.values():
        if game.title == "Hop":
            assert load(game.path).title == "Hop"
        else:  # opening it raises an error
            assert refusal(game.path) in ("bad-archive", "not-a-file")


def test_a_file_in_an_archive_is_not_edited(tmp_path: Path) -> None:
    from zrf_py.serve.run import Settings, make_server

    path = packed(tmp_path / "one.zip", **{"Hop.zrf": RULES, "inc/board.inc": BOARD})
    for wish in (path, path / "Hop.zrf"):
        with pytest.raises(ZrfError, match="is in an archive, where files can't be changed"):
            make_server(Settings(str(wish), port=0, edit=True))


def test_messages_name_files_through_their_archives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = RULES.replace(b"n add", b"n ad")
    inner = packed(tmp_path / "inner", **{"a/Hop.zrf": wrong, "a/inc/board.inc": BOARD}).read_bytes()
    packed(tmp_path / "outer.zip", **{"In.zip": inner, "Hop.zrf": RULES, "inc/board.inc": BOARD + b" (odd)"})
    saved = b"Zillions Save Game File Version 0.02 HH\nRulesFile=Hop.zrf\nVariantName=Hop\n1. Man a1 - a2\n"
    packed(tmp_path / "wrong.zip", **{"Hop.zrf": wrong, "inc/board.inc": BOARD, "Hop.zsg": saved})
    for command, place in (
        ("check", "outer.zip/In.zip/a/Hop.zrf"), ("check", "outer.zip/In.zip"), ("check", "outer.zip/Hop.zrf"),
        ("lint", "outer.zip/Hop.zrf"), ("play", "wrong.zip"), ("show", "wrong.zip"), ("why", "wrong.zip a1"),
        ("replay", "wrong.zip/Hop.zsg"), ("moves", "wrong.zip"), ("words", "wrong.zip"), ("export", "wrong.zip"),
    ):
        path, _, more = place.partition(" ")
        assert main([command, f"{tmp_path}/{path}", *more.split()]) == 1
        said = capsys.readouterr()
        file = place if place.endswith(".zrf") else {"outer.zip/In.zip": f"{path}/a/Hop.zrf"}.get(
            path, f"{path.split('/')[0]}/Hop.zrf")
        file = "outer.zip/inc/board.inc" if place == "outer.zip/Hop.zrf" else file
        assert f" --> {tmp_path}/{file}:" in said.out + said.err
        assert str(archives._room()) not in said.out + said.err
    packed(tmp_path / "large.zip", **{"Large.zrf": bytes(17 * MIB)})
    with pytest.raises(ZrfError, match=f"{tmp_path}/large.zip/Large.zrf is larger"):
        load(tmp_path / "large.zip")


def test_folders_are_checked_and_listed_with_their_archives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f").mkdir()
    Path("f/Plain.zrf").write_bytes(RULES.replace(b'(include "INC\\Board.INC")', BOARD))
    whole = packed(tmp_path / "inner", **{"Hop.zrf": RULES * 9, "inc/board.inc": BOARD}).read_bytes()
    packed(Path("f/nest.zip"), **{"Other.zrf": RULES, "In.zip": packed(
        tmp_path / "inner", **{"Hop.zrf": RULES, "inc/board.inc": BOARD}).read_bytes()})
    packed(Path("f/empty.zip"))
    Path("f/cut.zip").write_bytes(whole[: len(whole) // 2])
    Path("f/rot.zip").write_bytes(whole[:50] + bytes([whole[50] ^ 255]) + whole[51:])  # within the first file
    Path("f/zero.zip").write_bytes(b"")
    assert main(["check", "f"]) == 1
    said = capsys.readouterr().out
    for line in ("f/cut.zip: cut.zip can't be unpacked: it is not a zip archive, or it is truncated",
                 "f/zero.zip: zero.zip can't be unpacked: it is not a zip archive, or it is truncated",
                 "f/rot.zip/Hop.zrf: rot.zip can't be unpacked: its file `Hop.zrf` is damaged",
                 "f/empty.zip: empty.zip contains no rules file",
                 "f/nest.zip/Other.zrf:1: there is no file `INC\\Board.INC` to include"):
        assert line in said.splitlines()
    assert ("f: 4 rules files (2 games), 2 without errors, 2 with errors, 3 archives without readable rules"
            in said)
    assert main(["list", "f"]) == 0
    listed = dict(line.split("\t")[:2] for line in capsys.readouterr().out.splitlines())
    assert listed == {
        "f/Plain.zrf": "Hop", "f/nest.zip/Other.zrf": "Hop", "f/nest.zip/In.zip/Hop.zrf": "Hop",
        "f/cut.zip": "(cut.zip can't be unpacked: it is not a zip archive, or it is truncated)",
        "f/zero.zip": "(zero.zip can't be unpacked: it is not a zip archive, or it is truncated)",
        "f/rot.zip/Hop.zrf": "(rot.zip can't be unpacked: its file `Hop.zrf` is damaged)",
        "f/empty.zip": "(empty.zip contains no rules file)"}
    for path in Path("f").iterdir():
        path.unlink()
    packed(Path("f/one.zip"), **{"Hop.zrf": RULES, "inc/board.inc": BOARD})
    assert main(["check", "f"]) == 0
    assert "f/one.zip/Hop.zrf: 1 warning (1 game)" in capsys.readouterr().out


@pytest.mark.slow
def test_all_archives_of_a_process_share_one_budget(tmp_path: Path) -> None:
    before, codes = on_disk(), []
    for i in range(7):
        try:
            archives.unpacked(bomb(tmp_path / f"{i}.zip", 56))
            codes.append("")
        except ZrfError as error:
            codes.append(error.diagnostics[0].code)
    assert codes == ["", "", "", "", *["archive-too-large"] * 3]
    assert on_disk() - before <= archives.ROOM


def test_nested_archives_share_the_limits_of_the_outer_one(tmp_path: Path) -> None:
    from zrf_py.port.collecting import find_items

    inner = bomb(tmp_path / "inner.zip", 24).read_bytes()
    packed(tmp_path / "folder.zip", **{f"{i}.zip": inner for i in range(8)})
    before = on_disk()
    found = find_items([str(tmp_path / "folder.zip")])
    assert len(found.of("rules")) == 2
    assert len(found.refused) == 6
    assert all("too much for the archive that contains it" in why for _, why in found.refused)
    assert on_disk() - before < archives.FREE_BYTES


def test_only_files_in_use_are_unpacked(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", **{"a.zrf": RULES, "film.avi": bytes(MIB), "big.wav": bytes(17 * MIB)})
    folder = archives.unpacked(path)
    assert (folder / "a.zrf").read_bytes() == RULES
    assert (folder / "film.avi").stat().st_size == 0  # an empty stand-in, since nothing reads it
    assert archives.left_out(path) == (("big.wav", "is larger than 16 MiB (17 MiB)"),)


def test_a_file_name_too_long_for_the_disk_keeps_its_extension(tmp_path: Path) -> None:
    folder = archives.unpacked(packed(tmp_path / "a.zip", **{"x" * 60_000 + ".zrf": RULES}))
    assert [path.suffix for path in folder.iterdir()] == [".zrf"]


def test_a_file_below_the_path_of_another_file_is_left_out(tmp_path: Path) -> None:
    path = packed(tmp_path / "odd.zip", **{"g.zrf": RULES, "g.zrf/x.zrf": RULES, "inc/board.inc": BOARD})
    assert [str(m) for m in load(f"{path}/g.zrf").start().moves()] == ["Man a1 - a2"]
    assert [name for name, _ in archives.left_out(path)] == ["g.zrf/x.zrf"]


def test_listing_games_unpacks_nothing(tmp_path: Path) -> None:
    from zrf_py.play.gallery import Games

    packed(tmp_path / "old.zip", **{"Hop/Hop.zrf": RULES, "Hop/inc/board.inc": BOARD})
    bomb(tmp_path / "bomb.zip", 56)
    before = on_disk()
    assert [game.title for game in Games(str(tmp_path)).all() if game.is_own] == ["hop", "Hop"]
    assert on_disk() == before


KILLED = """
import os, signal, sys
from pathlib import Path
from zrf_py import archives
print(archives.unpacked(Path(sys.argv[1])).parent.parent, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_folder_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", **{"a.zrf": RULES})
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, capture_output=True, text=True)
    orphan, mine = Path(done.stdout.strip()), archives.unpacked(path)
    assert (orphan / "lock").exists()
    archives._room.__wrapped__()  # as the next process would do
    assert not orphan.exists()
    assert mine.exists()


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_FILE", 10)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("small.zrf", "0123456789")
        archive.writestr("large.zrf", "0123456789a")
    assert archives.member(tmp_path / "a.zip" / "small.zrf") == b"0123456789"
    with pytest.raises(ZrfError, match=r"large\.zrf"):
        archives.member(tmp_path / "a.zip" / "large.zrf")


@pytest.mark.parametrize("inside", ["", "/a.zrf"])
@pytest.mark.parametrize("command", ["fmt", "fix"])
def test_archives_are_never_changed(
    tmp_path: Path, command: str, inside: str, capsys: pytest.CaptureFixture[str],
) -> None:
    """Commands refuse an archive, and a path into one; the message contains the command that unpacks the archive."""
    with zipfile.ZipFile(tmp_path / "old.zip", "w") as archive:
        archive.writestr("a.zrf", '(game (title "A"))')
    assert main([command, f"{tmp_path / 'old.zip'}{inside}"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error[not-a-file]") and f"python -m zipfile -e {tmp_path / 'old.zip'}" in said


def test_mistakes_are_found_and_tests_run_inside_archives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files with the same name are distinguished by their paths; an unreadable archive does not hide the others."""
    page = b"# Hop\n\n```moves\nMan a1 - a2\n```\n\n# Wrong\n\n```moves\nMan a1 - b2\n```\n"
    packed(tmp_path / "two.zip", **{"a/Hop.zrf": RULES, "a/inc/board.inc": BOARD, "a/Hop.md": page,
                                    "b/Hop.zrf": RULES, "b/inc/board.inc": BOARD.replace(b"directions", b"direction")})
    (tmp_path / "bad.zip").write_bytes(b"PK damaged")
    for place in (tmp_path, tmp_path / "two.zip"):
        assert main(["lint", str(place)]) == 1
        said = capsys.readouterr().out
        assert "warning[no-description]" in said and f" --> {tmp_path}/two.zip/a/Hop.zrf:" in said
        assert "error[unknown-keyword]" in said and f" --> {tmp_path}/two.zip/b/inc/board.inc:" in said
        assert ("error[bad-archive]" in said) == (place == tmp_path)
        assert main(["test", str(place)]) == 1
        shown = capsys.readouterr()
        assert "1 passed, 1 failed" in shown.out and f"FAILED {tmp_path}/two.zip/a/Hop.md:10 Wrong" in shown.out
        assert ("error[bad-archive]" in shown.err) == (place == tmp_path)


@pytest.mark.parametrize("command", ["fmt", "fix"])
def test_archives_in_a_folder_are_skipped_with_a_note(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str],
) -> None:
    data = packed(tmp_path / "old.zip", **{"Hop.zrf": RULES}).read_bytes()
    main([command, str(tmp_path)])
    assert capsys.readouterr().err == "(1 archive unchanged: to change files in an archive, unpack it)\n"
    assert (tmp_path / "old.zip").read_bytes() == data


@pytest.mark.parametrize("command", ["fmt", "fix", "check", "lint"])
def test_a_folder_without_rules_files_is_an_error(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "notes.txt").write_text("no rules")
    assert main([command, str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert f"error[not-a-file]: {tmp_path} contains no rules files" in said.out + said.err


def test_a_page_names_a_file_by_its_place_in_the_served_folder(tmp_path: Path) -> None:
    """The page distinguishes two files of one name in an archive, and shows no folder above the served one."""
    pytest.importorskip("starlette", reason="boards need the extra `board`")
    from zrf_py.play.gallery import Games
    from zrf_py.serve.pool import Pool, RulesProblem
    from zrf_py.serve.referee import Referee
    from zrf_py.serve.table import Table

    wrong = RULES.replace(b"n add", b"n ad")
    packed(tmp_path / "two.zip", **{"a/Hop.zrf": RULES, "a/inc/board.inc": BOARD.replace(b"directions", b"direction"),
                                    "b/Hop.zrf": wrong, "b/inc/board.inc": BOARD})
    (tmp_path / "plain.zrf").write_bytes(wrong.replace(b'(include "INC\\Board.INC")', BOARD))

    async def problem(game: str) -> str:
        pool = Pool(1)
        referee = Referee(Games(str(tmp_path)), pool, pool)
        try:
            await referee.ask(referee.question(Table("t", game, None, "o"), "view"))
        except RulesProblem as error:
            return error.text
        finally:
            await pool.close()
        raise AssertionError

    for game, place in (("file/two.zip/a/Hop.zrf", "two.zip/a/inc/board.inc"),
                        ("file/two.zip/b/Hop.zrf", "two.zip/b/Hop.zrf"), ("file/plain.zrf", "plain.zrf")):
        said = asyncio.run(problem(game))
        assert f" --> {place}:" in said and str(tmp_path) not in said and str(archives._room()) not in said
