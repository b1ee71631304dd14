"""Platonic Halma: what the page of 2006 says, positions in diagrams, and counts of positions.

Source, unless another is named: the page on Platonic Halma by M. Winther, 2006. `rules/platonic/README.md` lists the
tests of each of its sentences. "By two programs" stands for an independent generator and the page author's own program
with two slips mended (steps into the margin, circles that cause outjumps).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import pytest

from tests.catalogue.legs import squares_of
from tests.playing import RULES, fault_in_random_game, random_game
from zrf_py.play.game import Game, Position, load
from zrf_py.play.perft import perft
from zrf_py.play.turns import turns

pytestmark = pytest.mark.slow

KINDS = {"T": "Triangle", "C": "Circle", "Q": "Square", "D": "Diamond"}
SEATS = {"S": "South", "W": "West", "N": "North", "E": "East"}
FIRST = {
    "S": tuple(f"{file}1" for file in "bcdefghi"), "W": tuple(f"a{rank}" for rank in range(9, 1, -1)),
    "N": tuple(f"{file}10" for file in "bcdefghi"), "E": tuple(f"j{rank}" for rank in range(9, 1, -1)),
}
SECOND = {
    "S": tuple(f"{file}2" for file in "bcdefghi"), "W": tuple(f"b{rank}" for rank in range(9, 1, -1)),
    "N": tuple(f"{file}9" for file in "bcdefghi"), "E": tuple(f"i{rank}" for rank in range(9, 1, -1)),
}
"""Squares of the first two ranks in the order in which circles come back to them, as in the page author's program."""
OPPOSITE = {"S": "N", "N": "S", "W": "E", "E": "W"}
PLAYERS = {2: "S N", 3: "S W N", 4: "S W N E"}
"""Players in the order of their turns; which three play is taken from the page author's program."""
AHEAD = {"S": (0, 1), "W": (1, 0), "N": (0, -1), "E": (-1, 0)}
ALL_GAMES = [(rules, players) for rules in ("simple", "advanced") for players in PLAYERS]


@lru_cache(maxsize=8)
def game(rules: str, players: int = 2) -> Game:
    return load(f"platonic/platonic-{rules}", players - 2)


def position(rules: str, men: str, players: int = 2, to_move: str = "S") -> Position:
    """Return a position with empty stores and these men, each given as owner, kind, square, and `home` if he is to
    count as not having left the first rank."""
    here = game(rules, players).start()
    order = PLAYERS[players].split()
    nobody = tuple((0,) * len(store) for store in here.state.stores)
    here = here.at(replace(here.state, turn=order.index(to_move), stores=nobody))
    attributes = list(here.state.attributes)
    names = [place.name for place in here.game.program.game.board.places]
    for man in filter(None, men.split(", ")):
        seat, kind, square, *home = man.split()
        piece = f"{SEATS[seat]}-Circle" if kind == "C" and rules == "advanced" else KINDS[kind]
        here = here.edited(f"({SEATS[seat]} {piece} {square})")
        attributes[names.index(square)] = int(not home and square not in FIRST[seat])
    return here.at(replace(here.state, attributes=tuple(attributes)))


def ends(here: Position) -> dict[str, Position]:
    """Return the position after each complete turn, by the turn's first and last squares (`e3e5`)."""
    names = [place.name for place in here.game.program.game.board.places]
    found = {}
    for turn in turns(here.game.engine, here.state):
        legs = [leg for leg in turn.legs if not leg.is_pass]
        found[names[legs[0].start] + names[legs[-1].end]] = here.at(turn.end)
    return found


def men_of(here: Position, seat: str) -> dict[str, str]:
    return {square: piece for square, (player, piece) in here.pieces().items() if player == SEATS[seat]}


# ----------------------------------------------------------------------------------------- positions in diagrams

