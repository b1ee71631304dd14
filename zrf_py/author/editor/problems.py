"""The problems of one text, from the messages of all stages, each with its place and related places."""

from collections.abc import Iterator
from dataclasses import dataclass

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.outline import includes
from zrf_py.text.diagnostics import Diagnostic
from zrf_py.text.source import Expansion, Span

MAX_CALLS = 8
"""Maximum number of nested macro calls shown for a problem."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A message at characters `start` to `end` of the text; `related` are other places with a few words each."""

    message: Diagnostic
    start: int
    end: int
    related: tuple[tuple[Span, str], ...] = ()

    @property
    def text(self) -> str:
        """The message with its notes and its help."""
        parts = [self.message.message, *self.message.notes]
        return "\n".join([*parts, self.message.help] if self.message.help else parts)

    @property
    def is_needless(self) -> bool:
        """True if the problem is about unused text (shown faded by editors)."""
        return self.message.code.startswith(("unused-", "surplus-"))


def problems(analysis: Analysis) -> list[Problem]:
    """Return the problems of a text in the order found; for an included file, those in its own text."""
    results = (_problem(analysis, message) for message in (*analysis.diagnostics, *(analysis.lints or ())))
    return [problem for problem in results if problem is not None]


def _problem(analysis: Analysis, message: Diagnostic) -> Problem | None:
    source, origin = analysis.source, message.origin
    if origin is None:
        return None if source is not analysis.root else Problem(message, 0, len(source.line(1)), message.related)
    spans = [origin.span, *origin.slots, *(call.call for call in _calls(origin.via))]
    place = next((span for span in spans if span.source is source), None)
    related = list(message.related)
    if origin.span is not place:
        related.append((origin.span, message.label or message.message))
    related += [(slot, f"stands for `{slot.text}` here") for slot in origin.slots if slot is not place]
    related += [(call.call, f"in this call of `{call.macro}`") for call in _calls(origin.via) if call.call is not place]
    if place is None and source is not analysis.root:
        return None
    if place is None:
        named = (Span(source, start - 1, end + 1) for start, end, file in includes(analysis)
                 if file is origin.span.source)
        place = next(named, None) or Span(source, 0, len(source.line(1)))
    return Problem(message, place.start, max(place.end, place.start), tuple(related))


def _calls(via: Expansion | None) -> Iterator[Expansion]:
    for _ in range(MAX_CALLS):
        if via is None:
            return
        yield via
        via = via.parent
