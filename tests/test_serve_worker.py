"""Requests of the server to its workers, answered in this process: whole answers, and failures."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.playing import counted
from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import fragment
from zrf_py.compile import compile_source
from zrf_py.play.facts import facts_of
from zrf_py.play.game import Game, Position, load
from zrf_py.play.players import player
from zrf_py.play.zsg import read_game
from zrf_py.serve import lines, worker
from zrf_py.text.diagnostics import Report
from zrf_py.text.render import render
from zrf_py.text.source import Source
from zrf_py.view.describe import describe, describe_game, describe_ply
from zrf_py.view.drawings import board_svg, picture_svg
from zrf_py.view.noises import noises

HOP = """(game (title "Hop") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c/d" (40 0)) ("4/3/2/1" (0 40)))
    (directions (n 0 -1) (s 0 1) (e 1 0))) (symmetry Black (n s) (s n)))
  (option "pass partial" true)
  (piece (name Man) (moves (n (verify empty?) add) (n (verify not-empty?) n (verify empty?) (add-partial more))
    (move-type more) (e (verify not-empty?) e (verify empty?) (add-partial more))
    (n (verify not-empty?) n (verify empty?) (add-partial more))) (drops ((verify empty?) add)))
  (board-setup (White (Man a1 b3 off 2)) (Black (Man a2 c4)))
  (loss-condition (White Black) (pieces-remaining 0)))
