"""The report on old files, from handwritten data: summary, table of problems, cards of the page."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from zrf_py.cli.port import _show
from zrf_py.port.look import PLIES
from zrf_py.port.page import as_page
from zrf_py.port.report import Report, sentence
from zrf_py.port.text import foreign_line, problems, random_games

TITLE: dict[str, Any] = {"title": "Hop & Skip", "players": ["White", "Black"], "positions": 9, "pieces": 1, "fault": "",
                         "crashed": False, "moves": 3, "plies": 4, "end": "White won"}


def file(name: str, status: str = "plays", **facts: Any) -> dict[str, Any]:
    return {"name": name, "status": status, "games": 1, "titles": [TITLE], "errors": [], "more": 0, **facts}


def record(name: str, status: str, plies: int, why: str = "", rules: str = "a/hop.zrf") -> dict[str, Any]:
    return {"name": name, "title": "Hop <1>", "status": status, "plies": plies, "of": 7, "why": why, "rules": rules}


def report(files: list[Any], records: list[Any] = (), refused: list[Any] = ()) -> Report:  # type: ignore[assignment]
    return Report(("old",), files, records, refused, 12.3)


MANY = [{**TITLE, "title": f"G{i}"} for i in range(13)]
FULL = report([
    file("a/hop.zrf", program="hop.dll", picture="p.png", bitmaps={"named": 3, "missing": ["b<ad.bmp"]},
         sounds={"named": 1, "missing": []}),
    file("a/many.zrf", titles=[*MANY, {**TITLE, "title": "Cut", "end": "", "plies": 400},
                               {**TITLE, "title": "Still", "end": "", "plies": 0, "moves": 0}], games=15),
    file("a/broken.zrf", "broken", titles=[], errors=["broken.zrf:3: no"], more=2, games=0),
    file("a/fault.zrf", "stuck", titles=[{**TITLE, "fault": "it never ends"}]),
    file("a/alien.zrf", "program", titles=[{**TITLE, "players": [], "positions": 1, "pieces": 2}]),
    file("a/part.zrf", "part", titles=[], part_of="a/hop.zrf", games=0),
], [record("w.zsg", "whole", 7), record("s.zsg", "stopped", 2, "move 3 isn't legal"),
    record("p.zsg", "program", 0, "alien.dll", "a/alien.zrf")], [("bad.zip", "it is <damaged>")])


def words(html: str) -> str:
    """Return the text of a page, its parts separated by blanks."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html.replace("<wbr>", ""))).split())


def cards(page: str) -> dict[str, str]:
    """Return the text of each card in order, under its number and status (such as `0 plays`)."""
    return {f"{i} {kind}": words(body) for i, (kind, body) in
            enumerate(re.findall(r'<section class="card is-(\w+)">(.*?)</section>', page, re.S))}


def test_each_card_shows_the_status_of_its_file() -> None:
    page = as_page(FULL)
    shown = cards(page)
    assert list(shown) == ["0 plays", "1 plays", "2 broken", "3 stuck", "4 program", "5 part"]
    assert shown["0 plays"] == ("plays Hop & Skip a/hop.zrf White, Black; 9 positions, 1 piece type names the program "
                                "hop.dll random games: 1 of 1 end saved games: 1 of 2 replay to the end "
                                "1 of 3 bitmaps missing b<ad.bmp")
    assert shown["1 plays"].startswith("plays G0 a/many.zrf White, Black; 9 positions, 1 piece type random games: 13 "
                                       "of 15 end, 1 cut off after 400 moves 15 games G0: White won")
    assert shown["1 plays"].endswith("G11: White won and 3 more")
    assert "no" in shown["2 broken"] and "a/broken.zrf" in shown["2 broken"] and "piece type" not in shown["2 broken"]
    assert "it never ends" in shown["3 stuck"]
    assert "no player has a turn; 1 position, 2 piece types" in shown["4 program"]
    assert "included by a/hop.zrf" in shown["5 part"]
    assert page.count("<img") == 1 and 'src="p.png"' in page


def test_a_game_cut_off_at_its_start_is_not_one_without_moves() -> None:
    """On a busy machine, a slow game's time may be up before its first move."""
    slow = {**TITLE, "title": "Slow", "end": "", "plies": 0, "moves": 80}
    assert random_games([slow]) == "0 of 1 end, 1 cut off after 0 moves (4 s each)"
    assert random_games([{**slow, "plies": 1}]) == "0 of 1 end, 1 cut off after 1 move (4 s each)"
    assert random_games([TITLE, slow, {**slow, "plies": 7}]) == "1 of 3 end, 2 cut off after 0 to 7 moves (4 s each)"
    long = {**slow, "plies": PLIES}
    assert random_games([slow, long]) == "0 of 2 end, 2 cut off after 0 to 400 moves (or after 4 s)"
    assert random_games([long, long]) == "0 of 2 end, 2 cut off after 400 moves"
    page = words(as_page(report([file("a/slow.zrf", titles=[slow, TITLE], games=2)])))
    assert "Slow: cut off after 0 moves (4 s each)" in page and "no moves" not in page


def test_files_with_the_same_name_are_listed_once() -> None:
    """An archive often holds copies of the files beside it."""
    files = [file(name, "program") for name in ("a/x.zrf", "a/b.zip/x.zrf", "y.zrf")]
    line = foreign_line(report(files))
    assert "in 3 of the files" in line and line.endswith("not played: x.zrf, y.zrf.")


