"""Measures of a game from the results of its games: each with interval, meaning and source."""

from collections.abc import Callable, Sequence
from math import log10, sqrt
from statistics import mean, median, quantiles, stdev

from zrf_py.batch.elo import Z, wilson
from zrf_py.batch.jobs import Result
from zrf_py.batch.judge.leads import LeadHistory
from zrf_py.batch.judge.report import Fact, Interval
from zrf_py.run.playouts import Playouts

BROWNE = "Browne 2008"


def about(values: Sequence[float]) -> tuple[float | None, Interval | None]:
    """Return (mean, 95% confidence interval); both are None without values, the interval also for one value."""
    if not values:
        return None, None
    middle = mean(values)
    if len(values) < 2:
        return middle, None
    half = Z * stdev(values) / sqrt(len(values))
    return middle, (max(middle - half, min(0.0, *values)), middle + half)


def share(count: int, of: int) -> tuple[float | None, Interval | None]:
    """Return (share, 95% confidence interval); both are None for a total of 0."""
    return (count / of, wilson(count / of, of)) if of else (None, None)


def length(play: str, label: str, games: Sequence[Result]) -> list[Fact]:
    """Return the median length, in turns, of the games that end by the rules, and the quartiles."""
    turns = [r["turns"] for r in games if not r["cut_off"]]
    if not turns:
        return [Fact(f"length-{play}", "length", f"turns of a game, {label}", None, None, "turns",
                     "no game ended by the rules", BROWNE)]
    spread = quantiles(turns, n=4, method="inclusive") if len(turns) > 1 else [turns[0]] * 3
    return [Fact(f"length-{play}", "length", f"turns of a game, {label}", median(turns), (spread[0], spread[2]),
                 "turns", f"the median; the interval holds half of the games; the longest had {max(turns)}", BROWNE)]


def choice(play: str, label: str, games: Sequence[Result]) -> list[Fact]:
    """Return measures of choice: branching factor, forced turns, size of the game tree."""
    notes = [r["notes"] for r in games if r["notes"]["watched"]]
    turns = sum(n["watched"] for n in notes)
    means = [n["choices"] / n["watched"] for n in notes]
    logs = [n["watched"] * log10(n["choices"] / n["watched"]) for n in notes if n["choices"]]
    return [
        Fact(f"branching-{play}", "choice", f"legal moves per turn, {label}", *about(means), "number",
             f"at most {max((n['most'] for n in notes), default=0)}; for turns of several legs, the first leg", BROWNE),
        Fact(f"forced-{play}", "choice", f"turns without a choice, {label}",
             *share(sum(n["forced"] for n in notes), turns), "share", "only one move was legal", BROWNE),
        Fact(f"tree-{play}", "choice", f"size of the game tree, {label}", mean(logs) if logs else None, None,
             "exponent", "mean number of moves, to the power of the number of turns", "Allis 1994"),
    ]


def outcome(play: str, label: str, games: Sequence[Result], cap: str) -> list[Fact]:
    """Return the shares of games that end, and of draws."""
    drawn = sum(not r["won"] and not r["cut_off"] for r in games)
    return _ends(play, label, len(games), sum(not r["cut_off"] for r in games), drawn, cap)


def bulk(results: Playouts, max_plies: int) -> list[Fact]:
    """Return the same as `outcome` for the random games in bulk."""
    return _ends("bulk", f"{results.games:,} random games", results.games, results.games - results.cut_off,
                 results.drawn, f"{max_plies:,} plies")


def _ends(play: str, label: str, games: int, ended: int, drawn: int, cap: str) -> list[Fact]:
    return [
        Fact(f"completion-{play}", "outcome", f"games that end by the rules, {label}", *share(ended, games), "share",
             f"the others were cut off after {cap}", BROWNE),
        Fact(f"draws-{play}", "outcome", f"draws, {label}", *share(drawn, games), "share", "of all games", BROWNE),
    ]


def history(games: Sequence[LeadHistory], sides: int) -> list[Fact]:
    """Return measures of the lead in games with a winner."""
    won = [c for c in games if len(c.won) == 1 and len(c.shares) > 2]

    def measured(key: str, name: str, of: Callable[[LeadHistory], float | None], form: str, text: str) -> Fact:
        values = [float(v) for c in won if (v := of(c)) is not None]
        return Fact(key, "course", name, *about(values), form, text, BROWNE)

    clear = [c for c in won if c.half_way() is not None]
    held = share(sum(c.half_way() == c.won[0] for c in clear), len(clear))
    return [
        measured("drama", "drama", LeadHistory.drama, "number",
                 "how far the eventual winner was behind, when behind: from 0 (not at all) to 1 (hopelessly)"),
        measured("lead-changes", "lead changes in a game", lambda c: float(c.lead_changes()), "number",
                 "how often another side took the lead"),
        measured("decided", "point of decision", LeadHistory.decided, "share",
                 "share of the game after which the winner's lead exceeded any lead that a loser ever had"),
        Fact("half-way", "course", "the leader at half time wins", *held, "share",
             f"chance alone would give {1 / max(sides, 1):.0%}", BROWNE),
    ]


def use(games: Sequence[Result], squares: int) -> list[Fact]:
    """Return measures of use over all watched games: board, captures, legs, repetition."""
    notes = [r["notes"] for r in games]
    turns = sum(n["watched"] for n in notes)
    return [
        Fact("coverage", "use", "positions of the board that are used in a game",
             *about([len(n["held"]) / squares for n in notes if squares]), "share", "occupied at least once", BROWNE),
        Fact("captures", "use", "pieces removed in a game", *about([n["captures"] for n in notes]), "number"),
        Fact("legs", "use", "legs of a turn", sum(n["legs"] for n in notes) / turns if turns else None, None, "number",
             f"the longest turn had {max((n['longest'] for n in notes), default=0)}"),
        Fact("repetition", "use", "turns that return to an earlier position",
             *share(sum(n["again"] for n in notes), turns), "share", "", BROWNE),
    ]
