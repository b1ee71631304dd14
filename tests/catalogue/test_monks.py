"""Halma of 1885, its practice games and its first solitaire, compared with the book and with counts of turns.

Source, unless another is named: instruction book "Halma", copyright G. H. Monks 1885 and The Halma Co. 1889.
"By two programs" stands for counts by two programs that are independent of zrf_py and of each other.
"""

from __future__ import annotations

import pytest

from tests.catalogue.legs import turn_by, with_men
from tests.playing import fault_in_random_game
from zrf_py.play.game import Position, load
from zrf_py.play.perft import perft
from zrf_py.play.turns import turns

pytestmark = pytest.mark.slow

YARD_19 = {
    "White": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 a3 b3 c3 d3 a4 b4 c4 a5 b5",
    "Black": "o12 p12 n13 o13 p13 m14 n14 o14 p14 l15 m15 n15 o15 p15 l16 m16 n16 o16 p16",
}
YARD_13 = {
    "White": "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 a4 b4",
    "Red": "a13 b13 a14 b14 c14 a15 b15 c15 d15 a16 b16 c16 d16",
    "Black": "o13 p13 n14 o14 p14 m15 n15 o15 p15 m16 n16 o16 p16",
    "Green": "m1 n1 o1 p1 m2 n2 o2 p2 n3 o3 p3 o4 p4",
}
OPPOSITE = {"White": "Black", "Black": "White", "Red": "Green", "Green": "Red"}

TITLES = {
    "Halma of 1885": 40, "Right Hand against Left Hand": 40, "Halma of 1885 for Four": 32,
    "Partners, Opposites": 32, "Partners, Neighbours": 32,
}
"""Numbers of first turns by two programs: 40 are 21 steps and 19 hops, 32 are 17 steps and 15 hops."""

NEIGHBOURS = "c3 c4 c5 d3 d5 e3 e4 e5"
RING = "b2 d2 f2 b4 f4 b6 d6 f6"


def reached(position: Position, start: str) -> set[str]:
    """Return the squares on which the man on `start` can end his turn."""
    names = [place.name for place in position.game.program.game.board.places]
    ends = set()
    for turn in turns(position.game.engine, position.state):
        moved = {names[s] for s, owner in enumerate(turn.end.owner) if owner != position.state.owner[s]}
        if start in moved:
            ends |= moved - {start}
    return ends


@pytest.mark.parametrize(("title", "count"), TITLES.items())
def test_each_title_has_its_number_of_first_moves(title: str, count: int) -> None:
    position = load("monks-halma", title).start()
    assert len(turns(position.game.engine, position.state)) == count
    assert perft(position.game.engine, position.state, 2, whole_turns=True) == count * count


def test_men_stand_in_the_yards() -> None:
    """The yards are those in the keys (solutions) of the solitaires: 13 squares, or 19 with six more."""
    for title, yards in (("Halma of 1885", YARD_19), ("Halma of 1885 for Four", YARD_13)):
        men = {square: player for player, squares in yards.items() for square in squares.split()}
        assert {s: owner for s, (owner, _) in load("monks-halma", title).start().pieces().items()} == men


def test_figure_1_steps() -> None:
    """A man at A may step to each of the eight squares around him."""
    assert reached(with_men(load("monks-halma"), {"d4": "White"}), "d4") == set(NEIGHBOURS.split())


@pytest.mark.parametrize("neighbour", ["White", "Black"])
def test_figure_1_jumps(neighbour: str) -> None:
    """If all eight are occupied, by men of either colour, he can jump to the eight squares beyond."""
    men = {"d4": "White"} | dict.fromkeys(NEIGHBOURS.split(), neighbour)
    assert reached(with_men(load("monks-halma"), men), "d4") == set(RING.split())


def test_a_hop_keeps_the_colour() -> None:
    """The book's test for mistakes: no hop can take a man to a square of another colour."""
    position = load("monks-halma").start()
    for square in YARD_19["White"].split():
        for end in reached(position, square):
            far = max(abs(ord(end[0]) - ord(square[0])), abs(int(end[1:]) - int(square[1:])))
            if far > 1:
                assert (ord(end[0]) - ord(square[0])) % 2 == 0 and (int(end[1:]) - int(square[1:])) % 2 == 0


