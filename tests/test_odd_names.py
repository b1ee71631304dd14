"""Odd file names (invalid UTF-8, control characters, empty); folders, devices and pipes; numbers that are too large."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

import zrf_py
from tests.playing import HANG, RULES, slow
from tests.serving import Server
from zrf_py import paths
from zrf_py.cli.main import main
from zrf_py.play.gallery import Games
from zrf_py.play.zsg import record, save_game
from zrf_py.text.diagnostics import ZrfError

Zrf = Callable[..., tuple[int, str, str]]


@pytest.fixture
def zrf(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Zrf:
    """A function that runs the command in an empty folder, and returns exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        return code, *capfd.readouterr()

    return run


def _rules(path: Path | str) -> None:
    try:
        shutil.copy(RULES / "tictactoe.zrf", path)
    except OSError:
        pytest.skip("this disk takes no such names")


# --------------------------------------------------------------------------------- names that are not valid text

LATIN = os.fsdecode(b"caf\xe9.zrf")
"""A Latin-1 file name, as a system with UTF-8 names unpacks it from an archive of the nineties."""


OTHERS = (
    ("check", LATIN, "--json"), ("check", "."), ("moves", LATIN),
    ("words", LATIN, "--html", "-o", "w.html"), ("lint", LATIN), ("fmt", LATIN), ("perft", LATIN, "2"),
    ("why", LATIN, "a1"), ("analyse", LATIN, "--nodes", "50"),
    ("selfplay", LATIN, "-o", "s.jsonl", "--games", "2", "--workers", "1"), ("export", LATIN, "-o", "e.html"),
    ("port", ".", "--html", "--workers", "1"), ("judge", LATIN, "--games", "4", "--html", "j.html", "--workers", "1"),
)
"""Commands that only the slow tests run."""


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows all file names are valid text")
@pytest.mark.parametrize("words", [
    ("check", LATIN), ("show", LATIN, "--svg", "s.svg"), ("play", LATIN, "--players", "random", "--plies", "2"),
    *slow([(words,) for words in OTHERS])], ids=" ".join)
def test_commands_accept_file_names_that_are_not_valid_text(words: tuple[str, ...], tmp_path: Path) -> None:
    _rules(tmp_path / LATIN)
    _rules(tmp_path / "other.zrf")
    done = subprocess.run([sys.executable, "-m", "zrf_py", *words], cwd=tmp_path, capture_output=True, timeout=HANG,
                          env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(RULES.parent)})
    said = {"show": b"Wrote s.svg; any browser can display the picture.\n",
            "selfplay": b"2 games are being played; they are written when all are finished\n"}
    assert (done.returncode, done.stderr) == (0, said.get(words[0], b""))
    assert done.stdout.decode("utf-8") is not None


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows all file names are valid text")
def test_a_gallery_has_games_whose_file_names_are_not_valid_text(tmp_path: Path) -> None:
    pytest.importorskip("starlette", reason="boards need the extra `board`")
    folder = tmp_path / "games"
    (folder / os.fsdecode(b"d\xe4r")).mkdir(parents=True)
    _rules(folder / os.fsdecode(b"d\xe4r") / LATIN)
    (folder / os.fsdecode(b"broken\xff.zrf")).write_text("(game (title")
    server = Server(tmp_path / "state", str(folder))
    try:
        with urlopen(f"{server.address}/api/games", timeout=HANG) as answer:
            games = {game["title"]: game for game in json.load(answer)["games"] if game["id"].startswith("file/")}
        assert games["Tic-Tac-Toe"]["id"] == "file/d\\udce4r/caf\\udce9.zrf"
        table = server.make(game=games.pop("Tic-Tac-Toe")["id"])
        with urlopen(f"{server.address}/t/{table['id']}/picture.svg", timeout=HANG) as answer:
            assert b"</svg>" in answer.read()
        ((_, broken),) = games.items()
        with pytest.raises(HTTPError) as refused:
            server.make(game=broken["id"])
        assert refused.value.code == 400 and "summary" in json.load(refused.value)["error"]
        (game,) = (game for game in Games(str(folder / os.fsdecode(b"d\xe4r") / LATIN)).all() if game.is_own)
        assert game.id == "file/caf\\udce9.zrf"
    finally:
        assert "Traceback" not in server.end()


