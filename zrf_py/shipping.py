"""What can be made while a package is built, so that the first start is as quick as the second: tables of the parser, and
kernels for any game. `.ci/build_hook.py` calls this. What it makes is found by names that tell release and kind of
machine; elsewhere it is made anew, as if nothing had come with the package.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from zrf_py import cache
from zrf_py.front.parse import grammar
from zrf_py.native import code
from zrf_py.native.engine import Native
from zrf_py.search.beam.engine import BeamSearcher
from zrf_py.search.searcher import Searcher
from zrf_py.solve.engine import NativeSpace


def ship(target: Path) -> None:
    """Make everything, in a process of its own, and fill a folder with it."""
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["ZRF_CACHE"] = scratch
        grammar()
        for engine in (Native, Searcher, BeamSearcher, NativeSpace):
            code.ship_kernel(engine.also)
        target.mkdir(parents=True, exist_ok=True)
        made = {path.name: path.read_bytes() for path, _ in cache.entries()}
    for name, data in made.items():
        (target / f"new-{name}").write_bytes(data)
        os.replace(target / f"new-{name}", target / name)
    for path in target.iterdir():
        if path.name not in made:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    ship(cache.SHIPPED)
