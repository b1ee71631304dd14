"""`zrf fix`: what messages say to type, typed."""

import argparse
import sys
from typing import Any

from zrf_py.cli.common import add_color, use_color, width


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "fix", help="type what messages say to type, where that is certain",
        description="Mend what is certain: misspelt words, parentheses that are missing or too many, commas and "
        "quotation marks of other languages. The changes are shown; --write makes them. A change is kept only if its "
        "problem goes and no other comes.")
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="rules files, or folders that hold some")
    parser.add_argument("--write", action="store_true", help="change the files")
    add_color(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit code 1 if something is left that only the author can mend, or if changes were only shown."""
    from zrf_py.author.fix.fixing import fix_file
    from zrf_py.author.format.files import rules_files
    from zrf_py.text.render import render

    count = left = 0
    for path in dict.fromkeys(rules_files(args.files)):
        result = fix_file(path, args.write)
        count += len(result.done)
        left += len(result.left)
        if not args.write:
            sys.stdout.write(result.diff())
        for done in result.done:
            print(f"{path}:{done.line}: [{done.message.code}] {done.title}")
        if result.left:
            print(render(result.left, color=use_color(args.color), width=width()) + "\n")
    mended = "mended" if args.write else "can be mended: `--write` does it"
    print(f"{count} {mended}; {left} left to you" if count or left else "nothing to mend")
    return int(bool(left or (count and not args.write)))


