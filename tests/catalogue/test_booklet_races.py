"""The booklet's races on the square board, compared with its pages and with counts by other programs.

"The booklet" is that of a German, French, Italian, Dutch and Spanish game box. "Two programs" stands for counts by two
programs that were written independently of zrf_py and of each other.
"""

from __future__ import annotations

import random
from functools import lru_cache

import pytest

from tests.catalogue.legs import board, journeys
from zrf_py.play.game import Game, Position, load
from zrf_py.play.perft import perft
from zrf_py.play.turns import turns

pytestmark = pytest.mark.slow

HALMA, SCHNELL, SUPER, FARBEN = (f"booklet/{name}" for name in ("halma", "schnellhalma", "super-halma", "farbenhalma"))
DOPPEL, TREFF, DUTCH = "booklet/doppel-color", "booklet/treffhalma", "booklet/dutch-halma"
LE_ZUG, DICE = "booklet/le-zug", "booklet/wuerfelhalma"

BELT_SW = "e1 e2 d3 c4 a5 b5"
SMALL_SW = "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 a4 b4"
LARGE_SW = f"{SMALL_SW} {BELT_SW}"
LARGE_NE = ("o12 p12 n13 o13 p13 m14 n14 o14 p14 l15 m15 n15 o15 p15 l16 m16 n16 o16 p16")
"""The yards, from the keys (solutions) of the solitaires in the instruction book of 1889, which name every square."""


@lru_cache(maxsize=8)
def game(name: str, variant: int = 0) -> Game:
    return load(name, variant)


def targets(position: Position, start: str) -> set[str]:
    return {end for begin, end in journeys(position) if begin == start}


# ------------------------------------------------------------------------------------------------ counts from the start

COUNTS = [
    (HALMA, 0, (40, 1600)), (HALMA, 1, (32,)), (HALMA, 2, (40,)), (HALMA, 3, (32,)), (HALMA, 4, (40,)),
    (HALMA, 5, (32,)), (SCHNELL, 0, (44, 1936)), (SCHNELL, 1, (44,)), (FARBEN, 0, (13,)), (FARBEN, 4, (17,)),
    (DUTCH, 0, (9, 81)), (LE_ZUG, 1, (34,)),
    # These games have the same first turns as Halma: no man is far enough away for a long hop, and colours and marks
    # only add kinds of men.
    (SUPER, 0, (40,)), (SUPER, 1, (32,)), (DOPPEL, 0, (40,)), (TREFF, 0, (40,)), (TREFF, 1, (32,)), (TREFF, 2, (40,)),
]


@pytest.mark.parametrize(("name", "variant", "counts"), COUNTS)
def test_numbers_of_turns_match_two_programs(name: str, variant: int, counts: tuple[int, ...]) -> None:
    """Source: two programs; steps to neighbours, and hops to every square that can be reached."""
    rules = game(name, variant)
    for depth, count in enumerate(counts, 1):
        assert perft(rules.engine, rules.start().state, depth, whole_turns=True) == count


def test_first_moves_of_halma_match_two_programs() -> None:
    """Source: two programs; 21 steps and 19 hops, each of one jump."""
    moves = game(HALMA).start().moves()
    assert (sum(not m.is_partial for m in moves), sum(m.is_partial for m in moves)) == (21, 19)


def test_first_moves_of_schnellhalma_match_two_programs() -> None:
    """Source: two programs; 32 steps, and 4 first jumps, which can go on to 12 squares in all."""
    start = game(SCHNELL).start()
    moves = start.moves()
    assert (sum(not m.is_partial for m in moves), sum(m.is_partial for m in moves)) == (32, 4)
    assert len(journeys(start)) - 32 == 12


