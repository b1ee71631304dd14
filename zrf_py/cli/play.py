"""`zrf play`."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("play", help="play a game")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return 1
