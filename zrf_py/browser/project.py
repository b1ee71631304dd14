"""The files of a game in the browser: a folder in memory, and the text of the rules as the editor shows it."""

import hashlib
import io
import zipfile
from pathlib import Path

from zrf_py.author.desk_state import Message
from zrf_py.author.editor.analysis import Analysis
from zrf_py.library import contents
from zrf_py.paths import replace_file
from zrf_py.text.source import Source


class Files:
    """The rules file `name` and its neighbours; `source` is the text in the editor, `version` its number."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / name
        self.source = Source(str(self.path), "")
        self.version = 0
        self.analysis: Analysis | None = None

    def files(self) -> dict[str, Path]:
        """Return the files that may be edited, by name: rules, tests, included files of the project."""
        included = [Path(source.name) for source in self.analysis.files] if self.analysis else []
        return {path.name: path for path in (self.path, self.path.with_suffix(".md"), *included)
                if path.parent == self.path.parent}

    def archive(self) -> bytes:
        """Return a zip archive of the files: the rules as the editor shows them, and others as they are stored."""
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in self.files().items():
                if path == self.path or path.is_file():
                    archive.writestr(name, self.source.text if path == self.path else contents(path))
        return sink.getvalue()

    def read(self, path: Path) -> Message:
        text = contents(path).decode("utf-8") if path.is_file() else ""
        return {"text": text, "mark": _mark(text)}

    def save(self, path: Path, text: str) -> Message:
        replace_file(path, text.encode("utf-8", "replace"))
        return {"mark": _mark(text)}


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

