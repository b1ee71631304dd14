"""Run all lints on a rules file, and drop those that a comment allows.

`; zrf: allow CODE CODE …` after code allows these codes on its line; on a line of its own, for the next line; before
the first form of a file, in the whole file.
"""

import re
from dataclasses import replace
from pathlib import Path

from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.format.tree import pieces
from zrf_py.author.lint.boards import lint_boards
from zrf_py.author.lint.code import lint_code
from zrf_py.author.lint.games import lint_games
from zrf_py.author.lint.reach import lint_reach
from zrf_py.author.lint.subject import Subject
from zrf_py.author.lint.words import lint_macros, lint_names, lint_texts
from zrf_py.library import find, read_source
from zrf_py.text.diagnostics import Diagnostic
from zrf_py.text.source import Source, Span

_ALLOW = re.compile(r";+\s*zrf:\s*allow\s+([a-z][a-z -]*)")
FILE = 0
"""Line number under which the codes allowed in the whole file are stored."""


def lint_file(name: str | Path) -> Analysis:
    """Return the analysis of a rules file, with its lints.

    :raises ZrfError: if it can't be found or read.
    """
    path = find(name)
    return lint_source(read_source(path), path)


def lint_source(source: Source, path: Path | None = None) -> Analysis:
    """Return the analysis of a text, with its lints; includes are resolved beside `path`."""
    analysis = analyse(source, path)
    return replace(analysis, lints=lints_of(analysis, path))


def lints_of(analysis: Analysis, path: Path | None = None) -> tuple[Diagnostic, ...]:
    """Return the lints of a text, in text order; none while there are errors. Without a `path` its pictures are not
    looked for. With rules in an engine DLL, only names and texts are checked. Names defined twice and mistakes in zones
    rule out lints about reachability, since either makes squares unreachable."""
    if analysis.errors:
        return ()
    subject = Subject(analysis.root, analysis.stages, codes={d.code for d in analysis.diagnostics})
    engine = "engine-not-run" in subject.codes
    lint_macros(subject)
    lint_names(subject, engine)
    lint_texts(subject, path)
    if not engine:
        lint_code(subject)
        lint_boards(subject)
        lint_games(subject)
        if "defined-twice" not in subject.codes and not subject.has("zone-twice", "zone-of-nobody", "zone-copied"):
            lint_reach(subject)
    allowed: dict[str, dict[int, set[str]]] = {}
    findings = []
    for finding in subject.findings.values():
        span = finding.origin.span if finding.origin else Span(subject.source, 0, 0)
        if span.source.name not in allowed:
            allowed[span.source.name] = allowances(span.source.text)
        lines = {FILE, span.source.position(span.start)[0] if finding.origin else FILE}
        if not any(finding.code in allowed[span.source.name].get(line, ()) for line in lines):
            findings.append(finding)
    return tuple(sorted(findings, key=lambda d: (d.origin.span.source is not subject.source, d.origin.span.start)
                        if d.origin else (False, 0)))


def allowances(text: str) -> dict[int, set[str]]:
    """Return the codes that comments allow, by line; those under `FILE` apply everywhere.

    >>> allowances("(a) ; zrf: allow unused-macro")
    {1: {'unused-macro'}}
    """
    allowed: dict[int, set[str]] = {}
    code_seen = False
    for kind, start, end in pieces(text):
        if kind != "COMMENT":
            code_seen = True
            continue
        match = _ALLOW.match(text[start:end].rstrip())
        if match:
            line = text.count("\n", 0, start) + 1
            alone = not text[text.rfind("\n", 0, start) + 1 : start].strip()
            line_of = FILE if not code_seen else line + 1 if alone else line
            allowed.setdefault(line_of, set()).update(match[1].split())
    return allowed
