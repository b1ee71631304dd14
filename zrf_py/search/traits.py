"""Traits of a game that decide which kind of search serves it."""

from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.native.legs import asks_last
from zrf_py.run import goals
from zrf_py.search.chance import has_chance
from zrf_py.search.evaluation.lines import lines
from zrf_py.search.evaluation.weights import races_of

ALPHA_BETA, TREE, BEAM, SOLVE, SLOW = "alphabeta", "mcts", "beam", "solve", "slow"
NATIVE = (ALPHA_BETA, TREE, BEAM)
"""Kinds in machine code: their entry points are called `KIND_begin`, `KIND_go` and `KIND_lines`."""
KINDS = (*NATIVE, SLOW)


@dataclass(frozen=True)
class GameTraits:
    """Traits of a game. `players`: number of ordinary players; `chance`: a random player has turns; `asks_last`: a
    block tests where the last move went; `null_move`: passing is mostly worse than moving; `races`, `rows`: a win is
    by arriving, or by a line of squares, so that the evaluation can show who is ahead."""

    players: int
    chance: bool
    teams: bool
    score: bool
    royals: bool
    asks_last: bool
    null_move: bool
    races: bool
    rows: bool

    @property
    def kind(self) -> str:
        """`alphabeta` for two players, or more who race or fill lines, without chance and scores; `solve` for one
        player; else `mcts`.

        For three or more players alpha-beta (all others against oneself) beats the tree: 19 to 1 in five in a row for
        teams, at 2000 positions each. Where a score is counted it loses: 4 to 27 (9 drawn) in a capture game for three.
        """
        if self.players == 1 and not self.chance:
            return SOLVE
        sees = not self.chance and not self.score
        return ALPHA_BETA if sees and (self.players == 2 or self.races or self.rows) else TREE


def game_traits(program: Program) -> GameTraits:
    """Determine the traits of a game."""
    game = program.game
    royals = any(goals.royals(program))
    return GameTraits(
        len(game.playing),
        has_chance(program),
        bool(game.teams),
        game.score is not None,
        royals,
        asks_last(program),
        royals and not game.priorities and game.options.pass_turn == "never",
        any(True for player in range(len(game.players)) for _ in races_of(program, player)),
        bool(lines(program).players),
    )