def test_a_page_lists_the_saved_games_that_stop_and_why() -> None:
    page = as_page(FULL)
    table = words(page[page.index("<h2>Saved games"):page.index("<footer>")])
    assert table == ("Saved games 1 of 3 replay to the end, 9 moves. File Game Moves Reason s.zsg Hop <1> 2 of "
                     "7 move 3 isn't legal p.zsg Hop <1> 0 of 7 it needs a program: alien.dll")
    whole = as_page(report([file("a/hop.zrf")], [record("w.zsg", "whole", 7)]))
    assert "<table>" not in whole and "1 of 1 replay to the end, 7 moves." in words(whole)
    assert "Saved games" not in as_page(report([file("a/hop.zrf")]))


def test_names_of_files_break_after_slashes_and_before_full_stops() -> None:
    page = as_page(report([file("a/Long.Name.zrf")], [record("b/../x.zsg", "stopped", 2, "It ends. 2.5 & more")]))
    for text in ("a/<wbr>Long<wbr>.Name<wbr>.zrf", "b/../<wbr>x<wbr>.zsg", "It ends. 2<wbr>.5 &amp; more"):
        assert f">{text}</" in page


def test_a_page_begins_with_a_summary_and_a_box_for_each_status() -> None:
    head = words(as_page(FULL).partition('<div class="cards">')[0].partition("<body>")[2])
    assert head == (f"old {sentence(FULL)}. {foreign_line(FULL)} bad.zip can't be opened: it is "
                    "<damaged> plays 2 part of another 1 rules in a DLL 1 doesn't open 1 rules fail 1")
    assert "engine DLL" not in as_page(report([file("a/hop.zrf")]))


@pytest.mark.parametrize(("made", "said", "good"), [
    (report([]), "there are no rules files (.zrf) and no saved games (.zsg)", False),
    (report([file("a")]), "1 rules file (1 game): 1 playable", True),
    (report([], [record("w", "whole", 7)]),
     "no rules files; 1 saved game: 1 replayed to the end", True),
    (report([file("a"), file("b", "broken", titles=[], games=0)]),
     "2 rules files (1 game): 1 playable, 1 that can't be opened", False),
    (report([file("a")], [record("w", "whole", 7), record("p", "program", 0)]),
     "1 rules file (1 game): 1 playable; 2 saved games: 1 replayed to the end, 1 with rules in an engine DLL", True),
    (report([file("a")], [record("s", "stopped", 1)]),
     "1 rules file (1 game): 1 playable; 1 saved game: 1 stopped early", False),
    (report([file("a", "fault"), file("b", "stuck"), file("c", "empty"), file("d", "part"), file("e", "program")]),
     "5 rules files (5 games): 1 included by others, 1 with rules in an engine DLL, 1 without moves, "
     "1 with rules that fail in play, 1 on which zrf fails", False),
    (report([file("a", "empty")], [], [("x.zip", "why")]), "1 rules file (1 game): 1 without moves", False),
])
def test_a_report_is_summed_up_and_judged(made: Report, said: str, good: bool) -> None:
    assert sentence(made) == said and made.is_good == good


def test_the_data_of_a_report_have_everything_except_the_pictures() -> None:
    data = FULL.as_data()
    assert data["totals"] == {
        "files": 6, "plays": 2, "part": 1, "program": 1, "empty": 0, "broken": 1, "stuck": 1, "fault": 0, "games": 18,
        "random_games": 18, "ended": 16, "plies": 464, "bitmaps_missing": 1, "sounds_missing": 0, "records": 3,
        "records_whole": 1, "records_stopped": 1, "records_of_programs": 1, "archives_refused": 1}
    assert data["seconds"] == 12.3 and data["places"] == ["old"]
    assert data["refused"] == [{"name": "bad.zip", "why": "it is <damaged>"}]
    assert "picture" not in data["files"][0] and [f["name"] for f in data["files"]] == [f["name"] for f in FULL.files]
    assert FULL.of_file(FULL.files[0]) == list(FULL.records[:2])


def test_problems_name_the_file_once() -> None:
    errors = ["broken.zrf:3: no", "part.inc:4: in a part", "it contains no game"]
    assert list(problems(report([file("a/broken.zrf", "broken", titles=[], errors=errors)]))) == [
        "a/broken.zrf:3: no", "a/broken.zrf: part.inc:4: in a part", "a/broken.zrf: it contains no game"]


def test_a_card_says_which_player_plays_by_chance() -> None:
    made = report([file("a/dice.zrf", titles=[{**TITLE, "players": ["South", "?S"]}])])
    assert "South, ?S (by chance); 9 positions" in cards(as_page(made))["0 plays"]


def test_a_table_keeps_its_columns_beside_a_long_name(capsys: pytest.CaptureFixture[str]) -> None:
    titles = [{**TITLE, "seconds": 0.0}]
    _show(report([file("a/" + 250 * "x" + "/hop.zrf", titles=titles), file("a/[b].zrf", titles=titles)]))
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if ".zrf" in line]
    assert [row[1:] for row in rows] == [["plays", "1", "1", "of", "1", "end", "0.0"]] * 2
    assert rows[0][0].endswith("xxx/hop.zrf") and rows[1][0] == "a/[b].zrf"


def test_saved_game_without_rules_is_not_a_stopped_replay() -> None:
    lost = record("l.zsg", "refused", 0, "the rules file `l.zrf` of the saved game is missing")
    assert list(problems(report([], [lost]))) == ["l.zsg: the rules file `l.zrf` of the saved game is missing"]
