"""A fleet followed by the interpreter: everything a slot shows is compared with the interpreter's result."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

import numpy as np

from zrf_py.envs.fleet import Fleet
from zrf_py.play.game import Game
from zrf_py.run.position import Outcome, Position
from zrf_py.run.rules import Rules

WORD = (1 << 64) - 1


def rewards(fleet: Fleet, outcome: Outcome | None) -> list[int]:
    """Return the reward of each ordinary player."""
    ordinary = fleet.plane_list.ordinary
    if outcome is None or not (outcome.winners or outcome.losers):
        return [0] * len(ordinary)
    if outcome.winners:
        return [1 if i in outcome.winners else -1 for i in ordinary]
    return [-1 if i in outcome.losers else 1 for i in ordinary]


class Dice:
    """The random numbers of a slot, from the seed of its fleet: xorshift64*."""

    def __init__(self, seed: int, slot: int) -> None:
        self.state = _mix(_mix(seed + 1) + slot) | 1

    def below(self, count: int) -> int:
        self.state ^= self.state >> 12
        self.state ^= self.state << 25 & WORD
        self.state ^= self.state >> 27
        return ((self.state * 2685821657736338717 & WORD) >> 32) * count >> 32


def _mix(value: int) -> int:
    """Mix a number into well-distributed bits, as the kernel does."""
    value = (value ^ value >> 31) * -7046029254386353131 & WORD
    value = (value ^ value >> 29) * -4658895280553007687 & WORD
    return value ^ value >> 32


class Follower:
    """One slot of a fleet, replayed by the interpreter."""

    def __init__(self, fleet: Fleet, slot: int, seed: int) -> None:
        self.fleet, self.slot = fleet, slot
        self.rules = Rules(fleet.game.program)
        self.dice = Dice(seed, slot)
        self.begin()

    def begin(self) -> None:
        """Begin a new game."""
        self.state = self.rules.start()
        self.seen = Counter([self.state.key()])
        self._roll()

    def follow(self, action: int) -> None:
        """Follow an action that the slot has played."""
        self.state = self.rules.after(self.state, self.legal()[action])
        self._met()
        self._roll()

    def _met(self) -> None:
        if self.state.chain is None:
            self.seen[self.state.key()] += 1

    def _roll(self) -> None:
        """Roll the dice as the fleet rolled them: each roll is a random number, which selects a legal move."""
        players = self.rules.game.players
        while self.outcome() is None and players[self.rules.player_to_move(self.state)].kind == "random":
            moves = self.rules.moves(self.state)
            if not moves:
                return
            self.state = self.rules.after(self.state, moves[self.dice.below(len(moves))])
            self._met()

    def drawn(self, action: int) -> None:
        """Check that the slot's random numbers give the action that the fleet has drawn for it."""
        if count := int(self.fleet.count[self.slot]):
            assert action == self.fleet.legal[self.slot, self.dice.below(count)]

    def legal(self) -> dict[int, object]:
        numbered = self.fleet.actions.numbered(self.rules.moves(self.state))
        return {action: equivalent[0] for action, equivalent in numbered.items()}

    def outcome(self) -> Outcome | None:
        return self.rules.outcome(self.state, self.times)

    @property
    def times(self) -> int:
        return self.seen[self.state.key()]

    def check(self) -> None:
        """Compare everything that the slot shows with the interpreter's results."""
        fleet, slot = self.fleet, self.slot
        outcome = self.outcome()
        legal = [] if outcome else sorted(self.legal())
        shown = sorted(a for a in fleet.legal[slot].tolist() if a >= 0)
        assert bool(fleet.done[slot]) == (outcome is not None), outcome
        assert shown == legal and fleet.count[slot] == len(legal)
        assert fleet.reward[slot].tolist() == rewards(fleet, outcome)
        mover = self.rules.player_to_move(self.state)
        ordinary = fleet.plane_list.ordinary
        assert fleet.player[slot] == (ordinary.index(mover) if mover in ordinary else -1)
        found = fleet.position(slot).state
        assert plain(found) == plain(self.state)
        if fleet.plane_list.repeats and self.state.chain:
            return  # occurrences of the turn's first position don't matter within the turn
        expected = fleet.plane_list.observe(self.state, self.times)
        np.testing.assert_array_equal(fleet.observation[slot], np.array(expected, np.int8))


def plain(state: Position) -> dict[str, object]:
    """Return the part of a position that a slot stores."""
    found: dict[str, object] = {field.name: getattr(state, field.name) for field in fields(state)}
    for name in ("origin", "made", "legs"):  # only ZRF+ rules test `made` and `legs`, which show in the legal actions
        del found[name]
    found["taken"] = sorted(state.taken) if state.chain else []
    return found


def follow(game: Game, slots: int, steps: int, seed: int) -> int:
    """Play at random in a fleet and compare it with the interpreter; return the number of finished games."""
    ended = 0
    with Fleet(game, slots, seed=seed, max_plies=steps + 1) as fleet:
        followers = [Follower(fleet, slot, seed) for slot in range(slots)]
        for follower in followers:
            follower.check()
        for _ in range(steps):
            actions = fleet.sample()
            for follower, action in zip(followers, actions.tolist(), strict=True):
                follower.drawn(action)
            done = fleet.done.copy()
            fleet.step(actions)
            for follower, action in zip(followers, actions.tolist(), strict=True):
                if done[follower.slot]:
                    follower.begin()
                    ended += 1
                else:
                    follower.follow(action)
                follower.check()
    return ended
