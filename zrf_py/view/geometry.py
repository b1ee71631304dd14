"""A board → its plan: where each place is drawn, in which shape and shade, and the lines between."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from zrf_py.front.model import Board
from zrf_py.view.layout import visible

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Place:
    """A place that is drawn: `index` is its number in the rules, (x, y) its centre, w and h its size.

    `shape` is "square" (any upright rectangle), "hex" (`outline` has the corners), "disc" or "point" (a crossing of
    lines). `shade` is 0 or 1 on a checkered board; `zones` are the names of the zones it belongs to.
    """

    index: int
    name: str
    x: float
    y: float
    w: float
    h: float
    shape: str
    shade: int = 0
    goal: bool = False
    zones: tuple[str, ...] = ()
    outline: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the board."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A board laid out; see `Scene` for the fields."""

    width: float
    height: float
    board: tuple[float, float, float, float]
    unit: float
    places: tuple[Place, ...]
    lines: tuple[Line, ...]


def plan_of(board: Board) -> Plan:
    """The plan of a board."""
    return _plan(_Same(board))


class _Same:
    """A board as a key: itself, whatever it holds."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def __hash__(self) -> int:
        return id(self.board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.board is self.board


@lru_cache(maxsize=16)
def _plan(key: _Same) -> Plan:
    board = key.board
    shown = visible(board)
    left = min((r[0] for r in shown.values()), default=0)
    top = min((r[1] for r in shown.values()), default=0)
    unit = median([min(r[2] - r[0], r[3] - r[1]) for r in shown.values()] or [48])
    margin = unit / 2
    places = tuple(
        Place(i, board.places[i].name, (r[0] + r[2]) / 2 - left + margin, (r[1] + r[3]) / 2 - top + margin,
              r[2] - r[0], r[3] - r[1], "square", zones=_zones(board, i)) for i, r in shown.items())
    width = max((p.x + p.w / 2 for p in places), default=margin) + margin
    height = max((p.y + p.h / 2 for p in places), default=margin) + margin
    return Plan(width, height, (margin, margin, width - 2 * margin, height - 2 * margin), unit, places, ())


def _zones(board: Board, index: int) -> tuple[str, ...]:
    return tuple(name for name, by_player in zip(board.zone_names, board.zones, strict=True)
                 if any(index in places for places in by_player))
