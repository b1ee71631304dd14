"""Matches: Elo and its error, seats and openings, saved games, resuming after interruptions."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from functools import cache
from math import inf
from pathlib import Path

import pytest

from tests.playing import HANG
from zrf_py.batch.elo import elo, rate, wilson
from zrf_py.batch.games import Played, winners
from zrf_py.batch.jobs import do_task
from zrf_py.batch.match import Match, opening, points_of, seatings, standing
from zrf_py.batch.store import Store
from zrf_py.cli.main import main
from zrf_py.play.engines import make_engine
from zrf_py.play.formats.record_files import load_record
from zrf_py.play.game import Game, load
from zrf_py.play.replay import replay
from zrf_py.run.position import Outcome


def test_elo_follows_the_logistic_formula() -> None:
    assert elo(0.5) == 0
    assert round(elo(0.76), 1) == 200.2  # the FIDE tables give 200 for 0.76
    assert round(elo(10 / 11)) == 400
    assert (elo(0), elo(1)) == (-inf, inf)


def test_standard_errors_come_from_groups_and_are_never_zero() -> None:
    assert tuple(round(x, 4) for x in wilson(0.9, 10)) == (0.5958, 0.9821)
    alike = rate([[1.0, 0.0]] * 50)
    assert alike.score == 0.5 and alike.low < 0.45  # all pairs are even: without variance, the wider interval is used
    mixed = rate([[1.0, 1.0], [0.0, 0.0]] * 25)
    assert mixed.low < alike.low  # pairs with two equal results tell less than independent games
    swept = rate([[1.0, 1.0]] * 10)
    assert swept.elo == swept.elo_high == inf and 200 < swept.elo_low < 400
    assert str(rate([])) == "+0 (95% CI: −∞ to +∞)"


def test_seats_are_swapped_so_that_equal_players_score_a_half() -> None:
    assert seatings(2) == [(0, 1), (1, 0)]
    for count in (2, 3, 4):
        ways = seatings(count)
        assert len(ways) == len(set(ways)) == 2**count - 2
        assert all(sum(way[seat] for way in ways) * 2 == len(ways) for seat in range(count))


def test_partners_form_one_side_and_chance_has_none() -> None:
    assert len(load("monks-4p-opposite").program.game.sides) == 2
    assert len(load("wuerfel-2p").program.game.sides) == 2
    assert len(load("stern-3p").program.game.sides) == 3


def test_the_others_win_when_one_player_loses() -> None:
    program = load("stern-3p").program
    assert winners(program, Outcome((), (1,), "checkmated")) == (0, 2)
    assert winners(program, Outcome((2,), (0, 1), "x")) == (2,)
    assert winners(program, Outcome((), (), "repetition")) == winners(program, None) == ()


@cache
def star() -> Game:
    return load("stern-3p")


@pytest.mark.parametrize(("out", "points"), [
    ((), 0.5), ((2,), 1.0), ((1, 2), 1.0), ((1,), 0.5), ((0, 1), 0.0),
])
@pytest.mark.parametrize("outcome", [Outcome((), (), "repetition"), None])
def test_eliminated_players_share_no_draw(out: tuple[int, ...], points: float, outcome: Outcome | None) -> None:
    game = star()
    played = Played((), 0, outcome, dataclasses.replace(game.start().state, out=frozenset(out)))
    assert points_of(game.program, played, (0, 0, 1)) == points


def test_winners_share_the_point_only_among_themselves() -> None:
    game = load("stern-3p")
    played = Played((), 0, Outcome((1,), (0, 2), "count"), dataclasses.replace(game.start().state, out=frozenset({2})))
    assert points_of(game.program, played, (1, 0, 1)) == 1.0
    assert points_of(game.program, played, (0, 1, 0)) == 0.0


def test_opening_depends_on_its_number_and_leaves_the_game_open() -> None:
    engine = make_engine(load("connect-four").program, "auto")
    first = [opening(engine, 5, number, 6).moves for number in range(8)]
    assert first == [opening(engine, 5, number, 6).moves for number in range(8)]
    assert len(set(first)) > 6
    assert first != [opening(engine, 6, number, 6).moves for number in range(8)]
    for number in range(8):
        end = opening(engine, 5, number, 6).end
        assert engine.outcome(end) is None
        assert not any(engine.after(end, move).result for move in engine.moves(end))
    assert opening(engine, 5, 0, 0).moves == ()


@pytest.mark.slow
def test_no_opening_lets_the_next_player_mate_at_once() -> None:
    """Otherwise, the first random opening tried here would be used: 1. e4 g5 2. b3 f5, after which 3. Qh5 is mate."""
    engine = make_engine(load("chess").program, "auto")
    end = opening(engine, 1, 11, 4).end
    assert all(engine.outcome(engine.after(end, move)) is None for move in engine.moves(end))


def test_a_match_finds_the_stronger_player() -> None:
    program = load("breakthrough").program
    job = Match(("random", "greedy")).job(program)
    found = standing(program, {n: do_task(job.work, job.packed, job.parameters, n) for n in range(6)})
    assert found.lost == found.rating.games == 6
    assert found.rating.elo_high < 0
    assert dict(found.by_side) == {"White": 3, "Black": 3}


def test_both_games_of_a_pair_have_its_opening() -> None:
    job = Match(("random", "random"), opening=5).job(load("tictactoe").program)
    games = [do_task(job.work, job.packed, job.parameters, n) for n in range(4)]
    assert games[0]["moves"][:5] == games[1]["moves"][:5] != games[2]["moves"][:5]
    assert games[0]["seats"] == (0, 1) and games[1]["seats"] == (1, 0)


def test_saved_games_can_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "tictactoe", "greedy", "random", "--games", "4", "--workers", "1",
                 "--results", str(tmp_path / "r"), "--save", str(tmp_path / "games"), "--json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["won"] + found["drawn"] + found["lost"] == 4
    game = load("tictactoe")
    saved = sorted((tmp_path / "games").iterdir())
    assert len(saved) == 4
    for path in saved:
        result = replay(game, load_record(path))
        assert result.stop is None and result.position.outcome() is not None


@pytest.mark.parametrize("arguments, said", [
    (["bob", "random", "--game", "tictactoe"], "there is no player `bob`"),
    (["random", "random", "--game", "peg-solitaire"], "is for one player"),
    (["peg-solitaire", "random", "random"], "is for one player"), (["random", "random"], "name one game"),
    (["chess", "random", "random", "--game", "chess"], "name one game"),
    (["tictactoe", "random", "human"], "people can't play here"),
    (["tictactoe", "random", "humann"], "help: choose random, greedy or ai:1 to ai:10\n"),
])
def test_invalid_matches_are_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *arguments]) == 1
    assert said in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------------ interruptions

COMMAND = [sys.executable, "-m", "zrf_py", "match", "greedy", "greedy", "--game", "breakthrough", "--workers", "2",
           "--json"]


def begin(results: Path) -> subprocess.Popen[str]:
    """Start a match; return its process once a few games are finished, with far more to come."""
    process = subprocess.Popen([*COMMAND, "--games", "100000", "--results", str(results)], text=True,
                               start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + HANG
    while time.monotonic() < end and rows(results) < 2:
        time.sleep(0.05)
    assert rows(results) >= 2
    return process


def rows(results: Path) -> int:
    try:
        with sqlite3.connect(f"file:{results}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.Error:
        return 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's list of another process's children")
def test_a_killed_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    results = tmp_path / "r"
    process = begin(results)
    workers = [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = rows(results)
    games = before + before % 2 + 4
    again = subprocess.run([*COMMAND, "--games", str(games), "--results", str(results)],
                           capture_output=True, text=True, check=True)
    found = json.loads(again.stdout)
    assert found["rating"]["games"] == games
    assert before < rows(results) <= games + 2  # one worker may have been ahead of the other
    job = Match(("greedy", "greedy")).job(load("breakthrough").program)
    for number in (0, games - 1):
        kept = Store(results).results(job, games)[number]
        assert kept["moves"] == do_task(job.work, job.packed, job.parameters, number)["moves"]
    assert not [pid for pid in workers if is_alive(pid)]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.parametrize("asked", ["SIGINT", "SIGTERM"])
def test_ctrl_c_ends_a_match_quietly(tmp_path: Path, asked: str) -> None:
    process = begin(tmp_path / "r")
    if asked == "SIGINT":  # sent to all processes of the command, as by a terminal
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    out, err = process.communicate(timeout=HANG)
    assert process.returncode == 130
    said = r"Stopped\. \d+ finished games are saved in .*; the same command resumes from there\."
    assert re.fullmatch(said, err.strip())
    assert not out
    assert rows(tmp_path / "r") >= 2
