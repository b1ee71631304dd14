"""Expand pattern goals (`relative-config`) into lines: the sets of squares that fulfil them."""

from collections.abc import Iterator
from functools import lru_cache

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.search.plan import Lines

MOST = 60_000
"""Maximum number of places of all lines together; a game with more gets no lines."""

Place = tuple[int, model.Occupant]


@lru_cache(maxsize=4)
def lines(program: Program) -> Lines:
    """Return all lines of a game, including those that lose; none if there are too many."""
    size = len(program.game.board.places)
    at: list[list[tuple[int, int, int, int, int]]] = [[] for _ in range(size)]
    players: list[int] = []
    lengths: list[int] = []
    total = 0
    for result, player, goal, words in program.aims.leaves:
        if result not in ("win", "loss") or not isinstance(goal, model.Relative) or not words <= {"or"}:
            continue
        for places in _rows(program, goal, player):
            total += len(places)
            if total > MOST:
                return Lines()
            for square, occupant in places:
                owner = 0 if occupant.owner == "any-owner" else player + 1
                at[square].append((len(players), owner, int(occupant.owner == "opponent"), occupant.piece + 1,
                                   int(occupant.negated)))
            players.append(player if result == "win" else -1 - player)
            lengths.append(len(places))
    return Lines(tuple(map(tuple, at)), tuple(players), tuple(lengths))


def _rows(program: Program, goal: model.Relative, player: int) -> Iterator[tuple[Place, ...]]:
    """Iterate over the placements of a pattern on the board, if it has more than one square."""
    for start in range(len(program.game.board.places)):
        square, places = start, []
        for item in goal.items:
            if isinstance(item, int):
                square = program.steps[player][2 * item][square]
                if square < 0:
                    break
            else:
                places.append((square, item))
        else:
            if len(places) > 1:
                yield tuple(places)
