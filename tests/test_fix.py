"""`zrf fix`: mends what is certain and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.playing import RULES
from tests.test_mistakes import PAGE, examples, wrap
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.fix import fixing
from zrf_py.author.fix.fixing import fix_file, fix_text
from zrf_py.author.same import programs_of, same_rules
from zrf_py.cli.main import main
from zrf_py.front.keywords import KEYWORDS
from zrf_py.library import rules_files
from zrf_py.text.diagnostics import Diagnostic

GAME = (RULES / "tictactoe.zrf").read_text("utf-8")
MENDED = {"a misspelt keyword", "a misspelt condition", "an unknown direction"}


@pytest.mark.parametrize("example", examples(PAGE), ids=lambda e: e.heading.replace(" ", "-"))
def test_fixes_of_mistakes(example: object) -> None:
    """Nothing gets worse; what a fix says it has done is no longer said."""
    text = wrap(example).text  # type: ignore[arg-type]
    fixed = fix_text("example.zrf", text)
    _, before = programs_of("example.zrf", text)
    _, after = programs_of("example.zrf", fixed.after)
    assert len(after.errors) <= len(before.errors)
    assert fixed.changed == bool(fixed.done)
    if example.heading in MENDED:  # type: ignore[attr-defined]
        assert fixed.done and not after.errors


def test_invisible_characters_are_removed() -> None:
    """As they stand in joined files, and in what was copied from a page."""
    fixed = fix_text("a.zrf", "\ufeff" + GAME.replace("(players", "(pla\u200byers"))
    assert fixed.after == GAME and len(fixed.done) == 2 and not fixed.left


@pytest.mark.parametrize("path", rules_files(RULES)[:12], ids=lambda p: p.name)
def test_the_shelf_is_left_alone(path: Path) -> None:
    assert not fix_file(path).changed


@pytest.mark.parametrize("seed", range(6))
def test_typing_errors_are_mended(seed: int) -> None:
    """A letter too many in a keyword: the game is the same again after `fix`."""
    choice = random.Random(seed)
    words = [w for w in KEYWORDS if f"({w} " in GAME and len(w) > 5]
    word = choice.choice(words)
    at = choice.randrange(1, len(word))
    broken = GAME.replace(f"({word} ", f"({word[:at]}{word[at]}{word[at:]} ", 1)
    fixed = fix_text("t.zrf", broken)
    assert fixed.done and same_rules("t.zrf", GAME, fixed.after), word


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.zrf"
    broken = GAME.replace("(players", "(plyers", 1).replace("\n", "\r\n").encode("utf-8")
    file.write_bytes(broken)
    assert main(["fix", str(file)]) == 1
    out = capsys.readouterr().out
    assert "+" in out and "(players" in out and "--write" in out
    assert file.read_bytes() == broken
    assert main(["fix", str(file), "--write"]) == 0
    assert file.read_bytes() == GAME.replace("\n", "\r\n").encode("utf-8")
    capsys.readouterr()
    assert main(["fix", str(file)]) == 0
    assert "nothing to mend" in capsys.readouterr().out


def test_check_with_lints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.zrf"
    file.write_text("(define unused n)\n" + GAME, "utf-8")
    assert main(["check", str(file)]) == 0
    assert "unused-macro" not in capsys.readouterr().out
    assert main(["check", "--lint", "--strict", str(file)]) == 1
    assert "unused-macro" in capsys.readouterr().out


def test_a_guess_that_helps_nothing_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after it is mended all the same."""
    asked: list[str] = []

    def is_better(before: Analysis, after: Analysis, problem: Diagnostic) -> bool:
        asked.append(problem.message)
        return len(asked) > 1

    monkeypatch.setattr(fixing, "_is_better", is_better)
    monkeypatch.setattr(fixing, "MAX_TRIES", 2)
    text = GAME.replace("(turn-order", "(turn-odrer").replace("(drops", "(dropps")
    fixed = fix_text("a.zrf", text)
    assert len(asked) == 2 and asked[0] != asked[1]
    assert [done.message.message for done in fixed.done] == asked[1:]
