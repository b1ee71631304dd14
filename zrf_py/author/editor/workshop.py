"""Keep the analyses of texts being edited up to date.

One thread compiles the newest texts; outdated work is abandoned between two stages. If compiling takes long, `quick.py`
finds the problems first, and the whole text is compiled after a pause in typing; lints come last. Analyses are
delivered by a callback; `games` is the only method that waits for a compilation.

A file that others include is compiled as a part of the first of them. An include of a file that is open reads the text
in the editor; changing it recompiles all open texts that are read together with it.
"""

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

from zrf_py.author.editor.analysis import Analysis, Known, Superseded, analyse
from zrf_py.author.editor.balance import settled
from zrf_py.author.editor.quick import Quick
from zrf_py.author.editor.texts import PART, Texts
from zrf_py.author.lint.linting import lints_of
from zrf_py.compile import Stages
from zrf_py.text.diagnostics import Diagnostic
from zrf_py.text.packing import without_collector
from zrf_py.text.source import Source

QUICK_FROM = 0.05
"""Seconds: if an analysis takes this long, `Quick` reports the problems of later versions first."""
PAUSE = 0.2
"""Seconds without a change before a text whose problems `Quick` has reported is compiled as a whole."""
LINT_PAUSE = 0.25
"""Seconds without a change before lints are computed, and places of parentheses tried."""
MAX_LINTED = 400_000
"""Maximum number of characters of a text that is linted while it is edited; `zrf lint` has no limit."""
MAX_GAMES = 24
"""Maximum number of games compiled for one text that they all include."""

Publish = Callable[["Document", Analysis], None]


@dataclass(eq=False)
class Document:
    """A text open in an editor. `analysis` is the latest one; `current` is the same, or None if the text has changed.

    `places` are the files read for it, including its own and the compiled one.
    """

    name: str
    path: Path | None
    source: Source
    version: int
    analysis: Analysis | None = None
    took: float = 0.0
    """Seconds that the last analysis took."""
    quick: Quick | None = None
    places: frozenset[Path] = frozenset()

    @cached_property
    def place(self) -> Path | None:
        return self.path.resolve() if self.path else None

    @property
    def current(self) -> Analysis | None:
        analysis = self.analysis
        return analysis if analysis is not None and analysis.source is self.source else None


