"""Rules → what is in the way of a win: for each piece and square a number, the less the better.

The win conditions are read as far as they speak of squares (`absolute-config`, men in a zone) and of how many pieces
are left. From every square it is counted how many legs a piece that is alone on the board needs to the squares where
it is wanted. A `Heuristic` says how these numbers are put together; which one leads to
a solution is found out by trying.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

from zrf_py.front import goals, model
from zrf_py.ir.ops import Program, those
from zrf_py.ir.traits import Changes, Writes
from zrf_py.native.piece_square import Table
from zrf_py.run.position import NOBODY, Position
from zrf_py.run.rules import Rules

MANIFOLD = those(lambda row: row.changes & Changes.CONTENT or row.writes & Writes.MOVEMENT)
"""Operations by which a turn does more than bring one piece to one place."""
MOST_TARGETS = 64
FAR = 99


@dataclass(frozen=True)
class Target:
    """One way to win: `wanted` and `unwanted` hold (player, piece, square), `need` of the wanted ones are filled;
    `fewer` says that pieces have to go, `more` that they have to come; `turns` that so many are made, 0: any number."""

    wanted: frozenset[tuple[int, int, int]] = frozenset()
    unwanted: frozenset[tuple[int, int, int]] = frozenset()
    fewer: bool = False
    more: bool = False
    need: int = 0
    turns: int = 0

    def joined(self, other: Target) -> Target:
        """Both at once."""
        return Target(self.wanted | other.wanted, self.unwanted | other.unwanted, self.fewer or other.fewer,
                      self.more or other.more, self.need + other.need, self.turns or other.turns)


@dataclass(frozen=True)
class Heuristic:
    """How much things count: the mean distance to the wanted squares (to a power), the distance to the nearest and to
    the farthest of them, being on one; chance, different for every square; and parts of the goal that don't hold."""

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
        """Another heuristic, not far from this one."""
        def some(value: float, spread: float) -> float:
            return max(0.0, value * draw.uniform(0.5, 1.7) + draw.uniform(-spread, spread))

        return Heuristic(some(self.mean, 0.3), min(2.5, max(0.4, self.power * draw.uniform(0.8, 1.25))),
                     some(self.nearest, 0.3), some(self.farthest, 0.3), some(self.there, 0.5),
                     draw.choice((0.0, 0.1, 0.2, 0.4)), draw.getrandbits(30),
                     draw.randrange(targets) if draw.random() < 0.3 else self.target, some(self.unmet, 0))


class GoalFacts:
    """What is known of the wins of a game's players, from a position on."""

    def __init__(self, program: Program, start: Position) -> None:
        self.program = program
        self.solvers = [i for i, p in enumerate(program.game.players) if p.kind == "player"]
        ways = _targets(program, start, self.solvers)
        self.targets = [t for t in ways if t != Target()][:MOST_TARGETS] or [Target()]
        self.only = _certain(program, start, self.solvers)
        """What holds in every solution."""
        self.has_parts = any(_choices(end.goal) > 3 for end in program.game.ends if end.result == "win")
        """Whether a win has parts that hold or don't in their own right, and that `table` knows nothing of."""
        self._table = Table.of(program.game)
        self._rules = Rules(program)
        self._start = start
        self._distances: dict[tuple[int, int], list[list[int]]] = {}

    def table(self, heuristic: Heuristic, target: Target | None = None) -> list[int]:
        """The numbers for `[owner + 1][type + 1][square]`, in thousandths of a leg; `target` instead of a win."""
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
        """The wanted (1) and unwanted (2) places of every solution, in the order of `table`, and how many of the wanted
        ones are filled; -1 where a turn may do more than bring one piece to one place."""
        marks = [0] * self._table.size
        for mark, cells in ((1, self.only.wanted), (2, self.only.unwanted)):
            for cell in cells:
                marks[self._table.at(*cell)] = mark
        clear = not self.only.wanted & self.only.unwanted and not self.only.fewer and not self.only.more
        return marks, self.only.need if clear and not self.program.uses(*MANIFOLD) else -1

    def least_turns(self) -> int:
        """How many turns every solution needs, from what it has to bring where."""
        marks, need = self.marks()
        if need < 0:
            return 0
        found = [marks[self._table.at(o, k, s)]
                 for s, (o, k) in enumerate(zip(self._start.owner, self._start.piece, strict=True)) if o != NOBODY]
        return max(need - found.count(1), found.count(2))

    def _row(self, heuristic: Heuristic, target: Target, player: int, kind: int, draw: random.Random) -> list[int]:
        wanted = sorted(s for p, k, s in target.wanted if (p, k) == (player, kind))
        size = len(self.program.game.board.places)
        base = (3.0 if target.fewer else 0.0) - (3.0 if target.more else 0.0)
        chance = [base + heuristic.chance * draw.random() for _ in range(size)]
        if not wanted or (target.fewer and heuristic.chance > 0.3):
            return [round(1000 * c) for c in chance]
        distances = self.distances(player, kind)
        standing = [s for s in range(size) if self._start.owner[s] == player and self._start.piece[s] == kind]
        back = max(wanted, key=lambda t: (sum(distances[s][t] for s in standing), t))
        row = []
        for square in range(size):
            ways = [distances[square][t] for t in wanted]
            value = heuristic.mean * sum(w ** heuristic.power for w in ways) / len(ways)
            value += heuristic.nearest * min(ways) + heuristic.farthest * distances[square][back]
            value += chance[square] - heuristic.there * (square in wanted)
            row.append(round(1000 * value))
        return row

    def distances(self, player: int, kind: int) -> list[list[int]]:
        """How many legs a piece needs from square to square where nothing is in the way; over neighbouring squares for
        one that cannot move alone."""
        if (player, kind) not in self._distances:
            alone = self._alone(player, kind)
            reached = sum(map(len, alone))
            links = alone if reached >= len(alone) else self._neighbours()
            self._distances[player, kind] = [_from(square, links) for square in range(len(links))]
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

    def _neighbours(self) -> list[set[int]]:
        board = self.program.game.board
        return [{row[s] for row in board.links if row[s] >= 0} for s in range(len(board.places))]


