"""What a position is worth to the player of a ply: finished games, repetition, the evaluation."""

from __future__ import annotations
from zrf_py.jit.language import inline
from zrf_py.native.kernel import goals
from zrf_py.native.kernel.memory import REPETITION, params, plays, state
from zrf_py.search.evaluation.kernel import races, incremental
from zrf_py.search.memory import (
    INFINITE, WIN, in_team, opponent, plan, ply, search,
)


def value_of(result: int, p: int) -> int:
    """What a finished game is worth to the player of a ply; the sooner the better."""
    mask = goals.winners(result)
    if mask == 0:
        return 0
    if plan.many:
        good = 0
        for player in range(params.players):
            if mask >> player & 1 and same_side(player, ply[0].mover):
                good = 1
        return WIN - p if good == same_side(ply[p].mover, ply[0].mover) else p - WIN
    return WIN - p if mask >> ply[p].mover & 1 else p - WIN


@inline
def same_side(one: int, other: int) -> int:
    """Whether two players play together. Of more than two, all who are not with the player at the root are against him,
    and so with each other: he expects the worst."""
    if plan.many:
        root = ply[0].mover * params.players
        return in_team[root + one] == in_team[root + other]
    return one == other


def lead_of_many(p: int) -> int:
    """How far the player at the root is ahead of the best other one, from the point of view of a ply.

    Strangers in his goal are a worry to him alone: were they one to the others, he would leave men in their goals.
    """
    root = ply[0].mover
    best = -INFINITE
    mine = 0
    for player in range(params.players):
        if plays[player] and state.out >> player & 1 == 0:
            value = races.owned(player)
            if in_team[root * params.players + player]:
                mine += value
                if plan.races and search.per_stranger:
                    mine -= races.strangers(player)
            elif value > best:
                best = value
    return mine - best if same_side(ply[p].mover, root) else best - mine


def value_of_repetition(p: int) -> int:
    """What the rules say of a position that comes again, as they would the third time."""
    result = goals.state_result(state.mover, REPETITION)
    return value_of(result, p) if result >= 0 else 0


@inline
def evaluate(p: int) -> int:
    """What the position of a ply is worth to its player, for all that the sums tell."""
    value = 0
    if plan.many:
        value = lead_of_many(p)
    else:
        me = ply[p].mover
        value = races.owned(me) - races.owned(opponent[me])
    return value + incremental.noise()


@inline
def with_mobility(p: int, value: int) -> int:
    """The same with the moves of both, where those of the other were counted on the way."""
    if search.per_move and ply[p].seen >= 0:
        value += search.per_move * (ply[p].legal - ply[p].seen)
    return value
