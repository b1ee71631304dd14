"""Incremental compilation: the problems of a slightly changed text.

The text is cut into its outermost forms, each a source of its own, so that offsets in one don't move when another
grows. An unchanged form is the same object in every stage, so its expansion, syntax tree and operations come from
caches. Messages are reported only on first compilation, so results with errors are not cached.

The only result is the problems, or None if they aren't certain: the whole text is compiled soon afterwards anyway.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from zrf_py.author.editor.texts import Texts
from zrf_py.front.check import check
from zrf_py.front.expand import Expander
from zrf_py.front.forms import read_forms, tokens
from zrf_py.front.macros import collect, correct_defines, walk
from zrf_py.front.nodes import Form, Macro, Node
from zrf_py.front.parse import Memo, parse
from zrf_py.ir.emitter import FileScope
from zrf_py.ir.lower import look_up
from zrf_py.library import includer
from zrf_py.text.diagnostics import WHOLE_FILE, Diagnostic, Report, ZrfError
from zrf_py.text.packing import without_collector
from zrf_py.text.source import Expansion, Origin, Source, Span

MAX_TEXT = 250_000
"""Maximum number of characters of a text; in a longer one, a limit on whole files might be exceeded unnoticed."""
MAX_GROWTH = 4
"""Largest size of the memo, as a multiple of its size after the first text."""
MAX_FLAGS = 45
"""Maximum number of flags counted, including those of deleted lines, before they are counted again from scratch."""
_END = "\x00\x1a \t\r\n"


class _Lost(Exception):
    """The incremental state can't be used for this text."""


@dataclass(eq=False)
class _Chunk:
    """An outermost form with the blanks and comments before it; `files` are the texts it includes."""

    source: Source
    forms: tuple[Node, ...]
    diagnostics: tuple[Diagnostic, ...]
    defines: tuple[Form, ...]
    files: list[Source] = field(default_factory=list)


