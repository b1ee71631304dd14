"""Adapters, checked by the standard tests of PettingZoo, Gymnasium and OpenSpiel."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
pytest.importorskip("llvmlite")

from tests import small_spiel  # noqa: E402
from tests.playing import HANG, ROOT, UNNUMBERED, counted  # noqa: E402
from tests.small_games import MARCH  # noqa: E402
from zrf_py.envs.arguments import playable  # noqa: E402
from zrf_py.library import load_file, rules_files, shelf  # noqa: E402
from zrf_py.play.game import Game, load, loads  # noqa: E402
from zrf_py.text.diagnostics import ZrfError  # noqa: E402

FAST = ["tictactoe", "connect-four"]
CORPUS = rules_files(Path(os.environ["ZRF_CORPUS"])) if os.environ.get("ZRF_CORPUS") else []
OTHERS = sorted(set(shelf()) - set(FAST))


@pytest.fixture(autouse=True)
def other_peoples_warnings() -> Iterator[None]:
    """Ignore warnings, since PettingZoo, Gymnasium and OpenSpiel warn about their own code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(autouse=True)
def stand_in() -> Iterator[None]:
    """Remove the stand-in for OpenSpiel after a test, and the adapter that has imported it."""
    yield
    if sys.modules.get("pyspiel") is small_spiel:
        del sys.modules["pyspiel"]
        sys.modules.pop("zrf_py.envs.openspiel", None)


def spiel() -> Any:
    """Return OpenSpiel or, where it isn't installed, a stand-in for as much of it as these tests need."""
    try:
        import pyspiel
    except ImportError:
        sys.modules["pyspiel"] = pyspiel = small_spiel
    return pyspiel


def check_pettingzoo(name: Game | str, plies: int) -> None:
    from pettingzoo.test import api_test, seed_test

    from zrf_py.envs import aec

    api_test(aec.env(name, max_plies=plies), num_cycles=plies, verbose_progress=False)
    seed_test(lambda: aec.env(name, max_plies=plies), num_cycles=plies)


def check_gymnasium(game: Game | str, plies: int) -> None:
    from gymnasium.utils.env_checker import check_env

    import zrf_py.envs.gym

    assert zrf_py.envs.gym
    name = game.replace("/", "-") if isinstance(game, str) else "tictactoe"
    for space in ("zrf", "zrf-selfplay"):
        known = f"{space}/{name}-v0"
        check_env(gymnasium.make(known, game=game, max_plies=plies).unwrapped, skip_render_check=True)
        vector = gymnasium.make_vec(known, 4, game=game, max_plies=plies)
        assert vector.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
        seen, _ = vector.reset(seed=1)
        for _ in range(2 * plies):
            assert vector.observation_space.contains(seen)
            seen, reward, done, cut, info = vector.step(first_legal(seen))
            assert reward.shape == done.shape == cut.shape == (4,)
            assert (space == "zrf") != ("player" in info)
        vector.close()


def first_legal(seen):  # type: ignore[no-untyped-def]
    """Return the first legal action of each game, or 0 if there is none."""
    return seen["action_mask"].argmax(axis=-1)


def check_openspiel(name: Game | str, plies: int) -> None:
    pyspiel = spiel()

    from zrf_py.envs.openspiel import register

    game = pyspiel.load_game(register(name, max_plies=plies))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


Check = Callable[[Game | str, int], None]
CHECKS: list[Check] = [check_pettingzoo, check_gymnasium, check_openspiel]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", FAST)
def test_adapters_pass_the_standard_tests(check: Check, name: str) -> None:
    check(name, 60)


