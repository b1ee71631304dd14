"""Mobility of pieces, measured by generating their moves: reach of each type, and distances to targets.

Everything is measured before play, from the rules alone. Squares, types, players are numbers, as in `front/model.py`.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random

from zrf_py.front.model import steps_from
from zrf_py.ir.ops import RETYPING, Program
from zrf_py.run.engine import Engine
from zrf_py.run.interpret import RulesFault, generate_from
from zrf_py.run.position import DROP, KEEP, NOBODY, Changes, Position, initial
from zrf_py.run.rules import Rules
from zrf_py.search.evaluation.samples import situations
from zrf_py.text.grouping import by_key

SAMPLES = 24
"""Number of crowded boards."""
SQUARES = 24
"""Maximum number of squares tried per board."""
TRIALS = 4000
"""Maximum total number of trials, of all types on all crowded boards; each type has at least one per board."""
LARGEST_REACH, REACHES = 60_000, 240_000
"""Maximum number of moves from all squares: of one type; of all types of all players. A type beyond it is not measured:
listing the reach of a rook from thousands of squares costs more than it gains."""

ROUNDS = 40
"""Rounds of value iteration for expected numbers of turns."""


Place = tuple[int, int]
"""(type, square)."""


class Trials:
    """Generator of the moves of single pieces on boards, by the interpreter, which defines the rules."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.games: Engine = Rules(program)
        """Engine for whole games of the same rules."""

    def changes_from(self, board: Position, side: int, kind: int, square: int) -> list[Changes]:
        """Return the changes of the moves that a piece of a type has on a square.

        :raises RulesFault: if the rules can't be followed there.
        """
        lone = board.with_pieces((square, side, kind, self.program.game.pieces[kind].attributes))
        return [move.changes for move in generate_from(self.program, lone, side, square, -1)]


@dataclass(frozen=True)
class Reach:
    """Moves of a player's pieces, each alone on the board.

    `steps[type][square]` are the squares reached in one leg, `turns_into[type][square]` the types that the piece
    may turn into from there; `ways[type][square]` are, for each situation tried, the places after one leg.
    """

    steps: tuple[tuple[tuple[int, ...], ...], ...]
    turns_into: tuple[tuple[frozenset[int], ...], ...]
    ways: tuple[tuple[tuple[tuple[Place, ...], ...], ...], ...] = ()


@lru_cache(maxsize=16)
def reach(program: Program, side: int, trials: Trials | None = None) -> Reach:
    """Measure the moves of each type from each square, on each of the boards from `boards_for`."""
    trials = trials or Trials(program)
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
"""Rows of a type in `steps`, `turns_into` and `ways` of `Reach`, and the number of moves generated."""


def _rows(trials: Trials, boards: Sequence[Position], side: int, kind: int, size: int, most: int) -> _Rows:
    steps: list[dict[int, None]] = [{} for _ in range(size)]
    into: list[set[int]] = [set() for _ in range(size)]
    outcomes: list[list[tuple[Place, ...]]] = [[] for _ in range(size)]
    seen = 0
    for board, square in product(boards, range(size)):  # native trials load each board once
        moves = _moves(trials, board, side, kind, square)
        seen += len(moves)
        if seen > most:
            return ((),) * size, (frozenset(),) * size, ((),) * size, seen
        ends, kinds = steps[square], into[square]
        places: dict[Place, None] = {}
        for move in moves:
            movements, effects, _ = move
            if len(movements) == 1 and not effects:  # the common case
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
        outcomes[square].append(tuple(places))
    for square, ends in enumerate(steps):
        ends.pop(square, None)
    others = (frozenset(kinds - {kind}) for kinds in into)
    return tuple(map(tuple, steps)), tuple(others), tuple(map(tuple, outcomes)), seen


def boards_for(program: Program, side: int, trials: Trials) -> list[Position]:
    """Return the boards to try a side's pieces on: the empty board, or `situations` if moves need dice or counters."""
    empty = initial(program).emptied()
    if program.game.has_chance or (program.game.counters and not _moves_somewhere(program, trials, empty, side)):
        return situations(trials.games)[side]
    return [empty]


def _moves_somewhere(program: Program, trials: Trials, board: Position, side: int) -> bool:
    kinds, squares = range(len(program.game.pieces)), range(len(board.owner))
    return any(_moves(trials, board, side, kind, square) for kind in kinds for square in squares)


