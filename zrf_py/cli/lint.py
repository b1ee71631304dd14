"""`zrf lint`: report likely mistakes in rules files."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from zrf_py.cli.common import add_color, add_json, print_json, use_color, width
from zrf_py.text.numbers import number

SHOWN = 20
"""Most findings of one code printed for a file: twenty show as much as a thousand."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find what can be played but is surely not meant: blocks that make no move, effects that are lost, "
        "names that nothing uses. `zrf explain CODE` tells more; `; zrf: allow CODE` in the file says: it is meant.")
    parser.epilog = "exit code: 0 without errors and findings, 1 otherwise; notes, and warnings of `check`, don't count"
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="rules files, or folders that hold some")
    add_json(parser, "every finding for programs")
    add_color(parser)


def run(args: argparse.Namespace) -> int:
    """Exit code 1 if there is an error or a finding in any file, 0 otherwise."""
    from zrf_py.author.lint.linting import lint_file
    from zrf_py.text.render import render

    found = hidden = warnings = notes = 0
    objects: list[object] = []
    for name in _files(args.files):
        linted = lint_file(name)
        shown = [*linted.report.errors, *linted.lints]
        notes += sum(d.severity == "note" for d in shown)
        found += sum(d.severity != "note" for d in shown)
        warnings += sum(d.severity == "warning" for d in linted.report.items)
        if args.json:
            objects += json.loads(render(shown, "json"))
        elif shown:
            seen: Counter[str] = Counter()
            printed = [d for d in shown if seen.update([d.code]) or seen[d.code] <= SHOWN]
            hidden += len(shown) - len(printed)
            print(render(printed, color=use_color(args.color), width=width()) + "\n")
    if args.json:
        print_json(objects)
    else:
        nothing = "no findings" if warnings or notes else "nothing to say"
        print(number(found, "finding") if found else nothing)
        if warnings:
            print(f"({number(warnings, 'warning')} besides: `zrf check` shows them)")
        if hidden:
            print(f"({hidden} of them not shown: more than {SHOWN} of one code in a file; `--json` lists all)")
    return int(bool(found))


def _files(names: list[str]) -> list[Any]:
    """Return the rules files of folders; included files are linted with the files that include them."""
    from zrf_py.library import rules_files

    return [path for name in names for path in (rules_files(Path(name)) if name and Path(name).is_dir() else [name])]