@pytest.mark.parametrize("name", ["tictactoe", "chess", "cat-and-mouse"])
def test_nodes_of_openspiel_follow_the_game(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Empty classes stand in for those of OpenSpiel, which few machines have; the adapter's own nodes are tested."""
    empty: Any = ModuleType("pyspiel")
    empty.State = empty.Game = type("Empty", (), {})
    monkeypatch.setitem(sys.modules, "pyspiel", empty)
    spec = spec_from_file_location("adapter", ROOT / "zrf_py" / "envs" / "openspiel.py")
    assert spec and spec.loader
    adapter = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "adapter", adapter)
    spec.loader.exec_module(adapter)
    opened, actions, planes = playable(name, None)
    node = adapter.SharedRules(name, opened, actions, planes, 1000, "").start
    position, draw, keys = opened.start(), Random(5), Counter[object]()
    for ply in counted(range(40)):
        keys[position.state.key()] += 1
        assert node.position.key() == position.state.key() and node.plies == ply
        assert bool(node.outcome) == bool(position.outcome())
        if planes.repeats:
            assert node.times == keys[position.state.key()]
        if node.outcome:
            break
        legal = [move for moves in node.moves.values() for move in moves]
        assert sorted(map(repr, legal)) == sorted(repr(move.raw) for move in position.moves())
        moves = position.moves()
        back = [move for move in moves if keys[position.play(move).state.key()]] if planes.repeats else []
        move = draw.choice(back or moves)
        node, position = node.after(move.raw, 1), position.play(move)


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", OTHERS)
def test_adapters_of_the_whole_shelf_pass_the_standard_tests(check: Check, name: str) -> None:
    check(name, 25)


PAGE = (ROOT / "zrf_py" / "envs" / "README.md").read_text("utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_examples_of_the_page_run(number: int) -> None:
    if "pyspiel" in SNIPPETS[number]:
        pytest.importorskip("pyspiel")
    exec(compile(SNIPPETS[number], f"README.md, snippet {number}", "exec"), {})


def test_a_computer_player_takes_the_other_seat() -> None:
    from zrf_py.envs.gym import Env

    env = Env("tictactoe", opponent="greedy", seat=1)
    seen, _ = env.reset(seed=3)
    assert seen["observation"][1].sum() == 1, "the other has moved first"
    done = False
    while not done:
        seen, reward, done, cut, info = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        assert not cut and not info
    assert reward in (-1.0, 0.0, 1.0)
    assert env.step(0)[1:] == (0.0, True, False, {}), "rewards come once"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copied_environment_plays_on_independently(copied: Any) -> None:
    """Searches and pools of actors copy environments; the original and the copy draw the same random numbers for their
    opponents."""
    import zrf_py.envs.gym
    from zrf_py.envs import aec

    assert zrf_py.envs.gym

    for env in (gymnasium.make("zrf/connect-four-v0", opponent="greedy"),
                gymnasium.make_vec("zrf/connect-four-v0", num_envs=3, opponent="random", seat=1)):
        env.reset(seed=3)
        ends: list[list[Any]] = [[], []]
        for played, side in zip(ends, (copied(env), env), strict=True):
            action = np.zeros_like(side.action_space.sample())
            for column in (2, 3, 4):
                played += [part.tolist() for part in side.step(action + column)[0].values()]
            side.close()
        assert ends[0] == ends[1]
    one = aec.env("tictactoe")
    one.reset(seed=1)
    one.step(4)
    other = copied(one)
    other.step(0)
    assert (other.agent_selection, one.agent_selection) == ("X", "O") and one.observe("O")["action_mask"][0] == 1


@pytest.mark.parametrize("action", [99, -1, 4, None, "x", 1.5, [0]])
def test_every_adapter_names_an_invalid_action(action: object) -> None:
    from zrf_py.envs import aec
    from zrf_py.envs.gym import Env

    env = aec.env("tictactoe")
    env.reset(seed=1)
    env.step(4)
    with pytest.raises(ZrfError, match=re.escape(f"action {action!r}")):
        env.step(action)
    env.step(0)
    alone = Env("tictactoe")
    alone.reset(seed=1)
    if isinstance(action, int):
        assert alone.step(99)[4] == {"illegal": True}
    else:
        with pytest.raises(ZrfError, match=re.escape(f"action {action!r}")):
            alone.step(action)


def test_openspiel_games_and_states_are_pickled() -> None:
    """Pools of actors send them to processes that have not registered the game."""
    pyspiel = pytest.importorskip("pyspiel")

    from zrf_py.envs.openspiel import register

    game = pyspiel.load_game(register("tictactoe", max_plies=7))
    state = game.new_initial_state()
    state.apply_action(4)
    code = ("import pickle, sys; game, state = pickle.load(sys.stdin.buffer); state.apply_action(0); "
            "print(game.max_game_length(), state.legal_actions(), state.get_game().get_type().short_name)")
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps((game, state)), stdout=-1, check=True)
    assert done.stdout.decode().split(" ", 1) == ["7", f"[1, 2, 3, 5, 6, 7, 8] {game.get_type().short_name}\n"]
    assert pickle.loads(pickle.dumps(state)).legal_actions() == state.legal_actions()


