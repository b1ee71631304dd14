"""Examples in the docstrings of the package print what the docstrings show."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from tests.playing import ROOT

FILES = [path.relative_to(ROOT) for path in sorted((ROOT / "zrf_py").rglob("*.py"))
         if ">>> " in path.read_text("utf-8")]
OPTIONAL = {"envs": "numpy", "export": "llvmlite"}
"""Folder → package without which its examples can't run."""


def test_there_are_examples() -> None:
    assert len(FILES) >= 25


@pytest.mark.parametrize("file", FILES, ids=str)
def test_examples_print_what_the_docstring_shows(file: Path) -> None:
    if package := OPTIONAL.get(file.parts[1]):
        pytest.importorskip(package)
    name = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted and not results.failed
