"""Heuristic evaluation of puzzle positions: a piece-square table of costs to a win, lower is better.

Win conditions are used as far as they name squares (`absolute-config`, pieces in a zone) or numbers of pieces.
Distances are the numbers of legs that a lone piece needs to the squares where it is wanted. A `Heuristic` weighs these
terms; the solver tries several.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice, product

from zrf_py.front import goals, model
from zrf_py.front.model import steps_from
from zrf_py.ir.ops import Program, those
from zrf_py.ir.traits import Changes, Writes
from zrf_py.native.piece_square import TableShape
from zrf_py.run.position import NOBODY, Position
from zrf_py.run.rules import Rules

MANIFOLD = those(lambda row: row.changes & Changes.CONTENT or row.writes & Writes.MOVEMENT)
"""Operations by which a turn may do more than move one piece."""
MOST_TARGETS = 64
FAR = 99


@dataclass(frozen=True)
class Target:
    """One way to win: `wanted` and `unwanted` hold (player, type, square), and `need` of the wanted ones must be
    filled; `fewer`: pieces must leave the board; `more`: they must enter it; `turns`: exact number of turns, 0: any."""

    wanted: frozenset[tuple[int, int, int]] = frozenset()
    unwanted: frozenset[tuple[int, int, int]] = frozenset()
    fewer: bool = False
    more: bool = False
    need: int = 0
    turns: int = 0

    def joined(self, other: Target) -> Target:
        """Return the conjunction of two targets."""
        return Target(self.wanted | other.wanted, self.unwanted | other.unwanted, self.fewer or other.fewer,
                      self.more or other.more, self.need + other.need, self.turns or other.turns)


@dataclass(frozen=True)
class Heuristic:
    """Weights. `mean`: mean distance to the wanted squares, each to the power `power`; `nearest`, `farthest`: distance
    to the nearest one, and to the one farthest from the pieces at the start; `there`: bonus for a piece on a wanted
    square; `chance`: random noise, drawn with `seed`; `unmet`: unmet parts of the goal. `target`: index of a target."""

    mean: float = 1.0
    power: float = 1.0
    nearest: float = 0.3
    farthest: float = 0.3
    there: float = 1.0
    chance: float = 0.0
    seed: int = 0
    target: int = 0
    unmet: float = 0.0

    def varied(self, draw: random.Random, targets: int) -> Heuristic:
        """Return a random variation of this heuristic."""
        def some(value: float, spread: float) -> float:
            return max(0.0, value * draw.uniform(0.5, 1.7) + draw.uniform(-spread, spread))

        return Heuristic(some(self.mean, 0.3), min(2.5, max(0.4, self.power * draw.uniform(0.8, 1.25))),
                     some(self.nearest, 0.3), some(self.farthest, 0.3), some(self.there, 0.5),
                     draw.choice((0.0, 0.1, 0.2, 0.4)), draw.getrandbits(30),
                     draw.randrange(targets) if draw.random() < 0.3 else self.target, some(self.unmet, 0))


class GoalFacts:
    """Win conditions of a puzzle, as targets and tables, from a start position."""

    def __init__(self, program: Program, start: Position) -> None:
        self.program = program
        self.solvers = program.game.playing
        targets = _targets(program, start, self.solvers)
        self.targets = [t for t in targets if t != Target()][:MOST_TARGETS] or [Target()]
        self.only = _certain(program, start, self.solvers)
        """Target common to all solutions."""
        self.has_parts = any(_choices(end.goal) > 3 for end in program.game.ends if end.result == "win")
        """True if a win has many alternative parts, which `table` ignores and the kernel counts."""
        self._table = TableShape.of(program.game)
        self._rules = Rules(program)
        self._start = start
        self._distances: dict[tuple[int, int], list[list[int]]] = {}

    def table(self, heuristic: Heuristic, target: Target | None = None) -> list[int]:
        """Return the table `[owner + 1][type + 1][square]`, in thousandths of a leg; `target` None: the heuristic's."""
        numbers, size = [0] * self._table.size, self._table.squares
        target = target or self.targets[heuristic.target % len(self.targets)]
        draw = random.Random(heuristic.seed)
        for player in self.solvers:
            for kind in range(self._table.types):
                begin = self._table.at(player, kind)
                numbers[begin : begin + size] = self._row(heuristic, target, player, kind, draw)
        for cell in target.unwanted:
            numbers[self._table.at(*cell)] += 1000
        return numbers

    def marks(self) -> tuple[list[int], int]:
        """Return the marks of wanted (1) and unwanted (2) places in all solutions, indexed like `table`, and how many
        wanted ones must be filled; -1 if unknown, as when a turn may do more than move one piece."""
        marks = [0] * self._table.size
        for mark, cells in ((1, self.only.wanted), (2, self.only.unwanted)):
            for cell in cells:
                marks[self._table.at(*cell)] = mark
        clear = not self.only.wanted & self.only.unwanted and not self.only.fewer and not self.only.more
        return marks, self.only.need if clear and not self.program.uses(*MANIFOLD) else -1

    def least_turns(self) -> int:
        """Return a lower bound on the turns of any solution."""
        marks, need = self.marks()
        if need < 0:
            return 0
        placed = [marks[self._table.at(o, k, s)]
                 for s, (o, k) in enumerate(zip(self._start.owner, self._start.piece, strict=True)) if o != NOBODY]
        return max(need - placed.count(1), placed.count(2))

    def _row(self, heuristic: Heuristic, target: Target, player: int, kind: int, draw: random.Random) -> list[int]:
        goal = sorted(s for p, k, s in target.wanted if (p, k) == (player, kind))
        size = len(self.program.game.board.places)
        base = (3.0 if target.fewer else 0.0) - (3.0 if target.more else 0.0)
        chance = [base + heuristic.chance * draw.random() for _ in range(size)]
        if not goal or (target.fewer and heuristic.chance > 0.3):
            return [round(1000 * c) for c in chance]
        distances = self.distances(player, kind)
        standing = [s for s in range(size) if self._start.owner[s] == player and self._start.piece[s] == kind]
        back = max(goal, key=lambda t: (sum(distances[s][t] for s in standing), t))
        row = []
        for square in range(size):
            lengths = [distances[square][t] for t in goal]
            value = heuristic.mean * sum(w ** heuristic.power for w in lengths) / len(lengths)
            value += heuristic.nearest * min(lengths) + heuristic.farthest * distances[square][back]
            value += chance[square] - heuristic.there * (square in goal)
            row.append(round(1000 * value))
        return row

    def distances(self, player: int, kind: int) -> list[list[int]]:
        """Return distances in legs on an empty board, [from][to] (along links if a piece cannot move alone)."""
        if (player, kind) not in self._distances:
            alone = self._alone(player, kind)
            reached = sum(map(len, alone))
            links = alone if reached >= len(alone) else self.program.neighbours
            steps = [steps_from([square], links.__getitem__) for square in range(len(links))]
            self._distances[player, kind] = [[near.get(to, FAR) for to in range(len(links))] for near in steps]
        return self._distances[player, kind]

    def _alone(self, player: int, kind: int) -> list[set[int]]:
        size = len(self.program.game.board.places)
        turn = next((i for i, t in enumerate(self._rules.turns) if t.side == player and t.move_type < 0), None)
        links: list[set[int]] = [set() for _ in range(size)]
        for square in range(size if turn is not None else 0):
            owner, piece = [NOBODY] * size, [0] * size
            owner[square], piece[square] = player, kind
            lonely = replace(self._start, owner=tuple(owner), piece=tuple(piece), turn=turn or 0, chain=None,
                             result=None)
            for move in self._rules.candidates(lonely):
                links[square].update(part[2] for part in move.movements if part[1] == square)
        return links


