"""Games of the booklet that are not races.

Source, unless another is named: booklet of a German, French, Italian, Dutch and Spanish game box.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.catalogue.legs import squares_of, turn_by, with_men
from tests.playing import fault_in_random_game, random_game
from zrf_py.play.game import Position, load
from zrf_py.play.perft import perft
from zrf_py.play.turns import turns
from zrf_py.run import goals
from zrf_py.run import position as run

pytestmark = pytest.mark.slow


def men_of(position: Position) -> dict[str, str]:
    return {square: owner for square, (owner, _) in position.pieces().items()}


# ------------------------------------------------------------------------------------- Solo-Halma and Retour

SOLO = (
    "d2-d4 b3-d3 c1-c3 e1-c1 d3-b3 a3-c3 e3-e1 g3-e3 c4-c2 c1-c3 a4-c4 c4-c2 e4-e2 e1-e3 g4-e4 e4-e2 "
    "c6-c4 a5-c5 c5-c3 c2-c4 c4-e4 e5-e3 e2-e4 g5-e5 d5-f5 e7-e5 e4-e6 c7-e7 e7-e5 f5-d5 d6-d4"
)
"""One solution of Solo-Halma in 31 jumps, found by another program."""

RETOUR = (
    "d4-d5-d6 d5-e5-f5 e5-e6-e7 e7-d7-c7 e6-e5-e4 e5-e6-e7 f5-e5-d5 e5-f5-g5 e4-e3-e2 e3-e4-e5 e4-d4-c4 "
    "c4-c3-c2 c3-c4-c5 c5-b5-a5 c4-c5-c6 e2-e3-e4 e4-f4-g4 e3-e2-e1 e2-e3-e4 c2-c3-c4 c4-b4-a4 c3-c2-c1 "
    "c2-c3-c4 e3-f3-g3 e1-e2-e3 c3-b3-a3 b3-c3-d3 c1-d1-e1 c3-c2-c1 d3-c3-b3 d4-d3-d2"
)
"""The same solution reversed; each move names the squares of its start, of the man it puts back, and of its end."""


def test_solo_halma_is_solved() -> None:
    game = load("solo-halma")
    position = game.start()
    for move in SOLO.split():
        assert position.outcome() is None
        position = position.play(move.replace("-", " "))
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)
    assert men_of(position) == {"d4": "Solver"} and position.state.made == (31,)


def test_retour_is_solo_halma_backwards() -> None:
    game = load("solo-halma", "Retour")
    position = game.start()
    assert men_of(position) == {"d4": "Solver"}
    for move in RETOUR.split():
        start, man, end = move.split("-")
        before = men_of(position)
        assert position.outcome() is None
        position = position.play(f"{start} {end}")
        assert men_of(position).keys() == before.keys() - {start} | {man, end}
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)
    assert men_of(position) == men_of(load("solo-halma").start())


def test_numbers_of_first_jumps_match_two_programs() -> None:
    """Two independent programs count 4, 12 and 60 sequences of one, two and three jumps, and four first moves of
    Retour."""
    game = load("solo-halma")
    assert [perft(game.engine, game.start().state, depth) for depth in (1, 2, 3)] == [4, 12, 60]
    assert len(load("solo-halma", "Retour").start().moves()) == 4


# ------------------------------------------------------------------------------------ Highscore and Treffpunkt


@pytest.mark.parametrize("name", ["highscore-square", "treffpunkt"])
def test_numbers_of_first_turns_match_two_programs(name: str) -> None:
    """Two independent programs count 40 first turns (21 steps and 19 hops), and 2136 sequences of two turns."""
    game = load(name)
    assert [perft(game.engine, game.start().state, depth, whole_turns=True) for depth in (1, 2)] == [40, 2136]


GOAL = "o12 p12 n13 o13 p13 m14 n14 o14 p14 l15 m15 n15 o15 p15 l16 m16 n16 o16 p16"


@pytest.mark.parametrize(("title", "score"), [("Highscore", 1), ("Highscore, Every Jump Counts", 2)])
def test_highscore_counts_hops_or_all_their_jumps(title: str, score: int) -> None:
    """A hop of two jumps counts as one turn, or as two in the variant where every jump counts."""
    game = load("highscore-square", title)
    men = dict.fromkeys((s for s in GOAL.split() if s != "m14"), "Solver") | {"m10": "Solver"}
    position = with_men(game, men | {"n13": "Solver"})
    for square in ("m11", "m13"):  # a ladder for the hop; only the last man's move is tested
        position = position.edited(f"(Solver Man {square})")
    turn = turn_by(position, "m10", "m14") if score == 1 else None
    if turn is None:
        position = position.play("m10 m12").play("m12 m14")
    else:
        assert turn[0] == ("m12", "m14")
        position = turn[1]
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)
    assert goals.score(game.program, position.state, 0) == score and game.program.game.lowest_wins


HOPS = (
    "b3-d5 a3-e5 b2-f6 a4-g6 d2-f4 c3-g7 a1-e7 d1-h7 b1-h5 c4-e8 b5-f9 c1-i5 c2-g8 e1-g5 e2-i6 f4-h6 "
    "a5-c3 b4-f8 d5-f7 g7-e9 e5-g7 d3-b3 a2-c4 b3-d5 c3-e5 c4-e6 d5-f5"
)
"""Hops that move the shape of the 19 men four squares along the diagonal, out of the yard; found by another program."""


def test_treffpunkt_can_be_won_by_hops_alone() -> None:
    position = load("treffpunkt", "Treffpunkt, Hops Only").start()
    assert len(turns(position.game.engine, position.state)) == 19
    for hop in HOPS.split():
        assert position.outcome() is None
        turn = turn_by(position, *hop.split("-"))
        assert turn is not None
        position = turn[1]
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)


FIGURES = {
    "Treffpunkt": "h10 i10 j10 g9 h9 i9 j9 f8 g8 h8 i8 j8 f7 g7 h7 i7 f6 g6 h6",
    "Treffpunkt, Figure A": "c8 c7 d7 e7 c6 e6 f6 c5 d5 e5 f5 g5 d4 e4 g4 e3 f3 g3 h3",
    "Treffpunkt, Figure B": "g8 c7 d7 f7 h7 b6 c6 f6 g6 c5 d5 e5 d4 e4 g4 e3 f3 g3 f2",
    "Treffpunkt, Figure C": "d7 e7 f7 c6 d6 e6 f6 g6 c5 d5 e5 f5 g5 d4 e4 f4 g4 e3 f3",
    "Treffpunkt, Figure D": "e7 f7 b6 c6 d6 e6 f6 g6 c5 d5 e5 f5 g5 d4 e4 f4 e3 f3 f2",
}
"""The first figure is ours; A to D are those of Solitaire II in the instruction book of 1889."""


@pytest.mark.parametrize("title", FIGURES)
def test_treffpunkt_is_won_when_the_figure_is_complete(title: str) -> None:
    """The last man's step completes the figure, which is symmetric about the diagonal."""
    squares = FIGURES[title].split()
    assert len(squares) == 19
    assert set(squares) == {f"{chr(ord('a') + int(s[1:]) - 1)}{ord(s[0]) - ord('a') + 1}" for s in squares}
    game = load("treffpunkt", title)
    top = squares[0]
    above = f"{top[0]}{int(top[1:]) + 1}"
    position = with_men(game, dict.fromkeys([*squares[1:], above], "Solver")).play(f"{above} {top}")
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)


