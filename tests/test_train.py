"""Learned weights: patterns found from the rules, sums that follow the moves, fits, files, and the gate."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite", reason="search needs llvmlite")
pytest.importorskip("numpy", reason="training needs numpy")

import numpy as np

import zrf_py
from tests.exporting import measured_once, paged
from tests.playing import HANG, ROOT
from zrf_py.batch.workers import open_workers
from zrf_py.cli.main import main
from zrf_py.ir.ops import Program
from zrf_py.native import code
from zrf_py.run.position import NOBODY, Position
from zrf_py.search import trained
from zrf_py.search.base import Base
from zrf_py.search.game_search import GameSearch, search_for
from zrf_py.search.limits import Limits
from zrf_py.search.plan import Patterns
from zrf_py.text.diagnostics import ZrfError
from zrf_py.train import fit, games, gate, rounds
from zrf_py.train.geometry import Geometry, lines_of, windows_of
from zrf_py.train.symmetries import Symmetry, automorphisms, mapped

WEIGHTED = ["checkers", "nine-mens-morris", "othello"]
"""Games whose weights come with the package."""


def program_of(name: str) -> Program:
    return zrf_py.load(name).program


@cache
def shape(name: str) -> tuple[Geometry, list[Symmetry]]:
    program = program_of(name)
    return rounds.shape_of(program, GameSearch(program, lambda _: None))


def at_random(name: str, seed: int = 3, per_move: int = 0) -> Patterns:
    """Random weights for a game."""
    patterns, random = shape(name)[0].patterns(0, per_move), Random(seed)
    weights = array("h", (random.randrange(-50, 50) for _ in patterns.weights))
    return replace(patterns, weights=weights)


def numbers(patterns: Patterns, program: Program, position: Position) -> list[int]:
    """The numbers of all patterns, computed anew."""
    kinds = len(program.game.pieces) + 1
    held = [0 if o == NOBODY else patterns.digits[(o + 1) * kinds + p + 1]
            for o, p in zip(position.owner, position.piece, strict=True)]
    return [base + sum(held[square] * patterns.radix**i for i, square in enumerate(row))
            for base, row in zip(patterns.bases, patterns.squares, strict=True)]


def fresh(patterns: Patterns, program: Program, position: Position, player: int) -> int:
    """The patterns' value for a player, computed anew, in hundredths."""
    men = sum(owner != NOBODY for owner in position.owner)
    begin = patterns.stages[men] * patterns.size
    total = sum(patterns.weights[begin + number] for number in numbers(patterns, program, position))
    return total if player == patterns.first else -total


# ------------------------------------------------------------------------------------------------------------ geometry


def test_lines_and_windows_come_from_the_links_of_the_board() -> None:
    """Othello's board: 8 ranks, 8 files, 22 diagonals of 3 squares or more; 36 windows, also where only steps in one
    sense have names."""
    lines = list(lines_of(program_of("othello")))
    assert sorted(map(len, lines)) == sorted([8] * 16 + 2 * [n for n in (3, 4, 5, 6, 7) for _ in (0, 1)] + [8, 8])
    assert len(windows_of(program_of("othello"), 3, 3)) == 36
    assert len(list(lines_of(program_of("tictactoe")))) == 8 and len(windows_of(program_of("tictactoe"), 3, 3)) == 1


def test_a_board_of_diagonal_steps_has_diagonal_windows() -> None:
    places = program_of("checkers").game.board.places
    window = next(iter(windows_of(program_of("checkers"), 2, 2)))
    names = sorted(places[square].name for square in window)
    assert len({name[0] for name in names}) == 3 and len({name[1] for name in names}) == 3


@pytest.mark.parametrize(("name", "kept", "swapping"), [
    ("othello", 8, 8), ("tictactoe", 8, 8), ("connect-four", 2, 2), ("breakthrough", 2, 2), ("checkers", 1, 1)])