POSITIONS = [
    # number, rules, men, all turns of South
    ("P1", "simple", "S D c5, N Q b6, N Q b8", "c5b4 c5c9 c5d4 c5d6"),  # via the margin, where a man may not stop
    ("P2", "simple", "S D c5, N Q b6", "c5b4 c5d4 c5d6"),  # no way out of the margin: no turn
    ("P3", "simple", "S T e3, N Q d4, N Q b6", "e3c5 e3e2 e3f4"),  # the triangle may stop before the margin
    ("P5", "simple", "S Q c8, N T c9, S D d10", "c8b8 c8c10 c8c7 c8d8 c8e10"),  # men in the goal stay, but are jumped
    ("P6", "simple", "S D e8, N T f9, S Q h9",  # through the goal and out again
     "e8d7 e8d9 e8f7 e8g10 e8i8 h9g9 h9h10 h9h8 h9i9"),
    ("P7a", "simple", "S Q c1, N Q c2, S T c4, S D f4", "c1c3 c1c5"),  # only the jump out is forced, not the chain
    ("P7b", "simple", "S Q c1, N C c2, S D f4",  # a circle forces no jump
     "c1b1 c1c3 c1d1 f4e3 f4e5 f4g3 f4g5"),
    ("P7b", "advanced", "S Q c1, N C c2, S D f4", "c1b1 c1c3 c1d1 f4e3 f4e5 f4g3 f4g5"),
    ("P7c", "simple", "S T c1, N Q b2, S D e1, N Q e2", "c1d2 e1d2 e1f2"),  # a jump that way would end in the margin
    ("P7f", "advanced", "S Q c1, N T c3", "c1b1 c1c2 c1c5 c1d1"),  # only a neighbour forces a jump
    ("P8a", "advanced", "S C e4, N C e5, N Q b10, N T c10", "e4d3 e4d4 e4d5 e4e3 e4e6 e4f3 e4f4 e4f5"),
    ("P8b", "advanced", "S C e4, N C e5, N Q b10, N Q c10, N T d10, N T e10, N D f10, N D g10, N C h10, S T i10",
     "e4d3 e4d4 e4d5 e4e3 e4e6 e4f3 e4f4 e4f5"),
    ("P9a", "advanced", "S C c5, N C b5, S T b6", "b6c7 c5b4 c5c4 c5c6 c5d4 c5d5 c5d6"),  # no send-back via the margin
    ("P11a", "advanced", "S Q c3, N T c5", "c3b3 c3c2 c3c4 c3c7 c3d3"),  # long jump
    ("P11b", "advanced", "S Q c3, N T c5, N T c6", "c3b3 c3c2 c3c4 c3d3"),  # a second man is in the way
    ("P11d", "simple", "S Q c3, N T c5", "c3b3 c3c2 c3c4 c3d3"),  # short jumps only
    ("P12", "simple", "S Q b5, S D b3, S T b8, S C i5",  # no step onto file a or j
     "b3c2 b3c4 b5b4 b5b6 b5c5 b8b7 b8c9 i5h4 i5h5 i5h6 i5i4 i5i6"),
    ("P13a", "simple", "S Q c1, S C e1, S T f1",  # along the first rank, for men that have not left it
     "c1b1 c1c2 c1d1 e1d1 e1d2 e1e2 e1f2 e1g1 f1e2 f1g2"),
    ("P13b", "simple", "S Q c2, S C g2, S T i2", "c2b2 c2c3 c2d2 g2f2 g2f3 g2g3 g2h2 g2h3 i2h3"),  # not again
    ("P14", "advanced", "S C c2 home", "c2b1 c2b2 c2b3 c2c1 c2c3 c2d1 c2d2 c2d3"),  # a man sent back may enter rank 1
    ("P17", "simple", "S Q b10, S Q c10, S T d10, S D e10, S D f10, S C g10, S C h10, S T h9", "h9h8 h9i10"),
]
"""The turns were written down by hand, and then confirmed by two programs."""


@pytest.mark.parametrize(("number", "rules", "men", "expected"), POSITIONS, ids=[f"{p[0]}-{p[1]}" for p in POSITIONS])
def test_positions_match_the_drawings(number: str, rules: str, men: str, expected: str) -> None:
    assert sorted(ends(position(rules, men))) == expected.split()


SENTENCES = 45
"""Number of sentences on the page, the title left out."""

COUNTS = {
    ("simple", 2): (16, 256, 4800), ("advanced", 2): (16, 256, 4800),
    ("simple", 3): (16, 226, 3196), ("advanced", 3): (16, 232, 3394),
    ("simple", 4): (16, 226, 3196), ("advanced", 4): (16, 232, 3394),
}
"""Positions after one, two and three turns, by two programs, if all players have Q T D C C D T Q on the first rank."""
DEEP = {("simple", 2), ("advanced", 3)}
"""Keys of the only two counts whose third turn is tested, since it takes long; the other four agree, too."""


