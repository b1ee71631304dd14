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
    block tests a square of the last move, or goes there; `null_move`: passing is mostly worse than moving.

    `kind` is `alphabeta` for two players, or for more who race or fill lines, so that the evaluation can show who is
    ahead; with chance or a score, and for all others, `mcts`.
    """

    players: int
    chance: bool
    royals: bool
    asks_last: bool
    null_move: bool
    kind: str


def game_traits(program: Program) -> GameTraits:
    """Determine the traits of a game.

    Races and games of rows for three or more players are searched by alpha-beta (the others act as one opponent), which
    beat the tree 19 to 1 in five in a row for teams, at 2000 positions each. With a score it lost 4 to 27 (9 drawn) in
    a capture game for three.
    """
    game = program.game
    players, chance, royals = len(game.playing), game.has_chance, any(program.aims.royals)
    is_clear = players == 2 or (players > 2 and (bool(lines(program).players) or any(program.aims.races)))
    kind = ALPHA_BETA if is_clear and not chance and game.score is None else TREE
    null_move = royals and not game.priorities and game.options.pass_turn == "never"
    return GameTraits(players, chance, royals, asks_last(program), null_move, kind)
