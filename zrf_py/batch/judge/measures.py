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
    """Return the median length, in turns, of the games that end by the rules, with its quartiles."""
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
    value, interval = about(means)
    forced, forced_interval = share(sum(n["forced"] for n in notes), turns)
    facts = [
        Fact(f"branching-{play}", "choice", f"legal moves per turn, {label}", value, interval, "number",
             f"at most {max((n['most'] for n in notes), default=0)}; for turns of several legs, the first leg", BROWNE),
        Fact(f"forced-{play}", "choice", f"turns without a choice, {label}", forced, forced_interval, "share",
             "only one move was legal", BROWNE),
    ]
    logs = [n["watched"] * log10(n["choices"] / n["watched"]) for n in notes if n["choices"]]
    facts.append(Fact(f"tree-{play}", "choice", f"size of the game tree, {label}", mean(logs) if logs else None, None,
                      "exponent", "mean moves per turn, to the power of the turns", "Allis 1994"))
    return facts


def outcome(play: str, label: str, games: Sequence[Result], cap: str) -> list[Fact]:
    """Return the shares of games that end, and of draws."""
    count = len(games)
    ended, ended_interval = share(sum(not r["cut_off"] for r in games), count)
    drawn, drawn_interval = share(sum(not r["won"] and not r["cut_off"] for r in games), count)
    return [
        Fact(f"completion-{play}", "outcome", f"games that end by the rules, {label}", ended, ended_interval,
             "share", f"the others were cut off after {cap}", BROWNE),
        Fact(f"draws-{play}", "outcome", f"draws, {label}", drawn, drawn_interval, "share", "of all games", BROWNE),
    ]


def bulk(results: Playouts, max_plies: int) -> list[Fact]:
    """Return the same as `outcome` for the random games in bulk."""
    ended, ended_interval = share(results.games - results.cut_off, results.games)
    drawn, drawn_interval = share(results.drawn, results.games)
    return [
        Fact("completion-bulk", "outcome", f"games that end by the rules, {results.games:,} random games", ended,
             ended_interval, "share", f"the others were cut off after {max_plies:,} plies", BROWNE),
        Fact("draws-bulk", "outcome", f"draws, {results.games:,} random games", drawn, drawn_interval, "share",
             "of all games", BROWNE),
    ]


def history(games: Sequence[LeadHistory], sides: int) -> list[Fact]:
    """Return measures of the lead in games with a winner."""
    won = [c for c in games if len(c.won) == 1 and len(c.shares) > 2]

    def measured(key: str, name: str, of: Callable[[LeadHistory], float | None], form: str, text: str) -> Fact:
        values = [float(v) for c in won if (v := of(c)) is not None]
        value, interval = about(values)
        return Fact(key, "course", name, value, interval, form, text, BROWNE)

    clear = [c for c in won if c.half_way() is not None]
    held, held_interval = share(sum(c.half_way() == c.won[0] for c in clear), len(clear))
    return [
        measured("drama", "drama", LeadHistory.drama, "number",
                 "how far the eventual winner was behind, when behind: from 0 (not at all) to 1 (hopelessly)"),
        measured("lead-changes", "lead changes in a game", lambda c: float(c.lead_changes()), "number",
                 "how often another side took the lead"),
        measured("decided", "point of decision", LeadHistory.decided, "share",
                 "share of the game after which the winner's lead exceeded any lead that a loser ever had"),
        Fact("half-way", "course", "the leader at half time wins", held, held_interval, "share",
             f"chance alone would give {1 / max(sides, 1):.0%}", BROWNE),
    ]


def use(games: Sequence[Result], squares: int) -> list[Fact]:
    """Return measures of use over all watched games: board, captures, legs, repetition."""
    notes = [r["notes"] for r in games]
    turns = sum(n["watched"] for n in notes)
    held, held_interval = about([len(n["held"]) / squares for n in notes]) if squares else (None, None)
    again, again_interval = share(sum(n["again"] for n in notes), turns)
    captures, captures_interval = about([n["captures"] for n in notes])
    legs = sum(n["legs"] for n in notes)
    return [
        Fact("coverage", "use", "positions of the board that are used in a game", held, held_interval, "share",
             "occupied at least once", BROWNE),
        Fact("captures", "use", "pieces removed in a game", captures, captures_interval, "number"),
        Fact("legs", "use", "legs of a turn", legs / turns if turns else None, None, "number",
             f"the longest turn had {max((n['longest'] for n in notes), default=0)}"),
        Fact("repetition", "use", "turns back to an earlier position", again, again_interval, "share", "", BROWNE),
    ]