@pytest.mark.parametrize(("rules", "players"), COUNTS)
def test_numbers_of_turns_match_the_table(rules: str, players: int) -> None:
    men = [f"{seat} {kind} {square}" for seat in PLAYERS[players].split()
           for kind, square in zip("QTDCCDTQ", FIRST[seat], strict=True)]
    here = position(rules, ", ".join(men), players)
    depth = 3 if (rules, players) in DEEP else 2
    found = [perft(here.game.engine, here.state, d + 1, whole_turns=True) for d in range(depth)]
    assert found == list(COUNTS[rules, players][:depth])


# ------------------------------------------------------------------------------------- players, drops, the kinds


@pytest.mark.parametrize(("rules", "players"), ALL_GAMES)
def test_number_order_and_men_of_the_players(rules: str, players: int) -> None:
    """Two to four players, their order, and two men of each kind, as in the page author's program."""
    here = game(rules, players)
    seats = [SEATS[seat] for seat in PLAYERS[players].split()]
    assert list(here.players) == seats
    line = list(random_game(here, 8, 1))
    assert [p.player for p in line] == [seats[i % players] for i in range(9)]
    assert [sorted(store) for store in here.start().state.stores] == [[0] * (len(store) - 4) + [2] * 4
                                                                      for store in here.start().state.stores]


@pytest.mark.parametrize(("rules", "players"), ALL_GAMES)
def test_men_are_placed_before_the_first_move(rules: str, players: int) -> None:
    """Players take turns to place eight men each on squares of their first rank; then the first player moves."""
    line = list(random_game(game(rules, players), 8 * players, 2))
    for before, after in pairwise(line):
        seat = before.player[0]
        assert set(after.pieces()) - set(before.pieces()) <= set(FIRST[seat]) - set(before.pieces())
        assert not set(before.pieces()) - set(after.pieces())
    assert len(line[-1].pieces()) == 8 * players
    assert all(m.raw.start >= 0 and m.raw.movements[0][1] >= 0 for m in line[-1].moves())


def test_numbers_of_drops_match_two_programs() -> None:
    """By two programs: any kind may be placed on any free square of the first rank."""
    here = game("advanced").start()
    assert [perft(here.game.engine, here.state, depth) for depth in (1, 2)] == [32, 1024]
    after = here.play(here.moves()[0])
    after = after.play(after.moves()[0])
    assert len(after.moves()) * 1024 == 28672


STEPS = {"Q": "n e s w", "C": "n ne e se s sw w nw", "T": "ne nw s", "D": "ne nw se sw"}
JUMPS = {"Q": "n e w", "C": "n ne nw e w", "T": "ne nw", "D": "ne nw se sw"}
WAYS = {"n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1), "w": (-1, 0),
        "nw": (-1, 1)}


def square_from(start: str, seat: str, way: str, distance: int) -> str:
    """Return the square at this distance in a direction, as the player sees it."""
    (right, up), (fx, fy) = WAYS[way], AHEAD[seat]
    dx, dy = right * fy + up * fx, -right * fx + up * fy
    return f"{chr(ord(start[0]) + distance * dx)}{int(start[1:]) + distance * dy}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seat", SEATS)
def test_each_kind_of_man_has_its_steps_and_jumps(kind: str, seat: str) -> None:
    """A man alone on the board has the steps of his kind, a surrounded one its jumps; forward depends on the player."""
    alone = position("simple", f"{seat} {kind} e5", 4, seat)
    assert set(ends(alone)) == {"e5" + square_from("e5", seat, way, 1) for way in STEPS[kind].split()}
    ring = ", ".join(f"{OPPOSITE[seat]} Q {square_from('e5', seat, way, 1)}" for way in WAYS)
    crowded = position("simple", f"{seat} {kind} e5, {ring}", 4, seat)
    assert set(ends(crowded)) == {"e5" + square_from("e5", seat, way, 2) for way in JUMPS[kind].split()}


@pytest.mark.parametrize("owner", ["S", "N"])
def test_jumps_need_a_man_and_a_free_square(owner: str) -> None:
    """A man jumps over any man, also one of his own side, but not onto another man."""
    assert "e3e5" in ends(position("simple", f"S Q e3, {owner} T e4"))
    assert "e3e5" not in ends(position("simple", f"S Q e3, {owner} T e4, {owner} T e5"))