def _from(square: int, links: list[set[int]]) -> list[int]:
    found = [FAR] * len(links)
    found[square] = 0
    queue = deque([square])
    while queue:
        here = queue.popleft()
        for there in links[here]:
            if found[there] == FAR:
                found[there] = found[here] + 1
                queue.append(there)
    return found


# ------------------------------------------------------------------------------------------------- reading the goals


def _targets(program: Program, start: Position, solvers: list[int]) -> list[Target]:
    found: list[Target] = []
    for end in program.game.ends:
        if end.result in ("win", "score"):
            for player in solvers if end.players is None else [p for p in end.players if p in solvers]:
                found += islice(_ways(program, start, end.goal, player), MOST_TARGETS)
    return list(dict.fromkeys(found))


def _choices(goal: model.Goal) -> int:
    """How many parts of a goal are alternatives, where there are too many to go through them."""
    if not isinstance(goal, model.AllOf) or goal.word == "not":
        return 0
    return (goal.word == "or") + sum(_choices(part) for part in goal.parts)


def _certain(program: Program, start: Position, solvers: list[int]) -> Target:
    """What every way to win has in common; nothing, if there are several goals."""
    wins = [end for end in program.game.ends if end.result in ("win", "score", "count")]
    if len(wins) != 1 or len(solvers) != 1:
        return Target()
    found = Target()
    for goal in goals.leaves(wins[0].goal, ("and",)):
        found = found.joined(next(_ways(program, start, goal, solvers[0])))
    return found


def _ways(program: Program, start: Position, goal: model.Goal, player: int) -> Iterator[Target]:
    """The ways in which a goal can hold, as far as they can be told."""
    match goal:
        case model.AllOf("or"):
            for part in goal.parts:
                yield from _ways(program, start, part, player)
        case model.AllOf("and"):
            choices = [list(islice(_ways(program, start, part, player), MOST_TARGETS)) for part in goal.parts]
            few = [c for c in choices if len(c) == 1] + [c for c in choices if 1 < len(c) <= MOST_TARGETS // 4][:2]
            for combination in product(*few):
                joined = Target()
                for way in combination:
                    joined = joined.joined(way)
                yield joined
        case model.Absolute():
            yield _absolute(program, goal, player)
        case model.Count():
            now = sum(1 for o, k in zip(start.owner, start.piece, strict=True)
                      if o != NOBODY and (goal.everybody or o == player) and goal.piece in (-1, k))
            yield Target(fewer=goal.number < now, more=goal.number > now)
        case model.Compare(word, model.Number("count", who, kind, zone), right) if zone >= 0:
            kinds = range(len(program.game.pieces)) if kind < 0 else [kind]
            cells = frozenset((player, k, s) for k in kinds for s in program.game.board.zones[zone][player])
            number = right.a if right.kind == "number" else 0
            ours = who in (model.FRIEND, model.SIDE, player)
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
    wanted: set[tuple[int, int, int]] = set()
    unwanted: set[tuple[int, int, int]] = set()
    for place in goal.places:
        squares = program.game.board.squares(place, player)
        for occupant in goal.occupants:
            if occupant.owner != "opponent" and occupant.piece >= 0:
                cells = {(player, occupant.piece, square) for square in squares}
                (unwanted if occupant.negated else wanted).update(cells)
    return Target(frozenset(wanted), frozenset(unwanted), need=len(goal.places) if wanted else 0)
