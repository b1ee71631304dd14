"""Trials of rules in the editor: random games in the background, remembered positions, comparison of two versions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.playing import RULES
from zrf_py.author.draft import Draft
from zrf_py.author.trials import trying, versions
from zrf_py.author.trials.margin import in_words, margin
from zrf_py.author.trials.trying import remembered
from zrf_py.cli.main import main
from zrf_py.front.decode import decode
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game, load, loads
from zrf_py.text.diagnostics import ZrfError

RACE = """(game (title "Race") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 60 60) (dimensions ("a/b/c" (60 0)) ("3/2/1" (0 60))) (directions (n 0 -1) (s 0 1)))
    (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify empty?) add) (n n (verify enemy?) add)))
  (piece (name King) (moves (s (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man c3)))
  (loss-condition (White Black) stalemated))
"""

STEP = "(n (verify empty?) add)"
BROKEN = RACE.replace(STEP, "((while true (verify true)) add)", 1)
DOUBLE = RACE.replace(STEP, f"(n {STEP[1:-1]}) {STEP}", 1)


def interpreted(game: Game) -> dict[str, object]:
    return margin(make_engine(game.program, "interpret"), seconds=30)


def test_background_games_are_counted_and_find_unused_parts() -> None:
    result = interpreted(loads(RACE))
    assert result["games"] == result["watched"] == 200 and result["cut_off"] == 0
    assert result["sides"] == ["White", "Black"] and result["won"] == [0, 200]  # White is stuck first
    assert result["length"] == 4.0 and result["drawn"] == 0
    assert result["never"] == ["King", "Man (n n (verify enemy?) add)"]
    assert in_words(result["line"]) == ("200 random games · White wins 0% · Black wins 100% · 4 moves on average · "  # type: ignore[arg-type]
                                        "never used: King, Man (n n (verify enemy?) add)")


def test_native_random_games_have_the_only_possible_result() -> None:
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    result = margin(make_engine(loads(RACE).program, "native"), seconds=0.2)
    assert result["games"] >= 20 and result["won"] == [0, result["games"]] and result["length"] == 4.0


def test_endless_games_and_faulty_rules_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zrf_py.author.trials.margin.MAX_TURNS", 3)
    endless = interpreted(loads(RACE))
    assert endless["games"] == endless["cut_off"] == 200
    assert "100% unfinished after 3 moves" in in_words(endless["line"])  # type: ignore[arg-type]
    broken = interpreted(loads(BROKEN))
    assert broken["fault"] and "the rules fail in a random game" in in_words(broken["line"])  # type: ignore[arg-type]


def test_background_games_stop_when_time_is_up() -> None:
    result = margin(make_engine(load("chess").program, "interpret"), seconds=0)
    assert result["games"] == 0 and in_words(result["line"]) == "no random game finished in time"


@pytest.mark.parametrize("name", ["tictactoe", "checkers", "breakthrough", "booklet/wuerfelhalma", "shogi", "halma"])
def test_a_remembered_position_is_a_test_that_passes(name: str) -> None:
    """After some moves, both the block about the position and the one about the last move pass with these rules."""
    game = load(name)
    position = game.start()
    record = []
    for number in range(6):
        moves = position.moves()
        record.append(moves[number * 7 % len(moves)].text)
        position = position.play(record[-1])
    page = "\n".join((remembered(game, record), remembered(game, record, last=True), remembered(game, [])))
    results = Draft.open(name).test(page)
    assert [result.problem for result in results[-3:]] == ["", "", ""]


def test_a_remembered_position_fails_with_other_rules() -> None:
    """The result has the expected and the actual value; an end is remembered as a result, an edit as a position."""
    game = loads(RACE)
    page = remembered(game, ["Man a1 - a2"]) + "\n" + remembered(game, ["(x c3)"]) + "\n" + remembered(
        game, ["Man a1 - a2", "Man c3 - c2", "Man a2 - a3", "Man c2 - c1"])
    assert "outcome: Black won" in page
    assert not any(result.problem for result in Draft(RACE).test(page))
    other = Draft(RACE.replace("(moves (n (verify empty?) add)", "(moves (n (verify false) add)"))
    problem = other.test(page)[0].problem
    assert "expected: just Man c3 - c2" in problem and "found: " in problem
    with pytest.raises(ZrfError, match="no move has been played"):
        remembered(game, [], last=True)


def test_compare_finds_the_first_difference_of_two_versions() -> None:
    game = loads(RACE)
    assert versions.compare(game, game, games=4) == versions.Comparison(20, None)
    other = loads(RACE.replace("(moves (n (verify empty?) add)", "(moves (n (verify (not-in-zone? far)) add)").replace(
        "(symmetry", "(zone (name far) (players White Black) (positions a3 c1)) (symmetry"))
    difference = versions.compare(game, other).difference
    assert difference and (difference.kind, difference.moves) == ("outcome", ("Man a1 - a2", "Man c3 - c2"))
    wider = versions.compare(game, loads(RACE.replace("(moves (s (verify", "(moves (s (verify true) add) (s (verify")))
    assert wider.difference is None  # nobody has a king
    data = versions.as_data(versions.compare(game, loads(DOUBLE)))["difference"]
    assert data["kind"] == "moves" and data["old"]["only"] == [] and data["new"]["squares"] == ["a1", "a3"]
    assert data["old"]["svg"].startswith("<svg") and data["moves"] == []


def test_versions_with_faults_or_other_set_ups_differ() -> None:
    game = loads(RACE)
    difference = versions.compare(game, loads(BROKEN)).difference
    assert difference and difference.kind == "fault" and difference.new.fault and not difference.old.fault
    moved = versions.compare(game, loads(RACE.replace("(Man c3)", "(Man b3)"))).difference
    assert moved and (moved.kind, moved.moves) == ("pieces", ())


def test_requests_use_the_text_and_not_the_file(tmp_path: Path) -> None:
    """The file need not exist; if no test page is given, the file's own is used."""
    path = tmp_path / "race.zrf"
    page = "```moves\ncount: 1\n```\n\n# Wrong\n\n```moves\ncount: 7\n```\n"
    tests = trying.answer("tests", RACE, path, {"page": page})
    assert [(row["name"], row["file"], row["line"], bool(row["problem"])) for row in tests] == [
        ("race", "race.md", 1, False), ("Wrong", "race.md", 8, True)]
    assert trying.answer("tests", RACE, path, {"page": None}) == []
    path.with_suffix(".md").write_text(page, "utf-8")
    assert trying.answer("tests", RACE, path, {"page": None}) == tests
    changes = trying.answer("changes", "a\nc", path, {"old": "a\nb"})
    assert changes[1:] == [("", "  a"), ("removed", "- b"), ("added", "+ c")]
    assert json.dumps(trying.answer("compare", RACE, path, {"title": "Race", "old": RACE}))
    with pytest.raises(ZrfError, match="other version"):
        trying.answer("compare", RACE, path, {"title": "Race", "old": "(game"})
    with pytest.raises(ZrfError):
        trying.answer("margin", "(game", path, {"title": "Race"})


def test_the_full_report_shows_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "JUDGED", 40)
    progress: list[dict[str, object]] = []
    text = decode((RULES / "tictactoe.zrf").read_bytes())
    report = trying.answer("judge", text, tmp_path / "own.zrf", {"title": "Tic-Tac-Toe"}, progress.append)
    assert "own.zrf" in report["text"] and report["page"].startswith("<!DOCTYPE html>")
    assert progress[0] == {"title": "random games", "done": 0, "of": 2} and len(progress) > 5


def test_the_command_shows_both_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.zrf", tmp_path / "new.zrf"
    old.write_text(RACE, "utf-8")
    new.write_text(DOUBLE, "utf-8")
    assert main(["compare", str(old), str(old), "--games", "3"]) == 0
    assert capsys.readouterr().out == "no difference in 15 positions of random games\n"
    assert main(["compare", str(old), str(new)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("these moves are legal in one version only, at the start\n")
    assert f"{new}: White to move" in out and "only here: a3" in out
    assert main(["compare", str(old), str(new), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["difference"]["new"]["squares"] == ["a1", "a3"]
