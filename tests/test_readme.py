"""README.md is true: its commands are those of `.ci/run`, its Python and its game run."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.playing import HANG
from zrf_py.cli.main import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def fenced(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.S)


def test_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_ci_calls_the_test_command_and_then_what_is_slow() -> None:
    make, tests = (command.strip() for command in fenced("sh"))
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    command, _, which = tests.rpartition(" -m ")
    assert any(line.startswith("tests() ") and f'{command} "$@"' in line for line in script)
    assert script.index(f"tests -m {which}") < script.index("tests -m slow")
    for step in make.split(" && ")[:2]:
        assert step in script


def test_first_command_shows_halma() -> None:
    command = fenced("sh")[0].strip().split(" && ")[-1]
    words = shlex.split(command.replace("</dev/null", ""))
    assert words[0] == ".venv/bin/zrf"
    done = subprocess.run(
        [sys.executable, "-m", "zrf_py", *words[1:]], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        encoding="utf-8", timeout=HANG, cwd=ROOT, check=True,
    )
    assert done.stdout.count("(greedy): ") >= 4
    assert "a  b  c  d  e  f  g  h  i  j  k  l  m  n  o  p" in done.stdout


def test_python_runs() -> None:
    runner = doctest.DocTestRunner()
    text = "\n".join(fenced("python"))
    runner.run(doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0))
    assert runner.tries > 3 and not runner.failures


def test_the_game_has_no_problems(tmp_path: Path, capsys) -> None:
    (rules,) = fenced("zrf")
    path = tmp_path / "leap.zrf"
    path.write_text(rules, "utf-8")
    assert main(["check", str(path)]) == 0
    assert "no problems" in capsys.readouterr().out


PAGES = [page for folder in ("", "zrf_py", "grammar", "rules", "tests") for page in sorted((ROOT / folder).glob(
    "**/README.md" if folder else "README.md")) if "node_modules" not in page.parts]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        assert target.startswith("https:") or (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.relative_to(ROOT).as_posix())
def test_modules_that_are_named_are_there(page: Path) -> None:
    """`folder/file.py` below the page, the package, the tests or the repository; `file.py` alone anywhere."""
    known = {path.name for place in ("zrf_py", "tests") for path in (ROOT / place).rglob("*.*")}
    for name in re.findall(r"`([\w./-]+\.(?:py|js|mjs|lark))`", page.read_text("utf-8")):
        there = any((place / name).exists() for place in (page.parent, ROOT / "zrf_py", ROOT / "tests", ROOT))
        assert there or ("/" not in name and name in known), name
