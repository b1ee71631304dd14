"""The booklet's games on the star, and Rakado, compared with its pages and with counts by other programs.

"The booklet" is that of a German, French, Italian, Dutch and Spanish game box. "Two programs" stands for counts by two
programs that were written independently of zrf_py and of each other.
"""

from __future__ import annotations

import random
from functools import cache, lru_cache
from itertools import pairwise

import pytest

from tests.catalogue.legs import board, journeys
from tests.engines import any_game
from zrf_py.library import RulesFile, load_file
from zrf_py.play.game import Game, Move, Position
from zrf_py.play.perft import perft
from zrf_py.play.turns import CompleteTurn, turns

pytestmark = pytest.mark.slow

STERN, SUPER, GEFANGEN_1, GEFANGEN_2, CONNECTION, HIGHSCORE = (f"booklet/{name}" for name in (
    "sternhalma", "super-sternhalma", "gefangen-1", "gefangen-2", "connection", "highscore-star"))
RAKADO_SQUARE, RAKADO_STAR = "booklet/rakado-square", "booklet/rakado-star"

POINTS = {
    "s": "a13 b12 b14 c11 c13 c15 d10 d12 d14 d16", "n": "q13 p12 p14 o11 o13 o15 n10 n12 n14 n16",
    "sw": "e1 e3 f2 e5 f4 g3 e7 f6 g5 h4", "se": "e25 e23 f24 e21 f22 g23 e19 f20 g21 h22",
    "nw": "m1 l2 m3 k3 l4 m5 j4 k5 l6 m7", "ne": "m25 l24 m23 k23 l22 m21 j22 k21 l20 m19",
}
SIDES = {
    "s": "e9 e11 e13 e15 e17", "se": "e17 f18 g19 h20 i21", "ne": "i21 j20 k19 l18 m17",
    "n": "m9 m11 m13 m15 m17", "nw": "i5 j6 k7 l8 m9", "sw": "e9 f8 g7 h6 i5",
}
YARDS = {seat: f"{POINTS[seat]} {SIDES[seat]}" for seat in POINTS}
LINES = {
    "S-NE": "a13 b14 c15 d16 e17 f18 g19 h20 i21 j22 k23 l24 m25",
    "S-NW": "a13 b12 c11 d10 e9 f8 g7 h6 i5 j4 k3 l2 m1",
    "NW-NE": "m1 m3 m5 m7 m9 m11 m13 m15 m17 m19 m21 m23 m25",
    "N-SE": "q13 p14 o15 n16 m17 l18 k19 j20 i21 h22 g23 f24 e25",
    "N-SW": "q13 p12 o11 n10 m9 l8 k7 j6 i5 h4 g3 f2 e1",
    "SW-SE": "e1 e3 e5 e7 e9 e11 e13 e15 e17 e19 e21 e23 e25",
}
"""The star's lines of 13 holes. It is a hexagon with sides of five holes, and a point of 4, 3, 2 and 1 on each side."""


@cache
def rules_file(name: str) -> RulesFile:
    return load_file(name)


@lru_cache(maxsize=8)
def game(name: str, variant: str | int = 0) -> Game:
    return Game(rules_file(name).program(variant))


def targets(position: Position, start: str) -> set[str]:
    return {end for begin, end in journeys(position) if begin == start}


def stop(position: Position) -> Position:
    """Return the position after the turn is ended; the same position if it has ended already."""
    return position.play("Pass") if position.in_turn else position


# -------------------------------------------------------------------------------------------------------- the board


def lines_of(game: Game) -> list[list[str]]:
    """Return all straight lines of holes, from end to end."""
    table = game.program.game.board
    names = [place.name for place in table.places]
    found = []
    for forward, back in (("e", "w"), ("ne", "sw"), ("nw", "se")):
        ahead, behind = (table.links[table.directions.index(d)] for d in (forward, back))
        for first in range(len(names)):
            if behind[first] < 0:
                line, at = [], first
                while at >= 0:
                    line.append(names[at])
                    at = ahead[at]
                found.append(line)
    return found


def test_star_has_121_holes_and_six_lines_of_13() -> None:
    """Source: the booklet (121 holes); the lines were counted by a program written from its description."""
    star = game(STERN).program.game.board
    assert len(star.places) == 121
    assert {p.name for p in star.places} >= {hole for yard in YARDS.values() for hole in yard.split()}
    lines = lines_of(game(STERN))
    assert max(map(len, lines)) == 13
    assert {frozenset(line) for line in lines if len(line) == 13} == {frozenset(x.split()) for x in LINES.values()}


def test_neighbouring_yards_share_one_hole() -> None:
    """Source: counted from the booklet's description."""
    seats = ["s", "sw", "nw", "n", "ne", "se", "s"]
    shared = [set(YARDS[a].split()) & set(YARDS[b].split()) for a, b in pairwise(seats)]
    assert shared == [{"e9"}, {"i5"}, {"m9"}, {"m17"}, {"i21"}, {"e17"}]


def test_drawn_star_has_equal_distances() -> None:
    """Neighbours are equally far apart in all directions, to within a pixel."""
    table = game(STERN).program.game.board
    lengths = set()
    for links in table.links:
        for a, b in enumerate(links):
            if b >= 0:
                (x, y, _, _), (u, v, _, _) = table.places[a].rectangle, table.places[b].rectangle
                lengths.add(((x - u) ** 2 + (y - v) ** 2) ** 0.5)
    assert max(lengths) - min(lengths) < 1


