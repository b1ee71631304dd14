"""The language server itself: keeps the open texts, answers requests, publishes problems as they are found.

An answer is about the text as it was at the request. If it needs the compiled text, it waits for it; if the text has
changed by then, the answer is the protocol's `ContentModified`, and the editor repeats the request.
"""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from zrf_py import __version__
from zrf_py.author.editor import awaited, colours, workshop
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.complete import completions
from zrf_py.author.editor.complete import signature as signature_at
from zrf_py.author.editor.fixes import fixes
from zrf_py.author.editor.hover import hover
from zrf_py.author.editor.names import names_of
from zrf_py.author.editor.outline import folds, includes, outline, playables
from zrf_py.author.editor.problems import problems
from zrf_py.author.editor.rename import definitions, references, renamable, rename
from zrf_py.author.format.files import format_text
from zrf_py.author.trials import trying
from zrf_py.author.trials.margin import in_words
from zrf_py.hosts import Lost, Pool
from zrf_py.lsp import shapes
from zrf_py.lsp.boards import Boards, picture
from zrf_py.lsp.places import extent, location, offset, path_of, position
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source, Span

T = TypeVar("T")
PLAY, BOARD = "zrf.play", "zrf.board"


class Refused(JsonRpcException):
    """The request can't be served, for a reason in words."""

    CODE = t.LSPErrorCodes.RequestFailed
    MESSAGE = "can't be done"


class Modified(JsonRpcException):
    """The text has changed since the request."""

    CODE = t.LSPErrorCodes.ContentModified
    MESSAGE = "the text has changed"


