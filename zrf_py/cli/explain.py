"""`zrf explain`."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("explain", help="explain a keyword or the code of a message")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return 1