def test_men_start_in_their_yards() -> None:
    """Source: the keys in the book of 1889 for the yards; the booklet for the belt, "the six squares that turn the
    small yard into the large one"."""
    for name, variant, squares in [(HALMA, 0, LARGE_SW), (HALMA, 1, SMALL_SW), (SCHNELL, 0, BELT_SW)]:
        men = game(name, variant).start().pieces()
        assert {square for square, (player, _) in men.items() if player == "Blue"} == set(squares.split())
    red = {square for square, (player, _) in game(HALMA).start().pieces().items() if player == "Red"}
    assert red == set(LARGE_NE.split())


def test_a_jump_keeps_the_class_of_a_square() -> None:
    """Source: arithmetic; a jump, and so a hop, changes neither the parity of the row nor that of the column."""
    rules = game(HALMA)
    names = [place.name for place in rules.program.game.board.places]
    for turn in turns(rules.engine, rules.start().state):
        if turn.legs[0].partial != -2:
            start, end = names[turn.legs[0].key[0]], names[turn.legs[-2].key[1]]
            assert (ord(start[0]) - ord(end[0])) % 2 == (int(start[1:]) - int(end[1:])) % 2 == 0


# --------------------------------------------------------------------------------------------- the end of the base game

def test_men_unable_to_leave_the_yard_move_towards_the_exit() -> None:
    """Source: booklet, "at least a move in the direction in question": a1 can't get out, so a2, b1 and b2 are legal."""
    position = board(game(HALMA), {"Blue": "a1", "Red": "k8 m9"})
    assert journeys(position) == {("a1", "a2"), ("a1", "b1"), ("a1", "b2")}


def test_only_moves_out_of_a_blocked_yard_are_legal() -> None:
    """Source: booklet, "other moves are not allowed as long as the yard is blocked": e1 can get out, a1 can't."""
    position = board(game(HALMA), {"Blue": "e1 a1", "Red": "k8 m9"})
    assert journeys(position) == {("e1", "f1"), ("e1", "f2")}
    position = board(game(HALMA), {"Blue": "e1 a1 e2", "Red": "k8 m9"})
    assert targets(position, "e1") == {"f1", "f2", "e3"}
    assert targets(position, "a1") == set()


def test_a_hop_may_pass_through_the_yard_to_get_out() -> None:
    """Source: the booklet's rule for chains; only the end of the move counts."""
    position = board(game(HALMA), {"Blue": "a1 b1 d2", "Red": "k8 m9"})
    assert targets(position, "a1") == {"e3"}
    assert not [m for m in position.play("a1 c1").moves() if m.raw.is_pass]


def test_own_yard_may_be_entered_again() -> None:
    """Source: the Dutch text; no other edition forbids it. e1 and e2 belong to the yard; the same holds once the
    rival has left his yard."""
    for red in ("p16", "h8"):
        position = board(game(HALMA), {"Blue": "f1", "Red": red})
        assert targets(position, "f1") == {"e1", "e2", "f2", "g1", "g2"}


def test_hops_within_the_yard_count_if_they_end_nearer_to_the_exit() -> None:
    """Source: booklet; no man gets out, so hops within the yard count, too, if they end nearer to the exit."""
    walls = "f1 f2 f3 g1 g2 g3 g4 f4 e3 e4 d4 d5 e5 c5 c6 d6 b6 b7 c7 a6 a7 e6 f5 g5 f6 h1 h2 h3"
    position = board(game(HALMA), {"Blue": "a1 a2", "Red": walls})
    assert targets(position, "a1") == {"b1", "b2", "a3"}
    assert targets(position, "a2") == {"a3", "b2", "b3"}


def test_player_unable_to_clear_the_yard_loses() -> None:
    """Source: booklet, "if a clearing move is not possible, the game is lost"."""
    walls = "b1 c1 a2 b2 c2 a3 b3 c3"
    position = board(game(HALMA), {"Blue": "a1 h8", "Red": walls})
    assert not position.moves()
    outcome = position.outcome()
    assert outcome is not None and (outcome.winners, outcome.losers) == (("Red",), ("Blue",))