def test_openspiel_names_an_illegal_action() -> None:
    pyspiel = spiel()

    from zrf_py.envs.openspiel import register

    state = pyspiel.load_game(register("tictactoe")).new_initial_state()
    state.apply_action(4)
    for action in (4, 99):
        with pytest.raises(ZrfError, match=f"action {action}"):
            state.apply_action(action)


def test_unsupported_adapter_features_are_refused() -> None:
    from zrf_py.envs import aec
    from zrf_py.envs.gym import Env, VectorEnv

    for make in (lambda: aec.env("tictactoe", render_mode="human"), lambda: Env("tictactoe", seat=2),
                 lambda: Env("tictactoe", opponent="nobody"), lambda: VectorEnv("tictactoe", 0),
                 lambda: VectorEnv("tictactoe", 2).reset(seed=[1]), lambda: aec.raw_env("tictactoe").observe("nobody"),
                 lambda: aec.raw_env("tictactoe").action_space("nobody"), lambda: Env("tictactoe", opponent=7),
                 lambda: aec.raw_env("tictactoe").observation_space(["X"]),
                 lambda: Env("tictactoe", render_mode=["ansi"]),
                 lambda: VectorEnv("tictactoe", 2, autoreset_mode=["next"])):
        with pytest.raises(ZrfError):
            make()
    for opponent in ("human", "humann"):
        with pytest.raises(ZrfError, match=r"help: choose random, greedy or ai:1 to ai:10"):
            Env("tictactoe", opponent=opponent)
    with pytest.raises(ZrfError, match="`num_envs` can't be 0"):
        VectorEnv("tictactoe", 0)
    env = Env("tictactoe")
    env.close()
    with pytest.raises(ZrfError, match="closed"):
        env.step(0)


def test_dice_are_chance_nodes() -> None:
    pyspiel = spiel()

    from zrf_py.envs.openspiel import register

    game = pyspiel.load_game(register("cat-and-mouse", "Cat and Mouse, Mice at Random", max_plies=20))
    state = game.new_initial_state()
    chances = 0
    for _ in range(12):
        if state.is_chance_node():
            chances += 1
            outcomes = state.chance_outcomes()
            assert sum(p for _, p in outcomes) == pytest.approx(1.0)
            state.apply_action(outcomes[0][0])
        else:
            state.apply_action(state.legal_actions()[0])
    assert chances


LOADED = """(game (title "Loaded Die") (players A ?Dice) (turn-order A ?Dice)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("1/2" (0 9))) (directions (e 1 0) (w -1 0))))
  (piece (name Man) (moves (e add))) (piece (name Die) (moves (e add) (e add) (e add) (w add)))
  (board-setup (A (Man a1)) (?Dice (Die b2))))"""


