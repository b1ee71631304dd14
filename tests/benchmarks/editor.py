"""Delay between a change of a text and the list of its problems: `python -m tests.benchmarks.editor FOLDER [EVERY]`.

For each (or every n-th) rules file of a folder, words at random places are misspelt, one at a time, and corrected
again; the measured time is the processor time until the problems of the new text are known, as `zrf lsp` finds them.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path

from tests.benchmarks import show_help
from zrf_py.author.editor.analysis import analyse
from zrf_py.author.editor.quick import Quick
from zrf_py.author.editor.workshop import QUICK_FROM
from zrf_py.compile import without_collector
from zrf_py.front.decode import decode
from zrf_py.front.forms import tokens
from zrf_py.text.source import Source

EDITS = 6
USUAL = range(150, 241)
"""Lines of a usual file: the median real file has 193."""


def times(path: Path) -> tuple[int, list[float], int]:
    """Return the number of lines of a file, the seconds for each change, and the number of changes analysed in full."""
    text = decode(path.read_bytes())
    begin = time.process_time()
    before = analyse(Source(str(path), text), path)
    took = time.process_time() - begin
    quick = Quick(path) if took >= QUICK_FROM else None
    if quick:
        quick.problems(before.source)
    chance, found, slow = random.Random(path.name), [], 0
    words = [end for kind, _, end in tokens(text) if kind == "NAME"] or [0]
    for number in range(EDITS):
        at = chance.choice(words)
        source = Source(str(path), text[:at] + "x" + text[at:] if number % 2 == 0 else text)
        with without_collector():  # as in an editor, which collects garbage after reporting the problems
            begin = time.process_time()
            if quick is None or quick.problems(source) is None:
                analyse(source, path, before)
                slow += 1
            found.append(time.process_time() - begin)
    return text.count("\n") + 1, found, slow


def main(folder: str, every: int = 1) -> None:
    files = sorted(p for p in Path(folder).rglob("*") if p.suffix.lower() == ".zrf")[::every]
    rows = [times(path) for path in files]
    every_time = sorted(t for _, found, _ in rows for t in found)
    usual = [t for lines, found, _ in rows if lines in USUAL for t in found]
    print(f"{len(files)} files, {len(every_time)} changes, {sum(slow for *_, slow in rows)} of them compiled whole")
    for share in (0.5, 0.9, 0.95, 0.99):
        print(f"{share:4.0%}  {every_time[int(share * (len(every_time) - 1))] * 1000:7.0f} ms")
    print(f"within 300 ms: {sum(t <= 0.3 for t in every_time) / len(every_time):.1%}")
    worst = [max(found) for _, found, _ in rows]
    print(f"files all of whose changes are within 300 ms: {sum(t <= 0.3 for t in worst) / len(worst):.1%}")
    if usual:
        print(f"files of {USUAL[0]} to {USUAL[-1]} lines: median {statistics.median(usual) * 1000:.0f} ms")


if __name__ == "__main__":
    show_help(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
