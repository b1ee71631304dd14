"""End conditions: the same tests as in `run/goals.py`, on goals stored as trees in `goal`.

A tree consists of its kind and the following numbers:

    GOAL_AND, GOAL_OR, GOAL_NOT   number of parts, index of each
    GOAL_ABSOLUTE                 number of places, number of occupants, (is a zone, number) for each place,
                                  (owner, type, negated) for each occupant
    GOAL_RELATIVE                 number of items, start of its table in `starts_from`, number of distinct
                                  occupants, (owner or DIRECTION, type or motion, negated) for each item, the same
                                  for each distinct occupant
    GOAL_COUNT                    everybody, number, type
    GOAL_TAKEN                    royal, number of types, the types
    GOAL_STATE                    the word
    GOAL_COMPARE                  EQUAL, LESS or GREATER, index of each of the two numbers in `numbers`
"""

from zrf_py.jit.language import bit_count, entry, inline, lowest_bit, squares_of
from zrf_py.native.kernel import legal, numbers
from zrf_py.native.kernel.memory import (
    CHECKMATED, END_GOAL, END_LOCAL, END_PLAYERS, END_PLAYERS_AT, END_RESULT, END_ROW, END_STATE, RESULT_COUNT,
    RESULT_LOSS, RESULT_OUT, RESULT_SCORE, RESULT_WIN, STALEMATED, cell, ends, goal, occupied, params, plays,
    starts, starts_from, state, steps, stores, taken, teams, turn_mover, undo, zone_from, zone_squares,
)

GOAL_AND, GOAL_OR, GOAL_NOT, GOAL_ABSOLUTE, GOAL_RELATIVE, GOAL_COUNT, GOAL_TAKEN, GOAL_STATE = 0, 1, 2, 3, 4, 5, 6, 7
GOAL_COMPARE = 8
OWN, OPPONENT, ANY_OWNER, DIRECTION = 0, 1, 2, 3
NO_RESULT = -1
DEFAULTS = 1000000
"""Results without an end condition: DEFAULTS + player checkmated, 2 * DEFAULTS + player stalemated, 3 * DEFAULTS + a
player of the last team left."""


@entry
def board_result() -> None:
    """Set the result by the first condition (in the order of the file) that holds on the board, if there is one."""
    clean = 1
    for e in range(params.ends):
        row = e * END_ROW
        if ends[row + END_STATE] == 0 and ends[row + END_RESULT] != RESULT_OUT:
            count = ends[row + END_PLAYERS]
            for k in range(count if count >= 0 else 1):
                player = state.mover
                if count >= 0:
                    player = goal[ends[row + END_PLAYERS_AT] + k]
                if player >= 0 and holds_now(row, player):
                    state.result = e * params.players + player
                    state.clean = 0
                    return
    state.clean = clean


@inline
def holds_now(row: int, player: int) -> int:
    """Return whether a goal holds. If no goal held before the turn, patterns are tested only near changed squares."""
    if ends[row + END_LOCAL] and state.clean:
        return holds_near(row, player)
    return holds(ends[row + END_GOAL], player)


def holds_near(row: int, player: int) -> int:
    """Return whether a pattern of the goal matches across a changed square, given that none matched before the turn."""
    tree = ends[row + END_GOAL]
    if goal[tree] == GOAL_RELATIVE:
        return matches_near(tree, player)
    for i in range(goal[tree + 1]):
        if matches_near(goal[tree + 2 + i], player):
            return True
    return False


