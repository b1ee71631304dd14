"""The patterns of a board: lines and windows, in classes of patterns that the symmetries map to each other.

Lines follow a direction of the rules from edge to edge; windows are blocks of squares spanned by two directions. Both
are found from the links of the board alone, so they exist on any board. In games of many types, and on boards with too
many patterns, the patterns are single squares, and their weights depend on the material that is left.
"""

from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from zrf_py.ir.ops import Program
from zrf_py.run.position import NOBODY, Position
from zrf_py.search.memory import FULL
from zrf_py.search.plan import Patterns
from zrf_py.train.symmetries import Symmetry, both_ways

SHORTEST, LONGEST = 3, 8
"""Minimum and maximum number of squares of a line."""
NUMBERS = 20_000
"""Maximum number of different contents of a pattern: 3 contents of a square allow patterns of 9 squares."""
MOST_DIGITS = 5
"""With at least this many different pieces (owner, type), patterns are single squares."""
WINDOWS = (((3, 3),), ((2, 3), (3, 2)), ((2, 2),))
"""Groups of window sizes; the first group within `NUMBERS`, `MOST_WEIGHTS` and `MOST_PATTERNS` is used."""
MOST_WEIGHTS = 400_000
"""Maximum number of weights of a stage; if there are more, windows are smaller, or patterns single squares."""
MOST_PATTERNS = 600
STAGES = 5
"""Maximum number of stages of a game, which depend on the number of pieces on the board."""

Squares = tuple[int, ...]


@dataclass(frozen=True)
class Geometry:
    """Patterns of a game: squares and class of each pattern. `lengths`: number of squares in a pattern of each class.
    `digits`, `radix` and `stages` are as in `Patterns`; `swapped[digit]` is that of the other player's same piece.
    For single squares, `parts` is as in `Patterns`, and there are two stages: with no material and with all."""

    squares: tuple[Squares, ...]
    classes: tuple[int, ...]
    lengths: tuple[int, ...]
    digits: tuple[int, ...]
    radix: int
    swapped: tuple[int, ...]
    stages: tuple[int, ...]
    parts: tuple[int, ...] = ()

    @property
    def offsets(self) -> list[int]:
        """Index of the first weight of each class; the last entry is the number of weights of a stage."""
        offsets = [0]
        for length in self.lengths:
            offsets.append(offsets[-1] + self.radix**length)
        return offsets

    def patterns(self, first: int, per_move: int, weights: "array[int]") -> Patterns:
        """Return the patterns with weights, [stage][index]."""
        offsets = self.offsets
        return Patterns(self.squares, tuple(offsets[c] for c in self.classes), self.digits, self.radix, self.stages,
                        offsets[-1], first, per_move, weights)

    def by_phase(self, first: int, per_move: int, values: "array[int]") -> Patterns:
        """Return `Patterns` without any pattern: only piece values (`values`), which depend on the phase."""
        return Patterns((), (), (0,) * len(self.digits), 2, (0,) * len(self.stages), 1, first, per_move,
                        array("h", (0,)), self.parts, values)


def geometry(
    program: Program, positions: Sequence[Position], symmetries: Sequence[Symmetry], worths: Sequence[int],
) -> Geometry:
    """Return the patterns of a game; `positions` of random games show which pieces and squares occur. `worths[type]`
    are the values of pieces, which determine the phase."""
    occupants = {(o, k) for p in positions for o, k in zip(p.owner, p.piece, strict=True) if o != NOBODY}
    used = {square for p in positions for square, owner in enumerate(p.owner) if owner != NOBODY}
    digits, radix, swapped = _digits(program, occupants)
    same = [s for s in symmetries if not s.swaps]
    lines = [line for line in lines_of(program) if radix ** len(line) <= NUMBERS]
    for sizes in (*WINDOWS, ()) if radix <= MOST_DIGITS else ():
        windows = [window for size in sizes for window in windows_of(program, *size)]
        patterns = [p for p in dict.fromkeys([*lines, *windows]) if used.issuperset(p)]
        squares, classes, lengths = _classes(patterns, same)
        fits = all(radix ** len(window) <= NUMBERS for window in windows)
        if fits and 0 < len(squares) <= MOST_PATTERNS and sum(radix**n for n in lengths) <= MOST_WEIGHTS:
            counts = [len(p.owner) - p.owner.count(NOBODY) for p in positions]
            return Geometry(squares, classes, lengths, digits, radix, swapped, _stages(program, counts))
    squares, classes, lengths = _classes([(square,) for square in sorted(used)], same)
    halves = tuple(int(2 * men >= len(program.game.setup)) for men in range(len(program.game.board.places) + 1))
    return Geometry(squares, classes, lengths, digits, radix, swapped, halves, _parts(positions, worths))


