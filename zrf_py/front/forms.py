"""Reader: converts text to nested forms. Only this module reads characters; its tokens are in `grammar/forms.lark`.

Lark's lexer splits the text; a loop with a stack, not Lark's parser, nests the tokens, for two reasons. `include`
splices the tokens of another file into this one's, and the parentheses of some real files balance only together with
those of their includes. And the loop is faster (a 171 KB file: 0.04 s to lex, 0.07 s more for forms and origins,
against 0.15 s for Lark's own tree without origins). A test checks the loop against the grammar's rule `form`.

Indentation shows where a parenthesis is missing. It is used only once the parentheses do not balance: one good file
in ten is indented in a way that would look wrong.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

from lark import Lark, Token

from zrf_py.data import data_file
from zrf_py.front.nodes import MAX_NESTING, NAME, NUMBER, STRING, Atom, Form, Node
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Origin, Source, Span

Include: TypeAlias = Callable[[str, Origin], Source | None]

MAX_INCLUDES = 32
"""Maximum depth of nested includes."""
MAX_FILES = 1_000
"""Maximum number of files read for one rules file, including itself."""
MAX_TEXT = 2_000_000
"""Maximum number of characters in a rules file; an included file counts each time it is included."""
MAX_TOKENS = 300_000
"""Maximum number of words, strings and parentheses in a rules file; the largest known file has 29,000."""
_LARGE = "split the games among several rules files: the largest known file has 29,000 words and parentheses"

_CONTROLS = *range(9), *range(14, 32), *range(127, 160)
_OVERRIDES = *range(0x202A, 0x202F), *range(0x2066, 0x206A)
_STEERING = dict.fromkeys((*_CONTROLS, *_OVERRIDES), "\N{REPLACEMENT CHARACTER}")
"""Maps control characters, which could steer a terminal, and bidirectional overrides, which reorder text, to U+FFFD."""
_KINDS = {"NAME": NAME, "NUMBER": NUMBER, "STRING": STRING}
_END = "\x00\x1a \t\r\n"
_MIDST = re.compile(r"[\w\\]")
"""Characters that, right after a string, suggest that its closing quotation mark was meant to open the next string."""
_USUAL = re.compile(r"[A-Za-z0-9?_+\-!$.*/\\:,=<>%&#@~^|]+")


def read_forms(source: Source, report: Report, include: Include) -> tuple[Node, ...]:
    """Return the forms of a text, with those of included files spliced in.

    `include(name, origin)` returns the text for `(include "name")`, or None, and may report the reason.
    Problems go to `report`; after an error the result holds only the usable forms, perhaps none.

    >>> forms = read_forms(Source("g.zrf", "(game (title \\"Go\\"))"), Report(), lambda name, origin: None)
    >>> forms[0].head
    'game'
    """
    return _FormReader(report, include).read(source)


def tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the tokens of a text as (terminal of the grammar, start, end), without blanks and comments.

    >>> list(tokens("(n 1) ; up"))
    [('OPEN', 0, 1), ('NAME', 1, 2), ('NUMBER', 3, 4), ('CLOSE', 4, 5)]
    """
    for token in _lexer().lex(text):
        assert token.start_pos is not None and token.end_pos is not None
        yield token.type, token.start_pos, token.end_pos


