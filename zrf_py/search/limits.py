"""Limits of a search: time, processor time, positions, depth; the ten strengths as numbers of positions."""

from dataclasses import dataclass

from zrf_py.text import arguments
from zrf_py.text.diagnostics import ZrfError

NODES = (20, 50, 130, 330, 800, 2_000, 6_000, 17_000, 45_000, 120_000)
"""Positions per move of strengths 1 to 10, equal on all machines."""
NOISE = (900, 500, 250, 120, 40, 30, 20, 12, 8, 6)
"""Width of the random noise in the evaluation of each strength, in hundredths: weak players vary their play most."""
STRONGEST = len(NODES)
GLANCE = 200
"""Positions visited even if time is up before the search begins, as on a busy machine."""
RESERVE = 0.003
"""Seconds of a time limit reserved for work after the search."""
CPU_RESERVE = 0.0005
"""Seconds of a processor-time limit reserved for work after the search; other processes don't use this time up."""
SLICE = 0.015
"""Seconds between returns from machine code to its host."""
SMALLEST_TABLE = 12
"""Smallest size of the transposition table, as an exponent of two."""
PER_NODE, SMALLEST_TREE = 24, 4096
"""Tree nodes allocated for each position to visit (an expansion creates all children at once); minimum for a tree."""
SPEEDS = {"table": 500_000, "tree": 200_000, "first": 200_000}
"""Positions per second, assumed when memory is allocated under a time limit and (`first`) until speed is measured."""
UNLIMITED = 10.0
"""Seconds assumed for a search without a time limit when its memory is allocated."""
SHARED = {"nodes": NODES, "noise": NOISE, "glance": GLANCE, "reserve": RESERVE, "slice": SLICE, "per_node": PER_NODE,
          "smallest_table": SMALLEST_TABLE, "smallest_tree": SMALLEST_TREE, "speeds": SPEEDS, "unlimited": UNLIMITED}
"""Constants that the web pages need, too."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search (None: no limit); at least one is set. `noise` as in `NOISE`.

    `time` is in seconds by the clock, `cpu` in seconds of processor time of the thread that searches.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    noise: int = 0
    cpu: float | None = None

    @property
    def seconds(self) -> float | None:
        """The smaller of the limits on time and processor time, in seconds; None if there is neither."""
        return min((s for s in (self.time, self.cpu) if s is not None), default=None)


def table_bits(limits: Limits, largest: int) -> int:
    """Return the size of the transposition table for a search, as an exponent of two, at most `largest`."""
    positions = limits.nodes or int((limits.seconds or UNLIMITED) * SPEEDS["table"])
    return max(SMALLEST_TABLE, min(largest, (2 * positions).bit_length()))


def tree_room(limits: Limits, largest: int) -> int:
    """Return the number of nodes allocated for a tree search, at most `largest`."""
    positions = int((limits.seconds or UNLIMITED) * SPEEDS["tree"])
    return min(largest, max(SMALLEST_TREE, PER_NODE * min(positions, limits.nodes or positions)))


A_SECOND = Limits(time=1.0)
"""The default limits."""


def limits(
    time: float | None = None, nodes: int | None = None, depth: int | None = None, strength: int | None = None,
    cpu: float | None = None,
) -> Limits:
    """Build limits; a strength limits positions and adds noise. Without arguments, the limit is one second.

    :raises ZrfError: if a number is out of range.
    """
    for name, seconds in (("time", time), ("cpu", cpu)):
        if seconds is not None:
            arguments.want(name, seconds, (int, float), "seconds")
            if not 0 < seconds < 1e7:
                raise ZrfError(f"a search can't take {seconds:g} seconds; write a time above 0 and below 10,000,000",
                               "bad-limit")
    nodes, depth, strength = (number if number is None else arguments.whole(name, number)
                              for name, number in (("nodes", nodes), ("depth", depth), ("strength", strength)))
    if nodes is not None and nodes < 1:
        raise ZrfError("a search needs at least 1 position", "bad-limit")
    if depth is not None and not 1 <= depth <= 100:
        raise ZrfError("the depth of a search is a number from 1 to 100", "bad-limit")
    noise = 0
    if strength is not None:
        if not 1 <= strength <= STRONGEST:
            raise ZrfError(f"the level of a computer player is a number from 1 to {STRONGEST}", "bad-limit")
        most = NODES[strength - 1]
        nodes, noise = min(nodes or most, most), NOISE[strength - 1]
    if time is None and nodes is None and depth is None and cpu is None:
        return A_SECOND
    return Limits(time, nodes, depth, noise, cpu)
