"""Find the place of a missing or surplus parenthesis: try every place in the form around it, and keep the best one."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from zrf_py.author.editor.analysis import Analysis, Superseded, analyse
from zrf_py.author.editor.quick import Quick, is_closed
from zrf_py.author.lint.linting import lint_source
from zrf_py.front.forms import indentation, tokens
from zrf_py.text.diagnostics import Diagnostic
from zrf_py.text.source import Origin, Source, Span

MAX_PLACES = 300
"""Maximum number of places that are tried; if there are more, only the last place of an unclosed form is."""
MAX_READ = 1_500_000
"""Maximum number of characters compiled for all places together."""
MAX_LINTED = 8
"""Maximum number of equally good places that are compared by the findings of lints."""
SEVERAL = "several places are possible: compare the parentheses with what is meant"
Change = tuple[Span, str]
"""A word, and the text to add: "(" before it, all missing ")" after it, or "" if it is a parenthesis to be removed."""
_PLACED, _REMOVE = "all others match", "remove it"
_ALONE = re.compile(r"\([^\s()]+\)")


def settled(analysis: Analysis, current: Callable[[], bool] | None = None) -> Analysis:
    """Return the analysis with the true place of a missing or surplus parenthesis in its messages.

    :raises Superseded: between two places, once `current` returns False.
    """
    messages = analysis.diagnostics if analysis.is_read else placed(analysis.diagnostics, analysis.path, current)
    return analysis if messages == analysis.diagnostics else replace(analysis, diagnostics=messages)


def placed(messages: Sequence[Diagnostic], path: Path | None, current: Callable[[], bool] | None = None,
           ) -> tuple[Diagnostic, ...]:
    """Return the messages of a file, in which a missing or surplus parenthesis gets the place where one change leaves
    the fewest problems and findings. If several changes are equally good, the message lists up to four of them."""
    return tuple(_placed(d, _best(d, path, current)) for d in messages)


def change_of(problem: Diagnostic) -> Change | None:
    """Return the change that a message from `placed` proposes; None unless it proposes exactly one."""
    if problem.label != _PLACED or problem.origin is None:
        return None
    return problem.origin.span, "" if problem.help == _REMOVE else problem.message.split("`")[1]


def _placed(problem: Diagnostic, changes: list[Change]) -> Diagnostic:
    if len(changes) != 1:
        places = [(span, f"a `{add}` may be missing here" if add else "this may be too many") for span, add in changes]
        return replace(problem, help=SEVERAL, related=tuple(places[:4])) if changes else problem
    (span, add), = changes
    message, help = f"there is one `{span.text}` too many", _REMOVE
    if add:
        message = f"`{add}` {'is' if len(add) == 1 else 'are'} missing here"
        help = f"write `{add + span.text if add == '(' else span.text[-30:] + add}`"
    return replace(problem, message=message, origin=Origin(span), label=_PLACED, help=help, related=())


def _best(problem: Diagnostic, path: Path | None, current: Callable[[], bool] | None) -> list[Change]:
    """Return the changes that leave the fewest problems; none if no parenthesis is wrong, or its place is unclear."""
    if problem.code not in ("extra-parenthesis", "unclosed-form") or problem.origin is None or problem.label == _PLACED:
        return []
    source, quick = problem.origin.span.source, Quick(path)
    most = min(MAX_PLACES, MAX_READ // len(source.text))
    if not most or (path and Path(source.name).name != path.name):
        return []  # an included file is not checked alone
    every = _changes(problem, problem.origin.span)
    tried = [*islice(every, most + 1)]
    if far := len(tried) > most:
        tried = [*tried, *every][-1:] if problem.code == "unclosed-form" else []
    texts = {change: text for change in tried if is_closed((text := _changed(source, change)).text)}
    left = dict[Change, tuple[int, int]]()
    for change, text in texts.items():
        if current is not None and not current():
            raise Superseded
        problems = quick.problems(text)
        if problems is None:
            problems = analyse(text, path).diagnostics
        left[change] = sum(d.severity == "error" for d in problems), len(problems)
    fewest = min(left.values(), default=(0, 0))
    changes = [change for change in left if left[change] == fewest]
    if fewest[0]:  # with other mistakes, only the indentation can show the place of the parenthesis
        is_last = changes[-1:] == [*texts][-1:] and problem.code == "unclosed-form"
        return changes[-1:] if is_last and not far else []
    if 1 < len(changes) <= MAX_LINTED:
        left = {change: (len(lint_source(texts[change], path).lints or ()), len(_ALONE.findall(texts[change].text)))
                for change in changes}  # a form like `(word)` is seldom meant
        changes = [change for change in changes if left[change] == min(left.values())]
    return changes


def _changed(source: Source, change: Change) -> Source:
    (span, add), text = change, source.text
    return Source(source.name, text[: span.end if ")" in add else span.start] + add
                  + text[span.start if add == "(" else span.end :])


def _changes(problem: Diagnostic, span: Span) -> Iterator[Change]:
    """Yield changes that may correct the parentheses. For an unclosed form, they lie between its start and the form
    that it should not contain. For a surplus `)`, they reach from it back to the last form that begins in the same
    column as the form after the `)` (in the first column if none follows)."""
    text, kinds, extra = span.source.text, [""], problem.code == "extra-parenthesis"
    words = [(kind, Span(span.source, start, end)) for kind, start, end in tokens(text)]
    begin, end = span.start, problem.related[0][0].start if problem.related else len(text)
    if extra:
        margin, end = indentation(text, end) if problem.related else 0, span.end
        begin = max((word.start for kind, word in words if kind == "OPEN" and word.start < begin
                     and indentation(text, word.start) == margin), default=0)
    missing = ")" * sum((kind == "OPEN") - (kind == "CLOSE") for kind, _ in words)
    region = [word for word in words if begin <= word[1].start < end]
    kinds += [kind for kind, _ in region]
    for before, (kind, word), after in zip(kinds, region, [*kinds[2:], ""], strict=False):
        if (extra and kind == "CLOSE" != after) or (not extra and kind == "OPEN" and before not in ("OPEN", "")):
            yield word, ""
        elif extra and kind != "CLOSE" and before != "OPEN" and (before or kind != "OPEN"):
            yield word, "("
        elif not extra and kind != "OPEN" and after != "CLOSE":
            yield word, missing
