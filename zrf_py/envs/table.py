"""Games in which an agent has one seat and computer players the others, or in which it has all of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zrf_py.envs.asked import want
from zrf_py.envs.fleet import Fleet, Truths
from zrf_py.play.game import Game
from zrf_py.play.players import player
from zrf_py.run.position import Move

TRIES = 100
"""Games that are begun until one is not over before the agent has had a turn."""
RANDOM = "random"
"""The opponent that a fleet plays by itself, in native code."""

Seen = dict[str, NDArray[np.int8]]
"""`observation` (…, planes, squares) and `action_mask` (…, actions)."""


class Table:
    """`size` games, each in a slot of a fleet. After `step` and `reset` it is the agent's turn, or the game is over."""

    def __init__(
        self, game: Game | str, size: int, opponent: str | None, seat: int, variant: str | int | None = None,
        max_plies: int = 1000, threads: int = 1,
    ) -> None:
        """`opponent` None: the agent has all seats.

        :raises ZrfError: if the game does not fit, or there is no such player or seat.
        """
        self._choose = None if opponent in (None, RANDOM) else player(str(opponent))
        self.fleet = Fleet(game, size, variant=variant, max_plies=max_plies, threads=threads)
        last = len(self.fleet.players) - 1
        self.seat = None if opponent is None else want(f"seat in {self.fleet.game.title}", seat, 0, last)
        self._randoms = [Random(slot) for slot in range(size)]
        self._turns: list[list[Move]] = [[] for _ in range(size)]
        """Legs that an opponent has chosen and not made yet."""

    @property
    def shape(self) -> tuple[int, int]:
        """(planes, squares)."""
        return len(self.fleet.planes), len(self.fleet.game.program.game.board.places)

    @property
    def over(self) -> Truths:
        """The games that have ended or been cut off."""
        return self.fleet.done | self.fleet.truncated

    @property
    def masks(self) -> Truths:
        """(size, actions): the legal actions of the agent; none once a game is over."""
        return self.fleet.mask & ~self.over[:, None]

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begin all games anew."""
        self.fleet.reset(seed)
        if seed is not None:
            seeds = [seed + slot for slot in range(self.fleet.size)] if isinstance(seed, int) else seed
            self._randoms = [Random(int(number)) for number in seeds]
        self._play_others(np.ones(self.fleet.size, np.bool_))

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[np.float64], Truths]:
        """Make a leg in each game, and those of the opponents after it; games that were over begin anew.

        Return (size,) rewards of whoever made the leg, and the games in which the action was not legal: these are
        cut off, with -1.

        :raises ZrfError: if the actions are no whole numbers.
        """
        fleet, over = self.fleet, self.over
        given = np.asarray(actions)
        wrong = np.zeros(fleet.size, np.bool_)
        if given.shape == wrong.shape and np.issubdtype(given.dtype, np.integer):
            wrong = ~over & ~((fleet.legal == given[:, None]) & (given[:, None] >= 0)).any(axis=1)
        mover = np.maximum(fleet.player, 0) if self.seat is None else np.full(fleet.size, self.seat)
        fleet.step(np.where(wrong, fleet.HOLD, given) if wrong.any() else given)
        fleet.cut_off(wrong)
        self._play_others(over)
        reward = fleet.reward[np.arange(fleet.size), mover].astype(np.float64)
        return np.where(wrong, -1.0, reward), wrong

    def begin(self, slots: Truths) -> None:
        """Begin new games in some slots whose games are over."""
        self.fleet.step(np.where(slots, 0, self.fleet.HOLD))
        self._play_others(slots)

    def see(self) -> Seen:
        """Observations and masks of all games, as the agent sees them."""
        fleet, observation = self.fleet, self.fleet.observation.copy()
        if self.seat is not None:
            planes = fleet.plane_list
            for slot in np.flatnonzero(fleet.player != self.seat).tolist():
                observation[slot] = planes.observe(
                    fleet.position(slot).state, fleet.times(slot), planes.ordinary[self.seat])
        return {"observation": observation, "action_mask": self.masks.astype(np.int8)}

    # -------------------------------------------------------------------------------------------------- the opponents

    def _play_others(self, fresh: Truths) -> None:
        """Let the opponents play until it is the agent's turn; `fresh` games that are over before begin once more."""
        if self.seat is None:
            return
        for _ in range(TRIES):
            self._play_on()
            early = fresh & self.over
            if not early.any():
                return
            self.fleet.step(np.where(early, 0, self.fleet.HOLD))

    def _play_on(self) -> None:
        fleet = self.fleet
        while (waiting := ~self.over & (fleet.player != self.seat)).any():
            actions = fleet.sample() if self._choose is None else self._chosen(waiting)
            fleet.step(np.where(waiting, actions, fleet.HOLD))
        for slot in np.flatnonzero(self.over).tolist():
            self._turns[slot].clear()

    def _chosen(self, waiting: Truths) -> NDArray[np.int64]:
        """(size,): the next leg of the opponents in the games where it is their turn."""
        fleet, engine = self.fleet, self.fleet.game.engine
        actions = np.zeros(fleet.size, np.int64)
        for slot in np.flatnonzero(waiting).tolist():
            state, turn = fleet.position(slot).state, self._turns[slot]
            if not turn:
                assert self._choose is not None
                turn.extend(self._choose(engine, state, self._randoms[slot]))
            actions[slot] = fleet.actions.number(turn.pop(0), engine.moves(state))
        return actions
