"""Ahead-of-time build of cache entries that ship with the package, so that the first start is as fast as the second:
parser tables, and the compiled kernels for any game, native and for web pages. `.ci/build_hook.py` runs this. The keys
of the entries include the release and the kind of machine; on any other machine they are built on first use."""

import os
import tempfile
from pathlib import Path

from zrf_py import cache
from zrf_py.export import wasm
from zrf_py.front.parse import grammar
from zrf_py.native import code
from zrf_py.native.extension import NOTHING
from zrf_py.search.searcher import BEAMS, SEARCHING
from zrf_py.solve.engine import PUZZLES


def ship() -> None:
    """Build all entries into the package's folder; run in a process of its own, since it redirects the cache."""
    target, cache.SHIPPED = cache.SHIPPED, Path(os.devnull)  # ignore entries of an older build
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["ZRF_CACHE"] = scratch
        grammar()
        for also in (NOTHING, SEARCHING, BEAMS, PUZZLES):
            code.make_kernel(also)
        for kinds in wasm.SHIPPED:
            wasm.kernel(frozenset(kinds))
        cache.SHIPPED = target
        cache.ship()


if __name__ == "__main__":
    ship()
