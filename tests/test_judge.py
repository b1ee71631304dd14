"""The judge of games: measures of hand-made games, faults of broken rules, the page of the report."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.playing import ROOT, counted, random_game
from tests.small_games import ENTER
from zrf_py.batch.games import play
from zrf_py.batch.jobs import Job, Result, do_task, seeded
from zrf_py.batch.judge.blocks import BlockFinder, blocks
from zrf_py.batch.judge.findings import _choices, _ends, percent
from zrf_py.batch.judge.judging import GameCounts, judge
from zrf_py.batch.judge.leads import LeadHistory, lead_histories
from zrf_py.batch.judge.measures import outcome, use
from zrf_py.batch.judge.notes import Notes, ended_by
from zrf_py.batch.judge.page import as_page
from zrf_py.batch.judge.report import Fact, JudgeReport, Side, Square
from zrf_py.batch.judge.text import as_text, side_by_side
from zrf_py.cli.main import main
from zrf_py.ir.ops import Program
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game, load, loads
from zrf_py.run.position import Move, Position
from zrf_py.search.chance import is_drawn

JUDGED = ROOT / "tests" / "judged"


def here(job: Job, pieces: int, name: str) -> dict[int, Result]:
    """Run a job in this process."""
    return {n: do_task(job.work, job.packed, job.parameters, n) for n in range(pieces)}


def judged(name: str | Path, **plan: object) -> JudgeReport:
    wanted = {"games": 60, "watched": 20, "strong": 10, "pairs": 4, "max_turns": 60, "max_plies": 300, **plan}
    return judge(load(name).program, Path(name).name, GameCounts(**wanted), here)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def broken() -> JudgeReport:
    return judged(JUDGED / "broken.zrf", pairs=20)


@pytest.fixture(scope="module")
def endless() -> JudgeReport:
    return judged(JUDGED / "endless.zrf")


def said(report: JudgeReport, key: str) -> str:
    """Return the text of a finding, with its weight; empty if it is absent."""
    return "; ".join(f"{f.weight}: {f.text}" for f in report.findings if f.key == key)


# ------------------------------------------------------------------------------------------------------------ findings


@pytest.mark.parametrize("key, pattern", [
    ("unfair-strong", r"fault: White wins \d+% of the decided games of greedy against itself"),
    ("unfair-random", r"fault: White wins (9\d|100)% of the decided random games \(95% conf.*fair would be 50%"),
    ("unmoved", r"Guard never moved in \d+ games"),
    ("absent", r"Herald was never on the board"),
    ("unreached", r"positions were never reached: .*i1, i2, i3"),
    ("end-unused", r"never ended a game: \(loss-condition .*broken.zrf:"),
    ("short", r"too short: half of the games of greedy players are over after [34] turns"),
])
@pytest.mark.slow
def test_the_faults_of_a_broken_game_are_found(broken: JudgeReport, key: str, pattern: str) -> None:
    assert re.search(pattern, said(broken, key)), [f.text for f in broken.findings]


@pytest.mark.slow
def test_endless_games_are_a_finding(endless: JudgeReport) -> None:
    assert "fault: none of the end conditions ended any" in said(endless, "no-end-used")
    assert said(endless, "repetition-random") or said(endless, "endless-random")
    assert "island" in said(endless, "unreached")
    completion = endless.fact("completion-strong")
    assert completion and completion.value is not None and completion.value < 0.8


@pytest.mark.slow
def test_a_sound_game_has_no_faults() -> None:
    report = judged("breakthrough", games=400, strong=0, pairs=0, levels=("random",), max_turns=200)
    assert not [f for f in report.findings if f.weight == "fault"]
    assert not [f for f in report.findings if f.key in ("unmoved", "absent", "impossible", "unreached", "shallow")]
    length = report.fact("length-random")
    assert length and length.value and 50 < length.value < 80  # 64 in the benchmarks' table
    assert all(side.random and 0.4 < side.random < 0.6 for side in report.sides)


@pytest.mark.slow
def test_rules_that_run_for_ever_are_a_finding(tmp_path: Path) -> None:
    text = (JUDGED / "endless.zrf").read_text("utf-8")
    path = tmp_path / "loop.zrf"
    path.write_text(text.replace("(moves (step n)", "(moves ((while (empty? n) (verify true)) add) (step n)"), "utf-8")
    report = judged(path, games=20, watched=2, strong=0, pairs=0, levels=("random",))
    assert "fault: the rules fail in" in said(report, "broken")
    assert as_page(report)


BOARD = """(board (grid (dimensions ("a/b/c" (48 0)) ("4/3/2/1" (0 48))) (directions (n 0 -1) (e 1 0) (w -1 0))))
  (piece (name Man) (moves (n (verify empty?) add) (e (verify empty?) add) (w (verify empty?) add)))"""
PARITY = f"""(game (title "Parity") (players White Black) (turn-order White Black)
  {BOARD.replace("4/3/", "")}
  (piece (name Stone) (drops ((verify empty?) add)))
  (board-setup (White (Stone off 30)) (Black (Stone off 30)))
  (loss-condition (White Black) stalemated))"""
IDLE = f"""(game (title "Idle") (players White Black Time) (turn-order White Black Time) (option "pass turn" forced)
  {BOARD}
  (board-setup (White (Man a1)) (Black (Man c1)))
  (win-condition (White Black) (absolute-config Man (a4)))
  (win-condition (White Black) (absolute-config Man (c4))))"""
FIRST = f"""(game (title "First") (players White Black) (turn-order White Black)
  {BOARD}
  (board-setup (White (Man a1)) (Black (Man c4)))
  (loss-condition (Black) (absolute-config (any-owner Man) (a2)))
  (loss-condition (Black) (absolute-config (any-owner Man) (b1))))"""
NEUTRAL = f"""(game (title "Grey") (players White Black ?Grey) (turn-order White Black ?Grey)
  (option "pass turn" forced) {BOARD}
  (board-setup (White (Man a1)) (Black (Man c1)))
  (win-condition (?Grey) (absolute-config (any-owner Man) (a4)))
  (win-condition (?Grey) (absolute-config (any-owner Man) (b4)))
  (win-condition (?Grey) (absolute-config (any-owner Man) (c4))))"""


def judged_text(tmp_path: Path, text: str, **plan: object) -> JudgeReport:
    path = tmp_path / "game.zrf"
    path.write_text(text, "utf-8")
    return judged(path, **{"strong": 0, "pairs": 0, "levels": ("random",), **plan})


def test_lack_of_skill_is_found_with_enough_games(tmp_path: Path) -> None:
    """Six squares fill up: Black makes the last move, however well either side plays."""
    many = judged_text(tmp_path, PARITY, pairs=60, levels=("random", "greedy"))
    assert [(step.games, step.early) for step in many.ladder] == [(60, False)]
    assert said(many, "no-skill").startswith("fault: skill makes no difference: in 60 games")
    few = judged_text(tmp_path, PARITY, pairs=10, levels=("random", "greedy"))
    assert not said(few, "no-skill")


def test_a_clear_result_ends_the_games_of_two_levels_early() -> None:
    played: list[tuple[str, int]] = []

    def counted(job: Job, pieces: int, name: str) -> dict[int, Result]:
        played.append((name, pieces))
        return here(job, pieces, name)

    plan = GameCounts(games=40, watched=2, strong=0, pairs=60, levels=("random", "greedy"), max_turns=100)
    report = judge(load("breakthrough").program, "breakthrough", plan, counted)
    assert played[-1] == ("greedy against random", 20)
    [step] = report.ladder
    assert (step.games, step.early) == (20, True) and step.interval[0] > 0.64
    text = " ".join(as_text(report, 80).split())
    assert "of 20 games" in text and "the result is clear" in text


def test_all_games_of_a_player_against_itself_are_watched() -> None:
    """All are watched, however clear the results are: only a series of games between two levels may end early."""
    played: list[tuple[str, int]] = []

    def counted(job: Job, pieces: int, name: str) -> dict[int, Result]:
        played.append((name, pieces))
        return here(job, pieces, name)

    plan = GameCounts(games=40, watched=30, strong=0, pairs=0, levels=("random",))
    assert judge(loads(PARITY).program, "parity", plan, counted).settings["watched_games"] == 30
    assert played[1:] == [("random games, watched", 30)]


def test_a_game_won_before_the_opponent_moves_is_unfair(tmp_path: Path) -> None:
    report = judged_text(tmp_path, FIRST)
    assert said(report, "unfair-random").startswith("fault: White wins 100% of the decided random games")


def test_a_player_who_only_passes_is_not_reported_as_never_winning(tmp_path: Path) -> None:
    report = judged_text(tmp_path, IDLE)
    assert [side.name for side in report.sides] == ["White", "Black", "Time"]
    assert not [f for f in report.findings if f.key.startswith("never-wins")]


def test_a_game_without_a_winning_side_counts_as_a_draw(tmp_path: Path) -> None:
    report = judged_text(tmp_path, NEUTRAL)
    bulk, watched = report.fact("draws-bulk"), report.fact("draws-random")
    assert bulk and watched and bulk.value == watched.value == 1
    assert "100% of the random games are drawn" in said(report, "draws-bulk")


def test_a_game_that_is_over_before_the_board_is_used_is_too_short() -> None:
    squares = [Square(f"p{n}", 0, 0, 1, 0, True) for n in range(64)]
    for turns, short in ((10, True), (20, False)):
        fact = Fact("length-random", "length", "turns of a game", float(turns), None, "turns")
        report = JudgeReport("Short", "short.zrf", {"levels": ["random"]}, facts=[fact], squares=squares, sides=[
            Side(name, 0.5, (0.4, 0.6), 0.5, (0.4, 0.6)) for name in ("White", "Black")])
        found = [f.text for f in _choices(report)]
        assert any("too short" in text for text in found) == short


@pytest.mark.slow
def test_a_solitaire_game_is_judged_without_an_opponent() -> None:
    report = judged("peg-solitaire", games=40, watched=3, strong=3, pairs=3)
    assert not report.ladder and not report.courses
    assert len(report.sides) == 1
    assert as_text(report) and as_page(report)


# ------------------------------------------------------------------------------------------------------------ measures


def test_measures_of_the_lead_follow_their_definitions() -> None:
    history = LeadHistory((0.0, 0.25, 0.5, 0.75), ((0.5, 0.5), (0.14, 0.5), (0.6, 0.4), (0.9, 0.1)), (0,))
    assert history.drama() == pytest.approx(0.6)  # the winner was behind once, by 0.36
    assert history.lead_changes() == 1  # the score was level, then the other player led, then the winner
    assert history.decided() == 0.5  # the loser had at most 0.5, and 0.6 exceeds that
    assert history.half_way() == 0
    assert LeadHistory((0.0,), ((0.5, 0.5),), ()).drama() is None  # nobody won


def test_games_cut_off_are_not_draws() -> None:
    won, drawn, cut = {"won": [0], "cut_off": False}, {"won": [], "cut_off": False}, {"won": [], "cut_off": True}
    facts = outcome("x", "by x", [won, drawn, cut, cut], "9 turns")
    assert {fact.key: fact.value for fact in facts[:2]} == {"completion-x": 0.5, "draws-x": 0.25}


def test_values_are_scaled_to_shares_by_the_games_played() -> None:
    looks = [(turn, (float(turn), 0.0)) for turn in range(11)]
    found = lead_histories([(looks, 20, [0])], are_shares=False)[0]
    assert found.shares[0] == (0.5, 0.5)
    assert found.shares[9][0] == pytest.approx(0.95, abs=0.02), "a lead as one look in ten shows"
    assert found.shares[1][0] < 0.65 and sum(found.shares[9]) == pytest.approx(1)
    assert found.at[10] == 0.5
    assert lead_histories([([(0, (0.0, 0.0)), (1, (0.0, 0.0))], 2, [0])], are_shares=False) == []
    won = lead_histories([([(0, (1.0, 0.0)), (1, (1e9, -1e9))], 2, [0])], are_shares=False)[0]
    assert won.shares[1][0] > 0.999 and won.shares[0][0] > 0.9  # a win that the search finds does not set the scale


def test_every_move_is_attributed_to_its_block() -> None:
    for name in ("chess", "checkers", "othello", "bk-8x8"):
        program = load(name).program
        engine, authors = make_engine(program, "auto"), BlockFinder(program)
        missing: list[object] = []

        def watch(before: object, moves: object, move: object, after: object) -> None:
            if not move.is_pass and not authors.of(before, move):  # type: ignore[attr-defined, arg-type]  # noqa: B023
                missing.append(move)  # noqa: B023

        play(engine, engine.start(), {}, seeded(name), 60, watch)
        assert not missing
        assert all(block.text and block.place for block in blocks(program))


@pytest.mark.parametrize("name", ["chess", "checkers", "tictactoe", "shogi"])
def test_moves_are_attributed_to_the_blocks_that_generate_them(name: str) -> None:
    """`possible`, which tries each block, agrees with `of`, which is given each move, also in the middle of a turn."""
    _attributed(load(name))


def test_drops_are_attributed_to_blocks_that_move_their_cursor() -> None:
    _attributed(loads(ENTER))


def _attributed(game: Game) -> None:
    authors = BlockFinder(game.program)
    for position in counted(random_game(game, 12, 5), 5):
        state, legal = position.state, frozenset(move.raw for move in position.moves())
        side = game.program.game.turns[state.turn].side
        wrote = {number for move in legal if not move.is_pass for number in authors.of(state, move)}
        assert set(authors.possible(state, side, legal)) == wrote


def test_blocks_are_named_by_their_source_text() -> None:
    found = {(block.text, block.place.partition(":")[0]) for block in blocks(load("platonic-adv-2p").program)}
    assert ("(jump ne over-4)", "platonic-advanced.zrf") in found  # `(jump $1 over-4)` within `(jumps ne)`
    assert not [text for text, _ in found if "$" in text]
    drops = [block for block in blocks(load("othello").program) if block.drops]
    assert drops and all(block.text.startswith("(") for block in drops)


def test_notes_count_the_events_of_a_game() -> None:
    program = load("tictactoe").program
    engine = make_engine(program, "auto")
    notes = Notes(program, engine.start())
    played = play(engine, engine.start(), {}, seeded(3), 20, notes.watch)
    found = notes.result(played)
    assert found["watched"] == found["legs"] == played.turns == len(found["held"])
    assert found["choices"] == sum(range(9, 9 - played.turns, -1))
    assert [count for _, count in found["arrived"]] == [1] * played.turns
    assert len(ended_by(program, played)) == 1
    assert found["again"] == found["captures"] == 0


def test_roll_of_dice_is_neither_a_choice_nor_a_turn() -> None:
    program = load("wuerfel-2p").program
    engine = make_engine(program, "auto")
    notes = Notes(program, engine.start())
    moved: list[bool] = []

    def watch(before: Position, moves: Sequence[Move], move: Move, after: Position) -> None:
        if before.chain is None:
            moved.append(not is_drawn(program, before))
        notes.watch(before, moves, move, after)

    found = notes.result(play(engine, engine.start(), {}, seeded(3), 30, watch))
    assert not all(moved) and found["watched"] == sum(moved) > 5
    assert found["longest"] < 30


def test_shares_are_never_rounded_to_certainty() -> None:
    assert [percent(v) for v in (0, 0.0004, 0.5, 0.9996, 1)] == ["0%", "under 0.1%", "50%", "over 99.9%", "100%"]


# -------------------------------------------------------------------------------------------------------------- output


class Page(HTMLParser):
    """Collects the text of a page, its unclosed tags, and the tags and attributes that could load or link something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "line", "rect", "circle", "polyline"):
            self.open.append(tag)
        self.loads += [name for name, _ in attributes if name in ("src", "href", "onload")] + [tag] * (tag == "script")

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.words += data


