"""How a game ended, by name and not by number."""

from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.play.reasons import Reason, reason_of
from zrf_py.run import goals
from zrf_py.run import position as run


@dataclass(frozen=True)
class Outcome:
    """How a game ended. In a draw both lists are empty; `reason` is the rules' word for what happened.

    `why` says it as people do ("three in a row"), with the men that made it.
    `scores` holds (player, score) for each player where the rules name a score.
    """

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    reason: str
    scores: tuple[tuple[str, int], ...] = ()
    why: Reason | None = None

    def __str__(self) -> str:
        reason = self.why.words if self.why else self.reason
        if self.winners:
            said = f"{' and '.join(self.winners)} won ({reason})"
        elif self.losers:
            said = f"{' and '.join(self.losers)} lost ({reason})"
        else:
            said = f"draw ({reason})"
        return said + self.score_text

    @property
    def score_text(self) -> str:
        """The scores as they follow the result; empty where the rules name none."""
        return "; score: " + ", ".join(f"{name} {score}" for name, score in self.scores) if self.scores else ""


def outcome_of(program: Program, state: run.Position, raw: run.Outcome) -> Outcome:
    """The outcome of a position as an engine has it → with names and reasons."""
    players = program.game.players
    return Outcome(tuple(players[p].name for p in raw.winners), tuple(players[p].name for p in raw.losers),
                   raw.reason, scores_of(program, state), reason_of(program, state, raw))


def scores_of(program: Program, state: run.Position) -> tuple[tuple[str, int], ...]:
    """What a position is worth to each player, where the rules name a score (ZRF+)."""
    if program.game.score is None:
        return ()
    return tuple((p.name, goals.score(program, state, i)) for i, p in enumerate(program.game.players)
                 if p.kind == "player")