@pytest.mark.parametrize("words", [("check", "."), ("check", "--full", "."), ("port", ".", "--workers", "1"),
                                   ("replay", ".")], ids=" ".join)
def test_file_names_send_no_control_characters(zrf: Zrf, words: tuple[str, ...]) -> None:
    _rules("a\x1b[31m\n\x9b7m.zrf")
    for name in ("b\x1b[31m.zrf", "c\x1b[31m.zsg", "d\x1b[31m.zip"):
        Path(name).write_text("junk", "utf-8")
    code, out, err = zrf(*words)
    assert code == 1 and "\x1b" not in out + err and "\x9b" not in out + err
    assert "[31m" in out + err


# ---------------------------------------------------------------------------------------------------- many problems


def test_only_the_first_problems_of_a_kind_are_printed(zrf: Zrf) -> None:
    zones = "".join(f"(zone (name z{i}) (players X) (positions a1))\n" for i in range(50))
    text = (RULES / "tictactoe.zrf").read_text("utf-8")
    assert text.count("  (board\n") == 1
    Path("zones.zrf").write_text(text.replace("  (board\n", f"  (board\n{zones}"), "utf-8")
    code, out, _ = zrf("lint", "zones.zrf")
    assert code == 1 and out.count("warning[unused-zone]") == 20
    assert "50 findings\n(30 of them not shown" in out
    assert zrf("lint", "zones.zrf", "--json")[1].count('"unused-zone"') == 50


# ------------------------------------------------------------------------------- empty names, things that are no files


@pytest.mark.parametrize("command", ["check", "lint", "fmt", "test", "port", "replay", "serve", "words", "moves"])
def test_an_empty_name_does_not_mean_the_current_folder(zrf: Zrf, command: str) -> None:
    text = (RULES / "tictactoe.zrf").read_text("utf-8") + "\n\n\n"
    Path("mine.zrf").write_text(text, "utf-8")
    code, out, err = zrf(command, "")
    assert code == 1 and ("empty" in out + err or "there is no" in out + err)
    assert Path("mine.zrf").read_text("utf-8") == text and list(Path().iterdir()) == [Path("mine.zrf")]


def test_a_folder_without_rules_is_an_error(zrf: Zrf) -> None:
    Path("folder").mkdir()
    Path("folder/readme.txt").write_text("nothing", "utf-8")
    assert zrf("port", "folder") == (1, "there are no rules files (.zrf) and no saved games (.zsg)\n", "")


@pytest.mark.parametrize("data", [b"", b"Rar!\x1a\x07"])
def test_a_misnamed_zip_is_reported(zrf: Zrf, data: bytes) -> None:
    Path("old.zip").write_bytes(data)
    for words in (("check", "old.zip"), ("moves", "old.zip"), ("port", "old.zip"), ("replay", "old.zip")):
        code, out, err = zrf(*words)
        assert code == 1 and "old.zip can't be unpacked" in out + err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_without_a_writer_does_not_block(zrf: Zrf) -> None:
    os.mkfifo("pipe")
    for words in (("replay", "pipe"), ("check", "pipe"), ("moves", "pipe"), ("play", "--load", "pipe")):
        code, out, err = zrf(*words)
        assert code == 1 and "error[not-a-file]" in out + err and "`-` reads standard input" in out + err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows requires special rights to make links")
def test_circular_links_hide_nothing(tmp_path: Path) -> None:
    _rules(tmp_path / "mine.zrf")
    (tmp_path / "loop.zrf").symlink_to("loop.zrf")
    assert [game.path.name for game in Games(str(tmp_path)).all() if game.is_own] == ["mine.zrf"]


# -------------------------------------------------------------------------------------------------- numbers, writing


@pytest.mark.parametrize("words", [
    ("port", "."), ("judge", "tictactoe"), ("selfplay", "tictactoe", "-o", "s.jsonl"),
    ("match", "random", "random", "--game", "tictactoe"),
], ids=" ".join)
@pytest.mark.parametrize("number", ["0", "-1", "513", "9" * 30, "9" * 5000, "two"])
def test_the_number_of_processes_is_limited(zrf: Zrf, words: tuple[str, ...], number: str) -> None:
    code, _, err = zrf(*words, "--workers", number)
    assert code == 2 and "is not a whole number from 1 to 512" in err and len(err) < 2000


