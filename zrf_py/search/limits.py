"""Limits of a search: time, positions, depth; and the ten strengths, defined as numbers of positions."""

from dataclasses import dataclass

from zrf_py.text import asked
from zrf_py.text.diagnostics import ZrfError

NODES = (20, 50, 130, 330, 800, 2_000, 6_000, 17_000, 45_000, 120_000)
"""Positions per move of strengths 1 to 10, equal on all machines."""
NOISE = (900, 500, 250, 120, 40, 30, 20, 12, 8, 6)
"""Width of the random noise in their evaluation, in hundredths: it varies the play, most of all of weak players."""
STRONGEST = len(NODES)
GLANCE = 200
"""Positions visited even if time is up before the search begins, as on a busy machine."""
RESERVE = 0.003
"""Seconds of a time limit reserved for work after the search."""
SLICE = 0.015
"""Seconds between returns from machine code to its host."""
SMALLEST_TABLE = 12
"""Smallest size of the transposition table, as a power of two."""
PER_NODE, SMALLEST_TREE = 24, 4096
"""Nodes of a tree allocated per position to visit, since expansion creates all children at once; at least so many."""
SPEEDS = {"table": 500_000, "tree": 200_000, "first": 200_000}
"""Positions per second by which memory is allocated where time is limited, and that are assumed at first."""
UNLIMITED = 10.0
"""Seconds for which memory is allocated without a limit."""
SHARED = {"nodes": NODES, "noise": NOISE, "glance": GLANCE, "reserve": RESERVE, "slice": SLICE, "per_node": PER_NODE,
          "smallest_table": SMALLEST_TABLE, "smallest_tree": SMALLEST_TREE, "speeds": SPEEDS, "unlimited": UNLIMITED}
"""Constants that pages need, too."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits; None: no limit, at least one is set. `noise` as in `NOISE`."""

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    noise: int = 0


def table_bits(limits: Limits, largest: int) -> int:
    """Return the size of the transposition table for a search, as a power of two, at most `largest`."""
    positions = limits.nodes or int((limits.time or UNLIMITED) * SPEEDS["table"])
    return max(SMALLEST_TABLE, min(largest, (2 * positions).bit_length()))


def tree_room(limits: Limits, largest: int) -> int:
    """Return the number of nodes allocated for a tree search, at most `largest`."""
    positions = int((limits.time or UNLIMITED) * SPEEDS["tree"])
    return min(largest, max(SMALLEST_TREE, PER_NODE * min(positions, limits.nodes or positions)))


A_SECOND = Limits(time=1.0)
"""The default limits."""


def limits(
    time: float | None = None, nodes: int | None = None, depth: int | None = None, strength: int | None = None,
) -> Limits:
    """Build limits; a strength is a number of positions. Without arguments, one second.

    :raises ZrfError: if a number is out of range.
    """
    if time is not None:
        asked.want("time", time, (int, float), "seconds")
    nodes, depth, strength = (number if number is None else asked.whole(name, number)
                              for name, number in (("nodes", nodes), ("depth", depth), ("strength", strength)))
    if time is not None and not 0 < time < 1e7:
        raise ZrfError(f"a search can't take {time:g} seconds; write a time above 0", "bad-limit")
    if nodes is not None and nodes < 1:
        raise ZrfError("a search looks at 1 position at least", "bad-limit")
    if depth is not None and not 1 <= depth <= 100:
        raise ZrfError("the depth of a search is a number from 1 to 100", "bad-limit")
    noise = 0
    if strength is not None:
        if not 1 <= strength <= STRONGEST:
            raise ZrfError(f"strength is a number from 1 to {STRONGEST}", "bad-limit")
        most = NODES[strength - 1]
        nodes, noise = min(nodes or most, most), NOISE[strength - 1]
    if time is None and nodes is None and depth is None:
        return A_SECOND
    return Limits(time, nodes, depth, noise)
