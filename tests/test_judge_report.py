"""Reports of the judge from handwritten data: each finding at its thresholds, the text line by line, the plots."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.playing import counted
from zrf_py.batch.judge import plots, uses
from zrf_py.batch.judge.findings import findings, interval, names, percent
from zrf_py.batch.judge.page import as_page
from zrf_py.batch.judge.report import Fact, JudgeReport, Rung, Side, Square, Use
from zrf_py.batch.judge.text import as_text, differ, grouped, side_by_side, written
from zrf_py.batch.judge.watching import by_playouts, by_search, by_worth
from zrf_py.play.engines import make_engine
from zrf_py.play.game import load, loads
from zrf_py.run.playouts import Playouts

TWO, ONE = load("tictactoe").program, load("peg-solitaire").program
SETTINGS = {"levels": ["random", "ai:3"], "watched_games": 40, "random_games": 1200, "seed": 7,
            "lead_seen_by": "worth"}


UNKNOWN = [Side(name, None, (0.0, 1.0), None, (0.0, 1.0)) for name in "XO"]
"""Two sides whose games were all undecided."""


def report(**parts: Any) -> JudgeReport:
    return JudgeReport("Nim", "nim.zrf", **{"settings": SETTINGS, "sides": UNKNOWN, **parts})


def fact(key: str, value: float | None, interval: tuple[float, float] | None = None) -> list[Fact]:
    return [Fact(key, "outcome", key, value, interval)]


def evidence(**parts: Any) -> Any:
    """Return observations of two players who have both moved."""
    games = [{"reason": "", "notes": {"acted": [0, 1], "passed": [], "ends": [0]}}]
    return SimpleNamespace(**{"program": TWO, "bulk": bulk(), "max_plies": 3000, "max_turns": 150,
                              "random": games, "strong": games, "faults": [], **parts})


def bulk(games: int = 100, cut_off: int = 0) -> Playouts:
    return Playouts(games, 0, (), 0, cut_off)


def keys(judged: JudgeReport, **parts: Any) -> list[str]:
    """Return all findings as `weight key`."""
    return [f"{f.weight} {f.key}" for f in findings(judged, evidence(**parts))]


def sides(*shares: tuple[float | None, tuple[float, float], float | None, tuple[float, float]]) -> list[Side]:
    return [Side(name, *share) for name, share in zip("XO", shares, strict=False)]


def test_empty_report_has_no_findings() -> None:
    assert keys(report()) == []


@pytest.mark.parametrize(("strong", "games", "cut", "found"), [
    (None, 100, 24, []), (None, 100, 25, ["doubt endless-random"]), (None, 19, 19, ["doubt endless-random"]),
    (None, 100, 99, ["doubt endless-random"]), (None, 20, 20, ["doubt endless-random"]), (0.81, 0, 0, []),
    (0.79, 100, 0, ["doubt endless-strong"]), (0.11, 100, 0, ["doubt endless-strong"]),
    (0.1, 100, 0, ["fault endless-strong"]), (0.0, 100, 0, ["fault endless-strong"]),
    (0.0, 100, 100, ["fault endless-strong", "fault endless-random"]),
    (0.5, 100, 100, ["doubt endless-strong", "doubt endless-random"]),
])
def test_games_that_do_not_end_are_a_finding(strong: float | None, games: int, cut: int, found: list[str]) -> None:
    facts = fact("completion-strong", strong)
    assert keys(report(facts=facts), bulk=bulk(games, cut)) == found
    texts = {f.key: f.text for f in findings(report(facts=facts), evidence(bulk=bulk(games, cut)))}
    assert ("it may be impossible" in texts.get("endless-strong", "")) == (strong == 0.0)
    if cut == games and games >= 20:
        assert ("no end at all" in texts["endless-random"]) == (strong in (None, 0.0))
        assert texts["endless-random"].startswith(f"none of {games} random games ended within 3,000 plies; ")


@pytest.mark.parametrize(("results", "share"), [
    (Playouts(100, 0, (0,), 60, 40), "0 of 100"), (Playouts(100, 0, (40,), 40, 20), "40 of 100")])
def test_a_puzzle_is_referred_to_the_solver(results: Playouts, share: str) -> None:
    ends = [Use("win-condition", "", 0, 0.0)]
    judged = report(facts=fact("completion-strong", 0.0), sides=UNKNOWN[:1], ends=ends)
    assert [(f.weight, f.text) for f in findings(judged, evidence(program=ONE, bulk=results))] == [
        ("note", f"a puzzle: random play solves it in {share} games; `zrf solve` finds out whether it can be solved, "
                 "and in how few turns")]


def test_squares_of_dice_and_walls_need_not_be_entered() -> None:
    program = loads(GUARDED).program
    start = [Square(name, 0, 0, 1, 0, True) for name in ("a1", "a2", "b1", "b2")]
    assert [f.text for f in findings(report(squares=start), evidence(program=program))] == [
        "no piece ever moved to 2 of the positions where pieces start: a1, a2"]


GUARDED = """(version "zrf+") (game (title "Guarded") (players White Black Nobody ?Dice) (turn-order White ?Dice Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify empty?) add))) (piece (name Die) (moves (add-pass))) (piece (name Wall))
  (board-setup (White (Man a1)) (Black (Man a2)) (Nobody (Wall b1)) (?Dice (Die b2)))
  (loss-condition (White Black) stalemated))"""

WIDE, CLOSE, LOW = (0.3, 0.7), (0.88, 0.96), (0.0, 0.2)


@pytest.mark.parametrize(("shares", "found"), [
    ([(0.5, WIDE, 0.5, WIDE), (0.5, WIDE, 0.5, WIDE)], []),
    ([(0.9, CLOSE, None, WIDE), (0.1, LOW, None, WIDE)], ["fault unfair-random"]),
    ([(0.89, (0.6, 0.93), None, WIDE), (0.11, LOW, None, WIDE)], ["doubt unfair-random"]),
    ([(0.6, (0.55, 0.7), None, WIDE), (0.4, LOW, None, WIDE)], []),
    ([(0.6, (0.551, 0.7), None, WIDE), (0.4, LOW, None, WIDE)], ["doubt unfair-random"]),
    ([(0.9, CLOSE, 0.5, WIDE), (0.1, LOW, 0.5, WIDE)], ["doubt unfair-random"]),
    ([(0.9, CLOSE, 0.5, (0.5, 0.6)), (0.1, LOW, 0.5, (0.4, 0.5))], ["doubt unfair-random"]),
    ([(0.5, WIDE, 1.0, CLOSE), (0.5, WIDE, 0.0, LOW)], ["fault unfair-strong"]),
    ([(0.5, WIDE, 0.7, (0.6, 0.8)), (0.5, WIDE, 0.3, LOW)], ["doubt unfair-strong"]),
    ([(1.0, CLOSE, None, WIDE)], ["note puzzle"]),
])
def test_a_side_that_wins_too_often_is_a_finding(shares: list[Any], found: list[str]) -> None:
    judged, program = report(sides=sides(*shares)), TWO if len(shares) == 2 else ONE
    assert keys(judged, program=program) == found
    for finding in findings(judged, evidence(program=program)):
        if finding.key == "puzzle":
            continue
        excused = finding.key == "unfair-random" and shares[0][2] is not None
        end = ", but ai:3 wins about as often with each side" if excused else "fair would be 50%)"
        assert finding.text.endswith(end)


def test_a_side_of_three_that_never_wins_is_reported_unless_it_only_passes() -> None:
    three = load("stern-3p").program
    never = [Side(name, share, span, None, WIDE) for name, share, span in (
        ("A", 0.5, (0.3, 0.7)), ("B", 0.5, (0.3, 0.7)), ("C", 0.0, (0.0, 0.3)))]
    games = [{"reason": "", "notes": {"acted": [0, 1, 2], "passed": [2], "ends": [0]}}]
    clock = [{"reason": "", "notes": {"acted": [0, 1], "passed": [2], "ends": [0]}}]
    assert keys(report(sides=never), program=three, random=games) == ["fault never-wins-random"]
    assert keys(report(sides=never), program=three, random=clock, strong=clock) == []
    near = [*never[:2], replace(never[2], random_interval=(0.0, 1 / 3))]
    assert keys(report(sides=near), program=three, random=games) == []


@pytest.mark.parametrize("key", ["draws-strong", "draws-bulk"])
@pytest.mark.parametrize(("value", "found"), [(None, ""), (0.49, ""), (0.5, "doubt"), (0.89, "doubt"), (0.9, "fault")])
def test_too_many_draws_are_a_finding(key: str, value: float | None, found: str) -> None:
    two = sides((0.5, WIDE, None, WIDE), (0.5, WIDE, None, WIDE))
    facts = fact(key, value, (-0.1, 1.2))
    assert keys(report(facts=facts, sides=two)) == ([f"{found} {key}"] if found else [])
    assert keys(report(facts=facts, sides=two[:1]), program=ONE) == ["note puzzle"]
    for finding in findings(report(facts=facts, sides=two), evidence()):
        assert finding.text.endswith("are drawn (95% confidence: 0% to 100%)")


def step(games: int, score: float, span: tuple[float, float]) -> Rung:
    return Rung("random", "ai:3", games, score, span, "+10 ± 50")


@pytest.mark.parametrize(("ladder", "found"), [
    ([step(60, 0.5, (0.4, 0.6))], ["fault no-skill"]), ([step(59, 0.5, (0.4, 0.6))], ["doubt shallow"]),
    ([step(30, 0.5, (0.4, 0.6)), step(30, 0.5, (0.4, 0.6))], ["fault no-skill"]),
    ([step(60, 0.7, (0.6, 0.8))], []), ([step(60, 0.6, (0.5, 0.7))], []),
    ([step(20, 0.59, (0.5, 0.8))], ["doubt shallow"]), ([step(20, 0.6, (0.5, 0.8))], []),
    ([step(19, 0.5, (0.4, 0.6))], []), ([step(20, 0.59, (0.51, 0.8))], []),
    ([step(20, 0.2, (0.1, 0.49))], ["doubt worse"]), ([step(20, 0.3, (0.1, 0.5))], ["doubt shallow"]),
    ([step(200, 0.3, (0.2, 0.4))], ["fault no-skill"]),
])
def test_skill_that_makes_no_difference_is_a_finding(ladder: list[Rung], found: list[str]) -> None:
    assert keys(report(ladder=ladder)) == found


@pytest.mark.parametrize(("facts", "found"), [
    (fact("forced-random", 0.49), []), (fact("forced-random", 0.5), ["doubt forced"]),
    (fact("branching-random", 2.0), []), (fact("branching-random", 1.9), ["doubt narrow"]),
    (fact("half-way", 0.95, (0.91, 0.99)), ["doubt foregone"]), (fact("half-way", 0.95, (0.9, 0.99)), []),
    (fact("half-way", 0.95), []),
    (fact("lead-changes", 0.2), []), (fact("lead-changes", 0.1), ["note no-lead-changes"]),
    (fact("forced-random", None) + fact("branching-random", None) + fact("half-way", None, (1.0, 1.0)), []),
])
def test_choices_and_leads_may_be_findings(facts: list[Fact], found: list[str]) -> None:
    assert keys(report(facts=facts)) == found


def squares(number: int, arrivals: float = 1.0, reached: bool = True) -> list[Square]:
    return [Square(f"s{i}", 10.0 * i, 20.0, 8.0, arrivals, reached) for i in range(number)]


@pytest.mark.parametrize(("who", "turns", "board", "found"), [
    ("random", 4, 16, True), ("random", 5, 16, False), ("random", 5, 20, True), ("random", 12, 48, True),
    ("random", 13, 400, False), ("strong", 12, 48, True), ("strong", 13, 48, False),
])
def test_games_too_short_for_their_board_are_a_finding(who: str, turns: int, board: int, found: bool) -> None:
    two = sides((0.5, WIDE, None, WIDE), (0.5, WIDE, None, WIDE))
    judged = report(facts=fact(f"length-{who}", turns), sides=two, squares=squares(board))
    texts = [f.text for f in findings(judged, evidence())]
    whose = "random" if who == "random" else "ai:3"
    assert texts == ([f"too short: half of the games of {whose} players are over after {turns} turns, on a board of "
                      f"{board} positions"] if found else [])
    alone = report(facts=fact("length-random", 2), sides=two[:1], squares=squares(48))
    assert keys(alone, program=ONE) == ["doubt short", "note puzzle"]
    assert keys(replace(alone, facts=fact("length-random", 3)), program=ONE) == ["note puzzle"]


def test_unused_parts_are_named() -> None:
    program = load("tictactoe").program
    judged = report(pieces=[Use(program.game.pieces[0].name, "", 0, 0.0)])
    assert keys(judged) == ["doubt unmoved"]
    assert keys(replace(judged, settings={**SETTINGS, "watched_games": 19})) == ["note unmoved"]
    assert keys(replace(judged, settings={**SETTINGS, "watched_games": 20})) == ["doubt unmoved"]
    assert keys(replace(judged, pieces=[replace(judged.pieces[0], offered=False)])) == ["doubt absent"]
    moving = [replace(judged.pieces[0], count=3)]
    name = moving[0].name
    never = [Use(name, f"a:{i}", 0, 0.0, False, "step n") for i in (1, 2, 1)] + [Use("Ghost", "a:9", 0, 0.0, False)]
    blocks = [*never, Use(name, "a:5", 0, 0.0, True, "leap"), Use(name, "", 2, 1.0)]
    found = findings(report(pieces=moving, blocks=blocks), evidence())
    assert [(f.weight, f.text) for f in found] == [
        ("doubt", f"blocks that never had a legal move: {name} step n (a:1), {name} step n (a:2)"),
        ("note", f"blocks whose legal moves were never chosen: {name} leap (a:5)")]


def test_an_end_condition_is_quoted_from_its_first_to_its_last_parenthesis() -> None:
    long = GUARDED.replace("(White Black) stalemated", "(White Black)\n    stalemated")
    for text in (GUARDED, long):
        assert [use.detail for use in uses.ends(loads(text).program, [])] == [
            "(loss-condition (White Black) stalemated)"]


def test_unused_end_conditions_are_named_unless_implicit() -> None:
    ends = [Use("win", "a:1", 0, 0.0, detail="(checkmated King)"), Use("draw", "a:2", 0, 0.0)]
    assert [f.text for f in findings(report(ends=ends), evidence())] == [
        "none of the end conditions ended any of 40 games"]
    assert keys(report(ends=ends)) == ["fault no-end-used"]
    assert keys(replace(report(ends=ends), settings={**SETTINGS, "watched_games": 19})) == ["doubt no-end-used"]
    used = [*ends, Use("win", "a:3", 1, 0.1)]
    assert [(f.weight, f.text) for f in findings(report(ends=used), evidence())] == [
        ("note", "these conditions never ended a game: (checkmated King) (a:1), draw (a:2)")]

    def games(**reasons: int) -> list[Any]:
        return [{"reason": reason, "notes": {"acted": [0], "ends": [0] if reason == "goal" else []}}
                for reason, count in reasons.items() for _ in range(count)]

    for random, strong, found in counted([
        (games(repetition=25, goal=75), games(goal=1), ["doubt repetition-random"]),
        (games(repetition=24, goal=76), games(goal=1), ["note default-repetition"]),
        (games(goal=99), games(repetition=1), ["doubt repetition-strong"]),
        (games(stalemated=2, goal=97), games(goal=1), ["doubt default-stalemated"]),
        (games(stalemated=1, goal=98), games(goal=1), []),
        (games(blocked=2, goal=97), games(goal=1), ["note default-blocked"]),
        (games(goal=3), [], []),
    ], 7):
        assert keys(report(), random=random, strong=strong) == found


def test_unvisited_squares_are_listed_and_findings_sorted_by_weight() -> None:
    board = [*squares(1), *squares(2, 0.0), *squares(3, 0.0, False)]
    found = findings(report(squares=board), evidence(faults=["IndexError", "KeyError", "IndexError"]))
    assert [(f.weight, f.key, f.text) for f in found] == [
        ("fault", "broken", "the rules fail in 3 games or batches of games; most frequent error (2 times): IndexError"),
        ("doubt", "unreached", "3 of 6 positions were never reached: s0, s1, s2"),
        ("note", "unentered", "no piece ever moved to 2 of the positions where pieces start: s0, s1")]


def test_long_lists_are_abridged() -> None:
    assert names(["a"] * 12) == ", ".join("a" * 12) and names(["a"] * 14) == ", ".join("a" * 12) + " and 2 more"
    assert interval(Fact("k", "g", "n", 0.5)) == ""
    assert [percent(v) for v in (0.001, 0.009, 0.01, 0.99, 0.991, 0.999)] == [
        "0.1%", "0.9%", "1%", "99%", "99.1%", "99.9%"]


# -------------------------------------------------------------------------------------------------------------- text

FULL = report(
    facts=[Fact("length", "length", "turns of a game", 31.4, (20.2, 40.0), "turns", "median"),
           Fact("draws", "outcome", "draws", 0.25, (-0.1, 0.5), "share"),
           Fact("size", "choice", "games", 21.6, None, "exponent"),
           Fact("unknown", "choice", "unknown", None), Fact("small", "choice", "small", 9.987, (2, 10.04))],
    sides=[Side("White", 0.5, (0.4, 0.6), None, (0, 1)), Side("Black", 0.25, (0.1, 0.4), 0.75, (0.5, 1.0))],
    ladder=[Rung("random", "greedy", 40, 0.9, (0.8, 1.0), "+380 ± 90"),
            Rung("greedy", "ai:3", 20, 1.0, (0.8, 1.0), "+600", True)],
    pieces=[Use("Man", "", 1234, 1.0, detail="in every game")],
    blocks=[Use("Man", "a:1", 2, 0.5, False, "step"), Use("Man", "a:2", 3, 0.75, True, "step"),
            Use("Man", "a:3", 1, 0.1)],
    ends=[Use("win", "nim.zrf:9", 12, 0.3), Use("draw", "nim.zrf:10", 1, 0.1, detail="stalemated")],
    squares=[Square("a1", 10, 10, 20, 2.0, True), Square("b1", 30, 10, 20, 0.0, True),
             Square("c<1", 50, 30, 20, 0.0, False)],
    lengths={"random": [10, 20, 30, 47], "ai:3": [3, 3], "none": []},
    choices={"random": [4.0, 2.0], "ai:3": [8.0, 1.0]},
    courses=[[(0.0, 0.0), (0.5, -1.0), (1.0, 1.0)], [(0.0, 0.0), (1.0, -0.5)]],
)

TEXT = """\
Nim (nim.zrf): 1,200 random games, 40 games watched move by move, players random, ai:3, seed 7

   nothing unusual

