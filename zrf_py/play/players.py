"""Computer players. Each chooses a complete turn: `random`, `greedy` (one turn ahead), `ai` (search).

`greedy` uses only the rules: it wins if it can, avoids turns after which the next player wins at once, and otherwise
maximises an evaluation of material, valued by mobility, and of progress towards a goal of the game.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.play.turns import CompleteTurn, turns
from zrf_py.run.engine import Engine
from zrf_py.run.interpret import generate_from
from zrf_py.run.position import NOBODY, Move, Outcome, Position, initial
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import STRONGEST, Limits, limits
from zrf_py.search.traits import KINDS
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import did_you_mean

if TYPE_CHECKING:
    from random import Random

HUMAN = "human"
"""Name that stands for a human among the names of computer players."""
REPLIES = 500
"""Limit on the replies tried in the search for a safe turn; beyond it the best-rated turn is played."""
FEW = 60
"""With at most this many possible turns, stalemate is tested after each; with more, only goals on the board are."""
LINK = 0.5
"""Value of one step towards a goal; a piece is worth 1 plus its average mobility."""
Legs = tuple[Move, ...]
"""A complete turn; () if there is no move."""
Past = Sequence[Position]
"""The previous positions of a game, oldest first."""


class Choose(Protocol):
    """A computer player."""

    def __call__(self, engine: Engine, position: Position, random: Random, past: Past = ()) -> Legs:
        """Return the legs of a complete turn; `past` is for players that consider repetition."""
        ...


def random_turn(engine: Engine, position: Position, random: Random, past: Past = ()) -> Legs:
    """Choose a turn by drawing each leg uniformly."""
    legs: list[Move] = []
    while moves := engine.moves(position):
        leg = random.choice(moves)
        legs.append(leg)
        position = engine.after(position, leg)
        if position.chain is None or len(legs) >= 200:
            break
    return tuple(legs)


def greedy_turn(engine: Engine, position: Position, random: Random, past: Past = ()) -> Legs:
    """Choose the best turn at depth one, preferably one that does not lose at once; ties are broken at random."""
    return greedy_for(engine).choose(position, random)


LEVELS = tuple(f"ai:{level}" for level in range(1, 11))
PLAYERS: dict[str, Choose] = {"random": random_turn, "greedy": greedy_turn}
"""Computer players by name, weakest first; `player` also accepts `ai` names."""


@dataclass(frozen=True)
class Searching:
    """A player that searches, within limits; `kind` is the kind of search ("": the game's default)."""

    limits: Limits
    kind: str = ""

    def __call__(self, engine: Engine, position: Position, random: Random, past: Past = ()) -> Legs:
        """Search for the best turn."""
        if not engine.moves(position):
            return ()
        return search_for(engine.program).turn(position, past, self.limits, random.getrandbits(31), self.kind)


def player(
    name: str, seconds: float | None = None, nodes: int | None = None, cpu: float | None = None, or_human: bool = False,
) -> Choose:
    """Return the computer player `name`: `random`, `greedy`, or `ai` with options after colons: a level from 1 to 10
    (`ai:3`), a time (`ai:2s`), processor time (`ai:0.1cpu`), a number of positions (`ai:50000n`), a kind of search
    (`ai:mcts`). `seconds`, `nodes` and `cpu` limit each turn of a searching player further.

    :raises ZrfError: if there is no such computer player; with `or_human`, the message offers `human`, too.
    """
    if name in PLAYERS:
        return PLAYERS[name]
    first, *parts = name.split(":")
    options: dict[str, object] = {}
    for part in parts:
        options |= _limit(part)
    if first != "ai" or len(options) < len(parts):
        names = [*[HUMAN] * or_human, *PLAYERS, "ai", *LEVELS, *(f"ai:{kind}" for kind in KINDS)]
        usual = f"choose {'human, ' if or_human else ''}random, greedy or ai:1 to ai:10"
        if name == HUMAN:
            raise ZrfError("people can't play here, only computer players", "unknown-player-kind",
                           help=f"{usual}; `zrf play` is for people")
        raise ZrfError(f"there is no player `{name}`", "unknown-player-kind", help=(
            f"{usual}; ai:10 is the strongest" if first == "ai" and name[3:].lstrip("-").isdecimal() else
            did_you_mean(name, names, usual)))
    kind = str(options.pop("kind", ""))
    own = limits(**(options or {"strength": STRONGEST}))  # type: ignore[arg-type]
    return Searching(_within(own, Limits(seconds, nodes, cpu=cpu)), kind)


def _within(own: Limits, other: Limits) -> Limits:
    """Return `own`, with time, processor time and number of positions lowered to those of `other` if they are less."""
    def smaller(name: str) -> Any:
        return min((n for n in (getattr(own, name), getattr(other, name)) if n is not None), default=None)

    return replace(own, time=smaller("time"), nodes=smaller("nodes"), cpu=smaller("cpu"))


def _limit(text: str) -> dict[str, object]:
    """Parse one option of a player's name into arguments of `limits`; {} if the text is not an option."""
    try:
        if text in KINDS:
            return {"kind": text}
        if text.endswith("cpu"):
            return {"cpu": float(text[:-3])}
        if text.endswith("s"):
            return {"time": float(text[:-1])}
        if text.endswith("n"):
            return {"nodes": int(text[:-1])}
        return {"strength": int(text)} if 1 <= int(text) <= STRONGEST else {}
    except ValueError:
        return {}


@lru_cache(maxsize=4)
def greedy_for(engine: Engine) -> Greedy:
    """Return the `Greedy` of an engine (cached for the last few)."""
    return Greedy(engine)


@dataclass
class Greedy:
    """The player `greedy` for one game, with its piece values, goal squares, and links between squares."""

    engine: Engine
    most: int | None = None
    """Limit on positions within a turn; beyond it a random turn is played. None: the usual limit."""
    seconds: float | None = None
    """Processor time after which replies and full outcomes are no longer tested. None: no limit."""

    def __post_init__(self) -> None:
        self.program: Program = self.engine.program
        self.values = piece_values(self.program)
        self.goals = [[frozenset(race.squares) for race in races if not race.counts]
                      for races in self.program.aims.races]
        """[player]: sets of squares that the player must occupy in winning configurations."""
        self.near = _neighbours(self.program.game)

    def choose(self, position: Position, random: Random) -> tuple[Move, ...]:
        mover = self.program.game.turns[position.turn].mover
        end = None if self.seconds is None else time.thread_time() + self.seconds

        def is_late() -> bool:
            return end is not None and time.thread_time() > end

        try:
            choices = turns(self.engine, position, self.most)
        except ZrfError:  # too many to list; `random_turn` raises faults of the rules again
            return random_turn(self.engine, position, random)
        if not choices:
            return ()
        random.shuffle(choices)
        thorough = len(choices) <= FEW
        rated = sorted(choices, key=lambda turn: self.rate(turn.end, mover, thorough and not is_late()),
                       reverse=True)
        best = rated[0]
        if (end_of_best := self.outcome(best.end)) and end_of_best.is_won_by(mover):
            return best.legs
        tried = 0
        for turn in rated:
            danger, replies = self._loses_at_once(turn, mover)
            tried += replies
            if not danger:
                return turn.legs
            if tried > REPLIES or is_late():
                break
        return best.legs

    def outcome(self, position: Position) -> Outcome | None:
        """Return the outcome, None while the game goes on; without end conditions, stalemate is not tested."""
        if position.result is not None or not self.program.game.ends:
            return position.result
        return self.engine.outcome(position)

    def rate(self, position: Position, mover: int, thorough: bool = True) -> float:
        """Evaluate a position for `mover`: ±1e9 for a win or loss, 0 for a draw. If not `thorough`, only goals on the
        board end the game, not a lack of moves."""
        outcome = self.outcome(position) if thorough else position.result
        if outcome is not None:
            return 1e9 * outcome.points(mover)
        return self.material(position, mover) + self.progress(position, mover)

    def material(self, position: Position, mover: int) -> float:
        """Return the value of `mover`'s pieces, also in hand, minus others'; neutral pieces on the board count 0."""
        total = 0.0
        players = self.program.game.players
        for owner, kind in zip(position.owner, position.piece, strict=True):
            if owner != NOBODY and players[owner].kind != "neutral":
                total += self.values[kind] if owner == mover else -self.values[kind]
        for player, counts in enumerate(position.stores):
            sign = 1 if player == mover else -1
            total += sign * sum(n * self.values[k] for k, n in enumerate(counts) if n > 0)
        return total

    def progress(self, position: Position, mover: int) -> float:
        """Return the negative distance of `mover`'s pieces from its nearest goal, times `LINK`; 0 if it has none."""
        return max((-LINK * self._distance(position, mover, goal) for goal in self.goals[mover]), default=0.0)

    def _distance(self, position: Position, mover: int, goal: frozenset[int]) -> float:
        """Sum the steps from each own piece outside the goal to the nearest goal square that has no own piece."""
        distance = model.steps_from((p for p in goal if position.owner[p] != mover), self.near.__getitem__)
        far = len(self.near)
        return sum(distance.get(p, far) for p, owner in enumerate(position.owner) if owner == mover and p not in goal)

    def _loses_at_once(self, turn: CompleteTurn, mover: int) -> tuple[bool, int]:
        """Return (True if a reply makes `mover` lose at once, number of replies tried)."""
        position = turn.end
        if position.result is not None:
            return False, 0
        moves = self.engine.moves(position)
        for tried, move in enumerate(moves, 1):
            result = self.engine.after(position, move).result
            if result and result.points(mover) < 0:
                return True, tried
        return False, len(moves)


def piece_values(program: Program) -> list[float]:
    """Return the value of each type: 1 plus its average number of moves on an otherwise empty board."""
    empty = initial(program)
    size = len(empty.owner)
    side = program.game.turns[0].side if program.game.turns else 0
    squares = range(0, size, max(1, size // 40))
    values = []
    for kind in range(len(program.game.pieces)):
        moves = sum(_lone_moves(program, empty, side, kind, square) for square in squares)
        values.append(1.0 + moves / len(squares))
    return values


def _lone_moves(program: Program, empty: Position, side: int, kind: int, square: int) -> int:
    size = len(empty.owner)
    owner = tuple(side if s == square else NOBODY for s in range(size))
    lone = replace(empty, owner=owner, piece=(kind,) * size, attributes=(0,) * size)
    return len(generate_from(program, lone, side, square, -1))


def _neighbours(game: model.Game) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in game.board.places]
    for table in game.board.links:
        for start, end in enumerate(table):
            if end >= 0:
                near[end].add(start)
    return near
