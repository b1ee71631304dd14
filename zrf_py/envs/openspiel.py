"""OpenSpiel adapter: `pyspiel.load_game(register("chess"))`. Dice are chance nodes; actions are those of `Fleet`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from typing import Any

from zrf_py.text.extras import importing

with importing(__name__, "openspiel"):
    import numpy as np
    import pyspiel

from zrf_py.envs.actions import Actions
from zrf_py.envs.arguments import MOST, bad, illegal, playable
from zrf_py.envs.planes import Planes
from zrf_py.ir.ops import Program
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game
from zrf_py.play.position_text import position_text
from zrf_py.run import goals
from zrf_py.run.position import Move, Outcome, Position, initial
from zrf_py.text import arguments

_rules: dict[str, SharedRules] = {}
DIGITS = 8
"""Number of digits (hexadecimal) of the rules' hash that a game's name ends in."""


class SharedRules:
    """Data shared by all states of a game; `digest` is the SHA-256 of its packed rules."""

    def __init__(
        self, name: str, game: Game, actions: Actions, planes: Planes, max_plies: int, digest: str,
    ) -> None:
        self.name, self.game = name, game
        self.program = game.program
        self.engine = make_engine(game.program, "auto")
        self.actions, self.planes = actions, planes
        self.max_plies, self.digest = max_plies, digest
        self.squares = len(game.program.game.board.places)
        self.has_dice = any(p.kind == "random" for p in game.program.game.players)
        self.start = Node(self, self.engine.start(), {})

    def returns(self, outcome: Outcome | None) -> list[float]:
        """Return the utility of each ordinary player: 1, 0 or -1 (0 if there is no outcome)."""
        return [float(outcome.points(player)) if outcome else 0.0 for player in self.planes.ordinary]

    def __reduce__(self) -> tuple[Any, ...]:
        return _registered, (self.game, self.max_plies)

    def utilities(self) -> list[list[float]]:
        """Return the utilities of all possible outcomes, a draw included, since `max_plies` may cut a game off."""
        return [self.returns(outcome) for outcome in (None, *_outcomes(self.program))]


def _registered(game: Game, max_plies: int) -> SharedRules:
    return _rules[register(game, None, max_plies)]


def _loaded(rules: SharedRules) -> Any:
    return pyspiel.load_game(rules.name)


def _resumed(node: Node) -> State:
    return State(_loaded(node.rules), node)


def _outcomes(program: Program) -> Iterator[Outcome]:
    """Iterate over all outcomes that the end conditions of a game may produce in any position."""
    game, position = program.game, initial(program)
    players = game.playing
    movers = sorted(game.movers)
    for mover in movers:
        yield goals.default_stalemate(program, mover)
        if any(program.aims.royals):
            yield Outcome((), (mover,), "checkmated")
    may_leave = players if any(end.result == "out" for end in game.ends) else []
    for out in (subset for size in range(len(may_leave) + 1) for subset in combinations(may_leave, size)):
        left = replace(position, out=frozenset(out))
        last = goals.last_team(program, left) if out else None
        yield from [last] if last else []
        for number, end in enumerate(game.ends):
            if end.result in ("win", "loss", "draw"):
                for player in movers if end.players is None else end.players:
                    yield goals.outcome_of(program, left, number, player)
    if any(end.result in ("count", "score") for end in game.ends):
        for size in range(1, max(len(players), 2)):
            for winners in combinations(players, size):
                yield Outcome(winners, tuple(p for p in players if p not in winners), "score")


def register(game: Game | str, variant: str | int | None = None, max_plies: int = 1000) -> str:
    """Register a game with OpenSpiel; return its short name, which ends in a hash of its rules.

    Registering the same rules again is harmless.

    :raises ZrfError: if there is no such game, it has no actions or too many, or another game has this name.
    """
    max_plies = arguments.whole("max_plies", max_plies, 1, MOST)
    opened, actions, planes = playable(game, variant)
    digest = sha256(opened.packed).hexdigest()
    letters = "".join(c if c.isascii() and c.isalnum() else "_" for c in opened.title.lower())
    name = f"zrf_{letters}_{digest[:DIGITS]}" + (f"_{max_plies}" if max_plies != 1000 else "")
    if name in _rules:
        if _rules[name].digest != digest:
            raise bad(f"`{name}` is already the name of another game", "change the title of one of them")
        return name
    rules = _rules[name] = SharedRules(name, opened, actions, planes, max_plies, digest)
    game_type, info = _described(name, opened.title, rules)

    class ZrfGame(pyspiel.Game):
        """The registered game."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})

        def __reduce__(self) -> tuple[Any, ...]:
            return _loaded, (rules,)

        def new_initial_state(self) -> State:
            return State(self, rules.start)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(rules)

    pyspiel.register_game(game_type, ZrfGame)
    return name


