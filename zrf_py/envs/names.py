"""Enumerate the names of a game's legs: (from, to, becomes, n-th), the basis of its action space.

*From* is the square where the leg's first movement begins or, for a drop, the type taken from the store; *to* is the
square where this movement ends; *becomes* is the type that the piece turns into. For a leg without a movement, *from*
is the start of its block, *to* the first square that it changes. The names come from static analysis alone
(`reach.py`): each leg has a name, but not every name occurs. Where different legs of one position may share from, to
and type, there are several names for them, told apart by *n-th*.
"""

from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from zrf_py import cache
from zrf_py.data import release
from zrf_py.envs.reach import AbstractState, Flow, Paths, Squares, WriteSite, bits
from zrf_py.ir.ops import OPS, PASSING, RETYPING, Op, Program
from zrf_py.ir.traits import Writes
from zrf_py.play import packing
from zrf_py.run.interpret import drop_squares
from zrf_py.run.position import KEEP

MOST_WAYS = 8
"""Maximum number of names with the same from, to and type."""
MOST_SITES = 40
"""Maximum number of a block's writing operations to compare in pairs; of more, any two may write the same names."""
_PLACES = Writes.FROM | Writes.TO | Writes.MOVEMENT | Writes.PASS


class Name(NamedTuple):
    """`start` is a square or, for a drop, number of squares + type; `way` is *n-th*, from 0."""

    start: int
    end: int
    kind: int = KEEP
    way: int = 0


class _Part(NamedTuple):
    """A set of names: each type of `kinds` with each pair of `relation`, which relates ends to starts. Legs of equal
    name and `group` are equivalent or never occur in one position; with `is_shared`, this holds across blocks, too."""

    kinds: tuple[int, ...]
    relation: int
    group: Hashable
    is_shared: bool = False


_Pairs = dict[tuple[int, int, int], int]
"""(dropped type, or -1 for moves; type that the piece becomes; way) → relation of ends to starts."""


def names_of(program: Program) -> list[Name]:
    """Return all names of a game's legs, sorted, so that the order depends on the rules alone; cached on disk, because
    the analysis of some games takes many seconds.

    :raises ZrfError: if the game's blocks are too complex to analyse (`reach.MAX_WORK`).
    """
    key = cache.key(release("envs/names.py", "envs/reach.py", "ir/*.py"), packing.pack(program)) + ".names"
    data = cache.load(key)
    if data is None:
        data = array("i", chain.from_iterable(_names(program))).tobytes()
        cache.store(key, data)
    numbers = iter(array("i", data))
    return [Name(*row) for row in zip(numbers, numbers, numbers, numbers, strict=True)]


def _names(program: Program) -> list[Name]:
    size = len(program.game.board.places)
    pairs: _Pairs = {}
    seen_motions = []
    paths = {id(code): Paths(code) for code in program.codes()}
    for side in sorted({turn.side for turn in program.game.turns}):
        motions = program.steps[side], [zone[side] for zone in program.zone_sets]
        if motions in seen_motions:
            continue
        seen_motions.append(motions)
        finder = _BlockNames(program, side, paths)
        for routines in program.moves:
            _merge(pairs, -1, (part for routine in routines for part in finder.parts(routine.code, False)))
        for own, routines in enumerate(program.drops):
            _merge(pairs, own, (part for routine in routines for part in finder.parts(
                routine.code, True, frozenset(drop_squares(program, routine, side)))))
    names: set[Name] = set()
    for (own, kind, nth), relation in pairs.items():
        becomes = KEEP if kind == own else kind
        for end in range(size):
            starts = relation >> end * size & (1 << size) - 1
            sources = bits(starts) if own < 0 else [size + own] if starts else ()
            names.update(Name(start, end, becomes, nth) for start in sources)
    return sorted(names)


def may_choose_type(program: Program) -> bool:
    """Return whether some block may change pieces to one of several types; its names then include the new type."""
    return any(len({op.a for op in code if op.name in RETYPING}) > 1 for code in program.codes())


def _is_pure(code: Sequence[Op]) -> bool:
    """Return whether the legs of a block are fully determined by their names."""
    return not any(OPS[op.name].collects or op.name in PASSING for op in code)


