"""A position of a game → the best lines of play, by notation and with what they are worth."""

from collections.abc import Callable
from dataclasses import dataclass

from zrf_py.play.game import Position
from zrf_py.play.notation import move_text
from zrf_py.play.saying import turns_text
from zrf_py.search import result as found
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import limits
from zrf_py.text import asked
from zrf_py.text.diagnostics import ZrfError


@dataclass(frozen=True, slots=True)
class Line:
    """Moves (or legs) by their notation, the first one to be played now, and what they are worth to `Advice.worth_to`.

    `turns` are the same as people write them, a turn each.

    `score` is in moves' worth of mobility; `ends_in` counts moves and legs to a certain win, negative to a loss, None
    where nothing is certain. `depth`: so many turns were looked ahead.
    """

    moves: tuple[str, ...]
    score: float
    ends_in: int | None
    depth: int
    turns: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """From -1 (lost) over 0 (even) to 1 (won)."""
        if self.ends_in is not None:
            return 1.0 if self.ends_in > 0 else -1.0
        return self.score * 100 / (abs(self.score) * 100 + found.SPREAD)

    @property
    def score_text(self) -> str:
        """`+1.25`, or `wins in 5` or `loses in 4` legs."""
        if self.ends_in is None:
            return f"{self.score:+.2f}"
        return f"wins in {self.ends_in}" if self.ends_in > 0 else f"loses in {-self.ends_in}"


@dataclass(frozen=True, slots=True)
class Advice:
    """The best lines, best first; positions looked at; seconds taken; whether the best score is certain.

    `worth_to` names the player whose scores they are: who is to move. Where that is chance, it is who moves next for
    real; the lines are the outcomes, each as likely as any other, and `expected` is the score on average (else None).
    """

    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    proven: bool
    kind: str
    worth_to: str
    expected: float | None


def analyse(
    position: Position, *, time: float | None = None, nodes: int | None = None, depth: int | None = None,
    strength: int | None = None, seed: int = 0, kind: str = "", lines: int = 1,
    progress: Callable[[Advice], None] | None = None, stop: Callable[[], bool] | None = None,
) -> Advice:
    """
    Search a position with all that was played before it; without a limit for one second.

    The same seed and limits give the same lines, unless `time` is one of the limits. `kind` is one of
    `search.traits.KINDS`; empty: what serves the game. `progress` is called with what is known so far, `stop` is asked
    all the time whether to end with that.

    :raises ZrfError: if the game is over here, or a limit makes no sense.
    """
    asked.want("position", position, Position, "a `zrf_py.Position`, such as `game.start()`")
    seed, lines = asked.whole("seed", seed, 0, asked.MOST), asked.whole("lines", lines, 1, asked.MOST)
    if position.outcome() is not None:
        raise ZrfError("the game is over here; there is nothing to look ahead to", "no-move")
    search = search_for(position.game.program)
    chosen = search.kind_for(kind)

    def advice(analysis: found.Analysis) -> Advice:
        texts = tuple(_line(position, line) for line in analysis.lines)
        drawn = analysis.expected
        return Advice(
            texts, analysis.nodes, analysis.seconds, analysis.proven, chosen,
            position.game.program.game.players[drawn.player].name if drawn else position.player,
            drawn.value / 100 if drawn else None)

    def report(analysis: found.Analysis) -> None:
        if progress:
            progress(advice(analysis))

    return advice(search.analyse(
        position.state, position.earlier(), limits(time, nodes, depth, strength), lines, seed, kind,
        report if progress else None, stop,
    ))


def _line(position: Position, line: found.Line) -> Line:
    program, state, texts = position.game.program, position.state, []
    rules = search_for(program).rules
    for move in line.moves:
        texts.append(move_text(program, state, move))
        state = rules.after(state, move)
    return Line(tuple(texts), line.value / 100, line.ends_in, line.depth, tuple(turns_text(position, line.moves)))
