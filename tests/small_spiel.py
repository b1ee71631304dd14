"""The part of the package `pyspiel` that the tests of the adapter use, for machines without the package.

`test_envs.py` runs the same tests with the package itself where it is installed. What a state computes (legal actions,
chances, returns) is the adapter's; this module plays, keeps histories and clones as OpenSpiel does.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from enum import Enum, IntEnum
from random import Random
from types import SimpleNamespace
from typing import Any


class PlayerId(IntEnum):
    CHANCE = -1
    TERMINAL = -4


class GameType(SimpleNamespace):
    Dynamics = Enum("Dynamics", "SEQUENTIAL SIMULTANEOUS")
    ChanceMode = Enum("ChanceMode", "DETERMINISTIC EXPLICIT_STOCHASTIC SAMPLED_STOCHASTIC")
    Information = Enum("Information", "PERFECT_INFORMATION IMPERFECT_INFORMATION")
    Utility = Enum("Utility", "ZERO_SUM CONSTANT_SUM GENERAL_SUM IDENTICAL")
    RewardModel = Enum("RewardModel", "TERMINAL REWARDS")


class GameInfo(SimpleNamespace):
    pass


class Game:
    def __init__(self, game_type: Any, info: Any, params: Any) -> None:
        self._type, self._info, self._params = game_type, info, params

    def __getattr__(self, name: str) -> Callable[[], Any]:
        """Return a function that returns an entry of `GameInfo`."""
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._info, name)
        return lambda: value

    def get_type(self) -> Any:
        return self._type


class State:
    """The base class of states written in Python."""

    def __init__(self, game: Any) -> None:
        self._game, self._history = game, []  # type: tuple[Any, list[int]]

    def get_game(self) -> Any:
        return self._game

    def history(self) -> list[int]:
        return list(self._history)

    def is_chance_node(self) -> bool:
        return self.current_player() == PlayerId.CHANCE

    def legal_actions(self) -> list[int]:
        if self.is_terminal():
            return []
        if self.is_chance_node():
            return [action for action, _ in self.chance_outcomes()]
        return list(self._legal_actions(self.current_player()))

    def apply_action(self, action: int) -> None:
        self._apply_action(action)
        self._history.append(action)

    def action_to_string(self, action: int) -> str:
        return str(self._action_to_string(self.current_player(), action))

    def string_to_action(self, text: str) -> int:
        return next(action for action in self.legal_actions() if self.action_to_string(action) == text)

    def information_state_string(self) -> str:
        return str(self)

    def clone(self) -> Any:
        other = type(self).__new__(type(self))
        other.__dict__.update({name: copy.deepcopy(value) for name, value in self.__dict__.items() if name != "_game"})
        other._game = self._game
        return other

    def child(self, action: int) -> Any:
        other = self.clone()
        other.apply_action(action)
        return other


_games: dict[str, type[Any]] = {}


def register_game(game_type: Any, kind: type[Any]) -> None:
    _games[game_type.short_name] = kind


def load_game(name: str) -> Any:
    return _games[name]()


def random_sim_test(game: Any, num_sims: int, serialize: bool, verbose: bool) -> None:
    """Play random games and check what OpenSpiel requires of every game."""
    random, kind = Random(num_sims), game.get_type()
    for _ in range(num_sims):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            assert legal == sorted(set(legal)) and legal[0] >= 0 and legal[-1] < game.num_distinct_actions()
            assert len({state.action_to_string(action) for action in legal}) == len(legal)
            if state.is_chance_node():
                assert kind.chance_mode == GameType.ChanceMode.EXPLICIT_STOCHASTIC
                assert legal[-1] < game.max_chance_outcomes()
                assert abs(sum(chance for _, chance in state.chance_outcomes()) - 1) < 1e-9
            else:
                assert 0 <= state.current_player() < game.num_players()
            if serialize:
                again = pickle.loads(pickle.dumps(state))
                assert str(again) == str(state) and again.legal_actions() == legal
            before = str(state), state.history()
            after = state.child(random.choice(legal))
            assert (str(state), state.history()) == before
            state = after
        returns = state.returns()
        assert state.current_player() == PlayerId.TERMINAL and state.legal_actions() == []
        assert len(returns) == game.num_players()
        assert all(game.min_utility() <= value <= game.max_utility() for value in returns)
        assert kind.utility != GameType.Utility.ZERO_SUM or sum(returns) == game.utility_sum() == 0
        assert len(state.history()) <= game.max_game_length() or kind.chance_mode != GameType.ChanceMode.DETERMINISTIC