def test_blocked_player_who_need_not_clear_passes() -> None:
    """Source: our reading, since the booklet has no rule. Red is still at home, so blocked Blue has not lost."""
    position = board(game(HALMA), {"Blue": "a1", "Red": "b1 c1 a2 b2 c2 a3 b3 c3 p16"})
    assert [str(m) for m in position.moves()] == ["Pass"]


def test_one_of_four_is_out_and_the_others_play_on() -> None:
    """Source: booklet, "any other player" and "the game is lost"; that the others play on is our reading."""
    rules = game(HALMA, 1)
    men = {"Blue": "d6", "Green": "a16 h9", "Red": "p15 o15 b16 c16 a15 b15 c15 a14 b14 c14", "Yellow": "n2 n3"}
    position = board(rules, men)
    position = position.play("d6 d7")
    assert position.player == "Red"
    assert position.outcome() is None
    assert position.pieces()["a16"] == ("Green", "Man")
    seen = set()
    for _ in range(6):
        seen.add(position.player)
        move = next(m for m in position.moves() if not m.is_partial)
        position = position.play(move)
    assert seen == {"Blue", "Red", "Yellow"}


def test_men_in_the_goal_stay_there() -> None:
    """Source: booklet, "men who have arrived may be moved within the yard, but not out of it again"."""
    position = board(game(HALMA), {"Blue": "o12 p13", "Red": "b2 k16"})
    assert targets(position, "o12") == {"p12", "o13", "n13"}
    position = board(game(HALMA), {"Blue": "n13 n14 m13 m12", "Red": "b2"})
    assert "n15" in targets(position, "n13")
    assert not {"l13", "l11"} & targets(position, "n13")


def test_a_man_may_hop_through_the_goal() -> None:
    """Source: our reading; only a man that stands in the goal when the turn begins must stay there."""
    position = board(game(HALMA), {"Blue": "m13 n13 n14", "Red": "m15 b2"})
    assert "o13" in targets(position, "m13")
    position = board(game(HALMA), {"Blue": "k14 l14 l15", "Red": "b2 m16"})
    assert {"m14", "k16"} <= targets(position, "k14")


def test_all_men_home_win() -> None:
    """Source: booklet, the end of the game."""
    men = LARGE_NE.replace("o12", "n12")
    position = board(game(HALMA), {"Blue": men, "Red": "a8 b9"}).play("n12 o12")
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Blue",)


def test_schnellhalma_is_won_on_the_lines() -> None:
    """Source: booklet: on the lines opposite; the thirteen squares behind them are not part of the goal."""
    lines = "l16 l15 m14 n13 o12 p12"
    for last, won in [("n11 o12", True), ("n14 o13", False)]:
        start, end = last.split()
        men = lines.replace("o12", start)
        outcome = board(game(SCHNELL), {"Blue": men, "Red": "a8 b9"}).play(f"{start} {end}").outcome()
        assert (outcome is not None and outcome.winners == ("Blue",)) == won


def test_a_hop_does_not_end_where_it_began() -> None:
    """Source: our reading; a turn must change the board."""
    position = board(game(HALMA), {"Blue": "h8", "Red": "i8 j9 i10 h9 p16"})
    assert ("h8", "h8") not in journeys(position)
    position = position.play("h8 j8").play("j8 j10").play("j10 h10").play("h10 h8")
    assert not [m for m in position.moves() if m.raw.is_pass]


# ------------------------------------------------------------------------------------------------- Variant 1, Variant 2


def test_a_man_beside_a_full_goal_changes_places_with_an_enemy() -> None:
    """Source: booklet, Variant 1: the man is as near to the goal as he can get, and an enemy is still in it."""
    full = LARGE_NE.split()
    position = board(game(HALMA, 2), {"Blue": "n12 a9", "Red": " ".join(full)})
    swaps = {end for end in targets(position, "n12") if end in full}
    assert swaps == {"o12", "n13", "o13"}
    men = position.play("n12 o12").pieces()
    assert (men["o12"][0], men["n12"][0]) == ("Blue", "Red")


