"""A plain tree search as a separate engine, for comparison: `python -m tests.benchmarks.uct GAME SECONDS [EXPLORE]`.

It speaks UCI, and knows the rules and nothing else: our Monte-Carlo tree search with all values of pieces and squares
set to zero, so that priors are equal, and with random playouts to the end of the game. `SECONDS` is processor time a
turn. It is meant for games of two sides whose turns are single moves.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from tests.benchmarks import show_help
from zrf_py.play.coordinates import Coordinates
from zrf_py.play.game import load
from zrf_py.run.position import Position
from zrf_py.search import driver
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits
from zrf_py.search.plan import MctsSettings
from zrf_py.search.traits import TREE

EXPLORE = MctsSettings.explore
"""Exploration, as in our usual tree search; in othello, four times this value lost 11 of 16 games and won 4."""
COMPILING = 120.0
"""Maximum number of seconds to wait for the game's own code before the first turn."""


def plain(name: str, explore: int) -> GameSearch:
    """Return a search that knows the rules only, with the game's own code ready."""
    settings = MctsSettings(estimates=False, explore=explore, rollout_legs=10**6, tries=1)
    driver.mcts_settings = lambda weights, rows: settings
    search = GameSearch(load(name).program, lambda _: None)
    base = search.base
    assert base is not None
    board, hand, kinds = base.weights.board, base.weights.hand, base.weights.kinds
    base.learned, base.deadlines = None, []
    base.weights = replace(base.weights, board=[[[0] * len(row) for row in rows] for rows in board],
                           hand=[[0] * len(row) for row in hand], kinds=[0] * len(kinds))
    base.searcher.weigh(base.weights)
    base.searcher.machine.begin_own()
    base.searcher.machine.finish(COMPILING)
    return search


class Engine:
    """The engine in one game: the positions so far, oldest first, and the texts of the moves that led to them."""

    def __init__(self, name: str, seconds: float, explore: int) -> None:
        self.search = plain(name, explore)
        self.coordinates = Coordinates(self.search.program)
        self.limits = Limits(cpu=seconds)
        self.texts: list[str] = []
        self.line = [self.search.engine.start()]

    def follow(self, texts: Sequence[str]) -> Position:
        """Return the position after these moves from the start."""
        if list(texts[: len(self.texts)]) != self.texts:
            self.texts, self.line = [], self.line[:1]
        for text in texts[len(self.texts) :]:
            move = self.coordinates.read(self.search.engine, self.line[-1], text)
            assert move is not None, f"`{text}` is not legal"
            self.line.append(self.search.engine.after(self.line[-1], move))
        self.texts = list(texts)
        return self.line[-1]

    def best(self) -> str:
        """Return the text of the move that is played in the last position."""
        position = self.line[-1]
        found = self.search.analyse(position, self.line[:-1], self.limits, seed=len(self.line), kind=TREE)
        return self.coordinates.texts(position, found.lines[0].moves[0])[0]


def main() -> None:
    name, seconds, *explore = sys.argv[1:]
    engine = Engine(name, float(seconds), int(explore[0]) if explore else EXPLORE)
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                print("id name plain UCT", "uciok", sep="\n", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position"]:
                engine.follow(words[3:])
            case ["go"]:
                print(f"bestmove {engine.best()}", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    show_help(__doc__)
    main()
