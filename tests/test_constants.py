"""Every constant of the package, default of a function and default of a record: limits, times, weights, tables.

Most of them decide nothing that a quick test could wait for (a limit of 600 connections, a patience of a minute), so
they are held as they are: a change must be meant. Names that are new or gone change nothing until
`ZRF_WRITE_GOLDEN=1 python -m pytest tests/test_constants.py` writes `golden/constants/` again. Long values
stand there as a checksum.
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from zlib import crc32

import pytest

from tests.playing import ROOT
from zrf_py.cli.main import make_parser

GOLDEN = ROOT / "tests" / "golden" / "constants"
PACKAGE = ROOT / "zrf_py"
FOLDERS = ["", *sorted({path.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/**/*.py")} - {"editors"})]
LONG = 100
"""Characters of a value that is shown whole."""
HERE = {"zrf_py.__main__", "zrf_py.port.run"}
"""Modules that do something when they are imported."""
DEPENDS = re.compile(r"0x[0-9a-f]{6,}|<(?!re\.|_io)|object at|\d+\.\d+\.\d+")
"""Values that depend on the process or on versions."""


def modules(folder: str) -> Iterator[ModuleType]:
    """The modules of a folder of the package ("": of the package itself) whose libraries are there."""
    paths = (PACKAGE / folder).rglob("*.py") if folder else PACKAGE.glob("*.py")
    for path in sorted(paths):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name not in HERE:
            try:
                yield importlib.import_module(name)
            except ImportError:
                continue


def text_of(value: object) -> str | None:
    """A value as text that is the same in every process; None if there is none."""
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}" if value.name else repr(value)
    if isinstance(value, Mapping):
        parts = [(text_of(key), text_of(part)) for key, part in value.items()]
        return None if any(None in pair for pair in parts) else "{" + ", ".join(f"{a}: {b}" for a, b in parts) + "}"
    if isinstance(value, set | frozenset | tuple | list):
        texts = [text_of(part) for part in value]
        if None in texts:
            return None
        ordered = sorted(map(str, texts)) if isinstance(value, set | frozenset) else map(str, texts)
        return f"({', '.join(ordered)})"
    if isinstance(value, re.Pattern):
        return f"/{value.pattern!r}/{value.flags}"
    if isinstance(value, FunctionType | type | ModuleType | Path) or callable(value):
        return getattr(value, "__name__", None) if not isinstance(value, Path) else None
    try:
        text = repr(value)
    except Exception:
        return None
    return None if DEPENDS.search(text) else text


def clipped(text: str) -> str:
    number = crc32(text.encode("utf-8", "replace"))
    return text if len(text) <= LONG else f"{text[:LONG // 2]}… {len(text)} {number:08x}"


def defaults(name: str, function: Any) -> Iterator[str]:
    """The default arguments of a function."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return
    given = [(p.name, text_of(p.default)) for p in parameters if p.default is not p.empty]
    if shown := ", ".join(f"{key}={text}" for key, text in given if text is not None):
        yield f"{name}({shown})"


def own_names(module: ModuleType) -> set[str]:
    """The names that a module defines, not those that it imports."""
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    stores = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stores | {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def lines_of(module: ModuleType) -> Iterator[str]:
    own = own_names(module)
    for name, value in sorted(vars(module).items()):
        if name not in own:
            continue
        if isinstance(value, type) and value.__module__ == module.__name__:
            if issubclass(value, enum.Enum):
                yield f"{name}: " + ", ".join(f"{member.name} {member.value!r}" for member in value)
            elif is_dataclass(value):
                given = [(f.name, text_of(f.default)) for f in fields(value) if f.default is not MISSING]
                if given:
                    yield f"{name}: " + ", ".join(f"{key}={text}" for key, text in given if text is not None)
            for key, part in sorted(vars(value).items()):
                part = getattr(part, "__func__", part)
                if key == "__init__" and is_dataclass(value):
                    continue
                if isinstance(part, FunctionType) and part.__module__ == module.__name__:
                    yield from defaults(f"{name}.{key}", part)
                elif key.isupper() and (text := text_of(part)) is not None:
                    yield f"{name}.{key} = {clipped(text)}"
        elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield from defaults(name, value)
        elif name.isupper() and (text := text_of(value)) is not None and not text.startswith("~"):
            yield f"{name} = {clipped(text)}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_constants_are_as_they_were(folder: str) -> None:
    path, write = GOLDEN / f"{folder or 'package'}.txt", bool(os.environ.get("ZRF_WRITE_GOLDEN"))
    found = {module.__name__: list(lines_of(module)) for module in modules(folder)}
    if write:
        GOLDEN.mkdir(exist_ok=True)
        path.write_text("".join(f"{name}\n" + "".join(f"  {line}\n" for line in lines)
                                for name, lines in found.items() if lines), "utf-8")
    changed = []
    for block in re.split(r"^(?=\S)", path.read_text("utf-8"), flags=re.M)[1:]:
        name, *lines = block.splitlines()
        now = {key_of(line): line for line in found.get(name, ())}
        changed += [f"{name}: {now[key]}, was {line[2:]}" for line in lines
                    if (key := key_of(line[2:])) in now and now[key] != line[2:]]
    assert not changed
    assert any(found.values())


def key_of(line: str) -> str:
    """The name in a line."""
    return re.split(r"\(|: | = ", line, maxsplit=1)[0]


def options() -> Iterator[str]:
    """The options of every command: what they store, how many words they take, their choices and defaults."""
    for name, command in make_parser()[1].items():
        for action in command._actions:
            kind = getattr(action.type, "__name__", action.type)
            facts = {"default": action.default, "nargs": action.nargs, "const": action.const, "type": kind,
                     "choices": action.choices and list(action.choices), "required": action.required or None}
            shown = ", ".join(f"{key}={text_of(value)}" for key, value in facts.items() if value is not None)
            yield f"{name} {'/'.join(action.option_strings) or action.dest}: {type(action).__name__} {shown}".rstrip()


def test_commands_have_the_options_that_they_had() -> None:
    """As for constants, those that are new or gone change nothing."""
    path, lines = GOLDEN / "options" / "commands.txt", [clipped(line) for line in options()]
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    now = {key_of(line): line for line in lines}
    kept = path.read_text("utf-8").splitlines()
    assert [line for line in kept if now.get(key_of(line), line) != line] == []
    assert len({key_of(line) for line in kept} & now.keys()) > 100
