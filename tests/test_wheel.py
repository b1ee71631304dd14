"""The wheel contains grammar and rules: installed elsewhere, it works from an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.playing import ROOT

pytestmark = pytest.mark.slow

pytest.importorskip("hatchling", reason="builds the wheel without asking a network for it")


def run(command: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], ROOT)
    return next(folder.glob("*.whl"))


def test_the_wheel_has_data_and_kernels_but_no_tests(wheel: Path) -> None:
    """It has the grammar and the rules of a checkout, compiled kernels, and no tests."""
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("grammar", "rules"):
        data = {f"zrf_py/{p.relative_to(ROOT).as_posix()}" for p in (ROOT / folder).rglob("*.*")
                if p.suffix in (".lark", ".zrf", ".inc", ".json")}
        assert data <= names
    assert not [n for n in names if n.startswith("tests/")]
    assert {Path(n).suffix for n in names if n.startswith("zrf_py/shipped/")} == {".kernel", ".tables", ".elsewhere"}


def test_the_wheel_works_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    """It runs in a separate environment that shares only the packages zrf_py depends on."""
    venv.create(tmp_path / "env", with_pip=False, symlinks=os.name != "nt")
    python = tmp_path / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    site = Path(run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], tmp_path).strip())
    zipfile.ZipFile(wheel).extractall(site)
    for package in ("lark", "rich"):
        lend(package, tmp_path / "lent")
    empty = tmp_path / "empty"
    empty.mkdir()
    zrf = [str(python), "-m", "zrf_py"]
    home = {"PYTHONPATH": str(tmp_path / "lent"), "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    where = run([str(python), "-c", "import zrf_py; print(zrf_py.__file__)"], empty, **home)
    assert where.startswith(str(tmp_path))
    assert "no problems" in run([*zrf, "check", "tictactoe"], empty, **home)
    assert "halma" in run([*zrf, "list"], empty, **home)
    assert "perft 2 72" in run([*zrf, "perft", "tictactoe", "2"], empty, **home)
    assert not any(empty.iterdir())


def lend(package: str, folder: Path) -> None:
    """Make a package of this environment, and those that it needs (`NEEDS`), importable from a folder."""
    folder.mkdir(exist_ok=True)
    module = __import__(package)
    source = Path(str(module.__file__)).parent
    for needed in (source, *(source.parent / n for n in NEEDS.get(package, ()))):
        (folder / needed.name).symlink_to(needed, target_is_directory=True)


NEEDS = {"rich": ("pygments", "markdown_it", "mdurl")}
