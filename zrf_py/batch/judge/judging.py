"""Judge a game: play the games, and compile the report."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from zrf_py.batch.contestants import NO_LIMITS, SHORT_LADDER, PlayerLimits
from zrf_py.batch.elo import wilson
from zrf_py.batch.games import bulk_job, total
from zrf_py.batch.jobs import Job, Result
from zrf_py.batch.judge import measures, uses
from zrf_py.batch.judge.findings import FEW, SOME_SKILL, Evidence, findings
from zrf_py.batch.judge.leads import LeadHistory, lead_histories
from zrf_py.batch.judge.report import Fact, Interval, JudgeReport, Rung, Side
from zrf_py.batch.judge.watching import watched
from zrf_py.batch.match import standing
from zrf_py.ir.ops import Program
from zrf_py.run.playouts import Playouts
from zrf_py.search import game_search, traits

Play = Callable[[Job, int, str], "dict[int, Result]"]
"""Callback that runs a job: (job, number of tasks, title) → results."""

RANDOM = "random"
KEPT_COURSES = 24
ENOUGH = 0.6
"""Minimum share of random games that end by the rules, for the lead to be estimated by random games."""
SHORT = 500
"""Maximum mean length of random games, in plies, for the lead to be estimated by them."""


@dataclass(frozen=True, slots=True)
class GameCounts:
    """Numbers of games: random ones in bulk (`games`) and observed move by move (`watched`), those of the strongest
    player against itself (`strong`), and those of each of the `levels` (at least one) against the next stronger one
    (`pairs`; fewer if the result is clear early)."""

    games: int = 1000
    watched: int = 100
    strong: int = 40
    pairs: int = 40
    levels: tuple[str, ...] = SHORT_LADDER
    limits: PlayerLimits = NO_LIMITS
    seed: int = 1
    max_turns: int = 500
    max_plies: int = 2000
    opening: int = 2


@dataclass(frozen=True)
class _Games:
    """Results of all games."""

    bulk: Playouts
    random: list[Result]
    strong: list[Result]
    ladder: list[tuple[str, str, dict[int, Result]]]
    faults: list[str]
    evaluator: str

    @property
    def watched(self) -> list[Result]:
        return [*self.random, *self.strong, *(r for *_, results in self.ladder for r in results.values())]


def judge(program: Program, file: str, plan: GameCounts, play: Play) -> JudgeReport:
    """Play the games of a plan; return the report, with findings.

    :raises ZrfError: if a level is unknown, or for the reasons of `play`.
    """
    games = _play(program, plan, play)
    histories = (_lead_histories(games.strong or games.random, games.evaluator)
             or _lead_histories(games.random, games.evaluator))
    settings = {**asdict(plan), "levels": list(plan.levels), "random_games": games.bulk.games,
                "watched_games": len(games.watched), "lead_seen_by": games.evaluator}
    courses = [
        [(round(at, 3), round(shares[0] - max(shares[1:]), 3)) for at, shares in zip(c.at, c.shares, strict=True)]
        for c in histories[:KEPT_COURSES] if c.shares and len(c.shares[0]) > 1]
    report = JudgeReport(
        program.game.title, file, settings,
        facts=_facts(program, plan, games, histories), sides=_sides(program, games),
        ladder=_ladder(program, games, plan.pairs), pieces=uses.pieces(program, games.watched),
        blocks=uses.blocks_used(program, games.watched), ends=uses.ends(program, games.watched),
        squares=uses.squares(program, games.watched),
        lengths=_by_player(plan, games, lambda histories: [r["turns"] for r in histories if not r["cut_off"]]),
        choices=_by_player(plan, games, _profile), courses=courses,
    )
    report.findings.extend(findings(report, Evidence(
        program, games.bulk, plan.max_plies, plan.max_turns, games.random, games.strong, tuple(games.faults))))
    return report


def _play(program: Program, plan: GameCounts, play: Play) -> _Games:
    faults: list[str] = []

    def good(results: dict[int, Result]) -> dict[int, Result]:
        faults.extend(r["fault"] for r in results.values() if "fault" in r)
        return {n: r for n, r in results.items() if "fault" not in r}

    job, tasks = bulk_job(program, plan.games, plan.seed, plan.max_plies, size=20)
    bulk = _of_sides(program, total(good(play(job, tasks, "random games")).values()))
    evaluator = _evaluator(program, bulk)

    def have(names: tuple[str, str], count: int, opening: int, early: bool = False) -> dict[int, Result]:
        job = watched(program, names, evaluator, plan.seed, plan.max_turns, opening, plan.limits)
        title = f"{names[0]} against {names[1]}" if names[0] != names[1] else f"{names[0]} games, watched"
        some = min(count, FEW) if early else count
        results = play(job, some, title)
        while some < count and not _is_clear(program, results):
            some = min(2 * some, count)
            results = play(job, some, title)
        return good(results)

    random = list(have((RANDOM, RANDOM), plan.watched, 0).values())
    strongest = plan.levels[-1]
    strong = list(have((strongest, strongest), plan.strong, plan.opening).values()) if strongest != RANDOM else []
    ladder = []
    if len(program.game.sides) > 1:
        ladder = [(weak, high, have((high, weak), plan.pairs, plan.opening, early=True))
                  for weak, high in pairwise(plan.levels)]
    return _Games(bulk, random, strong, ladder, faults, evaluator)


def _is_clear(program: Program, results: dict[int, Result]) -> bool:
    """Return whether the games show that the first player is clearly stronger than the second, or weaker."""
    rating = standing(program, {n: r for n, r in results.items() if "fault" not in r}).rating
    return rating.low > SOME_SKILL or rating.high < 0.5


def _of_sides(program: Program, bulk: Playouts) -> Playouts:
    """Return the totals; wins of players who belong to no side count as draws, as in the watched games."""
    members = {player for side in program.game.sides for player in side}
    others = sum(won for player, won in enumerate(bulk.won) if player not in members)
    return replace(bulk, drawn=min(bulk.drawn + others, bulk.games - bulk.cut_off))


def _evaluator(program: Program, bulk: Playouts) -> str:
    if len(program.game.sides) == 2 and game_search.search_for(program).kind == traits.ALPHA_BETA:
        return "search"
    quick = bulk.games and (bulk.games - bulk.cut_off) / bulk.games >= ENOUGH and bulk.plies / bulk.games <= SHORT
    return "playouts" if quick else "worth"


def _lead_histories(games: Sequence[Result], evaluator: str) -> list[LeadHistory]:
    looks = ((r["notes"]["leads"], r["notes"]["watched"], r["won"]) for r in games)
    return lead_histories(looks, evaluator == "playouts")


def _facts(program: Program, plan: GameCounts, games: _Games, histories: list[LeadHistory]) -> list[Fact]:
    facts = measures.bulk(games.bulk, plan.max_plies)
    for play, label, played in ((RANDOM, "random play", games.random),
                                ("strong", f"{plan.levels[-1]} against itself", games.strong)):
        if played:
            facts += measures.outcome(play, label, played, f"{plan.max_turns} turns")
            facts += measures.length(play, label, played)
            facts += measures.choice(play, label, played)
    if len(program.game.sides) > 1:
        facts += measures.history(histories, len(program.game.sides))
    places = [p for p in program.game.board.places if not p.dummy]
    return facts + measures.use(games.watched, len(places))


def _sides(program: Program, games: _Games) -> list[Side]:
    """Return each side's share of wins in decided games; the random games are those in bulk if any of these was won."""
    groups = program.game.sides

    def wins(results: Sequence[Result]) -> tuple[list[float], int]:
        won = [float(sum(n in r["won"] for r in results)) for n in range(len(groups))]
        return won, sum(bool(r["won"]) for r in results)

    random, decided = wins(games.random)
    bulk = games.bulk
    if any(bulk.won[p] for side in groups for p in side if bulk.won):
        random = [sum(bulk.won[p] for p in side) / len(side) for side in groups]
        decided = bulk.games - bulk.drawn - bulk.cut_off
    strong, strongly = wins(games.strong)
    return [Side(name, *_share(random[n], decided), *_share(strong[n], strongly))
            for n, name in enumerate(program.game.side_names)]


def _share(won: float, decided: int) -> tuple[float | None, Interval]:
    """Return (share, 95% confidence interval) of the decided games that a side won."""
    if not decided:
        return None, (0.0, 1.0)
    return won / decided, wilson(min(1.0, won / decided), decided)


def _ladder(program: Program, games: _Games, pairs: int) -> list[Rung]:
    steps = []
    for weak, high, results in games.ladder:
        rating = standing(program, results).rating
        early = len(results) < pairs and _is_clear(program, results)
        steps.append(Rung(weak, high, rating.games, rating.score, (rating.low, rating.high), str(rating), early))
    return steps


def _by_player(plan: GameCounts, games: _Games, of: Callable[[list[Result]], list[Any]]) -> dict[str, list[Any]]:
    by_player = {RANDOM: of(games.random)}
    if games.strong:
        by_player[plan.levels[-1]] = of(games.strong)
    return {name: values for name, values in by_player.items() if values}


def _profile(games: Iterable[Result]) -> list[float]:
    profiles = [r["notes"]["profile"] for r in games if r["notes"]["profile"]]
    return [round(sum(values) / len(values), 2) for values in zip(*profiles, strict=True)]