@pytest.mark.parametrize("length", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_long_jumps_go_over_one_man_in_the_middle(kind: str, length: int) -> None:
    """A long jump goes over one man in the middle; the squares before and behind him are empty."""
    way = JUMPS[kind].split()[0]
    start = "e1" if way == "n" else "b1"
    middle, end = (square_from(start, "S", way, n * length) for n in (1, 2))
    assert (start + end in ends(position("advanced", f"S {kind} {start}, S Q {middle}"))) is (end[0] != "j")
    if length > 1:
        behind = square_from(start, "S", way, length + 1)
        assert start + end not in ends(position("advanced", f"S {kind} {start}, S Q {middle}, S Q {behind}"))
        assert start + end not in ends(position("simple", f"S {kind} {start}, S Q {middle}"))


# --------------------------------------------------------------------------------------- chains and the way back


def test_a_man_forced_out_may_not_jump_back() -> None:
    """Forced out of d1, the diamond may not jump back and go another way instead."""
    assert set(ends(position("simple", "S D d1, N Q e2, S T c2"))) == {"d1f3"}


def test_a_turn_changes_the_position() -> None:
    """Jumping round four men and back to the start is not a turn; half of that way is one."""
    found = ends(position("simple", "S D e3, N Q f4, N Q f6, N Q d6, N Q d4"))
    assert "e3e3" not in found
    assert {"e3g5", "e3e7", "e3c5"} <= set(found)


def test_legs_are_offered_only_with_a_way_out() -> None:
    """P2: a leg into the margin is offered only with a way out; P1: a man in the margin has to jump on."""
    stuck = position("simple", "S D c5, N Q b6")
    assert "a7" not in {squares_of(stuck.game, move)[1] for move in stuck.moves()}
    via = position("simple", "S D c5, N Q b6, N Q b8").play("c5 a7")
    assert via.in_turn
    assert [squares_of(via.game, move) for move in via.moves()] == [("a7", "c9")]


# ---------------------------------------------------------------------------------------------------- sending back


@pytest.mark.parametrize(("name", "end"), [("P8a", "d10"), ("P8b", "b9")])
def test_sent_back_to_the_first_free_square(name: str, end: str) -> None:
    men = next(p[2] for p in POSITIONS if p[0] == name)
    before = position("advanced", men)
    after = ends(before)["e4e6"]
    assert after.pieces()[end] == ("North", "North-Circle")
    assert "e5" not in after.pieces()
    assert len(after.pieces()) == len(before.pieces())


@pytest.mark.parametrize("seat", ["W", "N", "E"])
def test_each_player_has_a_way_back(seat: str) -> None:
    """The circle that is jumped over goes to the first free square of its owner's first two ranks; if none is free, it
    stays."""
    squares = FIRST[seat] + SECOND[seat]
    for taken in (0, 1, 7, 8, 9, 15, 16):
        men = "".join(f", {seat} Q {square}" for square in squares[:taken])
        after = ends(position("advanced", f"S C e4, {seat} C e5{men}", 4))["e4e6"]
        circles = [square for square, piece in men_of(after, seat).items() if piece.endswith("Circle")]
        assert circles == [squares[taken] if taken < len(squares) else "e5"]


def test_the_landing_square_is_not_free() -> None:
    rank = ", ".join(f"N Q {square}" for square in [*FIRST["N"], "b9", "c9", "d9"])
    after = ends(position("advanced", f"S C e7, N C e8, {rank}"))["e7e9"]
    assert after.pieces()["f9"] == ("North", "North-Circle")


def test_sent_back_circles_have_not_left() -> None:
    """From the second rank such a circle may step home, as in the page author's program."""
    after = ends(position("advanced", next(p[2] for p in POSITIONS if p[0] == "P8b")))["e4e6"]
    cleared = after.edited("(x c10)")
    assert "b9c10" in ends(cleared)


@pytest.mark.parametrize(("men", "turn", "circle"), [
    ("S C c8, S T c9, N C d10", "c8e10", "d10"), ("S C c1, N C d1", "c1e1", "d1"),
])
def test_no_circle_is_sent_back_from_the_first_or_last_rank(men: str, turn: str, circle: str) -> None:
    assert ends(position("advanced", men))[turn].pieces()[circle] == ("North", "North-Circle")


@pytest.mark.parametrize("men", ["S C e4, S C e5", "S T e4, N C f5", "S C e4, N T e5"])
def test_only_a_circle_sends_only_an_enemy_circle(men: str) -> None:
    before = position("advanced", men)
    jumped = men[-2:]
    after = ends(before)["e4" + ("g6" if jumped == "f5" else "e6")]
    assert after.pieces()[jumped] == before.pieces()[jumped]


def test_a_jump_into_the_goal_may_send_a_circle_back() -> None:
    """A jump that sends a circle back may not end in the margin, but may end on destination squares."""
    after = ends(position("advanced", "S C e8, N C e9"))["e8e10"]
    assert after.pieces()["b10"] == ("North", "North-Circle")


def test_simple_rules_send_no_circle_back() -> None:
    assert ends(position("simple", "S C e4, N C e5"))["e4e6"].pieces()["e5"] == ("North", "Circle")


# ------------------------------------------------------------------------------------------------------- the end


def test_the_eighth_man_in_the_goal_wins() -> None:
    """P17: the eighth man in the goal wins, whatever the kinds of men."""
    found = ends(position("simple", POSITIONS[-1][2] + ", N Q e5"))
    assert str(found["h9i10"].outcome()).startswith("South won")
    assert found["h9h8"].outcome() is None


def test_game_without_a_legal_move_is_drawn() -> None:
    """As in the page author's program: there is no passing."""
    outcome = position("simple", "S Q c10, N Q e5").outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.losers) == ((), ())


