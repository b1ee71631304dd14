"""Training: rounds of games and fits, each with the best weights so far; a final match decides.

Matches are between two evaluations, at equal processor time or equal numbers of positions. Weights are used only if
they win: the best predictor of held-out positions may lose, because a search evaluates other positions.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from zrf_py.batch.contestants import Contestant, PlayerLimits, check_game
from zrf_py.batch.jobs import Job, Result
from zrf_py.batch.match import Match, Standing, begin, seated_game, standing
from zrf_py.batch.runner import run
from zrf_py.batch.sprt import SECOND, Sprt
from zrf_py.batch.store import Store
from zrf_py.batch.workers import Workers, open_workers
from zrf_py.ir.ops import Program
from zrf_py.library import shelf_name
from zrf_py.play.game import Game
from zrf_py.play.players import Choose
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position
from zrf_py.search import trained
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits
from zrf_py.search.plan import Patterns
from zrf_py.search.traits import ALPHA_BETA
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.extras import missing_extra
from zrf_py.train import games
from zrf_py.train.games import packed_weights, search_with
from zrf_py.train.geometry import Geometry, geometry
from zrf_py.train.symmetries import Symmetry, symmetries_of

OPENING = 6
"""Random turns at the start of a game; both games of a pair share them."""
NOISE = 6
TEST = Sprt(0, 30)
"""Sequential test of the final match, which decides whether the new weights are 30 Elo stronger or equally strong."""


def _player(search: GameSearch, limits: Limits) -> Choose:
    """Return a search as a player."""
    def choose(engine: Engine, position: Position, random: Random, past: Sequence[Position] = ()) -> tuple[Move, ...]:
        return search.turn(position, past, limits, random.getrandbits(31))

    return choose


def one_game(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """Play a game of the match, like `batch.match.one_game`."""
    limits = Limits(nodes=parameters["nodes"], cpu=parameters["cpu_limit"], noise=NOISE)
    players = [Contestant(_player(search_with(engine.program, parameters[name]), limits)) for name in ("new", "old")]
    return seated_game(engine, parameters, number, opponents=players)[0]


def match(
    program: Program, new: bytes, old: bytes, workers: Workers, games: int, *, seed: int, margin: float,
    cpu: float | None = None, nodes: int | None = None, test: Sprt | None = None,
) -> Standing:
    """Play `new` weights against `old` (b"": the built-in evaluation alone), with `cpu` seconds of processor time or
    `nodes` positions a turn: `games` games, or fewer if `test` is decided before. `margin` as in `batch.match.opening`.

    :raises ZrfError: as `runner.run` does.
    """
    played = Match(("new", "old"), PlayerLimits(nodes=nodes, cpu=cpu), seed, OPENING, margin=margin)
    weights = {"new": packed_weights(new), "old": packed_weights(old)}
    job = Job(one_game, program, {**played.parameters, **weights})
    under_way = begin(test, program) if test else None
    results = run(job, games, Store(), workers, enough=under_way.add if under_way else None)
    return standing(program, results, under_way)


def is_better(result: Standing) -> bool:
    """Return whether a match shows that the first player is stronger: by its test if decided, else by its interval."""
    return result.decision == SECOND or (not result.decision and result.rating.elo_low > 0)


RANDOM_GAMES, RANDOM_TURNS = 12, 300
"""Number of random games that show which pieces, squares and symmetries a game has; maximum number of legs of each."""
CHECKED = 30
"""Number of positions of the random games on which symmetries are tried."""
MOST_GAMES = 100_000
QUICK_GAMES, QUICK_NODES = 40, 800
"""The match that decides whether a round's weights are used in the next one: games; positions per turn."""
GATE_GAMES, GATE_CPU = 300, 0.03
"""Maximum number of games of the final match, and seconds of processor time per turn in it."""
EVEN = 0.5
"""Maximum value of an opening, in multiples of the value at which the odds of winning are e (2.718) to 1."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """Limits. The games of all rounds together take `seconds`; or, if `games` is given, each round has that many games
    instead, and equal seeds give equal weights."""

    seconds: float = 600.0
    games: int | None = None
    rounds: int = 3
    seed: int = 1
    workers: int | None = None
    gate_games: int = GATE_GAMES
    gate_cpu: float = GATE_CPU


@dataclass(frozen=True)
class Trained:
    """The best weights as a file's contents (b"": none won a round), and the final match (None: not played)."""

    weights: bytes
    match: Standing | None

    @property
    def is_useful(self) -> bool:
        """True if the weights won the final match."""
        return self.match is not None and is_better(self.match)


def place_of(game: Game) -> Path:
    """Return the default path of a game's weights: beside its rules file, or in the user's folder if it is bundled."""
    is_own = game.path is not None and not shelf_name(game.path)
    return trained.beside(game.path, game.program) if is_own and game.path else trained.user_file(game.program)


def train(program: Program, settings: Settings, say: Say = print) -> Trained:
    """Learn weights for a game, and play them against those in use; `say` receives lines of progress.

    :raises ZrfError: if it isn't a two-player game, has chance or scores, or if native search or a package is missing.
    """
    check_game(program)
    try:
        from zrf_py.train import fit
    except ImportError:
        raise missing_extra("training", "train") from None
    search = GameSearch(program, lambda _: None)
    if search.traits.players != 2 or search.kind != ALPHA_BETA or search.base is None:
        raise ZrfError("weights can be learned only for two-player games without chance or scores", "not-trainable")
    workers = open_workers(settings.workers)
    try:
        return _Training(program, search, settings, say, workers, fit).go(trained.bytes_for(program))
    finally:
        workers.close()