def _targets(program: Program, start: Position, solvers: Sequence[int]) -> list[Target]:
    targets: list[Target] = []
    for end in program.game.ends:
        if end.result in ("win", "score"):
            for player in solvers if end.players is None else [p for p in end.players if p in solvers]:
                targets += islice(_alternatives(program, start, end.goal, player), MOST_TARGETS)
    return list(dict.fromkeys(targets))


def _choices(goal: model.Goal) -> int:
    """Return the number of `or` nodes in a goal."""
    if not isinstance(goal, model.AllOf) or goal.word == "not":
        return 0
    return (goal.word == "or") + sum(_choices(part) for part in goal.parts)


def _certain(program: Program, start: Position, solvers: Sequence[int]) -> Target:
    """Return the target common to all ways to win; an empty one if there are several goals."""
    wins = [end for end in program.game.ends if end.result in ("win", "score", "count")]
    if len(wins) != 1 or len(solvers) != 1:
        return Target()
    parts = goals.leaves(wins[0].goal, ("and",))
    return reduce(Target.joined, (next(_alternatives(program, start, part, solvers[0])) for part in parts), Target())


def _alternatives(program: Program, start: Position, goal: model.Goal, player: int) -> Iterator[Target]:
    """Iterate over the alternative targets of a goal, as far as they can be derived."""
    match goal:
        case model.AllOf("or"):
            for part in goal.parts:
                yield from _alternatives(program, start, part, player)
        case model.AllOf("and"):
            choices = [list(islice(_alternatives(program, start, part, player), MOST_TARGETS)) for part in goal.parts]
            few = [c for c in choices if len(c) == 1] + [c for c in choices if 1 < len(c) <= MOST_TARGETS // 4][:2]
            for combination in product(*few):
                yield reduce(Target.joined, combination, Target())
        case model.Absolute():
            yield _absolute(program, goal, player)
        case model.Count():
            now = sum(1 for o, k in zip(start.owner, start.piece, strict=True)
                      if o != NOBODY and (goal.everybody or o == player) and goal.piece in (-1, k))
            yield Target(fewer=goal.number < now, more=goal.number > now)
        case model.Compare(word, model.Number("count", owner, kind, zone), right) if zone >= 0:
            kinds = range(len(program.game.pieces)) if kind < 0 else [kind]
            cells = frozenset((player, k, s) for k in kinds for s in program.game.board.zones[zone][player])
            number = right.a if right.kind == "number" else 0
            ours = owner in (model.FRIEND, model.SIDE, player)
            if not ours or word == "less?":
                yield Target()
            elif word == "equal?" and right == model.Number("number", 0):
                yield Target(unwanted=cells)
            else:
                yield Target(cells, need=number)
        case model.Compare("equal?", model.Number("turns-made"), model.Number("number", number)):
            yield Target(turns=number)
        case _:
            yield Target()


def _absolute(program: Program, goal: model.Absolute, player: int) -> Target:
    filled: set[tuple[int, int, int]] = set()
    unwanted: set[tuple[int, int, int]] = set()
    for place in goal.places:
        squares = program.game.board.squares(place, player)
        for occupant in goal.occupants:
            if occupant.owner != "opponent" and occupant.piece >= 0:
                cells = {(player, occupant.piece, square) for square in squares}
                (unwanted if occupant.negated else filled).update(cells)
    return Target(frozenset(filled), frozenset(unwanted), need=len(goal.places) if filled else 0)