# ---------------------------------------------------------------------------------------------------- Top Secret


def test_top_secret_places_36_men_first() -> None:
    """Players take turns to place men on the middle 6 x 6 squares; no man moves before all are placed."""
    position = load("top-secret").start()
    for number in range(36):
        moves = position.moves()
        assert position.player == ("Blue", "Red")[number % 2] and len(moves) == 36 - number
        assert not any(m.is_partial for m in moves)
        position = position.play(moves[0])
    men = men_of(position)
    assert set(men) == {f"{file}{rank}" for file in "fghijk" for rank in range(6, 12)}
    assert list(men.values()).count("Blue") == 18
    assert position.player == "Blue" and all(squares_of(position.game, m)[0] in men for m in position.moves())


def top_secret(men: dict[str, str]) -> Position:
    """Return a late position, in which all men have been placed and only these are left."""
    position = load("top-secret").start()
    for _ in range(36):
        position = position.play(position.moves()[0])
    for square in position.pieces():
        position = position.edited(f"(x {square})")
    for square, player in men.items():
        position = position.edited(f"({player} Man {square})")
    return position


def ways_out(position: Position) -> list[str]:
    """Return the texts of the moves that take a man off the board."""
    return [str(m) for m in position.moves() if m.raw.captures]


def test_top_secret_men_leave_from_the_edge_or_by_a_jump_over_it() -> None:
    """A man leaves from an edge square by a step; from the next row only by a jump over a man on the edge, straight
    or diagonally."""
    assert ways_out(top_secret({"a5": "Blue", "h8": "Red"})) == ["x a5"]
    assert ways_out(top_secret({"b5": "Blue", "h8": "Red"})) == []
    for edge in ("a4", "a5", "a6"):
        assert ways_out(top_secret({"b5": "Blue", edge: "Red"})) == ["x b5"]
    assert ways_out(top_secret({"b5": "Blue", "b6": "Red", "c5": "Red"})) == []
    assert ways_out(top_secret({"o15": "Blue", "o16": "Red", "p15": "Red"})) == ["x o15"]


