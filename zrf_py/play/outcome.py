"""Public class of a game's result, with names instead of numbers."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.play.lazy import lazy
from zrf_py.play.reasons import STANDINGS, Reason, reason_of
from zrf_py.play.standing import standings
from zrf_py.run import goals
from zrf_py.run import position as run

Position = Any
"""The class of `play/game.py`, which imports this module."""

@dataclass(frozen=True)
class Outcome:
    """Result of a game. In a draw both lists are empty; `reason` is the keyword of the rules that ended the game.

    `scores` holds (player, score) for each player if the rules define a score, or compare the numbers of pieces.
    """

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    reason: str
    scores: tuple[tuple[str, int], ...] = ()
    _end: tuple[Program, Position, run.Outcome] | None = field(default=None, repr=False, compare=False)

    @lazy
    def why(self) -> Reason | None:
        """The reason in plain words ("three in a row") with the squares of the pieces involved; derived on first use,
        since that may take longer than a random game."""
        if self._end is None:
            return None
        program, here, raw = self._end
        return reason_of(program, here.state, raw)

    def __str__(self) -> str:
        reason = self.why.words if self.why else self.reason
        if self.winners:
            result = f"{' and '.join(self.winners)} won ({reason})"
        elif self.losers:
            result = f"{' and '.join(self.losers)} lost ({reason})"
        else:
            result = f"draw ({reason})"
        return result + self.score_text

    def __reduce__(self) -> tuple[Any, ...]:
        return _explained, (self.winners, self.losers, self.reason, self.scores, self.why)

    @property
    def score_text(self) -> str:
        """Scores as a suffix of the result text; "" if there are none."""
        return "; score: " + ", ".join(f"{name} {score}" for name, score in self.scores) if self.scores else ""


def _explained(
    winners: tuple[str, ...], losers: tuple[str, ...], reason: str, scores: tuple[tuple[str, int], ...],
    why: Reason | None,
) -> Outcome:
    """Unpickle an outcome, whose reason is known."""
    outcome = Outcome(winners, losers, reason, scores)
    vars(outcome)["why"] = why
    return outcome


def outcome_of(program: Program, here: Position, raw: run.Outcome) -> Outcome:
    """Convert an engine's outcome of a position to an `Outcome` with names and reasons."""
    players = program.game.players
    return Outcome(tuple(players[p].name for p in raw.winners), tuple(players[p].name for p in raw.losers), raw.reason,
                   scores_of(program, here.state) if standings(program) else (), (program, here, raw))


@lru_cache(maxsize=256)
def ending(program: Program, code: int) -> run.Outcome | None:
    """Decode the native engine's number of a result; None if it depends on the position, or the game goes on."""
    end, player = divmod(code, len(program.game.players))
    ends = program.game.ends
    if not 0 <= end < len(ends) or ends[end].result not in ("win", "loss", "draw"):
        return None
    return goals.outcome_of(program, run.initial(program), end, player)


def scores_of(program: Program, state: run.Position) -> tuple[tuple[str, int], ...]:
    """Return (player, score) for each player; empty if the rules define no score (ZRF+) and no `count-condition`."""
    players = program.game.players
    return tuple((players[standing.player].name, standing.number(program, state))
                 for standing in standings(program) if standing.words in (STANDINGS["score"], STANDINGS["most"]))