def indentation(text: str, at: int) -> int | None:
    """Return the column of an offset (tabs expanded to 8) if only blanks precede it on its line, else None."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return None if before.strip() else len(before.expandtabs(8))


@cache
def _lexer() -> Lark:
    return Lark(data_file("grammar/forms.lark").read_text(encoding="utf-8"), parser=None, lexer="basic")


class _Stop(Exception):
    """Reading is given up; the reason has been reported."""


@dataclass(slots=True, eq=False)
class _Stream:
    """A text being read. `end` is its length without trailing blanks, NUL and Ctrl-Z (end-of-file marks of DOS)."""

    source: Source
    tokens: Iterator[Token]
    end: int


@dataclass(slots=True, eq=False)
class _Open:
    """A form that is not closed yet."""

    source: Source
    start: int
    items: list[Node]


class _Paren(NamedTuple):
    source: Source
    start: int
    opens: bool

    @property
    def span(self) -> Span:
        return Span(self.source, self.start, self.start + 1)

    def column(self) -> int | None:
        return indentation(self.source.text, self.start)


class _FormReader:
    def __init__(self, report: Report, include: Include) -> None:
        self.report = report
        self.include = include
        self.streams: list[_Stream] = []
        self.open: list[_Open] = []
        self.top: list[Node] = []
        self.parens: list[_Paren] = []
        self.extra: _Paren | None = None
        self.characters = 0
        self.count = 0
        self.files = 0
        self.odd: set[str] = set()
        self.comments: list[Span] = []

    def read(self, source: Source) -> tuple[Node, ...]:
        try:
            self.enter(source, None)
            while self.streams:
                self.run(self.streams[-1])
        except _Stop:
            return ()
        if self.comments:
            first, *more = self.comments
            self.report.add("foreign-comment", "a comment starts with `;`", Origin(first),
                            related=[(span, "another one here") for span in more])
        self.check_balance()
        while self.open:
            last = self.open.pop()
            self.add(self.form(last, last.source, len(last.source.text)))
        if not self.top and not self.report.errors:
            self.report.add("empty-file", f"`{source.name}` contains no forms", Origin(Span(source, 0, 0)))
        return tuple(self.top)

    def enter(self, source: Source, origin: Origin | None) -> None:
        """Push a text on the stack: its tokens are read next."""
        end = len(source.text.rstrip(_END))
        self.characters += end
        self.files += 1
        if self.characters > MAX_TEXT:
            self.stop("too-large", f"the rules contain more than {MAX_TEXT:,} characters", origin, help=_LARGE)
        if self.files > MAX_FILES:
            self.stop("too-large", f"the rules include more than {MAX_FILES:,} files", origin,
                      help="combine some of them")
        nul = source.text.find("\x00", 0, end)
        if nul >= 0:
            self.not_text(source, nul)
        self.streams.append(_Stream(source, _lexer().lex(source.text), end))

    def run(self, stream: _Stream) -> None:
        """Read a text up to its end, its next include or its next `//` comment."""
        source = stream.source
        for token in stream.tokens:
            kind, start = token.type, token.start_pos
            assert start is not None and token.end_pos is not None
            self.count += 1
            if self.count > MAX_TOKENS:
                self.stop("too-large", f"the rules contain more than {MAX_TOKENS:,} words and parentheses", None,
                          help=_LARGE)
            if kind == "OPEN":
                self.parens.append(_Paren(source, start, True))
                self.open.append(_Open(source, start, []))
                if len(self.open) > MAX_NESTING:
                    self.too_deep(source, start)
            elif kind == "CLOSE":
                if self.close(source, start):
                    return
            elif kind == "NAME" and token.startswith("//"):
                self.foreign_comment(stream, start)
                return
            elif kind == "UNCLOSED" or (kind == "STRING" and ("\n" in token or ") (" in token)
                                        and _MIDST.match(source.text, token.end_pos)):
                self.unclosed_string(source, start)
            elif kind in _KINDS:
                self.add(self.atom(kind, str(token), Span(source, start, token.end_pos)))
            elif start < stream.end:
                self.not_text(source, start)
        self.streams.pop()

    def add(self, node: Node) -> None:
        (self.open[-1].items if self.open else self.top).append(node)

    def atom(self, kind: str, text: str, span: Span) -> Atom:
        if kind == "STRING":
            return Atom(STRING, text[1:-1].translate(_STEERING), Origin(span))
        if text not in self.odd and (not _USUAL.fullmatch(text) or (text[-1] == "," and len(text) > 1)):
            self.odd_name(text, span)
        return Atom(_KINDS[kind], text, Origin(span))

    def close(self, source: Source, start: int) -> bool:
        """Close the innermost form; return True if it includes a text, which is read next."""
        paren = _Paren(source, start, False)
        self.parens.append(paren)
        if not self.open:
            self.extra = self.extra or paren
            return False
        form = self.form(self.open.pop(), source, start + 1)
        if form.head != "include":
            self.add(form)
            return False
        return self.splice(form)

    def form(self, opened: _Open, source: Source, end: int) -> Form:
        """Make a form. If another file closes it, its span covers only its part in the file that opened it."""
        if source is not opened.source:
            inside = [item.origin.span.end for item in opened.items if item.origin.span.source is opened.source]
            end = max(inside, default=opened.start + 1)
        return Form(tuple(opened.items), Origin(Span(opened.source, opened.start, end)))

    # --- include ---

    def splice(self, form: Form) -> bool:
        name = form.items[1] if len(form.items) == 2 else None
        if not isinstance(name, Atom) or name.kind == NUMBER:
            self.report.add("bad-include", "`include` takes exactly one file name", form.origin)
            return False
        before = len(self.report.items)
        source = self.include(name.text, name.origin)
        if source is None:
            if len(self.report.items) == before:
                self.report.add("missing-include", f"there is no file `{name.text}` to include", name.origin,
                                label="not found")
            return False
        self.check_include(source, name)
        self.enter(source, name.origin)
        return True

    def check_include(self, source: Source, name: Atom) -> None:
        if any(stream.source.name == source.name for stream in self.streams):
            self.stop("recursive-include", f"`{name.text}` includes itself", name.origin, label="already being read",
                      help="remove this line: the file is already being included")
        if len(self.streams) >= MAX_INCLUDES:
            self.stop("recursive-include", f"files are included more than {MAX_INCLUDES} levels deep", name.origin,
                      help="include the innermost files directly from the rules file")

    # --- problems ---

    def stop(self, code: str, message: str, origin: Origin | None, *, label: str = "", help: str = "") -> None:
        self.report.add(code, message, origin, label=label, help=help)
        raise _Stop

    def too_deep(self, source: Source, start: int) -> None:
        self.stop("too-deep", f"forms nest more than {MAX_NESTING} levels deep", Origin(Span(source, start, start + 1)),
                  help="no game needs such nesting: look for a missing `)` before this place")

    def not_text(self, source: Source, start: int) -> None:
        self.stop(
            "not-text", f"`{source.name}` is not a text file", Origin(Span(source, start, start + 1)),
            label=f"character code {ord(source.text[start])}",
            help="save the file as UTF-8 or Windows-1252 text",
        )

    def foreign_comment(self, stream: _Stream, start: int) -> None:
        """Record a `//` comment and continue with the next line."""
        source = stream.source
        end = source.text.find("\n", start)
        end = len(source.text) if end < 0 else end
        stream.tokens = _lexer().lex(" " * end + source.text[end:])
        self.comments.append(Span(source, start, start + 2))

    def odd_name(self, text: str, span: Span) -> None:
        """Warn about a name that Zillions would probably reject, once per name."""
        self.odd.add(text)
        quotes = any(c in "“”„«»‘’'" for c in text)
        hidden = [c for c in text if unicodedata.category(c) == "Cf"]
        comma = text[-1] == "," and _USUAL.fullmatch(text)
        self.report.add(
            "odd-name", f"`{text}` is an unusual name", Origin(span), severity="warning",
            help=f"remove the invisible character U+{ord(hidden[0]):04X}" if hidden
            else 'put strings in straight quotation marks `"`' if quotes
            else f"names are separated by spaces, not commas: write `{text[:-1]}`" if comma
            else "names consist of letters, digits and `-`, `_`, `?`, `!`, `+`",
        )

    def unclosed_string(self, source: Source, start: int) -> None:
        """Report a quotation mark without its partner: a closing one if `)` follows it, otherwise an opening one."""
        closes = source.text.startswith(")", start + 1)
        self.stop("unclosed-string", f"a string has no {'opening' if closes else 'closing'} quotation mark",
                  Origin(Span(source, start, start + 1)), label="closed here" if closes else "opened here",
                  help='add `"` at the beginning of the string' if closes else 'add `"` at the end of the string')

    def check_balance(self) -> None:
        if self.extra:
            self.extra_paren(self.extra)
        elif self.open:
            self.missing_paren()

    def extra_paren(self, extra: _Paren) -> None:
        blame = _closed_too_early(self.parens)
        if blame is None:
            self.report.add("extra-parenthesis", "there is one `)` too many", Origin(extra.span),
                            label="no form is open here", help="remove it, unless a `(` is missing before it")
            return
        closing, after = blame
        self.report.add("extra-parenthesis", "there is one `)` too many", Origin(closing.span),
                        related=[(after.span, "this seems to belong inside that form")])

    def missing_paren(self) -> None:
        count = len(self.open)
        problem = "a `)` is missing" if count == 1 else f"{count} `)` are missing"
        blame = _still_open(self.parens)
        if blame is None:
            last = self.open[-1]
            span = Span(last.source, last.start, last.start + 1)
            self.report.add("unclosed-form", problem, Origin(span), label="opened here, but never closed",
                            help="add `)` at the end of this form")
            return
        opened, after = blame
        self.report.add("unclosed-form", problem, Origin(opened.span),
                        related=[(after.span, "a new form starts here, but the one above is still open")])


def _still_open(parens: list[_Paren]) -> tuple[_Paren, _Paren] | None:
    """Return (open form, later form) if a later form begins a line, indented no deeper than the open one; else None."""
    stack: list[tuple[_Paren, int | None]] = []
    for paren in parens:
        if not paren.opens:
            stack.pop()
            continue
        column = paren.column()
        if column is not None:
            for opened, indent in reversed(stack):
                if indent is not None and indent >= column and opened.source is paren.source:
                    return opened, paren
        stack.append((paren, column))
    return None


def _closed_too_early(parens: list[_Paren]) -> tuple[_Paren, _Paren] | None:
    """Return the `)` that closes a top-level form too early, and the next form, indented as if inside it; or None."""
    depth, margin, closing = 0, None, None
    for paren in parens:
        if not paren.opens:
            depth -= 1
            closing = paren
            if depth < 0:
                return None
            continue
        column = paren.column() if depth == 0 else None
        if column is not None:
            if margin is None or column < margin:
                margin = column
            elif column > margin and closing and closing.source is paren.source:
                return closing, paren
        depth += 1
    return None