def test_chance_outcomes_are_as_likely_as_in_random_games() -> None:
    """Three of the four blocks of the die write the same move: it comes up three times in four."""
    pyspiel = spiel()

    from zrf_py.envs import Fleet
    from zrf_py.envs.openspiel import register

    game = loads(LOADED)
    state = pyspiel.load_game(register(game)).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    outcomes = {state.node.moves[action][0].end: share for action, share in state.chance_outcomes()}
    names = [place.name for place in game.program.game.board.places]
    assert {names[end]: share for end, share in outcomes.items()} == {"c2": 0.75, "a2": 0.25}
    rolls = Counter(game.start().play(0).playout(seed, 1).move.end for seed in range(2000))
    assert rolls["c2"] / 2000 == pytest.approx(0.75, abs=0.05)
    with Fleet(game, 2000, seed=1, autoreset="off") as fleet:
        fleet.step(fleet.legal[:, 0])
        ends = Counter("c2" in fleet.position(slot).pieces() for slot in range(2000))
    assert ends[True] / 2000 == pytest.approx(0.75, abs=0.05)


def test_playthrough_matches_the_golden_file() -> None:
    """A playthrough contains all that OpenSpiel queries of a game and its states; OpenSpiel's own
    `generate_playthrough` writes it."""
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    from zrf_py.envs.openspiel import register

    told = playthrough(register("tictactoe"), [4, 0, 2, 6, 3, 5, 1, 7, 8])
    told = re.sub(r"(zrf_tic_tac_toe)_[0-9a-f]{8}", r"\1", told)
    assert told == (ROOT / "tests" / "golden" / "playthrough.txt").read_text("utf-8")


# ---------------------------------------------------------------------------- OpenSpiel: utilities, names and states

def test_a_game_that_no_rule_ends_has_a_range_of_utilities() -> None:
    pyspiel = spiel()

    from zrf_py.envs.openspiel import register

    rules = MARCH.format(ends="").replace("(win-condition (White) (absolute-config Man (a4)))", "")
    game = pyspiel.load_game(register(loads(rules), max_plies=20))
    assert game.min_utility() <= 0 <= game.max_utility()
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_different_games_with_one_title_are_different_in_openspiel() -> None:
    pyspiel = spiel()

    from zrf_py.envs.openspiel import register

    text = (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8")
    one, other = loads(text), loads(text.replace("(win-condition", "(loss-condition"))
    names = register(one), register(other)
    assert one.title == other.title and len(set(names)) == 2
    assert register(loads(text)) == names[0], "the same rules are the same game"
    assert register("halma") != register("halma-2p")
    returns = []
    for name in names:
        state = pyspiel.load_game(name).new_initial_state()
        for text in ("Disc@a1", "Disc@b1", "Disc@a2", "Disc@b2", "Disc@a3"):
            state.apply_action(state.string_to_action(text.replace("Disc", one.program.game.pieces[0].name)))
        returns.append(state.returns())
    assert returns == [[1.0, -1.0], [-1.0, 1.0]]


@pytest.mark.parametrize(("ends", "utilities"), [
    ("", {0}),
    ("(loss-condition (White Black) stalemated)", {0}),
    ("(count-condition stalemated)", {0}),
    ("(loss-condition (?Grey) stalemated)", {0, 2}),
    ("(win-condition (?Grey) (absolute-config Man (c1)))", {-2, 0}),
])
def test_openspiel_utilities_follow_the_end_conditions(ends: str, utilities: set[int]) -> None:
    pyspiel = spiel()

    from zrf_py.envs.openspiel import register

    rules = MARCH.format(ends=ends).replace("(players White Black)", "(players White Black ?Grey)")
    game = pyspiel.load_game(register(loads(rules)))
    is_zero = utilities == {0}
    assert (game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM) == is_zero
    assert game.utility_sum() == (0.0 if is_zero else None)
    assert (game.min_utility(), game.max_utility()) == (-1.0, 1.0)
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)


def test_states_with_equal_texts_have_equal_actions() -> None:
    """Tabular policies, as in CFR, use a state's text as its key. Here states differ by a roll or by a repetition."""
    pyspiel = spiel()

    from zrf_py.envs.openspiel import register

    state = pyspiel.load_game(register("grammar/cookbook/dice.zrf")).new_initial_state()
    rolled = [state.child(action) for action in state.legal_actions()]
    assert len({str(other) for other in rolled}) == len({tuple(other.legal_actions()) for other in rolled}) == 4
    assert [other.information_state_string() for other in rolled] == [str(other) for other in rolled]
    state = pyspiel.load_game(register("chess")).new_initial_state()
    texts = [str(state)]
    for text in ("g1-f3", "g8-f6", "f3-g1", "f6-g8") * 2:
        state.apply_action(state.string_to_action(text))
        texts.append(str(state))
    assert state.is_terminal() and texts[8] == f"{texts[4].removesuffix(' | times 2')} | times 3"


