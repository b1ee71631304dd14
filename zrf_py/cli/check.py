"""`zrf check`: every problem of rules files, all at once."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from zrf_py.cli.common import use_color, width


def add(commands: Any) -> None:
    parser = commands.add_parser("check", help="find every problem in rules files",
                                 description="Read rules files, all variants included, and list every problem.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a rules file, or the name of a game of the shelf")
    parser.add_argument("--format", choices=("text", "short", "json"), default="text", help="(default: %(default)s)")
    parser.add_argument("--all-expansions", action="store_true", help="show every step of long macro expansions")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="(default: %(default)s)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit code 1 if there is an error in any file, 0 otherwise."""
    color = use_color(args.color)
    objects: list[object] = []
    failed = False
    for name in args.files:
        report, summary = _checked(name)
        failed = failed or bool(report.errors)
        if args.format == "json":
            objects += _json(report)
            continue
        _show(report, args.format, color, args.all_expansions)
        if args.format == "text":
            print(summary)
        sys.stdout.flush()
    if args.format == "json":
        print(json.dumps(objects, indent=2, ensure_ascii=False))
    return int(failed)


def _checked(name: str) -> tuple[Any, str]:
    """What was found in a file, and one line about it."""
    from zrf_py.library import load_file
    from zrf_py.text.diagnostics import Report, ZrfError

    report = Report()
    games = 0
    try:
        file = load_file(name)
        report, games = file.report, len(file.programs)
    except ZrfError as error:
        report.items.extend(error.diagnostics)
    return report, f"{name}: {_counts(report)}" + (f" ({_number(games, 'game')})" if games else "")


def _counts(report: Any) -> str:
    errors = len(report.errors)
    warnings = sum(d.severity == "warning" for d in report.items)
    found = [_number(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return " and ".join(found) or "no problems"


def _number(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _json(report: Any) -> list[object]:
    from zrf_py.text.render import render

    found: list[object] = json.loads(render(report, "json"))
    return found


def _show(report: Any, style: str, color: bool, all_expansions: bool) -> None:
    if report.items:
        from zrf_py.text.render import render

        text = render(report, style, color, width=width(), all_expansions=all_expansions)
        print(text + ("\n" if style == "text" else ""))
