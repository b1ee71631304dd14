"""Store Python's library and zrf_py so that the rules editor starts early; run in Pyodide when a site is built.

Modules that the editor loads when a file is opened are stored as bytecode, so that browsers need not compile them.
Python's library and `zrf.zip` keep only what is loaded before the first messages; `rest.zip` holds everything else.
"""

import json
import py_compile
import sys
import tempfile
import zipfile
from pathlib import Path

from zrf_py.library import contents
from zrf_py.paths import replace_file

ROOT = Path(__file__).parents[2]
CHECKING = ("zrf_py/front/", "zrf_py/ir/", "zrf_py/rules/", "zrf_py/std/", "zrf_py/text/")
"""Beginnings of the names of files that a check of any text may need."""
LEFT_OUT = ("_pyrepl/", "bdb.py", "configparser.py", "doctest.py", "ftplib.py", "http/server.py", "imaplib.py",
            "mailbox.py", "optparse.py", "pdb.py", "pickletools.py", "plistlib.py", "pstats.py", "pydoc.py",
            "smtplib.py", "trace.py", "unittest/", "wsgiref/", "xmlrpc/")
"""Beginnings of the names of files of Python's library that the editor can't use."""
STAMP = (2024, 1, 1, 0, 0, 0)
"""Time of all files, so that equal contents give equal archives."""


def precompile(rules: str, library: Path, package: Path, rest: Path) -> None:
    """Rewrite the archives of the library and of the package, and write `rest`; `rules` is the text of any game.

    `package` must be unpacked in `ROOT`, and the library must be imported from a zip archive.
    """
    opened: set[str] = set()
    sys.addaudithook(lambda event, arguments: opened.add(str(arguments[0])) if event == "open" else None)
    _first_messages(rules)
    loaded = {file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}
    archived = next(path for path in sys.path if path.endswith(".zip"))
    parts: dict[Path, dict[str, bytes]] = {library: {}, package: {}, rest: {}}
    for archive, root in ((library, archived), (package, str(ROOT))):
        with zipfile.ZipFile(archive) as old:
            for name in old.namelist():
                place = f"{root}/{name}"
                if not name.endswith("/") and not (archive == library and name.startswith(LEFT_OUT)):
                    is_first = place in loaded | opened or name.startswith(CHECKING)
                    files = parts[archive if is_first else rest]
                    files.update([_stored(name, old.read(name), place in loaded)])
    for archive, files in parts.items():
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
            for name, content in sorted(files.items()):
                new.writestr(zipfile.ZipInfo(name, STAMP), content, zipfile.ZIP_DEFLATED, 9)


def _first_messages(rules: str) -> None:
    """Check a text as the editor does when it opens a file, once with an error."""
    from zrf_py.browser.host import Project  # imported late, so that the files it opens are seen

    project = Project(Path(tempfile.mkdtemp()), "game.zrf")
    for version, text in enumerate((f"{rules} (", rules)):
        project.heed(json.dumps({"type": "text", "version": version, "text": text}))


def _stored(name: str, content: bytes, is_loaded: bool) -> tuple[str, bytes]:
    """Return the name and content under which a file is stored: those of its bytecode, if it is a loaded module."""
    if not is_loaded:
        return name, content
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "source.py"), Path(folder, "source.pyc")
        replace_file(source, content)
        py_compile.compile(str(source), str(target), name, True, 2, py_compile.PycInvalidationMode.UNCHECKED_HASH)
        return f"{name}c", contents(target)
