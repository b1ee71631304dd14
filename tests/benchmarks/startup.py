"""Time until a command answers: `python -m tests.benchmarks.startup` prints a table.

Wall-clock and processor seconds of fresh processes are medians of five; memory is the peak of all processes so far.
With `ZRF_CORPUS` set, the three files below that folder that take longest to compile are found and measured, too.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks import show_help
from tests.playing import ROOT, RULES
from zrf_py.library import load_file

RUNS = 5
HEAVIEST = 3


def measure(*arguments: str) -> tuple[float, float, float]:
    """Return the median wall-clock and processor seconds of a fresh Python, and the peak memory so far in MiB."""
    walls, works = [], []
    for _ in range(RUNS):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        walls.append(time.perf_counter() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        works.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(walls), statistics.median(works), after.ru_maxrss / 1024


def typical() -> Path:
    """Return the file of the shelf that is nearest to 10 KB and includes no other."""
    alone = [p for p in RULES.rglob("*.zrf") if b"(include" not in p.read_bytes()]
    return min(alone, key=lambda p: abs(p.stat().st_size - 10_000))


def heaviest(folder: Path) -> list[Path]:
    """Return the files below a folder that take the most processor time to compile, without duplicates."""
    times: dict[bytes, tuple[float, Path]] = {}
    for path in folder.rglob("*"):
        if path.suffix.lower() == ".zrf" and path.is_file() and path.read_bytes() not in times:
            began = time.process_time()
            load_file(path)
            times[path.read_bytes()] = time.process_time() - began, path
    return [path for _, path in sorted(times.values(), reverse=True)[:HEAVIEST]]


def main() -> None:
    corpus = os.environ.get("ZRF_CORPUS")
    files = [typical(), *(heaviest(Path(corpus)) if corpus else ())]
    rows = [("python -c pass", ("-c", "pass")), ("import zrf_py", ("-c", "import zrf_py")),
            ("import zrf_py; zrf_py.load", ("-c", "import zrf_py; zrf_py.load")),
            ("zrf --version", ("-m", "zrf_py", "--version"))]
    rows += [(f"zrf check {path.name} ({path.stat().st_size / 1000:.0f} KB)", ("-m", "zrf_py", "check", str(path)))
             for path in files]
    print(f"| {'what':<44} | wall s | processor s | MiB |\n|{'-' * 46}|-------:|------------:|----:|")
    for name, arguments in rows:
        wall, work, memory = measure(*arguments)
        print(f"| {name:<44} | {wall:6.2f} | {work:11.2f} | {memory:3.0f} |", flush=True)


if __name__ == "__main__":
    show_help(__doc__)
    main()
