"""Computer players of the server: their names, moves and evaluations.

No other module of the server creates computer players.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.play import advice, learned
from zrf_py.play.advice import Advice
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Position
from zrf_py.play.players import LEVELS, PLAYERS, Greedy, player
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import limits

BY_LINK = "link"
"""Kind of a seat whose player joins by a link, usually from another machine."""
RANDOM = "random"
HASTY_POSITIONS = 300
"""Maximum number of positions that `at_once` examines within a turn; if there are more, it chooses a random turn."""
HASTY_SECONDS = 0.3
"""Seconds of processor time after which `at_once` no longer tests replies to its turns, nor whether there are any."""
LEARN_SECONDS = 3.0
"""Seconds of processor time after which an evaluation no longer waits for sample games."""
UNTOLD = "winning chances aren't available for this game"
MAX_SHOWN = 12
"""Maximum number of moves of a line that are shown."""


def kinds() -> list[str]:
    """Return the names of the computer players, weakest first."""
    return [*PLAYERS, *LEVELS]


def choose(position: Position, name: str, seed: int, seconds: float | None = None) -> list[str]:
    """Return a complete turn, as the texts of its legs; players that search take at most `seconds`.

    :raises ZrfError: if there is no such player.
    """
    legs = player(name, seconds)(position.game.engine, position.state, Random(seed), position.earlier())
    return [leg.text for leg in position.named(legs)]


def at_once(position: Position, seed: int) -> list[str]:
    """Return a turn, as the texts of its legs, chosen by a search of depth one, while code is being compiled."""
    legs = _hasty(position.game.program).choose(position.state, Random(seed))
    return [leg.text for leg in position.named(legs)]


@lru_cache(maxsize=4)
def _hasty(program: Program) -> Greedy:
    return Greedy(make_engine(program, "interpret"), HASTY_POSITIONS, HASTY_SECONDS)


def look(position: Position, learn: bool) -> dict[str, Any]:
    """Evaluate a position: the best lines for `player` (who moves next, apart from chance), and each side's chances.

    `chances` ([{`players`, `share`, `percent`}], the draw with no players) is None if unknown; then `why` is the
    reason, and `more` is True if they may become known later. With `learn`, computers first play games to fit the
    chances; until there are enough of these, there are no lines.
    """
    program = position.game.program
    if (shares := advice.ended(position)) is not None:
        return {"lines": [], "chances": chances_json(program, shares)}
    weights, samples = learned.weights_of(position.game, LEARN_SECONDS if learn else 0.0)
    if weights is None and learn:
        progress = f"preparing the evaluation: {samples.games} of {samples.wanted} games"
        return {"chances": None, "why": progress, "more": True}
    result = advice.look(position)
    lines = lines_json(position, result)
    if not result.is_certain and (weights is None or not weights.tells):
        return {**lines, "chances": None, "why": UNTOLD, "more": weights is None}
    return {**lines, "chances": chances_json(program, result.shares)}


def lines_json(position: Position, advice: Advice) -> dict[str, Any]:
    """Return the best lines, each with `moves` ([text, from, to, whether the turn goes on]; squares are -1 for a pass),
    `turns` in short notation, `score` as text, `ends` (legs to a proven win, negative: to a proven loss; else None),
    `chance` for `player` from 0 (lost) to 1 (won), and `depth`."""
    lines = []
    for line in advice.lines:
        moves, at = [], position
        for text in line.moves[:MAX_SHOWN]:
            move = next((m for m in at.moves() if m.text == text), None)
            if move is None:
                break
            at = at.play(move)
            moves.append([text, *(move.raw.key if not move.raw.is_pass else (-1, -1)), at.in_turn])
        lines.append({"moves": moves, "score": line.score_text, "ends": line.ends_in, "chance": line.chance,
                      "depth": line.depth, "turns": line.turns[:MAX_SHOWN]})
    return {"player": advice.worth_to, "lines": lines, "nodes": advice.nodes, "proven": advice.proven}


def chances_json(program: Program, shares: Sequence[float]) -> list[dict[str, Any]]:
    """Return the shares of the sides and of a draw for a page, with whole percentages that add up to 100."""
    groups = [*program.game.sides, ()]
    percents = [int(100 * share) for share in shares]
    rest = sorted(range(len(percents)), key=lambda i: percents[i] - 100 * shares[i])
    for i in rest[: 100 - sum(percents)]:
        percents[i] += 1
    return [{"players": [program.game.players[p].name for p in group], "share": share, "percent": percent}
            for group, share, percent in zip(groups, shares, percents, strict=True)]


def prepare(position: Position) -> None:
    """Prepare the search for a game, by searching a few of its positions."""
    if position.moves():
        search_for(position.game.program).analyse(position.state, (), limits(strength=1))
