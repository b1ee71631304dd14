"""Evaluation weights of a game, derived from its rules and measurements.

- Pieces: mobility on a crowded board; a share of the value of types they can turn into, which grows as they get nearer.
- Goals of arriving (`absolute-config`): squares count by their distance to the goal in the piece's own moves.
- Lines (`relative-config`): they count by the number of missing places, unless another player blocks them.
- Scores that decide: a score that counts pieces of some type, or in a zone, becomes a value of squares; pieces that may
  get there have a part of it, which grows as they get nearer. Any other score is computed in each position evaluated.
- Mobility: counted unless pieces are royal, or a game is won by arrival, lines, combined goals, few pieces or no move.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from statistics import fmean

from zrf_py.front import model
from zrf_py.front.goals import Race, leaves
from zrf_py.ir.ops import Program
from zrf_py.search.evaluation import mobility
from zrf_py.search.evaluation.mobility import Reach, expected_turns
from zrf_py.search.memory import ARRIVING
from zrf_py.search.plan import Lines, Races, Steps, Weights

POINT = 100
"""Value of a point."""
BEGINNING = 0.5
"""Share of the points counted for a piece farthest away; 0.8 won 16:8 in one dice game and lost 13:22 in another."""
LOST = 0.1
"""Share of the points counted for a piece that can never score any; not 0, since it may be in the way."""
MOVE = 60
"""Value of each move in the mobility of a type."""
PLACE = 6
"""Value of each move that a piece has on a square beyond the average of its type."""
HIDE = -10
"""Like `PLACE`, for royal pieces: the more open the square, the more dangerous."""
TURN_SHARE, TURN_FADE = 0.22, 0.5
"""Prospect of promotion: share of the gain in value, and its decay per step of distance."""
ARRIVE, ARRIVE_FADE = 3.0, 0.55
"""Like `TURN_SHARE` and `TURN_FADE`, for arriving at a goal that needs a single piece, in values of that piece."""
LARGEST_RACE = 1 << 22
"""Maximum number of entries in the table of paths to goal squares."""
STEP = 10
"""Value of a step nearer to a goal of many squares; more would drown the noise that makes weak players weak."""
TO_LAST, WAY = 1.8, 1.3
"""Exponents of distances: for the pull of a goal, and for paths from outside; above 1, so that no piece is left behind.

Five races were each played 100 times with 2,000 positions a turn: `TO_LAST` 1.15 won between 25 and 48 times against
1.5, and 1.8 between 50 and 69 times; `WAY` 1.0 won between 35 and 52 times against 1.3.
"""
INSIDE = 0.5
"""Factor on the pull within the goal."""
STRANGER = 40
"""Cost, in steps, of another player's piece in a goal, if more than two play and goals begin empty: if its owner drops
out, it stays there. With this cost, strength 5 beats strength 1 in 58 of 60 games on the star for three, else in 50.
Where other players' pieces begin in the goal, this cost does harm (10 to 18, 15 to 21)."""
LOCKED = 50
"""Cost, in addition to `STRANGER`, if that piece can't step away from the goal and so may stay: with it, strength 5
beats strength 1 in 93 of 100 games on the star, without it in 80."""
LINES = [0, 300, 80, 20, 5, 2, 1] + [0] * 57
"""Value of a line by its number of missing places."""


def weights(program: Program, trials: mobility.Trials | None = None) -> Weights:
    """Measure a game's weights; the same program gives the same weights."""
    trials = trials or mobility.Trials(program)
    game = program.game
    sides = {turn.side for turn in game.turns if game.players[turn.mover].kind == "player"}
    size = len(game.board.places)
    random = Random(1)
    zeros = [[0] * size for _ in game.pieces]
    board, values, takes = [zeros] * len(game.players), [0.0] * len(game.pieces), False
    by_score, point = decides(program), 0
    for player in sorted(sides):
        player_reach = mobility.reach(program, player, trials)
        usable = sorted({end for rows in player_reach.steps for ends in rows for end in ends}) or list(range(size))
        if not any(values):
            moves, captures = mobility.crowded_mobility(program, player, usable, random, trials)
            values, takes = _values(program, moves, captures), any(captures)
        board[player] = _side(program, player, player_reach, usable, values)
        points = points_of(program, player) if by_score else None
        if points is not None:
            board[player] = [[round(w) for w in row] for row in share_of_points(player_reach, points)]
        elif by_score:
            point = POINT
    sign = -1 if _is_losing_game(program) else 1
    kinds = [max(1, round(v)) for v in values]
    hand = [[sign * round(v) for v in values] for _ in game.players]
    if sign < 0:
        board = [[[-w for w in row] for row in rows] for rows in board]
    strange = STEP * _goals_begin_empty(program)
    return Weights(board, hand, kinds, LINES, takes, {
        "per_move": _per_move(program), "per_step": STEP, "per_stranger": strange * STRANGER,
        "per_locked": strange * LOCKED, "per_point": point})