def test_third_repetition_loses() -> None:
    """As in the page author's program: the player who repeats the position loses."""
    here = position("simple", "S C e4, N C e8")
    for move in ("e5", "e7", "e4", "e8") * 2:
        assert here.outcome() is None
        here = here.play(move)
    outcome = here.outcome()
    assert outcome is not None
    assert (outcome.losers, outcome.reason) == (("North",), "repetition")


@pytest.mark.parametrize(("rules", "players"), ALL_GAMES)
def test_random_games(rules: str, players: int) -> None:
    """Nobody is captured, no man rests in the margin, men in the goal stay there, and only diamonds go back by
    jumping."""
    here = game(rules, players)
    assert fault_in_random_game(here, 80, 7, 2) == ""
    arrived: dict[str, tuple[str, str]] = {}
    count: Counter[str] = Counter()
    for after in random_game(here, 80, 3):
        if after.move and after.move.is_partial and after.previous:
            start, end = squares_of(here, after.move)
            fx, fy = AHEAD[after.previous.player[0]]
            forward = fx * (ord(end[0]) - ord(start[0])) + fy * (int(end[1:]) - int(start[1:]))
            assert forward >= 0 or after.previous.pieces()[start][1] == "Diamond"
        if after.in_turn:
            continue
        men = after.pieces()
        before, count = count, Counter(player for player, _ in men.values())
        assert before <= count
        rim = {square: man for square, man in men.items() if square[0] in "aj" or square[1:] in ("1", "10")}
        assert all(square in FIRST[man[0][0]] + FIRST[OPPOSITE[man[0][0]]] for square, man in rim.items())
        assert arrived.items() <= men.items()
        arrived = {square: man for square, man in rim.items() if square in FIRST[OPPOSITE[man[0][0]]]}


# ------------------------------------------------------------------------------------------------------- the page


def test_texts_of_the_page_are_in_the_rules() -> None:
    """The page's words about the inventor, the name and good play are in the texts of the rules."""
    for name in ("simple", "advanced"):
        text = " ".join((RULES / f"platonic/platonic-{name}.zrf").read_text().split())
        for said in ("M. Winther, 2006", "M. Kuby", "Plato", "can be jumped by your own", "Obstruct", "diamonds"):
            assert said in text


def test_every_sentence_has_its_test() -> None:
    """The sentences in the table are numbered, and each names tests or positions of this file."""
    rows = re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$", (RULES / "platonic/README.md").read_text(), re.M)
    assert [int(number) for number, _ in rows] == list(range(1, SENTENCES + 1))
    drawn = {position[0] for position in POSITIONS}
    for number, tests in rows:
        named = re.findall(r"`(test_\w+)`|\b(P\d+[a-f]?)\b", tests)
        assert named, f"sentence {number}"
        for test, number_drawn in named:
            assert number_drawn in drawn if number_drawn else test in globals()
