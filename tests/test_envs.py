"""Adapters: the tests that PettingZoo, Gymnasium and OpenSpiel have for everybody's environments."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

import pytest

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
pytest.importorskip("llvmlite")

from tests.playing import ROOT  # noqa: E402
from zrf_py.library import shelf  # noqa: E402
from zrf_py.text.diagnostics import ZrfError  # noqa: E402

FAST = ["tictactoe", "connect-four"]
REFUSED = {f"booklet/{name}" for name in ("rakado-square", "rakado-star", "super-halma", "wuerfelhalma")}
"""Games whose legs are too many to be numbered."""
OTHERS = sorted(set(shelf()) - set(FAST) - REFUSED)


@pytest.fixture(autouse=True)
def other_peoples_warnings() -> Iterator[None]:
    """What these packages warn of themselves is their affair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def check_pettingzoo(name: str, plies: int) -> None:
    from pettingzoo.test import api_test, seed_test

    from zrf_py.envs import aec

    api_test(aec.env(name, max_plies=plies), num_cycles=plies, verbose_progress=False)
    seed_test(lambda: aec.env(name, max_plies=plies), num_cycles=plies)


def check_gymnasium(name: str, plies: int) -> None:
    from gymnasium.utils.env_checker import check_env

    import zrf_py.envs.gym

    assert zrf_py.envs.gym
    identifier = f"zrf/{name.replace('/', '-')}-v0"
    check_env(gymnasium.make(identifier, max_plies=plies).unwrapped, skip_render_check=True)
    vector = gymnasium.make_vec(identifier, 4, max_plies=plies)
    assert vector.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    seen, _ = vector.reset(seed=1)
    for _ in range(2 * plies):
        assert vector.observation_space.contains(seen)
        actions = np.array([np.flatnonzero(row)[0] if row.any() else 0 for row in seen["action_mask"]])
        seen, reward, done, _, info = vector.step(actions)
        assert reward.shape == done.shape == info["player"].shape == (4,)
    vector.close()


def check_openspiel(name: str, plies: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")

    from zrf_py.envs.openspiel import register

    game = pyspiel.load_game(register(name, max_plies=plies))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


CHECKS = [check_pettingzoo, check_gymnasium, check_openspiel]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", FAST)
def test_adapters_pass_the_tests_of_the_field(check, name: str) -> None:  # type: ignore[no-untyped-def]
    check(name, 60)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", OTHERS)
def test_adapters_of_the_whole_shelf_pass_them(check, name: str) -> None:  # type: ignore[no-untyped-def]
    check(name, 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(REFUSED))
def test_other_games_are_refused_before_they_start(name: str) -> None:
    from zrf_py.envs import aec

    with pytest.raises(ZrfError) as caught:
        aec.env(name)
    assert [problem.code for problem in caught.value.diagnostics] == ["too-many-actions"]


PAGE = (ROOT / "zrf_py" / "envs" / "README.md").read_text("utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_the_page_runs(number: int) -> None:
    if "pyspiel" in SNIPPETS[number]:
        pytest.importorskip("pyspiel")
    exec(compile(SNIPPETS[number], f"README.md, snippet {number}", "exec"), {})


def test_a_computer_has_the_other_seat() -> None:
    from zrf_py.envs.gym import Env

    env = Env("tictactoe", opponent="greedy", seat=1)
    seen, _ = env.reset(seed=3)
    assert seen["observation"][1].sum() == 1, "the other has moved first"
    done = False
    while not done:
        seen, reward, done, cut, info = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        assert not cut and not info
    assert reward in (-1.0, 0.0, 1.0)
    assert env.step(0)[4] == {"illegal": True}


@pytest.mark.parametrize("action", [99, -1, 4, None, "x", 1.5, [0]])
def test_an_action_that_is_none_is_named_by_every_adapter(action: object) -> None:
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


def test_openspiel_names_an_illegal_action() -> None:
    pyspiel = pytest.importorskip("pyspiel")

    from zrf_py.envs.openspiel import register

    state = pyspiel.load_game(register("tictactoe")).new_initial_state()
    state.apply_action(4)
    for action in (4, 99):
        with pytest.raises(ZrfError, match=f"action {action}"):
            state.apply_action(action)


def test_what_an_adapter_does_not_have_is_refused() -> None:
    from zrf_py.envs import aec
    from zrf_py.envs.gym import Env, VectorEnv

    for make in (lambda: aec.env("tictactoe", render_mode="human"), lambda: Env("tictactoe", seat=2),
                 lambda: Env("tictactoe", opponent="nobody"), lambda: VectorEnv("tictactoe", 0),
                 lambda: VectorEnv("tictactoe", 2).reset(seed=[1]), lambda: aec.raw_env("tictactoe").observe("nobody")):
        with pytest.raises(ZrfError):
            make()
    env = Env("tictactoe")
    env.close()
    with pytest.raises(ZrfError, match="closed"):
        env.step(0)


def test_dice_are_chance_nodes() -> None:
    pyspiel = pytest.importorskip("pyspiel")

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


def test_a_playthrough_is_that_of_the_golden_file() -> None:
    """Everything OpenSpiel can ask of a game and of each of its states; written with its own `generate_playthrough`."""
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    from zrf_py.envs.openspiel import register

    told = playthrough(register("tictactoe"), [4, 0, 2, 6, 3, 5, 1, 7, 8])
    assert told == (ROOT / "tests" / "golden" / "playthrough.txt").read_text("utf-8")
