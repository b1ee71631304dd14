"""Advice on a position: the best lines of play, in notation and with their values, and the win chances.

`look` is the search behind hints, best lines, chances and reviews; it visits a fixed number of positions, so its
results are reproducible.
"""

from collections.abc import Callable
from dataclasses import dataclass

from zrf_py.play import chances, learned
from zrf_py.play.game import Position
from zrf_py.play.turn_text import turns_text
from zrf_py.run import position as run
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import limits
from zrf_py.search.result import Analysis, SearchLine
from zrf_py.text import arguments
from zrf_py.text.diagnostics import ZrfError

LOOK_NODES = 30_000
LOOK_LINES = 3
LOOK_SECONDS = 4.0
"""Time limit of `look`; a search that reaches it is not reproducible."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play: its moves (or legs) in notation, and its value for the player `Advice.worth_to`.

    `turns` are the same moves in short notation, one text per turn.

    `score` is in units of one typical move's mobility; `ends_in` is the number of legs to a certain win, negative for a
    loss, None if nothing is certain. `depth` is the number of turns searched. `chance` is the player's expected score,
    from 0 (lost) to 1 (won) with draws shared, by the game's own curve if it has been fitted, else by a general one.
    """

    moves: tuple[str, ...]
    score: float
    ends_in: int | None
    depth: int
    turns: tuple[str, ...] = ()
    chance: float = 0.5

    @property
    def score_text(self) -> str:
        """The score as text: `+1.25`, or `wins in 5` or `loses in 4` (legs)."""
        if self.ends_in is None:
            return f"{self.score:+.2f}"
        return f"wins in {self.ends_in}" if self.ends_in > 0 else f"loses in {-self.ends_in}"


@dataclass(frozen=True, slots=True)
class Advice:
    """Result of a search: the lines, best first; positions visited; seconds taken; whether the best score is proven.

    `worth_to` names the player whom the scores are for: the player to move. If that is chance, it is the next ordinary
    player; the lines are then the possible rolls, all equally likely, and `expected` is the mean score (else None).
    `shares` are each side's probability of winning, in the order of the rules' `sides`, then that of a draw.
    """

    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    proven: bool
    kind: str
    worth_to: str
    expected: float | None
    shares: tuple[float, ...] = ()

    @property
    def is_certain(self) -> bool:
        """True if the outcome of the best line is proven."""
        return self.proven or self.lines[0].ends_in is not None


def ended(position: Position) -> tuple[float, ...] | None:
    """Return the shares of each side and of the draw in the result of a game; None if it isn't over."""
    outcome, program = position.outcome(), position.game.program
    if outcome is None:
        return None
    winners, losers = (tuple(i for i, p in enumerate(program.game.players) if p.name in names)
                       for names in (outcome.winners, outcome.losers))
    return tuple(chances.shares_of(program, run.Outcome(winners=winners, losers=losers, reason="")))


def look(position: Position) -> Advice:
    """Search a position for hints, best lines, chances and reviews.

    :raises ZrfError: if the game is over here.
    """
    return analyse(position, time=LOOK_SECONDS, nodes=LOOK_NODES, lines=LOOK_LINES)


def analyse(
    position: Position, *, time: float | None = None, nodes: int | None = None, depth: int | None = None,
    strength: int | None = None, seed: int = 0, kind: str = "", lines: int = 1,
    progress: Callable[[Advice], None] | None = None, stop: Callable[[], bool] | None = None,
) -> Advice:
    """Search a position, taking its history into account, for one second unless a limit is given.

    `depth` has no effect on `mcts` (the default for games of chance): without another limit it searches for one second.
    The same seed and limits give the same lines, unless `time` is one of the limits. `kind` is one of
    `search.traits.KINDS`, or "" for the game's default. `progress` is called with interim results; `stop` is polled,
    and ends the search when it returns True.

    :raises ZrfError: if the game is over here, or a limit is out of range.
    """
    arguments.want("position", position, Position, "a `zrf_py.Position`, such as `game.start()`")
    seed, lines = arguments.whole("seed", seed, 0, arguments.MOST), arguments.whole("lines", lines, 1, arguments.MOST)
    if position.outcome() is not None:
        raise ZrfError("the game is over in this position, so there is nothing to analyse", "no-move",
                       help="`--review` evaluates the moves that led to it")
    search = search_for(position.game.program)
    chosen = search.kind_for(kind)
    program = position.game.program
    weights = learned.known(position.game)

    def advice(analysis: Analysis) -> Advice:
        drawn, player = analysis.expected, analysis.player_of(program, position.state)

        def shares(value: int | None = None) -> list[float]:
            return chances.shares(weights, program, search.engine, position.state, analysis, value)

        lines = tuple(_line(position, line, chances.score(program, shares(line.value if i or drawn else None), player))
                      for i, line in enumerate(analysis.lines))
        return Advice(
            lines, analysis.nodes, analysis.seconds, analysis.proven, chosen, program.game.players[player].name,
            drawn.value / 100 if drawn else None, tuple(shares()))

    return advice(search.analyse(
        position.state, position.earlier(), limits(time, nodes, depth, strength), lines, seed, kind,
        (lambda analysis: progress(advice(analysis))) if progress else None, stop,
    ))


def _line(position: Position, line: SearchLine, chance: float) -> Line:
    moves = position.named(line.moves)
    return Line(tuple(map(str, moves)), line.value / 100, line.ends_in, line.depth, tuple(turns_text(position, moves)),
                chance)
