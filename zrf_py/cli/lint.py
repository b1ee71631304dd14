"""`zrf lint`: report likely mistakes in rules files."""

import argparse
import json
from collections import Counter

from zrf_py.cli.check import files_of
from zrf_py.cli.common import add_color, add_json, print_json, print_problems
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import number
from zrf_py.text.render import render

SHOWN = 20
"""Maximum number of findings of one code printed for a file; the others are only counted."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Report likely mistakes that are not errors: blocks that never generate a move, effects that are lost, unused "
        "names. `zrf explain CODE` describes a finding; `; zrf: allow CODE` in the file suppresses it.")
    parser.epilog = "exit code: 1 if there are errors or findings, otherwise 0; other warnings and notes don't count"
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER",
                        help="rules files, or folders or .zip archives of rules files")
    add_json(parser, "print the findings as JSON")
    add_color(parser)


def run(args: argparse.Namespace) -> int:
    """Return exit code 1 if there is an error or a finding in any file, 0 otherwise."""
    from zrf_py.author.editor.balance import settled
    from zrf_py.author.lint.linting import lint_file

    hidden = warnings = 0
    severities: Counter[str] = Counter()
    objects: list[object] = []
    for name, _, problems in (file for place in args.files for file in files_of(place)):
        try:
            linted = None if problems else settled(lint_file(name))
            listed = [*linted.errors, *(linted.lints or ())] if linted else problems
            warnings += sum(d.severity == "warning" for d in linted.diagnostics) if linted else 0
        except ZrfError as error:
            listed = error.diagnostics
        severities.update(d.severity for d in listed)
        if args.json:
            objects += json.loads(render(listed, "json"))
        elif listed:
            seen: Counter[str] = Counter()
            printed = [d for d in listed if seen.update([d.code]) or seen[d.code] <= SHOWN]
            hidden += len(listed) - len(printed)
            print_problems(printed, args.color)
            print()
    count, errors = severities["warning"], severities["error"]
    if args.json:
        print_json(objects)
    else:
        empty = "no findings" if warnings or severities["note"] else "nothing to report"
        if errors:
            print(f"{number(errors, 'error')}: games with errors are not searched for likely mistakes")
        if count or not errors:
            print(number(count, "finding") if count else empty)
        if warnings:
            print(f"({number(warnings, 'warning')} not shown: `zrf check` shows them)")
        if hidden:
            print(f"({hidden} of them not shown: for each file, only {SHOWN} of each code are; `--json` lists all)")
    return int(bool(count or errors))
