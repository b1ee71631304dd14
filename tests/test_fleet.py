"""Fleets, which play many games at once: comparison with the interpreter, arrays, errors."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

from tests.following import follow  # noqa: E402
from tests.playing import ROOT, RULES, UNNUMBERED, counted, games, slow  # noqa: E402
from zrf_py.envs.fleet import Fleet  # noqa: E402
from zrf_py.library import load_file, rules_files  # noqa: E402
from zrf_py.play.foreign import missing_rules  # noqa: E402
from zrf_py.play.game import Game, load, loads  # noqa: E402
from zrf_py.text.diagnostics import ZrfError  # noqa: E402

ENDED = {"tictactoe": 20, "connect-four": 3, "checkers": 0, "breakthrough": 0}


@pytest.mark.parametrize("name", ["tictactoe", "checkers", *slow(["connect-four", "breakthrough"])])
def test_a_fleet_agrees_with_the_interpreter(name: str) -> None:
    assert follow(load(name), 3, 100, seed=4) >= ENDED[name]


CORPUS = rules_files(Path(os.environ["ZRF_CORPUS"])) if os.environ.get("ZRF_CORPUS") else []
QUICK = {"dutch-halma", "peg-solitaire"}
SHELF = [pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else pytest.mark.slow)
         for path in sorted(RULES.rglob("*.zrf"))]


@pytest.mark.share(6)
@pytest.mark.parametrize("path", SHELF)
def test_every_game_of_the_shelf_agrees_with_the_interpreter(path: Path) -> None:
    """This compares legal actions, observations, rewards and ends of random games in every title of every file; the
    first title of a file is played longest, since the variants share its blocks."""
    for number, game in enumerate(counted(games(load_file(path)))):
        follow(game, 2, 15 if number else 60, seed=7)


@pytest.mark.slow
@pytest.mark.parametrize("path", CORPUS, ids=[path.stem for path in CORPUS])
def test_other_peoples_games_agree_with_the_interpreter(path: Path) -> None:
    """The first game of each file in `ZRF_CORPUS` is tested if it begins with a move; the games of `UNNUMBERED`, and
    those whose rules are in an engine DLL, are refused."""
    programs = load_file(path).programs
    if not programs or not programs[0].game.turns:
        pytest.skip("nobody can play a game of this file")
    game = Game(programs[0])
    if not game.start().moves():
        pytest.skip("the game begins without a move")
    if path.stem in UNNUMBERED:
        with pytest.raises(ZrfError, match="too many paths for its legs to be numbered"):
            Fleet(game, 2)
    elif missing_rules(game.program):
        with pytest.raises(ZrfError, match="its rules are in the engine DLL"):
            Fleet(game, 2)
    else:
        follow(game, 2, 40, seed=7)


SIDEWAYS = """(game (title "Sideways") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1/2/3/4" (0 -9)))
    (directions (n 0 1) (s 0 -1) (e 1 0) (w -1 0))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify empty?) (capture e) add) (n (verify empty?) (capture w) add)
    (n (verify empty?) add)))
  (board-setup (White (Man b1 a1 c1)) (Black (Man b4 a2 c2))) (loss-condition (White Black) stalemated))"""


def test_moves_with_different_captures_are_different_actions() -> None:
    game = loads(SIDEWAYS)
    assert [str(move) for move in game.start().moves() if "b1 - b2" in str(move)] == \
        ["Man b1 - b2 x c2", "Man b1 - b2 x a2", "Man b1 - b2"]
    follow(game, 4, 40, seed=1)
    with Fleet(game, 1) as fleet:
        legal = [fleet.action_text(int(action)) for action in fleet.legal[0, : fleet.count[0]]]
        assert [text for text in legal if text.startswith("b1-b2")] == ["b1-b2", "b1-b2 (2)", "b1-b2 (3)"]


LOTS = """(game (title "Lots") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("{files}" (9 0)) ("1/2/3" (0 -9)))
    (directions (n 0 1) (s 0 -1) (e 1 0))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves ((while (on-board? e) e (capture) mark (go from) n (verify empty?) add back))))
  (board-setup (White (Man x0-1)) (Black (Man x0-3))) (loss-condition (White Black) stalemated))"""
"""A man on the first file has one leg ahead for each of the other files; all these legs have the same name."""


def lots(files: int) -> Game:
    return loads(LOTS.format(files="/".join(f"x{number}-" for number in range(files))))


@pytest.mark.parametrize("files", [2, 3, 9, 60])
def test_legs_of_one_name_have_numbers_of_their_own(files: int) -> None:
    game = lots(files)
    assert len(game.start().moves()) == files - 1
    follow(game, 2, 4, seed=1)
    with Fleet(game, 1) as fleet:
        legal = [fleet.action_text(int(action)) for action in fleet.legal[0, : fleet.count[0]]]
        rest = [f"other {number + 1}" for number in range(files - 3)]
        assert legal == [*["x0-1-x0-2", "x0-1-x0-2 (2)"][: files - 1], *rest]


def test_excess_legs_of_one_name_are_reported() -> None:
    with pytest.raises(ZrfError, match="more legs share a name than there are action numbers"):
        Fleet(lots(90), 1)


# ------------------------------------------------------------------------------------------------------------- arrays


@pytest.mark.slow
def test_the_same_seed_plays_the_same_games_in_any_number_of_threads() -> None:
    seen = []
    for threads in (1, 2, 3, 50):
        with Fleet("connect-four", 50, seed=3, threads=threads) as fleet:
            for _ in range(100):
                fleet.step(fleet.sample())
            seen.append({name: array.tobytes() for name, array in fleet.state().items()})
    assert seen == seen[:1] * 4


def test_action_mask_and_row_offsets_agree_with_legal_actions() -> None:
    with Fleet("checkers", 20, seed=1) as fleet:
        for _ in range(30):
            fleet.step(fleet.sample())
        flat, starts = fleet.legal.ravel(), fleet.starts
        for slot in range(20):
            row = flat[starts[slot] : starts[slot] + fleet.count[slot]]
            assert sorted(row) == np.flatnonzero(fleet.mask[slot]).tolist()


def test_arrays_belong_to_the_fleet_and_are_reused() -> None:
    with Fleet("tictactoe", 4) as fleet:
        kept = fleet.observation
        before = kept.copy()
        fleet.step(fleet.sample())
        assert kept is fleet.observation and (kept != before).any()
        with pytest.raises(ValueError):
            kept[0] = 1


def test_room_for_legal_actions_grows() -> None:
    with Fleet("amazons", 2, seed=1) as fleet:
        assert fleet.count[0] == 80 and fleet.room >= 80, "four queens, each with twenty places to go"
        assert len(set(fleet.legal[0, :80].tolist())) == 80 and (fleet.legal[0, 80:] == -1).all()
        fleet.step(fleet.sample())


@pytest.mark.parametrize(("name", "shape"), [("connect-four", (6, 7)), ("xiangqi", (10, 9)), ("shogi", (9, 9))])
def test_image_observations_have_the_rows_and_columns_of_the_board(name: str, shape: tuple[int, int]) -> None:
    """The images are compared with the board as drawn in the terminal, which does not depend on observations."""
    from zrf_py.cli.draw import BoardView

    with Fleet(name, 1, seed=3) as fleet:
        for _ in range(9):
            fleet.step(fleet.sample())
        view, state = BoardView(fleet.game.program), fleet.position(0).state
        view.board(state)
        rows = sorted({line for line, _ in view.spots.values()})
        columns = sorted({column for _, column in view.spots.values()})
        drawn = {(rows.index(line), columns.index(column)): place for place, (line, column) in view.spots.items()}
        image = fleet.graph.image
        assert image is not None and image.shape == fleet.graph.rectangle == shape
        assert {at: int(place) for at, place in np.ndenumerate(image)} == drawn
        pieces = [i for i, plane in enumerate(fleet.planes) if plane.split()[0] in ("own", "other")
                  and plane.split()[1] != "hand"]
        seen = fleet.observation[0, pieces][:, image].any(axis=0)
        assert seen.shape == shape
        assert {at for at, there in np.ndenumerate(seen) if there} == {
            at for at, place in drawn.items() if state.owner[place] >= 0}


def test_a_star_board_has_no_image_observation() -> None:
    with Fleet("stern-2p", 1) as fleet:
        assert fleet.graph.image is None and fleet.graph.rectangle is None


def test_a_game_is_rewarded_once() -> None:
    with Fleet("tictactoe", 30, seed=1, autoreset="off") as fleet:
        total = np.zeros((30, 2), int)
        for _ in range(15):
            fleet.step(fleet.sample())
            total += fleet.reward
        assert fleet.done.all() and {-1, 1} == set(total.ravel().tolist()) - {0} and not total.sum(axis=1).any()


def test_last_observation_is_kept_if_the_next_game_begins_at_once() -> None:
    with Fleet("chess", 3, seed=2, max_plies=5, autoreset="same") as one, \
            Fleet("chess", 3, seed=2, max_plies=5, autoreset="off") as other:
        start = one.observation.copy()
        for _ in range(5):
            actions = one.sample()
            one.step(actions)
            other.step(actions)
        assert one.truncated.all() and other.truncated.all()
        assert (one.observation == start).all() and (one.final_observation == other.observation).all()
        assert one.final_observation.shape == start.shape and other.final_observation.size == 0


@pytest.mark.parametrize("rule", ["next", "same"])
def test_random_numbers_continue_from_game_to_game(rule: str) -> None:
    """The games of a slot depend on its own seed and not on other slots, and no game repeats the one before."""
    games: list[list[int]] = [[]]
    with Fleet("tictactoe", 4, seed=[7, 1, 9, 1], autoreset=rule) as one, \
            Fleet("tictactoe", 4, seed=[7, 2, 9, 2], autoreset=rule) as other:
        for _ in range(60):
            actions, others = one.sample(), other.sample()
            assert actions[::2].tolist() == others[::2].tolist()
            games[-1].append(int(actions[2]))
            one.step(actions)
            other.step(others)
            if one.done[2]:
                games.append([])
    assert len(games) > 5 and len(set(map(tuple, games[:-1]))) == len(games) - 1


def test_a_slot_without_an_action_stays_unchanged() -> None:
    with Fleet("tictactoe", 2, seed=1) as fleet:
        for _ in range(20):
            before = [array.copy() for array in (fleet.observation, fleet.legal, fleet.done, fleet.reward, fleet.ply)]
            actions = fleet.sample()
            actions[0] = fleet.HOLD
            fleet.step(actions)
            for array, held in zip((fleet.observation, fleet.legal, fleet.done, fleet.reward, fleet.ply), before,
                                   strict=True):
                assert (array[0] == held[0]).all()
        assert fleet.ply[0] == 0
        with pytest.raises(ZrfError, match="slot 0: action -3"):
            fleet.step(np.array([-3, fleet.HOLD]))


@pytest.mark.parametrize(("rule", "plies"), [("next", {0}), ("same", {0}), ("off", {9, 8, 7, 6, 5})])
def test_finished_games_restart_by_the_declared_rule(rule: str, plies: set[int]) -> None:
    with Fleet("tictactoe", 30, seed=1, autoreset=rule) as fleet:
        while not fleet.done.any():
            fleet.step(fleet.sample())
        ended = np.flatnonzero(fleet.done)
        assert fleet.reward[ended].any() and (fleet.ply[ended] == 0).all() == (rule == "same")
        if rule != "same":
            assert (fleet.count[ended] == 0).all()
            fleet.step(fleet.sample())
        assert set(fleet.ply[ended].tolist()) <= plies
        assert fleet.done[ended].all() == (rule != "next")


def test_long_games_are_truncated() -> None:
    with Fleet("chess", 3, seed=1, max_plies=5) as fleet:
        for ply in range(1, 6):
            fleet.step(fleet.sample())
            assert fleet.truncated.tolist() == [ply == 5] * 3
        fleet.step(fleet.sample())
        assert fleet.ply.tolist() == [0, 0, 0] and not fleet.truncated.any()


def test_load_resumes_from_a_state() -> None:
    with Fleet("connect-four", 5, seed=2) as fleet, Fleet("connect-four", 5, seed=9) as other:
        for _ in range(12):
            fleet.step(fleet.sample())
        other.load(fleet.state())
        for _ in range(30):
            assert (fleet.legal == other.legal).all() and (fleet.observation == other.observation).all()
            fleet.step(fleet.sample())
            other.step(other.sample())
        assert (fleet.ply == other.ply).all()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda fleet: pickle.loads(pickle.dumps(fleet))])
def test_a_copy_plays_on_independently(copied: Any) -> None:
    """`sample` draws the same actions in the copy; closing it leaves the first fleet open."""
    with Fleet(load("halma"), 3, seed=5, threads=2, max_plies=9, autoreset="same", observe=False) as fleet:
        for _ in range(4):
            fleet.step(fleet.sample())
        seen = []
        with copied(fleet) as other:
            assert other.autoreset == "same" and other.observation.shape == fleet.observation.shape
            for _ in range(12):
                other.step(other.sample())
                seen.append((other.legal.copy(), other.ply.tolist(), other.truncated.tolist()))
        for legal, ply, truncated in seen:
            fleet.step(fleet.sample())
            assert (fleet.legal == legal).all() and (fleet.ply.tolist(), fleet.truncated.tolist()) == (ply, truncated)
    with pytest.raises(ZrfError, match="the fleet is closed"):
        copied(fleet)


def test_a_position_is_loaded_into_a_slot_with_its_history() -> None:
    game = load("chess")
    position = game.start()
    shuffle = ["g1 f3", "g8 f6", "f3 g1", "f6 g8"]
    for move in shuffle * 2:
        assert position.outcome() is None
        position = position.play(move)
    assert position.outcome() is not None, "three times"
    before = position.previous
    assert before is not None
    with Fleet(game, 2, autoreset="off") as fleet:
        fleet.put(1, before)
        assert fleet.position(1).pieces() == before.pieces() and fleet.position(0).pieces() == game.start().pieces()
        move = fleet.action_number("f6-g8")
        fleet.step(np.array([fleet.legal[0, 0], move]))
        assert fleet.done.tolist() == [False, True] and fleet.reward[1].tolist() == [0, 0]


def test_actions_have_texts() -> None:
    with Fleet("chess", 1) as fleet:
        texts = [fleet.action_text(action) for action in range(fleet.action_count)]
        assert len(set(texts)) == len(texts)
        assert all(fleet.action_number(text) == action for action, text in enumerate(texts))
        assert {"e2-e4", "e7-e8=Queen", "e5-d6 (2)", "e1-g1"} <= set(texts)


def test_the_board_is_available_as_a_graph() -> None:
    with Fleet("chess", 1) as fleet:
        assert fleet.graph.rectangle == (8, 8)
        assert fleet.graph.edge_index.shape == (2, 420) and fleet.graph.edge_type.max() < len(fleet.graph.directions)


# ----------------------------------------------------------------------------------------------------------- refusals


def test_an_illegal_action_is_named_and_nothing_is_played() -> None:
    with Fleet("chess", 4, seed=1, threads=2) as fleet:
        before = fleet.state()
        actions = fleet.sample()
        actions[2] = fleet.action_number("e2-e5=Queen") if "e2-e5=Queen" in fleet.actions.numbers else 0
        with pytest.raises(ZrfError, match=r"slot 2: action \d+ \(`.*`\) is not legal; no move was played"):
            fleet.step(actions)
        after = fleet.state()
        changed = {name for name in before if not (before[name] == after[name]).all()}
        assert changed <= {"slot_action", "slot_chosen", "slot_words"}, "numbers at random were drawn by `sample`"
        actions[2] = fleet.legal[2, 0]
        fleet.step(actions)
        assert fleet.ply.tolist() == [1] * 4


@pytest.mark.parametrize(("actions", "said"), [
    (np.zeros(3, np.int32), r"shape \(3,\)"), (np.zeros(2), "float64"), (np.zeros((2, 1), np.int64), r"\(2, 1\)"),
    (np.array([True, False]), "bool"), (np.array([1 << 40, 0]), "not legal"), (np.array([-1, 0]), "not legal"),
])
def test_wrong_actions_are_refused(actions: np.ndarray, said: str) -> None:  # type: ignore[name-defined]
    with Fleet("tictactoe", 2) as fleet:
        with pytest.raises(ZrfError, match=said):
            fleet.step(actions)
        assert fleet.ply.tolist() == [0, 0]


@pytest.mark.parametrize(("options", "said"), [
    ({"size": 0}, "`size` can't be 0"), ({"size": 2, "threads": 0}, "`threads` can't be 0"),
    ({"size": 2.5}, "`size` can't be 2.5"),
    ({"size": True}, "`size` can't be True"), ({"size": 2, "seed": "x"}, "seed is 'x'"),
    ({"size": 2, "seed": [1, 2, 3]}, "seed is [1, 2, 3]"), ({"size": 2, "seed": [1, 2.5]}, "seed is [1, 2.5]"),
    ({"size": 2, "autoreset": "maybe"}, "`autoreset` can't be 'maybe'"),
    ({"size": 2, "autoreset": ["next"]}, "`autoreset` can't be ['next']"),
    ({"size": 2, "seed": np.array(0.5)}, "seed is"),
    ({"size": 2, "observe": float("nan")}, "`observe` can't be nan"),
    *slow([({"size": 1 << 24, "max_plies": 1 << 24}, "MiB")]),
])
def test_invalid_numbers_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(ZrfError, match=re.escape(said)):
        Fleet("chess" if said == "MiB" else "tictactoe", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("ask", "said"), [
    (lambda fleet: fleet.action_text(9), "`action` can't be 9"),
    (lambda fleet: fleet.action_text(-1), "`action` can't be -1"),
    (lambda fleet: fleet.action_text("a1"), "`action` can't be 'a1'"),
    (lambda fleet: fleet.action_number("x9"), "`x9` is no"), (lambda fleet: fleet.action_number(["a1"]), "is no"),
    (lambda fleet: fleet.cut_off(2), "`slots` can't be 2"),
    (lambda fleet: fleet.cut_off([0, 1 << 80]), "`slots` can't be"),
    (lambda fleet: fleet.cut_off("a"), "`slots` can't be 'a'"),
    (lambda fleet: fleet.position(2), "`slot` can't be 2"), (lambda fleet: fleet.times(-1), "`slot` can't be -1"),
    (lambda fleet: fleet.put(2, fleet.position(0)), "`slot` can't be 2"),
    (lambda fleet: fleet.put(0, "x"), "position is 'x'"),
    (lambda fleet: fleet.put(0, load("chess").start()), "to Chess, not to this fleet's game"),
    (lambda fleet: fleet.reset(0.5), "seed is 0.5"), (lambda fleet: fleet.load({}), "not the state of a fleet"),
    (lambda fleet: fleet.load(5), "not the state of a fleet"),
    (lambda fleet: fleet.load({**fleet.state(), "room": np.array([1 << 40, 1])}), "different kind of fleet"),
    (lambda fleet: fleet.load({**fleet.state(), "room": np.array(3)}), "different kind of fleet"),
    (lambda fleet: fleet.load({**fleet.state(), "slot_cell": np.zeros(2)}), "different kind of fleet"),
    (lambda fleet: fleet.load({k: v for k, v in fleet.state().items() if k != "slot_ply"}), "different kind of fleet"),
])
def test_invalid_queries_are_refused(ask, said: str) -> None:  # type: ignore[no-untyped-def]
    with Fleet("tictactoe", 2, seed=1) as fleet:
        before = fleet.state()
        with pytest.raises(ZrfError, match=re.escape(said)):
            ask(fleet)
        assert all((before[name] == array).all() for name, array in fleet.state().items())
        fleet.step(fleet.sample())


@pytest.mark.parametrize("other", [
    {"game": "connect-four"}, {"size": 3}, {"max_plies": 9}, {"observe": False},
])
def test_the_state_of_another_fleet_is_refused(other: dict[str, Any]) -> None:
    strange = Fleet(**{"game": "tictactoe", "size": 2, **other})
    with Fleet("tictactoe", 2) as fleet, pytest.raises(ZrfError, match="different kind of fleet"):
        fleet.load(strange.state())


STILL = """(game (title "Still") (players White Black) (turn-order {turns})
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1/2" (0 -9))) (directions (n 0 1))))
  (piece (name Stone) {moves}) (board-setup (White (Stone a1)) (Black (Stone b1))))"""


def test_unplayable_games_are_refused_before_the_start() -> None:
    with pytest.raises(ZrfError, match="Still has no moves"):
        Fleet(loads(STILL.format(turns="White Black", moves="")), 2)
    with pytest.raises(ZrfError, match=r"Still has no moves: its rules are in the engine DLL far\.dll"):
        Fleet(loads(STILL.format(turns="White Black", moves="").replace(
            "(players", '(engine "far.dll") (option "pass turn" true) (players')), 2)
    with pytest.raises(ZrfError, match="in Still, no player moves"):
        Fleet(loads(STILL.replace("White Black)", "?White ?Black)", 1).replace("(White", "(?White").replace(
            "(Black", "(?Black").format(turns="?White ?Black", moves="(moves (n add))")), 2)
    with pytest.raises(ZrfError, match="the game is 5"):
        Fleet(5, 2)  # type: ignore[arg-type]


def test_players_without_turns_have_no_seat() -> None:
    with Fleet(loads(STILL.format(turns="White", moves="(moves (n add))")), 2) as fleet:
        assert fleet.players == ("White",) and fleet.reward.shape == (2, 1)
        assert fleet.observation[0].sum(), "his men are there all the same"


def test_without_llvmlite_the_error_has_the_install_command() -> None:
    script = """import sys; sys.modules['llvmlite'] = None
