"""Outcome of a position: whether the game has ended, and how.

There are two groups of conditions. Goals about the board and about captured pieces are tested once, right after a
complete turn, in file order. `stalemated`, `checkmated` and `repetition` need the legal moves of the player to move (or
the game's history) and are tested when those are known. Then the defaults apply: a player who can't move or pass loses
if in check or in a game for one player, else draws; repetition is a draw the third time (an option may change that).
"""

from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import Program
from zrf_py.run.numbers import compare, value
from zrf_py.run.position import NOBODY, Outcome, Position


def board_result(program: Program, position: Position) -> Outcome | None:
    """Return the outcome of the first board condition in the file that holds; None if the game goes on."""
    for end in program.game.ends:
        players = (position.mover,) if end.players is None else end.players
        if not asks_state(end.goal) and end.result != "out":
            for player in players:
                if player >= 0 and holds(program, position, end.goal, player):
                    return _outcome(program, position, end.result, player, word_of(end.goal))
    return None


def outcome_of(program: Program, position: Position, end: int, player: int, word: str = "") -> Outcome:
    """Return the outcome if end condition number `end` holds for a player; `word`: the state that was tested, or ""."""
    condition = program.game.ends[end]
    return _outcome(program, position, condition.result, player, word or word_of(condition.goal))


def state_result(program: Program, position: Position, player: int, word: str) -> Outcome | None:
    """Return the outcome by the first condition on state `word` ("repetition" …) that lists the player, or None."""
    for end in program.game.ends:
        players = (player,) if end.players is None else end.players
        if end.result != "out" and player in players and _matches(program, position, end.goal, player, word):
            return _outcome(program, position, end.result, player, word)
    return None


def _matches(program: Program, position: Position, goal: model.Goal, player: int, word: str) -> bool:
    match goal:
        case model.StateGoal():
            return goal.word == word
        case model.Taken(royal=True):
            return word == "checkmated"
        case model.AllOf() if asks_state(goal):
            answers = [
                _matches(program, position, part, player, word) if asks_state(part)
                else holds(program, position, part, player)
                for part in goal.parts
            ]
            return all(answers) if goal.word == "and" else any(answers) if goal.word == "or" else not answers[0]
    return False


def goes_out(program: Program, position: Position, player: int, word: str = "") -> model.EndCondition | None:
    """Return the `out-condition` about the state `word` ("": about the board) that a player meets, else None."""
    for end in program.game.ends:
        if end.result == "out" and player in (end.players or ()):
            if word and asks_state(end.goal) and _matches(program, position, end.goal, player, word):
                return end
            if not word and not asks_state(end.goal) and holds(program, position, end.goal, player):
                return end
    return None


def last_team(program: Program, position: Position) -> Outcome | None:
    """Return the win of the last team left when all others are out; None if several teams are left, or none."""
    players = set(program.game.playing)
    left = players - position.out
    if not left or not all(left <= set(program.game.team(player)) for player in left):
        return None
    winners = program.game.team(min(left))
    return Outcome(winners, tuple(sorted(players - set(winners))), "last-left")


def asks_state(goal: model.Goal) -> bool:
    """Return whether any part of a goal tests a state ("stalemated", "repetition", "checkmated")."""
    return any(isinstance(part, model.StateGoal) or (isinstance(part, model.Taken) and part.royal)
               for part in leaves(goal))


def holds(program: Program, position: Position, goal: model.Goal, player: int) -> bool:
    """Return whether a goal about the board holds for a player."""
    match goal:
        case model.AllOf(word="and"):
            return all(holds(program, position, part, player) for part in goal.parts)
        case model.AllOf(word="or"):
            return any(holds(program, position, part, player) for part in goal.parts)
        case model.AllOf():
            return not holds(program, position, goal.parts[0], player)
        case model.Absolute():
            return _absolute(program, position, goal, player)
        case model.Relative():
            return _relative(program, position, goal, player)
        case model.Count():
            return count(program, position, goal, player) == goal.number
        case model.Taken():
            return not goal.royal and any(p == player and kind in goal.pieces for p, kind in position.taken)
        case model.Compare():
            return compare(program, position, player, goal)
        case model.StateGoal():
            return False


