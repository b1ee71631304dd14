"""Conversion of the services' results to types of the language server protocol, and of offsets in a text to positions
of the protocol and back. Positions count lines from 0, and columns in UTF-16 code units."""

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from lsprotocol import types as t

from zrf_py.author.editor import analysis as kinds
from zrf_py.author.editor import colours, complete, fixes, outline, problems, rename
from zrf_py.author.editor.analysis import Analysis
from zrf_py.text.grouping import by_key
from zrf_py.text.source import Source, Span


def position(source: Source, offset: int) -> t.Position:
    """Return the position of an offset."""
    line, column = source.position(min(offset, len(source.text)))
    before = source.text[source.line_starts[line - 1] : source.line_starts[line - 1] + column - 1]
    return t.Position(line - 1, _units(before))


def extent(source: Source, start: int, end: int) -> t.Range:
    """Return the range between two offsets."""
    return t.Range(position(source, start), position(source, end))


def offset(source: Source, place: t.Position) -> int:
    """Return the offset of a position; if it is beyond the end of its line or of the text, the offset of that end."""
    starts = source.line_starts
    if place.line >= len(starts):
        return len(source.text)
    start = starts[place.line]
    end = starts[place.line + 1] - 1 if place.line + 1 < len(starts) else len(source.text)
    line = source.text[start:end]
    if line.isascii():
        return start + min(place.character, len(line))
    units = line.encode("utf-16-le")[: 2 * place.character]
    return start + len(units.decode("utf-16-le", "ignore"))


def path_of(uri: str) -> Path | None:
    """Return the file of a URI; None if it isn't the URI of a file."""
    parts = urlsplit(uri)
    return Path(url2pathname(parts.path)) if parts.scheme == "file" else None


def location(span: Span, uris: dict[str, str]) -> t.Location:
    """Return the location of a span; `uris` maps the names of open sources to their URIs."""
    name = span.source.name
    uri = uris.get(name) or Path(name).resolve().as_uri()
    return t.Location(uri, extent(span.source, span.start, span.end))


SEVERITY = {"error": t.DiagnosticSeverity.Error, "warning": t.DiagnosticSeverity.Warning,
            "note": t.DiagnosticSeverity.Information}

TOKEN = {
    colours.KEYWORD: "keyword", colours.COMMENT: "comment", colours.STRING: "string", colours.NUMBER: "number",
    colours.SLOTS: "parameter", kinds.MACRO: "macro", kinds.PIECE: "class", kinds.POSITION: "enumMember",
    kinds.DIRECTION: "function", kinds.PLAYER: "interface", kinds.ZONE: "namespace", kinds.ATTRIBUTE: "property",
    kinds.MOVE_TYPE: "type", kinds.FLAG: "variable", kinds.POSITION_FLAG: "variable", kinds.COUNTER: "variable",
    kinds.MEASURE: "struct", kinds.TEAM: "enum",
}
LEGEND = t.SemanticTokensLegend(sorted(set(TOKEN.values())), ["definition"])

COMPLETION = {complete.KEYWORD: t.CompletionItemKind.Keyword, complete.VALUE: t.CompletionItemKind.Value,
              complete.SNIPPET: t.CompletionItemKind.Snippet,
              kinds.MACRO: t.CompletionItemKind.Function, kinds.PIECE: t.CompletionItemKind.Class,
              kinds.POSITION: t.CompletionItemKind.EnumMember, kinds.DIRECTION: t.CompletionItemKind.Operator,
              kinds.PLAYER: t.CompletionItemKind.Interface, kinds.ZONE: t.CompletionItemKind.Module}

SYMBOL = {"game": t.SymbolKind.Package, "variant": t.SymbolKind.Package, "define": t.SymbolKind.Function,
          "piece": t.SymbolKind.Class, "zone": t.SymbolKind.Namespace, "measure": t.SymbolKind.Struct,
          "board": t.SymbolKind.Module, "grid": t.SymbolKind.Array, "links": t.SymbolKind.Operator,
          "option": t.SymbolKind.Boolean, "players": t.SymbolKind.Interface, "moves": t.SymbolKind.Method,
          "drops": t.SymbolKind.Method, "counter": t.SymbolKind.Variable, "include": t.SymbolKind.File}


