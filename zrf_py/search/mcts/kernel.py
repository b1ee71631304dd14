"""Monte-Carlo tree search over legs, for any number of players.

UCT (Kocsis and Szepesvári 2006) with priors (PUCT, Rosin 2011). With several players, each maximises its own reward
(max^n, Sturtevant 2008); proven results are backed up as in MCTS-Solver (Winands, Björnsson and Saito 2008).

Each node holds the total reward of every player, in units of 1/65536. Selection uses mean reward and a prior from the
evaluation (PUCT); moves of a random player are drawn. Beyond the tree, a simulation makes some more legs (a rollout),
each the best of a few drawn at random, and ends with the evaluation; where that does not show who is ahead, it goes on
to the end of the game. A game that ends in the tree is proven, and so is every node whose player can reach a win.
"""

from zrf_py.jit.language import apart, entry, fill_all, inline
from zrf_py.native.kernel import board, goals, legal, sampling, turn
from zrf_py.native.kernel.memory import REPETITION, moves, params, plays, state, turn_mover
from zrf_py.search.alphabeta.kernel import ordering
from zrf_py.search.alphabeta.kernel.lines import clear_lines
from zrf_py.search.alphabeta.kernel.values import is_repetition
from zrf_py.search.evaluation.kernel import races, incremental
from zrf_py.search.memory import (
    KEPT_WORDS, MAX_PLY, SPREAD, UNPROVEN, credit, in_team, node_record, node_reward, order_move, order_score, ply,
    reward, search, tree,
)

ONE = 65536
DEAD = -2
"""Dead end: a position repeated within its turn."""
STEEP = 24
"""Difference of value that doubles a prior."""
DOUBLINGS = 6


