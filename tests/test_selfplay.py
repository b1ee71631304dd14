"""Games as data: contents of the columns, reproducibility, and killed workers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.playing import ROOT, counted
from zrf_py.batch import tables
from zrf_py.batch.jobs import Job, Result, do_task
from zrf_py.batch.runner import run
from zrf_py.batch.selfplay import COLUMNS, LEG_COLUMNS, SelfPlay, is_timed, rows_of, tasks_of
from zrf_py.batch.store import Store
from zrf_py.batch.workers import OnThisMachine
from zrf_py.cli.main import main
from zrf_py.play.game import Game, load
from zrf_py.text.diagnostics import ZrfError

DICE = "cat-and-mouse", "Cat and Mouse, Mice at Random"
GAMES = int(os.environ.get("ZRF_BATCH_GAMES", "2000"))


Name = str | tuple[str, str]


def opened(name: Name) -> Game:
    return load(name) if isinstance(name, str) else load(*name)


def played(name: Name, games: int, **options: Any) -> list[dict[str, Any]]:
    """Play games in this process; return their rows."""
    job = SelfPlay(**{"names": ("random",), **options}).job(opened(name).program)
    return list(rows_of({n: piece(job, n) for n in range(tasks_of(job, games))}, games))


def piece(job: Job, number: int) -> Result:
    found = do_task(job.work, job.packed, job.parameters, number)
    assert "fault" not in found, found
    return found


@pytest.mark.parametrize(("name", "players"), [
    ("tictactoe", ("random",)), ("checkers", ("random", "greedy")),
    pytest.param("stern-3p", ("random",), marks=pytest.mark.slow), (DICE, ("random",)),
])
def test_columns_record_the_games(name: Name, players: tuple[str, ...]) -> None:
    game = opened(name)
    rows = played(name, 2, names=players, max_turns=30)
    for row in counted(rows, 2):
        assert list(row) == [*COLUMNS, *LEG_COLUMNS]
        assert len({len(row[column]) for column in LEG_COLUMNS}) == 1
        position = game.start()
        turns = 0
        for seat, move, legal, text in zip(row["player"], row["move"], row["legal"], row["text"], strict=True):
            moves = position.moves()
            assert len(moves) == legal and moves[move].text == text
            chance = next(p for p in game.program.game.players if p.name == position.player).kind == "random"
            assert (seat == -1) == chance
            position = position.play(moves[move])
            turns += not position.in_turn
        assert turns == row["turns"] <= 30 and row["opening"] == min(4, turns)
        outcome = position.outcome()
        assert row["cut_off"] == (outcome is None)
        if outcome and outcome.winners:
            assert [reward > 0 for reward in row["reward"]] == [
                name in outcome.winners for name in game.players if name in _seats(game)]


def _seats(game: Game) -> set[str]:
    return {p.name for p in game.program.game.players if p.kind == "player"}


@pytest.mark.slow
def test_actions_match_those_of_a_fleet() -> None:
    from zrf_py.envs.actions import Actions

    game = load("chess")
    texts = Actions.of(game.program).texts
    for row in counted(played("chess", 1, max_turns=80)):
        for action, text in counted(zip(row["action"], row["text"], strict=True), 10):
            squares = re.findall(r"\b[a-h][1-8]\b", text)
            assert texts[action].startswith(f"{squares[0]}-{squares[1]}")


def test_games_depend_on_the_seed_and_not_on_their_number() -> None:
    assert played("tictactoe", 50)[:20] == played("tictactoe", 20)
    assert played("tictactoe", 20, seed=2) != played("tictactoe", 20)


def test_the_players_play_after_the_opening() -> None:
    """A player that takes wins beats one that doesn't look for them. Other players get the same openings."""
    rows = played("tictactoe", 40, names=("greedy", "random"), opening=1)
    assert sum(row["reward"][0] for row in rows) > 25
    chance = played("tictactoe", 40, names=("random", "random"), opening=1)
    assert [row["move"][0] for row in rows] == [row["move"][0] for row in chance]


def test_only_time_limits_prevent_reproducible_games() -> None:
    assert is_timed(("random", "ai:0.1s")) and not is_timed(("ai", "ai:3", "ai:mcts", "greedy", "ai:500n"))


# --------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("kind", ["jsonl", "npz", "parquet"])
def test_files_of_every_format_hold_the_same_data(kind: str, tmp_path: Path) -> None:
    pytest.importorskip({"npz": "numpy", "parquet": "pyarrow"}.get(kind, "json"))
    rows = played("tictactoe", 30, names=("random", "greedy"))
    paths = [tmp_path / f"{name}.{kind}" for name in "ab"]
    for path in paths:
        assert tables.write(path, iter(rows), tables.writer(path)) == 30
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert read(paths[0]) == rows
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"a.{kind}", f"b.{kind}"]