def test_page_is_self_contained_and_escapes_names(broken: JudgeReport) -> None:
    text = as_page(broken)
    page = Page(text)
    assert not page.open and not page.loads
    assert "url(" not in text and "<Game>" not in text
    assert "Broken <Game> & Sons" in page.words
    assert text.count("<svg") == 4  # such short games have no history to draw
    assert all(finding.text in page.words for finding in broken.findings)


@pytest.mark.slow
def test_two_games_are_compared_side_by_side(broken: JudgeReport, endless: JudgeReport) -> None:
    page = Page(as_page(broken, endless))
    assert as_page(endless).count("<svg") == 5  # nobody ever wins
    assert not page.open
    assert "Endless" in page.words and "Guard never moved" in page.words
    text = side_by_side(broken, endless)
    marked = [line for line in text.splitlines() if "≠" in line]
    assert any("draws" in line for line in marked) and any("legal moves" in line for line in marked)


@pytest.mark.slow
def test_the_command_writes_text_json_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["judge", "tictactoe", "--games", "40", "--levels", "random,greedy", "--workers", "1", "--seed", "2",
                 "--results", str(tmp_path / "r")]
    assert main([*arguments, "--html", str(tmp_path / "x.html")]) == 0
    text = capsys.readouterr().out
    assert "Tic-Tac-Toe (tictactoe.zrf): 40 random games" in text and "greedy against random" in text
    assert not Page((tmp_path / "x.html").read_text("utf-8")).open
    assert main([*arguments, "--json"]) == 0  # no game is played a second time
    data = json.loads(capsys.readouterr().out)
    assert data["title"] == "Tic-Tac-Toe" and data["facts"][0]["source"].startswith("Browne")
    assert main(["judge", "tictactoe", "--levels", "random,bob", "--results", str(tmp_path / "r")]) == 1
    assert "`bob`" in capsys.readouterr().err


