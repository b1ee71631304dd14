"""A second, minimal implementation of the booklet's races in Python: the rules files must allow the same turns.

Positions are random: men scattered over and around the yards, so that clearing a yard, staying in the goal and
changing places really happen (the tests check that they do).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.catalogue.test_booklet_races import (
    BELT_SW,
    DICE,
    FARBEN,
    HALMA,
    LARGE_SW,
    SCHNELL,
    SMALL_SW,
    SUPER,
    board,
    game,
    journeys,
    rolled,
)
from zrf_py.play.game import Position

pytestmark = pytest.mark.slow

Square = tuple[int, int]
Men = dict[Square, str]
WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
CORNERS = {"Blue": (0, 0), "Green": (0, 15), "Red": (15, 15), "Yellow": (15, 0)}
OPPOSITE = {"Blue": "Red", "Red": "Blue", "Green": "Yellow", "Yellow": "Green"}


def square(name: str) -> Square:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def name(at: Square) -> str:
    return "abcdefghijklmnop"[at[0]] + str(at[1] + 1)


def yard(player: str, kind: str) -> set[Square]:
    x, y = CORNERS[player]
    return {(abs(x - a), abs(y - b)) for a, b in map(square, kind.split())}


def on_board(at: Square) -> bool:
    return 0 <= at[0] < 16 and 0 <= at[1] < 16


def moved(at: Square, way: Square, far: int) -> Square:
    return at[0] + way[0] * far, at[1] + way[1] * far


def dark(at: Square) -> bool:
    return sum(at) % 2 == 0


class Rules:
    """Parameters of one race: men, yards, lengths of hops, colours, end condition."""

    def __init__(self, players: tuple[str, ...], kind: str, far: int = 1, coloured: bool = False,
                 end: str = "base") -> None:
        self.players, self.kind, self.far, self.coloured, self.end = players, kind, far, coloured, end

    def steps(self, men: Men, at: Square, free: bool) -> set[Square]:
        ways = WAYS if free or not self.coloured else [w for w in WAYS if 0 not in w and dark(at)]
        return {to for to in (moved(at, w, 1) for w in ways) if on_board(to) and to not in men}

    def jumps(self, men: Men, at: Square, way: Square) -> Iterator[Square]:
        for k in range(1, self.far + 1):
            line = [moved(at, way, i) for i in range(1, 2 * k + 1)]
            if all(on_board(s) and (s in men) == (i == k) for i, s in enumerate(line, 1)):
                yield line[-1]

    def hops(self, men: Men, at: Square, free: bool, inside: set[Square]) -> set[Square]:
        if self.coloured and not free and dark(at):
            return set()
        men = {s: p for s, p in men.items() if s != at}
        found, new = {at}, [at]
        while new:
            here = new.pop()
            for way in WAYS:
                for to in self.jumps(men, here, way):
                    if to not in found and (not inside or to in inside):
                        found.add(to)
                        new.append(to)
        return found - {at}

    def all_ends(self, men: Men, at: Square, goal: set[Square]) -> set[Square]:
        if at in goal:
            return (self.steps(men, at, True) & goal) | self.hops(men, at, True, goal)
        return self.steps(men, at, False) | self.hops(men, at, False, set())

    def turns(self, men: Men, player: str) -> set[tuple[str, str]]:
        home, goal = yard(player, self.kind), yard(OPPOSITE[player], self.kind)
        own = [at for at, p in men.items() if p == player]
        ends = {at: self.all_ends(men, at, goal) for at in own}
        others = [p for p in self.players if p != player]
        cleared = any(all(men.get(s) != p for s in yard(p, self.kind)) for p in others)
        if self.end == "base" and cleared and any(at in home for at in own):
            ends = self.clearing({at: ends[at] for at in own if at in home}, home, CORNERS[player])
        elif self.end == "swap":
            for at in own:
                if at not in goal and not ends[at] & goal:
                    around = {moved(at, w, 1) for w in WAYS}
                    ends[at] = ends[at] | {s for s in around & goal if men.get(s, player) != player}
        return {(name(a), name(b)) for a, found in ends.items() for b in found}

    def clearing(self, ends: dict[Square, set[Square]], home: set[Square], corner: Square) -> dict[Square, set[Square]]:
        def depth(at: Square) -> int:
            return abs(at[0] - corner[0]) + abs(at[1] - corner[1])

        out = {at: found - home for at, found in ends.items()}
        if any(out.values()):
            return out
        return {at: {s for s in found if depth(s) > depth(at)} for at, found in ends.items()}


def scattered(rules: Rules, chance: random.Random) -> Men:
    """Return random men in and near the yards; some goals are almost full, some yards walled in, some cleared."""
    near = [[(x, y) for x in range(16) for y in range(16) if abs(x - a) + abs(y - b) <= 7]
            for a, b in (CORNERS[p] for p in rules.players)]
    men: Men = {}
    for _ in range(chance.choice([6, 15, 30, 45])):
        men[chance.choice(chance.choice(near))] = chance.choice(rules.players)
    match chance.choice(["as it is", "cleared", "goal full", "walled"]):
        case "cleared":
            clear(men, rules, "Red")
        case "goal full":
            men |= {s: "Red" for s in yard("Red", rules.kind) if chance.random() < 0.97}
        case "walled":
            wall = [(x, y) for x, y in near[0] if x + y >= 3]
            men |= {s: "Red" for s in wall if men.get(s) != "Blue" or s not in yard("Blue", rules.kind)}
            men |= {s: "Blue" for s in yard("Blue", rules.kind) if sum(s) < 4 and chance.random() < 0.3}
            clear(men, rules, "Red")
    return men


def clear(men: Men, rules: Rules, player: str) -> None:
    for s in yard(player, rules.kind):
        if men.get(s) == player:
            men[s] = "Blue"


TWO, FOUR = ("Blue", "Red"), ("Blue", "Green", "Red", "Yellow")
CASES: list[tuple[str, int, Rules, int]] = [
    (HALMA, 0, Rules(TWO, LARGE_SW), 30), (HALMA, 1, Rules(FOUR, SMALL_SW), 20),
    (HALMA, 2, Rules(TWO, LARGE_SW, end="swap"), 25), (HALMA, 3, Rules(FOUR, SMALL_SW, end="swap"), 10),
    (HALMA, 4, Rules(TWO, LARGE_SW, end="filled"), 5), (SCHNELL, 0, Rules(TWO, BELT_SW), 20),
    (SUPER, 0, Rules(TWO, LARGE_SW, far=8), 20), (FARBEN, 0, Rules(TWO, LARGE_SW, coloured=True), 25),
]


@pytest.mark.parametrize(("file", "variant", "rules", "count"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_turns_match_the_second_implementation(file: str, variant: int, rules: Rules, count: int) -> None:
    chance = random.Random(f"{file}{variant}")
    kinds: dict[str, int] = {}
    for _ in range(count):
        men = scattered(rules, chance)
        position = board(game(file, variant), {p: " ".join(name(s) for s, q in men.items() if q == p)
                                               for p in rules.players})
        expected = rules.turns(men, "Blue")
        found = journeys(position) - {("", "")}
        assert found == expected, sorted(men.items())
        tell(kinds, men, rules, expected)
    assert all(kinds.get(kind, 0) >= 1 for kind in wanted(rules)), kinds


def tell(kinds: dict[str, int], men: Men, rules: Rules, turns: set[tuple[str, str]]) -> None:
    """Count a position under each of its kinds."""
    home, goal = yard("Blue", rules.kind), yard("Red", rules.kind)
    own = {name(s) for s, p in men.items() if p == "Blue"}
    began = {a for a, _ in turns}
    if not turns:
        kinds["stuck"] = kinds.get("stuck", 0) + 1
    elif any(b in {name(s) for s, p in men.items() if p != "Blue"} for _, b in turns):
        kinds["swap"] = kinds.get("swap", 0) + 1
    elif own - began and began <= {name(s) for s in home} and len(own) > len(began):
        inside = all(square(b) in home for _, b in turns)
        kinds["edging" if inside else "clearing"] = kinds.get("edging" if inside else "clearing", 0) + 1
    if own & {name(s) for s in goal}:
        kinds["arrived"] = kinds.get("arrived", 0) + 1


def wanted(rules: Rules) -> list[str]:
    """Return the kinds of positions that must have occurred in a race."""
    if rules.end == "swap":
        return ["swap", "arrived"]
    if rules.end == "filled":
        return ["arrived"]
    return ["clearing", "arrived"] if rules.kind == BELT_SW else ["clearing", "edging", "stuck", "arrived"]


# --------------------------------------------------------------------------------------------------------------- dice


def counted_hops(men: Men, at: Square, jumps: int, once_only: bool) -> set[Square]:
    """Return the squares on which a hop of exactly this number of jumps can end; `once_only`: it visits none twice."""
    others = {s for s in men if s != at}

    def further(here: Square, left: int, visited: frozenset[Square]) -> set[Square]:
        if left == 0:
            return {here}
        found: set[Square] = set()
        for way in WAYS:
            to = moved(here, way, 2)
            if moved(here, way, 1) in others and to not in others and on_board(to) and to not in visited:
                found |= further(to, left - 1, visited | {to} if once_only else visited)
        return found

    return further(at, jumps, frozenset({at} if once_only else ())) - {at}


def hops_by_length(position: Position) -> set[tuple[str, str, int]]:
    """Return (from, to, number of jumps) for every hop that can be completed."""
    places = [place.name for place in position.game.program.game.board.places]
    jumps = next(i for i, c in enumerate(position.game.program.game.counters) if c.name == "jumps")
    found, ways = set(), [(position, "", 0)]
    while ways:
        here, start, count = ways.pop()
        for move in here.moves():
            if any(e[0] == "set-counter" and e[1] == jumps for e in move.raw.effects):
                began, end = start or places[move.raw.key[0]], places[move.raw.key[1]]
                if move.is_partial:
                    ways.append((here.play(move), began, count + 1))
                else:
                    found.add((began, end, count + 1))
    return found


@pytest.mark.parametrize(("variant", "once_only"), [(0, False), (2, True)])
@pytest.mark.parametrize(("first", "second"), [(1, 3), (2, 2), (4, 3)])
def test_hops_by_dice_match_the_second_implementation(variant: int, once_only: bool, first: int, second: int) -> None:
    chance = random.Random(f"{variant}{first}{second}")
    lengths: set[int] = set()
    for _ in range(4):
        middle = [(x, y) for x in range(6, 12) for y in range(5, 11)]
        men = {s: chance.choice(TWO) for s in chance.sample(middle, 9)} | {(5, 5): "Blue", (0, 15): "Red"}
        position = board(game(DICE, variant), {p: " ".join(name(s) for s, q in men.items() if q == p) for p in TWO})
        expected = {(name(at), name(to), jumps) for at, p in men.items() if p == "Blue" for jumps in {first, second}
                    for to in counted_hops(men, at, jumps, once_only)}
        assert hops_by_length(rolled(position, first, second)) == expected
        lengths |= {jumps for *_, jumps in expected}
    assert lengths == {first, second}
