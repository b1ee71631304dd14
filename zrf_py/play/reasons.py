"""Reasons for the end of a game, in words and with the pieces involved: "five in a row", "no legal moves"."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.run import goals
from zrf_py.run.numbers import value
from zrf_py.run.position import NOBODY, Outcome, Position

_TABLES = json.loads(Path(__file__).with_name("sentences.json").read_text("utf-8"))
NUMBERS: list[str] = _TABLES["numbers"]
SENTENCES: dict[str, str] = _TABLES["reasons"]
"""Sentences by code, or by code and number; default: that of `rules`. They name no zones, as the board shows them."""
STANDINGS: dict[str, str] = _TABLES["standings"]
"""Words for a number shown beside a player, by its code in `play/standing.py`."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason as translatable data: `code`, `number` and `name`; `places` are the squares of the pieces involved.

    `sentence` is the reason in English, with placeholders `{number}` and `{name}`; `spelt` is the text of the number.
    """

    code: str
    number: int = 0
    name: str = ""
    places: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        return SENTENCES.get(f"{self.code} {self.number}") or SENTENCES.get(self.code, SENTENCES["rules"])

    @property
    def spelt(self) -> str:
        return NUMBERS[self.number] if 0 <= self.number < len(NUMBERS) else str(self.number)

    @property
    def words(self) -> str:
        """The reason in English."""
        return self.sentence.format(number=self.spelt, name=self.name)


def spoken(name: str) -> str:
    """Convert a name of a rules file to words.

    >>> spoken("first-die")
    'first die'
    """
    return re.sub(r"[-_]+", " ", name).strip()


def reason_of(program: Program, position: Position, outcome: Outcome) -> Reason:
    """Return the reason for the `outcome` of a position."""
    if outcome.reason in ("stalemated", "repetition", "last-left"):
        return Reason(outcome.reason)
    if outcome.reason == "checkmated":
        return Reason("checkmated", places=royal_places(program, position, outcome.losers))
    for goal, player in _fulfilled(program, position, outcome):
        reason = _reason(program, position, goal, player)
        if reason:
            return reason
    return Reason(outcome.reason)


def royal_places(program: Program, position: Position, players: Iterable[int]) -> tuple[int, ...]:
    """Return the squares of the royal pieces of these players."""
    royals = program.aims.royals
    owners = set(players)
    return tuple(s for s, (owner, kind) in enumerate(zip(position.owner, position.piece, strict=True))
                 if owner in owners and kind in royals[owner])


def _fulfilled(program: Program, position: Position, outcome: Outcome) -> Iterator[tuple[model.Goal, int]]:
    """Yield the leaf goals that hold and fit the outcome, each with the player for whom it holds."""
    for end in program.game.ends:
        players = (position.mover,) if end.players is None else end.players
        chosen = {"win": outcome.winners, "loss": outcome.losers}.get(end.result, players)
        for player in players:
            if player in chosen and not goals.asks_state(end.goal) and goals.holds(program, position, end.goal, player):
                yield from ((part, player) for part in _parts(program, position, end.goal, player))


def _parts(program: Program, position: Position, goal: model.Goal, player: int) -> Iterator[model.Goal]:
    """Yield the leaves of a goal that hold; those under a `not` are skipped."""
    if isinstance(goal, model.AllOf):
        if goal.word != "not":
            for part in goal.parts:
                if goals.holds(program, position, part, player):
                    yield from _parts(program, position, part, player)
    else:
        yield goal


def _reason(program: Program, position: Position, goal: model.Goal, player: int) -> Reason | None:
    game = program.game
    match goal:
        case model.Relative():
            return _pattern(program, position, goal, player)
        case model.Absolute():
            return Reason("reached", places=tuple(_occupied(program, position, goal, player)))
        case model.Taken():
            kinds = [kind for p, kind in position.taken if p == player and kind in goal.pieces]
            return Reason("taken", name=game.pieces[kinds[0]].name) if kinds else None
        case model.Count() if not goal.everybody:
            return Reason("left", goal.number)
        case model.Count():
            squares = sum(not place.dummy for place in game.board.places)
            return Reason("full") if goal.number == squares else Reason("on-board", goal.number)
        case model.Compare():
            return _compared(program, position, goal, player)
    return None


def _pattern(program: Program, position: Position, goal: model.Relative, player: int) -> Reason:
    steps = program.steps[player]
    men = [item for item in goal.items if isinstance(item, model.Occupant)]
    directions = {item for item in goal.items if isinstance(item, int)}
    for start in range(len(position.owner)):
        squares, square = [], start
        for item in goal.items:
            if isinstance(item, int):
                square = steps[2 * item][square]
            elif square < 0 or not goals.is_there(position, square, item, player):
                break
            else:
                squares.append(square)
            if square < 0:
                break
        else:
            places = tuple(s for s in squares if position.owner[s] != NOBODY)
            is_row = len(directions) == 1 and len(set(men)) == 1 and len(places) == len(men)
            return Reason("row", len(men), places=places) if is_row else Reason("pattern", places=places)
    return Reason("pattern")


def _occupied(program: Program, position: Position, goal: model.Absolute, player: int) -> Iterator[int]:
    """Yield the squares of a goal that hold one of its pieces."""
    for place in goal.places:
        for square in program.game.board.squares(place, player):
            if position.owner[square] != NOBODY and any(
                    goals.is_there(position, square, o, player) for o in goal.occupants):
                yield square


def _compared(program: Program, position: Position, goal: model.Compare, player: int) -> Reason | None:
    number = goal.left if goal.left.kind != "number" else goal.right
    total = value(program, position, player, number)
    match number.kind:
        case "count" if number.c >= 0:
            zone = program.game.board.zones[number.c][player]
            places = tuple(s for s in zone if position.owner[s] == player)
            if not total:
                return Reason("reached")
            is_all = 1 < len(places) == sum(owner == player for owner in position.owner)
            return Reason("all-in-zone" if is_all else "in-zone", total, places=places)
        case "counter":
            return Reason("counted", total, spoken(program.game.counters[number.a].name))
        case "turns-made":
            return Reason("turns-made", total)
    return None
