"""`zrf new`: each template has no problems and no lints, is in the standard style, and can be played."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.playing import slow
from zrf_py.author.format.layout import formatted
from zrf_py.author.lint.linting import lint_file
from zrf_py.author.new.templates import BOARDS, KINDS, new_game
from zrf_py.cli.main import main
from zrf_py.play.game import load, loads
from zrf_py.text.diagnostics import ZrfError


@pytest.mark.parametrize("size", [5, *slow([4, 12])])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("board", BOARDS)
def test_a_template_is_clean_and_plays(board: str, kind: str, size: int, tmp_path: Path) -> None:
    path = tmp_path / "my-game.zrf"
    assert main(["new", str(path), "--kind", kind, "--board", board, "--size", str(size)]) == 0
    linted = lint_file(path)
    assert not linted.diagnostics and not linted.lints
    text = path.read_text("utf-8")
    assert formatted(text) == text and "@" not in text
    game = load(path)
    assert game.title == "My Game"
    random, position = Random(1), game.start()
    for _ in range(30):
        if position.outcome() is not None:
            break
        position = position.play(random.choice(position.moves()))


@pytest.mark.parametrize("kind", KINDS)
def test_a_hexagonal_board_has_the_right_shape(kind: str) -> None:
    """A hexagon of side 3 has 19 places; its six corners have three neighbours; both players have equally many men."""
    game = loads(new_game(kind, "Six", 5, "hexagons"))
    board = game.program.game.board
    neighbours = [sum(table[place] >= 0 for table in board.links) for place in range(len(board.places))]
    assert sorted(neighbours) == [3] * 6 + [4] * 6 + [6] * 7
    owners = [owner for owner, *_ in game.program.game.setup]
    assert owners.count(0) == owners.count(1)


@pytest.mark.parametrize("board", BOARDS)
def test_men_capture_as_documented(board: str) -> None:
    text = new_game("men", "Men", 5, board)
    takes, walks = (set(re.findall(rf"\({macro} ([a-z]+)\)", text)) for macro in ("take", "walk"))
    assert loads(text).start().moves() and takes and walks
    assert (takes == walks) == ("takes the same way" in text)
    assert takes.isdisjoint(walks) == ("takes diagonally forward" in text)


@pytest.mark.parametrize("board", BOARDS)
def test_sizes_range_from_4_to_26(board: str) -> None:
    """The alphabet has letters for 26 columns."""
    for size in (4, 26):
        assert len(loads(new_game(next(iter(KINDS)), "Size", size, board)).program.game.board.places) >= size
    for size in (3, 27, 0, -4):
        with pytest.raises(ZrfError, match=f"have {size} rows"):
            new_game(next(iter(KINDS)), "Size", size, board)


def test_impossible_choices_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.zrf"
    for wrong in (["--kind", "chess"], ["--board", "round"], ["--size", "99"], ["--title", 'a "b"']):
        assert main(["new", str(path), *wrong]) == 1
        assert not path.exists()
    path.write_text("mine", "utf-8")
    assert main(["new", str(path)]) == 1
    assert path.read_text("utf-8") == "mine"
    assert "already exists" in capsys.readouterr().err


def test_an_impossible_answer_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """The other answers are kept; `?` shows the choices; Enter accepts the default."""
    answers = iter(["?", "go", "row", "", 'a "b"', "Mine", "My Row", "99", "6"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    path = tmp_path / "x.zrf"
    assert main(["new", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Kinds: men") and lines[1].startswith("there is no kind of game `go`; choose one of")
    assert lines[2].startswith("a title is one line")
    assert lines[3] == "a board can't have My Row rows and columns; choose a size from 4 to 26"
    assert lines[4] == "a board can't have 99 rows and columns; choose a size from 4 to 26"
    assert path.read_text("utf-8") == formatted(new_game("row", "Mine", 6))