@pytest.mark.parametrize("games", [1, 30, 1000, 5000])
def test_the_command_splits_the_number_of_games_by_kind(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default number is split as in `GameCounts`; others in the same proportion, but each part is at least 2."""
    plans: list[GameCounts] = []

    def judge(program: Program, name: str, plan: GameCounts, play: object) -> JudgeReport:
        plans.append(plan)
        return JudgeReport.__new__(JudgeReport)

    monkeypatch.setattr("zrf_py.batch.judge.judging.judge", judge)
    monkeypatch.setattr("zrf_py.batch.judge.text.as_text", lambda report, width: "")
    assert main(["judge", "tictactoe", "--seed", "1", *(["--games", str(games)] if games != 1000 else [])]) == 0
    usual, (plan,) = GameCounts(), plans
    assert (plan.games, plan.seed, plan.max_turns) == (games, usual.seed, usual.max_turns)
    for kind in ("watched", "strong", "pairs"):
        assert getattr(plan, kind) == max(getattr(usual, kind) * games // usual.games, 2), kind


def test_shares_are_fractions_of_the_games_watched(broken: JudgeReport, endless: JudgeReport) -> None:
    """The games watched are those of random players, of strong ones, and of neighbouring levels. A piece type, block or
    end condition that was used at all was used in at least one of them."""
    for report in counted((broken, endless)):
        watched = 20 + 10 + sum(rung.games for rung in report.ladder)
        for row in (*report.pieces, *report.blocks, *report.ends):
            games = round(row.games * watched)
            assert row.games == pytest.approx(games / watched) and row.offered >= (row.count > 0), row
            assert min(row.count, 1) <= games <= min(row.count, watched), row
        for square in report.squares:
            arrivals = round(square.arrivals * watched)
            assert square.arrivals == pytest.approx(arrivals / watched) and square.reached >= (arrivals > 0), square


def test_use_is_averaged_over_all_games() -> None:
    games = [{"notes": {"watched": w, "held": range(h), "again": a, "captures": c, "legs": legs, "longest": legs}}
             for w, h, a, c, legs in ((4, 2, 1, 5, 8), (6, 4, 0, 1, 6), (10, 6, 4, 3, 16))]
    assert {fact.key: fact.value for fact in use(games, 8)} == {  # type: ignore[arg-type]
        "coverage": pytest.approx(12 / 24), "captures": 3, "legs": 30 / 20, "repetition": 5 / 20}


def test_repetitions_are_reported_with_the_players() -> None:
    again = [{"reason": "repetition", "notes": {"ends": []}}]
    evidence = SimpleNamespace(random=again, strong=again)
    report = SimpleNamespace(ends=[], settings={"levels": ["random", "greedy"]})
    texts = {f.key: f.text for f in _ends(report, evidence)}  # type: ignore[arg-type]
    assert "of random players" in texts["repetition-random"] and "of greedy players" in texts["repetition-strong"]