def test_top_secret_hop_may_end_off_the_board() -> None:
    """A man hops from d5 over c5 to b5, and on over a6 off the board, which counts for Blue."""
    position = top_secret({"d5": "Blue", "c5": "Red", "a6": "Red", "k9": "Blue"}).play("d5 b5")
    assert ways_out(position) == ["x b5"]
    position = position.play("x b5")
    assert men_of(position) == {"c5": "Red", "a6": "Red", "k9": "Blue"} and position.player == "Red"
    assert position.outcome() is None


def test_top_secret_is_won_by_the_last_man_out() -> None:
    outcome = top_secret({"a5": "Blue", "h8": "Red"}).play("x a5").outcome()
    assert outcome is not None and outcome.winners == ("Blue",)


# -------------------------------------------------------------------------------------------------------- Gomoku


@pytest.mark.parametrize(("title", "players"), [
    ("Gomoku", 2), ("Gomoku for Three", 3), ("Gomoku for Four", 4), ("Gomoku in Teams", 4)])
def test_gomoku_drops_then_steps(title: str, players: int) -> None:
    """Each player places 12 men (each partner of a team 6) on any of 256 squares; then men step one square."""
    position = load("gomoku", title).start()
    assert len(position.game.players) == players and len(position.moves()) == 256
    drops = 12 * (2 if "Teams" in title else players)
    for number in range(drops):
        assert position.player == position.game.players[number % players] and len(position.moves()) == 256 - number
        position = position.play(f"{'acegikmo'[number % 8]}{2 * (number // 8) + 1}")
    assert len(position.pieces()) == drops and position.outcome() is None
    for move in position.moves():
        start, end = squares_of(position.game, move)
        assert max(abs(ord(start[0]) - ord(end[0])), abs(int(start[1:]) - int(end[1:]))) == 1 and not move.is_partial