@pytest.mark.parametrize(("name", "variant", "men"), [
    (STERN, 0, {"South": "s", "North": "n"}),
    (STERN, "Sternhalma for Three", {"South": "s", "NorthWest": "nw", "NorthEast": "ne"}),
    (SUPER, "Superhalma on the Star for Three", {"South": "s", "NorthWest": "nw", "NorthEast": "ne"}),
    (GEFANGEN_1, "Gefangen 1 for Three", {"South": "s", "NorthWest": "nw", "NorthEast": "ne"}),
])
def test_fifteen_men_fill_a_point_and_the_row_beside_it(name: str, variant: str | int, men: dict[str, str]) -> None:
    """Source: the booklet; 15 men fill a point and the row of five beside it."""
    pieces = game(name, variant).start().pieces()
    for player, seat in men.items():
        assert {s for s, (owner, _) in pieces.items() if owner == player} == set(YARDS[seat].split())
    assert len(pieces) == 15 * len(men)


def test_four_players_leave_two_points_empty() -> None:
    """Source: the booklet; four players leave two opposite points empty, and the row of five beside each."""
    pieces = game(STERN, "Sternhalma for Four").start().pieces()
    owners = {owner for owner, _ in pieces.values()}
    assert len(owners) == 4 and len(pieces) == 40
    for seat in ("sw", "nw", "ne", "se"):
        ten = set(YARDS[seat].split()[:10])
        assert len({pieces[square][0] for square in ten}) == 1
    assert not pieces.keys() & {*YARDS["s"].split(), *YARDS["n"].split()}


# ----------------------------------------------------------------------------------------------- counts from the start

COUNTS = [
    (STERN, 0, (22, 484)), (STERN, "Sternhalma for Three", (22,)), (STERN, "Sternhalma, Variant 2", (22,)),
    (CONNECTION, 0, (20,)), (CONNECTION, "Connection for Three", (20, 400)), (CONNECTION, "Connection Alone", (20,)),
    (HIGHSCORE, 0, (22,)), (GEFANGEN_2, 0, (48,)), (GEFANGEN_2, "Gefangen 2 for Six", (48,)),
    # These games have the same first turns as Sternhalma.
    (SUPER, 0, (22,)), (SUPER, "Superhalma on the Star for Three", (22,)), (GEFANGEN_1, 0, (22,)),
    (GEFANGEN_1, "Gefangen 1 for Three", (22,)),
]


@pytest.mark.parametrize(("name", "variant", "counts"), COUNTS)
def test_numbers_of_turns_match_two_programs(name: str, variant: str | int, counts: tuple[int, ...]) -> None:
    """Source: two programs; steps to neighbours, and hops to every hole that can be reached."""
    rules = game(name, variant)
    for depth, count in enumerate(counts, 1):
        assert perft(rules.engine, rules.start().state, depth, whole_turns=True) == count


def test_numbers_of_steps_and_hops_match_two_programs() -> None:
    """Source: two programs. 12 steps and 10 hops with 15 men; 8 and 6 with ten men; 10 and 10 in Connection."""
    for name, variant, steps, hops in (
        (STERN, 0, 12, 10), (STERN, "Sternhalma for Four", 8, 6), (CONNECTION, 0, 10, 10),
    ):
        moves = game(name, variant).start().moves()
        assert sum(not m.is_partial for m in moves) == steps
        assert sum(m.is_partial for m in moves) == hops


def test_sequences_of_three_turns_match_the_known_number() -> None:
    """Source: two programs count 15,752. First moves come in pairs of mirror images, so half of them are followed."""
    rules = game(STERN)
    columns = [int(place.name[1:]) for place in rules.program.game.board.places]
    half = [turn for turn in turns(rules.engine, rules.start().state)
            if [columns[square] for square in turn.legs[0].key] < [13, 13]]
    assert len(half) == 11
    assert 2 * sum(perft(rules.engine, t.end, 2, whole_turns=True) for t in half) == 15_752


# --------------------------------------------------------------------------------------------------------- moving


def test_men_step_or_hop_over_any_men_without_capturing() -> None:
    """Source: the booklet. A man hops over any men, in any direction, as often as he can; no man is captured."""
    position = board(game(STERN), {"South": "i9 i11 a13", "North": "j14 q13"})
    assert targets(position, "i9") == {"i7", "j8", "j10", "h8", "h10", "i13", "k15"}
    after = stop(position.play("i9 i13").play("i13 k15"))
    assert after.pieces().keys() == {"i11", "a13", "j14", "q13", "k15"}
    assert after.player == "North"


def test_hop_may_not_end_where_it_began() -> None:
    """Our reading: three hops round a triangle are not a move."""
    position = board(game(STERN), {"South": "i9 i11 h10 h12 a13", "North": "q13"})
    for leg in ("i9 i13", "i13 g11"):
        position = position.play(leg)
    assert "Pass" in [str(m) for m in position.moves()]
    back = position.play("g11 i9")
    assert back.in_turn
    assert "Pass" not in [str(m) for m in back.moves()]


def test_man_at_home_stays_there() -> None:
    """Source: the booklet: a man in the goal moves only inside it. Our reading: others may hop through it."""
    position = board(game(STERN), {"South": "m11 i13", "North": "l10 l12 e13"})
    assert targets(position, "m11") == {"m9", "m13", "n10", "n12"}
    through = board(game(STERN), {"South": "k9 a13", "North": "l10 l12 q13"})
    assert targets(through, "k9") >= {"m11", "k13"}


