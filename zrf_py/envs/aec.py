"""PettingZoo AEC environment of a game: `env("chess")`.

Observations have the keys of PettingZoo's own board games: `observation` and `action_mask`. Draw a random action with
`env.action_space(agent).sample(mask)`. A turn of several legs is several steps of one agent.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from zrf_py.envs.arguments import bad
from zrf_py.envs.pictures import MODES, picture, want_mode
from zrf_py.envs.single import Single
from zrf_py.envs.table import Seen
from zrf_py.play.game import Game


def env(
    game: Game | str, variant: str | int | None = None, max_plies: int = 1000, render_mode: str | None = None,
) -> AECEnv:
    """Return the environment in PettingZoo's `OrderEnforcingWrapper`.

    :raises ZrfError: if the game does not fit.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(game, variant, max_plies, render_mode))


class raw_env(AECEnv):
    """The environment without wrappers."""

    def __init__(
        self, game: Game | str, variant: str | int | None = None, max_plies: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = want_mode(render_mode)
        self.single = Single(game, variant, max_plies)
        self.metadata = {"name": f"zrf_{self.single.game.title}", "render_modes": MODES,
                         "is_parallelizable": False, "render_fps": 1}
        self.possible_agents = list(self.single.players)
        box = spaces.Box(-128, 127, self.single.shape, np.int8)
        seen = spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (self.single.actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(self.single.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Seen:
        if agent not in self.possible_agents:
            raise bad(f"there is no agent {agent!r}", "agents are " + ", ".join(self.possible_agents))
        return self.single.see(self.possible_agents.index(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.single.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.single.seat]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.single.step(action)
        self._cumulative_rewards[agent] = 0
        self.rewards = dict(zip(self.possible_agents, self.single.rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, self.single.done)
        self.truncations = dict.fromkeys(self.agents, self.single.truncated and not self.single.done)
        if self.single.done or self.single.truncated:
            self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        else:
            self.agent_selection = self.possible_agents[self.single.seat]
        self._accumulate_rewards()

    def render(self) -> Any:
        return picture(self.single.position(), self.render_mode)

    def close(self) -> None:
        self.single.close()
