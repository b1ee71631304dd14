"""Findings of a report, in words: probable faults, and points that an author should check."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zrf_py.batch.elo import wilson
from zrf_py.batch.jobs import Result
from zrf_py.batch.judge.report import Fact, Finding, JudgeReport, Side, Use
from zrf_py.ir.ops import Program
from zrf_py.run.playouts import Playouts
from zrf_py.text.numbers import number

NAMED = 12
"""Maximum number of names listed in one sentence."""
SURE = 0.9
"""Minimum share of wins of one side, of draws or of endless games that is a fault."""
ENOUGH = 60
"""Minimum number of ladder games that can show that skill makes no difference."""
SOME_SKILL = 0.64
"""Score of a player who is 100 Elo stronger; where skill matters, the stronger player scores at least as much."""
SHORT = 6
"""Number of turns per side up to which games are too short for a large board."""
FEW = 20
"""Minimum number of games for most findings."""


@dataclass(frozen=True)
class Evidence:
    """Data that findings need besides the report."""

    program: Program
    bulk: Playouts
    max_plies: int
    max_turns: int
    random: Sequence[Result]
    strong: Sequence[Result]
    faults: Sequence[str]


def findings(report: JudgeReport, evidence: Evidence) -> list[Finding]:
    """Return all findings, worst first."""
    suspicions = [
        *_broken(evidence), *_endless(report, evidence), *_unfair(report, evidence), *_drawn(report), *_shallow(report),
        *_choices(report), *_course(report), *_pieces(report, evidence), *_blocks(report), *_ends(report, evidence),
        *_board(report, evidence.program),
    ]
    order = ("fault", "doubt", "note")
    return sorted(suspicions, key=lambda f: order.index(f.weight))


def percent(value: float) -> str:
    """Format a share as a percentage, such as `93%`; as 0% or 100% only if it is exactly that."""
    if 0 < value < 0.001:
        return "under 0.1%"
    if 0.999 < value < 1:
        return "over 99.9%"
    return f"{value:.1%}" if 0 < value < 0.01 or 0.99 < value < 1 else f"{value:.0%}"


def interval(fact: Fact) -> str:
    if not fact.interval:
        return ""
    return f" (95% confidence: {percent(max(fact.interval[0], 0))} to {percent(min(fact.interval[1], 1))})"


def strongest(report: JudgeReport) -> str:
    """Return the strongest player of the report."""
    return str(report.settings["levels"][-1])


def names(items: Sequence[str], most: int = NAMED) -> str:
    """Join names for a sentence, abridged after `most`."""
    listed = list(items[:most])
    more = len(items) - len(listed)
    return ", ".join(listed) + (f" and {more} more" if more else "")


def _broken(evidence: Evidence) -> Iterator[Finding]:
    if evidence.faults:
        message, count = Counter(evidence.faults).most_common(1)[0]
        yield Finding("fault", "broken", f"the rules fail in {len(evidence.faults)} games or batches of "
                      f"games; most frequent error ({count} times): {message}")


def _endless(report: JudgeReport, evidence: Evidence) -> Iterator[Finding]:
    bulk = evidence.bulk
    if len(evidence.program.game.movers) == 1:
        yield Finding("note", "puzzle", f"a puzzle: random play solves it in {sum(bulk.won):,} of {bulk.games:,} "
                      "games; `zrf solve` finds out whether it can be solved, and in how few turns")
        return
    cut = bulk.cut_off / bulk.games if bulk.games else 0.0
    strong = report.value("completion-strong")
    strong_cut = None if strong is None else 1 - strong
    cap = f"{evidence.max_plies:,} plies"
    if strong_cut is not None and strong_cut >= 0.2:
        yield Finding("fault" if strong_cut >= SURE else "doubt", "endless-strong",
                      f"{percent(strong_cut)} of the games of {strongest(report)} against itself were still going on "
                      f"after {evidence.max_turns} turns"
                      + ("; it may be impossible to end the game" if strong_cut == 1 else ""))
    if cut == 1 and bulk.games >= FEW:
        no_end = strong_cut in (None, 1)
        yield Finding("fault" if strong_cut == 1 else "doubt", "endless-random",
                      f"none of {bulk.games:,} random games ended within {cap}"
                      + ("; the game may have no end at all" if no_end else "; random play does not reach "
                         "an end"))
    elif cut >= 0.25:
        yield Finding("doubt", "endless-random", f"{percent(cut)} of the random games were cut off after {cap}")


def _playing(report: JudgeReport, evidence: Evidence) -> list[Side]:
    """Return the sides that do more than pass (one may just serve as a clock); all sides if there are none."""
    acted, passed = ({player for r in (*evidence.random, *evidence.strong) for player in r["notes"].get(note, ())}
                     for note in ("acted", "passed"))  # results stored by earlier releases have no "passed"
    active = [side for side, players in zip(report.sides, evidence.program.game.sides, strict=True)
              if not acted.isdisjoint(players) or passed.isdisjoint(players)]
    return active or report.sides


def _unfair(report: JudgeReport, evidence: Evidence) -> Iterator[Finding]:
    playing = _playing(report, evidence)
    fair = 1 / max(len(playing), 1)
    if len(playing) < 2:
        return
    even = any(side.strong is not None for side in playing) and all(
        side.strong_interval[0] <= fair <= side.strong_interval[1] for side in playing)
    for play in ("strong", "random"):
        games = "random games" if play == "random" else f"games of {strongest(report)} against itself"
        for side in playing:
            if play not in side.shares:
                continue
            share, (low, high) = side.shares[play]
            bounds = f"(95% confidence: {percent(low)} to {percent(high)}; fair would be {percent(fair)})"
            excused = play == "random" and even
            if low > fair + 0.05:
                grave = share >= max(SURE, fair + 0.3) and not excused
                yield Finding("fault" if grave else "doubt", f"unfair-{play}",
                              f"{side.name} wins {percent(share)} of the decided {games} {bounds}"
                              + (f", but {strongest(report)} wins about as often with each side" if excused else ""))
            elif share == 0 and high < fair and len(playing) > 2:
                yield Finding("doubt" if excused else "fault", f"never-wins-{play}",
                              f"{side.name} never wins {games} {bounds}")


def _drawn(report: JudgeReport) -> Iterator[Finding]:
    if len(report.sides) < 2:
        return
    for key, kind in (("draws-strong", f"games of {strongest(report)} against itself"), ("draws-bulk", "random games")):
        fact = report.fact(key)
        if fact and fact.value is not None and fact.value >= 0.5:
            yield Finding("fault" if fact.value >= SURE else "doubt", key,
                          f"{percent(fact.value)} of the {kind} are drawn" + interval(fact))


def _shallow(report: JudgeReport) -> Iterator[Finding]:
    games = sum(step.games for step in report.ladder)
    score = sum(step.score * step.games for step in report.ladder) / games if games else 0.0
    low, high = wilson(score, games)
    if games >= ENOUGH and low <= 0.5 and high < SOME_SKILL:
        yield Finding("fault", "no-skill", f"skill makes no difference: in {games} games against the next weaker "
                      f"player the stronger one scores {percent(score)} (95% confidence: {percent(low)} to "
                      f"{percent(high)})")
        return
    for step in report.ladder:
        low, high = step.interval
        text = f"scores {percent(step.score)} (95% confidence: {percent(low)} to {percent(high)}) in {step.games} games"
        if step.games < FEW:
            continue
        if high < 0.5:
            yield Finding("doubt", "worse", f"{step.stronger} {text} against {step.weaker}: the stronger player loses, "
                          "so the goals or winners may be swapped")
        elif low <= 0.5 and step.score < 0.6:
            yield Finding("doubt", "shallow",
                          f"{step.stronger} {text} against {step.weaker}: looking ahead may not help")


def _choices(report: JudgeReport) -> Iterator[Finding]:
    forced, wide = report.value("forced-random"), report.value("branching-random")
    if forced is not None and forced >= 0.5:
        yield Finding("doubt", "forced", f"in {percent(forced)} of the turns of random games only one move is legal")
    if wide is not None and wide < 2:
        yield Finding("doubt", "narrow", f"there are only {wide:.1f} moves to choose from on average")
    players = max(len(report.sides), 1)
    few = min(SHORT * players, len(report.squares) / 4) if players > 1 else 0
    for play, label in (("strong", strongest(report)), ("random", "random")):
        turns = report.value(f"length-{play}")
        if turns is not None and turns <= max(2 * players, few):
            yield Finding("doubt", "short", f"too short: half of the games of {label} players are over after "
                          f"{number(round(turns), 'turn')}, on a board of {len(report.squares)} positions")
            return


def _course(report: JudgeReport) -> Iterator[Finding]:
    half, changes = report.fact("half-way"), report.value("lead-changes")
    if half and half.value is not None and half.interval and half.interval[0] > SURE:
        yield Finding("doubt", "foregone", f"the player who leads at half time wins {percent(half.value)} of the "
                      "games: the second half decides nothing")
    if changes is not None and changes < 0.2:
        yield Finding("note", "no-lead-changes", "the lead hardly ever changes")


def _pieces(report: JudgeReport, evidence: Evidence) -> Iterator[Finding]:
    program = evidence.program
    for i, use in enumerate(report.pieces):
        if program.game.pieces[i].dummy:
            continue
        has_blocks = bool(program.moves[i] or program.drops[i])
        if not use.offered:
            yield Finding(_never(report), "absent", f"{use.name} was never on the board in {_watched(report)} games")
        elif not use.count and has_blocks:
            yield Finding(_never(report), "unmoved", f"{use.name} never moved in {_watched(report)} games")


def _watched(report: JudgeReport) -> int:
    return int(report.settings["watched_games"])


def _never(report: JudgeReport) -> str:
    """Return the weight of a finding that something never happened; a few games prove little."""
    return "doubt" if _watched(report) >= FEW else "note"


def _blocks(report: JudgeReport) -> Iterator[Finding]:
    moving = {use.name for use in report.pieces if use.count}
    never = [use for use in report.blocks if not use.count and not use.offered and use.name in moving]
    unused = [use for use in report.blocks if not use.count and use.offered]
    if never:
        yield Finding(_never(report), "impossible", "blocks that never had a legal move: " + names(_named(never), 6))
    if unused:
        yield Finding("note", "unused", "blocks whose legal moves were never chosen: " + names(_named(unused), 6))


def _named(uses: Sequence[Use]) -> list[str]:
    """Describe blocks by piece, text and place, without duplicates."""
    descriptions: dict[str, None] = {}
    for use in uses:
        descriptions.setdefault(" ".join(part for part in (use.name, use.detail, f"({use.place})") if part))
    return list(descriptions)


def _ends(report: JudgeReport, evidence: Evidence) -> Iterator[Finding]:
    unused = [use for use in report.ends if not use.count and len(evidence.program.game.movers) > 1]
    if unused and len(unused) == len(report.ends):
        yield Finding("fault" if _watched(report) >= FEW else "doubt", "no-end-used",
                      f"none of the end conditions ended any of {_watched(report)} games")
    elif unused:
        yield Finding("note", "end-unused", "these conditions never ended a game: "
                      + names([f"{use.detail or use.name} ({use.place})" for use in unused]))
    played = [*evidence.random, *evidence.strong]
    silent = Counter(r["reason"] for r in played if r["reason"] and not r["notes"]["ends"])
    labels = {"random": "random", "strong": strongest(report)}
    for play, games in (("random", evidence.random), ("strong", evidence.strong)):
        share = sum(r["reason"] == "repetition" for r in games) / max(len(games), 1)
        if share >= 0.25:
            yield Finding("doubt", f"repetition-{play}", f"{percent(share)} of the watched games of {labels[play]} "
                          "players end only by repetition of the position")
            silent.pop("repetition", None)
    for reason, count in silent.most_common():
        if count / len(played) >= 0.02:
            yield Finding("doubt" if reason == "stalemated" else "note", f"default-{reason}",
                          f"{percent(count / len(played))} of the games end by `{reason}`, for which the file has no "
                          "condition")


def _board(report: JudgeReport, program: Program) -> Iterator[Finding]:
    game = program.game
    fixed = {game.board.places[square].name for side, _, square in game.setup if side not in game.playing}
    never = [square.name for square in report.squares if not square.reached]
    still = [square.name for square in report.squares
             if square.reached and not square.arrivals and square.name not in fixed]
    if never:
        yield Finding(_never(report), "unreached",
                      f"{len(never)} of {len(report.squares)} positions were never reached: {names(never)}")
    if still:
        yield Finding("note", "unentered",
                      f"no piece ever moved to {len(still)} of the positions where pieces start: {names(still)}")
