"""`zrf export`: export games as web pages that work offline, without a server."""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from zrf_py.cli.common import can_write, no_output, print_left_out, write_file
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import number


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Export a rules file with all its variants as a single web page that contains the rules, pictures and computer "
        "players. The page works offline, from disk or from any web server, on computers and phones. With --site, "
        "write a folder with an index and one page per rules file.")
    parser.add_argument("name", metavar="NAME|FILE", nargs="?",
                        help="a bundled game (see `zrf list`) or a rules file")
    parser.add_argument("--variant", metavar="V", help="title or number of the variant to show first (the first is 0)")
    parser.add_argument("--site", metavar="FOLDER|shelf", help="export all files of a folder, or the bundled games")
    parser.add_argument("--learn", action="store_true",
                        help="where winning chances are unknown, estimate them from games of the computer player; "
                        "takes up to a minute per game")
    parser.add_argument("--small", action="store_true",
                        help="make each page about 3%% smaller; takes half a second longer (requires zopfli)")
    parser.add_argument("-o", "--output", metavar="PAGE|DIR",
                        help="page or folder to write (default: NAME.html, or the folder `site`); - writes the page to "
                        "standard output")


def run(args: argparse.Namespace) -> int:
    if (args.name is None) == (args.site is None):
        raise ZrfError("give either a game or --site", "usage",
                       help="`zrf export chess`, or `zrf export --site shelf -o games`")
    if args.small and find_spec("zopfli") is None:
        print("zopfli isn't installed, so the page is about 3% larger: `pip install 'zrf-py[small]'`", file=sys.stderr)
    return _site(args) if args.site else _page(args)


def _page(args: argparse.Namespace) -> int:
    from zrf_py.export.page import games_of, page_of
    from zrf_py.play.foreign import missing_rules

    target = args.output
    if target is None:
        target = "-" if args.name == "-" else f"{Path(args.name).stem}.html"
    can_write(target)
    games, first = games_of(args.name, args.variant)
    data = page_of(games, first, learn=args.learn, small=args.small).encode("utf-8", "replace")
    write_file(target, data)
    if why := missing_rules(games[first].program):
        print(f"note: nobody can play on this page: {why}", file=sys.stderr)
    if target != "-":
        print(f"Wrote {target} ({len(data) / 1000:.0f} kB). Open it in a browser, or send it to a friend.")
    return 0


def _site(args: argparse.Namespace) -> int:
    from zrf_py.export import site

    folder = args.output or "site"
    no_output("-o", folder, "folder")
    done = site(args.site, folder, tell=lambda line: print(line, flush=True), learn=args.learn, small=args.small)
    code = print_left_out(done.left_out)
    size = sum(done.pages.values()) / 1e6
    print(f"{folder} has {number(len(done.pages), 'page')} ({size:.1f} MB); open {Path(folder) / 'index.html'}")
    return code
