"""`zrf site`: build a static website with games to play, documentation and a rules editor."""

import argparse
from pathlib import Path

from zrf_py.cli.common import no_output, print_left_out
from zrf_py.text.numbers import number


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Build a website for any web server: a gallery with a page for each game, the documentation, and an editor in "
        "which games can be written, checked and played without installing anything. The site loads nothing from "
        "other servers and works offline after the first visit. To try it: python -m http.server -d DIR")
    parser.add_argument("what", metavar="FOLDER|shelf", nargs="?", default="shelf",
                        help="a folder of rules files, a file, or `shelf`: the bundled games (default: shelf)")
    parser.add_argument("-o", "--output", metavar="DIR", default="site", help="folder to write (default: site)")
    parser.add_argument("--pyodide", metavar="DIR",
                        help="the unpacked npm package `pyodide`, which runs Python in browsers")


def run(args: argparse.Namespace) -> int:
    from zrf_py.export.website import website

    no_output("-o", args.output, "folder")
    done = website(args.what, args.output, args.pyodide, tell=lambda line: print(line, flush=True))
    code = print_left_out(done.left_out)
    games = number(len(done.pages), "game")
    print(f"{args.output} has {games}; to see it: python -m http.server -d {Path(args.output)}")
    return code