def _moves(trials: Trials, board: Position, side: int, kind: int, square: int) -> list[Changes]:
    """Return the moves whose first movement is that of the piece on the square; none if the rules fault."""
    try:
        changes = trials.changes_from(board, side, kind, square)
    except RulesFault:
        return []
    return [move for move in changes if move[0] and move[0][0][1] == square]


def _kinds(move: Changes) -> Iterable[int]:
    """Return the types that a move turns pieces into."""
    movements, effects, _ = move
    kinds = [kind for action, _, _, kind in movements if action != DROP and kind != KEEP]
    return kinds + [a for name, _, a, _ in effects if name in RETYPING] if effects else kinds


def _places_after(move: Changes, square: int, kind: int) -> Iterable[Place]:
    """Return (type, square) after a move, for each of its movements of the piece on `square`."""
    movements, effects, _ = move
    places = [(kind if new == KEEP else new, end) for _, start, end, new in movements if start == square]
    for name, at, to, _ in effects:
        if name in RETYPING:
            places = [(to if at == end else now, end) for now, end in places]
    return places


def crowded_mobility(
    program: Program, side: int, usable: Sequence[int], random: Random, trials: Trials,
) -> tuple[list[float], list[float]]:
    """Return the mean number of moves of each type on crowded boards, and of captures among them.

    Half of the initial pieces stand on random squares, to resemble the middle of a game.
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
        chosen = random.sample(usable, min(share, len(usable)))
        men = [(square, *random.choice(crowd)) for square in (chosen if crowd else ())]
        board = empty.with_pieces(*((square, man, kind, game.pieces[kind].attributes) for square, man, kind in men))
        for square in random.sample(usable, squares):
            tried += 1
            for kind in moving:
                for i, number in enumerate(_mobility_at(trials, board, side, kind, square)):
                    total[kind][i] += number
    moves, takes = ([row[i] / max(tried, 1) for row in total] for i in (0, 1))
    return moves, takes


def _mobility_at(trials: Trials, board: Position, side: int, kind: int, square: int) -> tuple[int, int]:
    """Count the destinations of a type from a square, and the captures among them."""
    takes_by_end: dict[object, bool] = {}
    for movements, _, captures in _moves(trials, board, side, kind, square):
        if len(movements) == 1 and not captures:
            end = movements[0][2]
            takes_by_end[end] = end != square and board.owner[end] not in (NOBODY, side)
            continue
        ends = [end for _, start, end, _ in movements if start == square]
        captured = (s for s in (*captures, *ends) if s != square)
        takes_by_end[movements[0][2]] = any(board.owner[s] not in (NOBODY, side) for s in captured)
    return len(takes_by_end), sum(takes_by_end.values())


def expected_turns(reached: Reach, targets: Container[Place]) -> dict[Place, float]:
    """Return for each (type, square) the expected turns of a lone piece to a target, if it always moves best or stays,
    averaged over the situations tried; places from which no target is reachable are missing."""
    before = by_key((after, (kind, square)) for kind, rows in enumerate(reached.ways)
                    for square, cases in enumerate(rows)
                    for after in dict.fromkeys(place for places in cases for place in places))
    order = steps_from((place for place in before if place in targets), lambda place: before.get(place, ()))
    turns = dict.fromkeys(order, 0.0)
    for _ in range(ROUNDS):
        for kind, square in order:
            if (kind, square) not in targets:
                turns[kind, square] = _one_more(turns, (kind, square), reached.ways[kind][square])
    return turns


def _one_more(turns: dict[Place, float], place: Place, cases: Sequence[Sequence[Place]]) -> float:
    """Return one step of value iteration for a place."""
    current = turns[place]
    best = (min((turns[p] for p in places if p in turns), default=current) for places in cases)
    return 1 + sum(min(current, after) for after in best) / len(cases)


def distances(steps: Sequence[Sequence[int]], targets: Iterable[int]) -> list[int]:
    """Return the number of legs from each square to the nearest target (breadth-first search); -1 if it has no path."""
    return distances_back(turned_round(steps), targets)


def turned_round(steps: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the reversed graph: for each square its predecessors."""
    before: list[list[int]] = [[] for _ in steps]
    for start, ends in enumerate(steps):
        for end in ends:
            before[end].append(start)
    return before


def distances_back(before: Sequence[Sequence[int]], targets: Iterable[int]) -> list[int]:
    """Like `distances`, on the graph reversed by `turned_round`, which many calls can share."""
    steps = steps_from(targets, before.__getitem__)
    return [steps.get(square, -1) for square in range(len(before))]
