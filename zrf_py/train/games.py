"""Training data: games of a computer player against itself, with positions of the games and of the searches.

A position inside a search is one at which the search was interrupted: mostly a leaf, with the hanging pieces and odd
moves that are common in a search and rare in games. Labels are values of searches limited by positions, so the same
seed gives the same data.
"""

from array import array
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from zrf_py.batch.contestants import COMPILING
from zrf_py.batch.games import play
from zrf_py.batch.jobs import Result, seeded
from zrf_py.batch.match import points_of
from zrf_py.ir.ops import Program
from zrf_py.play.players import Legs, Past, random_turn
from zrf_py.run.engine import Engine
from zrf_py.run.position import NOBODY, Position
from zrf_py.search.alphabeta.kernel.search import NULL_MOVE
from zrf_py.search.base import Base
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits, table_bits
from zrf_py.search.memory import MAX_PLY, Ply
from zrf_py.search.plan import Patterns
from zrf_py.search.trained import read
from zrf_py.search.traits import ALPHA_BETA

PLAY_NODES, LABEL_NODES = 400, 2500
"""Positions visited to choose a move, and to find the value of a position."""
NOISE = 20
OPENING = (2, 12)
"""Minimum and maximum number of random turns at the start of a game."""
SLIPS = 0.04
"""Share of later turns that are random."""
SHARE = 0.5
"""Probability that the position of a turn is labelled; the same, independently, for one inside its search."""
MOST_TURNS = 250
MOST_OFF = 100
"""Limit on the number of a player's pieces of a type off the board."""

Row = list[Any]
"""A position: [0] its cells and stores (`cells`), [1] side to move (1 or -1), [2] lead by the sums (hundredths), [3]
lead in mobility (moves), [4] value (hundredths), [5] whether the best move takes a piece off the board, [6] result of
its game (0 to 1), or None for a position inside a search. [1] to [4] and [6] are from the first player's view."""


def one_game(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """Play a game of a round, and return its rows; the work of a `Job`."""
    search = search_with(engine.program, parameters["weights"])
    sampler = _Sampler(search, seeded(parameters["seed"], "train", parameters["round"], number))
    return {"games": 1, "rows": sampler.play()}


def packed_weights(data: bytes) -> str:
    """Return a file of weights as a parameter of a job; b"" stands for the built-in evaluation."""
    return b64encode(data).decode()


@lru_cache(maxsize=4)
def search_with(program: Program, weights: str) -> GameSearch:
    """Return the search of a game with these weights ("": none), with its own code if that is compiled in time."""
    data = b64decode(weights)
    patterns: Patterns | None = read(program, data, "the training") if data else None
    search = GameSearch(program, lambda _: patterns)
    if search.base is not None:
        search.base.searcher.machine.finish(COMPILING)
    return search


class _Sampler:
    """A player that plays both sides of a game and collects rows of its positions."""

    def __init__(self, search: GameSearch, random: Random) -> None:
        assert search.base is not None
        self.search, self.random = search, random
        self.base: Base = search.base
        self.engine = self.base.searcher.engine
        self.program = search.program
        self.first = self.program.game.sides[0][0]
        self.opening = random.randint(*OPENING)
        self.played: list[Row] = []
        self.inner: list[Row] = []

    def play(self) -> list[Row]:
        """Play the game; rows of a game that was cut off have the result of a draw."""
        seats = {side[0]: self.choose for side in self.program.game.sides}
        game = play(self.engine, self.engine.start(), seats, self.random, MOST_TURNS)
        share = points_of(self.program, game, (0, 1))
        return [[*row, share] for row in self.played] + [[*row, None] for row in self.inner]

    def choose(self, engine: Engine, position: Position, random: Random, past: Past = ()) -> Legs:
        """Choose a turn; after the first one, also collect rows at random: of the position, and from its search."""
        if past:
            mobility = len(engine.moves(position)) - len(engine.moves(past[-1]))
            self.played += [self.row(position, past, mobility)] if random.random() < SHARE else []
            self.inner += self.inside(position, past) if random.random() < SHARE else []
        if len(past) < self.opening or random.random() < SLIPS:
            return random_turn(engine, position, random)
        return self.search.turn(position, past, Limits(nodes=PLAY_NODES, noise=NOISE), random.getrandbits(30))

    def row(self, position: Position, past: Sequence[Position], mobility: int) -> Row:
        """Return a row without the result; `mobility` is the lead in mobility of the player to move."""
        side = 1 if self.program.game.turns[position.turn].mover == self.first else -1
        best = self.search.analyse(position, past, Limits(nodes=LABEL_NODES)).lines[0]
        lead = self.base.searcher.lead(position, self.first)
        after = self.engine.after(position, best.moves[0]) if best.moves else position
        takes = after.owner.count(NOBODY) > position.owner.count(NOBODY)
        return [cells(self.program, position), side, lead, mobility * side, best.value * side, takes]

    def inside(self, position: Position, past: Sequence[Position]) -> list[Row]:
        """Interrupt a search from here; return [row] of the position reached, [] if no row can be made of it."""
        limits, searcher = Limits(nodes=PLAY_NODES), self.base.searcher
        self.base.weigh(position)
        searcher.prepare(position, (), table_bits(limits, 16))
        searcher.noise(0, 0)
        searcher.deepen(1, None)
        end = self.random.randrange(PLAY_NODES // 8, PLAY_NODES)
        while searcher.visited < end:
            if searcher.go(ALPHA_BETA, end - searcher.visited):
                break
        plies = [Ply.over(searcher.machine.arrays["ply"], at * Ply.size) for at in range(MAX_PLY)]
        path = [(ply.index, ply.phase) for ply in plies[: max(0, searcher.search.at)]]
        searcher.restart(position)
        return self._at_the_end_of(position, past, path)

    def _at_the_end_of(
        self, position: Position, past: Sequence[Position], path: Sequence[tuple[int, int]],
    ) -> list[Row]:
        if not path or any(phase == NULL_MOVE for _, phase in path):
            return []
        last, line = -1, list(past)
        for index, _ in path:
            moves = self.engine.moves(position)
            if position.chain is None:
                last = len(moves)
                line.append(position)
            position = self.engine.after(position, moves[index])
        moves = self.engine.moves(position) if position.result is None and position.chain is None else ()
        return [self.row(position, line, len(moves) - last)] if moves else []


def cells(program: Program, position: Position) -> str:
    """Return the cells, (owner + 1) * (types + 1) + type + 1 or 0 if empty, and the numbers of pieces off the board,
    [player][type], as base64 of native 16-bit words."""
    kinds = len(program.game.pieces) + 1
    row = array("H", ((owner + 1) * kinds + (piece + 1 if owner >= 0 else 0)
                      for owner, piece in zip(position.owner, position.piece, strict=True)))
    row.extend(min(MOST_OFF, max(0, number)) for numbers in position.stores for number in numbers)
    return b64encode(row.tobytes()).decode()

