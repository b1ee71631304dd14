"""Names in the code: no class name stands for three things."""

from __future__ import annotations

import ast
from collections import Counter

from tests.playing import ROOT


def test_no_class_name_stands_three_times() -> None:
    names = Counter(
        node.name
        for path in (ROOT / "zrf_py").rglob("*.py") if "node_modules" not in path.parts
        for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef))
    assert len(names) > 400
    assert not {name: count for name, count in names.items() if count > 2}