class Quick:
    """Incremental compiler of one file. Not thread-safe."""

    def __init__(self, path: Path | None, texts: Texts | None = None) -> None:
        self.path, self.texts = path, texts or Texts()
        self._forget()

    def _forget(self) -> None:
        self.chunks: list[_Chunk] = []
        self.expander: Expander | None = None
        self.macros: dict[str, Macro] = {}
        self.memo: Memo = {}
        self.scope = FileScope()
        self.size = 0

    def problems(self, source: Source) -> tuple[Diagnostic, ...] | None:
        """Return the messages of a text; None if it must be compiled as a whole."""
        with without_collector():
            try:
                return self._problems(source)
            except (_Lost, ZrfError):
                self._forget()
                return None

    def _problems(self, source: Source) -> tuple[Diagnostic, ...]:
        if len(source.text) > MAX_TEXT or (self.size and len(self.memo) > MAX_GROWTH * self.size):
            raise _Lost
        self.chunks = self._cut(source)
        report = Report(file=source)
        self._report_read_errors(report)
        forms = tuple(form for chunk in self.chunks for form in chunk.forms)
        expander = self._expander(report)
        before = len(report.items)
        expanded = expander.run(forms)
        spoke = len(report.items) > before
        tree = parse(expanded.nodes, expanded.macros, report, self.memo)
        if len(self.scope.flags) > MAX_FLAGS or len(self.scope.position_flags) > MAX_FLAGS:
            self.scope = FileScope()
        for game in check(tree, report):
            look_up(game, report, self.scope)
        report.part = WHOLE_FILE
        placed = tuple(self._placed(d, source) for d in report.items)
        self._keep(expander, report, spoke)
        return placed

    def _keep(self, expander: Expander, report: Report, spoke: bool) -> None:
        self.expander = None if spoke else expander
        if report.errors:
            self.memo = {key: row for key, row in self.memo.items() if not row[1] and row[0] is not None}
            self.scope.code = {key: row for key, row in self.scope.code.items() if not row[1]}
            self.scope.blocks = {key: errors for key, errors in self.scope.blocks.items() if not errors}
        if spoke:
            self.memo, self.scope = {}, FileScope()
        self.size = self.size or len(self.memo)

    def _cut(self, source: Source) -> list[_Chunk]:
        """Return the chunks of a text; those before and after the change are reused."""
        text = source.text.rstrip(_END)
        first, last = self._same(text)
        head, tail = self.chunks[:first], self.chunks[len(self.chunks) - last :]
        start = sum(len(c.source.text) for c in head)
        end = len(text) - sum(len(c.source.text) for c in tail)
        middle = list(_parts(text[start:end]))
        if middle and tail and ";" in middle[-1].rpartition("\n")[2] and not tail[0].source.text.startswith("\n"):
            raise _Lost  # a comment may have swallowed what follows
        chunks = [*head, *(self._read(part, source.name) for part in middle), *tail]
        return [c if all(map(self.texts.is_current, c.files)) else self._read(c.source.text, source.name)
                for c in chunks]

    def _same(self, text: str) -> tuple[int, int]:
        """Count the unchanged chunks at the beginning and at the end of a text."""
        at, first = 0, 0
        for chunk in self.chunks:
            if not text.startswith(chunk.source.text, at):
                break
            at += len(chunk.source.text)
            first += 1
        end, last = len(text), 0
        for chunk in reversed(self.chunks[first:]):
            begin = end - len(chunk.source.text)
            if begin < at or text[begin:end] != chunk.source.text:
                break
            end, last = begin, last + 1
        return first, last

    def _read(self, text: str, name: str) -> _Chunk:
        report, source = Report(), Source(name, text)
        if all(not line.strip() or line.lstrip().startswith(";") for line in text.split("\n")):
            return _Chunk(source, (), (), ())
        files: list[Source] = []

        def reading(path: Path) -> Source:
            files.append(self.texts.read(path))
            return files[-1]

        include = includer(self.path, report, read=reading) if self.path else lambda name_, origin: None
        forms = correct_defines(read_forms(source, report, include), report)
        if report.errors or sum(len(file.text) for file in files) + len(text) > MAX_TEXT:
            raise _Lost
        defines = tuple(form for form in walk(forms) if form.head == "define")
        return _Chunk(source, forms, tuple(report.items), defines, files)

    def _report_read_errors(self, report: Report) -> None:
        """Add the reader's messages to `report`; an odd name is reported once, not once per chunk."""
        odd_names: set[str] = set()
        for chunk in self.chunks:
            for message in chunk.diagnostics:
                if message.code != "odd-name" or message.message not in odd_names:
                    odd_names.add(message.message)
                    report.add(message.code, message.message, message.origin, label=message.label, notes=message.notes,
                               help=message.help, severity=message.severity, related=message.related)

    def _expander(self, report: Report) -> Expander:
        """Return an expander for the macros of this text that keeps the valid results of the last one."""
        macros = collect(tuple(d for chunk in self.chunks for d in chunk.defines), report)
        for name, macro in macros.items():
            old = self.macros.get(name)
            if old and old.definition.source is macro.definition.source and old.definition == macro.definition:
                macros[name] = old
        before, self.macros = self.macros, macros
        if self.expander is None:
            return Expander(macros, report)
        if len(before) == len(macros) and all(before.get(name) is macro for name, macro in macros.items()):
            self.expander.begin(report)
            return self.expander
        owners: dict[Form, str] = {}
        for chunk in self.chunks:
            for form in walk(chunk.forms):
                owners.setdefault(form, "")
        for name, macro in macros.items():
            for form in walk(macro.body):
                owners[form] = name
        return self.expander.anew(macros, report, owners.get)

    def _placed(self, message: Diagnostic, source: Source) -> Diagnostic:
        """Convert a message with places in chunks to one with places in the text."""
        bases: dict[int, int] = {}
        at = 0
        for chunk in self.chunks:
            bases[id(chunk.source)] = at
            at += len(chunk.source.text)

        def span(old: Span) -> Span | None:
            if id(old.source) in bases:
                base = bases[id(old.source)]
                return Span(source, old.start + base, old.end + base)
            return None if old.source.name == source.name and old.source is not source else old

        def call(via: Expansion | None) -> Expansion | None:
            if via is None:
                return None
            caller, above = span(via.call), call(via.parent)
            return replace(via, call=caller, definition=span(via.definition) or via.definition, parent=above) \
                if caller else above

        if message.origin is None:
            return message
        place = span(message.origin.span)
        if place is None:
            raise _Lost  # its place no longer exists
        origin = Origin(place, call(message.origin.via), tuple(s for o in message.origin.slots if (s := span(o))))
        related = tuple((s, words) for old, words in message.related if (s := span(old)))
        return replace(message, origin=origin, related=related)


def is_closed(text: str) -> bool:
    """Return whether the parentheses of a text match and enclose all its words; False for an empty text."""
    with suppress(_Lost):
        return bool([*_parts(text)])
    return False


def _parts(text: str) -> Iterator[str]:
    """Yield a text cut after each outermost form; text between forms belongs to the next part."""
    depth = start = 0
    for kind, _, end in tokens(text):
        if kind not in ("OPEN", "CLOSE", "NAME", "NUMBER", "STRING") or (depth == 0 and kind != "OPEN"):
            raise _Lost
        depth += (kind == "OPEN") - (kind == "CLOSE")
        if depth == 0:
            yield text[start:end]
            start = end
    if depth:
        raise _Lost
    if start < len(text):
        yield text[start:]  # comments and blanks after the last form