try:
    from zrf_py.envs import Fleet
except Exception as error:
    print(type(error).__name__, error.diagnostics[0].code, error.diagnostics[0].help)"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "ZrfError no-native-engine a fleet requires the native engine: `pip install llvmlite`\n"


def test_each_slot_may_have_a_seed_of_its_own() -> None:
    with Fleet("connect-four", 3, seed=[1, 2, 3]) as fleet:
        first = [fleet.sample().tolist() for _ in range(20)]
        fleet.reset([1, 2, 9])
        second = [fleet.sample().tolist() for _ in range(20)]
    assert [row[:2] for row in first] == [row[:2] for row in second] and first != second


def test_a_closed_fleet_stays_closed() -> None:
    fleet = Fleet("tictactoe", 2)
    kept = fleet.legal
    fleet.close()
    fleet.close()
    with pytest.raises(ZrfError, match="closed"):
        fleet.sample()
    assert kept.shape == (2, kept.shape[1])


@pytest.mark.parametrize("call", [
    lambda fleet: fleet.step(np.zeros(2, np.int32)), lambda fleet: fleet.reset(1), lambda fleet: fleet.position(0),
    lambda fleet: fleet.state(), lambda fleet: fleet.times(0), lambda fleet: fleet.legal, lambda fleet: fleet.mask,
    lambda fleet: fleet.room, lambda fleet: fleet.starts, lambda fleet: fleet.put(0, load("tictactoe").start()),
])
def test_every_call_of_a_closed_fleet_raises_an_error(call) -> None:  # type: ignore[no-untyped-def]
    fleet = Fleet("tictactoe", 2)
    fleet.close()
    with pytest.raises(ZrfError, match="closed"):
        call(fleet)