def test_places_are_not_changed_if_the_goal_can_be_entered() -> None:
    """Source: booklet, Variant 1: "if he can't enter"; the free square can be entered by a step or a hop."""
    full = set(LARGE_NE.split())
    position = board(game(HALMA, 2), {"Blue": "n12 a9", "Red": " ".join(full - {"o12"})})
    assert {end for end in targets(position, "n12") if end in full} == {"o12"}
    # n12 - l12 - l14 - n14: three jumps
    position = board(game(HALMA, 2), {"Blue": "n12 a9", "Red": " ".join(full - {"n14"} | {"m12", "l13"})})
    assert targets(position, "n12") & full == {"n14"}


def test_variants_have_no_duty_to_clear_the_yard() -> None:
    """Source: booklet; the variants replace the duty to clear the yard."""
    for variant in (2, 4):
        position = board(game(HALMA, variant), {"Blue": "a1 h8", "Red": "k8"})
        assert len(targets(position, "h8")) == 8


def test_a_filled_goal_wins() -> None:
    """Source: booklet, Variant 2: a player wins if his goal is full at the start of his turn, whoever's men fill it."""
    men = LARGE_NE.split()
    position = board(game(HALMA, 4), {"Blue": "o12 h8", "Red": " ".join(m for m in men if m not in ("o12", "n13"))
                                      + " n12"})
    position = position.play("h8 h9")
    assert position.outcome() is None
    position = position.play("n12 n13")
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Blue",)


def test_a_filled_goal_wins_only_at_the_players_own_turn() -> None:
    """Source: booklet, Variant 2: "if it is his turn". If Blue fills the goal himself, Red may still leave it."""
    men = LARGE_NE.split()
    position = board(game(HALMA, 4), {"Blue": "n12 h8", "Red": " ".join(m for m in men if m != "o12") + " b9"})
    position = position.play("n12 o12")
    assert position.outcome() is None
    stays = position.play("b9 b10").outcome()
    assert stays is not None and stays.winners == ("Blue",)
    assert position.play("n13 m13").outcome() is None


@pytest.mark.parametrize("variant", [4, 5])
def test_start_position_is_not_a_filled_goal(variant: int) -> None:
    """Source: our reading; both goals are full at the start, but hold none of the player's own men."""
    position = game(HALMA, variant).start()
    for _ in range(4):
        assert position.outcome() is None
        position = position.play(next(m for m in position.moves() if not m.is_partial))


# ------------------------------------------------------------------------------------------------------ the other games


def test_farbenhalma_depends_on_the_colours_of_squares() -> None:
    """Source: two programs. If the corner is dark, nine men stand on dark squares and can only step, diagonally."""
    start = game(FARBEN).start()
    steps = {m.text.split()[1] for m in start.moves() if not m.is_partial}
    hops = {m.text.split()[3] for m in start.moves() if m.is_partial}
    dark = {"a1", "c1", "e1", "b2", "d2", "a3", "c3", "b4", "a5"}
    assert steps <= dark and not hops & dark
    assert (sum(not m.is_partial for m in start.moves()), len(journeys(start))) == (5, 13)
    light = game(FARBEN, 4).start()
    assert (sum(not m.is_partial for m in light.moves()), len(journeys(light))) == (6, 17)


def test_farbenhalma_men_move_freely_in_the_goal() -> None:
    """Source: booklet, "within the yard men may be moved as one likes, so that all squares can be filled"."""
    position = board(game(FARBEN), {"Blue": "o14", "Red": "b2"})
    assert targets(position, "o14") == {"n13", "o13", "p13", "n14", "p14", "n15", "o15", "p15"}
    position = board(game(FARBEN), {"Blue": "h8 i8", "Red": "b2"})
    assert targets(position, "h8") == {"g7", "i7", "g9", "i9"}
    assert targets(position, "i8") == {"g8"}


