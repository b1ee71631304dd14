"""Fleets of randomly generated rules, compared with the interpreter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from ctypes import sizeof
from random import Random

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

from tests.following import Follower, follow  # noqa: E402
from tests.fuzz.work import TooMuchWork, bounded  # noqa: E402
from tests.playing import counted, random_game  # noqa: E402
from tests.test_made_up_rules import program  # noqa: E402
from zrf_py.envs import features  # noqa: E402
from zrf_py.envs.fleet import Fleet  # noqa: E402
from zrf_py.play.game import Game, load, loads  # noqa: E402
from zrf_py.text.diagnostics import ZrfError  # noqa: E402

WORK = 60_000
"""Maximum number of interpreter operations for one game; games that need more are left out."""
REFUSED = {"too-many-actions", "too-many-legs"}


def hold(seeds: range, check: Callable[[Game, int], object]) -> None:
    """Check the game of each seed; at most one in five may take too long or have too many legs or actions."""
    left = 0
    for seed in counted(seeds):
        try:
            with bounded(WORK):
                check(Game(program(seed)), seed)
        except TooMuchWork:
            left += 1
        except ZrfError as error:
            assert {problem.code for problem in error.diagnostics} <= REFUSED, error
            left += 1
    assert left <= len(seeds) / 5


def test_slots_of_any_rules_agree_with_the_interpreter() -> None:
    """The games have dice, teams, chains and repetition; observations have planes of attributes, counters, hands, turns
    and eliminated players."""
    hold(range(32), lambda game, seed: follow(game, 2, 12, seed))


ROYAL = """(game (title "Royal") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c/d" (40 0)) ("4/3/2/1" (0 40)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0) (ne 1 -1) (nw -1 -1))))
  (define step ($1 (verify not-friend?) add)) (define slide ($1 (while empty? add $1) (verify not-friend?) add))
  (piece (name King) (moves (step n) (step e) (step s) (step w)))
  (piece (name Rook) (moves (slide n) (slide e) (slide s) (slide w)))
  (piece (name Man) (moves (step ne) (step nw)))
  (board-setup (White (King a1) (Rook d1 d2) (Man b1)) (Black (King d4) (Rook a4 a3) (Man b4)))
  (loss-condition (White Black) (checkmated King)))"""


def test_slots_of_royal_men_of_many_types_agree_with_the_interpreter() -> None:
    """The squares of royal men, and of the men of each type, are stored in a slot and loaded again."""
    follow(loads(ROYAL), 2, 16, seed=3)


def put(game: Game, seed: int) -> None:
    """Put a position of a game played elsewhere into a slot; check that play goes on from it, with its history."""
    random = Random(seed)
    played = [position for position in random_game(game, 9, seed) if not position.outcome() and position.moves()]
    if not played:
        return
    position = random.choice(played)
    with Fleet(game, 3, seed=seed, max_plies=40) as fleet:
        fleet.put(1, position)
        follower = Follower(fleet, 1, seed)
        follower.state = position.state
        past = [before for before in (*position.earlier(), position.state) if before.chain is None]
        follower.seen = Counter(state.key() for state in past)
        mover = follower.rules.player_to_move(position.state)
        if fleet.player[1] < 0 or game.program.game.players[mover].kind != "player":
            return  # dice have been rolled in the meantime
        follower.check()
        np.testing.assert_array_equal(features(position), fleet.observation[1])
        kept = fleet.state()
        action = int(random.choice(fleet.legal[1][: fleet.count[1]]))
        fleet.step(np.where(np.arange(3) == 1, action, fleet.HOLD))
        shown = fleet.observation.copy()
        fleet.load(kept)
        follower.check()
        fleet.step(np.where(np.arange(3) == 1, action, fleet.HOLD))
        np.testing.assert_array_equal(fleet.observation, shown)


def test_a_slot_goes_on_from_a_position_of_any_rules() -> None:
    hold(range(32), put)


PASSING = """(version "zrf+") (game (title "Waiting") (players White ?Dice) (turn-order White ?Dice)
  (option "repetition" 50) (option "pass turn" true)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1" (0 9)))
  (directions (e 1 0)))) (piece (name Man) (moves (e (verify empty?) add)))
  (board-setup (White (Man b1)) (?Dice (Man a1))) (win-condition (White) (pieces-remaining 0)))"""


def test_repetitions_are_counted_throughout_a_game_with_dice() -> None:
    """Each step adds two positions, one for the dice and one for the player, up to `max_plies`."""
    game = loads(PASSING)
    with Fleet(game, 1, max_plies=12) as fleet:
        times = [fleet.times(0)]
        for _ in range(11):
            fleet.step(fleet.sample())
            times.append(fleet.times(0))
    assert times == [*range(1, 13)]


@pytest.mark.parametrize("autoreset", ["next", "same", "off"])
def test_the_memory_of_a_fleet_is_predicted(autoreset: str) -> None:
    """The sizes that are predicted, to check the memory or a state before it is loaded, equal those of the arrays."""
    shelf = [load(name) for name in ("tictactoe", "chess", "halma-2p")]
    for game in counted([*shelf, *(Game(program(seed)) for seed in (0, 6, 14, 18))]):
        with Fleet(game, 7, max_plies=50, autoreset=autoreset) as fleet:
            slots, sizes = fleet._slots, fleet._slots.engines[0].fleet
            used = {name: sizeof(memory) for name, memory in slots.memory.items() if name.startswith("slot_")}
            assert slots.sizes(sizes.room, sizes.words_room) == used
            assert used["slot_cell"] == (7 + 1) * len(game.program.game.board.places) * 4, "four bytes for each square"


@pytest.mark.parametrize("size", [1, 2, 50, 131])
def test_each_slot_is_played_once_whatever_the_number_of_threads(size: int) -> None:
    """Any number of threads, even more than slots, plays the same games, with a state saved and loaded halfway."""
    seen = []
    for threads in (1, 2, 3, 7):
        with Fleet("tictactoe", size, seed=3, threads=threads) as fleet:
            for _ in range(6):
                fleet.step(fleet.sample())
            fleet.load(fleet.state())
            for _ in range(6):
                fleet.step(fleet.sample())
            seen.append({name: array.tobytes() for name, array in fleet.state().items()})
    assert seen == seen[:1] * 4
