"""Edits that do what the help text of a message suggests, where it is unambiguous; the basis of code actions."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from zrf_py.author.editor.analysis import FLAG, Analysis, analyse
from zrf_py.author.editor.balance import change_of
from zrf_py.author.editor.rename import Edit
from zrf_py.author.editor.texts import Texts
from zrf_py.author.lint.subject import LINTS
from zrf_py.front.keywords import KEYWORDS
from zrf_py.front.macros import walk
from zrf_py.front.nodes import Form
from zrf_py.text.diagnostics import TOO, Diagnostic
from zrf_py.text.source import Source, Span
from zrf_py.text.suggest import is_slip

_WHOLE = r"(?<![^\s()\"]){}(?![^\s()\"])"
_MEANT = re.compile(r"did you mean (?:`([^`]+)`|\"([^\"]+)\")\?")
_SECTION = re.compile(r"add (?:for example )?`(\(.+?\))`(?! to )")
_INTO = re.compile(r"add `(.+?)` to the (symmetry|turn order)")
_VERSION = '(version "zrf+")'
_NEW_SECTIONS = {"incomplete", "bad-grid"}


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix with its title and edits; `sure` is False if the author has to choose or to check."""

    title: str
    edits: tuple[Edit, ...]
    sure: bool = True


def fixes(analysis: Analysis, problem: Diagnostic) -> list[Fix]:
    """Return the possible fixes for a problem; the last one for a lint is a comment that suppresses it."""
    if problem.origin is None:
        return []
    results = [fix for fixer in _WAYS for fix in fixer(analysis, problem, problem.origin.span)]
    if problem.code in LINTS and problem.origin.span.source is analysis.source:
        results.append(_allow(problem, problem.origin.span))
    return results


def fixed(analysis: Analysis, fix: Fix) -> Analysis:
    """Return the analysis of the text after a fix."""
    after = {source.name: source for source in analysis.files}
    for edit in sorted(fix.edits, key=lambda edit: -edit.span.start):
        name, text = edit.span.source.name, after[edit.span.source.name].text
        after[name] = Source(name, text[: edit.span.start] + edit.text + text[edit.span.end :])
    texts = Texts()
    texts.open = {Path(name).resolve(): source for name, source in after.items()}
    return analyse(after[analysis.root.name], analysis.path, read=texts.read).of(after[analysis.source.name])


def _single_edit(title: str, span: Span, text: str, sure: bool = True) -> Fix:
    return Fix(title, (Edit(span, text),), sure)


def _spelling(analysis: Analysis, problem: Diagnostic, span: Span) -> Iterator[Fix]:
    """Replace a misspelt word with the one suggested in the message."""
    match = _MEANT.search(problem.help)
    if match is None or "$" in span.text or any(c in span.text for c in "()"):
        return
    word = match[1] or match[2]
    if problem.code == "unknown-value" and (form := _form_at(analysis, span)):
        span = form.items[-1].origin.span  # the message points at the option's name
    old = span.text
    quoted = old.startswith('"') and old.endswith('"')
    typed = old.strip('"')
    line = span.source.line(span.source.position(span.start)[0])
    swapped = sorted(typed) == sorted(word) and re.search(_WHOLE.format(re.escape(word)), line)
    kind = FLAG if problem.code == "flag-never-set" else problem.code.removeprefix("unknown-")
    rivals = [name for name in analysis.known.of(kind) if name not in (typed, word) and is_slip(typed, name)]
    is_rare = _count(analysis, typed) <= _count(analysis, word)
    sure = is_rare and (bool(swapped) or (is_slip(typed, word) and not rivals))
    spans = (span, *(place for place, label in problem.related if label == TOO))
    yield Fix(f"Change to `{word}`", tuple(Edit(place, f'"{word}"' if quoted else word) for place in spans), sure)


def _count(analysis: Analysis, word: str) -> int:
    """Count a word in the text, since a frequent word is hardly a typo; keywords get the highest count."""
    text = analysis.source.text
    return len(text) if word in KEYWORDS else len(re.findall(_WHOLE.format(re.escape(word)), text))


def _plus(analysis: Analysis, problem: Diagnostic, span: Span) -> Iterator[Fix]:
    if _VERSION in problem.help:
        source = analysis.source
        first = next((f.origin.span.start for f in walk(analysis.stages.forms) if f.origin.span.source is source), 0)
        version = next((f for f in analysis.stages.forms if isinstance(f, Form) and f.head == "version"), None)
        target = version.origin.span if version else Span(source, first, first)
        yield _single_edit(f"Write `{_VERSION}`", target, _VERSION + ("" if version else "\n"))


