"""Sample situations of dice and counters in which to try the moves of a lone piece.

Where dice are rolled, or counters must have some value before a piece can move, the start position is not enough; so a
few random games are played, and their dice and counters are collected.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from random import Random

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.faults import RulesFault
from zrf_py.run.position import Position, initial
from zrf_py.search.chance import is_drawn

GAMES, PLIES = 3, 40
"""Number of random games that are sampled; maximum number of legs of each."""
MOST = 6
"""Maximum number of situations per side."""
FACES, DICE = 36, 4
"""Maximum number of outcomes of a chance turn, and of chance turns in a row. Chance beyond these limits is taken to be
a random set-up of the board, not dice, and is not sampled."""


@lru_cache(maxsize=4)
def situations(games: Engine) -> list[list[Position]]:
    """Return for each player boards, empty but for dice, with dice and counters as they occur at the player's turns.

    In a game of chance, only turns right after chance count. Each player gets at most `MOST` boards, or one empty one.
    """
    program = games.program
    game, empty = program.game, initial(program).emptied()
    samples: list[dict[object, Position]] = [{} for _ in game.players]
    movers = {turn.side for turn in game.turns if game.players[turn.mover].kind == "player"}
    seen = []
    with suppress(RulesFault):  # the samples so far will do; play raises the fault again
        for side, position in _turn_starts(games, Random(1)):
            if len(samples[side]) < MOST:
                seen.append((side, position))
                samples[side].setdefault(_situation_key(position), position)
            if all(len(samples[s]) == MOST for s in movers):
                break
    fixed = _fixed(program, [position for _, position in seen])
    boards = [[_only_fixed(empty, position, fixed) for position in rows.values()] for rows in samples]
    return [list({_situation_key(p): p for p in rows}.values()) or [empty] for rows in boards]


def _turn_starts(rules: Engine, random: Random) -> Iterator[tuple[int, Position]]:
    """Yield (side to move, position) at starts of turns in random games; in games of chance, right after a roll."""
    game = rules.program.game
    for _ in range(GAMES):
        position, rolled = rules.start(), False
        for _ in range(PLIES):
            moves = rules.moves(position)
            if not moves:
                break
            drawn = is_drawn(rules.program, position)
            if position.chain is None and drawn == game.has_chance and not rolled:
                for after in _rolls(rules, position, random) if drawn else (position,):
                    yield game.turns[after.turn].side, after
            rolled = drawn
            position = rules.after(position, random.choice(moves))


def _rolls(rules: Engine, position: Position, random: Random) -> Iterator[Position]:
    """Iterate over positions after the chance turns here: each outcome of the first, a random one of the rest."""
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
    """Return the squares that hold a random player's piece in all positions: dice, but no pieces placed by a roll."""
    by_chance = {i for i, player in enumerate(program.game.players) if player.kind == "random"}
    squares = range(len(program.game.board.places))
    return [s for s in squares if positions and all(p.owner[s] in by_chance for p in positions)]


def _situation_key(position: Position) -> object:
    return position.owner, position.piece, position.attributes, position.counters


def _only_fixed(empty: Position, position: Position, fixed: list[int]) -> Position:
    men = ((at, position.owner[at], position.piece[at], position.attributes[at]) for at in fixed)
    return replace(empty.with_pieces(*men), counters=position.counters, turn=position.turn)
