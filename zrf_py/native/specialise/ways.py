"""The paths of a block through its first operations, those that only look at the board, from any square at once.

A place is where a sequence of steps leads from the start; on one line, a number of steps. A path is described by the
contents that it requires at some places. Loops are unrolled: they end at the edge of the board, and paths that require
different contents of a place are dropped, so a block has few paths even if it walks along a line twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from zrf_py.ir.ops import BLOCK_END, GO_FROM, GO_MARK, GO_TO, HERE, Op
from zrf_py.native.bitboards.graph import Map, NotSets

MOST_PATHS = 40
MOST_OPERATIONS = 4000
"""Limits on the paths of a block, and on the operations along all of them."""
_LOOKING = ("step", "go", "mark", "from", "to", "goto", "empty?", "friend?", "enemy?")
CONTENTS = frozenset(("empty", "friend", "enemy"))

Place = tuple[int, ...]
"""Motions of the steps from the start."""


class Squares:
    """The squares of places on a board, for one side."""

    def __init__(self, steps: Sequence[Sequence[int]]) -> None:
        self.steps = steps
        self._maps: dict[Place, Map] = {(): tuple(range(len(steps[0])))}

    def at(self, place: Place) -> Map:
        """Return the square of a place for each start, -1 off the board."""
        squares = self._maps.get(place)
        if squares is None:
            step = self.steps[place[-1]]
            squares = self._maps[place] = tuple(step[s] if s >= 0 else -1 for s in self.at(place[:-1]))
        return squares


@dataclass(frozen=True)
class Path:
    """A path through the first operations of a block."""

    contents: Mapping[Place, frozenset[str]]
    """Possible contents of the places that it tests."""
    places: tuple[Place, ...]
    """The places that must be on the board, except those passed on the way to others."""
    leave: int
    """Index of the first operation after it."""
    end: Place | None
    """The cursor after it; None if it sets `from`, or sets `to` to another square."""
    sets_to: bool

@dataclass(frozen=True)
class _Walker:
    """State on a path: next operation, cursor, from, to (None if unset), mark, and what it requires of the board."""

    at: int
    cursor: Place
    from_: Place
    to: Place | None
    mark: Place
    contents: tuple[tuple[Place, frozenset[str]], ...]
    places: frozenset[Place]


def beginning_of(code: Sequence[Op]) -> tuple[Op, ...]:
    """Return the operations that decide which paths a block has; equal operations make equal paths."""
    cut = next(i for i, op in enumerate(code) if op.name not in _LOOKING)
    beginning = code[: cut + 1] if all(i + op.target <= cut for i, op in enumerate(code[:cut])) else code
    return (*(replace(op, origin=None) for op in beginning[:-1]), Op("end" if beginning[-1].name == "end" else "add"))


def paths_of(code: Sequence[Op], board: Squares) -> list[Path]:
    """Return the paths of a block on a board.

    :raises NotSets: if there are too many.
    """
    start: Place = ()
    waiting = [_Walker(0, start, start, None, start, ((start, frozenset(("friend",))),), frozenset())]
    paths: list[Path] = []
    for _ in range(MOST_OPERATIONS):
        if not waiting:
            return paths
        walker = waiting.pop()
        following = _following(code[walker.at], walker, board)
        if following is None:
            places = tuple(p for p in sorted(walker.places) if not any(p == q[: len(p)] for q in walker.places - {p}))
            plain = walker.from_ == () and walker.to in (None, walker.cursor)
            end = walker.cursor if plain else None
            paths.append(Path(dict(walker.contents), places, walker.at, end, walker.to is not None))
            if len(paths) > MOST_PATHS:
                raise NotSets
        else:
            waiting += following
    raise NotSets


def _following(op: Op, w: _Walker, board: Squares) -> list[_Walker] | None:
    """Return the states after an operation, in reverse order; None if it does more than look at the board."""
    after = w.at + 1
    match op.name:
        case "step":
            cursor = (*w.cursor, op.a)
            on_board = max(board.at(cursor)) >= 0
            return [replace(w, at=after, cursor=cursor, places=w.places | {cursor})] if on_board else []
        case "go" if op.a == GO_FROM:
            return [replace(w, at=after, cursor=w.from_)]
        case "go" if op.a == GO_TO:
            return [replace(w, at=after, cursor=w.cursor if w.to is None else w.to)]
        case "go" if op.a == GO_MARK:
            return [replace(w, at=after, cursor=w.mark)]
        case "mark" if op.where == HERE:
            return [replace(w, at=after, mark=w.cursor)]
        case "from":
            return [replace(w, at=after, from_=w.cursor)]
        case "to":
            return [replace(w, at=after, to=w.cursor)]
        case "goto":
            return [] if op.target == BLOCK_END else [replace(w, at=w.at + op.target)]
        case "end":
            return []
        case "empty?" | "friend?" | "enemy?" if op.where == HERE:
            return [*_tested(op, w)]
    return None


def _tested(op: Op, w: _Walker) -> Iterator[_Walker]:
    contents_of = dict(w.contents)
    before = contents_of.get(w.cursor, CONTENTS)
    true = frozenset((op.name[:-1],))
    for answer, contents in ((True, before & true), (False, before - true)):
        if contents and (answer == op.want or op.target != BLOCK_END):
            at = w.at + 1 if answer == op.want else w.at + op.target
            yield replace(w, at=at, contents=tuple({**contents_of, w.cursor: contents}.items()))