def test_a_long_hop_goes_as_far_beyond_a_man_as_before_him() -> None:
    """Source: the booklet; as many free holes lie behind the man that is hopped over as before him."""
    position = board(game(SUPER), {"South": "m3 a13", "North": "m11 e13"})
    assert targets(position, "m3") == {"m1", "m5", "l2", "l4", "m19"}
    for extra in ("m5", "m9", "m13", "m17", "m19"):
        assert "m19" not in targets(board(game(SUPER), {"South": "m3 a13", "North": f"m11 {extra} e13"}), "m3")
    chain = board(game(SUPER), {"South": "m3 a13", "North": "m11 l18 e13"})
    assert targets(chain, "m3") >= {"m19", "k17"}
    assert "m19" not in targets(board(game(STERN), {"South": "m3 a13", "North": "m11 e13"}), "m3")


# -------------------------------------------------------------------------------------------------- clearing the home


def test_duty_to_clear_allows_only_moves_out() -> None:
    """Source: the booklet. North has left his yard: only moves out of South's yard are legal."""
    position = board(game(STERN), {"South": "e13 b12 i5", "North": "i13 i15"})
    assert journeys(position) == {("e13", "f12"), ("e13", "f14")}
    free = board(game(STERN), {"South": "e13 b12 i5", "North": "i13 i15 q13"})
    assert {start for start, _ in journeys(free)} == {"e13", "b12", "i5"}
    assert {start for start, _ in journeys(board(game(STERN), {"South": "f12 i5", "North": "i13"}))} == {"f12", "i5"}


def test_a_hop_out_of_the_yard_may_pass_through_the_home() -> None:
    """Our reading: only the end of a hop counts."""
    position = board(game(STERN), {"South": "c13 d14 f16 i5", "North": "i13"})
    assert journeys(position) == {("c13", "g17")}
    first = position.play("c13 e15")
    assert first.find("e15 g17")
    assert "Pass" not in [str(m) for m in first.moves()]


def test_player_unable_to_leave_moves_towards_the_exit() -> None:
    """Source: the booklet; nearness is measured by the row, counted from the tip (our reading)."""
    position = board(game(STERN), {"South": "a13 i5", "North": "i13"})
    assert journeys(position) == {("a13", "b12"), ("a13", "b14")}
    # From the third row one step leads to the fourth; steps along the row or back come no nearer.
    position = board(game(STERN), {"South": "c13 i5", "North": "i13"})
    assert journeys(position) == {("c13", "d12"), ("c13", "d14")}
    # A hop to the fourth row comes nearer, too; from there every way out is closed.
    shut = "d10 d12 e9 e11 e13 e15 e17 f8 f10 f12 f14 f16 f18 g7 g9 g11 g13 g15 g17 g19"
    position = board(game(STERN), {"South": "b12 i5", "North": f"c11 c13 {shut}"})
    assert journeys(position) == {("b12", "d14")}


def test_player_without_a_clearing_move_loses() -> None:
    """Source: the booklet."""
    position = board(game(STERN), {"South": "a13 i5", "North": "b12 b14 c11 c13 c15 m21"})
    assert position.outcome() is not None
    assert str(position.outcome()) == "North won (no legal moves)"


def test_blocked_player_who_need_not_clear_passes() -> None:
    """Our reading: the booklet is silent."""
    position = board(game(STERN), {"South": "a13", "North": "b12 b14 c11 c13 c15 q13"})
    assert journeys(position) == {("", "")}
    assert position.play("Pass").player == "North"


def test_one_of_three_is_out_if_unable_to_clear() -> None:
    """Our reading for more than two: a player who can't clear his yard is out; his men stay, and the others play on."""
    position = board(game(STERN, "Sternhalma for Three"), {
        "South": "c15 i5", "NorthWest": "m1 i9", "NorthEast": "a13 b12 b14 c11 c13 d10 d12 d14 e11 e13 i13"})
    # South must bring the last man out of his own yard.
    assert {start for start, _ in journeys(position)} == {"c15"}
    shut = board(game(STERN, "Sternhalma for Three"), {
        "South": "i5 k9", "NorthWest": "m1 i9", "NorthEast": "l2 m3 k3 l4 m5 a13"})
    after = shut.play("k9 k11")
    assert after.player == "NorthEast"
    assert after.state.out
    assert after.pieces()["m1"] == ("NorthWest", "Man")
    assert after.outcome() is None


def test_first_player_with_all_men_home_wins() -> None:
    """Source: the booklet; the first to have all his men in the yard opposite."""
    holes = YARDS["n"].split()
    position = board(game(STERN), {"South": " ".join(holes[:-1]) + " l18", "North": "a13"})
    after = position.play("l18 m17")
    assert str(after.outcome()).startswith("South won")


def test_filled_goal_wins_at_the_start_of_a_turn() -> None:
    """Source: the booklet, second alternative ending; our reading: at least one man must be the player's own. The start
    position is not a win."""
    rules = game(STERN, "Sternhalma, Variant 2")
    assert rules.start().outcome() is None
    holes = YARDS["n"].split()
    position = board(rules, {"South": f"{holes[0]} i5", "North": " ".join(holes[1:-1]) + " l16"})
    waiting = position.play("i5 i7")
    assert waiting.outcome() is None
    filled = waiting.play("l16 m17")
    assert filled.outcome() is not None
    assert str(filled.outcome()).startswith("South won")


def swaps(position: Position) -> set[tuple[str, str]]:
    """Return (from, to) for both men of each move that lets two men change places."""
    names = [place.name for place in position.game.program.game.board.places]
    moved = [m.raw.movements for m in position.moves()]
    return {(names[a], names[b]) for both in moved if len(both) == 2 for _, a, b, _ in both}