class _BlockNames:
    """The names of the legs of each block, for one side; blocks of equal shape are analysed once."""

    def __init__(self, program: Program, side: int, paths: Mapping[int, Paths]) -> None:
        self.squares = Squares(program, side)
        self._paths = paths
        self._discards = program.game.options.discard_cascades
        self._chooses = may_choose_type(program)
        self._known: dict[tuple[Hashable, bool, frozenset[int] | None], list[_Part]] = {}

    def parts(self, code: Sequence[Op], drops: bool, starts: frozenset[int] | None = None) -> list[_Part]:
        """Return the names of the legs of a block that starts on the given squares (None: any)."""
        key = self._paths[id(code)].shape, drops, starts
        if key not in self._known:
            first = self.squares.row if starts is None else sum(1 << square for square in starts)
            self._known[key] = list(self._parts(code, drops, first))
        return [part if part.is_shared else part._replace(group=(id(code), part.group)) for part in self._known[key]]

    def _parts(self, code: Sequence[Op], drops: bool, starts: int) -> Iterator[_Part]:
        paths = self._paths[id(code)]
        flow = Flow(self.squares, paths, drops, self._discards, self.squares.identity)
        flow.run(0, flow.start(starts))
        changes = tuple(op.a for op in code if op.name in RETYPING) if self._chooses else ()
        pure = _is_pure(code)
        again = {} if pure or flow.widened else self._again(paths, drops, flow.sites)
        for at, site in flow.sites.items():
            kinds, op = (*(code[at].types or (KEEP,)), *changes), code[at]
            if pure:
                yield _Part(kinds, site.moved, (op.a, op.b), True)
                continue
            if flow.widened:  # the legs are a superset: each name gets two numbers, surplus legs get spare ones
                for nth in range(2):
                    yield _Part(kinds, site.moved, nth, True)
                    yield _Part((KEEP, *changes), site.still, nth, True)
                continue
            others, itself, loops = again[at]
            yield _Part(kinds, site.moved & ~others, None)
            yield _Part(kinds, site.moved & others, at)
            yield _Part(kinds, site.moved & itself, (at, "again"))
            yield _Part((KEEP, *changes), site.still, (at, "still"))
            if loops:
                yield _Part((KEEP, *changes), site.still, (at, "still again"))

    def _again(self, paths: Paths, drops: bool, sites: dict[int, WriteSite]) -> dict[int, tuple[int, int, bool]]:
        """Return a triple for each writing operation: the ends that one run may write both there and elsewhere, or
        twice there; those that it may write twice there (both as relations); whether a run may get there twice."""
        squares = self.squares
        if len(sites) > MOST_SITES:
            return dict.fromkeys(sites, (squares.all, squares.all, True))
        general = AbstractState(squares.identity, squares.all, 0, squares.row, squares.all, 0, 0, squares.row)
        elsewhere = any(OPS[op.name].writes & _PLACES for op in paths.code)
        overlaps = {at: [0, 0, 0] for at in sites}
        for at in sites:
            reached = Flow(squares, paths, drops, True, squares.all).run(at + 1, general)
            for other in sites.keys() & reached.keys():
                square_set = squares.indices(reached[other].here & squares.identity)
                rows = squares.all if elsewhere else squares.rows(frozenset(q for q in range(squares.size)
                                                                            if square_set >> q & 1))
                overlaps[at][0] |= rows
                overlaps[other][0] |= rows
                if other == at:
                    overlaps[at][1:] = rows, 1
        return {at: (others, itself, bool(loops)) for at, (others, itself, loops) in overlaps.items()}


def _merge(pairs: _Pairs, own: int, parts: Iterable[_Part]) -> None:
    """Add the names of a piece's blocks to those of a game: way n gets each name that more than n legs of one position
    may share. `own` is the type that drops take from the store, or -1 for moves."""
    groups: dict[int, dict[Hashable, int]] = {}
    for kinds, relation, group, _ in parts:
        for kind in kinds if relation else ():
            of = groups.setdefault(kind, {})
            of[group] = of.get(group, 0) | relation
    for kind, relations in groups.items():
        layers: list[int] = []
        for relation in relations.values():
            for i, layer in enumerate(layers):
                layers[i], relation = layer | relation, layer & relation
            if relation and len(layers) < MOST_WAYS:
                layers.append(relation)
        for nth, layer in enumerate(layers):
            pairs[own, kind, nth] = pairs.get((own, kind, nth), 0) | layer