def test_a_missing_game_is_reported_by_its_name() -> None:
    with pytest.raises(ZrfError, match="tictactow"):
        Fleet("tictactow", 2)


@pytest.mark.slow
def test_ctrl_c_closes_the_fleet() -> None:
    with pytest.raises(KeyboardInterrupt), Fleet("tictactoe", 2000, seed=1, threads=2) as fleet:
        threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
        while True:
            fleet.step(fleet.sample())
    with pytest.raises(ZrfError, match="closed"):
        fleet.sample()


@pytest.mark.slow
def test_an_interrupt_leaves_no_step_unfinished() -> None:
    with Fleet("chess", 3000, seed=1, threads=2, autoreset="off", observe=False) as fleet:
        for _ in range(3):
            timer = threading.Timer(0.05, signal.raise_signal, (signal.SIGINT,))
            with pytest.raises(KeyboardInterrupt):
                timer.start()
                while True:
                    fleet.step(fleet.sample())
            going_on = fleet.ply[~fleet.done]
            assert len(going_on) and (going_on == going_on.max()).all()
            fleet.step(fleet.sample())


def crews() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("fleet ")]


@pytest.mark.slow
@pytest.mark.parametrize("let_go", [lambda fleet: fleet.close(), lambda fleet: None])
def test_threads_end_with_their_fleet(let_go) -> None:  # type: ignore[no-untyped-def]
    fleet = Fleet("tictactoe", 100, threads=4)
    fleet.step(fleet.sample())
    threads = crews()
    assert len(threads) == 3
    let_go(fleet)
    del fleet
    gc.collect()
    for thread in threads:
        thread.join()
    assert not crews()


