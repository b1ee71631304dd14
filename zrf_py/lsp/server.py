"""The language server itself: keeps the open texts, answers requests, publishes problems as they are found.

An answer is about the text at the time of the request. If it depends on compiling, it waits; if the text has changed
by then, the answer is the protocol's `ContentModified`, and the editor repeats the request.
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
from zrf_py.author.editor import colours
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.balance import settled
from zrf_py.author.editor.complete import completions
from zrf_py.author.editor.complete import signature as signature_at
from zrf_py.author.editor.fixes import fixes
from zrf_py.author.editor.hover import hover
from zrf_py.author.editor.names import names_of
from zrf_py.author.editor.outline import folds, includes, outline, playables
from zrf_py.author.editor.problems import problems
from zrf_py.author.editor.rename import definitions, references, renamable, rename
from zrf_py.author.editor.room import Bench, Changed, Room
from zrf_py.author.editor.workshop import Document
from zrf_py.author.format.files import format_text
from zrf_py.author.trials import trying
from zrf_py.author.trials.margin import in_words
from zrf_py.hosts import Lost, Pool
from zrf_py.lsp import shapes
from zrf_py.lsp.boards import Boards, picture
from zrf_py.lsp.shapes import extent, location, offset, path_of, position
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source, Span

Answer = TypeVar("Answer", bound=Callable[[Bench, Document, Any], Any])
PLAY, BOARD = "zrf.play", "zrf.board"


class Refused(JsonRpcException):
    """The request can't be served; the message is the reason."""

    CODE = t.LSPErrorCodes.RequestFailed
    MESSAGE = "the request can't be served"


class Modified(JsonRpcException):
    """The text has changed since the request."""

    CODE = t.LSPErrorCodes.ContentModified
    MESSAGE = "the text has changed"


class Protocol(LanguageServerProtocol):
    """Protocol that answers a request by an error if its parameters are invalid; else the editor would wait forever."""

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
        self.room = Room(diagnostics_of, self._publish)
        self.boards = Boards()
        self.trials = Pool(1)

    def _publish(self, name: str, version: int, news: list[t.Diagnostic] | ZrfError) -> None:
        if isinstance(news, ZrfError):
            news = [t.Diagnostic(extent(Source("", ""), 0, 0), f"{d.message}\n{d.help}", t.DiagnosticSeverity.Error,
                                 d.code, source="zrf") for d in news.diagnostics]
        self.text_document_publish_diagnostics(t.PublishDiagnosticsParams(name, news, version))

    async def ask(self, uri: str | None, answer: Callable[..., Any], *args: Any) -> Any:
        """Return `answer(bench, document, *args)` for an open text, called in the analysis process (`room`).

        :raises Modified: if the text changes meanwhile.
        :raises Refused: if the request fails.
        """
        try:
            return await self.room.ask(uri, answer, *args)
        except Changed:
            raise Modified from None
        except ZrfError as error:
            raise _refused(error) from None


def diagnostics_of(bench: Bench, document: Document, analysis: Analysis) -> list[t.Diagnostic]:
    """Return the problems of a text."""
    return [shapes.diagnostic(problem, analysis.source, uris_of(bench)) for problem in problems(analysis)]


def uris_of(bench: Bench) -> dict[str, str]:
    """Return the URIs of open documents, by the names of their sources."""
    return {document.source.name: uri for uri, document in bench.documents.items()}


def _refused(error: ZrfError) -> Refused:
    problem = error.diagnostics[0]
    return Refused(f"{problem.message}; {problem.help}" if problem.help else problem.message)


server = Server()


def about(feature: str, options: Any = None) -> Callable[[Answer], Answer]:
    """Return a decorator that registers a function to answer requests about a text, in the process of the `room`."""
    def register(answer: Answer) -> Answer:
        @server.feature(feature, options)
        async def ask(params: Any) -> Any:
            return await server.ask(params.text_document.uri, answer, params)

        return answer

    return register


@server.feature(t.INITIALIZED)
async def initialized(params: t.InitializedParams) -> None:
    server.room.begin()


@server.feature(t.TEXT_DOCUMENT_DID_OPEN)
async def opened(params: t.DidOpenTextDocumentParams) -> None:
    server.room.begin()
    item = params.text_document
    server.room.take(item.uri, path_of(item.uri), item.text, item.version)


@server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
async def changed(params: t.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    text = server.workspace.get_text_document(uri).source
    server.room.change(uri, text, params.text_document.version)


@server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
@server.feature(t.TEXT_DOCUMENT_DID_SAVE)
async def saved(params: t.DidSaveTextDocumentParams | t.DidChangeWatchedFilesParams) -> None:
    """Recompile the open texts that include files just saved by the editor or another program."""
    server.room.reread()


@server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
async def closed(params: t.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    server.room.close(uri)
    server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, []))


@server.feature(t.SHUTDOWN)
async def ended(params: None) -> None:
    server.room.end()
    server.boards.end()
    await asyncio.to_thread(server.trials.close)


