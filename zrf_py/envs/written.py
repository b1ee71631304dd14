"""What a block may write from a square: legs, told apart as programs that learn tell them apart."""

from dataclasses import dataclass, replace

from zrf_py.run.position import NOT_PARTIAL, Effect, Movement

MOVEMENT, CAPTURE, PROMOTION = "movement", "capture", "promotion"
"""Kinds of parts besides effects: movements beyond the first, captures, a change of type where the first movement
ends."""


class TooMany(Exception):
    """The blocks have more ways than anybody wants to look through."""


@dataclass(frozen=True, order=True, slots=True)
class Leg:
    """What tells a leg from others; all empty: a pass.

    `ends` is (start, end) of a leg without movements, (start, -1) where `add-pass` writes it, (-1, end) of one after
    which the turn may go on, else (-1, -1).
    `captures` are sorted. `way` counts legs that differ in what names leave out.
    """

    movements: tuple[Movement, ...] = ()
    ends: tuple[int, int] = (-1, -1)
    partial: int = NOT_PARTIAL
    must: bool = False
    effects: tuple[Effect, ...] = ()
    captures: tuple[int, ...] = ()
    way: int = 0

    @property
    def is_pass(self) -> bool:
        return self == PASS


PASS = Leg()


def with_way(leg: Leg, way: int) -> Leg:
    """Another leg of the same name."""
    return replace(leg, way=way)


@dataclass(frozen=True)
class Found:
    """What a block may write from a square: legs, each with the node of `edges` behind which it is written."""

    written: list[tuple[Leg, int]]
    edges: list[list[int]]
    steps: int
    exact: bool

    def clashes(self) -> dict[Leg, int]:
        """Legs that one run may write twice, not doing the same; in how many places."""
        if self.exact:
            return {}
        places: dict[Leg, list[int]] = {}
        for leg, node in self.written:
            places.setdefault(leg, []).append(node)
        several = {leg: nodes for leg, nodes in places.items() if len(nodes) > 1}
        if not several:
            return {}
        later = self._later(several)
        return {
            leg: len(nodes) for number, (leg, nodes) in enumerate(several.items())
            if len(set(nodes)) < len(nodes) or any(later[node] >> number & 1 for node in nodes)
        }

    def _later(self, places: dict[Leg, list[int]]) -> list[int]:
        """For each node a bit for each leg, by its number, that is written behind it."""
        here = [0] * len(self.edges)
        for number, nodes in enumerate(places.values()):
            for node in nodes:
                here[node] |= 1 << number
        later = [0] * len(self.edges)
        changed = True
        while changed:
            changed = False
            for node in range(len(self.edges) - 1, -1, -1):
                found = 0
                for following in self.edges[node]:
                    found |= here[following] | later[following]
                if found != later[node]:
                    later[node], changed = found, True
        return later