@inline
def square_root(value: int) -> int:
    """Return the integer square root."""
    if value < 2:
        return value
    guess = value
    better = (guess + 1) >> 1
    while better < guess:
        guess = better
        better = (guess + value // guess) >> 1
    return guess


@inline
def share_of(lead: int) -> int:
    """Return the share of games that a player with this lead is expected to win, in units of 1/65536."""
    size = lead if lead > 0 else -lead
    part = ONE // 2 * size // (size + SPREAD)
    return ONE // 2 + part if lead > 0 else ONE // 2 - part


def reward_result(mask: int) -> None:
    """Set the rewards of a finished game: the winners share `ONE` equally; in a draw (`mask` 0), all players do."""
    count = 0
    if mask == 0:
        for player in range(params.players):
            if plays[player]:
                mask = mask | 1 << player
    for player in range(params.players):
        count += mask >> player & 1
    for player in range(params.players):
        reward[player] = ONE // count if mask >> player & 1 else 0


def reward_estimate() -> None:
    """Set each player's reward from the lead of its team over the best other one."""
    players = params.players
    for player in range(players):
        credit[player] = 0
        reward[player] = 0
    for player in range(players):
        if plays[player]:
            value = races.owned(player)
            for partner in range(players):
                if in_team[player * players + partner]:
                    credit[partner] = credit[partner] + value
    for player in range(players):
        if plays[player]:
            other = -1000000000
            for rival in range(players):
                if plays[rival] and in_team[player * players + rival] == 0 and credit[rival] > other:
                    other = credit[rival]
            reward[player] = share_of(credit[player] - (other if other > -1000000000 else 0))


def expand(node: int) -> int:
    """Create a node's children; return their number: 0 without moves, or without room (the tree then stops growing)."""
    base = legal.legal()
    end = state.top
    count = 0
    most = -1000000000
    first = search.grown
    m = base
    while m < end:
        order_move[count] = m
        order_score[count] = ordering.capture_gain(m) + ordering.square_gain(m)
        if order_score[count] > most:
            most = order_score[count]
        count += 1
        m += board.length(m)
    if first + count > search.nodes_room:
        search.grown = search.nodes_room
        state.top = base
        return 0
    total = 0
    for i in range(count):
        less = (most - order_score[i]) // STEEP
        weight = 1 << (DOUBLINGS - less if less < DOUBLINGS else 0)
        order_score[i] = weight
        total += weight
    for i in range(count):
        child = first + i
        tree[child].prior = order_score[i] * ONE // total
        tree[child].count = 0
        tree[child].visits = 0
        tree[child].proven = UNPROVEN
        tree[child].distance = 0
        m = order_move[i]
        size = board.length(m)
        node_record[KEPT_WORDS * child] = 0
        if size <= KEPT_WORDS:
            for k in range(size):
                node_record[KEPT_WORDS * child + k] = moves[m + k]
            node_record[KEPT_WORDS * child] = moves[m] | 1 << 62
        fill_all(node_reward, child * params.players, 0, params.players)
    tree[node].first = first
    tree[node].count = count
    tree[node].mover = turn_mover[state.turn]
    search.grown = first + count
    state.top = base
    return count


@inline
def select_child(node: int) -> int:
    """Return the child to follow: a random one for chance, else by PUCT; -1 if all are dead ends."""
    mover = tree[node].mover
    if plays[mover] == 0:
        return tree[node].first + sampling.random_below(tree[node].count)
    players = params.players
    best = -1
    most = -1000000000
    explore = search.explore * square_root((tree[node].visits + 1) * 256) >> 4
    visits = tree[node].visits if tree[node].visits > 0 else 1
    unseen = node_reward[node * players + mover] // visits - ONE // 16
    for child in range(tree[node].first, tree[node].first + tree[node].count):
        if tree[child].proven != DEAD:
            times = tree[child].visits
            value = node_reward[child * players + mover] // times if times else unseen
            if tree[child].proven >= 0:
                value = value_proven(tree[child].proven, mover)
            else:
                value += (explore * tree[child].prior // ONE) // (times + 1)
            if value > most:
                most = value
                best = child
    return best


@inline
def value_proven(mask: int, player: int) -> int:
    """Return the selection value of a proven result for a player."""
    if mask == 0:
        return ONE // 2
    return 4 * ONE if mask >> player & 1 else -ONE


def solve_node(node: int) -> None:
    """Update the proof of a node (MCTS-Solver): proven if its player can reach a win, or all children are proven."""
    mover = tree[node].mover
    if plays[mover] == 0:
        return
    open_ = 0
    result = DEAD
    far = 0
    for child in range(tree[node].first, tree[node].first + tree[node].count):
        proven = tree[child].proven
        if proven >= 0 and proven >> mover & 1:
            tree[node].proven = proven
            tree[node].distance = tree[child].distance + 1
            return
        if proven == UNPROVEN:
            open_ = 1
        if proven == 0 and result != 0:
            result = 0
            far = 0
        if proven > 0 and result == DEAD:
            result = proven
        if proven >= 0 and (proven == 0) == (result == 0) and tree[child].distance >= far:
            result = proven
            far = tree[child].distance + 1
    if open_ == 0:
        tree[node].proven = result
        tree[node].distance = far


@inline
def record_at(base: int, number: int) -> int:
    m = base
    for _i in range(number):
        m += board.length(m)
    return m


def make_child(node: int, child: int, depth: int) -> int:
    """Make the move of a child; return True if the simulation ends there, with its rewards set."""
    base = state.top
    if node_record[KEPT_WORDS * child]:
        for k in range(KEPT_WORDS):
            moves[base + k] = node_record[KEPT_WORDS * child + k]
        moves[base] = moves[base] & ~(1 << 62)
        state.top = base + KEPT_WORDS
        turn.after(base)
    else:
        legal.legal()
        turn.after(record_at(base, child - tree[node].first))
    state.top = base
    search.visited = search.visited + 1
    if state.result >= 0:
        tree[child].proven = goals.winners(state.result)
        reward_result(tree[child].proven)
        return True
    key = incremental.position_key()
    ply[depth].place = key
    if is_repetition(depth, key):
        if state.chain >= 0:
            tree[child].proven = DEAD
            reward_estimate()
        else:
            result = goals.state_result(state.mover, REPETITION)
            reward_result(goals.winners(result) if result >= 0 else 0)
        return True
    return False


def simulate() -> None:
    """Run one simulation: select, expand, roll out, back up."""
    node = 0
    depth = 0
    done = 0
    ply[0].move = 0
    while done == 0 and state.error == 0:
        if tree[node].count == 0:
            if node > 0 and tree[node].visits == 0:
                break
            if expand(node) == 0:
                if search.grown < search.nodes_room:
                    tree[node].proven = goals.winners(goals.final_result())
                    reward_result(tree[node].proven)
                    done = 1
                break
        if depth >= MAX_PLY - 2:
            break
        child = select_child(node)
        if child < 0:
            tree[node].proven = DEAD
            break
        depth += 1
        done = make_child(node, child, depth)
        ply[depth].move = child
        node = child
        if tree[node].proven >= 0 and done == 0:
            reward_result(tree[node].proven)
            done = 1
    made = depth
    if done == 0:
        made += roll_out()
    for _i in range(made):
        board.unmake()
    back_up_rewards(depth)


def back_up_rewards(depth: int) -> None:
    """Add the rewards to every node of the path, the last first."""
    players = params.players
    for i in range(depth + 1):
        node = ply[depth - i].move
        if i and tree[node].proven == UNPROVEN and tree[ply[depth - i + 1].move].proven != UNPROVEN:
            solve_node(node)
        tree[node].visits = tree[node].visits + 1
        for player in range(players):
            node_reward[node * players + player] = node_reward[node * players + player] + reward[player]


def roll_out() -> int:
    """Roll out from the loaded position and set the rewards; return the number of legs made."""
    made = 0
    most = search.rollout_legs
    while state.error == 0 and made < search.longest:
        if state.result >= 0:
            reward_result(goals.winners(state.result))
            return made
        if made >= most and state.chain < 0:
            break
        if made >= most + 40:
            break
        m = rollout_move()
        if m < 0:
            reward_result(goals.winners(goals.final_result()))
            return made
        turn.after(m)
        made += 1
        search.visited = search.visited + 1
        state.top = 0
    if state.result >= 0:
        reward_result(goals.winners(state.result))
    elif search.estimates:
        reward_estimate()
    else:
        reward_result(0)
    return made


def rollout_move() -> int:
    """Return the best of a few legal moves drawn at random; -1 if there is none."""
    base = legal.legal()
    count = 0
    m = base
    while m < state.top:
        m += board.length(m)
        count += 1
    if count == 0:
        return -1
    chosen = record_at(base, sampling.random_below(count))
    if plays[turn_mover[state.turn]] and search.tries > 1 and count > 1:
        most = ordering.capture_gain(chosen) + ordering.square_gain(chosen)
        for _i in range(search.tries - 1):
            m = record_at(base, sampling.random_below(count))
            value = ordering.capture_gain(m) + ordering.square_gain(m)
            if value > most:
                most = value
                chosen = m
    return chosen


@entry
def mcts_begin(count: int, seed: int, player: int) -> None:
    """Start a tree at the loaded and evaluated position, for `count` lines; if chance is to move there, `player` is
    the one to whom the values of the lines apply, else -1."""
    clear_lines(count)
    search.worth_to = player
    state.random = seed * 2 + 1
    search.visited = 0
    search.grown = 1
    tree[0].count = 0
    tree[0].visits = 0
    tree[0].proven = UNPROVEN
    fill_all(node_reward, 0, 0, params.players)
    ply[0].place = incremental.position_key()
    state.top = 0


@entry
@apart
def mcts_go(budget: int) -> int:
    """Run simulations for about `budget` positions; return True if the root is proven."""
    limit = search.visited + budget
    while search.visited < limit and state.error == 0 and tree[0].proven == UNPROVEN:
        search.visited = search.visited + 1
        simulate()
    return tree[0].proven != UNPROVEN
