"""Traits of a game that decide which kind of search serves it."""

from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.native.legs import asks_last
from zrf_py.search.evaluation.lines import lines

ALPHA_BETA, TREE, BEAM, SLOW = "alphabeta", "mcts", "beam", "slow"
NATIVE = (ALPHA_BETA, TREE, BEAM)
"""Kinds in machine code: their entry points are called `KIND_begin`, `KIND_go` and `KIND_lines`."""
KINDS = (*NATIVE, SLOW)


@dataclass(frozen=True)
class GameTraits:
    """Traits of a game. `players`: number of ordinary players; `chance`: a random player has turns; `asks_last`: a
    block tests a square of the last move, or goes there; `null_move`: null-move pruning can be used.

    Without chance and score, `kind` is `alphabeta` in games for two players, and in races and row games for more than
    two, where the evaluation shows who is ahead; in all other games it is `mcts`.
    """

    players: int
    chance: bool
    royals: bool
    asks_last: bool
    null_move: bool
    kind: str


def game_traits(program: Program) -> GameTraits:
    """Determine the traits of a game.

    Races and games of rows for three or more players get alpha-beta (the others act as one opponent), if no beam can be
    used. It won 19 to 1 against tree search in a five-in-a-row game for teams, with 2000 positions a move for each, but
    lost 4 to 27 (9 drawn) in a capture game for three with a score.
    """
    game = program.game
    players, chance, royals = len(game.playing), game.has_chance, any(program.aims.royals)
    is_clear = players == 2 or (players > 2 and (bool(lines(program).players) or any(program.aims.races)))
    kind = ALPHA_BETA if is_clear and not chance and game.score is None else TREE
    null_move = royals and not game.priorities and game.options.pass_turn == "never"
    return GameTraits(players, chance, royals, asks_last(program), null_move, kind)
