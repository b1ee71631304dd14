"""Games for one agent, which plays one seat against computer players, or all seats."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zrf_py.envs.fleet import Fleet, Truths
from zrf_py.play.game import Game
from zrf_py.play.players import player
from zrf_py.run.position import Move
from zrf_py.text import arguments

TRIES = 100
"""Maximum number of restarts of a game that ends before the agent's first turn."""
RANDOM = "random"
"""Name of the opponent that the fleet itself plays, in native code."""

Seen = dict[str, NDArray[np.int8]]
"""`observation` (…, planes, squares) and `action_mask` (…, actions)."""


class FleetTable:
    """`size` games in a fleet. After `step` and `reset`, each game is over or waits for the agent."""

    def __init__(
        self, game: Game | str, size: int, opponent: str | None, seat: int, variant: str | int | None = None,
        max_plies: int = 1000, threads: int = 1,
    ) -> None:
        """`opponent` None: the agent has all seats.

        :raises ZrfError: if the game is unsuitable for a fleet, or there is no such opponent or seat.
        """
        self._choose = None if opponent in (None, RANDOM) else player(str(opponent))
        self.fleet = Fleet(game, size, variant=variant, max_plies=max_plies, threads=threads)
        last = len(self.fleet.players) - 1
        self.seat = None if opponent is None else arguments.whole("seat", seat, 0, last)
        self._randoms = [Random(slot) for slot in range(size)]
        self._turns: list[list[Move]] = [[] for _ in range(size)]
        """By slot: legs chosen by an opponent but not played yet."""

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of an observation, (planes, squares)."""
        return len(self.fleet.planes), len(self.fleet.game.program.game.board.places)

    @property
    def over(self) -> Truths:
        """Mask (size,) of the games that have ended or been truncated."""
        return self.fleet.done | self.fleet.truncated

    @property
    def masks(self) -> Truths:
        """Action mask of the agent, (size, actions); all False once a game is over."""
        return self.fleet.mask & ~self.over[:, None]

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        self.fleet.reset(seed)
        if seed is not None:
            seeds = (seed if isinstance(seed, Sequence | np.ndarray) else
                     [seed + slot for slot in range(self.fleet.size)])
            self._randoms = [Random(int(number)) for number in seeds]
        self._play_others(np.ones(self.fleet.size, np.bool_))

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[np.float64], Truths]:
        """Play a leg in each game and the opponents' replies; games that were over begin anew.

        Return the agent's rewards (size,) (if it has all seats, those of the players who moved), and a mask (size,) of
        the games whose action was illegal: these are truncated, with reward -1.

        :raises ZrfError: if the actions are not `size` integers.
        """
        fleet, over = self.fleet, self.over
        numbers = np.asarray(actions)
        wrong = np.zeros(fleet.size, np.bool_)
        if numbers.shape == wrong.shape and np.issubdtype(numbers.dtype, np.integer):
            wrong = ~over & ~((fleet.legal == numbers[:, None]) & (numbers[:, None] >= 0)).any(axis=1)
        mover = np.maximum(fleet.player, 0) if self.seat is None else np.full(fleet.size, self.seat)
        fleet.step(np.where(wrong, fleet.HOLD, numbers) if wrong.any() else numbers)
        fleet.cut_off(wrong)
        self._play_others(over)
        reward = fleet.reward[np.arange(fleet.size), mover].astype(np.float64)
        return np.where(wrong, -1.0, reward), wrong

    def begin(self, slots: Truths) -> None:
        """Begin new games in the slots of a mask (size,); their games must be over."""
        self.fleet.step(np.where(slots, 0, self.fleet.HOLD))
        self._play_others(slots)

    def see(self) -> Seen:
        """Return observations and action masks of all games, from the agent's view."""
        fleet, observation = self.fleet, self.fleet.observation.copy()
        if self.seat is not None:
            planes = fleet.plane_list
            for slot in np.flatnonzero(fleet.player != self.seat).tolist():
                observation[slot] = planes.observe(
                    fleet.position(slot).state, fleet.times(slot), planes.ordinary[self.seat])
        return {"observation": observation, "action_mask": self.masks.astype(np.int8)}

    # -------------------------------------------------------------------------------------------------- the opponents

    def _play_others(self, fresh: Truths) -> None:
        """Play the opponents until it is the agent's turn; if a game of `fresh` ends earlier, restart it."""
        if self.seat is None:
            return
        self._play_on()
        for _ in range(TRIES):
            if not (early := fresh & self.over).any():
                return
            self.fleet.step(np.where(early, 0, self.fleet.HOLD))
            self._play_on()

    def _play_on(self) -> None:
        fleet = self.fleet
        while (waiting := ~self.over & (fleet.player != self.seat)).any():
            actions = fleet.sample() if self._choose is None else self._chosen(waiting)
            fleet.step(np.where(waiting, actions, fleet.HOLD))
        for slot in np.flatnonzero(self.over).tolist():
            self._turns[slot].clear()

    def _chosen(self, waiting: Truths) -> NDArray[np.int64]:
        """Return the opponents' next actions, (size,), in the games of `waiting`, and 0 for the other games."""
        fleet, engine = self.fleet, self.fleet.game.engine
        actions = np.zeros(fleet.size, np.int64)
        for slot in np.flatnonzero(waiting).tolist():
            state, turn = fleet.position(slot).state, self._turns[slot]
            if not turn:
                assert self._choose is not None
                turn.extend(self._choose(engine, state, self._randoms[slot]))
            actions[slot] = fleet.actions.number(turn.pop(0), engine.moves(state))
        return actions