def test_gomoku_with_moves_of_any_length() -> None:
    """With all men placed, a man moves along a rank, file or diagonal as far as it is free, and no farther."""
    position = load("gomoku", "Gomoku, Moves of Any Length").start()
    red = ["h1", "c6", "a16", "c16", "e16", "g16", "i16", "k16", "m16", "o16", "p1", "p8"]
    blue = ["d1", "a1", "b12", "b14", "d12", "d14", "f12", "f14", "h12", "h14", "j12", "j14"]
    for one, other in zip(blue, red, strict=True):
        position = position.play(one).play(other)
    assert not position.moves()[0].is_partial
    found = {end for start, end in (squares_of(position.game, move) for move in position.moves()) if start == "d1"}
    assert found == {*(f"{file}1" for file in "bcefg"), *(f"d{rank}" for rank in range(2, 12)), "c2", "b3", "a4",
                     *(f"{'efghijklmnop'[i]}{i + 2}" for i in range(12))}


def test_a_gomoku_line_of_five_wins_unless_an_enemy_is_in_it() -> None:
    """There are 192 + 192 + 288 lines of five. About a fifth are tried: each wins, unless an enemy's man is in it."""
    game = load("gomoku")
    start = game.start().state
    names = {place.name: i for i, place in enumerate(game.program.game.board.places)}
    lines = 0
    for file in range(16):
        for rank in range(1, 17):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                squares = [f"{chr(ord('a') + file + right * i)}{rank + up * i}" for i in range(5)]
                if all(s in names for s in squares):
                    lines += 1
                    if (file + rank) % 5 == 0:
                        owner = list(start.owner)
                        for s in squares:
                            owner[names[s]] = 0
                        outcome = goals.board_result(game.program, with_owner(start, owner))
                        assert outcome is not None and outcome.winners == (0,)
                        owner[names[squares[2]]] = 1
                        assert goals.board_result(game.program, with_owner(start, owner)) is None
    assert lines == 672


def with_owner(state: run.Position, owner: list[int]) -> run.Position:
    return replace(state, owner=tuple(owner))


def test_gomoku_may_be_won_by_a_step() -> None:
    """With all men placed, the fifth man steps into the line; the mover's partner, if there is one, wins too."""
    for title, winners in (("Gomoku", ("Blue",)), ("Gomoku in Teams", ("Blue", "Blue-Partner"))):
        position = load("gomoku", title).start()
        blue = ["a1", "b1", "c1", "d1", "e2", "a8", "c8", "e8", "g8", "i8", "k8", "m8"]
        red = ["a4", "c4", "e4", "g4", "i4", "k4", "m4", "o4", "a6", "c6", "e6", "g6"]
        for one, other in zip(blue, red, strict=True):
            position = position.play(one).play(other)
        assert position.outcome() is None and position.player == "Blue"
        outcome = position.play("e2 e1").outcome()
        assert outcome is not None and outcome.winners == winners


# --------------------------------------------------------------------------------------------------------- Tippy


def tippy(men: dict[str, str], title: str = "Tippy") -> Position:
    return with_men(load("tippy", title), men)


def test_the_first_man_of_tippy_is_placed_anywhere() -> None:
    """A man can be placed on 256 squares; in the Dutch edition, which uses the crossing points, on 289 points."""
    assert len(load("tippy").start().moves()) == len(load("tippy", "Tippy for Three").start().moves()) == 256
    for title in ("Tippy, Dutch Edition", "Tippy for Three, Dutch Edition", "Tippy for Four, Dutch Edition"):
        assert len(load("tippy", title).start().moves()) == 289


def test_tippy_fourth_man_captures_the_enclosed_one() -> None:
    """The fourth man shuts an enemy in; the third doesn't, and a third player's men don't help."""
    men = {"e5": "Red", "d5": "Blue", "f5": "Blue", "e4": "Blue"}
    position = tippy(men).play("e6")
    assert "e5" not in position.pieces() and position.state.counters[0][:2] == (1, 0)
    assert "e5" in tippy({k: v for k, v in men.items() if k != "e4"}).play("e6").pieces()
    assert "e5" in tippy(men | {"e4": "Green"}, "Tippy for Three").play("e6").pieces()


