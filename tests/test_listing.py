"""The list of games: numbers of players, layout on a terminal."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.playing import RULES
from tests.test_page_dom import on_page
from zrf_py.catalogue import titled
from zrf_py.cli import listing
from zrf_py.cli.listing import Entry
from zrf_py.cli.main import main
from zrf_py.library import find, named
from zrf_py.play.gallery import Games
from zrf_py.play.game import load
from zrf_py.play.labels import search_words


def entry(name: str, players: str, source: str = "") -> Entry:
    return Entry(name, f"Title of {name}", players, "8 x 8", "", f"{name}.zrf", source)


DUEL, DICE = entry("duel", "2"), entry("dice", "2 and chance")
STAR, PUZZLE = entry("star", "4 in 2 teams", "a booklet"), entry("puzzle", "")


@pytest.mark.parametrize(("one", "few", "many", "yes"), [
    (DUEL, "2", "2", True), (DUEL, "3", "3", False), (DUEL, "1", "1", False), (DUEL, "1", "2", True),
    (DUEL, "2", "9", True), (DUEL, "3", "9", False), (DICE, "2", "2", True), (DICE, "3", "3", False),
    (STAR, "4", "4", True), (STAR, "2", "6", True), (STAR, "2", "2", False), (STAR, "5", "9", False),
    (STAR, "x", "4", False), (STAR, "4", "", False), (PUZZLE, "1", "9", False)])
def test_games_are_filtered_by_number_of_players(one: Entry, few: str, many: str, yes: bool) -> None:
    assert listing._is_for(one, few, many) is yes


def shown(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines that were printed, without colours."""
    return [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in capsys.readouterr().out.splitlines()]


def terminal(monkeypatch: pytest.MonkeyPatch, wide: int) -> None:
    """Make standard output a terminal of this width."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(listing, "width", lambda most: wide)


def test_a_list_of_files_holds_one_printable_line_for_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {
        "a\nb.zrf": '(game (title "\x1b]0;t\x07Hop"))', "b\x1b[31m.zrf": "BM\0\x01", "c.zrf": ";;; Hop\n(x",
        "d.zrf": f'(game (title "{9000 * "x"}"))', "e\N{RIGHT-TO-LEFT OVERRIDE}.zrf": "(include)",
    }.items():
        (tmp_path / name).write_text(text)
    assert main(["list", str(tmp_path)]) == 0
    start = len(f"{tmp_path}/")
    lines = [line[start:].split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines[:3] == [["a\ufffdb.zrf", "\ufffd]0;t\ufffdHop"], ["b\ufffd[31m.zrf"], ["c.zrf", "Hop"]]
    assert lines[3][0] == "d.zrf" and 100 < len(lines[3][1]) < 300
    assert lines[4:] == [["e\ufffd.zrf"]]
    assert main(["list", str(tmp_path), "--names"]) == 0
    assert [line[start:] for line in capsys.readouterr().out.splitlines()] == [name for name, *_ in lines]


@pytest.mark.parametrize("words", ["", "chess"])
def test_a_folder_without_rules_is_not_a_search_without_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str,
) -> None:
    assert main(["list", str(tmp_path), *words.split()]) == 1
    assert f"{tmp_path} contains no rules files" in capsys.readouterr().err
    (tmp_path / "hop.zrf").write_text('(game (title "Hop"))')
    assert main(["list", str(tmp_path), "chess"]) == 1
    assert f"no game in {tmp_path} matches" in capsys.readouterr().err


@pytest.mark.parametrize("wide", [80, 120])
def test_titles_stand_beside_long_names_and_names_with_brackets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wide: int,
) -> None:
    terminal(monkeypatch, wide)
    listing._table([entry("[a].zrf", ""), Entry("x" * 250, "Long", "", "8 x 8", "", "x.zrf")])
    lines = shown(capsys)
    assert any(line.startswith("[a].zrf") and "Title of" in line for line in lines)
    assert "".join(line.split()[0] for line in lines if line.startswith("x")) == "x" * 250


def test_a_terminal_shows_the_numbers_of_players(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    terminal(monkeypatch, 100)
    listing._table([DUEL, DICE, STAR, PUZZLE])
    rows = {words[0]: words[1:] for line in shown(capsys) if (words := line.split())}
    assert rows["duel"] == ["Title", "of", "duel", "2", "8", "x", "8"]
    assert rows["dice"][3] == "2"
    assert rows["star"] == ["Title", "of", "star", "4", "in", "2", "teams", "8", "x", "8", "a", "booklet"]
    assert rows["puzzle"] == ["Title", "of", "puzzle", "8", "x", "8"]


def test_a_narrow_terminal_folds_titles_and_cuts_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    terminal(monkeypatch, 60)
    long = Entry("duel", "A title that is longer than any terminal is wide", "2", "8 x 8", "", "duel.zrf")
    listing._table([long, STAR])
    lines = shown(capsys)
    assert max(map(len, lines)) <= 60
    first = next(line for line in lines if line.startswith("duel"))
    assert first.split()[-4:] == ["2", "8", "x", "8"] and "…" not in "".join(lines)
    assert set(long.title.split()) <= set(" ".join(lines).split())
    assert any(line.endswith("a booklet") for line in lines)


def test_names_stand_in_columns_on_a_terminal_and_in_lines_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    names = [f"game{n}" for n in range(7)]
    terminal(monkeypatch, 21)
    listing._columns(names)
    assert capsys.readouterr().out.splitlines() == ["game0  game3  game6", "game1  game4", "game2  game5"]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    listing._columns(names)
    assert capsys.readouterr().out.split() == names


@pytest.mark.parametrize(("words", "ids"), [
    ("Schach", {"chess"}), ("schlagdame", {"checkers"}), ("Vier gewinnt", {"connect-four"}),
    ("Halma von 1885 zu viert", {"monks-4p-solo"}), ("Giveaway", {"checkers"})])
def test_a_game_is_listed_by_its_titles_in_english_and_german(
    words: str, ids: set[str], capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["list", words, "--names"]) == 0
    assert set(capsys.readouterr().out.split()) == ids


@pytest.mark.parametrize(("name", "variant"), [
    ("Schach", "Chess"), ("schlagdame", "Giveaway Checkers"), ("Nine Men's Morris", "Nine Men's Morris"),
    ("Mühle ohne Springen", "Nine Men's Morris without Flying"), ("Partner, gegenüber", "Partners, Opposites")])
def test_a_game_is_played_by_its_title(name: str, variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert load(name).title == variant
    assert main(["moves", name, "--json"]) == 0 and json.loads(capsys.readouterr().out)["game"] == variant


def test_files_and_folders_take_precedence_over_titles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Schach").mkdir()
    own = tmp_path / "Schach" / "own.zrf"
    own.write_text((RULES / "tictactoe.zrf").read_text("utf-8"), "utf-8")
    assert load("Schach").title == "Tic-Tac-Toe" and find("Schach").resolve() == own
    assert named("chess") == ("chess", None) and named("Schach", 0) == ("Schach", 0)


def test_german_titles_match_those_of_pages_and_are_found_by_searches() -> None:
    """The server searches both titles, whatever the language of the browser."""
    games = Games().all()
    titles = [game.title for game in games]
    script = f"""import {{ titled }} from "./words.js";
show({json.dumps(titles)}.map((title) => titled(title)));"""
    [shown] = on_page(script, language="de")
    assert shown == [titled(title, "de") for title in titles] and shown != titles
    for game in games:
        assert {*search_words(titled(game.title, "de"), "").split()} <= {*game.words.split()}, game.id
