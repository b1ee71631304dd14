"""Messages about missing packages of an extra: their names, and the command that installs them here."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from argparse import Namespace

import pytest

from tests.playing import ROOT
from zrf_py import envs
from zrf_py.cli import lsp
from zrf_py.text import extras
from zrf_py.text.diagnostics import ZrfError


def test_installed_packages_are_detected() -> None:
    assert extras.is_there("pytest") and not extras.is_there("no-such-distribution-anywhere")


@pytest.mark.parametrize(("prefix", "executable", "pip", "typed"), [
    ("/home/a/.local/pipx/venvs/zrf-py", "/x/python", True, "pipx inject zrf-py a b"),
    ("/venv", "/venv/bin/python", True, "/venv/bin/python -m pip install a b"),
    ("/my venv", "/my venv/bin/python", True, '"/my venv/bin/python" -m pip install a b'),
    ("/venv", "/venv/bin/python", False, "uv pip install --python /venv/bin/python a b")])
def test_the_install_command_fits_the_environment(
    prefix: str, executable: str, pip: bool, typed: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "executable", executable)
    monkeypatch.setattr(extras, "find_spec", lambda name: object() if pip else None)
    assert extras.install_command(["a", "b"]) == typed


def test_environments_without_numpy_print_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr(extras, "is_there", lambda name: name != "numpy")
    with pytest.raises(ZrfError) as caught:
        _ = envs.Fleet
    (told,) = caught.value.diagnostics
    assert told.code == "missing-extra" and str(told.help) == f"install them with `{extras.install_command(['numpy'])}`"
    assert "'" not in str(told.help) and "zrf-py[" not in str(told.help)


@pytest.mark.parametrize(("adapter", "package", "name"), [
    ("gym", "gymnasium", "gymnasium"), ("aec", "pettingzoo", "pettingzoo"), ("openspiel", "pyspiel", "open_spiel")])
def test_adapters_print_the_install_command(
    adapter: str, package: str, name: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Adapters raise an ImportError, so that programs can do without them."""
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"zrf_py.envs.{adapter}", raising=False)
    monkeypatch.setattr(extras, "is_there", lambda it: it.replace("-", "_") != name)
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module(f"zrf_py.envs.{adapter}")
    assert str(caught.value).replace("open-spiel", "open_spiel") == (
        f"error[missing-extra]: zrf_py.envs.{adapter} needs packages that aren't installed: {name} "
        f"(help: install them with `{extras.install_command([name])}`)")
    assert caught.value.name == package


def test_the_language_server_names_its_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lsp, "find_spec", lambda name: None)
    monkeypatch.setattr(extras, "is_there", lambda name: False)
    with pytest.raises(ZrfError, match=r"aren't installed: pygls \(help: "):
        lsp.run(Namespace())


def test_every_missing_extra_is_one_of_the_package() -> None:
    known = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])
    calls = re.compile(r"(?:missing_extra|importing)\(\"([^\"]+)\", \"([^\"]+)\"[,)]")
    named = [call[2] for path in (ROOT / "zrf_py").rglob("*.py") for call in calls.finditer(path.read_text("utf-8"))]
    assert len(named) > 8 and set(named) <= known


def test_only_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "install_command", lambda packages: "install " + " ".join(packages))
    monkeypatch.setattr(extras, "_packages", lambda extra: ["one", "two", "three"])
    every = "one, two, three"
    for there, named in (("one", "two, three"), ("", every), ("one three", "two"), ("one two three", every)):
        monkeypatch.setattr(extras, "is_there", lambda name, there=there: name in there.split())
        error = extras.missing_extra("a picture", "board", "or draw it").diagnostics[0]
        assert error.message == f"a picture needs packages that aren't installed: {named}"
        assert error.help == f"install them with `install {named.replace(',', '')}`; or draw it"
    monkeypatch.setattr(extras, "_packages", lambda extra: [])
    plain = extras.missing_extra("a picture", "board").diagnostics[0]
    assert plain.message.endswith(": board") and plain.help == "install them with `install board`"