def test_tippy_one_move_may_capture_several_men() -> None:
    """One man completes four enclosures at once."""
    red = ("e5", "e7", "d6", "f6")
    blue = ("d5", "f5", "e4", "d7", "f7", "e8", "c6", "g6")
    position = tippy(dict.fromkeys(red, "Red") | dict.fromkeys(blue, "Blue")).play("e6")
    assert not set(red) & set(position.pieces()) and position.state.counters[0][:2] == (4, 0)


def test_tippy_edges_are_safe() -> None:
    """A man on a1 can never be taken, nor can any man on the edge."""
    position = tippy({"a1": "Red", "a2": "Blue", "h1": "Red", "g1": "Blue", "h2": "Blue"}).play("b1")
    assert "a1" in position.pieces()
    assert "h1" in position.play("p16").play("i1").pieces()


def test_tippy_man_in_a_hole_is_safe_and_may_take() -> None:
    """A man that enters a hole among rivals is not captured, and may capture one of them."""
    ring = dict.fromkeys(("d5", "f5", "e4", "e6"), "Red")
    position = tippy(ring).play("e5")
    assert set(ring) | {"e5"} == set(position.pieces())
    red = dict.fromkeys(("c5", "d4", "d6"), "Blue")
    position = tippy(ring | red).play("e5")
    assert "d5" not in position.pieces() and "e5" in position.pieces()
    again = position.play("d5").pieces()
    assert again["d5"] == ("Red", "Man") and "e5" not in again, "the square is used again, and its man takes"


def test_tippy_ends_with_empty_hands() -> None:
    """Both players have placed their 15 men; Blue has captured one more than he lost, Red one fewer."""
    position = load("tippy").start()
    blue = ["d5", "f5", "e4", "e6", *(f"{file}12" for file in "abcdefghijk")]
    red = ["e5", "p1", "p3", "p5", *(f"{file}15" for file in "abcdefghijk")]
    for one, other in zip(blue, red, strict=True):
        assert position.outcome() is None
        position = position.play(one).play(other)
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Blue",) and outcome.losers == ("Red",)
    assert [goals.score(position.game.program, position.state, player) for player in (0, 1)] == [1, -1]
    assert len(position.pieces()) == 29


def test_tippy_for_three_scores_captures_minus_losses() -> None:
    """Blue captures one man of Red's, so the scores are 1, -1 and 0."""
    position = load("tippy", "Tippy for Three").start()
    blue = ["d5", "f5", "e4", "e6", *(f"{file}12" for file in "abcdefghijk")]
    red = ["e5", "p1", "p3", "p5", *(f"{file}15" for file in "abcdefghijk")]
    green = ["p7", "p9", "p11", "p13", *(f"{file}9" for file in "abcdefghijk")]
    for trio in zip(blue, red, green, strict=True):
        for square in trio:
            position = position.play(square)
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Blue",)
    assert [goals.score(position.game.program, position.state, player) for player in range(3)] == [1, -1, 0]


# ------------------------------------------------------------------------------------------------- Cat and Mouse


def cats_and_mice(cats: str, mice: str, title: str = "Cat and Mouse") -> Position:
    """Return a position in which all pieces have been placed and then replaced by these; the cats are to move."""
    position = load("cat-and-mouse", title).start()
    while not position.in_turn and (position.state.turn < 21):
        position = position.play(position.moves()[0])
    for square in position.pieces():
        position = position.edited(f"(x {square})")
    for square in cats.split():
        position = position.edited(f"(Cats Cat {square})")
    for square in mice.split():
        position = position.edited(f"(Mice Mouse {square})")
    assert position.player == "Cats"
    return position


def test_cats_and_mice_are_placed() -> None:
    """Cats on two of the four middle squares, then 19 mice anywhere; the cats move first."""
    position = load("cat-and-mouse").start()
    ends = {squares_of(position.game, m)[1] for m in position.moves()}
    assert ends == {"h8", "i8", "h9", "i9"}
    position = position.play("h8").play("i9")
    for number in range(19):
        assert position.player == "Mice" and len(position.moves()) == 254 - number
        position = position.play(position.moves()[0])
    assert position.player == "Cats" and len(position.pieces()) == 21


