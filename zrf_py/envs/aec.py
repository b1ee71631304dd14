"""PettingZoo AEC environment of a game: `env("chess")`.

Observations have the keys of PettingZoo's own board games: `observation` and `action_mask`. Draw a random action with
`env.action_space(agent).sample(mask)`. A turn of several legs is several steps of one agent.
"""

from typing import Any

from zrf_py.text.extras import importing

with importing(__name__, "zoo"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from zrf_py.envs.arguments import illegal
from zrf_py.envs.fleet import Fleet
from zrf_py.envs.pictures import MODES, picture
from zrf_py.envs.table import Seen
from zrf_py.play.game import Game
from zrf_py.text import arguments


def env(
    game: Game | str, variant: str | int | None = None, max_plies: int = 1000, render_mode: str | None = None,
) -> AECEnv:
    """Return the environment in PettingZoo's `OrderEnforcingWrapper`.

    :raises ZrfError: if the game is unsuitable for a fleet.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(game, variant, max_plies, render_mode))


class raw_env(AECEnv):
    """The environment without wrappers."""

    def __init__(
        self, game: Game | str, variant: str | int | None = None, max_plies: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = arguments.one_of("render_mode", render_mode, MODES, or_none=True)
        self.fleet = Fleet(game, 1, variant=variant, max_plies=max_plies, autoreset="off")
        self.metadata = {"name": f"zrf_{self.fleet.game.title}", "render_modes": MODES,
                         "is_parallelizable": False, "render_fps": 1}
        self.possible_agents = list(self.fleet.players)
        shape, actions = self.fleet.observation.shape[1:], self.fleet.action_count
        seen = spaces.Dict({"observation": spaces.Box(-128, 127, shape, np.int8),
                            "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    @property
    def legal(self) -> NDArray[np.int32]:
        """The legal actions; none once the game is over."""
        actions: NDArray[np.int32] = self.fleet.legal[0, : int(self.fleet.count[0])]
        return actions

    def _selected(self) -> str:
        """Return the agent to move; after the end, the agent whose turn it would be."""
        return self.possible_agents[max(int(self.fleet.player[0]), 0)]

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[arguments.one_of("agent", agent, self.possible_agents)]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[arguments.one_of("agent", agent, self.possible_agents)]

    def observe(self, agent: str) -> Seen:
        mask = np.zeros(self.fleet.action_count, np.int8)
        if arguments.one_of("agent", agent, self.possible_agents) == self._selected():
            if not (self.fleet.done[0] or self.fleet.truncated[0]):
                mask[self.legal] = 1
            return {"observation": self.fleet.observation[0].copy(), "action_mask": mask}
        planes, state = self.fleet.plane_list, self.fleet.position(0).state
        viewer = planes.ordinary[self.possible_agents.index(agent)]
        return {"observation": planes.observe(state, self.fleet.times(0), viewer), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.fleet.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._selected()

    def step(self, action: int | None) -> None:
        """:raises ZrfError: if the action is not legal, or not a whole number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = arguments.integer(action)
        if number is None or number not in self.legal:
            raise illegal("", action, self.fleet.actions, self.legal.tolist())
        self.fleet.step(np.array([number]))
        self._cumulative_rewards[agent] = 0
        self.rewards = dict(zip(self.possible_agents, self.fleet.reward[0].tolist(), strict=True))
        done, is_cut = bool(self.fleet.done[0]), bool(self.fleet.truncated[0])
        self.terminations = dict.fromkeys(self.agents, done)
        self.truncations = dict.fromkeys(self.agents, is_cut and not done)
        if done or is_cut:
            self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        else:
            self.agent_selection = self._selected()
        self._accumulate_rewards()

    def render(self) -> Any:
        return picture(self.fleet.position(0), self.render_mode)

    def close(self) -> None:
        self.fleet.close()
