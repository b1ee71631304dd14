"""A page and Python agree on the same positions: drawings, texts, counts and searches of games small and large. One
page has all of them and plays them with the generic kernel, so that nothing is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")

import zrf_py
from tests import records
from tests.exporting import Paged, follow, measured_once, plain
from tests.playing import slow
from tests.test_dice import BIDS, RACE
from tests.test_export_advice import advised, rounded
from tests.test_move_diffs import CASES, ODD
from tests.test_page_parts import ENDS, GOALS, MIXED
from tests.test_prisoners import BOWLS
from tests.test_records import DOTS, LISTS, set_up
from tests.test_search_signature import TINY
from tests.test_standing import COUNTED, OFF, PLACED
from zrf_py.play.game import Game, Position
from zrf_py.play.players import FEW, Greedy
from zrf_py.play.replay import Stop
from zrf_py.play.replay import follow as replayed
from zrf_py.play.turns import search_turns
from zrf_py.play.zsg import Ply
from zrf_py.run.rules import Rules
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits
from zrf_py.serve import opponents
from zrf_py.view.describe import describe, legs

FOLLOWED = """
(game (title "Followed") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("5/4/3/2/1" (0 9)))
               (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify empty?) n (verify empty?) cascade s e (verify friend?) from w to add)
                           (n (verify empty?) add)))
  (board-setup (White (Man a1 b2 c1 d2)) (Black (Man a5 b4 c5 d4))))"""
"""A man may go two squares, and another man of the same player then joins him, but such a move is not castling."""
SERVED = """
(game (title "Served") (players White Black Guards) (turn-order (White Guards) Black (Black Guards) White)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
               (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify not-friend?) add) (e (verify not-friend?) add) (w (verify not-friend?) add)))
  (piece (name Guard) (moves (n (verify not-friend?) add) (s (verify not-friend?) add) (e (verify not-friend?) add)))
  (board-setup (White (Man a1 c1 d2)) (Black (Man b4 c4 a3)) (Guards (Guard b2 c3)))
  (loss-condition (White Black) (pieces-remaining 0)))"""
"""Both players also move the guards, which take pieces of both."""
TEXTS = {
    "followed": FOLLOWED, "served": SERVED,
    "mixed": MIXED, "lists": LISTS, "dots": DOTS, "race": RACE, "bids": BIDS, "counted": COUNTED, "bowls": BOWLS,
    "placed": PLACED.replace("END", "(count-condition (total-piece-count 12))").replace("MORE", OFF),
    "taken": PLACED.replace("END", "(loss-condition (White Black) (captured King))").replace("MORE", ""),
    "full": PLACED.replace("END", "(draw-condition (total-piece-count 8))").replace("MORE", ""),
    "pattern": ENDS.format(number=5, ends=GOALS[5]), "reached": ENDS.format(number=4, ends=GOALS[4]),
    "left": ENDS.format(number=1, ends=GOALS[1]), "row": ENDS.format(number=2, ends=GOALS[2]),
    **{f"odd {number}": ODD.format(block=case[0]) for number, case in enumerate(CASES)}, **TINY,
}
SMALL = ["tictactoe", "nine-mens-morris", "monks-sol-I"]
LARGE = ["chess", "checkers", "shogi"]
NAMES = [*TEXTS, *SMALL, *LARGE]
SEARCHED = ["mixed", "placed", "pattern", "reached", "tictactoe", "monks-sol-I", "chess", "checkers", *TINY]


@pytest.fixture(autouse=True)
def _measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured_once(monkeypatch)


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    return {name: zrf_py.loads(TEXTS[name]) if name in TEXTS else zrf_py.load(name) for name in NAMES}


@pytest.fixture(scope="module")
def whole(games: dict[str, Game], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Paged]:
    with pytest.MonkeyPatch.context() as patch:
        measured_once(patch)
        page = Paged(list(games.values()), tmp_path_factory.mktemp("page"))
        yield page
        page.close()


@pytest.fixture
def page(whole: Paged, request: pytest.FixtureRequest) -> Paged:
    """A page at the start of the game that a test is about."""
    whole("open", NAMES.index(request.getfixturevalue("name")))
    return whole


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_random_games_like_python(name: str, page: Paged, games: dict[str, Game]) -> None:
    """This compares legs, short texts, drawings, scores, prisoners, checks, ends and their reasons, and reachable
    places."""
    for seed in range(2):
        page("start")
        follow(page, games[name], 24, seed)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_applies_moves_like_python(name: str, page: Paged, games: dict[str, Game]) -> None:
    random = Random(8)
    for _ in range(3):
        page("start")
        position = games[name].start()
        for _ in range(8):
            if position.outcome() or not (moves := position.moves()):
                break
            assert page("diffs") == plain([list(move.diff) for move in moves])
            position = position.play(random.choice(moves))
            assert position.move
            page("play", [position.move.text])


@pytest.mark.parametrize(("name", "moves"), [("chess", ("e4", "f6", "Qh5", "g6", "Qxg6", "hxg6")), ("counted", ())])
def test_a_page_goes_back_to_earlier_positions(
    name: str, moves: tuple[str, ...], page: Paged, games: dict[str, Game],
) -> None:
    """Checks and scores belong to the position in question, not to the one in the engine's memory."""
    page("start")
    position = games[name].start()
    for number in range(6):
        position = position.play(moves[number] if moves else number % len(position.moves()))
        assert position.move
        page("play", [position.move.text])
    views = [(describe(before)["check"], describe(before)["scores"]) for before in position.line()]
    assert page("earlier") == plain(views) and len({str(view) for view in views}) > 1


