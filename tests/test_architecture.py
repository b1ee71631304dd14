"""The house keeps its shape: who may import whom, who may read files, how large a file or function may grow."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.playing import ROOT

PACKAGE = ROOT / "zrf_py"
MODULES = sorted(PACKAGE.rglob("*.py"))

MAY_IMPORT: dict[str, set[str]] = {
    "cache": set(),
    "text": set(),
    "front": {"text", "data", "cache"},
    "ir": {"text", "front.model", "front.syntax", "front.nodes", "front.names", "front.keywords", "front.numbers"},
    "run": {"text", "ir.ops", "front.model", "data", "cache"},
    "compile": {"text", "front", "ir"},
    "library": {"text", "front", "ir", "compile", "data"},
    "search": {"text", "front.model", "ir.ops", "run"},
    "play": {"text", "front.model", "ir", "run", "search", "library", "data"},
    "puzzles": {"text", "front.model", "ir.ops", "run", "play"},
    "batch": {"text", "front.model", "ir.ops", "run", "play", "search"},
    "view": {"text", "front.model", "ir.ops", "run.position", "play", "data"},
    "serve": {"text", "run.position", "play", "search", "view", "library", "cache"},
    "cli": {"text", "front", "ir", "run", "play", "puzzles", "batch", "view", "serve", "library", "data", "cache"},
}
"""Folders and modules, each with what it may see of the others: imports run one way, so that every stage can be read,
tested and replaced knowing only the ones before it."""

SHOWS_ITSELF = ("play/game.py", {"zrf_py.view.scene", "zrf_py.view.svg"})
"""The one import against the current, inside a method: a position of the public API can be seen."""

ONLY_IN = {
    "lark": ("front/forms.py", "front/parse.py", "front/tables.py", "front/tree.py"),
    "llvmlite": ("run/native/",),
    "rich": ("cli/",),
    "distributed": ("batch/workers.py",),
    "resvg_py": ("view/png.py",),
    "PIL": ("view/bitmaps.py",),
    "starlette": ("serve/",),
    "uvicorn": ("serve/run.py",),
    "random": ("puzzles/", "cli/", "play/", "run/", "search/", "batch/", "serve/opponents.py"),
}
"""What only some know: a parser generator or a code generator that leaks can't be replaced."""

READERS = ("library.py", "data.py", "cache.py", "cli/", "play/zsg.py", "front/tables.py", "front/forms.py",
           "front/parse.py", "run/native/", "view/bitmaps.py", "view/looks.py", "serve/games.py", "serve/store.py")
"""Who may touch files: rules come from strangers, so every place that opens one is known. The three of the front read
or keep tables of our own grammar, the native engine its compiled code."""

MAX_LINES = 600
"""A file is read in one sitting, or it is two files; the interpreter and its native twin need most."""
MAX_FUNCTION = 60
"""A function fits a screen."""
LONG_FUNCTIONS = {"zrf_py/run/native/kernel/vm.py:run", "zrf_py/run/native/emit.py"}
"""The loop over operations of the native engine has a branch for each."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def part(module: str) -> str:
    """Folder or module below the package: `front` for `zrf_py.front.check`."""
    return module.split(".")[1] if "." in module else ""


def imports(path: Path) -> list[str]:
    """Every module that a file imports, wherever the statement stands; names of our own modules in full."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            ours = [f"{node.module}.{a.name}" for a in node.names
                    if (ROOT / (node.module + "." + a.name).replace(".", "/")).with_suffix(".py").exists()]
            found += ours or [node.module]
    return found


each_module = pytest.mark.parametrize("path", MODULES, ids=name_of)


@each_module
def test_imports_run_one_way(path: Path) -> None:
    home = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if home.startswith("__") or home == "data":
        return
    allowed = MAY_IMPORT[home]
    shown = SHOWS_ITSELF[1] if path == PACKAGE / SHOWS_ITSELF[0] else set()
    wrong = [m for m in imports(path) if m.startswith("zrf_py.") and part(m) != home and m not in shown
             and not any(m == f"zrf_py.{a}" or m.startswith(f"zrf_py.{a}.") for a in allowed)]
    assert not wrong


@each_module
def test_some_packages_are_used_in_few_places(path: Path) -> None:
    place = path.relative_to(PACKAGE).as_posix()
    for package, places in ONLY_IN.items():
        if package in {m.partition(".")[0] for m in imports(path)}:
            assert place.startswith(places), f"{package} is imported"


@each_module
def test_files_are_opened_in_few_places(path: Path) -> None:
    if path.relative_to(PACKAGE).as_posix().startswith(READERS):
        return
    readers = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "urlopen", "unlink"}
    calls = [getattr(n.func, "attr", getattr(n.func, "id", "")) for n in ast.walk(ast.parse(path.read_text("utf-8")))
             if isinstance(n, ast.Call)]
    assert not readers.intersection(calls)


@each_module
def test_begins_with_what_it_is(path: Path) -> None:
    """The first line of a module says what flows through it, or what it holds, in one sentence of one line."""
    text = path.read_text("utf-8")
    if not text.strip():
        return
    first = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    assert len(first) > 20


@each_module
def test_files_and_functions_stay_short(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= MAX_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            length = node.end_lineno - node.lineno + 1
            known = {name_of(path), f"{name_of(path)}:{node.name}"} & LONG_FUNCTIONS
            assert length <= MAX_FUNCTION or known, f"{node.name} has {length} lines"


@pytest.mark.parametrize("folder", ["front", "ir", "run", "play", "puzzles", "batch", "view"])
def test_no_game_is_known(folder: str) -> None:
    """What a game is stands in its rules file: neither a piece nor a game has a name in the code.

    Documentation and examples may speak of them; code, which is what is left when strings that stand alone and
    comments are taken away, may not.
    """
    words = re.compile(r"\b(chess|shogi|xiangqi|halma|draughts|othello|pawn|rook|bishop|knight|queen)\b", re.I)
    for path in sorted((PACKAGE / folder).rglob("*.py")):
        if path.name == "keywords.py":  # holds the examples of the reference
            continue
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                node.body = [n for n in body if not (  # type: ignore[attr-defined]
                    isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
        found = words.search(ast.unparse(tree))
        assert not found, f"{name_of(path)}: {found[0]}"
