"""The tutorial is accurate: its steps, from an empty folder to an exported page, print the output that it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.playing import ROOT
from tests.tutorial import PAGE, change, commands, do, fits, steps

STEPS = steps(PAGE.read_text("utf-8"))


@pytest.mark.slow
def test_each_step_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    count = 0
    for step in STEPS:
        for command, said, found in do(step):
            assert fits(said, found), f"$ {command}\n{found}"
            count += 1
    assert count >= 20
    page = (tmp_path / "long-step.html").read_text("utf-8")
    assert "Long Step" in page and len(page) > 50_000


def test_every_fenced_block_is_a_step() -> None:
    text = PAGE.read_text("utf-8")
    assert {step.kind for step in STEPS} == {"console", "diff", "file", "append"}
    outside = re.sub(r"^~~~(\w.*)\n(?:.*\n)*?~~~$", r"```\1", text, flags=re.M)
    assert len(re.findall(r"^```\w", outside, re.M)) == len(STEPS)


def test_the_tutorial_leads_from_new_to_export() -> None:
    named = [command.split()[1] for step in STEPS if step.kind == "console" for command, _ in commands(step)]
    assert named[0] == "new" and named[-1] == "export"
    assert {"check", "lint", "fix", "why", "test", "words", "fmt", "play", "explain"} <= set(named)


def test_faulty_steps_are_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong output, and edits of lines that don't exist, are detected."""
    assert fits("a\n…\nd\n", "a\nb\nc\nd\n") and fits("12 … files\n", "12 large files\n")
    assert not fits("a\n…\nd\n", "a\nb\n") and not fits("a\n", "b\n")
    monkeypatch.chdir(tmp_path)
    Path("hop.zrf").write_text("(game)\n", "utf-8")
    (edit,) = steps("```diff hop.zrf\n-(gaem)\n+(game)\n```\n")
    with pytest.raises(AssertionError):
        change(edit)


def test_the_tutorial_lists_every_file_of_std_with_some_of_its_macros() -> None:
    text = PAGE.read_text("utf-8")
    table = dict(re.findall(r"^\| `std/(\w+)\.zrf` \| (.*?) \|$", text, re.M))
    files = {path.stem: path.read_text("utf-8") for path in (ROOT / "zrf_py" / "std").glob("*.zrf")}
    assert table.keys() == files.keys() and len(files) >= 11
    for name, words in table.items():
        named = re.findall(r"`([\w?-]+)`", words)
        assert named and all(re.search(rf"\(define {re.escape(macro)}\s", files[name]) for macro in named), name