def test_a_clone_shares_its_history_and_plays_on_independently() -> None:
    pyspiel = spiel()

    from zrf_py.envs.openspiel import register

    state = pyspiel.load_game(register("chess")).new_initial_state()
    for _ in range(6):
        state.apply_action(state.legal_actions()[0])
    for other in (state.clone(), copy.deepcopy(state)):
        assert other.node is state.node, "nothing is played again"
        assert other.history() == state.history() and str(other) == str(state)
        other.apply_action(other.legal_actions()[0])
        assert other.node is not state.node and len(other.history()) == len(state.history()) + 1 == 7


def test_every_game_is_registered_in_gymnasium() -> None:
    import zrf_py.envs.gym

    assert zrf_py.envs.gym
    listed = subprocess.run([sys.executable, "-m", "zrf_py", "list", "--names"], text=True, capture_output=True,
                            check=True, timeout=HANG).stdout.split()
    assert len(listed) > 150
    for name in (*listed, *shelf()):
        for space in ("zrf", "zrf-selfplay"):
            assert f"{space}/{name.replace('/', '-')}-v0" in gymnasium.registry
    with gymnasium.make("zrf/stern-3p-v0") as env:
        assert env.unwrapped.table.fleet.game.title == load("stern-3p").title


# ------------------------------------------------------------------------------------------- vectors of environments


def test_games_that_never_reach_the_agent_are_over() -> None:
    """White's only move wins, so Black, whom the agent plays, never has a turn."""
    from zrf_py.envs.table import FleetTable

    game = loads("""(game (title "Short") (players White Black) (turn-order White Black)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1/2" (0 -9))) (directions (n 0 1))))
      (piece (name Man) (moves (n (verify empty?) add))) (board-setup (White (Man a1)) (Black (Man b1)))
      (win-condition (White) (absolute-config Man (a2))))""")
    table = FleetTable(game, 2, "random", 1)
    table.reset(1)
    assert table.over.all() and not table.masks.any()
    table.begin(table.over)
    assert table.over.all()


@pytest.mark.parametrize(("opponent", "seat"), [("random", 0), ("random", 1), ("greedy", 1)])
def test_one_seat_of_many_games_plays_like_single_environments(opponent: str, seat: int) -> None:
    """Observations, masks, rewards, ends and information are compared with Gymnasium's own vector of single
    environments; the opponent is Black, who has no choice and moves first where `seat` is 1."""
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    from zrf_py.envs.gym import Env, VectorEnv

    rules = MARCH.format(ends="(loss-condition (White Black) stalemated)")
    game = loads(rules.replace("White Black)", "Black White)", 2) if seat else rules)
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        one = SyncVectorEnv([lambda: Env(game, opponent, seat, max_plies=7)] * 3, autoreset_mode=mode)
        other = VectorEnv(game, 3, opponent, seat, max_plies=7, autoreset_mode=mode)
        draw, ended, wrong = np.random.default_rng(5), 0, 0
        found = [env.reset(seed=1) for env in (one, other)]
        same(*found)
        for _ in range(60):
            mask = found[0][0]["action_mask"]
            actions = np.array([draw.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])
            if draw.random() < 0.05:
                actions[0] = mask[0].argmin()
            found = [env.step(actions) for env in (one, other)]
            same(*found)
            ended, wrong = ended + int(found[0][2].sum()), wrong + ("illegal" in found[0][4] or "final_info" in
                                                                    found[0][4])
        assert ended > 10 and wrong


