"""Program → what kind of search serves the game, decided from its own properties."""

from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.native.legs import asks_last
from zrf_py.run import goals
from zrf_py.search.chance import has_chance
from zrf_py.search.evaluation.lines import lines
from zrf_py.search.evaluation.weights import races_of

ALPHA_BETA, TREE, BEAM, SOLVE, SLOW = "alphabeta", "mcts", "beam", "solve", "slow"
KINDS = (ALPHA_BETA, TREE, BEAM, SLOW)


@dataclass(frozen=True)
class GameTraits:
    """`players` are those who play for themselves or a team; `chance`: a random player has turns; `asks_last`: some
    block asks where the last move went; `null_move`: to do nothing is mostly worse than to move; `races`: somebody wins
    by arriving, `rows`: by a row of squares, so that it can be told who is ahead."""

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
        """`alphabeta` for two with perfect information, and for more who race or fill rows, `solve` for one alone, else
        `mcts`.

        There alpha-beta (all others against oneself) beats the tree by far with three or more: 19 to 1 in five in a row
        for teams, with 2000 positions each. Where a score is counted it loses: 4 to 27 (9 drawn) where three take men.
        """
        if self.players == 1 and not self.chance:
            return SOLVE
        sees = not self.chance and not self.score
        return ALPHA_BETA if sees and (self.players == 2 or self.races or self.rows) else TREE


def game_traits(program: Program) -> GameTraits:
    """Look at a game."""
    game = program.game
    royals = any(goals.royals(program))
    return GameTraits(
        sum(p.kind == "player" for p in game.players),
        has_chance(program),
        bool(game.teams),
        game.score is not None,
        royals,
        asks_last(program),
        royals and not game.priorities and game.options.pass_turn == "never",
        any(True for player in range(len(game.players)) for _ in races_of(program, player)),
        bool(lines(program).players),
    )
