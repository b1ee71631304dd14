"""`zrf cache`: what is kept on disk between starts, and how to be rid of it."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("cache", help="show or clear what is kept on disk between starts")
    parser.add_argument("--clear", action="store_true", help="delete it; it is made again when needed")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zrf_py import cache

    if args.clear:
        print(f"{cache.clear()} files deleted")
        return 0
    place = cache.folder()
    if place is None:
        print("nothing is kept: there is no folder that only you can write")
        return 0
    files = cache.entries()
    size = sum(status.st_size for _, status in files) / 2**20
    print(f"{place}: {len(files)} files, {size:.1f} MiB of at most {cache.ROOM // 2**20} MiB")
    return 0
