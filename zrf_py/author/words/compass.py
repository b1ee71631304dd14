"""Words for the directions of a board, by where they lead on the drawn board."""

import math
from collections.abc import Iterable

from zrf_py.front.model import Board, Game

SECTORS = ("right", "up-right", "up", "up-left", "left", "down-left", "down", "down-right")
STRAIGHT, DIAGONAL = frozenset({"up", "down", "left", "right"}), frozenset(SECTORS[1::2])
SPREAD = 20.0
"""Maximum deviation of a link from its direction's mean, in degrees, for the direction to have a word."""

LEAP = 1.5
"""Minimum ratio of the lengths of two directions with the same bearing for the longer one to be a leap."""


class Compass:
    """Words for directions: `word[direction]` is one of SECTORS, or "" if none fits; `facing`: up means forward."""

    def __init__(self, game: Game) -> None:
        self.board = game.board
        self.vectors = [_vector(game.board, table) for table in game.board.links]
        words = [SECTORS[round(math.atan2(-v[1], v[0]) / (math.pi / 4)) % 8] if v else "" for v in self.vectors]
        for number, vector in enumerate(self.vectors):  # a leap gets no word if a step has its bearing
            rivals = [math.hypot(*v) for w, v in zip(words, self.vectors, strict=True) if v and w == words[number]]
            if vector and math.hypot(*vector) > LEAP * min(rivals):
                words[number] = ""
        self.word = [word if words.count(word) == 1 else "" for word in words]
        for number, table in enumerate(game.board.links):  # directions with the same links share their word
            twins = [d for d, other in enumerate(game.board.links) if other == table]
            if len(twins) > 1 and words.count(words[number]) == len(twins):
                self.word[number] = words[number]
        self.facing = self._faces()

    def _faces(self) -> bool:
        """Return whether the symmetry turns "up" into "down" for some player, so that players face each other."""
        return any("up" in word and "down" in self.word[table[d]]
                   for table in self.board.symmetry for d, word in enumerate(self.word))

    def offset(self, motions: Iterable[int]) -> tuple[int, int] | None:
        """Return the offset of a path on a square grid, in squares to the right and up; None if it has none."""
        cell = min((max(abs(v[0]), abs(v[1])) for v in self.vectors if v), default=0.0)
        x = y = 0.0
        for motion in motions:
            vector = self.vectors[motion // 2]
            if vector is None or motion % 2 or not cell:
                return None
            x, y = x + vector[0] / cell, y - vector[1] / cell
        near = round(x), round(y)
        return near if max(abs(x - near[0]), abs(y - near[1])) < 0.1 else None


def _vector(board: Board, table: tuple[int, ...]) -> tuple[float, float] | None:
    """Return the mean step of a direction in pixels; None if it has no links, or they diverge or cancel out."""
    steps = []
    for start, end in enumerate(table):
        if end >= 0 and not board.places[start].dummy and not board.places[end].dummy:
            a, b = _centre(board, start), _centre(board, end)
            steps.append((b[0] - a[0], b[1] - a[1]))
    if not steps:
        return None
    mean = sum(x for x, _ in steps) / len(steps), sum(y for _, y in steps) / len(steps)
    if math.hypot(*mean) < 1:
        return None
    angle = math.atan2(mean[1], mean[0])
    off = [abs((math.degrees(math.atan2(y, x) - angle) + 180) % 360 - 180) for x, y in steps]
    return mean if max(off) <= SPREAD else None


def _centre(board: Board, place: int) -> tuple[float, float]:
    left, top, right, bottom = board.places[place].rectangle
    return (left + right) / 2, (top + bottom) / 2
