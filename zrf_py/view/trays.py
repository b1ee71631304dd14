"""Layout of the pieces off the board: a tray for each player, at the player's side of the board.

A tray has a slot for every type that its player may ever hold, so nothing moves while it fills.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from zrf_py.front.model import Game

USUAL, TIGHT = 1.6, 1.3
"""Usual distance between slots, in units, and the distance used if that saves a line."""
EDGE, GAP, PAD = 0.3, 0.15, 0.1
"""Space beside trays, between them, and inside their ends, in units."""
NARROW, LARGEST = 11.0, 1.8
"""Board width, in units, beyond which slots are larger than squares; the maximum factor by which they are larger."""


@dataclass(frozen=True, slots=True)
class Tray:
    """A player's tray: its rectangle, and its slots from left to right as (type, x, y) with their centres.

    `unit` is the size of a slot.
    """

    player: int
    x: float
    y: float
    w: float
    h: float
    slots: tuple[tuple[int, float, float], ...]
    unit: float


def held_types(game: Game) -> dict[int, list[int]]:
    """Return the types that each player may hold off the board, in the order of the rules."""
    kinds = range(len(game.pieces))
    every = {k for k in kinds if not game.pieces[k].dummy and game.may_come_back(k)}
    held = {p: set(every) for p, player in enumerate(game.players) if player.kind == "player"}
    for player, kind, count in game.stores:
        if count > 0 and player in held and not game.pieces[kind].dummy:
            held[player].add(kind)
    return {player: sorted(types) for player, types in held.items() if types}


def unit_of(held: Mapping[int, Sequence[int]], width: float, unit: float) -> float:
    """Return the size of slots: `unit`, the size of the board's squares, or larger for legibility on a board with many
    squares, if each player's slots still fit in one line."""
    larger = unit * min(LARGEST, max(1.0, width / (NARROW * unit)))
    longest = max(map(len, held.values()), default=0)
    return larger if longest * USUAL * larger <= width - 2 * (EDGE + PAD) * larger else unit


def trays(held: Mapping[int, Sequence[int]], width: float, unit: float, top: float, right: bool) -> tuple[Tray, ...]:
    """Lay out trays from `top` downwards, as many side by side as fit, from the left, or from the right if `right`."""
    return tuple(_mirrored(tray, width) if right else tray for tray in _placed(held, width, unit, top))


def _placed(held: Mapping[int, Sequence[int]], width: float, unit: float, top: float) -> Iterator[Tray]:
    room = max(width - 2 * EDGE * unit, unit)
    x, y, high = 0.0, top, 0.0
    for player, types in held.items():
        step, each = _step(len(types), room - 2 * PAD * unit, unit)
        lines = ceil(len(types) / each)
        w, h = min(len(types), each) * step + 2 * PAD * unit, lines * unit
        if x and x + w > room:
            x, y = 0.0, y + high + GAP * unit
        high = h if not x else max(high, h)
        left = x + EDGE * unit
        slots = tuple((kind, left + (PAD + 0.5) * unit + i % each * step, y + (0.5 + i // each) * unit)
                      for i, kind in enumerate(types))
        yield Tray(player, left, y, w, h, slots, unit)
        x += w + GAP * unit


def _step(count: int, room: float, unit: float) -> tuple[float, int]:
    """Return (distance between slots, slots per line)."""
    usual, tight = (max(1, int(room // (step * unit))) for step in (USUAL, TIGHT))
    if ceil(count / tight) < ceil(count / usual):
        return min(USUAL * unit, room / min(count, tight)), tight
    return USUAL * unit, usual


def _mirrored(tray: Tray, width: float) -> Tray:
    """Mirror a tray to the other side; its slots stay in order from left to right."""
    x = width - tray.x - tray.w
    return replace(tray, x=x, slots=tuple((k, sx + x - tray.x, sy) for k, sx, sy in tray.slots))


def bottom_of(row: Sequence[Tray], otherwise: float) -> float:
    """Return the bottom of the lowest tray, or `otherwise` if there are no trays."""
    return max((tray.y + tray.h for tray in row), default=otherwise)
