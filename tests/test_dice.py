"""Dice in ZRF+: rolls are moves that move no man, and are the same on every engine and in every record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from tests.engines import OTHERS, Make, played
from tests.exporting import follow as follow_page
from tests.exporting import measured_once, paged
from tests.following import follow as follow_fleet
from tests.playing import random_game, slow
from zrf_py.batch.games import play
from zrf_py.batch.jobs import seeded
from zrf_py.batch.judge.notes import Notes
from zrf_py.native import Native
from zrf_py.native.agree import Disagreement, agree
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game, loads
from zrf_py.play.replay import replay
from zrf_py.play.zsg import read_game, record, write_game
from zrf_py.run.playouts import one_by_one, playouts
from zrf_py.run.position import Move, Position
from zrf_py.view.describe import legs

RACE = """(version "zrf+")
(define face ((set-counter $1 $2) add-pass))
(define by ((verify (equal? (counter $1) 1)) $2 (verify not-friend?) add)
  ((verify (equal? (counter $1) 2)) $2 $2 (verify not-friend?) add)
  ((verify (equal? (counter $1) 3)) $2 $2 $2 (verify not-friend?) add))
(game (title "Race") (players White Black ?Dice) (counter one) (counter two)
  (turn-order (?Dice first) (?Dice second) White (?Dice first) (?Dice second) Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g/h/i/j" (9 0)) ("1/2" (0 9)))
    (directions (e 1 0) (w -1 0))) (symmetry Black (e w) (w e)))
  (piece (name Man) (moves (by one e) (by two e)))
  (piece (name Dice) (moves (move-type first) (face one 1) (face one 2) (face one 3)
                            (move-type second) (face two 1) (face two 2) (face two 3)))
  (board-setup (White (Man a1 b1)) (Black (Man j1 i1)) (?Dice (Dice e2)))
  (option "pass turn" forced)
  (win-condition (White) (absolute-config Man (j1))) (win-condition (Black) (absolute-config Man (a1))))