def test_simple_farbenhalma_keeps_the_colour() -> None:
    """Source: booklet, the simpler variant: from light to light, from dark to dark."""
    for start, end in journeys(game(FARBEN, 2).start()):
        assert (ord(start[0]) + int(start[1:]) - ord(end[0]) - int(end[1:])) % 2 == 0


def test_a_super_halma_jump_has_one_man_exactly_in_the_middle() -> None:
    """Source: booklet, "the man jumped over stands exactly in the middle", "no other man is jumped over"."""
    rules = game(SUPER)
    assert "g1" in targets(board(rules, {"Blue": "a1 d1", "Red": "p9 p16"}), "a1")
    for hurdle in ("b1", "c1", "e1", "f1", "g1"):
        position = board(rules, {"Blue": f"a1 d1 {hurdle}", "Red": "p9 p16"})
        assert not [m for m in position.moves() if " a1 - g1" in str(m)]
    far = targets(board(rules, {"Blue": "a16 h9", "Red": "b2 p16"}), "a16")
    assert "o2" in far


def test_jumps_of_a_super_halma_hop_may_differ_in_length() -> None:
    """Source: our reading; a hop may jump over a man three squares away, and then over a neighbour."""
    position = board(game(SUPER), {"Blue": "h1 k1 n2", "Red": "p9 p16"})
    assert {"n1", "n3"} <= targets(position, "h1")


def test_doppel_color_is_won_when_the_colours_have_changed_places() -> None:
    """Source: booklet: red stands in the place of blue, green in that of yellow. With two men in the wrong places the
    game is not won."""
    nine = "p16 n16 l16 o15 m15 p14 n14 o13 p12"
    ten = " ".join(s for s in LARGE_NE.split() if s not in nine.split())
    position = board(game(DOPPEL), {"Blue Blue": nine.replace("p12", "o11"), "Blue Yellow": ten, "Red Red": "a8 b9"})
    assert position.play("o11 p12").outcome() is not None
    swapped = {"Blue Blue": nine.replace("p12", "o12"), "Blue Yellow": ten.replace("o12", "o11"), "Red Red": "a8 b9"}
    assert board(game(DOPPEL), swapped).play("o11 p12").outcome() is None


def test_the_marked_man_of_treffhalma_must_reach_the_corner() -> None:
    """Source: booklet: the marked man must stand on the corner square opposite."""
    rest = [square for square in LARGE_NE.split() if square not in ("p16", "o12")]
    right = {"Blue Marked": "p16", "Blue": " ".join([*rest, "n11"]), "Red": "a8 b9"}
    outcome = board(game(TREFF), right).play("n11 o12").outcome()
    assert outcome is not None and outcome.winners == ("Blue",)
    rest.remove("o16")
    wrong = {"Blue Marked": "o16", "Blue": " ".join([*rest, "n11", "p16"]), "Red": "a8 b9"}
    assert board(game(TREFF), wrong).play("n11 o12").outcome() is None
    alone = {man: squares for man, squares in wrong.items() if man != "Red"}
    outcome = board(game(TREFF, 2), alone).play("n11 o12").outcome()
    assert outcome is not None and outcome.losers == ("Blue",), "nothing moves any more"


def test_a_dutch_halma_man_jumps_over_an_enemy_and_goes_ahead() -> None:
    """Source: booklet: a man jumps diagonally over an enemy and then goes straight ahead; the enemy is not captured."""
    position = board(game(DUTCH), {"South": "e4", "North": "d5 b9"})
    assert targets(position, "e4") == {"e5", "d6"}
    assert "d5" in position.play("e4 d6").pieces()
    assert targets(board(game(DUTCH), {"South": "e4 e5", "North": "d5"}), "e4") == {"d6"}
    assert targets(board(game(DUTCH), {"South": "e4", "North": "d5 d6"}), "e4") == {"e5"}
    assert targets(board(game(DUTCH), {"South": "e4", "North": "d5 e7"}), "e4") == {"e5", "d6", "e8"}