@pytest.mark.parametrize("edits", [
    "(", "(x", "(x a1) (O Mark b1", "(x a1); (O Mark b1)", "((((", "()", "(x a1) b1", "(x z9)"])
@pytest.mark.parametrize("words", [("moves", "tictactoe"), ("why", "tictactoe", "a1"), ("show", "tictactoe")],
                         ids=" ".join)
def test_invalid_edits_are_never_skipped(zrf: Zrf, words: tuple[str, ...], edits: str) -> None:
    code, out, err = zrf(*words, "--position", edits)
    assert (code, out) == (1, "") and "error[bad-edit]" in err
    assert "(x a1)" in err or "(x square)" in err or "there is no place `z9`: the places are `a3`, `a2`" in err


@pytest.mark.parametrize(("data", "code"), [
    (b"; two men\n(X Mark a1)\n\n(O Mark b2)\n", 0), ("(X Mark a1)\r(O Mark b2)".encode("utf-16"), 0), (b"", 0),
    (bytes(range(256)), 1), (b"Zillions Save Game File Version 0.02 HC\n1. a1\n", 1), (None, 1)])
def test_a_position_is_read_from_a_file_of_edits(zrf: Zrf, data: bytes | None, code: int) -> None:
    if data is not None:
        Path("men.txt").write_bytes(data)
    found, out, err = zrf("moves", "tictactoe", "--position", "men.txt")
    assert found == code and "internal" not in err and "Decode" not in err
    assert len(out.splitlines()) == (0 if code else 7 if data else 9)


@pytest.mark.parametrize("words", [("moves", "a\0b"), ("replay", "\0"), ("words", "chess", "-o", "a\0"), ("\0",)])
def test_names_with_a_nul_are_refused(zrf: Zrf, words: tuple[str, ...]) -> None:
    code, out, err = zrf(*words)
    assert (code, out) == (2, "") and "NUL" in err


@pytest.mark.parametrize("words", [("moves", "tictactoe", "--play"), ("why", "tictactoe"), ("moves",)], ids=" ".join)
def test_messages_quote_little_of_the_input(zrf: Zrf, words: tuple[str, ...]) -> None:
    code, _, err = zrf(*words, "x" * 50_000)
    assert code == 1 and "xxx" in err and len(err) < 3000


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(("words", "closed", "code"), [
    (("moves", "chess"), ">&-", 0), (("list",), ">&- 2>&-", 0), (("moves", "none"), "2>&-", 1),
    (("check", "-"), "<&-", 1), (("play", "tictactoe"), "<&-", 0), *slow([
        (("check", "tictactoe"), ">&-", 0), (("show", "tictactoe", "--svg", "-"), ">&-", 0),
        (("words", "tictactoe", "-o", "-"), ">&-", 0), (("moves",), "2>&-", 2)]),
], ids=str)
def test_closed_streams_cause_no_internal_error(words: tuple[str, ...], closed: str, code: int) -> None:
    done = subprocess.run(["sh", "-c", f'"$0" -m zrf_py "$@" {closed}', sys.executable, *words], cwd=RULES.parent,
                          capture_output=True, text=True, timeout=HANG)
    assert done.returncode == code and "internal" not in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


WRITERS = [("words", "tictactoe", "-o"), ("export", "tictactoe", "-o"), ("show", "tictactoe", "--svg"),
           *slow([(("judge", "tictactoe", "--games", "4", "--workers", "1", "--html"),),
                  (("solve", "peg-solitaire", "--variant", "Latin Cross", "--save"),)])]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("words", WRITERS, ids=" ".join)
def test_devices_and_pipes_are_written_to_and_never_replaced(zrf: Zrf, words: tuple[str, ...]) -> None:
    """Replacing a device would remove it for the whole machine; a pipe with a reader stands in for the device."""
    os.mkfifo("pipe")
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(Path("pipe").read_bytes)
        code, _, _ = zrf(*words, "pipe")
        if code or not Path("pipe").is_fifo():
            os.close(os.open("pipe", os.O_WRONLY | os.O_NONBLOCK))
        assert code == 0 and Path("pipe").is_fifo() and len(read.result(HANG)) > 50
    assert list(Path().iterdir()) == [Path("pipe")]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows requires special rights to make links")
