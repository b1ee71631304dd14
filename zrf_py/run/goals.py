"""Position → has the game ended, and how.

Two groups of conditions. Goals about the board and about what was taken are asked once, right after a complete turn,
in file order. `stalemated`, `checkmated` and `repetition` need the moves of the player to move (or the history of the
game) and are asked when those are known. Then come the defaults: no move and no right to pass is a draw, for a single
player a loss; a third repetition (or as the option says) is a draw.
"""

from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import Program
from zrf_py.run.numbers import compare, value
from zrf_py.run.position import NOBODY, Outcome, Position

USUAL_REPETITION = 3
"""Occurrences of a position that end a game whose rules don't say otherwise."""


def words_of_state(game: model.Game) -> set[str]:
    """The words about a state (`stalemated`, `repetition`) that some end condition uses."""
    return {goal.word for end in game.ends for goal in leaves(end.goal) if isinstance(goal, model.State)}


def repetition(game: model.Game) -> int:
    """Occurrences of a position that end the game; 0 where it may come again without end.

    Nobody asks in a game for one. Where chance moves, positions come again by themselves: that ends such a game only if
    its rules ask for it, by the option "repetition" or by a condition with that word.
    """
    movers = {turn.mover for turn in game.turns}
    if len(movers) < 2:
        return 0
    if game.options.repetition is not None:
        return game.options.repetition
    chance = any(game.players[mover].kind == "random" for mover in movers)
    return 0 if chance and "repetition" not in words_of_state(game) else USUAL_REPETITION


def board_result(program: Program, position: Position) -> Outcome | None:
    """The first board condition of the file that holds; None if the game goes on."""
    for end in program.game.ends:
        players = (position.mover,) if end.players is None else end.players
        if not asks_state(end.goal) and end.result != "out":
            for player in players:
                if player >= 0 and holds(program, position, end.goal, player):
                    return _outcome(program, position, end.result, player, word_of(end.goal))
    return None


def outcome_of(program: Program, position: Position, end: int, player: int, word: str = "") -> Outcome:
    """The outcome that end condition number `end` gives to a player; `word` is the state it was asked about, if any."""
    condition = program.game.ends[end]
    return _outcome(program, position, condition.result, player, word or word_of(condition.goal))


def state_result(program: Program, position: Position, player: int, word: str) -> Outcome | None:
    """The first condition on a state ("stalemated", "checkmated" or "repetition") that lists the player to move."""
    for end in program.game.ends:
        players = (player,) if end.players is None else end.players
        if end.result != "out" and player in players and _matches(program, position, end.goal, player, word):
            return _outcome(program, position, end.result, player, word)
    return None


def _matches(program: Program, position: Position, goal: model.Goal, player: int, word: str) -> bool:
    match goal:
        case model.State():
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
    """The `out-condition` that a player meets: one about the board, or with `word` one about that state."""
    for end in program.game.ends:
        if end.result == "out" and player in (end.players or ()):
            if word and asks_state(end.goal) and _matches(program, position, end.goal, player, word):
                return end
            if not word and not asks_state(end.goal) and holds(program, position, end.goal, player):
                return end
    return None


def last_team(program: Program, position: Position) -> Outcome | None:
    """The win of those who are left when all others are out."""
    players = {i for i, p in enumerate(program.game.players) if p.kind == "player"}
    left = players - position.out
    if not left or not all(left <= set(team(program, player)) for player in left):
        return None
    winners = team(program, min(left))
    return Outcome(winners, tuple(sorted(players - set(winners))), "last-left")


def team(program: Program, player: int) -> tuple[int, ...]:
    """The player and his partners."""
    return next((tuple(sorted(team)) for team in program.game.teams if player in team), (player,))


def royals(program: Program) -> tuple[frozenset[int], ...]:
    """For each player the piece types that a `checkmated` goal makes royal, also one within `and`, `or` or `not`."""
    found: list[set[int]] = [set() for _ in program.game.players]
    for end in program.game.ends:
        for goal in leaves(end.goal):
            if isinstance(goal, model.Taken) and goal.royal:
                for player in end.players or ():
                    found[player].update(goal.pieces)
    return tuple(frozenset(s) for s in found)


