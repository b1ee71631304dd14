"""Puzzles: small ones are solved in the fewest turns, with and without machine code; peg solitaire from its start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playing import HANG
from tests.small_games import WALK
from zrf_py.cli.main import main
from zrf_py.play.formats.record_files import load_record
from zrf_py.play.game import Game, load
from zrf_py.play.replay import replay
from zrf_py.solve import solver as solving
from zrf_py.solve.cost import LEGS, TURNS, measure
from zrf_py.solve.heuristic import GoalFacts
from zrf_py.solve.solver import Progress, solve
from zrf_py.solve.state_space import InterpretedSpace
from zrf_py.text.diagnostics import ZrfError

pytestmark = pytest.mark.slow


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.zrf"
    path.write_text(WALK, "utf-8")
    return path


def turns_of(game: Game, **wishes: bool) -> tuple[int, bool]:
    answer = solve(game.start(), seconds=HANG, shortest=True, **wishes)
    assert answer.solution is not None
    outcome = answer.solution.end.outcome()
    assert outcome is not None and outcome.winners
    return answer.solution.cost, answer.solution.shortest


@pytest.mark.parametrize(("variant", "turns"), [("Latin Cross", 5), ("Greek Cross", 8)])
def test_small_puzzles_are_solved_in_the_fewest_turns(variant: str, turns: int) -> None:
    assert turns_of(load("peg-solitaire", variant)) == (turns, True)


def test_peg_solitaire_is_solved_from_its_start() -> None:
    solutions = [solve(load("peg-solitaire").start(), seconds=HANG).solution for _ in range(2)]
    first = solutions[0]
    assert first is not None and first.turns == 31 and first.runs < 31
    assert [s.end.pieces() for s in solutions if s] == [{"d4": ("Solver", "Peg")}] * 2


def test_both_state_spaces_give_the_same_solutions(walk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [load(walk), load(walk, 1), load("peg-solitaire", "Latin Cross")]
    native = [turns_of(game) for game in games]
    monkeypatch.setattr(solving, "state_space", InterpretedSpace)
    assert [turns_of(game) for game in games] == native
    assert native[0] == (4, True)


def test_the_kind_of_cost_is_measured_by_playing(walk: Path) -> None:
    assert measure(load(walk).start()).kind == TURNS
    assert measure(load(walk, 1).start()).kind == LEGS
    assert not measure(load("peg-solitaire").start()).scored


def test_targets_are_read_from_the_goals(walk: Path) -> None:
    start = load(walk).start()
    goals = GoalFacts(start.game.program, start.state)
    marks, need = goals.marks()
    assert need == 2 and marks.count(1) == 2 and goals.least_turns() == 2
    squares = start.game.program.game.symbols.positions
    assert goals.distances(0, 0)[squares["a1"]][squares["f1"]] == 5
    pegs = load("peg-solitaire").start()
    assert GoalFacts(pegs.game.program, pegs.state).only.fewer


def test_an_unsolvable_puzzle_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    lonely = "(x d4) " + " ".join(f"(x {s})" for s in load("peg-solitaire").start().pieces() if s not in ("c7", "e1"))
    assert main(["solve", "peg-solitaire", "--position", lonely]) == 1
    assert "There is no solution" in capsys.readouterr().out


def test_a_game_for_two_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "tictactoe"]) == 1
    assert "for games with one player" in capsys.readouterr().err
    with pytest.raises(ZrfError, match="2 players"):
        solve(load("tictactoe").start())


def test_ctrl_c_keeps_the_best_solution(walk: Path) -> None:
    def tell(progress: Progress) -> None:
        if progress.best is not None:
            raise KeyboardInterrupt

    answer = solve(load("peg-solitaire").start(), tell=tell)
    assert answer.interrupted and answer.solution is not None


def test_a_solution_is_saved_as_a_game(walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "walk.zsg"
    assert main(["solve", str(walk), "--save", str(saved)]) == 0
    assert "no better one exists" in capsys.readouterr().out
    result = replay(load(walk), load_record(saved))
    assert result.stop is None and result.position.outcome() is not None
