"""Rendering of diagnostics: as text for people, as lines for editors, as JSON for programs.

    error[unknown-direction]: `west` is not a direction of this board
      --> legan-chess.zrf:87:35
       |
    87 |          (pawn-step n) (pawn-step west)
       |                                   ^^^^ not a direction
       :
    11 |   $1 (verify enemy?)
       |   -- stands for `$1` here
       |
       = help: did you mean `w`?

The first snippet is the smallest piece of text that somebody typed; the next ones lead outwards: each `$n` that it
filled, then the macro calls around it. Text from files is sanitised: no control characters, no long lines.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zrf_py.text.diagnostics import Diagnostic, Report
from zrf_py.text.source import Origin, Span, harmless, shortened

MAX_FRAMES = 4
"""Maximum number of expansion steps, and of related places, that are shown without `all_expansions`."""

_COLORS = {"error": "1;31", "warning": "1;33", "note": "1;36", "place": "1;34", "bold": "1"}
_SLOT = re.compile(r"\$[0-9]+")


def render(
    diagnostics: Report | Iterable[Diagnostic],
    style: str = "text",
    color: bool = False,
    width: int = 80,
    all_expansions: bool = False,
) -> str:
    """Render diagnostics; "" if there are none (in JSON "[]").

    `style` is "text" (with source lines), "short" (`file:line:col: error[code]: message`, one per line) or "json" (a
    list of objects). All styles but "short" show how often a diagnostic of a report occurred.

    :raises ValueError: for another style.
    """
    repeats = diagnostics.repeats if isinstance(diagnostics, Report) else {}
    items = diagnostics.items if isinstance(diagnostics, Report) else list(diagnostics)
    if style == "json":
        return json.dumps([_as_object(d, repeats.get(i, 1)) for i, d in enumerate(items)], indent=2, ensure_ascii=False)
    if style == "short":
        return "\n".join(map(_short, items))
    if style != "text":
        raise ValueError(f"no such style: {style}")
    painter = _Painter(color, width, all_expansions)
    return "\n\n".join(painter.diagnostic(d, repeats.get(i, 1)) for i, d in enumerate(items))


def _short(diagnostic: Diagnostic) -> str:
    place = f"{harmless(diagnostic.origin)}: " if diagnostic.origin else ""
    return f"{place}{diagnostic.severity}[{diagnostic.code}]: {shortened(harmless(diagnostic.message))}"


def _columns(text: str) -> int:
    """Return the width of a sanitised text in terminal columns."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)


# --- expansion steps ---


@dataclass(frozen=True, slots=True)
class _Frame:
    span: Span
    label: str


def _frames(origin: Origin) -> Iterator[_Frame]:
    """Yield the expansion steps of an origin, innermost first: the `$n` it filled, then the enclosing macro calls."""
    for slot in origin.slots:
        yield _Frame(slot, f"stands for `{slot.text}` here" if _SLOT.fullmatch(slot.text) else _filled(slot))
    via = origin.via
    while via:
        yield _Frame(via.call, f"expanded from macro `{via.macro}`")
        via = via.parent


def _filled(slot: Span) -> str:
    return "this part comes from here" if not _SLOT.search(slot.text) else f"part of `{slot.text}` here"


# --- text ---