def test_nineteen_men_cannot_cross_by_hops_alone() -> None:
    """A hop keeps file and rank odd or even, so 19 men can't cross by hops alone: of the four classes of
    squares, the yard has 3, 5, 5 and 6, the goal 6, 5, 5 and 3. Counted by another program."""
    def classes(squares: str) -> list[int]:
        found = [(int(s[1:]) % 2, (ord(s[0]) - ord("a") + 1) % 2) for s in squares.split()]
        return [found.count(c) for c in ((0, 0), (0, 1), (1, 0), (1, 1))]

    assert classes(YARD_19["White"]) == [3, 5, 5, 6] and classes(YARD_19["Black"]) == [6, 5, 5, 3]
    assert [classes(YARD_13[p]) for p in ("White", "Black", "Red", "Green")] == [
        [3, 3, 3, 4], [4, 3, 3, 3], [3, 4, 3, 3], [3, 3, 4, 3]]


def test_hop_does_not_end_on_its_first_square() -> None:
    """Our reading: a full circle is not a move, but it may be part of one."""
    position = with_men(load("monks-halma"), {"d4": "White", "e5": "Black", "e6": "Black", "d5": "Black"})
    assert reached(position, "d4") == {"c3", "c4", "c5", "d3", "e3", "e4", "f6", "d6", "f4"}
    for leg in ("f6", "d6", "d4"):
        position = position.play(leg)
        assert ("Pass" in [str(m) for m in position.moves()]) == (leg != "d4")
    assert position.play("d4 f6").play("Pass").pieces()["f6"] == ("White", "Man")


def test_yard_boundaries_have_no_effect() -> None:
    """A man may leave the yard opposite and come back to his own."""
    position = with_men(load("monks-halma"), {"m14": "White", "f2": "White", "a16": "Black"})
    assert "l13" in reached(position, "m14") and "e2" in reached(position, "f2")


@pytest.mark.parametrize(("title", "yards"), [("Halma of 1885", YARD_19), ("Halma of 1885 for Four", YARD_13)])
def test_all_men_in_the_yard_opposite_win(title: str, yards: dict[str, str]) -> None:
    """White's last man steps in; the other players' men don't matter."""
    home = yards["Black"].split()
    men = dict.fromkeys(home, "White")
    del men["o13" if title.endswith("Four") else "n13"]
    last = "n13" if title.endswith("Four") else "m13"
    position = with_men(load("monks-halma", title), men | {last: "White", "h8": "Black"})
    assert position.outcome() is None
    position = position.play(f"{last} {'o13' if title.endswith('Four') else 'n13'}")
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("White",)


PARTNERS = {"Partners, Opposites": ("Black", "White", "c5 b4"), "Partners, Neighbours": ("Red", "Green", "n5 o4")}
"""White's partner, the player in whose yard the partner's men belong, and the partner's last step."""


@pytest.mark.parametrize(("title", "partner", "yard", "step"), [(title, *row) for title, row in PARTNERS.items()])
def test_partners_win_together(title: str, partner: str, yard: str, step: str) -> None:
    """A partner whose men are all home may rest; the pair wins once the men of both are home, and not
    before."""
    last = step.split()
    others = [p for p in ("Red", "Black", "Green") if p != partner]
    men = dict.fromkeys(YARD_13["Black"].split(), "White") | dict.fromkeys(YARD_13[yard].split(), partner)
    del men[last[1]]
    position = with_men(load("monks-halma", title), men | {last[0]: partner, "g12": others[0], "j9": others[1]})
    assert "Pass" in [str(m) for m in position.moves()]
    position = position.play("Pass")
    while position.player != partner:
        assert position.outcome() is None and "Pass" not in [str(m) for m in position.moves()]
        position = position.play(next(m for m in position.moves() if not m.is_partial))
    position = position.play(step)
    outcome = position.outcome()
    assert outcome is not None and set(outcome.winners) == {"White", partner}
    assert set(outcome.losers) == set(others)


# ---------------------------------------------------------------------------------------------------- solitaires