def test_in_the_dutch_edition_men_jump_over_own_men() -> None:
    """Source: booklet: four editions say "enemy man", the Dutch one "own man"."""
    men = {"South": "e4 d5", "North": "f5"}
    assert targets(board(game(DUTCH), men), "e4") == {"e5", "f6"}
    assert targets(board(game(DUTCH, 1), men), "e4") == {"e5", "d6"}


def test_the_station_of_le_zug_is_entered_only_if_it_is_empty() -> None:
    """Source: booklet: the first four rows are a station, which the rival enters only when it is empty."""
    rules = game(LE_ZUG, 1)
    assert targets(board(rules, {"South": "h12 g13", "North": "o16"}), "g13") == set()
    assert targets(board(rules, {"South": "h12 g13", "North": "o12"}), "g13") == {"f14", "h14"}
    # A landing in the station between two jumps counts as entering it, too.
    jumper = {"South": "h12 g13 e15", "North": "o16"}
    assert targets(board(rules, jumper), "h12") == {"i13"}
    assert targets(board(rules, jumper | {"North": "o12"}), "h12") == {"i13", "f14", "d16", "c17", "e17", "g15"}


def test_a_le_zug_man_may_step_once_after_jumps() -> None:
    """Source: booklet: a man that has jumped may make one diagonal step; after a step the turn is over."""
    position = board(game(LE_ZUG, 1), {"South": "h4 g5", "North": "o16"})
    assert targets(position, "h4") == {"i5", "f6", "e7", "g7"}
    assert targets(position, "g5") == {"f6", "h6"}


def test_le_zug_begins_with_three_men_each() -> None:
    """Source: a program of the game; South and then North place three men on their second ranks, before anybody
    moves."""
    position = game(LE_ZUG).start()
    for player, squares in [("South", "f2 h2 j2"), ("North", "l16 j16 h16")]:
        for square in squares.split():
            assert position.player == player
            position = position.play(f"{player} Man {square}")
    assert position.player == "South"
    assert len(journeys(position)) == 34  # source: two programs
    assert position.pieces() == game(LE_ZUG, 1).start().pieces()


def test_the_widest_front_of_le_zug_has_32_first_moves() -> None:
    """Source: two programs."""
    position = board(game(LE_ZUG, 1), {"South": "a1 c1 e1 g1 i1 k1 m1 o1 q1 b2 h2 p2", "North": "a17 c17 p16"})
    assert len(journeys(position)) == 32


def test_le_zug_is_won_by_a_full_row_with_three_men_before_it() -> None:
    """Source: booklet: a player wins by filling the rival's row, with three men in front of it."""
    row = "a17 c17 e17 g17 i17 k17 m17 o17 q17"
    position = board(game(LE_ZUG, 1), {"South": f"{row} b16 d16 i14", "North": "a3"})
    assert position.play("i14 j15").outcome() is None
    position = board(game(LE_ZUG, 1), {"South": f"{row} b16 d16 i15", "North": "b4"})
    outcome = position.play("i15 j16").outcome()
    assert outcome is not None and outcome.winners == ("South",)


# --------------------------------------------------------------------------------------------------------------- dice


def rolled(position: Position, first: int, second: int) -> Position:
    faces = ("One", "Two", "Three", "Four", "Five", "Six")
    for number in (first, second):
        assert position.player == "?Dice"
        position = position.play(next(m for m in position.moves() if f"= {faces[number - 1]} " in f"{m} "))
    return position


def hop_lengths(position: Position) -> set[int]:
    """Return the numbers of jumps of the hops that can be completed."""
    found = set()
    ways = [(position, 0)]
    while ways:
        here, jumps = ways.pop()
        for move in here.moves():
            if move.is_partial:
                ways.append((here.play(move), jumps + 1))
            elif here.in_turn or "jumps" in effect_words(here, move.raw):
                found.add(jumps + 1)
    return found


