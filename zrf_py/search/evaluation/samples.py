"""Program → situations in which the moves of a lone piece are tried: what decides moves besides the men on the board.

Where dice are rolled, or counters must have some value before anybody can move, the start of the game tells nothing;
so a few games are played at random, and what they left on the dice and in the counters is kept.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from random import Random

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.faults import RulesFault
from zrf_py.run.position import NOBODY, Position, initial
from zrf_py.search.chance import has_chance, is_drawn

GAMES, PLIES = 3, 40
"""Random games, and legs of each, from which situations are taken."""
MOST = 6
"""Situations kept for each side."""
FACES, DICE = 36, 4
"""Outcomes of a turn of chance, and turns of chance in a row, at most: where there are more, they set up the board."""


def lone_board(program: Program) -> Position:
    """The start position without a piece on the board."""
    empty = initial(program)
    size = len(empty.owner)
    return replace(empty, owner=(NOBODY,) * size, piece=(0,) * size, attributes=(0,) * size)


@lru_cache(maxsize=4)
def situations(games: Engine) -> list[list[Position]]:
    """For each player boards without men, different in dice or counters, as they occur when his pieces are to move.

    In a game of chance they follow its turns, else any. The start of the game where there are none; at most `MOST`,
    always the same for the same program.
    """
    program = games.program
    game, empty = program.game, lone_board(program)
    found: list[dict[object, Position]] = [{} for _ in game.players]
    movers = {turn.side for turn in game.turns if game.players[turn.mover].kind == "player"}
    seen = []
    with suppress(RulesFault):  # it will come up again where it matters
        for side, position in _seen(games, Random(1)):
            if len(found[side]) < MOST:
                seen.append((side, position))
                found[side].setdefault(_what_differs(position), position)
            if all(len(found[s]) == MOST for s in movers):
                break
    fixed = _fixed(program, [position for _, position in seen])
    kept = [[_without_men(empty, position, fixed) for position in rows.values()] for rows in found]
    return [list({_what_differs(p): p for p in rows}.values()) or [empty] for rows in kept]


def _seen(rules: Engine, random: Random) -> Iterator[tuple[int, Position]]:
    """Positions of random games in which a player is to begin a turn, with whose pieces move."""
    turns = rules.program.game.turns
    by_chance = has_chance(rules.program)
    for _ in range(GAMES):
        position, rolled = rules.start(), False
        for _ in range(PLIES):
            moves = rules.moves(position)
            if not moves:
                break
            drawn = is_drawn(rules.program, position)
            if position.chain is None and drawn == by_chance and not rolled:
                for after in _rolls(rules, position, random) if drawn else (position,):
                    yield turns[after.turn].side, after
            rolled = drawn
            position = rules.after(position, random.choice(moves))


def _rolls(rules: Engine, position: Position, random: Random) -> Iterator[Position]:
    """What the turns of chance that begin here may lead to: each outcome of the first, one of what follows."""
    moves = rules.moves(position)
    for move in moves if len(moves) <= FACES else ():
        after = rules.after(position, move)
        for _ in range(DICE):
            more = rules.moves(after) if is_drawn(rules.program, after) else ()
            if not more:
                break
            after = rules.after(after, random.choice(more))
        if is_drawn(rules.program, after):
            return
        if after.result is None:
            yield after


def _fixed(program: Program, positions: list[Position]) -> list[int]:
    """Squares on which a piece of chance lay in all of the positions: dice, not men that it has put there."""
    by_chance = {i for i, player in enumerate(program.game.players) if player.kind == "random"}
    squares = range(len(program.game.board.places))
    return [s for s in squares if positions and all(p.owner[s] in by_chance for p in positions)]


def _what_differs(position: Position) -> object:
    return position.owner, position.piece, position.attributes, position.counters


def _without_men(empty: Position, position: Position, fixed: list[int]) -> Position:
    owner, piece, attributes = list(empty.owner), list(empty.piece), list(empty.attributes)
    for square in fixed:
        owner[square], piece[square] = position.owner[square], position.piece[square]
        attributes[square] = position.attributes[square]
    return replace(empty, owner=tuple(owner), piece=tuple(piece), attributes=tuple(attributes),
                   counters=position.counters, turn=position.turn)