def diagnostic(problem: problems.Problem, source: Source, uris: dict[str, str]) -> t.Diagnostic:
    """Convert a problem to a diagnostic; its related places, such as macro calls, become related locations."""
    message = problem.message
    related = [t.DiagnosticRelatedInformation(location(span, uris), words) for span, words in problem.related]
    return t.Diagnostic(
        extent(source, problem.start, problem.end), problem.text, severity=SEVERITY[message.severity],
        code=message.code, source="zrf", related_information=related or None,
        tags=[t.DiagnosticTag.Unnecessary] if problem.is_needless else None)


def completion(item: complete.Completion, word_range: t.Range) -> t.CompletionItem:
    form = t.InsertTextFormat.Snippet if item.body else t.InsertTextFormat.PlainText
    return t.CompletionItem(
        item.word, kind=COMPLETION.get(item.kind, t.CompletionItemKind.Variable), detail=item.detail or None,
        documentation=t.MarkupContent(t.MarkupKind.Markdown, item.text) if item.text else None,
        insert_text_format=form, text_edit=t.TextEdit(word_range, item.body or item.word),
        sort_text=f"{_rank(item)}{item.word}")


def _rank(item: complete.Completion) -> int:
    """Return the sort rank of a completion: names (they fit in the fewest places), then keywords, macros, snippets."""
    return {complete.KEYWORD: 1, kinds.MACRO: 2, complete.SNIPPET: 3}.get(item.kind, 0)


def signature(entry: complete.Signature) -> t.SignatureHelp:
    information = t.SignatureInformation(
        entry.label, documentation=t.MarkupContent(t.MarkupKind.Markdown, entry.text) if entry.text else None,
        parameters=[t.ParameterInformation(part) for part in entry.parts], active_parameter=max(entry.active, 0))
    return t.SignatureHelp([information], active_signature=0, active_parameter=max(entry.active, 0))


def symbol(part: outline.Symbol, source: Source) -> t.DocumentSymbol:
    return t.DocumentSymbol(
        part.name, SYMBOL.get(part.kind, t.SymbolKind.Object), extent(source, part.start, part.end),
        extent(source, part.name_start, part.name_end), detail=part.detail or None,
        children=[symbol(child, source) for child in part.children])


def symbols(analysis: Analysis, query: str, uris: dict[str, str]) -> list[t.WorkspaceSymbol]:
    """Return the named symbols of a text, nested ones too, whose names contain the letters of the query in order."""
    letters = re.compile(".*".join(map(re.escape, query)), re.IGNORECASE)
    todo, matches = outline.outline(analysis), []
    for part in todo:
        todo += part.children
        if part.detail and letters.search(part.name):
            place = location(Span(analysis.source, part.name_start, part.name_end), uris)
            matches.append(t.WorkspaceSymbol(place, part.name, SYMBOL.get(part.kind, t.SymbolKind.Object)))
    return matches


def fold(region: outline.Fold) -> t.FoldingRange:
    return t.FoldingRange(region.first, region.last, kind=t.FoldingRangeKind.Comment if region.comment else None)


def workspace_edit(edits: Iterable[rename.Edit], uris: dict[str, str]) -> t.WorkspaceEdit:
    places = ((location(edit.span, uris), edit.text) for edit in edits)
    return t.WorkspaceEdit(changes=by_key((place.uri, t.TextEdit(place.range, text)) for place, text in places))


def action(fix: fixes.Fix, mended: t.Diagnostic, uris: dict[str, str]) -> t.CodeAction:
    return t.CodeAction(fix.title, kind=t.CodeActionKind.QuickFix, diagnostics=[mended],
                        is_preferred=fix.sure or None, edit=workspace_edit(fix.edits, uris))


def tokens(words: Iterable[colours.Coloured], source: Source) -> list[int]:
    """Encode each token as five numbers, relative to the token before; a string of several lines is several tokens."""
    data: list[int] = []
    numbers = {name: n for n, name in enumerate(LEGEND.token_types)}
    last_line = last_column = 0
    for word in words:
        line, column = source.position(word.start)
        text = source.text[source.line_starts[line - 1] : word.end]
        for n, part in enumerate(text.split("\n")):
            begin = column - 1 if n == 0 else 0
            before, piece = part[:begin], part[begin:].rstrip("\r")
            length, left = _units(piece), _units(before)
            if not length:
                continue
            at = line - 1 + n
            data += [at - last_line, left - (last_column if at == last_line else 0), length,
                     numbers[TOKEN[word.colour]], int(word.defines)]
            last_line, last_column = at, left
    return data


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
