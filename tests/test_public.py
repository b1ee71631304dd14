"""The public API: names in `dir` and `help`, games from texts, lists of problems."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import zrf_py
from zrf_py import ZrfError
from zrf_py.batch.games import bulk_job
from zrf_py.batch.judge.judging import GameCounts
from zrf_py.batch.judge.text import as_text, side_by_side
from zrf_py.front.model import Options
from zrf_py.hosts import run_zrf
from zrf_py.library import TEXT
from zrf_py.play.advice import analyse
from zrf_py.play.perft import perft
from zrf_py.run.playouts import playouts
from zrf_py.solve.solver import solve
from zrf_py.text.display import display_text
from zrf_py.view.drawings import board_svg
from zrf_py.view.scene import scene

NAMES = {"Game", "Move", "Outcome", "Position", "RulesFault", "ZrfError", "check", "load", "loads"}
LINE = """(game (title "Line") (players A) (turn-order A) (board (grid (start-rectangle 0 0 9 9)
    (dimensions ("a/b/c" (9 0)) ("1" (0 9))) (directions (e 1 0))))
    (piece (name P) (moves (e add))) (board-setup (A (P a1))))"""


def test_dir_and_help_show_the_public_names() -> None:
    assert set(zrf_py.__all__) == NAMES and set(dir(zrf_py)) >= NAMES
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        help(zrf_py)
    text = shown.getvalue()
    for name in ("load", "loads", "check"):
        assert f"    {name}(" in text
    for name in ("Game", "Move", "Outcome", "Position", "RulesFault", "ZrfError"):
        assert f"    class {name}(" in text


def test_the_version_is_the_same_everywhere() -> None:
    root = Path(__file__).parent.parent
    versions = {
        tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"],
        json.loads((root / "zrf_py/editors/vscode/package.json").read_text("utf-8"))["version"],
        *re.findall(r"^version: (.*)$", (root / ".github/CITATION.cff").read_text("utf-8"), re.M),
        re.findall(r"^## (\d\S*)", (root / ".github/CHANGELOG.md").read_text("utf-8"), re.M)[0]}
    assert versions == {zrf_py.__version__}


def test_names_declared_stable_or_internal_exist() -> None:
    page = (Path(__file__).parent.parent / ".github/STABLE.md").read_text("utf-8")
    internal = page.partition("attributes that lead to them:")[2].partition(";\n-")[0]
    groups = [re.findall(r"`(?:\w+\.)?(\w+)`", group) for group in internal.split(";")]
    holders = (zrf_py.Game, zrf_py.Position, zrf_py.Move)
    known = [{*dir(holder), *inspect.signature(holder).parameters} for holder in holders]
    assert [set(group) - names for group, names in zip(groups, known, strict=True)] == [set(), set(), set()]
    assert all(len(group) > 3 for group in groups)


def test_the_text_of_an_error_ends_with_its_help() -> None:
    with pytest.raises(ZrfError) as error:
        zrf_py.load("conect-four")
    assert str(error.value).endswith("called `conect-four` (help: did you mean `connect-four`?)")


def test_text_loads_as_a_game() -> None:
    game = zrf_py.loads(LINE)
    assert [str(move) for move in game.start().moves()] == ["P a1 - b1"]
    assert game.path is None
    assert zrf_py.loads(LINE.encode("utf-16")).title == "Line"
    assert zrf_py.loads(LINE.replace("\n", "\r")).title == "Line"
    assert zrf_py.loads(LINE + '(variant (title "Other"))', "other").title == "Other"


def test_the_players_are_those_with_turns() -> None:
    """Random players have turns, too; the owner of pieces that nobody moves has none, so it is left out."""
    text = LINE.replace("(players A)", "(players Wall A ?Dice B)").replace("(turn-order A)", "(turn-order B ?Dice A)")
    assert zrf_py.loads(text).players == ("A", "?Dice", "B")


def test_problems_of_a_text_have_places() -> None:
    with pytest.raises(ZrfError) as error:
        zrf_py.loads(LINE.replace("(e add)", "(f add)"))
    assert str(error.value).startswith(f"{TEXT}:3:29: error[unknown-direction]")


def test_a_text_includes_from_the_shelf_and_from_its_folder_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "line.inc").write_text(LINE, "utf-8")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    assert zrf_py.loads('(include "line.inc")', folder=tmp_path).title == "Line"
    assert zrf_py.loads('(include "chess.zrf")').title == "Chess"
    for folder, name in ((None, "line.inc"), (None, str(tmp_path / "line.inc")), (tmp_path / "below", "../line.inc")):
        with pytest.raises(ZrfError) as error:
            zrf_py.loads(f'(include "{name}")', folder=folder)
        assert error.value.diagnostics[0].code in ("missing-include", "include-outside")


def test_a_text_too_large_to_be_rules_is_refused() -> None:
    with pytest.raises(ZrfError, match="larger than 16 MiB"):
        zrf_py.loads(" " * (16 * 2**20 + 1))


def test_check_lists_the_problems_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "line.zrf"
    path.write_text(LINE.replace("(e add)", "(f add)") + LINE, "utf-8")
    assert zrf_py.check("chess") == []
    problems = zrf_py.check(path)
    assert {p.severity for p in problems} == {"error"} and str(problems[0].origin) == f"{path}:3:29"
    assert [p.message for p in zrf_py.check(str(path))] == [p.message for p in problems]
    with pytest.raises(ZrfError, match="no file or bundled game"):
        zrf_py.check(tmp_path / "nothing.zrf")


@pytest.fixture(scope="module")
def start() -> zrf_py.Position:
    return zrf_py.load("tictactoe").start()


NONSENSE: list[Callable[[zrf_py.Position], object]] = [
    lambda p: zrf_py.load(3),  # type: ignore[arg-type]
    lambda p: zrf_py.load(b"chess"),  # type: ignore[arg-type]
    lambda p: zrf_py.load("chess", 1.5),  # type: ignore[arg-type]
    lambda p: zrf_py.load("chess", True),
    lambda p: zrf_py.loads(None),  # type: ignore[arg-type]
    lambda p: zrf_py.loads("(game)", folder=3),  # type: ignore[arg-type]
    lambda p: zrf_py.loads(LINE, 1.5),  # type: ignore[arg-type]
    lambda p: zrf_py.check(None),  # type: ignore[arg-type]
    lambda p: p.game.position(3),  # type: ignore[arg-type]
    lambda p: p.game.read(3),  # type: ignore[arg-type]
    lambda p: p.game.playouts("x"),  # type: ignore[arg-type]
    lambda p: p.playouts(0),
    lambda p: p.playouts(-1),
    lambda p: p.playouts(1.5),  # type: ignore[arg-type]
    lambda p: p.playouts(1 << 70),
    lambda p: p.playouts(1, seed="x"),  # type: ignore[arg-type]
    lambda p: p.playouts(1, max_plies=-1),
    lambda p: p.playout("x"),  # type: ignore[arg-type]
    lambda p: p.playout(1, "x"),  # type: ignore[arg-type]
    lambda p: p.playout(1, -1),
    lambda p: p.perft(-1),
    lambda p: p.perft("x"),  # type: ignore[arg-type]
    lambda p: p.perft(1.5),  # type: ignore[arg-type]
    lambda p: p.perft(True),
    lambda p: p.perft(10**6),
    lambda p: p.short("a1"),  # type: ignore[arg-type]
    lambda p: p.find(3),  # type: ignore[arg-type]
    lambda p: p.play(None),  # type: ignore[arg-type]
    lambda p: p.after(3),  # type: ignore[arg-type]
    lambda p: p.after("b2"),  # type: ignore[arg-type]
    lambda p: p.edited(3),  # type: ignore[arg-type]
    lambda p: p.at(3),  # type: ignore[arg-type]
    lambda p: analyse(p.game),  # type: ignore[arg-type]
    lambda p: analyse(p, nodes=10, lines=0),
    lambda p: analyse(p, nodes=10, seed="x"),  # type: ignore[arg-type]
    lambda p: analyse(p, nodes=10, seed=2**31),
    lambda p: p.playouts(1, max_plies=2**31),
    lambda p: analyse(p, time="x"),  # type: ignore[arg-type]
    lambda p: analyse(p, depth=1.5),  # type: ignore[arg-type]
    *(lambda p, folder=folder: zrf_py.loads(LINE, folder=folder) for folder in ("no/such/folder", "a\0b", "\ud800")),
]


@pytest.mark.parametrize("number", range(len(NONSENSE)))
def test_invalid_arguments_are_refused_with_a_remedy(start: zrf_py.Position, number: int) -> None:
    with pytest.raises(ZrfError, match=r"^error\[bad-argument\]: `[a-z_]+` can't be ") as error:
        NONSENSE[number](start)
    assert "give " in error.value.diagnostics[0].help


def test_the_largest_arguments_are_accepted(start: zrf_py.Position) -> None:
    """Values larger by one are refused: see `NONSENSE`."""
    assert start.playouts(2, max_plies=2**31 - 1).games == 2
    assert analyse(start, nodes=10, seed=2**31 - 1).lines


def test_a_suggested_remedy_is_accepted(start: zrf_py.Position) -> None:
    """`after` takes no notation, so its message must not offer one."""
    with pytest.raises(ZrfError) as error:
        start.after("b2")  # type: ignore[arg-type]
    assert "notation" not in error.value.diagnostics[0].help


@pytest.mark.parametrize("name", ["\ud800", "caf\udce9", "a\x1b[31m", "x" * 100_000, "a\nb"])
def test_the_text_of_an_error_can_be_printed(start: zrf_py.Position, name: str) -> None:
    """Names may contain invalid bytes (as lone surrogates), control characters, or thousands of letters, and messages
    quote them."""
    for call in (zrf_py.load, zrf_py.check, start.find, start.game.read, lambda name: zrf_py.load("chess", name)):
        with pytest.raises(ZrfError) as error:
            call(name)
        assert str(error.value).encode("utf-8") and len(str(error.value)) < 3000 and str(error.value).isprintable()


@pytest.mark.parametrize("move", [0, -1, "a1", "nonsense"])
def test_a_move_after_the_end_is_refused_because_of_the_end(start: zrf_py.Position, move: int | str) -> None:
    position = start
    for text in ("a1", "b1", "a2", "b2", "a3"):
        position = position.play(text)
    with pytest.raises(ZrfError, match=r"no move is possible here: X won \(a line of three\)|three in a row") as error:
        position.play(move)
    assert error.value.diagnostics[0].code == "no-move"


def test_a_move_is_formatted_like_its_text(start: zrf_py.Position) -> None:
    move = start.moves()[0]
    assert f"{move:>20}|{move:.3}" == f"{move!s:>20}|{str(move)[:3]}"


@pytest.mark.parametrize("name", ["x" * 300, "x" * 100_000, "y" * 300 + ".zip", "a/" * 3000 + "b.zip/c.zrf", "a\0b"])
def test_a_name_that_no_disk_can_hold_is_an_unknown_game(name: str) -> None:
    for call in (zrf_py.load, zrf_py.check):
        for place in (name, Path(name)):
            with pytest.raises(ZrfError, match="no file or bundled game") as error:
                call(place)
            assert len(error.value.diagnostics[0].message) < 200


def test_a_broken_link_is_reported(tmp_path: Path) -> None:
    for name, target in (("self.zrf", "self.zrf"), ("gone.zip", "nothing")):
        (tmp_path / name).symlink_to(target)
        with pytest.raises(ZrfError, match=f"{name} is a broken link"):
            zrf_py.load(tmp_path / name)


def test_features_of_an_unknown_player_are_refused(start: zrf_py.Position) -> None:
    pytest.importorskip("numpy")
    from zrf_py.envs import features

    for wrong in ("Nobody", 3):
        with pytest.raises(ZrfError, match="`player` can't be"):
            features(start, wrong)  # type: ignore[arg-type]
    assert (features(start, "X") == features(start)).all()


def test_a_rules_fault_is_public_and_a_zrf_error() -> None:
    assert issubclass(zrf_py.RulesFault, ZrfError)
    game = zrf_py.loads(LINE.replace("(e add)", "((while (empty? b1) mark) add)"))
    with pytest.raises(zrf_py.RulesFault, match="endless-block"):
        game.start().moves()


DEFAULTS = {
    zrf_py.Game.playouts: "seed=0 max_plies=2000", zrf_py.Position.playouts: "seed=0 max_plies=2000",
    zrf_py.Position.playout: "seed=None max_plies=2000", zrf_py.Position.perft: "turns=False",
    zrf_py.load: "variant=None", zrf_py.loads: "variant=None folder=None", zrf_py.check: "",
    analyse: "time=None nodes=None depth=None strength=None seed=0 kind='' lines=1 progress=None stop=None",
    solve: "seconds=60.0 shortest=False seed=0 tell=None",
    scene: "last_move=None targets=() overlays=() bitmaps=True letters=False held=True",
    playouts: "seed=0 max_plies=2000 start=None", perft: "whole_turns=False tick=None",
    run_zrf: "folder='.' typed='' most=1000000", bulk_job: "seed=1 max_plies=2000 size=100",
    display_text: "width=80 indent=''", as_text: "width=100", side_by_side: "width=100",
    board_svg: "overlays=() plain=False letters=False",
    GameCounts: "games=1000 watched=100 strong=40 pairs=40 levels=('random', 'greedy') "
          "limits=PlayerLimits(seconds=None, nodes=None, cpu=None) seed=1 max_turns=500 max_plies=2000 opening=2",
    Options: "pass_turn='never' pass_partial=False maximal_captures=0 recycle_captures='' recycle_promotions=False "
             "discard_cascades=False include_off_pieces=False null_turns=True repetition=None written=<factory>",
}


@pytest.mark.parametrize("function", DEFAULTS, ids=lambda f: f.__qualname__)
def test_defaults_of_optional_parameters_stay_the_same(function: Callable[..., object]) -> None:
    """Programs omit arguments, so a changed default changes their behaviour."""
    given = inspect.signature(function).parameters.values()
    assert " ".join(f"{p.name}={p.default!r}" for p in given if p.default is not p.empty) == DEFAULTS[function]


def test_omitted_arguments_behave_as_their_defaults() -> None:
    start = zrf_py.load("tictactoe").start()
    assert start.playouts(40) == start.playouts(40, 0, 2000) != start.playouts(40, 1)
    assert start.playout(3).text == start.playout(3, 2000).text
    advice = analyse(start.play("b2"), nodes=200)
    assert len(advice.lines) == 1 and advice.lines == analyse(start.play("b2"), nodes=200, seed=0, lines=1).lines
