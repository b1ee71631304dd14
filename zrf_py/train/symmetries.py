"""Symmetries of a game: permutations of the squares, perhaps with the players exchanged, that the rules obey.

Candidates are the automorphisms of the board's links. Positions of random games decide: a symmetry maps the moves of
each to the moves of its image, and results to results.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.position import Outcome, Position

MOST = 48
"""Maximum number of automorphisms that are tried."""
PATIENCE = 200_000
"""Maximum number of steps of the search for automorphisms; after that, those found so far are used."""

Squares = tuple[int, ...]
Held = TypeVar("Held")


@dataclass(frozen=True)
class Symmetry:
    """A symmetry: `squares[square]` is the image of a square; `swaps`: the two players are exchanged, too."""

    squares: Squares
    swaps: bool


def symmetries_of(program: Program, engine: Engine, positions: Sequence[Position]) -> list[Symmetry]:
    """Return the symmetries that hold in all `positions`, the identity first; `PATIENCE` steps may not find all."""
    identity = tuple(range(len(program.game.board.places)))
    movers = [turn.mover for turn in program.game.turns]
    can_swap = len(movers) == 2 and movers[0] != movers[1] and not program.game.counters
    images = dict.fromkeys([identity, *automorphisms(program)])
    candidates = [Symmetry(image, swaps) for swaps in (False, True)[: 1 + can_swap] for image in images]
    after = [[engine.after(position, move) for move in engine.moves(position)] for position in positions]
    return [c for c in candidates if c == Symmetry(identity, False) or all(
        _holds(program, engine, c, position, later) for position, later in zip(positions, after, strict=True))]


def _holds(
    program: Program, engine: Engine, symmetry: Symmetry, position: Position, after: Sequence[Position],
) -> bool:
    image = mapped(program, symmetry, position)
    replies = [engine.after(image, move) for move in engine.moves(image)]
    return len(replies) == len(after) and Counter(map(_essence, replies)) == Counter(
        _essence(mapped(program, symmetry, later)) for later in after)


def _essence(position: Position) -> object:
    """Return the parts of a position that must agree with those of its image."""
    result = position.result and (position.result.winners, position.result.losers)
    return (position.owner, position.piece, position.attributes, position.stores, position.turn, position.chain, result)


def mapped(program: Program, symmetry: Symmetry, position: Position) -> Position:
    """Return the image of a position."""
    movers = [turn.mover for turn in program.game.turns]
    other = {movers[0]: movers[1], movers[1]: movers[0]} if symmetry.swaps else {}

    def players(row: Sequence[Held]) -> tuple[Held, ...]:
        return tuple(row[other.get(player, player)] for player in range(len(row)))

    def who(names: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(other.get(player, player) for player in names))

    def moved(row: Sequence[int]) -> Squares:
        image = list(row)
        for square, value in enumerate(row):
            image[symmetry.squares[square]] = value
        return tuple(image)

    def at(square: int) -> int:
        return symmetry.squares[square] if square >= 0 else square

    result = position.result
    return replace(
        position, owner=tuple(other.get(o, o) for o in moved(position.owner)), piece=moved(position.piece),
        attributes=moved(position.attributes), stores=players(position.stores), made=players(position.made),
        turn=1 - position.turn if symmetry.swaps else position.turn,
        last_from=at(position.last_from), last_to=at(position.last_to), mover=other.get(position.mover, position.mover),
        chain=position.chain and (at(position.chain[0]), position.chain[1]),
        taken=tuple((other.get(player, player), kind) for player, kind in position.taken),
        result=result and Outcome(who(result.winners), who(result.losers), result.reason))


def both_ways(links: Sequence[Squares]) -> list[Squares]:
    """Return the distinct directions that link any squares, and the reverses of those that are one-to-one."""
    rows = {row for row in links if max(row) >= 0}
    backwards = {row: _backwards(row) for row in rows}
    return sorted(rows | {back for row, back in backwards.items() if back.count(-1) == row.count(-1)})


def _backwards(row: Squares) -> Squares:
    """Return for each square the last one from which a direction leads there; -1 if there is none."""
    back = [-1] * len(row)
    for square, to in enumerate(row):
        if to >= 0:
            back[to] = square
    return tuple(back)


def automorphisms(program: Program) -> list[Squares]:
    """Return permutations of the squares that map links to links, each direction to one direction; at most `MOST`."""
    search = _Search(both_ways(program.game.board.links))
    if search.links:
        search.extend({}, {})
    return search.automorphisms


@dataclass
class _Search:
    """Backtracking over images of directions; the images of all squares follow."""

    links: list[Squares]

    def __post_init__(self) -> None:
        self.automorphisms: list[Squares] = []
        self.steps = 0
        self.back = [_backwards(row) for row in self.links]
        self.empty = [back.count(-1) for back in self.back]
        degree = Counter(square for row in self.links for square, to in enumerate(row) if to >= 0)
        self.linked = sorted({*degree, *(to for row in self.links for to in row)} - {-1}, key=lambda s: (degree[s], s))
        self.degree = degree

    def extend(self, squares: dict[int, int], directions: dict[int, int]) -> None:
        """Add all automorphisms that extend these images."""
        if len(self.automorphisms) >= MOST or self.steps > PATIENCE or not self._spread(squares, directions):
            return
        free = next(((square, d) for square in squares for d, row in enumerate(self.links)
                     if d not in directions and row[square] >= 0), None)
        start = next((square for square in self.linked if square not in squares), None)
        if free is None and start is not None:  # continue with another component of the board
            for image in self.linked:
                if self.degree[image] == self.degree[start] and image not in squares.values():
                    self.extend({**squares, start: image}, directions)
            return
        if free is None:
            self.automorphisms.append(tuple(squares.get(square, square) for square in range(len(self.links[0]))))
            return
        square, direction = free
        for to, row in enumerate(self.links):
            if to not in directions.values() and row[squares[square]] >= 0 and self.empty[to] == self.empty[direction]:
                self.extend(dict(squares), {**directions, direction: to})

    def _spread(self, squares: dict[int, int], directions: dict[int, int]) -> bool:
        """Follow the known directions from the known squares, forwards and backwards; return False on a conflict."""
        todo, images = list(squares), set(squares.values())
        while todo:
            square = todo.pop()
            self.steps += 1
            for direction, to in directions.items():
                for row, image_row in ((self.links[direction], self.links[to]), (self.back[direction], self.back[to])):
                    after, image = row[square], image_row[squares[square]]
                    if (after < 0) != (image < 0) or squares.get(after, image) != image:
                        return False
                    if after >= 0 and after not in squares:
                        if image in images:
                            return False
                        squares[after] = image
                        images.add(image)
                        todo.append(after)
        return True
