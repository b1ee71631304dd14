"""Names in the code: variables are named by contents, few classes or modules share a name; docstrings are sentences.

A variable called `found` or `told` is named after an event, not a value. `BUDGET` limits those that are left, mostly in
kernels, where names of variables are part of the LLVM text: its numbers may only become smaller."""

from __future__ import annotations

import ast
from collections import Counter
from functools import lru_cache
from pathlib import Path

from tests.playing import ROOT
from zrf_py.ir.ops import OPS

BUDGET: dict[str, int] = {
    "found": 110, "told": 3, "said": 1, "kept": 2, "asked": 7, "given": 3, "known": 14, "way": 7, "ways": 2,
    "what": 8, "who": 12, "whose": 0, "whole": 8, "wanted": 16, "met": 1, "one": 12, "made": 25, "taken": 8,
    "gone": 1, "here": 43, "there": 20, "where": 21, "how": 8, "which": 14, "says": 2, "tells": 2, "asks": 2,
    "stands": 0, "nothing": 1, "anything": 2, "everything": 2, "needed": 5,
}
"""Name → maximum number of variables, parameters, attributes and functions with it. Such a name describes an event or a
question, not a value."""

RETIRED_CLASSES = {"Told", "Said", "Found", "Kept", "Met", "Way", "Telling", "Walks"}
RETIRED_MODULES = {"asked", "asking", "finding", "following", "looking", "saying", "reading"}
RELATIVE = {"What", "Whether", "Who", "Whose", "Where", "How", "Which", "That", "Those", "As"}
"""Words that begin a phrase and not a sentence, so that no docstring may begin with them."""

SHARED_MODULES = 69
"""Maximum number of module names that occur in several folders."""

ENGINES = {"ir/ops.py", "ir/emitter.py", "run/interpret.py", "native/kernel/vm.py", "native/specialise/emit.py",
           "native/bitboards/sets.py", "native/records.py"}
"""Modules that define the operations of move code or run them, and therefore name them."""
NAMED_OPERATIONS = 83
"""Maximum number of comparisons with names of operations, and of lists of them, in the other modules, which should use
`ir/traits.py` instead."""


@lru_cache(maxsize=1)
def modules() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted((ROOT / "zrf_py").rglob("*.py"))
            if "node_modules" not in path.parts}


def bound(tree: ast.Module) -> Counter[str]:
    """Count the names that a module binds: variables, parameters, attributes, functions."""
    names: Counter[str] = Counter()
    for node in ast.walk(tree):
        match node:
            case ast.Name(name, ast.Store()) | ast.Attribute(_, name, ast.Store()) | ast.arg(name) \
                    | ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.MatchAs(name=str(name)):
                names[name] += 1
    return names


def test_variables_are_named_by_their_contents() -> None:
    names = sum(map(bound, modules().values()), Counter[str]())
    assert names["moves"] > 100
    worse = {word: f"{names[word]}, at most {most}" for word, most in BUDGET.items() if names[word] > most}
    assert not worse, f"name the value instead (`moves`, `reply`, `matches`): {worse}"


def test_no_class_name_occurs_three_times() -> None:
    names = Counter(node.name for tree in modules().values() for node in ast.walk(tree)
                    if isinstance(node, ast.ClassDef))
    assert len(names) > 400
    assert not {name: count for name, count in names.items() if count > 2}
    assert not RETIRED_CLASSES & set(names)


def test_few_modules_share_a_name() -> None:
    names = Counter(path.stem for path in modules() if path.stem != "__init__")
    assert len(names) > 300
    assert sum(count > 1 for count in names.values()) <= SHARED_MODULES
    assert not {name for name in RETIRED_MODULES if names[name]}


def test_docstrings_are_sentences() -> None:
    starts = [(str(path.relative_to(ROOT)), text.split("\n")[0]) for path, tree in modules().items()
              for node in ast.walk(tree)
              if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
              and (text := ast.get_docstring(node))]
    assert len(starts) > 3000
    assert not [(path, text) for path, text in starts if text.split()[0].strip(",:") in RELATIVE]


def operations_in(node: ast.AST) -> int:
    """Return how many values in a comparison of `op.name`, or in a collection of at least two values, are names of
    operations; 0 if fewer than six in ten are, or if the node is of another kind."""
    values: list[ast.expr] = []
    match node:
        case ast.Compare(ast.Attribute(ast.Name("op"), "name"), _, [ast.Tuple(values) | ast.Set(values)]):
            pass
        case ast.Compare(ast.Attribute(ast.Name("op"), "name"), _, values):
            pass
        case ast.Tuple(values) | ast.List(values) | ast.Set(values) | ast.Dict(values):  # type: ignore[misc]
            values = values if len(values) > 1 else []
    count = sum(isinstance(value, ast.Constant) and value.value in OPS for value in values)
    return count if 10 * count >= 6 * len(values) else 0


def test_modules_use_traits_instead_of_naming_operations() -> None:
    """Modules outside `ENGINES` should not have to know a new operation: they use its traits."""
    named = Counter({path: sum(operations_in(node) > 0 for node in ast.walk(tree))
                     for path, tree in modules().items()
                     if path.relative_to(ROOT / "zrf_py").as_posix() not in ENGINES})
    assert named.total() <= NAMED_OPERATIONS, named.most_common(10)
    examples = 'op.name == "add"', 'op.name in ("to", "from")', '{"to", "from"}', '{"flip": 1, "capture": 2}'
    assert all(any(operations_in(node) for node in ast.walk(ast.parse(text))) for text in examples)
