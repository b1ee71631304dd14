"""Store Python's library and zrf_py so that the rules editor starts early; run in Pyodide when a site is built.

Modules that the editor loads when a file is opened, and those that it loads next, are stored as bytecode, so that
browsers need not compile them. Python's library and `zrf.data` keep only what is needed to check a text;
`rest.data` holds everything else, with the list of the modules to load next (`later.txt`), each after its imports.
"""

import json
import py_compile
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from zrf_py.library import contents
from zrf_py.paths import replace_file

ROOT = Path(__file__).parents[2]
CHECKING = ("zrf_py/front/", "zrf_py/ir/", "zrf_py/rules/", "zrf_py/std/", "zrf_py/text/")
"""Beginnings of the names of files that a check of any text may need."""
LEFT_OUT = re.compile(f"{'|'.join(json.loads(contents(Path(__file__).with_name('library.json'))))}|.*/$")
"""Matches the names of entries to leave out of Python's library: folders, and files that the editor can't use."""
STAMP = (2024, 1, 1, 0, 0, 0)
"""Time of all files, so that equal contents give equal archives."""


def precompile(rules: str, library: Path, package: Path, rest: Path) -> None:
    """Rewrite the archives of the library and of the package, and write `rest`; `rules` is the text of any game.

    `package` must be unpacked in `ROOT`, and the library must be imported from a zip archive.
    """
    opened: set[str] = set()
    sys.addaudithook(lambda event, arguments: opened.add(str(arguments[0])) if event == "open" else None)
    project = _first_messages(rules)
    modules, first = set(sys.modules), opened | _files()
    project.heed(json.dumps({"type": "ask", "what": "payload", "title": ""}))
    loaded, later = _files(), [name for name in reversed(sys.modules) if name not in modules]
    archived = next(path for path in sys.path if path.endswith(".zip"))
    packages = {f"{archived}/{name.partition('.')[0]}" for name in modules}  # packages of the library stay whole
    with zipfile.ZipFile(library) as old:
        files = {f"{archived}/{name}": old.read(name) for name in old.namelist() if not LEFT_OUT.match(name)}
    files |= {str(path): contents(path) for path in ROOT.rglob("*.*") if path.is_file() and path.suffix != ".pyc"}
    parts: dict[Path, dict[str, bytes]] = {library: {}, package: {}, rest: {"later.txt": "\n".join(later).encode()}}
    for place, content in files.items():
        root, archive = (archived, library) if place.startswith(archived) else (str(ROOT), package)
        name = place.removeprefix(f"{root}/")
        is_first = place in first or f"{root}/{name.partition('/')[0]}" in packages or name.startswith(CHECKING)
        parts[archive if is_first else rest].update([_stored(name, content, place in loaded)])
    from zrf_py.export.python_package import tarred  # imported late, as it isn't part of the editor

    for archive in (package, rest):
        replace_file(archive, tarred(parts[archive]))
    with zipfile.ZipFile(library, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name, content in sorted(parts[library].items()):
            new.writestr(zipfile.ZipInfo(name, STAMP), content, zipfile.ZIP_DEFLATED, 9)


def _files() -> set[str]:
    """Return the files of all modules that are loaded."""
    return {file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}


def _first_messages(rules: str) -> Any:
    """Check a text as the editor does when it opens a file, first with an error, then as it is; return the project."""
    from zrf_py.browser.host import Project  # imported late, so that the hook records the files that it opens

    project = Project(Path(tempfile.mkdtemp()), "game.zrf")
    for version, text in enumerate((f"{rules} (", rules)):
        project.heed(json.dumps({"type": "text", "version": version, "text": text}))
    return project


def _stored(name: str, content: bytes, is_loaded: bool) -> tuple[str, bytes]:
    """Return the name and content to store for a file: those of its bytecode, if it is a loaded module."""
    if not is_loaded:
        return name, content
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "source.py"), Path(folder, "source.pyc")
        replace_file(source, content)
        py_compile.compile(str(source), str(target), name, True, 2, py_compile.PycInvalidationMode.UNCHECKED_HASH)
        return f"{name}c", contents(target)
