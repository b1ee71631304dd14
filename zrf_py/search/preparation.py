"""Measurements before the first move of a game: bounded in effort, and cached on disk.

Effort is counted in trials, games and positions, so that all machines measure the same. Only if positions take long,
fewer are visited: a quarter, a sixteenth …
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
from zrf_py.run.faults import RulesFault
from zrf_py.run.position import Changes, Position
from zrf_py.run.rules import Rules
from zrf_py.search.evaluation.kernel.learning import AT_ONCE
from zrf_py.search.evaluation.mobility import Trials
from zrf_py.search.plan import MctsSettings, Steps, Weights
from zrf_py.search.searcher import SEARCHING, Searcher

GAMES = 12_000
"""Maximum number of random games for learning square weights, where the rules imply none."""
POSITIONS = 300_000
"""Maximum number of positions of random games for learning; divided by four as often as needed to stay within `SECONDS`
of CPU time, on an idle machine on which `_pace` takes `PACE`. Below `FEWEST`, nothing is learned."""
PACE = 0.001
SECONDS = 4.0
FEWEST = 1000
PATIENCE = 10.0
"""Seconds of CPU time after which no further game is begun, in case later positions take many times longer."""
FIRST_LOOK, LOOKS = 20, 8
"""Plies of each game played to measure the time per position; maximum number of batches, after two single games."""
PHASES = ((0.3, 8400), (0.4, 4200), (0.3, 2100))
"""Phases of learning: share of all games, and learning rate (`rate` in the kernel's `learn`); the result is the mean of
the weights during the last phase."""
BY_CHANCE = MctsSettings(estimates=True, longest=400, tries=4)
WALKS, PLIES = 15, 80
"""Number of random games that show whether last moves matter, and maximum number of plies of each."""
LOOKING = 2.0
"""Seconds of CPU time after which the games of `WALKS` are abandoned: many times the time that chess needs."""
LARGEST = 1 << 18
"""Maximum number of piece-square weights; the measurements of a game with more are not cached."""


@dataclass
class Prepared:
    """Measurements: `learned[player][type][square]` are the weights learned from random games, `last` the result of
    `last_moves`, `steps` that of `race_steps`; None if not needed."""

    weights: Weights
    learned: list[list[list[int]]] | None = None
    last: list[int] | None = None
    steps: Steps | None = None


class NativeTrials(Trials):
    """Trials in native code, or by the interpreter if the game does not fit."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._native: walks.Trials | None = walks.Trials(program, SEARCHING)
        self.games = self._native.games

    def changes_from(self, board: Position, side: int, kind: int, square: int) -> list[Changes]:
        if self._native is not None:
            try:
                return self._native.changes_from(board, side, kind, square)
            except errors.NoRoom:
                if self._native.machine.layout is None:
                    self._native, self.games = None, Rules(self.program)
        return super().changes_from(board, side, kind, square)


def kept(program: Program, measure: Callable[[], Prepared]) -> Prepared:
    """Return the measurements of a program, from the cache or by `measure`."""
    name = _key(program)
    data = cache.load(name)
    if data is not None:
        with suppress(ValueError, TypeError, KeyError):
            fields = json.loads(data)
            return Prepared(Weights(**fields.pop("weights")), **fields)
    prepared = measure()
    if sum(len(row) for kinds in prepared.weights.board for row in kinds) <= LARGEST:
        fields = {**vars(prepared), "weights": vars(prepared.weights)}
        cache.store(name, json.dumps(fields, separators=(",", ":")).encode())
    return prepared


def _key(program: Program) -> str:
    """Return the cache key, a hash of all that the measurements depend on: the rules, the start, the code of search."""
    game = program.game
    facts = (game.players, game.turns, game.setup, game.stores, game.counters, game.teams, game.score,
             game.lowest_wins, [(end.result, end.players, end.goal) for end in game.ends],
             sorted(game.options.written.items()), POSITIONS)
    return cache.key(code.game_key(layout.lay_out(program)), repr(facts), release("search/**/*.py")) + ".measured"


def learn(searcher: Searcher) -> list[list[list[int]]]:
    """Learn square weights from random games, first with large steps, then with small ones."""
    tables, end = [searcher.piece_squares()], time.thread_time() + PATIENCE
    with suppress(errors.NoRoom, RulesFault):  # what was learned so far will do; play raises the fault again
        positions = _effort(searcher)
        for seed, (share, rate) in enumerate(PHASES, 1) if positions else ():
            tables = [searcher.piece_squares(), *_learned(searcher, seed, share, rate, positions, end)]
    return [[[round(sum(values) / len(tables)) for values in zip(*rows, strict=True)]
             for rows in zip(*kinds, strict=True)] for kinds in zip(*tables, strict=True)]


def _effort(searcher: Searcher) -> int:
    """Return the number of positions to learn from; 0 if too few could be visited within `SECONDS`."""
    look = replace(BY_CHANCE, longest=FIRST_LOOK)
    seconds, positions = float("inf"), POSITIONS
    for number, games in enumerate((1, 1, *[AT_ONCE] * LOOKS)):  # cold memory slows some measurements
        unit, began = max(1.0, _pace() / PACE), time.thread_time()
        seen = searcher.learn(0, 0, games, look, 0, POSITIONS)
        seconds = min(seconds, (time.thread_time() - began) / unit / max(1, seen))
        if number and not FEWEST * seconds <= SECONDS < POSITIONS * seconds:
            break
    while positions * seconds > SECONDS:
        positions //= 4
    return positions if positions >= FEWEST else 0


def _pace() -> float:
    """Return the CPU time of a fixed loop: other work on the machine slows it as it slows the games."""
    began = time.thread_time()
    sum(number & 1 for number in range(20_000))
    return time.thread_time() - began


def _learned(
    searcher: Searcher, seed: int, share: float, rate: int, positions: int, end: float,
) -> Iterator[list[list[list[int]]]]:
    """Learn from a share of all games and positions; yield the weights after each batch, until a limit is reached."""
    games, left = round(share * GAMES), round(share * positions)
    for done in range(0, games, AT_ONCE):
        left -= searcher.learn(seed, done, min(AT_ONCE, games - done), BY_CHANCE, rate, left)
        if left <= 0 or time.thread_time() > end:
            return
        yield searcher.piece_squares()


def last_moves(engine: Native, random: Random) -> list[int]:
    """Return a table of last moves, indexed by 64 * (type + 1) + ((to - from) & 63): 1 if legal moves were seen to
    depend on a last move with this index, else 0.

    Random games are played, and the moves of each position are generated again as if there had been no last move. If
    that takes too long, all last moves count as relevant."""
    matters = [0] * 64 * (len(engine.program.game.pieces) + 1)
    began = time.thread_time()
    with suppress(errors.NoRoom, RulesFault):  # what was seen so far will do; play raises the fault again
        for _ in range(WALKS):
            walk = walks.Walk(engine)
            for _ in range(PLIES):
                if time.thread_time() - began > LOOKING:
                    return [1] * len(matters)
                count = walk.moves()
                if walk.last is not None:
                    start, end, kind = walk.last
                    at = 64 * (kind + 1) + (end - start & 63)
                    matters[at] = matters[at] or int(walk.needs_last())
                if not count:
                    break
                walk.play(random.randrange(count))
    return matters
