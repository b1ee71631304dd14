"""The workshop for asyncio programs: callers await the analysis of the current text."""

import asyncio
from collections.abc import Callable

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.workshop import Document, Workshop
from zrf_py.text.diagnostics import ZrfError

MAX_WAIT = 20.0
"""Seconds to wait for a text to be compiled."""


class Changed(Exception):
    """The text changed while its analysis was awaited."""


class Awaited(Workshop):
    """A workshop whose `publish` is called on the event loop of `begin`, and only for current documents."""

    def __init__(self, publish: Callable[[Document, Analysis], None]) -> None:
        super().__init__(self._from_thread)
        self._tell = publish
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: asyncio.Event | None = None

    def begin(self) -> None:
        """Bind to the running event loop; idempotent."""
        if self._loop is None:
            self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()

    def change(self, name: str, text: str, version: int) -> Document | None:
        document = super().change(name, text, version)
        self._wake()
        return document

    def _wake(self) -> None:
        """Wake all waiters, to check for a result or a changed text."""
        if self._news is not None:
            self._news.set()
            self._news = asyncio.Event()

    def _from_thread(self, document: Document, analysis: Analysis) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._on_loop, document, analysis)

    def _on_loop(self, document: Document, analysis: Analysis) -> None:
        self._wake()
        if analysis.source is document.source and self.documents.get(document.name) is document:
            self._tell(document, analysis)

    async def current(self, document: Document) -> Analysis:
        """Wait for the analysis of the current text.

        :raises Changed: if the text changes in the meantime. :raises ZrfError: after `MAX_WAIT` seconds.
        """
        source = document.source
        end = asyncio.get_running_loop().time() + MAX_WAIT
        while (analysis := document.current) is None:
            assert self._news is not None
            try:
                await asyncio.wait_for(self._news.wait(), end - asyncio.get_running_loop().time())
            except TimeoutError:
                raise ZrfError("reading the rules takes too long", "too-slow") from None
            if document.source is not source or self.documents.get(document.name) is not document:
                raise Changed
        return analysis