class _Training:
    """A training in progress."""

    def __init__(
        self, program: Program, search: GameSearch, settings: Settings, say: Say, workers: Workers, fit: Any,
    ) -> None:
        self.program, self.settings, self.say, self.workers = program, settings, say, workers
        self.began = time.monotonic()
        self.shape, symmetries = shape_of(program, search)
        self.fitter = fit.Fitter(self.shape, symmetries, program.game.sides[0][0])
        assert search.base is not None
        self.per_move = search.base.weights.terms["per_move"]
        self.rows: list[list[games.Row]] = []
        self.best, self.scale = b"", 0.0
        self.patterns: Patterns | None = None
        self.about: dict[str, Any] = {}
        say(f"{program.game.title}: {self.fitter.count} weights to learn, for {len(self.shape.squares)} patterns of "
            f"squares; symmetries of the board: {len(symmetries)}")

    def go(self, old: bytes) -> Trained:
        for number in range(self.settings.rounds):
            self._round(number)
        if not self.best or self.patterns is None:
            return Trained(b"", None)
        self.say(f"Final match against the present evaluation: {self.settings.gate_cpu:g} s of processor time a turn, "
                 f"at most {self.settings.gate_games} games")
        final = match(
            self.program, self.best, old, self.workers, self.settings.gate_games, seed=self.settings.seed + 1000,
            margin=EVEN * self.scale, cpu=self.settings.gate_cpu, test=TEST)
        self.say(f"Final match: {match_text(final)}")
        about = {**self.about, "match": _facts(final)}
        return Trained(trained.write(self.program, self.patterns, about), final)

    def _round(self, number: int) -> None:
        """Play games, fit weights to all so far, and use them if they win a quick match."""
        settings = self.settings
        end = self.began + settings.seconds * (number + 1) / settings.rounds
        length = f"{settings.games:,} games" if settings.games else f"games for {end - time.monotonic():.0f} s"
        self.say(f"Round {number + 1} of {settings.rounds}: {length}")
        job = Job(games.one_game, self.program, {
            "weights": games.packed_weights(self.best), "seed": settings.seed, "round": number})
        results = run(job, settings.games or MOST_GAMES, Store(), self.workers,
                    enough=None if settings.games else lambda _, __: time.monotonic() > end)
        if faults := [result["fault"] for result in results.values() if "fault" in result]:
            raise ZrfError(f"a game could not be played: {faults[0]}", "not-trainable")
        self.rows += [results[at]["rows"] for at in sorted(results)]
        if not any(self.rows):
            return  # a few short games may have no labelled position
        fitted = self.fitter.fit(self.rows, self.per_move)
        self.say(f"Round {number + 1} of {settings.rounds}: {len(self.rows)} games, {sum(map(len, self.rows))} "
                 f"positions, {time.monotonic() - self.began:.0f} s; log loss of the predicted results "
                 f"{fitted.before:.4f}, with the new weights {fitted.after:.4f}")
        about = {"seed": settings.seed, "rounds": number + 1, "games": len(self.rows),
                 "positions": sum(map(len, self.rows)), "seconds": round(time.monotonic() - self.began)}
        weights = trained.write(self.program, fitted.patterns, about)
        paused = time.monotonic()
        result = match(
            self.program, weights, self.best, self.workers, QUICK_GAMES, seed=settings.seed + 10 * number,
            margin=EVEN * fitted.scale, nodes=QUICK_NODES)
        self.began += time.monotonic() - paused  # matches don't count as time for games
        is_used = result.rating.score > 0.5
        self.say(f"Round {number + 1}: new weights against the previous ones: {match_text(result)}; "
                 f"{'kept' if is_used else 'dropped'}")
        if is_used:
            self.best, self.scale, self.patterns, self.about = weights, fitted.scale, fitted.patterns, about


def match_text(result: Standing) -> str:
    """Return a match as text."""
    if not result.rating.games:
        return "no game was played, as no opening of random turns is even"
    return f"{result.won} won, {result.drawn + result.cut_off} drawn, {result.lost} lost; Elo {result.rating}"


def _facts(result: Standing) -> dict[str, Any]:
    """Return a match as facts for a file of weights; `elo` is the interval, 0 for an infinite bound."""
    rating = result.rating
    return {"won": result.won, "drawn": result.drawn + result.cut_off, "lost": result.lost,
            "elo": [round(e) if abs(e) < 10_000 else 0 for e in (rating.elo_low, rating.elo_high)],
            "cpu": [round(seconds, 4) for seconds in result.cpu]}


def shape_of(program: Program, search: GameSearch) -> tuple[Geometry, list[Symmetry]]:
    """Return a game's patterns and symmetries, found by random games; raise `ZrfError` if it begins without moves."""
    engine, random = search.engine, Random(1)
    positions: list[Position] = []
    for _ in range(RANDOM_GAMES):
        position = engine.start()
        for _ in range(RANDOM_TURNS):
            moves = engine.moves(position)
            if position.result is not None or not moves:
                break
            positions.append(position)
            position = engine.after(position, random.choice(moves))
    if not positions or search.base is None:
        raise ZrfError("this game has no moves at its start", "not-trainable")
    symmetries = symmetries_of(program, engine, random.sample(positions, min(CHECKED, len(positions))))
    return geometry(program, positions, symmetries, search.base.weights.kinds), symmetries