class Protocol(LanguageServerProtocol):
    """The protocol, with an answer to requests whose parameters can't be read, or the editor would wait for ever."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=JsonRpcInvalidParams(
                    f"the parameters of {data['method']} are invalid").to_response_error())
            raise error from None


class Server(LanguageServer):
    """A language server with its documents."""

    def __init__(self) -> None:
        super().__init__("zrf", __version__, text_document_sync_kind=t.TextDocumentSyncKind.Incremental,
                         protocol_cls=Protocol)
        self.workshop = awaited.Awaited(self._publish)
        self.boards = Boards()
        self.trials = Pool(1)

    def _publish(self, document: workshop.Document, analysis: Analysis) -> None:
        uris = self.uris()
        diagnostics = [shapes.diagnostic(problem, document.source, uris) for problem in problems(analysis)]
        self.text_document_publish_diagnostics(t.PublishDiagnosticsParams(document.name, diagnostics, document.version))

    def uris(self) -> dict[str, str]:
        """Return the URIs of open documents, by the names of their sources."""
        return {document.source.name: uri for uri, document in self.workshop.documents.items()}

    def document(self, uri: str) -> workshop.Document:
        """Return an open document.

        :raises Refused: if it isn't open.
        """
        document = self.workshop.documents.get(uri)
        if document is None:
            raise Refused(f"{uri} is not open")
        return document

    async def current(self, uri: str) -> Analysis:
        """Wait for the analysis of the current text and return it.

        :raises Modified: if the text changes meanwhile.
        """
        try:
            return await self.workshop.current(self.document(uri))
        except awaited.Changed:
            raise Modified from None
        except ZrfError as error:
            raise Refused(error.summary()) from None


server = Server()


# ---------------------------------------------------------------------------------------------------------- documents


@server.feature(t.INITIALIZED)
async def initialized(params: t.InitializedParams) -> None:
    server.workshop.begin()


@server.feature(t.TEXT_DOCUMENT_DID_OPEN)
async def opened(params: t.DidOpenTextDocumentParams) -> None:
    server.workshop.begin()
    item = params.text_document
    server.workshop.take(item.uri, path_of(item.uri), item.text, item.version)


@server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
async def changed(params: t.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    text = server.workspace.get_text_document(uri).source
    server.workshop.change(uri, text, params.text_document.version)


@server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
@server.feature(t.TEXT_DOCUMENT_DID_SAVE)
async def saved(params: t.DidSaveTextDocumentParams | t.DidChangeWatchedFilesParams) -> None:
    """Compile again after files were saved, by the editor or another program: open texts may include them."""
    server.workshop.reread()


@server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
async def closed(params: t.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    server.workshop.close(uri)
    server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, []))


@server.feature(t.SHUTDOWN)
async def ended(params: None) -> None:
    server.workshop.end()
    server.boards.end()
    await asyncio.to_thread(server.trials.close)


# ----------------------------------------------------------------------------------------------------------- meanings


@server.feature(t.TEXT_DOCUMENT_HOVER)
async def hovered(params: t.HoverParams) -> t.Hover | None:
    analysis = await server.current(params.text_document.uri)
    info = hover(analysis, offset(analysis.source, params.position))
    if info is None:
        return None
    return t.Hover(t.MarkupContent(t.MarkupKind.Markdown, info.text), extent(analysis.source, info.start, info.end))


@server.feature(t.TEXT_DOCUMENT_DEFINITION)
async def defined(params: t.DefinitionParams) -> list[t.Location]:
    analysis = await server.current(params.text_document.uri)
    uris = server.uris()
    return [location(span, uris) for span in definitions(analysis, offset(analysis.source, params.position))]


@server.feature(t.TEXT_DOCUMENT_REFERENCES)
async def referred(params: t.ReferenceParams) -> list[t.Location]:
    analysis = await server.current(params.text_document.uri)
    uris = server.uris()
    others = await asyncio.to_thread(server.workshop.games, analysis)
    spans = references(analysis, offset(analysis.source, params.position), params.context.include_declaration, others)
    return [location(span, uris) for span in spans]


@server.feature(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
async def highlighted(params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
    analysis = await server.current(params.text_document.uri)
    source, names = analysis.source, names_of(analysis)
    places = [o for name in names.at(source, offset(source, params.position)) for o in names.of(name.key)
              if o.span.source is source]
    return [t.DocumentHighlight(extent(source, o.span.start, o.span.end), t.DocumentHighlightKind.Write if o.defines
                                else t.DocumentHighlightKind.Read) for o in places]


@server.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
async def can_rename(params: t.PrepareRenameParams) -> t.Range:
    analysis = await server.current(params.text_document.uri)
    span = _or_refused(lambda: renamable(analysis, offset(analysis.source, params.position)))
    return extent(analysis.source, span.start, span.end)


@server.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
async def renamed(params: t.RenameParams) -> t.WorkspaceEdit:
    analysis = await server.current(params.text_document.uri)
    at = offset(analysis.source, params.position)
    others = await asyncio.to_thread(server.workshop.games, analysis)
    return shapes.workspace_edit(_or_refused(lambda: rename(analysis, at, params.new_name, others)), server.uris())


def _or_refused(service: Callable[[], T]) -> T:
    try:
        return service()
    except ZrfError as error:
        problem = error.diagnostics[0]
        raise Refused(f"{problem.message}; {problem.help}" if problem.help else problem.message) from None


# -------------------------------------------------------------------------------------------------------- the outline


@server.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
async def symbols(params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:
    analysis = await server.current(params.text_document.uri)
    return [shapes.symbol(part, analysis.source) for part in outline(analysis)]


@server.feature(t.WORKSPACE_SYMBOL)
async def workspace_symbols(params: t.WorkspaceSymbolParams) -> list[t.WorkspaceSymbol]:
    """Return the symbols of open files, and of the files they belong with, whose names match the query."""
    texts = {file.name: analysis.of(file) for document in server.workshop.documents.values()
             if (analysis := document.analysis) for file in analysis.files}
    return [symbol for analysis in texts.values() for symbol in shapes.symbols(analysis, params.query, server.uris())]


@server.feature(t.TEXT_DOCUMENT_DOCUMENT_LINK)
async def links(params: t.DocumentLinkParams) -> list[t.DocumentLink]:
    analysis = await server.current(params.text_document.uri)
    source, uris = analysis.source, server.uris()
    return [t.DocumentLink(extent(source, start, end), target=location(Span(file, 0, 0), uris).uri)
            for start, end, file in includes(analysis)]


@server.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
async def folded(params: t.FoldingRangeParams) -> list[t.FoldingRange]:
    return [shapes.fold(fold) for fold in folds(server.document(params.text_document.uri).source)]


@server.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, shapes.LEGEND)
async def tokens(params: t.SemanticTokensParams) -> t.SemanticTokens:
    analysis = await server.current(params.text_document.uri)
    return t.SemanticTokens(shapes.tokens(colours.coloured(analysis), analysis.source))


@server.feature(t.TEXT_DOCUMENT_INLAY_HINT)
async def inlays(params: t.InlayHintParams) -> list[t.InlayHint]:
    analysis = await server.current(params.text_document.uri)
    source = analysis.source
    hints = colours.notes(analysis, offset(source, params.range.start), offset(source, params.range.end))
    return [t.InlayHint(position(source, note.offset), note.text, padding_left=True) for note in hints]


@server.feature(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensOptions(resolve_provider=True))
async def lenses(params: t.CodeLensParams) -> list[t.CodeLens]:
    uri = params.text_document.uri
    analysis = await server.current(uri)
    results = []
    for game in playables(analysis):
        line_start = extent(analysis.source, game.start, game.start)
        if game.ok:
            results.append(t.CodeLens(line_start, t.Command("play", command=PLAY, arguments=[uri, game.title])))
            results.append(t.CodeLens(line_start, t.Command("show board", command=BOARD, arguments=[uri, game.title])))
            results.append(t.CodeLens(line_start, data=[uri, game.title]))
    return results


@server.feature(t.CODE_LENS_RESOLVE)
async def judged(lens: t.CodeLens) -> t.CodeLens:
    """Play a second of random games, in a process of its own, once the lens is in view: its title sums them up."""
    uri, title = lens.data or ("", "")
    analysis = await server.current(uri)
    path = Path(analysis.root.name)
    try:
        played = await asyncio.wrap_future(server.trials.submit(
            trying.answer, "margin", analysis.root.text, path, {"title": title}, seconds=trying.SECONDS["margin"]))
        summary = in_words(played["line"])
    except (ZrfError, Lost) as error:
        summary = f"no random games: {error.diagnostics[0].message if isinstance(error, ZrfError) else error}"
    return t.CodeLens(lens.range, t.Command(summary, command=""))


# ------------------------------------------------------------------------------------------------------------- typing


@server.feature(t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=["(", " ", '"', "/"]))
async def completed(params: t.CompletionParams) -> t.CompletionList:
    """Complete without waiting: names come from the last analysis, the place from the current text."""
    document = server.document(params.text_document.uri)
    analysis = document.analysis or await server.current(params.text_document.uri)
    source = document.source
    typing = server.client_capabilities.text_document and server.client_capabilities.text_document.completion
    snippets = bool(typing and typing.completion_item and typing.completion_item.snippet_support)
    result = completions(analysis, source, offset(source, params.position), snippets)
    word_range = extent(source, result.start, result.end)
    return t.CompletionList(not result.complete, [shapes.completion(item, word_range) for item in result.items])


@server.feature(t.TEXT_DOCUMENT_SIGNATURE_HELP, t.SignatureHelpOptions(trigger_characters=["(", " "]))
async def signed(params: t.SignatureHelpParams) -> t.SignatureHelp | None:
    document = server.document(params.text_document.uri)
    analysis = document.analysis or await server.current(params.text_document.uri)
    signature = signature_at(analysis, document.source, offset(document.source, params.position))
    return shapes.signature(signature) if signature else None


@server.feature(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions(code_action_kinds=[t.CodeActionKind.QuickFix]))
async def actions(params: t.CodeActionParams) -> list[t.CodeAction]:
    uri = params.text_document.uri
    analysis = await server.current(uri)
    source, uris = analysis.source, server.uris()
    start, end = offset(source, params.range.start), offset(source, params.range.end)
    return [shapes.action(fix, shapes.diagnostic(problem, source, uris), uris) for problem in problems(analysis)
            if problem.start <= end and start <= problem.end for fix in fixes(analysis, problem.message)]


@server.feature(t.TEXT_DOCUMENT_RANGE_FORMATTING)
@server.feature(t.TEXT_DOCUMENT_FORMATTING)
async def formatted(params: t.DocumentFormattingParams | t.DocumentRangeFormattingParams) -> list[t.TextEdit]:
    """Return the edits that format the text, or the lines of a range."""
    document = server.document(params.text_document.uri)
    source: Source = document.source
    result = await asyncio.to_thread(format_text, source.name, source.text, document.path)
    if document.source is not source:
        raise Modified
    if result.problems:
        raise Refused(result.problems[0].message)
    part = params.range if isinstance(params, t.DocumentRangeFormattingParams) else extent(source, 0, len(source.text))
    return [t.TextEdit(t.Range(t.Position(first, 0), t.Position(last, 0)), text) for first, last, text in result.edits()
            if first <= part.end.line and part.start.line < max(last, first + 1)]


# ----------------------------------------------------------------------------------------------------------- commands


@server.command(BOARD)
async def board(uri: str, title: str) -> dict[str, str]:
    """Return the board of a game at the start, as SVG; an editor that can't show it opens it as a file."""
    analysis = await server.current(uri)
    drawing = await asyncio.to_thread(_or_refused, lambda: picture(analysis, title))
    if not _shows_boards(server):
        with tempfile.NamedTemporaryFile("w", suffix=".svg", delete=False, encoding="utf-8") as file:
            file.write(drawing["svg"])
        await _show(Path(file.name).as_uri())
    return drawing


@server.command(PLAY)
async def play(uri: str, title: str) -> str:
    """Serve a board that follows the file; return its address."""
    document = server.document(uri)
    if document.path is None or not document.path.is_file():
        raise Refused("save the file first: the board shows the file on disk")
    path = document.path
    address = await asyncio.to_thread(_or_refused, lambda: server.boards.address(path, title))
    if not _shows_boards(server):
        await _show(address)
    return address


async def _show(uri: str) -> None:
    window = server.client_capabilities.window
    if window is not None and window.show_document is not None and window.show_document.support:
        await server.window_show_document_async(t.ShowDocumentParams(uri, external=True, take_focus=True))


def _shows_boards(of: Server) -> bool:
    """Return whether the editor has declared that it shows the results of commands."""
    options = of.protocol.client_capabilities.experimental
    return bool(isinstance(options, dict) and options.get("zrfBoards"))
