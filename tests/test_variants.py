"""A mistake in one game of a file disables that game and those that inherit the mistake; the others play."""

from __future__ import annotations

from pathlib import Path

import pytest

from zrf_py.cli.main import main
from zrf_py.library import load_file
from zrf_py.play.game import load
from zrf_py.text.diagnostics import ZrfError

GAME = """
(define go ($1 (verify empty?) add))
(define reach (win-condition (White Black) (absolute-config Man ($1))))
(game (title "One") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1) (e 1 0))))
  (piece (name Man) (moves (go n)))
  (board-setup (White (Man a1)) (Black (Man c1))))
"""
MISTAKES = {
    "direction": ("(piece (name Man) (moves (go west)))", "unknown-direction"),
    "position": ("(board-setup (White (Man z9)) (Black (Man c1)))", "unknown-position"),
    "argument": ("(piece (name Man) (moves (go)))", "missing-argument"),
    "macro": ("(reach z9)", "unknown-position"),
    "section": ("(turn-odrer White Black)", "unknown-keyword"),
    "instruction": ("(piece (name Man) (moves (n (verify) (ad))))", "unknown-keyword"),
    "board": ("(board (grid (dimensions (\"a\" (1 0))) (directions (n 1 2))))", "bad-grid"),
    "nameless piece": ("(piece (moves (n add)))", "incomplete"),
}


def write(folder: Path, text: str) -> Path:
    path = folder / "rules.zrf"
    path.write_text(text)
    return path


@pytest.mark.parametrize(("mistake", "code"), MISTAKES.values(), ids=MISTAKES)
def test_variants_without_errors_play_beside_a_broken_one(tmp_path: Path, mistake: str, code: str) -> None:
    """Two variants share a mistake, and it is reported for each of them."""
    path = write(tmp_path, f'{GAME}(variant (title "Bad") {mistake})(variant (title "Worse") {mistake})'
                           '(variant (title "Last") (piece (name Man) (moves (go e))))')
    file = load_file(path)
    assert [p.game.title for p in file.programs] == ["One", "Last"]
    assert [p.game.title for p in file.broken] == ["Bad", "Worse"]
    assert [str(m) for m in load(path).start().moves()] == ["Man a1 - a2"]
    assert [str(m) for m in load(path, "Last").start().moves()] == ["Man a1 - b1"]
    assert load(path, 3).title == "Last"
    for title in ("Bad", "Worse"):
        with pytest.raises(ZrfError) as error:
            load(path, title)
        assert {d.code for d in error.value.diagnostics} >= {code, "variants-left"}


def test_variants_inherit_mistakes_of_the_game_unless_they_replace_them(tmp_path: Path) -> None:
    path = write(tmp_path, GAME.replace("(go n)", "(go west)") + '(variant (title "Heir"))'
                 '(variant (title "Mended") (piece (name Man) (moves (go e))))')
    assert [p.game.title for p in load_file(path).programs] == ["Mended"]
    with pytest.raises(ZrfError, match="west"):
        load(path)


def test_unreadable_parts_of_the_first_game_are_missing_in_all_variants(tmp_path: Path) -> None:
    path = write(tmp_path, GAME.replace("(turn-order", "(turn-odrer") + '(variant (title "Heir"))')
    with pytest.raises(ZrfError, match="turn-odrer"):
        load(path, "Heir")


def test_an_unreadable_form_hides_no_mistake_of_another_variant(tmp_path: Path) -> None:
    """Undefined names are tolerated only where their definition could not be read."""
    path = write(tmp_path, f'{GAME}(variant (title "Bad") (board-setup 7))'
                           '(variant (title "Worse") (board) (board-setup (White (Man a1))))')
    assert [p.game.title for p in load_file(path).programs] == ["One"]


def test_check_reports_the_number_of_playable_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, f'{GAME}(variant (title "Bad") (piece (name Man) (moves (go west))))')
    assert main(["check", str(path)]) == 1
    assert "1 error (1 of 2 games can be played)" in capsys.readouterr().out


def test_strict_check_counts_warnings_as_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, GAME[:-2] + '(option "no such option" true))')
    assert main(["check", str(path)]) == 0
    assert main(["check", "--strict", str(path)]) == 1
    assert "unknown-option" in capsys.readouterr().out


def test_a_number_beyond_the_last_variant_is_refused() -> None:
    file = load_file("tictactoe")
    count = len(file.programs)
    assert file.program(count - 1) is file.programs[-1]
    with pytest.raises(ZrfError, match=f"no variant {count}: its only game is number 0"):
        file.program(count)
