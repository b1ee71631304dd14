"""`zrf mcp`: run the server with tools for language models."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from zrf_py.text.diagnostics import ZrfError


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run a server for the Model Context Protocol on standard input and output, with the tools new, check, fix, "
        "fmt, lint, explain, show, moves, play, why, ends, words, test, judge and games. Each call runs in its own "
        "process, with limits on time and memory.")
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER",
                        help="folder from which rules files may be read (default: the current folder)")


def run(args: argparse.Namespace) -> int:
    from zrf_py.text.extras import missing_extra

    if find_spec("mcp") is None:
        raise missing_extra("`zrf mcp`", "mcp")
    folder = Path(args.folder)
    if not folder.is_dir():
        raise ZrfError(f"there is no folder `{args.folder}`", "no-such-game")
    from zrf_py.mcp.server import make_server

    make_server(folder).run("stdio")
    return 0
