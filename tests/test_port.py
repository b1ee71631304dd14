"""`zrf port`, which checks a whole collection of old files: the files found, the report, and robustness."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import shlex
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

import zrf_py
from tests.playing import ROOT
from zrf_py import archives, hosts, library, paths
from zrf_py.cli.main import main, make_parser
from zrf_py.ir.ops import Program
from zrf_py.library import load_file, load_text
from zrf_py.native.engine import Native
from zrf_py.play.engines import make_engine
from zrf_py.play.formats.record_files import load_record
from zrf_py.play.game import load
from zrf_py.play.replay import replay
from zrf_py.play.zsg import Ply, SavedGame, find_rules
from zrf_py.port import collecting, look, run
from zrf_py.port.collecting import Item, find_items
from zrf_py.port.records import follow_record
from zrf_py.port.text import random_games
from zrf_py.run.engine import Engine
from zrf_py.text.codes import CODES

GAME = """(game (title "Hop") (players White Black) (turn-order White Black) (move-sound "Audio\\Hop.wav")
  (board (image "images\\\\board.bmp") (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
    (directions (n 0 -1) (s 0 1))) (symmetry Black (n s) (s n)))
  (piece (name Man) (image White "images\\\\Man.bmp" Black "gone.bmp") (moves (n (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man c3))))
(variant (title "Caf\u00e9"))
"""
FOREIGN = GAME.replace('(title "Hop")', '(title "Alien") (engine "Axiom\\alien.dll")')
FOREIGN = FOREIGN.replace("(verify empty?) add", "")
BITMAP = bytes.fromhex("424d3a0000000000000036000000280000000100000001000000010018000000000004000000") + bytes(20)
MOVES = ("1. Man a1 - a2", "1. Man c3 - c2", "2. Man a2 - a3")


def saved(*moves: str, rules: str = "Hop.zrf", variant: str = "Hop") -> bytes:
    lines = ("Zillions Save Game File Version 0.02 HH", f"RulesFile={rules}", f"VariantName={variant}", *moves, "")
    return "\r\n".join(lines).encode("cp1252")


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Typical old files: upper-case names, Windows paths, cp1252, nested archives, saved games in other folders."""
    root = tmp_path / "old"
    (root / "Rules" / "Images").mkdir(parents=True)
    (root / "Saved" / "deep").mkdir(parents=True)
    (root / "Rules" / "HOP.ZRF").write_bytes(GAME.encode("cp1252").replace(b"\n", b"\r\n"))
    (root / "Rules" / "Images" / "BOARD.BMP").write_bytes(BITMAP)
    (root / "Rules" / "Images" / "man.bmp").write_bytes(BITMAP)
    (root / "Rules" / "broken.zrf").write_text("(game (title \"Broken\")\n(players White Black)\n")
    (root / "Rules" / "alien.zrf").write_text(FOREIGN)
    (root / "Saved" / "deep" / "whole.zsg").write_bytes(saved(*MOVES, rules="..\\..\\Rules\\Hop.zrf"))
    elsewhere = saved(*MOVES, rules="C:\\Zillions\\Rules\\hop.zrf", variant="Café")
    (root / "Saved" / "deep" / "cafe.zsg").write_bytes(elsewhere)
    (root / "Saved" / "stops.zsg").write_bytes(saved(MOVES[0], MOVES[0], rules="Hop.zrf"))
    (root / "Saved" / "alien.zsg").write_bytes(saved(*MOVES, rules="Alien.zrf", variant="Alien"))
    inner = tmp_path / "inner.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("Hop2.zrf", GAME)
        archive.writestr("a/game.zsg", saved(*MOVES, rules="..\\Hop2.zrf"))
    with zipfile.ZipFile(root / "All.ZIP", "w") as archive:
        archive.write(inner, "more/inner.zip")
    (root / "bad.zip").write_bytes(b"PK\x03\x04 damaged")
    return root


def report_of(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    code = main(["port", *words, "--json", "--workers", "1"])
    return code, json.loads(capsys.readouterr().out)


def test_all_files_are_found(shelf: Path) -> None:
    found = find_items([str(shelf)])
    names = {Path(item.name).relative_to(shelf).as_posix() for item in found.items}
    assert names == {
        "Rules/HOP.ZRF", "Rules/broken.zrf", "Rules/alien.zrf", "Saved/deep/whole.zsg", "Saved/deep/cafe.zsg",
        "Saved/stops.zsg", "Saved/alien.zsg", "All.ZIP/more/inner.zip/Hop2.zrf", "All.ZIP/more/inner.zip/a/game.zsg"}
    assert [Path(name).name for name, _ in found.refused] == ["bad.zip"]


def test_links_and_folders_that_are_not_read_are_reported(shelf: Path, tmp_path: Path) -> None:
    """A link to a folder that belongs to the collection is not reported: the folder is read anyway."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "Hop3.zrf").write_text(GAME)
    try:
        for name, target in (("linked", outside), ("gone.zrf", tmp_path / "gone"), ("again", shelf / "Rules"),
                             ("Hop4.zrf", outside / "Hop3.zrf")):
            (shelf / name).symlink_to(target)
    except OSError:
        pytest.skip("this system makes no links")
    found = find_items([str(shelf)])
    assert {Path(name).name: why for name, why in found.refused if "bad.zip" not in name} == {
        "gone.zrf": "it is a broken link", "linked": "it is a link to a folder, which is not followed"}
    assert [Path(item.name).name for item in found.items if "Hop" in item.name and "ZIP" not in item.name] == [
        "Hop4.zrf"]


def test_an_unreadable_file_or_folder_affects_no_other(
    shelf: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The errors are simulated, because tests may run as root, who may read everything."""
    read, scan = Path.read_bytes, os.scandir

    def read_some(path: Path) -> bytes:
        if path.name in ("alien.zrf", "stops.zsg"):
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    def scan_some(path: Path) -> Any:
        if Path(path).name == "deep":
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(Path, "read_bytes", read_some)
    monkeypatch.setattr(paths.os, "scandir", scan_some)
    found = find_items([str(shelf)])
    names = {Path(item.name).name for item in found.items}
    assert {"HOP.ZRF", "alien.zrf", "stops.zsg"} <= names and "whole.zsg" not in names
    assert (f"{shelf.as_posix()}/Saved/deep", "Permission denied") in found.refused


def test_a_collection_has_no_silent_limit(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MAX_ENTRIES", 5)  # the limit for the folder of a single game
    assert len(find_items([str(shelf)]).items) == 9
    monkeypatch.setattr(collecting, "MOST_ENTRIES", 5)
    found = find_items([str(shelf)])
    assert len(found.items) < 9
    assert "only the first 5 files and folders are read" in [why for _, why in found.refused]


@pytest.mark.slow
def test_one_command_examines_a_whole_collection(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ZRF_STATE", str(tmp_path / "state"))
    output = tmp_path / "report"
    code, found = report_of(str(shelf), "-o", str(output), "--html", capsys=capsys)
    assert code == 1  # some file doesn't open
    files = {Path(f["name"]).name: f for f in found["files"]}
    assert {n: f["status"] for n, f in files.items()} == {
        "HOP.ZRF": "plays", "Hop2.zrf": "plays", "alien.zrf": "program", "broken.zrf": "broken"}
    hop = files["HOP.ZRF"]
    assert [t["title"] for t in hop["titles"]] == ["Hop", "Café"]
    assert hop["titles"][0]["end"] and hop["titles"][0]["plies"] == 4
    assert hop["bitmaps"] == {"named": 3, "missing": ["gone.bmp"]}
    assert hop["sounds"] == {"named": 1, "missing": ["Audio\\Hop.wav"]}
    assert files["broken.zrf"]["errors"][0].startswith("broken.zrf:")
    records = {Path(r["name"]).name: (r["status"], r["plies"]) for r in found["records"]}
    assert records == {"whole.zsg": ("whole", 3), "cafe.zsg": ("whole", 3), "game.zsg": ("whole", 3),
                       "stops.zsg": ("stopped", 1), "alien.zsg": ("program", 0)}
    assert found["totals"]["records_whole"] == 3 and found["totals"]["archives_refused"] == 1
    assert json.loads((output / "report.json").read_text("utf-8"))["totals"] == found["totals"]
    page = (output / "report.html").read_text("utf-8")
    assert page.count("<section") == 4 and "gone.bmp" in page and "data:image/" in page
    assert not (tmp_path / "state").exists()  # all files are in the folder of -o


def test_the_table_lists_the_problems(
    shelf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["port", str(shelf), "-o", str(tmp_path / "r"), "--workers", "1"]) == 1
    out = capsys.readouterr().out
    assert "4 rules files (6 games): 2 playable, 1 with rules in an engine DLL, 1 that can't be opened" in out
    assert "5 saved games: 3 replayed to the end, 1 stopped early, 1 with rules in an engine DLL" in out
    assert "bad.zip: can't be opened" in out and "broken.zrf:1" in out and "alien.zrf" in out
    assert "after 1 of 2 moves" in out


def test_endless_games_are_cut_off_and_dll_games_are_not_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    root = tmp_path / "old"
    root.mkdir()
    endless = GAME.replace("(game", '(version "zrf+") (game (option "repetition" none) (option "pass turn" true)', 1)
    (root / "endless.zrf").write_text(endless)
    alien = '(game (title "Alien") (engine "alien.dll") (players A B) (turn-order A B) (option "pass turn" true) ' \
            '(board (positions (p 0 0 9 9))) (piece (name Man)) (board-setup (A (Man p))))'
    (root / "alien.zrf").write_text(alien + '(variant (title "Alien II"))')
    _, found = report_of(str(root), "-o", str(tmp_path / "r"), "--html", "--workers", "1", capsys=capsys)
    page = (tmp_path / "r" / "report.html").read_text("utf-8")
    games = {Path(f["name"]).name: random_games(f["titles"]) for f in found["files"]}
    assert games["endless.zrf"] == "0 of 2 end, 2 cut off after 400 moves" and games["endless.zrf"] in page
    assert "<li>Alien</li><li>Alien II</li>" in page


def test_included_files_are_parts_and_not_failures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """A part can't be opened on its own. Two files that include each other are failures, not parts."""
    monkeypatch.setattr("zrf_py.cli.port.QUIET", 0.0)
    root = tmp_path / "old"
    (root / "parts").mkdir(parents=True)
    board = GAME[GAME.index("(board "):GAME.index("  (piece")]
    (root / "parts" / "Board.zrf").write_text(board.replace("(board ", "(define the-board (board ", 1) + ")")
    (root / "hop.zrf").write_text('(include "Parts/board.zrf")\n' + GAME.replace(board, "(the-board)\n"))
    words = (str(root), "-o", str(tmp_path / "r"), "--html", "--workers", "1")
    for _ in range(2):  # the second time, from stored results
        assert main(["port", *words]) == 0
        said = capsys.readouterr()
        assert "2 rules files (2 games): 1 playable, 1 included by others" in said.out and "Board.zrf:" not in said.out
    page = (tmp_path / "r" / "report.html").read_text("utf-8")
    assert "included by" in page and 'class="bad"' not in page and 'badge broken' not in page
    for name, other in (("a", "b"), ("b", "a")):
        (root / f"{name}.zrf").write_text(f'(include "{other}.zrf")')
    assert main(["port", *words]) == 1
    said = capsys.readouterr()
    assert "2 that can't be opened" in said.out and "`a.zrf` includes itself" in said.out
    assert "hop.zrf: game 2 of 2" in said.err


def test_finished_files_are_not_checked_again(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    words = (str(shelf), "-o", str(tmp_path / "r"))
    _, first = report_of(*words, capsys=capsys)
    kept = tmp_path / "r" / "port.jsonl"
    kept.write_text(kept.read_text() + '{"key": "half of a li')  # as if stopped in the middle of a line
    asked: list[Item] = []
    monkeypatch.setattr("zrf_py.port.run.look_at_all", lambda items, *more, **named: asked.extend(items) or iter(()))
    _, second = report_of(*words, capsys=capsys)
    assert asked == []
    assert second["files"] == first["files"] and second["records"] == first["records"]
    (shelf / "Rules" / "broken.zrf").write_text(GAME)
    main(["port", *words])  # now it is examined again, by a stand-in that does nothing
    assert "broken.zrf" in {Path(item.path).name for item in asked}


@pytest.mark.slow
def test_a_file_that_hangs_or_kills_its_process_affects_no_other(tmp_path: Path) -> None:
    items = [Item("rules", name, str(tmp_path / name), str(tmp_path), "") for name in ("hang", "die", "fail", "good")]
    doing: list[tuple[str, str]] = []
    looked = run.look_at_all(items, 2, False, 5.0, odd_look, lambda item, text: doing.append((item.name, text)))
    found = {item.name: facts for item, facts in looked}
    assert {("hang", "game 1 of 2"), ("good", "game 1 of 2")} <= set(doing)  # slow files report their progress
    assert {name: facts["status"] for name, facts in found.items()} == {
        "hang": "fault", "die": "fault", "fail": "fault", "good": "plays"}
    assert "longer than 5 s" in found["hang"]["errors"][0]


@pytest.mark.slow
def test_the_number_of_processes_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    class Counted(hosts.Worker):
        def __init__(self) -> None:
            begun.append(self)
            super().__init__()

    monkeypatch.setattr(hosts, "Worker", Counted)
    items = [Item("rules", f"good {n}", str(tmp_path), str(tmp_path), "") for n in range(4)]
    assert len(list(run.look_at_all(items, 2, False, 60.0, odd_look))) == 4
    assert len(begun) == 2


def odd_look(item: Item, picture: bool, tell: look.Tell) -> look.Facts:
    tell("game 1 of 2")
    if item.name == "hang":
        time.sleep(600)
    if item.name == "die":
        os._exit(3)
    if item.name == "fail":
        raise ValueError("no")
    return {"name": item.name, "status": "plays"}


def test_replay_of_a_folder_ends_with_a_summary(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(shelf / "Saved"), "--rules", str(shelf / "Rules")]) == 1
    out = capsys.readouterr().out
    assert "whole.zsg: 3 moves, all legal (Hop)" in out
    assert out.splitlines()[-1] == ("4 saved games, 7 moves: 2 replayed to the end, 1 stopped early, "
                                    "1 with rules in an engine DLL")
    assert main(["replay", str(shelf / "Saved" / "deep"), "--json"]) == 1
    records = {Path(r["name"]).name: r for r in json.loads(capsys.readouterr().out)}
    assert records["whole.zsg"]["status"] == "whole"  # found by the path in the record
    assert records["cafe.zsg"]["status"] == "refused"  # recorded on another disk, so its rules aren't found
    assert main(["replay", str(shelf / "All.ZIP")]) == 0


def test_rules_are_found_in_nearby_folders(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shelf / "hop.ZRF").write_bytes((shelf / "Rules" / "HOP.ZRF").read_bytes())
    assert main(["replay", str(shelf / "Saved" / "deep" / "cafe.zsg")]) == 0
    assert main(["replay", str(shelf / "Saved" / "deep" / "cafe.zsg"), "--rules", str(shelf / "Rules")]) == 0
    assert main(["replay", str(shelf / "Saved" / "deep" / "cafe.zsg"), "--variant", "1"]) == 0
    capsys.readouterr()


def test_the_rules_nearest_to_a_saved_game_take_precedence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """Several folders have rules of the same name, of which one is another game; messages give its path."""
    monkeypatch.chdir(tmp_path)
    for folder in ("old/A", "old/B", "old/C/saved"):
        Path(folder).mkdir(parents=True)
    Path("old/A/Hop.zrf").write_text(GAME.replace('"Hop"', '"Old Hop"'), "utf-8")
    for folder, title in (("B", "Hop"), ("C", "Third Hop")):
        Path("old", folder, "Hop.zrf").write_text(GAME.replace('"Hop"', f'"{title}"'), "utf-8")
    Path("old/B/b.zsg").write_bytes(saved(*MOVES))
    Path("old/C/saved/c.zsg").write_bytes(saved(*MOVES, rules="D:\\Hop.zrf", variant="Third Hop"))
    assert main(["replay", "old"]) == 0 == main(["replay", "old", "--rules", "old"])
    capsys.readouterr()
    code, data = report_of("old", "-o", "report", capsys=capsys)
    assert code == 0 and {r["name"]: r["rules"] for r in data["records"]} == {
        "old/B/b.zsg": "old/B/Hop.zrf", "old/C/saved/c.zsg": "old/C/Hop.zrf"}
    assert main(["convert", "old", "new", "--to", "zsg"]) == 0
    for command in ["replay", "old/B"], ["replay", "old/B/b.zsg"], ["convert", "old/B/b.zsg", "b.pgn"]:
        assert main([*command, "--rules", "old/A"]) == 1
        assert "old/A/Hop.zrf has no variant called `Hop`" in "".join(capsys.readouterr())


def test_the_order_of_the_search_for_rules_is_the_same_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """Put the rules at each of the places in turn, the last place first: each takes precedence over those before."""
    (tmp_path / "root" / "in" / "saved").mkdir(parents=True)
    (tmp_path / "given").mkdir()
    game = tmp_path / "root" / "in" / "saved" / "a.zsg"
    game.write_bytes(saved(rules="..\\..\\tictactoe.zrf"))
    for folder in ("", "root/other", "root/in", "root/in/saved", "root", "given"):
        path = tmp_path / folder / "tictactoe.zrf"
        path.parent.mkdir(exist_ok=True)
        path.write_text(GAME, "utf-8")
        assert find_rules(load_record(game), game.parent, library.shelf().values(), tmp_path / "given",
                          tmp_path / "root").resolve() == path
    game.write_bytes(saved(rules="gone.zrf"))
    guide = (ROOT / "grammar" / "porting.md").read_text("utf-8")
    assert main(["replay", str(game)]) == 1 and main(["replay", "--help"]) == 0
    out, err = capsys.readouterr()
    assert all(paths.PLACES in " ".join(text.split()) for text in (out, err, guide))


@pytest.mark.parametrize(("words", "shown"), [
    ("play --players human --load", "Black to move: 1 move"), ("analyse --review --depth 1", "a1-a2")])
def test_a_saved_game_without_rules_leads_to_a_command_that_works(
    words: str, shown: str, shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`play` and `analyse` have no `--rules`; the saved game is of a variant, in a folder with a space."""
    folder = shelf / "Saved" / "on paper"
    (shelf / "Saved" / "deep").rename(folder)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main([*words.split(), str(folder / "cafe.zsg")]) == 1
    advice = re.search(r"name it: `zrf (.*)`", capsys.readouterr().err)
    assert advice and main([str(shelf / "Rules" / "HOP.ZRF") if word == "RULES.zrf" else word
                            for word in shlex.split(advice[1])]) == 0
    assert shown in capsys.readouterr().out


def test_rules_are_found_in_archives_of_a_collection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("Hop.zrf", "more/Hop2.zrf"):
        with zipfile.ZipFile(tmp_path / f"{len(name)}.zip", "w") as archive:
            archive.writestr(name, GAME)
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "a.zsg").write_bytes(saved(*MOVES))
    (tmp_path / "saved" / "b.zsg").write_bytes(saved(*MOVES, rules="C:\\Rules\\hop2.ZRF"))
    assert main(["replay", str(tmp_path / "saved"), "--rules", str(tmp_path)]) == 0
    capsys.readouterr()
    code, data = report_of(str(tmp_path), "-o", str(tmp_path / "report"), capsys=capsys)
    assert code == 0
    assert {Path(r["name"]).name: r["rules"] for r in data["records"]} == {
        "a.zsg": f"{tmp_path}/7.zip/Hop.zrf", "b.zsg": f"{tmp_path}/13.zip/more/Hop2.zrf"}


def test_a_game_with_rules_in_a_dll_is_not_reported_as_over(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = next(shelf.rglob("alien.zsg"))
    (saved.parent / "Alien.zrf").write_text(FOREIGN, "utf-8")
    for words in (["replay", str(saved)], ["convert", str(saved), str(shelf / "x.pgn")],
                  ["analyse", str(saved), "--review"], ["play", "--load", str(saved)]):
        assert main(words) == int(words[0] != "replay")  # a record that zrf can't follow is no failure of `replay`
        shown = "".join(capsys.readouterr())
        assert "its rules are in the engine DLL Axiom" in shown and "the game is over" not in shown


def test_a_game_with_an_engine_dll_is_reported_once(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(shelf / "Rules" / "alien.zrf")
    for words in (["moves", path], ["play", path, "--players", "random"]):
        main(words)
        shown = " ".join("".join(capsys.readouterr()).split())
        assert shown.count("No piece of this game has moves: its rules are in the engine DLL Axiom\\alien.dll") == 1
    main(["moves", path, "--json"])
    assert "alien.dll" in json.loads(capsys.readouterr().out)["program"]


@pytest.mark.parametrize(("rules", "status"), [
    (GAME, look.PLAYS), (GAME.replace('(title "Hop")', '(title "Hop") (engine "x.dll")'), look.PLAYS),
    (FOREIGN, look.FOREIGN), (FOREIGN.replace('(engine "Axiom\\alien.dll")', ""), look.EMPTY),
    (GAME.replace("(n (verify empty?) add)", "(n (verify false) add)"), look.EMPTY),
    (GAME.replace("(n (verify empty?) add)", "(n (verify false) add)").replace(
        '(title "Hop")', '(title "Hop") (engine "Axiom\\alien.dll")'), look.FOREIGN),
    (GAME.replace("(n (verify empty?) add)", "((while true n s) add)"), look.STUCK)])
def test_the_status_of_a_file_follows_from_its_titles(rules: str, status: str) -> None:
    file = load_text(rules)
    assert look._status(file, [look._title(file, number) for number in range(len(file.programs))]) == status


@pytest.mark.parametrize("game", ["chess", "tictactoe", "amazons"])
def test_pictures_fit_their_cards(game: str) -> None:
    """A card shows 300 by 210 pixels; the size is read from the header of the PNG file."""
    data = base64.b64decode(look._picture(load_file(game)).partition("base64,")[2])
    width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
    assert data[1:4] == b"PNG" and max(width, height) > 200 and width <= 300 and height <= 211


def test_a_random_game_ends_by_time_by_the_rules_or_by_plies() -> None:
    game = load("tictactoe")
    assert len(list(look._random_game(game, 1, 0.0))) == 1
    positions = list(look._random_game(game, 1, float("inf")))
    assert positions[-1].outcome() is not None and not any(p.outcome() for p in positions[:-1])
    assert len(list(look._random_game(load("chess"), 2, float("inf")))) == look.PLIES + 1


def test_random_games_are_played_by_native_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter needs seconds for one position of a game with costly blocks."""
    engines: list[Engine] = []

    def recorded(program: Program, name: str) -> Engine:
        engines.append(make_engine(program, name))
        return engines[-1]

    monkeypatch.setattr(look, "make_engine", recorded)
    (tmp_path / "hop.zrf").write_text(GAME, "utf-8")
    facts = look._title(load_file(tmp_path / "hop.zrf"), 0)
    assert facts["plies"] and [type(engine) for engine in engines] == [Native]


def test_the_default_game_is_listed_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`list` and `port` name a file by the game that `play` starts, even if its number is above `MAX_TITLES`; a
    `(variant)` or `(default)` inside a string doesn't count."""
    more = [f'(variant (title "Hop (variant) {n}") (description "not (default)"))' for n in range(look.MAX_TITLES)]
    (tmp_path / "hop.zrf").write_text("\n".join([GAME, *more, '(variant (title "Long Hop") ( default ))']), "utf-8")
    assert load(tmp_path / "hop.zrf").title == "Long Hop"
    assert main(["list", str(tmp_path)]) == 0
    assert capsys.readouterr().out.split("\t")[1] == "Long Hop\n"
    _, found = report_of(str(tmp_path), "-o", str(tmp_path / "r"), capsys=capsys)
    titles = [title["title"] for title in found["files"][0]["titles"]]
    assert titles[:2] == ["Long Hop", "Hop"] and len(titles) == look.MAX_TITLES


@pytest.mark.parametrize(("engine", "status"), [("", "stopped"), ('(engine "Axiom\\alien.dll")', "program")])
def test_a_stopped_replay_is_attributed_to_the_engine_dll_if_any(tmp_path: Path, engine: str, status: str) -> None:
    (tmp_path / "Hop.zrf").write_text(GAME.replace('(title "Hop")', f'(title "Hop") {engine}'))
    path = tmp_path / "stops.zsg"
    path.write_bytes(saved(MOVES[0], MOVES[0]))
    record = follow_record(str(path), path.name)
    assert (record.status, record.plies, record.of) == (status, 1, 2)
    code = int(status == "stopped")
    assert main(["replay", str(path)]) == main(["replay", str(path), str(path)]) == code, "of one file and of several"


def test_a_record_of_a_game_without_its_rules_stops_for_that_reason() -> None:
    """Even if the players may pass; passes are replayed."""
    game = zrf_py.loads('(game (title "Alien") (engine "alien.dll") (players A B) (turn-order A B)'
                        '(option "pass turn" true)'
                        "(board (positions (p 0 0 9 9))) (piece (name Man)) (board-setup (A (Man p))))")
    found = replay(game, SavedGame("", "", "", (Ply(1, "Pass"), Ply(1, "Man p - q"))))
    assert found.plies == 1 and found.stop is not None
    assert found.stop.reason == "its rules are in the engine DLL alien.dll, which zrf does not run"


def test_the_porting_guide_is_true() -> None:
    """The guide's commands and warning codes exist, and the limits that it states are those of `archives.py`."""
    guide = (ROOT / "grammar" / "porting.md").read_text("utf-8")
    parser, _ = make_parser()
    commands = [shlex.split(line, comments=True) for block in re.findall(r"```sh\n(.*?)```", guide, re.S)
                for line in block.splitlines()]
    assert {words[1] for words in commands} == {"port", "replay", "play", "list", "serve"}
    for words in commands:
        parser.parse_args(words[1:])
    named = re.findall(r"warning `([a-z-]+)`", guide)
    assert named and set(named) <= CODES.keys()
    for limit in (f"{archives.MAX_RATIO} times", f"{archives.FREE_BYTES >> 20} MiB", f"{archives.MAX_FILES:,} files",
                  f"{archives.MAX_BYTES >> 30} GiB"):
        assert limit in guide


def test_a_crash_of_zrf_py_outweighs_a_fault_of_the_rules() -> None:
    file = load_text("(include \"nothing.zrf\")")
    sound = {"fault": "", "crashed": False, "moves": 3}
    stuck, crashed = {**sound, "fault": "endless"}, {**sound, "fault": "IndexError", "crashed": True}
    assert look._status(file, [sound, crashed, stuck]) == look.FAULT
    assert look._status(file, [sound, stuck]) == look.STUCK


def test_the_warnings_of_a_file_are_listed(tmp_path: Path) -> None:
    """Rules with a link to an undefined square have a warning; the same rules without the link have none."""
    for links, codes in (("(links n (a1 zz))", ["unknown-position"]), ("", [])):
        path = tmp_path / "warned.zrf"
        path.write_text(GAME.replace("(symmetry", f"{links} (symmetry", 1), "utf-8")
        assert look.look_at(Item("rules", "warned", str(path), str(tmp_path), ""), False, print)["warnings"] == codes