def read(path: Path) -> list[dict[str, Any]]:
    """Return the games of a file in any format."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    if path.suffix == ".parquet":
        import pyarrow.parquet

        found: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
        return found
    import numpy as np

    with np.load(path) as held:
        data = {name: held[name].tolist() for name in held.files}
    for name, words in (("text", "texts"), ("reason", "reasons")):
        data[name] = [data[words][number] for number in data[name]]
    data["players"] = [[data["names"][number] for number in row] for row in data["players"]]
    bounds = list(zip(data["starts"], data["starts"][1:], strict=False))
    return [{name: data[name][i] for name in COLUMNS} | {name: data[name][first:last] for name in LEG_COLUMNS}
            for i, (first, last) in enumerate(bounds)]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old")

    def broken() -> Any:
        yield from played("tictactoe", 1)
        raise OSError(28, "No space left on device")

    with pytest.raises(ZrfError, match=r"can't be written: No space left"):
        tables.write(path, broken(), tables.writer(path))
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1


def test_columns_are_documented() -> None:
    page = (ROOT / "zrf_py" / "batch" / "README.md").read_text("utf-8")
    table = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.M))
    assert {name: table.get(name) for name in COLUMNS | LEG_COLUMNS} == COLUMNS | LEG_COLUMNS


# ------------------------------------------------------------------------------------------------------------- command


@pytest.mark.slow
def test_the_command_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, results = tmp_path / "g.jsonl", str(tmp_path / "r.sqlite")
    words = ["selfplay", "tictactoe", "-o", str(out), "--results", results, "--workers", "1"]
    assert main([*words, "--games", "30"]) == 0
    first = out.read_text("utf-8")
    assert main([*words, "--games", "45"]) == 0
    assert out.read_text("utf-8").startswith(first) and len(read(out)) == 45
    assert "45 games of Tic-Tac-Toe" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "said"), [
    (("-o", "x.csv"), "file names must end in .jsonl"), (("-o", "x.jsnl"), "did you mean `x.jsonl`"),
    (("-o", "nowhere/x.jsonl"), "there is no folder nowhere"),
    (("-o", "x.jsonl", "--players", "a"), "there is no player"),
    (("-o", "x.jsonl", "--players", "random,random,random"), "for the 2 seats"),
    (("-o", "x.jsonl", "--opening", "-1"), "--opening"), ((), "-o"),
])
def test_invalid_arguments_are_refused_before_any_game(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["selfplay", "tictactoe", *words]) in (1, 2)
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", ["selfplay {} -o g.jsonl", "match {} random random", "judge {}", "train {}"])
def test_games_of_engine_dlls_are_refused(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """Their players could only pass."""
    monkeypatch.chdir(tmp_path)
    Path("far.zrf").write_text("""(game (title "Far") (engine "far.dll") (option "pass turn" true) (players A B)
      (turn-order A B) (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9)))
      (directions (n 0 -1)))) (piece (name Man)) (board-setup (A (Man a1)) (B (Man b2))))""")
    results = [] if words.startswith("train") else ["--results", "r.sqlite"]
    assert main([*words.format("far.zrf").split(), "--games", "2", "--workers", "1", *results]) == 1
    why = "there is nothing to play in `Far`: its rules are in the engine DLL far.dll, which zrf does not run"
    assert why in " ".join(capsys.readouterr().err.split())


@pytest.mark.slow
def test_without_a_terminal_the_command_says_first_when_it_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["selfplay", "tictactoe", "-o", "-", "--results", str(tmp_path / "r.sqlite"), "--workers", "1"]
    assert main([*words, "--games", "2"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("2 games are being played; they are written when all are finished\n") and out.count("\n") == 2


def test_json_lines_need_no_numpy(tmp_path: Path) -> None:
    """A file of arrays does; then the message names the package and the command that installs it."""
    start = "import sys; sys.modules['numpy'] = None; from zrf_py.cli.main import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", start, "selfplay", "tictactoe", "--games", "3", "--workers", "1", "--results",
             str(tmp_path / "r.sqlite"), "-o"]
    done = subprocess.run([*words, str(tmp_path / "g.jsonl")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(read(tmp_path / "g.jsonl")) == 3
    refused = subprocess.run([*words, str(tmp_path / "g.npz")], capture_output=True, text=True)
    assert refused.returncode == 1 and "a file of arrays needs packages that aren't installed: " in refused.stderr


@pytest.mark.slow
def test_a_killed_worker_changes_nothing_in_the_file(tmp_path: Path) -> None:
    """One undisturbed worker writes the same data as two, of which one is killed at two moments of the run."""
    job = SelfPlay(("random",)).job(load("tictactoe").program)
    pieces = tasks_of(job, GAMES)
    files = [tmp_path / name for name in ("one.jsonl", "two.jsonl")]
    kills = 0
    for path, count in zip(files, (1, 2), strict=True):
        workers = OnThisMachine(count)
        done: list[int] = []

        def notice(number: int, result: Result, count: int = count, workers: OnThisMachine = workers,
                   done: list[int] = done) -> None:
            nonlocal kills
            done.append(number)
            if count == 2 and len(done) in (3, pieces // 2):
                os.kill(next(iter(workers.pool.workers)).process.pid, signal.SIGKILL)
                kills += 1

        try:
            results = run(job, pieces, Store(tmp_path / f"{path.stem}.sqlite"), workers, notice)
        finally:
            workers.close()
        assert sorted(done) == list(range(pieces)), "each piece counts once"
        assert tables.write(path, rows_of(results, GAMES), tables.writer(path)) == GAMES
    assert kills == 2 and files[0].read_bytes() == files[1].read_bytes()
