"""The limits and settings of the modules, as `zrf_py/settings.md` lists them for whoever looks for a number.

`python -m tests.test_settings` writes the list again: read what has changed before you commit it.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.playing import ROOT, counted

LIST = ROOT / "zrf_py" / "settings.md"
FOLDERS = ("front", "ir", "run", "text", "view", "play", "solve", "port", "batch", "batch/judge", "")
"""Folders of the package whose modules are listed; "" is the package itself."""
HEAD = """# Limits and settings

The numbers by which the modules limit or tune their work, with their values. Codes such as -1 for nobody are left out.
`python -m tests.test_settings` writes this list.
"""


def assigned(module: Path) -> Iterator[tuple[str, str]]:
    """Each upper-case name of a module that is given a number, with the sentence below it."""
    body = ast.parse(module.read_text("utf-8")).body
    for node, after in pairwise([*body, ast.Pass()]):
        if not isinstance(node, ast.Assign):
            continue
        text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        for target in node.targets:
            for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(name, ast.Name) and name.id.isupper():
                    yield name.id, " ".join(str(text).split()).replace("|", "\\|")


def rows() -> Iterator[tuple[str, str, str]]:
    """Each setting as (name, value, meaning)."""
    for folder in FOLDERS:
        for path in sorted((ROOT / "zrf_py" / folder).glob("*.py")):
            name = ".".join(path.relative_to(ROOT / "zrf_py").with_suffix("").parts)
            module = importlib.import_module("zrf_py" if name == "__init__" else f"zrf_py.{name}")
            for constant, meaning in assigned(path):
                value = getattr(module, constant)
                if type(value) is float or (type(value) is int and value > 2):
                    yield f"{name}.{constant}", f"{value:,}", meaning


def listed() -> str:
    table = "".join(f"| `{name}` | {value} | {meaning} |\n" for name, value, meaning in rows())
    return f"{HEAD}\n| setting | value | meaning |\n|---|---|---|\n{table}"


def test_each_setting_is_listed_with_its_value() -> None:
    written = dict(line.split(" | ")[:2] for line in LIST.read_text("utf-8").splitlines() if line.startswith("| `"))
    for name, value, _ in counted(rows(), 100):
        assert written.pop(f"| `{name}`", None) == value, f"{name} is {value}: `python -m tests.test_settings`"
    assert not written, "these are no longer there"


if __name__ == "__main__":
    LIST.write_text(listed(), "utf-8")
