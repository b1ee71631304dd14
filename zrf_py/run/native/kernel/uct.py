"""Monte-Carlo tree search for any number of players: a tree of legs, grown where it is worth it, one line at a time.

Each node holds what its lines came to for every player, in shares of 1 << 16. Which child a line follows is decided by
what it came to so far and by its prior, which comes from the sums of `weigh.py` (PUCT). Turns of a random player are
drawn. A line that leaves the tree is played on for some legs, each the best of a few drawn ones, and then estimated
from the sums; in a game without an estimate it is played to the end. A game that ends in the tree is proven, and with
it every node whose player can reach a win.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.board import length, unmake
from zrf_py.run.native.kernel.drawing import random_below
from zrf_py.run.native.kernel.goals import final_result, state_result, winners
from zrf_py.run.native.kernel.legal import legal
from zrf_py.run.native.kernel.memory import (
    CHAIN,
    ERROR,
    MOVER,
    PLAYERS,
    RANDOM,
    REPETITION,
    RESULT,
    TOP,
    TURN,
    moves,
    params,
    plays,
    state,
    turn_mover,
)
from zrf_py.run.native.kernel.notes import (
    ESTIMATES,
    EXPLORE,
    GROWN,
    KEPT_WORDS,
    LONGEST,
    MAX_PLY,
    NODES_ROOM,
    PAST,
    PLAYED_ON,
    SPREAD,
    TRIES,
    UNPROVEN,
    VISITED,
    credit,
    in_team,
    node_count,
    node_far,
    node_first,
    node_mover,
    node_prior,
    node_proven,
    node_record,
    node_visits,
    node_worth,
    order_move,
    order_score,
    past,
    ply_move,
    ply_place,
    search,
    share,
)
from zrf_py.run.native.kernel.order import drift, gain
from zrf_py.run.native.kernel.race import owned
from zrf_py.run.native.kernel.turn import after
from zrf_py.run.native.kernel.weigh import place_key
from zrf_py.run.native.kernel.words import apart, entry, inline

ONE = 65536
DEAD = -2
"""Proven to lead nowhere: a position that comes again within its turn."""
STEEP = 24
"""So much more worth doubles a prior."""
DOUBLINGS = 6


@inline
def root_of(value: int) -> int:
    """The whole part of the square root."""
    if value < 2:
        return value
    guess = value
    better = (guess + 1) >> 1
    while better < guess:
        guess = better
        better = (guess + value // guess) >> 1
    return guess


# ------------------------------------------------------------------------------------------------------------ values


def share_result(mask: int) -> None:
    """Give each player his share of a finished game; a draw is shared by all."""
    count = 0
    if mask == 0:
        for player in range(params[PLAYERS]):
            if plays[player]:
                mask = mask | 1 << player
    for player in range(params[PLAYERS]):
        count += mask >> player & 1
    for player in range(params[PLAYERS]):
        share[player] = ONE // count if mask >> player & 1 else 0


def share_estimate() -> None:
    """Give each player a share by how far his side, with all of its team, is ahead of the best other one."""
    players = params[PLAYERS]
    for player in range(players):
        credit[player] = 0
        share[player] = 0
    for player in range(players):
        if plays[player]:
            value = owned(player)
            for partner in range(players):
                if in_team[player * players + partner]:
                    credit[partner] = credit[partner] + value
    for player in range(players):
        if plays[player]:
            other = -1000000000
            for rival in range(players):
                if plays[rival] and in_team[player * players + rival] == 0 and credit[rival] > other:
                    other = credit[rival]
            ahead = credit[player] - (other if other > -1000000000 else 0)
            size = ahead if ahead > 0 else -ahead
            part = ONE // 2 * size // (size + search[SPREAD])
            share[player] = ONE // 2 + part if ahead > 0 else ONE // 2 - part


# ------------------------------------------------------------------------------------------------------------- nodes


def grow(node: int) -> int:
    """Give a node its children; how many. With too little room left nothing grows any more."""
    base = legal()
    end = state[TOP]
    count = 0
    most = -1000000000
    first = search[GROWN]
    m = base
    while m < end:
        order_move[count] = m
        order_score[count] = gain(m) + drift(m)
        if order_score[count] > most:
            most = order_score[count]
        count += 1
        m += length(m)
    if first + count > search[NODES_ROOM]:
        search[GROWN] = search[NODES_ROOM]
        state[TOP] = base
        return 0
    total = 0
    for i in range(count):
        less = (most - order_score[i]) // STEEP
        weight = 1 << (DOUBLINGS - less if less < DOUBLINGS else 0)
        order_score[i] = weight
        total += weight
    for i in range(count):
        child = first + i
        node_prior[child] = order_score[i] * ONE // total
        node_count[child] = 0
        node_visits[child] = 0
        node_proven[child] = UNPROVEN
        node_far[child] = 0
        m = order_move[i]
        size = length(m)
        node_record[KEPT_WORDS * child] = 0
        if size <= KEPT_WORDS:
            for k in range(size):
                node_record[KEPT_WORDS * child + k] = moves[m + k]
            node_record[KEPT_WORDS * child] = moves[m] | 1 << 62
        for player in range(params[PLAYERS]):
            node_worth[child * params[PLAYERS] + player] = 0
    node_first[node] = first
    node_count[node] = count
    node_mover[node] = turn_mover[state[TURN]]
    search[GROWN] = first + count
    state[TOP] = base
    return count


@inline
def choose(node: int) -> int:
    """The child that a line follows; -1 if none is left."""
    mover = node_mover[node]
    if plays[mover] == 0:
        return node_first[node] + random_below(node_count[node])
    players = params[PLAYERS]
    best = -1
    most = -1000000000
    explore = search[EXPLORE] * root_of((node_visits[node] + 1) * 256) >> 4
    visits = node_visits[node] if node_visits[node] > 0 else 1
    unseen = node_worth[node * players + mover] // visits - ONE // 16
    for child in range(node_first[node], node_first[node] + node_count[node]):
        if node_proven[child] != DEAD:
            times = node_visits[child]
            value = node_worth[child * players + mover] // times if times else unseen
            if node_proven[child] >= 0:
                value = value_proven(node_proven[child], mover)
            else:
                value += (explore * node_prior[child] // ONE) // (times + 1)
            if value > most:
                most = value
                best = child
    return best


@inline
def value_proven(mask: int, player: int) -> int:
    """What a proven result is worth to a player when lines are chosen."""
    if mask == 0:
        return ONE // 2
    return 4 * ONE if mask >> player & 1 else -ONE


def prove(node: int) -> None:
    """A node is proven if its player can reach a win, or if all its children are."""
    mover = node_mover[node]
    if plays[mover] == 0:
        return
    open_ = 0
    found = DEAD
    far = 0
    for child in range(node_first[node], node_first[node] + node_count[node]):
        proven = node_proven[child]
        if proven >= 0 and proven >> mover & 1:
            node_proven[node] = proven
            node_far[node] = node_far[child] + 1
            return
        if proven == UNPROVEN:
            open_ = 1
        if proven == 0 and found != 0:
            found = 0
            far = 0
        if proven > 0 and found == DEAD:
            found = proven
        if proven >= 0 and (proven == 0) == (found == 0) and node_far[child] >= far:
            found = proven
            far = node_far[child] + 1
    if open_ == 0:
        node_proven[node] = found
        node_far[node] = far


# ------------------------------------------------------------------------------------------------------------- lines


@inline
def record_at(base: int, number: int) -> int:
    m = base
    for _i in range(number):
        m += length(m)
    return m


def came_before(depth: int, key: int) -> int:
    for i in range(depth):
        if ply_place[i] == key:
            return True
    if state[CHAIN] < 0:
        for i in range(search[PAST]):
            if past[i] == key:
                return True
    return False


def step_down(node: int, child: int, depth: int) -> int:
    """Make the move of a child; 1 if the line ends there with its shares known."""
    base = state[TOP]
    if node_record[KEPT_WORDS * child]:
        for k in range(KEPT_WORDS):
            moves[base + k] = node_record[KEPT_WORDS * child + k]
        moves[base] = moves[base] & ~(1 << 62)
        state[TOP] = base + KEPT_WORDS
        after(base)
    else:
        legal()
        after(record_at(base, child - node_first[node]))
    state[TOP] = base
    search[VISITED] = search[VISITED] + 1
    if state[RESULT] >= 0:
        node_proven[child] = winners(state[RESULT])
        share_result(node_proven[child])
        return True
    key = place_key()
    ply_place[depth] = key
    if came_before(depth, key):
        if state[CHAIN] >= 0:
            node_proven[child] = DEAD
            share_estimate()
        else:
            result = state_result(state[MOVER], REPETITION)
            share_result(winners(result) if result >= 0 else 0)
        return True
    return False


def line() -> None:
    """Follow one line down the tree, estimate where it leads, and tell all nodes on the way."""
    node = 0
    depth = 0
    done = 0
    ply_move[0] = 0
    while done == 0 and state[ERROR] == 0:
        if node_count[node] == 0:
            if node > 0 and node_visits[node] == 0:
                break
            if grow(node) == 0:
                if search[GROWN] < search[NODES_ROOM]:
                    node_proven[node] = winners(final_result())
                    share_result(node_proven[node])
                    done = 1
                break
        if depth >= MAX_PLY - 2:
            break
        child = choose(node)
        if child < 0:
            node_proven[node] = DEAD
            break
        depth += 1
        done = step_down(node, child, depth)
        ply_move[depth] = child
        node = child
        if node_proven[node] >= 0 and done == 0:
            share_result(node_proven[node])
            done = 1
    made = depth
    if done == 0:
        made += play_on_from()
    for _i in range(made):
        unmake()
    tell(depth)


def tell(depth: int) -> None:
    """Add the shares to every node of the line, the last first."""
    players = params[PLAYERS]
    for i in range(depth + 1):
        node = ply_move[depth - i]
        if i and node_proven[node] == UNPROVEN and node_proven[ply_move[depth - i + 1]] != UNPROVEN:
            prove(node)
        node_visits[node] = node_visits[node] + 1
        for player in range(players):
            node_worth[node * players + player] = node_worth[node * players + player] + share[player]


def play_on_from() -> int:
    """Play on from the position at hand and share what comes of it; how many legs were made."""
    made = 0
    most = search[PLAYED_ON]
    while state[ERROR] == 0 and made < search[LONGEST]:
        if state[RESULT] >= 0:
            share_result(winners(state[RESULT]))
            return made
        if made >= most and state[CHAIN] < 0:
            break
        if made >= most + 40:
            break
        m = draw_move()
        if m < 0:
            share_result(winners(final_result()))
            return made
        after(m)
        made += 1
        search[VISITED] = search[VISITED] + 1
        state[TOP] = 0
    if state[RESULT] >= 0:
        share_result(winners(state[RESULT]))
    elif search[ESTIMATES]:
        share_estimate()
    else:
        share_result(0)
    return made


def draw_move() -> int:
    """The best of a few legal moves drawn at random; -1 where there is none."""
    base = legal()
    count = 0
    m = base
    while m < state[TOP]:
        m += length(m)
        count += 1
    if count == 0:
        return -1
    chosen = record_at(base, random_below(count))
    if plays[turn_mover[state[TURN]]] and search[TRIES] > 1 and count > 1:
        most = gain(chosen) + drift(chosen)
        for _i in range(search[TRIES] - 1):
            m = record_at(base, random_below(count))
            value = gain(m) + drift(m)
            if value > most:
                most = value
                chosen = m
    return chosen


@entry
def uct_begin(seed: int) -> None:
    """Plant a tree at the loaded and weighed position."""
    state[RANDOM] = seed * 2 + 1
    search[VISITED] = 0
    search[GROWN] = 1
    node_count[0] = 0
    node_visits[0] = 0
    node_proven[0] = UNPROVEN
    for player in range(params[PLAYERS]):
        node_worth[player] = 0
    ply_place[0] = place_key()
    state[TOP] = 0


@entry
@apart
def uct_go(budget: int) -> int:
    """Follow lines for about `budget` positions; 1 if the root is proven."""
    limit = search[VISITED] + budget
    while search[VISITED] < limit and state[ERROR] == 0 and node_proven[0] == UNPROVEN:
        search[VISITED] = search[VISITED] + 1
        line()
    return node_proven[0] != UNPROVEN