@about(t.TEXT_DOCUMENT_HOVER)
def hovered(bench: Bench, document: Document, params: t.HoverParams) -> t.Hover | None:
    analysis = bench.current(document)
    info = hover(analysis, offset(analysis.source, params.position))
    if info is None:
        return None
    return t.Hover(t.MarkupContent(t.MarkupKind.Markdown, info.text), extent(analysis.source, info.start, info.end))


@about(t.TEXT_DOCUMENT_DEFINITION)
def defined(bench: Bench, document: Document, params: t.DefinitionParams) -> list[t.Location]:
    analysis, uris = bench.current(document), uris_of(bench)
    return [location(span, uris) for span in definitions(analysis, offset(analysis.source, params.position))]


@about(t.TEXT_DOCUMENT_REFERENCES)
def referred(bench: Bench, document: Document, params: t.ReferenceParams) -> list[t.Location]:
    analysis, uris = bench.current(document), uris_of(bench)
    spans = references(analysis, offset(analysis.source, params.position), params.context.include_declaration,
                       bench.games(analysis))
    return [location(span, uris) for span in spans]


@about(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def highlighted(bench: Bench, document: Document, params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
    analysis = bench.current(document)
    source, names = analysis.source, names_of(analysis)
    places = [o for name in names.at(source, offset(source, params.position)) for o in names.of(name.key)
              if o.span.source is source]
    return [t.DocumentHighlight(extent(source, o.span.start, o.span.end), t.DocumentHighlightKind.Write if o.defines
                                else t.DocumentHighlightKind.Read) for o in places]


@about(t.TEXT_DOCUMENT_PREPARE_RENAME)
def can_rename(bench: Bench, document: Document, params: t.PrepareRenameParams) -> t.Range:
    analysis = bench.current(document)
    span = renamable(analysis, offset(analysis.source, params.position))
    return extent(analysis.source, span.start, span.end)


@about(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
def renamed(bench: Bench, document: Document, params: t.RenameParams) -> t.WorkspaceEdit:
    analysis = bench.current(document)
    edits = rename(analysis, offset(analysis.source, params.position), params.new_name, bench.games(analysis))
    return shapes.workspace_edit(edits, uris_of(bench))


@about(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def symbols(bench: Bench, document: Document, params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:
    analysis = bench.current(document)
    return [shapes.symbol(part, analysis.source) for part in outline(analysis)]


@server.feature(t.WORKSPACE_SYMBOL)
async def workspace_symbols(params: t.WorkspaceSymbolParams) -> list[t.WorkspaceSymbol]:
    """Return the symbols that match the query, in open files and the files that are compiled together with them."""
    return list(await server.ask(None, matching, params.query))


def matching(bench: Bench, _: None, query: str) -> list[t.WorkspaceSymbol]:
    texts = {file.name: analysis.of(file) for document in list(bench.documents.values())
             if (analysis := document.analysis) for file in analysis.files}
    return [symbol for analysis in texts.values() for symbol in shapes.symbols(analysis, query, uris_of(bench))]


@about(t.TEXT_DOCUMENT_DOCUMENT_LINK)
def links(bench: Bench, document: Document, params: t.DocumentLinkParams) -> list[t.DocumentLink]:
    analysis = bench.current(document)
    source, uris = analysis.source, uris_of(bench)
    return [t.DocumentLink(extent(source, start, end), target=location(Span(file, 0, 0), uris).uri)
            for start, end, file in includes(analysis)]


@about(t.TEXT_DOCUMENT_FOLDING_RANGE)
def folded(bench: Bench, document: Document, params: t.FoldingRangeParams) -> list[t.FoldingRange]:
    return [shapes.fold(fold) for fold in folds(document.source)]


@about(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, shapes.LEGEND)
def tokens(bench: Bench, document: Document, params: t.SemanticTokensParams) -> t.SemanticTokens:
    analysis = bench.current(document)
    return t.SemanticTokens(shapes.tokens(colours.coloured(analysis), analysis.source))


@about(t.TEXT_DOCUMENT_INLAY_HINT)
def inlays(bench: Bench, document: Document, params: t.InlayHintParams) -> list[t.InlayHint]:
    analysis = bench.current(document)
    source = analysis.source
    hints = colours.notes(analysis, offset(source, params.range.start), offset(source, params.range.end))
    return [t.InlayHint(position(source, note.offset), note.text, padding_left=True) for note in hints]


@about(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensOptions(resolve_provider=True))
def lenses(bench: Bench, document: Document, params: t.CodeLensParams) -> list[t.CodeLens]:
    analysis = bench.current(document)
    places = [(extent(analysis.source, game.start, game.start), [document.name, game.title])
              for game in playables(analysis) if game.ok]
    return [lens for place, arguments in places for lens in (
        t.CodeLens(place, t.Command("play", command=PLAY, arguments=arguments)),
        t.CodeLens(place, t.Command("show board", command=BOARD, arguments=arguments)),
        t.CodeLens(place, data=arguments))]


@server.feature(t.CODE_LENS_RESOLVE)
async def judged(lens: t.CodeLens) -> t.CodeLens:
    """Resolve a visible lens: play random games for a second in another process, and sum them up in the title."""
    uri, title = lens.data or ("", "")
    name, text = await server.ask(uri, root)
    try:
        played = await asyncio.wrap_future(server.trials.submit(
            trying.answer, "margin", text, Path(name), {"title": title}, seconds=trying.SECONDS["margin"]))
        summary = in_words(played["line"])
    except (ZrfError, Lost) as error:
        summary = f"no random games: {error.diagnostics[0].message if isinstance(error, ZrfError) else error}"
    return t.CodeLens(lens.range, t.Command(summary, command=""))


def root(bench: Bench, document: Document) -> tuple[str, str]:
    """Return the name and the text of the rules file that a text belongs to."""
    source = bench.current(document).root
    return source.name, source.text


@server.feature(t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=["(", " ", '"', "/"]))
async def completed(params: t.CompletionParams) -> Any:
    typing = server.client_capabilities.text_document and server.client_capabilities.text_document.completion
    snippets = bool(typing and typing.completion_item and typing.completion_item.snippet_support)
    return await server.ask(params.text_document.uri, offered, params, snippets)


def offered(bench: Bench, document: Document, params: t.CompletionParams, snippets: bool) -> t.CompletionList:
    """Return completions for a place in the current text, with names of the last analysis; if there is none, wait."""
    analysis = document.analysis or bench.current(document)
    source = document.source
    result = completions(analysis, source, offset(source, params.position), snippets)
    word_range = extent(source, result.start, result.end)
    return t.CompletionList(not result.complete, [shapes.completion(item, word_range) for item in result.items])


@about(t.TEXT_DOCUMENT_SIGNATURE_HELP, t.SignatureHelpOptions(trigger_characters=["(", " "]))
def signed(bench: Bench, document: Document, params: t.SignatureHelpParams) -> t.SignatureHelp | None:
    analysis = document.analysis or bench.current(document)
    signature = signature_at(analysis, document.source, offset(document.source, params.position))
    return shapes.signature(signature) if signature else None


@about(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions(code_action_kinds=[t.CodeActionKind.QuickFix]))
def actions(bench: Bench, document: Document, params: t.CodeActionParams) -> list[t.CodeAction]:
    analysis = settled(bench.current(document))
    source, uris = analysis.source, uris_of(bench)
    start, end = offset(source, params.range.start), offset(source, params.range.end)
    return [shapes.action(fix, shapes.diagnostic(problem, source, uris), uris) for problem in problems(analysis)
            if problem.start <= end and start <= problem.end for fix in fixes(analysis, problem.message)]


@about(t.TEXT_DOCUMENT_RANGE_FORMATTING)
@about(t.TEXT_DOCUMENT_FORMATTING)
def formatted(
    bench: Bench, document: Document, params: t.DocumentFormattingParams | t.DocumentRangeFormattingParams,
) -> list[t.TextEdit]:
    """Return the edits that format the text, or the lines of a range."""
    source = document.source
    result = format_text(source.name, source.text, document.path)
    if result.problems:
        raise ZrfError(result.problems[0].message)
    part = params.range if isinstance(params, t.DocumentRangeFormattingParams) else extent(source, 0, len(source.text))
    return [t.TextEdit(t.Range(t.Position(first, 0), t.Position(last, 0)), text) for first, last, text in result.edits()
            if first <= part.end.line and part.start.line < max(last, first + 1)]


@server.command(BOARD)
async def board(uri: str, title: str) -> dict[str, str]:
    """Return the title of a game, and its start position as SVG; if the editor doesn't show it, open it as a file."""
    drawing = dict(await server.ask(uri, drawn, title))
    if not _shows_boards(server):
        with tempfile.NamedTemporaryFile("w", suffix=".svg", delete=False, encoding="utf-8") as file:
            file.write(drawing["svg"])
        await _show(Path(file.name).as_uri())
    return drawing


def drawn(bench: Bench, document: Document, title: str) -> dict[str, str]:
    return picture(bench.current(document), title)


@server.command(PLAY)
async def play(uri: str, title: str) -> str:
    """Serve a board that follows the file; return its address."""
    path = path_of(uri)
    if path is None or not path.is_file():
        raise Refused("save the file first: the board shows the file on disk")
    try:
        address = await asyncio.to_thread(server.boards.address, path, title)
    except ZrfError as error:
        raise _refused(error) from None
    if not _shows_boards(server):
        await _show(address)
    return address


async def _show(uri: str) -> None:
    window = server.client_capabilities.window
    if window is not None and window.show_document is not None and window.show_document.support:
        await server.window_show_document_async(t.ShowDocumentParams(uri, external=True, take_focus=True))


def _shows_boards(of: Server) -> bool:
    """Return whether the editor has declared that it shows boards itself; other editors are asked to open them."""
    options = of.protocol.client_capabilities.experimental
    return bool(isinstance(options, dict) and options.get("zrfBoards"))