"""
ROLLS = [f"# {die} {face}" for die in ("one", "two") for face in (1, 2, 3)]
BIDS = """(version "zrf+") (game (title "Bids") (players White Black) (turn-order White Black) (counter bid each)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1/2" (0 9))) (directions (e 1 0) (n 0 -1))))
  (piece (name Man) (attribute lit? false) (moves (e (verify empty?) add)
    ((verify (less? (counter bid) 3)) (add-to-counter bid 1) add-pass (set-counter bid (sum (counter bid) 2)) add-pass)
    (n (verify enemy?) capture add-pass) (n (verify empty?) (create Man) (set-attribute lit? true) add-pass add)))
  (board-setup (White (Man a2 b2)) (Black (Man a1))) (loss-condition (White Black) stalemated))"""
"""Men that bid, shoot and create men without moving; in one position, men on several squares can do so."""


@pytest.mark.parametrize("make", OTHERS)
@pytest.mark.parametrize("rules", [RACE, BIDS], ids=["race", "bids"])
def test_engines_agree_on_a_random_game(rules: str, make: Make) -> None:
    program = loads(rules).program
    for seed in range(3):
        engine = make(program)
        found = agree(program, seed, 80, engine)
        assert not isinstance(found, Disagreement), str(found)
        assert found > 2 and played(engine), "the interpreter was compared with itself"


@pytest.mark.parametrize("rules", [*slow([RACE]), BIDS], ids=["race", "bids"])
def test_a_fleet_agrees_with_the_interpreter(rules: str) -> None:
    follow_fleet(loads(rules), 3, 60, seed=4)


@pytest.mark.parametrize("rules", slow([RACE, BIDS]))
def test_a_page_plays_dice_games_like_python(rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured_once(monkeypatch)
    game = loads(rules)
    with paged(game, tmp_path) as page:
        follow_page(page, game, 40, seed=2)


@pytest.mark.parametrize("rules", [RACE, BIDS], ids=["race", "bids"])
def test_random_games_replay_from_their_text(rules: str) -> None:
    game, rolls = loads(rules), set[str]()
    for seed in range(5):
        *_, last = random_game(game, 120, seed)
        text = write_game(record(last, "made.zrf", "HHH"))
        rolls |= {line.split(". ", 1)[1] for line in text.splitlines() if ". # " in line}
        again = replay(game, read_game(text))
        assert again.stop is None and again.position.text == last.text
    assert rules is not RACE or rolls == set(ROLLS)


def test_every_face_is_a_move_with_a_short_name_and_a_button() -> None:
    position = loads(RACE).start()
    assert [str(move) for move in position.moves()] == ROLLS[:3]
    assert [leg[:5] for leg in legs(position)] == [[f"# one {n}", -1, -1, -1, f"one={n}"] for n in (1, 2, 3)]
    assert position.play("one=2").play("two=2").moves()[0].text == "Man a1 - c1"


def test_the_judge_attributes_rolls_to_the_die() -> None:
    program = loads(RACE).program
    engine, rolls = make_engine(program, "auto"), 0
    notes = Notes(program, engine.start())

    def watch(before: Position, moves: Sequence[Move], move: Move, after: Position) -> None:
        nonlocal rolls
        rolls += program.game.turns[before.turn].mover == 2
        notes.watch(before, moves, move, after)

    found = notes.result(play(engine, engine.start(), {}, seeded(3), 20, watch))
    assert dict(found["moved"])[1] == rolls > 10


WALK = """(version "zrf+") (game (title "Walk") (players White Black ?Dice) OPTION
  (turn-order TURNS) (counter die)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1/2/3" (0 9))) (directions (e 1 0) (w -1 0))))
  (piece (name Man) (moves (e add) (w add)))
  (piece (name Die) (moves ((set-counter die 1) add-pass)))
  (board-setup (White (Man a1)) (Black (Man a2)) (?Dice (Die a3))) ENDS)"""
"""Nobody has a choice: without dice, the start position recurs after four turns."""


def walk(turns: str, times: object = None, ends: str = "") -> Game:
    option = "" if times is None else f'(option "repetition" {times})'
    return loads(WALK.replace("TURNS", turns).replace("OPTION", option).replace("ENDS", ends))


MEN, DICE = "White Black", "White Black ?Dice"
ENDS_AFTER = [
    (MEN, None, "", 8), (MEN, 2, "", 4), (MEN, 5, "", 16), (MEN, 100, "", 396), (MEN, "none", "", None),
    (DICE, None, "", None), (DICE, 3, "", 15), (DICE, None, "(draw-condition (White) repetition)", 15),
    (MEN, 4, "(loss-condition (White Black) repetition)", 12),
]
"""Turn order, `repetition` option, end conditions, and length of the game in moves (None: endless). Positions recur
after four moves, or six with dice; those before the first roll, with another counter, do not recur."""


@pytest.mark.parametrize(("turns", "times", "ends", "length"), ENDS_AFTER)
def test_repetition_ends_the_game_after_the_given_number(
    turns: str, times: object, ends: str, length: int | None,
) -> None:
    game = walk(turns, times, ends)
    lengths = [len(list(random_game(game, 420, seed))) - 1 for seed in (1, 2)]
    wanted = 420 if length is None else length
    assert lengths == [wanted] * 2
    for found in (playouts(Native(game.program), 3, 1, 420), one_by_one(game.rules, 3, 1, 420, game.rules.start())):
        assert (found.plies, found.cut_off) == (3 * wanted, 3 * (length is None))
        assert (found.drawn == 3) == (length is not None and "loss" not in ends) or length is None
    if length is not None:
        assert follow_fleet(game, 2, length + 1, seed=2) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("turns", "times", "ends", "length"), [row for row in ENDS_AFTER if row[1] != 100])
def test_repetition_ends_the_game_in_a_page(
    turns: str, times: object, ends: str, length: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured_once(monkeypatch)
    game = walk(turns, times, ends)
    with paged(game, tmp_path) as page:
        follow_page(page, game, 20, seed=2)


HOMEWARD = """(version "zrf+")
(define step ($1 (verify empty?) add))
(game (title "Homeward") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (e 1 0)))
    (zone (name far-goal) (players White) (positions b2 c2)) (zone (name far-goal) (players Black) (positions b1 c1)))
  (piece (name Man) (moves (step e)))
  (board-setup (White (Man a2 b2)) (Black (Man a1)))
  (win-condition (White Black) {end}))
"""


@pytest.mark.parametrize(("end", "words"), slow([
    ("(equal? (count friend far-goal) 2)", "White won (all two pieces are home)"),
    ("(greater? (count friend far-goal) 0)", "White won (one piece in the goal)"),
    ("(equal? (count nobody far-goal) 0)", "White won (the goal is reached)"),
    ("(equal? (sum (count friend far-goal) 1) 3)", "White won (by the rules of the game)")]))
def test_end_by_men_at_home_is_described_without_names_of_zones(
    end: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured_once(monkeypatch)
    game = loads(HOMEWARD.format(end=end))
    with paged(game, tmp_path) as page:
        follow_page(page, game, 10, seed=1)
    assert str([*random_game(game, 10, 1)][-1].outcome()) == words
