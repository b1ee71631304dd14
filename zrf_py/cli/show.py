"""`zrf show`."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("show", help="show what a rules file holds")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return 1