def effect_words(position: Position, leg: object) -> set[str]:
    names = [counter.name for counter in position.game.program.game.counters]
    return {names[e[1]] for e in leg.effects if e[0] in ("set-counter", "add-to-counter")}  # type: ignore[attr-defined]


def test_a_hop_has_exactly_as_many_jumps_as_a_die_shows() -> None:
    """Source: booklet: "exactly how many jumps one man makes"; a die whose jumps no man can make lapses."""
    men = {"Blue": "h8 h9 a12", "Red": "p1"}
    assert hop_lengths(rolled(board(game(DICE), men), 3, 5)) == {3, 5}
    assert hop_lengths(rolled(board(game(DICE), men), 2, 2)) == set(), "there and back is not a move"
    assert hop_lengths(rolled(board(game(DICE), men | {"Red": "p1 i10"}), 2, 2)) == {2}


def test_each_die_moves_a_different_man() -> None:
    """Source: booklet: "every time a different man"."""
    position = rolled(game(DICE).start(), 2, 1)
    position = position.play("e1 f1").play("e2 f2")
    assert position.player == "Blue"
    moved = {m.text.split("Man ")[1].split()[0] for m in position.moves() if not m.raw.is_pass}
    assert moved and not moved & {"f1", "f2"}
    assert hop_lengths(position) == {1}, "two steps for the 2: one jump is left"
    assert all("steps" not in effect_words(position, m.raw) for m in position.moves())


def test_the_booklets_example_of_a_roll_is_legal() -> None:
    """Source: booklet: a roll of 3 and 5 allows three steps and five jumps, or five steps and three jumps."""
    position = rolled(board(game(DICE), {"Blue": "a8 c8 e8 g8 i8 k12 k13", "Red": "p1"}), 3, 5)
    for step in ("a8 a9", "c8 c9", "e8 e9"):
        position = position.play(step)
    assert hop_lengths(position) == {3, 5}
    position = position.play("g8 g9")
    assert hop_lengths(position) == {3}
    position = position.play("i8 i9")
    assert hop_lengths(position) == {3}
    assert all("steps" not in effect_words(position, m.raw) for m in position.moves())


def test_a_turn_of_dice_may_end_early_but_not_at_once() -> None:
    """Source: our reading of "may/must"."""
    position = rolled(game(DICE).start(), 4, 4)
    assert not [m for m in position.moves() if m.raw.is_pass]
    position = position.play("e1 f1")
    assert position.play("Pass").player == "?Dice"
    assert rolled(position.play("Pass"), 1, 1).player == "Red"


# ------------------------------------------------------------------------------------------------------- whole games

ALL = [(HALMA, 6), (SCHNELL, 6), (SUPER, 4), (FARBEN, 8), (DOPPEL, 2), (TREFF, 3), (DUTCH, 2), (LE_ZUG, 2), (DICE, 4)]
SHORT = {DUTCH: 120, LE_ZUG: 150, FARBEN: 60}


@pytest.mark.parametrize(("name", "variant"), [(name, v) for name, count in ALL for v in range(count)])
def test_random_game(name: str, variant: int) -> None:
    """No men are added or captured (except in Le Zug), and every position before the end has moves."""
    rules = game(name, variant)
    position, chance = rules.start(), random.Random(f"{name}{variant}")
    movers = set()
    for _ in range(SHORT.get(name, 30)):
        if position.outcome():
            break
        moves = position.moves()
        assert moves
        movers.add(position.player)
        position = position.play(chance.choice(moves))
    assert movers == set(rules.players)
    if name != LE_ZUG:
        now, before = (sorted(p.pieces().values()) for p in (position, rules.start()))
        assert sum(p in rules.players for p, _ in now) == len(before)
