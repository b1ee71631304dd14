"""Players that need nobody at the board, each choosing a complete turn: `random`, `greedy`, who looks one ahead, `ai`.

`greedy` knows nothing but the rules: it wins if it can, doesn't let the next player win at once if that can be
helped, and otherwise takes what gains most, counting pieces by their mobility and how near a goal of the game is.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from zrf_py.front import goals, model
from zrf_py.ir.ops import Program
from zrf_py.play.turns import Turn, turns
from zrf_py.run.engine import Engine
from zrf_py.run.interpret import generate_from
from zrf_py.run.position import NOBODY, Move, Outcome, Position, initial
from zrf_py.search.game_search import PATIENCE, search_for
from zrf_py.search.limits import STRONGEST, Limits, limits
from zrf_py.search.traits import KINDS
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import suggest

if TYPE_CHECKING:
    from random import Random

HUMAN = "human"
"""Somebody at the board: the name beside those of the computer players."""
REPLIES = 500
"""Replies of the next player that are tried before the best turn found so far is taken as safe."""
FEW = 60
"""Up to so many turns it is asked after each whether the next player can move at all."""
LINK = 0.5
"""What a step nearer to a goal is worth beside a piece that can make one move on average."""


class Choose(Protocol):
    """A computer player."""

    def __call__(
        self, engine: Engine, position: Position, random: Random, past: Sequence[Position] = (),
    ) -> tuple[Move, ...]:
        """The legs of a complete turn, none where there is no move. `past` are the positions of the game before it, the
        oldest first, for those that mind what has been there."""
        ...


def random_turn(
    engine: Engine, position: Position, random: Random, past: Sequence[Position] = (),
) -> tuple[Move, ...]:
    """A turn of legs, each chosen at random; so chances are those of somebody who only knows the rules."""
    legs: list[Move] = []
    while moves := engine.moves(position):
        leg = random.choice(moves)
        legs.append(leg)
        position = engine.after(position, leg)
        if position.chain is None or len(legs) > 200:
            break
    return tuple(legs)


def greedy_turn(
    engine: Engine, position: Position, random: Random, past: Sequence[Position] = (),
) -> tuple[Move, ...]:
    """The turn that looks best one turn ahead; of equal ones any."""
    return greedy_for(engine).choose(position, random)


LEVELS = tuple(f"ai:{level}" for level in range(1, 11))
PLAYERS: dict[str, Choose] = {"random": random_turn, "greedy": greedy_turn}
"""The computer players with a name of their own, weakest first; `player` knows more."""


@dataclass(frozen=True)
class Searching:
    """Who looks ahead, within limits."""

    limits: Limits
    kind: str = ""

    def __call__(
        self, engine: Engine, position: Position, random: Random, past: Sequence[Position] = (),
    ) -> tuple[Move, ...]:
        """The best turn, as far as it is seen."""
        if not engine.moves(position):
            return ()
        return search_for(engine.program).turn(position, past, self.limits, random.getrandbits(31), self.kind)

    @staticmethod
    def settle(program: Program) -> None:
        """Wait until there is nothing left to learn of a game."""
        search_for(program).settle(PATIENCE)


def player(name: str, seconds: float | None = None, nodes: int | None = None) -> Choose:
    """
    The computer player of a name: `random`, `greedy`, or `ai` with what it may do behind colons: a level from 1 to 10
    (`ai:3`), a time (`ai:2s`), a number of positions (`ai:50000n`), a kind of search (`ai:mcts`). Who searches
    takes no more than `seconds` and `nodes` for a turn, whatever the name says.

    :raises ZrfError: if there is no such player.
    """
    if name in PLAYERS:
        return PLAYERS[name]
    first, *parts = name.split(":")
    found: dict[str, object] = {}
    for part in parts:
        found |= _limit(part)
    if first != "ai" or len(found) < len(parts):
        known = [HUMAN, *PLAYERS, "ai", *LEVELS, *(f"ai:{kind}" for kind in KINDS)]
        guess = suggest(name, known)
        raise ZrfError([Diagnostic(
            "unknown-player-kind", f"nobody can be played by `{name}`", None,
            help=f"did you mean `{guess}`?" if guess else "there are human, random, greedy and ai:1 to ai:10")])
    kind = str(found.pop("kind", ""))
    own = limits(**(found or {"strength": STRONGEST}))  # type: ignore[arg-type]
    return Searching(_within(own, seconds, nodes), kind)


def _within(own: Limits, seconds: float | None, nodes: int | None) -> Limits:
    """The tighter of two limits each."""
    times = [t for t in (own.time, seconds) if t is not None]
    counts = [n for n in (own.nodes, nodes) if n is not None]
    return replace(own, time=min(times, default=None), nodes=min(counts, default=None))


def _limit(text: str) -> dict[str, object]:
    """What one of the parts of a name says; nothing if it says nothing."""
    try:
        if text in KINDS:
            return {"kind": text}
        if text.endswith("s"):
            return {"time": float(text[:-1])}
        if text.endswith("n"):
            return {"nodes": int(text[:-1])}
        return {"strength": int(text)} if 1 <= int(text) <= STRONGEST else {}
    except ValueError:
        return {}


@lru_cache(maxsize=4)
def greedy_for(engine: Engine) -> Greedy:
    """What `greedy` works out about the game of an engine, kept for the last few games."""
    return Greedy(engine)


@dataclass
class Greedy:
    """What `greedy_turn` works out about one game."""

    engine: Engine
    most: int | None = None
    """Positions within a turn beyond which any turn is made."""
    seconds: float | None = None
    """Processor time after which only the board is looked at, not what the next player could do."""

    def __post_init__(self) -> None:
        self.program: Program = self.engine.program
        self.values = piece_values(self.program)
        self.goals = [_goals_of(self.program.game, p) for p in range(len(self.program.game.players))]
        self.near = _neighbours(self.program.game)

    def choose(self, position: Position, random: Random) -> tuple[Move, ...]:
        mover = self.program.game.turns[position.turn].mover
        end = None if self.seconds is None else time.thread_time() + self.seconds

        def is_late() -> bool:
            return end is not None and time.thread_time() > end

        try:
            found = turns(self.engine, position, self.most)
        except ZrfError:  # too many to list; if it is a fault of the rules, it comes up again
            return random_turn(self.engine, position, random)
        if not found:
            return ()
        random.shuffle(found)
        thorough = len(found) <= FEW
        rated = sorted(found, key=lambda turn: self.rate(turn.end, mover, thorough and not is_late()),
                       reverse=True)
        best = rated[0]
        if _wins(self.outcome(best.end), mover):
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
        """Whether the game is over; that somebody has no move is asked only where the rules make a point of it."""
        if position.result is not None or not self.program.game.ends:
            return position.result
        return self.engine.outcome(position)

    def rate(self, position: Position, mover: int, thorough: bool = True) -> float:
        """What a position is worth to a player; unless it is to be thorough, only goals on the board end the game."""
        outcome = self.outcome(position) if thorough else position.result
        if outcome is not None:
            return 1e9 if _wins(outcome, mover) else -1e9 if _loses(outcome, mover) else 0.0
        return self.material(position, mover) + self.progress(position, mover)

    def material(self, position: Position, mover: int) -> float:
        """Own pieces less those of other players, on the board and in hand."""
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
        """How near the mover's pieces are to the squares where its goals want them; the nearest goal counts."""
        return max((-LINK * self._distance(position, mover, goal) for goal in self.goals[mover]), default=0.0)

    def _distance(self, position: Position, mover: int, goal: frozenset[int]) -> float:
        """Steps of all pieces that aren't home to the nearest square that is still free of them."""
        free = {p for p in goal if position.owner[p] != mover}
        distance = dict.fromkeys(free, 0)
        queue = deque(free)
        while queue:
            here = queue.popleft()
            for there in self.near[here]:
                if there not in distance:
                    distance[there] = distance[here] + 1
                    queue.append(there)
        far = len(self.near)
        return sum(distance.get(p, far) for p, owner in enumerate(position.owner) if owner == mover and p not in goal)

    def _loses_at_once(self, turn: Turn, mover: int) -> tuple[bool, int]:
        """Whether the next player has a move that wins; how many were tried."""
        position = turn.end
        if position.result is not None:
            return False, 0
        moves = self.engine.moves(position)
        for tried, move in enumerate(moves, 1):
            result = self.engine.after(position, move).result
            if result is not None and _loses(result, mover):
                return True, tried
        return False, len(moves)


def _wins(outcome: Outcome | None, player: int) -> bool:
    if outcome is None:
        return False
    return player in outcome.winners or bool(outcome.losers and player not in outcome.losers)


def _loses(outcome: Outcome, player: int) -> bool:
    return player in outcome.losers or bool(outcome.winners and player not in outcome.winners)


def piece_values(program: Program) -> list[float]:
    """What each type is worth: one, and the moves it has on average on an otherwise empty board."""
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


def _goals_of(game: model.Game, player: int) -> list[frozenset[int]]:
    """Squares that a winning configuration of the player wants occupied by its own pieces."""
    found = []
    for goal in goals.wanted(game, player):
        if isinstance(goal, model.Absolute) and any(o.owner == "own" and not o.negated for o in goal.occupants):
            found.append(frozenset(s for place in goal.places for s in game.board.squares(place, player)))
    return [squares for squares in found if squares]
