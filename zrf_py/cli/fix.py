"""`zrf fix`: apply safe fixes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.cli.common import add_color, beside, note_archives, print_problems
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import harmless

if TYPE_CHECKING:
    from zrf_py.author.fix.fixing import Fixed


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show safe fixes for misspelt words, missing or extra parentheses, and wrong commas or quotation marks; "
        "--write applies them. A fix is made only if it leaves fewer problems and causes no new ones. Ambiguous cases "
        "are left to you.")
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="rules files or folders of rules files; "
                        "- reads from standard input and, with --write, writes to standard output")
    parser.add_argument("--write", action="store_true", help="write the changes to the files")
    add_color(parser)


def run(args: argparse.Namespace) -> int:
    """Return exit code 1 if problems remain that only the author can fix, or if changes were only shown."""
    if args.files == ["-"]:
        return _standard(args)
    from zrf_py.author.fix.fixing import Fixed, fix_text
    from zrf_py.author.format.files import rewrite_file, rules_files

    count = left = 0
    for path in dict.fromkeys(rules_files(args.files)):
        try:
            result = rewrite_file(fix_text, path, args.write)
        except ZrfError as error:
            result = Fixed(str(path), "", "", (), (), tuple(error.diagnostics))
        count += len(result.done)
        left += len(result.left)
        if not args.write:
            sys.stdout.write(result.diff())
        _print_fixes(result, path, args.color)
    note_archives(args.files)
    return _sum(args.write, count, left)


def _standard(args: argparse.Namespace) -> int:
    from zrf_py.author.fix.fixing import fix_text
    from zrf_py.author.format.files import rewrite_bytes
    from zrf_py.library import STDIN, contents

    name = "standard input"
    result, after = rewrite_bytes(fix_text, name, contents(Path(STDIN)), Path.cwd() / name)
    if args.write:
        sys.stdout.buffer.write(after)
    else:
        sys.stdout.write(result.diff())
    with beside("-" if args.write else None):
        _print_fixes(result, name, args.color)
        return _sum(args.write, len(result.done), len(result.left))


def _print_fixes(result: Fixed, name: object, color: str) -> None:
    """Print the applied fixes and the remaining problems."""
    for done in result.done:
        print(f"{harmless(name)}:{done.line}: [{done.message.code}] {done.title}")
    if result.left:
        print_problems(result.left, color)
        print()


def _sum(write: bool, count: int, left: int) -> int:
    fixes = f"{'fixed' if write else '`--write` would fix'}: {count}"
    print(f"{fixes}; problems left for you to correct: {left}" if count or left else "nothing to fix")
    return int(bool(left or (count and not write)))
