"""Program → numbers about its pieces, found by trying their moves: how far each type reaches, how soon it arrives.

All of it is measured before play with the rules alone. Squares, types and players are numbers, as in `front/model.py`.
"""

from collections import deque
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Protocol

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.interpret import RulesFault, generate_from
from zrf_py.run.position import DROP, KEEP, NOBODY, Changes, Position
from zrf_py.run.rules import Rules
from zrf_py.search.chance import has_chance
from zrf_py.search.evaluation.samples import lone_board, situations

SAMPLES = 24
"""Crowded boards on which each type is tried."""
SQUARES = 24
"""Squares of each such board, at most."""
TRIALS = 4000
"""Trials of all types on all such boards together, at most; at least one of each type on each board."""
LARGEST_REACH, REACHES = 60_000, 240_000
"""Moves of a type from all squares together, and of all types of all players, beyond which nothing is known of a type:
to write down what a rook reaches from each of thousands of squares takes longer than it helps."""

ROUNDS = 40
"""Rounds in which expected numbers of turns settle."""


Place = tuple[int, int]
"""(type, square)."""


class Trials(Protocol):
    """Tries single pieces on boards."""

    def __hash__(self) -> int: ...

    @property
    def games(self) -> Engine:
        """What plays whole games of the same rules."""
        ...

    def changes_from(self, board: Position, side: int, kind: int, square: int) -> list[Changes]:
        """What the moves would change that a piece of a type had if it stood on a square."""
        ...


class Interpreted:
    """The trials of the definition."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.games: Engine = Rules(program)

    def changes_from(self, board: Position, side: int, kind: int, square: int) -> list[Changes]:
        owner, piece, attributes = list(board.owner), list(board.piece), list(board.attributes)
        owner[square], piece[square] = side, kind
        attributes[square] = self.program.game.pieces[kind].attributes
        lone = replace(board, owner=tuple(owner), piece=tuple(piece), attributes=tuple(attributes))
        return [move.changes for move in generate_from(self.program, lone, side, square, -1)]


@dataclass(frozen=True)
class Reach:
    """What one player's pieces can do alone on the board.

    `steps[type][square]` are the squares a piece goes to in one leg, `turns_into[type][square]` the types that a move
    from there may make of it; `ways[type][square]` tell, for each situation that was tried, what it may be, and where,
    after one leg.
    """

    steps: tuple[tuple[tuple[int, ...], ...], ...]
    turns_into: tuple[tuple[frozenset[int], ...], ...]
    ways: tuple[tuple[tuple[tuple[Place, ...], ...], ...], ...] = ()


@lru_cache(maxsize=16)
def reach(program: Program, side: int, trials: Trials | None = None) -> Reach:
    """Try each type on each square of the empty board, with all that dice may show."""
    trials = trials or Interpreted(program)
    boards = boards_for(program, side, trials)
    on_dice = {board.piece[s] for board in boards for s, owner in enumerate(board.owner) if owner != NOBODY}
    size = len(program.game.board.places)
    left = REACHES // max(1, len({turn.side for turn in program.game.turns}))
    rows = []
    for kind in range(len(program.game.pieces)):
        tried = boards if program.moves[kind] and kind not in on_dice else ()
        rows.append(_rows(trials, tried, side, kind, size, min(left, LARGEST_REACH)))
        left -= rows[-1][3]
    return Reach(tuple(row[0] for row in rows), tuple(row[1] for row in rows), tuple(row[2] for row in rows))


_Rows = tuple[
    tuple[tuple[int, ...], ...], tuple[frozenset[int], ...], tuple[tuple[tuple[Place, ...], ...], ...], int]
"""The rows of a type in `steps`, `turns_into` and `ways` of `Reach`; how many moves were looked at."""


def _rows(trials: Trials, boards: Sequence[Position], side: int, kind: int, size: int, most: int) -> _Rows:
    steps, into, ways = [], [], []
    seen = 0
    for square in range(size):
        ends: dict[int, None] = {}
        kinds: set[int] = set()
        cases = []
        for board in boards:
            moves = _moves(trials, board, side, kind, square)
            seen += len(moves)
            places: dict[Place, None] = {}
            for move in moves:
                movements, effects, _ = move
                if len(movements) == 1 and not effects:  # nearly always
                    _, _, end, new = movements[0]
                    if new == KEEP:
                        new = kind
                    places[new, end] = ends[end] = None
                    kinds.add(new)
                    continue
                kinds.update(_kinds(move))
                for place in _places_after(move, square, kind):
                    places[place] = None
                    ends[place[1]] = None
            cases.append(tuple(places))
        if seen > most:
            return ((),) * size, (frozenset(),) * size, ((),) * size, seen
        ends.pop(square, None)
        steps.append(tuple(ends))
        into.append(frozenset(kinds - {kind}))
        ways.append(tuple(cases))
    return tuple(steps), tuple(into), tuple(ways), seen


def boards_for(program: Program, side: int, trials: Trials) -> list[Position]:
    """The boards on which a side's pieces are tried: the start without men, or where that tells too little, others."""
    empty = lone_board(program)
    if has_chance(program) or (program.game.counters and not _moves_somewhere(program, trials, empty, side)):
        return situations(trials.games)[side]
    return [empty]


def _moves_somewhere(program: Program, trials: Trials, board: Position, side: int) -> bool:
    kinds, squares = range(len(program.game.pieces)), range(len(board.owner))
    return any(_moves(trials, board, side, kind, square) for kind in kinds for square in squares)