def _described(name: str, title: str, rules: SharedRules) -> tuple[Any, Any]:
    """Return the `pyspiel.GameType` and `pyspiel.GameInfo` of a game."""
    players, kind = len(rules.planes.ordinary), pyspiel.GameType
    utilities = rules.utilities()
    lowest, highest = min(map(min, utilities)), max(map(max, utilities))
    is_zero_sum = all(sum(row) == 0 for row in utilities)
    game_type = pyspiel.GameType(
        short_name=name, long_name=title, dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if rules.has_dice else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if is_zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL, max_num_players=players, min_num_players=players,
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification={})
    info = pyspiel.GameInfo(
        num_distinct_actions=len(rules.actions), max_chance_outcomes=len(rules.actions) if rules.has_dice else 0,
        num_players=players, min_utility=lowest,
        max_utility=max(highest, lowest + 1),  # OpenSpiel requires a range even if no rule ends the game
        utility_sum=0.0 if is_zero_sum else None, max_game_length=rules.max_plies)
    return game_type, info


class Node:
    """Immutable position with its repetition counts; copies of a `State` share their node."""

    def __init__(self, rules: SharedRules, position: Position, before: Mapping[object, int], plies: int = 0) -> None:
        self.rules, self.position, self.plies = rules, position, plies
        self.before, self.seen, self.times = before, before, 1
        """Counts of earlier positions; the same with this one added, unless within a turn; the count of this one."""
        if rules.planes.repeats:
            key = position.key()
            self.times = before.get(key, 0)
            if position.chain is None:
                self.times += 1
                self.seen = {**before, key: self.times}
        self.outcome = rules.engine.outcome(position, self.times)

    @cached_property
    def moves(self) -> dict[int, list[Move]]:
        """Lists of equivalent legal moves by their action, in ascending order; empty once the game is over."""
        if self.outcome:
            return {}
        numbered = self.rules.actions.numbered(self.rules.engine.moves(self.position))
        return {action: numbered[action] for action in sorted(numbered)}

    @property
    def mover(self) -> int:
        return self.rules.program.game.turns[self.position.turn].mover

    def after(self, move: Move, plies: int) -> Node:
        return Node(self.rules, self.rules.engine.after(self.position, move), self.seen, self.plies + plies)

    def __deepcopy__(self, memo: object) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.rules, self.position, self.before, self.plies)


class State(pyspiel.State):
    """OpenSpiel state: a reference to a `Node`, so that cloning is cheap."""

    def __init__(self, game: Any, node: Node) -> None:
        super().__init__(game)
        self.node = node

    def __deepcopy__(self, memo: object) -> State:
        copy: State = self.clone()
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _resumed, (self.node,)

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        node = self.node
        if node.rules.program.game.players[node.mover].kind == "random":
            return int(pyspiel.PlayerId.CHANCE)
        return node.rules.planes.ordinary.index(node.mover)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.moves)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = sum(map(len, self.node.moves.values()))  # each move that a block writes is equally likely
        return [(action, len(equivalent) / count) for action, equivalent in self.node.moves.items()]

    def _apply_action(self, action: int) -> None:
        node = self.node
        if action not in node.moves:
            raise illegal("", action, node.rules.actions, list(node.moves))
        self.node = node.after(node.moves[action][0], self.current_player() >= 0)

    def _action_to_string(self, player: int, action: int) -> str:
        actions = self.node.rules.actions
        return actions.texts[arguments.whole("action", action, 0, len(actions) - 1)]

    def is_terminal(self) -> bool:
        return self.node.outcome is not None or self.node.plies >= self.node.rules.max_plies

    def returns(self) -> list[float]:
        return self.node.rules.returns(self.node.outcome)

    def __str__(self) -> str:
        """Return the position as text, followed by its count if it is repeated; a key for tables, as in CFR."""
        text = position_text(self.node.rules.program, self.node.position)
        return text if self.node.times < 2 else f"{text} | times {self.node.times}"


class Observer:
    """OpenSpiel observer: writes the planes of a state from a player's view into `tensor`."""

    def __init__(self, rules: SharedRules) -> None:
        self._rules = rules
        size = len(rules.planes.names), rules.squares
        self.tensor = np.zeros(size[0] * size[1], np.float32)
        self.dict = {"observation": self.tensor.reshape(size)}

    def set_from(self, state: Any, player: int) -> None:
        planes, node = self._rules.planes, state.node
        viewer: Sequence[int] = planes.ordinary
        self.dict["observation"][:] = planes.observe(node.position, node.times, viewer[max(player, 0)])

    def string_from(self, state: Any, player: int) -> str:
        return str(state)