def asks_state(goal: model.Goal) -> bool:
    """Whether a goal is about a player to move, not about the board: "stalemated", "repetition", "checkmated"."""
    return any(isinstance(part, model.State) or (isinstance(part, model.Taken) and part.royal) for part in leaves(goal))


def holds(program: Program, position: Position, goal: model.Goal, player: int) -> bool:
    """Whether a goal about the board holds for a player."""
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
            return _count(program, position, goal, player) == goal.number
        case model.Taken():
            return not goal.royal and any(p == player and kind in goal.pieces for p, kind in position.taken)
        case model.Compare():
            return compare(program, position, player, goal)
        case model.State():
            return False


def _absolute(program: Program, position: Position, goal: model.Absolute, player: int) -> bool:
    """Every place has one of the occupants; of a zone one square is enough."""
    for place in goal.places:
        squares = program.game.board.squares(place, player)
        if not any(is_there(position, square, o, player) for square in squares for o in goal.occupants):
            return False
    return bool(goal.places)


def is_there(position: Position, square: int, occupant: model.Occupant, player: int) -> bool:
    owner = position.owner[square]
    there = owner != NOBODY and position.piece[square] == occupant.piece
    if occupant.owner == "own":
        there = there and owner == player
    elif occupant.owner == "opponent":
        there = there and owner != player
    return there != occupant.negated


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


def _count(program: Program, position: Position, goal: model.Count, player: int) -> int:
    total = sum(
        1 for owner, kind in zip(position.owner, position.piece, strict=True)
        if owner != NOBODY and (goal.everybody or owner == player) and goal.piece in (-1, kind)
    )
    if not goal.everybody and program.game.options.include_off_pieces:
        store = position.stores[player]
        total += sum(store) if goal.piece < 0 else store[goal.piece]
    return total


def _outcome(program: Program, position: Position, result: str, player: int, reason: str) -> Outcome:
    players = [i for i, p in enumerate(program.game.players) if p.kind == "player"]
    own = team(program, player)
    others = tuple(p for p in players if p not in own)
    match result:
        case "win":
            return Outcome(own, others, reason)
        case "loss":
            return Outcome(tuple(p for p in others if p not in position.out), own, reason)
        case "draw":
            return Outcome((), (), reason)
        case "score":
            return _best_score(program, position, players, reason)
    counts = {p: position.owner.count(p) for p in players}
    most = max(counts.values(), default=0)
    winners = tuple(p for p in players if counts[p] == most)
    if len(winners) == len(players):
        return Outcome((), (), reason)
    return Outcome(winners, tuple(p for p in players if p not in winners), reason)


def score(program: Program, position: Position, player: int) -> int:
    """What the game is worth to a player; 0 where the rules name no score."""
    number = program.game.score
    return value(program, position, player, number) if number else 0


def _best_score(program: Program, position: Position, players: list[int], reason: str) -> Outcome:
    """The best score wins; where all are equal nobody does. Alone, reaching the end is the win."""
    scores = {p: score(program, position, p) for p in players}
    best = min(scores.values(), default=0) if program.game.lowest_wins else max(scores.values(), default=0)
    winners = tuple(p for p in players if scores[p] == best)
    if len(winners) == len(players) > 1:
        return Outcome((), (), reason)
    return Outcome(winners, tuple(p for p in players if p not in winners), reason)


def default_stalemate(program: Program, player: int) -> Outcome:
    """Nobody said what a player without moves gets: a draw, or a loss where he plays alone."""
    if len({turn.mover for turn in program.game.turns}) == 1:
        return Outcome((), (player,), "stalemated")
    return Outcome((), (), "stalemated")


def word_of(goal: model.Goal) -> str:
    """The word of the rules for what ends a game."""
    match goal:
        case model.AllOf():
            return word_of(goal.parts[0]) if goal.parts else goal.word
        case model.Absolute():
            return "absolute-config"
        case model.Relative():
            return "relative-config"
        case model.Count():
            return "total-piece-count" if goal.everybody else "pieces-remaining"
        case model.Taken():
            return "captured"
        case model.Compare():
            return goal.left.kind if goal.left.kind != "number" else goal.right.kind
        case model.State():
            return goal.word