@pytest.mark.parametrize("words", WRITERS[:3], ids=" ".join)
def test_writing_through_a_link_keeps_the_link(zrf: Zrf, words: tuple[str, ...]) -> None:
    Path("there").mkdir()
    Path("there/real").write_text("old", "utf-8")
    Path("link").symlink_to("there/real")
    assert zrf(*words, "link")[0] == 0
    assert Path("link").is_symlink() and Path("there/real").stat().st_size > 50
    assert list(Path("there").iterdir()) == [Path("there/real")]


@pytest.mark.parametrize("words", [
    *WRITERS[:3], ("train", "tictactoe", "-o"), ("convert", "a.zsg", "--to", "zsg", "-o")], ids=" ".join)
def test_no_result_replaces_a_rules_file(zrf: Zrf, words: tuple[str, ...]) -> None:
    game = zrf_py.load("tictactoe")
    save_game("a.zsg", record(game.start(), "tictactoe.zrf", "HH"))
    Path("Hop.ZRF").write_text("old", "utf-8")
    code, out, err = zrf(*words, "Hop.ZRF")
    assert (code, out) == (1, "") and "Hop.ZRF can't be written: names that end in .zrf are for rules files" in err
    with pytest.raises(ZrfError, match="are for rules files"):
        save_game("Hop.ZRF", record(game.start(), "tictactoe.zrf", "HH"))
    assert Path("Hop.ZRF").read_text("utf-8") == "old"


@pytest.mark.parametrize("words", WRITERS, ids=" ".join)
@pytest.mark.parametrize("name", ["", *slow(["."]), "folder", *slow(["none/file"]), "file/below"])
def test_an_unwritable_place_gives_one_message(zrf: Zrf, words: tuple[str, ...], name: str) -> None:
    Path("folder").mkdir()
    Path("file").write_text("old", "utf-8")
    if words[0] in ("judge", "solve") and name != "folder":
        pytest.skip("these take longer, and one will do")
    code, _, err = zrf(*words, name)
    assert code == 1 and len(err.splitlines()) <= 2 and "internal" not in err
    assert (name or "a file without a name") in err and "Error" not in err and ".tmp" not in err
    assert sorted(path.name for path in Path().iterdir()) == ["file", "folder"] and not list(Path("folder").iterdir())


def test_pages_and_words_can_be_written_to_standard_output(zrf: Zrf) -> None:
    assert zrf("words", "tictactoe", "-o", "-") == zrf("words", "tictactoe")
    code, out, err = zrf("export", "tictactoe", "-o", "-")
    assert (code, err) == (0, "") and out.startswith("<!doctype html>") and out.rstrip().endswith("</html>")
    assert not list(Path().iterdir())


def test_a_failed_write_keeps_the_old_file(zrf: Zrf, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("rules.md").write_text("old", "utf-8")

    def full(*names: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(paths.os, "fsync", full)
    code, _, err = zrf("words", "tictactoe", "-o", "rules.md")
    assert code == 1 and "No space left" in err
    assert Path("rules.md").read_text("utf-8") == "old" and list(Path().iterdir()) == [Path("rules.md")]


@pytest.mark.parametrize("words", [
    ("selfplay", "tictactoe", "--games"), ("selfplay", "tictactoe", "--opening"), ("judge", "tictactoe", "--games"),
    ("match", "random", "random", "--nodes"), ("match", "random", "random", "--opening"),
    ("match", "random", "random", "--time"),
    ("puzzles", "tictactoe", "--count"), ("solve", "tictactoe", "--time"), ("perft", "tictactoe"),
    ("show", "tictactoe", "--width"), ("train", "tictactoe", "--rounds"), ("compare", "a", "b", "--max-plies"),
    ("convert", "a", "b", "--number"), ("port", ".", "--workers"),
], ids=" ".join)
@pytest.mark.parametrize("number", ["-1", "x", "1e99", "9" * 5000, ""])
def test_invalid_numbers_get_our_own_messages(zrf: Zrf, words: tuple[str, ...], number: str) -> None:
    """The messages are not those of argparse, which quote the name of a function: `invalid positive value`."""
    code, _, err = zrf(*words[:-1], words[-1], number) if words[0] != "perft" else zrf(*words, number)
    assert code == 2 and re.search(r"is not a (whole )?number |expected|unknown argument", err) and "invalid" not in err
    assert len(err) < 2000
