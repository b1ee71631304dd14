"""Texts that change while they are asked about -> analyses that belong to the text of this moment, or none.

One thread compiles, always the newest text; what it was doing for an older one is given up between two stages. Of
texts that take long the problems are told first (`quick.py`), and the whole is compiled when nothing has been typed for
a moment; lints come last. Nothing here waits: who wants an analysis is called back.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from zrf_py.author.editor.analysis import Analysis, Known, Superseded, analyse
from zrf_py.author.editor.quick import Quick
from zrf_py.author.lint.linting import lints_of
from zrf_py.compile import Stages
from zrf_py.text.packing import without_collector
from zrf_py.text.source import Source

QUICK_FROM = 0.05
"""Seconds an analysis takes from which on problems are told before it."""
PAUSE = 0.2
"""Seconds without a change before such a text is compiled."""
LINT_PAUSE = 0.25
"""Seconds without a change before lints are looked for."""
MAX_LINTED = 400_000
"""Characters: of longer texts lints are left to the command."""

Told = Callable[["Document", Analysis], None]


@dataclass(eq=False)
class Document:
    """A text that is open in an editor. `analysis` is the last one there is; `current` if it is of this very text."""

    name: str
    path: Path | None
    source: Source
    version: int
    analysis: Analysis | None = None
    took: float = 0.0
    """Seconds the last analysis took."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    quick: Quick | None = None

    @property
    def current(self) -> Analysis | None:
        analysis = self.analysis
        return analysis if analysis is not None and analysis.source is self.source else None


class Workshop:
    """The open documents, by name (a URI or whatever the editor calls them); `told` hears of each new analysis."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.documents: dict[str, Document] = {}
        self._threads = ThreadPoolExecutor(1, "zrf-analysis")
        self._linters = ThreadPoolExecutor(1, "zrf-lints")

    def take(self, name: str, path: Path | None, text: str, version: int = 0) -> Document:
        """Begin with a text, or begin again."""
        document = Document(name, path, _source(name, path, text), version)
        self.documents[name] = document
        self._submit(document)
        return document

    def change(self, name: str, text: str, version: int) -> Document | None:
        """Another text of an open document."""
        document = self.documents.get(name)
        if document is None:
            return None
        document.source = _source(name, document.path, text)
        document.version = version
        self._submit(document)
        return document

    def again(self, name: str) -> None:
        """Read again, since a file that is included may have changed."""
        document = self.documents.get(name)
        if document is not None:
            self.change(name, document.source.text, document.version)

    def close(self, name: str) -> None:
        self.documents.pop(name, None)

    def end(self) -> None:
        """Stop; what is under way is given up."""
        self.documents.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._linters.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------------------------------------- in threads

    def _is_newest(self, document: Document, source: Source) -> bool:
        return self.documents.get(document.name) is document and document.source is source

    def _submit(self, document: Document) -> None:
        self._threads.submit(self._analyse, document, document.source)

    def _analyse(self, document: Document, source: Source) -> None:
        if not self._is_newest(document, source):
            return
        if document.quick is not None and self._tell_quickly(document, document.quick, source) \
                and not self._rests(document, source, PAUSE):
            return
        begin = time.perf_counter()
        try:
            made = analyse(source, document.path, document.analysis, lambda: self._is_newest(document, source))
        except Superseded:
            return
        document.took = time.perf_counter() - begin
        with document.lock:
            if not self._is_newest(document, source):
                return
            document.analysis = made
        self.told(document, made)
        if not made.errors and made.sound and len(source.text) <= MAX_LINTED:
            self._linters.submit(self._lint, document, made)
        if document.took >= QUICK_FROM and document.quick is None:
            document.quick = Quick(document.path)
            document.quick.problems(source)

    def _tell_quickly(self, document: Document, quick: Quick, source: Source) -> bool:
        """Whether the problems of a text could be told. Garbage is collected afterwards, while people look at them."""
        with without_collector():
            said = quick.problems(source)
            if said is None or not self._is_newest(document, source):
                return False
            known = document.analysis.known if document.analysis else Known()
            self.told(document, Analysis(source, document.path, Stages(), said, known, False, quick=True))
            return True

    def _rests(self, document: Document, source: Source, seconds: float) -> bool:
        """Whether the text is still the newest after some time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self._is_newest(document, source):
                return False
            time.sleep(0.01)
        return True

    def _lint(self, document: Document, analysis: Analysis) -> None:
        if not self._rests(document, analysis.source, LINT_PAUSE) or document.analysis is not analysis:
            return
        found = lints_of(analysis.source, analysis.stages, analysis.said)
        with document.lock:
            if document.analysis is not analysis or not self._is_newest(document, analysis.source):
                return
            document.analysis = linted = replace(analysis, lints=found)
        self.told(document, linted)


def _source(name: str, path: Path | None, text: str) -> Source:
    return Source(str(path) if path else name, text)
