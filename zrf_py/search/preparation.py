"""Program → what is measured of it before the first move: bounded, and kept on disk.

All of it is counted in trials, games and positions, so that it is the same on every machine; `PATIENCE` ends the
learning only where a position takes many times longer than usual.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random

from zrf_py import cache
from zrf_py.data import release
from zrf_py.ir.ops import Program
from zrf_py.native import code, errors, layout, walks
from zrf_py.native.engine import Native
from zrf_py.run.engine import Engine
from zrf_py.run.faults import RulesFault
from zrf_py.run.position import Changes, Position
from zrf_py.search.evaluation.kernel.learning import AT_ONCE
from zrf_py.search.evaluation.mobility import Interpreted
from zrf_py.search.plan import MctsSettings, Weights
from zrf_py.search.searcher import SEARCHING, Searcher

GAMES = 6000
"""Random games, at most, from which worths of squares are learned where the rules tell nothing of them."""
POSITIONS = 150_000
"""Positions of such games, at most."""
PATIENCE = 0.3
"""Seconds of processor time after which no further such game is begun."""
FIRST_LOOK = 20
"""Plies by which it is seen whether a whole game would take that long; then none is played."""
PHASES = ((0.3, 8400), (0.4, 4200), (0.3, 2100))
"""What share of all that is learned how fast: in thousandths of a hundredth for a surprising position; the mean of the
worths during the last one counts.

Luck decides much: at 2,000 positions a move, against worths from three times as many whose targets were the results
alone, three draws won 58 to 59 in othello, from 16 to 22 to 26 to 14; with such targets as many as now won 17 to 43."""
MOST = AT_ONCE
"""Games between two looks at the clock, at most."""
BY_CHANCE = MctsSettings(estimates=True, longest=400, tries=4)
WALKS, PLIES = 15, 80
"""Random games, and plies of each, in which it is seen whether last moves matter."""
LOOKING = 0.3
"""Seconds of processor time after which that is not looked for any longer."""
LARGEST = 1 << 18
"""Numbers that are kept of one game."""


@dataclass
class Prepared:
    """What was measured: `learned[player][type][square]` are the worths after random games, `last` the answer of
    `last_moves`; None where nobody asks. What is not `is_final` was measured in haste, and only kept until the game's
    own code can do better."""

    weights: Weights
    learned: list[list[list[int]]] | None = None
    last: list[int] | None = None
    is_final: bool = True


class NativeTrials:
    """Trials in machine code, where it has room."""

    def __init__(self, program: Program) -> None:
        self._native: walks.Trials | None = walks.Trials(program, SEARCHING)
        self._slow = Interpreted(program)

    @property
    def games(self) -> Engine:
        """What plays whole games."""
        return self._native.games if self._native else self._slow.games

    def changes_from(self, board: Position, side: int, kind: int, square: int) -> list[Changes]:
        """What a piece of a type could do if it stood on a square."""
        if self._native is not None:
            try:
                return self._native.changes_from(board, side, kind, square)
            except errors.NoRoom:
                if self._native.machine.layout is None:
                    self._native = None
        return self._slow.changes_from(board, side, kind, square)


def kept(program: Program, measure: Callable[[], Prepared], must_be_final: bool = False) -> Prepared:
    """What was measured of a program, from the disk if it is there."""
    name = _key(program)
    data = cache.load(name)
    if data is not None:
        with suppress(ValueError, TypeError, KeyError):
            fields = json.loads(data)
            if fields["is_final"] or not must_be_final:
                return Prepared(Weights(**fields.pop("weights")), **fields)
    found = measure()
    if sum(len(row) for kinds in found.weights.board for row in kinds) <= LARGEST:
        fields = {**vars(found), "weights": vars(found.weights)}
        cache.store(name, json.dumps(fields, separators=(",", ":")).encode())
    return found


def _key(program: Program) -> str:
    """What decides about the measured numbers: the rules, the start, and how they are measured."""
    game = program.game
    facts = (game.players, game.turns, game.setup, game.stores, game.counters, game.teams, game.score,
             game.lowest_wins, [(end.result, end.players, end.goal) for end in game.ends],
             sorted(game.options.written.items()))
    return cache.key(code.game_key(layout.lay_out(program)), repr(facts), release("search/**/*.py")) + ".measured"


def learn(searcher: Searcher) -> list[list[list[int]]]:
    """The worths of squares after random games: first in large steps, then in small ones."""
    end, found = time.thread_time(), [searcher.piece_squares()]
    with suppress(errors.NoRoom, RulesFault):  # such a fault will come up again where it matters
        searcher.learn(0, 0, 1, replace(BY_CHANCE, longest=FIRST_LOOK), 0, 1)
        if (time.thread_time() - end) * BY_CHANCE.longest / FIRST_LOOK > PATIENCE:
            return found[0]
        for seed, (share, rate) in enumerate(PHASES, 1):
            end += share * PATIENCE
            found = [searcher.piece_squares(), *_learned(searcher, seed, share, rate, end)]
    return [[[round(sum(values) / len(found)) for values in zip(*rows, strict=True)]
             for rows in zip(*kinds, strict=True)] for kinds in zip(*found, strict=True)]


def _learned(
    searcher: Searcher, seed: int, share: float, rate: int, end: float,
) -> Iterator[list[list[list[int]]]]:
    """Learn from a share of all games, a few at once, or until the processor time is up: the worths on the way."""
    done, pace, games, left = 0, 1, round(share * GAMES), round(share * POSITIONS)
    while done < games and left > 0 and (before := time.thread_time()) < end:
        now = min(pace, games - done, AT_ONCE - done % AT_ONCE)
        left -= searcher.learn(seed, done, now, BY_CHANCE, rate, left)
        done += now
        if done % AT_ONCE == 0 and left > 0:
            yield searcher.piece_squares()
        pace = min(MOST, 2 * pace) if time.thread_time() - before < PATIENCE / 30 else max(1, pace // 2)


def last_moves(engine: Native, random: Random) -> tuple[list[int], bool]:
    """For each [type + 1][(to - from) & 63]: whether what may follow was seen to depend on such a last move.

    Random games are played, and each position is asked for its moves again as if nobody knew the last one. Where that
    takes too long every last move counts as one that matters; the second answer tells whether all was looked at.
    """
    found = [0] * 64 * (len(engine.program.game.pieces) + 1)
    began = time.thread_time()
    with suppress(errors.NoRoom, RulesFault):  # such a fault will come up again where it matters
        for _ in range(WALKS):
            walk = walks.Walk(engine)
            for _ in range(PLIES):
                if time.thread_time() - began > LOOKING:
                    return [1] * len(found), False
                count = walk.moves()
                if walk.last is not None:
                    start, end, kind = walk.last
                    at = 64 * (kind + 1) + (end - start & 63)
                    found[at] = found[at] or int(walk.needs_last())
                if not count:
                    break
                walk.play(random.randrange(count))
    return found, True