def shows_leader(weights: Weights, rows: Lines) -> bool:
    """Return whether these weights show who is ahead: squares or pieces differ in value, or lines or a score count."""
    numbers = [set(chain.from_iterable(kinds)) for kinds in weights.board]
    return bool(rows.players or weights.terms["per_point"]) or any(len(distinct - {0}) > 1 for distinct in numbers)


def _values(program: Program, moves: Sequence[float], captures: Sequence[float]) -> list[float]:
    """Return the value of each type: a base and its mobility, with captures counted twice; royal pieces: 0."""
    royal = frozenset().union(*program.aims.royals)
    return [0.0 if kind in royal else 40 + MOVE * (number + captures[kind]) for kind, number in enumerate(moves)]


def _side(
    program: Program, player: int, player_reach: mobility.Reach, usable: Sequence[int], values: Sequence[float],
) -> list[list[int]]:
    """Return the piece-square values of a player, [type][square]."""
    size = len(program.game.board.places)
    table = [[value] * size for value in values]
    races = program.aims.races[player]
    royal = program.aims.royals[player]
    for kind, row in enumerate(table):
        steps = player_reach.steps[kind]
        average = sum(len(steps[s]) for s in usable) / len(usable)
        for square in usable:
            if not any(race.needs_all for race in races):
                row[square] += (HIDE if kind in royal else PLACE) * (len(steps[square]) - average)
        _add_turning(row, kind, player_reach, values)
        homes = [square for owner, k, square in program.game.setup if owner == player and k == kind]
        for race in races:
            if kind in race.kinds:
                _add_race(row, race, steps, values[kind], homes)
    return [[round(w) for w in row] for row in table]


def _add_turning(row: list[float], kind: int, player_reach: mobility.Reach, values: Sequence[float]) -> None:
    """Add the prospect of promotion to the best type."""
    into = frozenset().union(*player_reach.turns_into[kind])
    best = max((values[k] for k in into), default=0.0)
    for better in into:
        gained = values[better] - values[kind]
        if gained > 0 and values[better] == best:
            squares = [s for s, kinds in enumerate(player_reach.turns_into[kind]) if better in kinds]
            far = mobility.distances(player_reach.steps[kind], squares)
            for square, steps in enumerate(far):
                if steps >= 0:
                    row[square] += TURN_SHARE * gained * TURN_FADE**steps


def _add_race(
    row: list[float], race: Race, steps: Sequence[Sequence[int]], value: float, homes: Sequence[int],
) -> None:
    if not race.needs_all:
        for square, far in enumerate(mobility.distances(steps, race.squares)):
            if far >= 0:
                row[square] += ARRIVE * value * ARRIVE_FADE**far
            if far == 0:
                row[square] += 2 * ARRIVING
        return
    for square, cost in enumerate(_costs(race, steps, homes)):
        row[square] -= STEP * cost


def _costs(race: Race, steps: Sequence[Sequence[int]], homes: Sequence[int]) -> list[float]:
    """Return the cost of each square in a race, in steps.

    The goal squares farthest from home attract most, so that pieces in front make room. Costs within the goal are
    reduced by `INSIDE`, even where other goal squares can't be reached.
    """
    size = len(steps)
    before = mobility.turned_round(steps)
    distances = [mobility.distances_back(before, [target]) for target in race.squares]
    depths = [fmean([row[home] for home in homes if row[home] >= 0] or [0]) for row in distances]
    pull, weight = [0.0] * size, [0.0] * size
    for row, depth in zip(distances, depths, strict=True):
        share = (depth - min(depths) + 0.5) ** 2
        for square, far in enumerate(row):
            if far >= 0:
                weight[square] += share
                pull[square] += share * far**TO_LAST
    costs = [p / w if w else -1.0 for p, w in zip(pull, weight, strict=True)]
    worst = max(costs) + 2
    inside = set(race.squares)
    costs = [cost if cost >= 0 else worst for cost in costs]
    return [cost * INSIDE if square in inside else cost for square, cost in enumerate(costs)]


def _goals_begin_empty(program: Program) -> bool:
    """Return whether all goals that need many squares have pieces on fewer than half of them at the start."""
    occupied = {square for _, _, square in program.game.setup}
    return all(2 * len(occupied.intersection(race.squares)) < len(race.squares)
               for races in _crowded(program) for race in races)