def test_symmetries_are_those_of_the_rules(name: str, kept: int, swapping: int) -> None:
    """Pieces that fall or go forward leave the mirror image from left to right, and the board turned with the players
    exchanged."""
    found = shape(name)[1]
    assert (sum(not s.swaps for s in found), sum(s.swaps for s in found)) == (kept, swapping)
    assert found[0].squares == tuple(range(len(found[0].squares))) and not found[0].swaps


def test_an_automorphism_is_no_symmetry_if_the_rules_disagree() -> None:
    program = program_of("connect-four")
    assert len(automorphisms(program)) == 4 > sum(not s.swaps for s in shape("connect-four")[1])


def test_patterns_of_a_class_are_images_of_each_other() -> None:
    found, symmetries = shape("othello")
    assert len(found.squares) == 74 and len(found.lengths) == 16 and found.radix == 3
    for number in range(len(found.lengths)):
        rows = [row for row, kind in zip(found.squares, found.classes, strict=True) if kind == number]
        images = {tuple(s.squares[square] for square in rows[0]) for s in symmetries if not s.swaps}
        assert images.issuperset(rows)


# -------------------------------------------------------------------------------------------------------------- kernel


@pytest.mark.parametrize("name", ["othello", "connect-four", "checkers", "breakthrough"])
def test_sums_follow_the_moves_and_their_unmaking(name: str) -> None:
    """Along random games the machine's numbers are those computed anew, after a move and after it is unmade."""
    program, patterns = program_of(name), at_random(name)
    searcher, random = Base(program, patterns).searcher, Random(5)
    position, compared = searcher.engine.start(), 0
    while position.result is None and compared < 60 and (moves := searcher.engine.moves(position)):
        searcher.restart(position)
        before = list(searcher.machine.arrays["pattern_index"])
        assert before == numbers(patterns, program, position)
        searcher.machine.call["after"](searcher.machine.call["legal"]())
        after = list(searcher.machine.arrays["pattern_index"])
        assert after == numbers(patterns, program, searcher.engine.after(position, moves[0])), compared
        searcher.restart(position)
        searcher.machine.call["after"](searcher.machine.call["legal"]())
        assert list(searcher.machine.arrays["pattern_index"]) == after
        searcher.machine.call["unmake"]()
        assert list(searcher.machine.arrays["pattern_index"]) == before
        compared += 1
        position = searcher.engine.after(position, random.choice(moves))
    assert compared > 5


def test_a_leaf_is_worth_its_sums_and_its_patterns() -> None:
    """One move ahead in connect four, where nothing is captured and mobility does not count."""
    program, patterns = program_of("connect-four"), at_random("connect-four")
    search = GameSearch(program, lambda _: patterns)
    plain = GameSearch(program, lambda _: None)
    assert search.base and plain.base
    engine, random = plain.base.searcher.engine, Random(2)
    position, different = engine.start(), 0
    for _ in range(12):
        values = []
        for move in engine.moves(position):
            child = engine.after(position, move)
            me = program.game.turns[child.turn].mover
            lead = plain.base.searcher.lead(child, me)
            values.append(None if child.result else -lead - fresh(patterns, program, child, me))
        if all(value is not None for value in values):
            found = search.analyse(position, (), Limits(depth=1)).value
            assert found == max(value for value in values if value is not None)
            different += found != plain.analyse(position, (), Limits(depth=1)).value
        position = engine.after(position, random.choice(engine.moves(position)))
        if position.result:
            break
    assert different > 5


# ----------------------------------------------------------------------------------------------------------------- fit


