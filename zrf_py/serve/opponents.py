"""Computer players as the board offers them: which there are, what one would play, what a position is worth.

The only place of the application that knows how computer players are made.
"""

from functools import lru_cache
from random import Random
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.play import chances, learned
from zrf_py.play.advice import Advice
from zrf_py.play.advice import analyse as advice
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Position
from zrf_py.play.players import LEVELS, PLAYERS, Greedy, player
from zrf_py.run.position import Move
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits, limits
from zrf_py.search.result import Analysis

BY_LINK = "link"
"""Somebody at another machine, who came by a link for this seat."""
RANDOM = "random"
HINT_SECONDS = 1.0
HASTY_POSITIONS = 300
"""Positions within a turn that are looked at where it can't wait; where there are more, any turn is made."""
HASTY_SECONDS = 0.3
"""Processor time for it, in which the interpreter looks at what follows each turn."""
LEARN_SECONDS = 3.0
"""Processor time after which a position that is to be weighed waits no longer for games."""
ANALYSE_SECONDS = 2.0
MAX_SHOWN = 12
"""Moves of a line that are told."""


def kinds() -> list[str]:
    """Names of the computer players, weakest first."""
    return [*PLAYERS, *LEVELS]


def choose(position: Position, who: str, seed: int, seconds: float | None = None) -> list[str]:
    """
    A complete turn, as the texts of its legs; who searches does so for `seconds` at most.

    :raises ZrfError: if there is no such player.
    """
    legs = player(who, seconds)(position.game.engine, position.state, Random(seed), position.earlier())
    return [leg.text for leg in position.named(legs)]


def at_once(position: Position, seed: int) -> list[str]:
    """A turn of whoever plays while machine code is still being made, as the texts of its legs: one ahead is looked."""
    legs = _hasty(position.game.program).choose(position.state, Random(seed))
    return [leg.text for leg in position.named(legs)]


@lru_cache(maxsize=4)
def _hasty(program: Program) -> Greedy:
    return Greedy(make_engine(program, "interpret"), HASTY_POSITIONS, HASTY_SECONDS)


def hint(position: Position) -> dict[str, Any]:
    """The best way to go on that is found in a second: `legs` of the turn.

    :raises ZrfError: if there is no move.
    """
    analysis = _thought(position, limits(time=HINT_SECONDS))
    legs: list[Move] = []
    state = position.state
    for leg in analysis.best.moves:
        state = position.game.engine.after(state, leg)
        legs.append(leg)
        if state.chain is None:
            break
    return {"legs": [leg.text for leg in position.named(legs)]}


def analyse(position: Position, count: int) -> dict[str, Any]:
    """The best lines: for each `moves` ([text, from, to, whether the turn goes on], -1 where nothing travels), `turns`
    as people write them, `score` in words, `ends` (legs to a certain end, None where nothing is certain) and `value`
    from -1 (lost) to 1 (won) for `player`; how deep was looked.

    :raises ZrfError: if there is no move.
    """
    return told_lines(position, advice(position, time=ANALYSE_SECONDS, lines=count))


def told_lines(position: Position, found: Advice) -> dict[str, Any]:
    """The same of lines that were found."""
    lines = []
    for line in found.lines:
        moves, at = [], position
        for text in line.moves[:MAX_SHOWN]:
            move = next((m for m in at.moves() if m.text == text), None)
            if move is None:
                break
            at = at.play(move)
            moves.append([text, *(move.raw.key if not move.raw.is_pass else (-1, -1)), at.in_turn])
        lines.append({"moves": moves, "score": line.score_text, "ends": line.ends_in, "value": line.share,
                      "depth": line.depth, "turns": line.turns[:MAX_SHOWN]})
    return {"player": found.worth_to, "lines": lines, "nodes": found.nodes, "proven": found.proven}


def weigh(position: Position) -> dict[str, Any]:
    """How likely each player (or team) wins and how likely a draw is: `chances` of `players`, `share`, `percent`.

    None where that can't be told, with `why`; with `more` if it may be told later, since games of computers are still
    being played to learn it from.
    """
    program = position.game.program
    weights, samples = learned.weights_of(position.game, LEARN_SECONDS)
    if weights is None:
        said = f"learning to tell: {samples.games} of {samples.wanted} games are played"
        return {"chances": None, "why": said, "more": True}
    outcome = position.outcome()
    if not weights.tells and outcome is None:
        return {"chances": None, "why": "who will win can't be told in this game"}
    engine = search_for(program).engine
    past = position.earlier()
    if outcome is not None:
        own = [p.name for p in program.game.players if p.kind == "player"]
        winners = outcome.winners or (tuple(n for n in own if n not in outcome.losers) if outcome.losers else ())
        shares = [1 / len(winners) if name in winners else 0.0 for name in own] + [0.0 if winners else 1.0]
    else:
        shares = chances.softmax(weights.weights, chances.features(program, engine, position.state, past))
    return {"chances": _told(program, shares)}


def _told(program: Program, shares: list[float]) -> list[dict[str, Any]]:
    """Shares of players as a page shows them: teams together, whole percents that sum to a hundred."""
    own = chances.seats(program)
    names = [p.name for p in program.game.players]
    groups = [tuple(p for p in team if p in own) for team in program.game.teams]
    groups += [(p,) for p in own if not any(p in team for team in groups)]
    found = [(group, sum(shares[own.index(p)] for p in group)) for group in groups] + [((), shares[-1])]
    whole = [int(100 * share) for _, share in found]
    rest = sorted(range(len(found)), key=lambda i: whole[i] - 100 * found[i][1])
    for i in rest[: 100 - sum(whole)]:
        whole[i] += 1
    return [{"players": [names[p] for p in group], "share": share, "percent": percent}
            for (group, share), percent in zip(found, whole, strict=True)]


def _thought(position: Position, within: Limits) -> Analysis:
    return search_for(position.game.program).analyse(position.state, position.earlier(), within)


def prepare(position: Position) -> None:
    """Make what a search needs for a game, by looking at a few positions of it."""
    if position.moves():
        search_for(position.game.program).analyse(position.state, (), limits(strength=1))
