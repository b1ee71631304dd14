"""`zrf fmt`: format rules files in one style."""

import argparse
import sys
from pathlib import Path
from typing import Any

from zrf_py.cli.common import note_archives, print_problems
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import number
from zrf_py.text.source import harmless


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Format rules files in place, in the style of the bundled games. A file is replaced only if the new text "
        "defines the same game. Included files are formatted only if they are named, or in a named folder.")
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="rules files or folders of rules files; "
                        "- reads from standard input and writes to standard output")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with code 1 if a file would change")
    parser.add_argument("--diff", action="store_true", help="change nothing; show the differences as a diff")


def run(args: argparse.Namespace) -> int:
    """Return exit code 1 if a file can't be formatted, or if `--check` finds an unformatted one."""
    if args.files == ["-"]:
        return _standard(args)
    from zrf_py.author.format.files import Formatted, format_text, rewrite_file, rules_files

    write = not (args.check or args.diff)
    paths = list(dict.fromkeys(rules_files(args.files)))
    changed = failed = 0
    for path in paths:
        try:
            result = rewrite_file(format_text, path, write)
        except ZrfError as error:
            result = Formatted(str(path), "", "", tuple(error.diagnostics))
        failed += bool(result.problems)
        changed += result.changed
        _problems(path, result.problems)
        if args.diff:
            sys.stdout.write(result.diff())
        elif result.changed:
            print(f"{harmless(path)}: {'formatted' if write else 'would be formatted'}")
    if not args.diff:
        print(f"{number(changed, 'file')} {'changed' if write else 'would change'}, "
              f"{number(len(paths) - changed - failed, 'file')} already formatted"
              + (f", {number(failed, 'file')} with problems" if failed else ""))
    note_archives(args.files)
    return int(bool(failed or (args.check and changed)))


def _standard(args: argparse.Namespace) -> int:
    from zrf_py.author.format.files import format_text, rewrite_bytes
    from zrf_py.library import STDIN, contents

    name = "standard input"
    result, after = rewrite_bytes(format_text, name, contents(Path(STDIN)), Path.cwd() / name)
    _problems(name, result.problems)
    if args.diff:
        sys.stdout.write(result.diff())
    elif not args.check:
        sys.stdout.buffer.write(after)
    return int(bool(result.problems or (args.check and result.changed)))


def _problems(name: object, problems: Any) -> None:
    if problems:
        print_problems(problems, stream=sys.stderr)
        print(f"{harmless(name)}: not changed\n", file=sys.stderr)