def _moves(trials: Trials, board: Position, side: int, kind: int, square: int) -> list[Changes]:
    """The moves that begin with the piece itself."""
    try:
        found = trials.changes_from(board, side, kind, square)
    except RulesFault:
        return []
    return [move for move in found if move[0] and move[0][0][1] == square]


def _kinds(move: Changes) -> Iterable[int]:
    """The types that a move makes of pieces."""
    movements, effects, _ = move
    made = [kind for how, _, _, kind in movements if how != DROP and kind != KEEP]
    return made + [a for name, _, a, _ in effects if name == "change-type"] if effects else made


def _places_after(move: Changes, square: int, kind: int) -> Iterable[Place]:
    """What the piece on a square may be after a move, and where."""
    movements, effects, _ = move
    found = [(kind if new == KEEP else new, end) for _, start, end, new in movements if start == square]
    for name, at, to, _ in effects:
        if name == "change-type":
            found = [(to if at == end else now, end) for now, end in found]
    return found


def ordinary_squares(found: Reach) -> list[int]:
    """The squares that pieces move to; others are stores drawn as part of the board."""
    return sorted({end for rows in found.steps for ends in rows for end in ends})


@dataclass(frozen=True)
class Mobility:
    """For each type the moves that it has on average, and those of them that take something."""

    moves: tuple[float, ...]
    takes: tuple[float, ...]


def crowded_mobility(
    program: Program, side: int, usable: Sequence[int], random: Random, trials: Trials,
) -> Mobility:
    """Try the types among as many pieces as the game begins with.

    Half of those pieces stand about, of random owners, so that the middle of a game is measured.
    """
    game = program.game
    size = len(game.board.places)
    crowd = [(p, k) for p, k, _ in game.setup] + [(p, k) for p, k, n in game.stores for _ in range(min(n, size // 3))]
    share = max(2, min(len(crowd) // 2 + 1, len(usable) * 2 // 3))
    squares = min(SQUARES, len(usable), max(1, TRIALS // (SAMPLES * max(1, len(game.pieces)))))
    total = [[0, 0] for _ in game.pieces]
    moving = [kind for kind, routines in enumerate(program.moves) if routines]
    tried = 0
    boards = boards_for(program, side, trials)
    for _ in range(SAMPLES):
        empty = random.choice(boards) if len(boards) > 1 else boards[0]
        owner, piece, attributes = list(empty.owner), list(empty.piece), list(empty.attributes)
        for square in random.sample(usable, min(share, len(usable))):
            if crowd:
                owner[square], piece[square] = random.choice(crowd)
                attributes[square] = game.pieces[piece[square]].attributes
        board = replace(empty, owner=tuple(owner), piece=tuple(piece), attributes=tuple(attributes))
        for square in random.sample(usable, squares):
            tried += 1
            for kind in moving:
                for i, number in enumerate(_mobility_at(trials, board, side, kind, square)):
                    total[kind][i] += number
    moves, takes = (tuple(row[i] / max(tried, 1) for row in total) for i in (0, 1))
    return Mobility(moves, takes)


def _mobility_at(trials: Trials, board: Position, side: int, kind: int, square: int) -> tuple[int, int]:
    """How many moves of a type from a square are different, and how many of them take."""
    found: dict[object, bool] = {}
    for movements, _, captures in _moves(trials, board, side, kind, square):
        ends = [end for _, start, end, _ in movements if start == square]
        taken = (s for s in (*captures, *ends) if s != square)
        found[movements[0][2]] = any(board.owner[s] not in (NOBODY, side) for s in taken)
    return len(found), sum(found.values())


def expected_turns(found: Reach, targets: Container[Place]) -> dict[Place, float]:
    """For each (type, square) in how many turns a lone piece gets to one of the targets, on average over the situations
    that were tried, if each time it goes the best way or stays; those missing never get there."""
    before: dict[Place, list[Place]] = {}
    for kind, rows in enumerate(found.ways):
        for square, cases in enumerate(rows):
            for after in dict.fromkeys(place for places in cases for place in places):
                before.setdefault(after, []).append((kind, square))
    order = [place for place in before if place in targets]
    turns = dict.fromkeys(order, 0.0)
    for place in order:
        for earlier in before.get(place, ()):
            if earlier not in turns:
                turns[earlier] = 0.0
                order.append(earlier)
    for _ in range(ROUNDS):
        for kind, square in order:
            if (kind, square) not in targets:
                turns[kind, square] = _one_more(turns, (kind, square), found.ways[kind][square])
    return turns


def _one_more(turns: dict[Place, float], place: Place, cases: Sequence[Sequence[Place]]) -> float:
    """Turns from a place: one, and those from where the piece goes."""
    here = turns[place]
    best = (min((turns[p] for p in places if p in turns), default=here) for places in cases)
    return 1 + sum(min(here, after) for after in best) / len(cases)


def distances(steps: Sequence[Sequence[int]], targets: Iterable[int]) -> list[int]:
    """For each square how many legs lead to the nearest target; -1 where none do."""
    return distances_back(turned_round(steps), targets)


def turned_round(steps: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each square those from which a leg leads to it."""
    before: list[list[int]] = [[] for _ in steps]
    for start, ends in enumerate(steps):
        for end in ends:
            before[end].append(start)
    return before


def distances_back(before: Sequence[Sequence[int]], targets: Iterable[int]) -> list[int]:
    """Like `distances`, by what `turned_round` returns: for many targets of the same steps."""
    found = [-1] * len(before)
    queue = deque(dict.fromkeys(targets))
    for target in queue:
        found[target] = 0
    while queue:
        here = queue.popleft()
        for start in before[here]:
            if found[start] < 0:
                found[start] = found[here] + 1
                queue.append(start)
    return found
