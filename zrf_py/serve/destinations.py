"""Places that a piece can reach within a turn of several legs, with the shortest path to each."""

from collections import deque

from zrf_py.play.game import Position

MOST = 250
"""Most positions within a turn that are examined; near places are found first."""


def destinations(position: Position, start: int) -> list[list[object]]:
    """Return [place, [texts of legs]] for each place that the piece on `start` reaches by two or more legs."""
    legs_to: dict[int, list[str]] = {}
    near = {move.raw.key[1] for move in position.moves() if move.raw.key[0] == start}
    queue: deque[tuple[Position, int, list[str]]] = deque([(position, start, [])])
    looked = 0
    while queue and looked < MOST:
        reached, square, legs = queue.popleft()
        looked += 1
        for move in reached.moves():
            origin, end = move.raw.key
            if move.raw.is_pass or origin != square or end in legs_to or (legs and end in {*near, start}):
                continue
            after = reached.play(move)
            if legs:
                legs_to[end] = [*legs, move.text]
            if after.in_turn:
                queue.append((after, end, [*legs, move.text]))
    return [[place, legs] for place, legs in legs_to.items()]
