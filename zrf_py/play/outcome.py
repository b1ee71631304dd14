"""Public class of a game's result, with names instead of numbers."""

from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.play.reasons import STANDINGS, Reason, reason_of
from zrf_py.play.standing import standings
from zrf_py.run import position as run


@dataclass(frozen=True)
class Outcome:
    """Result of a game. In a draw both lists are empty; `reason` is the keyword of the rules that ended the game.

    `why` is the reason in plain words ("three in a row") with the squares of the pieces involved.
    `scores` holds (player, score) for each player if the rules define a score, or compare the numbers of pieces.
    """

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    reason: str
    scores: tuple[tuple[str, int], ...] = ()
    why: Reason | None = None

    def __str__(self) -> str:
        reason = self.why.words if self.why else self.reason
        if self.winners:
            result = f"{' and '.join(self.winners)} won ({reason})"
        elif self.losers:
            result = f"{' and '.join(self.losers)} lost ({reason})"
        else:
            result = f"draw ({reason})"
        return result + self.score_text

    @property
    def score_text(self) -> str:
        """Scores as a suffix of the result text; "" if the rules define no score."""
        return "; score: " + ", ".join(f"{name} {score}" for name, score in self.scores) if self.scores else ""


def outcome_of(program: Program, state: run.Position, raw: run.Outcome) -> Outcome:
    """Convert an engine's outcome to an `Outcome` with names and reasons."""
    players = program.game.players
    return Outcome(tuple(players[p].name for p in raw.winners), tuple(players[p].name for p in raw.losers),
                   raw.reason, scores_of(program, state), reason_of(program, state, raw))


def scores_of(program: Program, state: run.Position) -> tuple[tuple[str, int], ...]:
    """Return (player, score) for each player; empty if the rules define no score (ZRF+) and no `count-condition`."""
    players = program.game.players
    return tuple((players[standing.player].name, standing.number(program, state))
                 for standing in standings(program) if standing.words in (STANDINGS["score"], STANDINGS["most"]))
