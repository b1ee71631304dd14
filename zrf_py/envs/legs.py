"""Program → every leg a game can have, with a name that tells it from the others of a position.

A block runs in one way on a given position. So most legs of a position differ in where their first movement begins and
ends, in the type it makes of the piece, and in whether the turn may go on; what else they do (men between two are
flipped, a captured man goes to a certain square) follows from the position. Names of legs hold no more than these,
unless one run, or two blocks of a piece, can write legs that differ in something else only: then the kinds of parts
that tell them apart belong to the names of all legs of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from zrf_py.envs.ways import EFFECTS, NUMBERED, Ways
from zrf_py.envs.written import CAPTURE, MOVEMENT, PASS, PROMOTION, Found, Leg, TooMany, with_way
from zrf_py.ir.ops import SELF, Program, Routine
from zrf_py.run.interpret import drop_squares

WHOLE_BUDGET = 5_000_000
"""Operations of all blocks from all squares; a game with more is refused."""
BUDGET = 3 * WHOLE_BUDGET
"""The same for all tries to find out what names have to hold: less than a minute."""
MOST = 1 << 20
"""Legs of a game."""
MOST_WAYS = 4
"""Legs of one name in a position."""


@dataclass(frozen=True)
class Legs:
    """All legs of a game, and the kinds of parts their names hold besides the first movement."""

    legs: tuple[Leg, ...]
    kinds: frozenset[str]


def legs_of(program: Program) -> Legs:
    """Every leg, in an order that depends on nothing but the rules.

    :raises TooMany: if there are more than `MOST`, or finding them takes too long.
    """
    finder = _look(_Finder(program, frozenset(), _kinds(program)))
    found = finder.found
    for leg, count in finder.clashes.items():
        found |= {with_way(leg, way) for way in range(count)}
    every = sorted(found)
    if _may_pass(program):
        every.append(PASS)
    if len(every) > MOST:
        raise TooMany
    return Legs(tuple(every), finder.kinds)


def _look(finder: _Finder) -> _Finder:
    """The finder that has come to its end, with the kinds of parts that names need."""
    while True:
        more = finder.look()
        if not more:
            return finder
        others = [kind for kind in finder.others if kind != more]
        try:
            return _look(replace(finder.trial(more), others=others))
        except TooMany:
            finder = _Finder(finder.program, finder.kinds, others, spent=finder.spent)


def _may_pass(program: Program) -> bool:
    options = program.game.options
    return options.pass_turn != "never" or options.pass_partial or program.uses("add-pass")


def _kinds(program: Program) -> list[str]:
    """The kinds of parts that the blocks collect and that can name a leg, the most telling ones first."""
    operations = {CAPTURE: CAPTURE, PROMOTION: "change-type", MOVEMENT: "cascade"} | {n: n for n in sorted(EFFECTS)}
    return [kind for kind, name in operations.items() if program.uses(name) and not (
        name in NUMBERED and program.uses(name, suits=lambda op: op.numbers[0].kind != "number"))]


_Block = tuple[Routine, int, int, bool]
"""A block, its square, its side, and whether it drops."""


@dataclass
class _Finder:
    """Looks through the blocks of a program, with some kinds of parts in the names of legs."""

    program: Program
    kinds: frozenset[str]
    others: list[str]
    """Kinds that names leave out."""
    left: int = WHOLE_BUDGET
    found: set[Leg] = field(default_factory=set)
    clashes: dict[Leg, int] = field(default_factory=dict)
    """Names that different legs of one position may have, and how many ways there may be."""
    ways: dict[tuple[int, int, int], Ways] = field(default_factory=dict)
    known: dict[tuple[int, int, int, int], _Of] = field(default_factory=dict)
    trials: dict[str, _Finder] = field(default_factory=dict)
    """For a kind of part the finder with it, as far as it has looked."""
    spent: list[int] = field(default_factory=lambda: [0])
    """Operations of all finders of a game."""

    def look(self) -> str:
        """Look through all blocks; the kind of part that names turn out to need, "" if none.

        :raises TooMany: if there are more ways than anybody wants to look through.
        """
        for blocks in self._groups():
            found, clashes = self._together(blocks)
            if clashes:
                for kind in self.others:
                    if self._helps(kind, blocks, len(clashes)):
                        return kind
            self.found |= found
            for leg, times in clashes.items():
                self.clashes[leg] = min(max(self.clashes.get(leg, 0), times), MOST_WAYS)
            if len(self.found) > MOST:
                raise TooMany
        return ""

    def _groups(self) -> Iterator[list[_Block]]:
        """Blocks that may run on one square of one position."""
        game = self.program.game
        for side in sorted({turn.side for turn in game.turns}):
            for routines in self.program.moves:
                for start in range(len(game.board.places)):
                    yield [(routine, start, side, False) for routine in routines]
            drops: dict[int, list[_Block]] = {}
            for routine in (r for routines in self.program.drops for r in routines):
                for start in dict.fromkeys(drop_squares(self.program, routine, side)):
                    drops.setdefault(start, []).append((routine, start, side, True))
            yield from drops.values()

    def _together(self, blocks: list[_Block]) -> tuple[set[Leg], dict[Leg, int]]:
        """The legs of some blocks, and those of which a position may have several."""
        count: Counter[Leg] = Counter()
        clashes: dict[Leg, int] = {}
        exact = set[Leg]()
        for block in blocks:
            of = self._of(*block)
            if of.exact:
                exact |= of.legs
            else:
                count.update(of.legs)
            clashes |= of.clashes
        count.update(exact)
        clashes |= {leg: times for leg, times in count.items() if times > 1}
        return set(count), clashes

    def _helps(self, kind: str, blocks: list[_Block], clashes: int) -> bool:
        """Whether fewer legs have one name if a kind of part belongs to it."""
        try:
            return len(self.trial(kind)._together(blocks)[1]) < clashes
        except TooMany:
            return False

    def trial(self, kind: str) -> _Finder:
        """The finder with a kind of part more in names."""
        if kind not in self.trials:
            self.trials[kind] = _Finder(self.program, self.kinds | {kind}, [], spent=self.spent)
        return self.trials[kind]

    def _of(self, routine: Routine, start: int, side: int, drop: bool) -> _Of:
        side = self._like(side)
        kind = routine.piece if drop or _asks_kind(routine) else -1
        key = id(routine.code), start, side, kind
        if key not in self.known:
            ways = self.ways.get((id(routine.code), side, kind))
            if ways is None:
                ways = self.ways[id(routine.code), side, kind] = Ways(self.program, routine, side, drop, self.kinds)
            found = ways.from_square(start)
            self.left -= found.steps
            self.spent[0] += found.steps
            if self.left < 0 or self.spent[0] > BUDGET:
                raise TooMany
            self.known[key] = _Of.made(found)
        return self.known[key]

    def _like(self, side: int) -> int:
        """The first side for which everything on the board means the same."""
        if self.kinds - {CAPTURE, MOVEMENT, "flip", "change-type", "set-attribute", PROMOTION}:
            return side
        steps, zones = self.program.steps, self.program.zone_sets
        return next(other for other in range(side + 1) if steps[other] == steps[side] and all(
            zone[other] == zone[side] for zone in zones))


@dataclass(frozen=True)
class _Of:
    """What one block may write from one square."""

    legs: frozenset[Leg]
    clashes: Mapping[Leg, int]
    exact: bool

    @staticmethod
    def made(found: Found) -> _Of:
        return _Of(frozenset(leg for leg, _ in found.written), found.clashes(), found.exact)


def _asks_kind(routine: Routine) -> bool:
    return any(op.name == "create" and op.a == SELF for op in routine.code)
