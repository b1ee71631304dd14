"""Names and limits of the computer players of batch games, and the processor time they use."""

import time
from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random

from zrf_py.batch.games import Forfeit, Played
from zrf_py.batch.outside import OutsidePlayer, is_outside, start
from zrf_py.ir.ops import Program
from zrf_py.play.foreign import missing_rules
from zrf_py.play.players import Choose, Legs, Past, Searching, player
from zrf_py.run.engine import Engine
from zrf_py.run.position import Position
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import GLANCE, Limits
from zrf_py.text.diagnostics import ZrfError

LADDER = ("random", "ai:1", "ai:3", "ai:5")
"""Players from weak to strong, each clearly stronger than the one before if skill matters."""
SHORT_LADDER = ("random", "greedy")
"""`LADDER` for games with chance, where search takes long."""


@dataclass(frozen=True, slots=True)
class PlayerLimits:
    """Limits per turn in addition to the player's own: seconds, positions, processor seconds; None: no limit."""

    seconds: float | None = None
    nodes: int | None = None
    cpu: float | None = None


NO_LIMITS = PlayerLimits()
COMPILING = 60.0
"""Maximum number of seconds to wait for a game's own code to be compiled, before a player with a clock begins."""


def check_game(program: Program) -> None:
    """Check that there is something to play.

    :raises ZrfError: if no player has a turn, or no piece has moves because an engine DLL has the rules.
    """
    if (why := missing_rules(program)) or not program.game.sides:
        raise ZrfError(f"there is nothing to play in `{program.game.title}`: {why or 'no player has a turn'}", "usage")


def check_opponent(name: str, program: Program, limits: PlayerLimits) -> None:
    """Check the name of a player of a match; an outside engine is started once, to check that it answers.

    :raises ZrfError: if there is no such player, or an outside engine can't play this game or does not start.
    """
    if not is_outside(name):
        player(name)
        return
    if len(program.game.sides) != 2 or program.game.has_chance or program.has_legs:
        raise ZrfError("external engines can only play games for two sides, without chance or turns of several moves",
                       "usage")
    try:
        start(name, limits.seconds, limits.nodes, limits.cpu).close()
    except Forfeit as why:
        raise ZrfError(f"`{name}` can't play this game: {why}", "usage") from None


def ladder(program: Program) -> tuple[str, ...]:
    """Return the names of the players, from weak to strong, whose matches show whether skill matters in a game."""
    return SHORT_LADDER if program.game.has_chance else LADDER


@dataclass
class Contestant:
    """A computer player in one game; counts its turns and the processor seconds used for them."""

    choose: Choose
    turns: int = 0
    seconds: float = 0.0

    def __call__(self, engine: Engine, position: Position, random: Random, past: Past = ()) -> Legs:
        began = time.thread_time()
        legs = self.choose(engine, position, random, past)
        self.seconds += time.thread_time() - began
        self.turns += 1
        return legs

    def close(self) -> None:
        pass


def contestant(name: str, engine: Engine, limits: PlayerLimits, opening: Played) -> Contestant | OutsidePlayer:
    """Return a player for one game; its search is prepared for the rules here, before its clock runs.

    :raises ZrfError: if there is no such player.
    """
    if is_outside(name):
        positions = [engine.start()]
        for number in opening.moves:
            positions.append(engine.after(positions[-1], engine.moves(positions[-1])[number]))
        return OutsidePlayer(partial(start, name, limits.seconds, limits.nodes, limits.cpu), positions[:-1])
    choose = player(name, limits.seconds, limits.nodes, limits.cpu)
    if isinstance(choose, Searching):
        _prepare(engine, choose.kind, choose.limits.seconds is not None)
    return Contestant(choose)


@lru_cache(maxsize=8)
def _prepare(engine: Engine, kind: str, is_timed: bool) -> None:
    """Search the start position briefly, to fit the search to the game; for timed players, wait for the game's code."""
    search = search_for(engine.program)
    if engine.moves(engine.start()):
        search.analyse(engine.start(), (), Limits(nodes=GLANCE), kind=kind)
    if is_timed and search.base:
        search.base.searcher.machine.finish(COMPILING)
