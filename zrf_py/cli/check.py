"""`zrf check`: report every problem of rules files, or a summary for folders and archives."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zrf_py.cli.common import add_color, add_json, is_place, print_json, use_color, width
from zrf_py.text.diagnostics import Diagnostic, Report, ZrfError
from zrf_py.text.grouping import by_key
from zrf_py.text.numbers import number
from zrf_py.text.render import render
from zrf_py.text.source import harmless

EXAMPLES = 3
"""Maximum number of files that a summary names for each kind of problem."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check rules files with all their variants and report every problem. If a file has no errors, also report the "
        "findings of `zrf lint`. For a folder or an archive with several rules files, print a summary; --full shows "
        "all problems.")
    parser.epilog = "exit code: 1 if there are errors (with --strict, also warnings or findings), otherwise 0"
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="a rules file, a folder or .zip archive of "
                        "rules files, a bundled game, or - to read standard input")
    parser.add_argument("--format", choices=("text", "short", "json"), default="text",
                        help="short prints one line per problem (default: %(default)s)")
    add_json(parser, "print JSON, like `--format json`")
    parser.add_argument("--full", action="store_true", help="show the problems of every file in a folder")
    parser.add_argument("--lint", action=argparse.BooleanOptionalAction, default=None, help="also show the findings of "
                        "`zrf lint` as warnings (default: when one file is checked with `--format text`)")
    parser.add_argument("--strict", action="store_true", help="treat warnings and findings as errors")
    parser.add_argument("--all-expansions", action="store_true", help="show every step of long macro expansions")
    add_color(parser)


@dataclass(frozen=True)
class Checked:
    """Result for a file: its name as shown, its problems, and how many of its games can and can't be played."""

    name: str
    report: Report
    games: int
    broken: int = 0

    def __str__(self) -> str:
        every = number(self.games + self.broken, "game")
        games = f" ({every})" if self.games + self.broken else ""
        if self.games and self.broken:
            games = f" ({self.games} of {every} can be played)"
        return f"{harmless(self.name)}: {_counts(self.report)}{games}"


def run(args: argparse.Namespace) -> int:
    """Return exit code 1 if there is an error in any file (or, with --strict, a warning), 0 otherwise."""
    style = "json" if args.json else args.format
    objects: list[object] = []
    failed = False
    for name in args.files:
        files = files_of(name)
        many = len(files) > 1
        lint = args.lint if args.lint is not None else style == "text" and not many
        listed = [Checked(label, Report(problems), 0) if problems else _checked(path, label, lint)
                  for path, label, problems in files]
        failed = failed or any(d.severity == "error" or (args.strict and d.severity == "warning")
                               for c in listed for d in c.report.items)
        if style == "json":
            objects += [item for c in listed for item in json.loads(render(c.report, "json"))]
        elif many and style == "text" and not args.full:
            print("\n".join(map(harmless, summary(name, listed))))
        else:
            _show(listed, style, use_color(args.color), args.all_expansions)
        sys.stdout.flush()
    if style == "json":
        print_json(objects)
    return int(failed)


def files_of(name: str) -> list[tuple[str, str, list[Diagnostic]]]:
    """Return the rules files that a name stands for, each as (path, shown name, problems). For a folder,
    archives in it that can't be read or contain no rules file are listed, too."""
    from zrf_py.archives import rules_in

    place = Path(name)
    files = list(rules_in(place)) if is_place(name) else []
    if len(files) < 2 and not (files and place.is_dir()):  # a single file reports its own problems
        return [(name, name, [])]
    return [(str(p), f"{name.rstrip('/')}/{p.relative_to(place).as_posix()}", problems) for p, problems in files]


def _lints(path: str) -> Sequence[Diagnostic]:
    """Return the findings of `zrf lint`; none for a file that can be read only once, such as standard input."""
    from zrf_py.author.lint.linting import lint_file
    from zrf_py.library import find

    return lint_file(path).lints or () if find(path).is_file() else ()


def _checked(path: str, name: str, lint: bool) -> Checked:
    from zrf_py.library import load_file
    from zrf_py.play.foreign import foreign_note, has_moves

    try:
        file = load_file(path)
        idle = file.programs and not any(map(has_moves, file.programs))
        messages: Sequence[Diagnostic] = file.report.items
        if file.report.errors:
            from zrf_py.author.editor.balance import placed  # loads all modules that read rules

            messages = placed(messages, file.path)
        problems = [replace(d, help=foreign_note(file.programs[0])) if idle and d.code == "engine-not-run" else d
                    for d in (*messages, *(_lints(path) if lint else ()))]
        return Checked(name, Report(problems), len(file.programs), len(file.broken))
    except ZrfError as error:
        return Checked(name, Report(list(error.diagnostics)), 0)


def summary(name: str, listed: list[Checked]) -> Iterator[str]:
    """Summarise the files of a folder: those with errors, then the kinds of problems, then the total."""
    rules = [c for c in listed if not c.name.lower().endswith(".zip")]
    broken = [c for c in rules if c.report.errors]
    archives = [c for c in listed if c not in rules]
    for checked in (*broken, *archives):
        first = (checked.report.errors or checked.report.items)[0]
        place = f"{first.origin.span.source.position(first.origin.span.start)[0]}:" if first.origin else ""
        more = max(0, len(checked.report.errors) - 1)
        yield f"{checked.name}:{place} {first.message}" + (f" (and {number(more, 'more error')})" if more else "")
    kinds = by_key((kind, Path(checked.name).name) for checked in listed
                   for kind in sorted({(d.severity, d.code) for d in checked.report.items}))
    if (broken or archives) and kinds:
        yield ""
    for (severity, code), names in sorted(kinds.items(), key=lambda item: (item[0][0], -len(item[1]))):
        few = ", ".join(names[:EXAMPLES]) + (" …" if len(names) > EXAMPLES else "")
        yield f"  {severity:<8}{code:<22}{number(len(names), 'file'):>10}   {few}"
    games = sum(c.games for c in listed)
    without = f", {number(len(archives), 'archive')} without readable rules" if archives else ""
    yield (f"{name}: {number(len(rules), 'rules file')} ({number(games, 'game')}), {len(rules) - len(broken)} without "
           f"errors, {len(broken)} with errors{without}; `--full` shows every problem")


def _show(listed: Iterable[Checked], style: str, color: bool, all_expansions: bool) -> None:
    """Print every problem of files, one file after the other."""
    for checked in listed:
        if checked.report.items:
            text = render(checked.report, style, color, width=width(), all_expansions=all_expansions)
            print(text + ("\n" if style == "text" else ""))
        if style == "text":
            print(checked)


def _counts(report: Report) -> str:
    errors = len(report.errors)
    warnings = sum(d.severity == "warning" for d in report.items)
    counts = [number(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return " and ".join(counts) or "no problems"
