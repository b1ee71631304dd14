"""Games as environments of Gymnasium: one seat against a computer (`Env`), many games at once (`VectorEnv`).

`import zrf_py.envs.gym` registers `zrf/NAME-v0` for every game of the shelf (a `/` in its
name becomes `-`); `gymnasium.make("zrf/chess-v0")` makes it.
"""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from zrf_py.envs.asked import illegal, want, whole
from zrf_py.envs.fleet import Fleet
from zrf_py.envs.single import Seen, Single
from zrf_py.library import shelf
from zrf_py.play.game import Game
from zrf_py.play.players import player


def space_of(shape: tuple[int, int], actions: int) -> spaces.Dict:
    """The space of observations with a mask."""
    return spaces.Dict({"observation": spaces.Box(-128, 127, shape, np.int8),
                        "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


class Env(gymnasium.Env):
    """One seat of a game; computer players (`opponent`: `random`, `greedy`, `ai:3` …) have the others.

    The reward is 1, -1 or 0 when the game ends. An action that is not legal ends it, with -1 and `info["illegal"]`;
    `observation["action_mask"]` says what is legal.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self, game: Game | str, opponent: str = "random", seat: int = 0, variant: str | int | None = None,
        max_plies: int = 1000, render_mode: str | None = None,
    ) -> None:
        """:raises ZrfError: if the game does not fit, or there is no such player or seat."""
        self.single = Single(game, variant, max_plies)
        self.seat = want(f"seat in {self.single.game.title}", seat, 0, len(self.single.players) - 1)
        self._choose = player(opponent)
        self._random = Random(0)
        self.render_mode = render_mode
        self.observation_space = space_of(self.single.shape, self.single.actions)
        self.action_space = spaces.Discrete(self.single.actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 62))
        self._random = Random(number)
        for _ in range(100):
            self.single.reset(number)
            self._others()
            if not (self.single.done or self.single.truncated):
                break
        return self.single.see(self.seat), {}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        number = whole(action)
        if number is None:
            raise illegal("", action, self.single.fleet.actions, self.single.legal.tolist())
        if number not in self.single.legal:
            return self.single.see(self.seat), -1.0, True, False, {"illegal": True}
        self.single.step(number)
        self._others()
        done = self.single.done
        return (self.single.see(self.seat), float(self.single.rewards[self.seat]), done,
                self.single.truncated and not done, {})

    def _others(self) -> None:
        """Let the computers move until it is this seat's turn, or the game is over."""
        single = self.single
        while not (single.done or single.truncated) and single.seat != self.seat:
            position = single.position().state
            legs = self._choose(single.game.engine, position, self._random)
            for leg in legs:
                if single.done or single.truncated:
                    return
                single.step(single.fleet.actions.number(leg, single.game.engine.moves(single.position().state)))

    def render(self) -> Any:
        return self.single.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        self.single.close()


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many games at once, each step a leg of whoever's turn it is; `info["player"]` says whose it was.

    The reward is that of the player who made the leg. Finished games begin anew with the step that follows.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self, game: Game | str, num_envs: int, variant: str | int | None = None, max_plies: int = 1000,
        threads: int = 1,
    ) -> None:
        """:raises ZrfError: if the game does not fit."""
        self.fleet = Fleet(game, num_envs, variant=variant, max_plies=max_plies, threads=threads)
        self.num_envs = num_envs
        shape = len(self.fleet.planes), len(self.fleet.game.program.game.board.places)
        self.single_observation_space = space_of(shape, self.fleet.action_count)
        self.single_action_space = spaces.Discrete(self.fleet.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None,
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        self.fleet.reset(seed)
        return self._seen(), {"player": self.fleet.player.copy()}

    def step(
        self, actions: NDArray[Any],
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """:raises ZrfError: if an action is not legal; nothing is played then."""
        fleet = self.fleet
        mover = np.maximum(fleet.player, 0)
        fleet.step(actions)
        reward = fleet.reward[np.arange(self.num_envs), mover].astype(np.float64)
        return (self._seen(), reward, fleet.done.copy(), fleet.truncated & ~fleet.done,
                {"player": fleet.player.copy(), "rewards": fleet.reward.copy()})

    def _seen(self) -> dict[str, NDArray[Any]]:
        return {"observation": self.fleet.observation.copy(), "action_mask": self.fleet.mask.astype(np.int8)}

    def close_extras(self, **_: Any) -> None:
        self.fleet.close()


def register_all() -> None:
    """Register `zrf/NAME-v0` for every game of the shelf; twice does no harm."""
    for name in shelf():
        identifier = f"zrf/{name.replace('/', '-')}-v0"
        if identifier not in gymnasium.registry:
            gymnasium.register(identifier, entry_point="zrf_py.envs.gym:Env", kwargs={"game": name},
                               vector_entry_point="zrf_py.envs.gym:VectorEnv")


register_all()
