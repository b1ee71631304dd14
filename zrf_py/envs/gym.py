"""Gymnasium environments of games, single and vectorized.

`import zrf_py.envs.gym` registers two ids for each game of `zrf list` and each file of the shelf (a `/` in a name
becomes `-`):

    zrf/NAME-v0             one seat against computer players: `opponent`, `seat`
    zrf-selfplay/NAME-v0    all seats; `info["player"]` is the player to move

Both work with `gymnasium.make` and `gymnasium.make_vec`, with the same arguments.
"""

from __future__ import annotations

from typing import Any

from zrf_py.text.extras import importing

with importing(__name__, "gym"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

from zrf_py.envs.arguments import MOST, illegal
from zrf_py.envs.pictures import MODES, picture
from zrf_py.envs.table import RANDOM, FleetTable, Seen
from zrf_py.library import names, shelf
from zrf_py.play.game import Game
from zrf_py.text import arguments

Info = dict[str, Any]
SEATS: dict[str, Info] = {"zrf": {}, "zrf-selfplay": {"opponent": None}}
"""Arguments of the environments by the first part of their ids."""


def space_of(table: FleetTable) -> spaces.Dict:
    """Return the observation space, with the action mask."""
    return spaces.Dict({"observation": spaces.Box(-128, 127, table.shape, np.int8),
                        "action_mask": spaces.Box(0, 1, (table.fleet.action_count,), np.int8)})


class Env(gymnasium.Env):
    """One seat of a game, against computer players (`opponent`: `random`, `greedy`, `ai:3` …), or all seats (None).

    The reward is 1, -1 or 0 when the game ends. An illegal action ends it with -1 and `info["illegal"]`;
    `observation["action_mask"]` and `action_masks()` hold the legal ones.

    With all seats, each step is a leg of the player to move, who gets the observation and the reward. `info["player"]`
    is the player to move, `info["rewards"]` the rewards of all players; if another player's leg decides the game, the
    loser's -1 appears only there.
    """

    metadata = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self, game: Game | str, opponent: str | None = RANDOM, seat: int = 0, variant: str | int | None = None,
        max_plies: int = 1000, render_mode: str | None = None,
    ) -> None:
        """:raises ZrfError: if the game is unsuitable for a fleet, or there is no such player or seat."""
        self.render_mode = arguments.one_of("render_mode", render_mode, MODES, or_none=True)
        self.table = FleetTable(game, 1, opponent, seat, variant, max_plies)
        self.observation_space = space_of(self.table)
        self.action_space = spaces.Discrete(self.table.fleet.action_count)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Seen, Info]:
        super().reset(seed=seed)
        self.table.reset(int(self.np_random.integers(1 << 62)))
        return self._observed(), _row(_info(self.table), 0)

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, Info]:
        """:raises ZrfError: if the action is not a whole number."""
        number, fleet = arguments.integer(action), self.table.fleet
        if number is None:
            raise illegal("", action, fleet.actions, fleet.legal[0, : int(fleet.count[0])].tolist())
        reward, is_illegal = 0.0, False
        if not self.table.over[0]:
            rewards, wrong = self.table.step(np.array([number]))
            reward, is_illegal = float(rewards[0]), bool(wrong[0])
        info = _row(_info(self.table), 0) | ({"illegal": True} if is_illegal else {})
        done = bool(fleet.done[0]) or is_illegal
        return self._observed(), reward, done, bool(fleet.truncated[0]) and not done, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action mask, (actions,), as used by sb3-contrib's `MaskablePPO`."""
        return self.table.masks[0]

    def _observed(self) -> Seen:
        return {name: array[0] for name, array in self.table.see().items()}

    def render(self) -> Any:
        return picture(self.table.fleet.position(0), self.render_mode)

    def close(self) -> None:
        self.table.fleet.close()


class VectorEnv(gymnasium.vector.VectorEnv):
    """Vectorized `Env`; `random` opponents play in native code.

    A finished game begins anew with the next step, or at once with `AutoresetMode.SAME_STEP`: then `info["final_obs"]`
    and `info["final_info"]` describe the end of the old game.
    """

    def __init__(
        self, game: Game | str, num_envs: int, opponent: str | None = RANDOM, seat: int = 0,
        variant: str | int | None = None, max_plies: int = 1000, threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, render_mode: str | None = None,
    ) -> None:
        """:raises ZrfError: if the game is unsuitable for a fleet, or there is no such player, seat or mode."""
        self.render_mode = arguments.one_of("render_mode", render_mode, MODES, or_none=True)
        modes = {mode.value: mode for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)}
        mode = arguments.one_of("autoreset_mode", getattr(autoreset_mode, "value", autoreset_mode), modes)
        self.metadata = {"render_modes": MODES, "autoreset_mode": modes[mode]}
        self._at_once = modes[mode] is AutoresetMode.SAME_STEP
        self.num_envs = arguments.whole("num_envs", num_envs, 1, MOST)
        self.table = FleetTable(game, num_envs, opponent, seat, variant, max_plies, threads)
        self.single_observation_space = space_of(self.table)
        self.single_action_space = spaces.Discrete(self.table.fleet.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | list[int] | None = None, options: Info | None = None) -> tuple[Seen, Info]:
        self.table.reset(seed)
        return self.table.see(), _info(self.table)

    def step(
        self, actions: NDArray[Any],
    ) -> tuple[Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """:raises ZrfError: if the actions are not whole numbers, one for each game."""
        table, fleet = self.table, self.table.fleet
        rewards, wrong = table.step(actions)
        done = fleet.done | wrong
        truncated = fleet.truncated & ~done
        info = _info(table) | ({"illegal": wrong, "_illegal": wrong} if wrong.any() else {})
        seen, over = table.see(), table.over
        if self._at_once and over.any():
            final: Info = {}
            for slot in np.flatnonzero(over).tolist():
                last = {name: array[slot] for name, array in seen.items()}
                final = self._add_info(final, {"final_obs": last, "final_info": _row(info, slot)}, slot)
            table.begin(over)
            seen, info = table.see(), _info(table) | final
        return seen, rewards, done, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action masks, (num_envs, actions)."""
        return self.table.masks

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode is None:
            return None
        return tuple(picture(self.table.fleet.position(slot), self.render_mode) for slot in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        self.table.fleet.close()


def _info(table: FleetTable) -> Info:
    """Return the `info` of all games, which is empty unless the agent has all seats."""
    if table.seat is not None:
        return {}
    every = np.ones(table.fleet.size, np.bool_)
    return {"player": table.fleet.player.copy(), "_player": every, "rewards": table.fleet.reward.copy(),
            "_rewards": every}


def _row(info: Info, slot: int) -> Info:
    """Return the `info` of one game."""
    return {name: array[slot].item() if array.ndim == 1 else array[slot] for name, array in info.items()
            if not name.startswith("_") and info[f"_{name}"][slot]}


def register_all() -> None:
    """Register all bundled games by their catalogue ids and shelf names; idempotent."""
    for name in dict.fromkeys([*names(), *shelf()]):
        for space, seats in SEATS.items():
            identifier = f"{space}/{name.replace('/', '-')}-v0"
            if identifier not in gymnasium.registry:
                gymnasium.register(identifier, entry_point="zrf_py.envs.gym:Env", kwargs={"game": name, **seats},
                                   vector_entry_point="zrf_py.envs.gym:VectorEnv")


register_all()