class _Painter:
    """Layout of diagnostics with source lines, in `width` columns."""

    def __init__(self, color: bool, width: int, all_expansions: bool) -> None:
        self.color = color
        self.width = max(width, 40)
        self.all_expansions = all_expansions

    def paint(self, text: str, color: str) -> str:
        return f"\x1b[{_COLORS[color]}m{text}\x1b[0m" if self.color and text else text

    def diagnostic(self, diagnostic: Diagnostic, times: int) -> str:
        severity = diagnostic.severity if diagnostic.severity in _COLORS else "error"
        head = self.paint(f"{diagnostic.severity}[{diagnostic.code}]", severity)
        lines = [f"{head}{self.paint(': ' + shortened(harmless(diagnostic.message)), 'bold')}"]
        gutter = 1
        if diagnostic.origin:
            frames, hidden = self.shown(diagnostic)
            gutter = self.gutter(diagnostic.origin.span, frames)
            lines += self.snippets(diagnostic, frames, gutter, severity)
            if hidden:
                lines.append(self.bar(gutter, f"   ({hidden} more; --all-expansions)", ":"))
        lines += self.remarks(diagnostic, times, gutter)
        return "\n".join(lines)

    def shown(self, diagnostic: Diagnostic) -> tuple[list[_Frame], int]:
        """Return the frames to show after the main snippet, and the number of frames left out."""
        assert diagnostic.origin
        frames = list(_frames(diagnostic.origin))
        keep = len(frames) + len(diagnostic.related) if self.all_expansions else MAX_FRAMES
        related = [_Frame(span, label) for span, label in diagnostic.related]
        return related[:keep] + frames[:keep], sum(max(len(some) - keep, 0) for some in (related, frames))

    def gutter(self, span: Span, frames: list[_Frame]) -> int:
        spans = [span, *(frame.span for frame in frames)]
        return max(len(str(s.source.position(s.start)[0])) for s in spans)

    def snippets(self, diagnostic: Diagnostic, frames: list[_Frame], gutter: int, severity: str) -> list[str]:
        assert diagnostic.origin
        span = diagnostic.origin.span
        lines = [" " * gutter + self.paint("--> ", "place") + harmless(span), self.bar(gutter)]
        lines += self.snippet(span, diagnostic.label, gutter, "^", severity)
        source = span.source
        for frame in frames:
            elsewhere = frame.span.source is not source
            source = frame.span.source
            place = f" {harmless(frame.span)}" if elsewhere else ""
            lines.append(self.bar(gutter, place, ":::" if elsewhere else ":"))
            lines += self.snippet(frame.span, frame.label, gutter, "-", "place")
        return lines

    def bar(self, gutter: int, text: str = "", mark: str = "|") -> str:
        return " " * (gutter + 1) + self.paint(mark, "place") + text

    def snippet(self, span: Span, label: str, gutter: int, mark: str, color: str) -> list[str]:
        """Return the first source line of a span and a line that underlines the span."""
        number, column = span.source.position(span.start)
        line = span.source.line(number)
        start = min(column - 1, len(line))
        end = min(start + span.end - span.start, len(line))
        visible, before, marked = _window(line, start, end, self.width - gutter - 3)
        under = self.paint(f"{mark * marked} {harmless(label)}".rstrip(), color)
        return [
            f"{self.paint(f'{number:>{gutter}} |', 'place')} {visible}".rstrip(),
            self.bar(gutter, f" {' ' * before}{under}"),
        ]

    def remarks(self, diagnostic: Diagnostic, times: int, gutter: int) -> list[str]:
        lines = [f"help: {harmless(diagnostic.help)}"] if diagnostic.help else []
        lines += [f"note: {harmless(note)}" for note in diagnostic.notes]
        if times > 1:
            lines.append(f"note: this problem occurs {times} times but is reported only once")
        marked = [self.bar(gutter, f" {line}", "=") for line in lines]
        return [self.bar(gutter), *marked] if marked and diagnostic.origin else marked


def _window(line: str, start: int, end: int, width: int) -> tuple[str, int, int]:
    """Return (part of a line around `start`…`end` that fits, sanitised; indent and width of the marks, in columns)."""
    left = harmless(line[max(0, start - width) : start])
    middle = harmless(line[start : min(end, start + width)])
    right = harmless(line[end : end + width])
    cut = start > width
    if _columns(left + middle + right) > width or cut or len(line) - end > width:
        room = max(width - 2 - _columns(middle[: width - 2]), 0)
        tail = min(_columns(right), room // 2)
        left, cut = _last(left, room - tail, cut)
        middle = _first(middle, width - 2)
        right = _first(right, width - 1 - _columns(left) - _columns(middle) - cut)
    left = ("…" if cut else "") + left
    return left + middle + right, _columns(left), max(_columns(middle), 1)


def _last(text: str, room: int, cut: bool) -> tuple[str, bool]:
    """Return the longest suffix of a text that fits in `room` columns, and whether anything before it is cut off."""
    suffix = text
    while _columns(suffix) > room:
        suffix = suffix[1:]
    return suffix, cut or suffix != text


def _first(text: str, room: int) -> str:
    """Return the longest prefix of a text that fits in `room` columns, with `…` if it is cut off."""
    if _columns(text) <= room:
        return text
    prefix = text[: max(room, 0)]
    while prefix and _columns(prefix) > room - 1:
        prefix = prefix[:-1]
    return prefix + "…"


# --- JSON ---


def _as_object(diagnostic: Diagnostic, times: int) -> dict[str, object]:
    origin = diagnostic.origin
    return {
        **(_place(origin.span) if origin else dict.fromkeys(("file", "line", "column", "end_line", "end_column"))),
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
        "times": times,
        "related": [{**_place(span), "label": label} for span, label in diagnostic.related],
        "expansions": [{**_place(f.span), "label": f.label} for f in _frames(origin)] if origin else [],
    }


def _place(span: Span) -> dict[str, object]:
    """Return a span as JSON fields: lines and columns count from 1, the end is exclusive."""
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {"file": span.source.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column}
