"""The types of the pages' JavaScript, checked by the compiler of TypeScript; `pages/types/` has declarations for it.

`npm install -g typescript` installs the compiler; `ZRF_TSC` may name another one. The generated editor is left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.playing import HANG, ROOT

PROJECT = Path(__file__).parent / "pages" / "tsconfig.json"
SCRIPTS = sorted(path for folder in ("serve/static", "export/static", "export/site-static")
                 for path in (ROOT / "zrf_py" / folder).glob("*.js") if path.name != "desk-editor.js")


@pytest.fixture(scope="module")
def tsc() -> str:
    """The compiler's path."""
    path = os.environ.get("ZRF_TSC") or shutil.which("tsc")
    if path is None:
        pytest.skip("tsc is not installed (`npm install -g typescript`, or name it in ZRF_TSC)")
    return path


def compiled(tsc: str, *arguments: str) -> list[str]:
    """Return the lines that the compiler prints for the pages."""
    command = [tsc, "-p", str(PROJECT), "--pretty", "false", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=HANG).stdout.splitlines()


def test_the_pages_have_no_type_errors(tsc: str) -> None:
    assert compiled(tsc) == []


def test_every_page_is_checked(tsc: str) -> None:
    read = {Path(line).resolve() for line in compiled(tsc, "--listFilesOnly")}
    assert len(SCRIPTS) > 70
    assert set(SCRIPTS) <= read


def test_classes_declare_their_fields() -> None:
    """No tool sees the fields that `Object.assign` adds."""
    assert [path.name for path in SCRIPTS if "Object.assign(this" in path.read_text("utf-8")] == []