MEN = (
    "b2 d2 f2 h2 j2 l2 n2 o2 a4 b6 d6 f6 h6 j6 l6 n6 o6 a8 d9 h9 l9 b10 f10 j10 n10 b12 f12 j12 m12 n12 b14 f14 j14 "
    "o14 b15 f15 j15"
)
ROUTE = (
    "c3 e1 g3 i1 k3 m1 o3 o1 m3 k1 i3 g1 e3 c1 a3 a5 c7 e5 g7 i5 k7 m5 o7 o5 m7 k5 i7 g5 e7 c5 a7 a9 c11 a13 c15 a15 "
    "c13 a11 c9 e9 g11 e13 g15 e15 g13 e11 g9 i9 k11 i13 k15 i15 k13 i11 k9 m9 o11 m13 m11 o13 o15"
)
"""An arrangement of 37 men for Solitaire I, and the only way through it: both are ours, since the book prints none."""


def solitaire_1(men: list[str]) -> Position:
    """Return the position of Solitaire I with all men placed."""
    position = load("monks-solitaire-1").start()
    for square in men:
        position = position.play(square)
    return position


def to_the_end(position: Position) -> Position:
    """Play the turns of the random player `?Echo`, who has one legal move each time, to the end of the game."""
    while position.outcome() is None:
        moves = position.moves()
        assert position.player == "?Echo" and len(moves) == 1
        position = position.play(moves[0])
    return position


def test_solitaire_1_takes_61_jumps() -> None:
    assert len(MEN.split()) == 37 and len(ROUTE.split()) == 61
    turn = turn_by(solitaire_1(MEN.split()), "a1", "o15")
    assert turn is not None and list(turn[0]) == ROUTE.split()
    end = to_the_end(turn[1])
    outcome = end.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)
    assert end.state.counters[0][0] == 61


def test_solitaire_1_with_a_shorter_way_is_lost() -> None:
    """Seven men on the diagonal make a ladder of seven jumps, wherever the others stand."""
    ladder = [f"{chr(ord('b') + 2 * i)}{2 + 2 * i}" for i in range(7)]
    far = [f"{file}{rank}" for rank in (8, 16) for file in "aceghikmoj"] + [f"p{rank}" for rank in range(1, 14)]
    men = (ladder + [s for s in far if s not in ladder])[:37]
    turn = turn_by(solitaire_1(men), "a1", "o15")
    assert turn is not None and len(turn[0]) == 7
    end = to_the_end(turn[1])
    outcome = end.outcome()
    assert outcome is not None and outcome.losers == ("Solver",)
    assert end.state.counters[0][0] == 7


def test_solitaire_1_without_a_way_is_lost() -> None:
    """All men stand on the last three ranks, so the man on a1 can't set out."""
    position = solitaire_1([f"{file}{rank}" for rank in (14, 15, 16) for file in "abcdefghijklm"][:37])
    outcome = position.outcome()
    assert outcome is not None and outcome.losers == ("Solver",) and outcome.reason == "stalemated"


def test_packing_begins_at_random() -> None:
    """19 pieces stand at random outside the yard, and turns are counted until all are packed."""
    game = load("monks-practice", "Practice: Packing")
    position = game.start()
    for number in range(19):
        moves = position.moves()
        assert position.player == "?Chance" and len(moves) == 256 - 19 - number
        position = position.play(moves[(number * 37) % len(moves)])
    assert position.player == "Solver" and len(position.pieces()) == 19
    yard = YARD_19["White"].split()
    packed = dict.fromkeys(yard[:-1], "Solver") | {"c6": "Solver"}
    for square in position.pieces():
        position = position.edited(f"(x {square})")
    for square in packed:
        position = position.edited(f"(Solver Man {square})")
    position = position.play("c6 b6").play("b6 b5")
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)
    assert position.state.made[0] == 2


def test_numbers_of_turns_of_gambits_match_two_programs() -> None:
    """Two programs count 40 turns, and 2136 sequences of two turns, with one yard alone."""
    game = load("monks-practice", "Practice: Gambits")
    assert perft(game.engine, game.start().state, 2, whole_turns=True) == 2136
    assert perft(game.engine, game.start().state, 1, whole_turns=True) == 40


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("file", "variant"), [
    ("monks-halma", 0), ("monks-halma", 2), ("monks-halma", 3), ("monks-halma", 4), ("monks-practice", 0),
    ("monks-practice", 1), ("monks-solitaire-1", 0), ("monks-solitaire-2", 0), ("monks-solitaire-2", 8)])
def test_random_games_have_no_faults(file: str, variant: int, seed: int) -> None:
    assert not fault_in_random_game(load(file, variant), 60, seed, 20)
