"""An editor for tests: pygls's own client connected with the language server, for use in ordinary functions."""

from __future__ import annotations

import asyncio
import importlib
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from typing import Any

from lsprotocol import types as t
from pygls.io_ import run_async
from pygls.lsp.client import LanguageClient

from tests.playing import HANG, ROOT
from zrf_py.lsp.shapes import offset, position
from zrf_py.text.source import Source


class Feed(asyncio.StreamReader):
    """A pipe within an event loop: one end of the protocol writes, from any thread, and the other reads."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(1 << 24, loop)
        self.loop = loop

    def write(self, data: bytes) -> None:
        self.loop.call_soon_threadsafe(self.feed_data, data)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.feed_eof)


class Editor:
    """An editor: its open texts by URI, with their versions and the server's notifications.

    It is a context manager, which ends the server at its exit.

    The server is `zrf lsp` in a separate process if `apart`, else the same server on the client's loop.
    """

    def __init__(self, apart: bool = False, **experimental: bool) -> None:
        self.apart = apart
        self.experimental = experimental
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.client = LanguageClient("test", "1")
        self.texts: dict[str, tuple[int, str]] = {}
        self.diagnostics: dict[str, list[t.PublishDiagnosticsParams]] = {}
        self.shown: list[str] = []
        self.numbers = count()
        self.news = threading.Condition()

    def __enter__(self) -> Editor:
        self.thread.start()

        @self.client.feature(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: t.PublishDiagnosticsParams) -> None:
            with self.news:
                self.diagnostics.setdefault(params.uri, []).append(params)
                self.news.notify_all()

        @self.client.feature(t.WINDOW_SHOW_DOCUMENT)
        def _(params: t.ShowDocumentParams) -> t.ShowDocumentResult:
            self.shown.append(params.uri)
            return t.ShowDocumentResult(True)

        self.run(self.client.start_io(sys.executable, "-m", "zrf_py", "lsp", cwd=ROOT) if self.apart else self.beside())
        capabilities = t.ClientCapabilities(
            window=t.WindowClientCapabilities(show_document=t.ShowDocumentClientCapabilities(True)),
            experimental=self.experimental or None)
        self.initialized = self.ask(t.INITIALIZE, t.InitializeParams(capabilities, process_id=None, root_uri=None))
        self.client.initialized(t.InitializedParams())
        return self

    def __exit__(self, *exc: object) -> None:
        self.ask(t.SHUTDOWN, None)
        if self.apart:
            self.client.exit(None)
        else:
            self.to_server.close()
            self.to_client.close()
            self.run(self.ended())
        self.run(self.client.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def beside(self) -> None:
        """Connect the client with a new server on this loop."""
        from zrf_py.lsp import server as module

        server = importlib.reload(module).server
        self.to_server, self.to_client = Feed(self.loop), Feed(self.loop)
        self.client.protocol.set_writer(self.to_server)
        server.protocol.set_writer(self.to_client)
        self.client._async_tasks.append(asyncio.create_task(run_async(
            threading.Event(), self.to_client, self.client.protocol)))

        async def serve() -> None:
            await run_async(threading.Event(), self.to_server, server.protocol, None, server.report_server_error)
            server.shutdown()

        self.serving = asyncio.create_task(serve())

    async def ended(self) -> None:
        await self.serving

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(HANG)

    def ask(self, method: str, params: Any) -> Any:
        """Return the answer to a request, or raise the server's error."""
        return self.run(self._ask(method, params))

    def raw(self, method: str, params: object) -> Any:
        """Return the answer to a request with arbitrary parameters."""
        async def send() -> Any:
            protocol = self.client.protocol
            number = f"raw-{next(self.numbers)}"
            protocol._request_futures[number] = future = Future()
            protocol._send_data({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            return await asyncio.wrap_future(future)

        return self.run(send())

    def later(self, method: str, params: Any) -> Future[Any]:
        """Send a request without waiting for the answer."""
        return asyncio.run_coroutine_threadsafe(self._ask(method, params), self.loop)

    async def _ask(self, method: str, params: Any) -> Any:
        return await self.client.protocol.send_request_async(method, params)

    def at(self, method: str, uri: str, place: int | str, **more: Any) -> Any:
        """Return the answer to a request about an offset, or about the beginning of the first occurrence of a text."""
        where = self.place(uri, place)
        kinds: dict[str, type[Any]] = {
            t.TEXT_DOCUMENT_HOVER: t.HoverParams, t.TEXT_DOCUMENT_DEFINITION: t.DefinitionParams,
            t.TEXT_DOCUMENT_COMPLETION: t.CompletionParams, t.TEXT_DOCUMENT_SIGNATURE_HELP: t.SignatureHelpParams,
            t.TEXT_DOCUMENT_PREPARE_RENAME: t.PrepareRenameParams,
            t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: t.DocumentHighlightParams,
            t.TEXT_DOCUMENT_REFERENCES: t.ReferenceParams, t.TEXT_DOCUMENT_RENAME: t.RenameParams}
        return self.ask(method, kinds[method](
            text_document=t.TextDocumentIdentifier(uri), position=where, **more))

    def place(self, uri: str, place: int | str) -> t.Position:
        text = self.texts[uri][1]
        return position(Source("", text), text.index(place) if isinstance(place, str) else place)

    # --------------------------------------------------------------------------------------------------- documents

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a file (or another text in its place), and wait for its diagnostics; return its URI."""
        uri = path.resolve().as_uri()
        self.texts[uri] = (1, path.read_text("utf-8") if text is None else text)
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(
            t.TextDocumentItem(uri, "zrf", 1, self.texts[uri][1])))
        self.heard(uri)
        return uri

    def change(self, uri: str, start: int, end: int, new: str, wait: bool = True) -> list[t.Diagnostic]:
        """Replace a part of the text; return the diagnostics of the new text, or [] at once without `wait`."""
        version, text = self.texts[uri]
        source = Source("", text)
        part = t.TextDocumentContentChangePartial(t.Range(position(source, start), position(source, end)), new)
        self.texts[uri] = (version + 1, text[:start] + new + text[end:])
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(
            t.VersionedTextDocumentIdentifier(uri=uri, version=version + 1), [part]))
        return self.heard(uri) if wait else []

    def replace(self, uri: str, old: str, new: str) -> list[t.Diagnostic]:
        start = self.texts[uri][1].index(old)
        return self.change(uri, start, start + len(old), new)

    def heard(self, uri: str, count: int = 1) -> list[t.Diagnostic]:
        """Wait for `count` notifications about the current text (2: until the lints are there); return the last one's
        diagnostics."""
        version = self.texts[uri][0]

        def found() -> list[t.PublishDiagnosticsParams]:
            return [p for p in self.diagnostics.get(uri, []) if p.version == version]

        with self.news:
            assert self.news.wait_for(lambda: len(found()) >= count, HANG)
            return list(found()[-1].diagnostics)

    def heard_when(self, uri: str, holds: Callable[[list[t.Diagnostic]], object]) -> list[t.Diagnostic]:
        """Wait until the latest diagnostics of a text satisfy the condition; return them."""
        def last() -> list[t.Diagnostic]:
            return list(self.diagnostics[uri][-1].diagnostics)

        with self.news:
            assert self.news.wait_for(lambda: holds(last()), HANG)
            return last()

    def edited(self, text: str, edits: list[t.TextEdit]) -> str:
        """Return a text after edits of the protocol have been applied."""
        source = Source("", text)
        for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
            start, end = offset(source, edit.range.start), offset(source, edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        return text