(variant (title "Stuck") (piece (name Man) (moves ((while true (if empty? n) (if not-empty? s)) add))))
"""

@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "desk", worker.Desk())


@pytest.fixture
def hop(tmp_path: Path) -> Path:
    (tmp_path / "hop.zrf").write_text(HOP, "utf-8")
    return tmp_path / "hop.zrf"


def asked(op: str, path: Path, variant: str | None = None, **more: Any) -> Any:
    answer = json.loads(worker.answer(json.dumps(
        {"op": op, "game": {"path": str(path), "variant": variant, "stamp": ""}, **more})))
    assert 0 <= answer.pop("took") < 60
    return answer.get("ok", answer)


def asked_for(value: Any) -> Any:
    """Return a value as it arrives, after conversion to JSON and back."""
    return json.loads(json.dumps(value))


def played(game: Game, *moves: str) -> list[Position]:
    line = [game.start()]
    for move in moves:
        line.append(line[-1].play(move))
    return line


def test_a_game_is_described_with_its_warnings_and_sounds(hop: Path) -> None:
    game = load(hop)
    assert asked("open", hop) == asked_for({
        **describe_game(game), "warnings": "", "sounds": sorted(noises(game)), "puzzles": []})
    hop.write_text(HOP.replace("(title", '(capture-sound "x.wav") (option "wings" true) (title', 1), "utf-8")
    told = asked("open", hop, stamp="new")["warnings"]
    assert told == ""  # still those of the old file: only a new stamp of the game means a new file
    told = json.loads(worker.answer(json.dumps(
        {"op": "open", "game": {"path": str(hop), "variant": None, "stamp": "2"}})))["ok"]["warnings"]
    assert "wings" in told and "hop.zrf:1" in told and str(hop.parent) not in told
    assert json.loads(asked("facts", hop)["text"]) == asked_for(asdict(facts_of(game.program)))


def test_view_shows_the_end_of_the_record(hop: Path) -> None:
    """The answer is right whether the previous line was longer, shorter, or another branch."""
    game = load(hop)
    records = [("Man b3 - b4", "Man c4 - c3"), ("Man b3 - b4",), ("Man b3 - b4", "Man c4 - c3", "White Man b1"),
               ("partial 1 Man a1 - a3", "partial 1 Man a3 - c3"), ("partial 1 Man a1 - a3", "Pass", "Man c4 - c3"),
               ("Man b3 - b4", "(turn White)", "partial 1 Man a1 - a3"), ()]
    for known in (0, 1):
        for moves in counted(records):
            line = [game.start()]
            for move in moves:
                line.append(line[-1].edited(move) if move[0] == "(" else line[-1].play(move))
            drawing, bitmaps = board_svg(line[-1])
            plies = [describe_ply(a, b) for a, b in pairwise(line)]
            assert asked("view", hop, board="one", line=moves, plies=known) == asked_for({
                **describe(line[-1]), "svg": drawing, "bitmaps": bitmaps, "count": len(moves), "plies": plies[known:],
                "stop": "", "puzzle": None})


def test_a_record_stops_at_the_first_move_that_the_rules_refuse(hop: Path) -> None:
    wrong = ["Man b3 - b4", "Man c4 - a1", "Man b4 - b5"]
    view = asked("view", hop, line=wrong)
    assert (view["count"], len(view["plies"]), view["player"]) == (1, 1, "Black")
    assert view["stop"].startswith("move 2, `Man c4 - a1`: ")
    assert asked("view", hop, line=wrong[:1])["stop"] == ""
    assert asked("play", hop, line=wrong, move="Man c4 - c3")["error"]["code"] == "bad-record"
    assert asked("look", hop, line=wrong, learn=False)["error"]["code"] == "bad-record"
    assert asked("view", hop, line=["Man b3 - b4"] * 2)["stop"].startswith("move 2, ")


def test_a_move_is_played_by_its_listed_text(hop: Path) -> None:
    before = asked("view", hop, line=["Man b3 - b4"])
    after = asked("play", hop, line=["Man b3 - b4"], move="Man c4 - c3", plies=1)
    game = load(hop)
    assert after["count"] == 2 and after["plies"] == asked_for(
        [describe_ply(*played(game, "Man b3 - b4", "Man c4 - c3")[1:])])
    assert after == asked("view", hop, line=["Man b3 - b4", "Man c4 - c3"], plies=1)
    assert before == asked("view", hop, line=["Man b3 - b4"])
    for move in ("c3", "Man c4 - a1"):  # one that could be typed, and one that isn't a move
        answer = asked("play", hop, line=["Man b3 - b4"], move=move)
        assert answer["error"]["code"] == "no-such-move" and move in answer["error"]["summary"]


def test_past_positions_keep_no_lists_of_moves(hop: Path) -> None:
    line = lines.GameLine(load(hop).start())
    line.go(["Man b3 - b4", "Man c4 - c3"])
    line.position.short(line.position.moves()[0])
    assert line.position.moves()[0].raw and {"legal", "_shorts"} <= set(line.position.__dict__)
    past = line.position.previous
    assert past is not None and not {"legal", "_shorts"} & set(past.__dict__)


def test_the_most_recently_used_lines_are_cached(hop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MAX_LINES", 2)
    monkeypatch.setattr(lines, "MAX_PLIES", 1)
    desk = worker.Desk()

    def line(board: str, *texts: str) -> lines.GameLine:
        return desk.line({"game": {"path": str(hop), "variant": None, "stamp": ""}, "board": board, "line": texts})

    a, b = line("a"), line("b")
    assert line("a", "Man b3 - b4", "Man c4 - c3") is a and a.texts == ["Man b3 - b4"]
    line("c")
    assert line("a") is a and line("b") is not b


def test_the_most_recently_used_games_are_cached(hop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MAX_GAMES", 2)
    desk = worker.Desk()

    def game(stamp: str) -> Game:
        return desk.game({"path": str(hop), "variant": None, "stamp": stamp})

    a, b = game("a"), game("b")
    assert game("a") is a
    game("c")
    assert game("a") is a and game("b") is not b and desk.compiled.cache_info().currsize == 2


def test_computer_players_choose_turns(hop: Path) -> None:
    """`think` returns the turn that the player chooses with this seed; `at once` returns a quickly chosen one."""
    start = load(hop).start()
    for who in ("greedy", "random"):
        for seed in range(3):
            legs = player(who)(start.game.engine, start.state, Random(seed), start.earlier())
            assert asked("think", hop, line=[], who=who, seed=seed) == {"legs": [m.text for m in start.named(legs)]}
    legs = asked("at once", hop, line=[], seed=1)["legs"]
    assert legs and not asked("view", hop, line=legs)["stop"]
    assert asked("think", hop, line=[], who="nobody", seed=1)["error"]["code"] == "unknown-player-kind"


def test_pictures_and_overlays_are_drawn(hop: Path) -> None:
    line = played(load(hop), "Man b3 - b4")
    assert asked("picture", hop)["text"] == picture_svg(line[0])
    assert asked("picture", hop, line=["Man b3 - b4"])["text"] == picture_svg(line[1])
    for plain in (True, False):
        drawing, bitmaps = board_svg(line[1], ["links"], plain, True)
        assert asked("overlay", hop, line=["Man b3 - b4"], overlays=["links"], plain=plain, letters=True) == {
            "svg": drawing, "bitmaps": asked_for(bitmaps)}


def test_words_sounds_and_saved_games_are_sent(hop: Path) -> None:
    game = load(hop)
    assert asked("words", hop, language="de")["html"] == fragment(rules_in_words(game, "de"))
    for kind in noises(game):
        assert base64.b64decode(asked("sound", hop, kind=kind)["wav"])[:4] == b"RIFF"
    written = asked("write", hop, line=["Man b3 - b4", "Man c4 - c3"], rules="hop.zrf", seats=["human", "ai:3"],
                    variations=[[1, "Man a2 - a1"]])["text"]
    saved = read_game(written, "x")
    assert (saved.rules_file, saved.variant, saved.players) == ("hop.zrf", "Hop", "HC")
    assert asked("read", hop, text=written) == asked_for({
        "rules": "hop.zrf", "variant": "Hop", "seats": ["human", "ai:3"], "line": ["Man b3 - b4", "Man c4 - c3"],
        "variations": saved.variations})
    assert saved.variations and "error" in asked("read", hop, text="no game")


def test_places_reached_by_several_legs_are_sent(hop: Path) -> None:
    """Each place comes with the shortest path to it, which can be played leg by leg."""
    game = load(hop)
    board = {place.name: n for n, place in enumerate(game.program.game.board.places)}
    assert asked("reach", hop, line=["(x c4)"], start=board["a1"])["ways"] == [
        [board["c3"], ["partial 1 Man a1 - a3", "partial 1 Man a3 - c3"]]]
    assert asked("reach", hop, line=[], start=board["b3"])["ways"] == []


def test_a_position_is_set_up(hop: Path) -> None:
    men, stores = [[0, 0, 0], [5, 1, 0]], [[0, 0, 3], [1, 0, 0]]
    made = asked("draft", hop, rules="hop.zrf", men=men, stores=stores, player="Black")
    position = load(hop).start()
    for change in made["line"]:
        position = position.edited(change)
    names = [p.name for p in position.game.program.game.board.places]
    assert position.pieces() == {names[0]: ("White", "Man"), names[5]: ("Black", "Man")}
    assert position.state.stores == ((3,), (0,)) and position.player == "Black"
    assert (made["player"], made["moves"], made["outcome"]) == ("Black", len(position.moves()), None)
    assert made["svg"] == board_svg(position)[0] and read_game(made["text"], "x").rules_file == "hop.zrf"
    for wrong in ([[99, 0, 0]], [[0, 7, 0]], [[0, 0, 7]]):
        assert asked("draft", hop, rules="", men=wrong, stores=[], player="")["error"]["code"] == "bad-message"


def test_failures_are_reported_as_answers(hop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are an unknown variant, wrong rules, rules that fail, too little memory, deep recursion, and bugs of zrf."""
    assert asked("open", hop, "No such title")["error"]["code"] == "unknown-variant"
    hop.write_text(HOP.replace("(verify empty?)", "(verify emty?)", 1), "utf-8")
    worker.desk.forget()
    problem = asked("open", hop)["error"]
    assert problem["code"] == "unknown-condition" and "emty?" in problem["summary"]
    assert "hop.zrf:5:" in problem["text"] and str(hop.parent) not in problem["text"]
    hop.write_text(HOP.replace("(n (verify empty?) add)", "((while true mark) add)", 1), "utf-8")
    problem = asked("picture", hop)["error"]
    assert problem["summary"].startswith("the rules fail in this position: ")
    worker.desk.forget()
    hop.write_text(HOP, "utf-8")
    for failure, code in ((MemoryError, "too-large"), (RecursionError, "too-deep"), (OSError("no disk"), "internal")):
        def fail(desk: worker.Desk, question: Any, failure: Any = failure) -> None:
            raise failure

        asked("view", hop)
        monkeypatch.setitem(worker.OPS, "open", fail)
        problem = asked("open", hop)["error"]
        assert problem["code"] == code and bool(worker.desk.compiled.cache_info().currsize) == (code != "too-large")
    assert problem["summary"] == "zrf itself failed: OSError: no disk"


def test_the_best_lines_are_sent(hop: Path) -> None:
    asked("prepare", hop)
    found = asked("look", hop, line=["Man b3 - b4"], learn=False)
    assert found["player"] == "Black" and found["lines"]


def test_messages_for_players_are_few_and_fit_a_page() -> None:
    """A page shows only a few, in lines of 96 characters; files are named by their place in the served folder."""
    report = Report()
    text = " ".join(HOP.split()).replace("(verify empty?)", "(verify emty?)")
    compile_source(Source("hop.zrf", text), lambda name, origin: None, report)
    problems = [*report.errors] * worker.MAX_MESSAGES
    shown = worker._text(problems, {})
    assert shown == render(problems[: worker.MAX_MESSAGES], width=96) and shown.count("emty?") >= worker.MAX_MESSAGES
    assert len({render(problems[:1], width=width) for width in (95, 96, 97)}) == 3
    path = str(Path("srv") / "rules" / "a.zrf")
    for name, expected in (("games.zip/old/a.zrf", "games.zip/old/a.zrf:1"), ("a.zrf", "a.zrf:1")):
        assert worker._inside(f"{path}:1", {"path": path, "name": name}) == expected
