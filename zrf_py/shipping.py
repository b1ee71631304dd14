"""What can be made while a package is built, so that the first start is as quick as the second: tables of the parser,
and kernels for any game. `.ci/build_hook.py` calls this. What it makes is found by names that tell release and kind
of machine; elsewhere it is made anew, as if nothing had come with the package.
"""

import os
import tempfile
from pathlib import Path

from zrf_py import cache
from zrf_py.front.parse import grammar
from zrf_py.native import code
from zrf_py.native.extension import NOTHING
from zrf_py.search.beam.engine import BEAMS
from zrf_py.search.searcher import SEARCHING
from zrf_py.solve.engine import PUZZLES


def ship() -> None:
    """Make everything and put it beside the package's code; in a process of its own, for which another cache holds."""
    target, cache.SHIPPED = cache.SHIPPED, Path(os.devnull)  # what came with an older package is no help
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["ZRF_CACHE"] = scratch
        grammar()
        for also in (NOTHING, SEARCHING, BEAMS, PUZZLES):
            code.make_kernel(also)
        cache.SHIPPED = target
        cache.ship()


if __name__ == "__main__":
    ship()
