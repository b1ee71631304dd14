"""The package's own source, parsed once for all tests that look at it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a module's tree, the module first."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))