@pytest.mark.parametrize("name", NAMES)
def test_a_page_reads_and_writes_games_like_python(name: str, page: Paged, games: dict[str, Game]) -> None:
    """The games are random, and some contain edits of the position."""
    for seed in range(4):
        assert records.fault_in_page(page, set_up(games[name], seed)) == ""
        assert records.fault_in_page(page, records.play(games[name], 24, Random(seed))) == ""


def changed(text: str, random: Random) -> str:
    """Return the text of a move with a word (or `partial` and number) added, removed, moved or replaced; or a pass."""
    words = text.split()
    at, to = random.randrange(len(words)), random.randrange(len(words))
    what = random.randrange(7)
    if what == 0:
        words.insert(to, words.pop(at))
    elif what == 1:
        del words[at]
    elif what == 2:
        words.insert(at, words[to])
    elif what == 3:
        words[at] = words[to]
    elif what == 4:
        words[:0] = ["partial", str(to)]
    elif what == 5 and words[0] == "partial":
        del words[:2]
    return " ".join(words) if what < 6 else random.choice(["pass", "PASS", "Pass"])


@pytest.mark.parametrize("name", ["lists", "mixed", "dots", "bids", "counted", "chess", "checkers"])
def test_a_page_reads_foreign_texts_like_python(name: str, page: Paged, games: dict[str, Game]) -> None:
    """Words are in another order, legs are written as moves and moves as legs, or texts are not moves: the same move is
    read, or the text is refused for the same reason."""
    random, results = Random(3), set()
    for seed in range(3):
        position = records.play(games[name], 2 * seed, Random(seed))
        texts = [after.move.text for after in position.line() if after.move][::-1]
        page("start")
        page("play", texts)
        for _ in range(12):
            if not (moves := position.moves()):
                break
            text = changed(random.choice(moves).text, random)
            step = replayed(position, Ply(1, text))
            if isinstance(step, Stop):
                why = "passing isn't allowed" if text.lower() == "pass" else "no legal move of"
                with pytest.raises(AssertionError, match=why):
                    page("play", [text])
            else:
                page("play", [text])
                assert page("legs") == plain(legs(step[0])) or step[0].outcome()
                page("start")
                page("play", texts)
            results.add(isinstance(step, Stop))
    assert results == {True, False}


