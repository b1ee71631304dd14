"""`zrf cache`: show or clear the cache on disk."""

import argparse

from zrf_py.cli.common import add_json, print_json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="delete the cache; it is rebuilt as needed")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py import cache

    if args.clear:
        count = cache.clear()
        if args.json:
            print_json({"deleted": count})
        else:
            print(f"{count} files deleted")
        return 0
    place, files = cache.folder(), cache.entries()
    size = sum(status.st_size for _, status in files)
    results = cache.state_base() / "results.sqlite"
    if args.json:
        print_json({"folder": str(place) if place else None, "files": len(files), "bytes": size,
                    "most": cache.ROOM, "results": str(results) if results.exists() else None})
        return 0
    print(f"{place}: {len(files)} files, {size / 2**20:.1f} MiB of at most {cache.ROOM // 2**20} MiB" if place else
          "nothing is cached, because there is no folder to which only you can write")
    if results.exists():
        print(f"{results}: games of `zrf match`, `judge` and `selfplay`, {results.stat().st_size / 2**20:.1f} MiB; "
              "delete it if you don't need those games")
    return 0
