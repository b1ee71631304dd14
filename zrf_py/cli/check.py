"""`zrf check`: every problem of rules files, all at once; of whole folders and archives, a summary."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.cli.common import add_color, add_json, print_json, use_color, width

if TYPE_CHECKING:
    from zrf_py.text.diagnostics import Diagnostic, Report

EXAMPLES = 3
"""Files that a summary names for each kind of problem."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read rules files, all variants included, and list every problem, then what `zrf lint` finds where "
        "there is no error. Of a folder or an archive with several rules files a summary is shown; --full shows all "
        "problems of these, too.")
    parser.epilog = "exit code: 0 without errors, 1 with errors (with --strict also with warnings or findings)"
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="a rules file, a folder or .zip archive of "
                        "them, the name of a game of the shelf, or - for the standard input")
    parser.add_argument("--format", choices=("text", "short", "json"), default="text",
                        help="short is a line for each problem (default: %(default)s)")
    add_json(parser, "every problem for programs, as `--format json`")
    parser.add_argument("--full", action="store_true", help="show all problems of the files of a folder")
    parser.add_argument("--lint", action=argparse.BooleanOptionalAction, default=None, help="also show what `zrf lint` "
                        "finds, as warnings (default: for single files that are shown as text)")
    parser.add_argument("--strict", action="store_true", help="count warnings and findings as errors")
    parser.add_argument("--all-expansions", action="store_true", help="show every step of long macro expansions")
    add_color(parser)


@dataclass(frozen=True)
class Checked:
    """A file as the user named it, what was found in it, how many of its games can be played and how many can't."""

    name: str
    report: Report
    games: int
    broken: int = 0

    def __str__(self) -> str:
        every = _number(self.games + self.broken, "game")
        games = f" ({every})" if self.games + self.broken else ""
        if self.games and self.broken:
            games = f" ({self.games} of {every} can be played)"
        from zrf_py.text.render import harmless

        return f"{harmless(self.name)}: {_counts(self.report)}{games}"


def run(args: argparse.Namespace) -> int:
    """Exit code 1 if there is an error in any file (or, with --strict, a warning), 0 otherwise."""
    style = "json" if args.json else args.format
    show = _Shower(style, use_color(args.color), args.all_expansions)
    objects: list[object] = []
    failed = False
    for name in args.files:
        many = _files_of(name)
        lint = args.lint if args.lint is not None else style == "text" and not many
        listed = [_checked(path, shown, lint) for path, shown in many or [(name, name)]]
        failed = failed or any(_fails(c.report, args.strict) for c in listed)
        if style == "json":
            objects += [item for c in listed for item in _json(c.report)]
        elif many and style == "text" and not args.full:
            from zrf_py.text.render import harmless

            print("\n".join(map(harmless, summary(name, listed))))
        else:
            show.all(listed)
        sys.stdout.flush()
    if style == "json":
        print_json(objects)
    return int(failed)


def _fails(report: Report, strict: bool) -> bool:
    return any(d.severity == "error" or (strict and d.severity == "warning") for d in report.items)


def _files_of(name: str) -> list[tuple[str, str]]:
    """The rules files of a folder or archive as (path, shown name); empty unless it holds several."""
    from zrf_py import archives
    from zrf_py.library import rules_files, shelf
    from zrf_py.text.diagnostics import ZrfError

    path = Path(name)
    try:
        if not name:
            return []
        if archives.is_archive(path):
            folder = archives.unpacked(path)
        elif path.is_dir() and name not in shelf():
            folder = path
        else:
            return []
    except ZrfError:
        return []  # the file itself says what is wrong
    found = rules_files(folder)
    return [(str(p), f"{name.rstrip('/')}/{p.relative_to(folder).as_posix()}") for p in found] if len(found) > 1 else []


def _lints(path: str) -> Sequence[Diagnostic]:
    """The findings of `zrf lint`; none for what can be read only once, such as the standard input."""
    from zrf_py.author.lint.linting import lint_file
    from zrf_py.library import find

    return lint_file(path).lints if find(path).is_file() else ()


def _checked(path: str, name: str, lint: bool) -> Checked:
    from zrf_py.library import load_file
    from zrf_py.text.diagnostics import Report, ZrfError

    try:
        file = load_file(path)
        found = [*file.report.items, *(_lints(path) if lint else ())]
        return Checked(name, Report(found), len(file.programs), len(file.broken))
    except ZrfError as error:
        return Checked(name, Report(list(error.diagnostics)), 0)


def summary(name: str, listed: list[Checked]) -> Iterator[str]:
    """Summarise the files of a folder: those with errors, then the kinds of problems, then the total."""
    broken = [c for c in listed if c.report.errors]
    for checked in broken:
        first = checked.report.errors[0]
        place = f"{first.origin.span.source.position(first.origin.span.start)[0]}: " if first.origin else ""
        more = len(checked.report.errors) - 1
        yield f"{checked.name}:{place} {first.message}" + (f" (and {_number(more, 'more error')})" if more else "")
    kinds: Counter[tuple[str, str]] = Counter()
    files: dict[tuple[str, str], list[str]] = {}
    for checked in listed:
        for key in sorted({(d.severity, d.code) for d in checked.report.items}):
            kinds[key] += 1
            files.setdefault(key, []).append(Path(checked.name).name)
    if broken and kinds:
        yield ""
    for (severity, code), count in sorted(kinds.items(), key=lambda item: (item[0][0], -item[1])):
        names = files[severity, code]
        few = ", ".join(names[:EXAMPLES]) + (" …" if len(names) > EXAMPLES else "")
        yield f"  {severity:<8}{code:<22}{_number(count, 'file'):>10}   {few}"
    games = sum(c.games for c in listed)
    yield (f"{name}: {_number(len(listed), 'rules file')} ({_number(games, 'game')}), "
           f"{len(listed) - len(broken)} without an error, {len(broken)} with errors; `--full` shows every problem")


@dataclass(frozen=True)
class _Shower:
    """Shows every problem of files, one file after the other."""

    style: str
    color: bool
    all_expansions: bool

    def all(self, listed: Iterable[Checked]) -> None:
        for checked in listed:
            self.one(checked.report)
            if self.style == "text":
                print(checked)

    def one(self, report: Report) -> None:
        if report.items:
            from zrf_py.text.render import render

            text = render(report, self.style, self.color, width=width(), all_expansions=self.all_expansions)
            print(text + ("\n" if self.style == "text" else ""))


def _counts(report: Report) -> str:
    errors = len(report.errors)
    warnings = sum(d.severity == "warning" for d in report.items)
    found = [_number(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return " and ".join(found) or "no problems"


def _number(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _json(report: Report) -> list[object]:
    from zrf_py.text.render import render

    found: list[object] = json.loads(render(report, "json"))
    return found