def test_man_before_his_goal_changes_places() -> None:
    """Source: the booklet, first alternative ending: the man is as near to the goal as possible, but can't enter."""
    rules = game(STERN, "Sternhalma, Variant 1")
    position = board(rules, {"South": "m7 a13", "North": "m9 m11"})
    assert swaps(position) == {("m7", "m9"), ("m9", "m7")}
    after = position.play(next(m for m in position.moves() if len(m.raw.movements) == 2))
    assert after.pieces()["m9"][0] == "South"
    assert after.pieces()["m7"][0] == "North"
    assert not after.in_turn
    # At the start, no man is in front of its goal; a man that can hop into its goal may not change places.
    assert not swaps(rules.start())
    assert not swaps(board(rules, {"South": "m7 a13", "North": "m9"}))
    # Nor may a man that can hop there by a longer way, over l8, k11 and l14 to m15, unless m15 is occupied, too.
    assert not swaps(board(rules, {"South": "m7 a13", "North": "m9 m11 l8 k11 l14"}))
    assert "m15" in targets(board(rules, {"South": "m7 a13", "North": "m9 m11 l8 k11 l14"}), "m7")
    assert swaps(board(rules, {"South": "m7 a13", "North": "m9 m11 l8 k11 l14 m15"}))


def test_variants_have_no_duty_to_clear() -> None:
    """Source: the booklet: the other endings replace the duty."""
    for variant in ("Sternhalma, Variant 1", "Sternhalma, Variant 2"):
        position = board(game(STERN, variant), {"South": "e13 b12 i5", "North": "i13 i15"})
        assert {start for start, _ in journeys(position)} == {"e13", "b12", "i5"}


WAYS = ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1))
HOLES = {(ord(p[0]) - ord("a"), int(p[1:])) for yard in YARDS.values() for p in yard.split()}
HOLES |= {(row, column) for row in range(4, 13) for column in range(5, 22)
          if (row + column) % 2 and abs(row - 8) + abs(column - 13) <= 8}
Hole = tuple[int, int]


def named(holes: str) -> set[Hole]:
    return {(ord(h[0]) - ord("a"), int(h[1:])) for h in holes.split()}


def base_rules(men: set[Hole], rivals: set[Hole], home: set[Hole], goal: set[Hole]) -> set[tuple[Hole, Hole]]:
    """Return the journeys (from, to) that `men` can make in a turn against one rival, by the booklet's base rules."""
    taken = men | rivals

    def reached(start: Hole, inside: set[Hole]) -> tuple[set[Hole], set[Hole]]:
        def beyond(hole: Hole) -> set[Hole]:
            found = set()
            for r, c in WAYS:
                over, to = (hole[0] + r, hole[1] + c), (hole[0] + 2 * r, hole[1] + 2 * c)
                if over in taken - {start} and to in inside and to not in taken - {start}:
                    found.add(to)
            return found

        steps = {(start[0] + r, start[1] + c) for r, c in WAYS} & inside - taken
        hops, left = {start}, [start]
        while left:
            new = beyond(left.pop()) - hops
            hops |= new
            left += new
        return steps, hops - {start}

    free = {(a, b) for a in men for part in reached(a, goal if a in goal else HOLES) for b in part}
    if not men & home or rivals & goal:
        return free
    out = {(a, b) for a, b in free if a in home and b not in home}
    tip = min(home) if min(home)[0] == 0 else max(home)
    return out or {(a, b) for a, b in free if a in home and abs(b[0] - tip[0]) > abs(a[0] - tip[0])}


def journey(rules: Game, turn: CompleteTurn) -> tuple[Hole, Hole] | None:
    """Return the holes (from, to) of a turn's journey; None for a pass."""
    names = [place.name for place in rules.program.game.board.places]
    legs = [leg.key for leg in turn.legs if not leg.is_pass]
    if not legs:
        return None
    start, end = (named(names[square]).pop() for square in (legs[0][0], legs[-1][1]))
    return start, end


