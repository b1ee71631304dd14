"""`zrf serve`: start the web server with boards, a gallery and the rules editor."""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from zrf_py.cli.common import no_output
from zrf_py.text.diagnostics import ZrfError, writing

NEEDED = ("starlette", "uvicorn", "websockets")


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Start a web server with a gallery and boards, for playing alone, against the computer, or with others who "
        "open a link. Without --host, only this computer can connect.")
    parser.add_argument("name", metavar="NAME|FILE|FOLDER", nargs="?",
                        help="a game to open, or a folder of rules files to list (default: the bundled games)")
    parser.add_argument("--watch", action="store_true", help="reload the rules file when it changes")
    parser.add_argument("--edit", action="store_true", help="edit the rules file in the browser, with the board beside "
                        "it; a missing file is created")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS",
                        help="address to listen on; 0.0.0.0 for the whole network (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, metavar="N",
                        help="port (default: %(default)s, or the next free one)")
    parser.add_argument("--name", dest="names", action="append", default=[], metavar="HOST",
                        help="another host name that browsers may use for this server")
    parser.add_argument("--embed", action="append", default=[], metavar="ORIGIN",
                        help="website whose pages may embed boards, such as https://example.org")
    parser.add_argument("--proxy", action="append", default=[], metavar="ADDRESS",
                        help="address of a trusted proxy, such as 127.0.0.1, whose header X-Forwarded-For gives the "
                        "addresses of visitors (default: none)")
    parser.add_argument("--state", metavar="FOLDER", help="folder that stores boards between runs, for one "
                        "server at a time (default: one for each user; with --edit, one for each file)")
    parser.add_argument("--pace", type=float, metavar="SECONDS", help="minimum time between moves of computer "
                        "players (default: 0.45)")
    parser.add_argument("--open", action="store_true", help="open a browser")


def run(args: argparse.Namespace) -> int:
    from zrf_py.text.extras import missing_extra

    if any(find_spec(name) is None for name in NEEDED):
        raise missing_extra("`zrf serve`", "board")
    from zrf_py.serve.computers import Pace
    from zrf_py.serve.run import Settings
    from zrf_py.serve.run import run as serve
    from zrf_py.serve.store import default_folder

    if args.watch and args.name is None:
        raise ZrfError("give the rules file to watch", "usage")
    if args.edit:
        _begin(args.name)
    no_output("--state", args.state, "folder")
    state = Path(args.state) if args.state else default_folder(args.name if args.edit else "")
    if args.name and Path(args.name).is_dir():
        print(f"Reading the rules files in {args.name} …", file=sys.stderr, flush=True)
    pace = Pace() if args.pace is None else Pace(max(0.0, args.pace), max(0.0, args.pace))
    serve(Settings(args.name, args.host, args.port, args.watch, state, tuple(args.names), pace,
                   tuple(args.embed), args.edit, tuple(args.proxy)),
          lambda address: _welcome(address, args.open))
    return 0


def _begin(name: str | None) -> None:
    """Create the rules file to edit, unless it exists.

    :raises ZrfError: if no rules file is named, or it can't be written.
    """
    path = Path(name or "")
    if not name or path.suffix.lower() != ".zrf":
        raise ZrfError("give the rules file to edit, such as `my.zrf`", "usage")
    if not path.exists():
        with writing(name):
            path.touch()


def _welcome(address: str, open_browser: bool) -> None:
    print(f"Boards at {address} (Ctrl+C stops the server)")
    sys.stdout.flush()
    if open_browser:
        import webbrowser

        webbrowser.open(address)
