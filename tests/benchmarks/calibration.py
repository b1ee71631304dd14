"""Calibration of predicted chances to win: python -m tests.benchmarks.calibration GAME…

Weights are learned in the same way as for a board; then new games are played, and the predictions for their positions
are compared with the results.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from random import Random

from tests.benchmarks import show_help
from zrf_py.play import chances
from zrf_py.play.game import load
from zrf_py.search.game_search import search_for

GAMES = 60
BOUNDS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 1.01)


def rows(name: str) -> str:
    """Return a line of the table: for each range of predictions, their mean, the share that came true, their number."""
    program = load(name).program
    engine = search_for(program).engine
    learned, fresh = chances.Samples(), chances.Samples()
    chances.play_more(program, engine, learned, 1, 1e9)
    found = chances.fit(learned)
    if not found.tells:
        why = f"{found.loss:.3f} against {found.blind:.3f}"
        return f"| {name} | nothing is told ({why}) |" + " |" * (len(BOUNDS) - 2)
    for i in range(max(GAMES, learned.games)):
        chances.play_one(program, engine, fresh, Random(f"fresh {i}"))
    said = [(share, true) for _, features, was in fresh.rows
            for share, true in zip(chances.softmax(found.weights, features), was, strict=True)]
    cells = []
    for low, high in pairwise(BOUNDS):
        group = [pair for pair in said if low <= pair[0] < high]
        mean = [100 * sum(pair[i] for pair in group) / (len(group) or 1) for i in (0, 1)]
        cells.append(f"{mean[0]:.0f} → {mean[1]:.0f} ({len(group)})" if group else "")
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print the line of each game as soon as it is known."""
    groups = [f"{100 * low:.0f}–{min(100, 100 * high):.0f} %" for low, high in pairwise(BOUNDS)]
    print(f"| game | {' | '.join(groups)} |\n|{'---|' * (len(groups) + 1)}", flush=True)
    for name in sys.argv[1:]:
        print(rows(name), flush=True)


if __name__ == "__main__":
    show_help(__doc__)
    main()