def same(one, other) -> None:  # type: ignore[no-untyped-def]
    """Compare two values returned by environments."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            same(one[key], other[key])
    elif isinstance(one, tuple) or np.dtype(object) == getattr(one, "dtype", None):
        for a, b in zip(one, other, strict=True):
            same(a, b)
    else:
        np.testing.assert_array_equal(one, other)


def test_all_seats_of_many_games_play_like_single_games() -> None:
    from gymnasium.vector import SyncVectorEnv

    from zrf_py.envs.gym import Env, VectorEnv

    one = SyncVectorEnv([lambda: Env("tictactoe", None)] * 2)
    other = VectorEnv("tictactoe", 2, None)
    found = [one.reset(seed=1), other.reset(seed=np.int64(1))]  # type: ignore[arg-type]
    rewards = []
    for step in range(30):
        same(*found)
        mask, draw = found[0][0]["action_mask"], np.random.default_rng(step)
        actions = np.array([draw.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])
        found = [env.step(actions) for env in (one, other)]
        rewards += found[0][1].tolist()
    assert 1.0 in rewards and -1.0 not in rewards, "who loses by the other's leg finds it in `rewards`"


def test_masks_have_the_names_that_libraries_expect() -> None:
    from zrf_py.envs.gym import Env, VectorEnv

    env, many = Env("checkers"), VectorEnv("checkers", 3)
    seen, _ = env.reset(seed=1)
    assert env.action_masks().dtype == bool and (env.action_masks() == seen["action_mask"]).all()
    seen, _ = many.reset(seed=1)
    assert (many.action_masks() == seen["action_mask"]).all() and many.action_masks().sum() == 21


def test_environments_that_are_closed_stay_closed() -> None:
    """Closing frees the memory of their games; without a render mode nothing is drawn."""
    from zrf_py.envs.gym import Env, VectorEnv

    for env in (Env("tictactoe"), VectorEnv("tictactoe", 2), VectorEnv("tictactoe", 2, None)):
        env.reset(seed=1)
        assert env.render() is None
        env.close()
        with pytest.raises(ZrfError, match="closed"):
            env.table.fleet.position(0)


def test_boards_are_rendered() -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")

    from zrf_py.envs import aec
    from zrf_py.envs.gym import Env, VectorEnv

    env = Env("connect-four", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(int(env.action_masks().argmax()))
    after = env.render()
    assert before.shape == after.shape and before.shape[2] == 3 and before.dtype == np.uint8
    changed = (before != after).any(axis=2)
    lowest = np.flatnonzero(changed.any(axis=1)).min() / len(changed)
    assert lowest > 0.6, "the first two pieces lie at the bottom of the picture, in its last two of six rows"
    many = VectorEnv("connect-four", 2, render_mode="ansi")
    many.reset(seed=1)
    assert [len(text.splitlines()) for text in many.render()] == [7, 7], "six rows, and whose turn it is"
    alone = aec.raw_env("connect-four", render_mode="ansi")
    alone.reset(seed=1)
    first = alone.render()
    alone.step(int(alone.observe(alone.agent_selection)["action_mask"].argmax()))
    assert first.count(".") == 42 and alone.render().count(".") == 41


# -------------------------------------------------------------------------------------------- other people's games


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("path", CORPUS, ids=[path.stem for path in CORPUS])
def test_adapters_of_other_peoples_games_pass_the_standard_tests(path: Path, check: Check) -> None:
    """The first game of each file in `ZRF_CORPUS` is tested, if a player ever has a choice in it."""
    file = load_file(path)
    if not file.programs:
        pytest.skip("the file holds no game that can be played")
    game = Game(file.programs[0])
    try:
        playable(game, None)
    except ZrfError as error:
        if path.stem in UNNUMBERED:
            assert [problem.code for problem in error.diagnostics] == ["too-many-actions"], error.summary()
            return
        assert all("turns" in d.message or "moves" in d.message for d in error.diagnostics), error.summary()
        pytest.skip(error.summary())
    assert path.stem not in UNNUMBERED
    check(game, 20)
