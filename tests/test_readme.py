"""README.md is accurate: its commands are those of `.ci/run`, its Python and its game run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import zrf_py
from tests.playing import HANG, counted
from zrf_py.cli.main import main

Run = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def fenced(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.S)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_ci_runs_the_quick_tests_and_then_the_slow_ones() -> None:
    make, tests = (command.strip() for command in fenced("sh"))
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    command, _, which = tests.rpartition(" -m ")
    assert f'  if {command} "$@"; then return; fi' in script
    assert f"    quick) tests -m {which} ;;" in script and "[ $# -gt 0 ] || set -- quick slow research book" in script
    for step in make.split(" && ")[:2]:
        assert step in script


PYTEST = """#!/bin/sh
[ -z "$TOLD" ] || printf '%s\\n' "$@" >>"$TOLD"
case "$*" in
  *--collect-only*) printf 'tests/test_a.py::test_%s[a b]\\n' $FAILED ;;
  *--last-failed*) [ -z "$FAILS_AGAIN" ] ;;
  *'not slow'*test_fleet*) exit 0 ;;
  *'not slow'*) [ -z "$FAILED" ] ;;
esac
"""
"""A script in place of Python, which logs its arguments and fails on demand."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A function that runs `.ci/run` with arguments and environment variables, in a folder where Python is `PYTEST`."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    for name, text in ((".venv/bin/python", PYTEST), (".venv/bin/pip", "#!/bin/sh\n"), ("bin/python3", "#!/bin/sh\n")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([tmp_path / ".ci" / "run", *words], capture_output=True, text=True, timeout=HANG, env={
            **os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "ZRF_CHROMIUM": "here", **variables})

    return run


@pytest.mark.skipif(os.name == "nt", reason="`.ci/run` is a shell script")
def test_ci_jobs_cover_all_slow_tests(run: Run, tmp_path: Path) -> None:
    told = {}
    for job in ("web", "pages", "tools", "games"):
        assert run(job, TOLD=str(tmp_path / job)).returncode == 0
        told[job] = [word for word in (tmp_path / job).read_text().splitlines() if "tests/" in word]
    apart = [*told["web"], *told["pages"], *told["tools"]]
    assert len(apart) == len(set(apart)) > 20 and all((ROOT / file).is_file() for file in apart)
    assert told["games"] == [f"--ignore={file}" for file in apart]
    assert run("nothing").returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="`.ci/run` is a shell script")
@pytest.mark.parametrize(("failed", "again", "passes"), [
    ("", "", True), ("1 2 3", "", True), ("1", "yes", False), ("1 2 3 4", "", False)])
def test_retried_tests_are_named_and_counted(failed: str, again: str, passes: bool, run: Run) -> None:
    """A run passes if at most three of its tests fail, and these pass at the second try."""
    done = run(FAILED=failed, FAILS_AGAIN=again)
    named = [line for line in done.stdout.splitlines() if line.startswith("second try: ")]
    assert named == [f"second try: tests/test_a.py::test_{number}[a b]" for number in failed.split()]
    assert (done.returncode == 0) == passes
    assert (f"tests that needed a second try: {len(named)}" in done.stdout) == passes


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


def test_python_in_the_readme_runs() -> None:
    runner = doctest.DocTestRunner()
    text = "\n".join(fenced("python"))
    runner.run(doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0))
    assert runner.tries > 3 and not runner.failures


@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md", "zrf_py/author/README.md"])
def test_python_in_the_readme_passes_mypy(page: str, tmp_path: Path) -> None:
    """The Python that a reader copies passes `mypy --strict`."""
    pytest.importorskip("mypy")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.S | re.M)
    examples = doctest.DocTestParser().get_examples("\n".join(blocks))
    copied = tmp_path / "copied.py"
    copied.write_text("".join(example.source for example in examples), "utf-8")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file=", str(copied)], cwd=ROOT,
                          capture_output=True, text=True, timeout=HANG)
    assert examples and done.returncode == 0, done.stdout


def test_the_game_has_no_problems_and_is_seldom_drawn(tmp_path: Path, capsys) -> None:
    (rules,) = fenced("zrf")
    assert zrf_py.loads(rules).playouts(200, seed=1).drawn < 20
    path = tmp_path / "leap.zrf"
    path.write_text(rules, "utf-8")
    assert main(["check", str(path)]) == 0
    assert "no problems" in capsys.readouterr().out


PAGES = [page for folder in ("", "zrf_py", "grammar", "rules", "tests") for page in sorted((ROOT / folder).glob(
    "**/README.md" if folder else "README.md")) if "node_modules" not in page.parts]


def named(pattern: str) -> list[tuple[Path, str]]:
    """Return the matches of a pattern in pages, each with its page."""
    return [(page, name) for page in PAGES for name in re.findall(pattern, page.read_text("utf-8"))]


def test_links_have_a_target() -> None:
    for page, target in counted(named(r"\]\(([^)#]+)[^)]*\)"), 50):
        assert target.startswith("https:") or (page.parent / target).exists(), (page, target)


def test_modules_named_in_pages_exist() -> None:
    """`folder/file.py` must exist below the page's folder, the package, the tests or the repository; `file.py` without
    a folder may be anywhere in the package or the tests."""
    known = {path.name for place in ("zrf_py", "tests") for path in (ROOT / place).rglob("*.*")}
    for page, name in counted(named(r"`([\w./-]+\.(?:py|js|mjs|lark))`"), 100):
        there = any((place / name).exists() for place in (page.parent, ROOT / "zrf_py", ROOT / "tests", ROOT))
        assert there or ("/" not in name and name in known), (page, name)