@pytest.mark.parametrize("name", SEARCHED)
def test_a_page_counts_and_finds_lines_like_python(name: str, page: Paged, games: dict[str, Game]) -> None:
    random, position = Random(4), games[name].start()
    for ply in range(9):
        if position.outcome():
            break
        if ply % 4 == 0:
            advised(page, position)
        position = position.play(random.choice(position.moves()))
        assert position.move
        page("play", [position.move.text])


@pytest.mark.parametrize("name", SEARCHED)
def test_a_page_plays_by_search_like_python(name: str, page: Paged, games: dict[str, Game]) -> None:
    """The page plays complete turns, including turns that need several searches, with noise and without."""
    position, program = games[name].start(), games[name].program
    for ply in range(8):
        if position.outcome() or not position.moves():
            break
        limits = Limits(nodes=40 + 60 * ply, noise=30 * (ply % 3))
        turn = search_for(program).turn(position.state, position.earlier(), limits, seed=ply)
        for leg in position.named(turn):
            position = position.play(leg)
        texts = page("turn", {"nodes": limits.nodes, "noise": limits.noise}, ply)
        assert texts == [leg.text for leg in [after.move for after in position.line()][: len(turn)][::-1] if leg]


def safest(greedy: Greedy, position: Position) -> float:
    """Return the value of the greedy turn: the best if it wins, else the best after which no reply makes the player
    lose at once, else the best."""
    mover = position.game.program.game.turns[position.state.turn].mover
    found = search_turns(greedy.engine, position.state)
    rated = sorted(((greedy.rate(turn.end, mover, len(found) <= FEW), i) for i, turn in enumerate(found)), reverse=True)
    outcome = greedy.outcome(found[rated[0][1]].end)
    if outcome and outcome.is_won_by(mover):
        return rated[0][0]
    safe = [worth for worth, i in rated if not greedy._loses_at_once(found[i], mover)[0]]
    return safe[0] if safe else rated[0][0]


@pytest.mark.parametrize("name", ["served", "mixed", "placed", "pattern", "reached", "left", "row", "tictactoe", *TINY])
def test_the_greedy_player_of_a_page_plays_like_python(name: str, page: Paged, games: dict[str, Game]) -> None:
    """It plays the best turn that does not lose at once, if there is one; in between, moves are random."""
    greedy, random = Greedy(Rules(games[name].program)), Random(5)
    for _ in range(3):
        page("start")
        position = games[name].start()
        for _ in range(8):
            if position.outcome() or position.in_turn or not position.moves():
                break
            mover = position.game.program.game.turns[position.state.turn].mover
            expected, before = safest(greedy, position), position
            is_thorough = len(search_turns(greedy.engine, position.state)) <= FEW
            for text in page("greedy"):
                position = position.play(text)
            assert greedy.rate(position.state, mover, is_thorough) == pytest.approx(expected), before.text
            if position.outcome() or not position.moves():
                break
            position = position.play(random.choice(position.moves()))
            assert position.move
            page("play", [position.move.text])


@pytest.mark.parametrize("name", ["tictactoe", "pattern", *slow(["left"])])
def test_a_page_computes_chances_like_python(name: str, page: Paged, games: dict[str, Game]) -> None:
    """Chances are compared in final positions, and where few moves are left, so that a search is complete."""
    compared = 0
    for seed in range(4):
        page("start")
        for here in list(records.play(games[name], 40, Random(seed)).line())[::-1]:
            if here.move:
                page("play", [here.move.text])
            if here.outcome() or (seed == 0 and len(here.moves()) < 4):
                there, expected = page("look"), plain(opponents.look(here, learn=False))
                if expected["chances"] is None:  # a page then uses the general curve
                    there, expected = there["lines"], expected["lines"]
                assert rounded(there) == rounded(expected)
                compared += 1
    assert compared >= 4
