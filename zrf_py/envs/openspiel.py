"""Games for OpenSpiel: `pyspiel.load_game(register("chess"))`. Dice are chance nodes; actions are those of a fleet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from zrf_py.envs.actions import Actions
from zrf_py.envs.asked import illegal, playable, want
from zrf_py.envs.planes import Planes
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game
from zrf_py.run.position import Outcome, Position

_rules: dict[str, Rules] = {}


class Rules:
    """What all states of a game share."""

    def __init__(self, game: Game, actions: Actions, planes: Planes, max_plies: int) -> None:
        self.program = game.program
        self.engine = make_engine(game.program, "auto")
        self.actions, self.planes = actions, planes
        self.max_plies = max_plies
        self.squares = len(game.program.game.board.places)
        self.has_dice = any(p.kind == "random" for p in game.program.game.players)

    def returns(self, outcome: Outcome | None) -> list[float]:
        """What each ordinary player gets."""
        ordinary = self.planes.ordinary
        if outcome is None or not (outcome.winners or outcome.losers):
            return [0.0] * len(ordinary)
        if outcome.winners:
            return [1.0 if i in outcome.winners else -1.0 for i in ordinary]
        return [-1.0 if i in outcome.losers else 1.0 for i in ordinary]


def register(game: Game | str, variant: str | int | None = None, max_plies: int = 1000) -> str:
    """Make a game known to OpenSpiel; its short name there. A name that is known already stays as it is.

    :raises ZrfError: if the game does not fit.
    """
    max_plies = want("max_plies", max_plies, 1, 1 << 24)
    opened, actions, planes = playable(game, variant)
    letters = "".join(c if c.isalnum() else "_" for c in opened.title.lower())
    name = f"zrf_{letters}" + (f"_{max_plies}" if max_plies != 1000 else "")
    if name in _rules:
        return name
    rules = _rules[name] = Rules(opened, actions, planes, max_plies)
    players = len(rules.planes.ordinary)
    kind = pyspiel.GameType
    game_type = pyspiel.GameType(
        short_name=name, long_name=opened.title, dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if rules.has_dice else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if players == 2 else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL, max_num_players=players, min_num_players=players,
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification={})
    info = pyspiel.GameInfo(
        num_distinct_actions=len(rules.actions), max_chance_outcomes=len(rules.actions) if rules.has_dice else 0,
        num_players=players, min_utility=-1.0, max_utility=1.0, utility_sum=0.0 if players == 2 else None,
        max_game_length=max_plies)

    class ZrfGame(pyspiel.Game):
        """The game as OpenSpiel knows it."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})

        def new_initial_state(self) -> State:
            return State(self, name)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(rules)

    pyspiel.register_game(game_type, ZrfGame)
    return name


class State(pyspiel.State):
    """A position with its history."""

    def __init__(self, game: Any, name: str) -> None:
        super().__init__(game)
        self._name = name
        self._seen: dict[object, int] = {}
        self._plies = 0
        self._set(self._game_rules.engine.start())

    @property
    def _game_rules(self) -> Rules:
        return _rules[self._name]

    def __deepcopy__(self, memo: object) -> State:
        other = State(self.get_game(), self._name)
        for action in self.history():
            other.apply_action(action)
        return other

    def _set(self, position: Position) -> None:
        self._position = position
        if position.chain is None:
            self._seen = {**self._seen, position.key(): self.times + 1}
        rules = self._game_rules
        self._outcome = rules.engine.outcome(position, self.times)
        self._moves = {} if self._outcome else rules.actions.numbered(rules.engine.moves(position))

    @property
    def times(self) -> int:
        return self._seen.get(self._position.key(), 0)

    @property
    def _mover(self) -> int:
        game = self._game_rules.program.game
        return game.turns[self._position.turn].mover

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self._game_rules.program.game.players[self._mover].kind == "random":
            return int(pyspiel.PlayerId.CHANCE)
        return self._game_rules.planes.ordinary.index(self._mover)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._moves)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(action, 1.0 / len(self._moves)) for action in sorted(self._moves)]

    def _apply_action(self, action: int) -> None:
        if action not in self._moves:
            raise illegal("", action, self._game_rules.actions, sorted(self._moves))
        move = self._moves[action]
        self._plies += self.current_player() >= 0
        self._set(self._game_rules.engine.after(self._position, move))

    def _action_to_string(self, player: int, action: int) -> str:
        actions = self._game_rules.actions
        return actions.texts[want("action", action, 0, len(actions) - 1)]

    def is_terminal(self) -> bool:
        return self._outcome is not None or self._plies >= self._game_rules.max_plies

    def returns(self) -> list[float]:
        return self._game_rules.returns(self._outcome)

    def __str__(self) -> str:
        game, position = self._game_rules.program.game, self._position
        men = " ".join(f"{game.players[owner].name} {game.pieces[position.piece[i]].name} {game.board.places[i].name};"
                       for i, owner in enumerate(position.owner) if owner >= 0)
        return f"{game.players[self._mover].name} to move: {men}"


class Observer:
    """What a player sees, as OpenSpiel asks for it."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        size = len(rules.planes.names), rules.squares
        self.tensor = np.zeros(size[0] * size[1], np.float32)
        self.dict = {"observation": self.tensor.reshape(size)}

    def set_from(self, state: Any, player: int) -> None:
        planes = self._rules.planes
        viewer: Sequence[int] = planes.ordinary
        self.dict["observation"][:] = planes.observe(state._position, state.times, viewer[max(player, 0)])

    def string_from(self, state: Any, player: int) -> str:
        return str(state)