def planted(name: str, count: int) -> tuple[fit.Fitter, Patterns, list[list[games.Row]]]:
    """Rows of random positions whose values come from planted weights of single squares' contents."""
    program, (found, symmetries) = program_of(name), shape(name)
    fitter = fit.Fitter(found, symmetries, 0)
    tied = np.random.default_rng(4).integers(-300, 300, fitter.count)
    table = (tied[fitter.tie] * fitter.sign).astype(np.int16)
    patterns = found.patterns(0, 0, array("h", np.tile(table, found.stages[-1] + 1).tobytes()))
    engine, random = GameSearch(program, lambda _: None).engine, Random(6)
    rows = []
    for _ in range(count):
        position, game = engine.start(), []
        while position.result is None and (moves := engine.moves(position)):
            value = fresh(patterns, program, position, 0)
            game.append([games.cells(program, position), 1, 0, 0, value, float(value > 0)])
            position = engine.after(position, random.choice(moves))
        rows.append(game)
    return fitter, patterns, rows


def test_a_fit_finds_planted_weights() -> None:
    """The values that fitted weights give to other positions are those of the weights behind the labels."""
    fitter, _, rows = planted("tictactoe", 400)
    fitted = fitter.fit(rows[:300], 0)
    assert fitted.after < 0.8 * fitted.before
    positions = [row for game in rows[300:] for row in game if row[4]]
    boards = np.frombuffer(b"".join(map(games.b64decode, (row[0] for row in positions))), np.uint16)
    numbers_of = fitter.features(boards.reshape(len(positions), -1))
    men = (boards.reshape(len(positions), -1) != 0).sum(1)
    weights = np.array(fitted.patterns.weights).reshape(-1, fitted.patterns.size)
    values = weights[np.array(fitted.patterns.stages)[men][:, None], numbers_of].sum(1)
    labels = np.array([row[4] for row in positions])
    assert np.corrcoef(values, labels)[0, 1] > 0.9


def test_weights_of_mirror_images_are_equal_and_of_exchanged_players_opposite() -> None:
    fitter, _, rows = planted("tictactoe", 60)
    fitted = fitter.fit(rows, 0).patterns
    program, random = program_of("tictactoe"), Random(8)
    engine = GameSearch(program, lambda _: None).engine
    position, compared = engine.start(), 0
    for _ in range(5):
        position = engine.after(position, random.choice(engine.moves(position)))
        for symmetry in shape("tictactoe")[1]:
            there = fresh(fitted, program, mapped(program, symmetry, position), 0)
            expected = fresh(fitted, program, position, 1 if symmetry.swaps else 0)
            assert there == expected
            compared += expected != 0
    assert compared > 20


def test_the_same_rows_give_the_same_weights() -> None:
    fitter, _, rows = planted("tictactoe", 40)
    assert fitter.fit(rows, 0).patterns == fitter.fit(rows, 0).patterns != fitter.fit(rows[1:], 0).patterns


def test_the_same_seed_gives_the_same_rows() -> None:
    """Labels are limited by positions, and no search leaves anything for the next one."""
    program = program_of("breakthrough")
    search = games.search_with(program, "")
    parameters = {"weights": "", "seed": 5, "round": 0}
    first, again, other = (games.one_game(search.engine, parameters, number)["rows"] for number in (3, 3, 4))
    assert first == again != other and any(row[5] is None for row in first) and any(row[5] is not None for row in first)


# --------------------------------------------------------------------------------------------------------------- files


def test_a_file_holds_the_weights() -> None:
    program, patterns = program_of("tictactoe"), at_random("tictactoe")
    data = trained.write(program, patterns, {"seed": 1})
    assert trained.read(program, data, "x") == patterns and json.loads(data.partition(b"\n")[0])["about"] == {"seed": 1}


def test_weights_are_refused_under_other_rules() -> None:
    data = trained.write(program_of("tictactoe"), at_random("tictactoe"), {})
    with pytest.raises(ZrfError, match="other rules"):
        trained.read(program_of("othello"), data, "tictactoe.weights")


@pytest.mark.parametrize("change", [
    lambda head: head.update(squares=[[99] * 3, *head["squares"][1:]]), lambda head: head.update(size=10**9),
    lambda head: head.update(bases=[-1, *head["bases"][1:]]),
    lambda head: head.update(stages=[7] * len(head["stages"])),
    lambda head: head.update(digits=[9] * len(head["digits"])), lambda head: head.update(radix=50),
    lambda head: head.update(first=7), lambda head: head.pop("bases"), lambda head: head.update(format=0),
    lambda head: head.update(radix=float("inf"))])