How games end
  draws                                                25% (0% to 50%)

How long they last
  turns of a game                                      31 (20 to 40)                median

Choices in a turn
  games                                                10^22
  unknown                                              –
  small                                                9.99 (2.00 to 10.0)

Who wins decided games
  White                                    random      50%  (40% to 60%)
  Black                                    random      25%  (10% to 40%)
  Black                                    strong      75%  (50% to 100%)

Does a stronger player win?
  greedy against random: 90% of 40 games, Elo +380 ± 90
  ai:3 against greedy: 100% of 20 games, Elo +600; the result is clear, so no more games were played

Piece types
  Man                            moved   1,234 times, in every game

Blocks
  Man                        5 moves  step (2 blocks)
  Man                        1 moves

End conditions
  ended     12 games  win (nim.zrf:9)
  ended      1 games  stalemated (nim.zrf:10)"""


def test_a_report_is_printed_as_text() -> None:
    assert as_text(FULL) == TEXT
    assert grouped(FULL.blocks) == [(Use("Man", "a:2", 5, 0.75, True, "step"), 2), (Use("Man", "a:3", 1, 0.1), 1)]


def test_findings_are_wrapped_to_the_width_with_their_mark_on_the_first_line() -> None:
    worst = findings(report(squares=squares(9, 0.0, False)), evidence(faults=["x" * 30]))
    lines = as_text(report(findings=worst), 60).splitlines()
    at = lines.index("") + 1
    body = lines[at:lines.index("", at)]
    assert [line[:3] for line in body if line[:2] != "  "] == ["!! ", "!  "] and all(len(line) <= 59 for line in body)
    assert " ".join(line[3:].lstrip() for line in body) == " ".join(f.text for f in worst)
    narrow = as_text(report(findings=worst), 10).splitlines()
    assert max(map(len, narrow[2:4])) > 30, "no narrower than 40 columns"


@pytest.mark.parametrize(("one", "other", "apart"), [
    (Fact("k", "g", "n", 1.0, (0.5, 1.5)), Fact("k", "g", "n", 2.0, (1.5, 2.5)), False),
    (Fact("k", "g", "n", 1.0, (0.5, 1.4)), Fact("k", "g", "n", 2.0, (1.5, 2.5)), True),
    (Fact("k", "g", "n", 4.0), Fact("k", "g", "n", 5.0), False),
    (Fact("k", "g", "n", 3.9), Fact("k", "g", "n", 5.0), True),
    (Fact("k", "g", "n", 1.0, (0, 9), "turns"), Fact("k", "g", "n", 2.0, (0, 9), "turns"), True),
    (Fact("k", "g", "n", None), Fact("k", "g", "n", 2.0), False), (None, Fact("k", "g", "n", 2.0), False),
])
def test_only_significant_differences_are_reported(one: Fact | None, other: Fact | None, apart: bool) -> None:
    assert differ(one, other) == differ(other, one) == apart


def test_two_reports_are_printed_side_by_side() -> None:
    other = replace(FULL, title="Other", file="other.zrf", facts=[
        Fact("draws", "outcome", "draws", 0.9, (0.8, 1.0), "share"),
        Fact("new", "use", "only here", 0.5, None, "share")])
    lines = side_by_side(FULL, other).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(" " * 53))
    assert lines[at:at + 7] == [
        f"{'':53} {'nim.zrf':26} other.zrf",
        f"  {'turns of a game':50}   {'31 (20 to 40)':26} –",
        f"  {'draws':50} ≠ {'25% (0% to 50%)':26} 90% (80% to 100%)",
        f"  {'games':50}   {'10^22':26} –", f"  {'unknown':50}   {'–':26} –",
        f"  {'small':50}   {'9.99 (2.00 to 10.0)':26} –", f"  {'only here':50}   {'–':26} 50%"]
    assert lines[:2] == [TEXT.splitlines()[0], TEXT.splitlines()[0].replace("Nim (nim.zrf)", "Other (other.zrf)")]
    assert [line for line in lines if line in ("Nim:", "Other:")] == ["Nim:", "Other:"] * 2
    assert lines.count("   nothing unusual") == 2 and lines.count("Does a stronger player win?") == 2
    assert written(FULL.facts[1], brief=True) == "25%"


# ------------------------------------------------------------------------------------------------------------- plots


def marks(drawn: str, tag: str) -> list[dict[str, str]]:
    return [e.attrib | {"": "".join(e.itertext())} for e in ElementTree.fromstring(drawn).iter(tag)]


def numbers(drawn: str) -> Iterator[tuple[float, float]]:
    """Yield every point that is drawn in a plot."""
    for element in ElementTree.fromstring(drawn).iter():
        a = element.attrib
        for x, y in (("x", "y"), ("x1", "y1"), ("x2", "y2"), ("cx", "cy")):
            if x in a:
                yield float(a[x]), float(a[y])
        if "points" in a:
            yield from ((float(x), float(y)) for x, y in (pair.split(",") for pair in a["points"].split()))


DRAWN = [plots.winners, plots.ladder, plots.lengths, plots.choices, plots.courses, plots.board]


@pytest.mark.parametrize("draw", DRAWN)
def test_a_plot_stays_in_its_frame_and_is_left_out_without_data(draw: Any) -> None:
    drawn = draw(FULL)
    _, _, width, height = map(float, ElementTree.fromstring(drawn).attrib["viewBox"].split())
    points = list(numbers(drawn))
    assert width == plots.WIDTH and len(points) > 2
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    assert draw(report()) == ""


@pytest.mark.parametrize(("most", "ticks"), [
    (0, [0, 1]), (-1, [0, 1]), (1, [0, .2, .4, .6, .8, 1]), (4, [0, 1, 2, 3, 4]), (5, [0, 1, 2, 3, 4, 5]),
    (5.1, [0, 2, 4, 6]), (10, [0, 2, 4, 6, 8, 10]), (11, [0, 2.5, 5, 7.5, 10, 12.5]), (47, [0, 10, 20, 30, 40, 50]),
    (99, [0, 20, 40, 60, 80, 100]), (0.3, [0, .1, .2, .3]),
])
def test_ticks_are_round_numbers_and_cover_the_range(most: float, ticks: list[float]) -> None:
    assert plots._ticks(most) == pytest.approx(ticks)


def test_whiskers_lie_where_their_shares_are() -> None:
    """They lie between the marks of 0 and 100 %; a line marks the share expected by chance alone."""
    drawn = plots.winners(FULL)
    grid = [float(line["x1"]) for line in marks(drawn, "line") if line.get("class") == "grid"]
    zero, one = grid[0], grid[-1]
    assert grid == pytest.approx([zero + (one - zero) * v for v in (0, .25, .5, .75, 1)])
    assert [float(line["x1"]) for line in marks(drawn, "line") if line.get("class") == "fair"] == [(zero + one) / 2]
    rows = [(float(a["x1"]), float(a["x2"]), float(c["cx"]), c["cy"] == a["y1"] == a["y2"], c["fill"] == a["stroke"])
            for a, c in zip([m for m in marks(drawn, "line") if "stroke" in m], marks(drawn, "circle"), strict=True)]
    at = [tuple(round(zero + (one - zero) * v, 1) for v in row) for row in ((.4, .6, .5), (.1, .4, .25), (.5, 1, .75))]
    assert rows == [(*row, True, True) for row in at]
    words = [t[""] for t in marks(drawn, "text")]
    assert words == ["0%", "25%", "50%", "75%", "100%", "White, random", "50%", "Black, random", "25%",
                     "Black, ai:3", "75%"]
    colors = [c["fill"] for c in marks(drawn, "circle")]
    assert colors[1] == colors[2] != colors[0]
    assert [t[""] for t in marks(plots.ladder(FULL), "text")][5::2] == ["greedy – random", "ai:3 – greedy"]
    three = replace(FULL, sides=[*FULL.sides, FULL.sides[0]])
    fair = [float(line["x1"]) for line in marks(plots.winners(three), "line") if line.get("class") == "fair"]
    assert fair == [round(zero + (one - zero) / 3, 1)]


def test_lengths_have_a_histogram_for_each_player() -> None:
    """Bars of equal width fill the axis; the highest bar of each player has the full height."""
    drawn = plots.lengths(FULL)
    bars = marks(drawn, "rect")
    assert len(bars) == 48 and [b[""] for b in bars if b["height"] != "0.0"] == ["1 games"] * 4 + ["2 games"]
    held = [i for i, b in enumerate(bars) if b["height"] != "0.0"]
    assert held == [int(n / 50 * 24) for n in (10, 20, 30, 47)] + [24 + int(3 / 50 * 24)]
    assert {bars[i]["height"] for i in held} == {"76.0"} and len({b["width"] for b in bars}) == 1
    assert len({b["fill"] for b in bars[:24]}) == 1 and bars[0]["fill"] != bars[24]["fill"]
    for row in (bars[:24], bars[24:]):
        assert len({round(float(b["y"]) + float(b["height"]), 1) for b in row}) == 1
    words = [t[""] for t in marks(drawn, "text")]
    assert words == ["random: 4 games", "ai:3: 2 games", "0", "10", "20", "30", "40", "50", "turns"]
    assert [t[""] for t in marks(plots.lengths(FULL, 99), "text")][2:-1] == ["0", "20", "40", "60", "80", "100"]
    one = replace(FULL, lengths={"random": [50]})
    assert [i for i, b in enumerate(marks(plots.lengths(one), "rect")) if b["height"] != "0.0"] == [23]


def test_choices_and_leads_are_plotted_as_lines() -> None:
    drawn = plots.choices(FULL)
    ups = [float(m["y1"]) for m in marks(drawn, "line") if m["class"] == "grid"]
    left, right = (float(m) for m in (marks(drawn, "line")[0]["x1"], marks(drawn, "line")[0]["x2"]))
    assert len(ups) == 5 and [t[""] for t in marks(drawn, "text")[:5]] == ["0", "2", "4", "6", "8"]

    def points(values: list[tuple[float, float]], low: float, high: float) -> str:
        bottom, top = ups[0], ups[-1]
        return " ".join(f"{left + x * (right - left):.1f},{bottom + (y - low) / (high - low) * (top - bottom):.1f}"
                        for x, y in values)

    lines = marks(drawn, "polyline")
    assert [m["points"] for m in lines] == [points([(.25, 4), (.75, 2)], 0, 8), points([(.25, 8), (.75, 1)], 0, 8)]
    key = {(m["fill"]) for m in marks(drawn, "rect")}
    assert key == {m["stroke"] for m in lines} and len(key) == 2
    assert [t[""] for t in marks(drawn, "text")][-2:] == ["ai:3", "random"]
    drawn = plots.courses(FULL)
    ups = [float(m["y1"]) for m in marks(drawn, "line") if m["class"] == "grid"]
    left, right = (float(m) for m in (marks(drawn, "line")[0]["x1"], marks(drawn, "line")[0]["x2"]))
    assert [m["points"] for m in marks(drawn, "polyline")] == [points(game, -1, 1) for game in FULL.courses]
    assert [t[""] for t in marks(drawn, "text")][-2:] == ["White leads", "Black leads"]
    one = plots.courses(replace(FULL, sides=[*FULL.sides, FULL.sides[0]]))
    assert [t[""] for t in marks(one, "text")][-1] == "another leads"


def test_the_heat_map_shows_arrivals() -> None:
    """The map has the proportions of the board; busy squares are darker, those that never held a piece are crossed."""
    drawn = plots.board(FULL)
    cells, crosses = marks(drawn, "rect"), marks(drawn, "line")
    centres = [tuple(float(c[a]) + float(c[b]) / 2 for a, b in (("x", "width"), ("y", "height"))) for c in cells]
    scale = (plots.WIDTH - 20) / 60
    assert centres == [pytest.approx((10 + x * scale, 10 + 10 * scale)) for x in (10, 30)]
    assert [float(c["width"]) for c in cells] == [pytest.approx(2 * 0.47 * 20 * scale, abs=0.1)] * 2
    assert [(c["fill-opacity"], c[""]) for c in cells] == [
        ("1.00", "a1: 2.00 arrivals a game"), ("0.05", "b1: 0.00 arrivals a game")]
    middles = [((float(m["x1"]) + float(m["x2"])) / 2, (float(m["y1"]) + float(m["y2"])) / 2) for m in crosses]
    assert middles == [pytest.approx((10 + 50 * scale, 10 + 30 * scale), abs=0.1)] * 2
    assert float(ElementTree.fromstring(drawn).attrib["viewBox"].split()[3]) == pytest.approx(40 * scale + 20, abs=0.1)
    assert "c&lt;1: 0.00" in drawn
    moved = replace(FULL, squares=[replace(s, x=s.x + 100, y=s.y + 70) for s in FULL.squares])
    assert plots.board(moved) == drawn, "wherever the board lies in the picture of the file"
    tall = plots.board(replace(FULL, squares=[replace(s, y=s.y * 40) for s in FULL.squares]))
    assert max(y for _, y in numbers(tall)) <= 420
    assert plots._most(FULL.squares) == 2.0 and plots._most(FULL.squares[1:]) == 1.0
    busy = [*squares(40), *squares(1, 900.0)]
    assert plots._most(busy) < 100


# -------------------------------------------------------------------------------------------------------- evaluators


@pytest.mark.parametrize("make", [by_worth, by_search])
def test_evaluators_recognise_the_leader(make: Any) -> None:
    """The game is Breakthrough; one side has only its pieces on the files a to c, and either side may be to move."""
    game = load("breakthrough")
    look = make(make_engine(game.program), 3)
    pieces = game.start().pieces()
    for poor in counted(("White", "Black"), 2):
        kept = {square: whose for square, whose in pieces.items() if whose[0] != poor or square[0] in "abc"}
        text = "; ".join(f"{who} {kind} " + " ".join(square for square, whose in kept.items() if whose == (who, kind))
                         for who, kind in dict.fromkeys(kept.values()))
        for turn in ("White", "Black"):
            white, black = look(game.read(f"{text} | turn {turn}").state)
            assert (white > black) == (poor == "Black"), (poor, turn)
            if make is by_search:
                assert white == -black


@pytest.mark.parametrize("make", [by_worth, by_search])
def test_evaluators_count_pieces_in_hand(make: Any) -> None:
    game = load("minishogi")
    look = make(make_engine(game.program), 3)
    for number, player in counted(enumerate(game.players), 2):
        first, second = look(game.start().edited(f"(store {player} Gold 1)").state)
        assert (first > second) == (number == 0), player


def test_shares_of_random_games_sum_to_one() -> None:
    """A certain draw is shared equally; X is ahead at the start, and O has more than 30 % when O can win at once."""
    game = load("tictactoe")
    look = by_playouts(make_engine(game.program), 3)
    lost = game.read("X Mark a1 b1 a2; O Mark c1 c2 b3 | turn O")
    drawn = game.read("X Mark a1 b1 c2 a3; O Mark a2 b2 c1 b3 | turn X")
    assert look(drawn.state) == [0.5, 0.5]
    values = look(game.start().state), look(lost.state)
    assert all(x + o == pytest.approx(1) for x, o in values) and values[0][0] > 0.5 and values[1][1] > 0.3


def test_proven_win_counts_more_than_any_lead() -> None:
    game = load("tictactoe")
    position = game.start()
    for move in ("b2", "a1", "c2", "c1"):
        position = position.play(move)
    assert by_search(make_engine(game.program), 1)(position.state) == [1e9, -1e9]


# -------------------------------------------------------------------------------------------------------------- page


def words(page: str) -> str:
    """Return the text of a page without its plots, its parts separated by blanks."""
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", page, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


PAGE = """Nim: report Nim nim.zrf · 1,200 random games, 40 watched move by move · players random, ai:3 Nothing \
unusual. At a glance 50% of decided games won by White, random play 100% scored by ai:3 against greedy \
Plots Who wins Share of decided games, with 95% confidence interval; dashed: the fair share. Does skill matter? \
Score of the stronger player of each pair; dashed: equal strength. How long games last Games that ended by \
the rules. How many moves there are Legal moves per turn, mean of all games. Who leads Each line is one \
game; the lead is estimated by pieces and their squares. Where pieces go Darker: entered more often; ×: \
never held a piece. Measures value after How games end draws 25% (0% to 50%) How long they last turns of \
a game 31 (20 to 40) median Choices in a turn games 10^22 unknown – small 9.99 (2.00 to 10.0) In \
parentheses: 95% confidence interval; for numbers of turns, the middle half of the games. Piece types type moves \
in games Man 1,234 100% in every game Blocks type block moves in games where Man step × 2 5 75% a:2 Man 1 \
10% a:3 End conditions condition ended of games where win 12 30% nim.zrf:9 stalemated 1 10% nim.zrf:10"""


def test_the_page_contains_the_report() -> None:
    page = as_page(FULL)
    assert words(page).partition(" zrf_py ")[0] == PAGE
    assert page.count("<svg") == 6 and 'class="two"' not in page and "class=unused" not in page
    worst = findings(report(), evidence(faults=["x"]))
    never = Use("Ghost", "", 0, 0.0, False)
    page = as_page(replace(FULL, pieces=[*FULL.pieces, never], blocks=[never], ends=[never], findings=worst))
    assert page.count("class=unused") == 3 and page.count("(never possible)") == 1
    assert '<span class="badge fault">fault</span>' in page
    assert as_page(replace(FULL, courses=[], squares=[], lengths={}, choices={})).count("<svg") == 2


def test_cards_show_the_strongest_players_if_they_played() -> None:
    facts = [Fact(f"{key}-{who}", "outcome", key, value, (0.0, 1.0), "share")
             for who, value in (("random", 0.25), ("strong", 0.75)) for key in ("completion", "draws", "branching")]
    strong = [*facts, Fact("length-strong", "length", "turns", 31.0, None, "turns"),
              Fact("lead-changes", "course", "lead", 2.5)]
    won = replace(FULL, sides=[replace(FULL.sides[0], strong=0.9), FULL.sides[1]])

    def cards(judged: JudgeReport) -> list[str]:
        page = as_page(judged)
        return [words(card) for card in re.findall(r'<div class="card">(.*?)</div>', page)]

    assert cards(replace(won, facts=facts)) == [
        "90% of decided games won by White, random play", "25% of games end, random play",
        "25% of games are drawn, random play", "25% moves to choose from", "100% scored by ai:3 against greedy"]
    assert cards(replace(won, facts=strong)) == [
        "90% of decided games won by White, ai:3 players", "75% of games end, ai:3 players",
        "75% of games are drawn, ai:3 players", "31 turns, ai:3 players", "75% moves to choose from",
        "2.50 lead changes in a game", "100% scored by ai:3 against greedy"]
    assert cards(replace(FULL, facts=[], sides=FULL.sides[:1], ladder=[])) == []


def test_two_reports_on_one_page_have_equal_scales_and_marks_where_they_differ() -> None:
    other = replace(FULL, title="Other", file="other.zrf", lengths={"random": [90]}, facts=[
        Fact("draws", "outcome", "draws", 0.9, (0.8, 1.0), "share"),
        Fact("new", "use", "only here", 0.5, None, "share")])
    page = as_page(FULL, other)
    table = words(page[page.index("<h2>Measures"):page.index("<h2>Piece types")])
    assert table == ("Measures Nim Other after How games end draws ≠ 25% (0% to 50%) 90% (80% to 100%) How "
                     "long they last turns of a game 31 (20 to 40) – median Choices in a turn games 10^22 – "
                     "unknown – – small 9.99 (2.00 to 10.0) – Use of the rules only here – 50% In parentheses: 95% "
                     "confidence interval; for numbers of turns, the middle half of the games. ≠ marks significant "
                     "differences.")
    assert page.count("class=differs") == 1 and page.count("<svg") == 12
    assert plots.lengths(FULL, 90) in page and plots.lengths(FULL) not in page and 'colspan="5"' in page