class Workshop:
    """The open documents, by name (such as a URI); `publish` is called with each new analysis."""

    def __init__(self, publish: Publish) -> None:
        self.publish = publish
        self.documents: dict[str, Document] = {}
        self.texts = Texts()
        self._last: Analysis | None = None
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(1, "zrf-analysis")
        self._linters = ThreadPoolExecutor(1, "zrf-lints")

    def take(self, name: str, path: Path | None, text: str, version: int = 0) -> Document:
        """Open a document, or replace the open one of that name, and start its analysis."""
        document = self.documents[name] = Document(name, path, Source(str(path or name), text), version)
        self._changed(document)
        return document

    def change(self, name: str, text: str, version: int) -> Document | None:
        """Replace the text of a document, and return the document; None if it is not open."""
        document = self.documents.get(name)
        if document is None:
            return None
        with self._lock:
            document.source, document.version = Source(document.source.name, text), version
        self._changed(document)
        return document

    def again(self, documents: Iterable[Document]) -> None:
        """Analyse texts again, since an included file may have changed."""
        batch = list(documents)
        for document in batch:
            with self._lock:
                document.source = Source(document.source.name, document.source.text)
                if document.place:
                    self.texts.open[document.place] = document.source
        for document in batch:
            self._submit(document)

    def reread(self) -> None:
        """Analyse again the texts that depend on files that have changed or appeared on disk."""
        self.again([d for d in self.documents.values() if d.analysis and not (
            all(map(self.texts.is_current, d.analysis.files))
            and not any(message.code.startswith("missing-") for message in d.analysis.diagnostics))])

    def close(self, name: str) -> None:
        document = self.documents.pop(name, None)
        if document is not None and document.place:
            self.texts.open.pop(document.place, None)
            self.again(self._together(document))

    def _changed(self, document: Document) -> None:
        """Analyse a changed document, then the others that depend on it."""
        if document.place:
            self.texts.open[document.place] = document.source
        self._submit(document)
        self.again(self._together(document))

    def _together(self, document: Document) -> list[Document]:
        return [d for d in list(self.documents.values()) if d is not document and document.place in d.places]

    def end(self) -> None:
        """Stop, and abandon all work in progress."""
        self.documents.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._linters.shutdown(wait=False, cancel_futures=True)

    def _is_newest(self, document: Document, source: Source) -> bool:
        return self.documents.get(document.name) is document and document.source is source

    def _submit(self, document: Document) -> None:
        self._threads.submit(self._analyse, document, document.source)

    def _analyse(self, document: Document, source: Source) -> None:
        if not self._is_newest(document, source):
            return
        if document.quick is not None and self._publish_quick(document, document.quick, source) \
                and not self._rests(document, source, PAUSE):
            return
        begin = time.perf_counter()
        try:
            analysis = self._analysis_of(document, source)
        except Superseded:
            return
        document.took = time.perf_counter() - begin
        texts = {Path(file.name).resolve(): file for file in analysis.files}
        places = frozenset(texts)
        new, document.places = places ^ document.places, places
        if any(file is not source and self.texts.open.get(place, file) is not file for place, file in texts.items()):
            self.again([document])  # an included text has changed in the meantime
            return
        with self._lock:
            if not self._is_newest(document, source):
                return
            document.analysis = analysis
        self.publish(document, analysis)
        if analysis.root is source:  # documents of files that this game now includes, or no longer includes
            self.again([d for d in list(self.documents.values()) if d is not document and d.place in new
                        and (document.place in d.places) != (d.place in places)])
        if not analysis.is_read or (not analysis.errors and analysis.sound and len(source.text) <= MAX_LINTED):
            self._linters.submit(self._lint, document, analysis)
        if analysis.root is not source:
            document.quick = None
        elif document.took >= QUICK_FROM and document.quick is None:
            document.quick = Quick(document.path, self.texts)
            document.quick.problems(source)

    def _analysis_of(self, document: Document, source: Source) -> Analysis:
        """Analyse a text, as a game or as a part of a game that includes it."""
        def compiled(path: Path | None, text: Source) -> Analysis:
            last = self._last
            if last is None or last.root is not text or not all(map(self.texts.is_current, last.files)):
                is_current = partial(self._is_newest, document, source)
                last = self._last = analyse(text, path, document.analysis, is_current, self.texts.read)
            return last

        path, unread = document.place, None
        if path is None or not self.texts.is_part(path, source):
            return compiled(document.path, source)
        for game in islice(self.texts.games(path), MAX_GAMES):
            analysis = compiled(game, self.texts.read(game))
            if source in analysis.files:
                return analysis.of(source)
            unread = unread or (None if analysis.is_read else analysis.of(source))
        analysis = unread or compiled(document.path, source)
        if analysis.root is not source or path.suffix.lower() != PART \
                or not any(d.code in ("missing-game", "empty-file") for d in analysis.diagnostics):
            return analysis
        alone = Diagnostic("missing-game", "no game includes this file", None, severity="note",
                           help="its problems are reported when a rules file in a nearby folder includes it")
        return replace(analysis, diagnostics=(alone,))

    def games(self, analysis: Analysis) -> list[Analysis]:
        """Return the analyses of other games that share `.inc` files of this game's folder; block while compiling."""
        folder = Path(analysis.root.name).resolve().parent
        parts = [Path(file.name).resolve() for file in analysis.files]
        games = dict.fromkeys(game for part in parts if part.is_relative_to(folder) and part.suffix.lower() == PART
                              for game in self.texts.games(part))
        others = [analyse(self.texts.read(game), game, read=self.texts.read) for game in islice(games, MAX_GAMES)
                  if game != Path(analysis.root.name).resolve()]
        return [other for other in others if set(other.files) & set(analysis.files)]

    def _publish_quick(self, document: Document, quick: Quick, source: Source) -> bool:
        """Publish the problems that `Quick` finds; return whether it succeeded. Garbage collection is off meanwhile."""
        with without_collector():
            messages = quick.problems(source)
            if messages is None or not self._is_newest(document, source):
                return False
            names = document.analysis.known if document.analysis else Known()
            self.publish(document, Analysis(source, document.path, Stages(), messages, names, False, quick=True))
            return True

    def _rests(self, document: Document, source: Source, seconds: float) -> bool:
        """Block for `seconds`, or until the text is outdated; return whether it is still the newest."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self._is_newest(document, source):
                return False
            time.sleep(0.01)
        return True

    def _lint(self, document: Document, analysis: Analysis) -> None:
        if not self._rests(document, analysis.source, LINT_PAUSE) or document.analysis is not analysis:
            return
        is_newest = partial(self._is_newest, document, analysis.source)
        try:
            linted = replace(analysis, lints=lints_of(analysis)) if analysis.is_read else settled(analysis, is_newest)
        except Superseded:
            return
        with self._lock:
            if linted is analysis or document.analysis is not analysis or not is_newest():
                return
            document.analysis = linted
        self.publish(document, linted)