def test_damaged_weights_are_refused(change: Callable[[dict[str, object]], object]) -> None:
    """No number of a file may lead machine code out of its tables."""
    program = program_of("tictactoe")
    line, _, packed = trained.write(program, at_random("tictactoe"), {}).partition(b"\n")
    head = json.loads(line)
    change(head)
    with pytest.raises(ZrfError, match="damaged"):
        trained.read(program, json.dumps(head).encode() + b"\n" + packed, "x")
    with pytest.raises(ZrfError, match="damaged"):
        trained.read(program, line + b"\n" + packed[:40], "x")
    with pytest.raises(ZrfError, match="damaged"):
        trained.read(program, b"[" * 100_000, "x")


def test_comments_and_names_do_not_change_the_key_of_rules() -> None:
    text = (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8")
    same = zrf_py.loads("; a comment\n" + text.replace('"Tic-Tac-Toe"', '"Noughts"')).program
    other = zrf_py.loads(text.replace("(turn-order X O)", "(turn-order O X)")).program
    key = trained.rules_key(program_of("tictactoe"))
    assert trained.rules_key(same) == key != trained.rules_key(other)


def test_weights_beside_a_file_are_used_until_its_rules_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(trained.OFFERED, "")
    text = (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8")
    folder = tmp_path / f"a{os.pathsep}b"
    folder.mkdir()
    path = folder / "own.zrf"
    path.write_text(text, "utf-8")
    patterns = at_random("tictactoe")
    (folder / "own.weights").write_bytes(trained.write(program_of("tictactoe"), patterns, {}))
    assert trained.trained_for(zrf_py.load(path).program) == patterns
    path.write_text(text.replace("(turn-order X O)", "(turn-order O X)"), "utf-8")
    assert trained.trained_for(zrf_py.load(path).program) is None
    assert "other rules" in capsys.readouterr().err


def test_weights_that_come_with_the_package_belong_to_bundled_games_and_have_won() -> None:
    files = {trained.rules_key(program_of(name)): name for name in WEIGHTED}
    assert {path.stem for path in trained.SHIPPED.iterdir()} == set(files)
    page = (ROOT / "zrf_py" / "search" / "README.md").read_text("utf-8")
    for key, name in files.items():
        path = trained.SHIPPED / (key + trained.ENDING)
        won, drawn, lost, _, _ = json.loads(path.read_bytes().partition(b"\n")[0])["about"]["match"].values()
        assert won > lost and f"| {won}, {drawn}, {lost} |" in page and trained.trained_for(program_of(name))
    assert sum(path.stat().st_size for path in trained.SHIPPED.iterdir()) < 1_000_000


def with_weights(folder: Path, name: str) -> zrf_py.Game:
    """A copy of a bundled game with random weights beside it."""
    path = folder / f"{name}.zrf"
    path.write_text((ROOT / "rules" / path.name).read_text("utf-8"), "utf-8")
    path.with_suffix(".weights").write_bytes(trained.write(program_of(name), at_random(name), {}))
    return zrf_py.load(path)


@pytest.mark.parametrize("kept_large", [True, False])
def test_a_page_searches_with_the_weights(
    kept_large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same turns as here, by the game's own engine and by the one for any game; and not those without weights."""
    monkeypatch.setenv(trained.OFFERED, "")
    measured_once(monkeypatch)
    if kept_large:
        monkeypatch.setattr(code, "is_small", lambda layout: False)
    game = with_weights(tmp_path, "connect-four")
    plain, different, random = GameSearch(game.program, lambda _: None), 0, Random(3)
    with paged(game, tmp_path) as page:
        for opening in range(6):
            page("start")
            position = game.start()
            for _ in range(1 + opening % 3):
                position = position.play(random.choice(position.moves()))
                page("play", [position.move.text if position.move else ""])
            limits = Limits(nodes=60)
            turn = search_for(game.program).turn(position.state, position.earlier(), limits)
            (leg,) = position.named(turn)
            different += turn != plain.turn(position.state, (), limits)
            assert page("turn", {"nodes": 60, "noise": 0}, 0) == [leg.text]
    assert different


# ---------------------------------------------------------------------------------------------------------------- gate


@pytest.mark.slow
def test_the_gate_refuses_bad_weights_and_takes_good_ones() -> None:
    """Weights made bad on purpose lose; the same match seen from the other side is won."""
    program = program_of("othello")
    bad = trained.write(program, replace(at_random("othello"), per_move=-50), {})
    workers = open_workers(2)
    try:
        found = [gate.match(program, new, old, workers, 24, seed=3, margin=300.0, nodes=300, test=gate.TEST)
                 for new, old in ((bad, b""), (b"", bad))]
    finally:
        workers.close()
    assert not gate.is_better(found[0]) and found[0].lost > found[0].won
    assert found[1].won > found[1].lost and gate.is_better(found[1])


def test_weights_that_do_not_win_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """Two games teach nothing; the file that is there stays as it is."""
    kept = tmp_path / "old.weights"
    kept.write_bytes(b"as it was")
    monkeypatch.setattr(rounds, "QUICK_GAMES", 2)
    assert main(["train", "tictactoe", "--games", "2", "--rounds", "1", "--workers", "1", "-o", str(kept)]) == 1
    assert kept.read_bytes() == b"as it was" and list(tmp_path.iterdir()) == [kept]
    assert "keeps the evaluation it has" in capsys.readouterr().out


def test_games_without_a_labelled_position_teach_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short game may have none, since only some positions are labelled."""
    monkeypatch.setattr(rounds, "run", lambda *_, **__: {0: {"games": 1, "rows": []}})
    settings = rounds.Settings(games=1, rounds=1, workers=1)
    assert rounds.train(program_of("tictactoe"), settings, lambda _: None) == rounds.Trained(b"", None)


def test_only_games_of_two_without_chance_are_trained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "peg-solitaire", "--games", "2", "--workers", "1"]) == 1
    assert "two-player games" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_training_that_is_stopped_leaves_the_old_file(tmp_path: Path, number: signal.Signals) -> None:
    kept = tmp_path / "old.weights"
    kept.write_bytes(b"as it was")
    words = ["train", "tictactoe", "--games", "100000", "--workers", "1", "-o", str(kept)]
    with subprocess.Popen([sys.executable, "-m", "zrf_py", *words], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr and "patterns" in process.stderr.readline()
        process.send_signal(number)
        status = process.wait(HANG)
    assert status == (130 if number == signal.SIGINT else -number)
    assert kept.read_bytes() == b"as it was" and list(tmp_path.iterdir()) == [kept]


def test_a_disk_that_is_full_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """Weights that have won are written to a file beside the old one first."""
    kept = tmp_path / "old.weights"
    kept.write_bytes(b"as it was")

    class Won(rounds.Trained):
        is_useful = True

    monkeypatch.setattr(rounds, "train", lambda *_, **__: Won(b"new", None))
    with limited_files(2):
        assert main(["train", "tictactoe", "-o", str(kept)]) == 1
    assert kept.read_bytes() == b"as it was" and list(tmp_path.iterdir()) == [kept]
    assert main(["train", "tictactoe", "-o", str(kept)]) == 0 and kept.read_bytes() == b"new"
    assert "0 kB" in capsys.readouterr().out


@contextmanager
def limited_files(size: int) -> Iterator[None]:
    """Let no file grow beyond this size, as if the disk were full."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_without_numpy_training_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "zrf_py.train.fit")
    monkeypatch.delattr("zrf_py.train.fit")
    assert main(["train", "tictactoe", "--games", "2", "--workers", "1"]) == 1
    assert "training needs packages" in capsys.readouterr().err
