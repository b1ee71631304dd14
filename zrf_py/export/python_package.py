"""Archive of the part of zrf_py that runs in a browser, with Lark, parser tables and the kernel for any game.

Pyodide unpacks it beside its own library. Whatever needs a server, a terminal or a compiler is left out.
"""

import io
import zipfile
from pathlib import Path

import lark

from zrf_py import cache
from zrf_py.data import data_file
from zrf_py.export import wasm
from zrf_py.export.sources import KERNEL, content_of
from zrf_py.front import lalr
from zrf_py.front.parse import STARTS, grammar, grammar_text

FOLDERS = ("author", "batch", "browser", "export", "front", "ir", "jit", "native", "play", "run", "search",
           "serve/static", "std", "text", "view")
KINDS = {".py", ".json", ".js", ".css", ".html", ".svg", ".zrf", ".txt"}
LEFT_OUT = {"desk-editor.js", "desk-editor.LICENSES.txt", "README.md"}
RULES = {".zrf", ".inc", ".json"}
STAMP = (2024, 1, 1, 0, 0, 0)
"""Time of all files, so that equal contents give equal archives."""
SEARCHES = frozenset({"alphabeta", "beam", "mcts"})


def package() -> bytes:
    """Return the zip archive as bytes."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(_files().items()):
            archive.writestr(zipfile.ZipInfo(name, STAMP), content, zipfile.ZIP_DEFLATED, 9)
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
    linked = wasm.kernel(SEARCHES)
    files[f"zrf_py/export/{KERNEL.name}"] = linked.end.to_bytes(4, "little") + linked.module
    return files


def _below(folder: Path, name: str, kinds: set[str]) -> dict[str, bytes]:
    """Return the contents of the files below a folder, by name in the archive."""
    return {f"{name}/{path.relative_to(folder).as_posix()}": content_of(path) for path in sorted(folder.rglob("*"))
            if path.suffix in kinds and path.name not in LEFT_OUT and "__pycache__" not in path.parts}
