"""Archive of the part of zrf_py that runs in a browser, with Lark, parser tables and the kernel for any game.

The editor unpacks it beside Pyodide's library. Whatever needs a server, a terminal or a compiler is left out. Where
Node.js is installed, modules are compiled to bytecode, and those not needed first follow in an archive of their own.
"""

import functools
import gzip
import io
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

import lark

from zrf_py import cache
from zrf_py.author.new.templates import new_game
from zrf_py.data import data_file
from zrf_py.export import wasm
from zrf_py.export.contents import contents
from zrf_py.export.sources import COMMON, KERNEL, content_of
from zrf_py.front import lalr
from zrf_py.front.parse import STARTS, grammar, grammar_text
from zrf_py.library import load_text
from zrf_py.paths import replace_file
from zrf_py.play.game import Game

FOLDERS = ("author", "batch", "browser", "export", "front", "ir", "jit", "native", "play", "run", "search",
           "serve/static", "std", "text", "view")
KINDS = {".py", ".json", ".js", ".css", ".html", ".svg", ".zrf", ".txt"}
LEFT_OUT = {"desk-editor.js", "desk-editor.LICENSES.txt", "README.md", "precompile.py", "library.json"}
RULES = {".zrf", ".inc", ".json"}
LIBRARY, PACKAGE, REST = "python_stdlib.zip", "zrf.data", "rest.data"
PREPARE = Path(__file__).with_name("site-static") / "precompile.mjs"
MOST_COMMON = 1 << 15
"""Maximum size of `common()` in bytes: the distance over which deflate can refer back."""
PATIENCE = 300.0
"""Seconds after which the preparation of the archives is given up."""


def archives(library: bytes, runtime: Path, rules: bytes) -> dict[str, bytes]:
    """Return the archives for Pyodide: Python's `library`, zrf_py, and (`REST`) the files of both not needed first.

    `runtime` is Pyodide's npm package, `rules` any game's text. If Node.js is missing or fails, there is no `REST`.
    """
    plain = {LIBRARY: library, PACKAGE: package()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, content in {**plain, "first.zrf": rules}.items():
            replace_file(folder / file, content)
        command = [shutil.which("node") or "", str(PREPARE), str(runtime.absolute()), name, str(folder / "first.zrf")]
        try:
            subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
        except (OSError, subprocess.SubprocessError):
            return plain
        return {file: content_of(folder / file) for file in (LIBRARY, PACKAGE, REST)}


def package() -> bytes:
    """Return the archive of the package."""
    return tarred(_files())


def tarred(files: Mapping[str, bytes]) -> bytes:
    """Return a compressed tar archive of files, by name; equal contents give equal archives."""
    sink = io.BytesIO()
    with (gzip.GzipFile(fileobj=sink, mode="wb", mtime=0) as stream,
          tarfile.TarFile(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive):
        for name in sorted(files, key=lambda name: (Path(name).suffix, name)):  # similar files beside each other
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            archive.addfile(entry, io.BytesIO(files[name]))
    return sink.getvalue()


def _files() -> dict[str, bytes]:
    root = Path(__file__).parent.parent
    files = {f"zrf_py/{path.name}": content_of(path) for path in root.glob("*.py")}
    for folder in FOLDERS:
        files |= _below(root / folder, f"zrf_py/{folder}", KINDS)
    files |= _below(data_file("rules"), "zrf_py/rules", RULES)
    files |= {f"zrf_py/{name}": content_of(data_file(name))
              for name in ("grammar/zrf.lark", "grammar/forms.lark", "rules/README.md")}
    files |= _below(Path(lark.__file__).parent, "lark", {".py", ".lark"})
    grammar()  # writes the parser tables to the cache
    name = lalr.entry_name(grammar_text(), STARTS)
    if content := cache.load(name):
        files[f"zrf_py/shipped/{name}"] = cache.framed(content)
    linked = wasm.kernel(wasm.SEARCHES)
    kernel = linked.end.to_bytes(4, "little") + linked.module
    return files | {f"zrf_py/export/{KERNEL.name}": kernel, f"zrf_py/export/{COMMON.name}": common()}


@functools.cache
def common() -> bytes:
    """Return the tables of a small game, as a page without a server gets them, cut off at `MOST_COMMON` bytes."""
    payload, tables = contents([Game(load_text(new_game("men", "Game", 5, "squares")).program())], own=False)
    return payload.packed({**tables, "first": 0})[:MOST_COMMON]


def _below(folder: Path, name: str, kinds: set[str]) -> dict[str, bytes]:
    """Return the contents of the files below a folder with endings `kinds`, by name in the archive."""
    return {f"{name}/{path.relative_to(folder).as_posix()}": content_of(path) for path in sorted(folder.rglob("*"))
            if path.suffix in kinds and path.name not in LEFT_OUT and "__pycache__" not in path.parts}