def _parts(positions: Sequence[Position], worths: Sequence[int]) -> Squares:
    """Return the value of each type, at index type + 1, in units of 1/`FULL` of the highest total in any position."""
    most = max(sum(worths[k] for o, k in zip(p.owner, p.piece, strict=True) if o != NOBODY) for p in positions)
    return 0, *(min(FULL, round(FULL * worth / max(1, most))) for worth in worths)


def _digits(program: Program, occupants: Collection[tuple[int, int]]) -> tuple[Squares, int, Squares]:
    """Return the digit of each cell, the radix, and for each digit that of the same piece of the other player."""
    players = program.game.playing
    other = {players[0]: players[1], players[1]: players[0]}
    kinds = len(program.game.pieces)
    pieces = sorted({*occupants, *((other.get(owner, owner), kind) for owner, kind in occupants)})
    names = {piece: number for number, piece in enumerate(pieces, 1)}
    table = [names.get((cell // (kinds + 1) - 1, cell % (kinds + 1) - 1), 0)
             for cell in range((len(program.game.players) + 1) * (kinds + 1))]
    swapped = {names[piece]: names[other.get(piece[0], piece[0]), piece[1]] for piece in names}
    radix = len(swapped) + 1
    return tuple(table), radix, (0, *(swapped[digit] for digit in range(1, radix)))


def _stages(program: Program, counts: Sequence[int]) -> Squares:
    """Return the stage for each number of pieces: stages of equal length between the numbers seen."""
    low, high = min(counts), max(counts)
    stages = min(STAGES, 1 + (high - low) // 4)
    return tuple(min(stages - 1, max(0, (men - low) * stages // (high - low + 1)))
                 for men in range(len(program.game.board.places) + 1))


def lines_of(program: Program) -> Iterator[Squares]:
    """Yield the full lines of the board, each once, in one of its directions."""
    line_sets = set()
    for row in sorted(set(program.game.board.links)):
        entered = {to for to in row if to >= 0}
        for start in range(len(row)):
            line = [start]
            while row[line[-1]] >= 0 and len(line) <= LONGEST and row[line[-1]] not in line:
                line.append(row[line[-1]])
            if start not in entered and SHORTEST <= len(line) <= LONGEST and frozenset(line) not in line_sets:
                line_sets.add(frozenset(line))
                yield tuple(line)


def windows_of(program: Program, width: int, height: int) -> list[Squares]:
    """Return the windows of a size, spanned by the pairs of directions that give the largest number of windows."""
    pairs: list[dict[frozenset[int], Squares]] = []
    for one, other in combinations(both_ways(program.game.board.links), 2):
        for first, second in ((one, other), (other, one)):
            windows = (_window(first, second, start, width, height) for start in range(len(first)))
            pairs.append({frozenset(window): window for window in windows if window})
    most = max((len(windows) for windows in pairs), default=0)
    together = {key: window for windows in pairs if len(windows) == most for key, window in windows.items()}
    return list(together.values())


def _window(right: Squares, up: Squares, start: int, width: int, height: int) -> Squares:
    """Return the squares of a window, row by row; empty if one is missing, or depends on the order of the steps."""
    rows = [[start]]
    while len(rows[0]) < width:
        rows[0].append(right[rows[0][-1]])
        if rows[0][-1] < 0:
            return ()
    while len(rows) < height:
        rows.append([up[square] for square in rows[-1]])
        if min(rows[-1]) < 0 or any(right[a] != b for a, b in zip(rows[-1], rows[-1][1:], strict=False)):
            return ()
    squares = tuple(square for row in rows for square in row)
    return squares if len(set(squares)) == len(squares) else ()


def _classes(
    patterns: Sequence[Squares], symmetries: Sequence[Symmetry],
) -> tuple[tuple[Squares, ...], tuple[int, ...], tuple[int, ...]]:
    """Group patterns by the symmetries; a pattern's squares correspond to those of the first of its class."""
    waiting = {frozenset(pattern): pattern for pattern in patterns}
    squares: list[Squares] = []
    classes, lengths = list[int](), list[int]()
    while waiting:
        pattern = next(iter(waiting.values()))
        for symmetry in symmetries:
            image = tuple(symmetry.squares[square] for square in pattern)
            if waiting.pop(frozenset(image), None):
                squares.append(image)
                classes.append(len(lengths))
        lengths.append(len(pattern))
    return tuple(squares), tuple(classes), tuple(lengths)

