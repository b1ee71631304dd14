"""`zrf lsp`: the language server that editors start."""

import argparse
import os
import sys
from importlib.util import find_spec


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run a language server on standard input and output: diagnostics, hover, completion, rename, formatting. "
        "Editors start it; zrf_py/editors/README.md shows how to configure them.")
    parser.add_argument("--stdio", action="store_true", help="ignored: some editors pass this option")


def run(args: argparse.Namespace) -> int:
    from zrf_py.text.extras import missing_extra

    if find_spec("pygls") is None:
        raise missing_extra("`zrf lsp`", "editor")
    from zrf_py.lsp.server import server

    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # stray prints must not corrupt the protocol's messages
    server.start_io(None, output)
    return 0
