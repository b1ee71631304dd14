"""Values of positions from the view of a ply's player: finished games, repetition, evaluation."""

from zrf_py.jit.language import inline
from zrf_py.native.kernel import goals
from zrf_py.native.kernel.memory import REPETITION, params, plays, state
from zrf_py.search.evaluation.kernel import races, incremental, patterns
from zrf_py.search.memory import INFINITE, WIN, in_team, past, plan, ply, search


def value_of(result: int, p: int) -> int:
    """Return the value of a finished game for a ply's player; a sooner win is worth more."""
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
    """Return whether two players are on one side. With more than two, all who are not partners of the root player count
    as one side against it (paranoid search)."""
    if plan.many:
        root = ply[0].mover * params.players
        return in_team[root + one] == in_team[root + other]
    return one == other


def lead_of_many(p: int) -> int:
    """Return the lead of the root player's team over the best other player, from the view of a ply's player.

    Others' pieces in a goal lower the root team's value only; else that team would leave its pieces in others' goals.
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
                    mine -= races.strangers_cost(player)
            elif value > best:
                best = value
    return mine - best if same_side(ply[p].mover, root) else best - mine


def is_repetition(depth: int, key: int) -> int:
    """Return whether the loaded position, whose key is given, repeats one at a ply before `depth` or, between turns, an
    earlier one of the game. Between turns, the result is always False if `endless`."""
    is_within = state.chain >= 0
    if plan.endless and is_within == 0:
        return False
    for i in range(depth):
        if ply[i].place == key:
            return True
    if is_within == 0:
        for i in range(search.past):
            if past[i] == key:
                return True
    return False


def value_of_repetition(p: int) -> int:
    """Return the value of a repeated position by the end condition on repetition; 0 if none applies."""
    result = goals.state_result(state.mover, REPETITION)
    return value_of(result, p) if result >= 0 else 0


@inline
def evaluate(p: int) -> int:
    """Return the static evaluation of a ply for its player, without mobility."""
    value = 0
    if plan.many:
        value = lead_of_many(p)
    else:
        me = ply[p].mover
        value = races.lead(me)
        if plan.patterns:
            value += patterns.patterns_for(me)
        if plan.phases:
            value += patterns.phases_for(me)
    return value + incremental.noise()


@inline
def with_mobility(p: int, value: int) -> int:
    """Add mobility to an evaluation, if the opponent's mobility is known at this ply."""
    if search.per_move and ply[p].seen >= 0:
        value += search.per_move * (ply[p].legal - ply[p].seen)
    return value