def matches_near(tree: int, player: int) -> int:
    table = goal[tree + 2] + player * params.squares
    for i in range((state.undo - state.turn_undo) // 3):
        square = undo[state.turn_undo + 3 * i]
        if square >= 0 and is_one_of(square, tree + 4 + 3 * goal[tree + 1], goal[tree + 3], player):
            for k in range(starts_from[table + square], starts_from[table + square + 1]):
                if matches_from(tree, starts[k], player):
                    return True
    return False


def holds(tree: int, player: int) -> int:
    """Return whether a goal about the board holds for a player."""
    kind = goal[tree]
    if kind == GOAL_AND:
        for i in range(goal[tree + 1]):
            if holds(goal[tree + 2 + i], player) == 0:
                return False
        return True
    if kind == GOAL_OR:
        for i in range(goal[tree + 1]):
            if holds(goal[tree + 2 + i], player):
                return True
        return False
    if kind == GOAL_NOT:
        return holds(goal[tree + 2], player) == 0
    if kind == GOAL_ABSOLUTE:
        return absolute(tree, player)
    if kind == GOAL_RELATIVE:
        return matches_somewhere(tree, player)
    if kind == GOAL_COUNT:
        return count_of(tree, player) == goal[tree + 2]
    if kind == GOAL_TAKEN:
        return has_lost(tree, player)
    if kind == GOAL_COMPARE:
        left = numbers.value(goal[tree + 2], player, -1)
        right = numbers.value(goal[tree + 3], player, -1)
        return numbers.compared(goal[tree + 1], left, right)
    return False


def matches_somewhere(tree: int, player: int) -> int:
    """Return whether a relative configuration matches anywhere; if it begins with a piece, try occupied squares."""
    if goal[tree + 4] == DIRECTION or goal[tree + 6]:
        for square in range(params.squares):
            if matches_from(tree, square, player):
                return True
        return False
    for owner in range(params.players):
        if goal[tree + 4] != OWN or owner == player:
            for square in squares_of(occupied, owner + 1, params.words):
                if matches_from(tree, square, player):
                    return True
    return False


def absolute(tree: int, player: int) -> int:
    """Return whether every place has one of the occupants; for a zone one square is enough."""
    places = goal[tree + 1]
    occupants = goal[tree + 2]
    first = tree + 3 + 2 * places
    for i in range(places):
        number = goal[tree + 4 + 2 * i]
        found = 0
        if goal[tree + 3 + 2 * i]:
            zone = number * params.players + player
            for k in range(zone_from[zone], zone_from[zone + 1]):
                if found == 0 and is_one_of(zone_squares[k], first, occupants, player):
                    found = 1
        else:
            found = is_one_of(number, first, occupants, player)
        if found == 0:
            return False
    return places > 0


@inline
def is_one_of(square: int, first: int, occupants: int, player: int) -> int:
    for i in range(occupants):
        if is_there(square, first + 3 * i, player):
            return True
    return False


@inline
def is_there(square: int, item: int, player: int) -> int:
    held = cell[square]
    there = 0
    if held >> 8 == goal[item + 1] + 1:
        owner = goal[item]
        if owner == OWN:
            there = (held & 255) == player + 1
        elif owner == OPPONENT:
            there = (held & 255) != player + 1
        else:
            there = 1
    return there != goal[item + 2]


def matches_from(tree: int, square: int, player: int) -> int:
    """Return whether a relative configuration matches from a square."""
    table = player * params.motions * params.squares
    item = tree + 4
    for _i in range(goal[tree + 1]):
        if goal[item] == DIRECTION:
            square = steps[table + goal[item + 1] * params.squares + square]
            if square < 0:
                return False
        elif is_there(square, item, player) == 0:
            return False
        item += 3
    return True


def count_of(tree: int, player: int) -> int:
    everybody = goal[tree + 1]
    kind = goal[tree + 3]
    total = 0
    for owner in range(params.players):
        if everybody or owner == player:
            total += pieces_of(owner, kind)
    if everybody == 0 and params.off_pieces:
        for other in range(params.types):
            if kind < 0 or other == kind:
                total += stores[player * params.types + other]
    return total


@inline
def pieces_of(owner: int, kind: int) -> int:
    """Count a player's pieces of one type on the board (-1: all types)."""
    total = 0
    words = params.words
    if kind < 0:
        for word in range(words):
            total += bit_count(occupied[(owner + 1) * words + word])
        return total
    wanted = owner + 1 | kind + 1 << 8
    for square in range(params.squares):
        if cell[square] == wanted:
            total += 1
    return total


def has_lost(tree: int, player: int) -> int:
    """Return whether the player lost a piece of one of the types in this turn; False for goals about royal pieces."""
    if goal[tree + 1]:
        return False
    for i in range(state.taken_from, state.taken_to):
        if taken[i] & 255 == player + 1:
            for k in range(goal[tree + 2]):
                if (taken[i] >> 8) - 1 == goal[tree + 3 + k]:
                    return True
    return False


# -------------------------------------------------------------------------------------------- states of the player


@entry
def final_result() -> int:
    """Return the result of a game whose player to move has no legal move."""
    player = turn_mover[state.turn]
    if params.has_royals and legal.is_attacked(player):
        found = state_result(player, CHECKMATED)
        return found if found >= 0 else DEFAULTS + player
    found = state_result(player, STALEMATED)
    return found if found >= 0 else 2 * DEFAULTS + player


@entry
def state_result(player: int, word: int) -> int:
    """Return the result of the first end condition of the player that holds in the state `word`, or NO_RESULT."""
    for e in range(params.ends):
        row = e * END_ROW
        count = ends[row + END_PLAYERS]
        listed = 1 if count < 0 else 0
        for k in range(count):
            if goal[ends[row + END_PLAYERS_AT] + k] == player:
                listed = 1
        if listed and ends[row + END_RESULT] != RESULT_OUT and matches(ends[row + END_GOAL], player, word):
            return e * params.players + player
    return NO_RESULT


def matches(tree: int, player: int, word: int) -> int:
    kind = goal[tree]
    if kind == GOAL_STATE:
        return goal[tree + 1] == word
    if kind == GOAL_TAKEN:
        return goal[tree + 1] != 0 and word == CHECKMATED
    if kind > GOAL_NOT or asks_state(tree) == 0:
        return False
    count = goal[tree + 1]
    yes = 0
    for i in range(count):
        part = goal[tree + 2 + i]
        if asks_state(part):
            yes += matches(part, player, word)
        else:
            yes += holds(part, player)
        if i == 0 and kind == GOAL_NOT:
            return yes == 0
    if kind == GOAL_AND:
        return yes == count
    return yes > 0


def asks_state(tree: int) -> int:
    kind = goal[tree]
    if kind <= GOAL_NOT:
        for i in range(goal[tree + 1]):
            if asks_state(goal[tree + 2 + i]):
                return True
        return False
    if kind == GOAL_TAKEN:
        return goal[tree + 1]
    return kind == GOAL_STATE


# ------------------------------------------------------------------------------------------------------ the winners


@entry
def winners(result: int) -> int:
    """Return a bit for each winner of a result; 0 if all ordinary players lose or draw."""
    player = result % params.players
    everybody = ordinary()
    if result >= 3 * DEFAULTS:
        return teams[result - 3 * DEFAULTS]
    if result >= 2 * DEFAULTS:
        return 0
    if result >= DEFAULTS:
        return everybody & ~(1 << result - DEFAULTS)
    kind = ends[result // params.players * END_ROW + END_RESULT]
    if kind == RESULT_WIN:
        return teams[player]
    if kind == RESULT_LOSS:
        return everybody & ~teams[player] & ~state.out
    if kind == RESULT_COUNT or kind == RESULT_SCORE:
        return best_of(everybody, kind == RESULT_SCORE)
    return 0


def ordinary() -> int:
    """Return a bit for each ordinary player."""
    found = 0
    for i in range(params.players):
        if plays[i]:
            found = found | 1 << i
    return found


def best_of(everybody: int, by_score: int) -> int:
    """Return the players with the most pieces or best score, as bits; 0 if all tie (a lone player wins by score)."""
    most = 0
    found = 0
    for i in range(params.players):
        if plays[i]:
            number = pieces_of(i, -1)
            if by_score:
                number = score_of(i)
            if number > most or found == 0:
                most = number
                found = 0
            if number == most:
                found = found | 1 << i
    alone = by_score and everybody & everybody - 1 == 0
    return 0 if found == everybody and alone == 0 else found


def score_of(player: int) -> int:
    """Return a player's score, negated if the lowest wins."""
    number = numbers.value(params.score, player, -1) if params.score >= 0 else 0
    return 0 - number if params.lowest_wins else number


def last_left() -> int:
    """Return the result if only one team is left, else NO_RESULT."""
    left = ordinary() & ~state.out
    if left == 0:
        return NO_RESULT
    for i in range(params.players):
        if left >> i & 1 and left & ~teams[i]:
            return NO_RESULT
    return 3 * DEFAULTS + lowest_bit(left)
