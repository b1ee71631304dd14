"""Fleet of one game, for the adapters of single environments; each seat can be observed at any time."""

import numpy as np
from numpy.typing import NDArray

from zrf_py.envs.arguments import illegal, whole
from zrf_py.envs.fleet import Fleet
from zrf_py.envs.table import Seen
from zrf_py.play.game import Game, Position


class Single:
    """One game. Dice are rolled internally; `seat` is the index in `players` of the player to move."""

    def __init__(self, game: Game | str, variant: str | int | None = None, max_plies: int = 1000) -> None:
        self.fleet = Fleet(game, 1, variant=variant, max_plies=max_plies, autoreset="off")
        self.game = self.fleet.game
        self.players = self.fleet.players
        self.actions = self.fleet.action_count
        self.shape = len(self.fleet.planes), len(self.game.program.game.board.places)

    def reset(self, seed: int | None) -> None:
        self.fleet.reset(seed)

    def step(self, action: object) -> None:
        """:raises ZrfError: if the action is not legal, or not a whole number."""
        number = whole(action)
        if number is None or number not in self.legal:
            raise illegal("", action, self.fleet.actions, self.legal.tolist())
        self.fleet.step(np.array([number]))

    @property
    def seat(self) -> int:
        return max(int(self.fleet.player[0]), 0)

    @property
    def done(self) -> bool:
        return bool(self.fleet.done[0])

    @property
    def truncated(self) -> bool:
        return bool(self.fleet.truncated[0])

    @property
    def rewards(self) -> list[int]:
        rewards: list[int] = self.fleet.reward[0].tolist()
        return rewards

    @property
    def legal(self) -> NDArray[np.int32]:
        actions: NDArray[np.int32] = self.fleet.legal[0, : int(self.fleet.count[0])]
        return actions

    def position(self) -> Position:
        return self.fleet.position(0)

    def see(self, seat: int) -> Seen:
        """Return observation and action mask of a seat; the mask is all 0 unless it is that seat's turn."""
        mine = seat == self.seat
        mask = np.zeros(self.actions, np.int8)
        if mine and not self.done and not self.truncated:
            mask[self.legal] = 1
        if mine:
            observation = self.fleet.observation[0].copy()
        else:
            planes = self.fleet.plane_list
            observation = planes.observe(self.position().state, self.fleet.times(0), planes.ordinary[seat])
        return {"observation": observation, "action_mask": mask}

    def close(self) -> None:
        self.fleet.close()