def _parenthesis(analysis: Analysis, problem: Diagnostic, span: Span) -> Iterator[Fix]:
    """Add missing parentheses and quotation marks, and remove surplus parentheses, once their place is known."""
    source = span.source
    if change := change_of(problem):
        word, add = change
        place = Span(source, word.end if ")" in add else word.start, word.start if add == "(" else word.end)
        yield _single_edit(f"Add `{add}`" if add else f"Remove this `{word.text}`", place, add)
    if problem.code == "unclosed-string":
        line, _ = source.position(span.start)
        text = source.line(line)
        at = source.line_starts[line - 1] + len(text.rstrip().rstrip(")"))
        if at > span.start:
            yield _single_edit('Add `"`', Span(source, at, at), '"', False)


def _odd(analysis: Analysis, problem: Diagnostic, span: Span) -> Iterator[Fix]:
    """Remove invisible characters and commas after words; straighten typographic quotation marks."""
    if problem.code != "odd-name":
        return
    old = span.text
    visible = "".join(c for c in old if unicodedata.category(c) != "Cf")
    if visible != old:
        yield _single_edit("Remove the invisible character", span, visible)
        return
    plain = re.sub("[“”„«»‘’]", '"', old)
    if plain != old and plain.count('"') == 2:
        yield _single_edit("Use straight quotation marks", span, plain)
    elif old.endswith(",") and len(old) > 1:
        yield _single_edit("Remove the comma", span, old[:-1])


def _comment(analysis: Analysis, problem: Diagnostic, span: Span) -> Iterator[Fix]:
    """Replace all comment signs of other languages by `;` in one fix."""
    if problem.code == "foreign-comment":
        spans = (span, *(place for place, _ in problem.related))
        yield Fix("Write `;`", tuple(Edit(place, ";") for place in spans))


def _section(analysis: Analysis, problem: Diagnostic, span: Span) -> Iterator[Fix]:
    """Add a missing part to a form, after its head."""
    match = _SECTION.search(problem.help)
    if match is None or (problem.code not in _NEW_SECTIONS and not problem.code.startswith(("missing-", "no-"))):
        return
    form, word = _form_at(analysis, span), match[1][1:].partition(" ")[0]
    if form is None or not form.items or any(f"did you mean `{word}`" in d.help for d in analysis.diagnostics):
        return  # in the last case the part is there, but misspelt
    head = form.items[0].origin.span
    place = form.origin.span
    between = "\n" + " " * (place.source.position(place.start)[1] + 1) if "\n" in place.text else " "
    yield _single_edit(f"Add `{match[1]}`", Span(head.source, head.end, head.end), between + match[1].replace("…", "?"))


def _into(analysis: Analysis, problem: Diagnostic, span: Span) -> Iterator[Fix]:
    """Add a missing part to a symmetry or the turn order, at its end."""
    match = _INTO.search(problem.help)
    if match is None:
        return
    head = match[2].replace(" ", "-")
    forms = [f for f in walk(analysis.stages.forms) if f.head == head and f.origin.span.source is span.source]
    around = [f for f in forms if f.origin.span.start <= span.start < f.origin.span.end] or forms[:1]
    for form in around[:1]:
        at = form.origin.span.end - 1
        yield _single_edit(f"Add `{match[1]}`", Span(span.source, at, at), f" {match[1]}")


def _remove(analysis: Analysis, problem: Diagnostic, span: Span) -> Iterator[Fix]:
    if not problem.help.startswith("remove it") or problem.code in ("extra-parenthesis", "unclosed-form"):
        return
    text, start, end = span.source.text, span.start, span.end
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end + 1
    if not text[line_start:start].strip() and not text[end:line_end].strip():
        start, end = line_start, line_end
    yield _single_edit("Remove it", Span(span.source, start, end), "", False)


def _allow(problem: Diagnostic, span: Span) -> Fix:
    """Suppress a finding with a comment `; zrf: allow CODE` at the end of its line."""
    source = span.source
    line, _ = source.position(span.start)
    text = source.line(line)
    at = source.line_starts[line - 1] + len(text.rstrip())
    return _single_edit(f"Suppress this finding: `; zrf: allow {problem.code}`", Span(source, at, at),
                f" ; zrf: allow {problem.code}", False)


def _form_at(analysis: Analysis, span: Span) -> Form | None:
    """Return the innermost form that contains a span."""
    innermost = None
    for form in walk(analysis.stages.forms):
        other = form.origin.span
        if other.source is span.source and other.start <= span.start and span.end <= other.end:
            innermost = form
    return innermost


_WAYS: tuple[Callable[[Analysis, Diagnostic, Span], Iterator[Fix]], ...] = (
    _spelling, _plus, _parenthesis, _odd, _comment, _section, _into, _remove)