def _crowded(program: Program) -> list[list[Race]]:
    """Return the goals of each player that need many squares."""
    return [[race for race in races if race.needs_all] for races in program.aims.races]


def race_steps(program: Program, trials: mobility.Trials) -> Steps | None:
    """Find the squares one step away from each square on an empty board, for players with a goal that needs many
    squares; None if no player has such a goal, or if the table would be too large."""
    kinds, size = len(program.game.pieces), len(program.game.board.places)
    goals_ = _crowded(program)
    if not any(goals_) or len(goals_) * kinds * size * size > LARGEST_RACE:
        return None
    rows = [mobility.reach(program, player, trials).steps if goal else [[()] * size] * kinds
            for player, goal in enumerate(goals_)]
    return [[[tuple(set(row)) for row in squares] for squares in types] for types in rows]


def crowded_races(program: Program, steps: Steps) -> Races:
    """Return each player's goal that needs many squares (the first of several), with the costs of all paths."""
    squares = [frozenset(s for race in races[:1] for s in race.squares) for races in _crowded(program)]
    costs = [tuple(_all_ways(rows, goal) for rows in kinds) for kinds, goal in zip(steps, squares, strict=True)]
    return Races(tuple(squares), tuple(costs), steps)


def _all_ways(steps: Sequence[Sequence[int]], targets: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Return the costs of paths, [square][target]; -1 if there is no path, or for a square that is no target."""
    before, nowhere = mobility.turned_round(steps), [-1] * len(steps)
    cost = [*(min(32000, round(100 * far**WAY)) for far in range(len(steps))), -1]  # the last one stands for "no path"
    columns = [[cost[far] for far in mobility.distances_back(before, [s])] if s in targets else nowhere
               for s in range(len(steps))]
    return tuple(zip(*columns, strict=True))


def _is_losing_game(program: Program) -> bool:
    """Return whether a player wins by having few pieces or no move."""
    return any(goal == model.StateGoal("stalemated") or (isinstance(goal, model.Count) and not goal.everybody)
               for end in program.game.ends if end.result == "win" for goal in leaves(end.goal, ("and", "or")))


def _per_move(program: Program) -> int:
    """Return the value of mobility: of each legal move in excess of the opponent's."""
    game = program.game
    if any(program.aims.races) or _is_losing_game(program):
        return 0
    if any(end.result == "win" and isinstance(end.goal, model.Relative | model.AllOf) for end in game.ends):
        return 0
    return 0 if any(program.aims.royals) else 8


def decides(program: Program) -> bool:
    """Return whether the score decides who wins."""
    return program.game.score is not None and any(end.result == "score" for end in program.game.ends)


def points_of(program: Program, player: int) -> list[list[int]] | None:
    """Return the points that a player's pieces score on the board, [type][square], negated if the lowest score wins;
    None if the score can't be expressed as points of pieces."""
    game = program.game
    size = len(game.board.places)
    points = [[0] * size for _ in game.pieces]
    if game.score is None:
        return None
    for times, number in _terms(game.score, -1 if game.lowest_wins else 1):
        kinds = range(len(game.pieces)) if number.b < 0 else (number.b,)
        if number.kind == "number":
            continue
        if number.kind not in ("count", "store") or number.a not in (player, model.SIDE, model.FRIEND):
            return None
        for kind in kinds if number.kind == "count" else ():
            for square in range(size) if number.c < 0 else game.board.zones[number.c][player]:
                points[kind][square] += times
    return points


def _terms(number: model.Number, times: int) -> Iterator[tuple[int, model.Number]]:
    """Iterate over the terms of a sum: (factor, number)."""
    match number.kind:
        case "sum" | "difference":
            for i, part in enumerate(number.parts):
                yield from _terms(part, -times if i and number.kind == "difference" else times)
        case _:
            yield times, number


def share_of_points(reach: Reach, points: Sequence[Sequence[int]]) -> list[list[float]]:
    """Return the value of a piece, [type][square]: the points it scores there, or a share of those it may score."""
    most = max(max(row) for row in points)
    targets = {(k, s) for k, row in enumerate(points) for s, number in enumerate(row) if number == most > 0}
    turns = expected_turns(reach, targets)
    longest = max(turns.values(), default=0.0) or 1.0
    board = []
    for kind, row in enumerate(points):
        board.append([POINT * float(number) for number in row])
        for square, number in enumerate(row):
            if number == 0 < most:
                far = turns.get((kind, square))
                share = LOST if far is None else 1 - (1 - BEGINNING) * far / longest
                board[-1][square] = POINT * most * share
    return board
