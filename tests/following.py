"""A fleet followed by the interpreter: everything a slot shows, compared with what the definition says."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

import numpy as np

from zrf_py.envs.fleet import Fleet
from zrf_py.play.game import Game
from zrf_py.run.position import Outcome, Position
from zrf_py.run.rules import Rules


def rewards(fleet: Fleet, outcome: Outcome | None) -> list[int]:
    """What each ordinary player gets."""
    ordinary = fleet.plane_list.ordinary
    if outcome is None or not (outcome.winners or outcome.losers):
        return [0] * len(ordinary)
    if outcome.winners:
        return [1 if i in outcome.winners else -1 for i in ordinary]
    return [-1 if i in outcome.losers else 1 for i in ordinary]


class Follower:
    """One slot of a fleet, played by the interpreter beside it."""

    def __init__(self, fleet: Fleet, slot: int) -> None:
        self.fleet, self.slot = fleet, slot
        self.rules = Rules(fleet.game.program)
        self.begin()

    def begin(self) -> None:
        """A new game has begun."""
        self.state = self.rules.start()
        self.seen = Counter([self.state.key()])
        self._roll()

    def follow(self, action: int) -> None:
        """The slot has played an action."""
        self.state = self.rules.after(self.state, self.legal()[action])
        self._met()
        self._roll()

    def _met(self) -> None:
        if self.state.chain is None:
            self.seen[self.state.key()] += 1

    def _roll(self) -> None:
        """Let the dice fall as they fell in the fleet."""
        players = self.rules.game.players
        while self.outcome() is None and players[self.rules.player_to_move(self.state)].kind == "random":
            wanted = plain(self.fleet.position(self.slot).state)
            found = self._rolled(self.state, wanted, 3)
            assert found, "no throw of the dice leads where the fleet is"
            for state in found:
                self.state = state
                self._met()

    def _rolled(self, state: Position, wanted: dict[str, object], depth: int) -> list[Position]:
        """The positions on the way from one to another, by moves of the dice."""
        if depth == 0 or self.rules.game.players[self.rules.player_to_move(state)].kind != "random":
            return []
        for move in self.rules.moves(state):
            after = self.rules.after(state, move)
            if plain(after) == wanted:
                return [after]
            if more := self._rolled(after, wanted, depth - 1):
                return [after, *more]
        return []

    def legal(self) -> dict[int, object]:
        return self.fleet.actions.numbered(self.rules.moves(self.state))  # type: ignore[return-value]

    def outcome(self) -> Outcome | None:
        return self.rules.outcome(self.state, self.times)

    @property
    def times(self) -> int:
        return self.seen[self.state.key()]

    def check(self) -> None:
        """Compare everything."""
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
            return  # how often the turn's first position was there is of no concern within it
        expected = fleet.plane_list.observe(self.state, min(self.times, 3))
        np.testing.assert_array_equal(fleet.observation[slot], np.array(expected, np.int8))


def plain(state: Position) -> dict[str, object]:
    """What a slot keeps of a position."""
    found: dict[str, object] = {field.name: getattr(state, field.name) for field in fields(state)}
    for name in ("origin", "made", "legs"):  # the last two only rules of ZRF+ ask for, and legal actions show them
        del found[name]
    found["taken"] = sorted(state.taken) if state.chain else []
    return found


def follow(game: Game, slots: int, steps: int, seed: int) -> int:
    """Play at random in a fleet and compare; how many games came to their end."""
    ended = 0
    with Fleet(game, slots, seed=seed, max_plies=steps + 1) as fleet:
        followers = [Follower(fleet, slot) for slot in range(slots)]
        for follower in followers:
            follower.check()
        for _ in range(steps):
            actions = fleet.sample()
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