NINE = "c1 d1 a2 b2 c2 a3 b3 c3 d3"
"""The smallest set of mice that shuts in two cats (on a1 and b1), by another program's exhaustive search."""


def test_nine_mice_freeze_two_cats() -> None:
    outcome = cats_and_mice("a1 b1", NINE).outcome()
    assert outcome is not None and outcome.winners == ("Mice",) and outcome.losers == ("Cats",)


@pytest.mark.parametrize("gone", NINE.split())
def test_a_cat_can_move_if_one_of_the_nine_mice_is_missing(gone: str) -> None:
    assert cats_and_mice("a1 b1", " ".join(s for s in NINE.split() if s != gone)).moves()


def test_eight_mice_lose() -> None:
    """A capture that leaves eight mice decides the game; one that leaves nine does not."""
    far = "a16 c16 e16 g16 i16 k16 m16 o16"
    for others, over in ((far, True), (far + " a14", False)):
        position = cats_and_mice("h8 a1", others + " i9").play("h8 j10")
        outcome = position.outcome()
        assert (outcome is not None and outcome.losers == ("Mice",)) == over


def test_cats_jump_in_chains_and_may_stop() -> None:
    """A cat need not capture, and may stop after each of three mice; mice only step."""
    position = cats_and_mice("h8 a1", "i9 k10 l11 a16 c16 e16 g16 i16 k16 m16 o16 p10")
    assert "h8 g8" in moves_of(position)
    turn = turn_by(position, "h8", "l12")
    assert turn is not None and turn[0] == ("j10", "l10", "l12")
    assert not {"i9", "k10", "l11"} & set(turn[1].pieces())
    position = position.play("h8 j10")
    assert position.in_turn and "Pass" in [str(m) for m in position.moves()]
    position = position.play("j10 l10").play("Pass")
    assert "l11" in position.pieces() and not {"i9", "k10"} & set(position.pieces())
    assert position.player == "Mice" and all(not m.is_partial and not m.raw.captures for m in position.moves())


def moves_of(position: Position) -> list[str]:
    return [" ".join(squares_of(position.game, m)) for m in position.moves()]


def test_a_cat_takes_one_mouse_a_turn_in_the_variant() -> None:
    position = cats_and_mice("h8 a1", "i9 k10 a16 c16 e16 g16 i16 k16 m16 o16", "Cat and Mouse, One Mouse a Turn")
    assert position.play("h8 j10").player == "Mice"


def test_cats_do_not_jump_over_each_other() -> None:
    position = cats_and_mice("h8 i8", NINE)
    assert "h8 j8" not in moves_of(position)


def test_mice_are_placed_at_random() -> None:
    position = load("cat-and-mouse", "Cat and Mouse, Mice at Random").start().play("h8").play("i9")
    for _ in range(19):
        assert position.player == "?Chance"
        position = position.play(position.moves()[-1])
    assert position.player == "Cats" and list(men_of(position).values()).count("Mice") == 19


# -------------------------------------------------------------------------------------------------- random games


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("file", "variants"), [
    ("solo-halma", 2), ("gomoku", 5), ("tippy", 5), ("cat-and-mouse", 3), ("treffpunkt", 1), ("highscore-square", 2)])
def test_random_games_have_no_faults(file: str, variants: int, seed: int) -> None:
    for variant in range(variants):
        assert not fault_in_random_game(load(file, variant), 60, seed, 20)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_games_of_top_secret(seed: int) -> None:
    """A move takes at most one man off the board, and there are never more than 36."""
    before = 0
    for position in random_game(load("top-secret"), 90, seed):
        men = len(position.pieces())
        assert men >= before - 1 and (men <= 36)
        before = men
