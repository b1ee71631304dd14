"""End conditions evaluated in a position, part by part: which hold, and how close the others are.

`run/goals.py` decides which goals about the board hold; states such as stalemate, and distances, are computed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zrf_py.author.why.wording import content, square_name
from zrf_py.front import model
from zrf_py.front.goals import USUAL_REPETITION
from zrf_py.play.game import Position
from zrf_py.run import goals
from zrf_py.run.numbers import value
from zrf_py.text.source import Origin


@dataclass(frozen=True, slots=True)
class Part:
    """A goal or a part of one: whether it holds, and its progress (`have` of `want`).

    For a comparison, `have` and `want` are its numbers; else they are equal if the goal holds, 0 if nothing is counted.
    """

    words: str
    holds: bool
    have: int = 0
    want: int = 0
    detail: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """An end condition for one player: `result` is "win", "loss", "draw", "count", "score" or "out"."""

    result: str
    player: str
    goal: Part
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Ends:
    """End conditions in a position. `outcome` is "" while the game goes on; `defaults` are rules the file implies."""

    outcome: str
    ends: tuple[End, ...]
    defaults: tuple[str, ...]


def why_end(position: Position) -> Ends:
    """Return each end condition for each player it applies to, with its progress.

    >>> from zrf_py.play.game import load
    >>> position = load("tictactoe").start().play("b2").play("a1")
    >>> row = why_end(position).ends[0].goal.parts[0]
    >>> row.holds, row.have, row.want
    (False, 1, 3)
    """
    measuring = _Measuring(position)
    outcome = position.outcome()
    return Ends(str(outcome) if outcome else "", tuple(measuring.ends()), tuple(measuring.defaults()))


class _Measuring:
    def __init__(self, position: Position) -> None:
        self.position = position
        self.state = position.state
        self.program = position.game.program
        self.game = self.program.game
        self.to_move = self.game.turns[self.state.turn].mover if self.game.turns else -1

    def ends(self) -> Iterator[End]:
        for end in self.game.ends:
            state = goals.asks_state(end.goal)
            players = end.players
            if players is None:
                players = (self.to_move,) if state else (self.state.mover,)
            for player in players:
                if player >= 0:
                    yield End(end.result, self.game.players[player].name, self.part(end.goal, player), end.origin)

    def defaults(self) -> Iterator[str]:
        """Yield the rules that apply because the file has no condition for their case."""
        words, times = self.program.aims.states, self.program.aims.repetition
        alone = len(self.game.movers) == 1
        if "stalemated" not in words:
            yield f"a player without a legal move {'loses' if alone else 'draws'}, as no condition covers this case"
        if "repetition" not in words and times:
            ordinal = "a third occurrence" if times == USUAL_REPETITION else f"occurrence {times}"
            yield (f"{ordinal} of the position is a draw, because no condition covers it "
                   f"(so far: {self.position.repetitions})")

    def part(self, goal: model.Goal, player: int) -> Part:
        """Evaluate a goal with its parts, for one player."""
        match goal:
            case model.AllOf():
                parts = tuple(self.part(subgoal, player) for subgoal in goal.parts)
                answers = [part.holds for part in parts]
                holds = all(answers) if goal.word == "and" else any(answers) if goal.word == "or" else not answers[0]
                return Part(goal.word, holds, parts=parts)
            case model.StateGoal() | model.Taken(royal=True):
                return self._state(goal, player)
        holds = goals.holds(self.program, self.state, goal, player)
        match goal:
            case model.Absolute():
                return self._absolute(goal, player, holds)
            case model.Relative():
                return self._relative(goal, player, holds)
            case model.Count():
                return self._count(goal, player, holds)
            case model.Compare():
                left, right = (value(self.program, self.state, player, n) for n in (goal.left, goal.right))
                return Part(goal.word, holds, left, right, f"the numbers are {left} and {right}")
        captured = ", ".join(f"{self.game.players[p].name} {self.game.pieces[k].name}" for p, k in self.state.taken)
        return Part(f"captured {self._names(goal.pieces)}", holds,
                    detail=f"captured in the last turn: {captured or 'nothing'}")

    def _names(self, kinds: tuple[int, ...]) -> str:
        return " ".join(self.game.pieces[kind].name for kind in kinds)

    def _state(self, goal: model.StateGoal | model.Taken, player: int) -> Part:
        word = goal.word if isinstance(goal, model.StateGoal) else "checkmated"
        if word == "repetition":
            if self.state.mover not in (player, -1):
                return Part(word, False, detail="applies only to the player who made the last move")
            times, limit = self.position.repetitions, self.program.aims.repetition
            if not limit:
                return Part(word, False, detail="repetition never ends this game")
            return Part(word, times >= limit, min(times, limit), limit,
                        f"this position has occurred {f'{times} times' if times > 1 else 'once'}")
        if player != self.to_move:
            return Part(word, False, detail="applies only to the player to move")
        count = len(self.position.game.engine.moves(self.state))
        stuck = count == 0 and self.state.result is None
        detail = f"{self.game.players[player].name} has {count} legal move{'' if count == 1 else 's'}"
        rules = self.position.game.rules
        attacked = rules.has_royals and rules.is_attacked(self.state, player)
        if rules.has_royals:
            detail += f", and is {'' if attacked else 'not '}in check"
        return Part(word, stuck and attacked == (word == "checkmated"), detail=detail)

    def _absolute(self, goal: model.Absolute, player: int, holds: bool) -> Part:
        missing: list[str] = []
        for is_zone, number in goal.places:
            squares = self.game.board.squares((is_zone, number), player)
            if not any(goals.is_there(self.state, s, o, player) for s in squares for o in goal.occupants):
                name = f"the zone {self.game.board.zone_names[number]}" if is_zone else ""
                missing.append(f"none in {name}" if name else content(self.program, self.state, number))
        want = len(goal.places)
        detail = "; ".join(missing[:4]) + (f"; and {len(missing) - 4} more" if len(missing) > 4 else "")
        return Part(f"absolute-config {self._occupants(goal.occupants)}", holds, want - len(missing), want, detail)

    def _occupants(self, occupants: tuple[model.Occupant, ...]) -> str:
        words = []
        for occupant in occupants:
            name = self.game.pieces[occupant.piece].name
            name = name if occupant.owner == "own" else f"({occupant.owner} {name})"
            words.append(f"(not {name})" if occupant.negated else name)
        return " ".join(words)

    def _relative(self, goal: model.Relative, player: int, holds: bool) -> Part:
        """Evaluate a pattern from its best start: the square from which its longest beginning matches."""
        want = sum(not isinstance(item, int) for item in goal.items)
        best, start = max(((self._matched(goal, player, s), -s) for s in range(len(self.state.owner))), default=(0, 0))
        detail = f"best match from {square_name(self.program, -start)}" if best else "no piece is in place"
        pattern = " ".join(self.game.board.directions[i] if isinstance(i, int) else self._occupants((i,))
                           for i in goal.items)
        return Part(f"relative-config {pattern}", holds, best, want, detail)

    def _matched(self, goal: model.Relative, player: int, start: int) -> int:
        """Count the occupants that match from a start square on, up to the first mismatch or the edge of the board."""
        square, right = start, 0
        for item in goal.items:
            if isinstance(item, int):
                square = self.program.steps[player][2 * item][square]
                if square < 0:
                    break
            elif goals.is_there(self.state, square, item, player):
                right += 1
            else:
                break
        return right

    def _count(self, goal: model.Count, player: int, holds: bool) -> Part:
        word = "total-piece-count" if goal.everybody else "pieces-remaining"
        have = goals.count(self.program, self.state, goal, player)
        name = f" {self.game.pieces[goal.piece].name}" if goal.piece >= 0 else ""
        return Part(f"{word} {goal.number}{name}", holds, have, goal.number, f"there are {have}")
