"""`zrf`: reads the command line, runs one command, and turns whatever goes wrong into one clear message.

Each command is a module with `add`, which describes its arguments, and `run`, which imports what it needs: asking for
help must not wait for a parser generator.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from zrf_py import __version__
from zrf_py.cli import (
    agree,
    analyse,
    cached,
    check,
    explain,
    judge,
    listing,
    match,
    moves,
    perft,
    play,
    replay,
    serve,
    show,
    solve,
)

COMMANDS = (
    play, serve, analyse, match, judge, solve, check, moves, perft, replay, show, listing, explain, agree, cached,
)
OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the result is the exit code: 0 fine, 1 a problem was found, 2 wrong usage."""
    try:
        args = _parser().parse_args(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE
    try:
        code = int(args.run(args))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return _silence()
    except Exception as error:
        if os.environ.get("ZRF_DEBUG"):
            raise
        return _report(error)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="zrf", description="Play, check and examine board games written as rules files (.zrf).",
        epilog="A game is named by its name on the shelf (`zrf list`) or by the path of a rules file.",
    )
    parser.add_argument("--version", action="version", version=f"zrf {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser


def _silence() -> int:
    """Whoever read our output has gone: nothing more can be said, and Python shouldn't try when it ends."""
    try:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - has to stay open until the process ends
    except OSError:
        return FAILED
    return OK


def _report(error: Exception) -> int:
    """Say what went wrong, never with a traceback."""
    from zrf_py.cli.common import use_color, width
    from zrf_py.text.diagnostics import Diagnostic, ZrfError
    from zrf_py.text.render import render

    if isinstance(error, ZrfError):
        diagnostics = error.diagnostics
    elif isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        diagnostics = [Diagnostic("system", f"{name}{error.strerror or error}", None)]
    else:
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        diagnostics = [Diagnostic("internal", f"zrf itself failed: {what}", None,
                                  help="set ZRF_DEBUG=1 to see where, and please report it")]
    print(render(diagnostics, color=use_color("auto", sys.stderr), width=width()), file=sys.stderr)
    return FAILED