def test_idle_threads_sleep() -> None:
    with Fleet("tictactoe", 100, threads=3) as fleet:
        for _ in range(3):
            fleet.step(fleet.sample())
            began = time.process_time()
            time.sleep(0.5)
            assert time.process_time() - began < 0.4, "watching would take two processors"
        fleet.step(fleet.sample())


def held() -> int:
    """Return the resident memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system doesn't say how much memory is held")
def test_memory_stays_constant_over_a_million_steps_and_many_fleets() -> None:
    def play(calls: int) -> None:
        for _ in range(calls):
            fleet.step(fleet.sample())

    with Fleet("connect-four", 1000, seed=1) as fleet:
        play(100)
        before = held()
        play(1000)
        assert held() - before < 4 << 20
        each = sum(len(memoryview(array).cast("B")) for array in fleet.state().values())
    sizes = []
    for _ in range(2):
        for _ in range(20):
            with Fleet("connect-four", 1000, seed=1) as fleet:
                play(1)
        gc.collect()
        sizes.append(held())
    assert sizes[1] - sizes[0] < 4 * each


def test_a_saved_state_does_not_change_when_the_fleet_goes_on() -> None:
    with Fleet("tictactoe", 2, seed=1) as fleet:
        state = fleet.state()
        bytes_before = {name: array.tobytes() for name, array in state.items()}
        fleet.step(fleet.sample())
        assert {name: array.tobytes() for name, array in state.items()} == bytes_before
        assert {name: array.tobytes() for name, array in fleet.state().items()} != bytes_before