def _absolute(program: Program, position: Position, goal: model.Absolute, player: int) -> bool:
    """Return whether every place has one of the occupants; for a zone one square is enough."""
    for place in goal.places:
        squares = program.game.board.squares(place, player)
        if not any(is_there(position, square, o, player) for square in squares for o in goal.occupants):
            return False
    return bool(goal.places)


def is_there(position: Position, square: int, occupant: model.Occupant, player: int) -> bool:
    owner = position.owner[square]
    matches = owner != NOBODY and position.piece[square] == occupant.piece
    if occupant.owner == "own":
        matches = matches and owner == player
    elif occupant.owner == "opponent":
        matches = matches and owner != player
    return matches != occupant.negated


def _relative(program: Program, position: Position, goal: model.Relative, player: int) -> bool:
    steps = program.steps[player]
    for start in range(len(position.owner)):
        square = start
        for item in goal.items:
            if isinstance(item, int):
                square = steps[2 * item][square]
                if square < 0:
                    break
            elif not is_there(position, square, item, player):
                break
        else:
            return True
    return False


def count(program: Program, position: Position, goal: model.Count, player: int) -> int:
    """Count the pieces that a goal is about: those on the board and, by an option, a player's pieces off it."""
    total = sum(
        1 for owner, kind in zip(position.owner, position.piece, strict=True)
        if owner != NOBODY and (goal.everybody or owner == player) and goal.piece in (-1, kind)
    )
    if not goal.everybody and program.game.options.include_off_pieces:
        store = position.stores[player]
        total += sum(store) if goal.piece < 0 else store[goal.piece]
    return total


def _outcome(program: Program, position: Position, result: str, player: int, reason: str) -> Outcome:
    players = program.game.playing
    own = program.game.team(player)
    others = tuple(p for p in players if p not in own)
    match result:
        case "win":
            return Outcome(own, others, reason)
        case "loss":
            return Outcome(tuple(p for p in others if p not in position.out), own, reason)
        case "draw":
            return Outcome((), (), reason)
    scores = {p: position.owner.count(p) if result == "count" else score(program, position, p) for p in players}
    best = (min if result == "score" and program.game.lowest_wins else max)(scores.values(), default=0)
    winners = tuple(p for p in players if scores[p] == best)
    if len(winners) == len(players) and (result == "count" or len(players) > 1):
        return Outcome((), (), reason)
    return Outcome(winners, tuple(p for p in players if p not in winners), reason)


def score(program: Program, position: Position, player: int) -> int:
    """Return a player's score; 0 if the rules define none."""
    number = program.game.score
    return value(program, position, player, number) if number else 0


def default_stalemate(program: Program, player: int) -> Outcome:
    """Return the default outcome for a player without moves: a loss if only this player has turns, else a draw."""
    if len(program.game.movers) == 1:
        return Outcome((), (player,), "stalemated")
    return Outcome((), (), "stalemated")


_WORDS = {model.Absolute: "absolute-config", model.Relative: "relative-config", model.Taken: "captured"}


def word_of(goal: model.Goal) -> str:
    """Return the word of the rules for a goal, used as the reason of an outcome."""
    if isinstance(goal, model.AllOf):
        return word_of(goal.parts[0]) if goal.parts else goal.word
    if isinstance(goal, model.Count):
        return "total-piece-count" if goal.everybody else "pieces-remaining"
    if isinstance(goal, model.Compare):
        return goal.left.kind if goal.left.kind != "number" else goal.right.kind
    return goal.word if isinstance(goal, model.StateGoal) else _WORDS[type(goal)]
