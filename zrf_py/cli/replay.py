"""`zrf replay`."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("replay", help="check a saved game against its rules, move by move")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return 1