def steps_between(a: Hole, b: Hole) -> int:
    rows, columns = abs(a[0] - b[0]), abs(a[1] - b[1])
    return rows + max(0, (columns - rows) // 2)


def test_base_rules_allow_the_same_journeys_throughout_a_game() -> None:
    """Players that mostly move forward finish their game; during it, `base_rules` allows the same journeys."""
    rules = game(STERN)
    choice = random.Random(2)
    yards = {"South": (named(YARDS["s"]), named(YARDS["n"])), "North": (named(YARDS["n"]), named(YARDS["s"]))}
    position, hurried = rules.start(), 0
    for number in range(300):
        if position.outcome() is not None:
            break
        home, goal = yards[position.player]
        pieces = {hole: owner for square, (owner, _) in position.pieces().items() for hole in named(square)}
        men = {hole for hole, owner in pieces.items() if owner == position.player}
        options = {journey(rules, turn): turn for turn in turns(rules.engine, position.state)}
        hurry = bool(men & home) and not (pieces.keys() - men) & goal
        hurried += hurry
        if hurry or number % 4 == 0:
            assert options.keys() - {None} == base_rules(men, pieces.keys() - men, home, goal)
        # Men move towards the deepest goal hole that no own man has taken, usually the farthest man first.
        deep = max(goal - men, key=lambda h: (max(abs(h[0] - r) for r, _ in home), choice.random()))
        gain = {way: steps_between(way[0], deep) ** 2 - steps_between(way[1], deep) ** 2 + choice.random()
                if way else 0.0 for way in options}
        way = choice.choice(list(options)) if choice.random() < 0.05 else max(gain, key=lambda w: gain[w])
        position = position.at(options[way].end)
    assert str(position.outcome()) == "North won (all fifteen pieces are home)"
    assert hurried


# ------------------------------------------------------------------------------------------------------- Gefangen 1


def test_prisoners_are_lifted() -> None:
    """Source: the booklet: the player is out of the game, and so are the men in his start yard; his other men stay."""
    rules = game(GEFANGEN_1, "Gefangen 1 for Three")
    position = board(rules, {"South": "i5 k9", "NorthWest": "m1 i9", "NorthEast": "l2 m3 k3 l4 m5 a13"})
    after = position.play("k9 k11")
    assert after.player == "NorthEast"
    assert "m1" not in after.pieces()
    assert after.pieces()["i9"] == ("NorthWest", "Man")
    assert after.outcome() is None
    # NorthWest gets no further turn.
    assert stop(after.play("a13 b12")).player == "South"


def test_last_player_left_wins() -> None:
    """Our reading: of two players, the one who takes the other prisoner wins."""
    position = board(game(GEFANGEN_1), {"South": "b14 c11 c13 d14 p12 i5 b12", "North": "a13 i9"})
    assert {start for start, _ in journeys(position)} <= {"b12", "b14", "c11", "c13", "d14"}
    shut = board(game(GEFANGEN_1), {"South": "p12 p14 o11 o13 o15 i7", "North": "q13 i13"})
    after = shut.play("i7 i9")
    assert str(after.outcome()) == "South won (all other players are out)"
    assert "q13" not in after.pieces()


# ------------------------------------------------------------------------------------------------------ teams, colours


def test_player_at_home_moves_his_partners_men() -> None:
    """Source: the booklet. Our reading: partners sit opposite each other."""
    rules = game(STERN, "Sternhalma in Teams")
    home = POINTS["ne"].split()
    position = board(rules, {
        "SouthWest": " ".join(home[:-1]) + " l18", "NorthEast": "i13 i11", "NorthWest": "k9", "SouthEast": "g17"})
    assert position.player == "SouthWest"
    position = position.play("l18 m19")
    for move in ("k9 k11", "i13 i15", "g17 g15"):
        position = position.play(move)
    assert position.player == "SouthWest"
    assert {start for start, _ in journeys(position)} == {"i11", "i15"}
    assert position.play("i11 h10").player == "NorthWest"


def test_team_wins_together() -> None:
    """Source: the booklet."""
    rules = game(STERN, "Sternhalma in Teams")
    position = board(rules, {
        "SouthWest": " ".join(POINTS["ne"].split()[:-1]) + " l18", "NorthEast": POINTS["sw"],
        "NorthWest": "k9", "SouthEast": "g17"})
    outcome = position.play("l18 m19").outcome()
    assert outcome is not None
    assert set(outcome.winners) == {"SouthWest", "NorthEast"}
    assert set(outcome.losers) == {"NorthWest", "SouthEast"}


def test_one_member_home_is_not_a_win() -> None:
    rules = game(STERN, "Sternhalma in Teams, Neighbours")
    position = board(rules, {
        "SouthWest": " ".join(POINTS["ne"].split()[:-1]) + " l18", "NorthEast": POINTS["sw"],
        "NorthWest": "k9", "SouthEast": "g17"})
    assert position.play("l18 m19").outcome() is None


@pytest.mark.parametrize(("variant", "first", "count"), [
    ("Sternhalma with Two Colours, Enemies Opposite", {"Red": "sw", "Yellow": "nw"}, 28),
    ("Sternhalma with Two Colours, Own Colours Opposite", {"Red": "sw", "Green": "ne"}, 28),
])
def test_each_player_may_have_two_colours(variant: str, first: dict[str, str], count: int) -> None:
    """Source: the booklet: a player has two colours and moves a man of either. Ten men of each are our reading."""
    rules = game(STERN, variant)
    pieces = rules.start().pieces()
    for colour, seat in first.items():
        assert {s for s, piece in pieces.items() if piece == ("First", colour)} == set(POINTS[seat].split())
    found = journeys(rules.start())
    assert len(found) == count
    for seat in first.values():
        assert {start for start, _ in found} & set(POINTS[seat].split())


def test_both_colours_must_come_home() -> None:
    """Source: the booklet. A colour's goal is the point opposite its own."""
    rules = game(STERN, "Sternhalma with Two Colours, Own Colours Opposite")
    red, green = POINTS["ne"].split(), POINTS["sw"]
    position = board(rules, {"First Red": " ".join(red[:-1]) + " l18", "First Green": green, "Second Blue": "i13"})
    assert str(position.play("l18 m19").outcome()).startswith("First won")
    wrong = board(rules, {"First Green": " ".join(red[:-1]) + " l18", "First Red": green, "Second Blue": "i13 e25"})
    assert wrong.play("l18 m19").outcome() is None


# ------------------------------------------------------------------------------------------------------- Gefangen 2


def random_end(rules: Game, seed: int, plies: int) -> Position:
    """Return the end of a random game, or the position after `plies` legs."""
    choice = random.Random(seed)
    position = rules.start()
    for _ in range(plies):
        if position.outcome() is not None:
            break
        position = position.play(choice.choice(position.moves()))
    return position


def test_all_first_hops_leave_the_hexagon() -> None:
    """Source: counted by the booklet's rules: 48 hops leave the hexagon; in a variant, six more end on its centre."""
    start = game(GEFANGEN_2).start()
    assert len(start.moves()) == 48
    outside = {hole for seat in POINTS for hole in POINTS[seat].split()}
    assert {end for _, end in journeys(start)} <= outside
    anywhere = game(GEFANGEN_2, "Gefangen 2, hops may end in the hexagon").start()
    assert len(journeys(anywhere)) == 54


@pytest.mark.parametrize("variant", range(5))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_captured_and_remaining_men_and_turns_add_up_to_sixty(variant: int, seed: int) -> None:
    """Source: the booklet: each turn removes the men hopped over, who are counted, and the man who hopped."""
    rules = game(GEFANGEN_2, variant)
    choice = random.Random(seed)
    position, players = rules.start(), set()
    taken = rules.program.game.counters[0].name
    assert taken == "taken"
    while position.outcome() is None:
        players.add(position.player)
        position = position.play(choice.choice(position.moves()))
        if not position.in_turn:
            assert len(position.pieces()) + sum(position.state.counters[0]) + sum(position.state.made) == 60
    assert players == set(rules.players)
    outcome = position.outcome()
    assert outcome is not None
    best = max(position.state.counters[0])
    names = [p.name for p in rules.program.game.players]
    if outcome.winners:
        assert {position.state.counters[0][names.index(p)] for p in outcome.winners} == {best}


def test_a_hop_may_continue_from_a_point() -> None:
    """Our reading: a hop may lead out into a point and back through the hexagon, if it ends outside."""
    rules = game(GEFANGEN_2)
    position = board(rules, {"Nobody": "f12 e11 d12 e13 g15"})
    stop, go_on = sorted((m for m in position.moves() if " f12 - d10" in str(m)), key=lambda m: m.is_partial)
    assert sorted(position.play(stop).pieces()) == ["d12", "e13", "g15"]
    assert position.play(go_on).in_turn
    # After hops over e11 and d12 the man is in the point again; another one, over e13, would end in the hexagon.
    assert targets(position, "f12") == {"d10", "d14"}
    assert "f12" not in {end for _, end in journeys(position)}


def test_the_hopping_man_counts_in_the_italian_text() -> None:
    """Source: the Italian text: the man who hopped is collected, too."""
    position = game(GEFANGEN_2, "Gefangen 2, the hopping man counts").start()
    after = position.play(position.moves()[0])
    assert after.state.counters[0][0] == 2
    assert len(after.pieces()) == 58


STAYS = "Gefangen 2, the hopping man stays"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hopping_man_stays_in_the_point_in_two_editions(seed: int) -> None:
    """Source: the Dutch and Spanish texts remove only the men that were hopped over."""
    choice = random.Random(seed)
    position = game(GEFANGEN_2, STAYS).start()
    outside = {hole for seat in POINTS for hole in POINTS[seat].split()}
    assert len(position.moves()) == 48
    while position.outcome() is None:
        assert position.in_turn or not {start for start, _ in journeys(position)} & outside
        position = position.play(choice.choice(position.moves()))
        assert len(position.pieces()) + sum(position.state.counters[0]) == 60
    assert sum(position.state.counters[0]) > sum(position.state.made) / 2 > 5


def test_numbers_of_legs_match_a_separate_program() -> None:
    """Source: a program written only for these numbers, which represents men as a set of holes."""
    for title, counts in (("Gefangen 2", (48, 2340, 104172)), (STAYS, (48, 2472, 114324))):
        engine = any_game(game(GEFANGEN_2, title).program)
        assert tuple(engine.perft(engine.start(), depth) for depth in (1, 2, 3)) == counts


def test_man_that_stays_in_a_point_may_be_hopped_over() -> None:
    position = board(game(GEFANGEN_2, STAYS), {"Nobody": "e9 d10 i13"})
    assert journeys(position) == {("e9", "c11")}
    position = stop(position.play("e9 c11"))
    assert sorted(position.pieces()) == ["c11", "i13"] and position.state.counters[0][0] == 1


# ------------------------------------------------------------------------------------------------------- Connection


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("player", ["South", "North"])
def test_each_line_wins(line: str, player: str) -> None:
    """Source: the booklet; each of the six straight lines of 13 holes, from tip to opposite tip, wins."""
    holes = LINES[line].split()
    rules = game(CONNECTION)
    other = "North" if player == "South" else "South"
    # The seventh man stands beside the line and steps into it.
    middle = holes[6]
    position = board(rules, {player: " ".join(h for h in holes if h != middle), other: "g13"})
    near = next(h for h in ("h14", "h12", "j14", "j12", "l14", "f14", "l12", "f12", "h18", "h8", "j18", "j8")
                if h not in holes and abs(ord(h[0]) - ord(middle[0])) == 1
                and abs(int(h[1:]) - int(middle[1:])) == 1)
    position = position.edited(f"({player} Man {near})")
    if player == "North":
        position = position.play("g13 g11")
    assert position.outcome() is None
    after = stop(position.play(f"{near} {middle}"))
    assert str(after.outcome()) == f"{player} won (the goal is reached)"


def test_start_and_other_chains_do_not_win() -> None:
    """Our reading: nothing but a line from tip to tip wins."""
    rules = game(CONNECTION)
    assert rules.start().outcome() is None
    almost = LINES["SW-SE"].split()[:-1]
    position = board(rules, {"South": " ".join([*almost, "f24"]), "North": "i13"})
    assert position.play("f24 g23").outcome() is None
    assert position.play("f24 e25").outcome() is not None


def test_winning_line_starts_at_the_players_own_tip() -> None:
    """Source: the Spanish text: from one's own starting point."""
    rules = game(CONNECTION, "Connection from the Own Tip")
    for line, wins in (("SW-SE", False), ("S-NE", True), ("N-SE", False)):
        holes = LINES[line].split()
        position = board(rules, {"South": " ".join(holes[1:]), "North": "i13"})
        step = {"SW-SE": "e3 e1", "S-NE": "b14 a13", "N-SE": "p14 q13"}[line]
        start = step.split()[0]
        position = position.edited(f"(x {start})").edited(f"(South Man {start})")
        first = position.play(step)
        assert first.outcome() is None
        # A neighbouring man steps into the hole that the first one left.
        beside = {"SW-SE": "f2", "S-NE": "c13", "N-SE": "o13"}[line]
        ready = position.edited(f"(South Man {beside})").play(step).play("i13 i15").play(f"{beside} {start}")
        assert (ready.outcome() is not None) == wins


@pytest.mark.parametrize(("name", "variant", "last", "score"), [
    (CONNECTION, "Connection Alone", {"South": " ".join(LINES["S-NE"].split()[1:]) + " b12"}, 1),
    (HIGHSCORE, 0, {"South": " ".join(YARDS["n"].split()[:-1]) + " l18"}, 1),
    (HIGHSCORE, 1, {"South": " ".join(YARDS["n"].split()[:-1]) + " l18"}, 1),
])
def test_solitaire_counts_the_turns(name: str, variant: str | int, last: dict[str, str], score: int) -> None:
    """Source: the booklet: in as few moves as possible."""
    rules = game(name, variant)
    position = board(rules, last)
    after = position.play("b12 a13" if name == CONNECTION else "l18 m17")
    outcome = after.outcome()
    assert outcome is not None
    assert outcome.winners == ("South",)
    assert after.state.made[0] == score


def test_single_steps_and_hops_are_counted() -> None:
    """Source: the booklet (German, French and Italian texts: moves and jumps)."""
    rules = game(HIGHSCORE, 1)
    position = board(rules, {"South": "i9 i11 j14"})
    after = stop(position.play("i9 i13").play("i13 k15"))
    assert (after.state.made[0], after.state.counters[0][0]) == (1, 2)


# ----------------------------------------------------------------------------------------------------------- Rakado

FACES = ["One", "Two", "Three", "Four", "Five", "Six"]


def huffed(position: Position) -> dict[str, Move]:
    """Return the squares of the men of whom one must be removed, each with the move that removes that man."""
    names = [place.name for place in position.game.program.game.board.places]
    assert not any(m.raw.movements for m in position.moves())
    return {names[m.raw.captures[0]]: m for m in position.moves()}


def rolled(position: Position, face: int) -> Position:
    """Return the position after the die has shown this number."""
    assert position.player == "?Dice"
    return position.play(next(m for m in position.moves() if f"= {FACES[face - 1]}" in str(m)))


def test_first_moves_of_three_players_match_a_count_by_hand() -> None:
    """Counted by hand: rolls up to four give as many moves as with two players; five and six reach neighbours' men."""
    start = game(RAKADO_STAR, "Rakado on the Star for Three").start()
    assert [len({str(m) for m in rolled(start, face).moves()}) for face in range(1, 7)] == [10, 10, 10, 10, 8, 6]


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(("name", "variant", "count"), [
    (RAKADO_SQUARE, 0, 16), (RAKADO_STAR, 0, 10),
])
def test_first_moves_after_each_roll_match_a_program(name: str, variant: str | int, count: int, face: int) -> None:
    """Source: counted by a program; on the star, a man goes 1 to 6 places along one of two lines."""
    position = rolled(game(name, variant).start(), face)
    assert position.player == "South"
    assert len({str(m) for m in position.moves()}) == count


def test_a_man_moves_exactly_as_far_as_the_die_shows() -> None:
    """Source: the booklet: all pips are used, nobody is jumped over, and the goal is entered by an exact roll."""
    rules = game(RAKADO_SQUARE)
    position = rolled(board(rules, {"South S": "a1 b14 c3 e5", "North N": "p16 c6 e8"}), 3)
    assert {start for start, _ in journeys(position)} == {"a1", "c3", "e5"}   # b14 would go beyond the board
    blocked = rolled(board(rules, {"South S": "c3", "North N": "p16 c5"}), 3)
    assert journeys(blocked) == {("", "")}
    home = rolled(board(rules, {"South S": "b14", "North N": "p16"}), 2).play("b14 b16")
    assert home.pieces()["b16"] == ("South", "S-home")


def test_a_six_gives_another_roll() -> None:
    """Source: the booklet; that this holds even if the six cannot be used is our reading."""
    rules = game(RAKADO_SQUARE)
    again = rolled(rules.start(), 6).play("a1 a7")
    assert again.player == "?Dice"
    assert rolled(again, 2).player == "South"
    other = rolled(again, 2).play("b1 b3")
    assert rolled(other, 2).player == "North"
    unused = rolled(board(rules, {"South S": "a12 b1", "North N": "a16 b4"}), 6)
    assert journeys(unused) == {("", "")}
    assert rolled(unused.play("Pass"), 1).player == "South"


def test_turn_passes_on_after_several_sixes() -> None:
    position = game(RAKADO_SQUARE).start()
    for square in "abc":
        position = rolled(position, 6).play(f"{square}1 {square}7")
    position = rolled(position, 1).play("a7 a8")
    assert rolled(position, 1).player == "North"


def test_a_player_who_fails_to_capture_is_huffed() -> None:
    """Source: the booklet: a player who fails to capture loses one man that could have captured; the rival chooses
    it before he rolls."""
    rules = game(RAKADO_SQUARE)
    position = rolled(board(rules, {"South S": "a1 b1 c1", "North N": "a4 b4 p16"}), 3)
    assert journeys(position) == {("a1", "a4"), ("b1", "b4"), ("c1", "c4")}
    taken = position.play("a1 a4")
    assert "North" not in [taken.pieces()["a4"][0]]
    assert taken.player == "?Dice"
    quiet = position.play("c1 c4")
    assert quiet.player == "North"
    assert huffed(quiet).keys() == {"a1", "b1"}
    after = quiet.play(huffed(quiet)["b1"])
    assert after.pieces().keys() == {"a1", "c4", "a4", "b4", "p16", "die"}
    assert rolled(after, 2).player == "North"


def test_no_huff_without_a_possible_capture() -> None:
    position = rolled(board(game(RAKADO_SQUARE), {"South S": "a1 c1", "North N": "a4 p16"}), 2).play("c1 c3")
    assert position.player == "?Dice"


def test_a_six_gives_another_roll_although_a_man_is_huffed() -> None:
    position = rolled(board(game(RAKADO_SQUARE), {"South S": "a1 c1", "North N": "a7 p16"}), 6).play("c1 c7")
    assert huffed(position).keys() == {"a1"}
    assert rolled(position.play(huffed(position)["a1"]), 1).player == "South"


def test_any_man_may_be_huffed_in_the_italian_text() -> None:
    """Source: the Italian text; in the Dutch one, too, the rival takes one man."""
    rules = game(RAKADO_SQUARE, "Rakado, any man is lost")
    position = rolled(board(rules, {"South S": "a1 b1 c1", "South S-home": "d16", "North N": "a4 p16"}), 3)
    assert huffed(position.play("c1 c4")).keys() == {"a1", "b1", "c4"}


def test_next_of_three_players_huffs() -> None:
    """Our reading of "the rival" in the booklet."""
    rules = game(RAKADO_STAR, "Rakado on the Star for Three")
    position = rolled(board(rules, {"South S": "e13 e9", "NorthWest W": "h16", "NorthEast E": "m25"}), 3)
    quiet = position.play("e9 h6")
    assert quiet.player == "NorthWest"
    assert huffed(quiet).keys() == {"e13"}
    assert rolled(quiet.play(huffed(quiet)["e13"]), 1).player == "NorthWest"


def test_captures_may_be_forced() -> None:
    rules = game(RAKADO_SQUARE, "Rakado, forced taking")
    position = rolled(board(rules, {"South S": "a1 b1 c1", "North N": "a4 b4 p16"}), 3)
    assert journeys(position) == {("a1", "a4"), ("b1", "b4")}
    after = position.play("a1 a4")
    assert rolled(after, 1).player == "North"
    six = rolled(board(rules, {"South S": "a1 b1", "North N": "a7 p16"}), 6).play("a1 a7")
    assert rolled(six, 1).player == "South"


def test_men_at_home_are_not_taken() -> None:
    """Source: the booklet: a man at home neither captures nor is captured; inside the goal of the star he may move
    on."""
    rules = game(RAKADO_STAR)
    position = rolled(board(rules, {"South S": "d10", "North N-home": "e11", "North N": "q13"}), 1)
    assert journeys(position) == {("d10", "e9")}
    inside = rolled(board(rules, {"South S-home": "m11", "North N": "o13 q13"}), 2)
    assert journeys(inside) == {("", "")}
    on = rolled(board(rules, {"South S-home": "m13", "North N": "q13"}), 2)
    assert journeys(on) == {("m13", "o11"), ("m13", "o15")}


def test_mover_that_could_have_taken_by_another_path_is_huffed() -> None:
    """Source: the booklet, on the star, where a man has two paths."""
    position = rolled(board(game(RAKADO_STAR), {"South S": "e13 e9", "North N": "h16 q13"}), 3)
    quiet = position.play("e13 h10")
    assert quiet.player == "North"
    assert huffed(quiet).keys() == {"h10"}
    other = position.play("e9 h6")
    assert huffed(other).keys() == {"e13"}


def test_a_man_behind_the_mover_could_not_have_taken() -> None:
    """Before the move, the mover stood in the way of the man on e13, so only d16 could have captured."""
    position = rolled(board(game(RAKADO_STAR), {"South S": "e13 f14 d16", "North N": "h16 g19 q13"}), 3)
    quiet = position.play("f14 i11")
    assert huffed(quiet).keys() == {"d16"}


def test_rakado_is_won_by_the_most_men_home() -> None:
    """Source: the booklet: most men home win. Our reading: the game ends when nobody can move any more."""
    rules = game(RAKADO_STAR)
    position = rolled(board(rules, {
        "South S-home": "q13 p12", "South S": "l2", "North N-home": "a13", "North N": "e1"}), 1)
    assert journeys(position) == {("l2", "m1"), ("l2", "m3")}
    assert str(position.play("l2 m1").outcome()).startswith("South won")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("name", "variant"), [
    *((RAKADO_SQUARE, v) for v in range(3)), *((RAKADO_STAR, v) for v in range(6)),
])
def test_random_games_of_rakado_end_by_score(name: str, variant: int, seed: int) -> None:
    rules = game(name, variant)
    end = random_end(rules, seed, 3000)
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.reason != "repetition"
    homes = {p: sum(owner == p and kind.endswith("-home") for owner, kind in end.pieces().values())
             for p in rules.players if not p.startswith("?")}
    if outcome.winners:
        assert {homes[p] for p in outcome.winners} == {max(homes.values())}
    else:
        assert len(set(homes.values())) == 1


# ----------------------------------------------------------------------------------------------------- random games


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize(("name", "variant"), [
    *((STERN, v) for v in range(13)), *((SUPER, v) for v in range(4)), *((GEFANGEN_1, v) for v in range(3)),
    *((CONNECTION, v) for v in range(6)), *((HIGHSCORE, v) for v in range(2)),
])
def test_nobody_is_captured_in_random_games(name: str, variant: int, seed: int) -> None:
    """All players move, and nobody is captured."""
    rules = game(name, variant)
    choice = random.Random(seed)
    position, players = rules.start(), set()
    men = len(position.pieces())
    for _ in range(60):
        if position.outcome() is not None:
            break
        players.add(position.player)
        position = position.play(choice.choice(position.moves()))
    assert players == set(rules.players)
    assert len(position.pieces()) == men
