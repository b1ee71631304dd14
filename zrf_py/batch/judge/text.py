"""Format a report, or two side by side, as text for a terminal."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from zrf_py.batch.judge.findings import percent
from zrf_py.batch.judge.report import Fact, JudgeReport, Use

MARKS = {"fault": "!!", "doubt": "! ", "note": "  "}
GROUPS = {"outcome": "How games end", "length": "How long they last", "choice": "Choices in a turn",
          "course": "The lead", "use": "Use of the rules"}
DIFFERS = "≠"


def written(fact: Fact | None, brief: bool = False) -> str:
    """Format a value with its interval."""
    if fact is None or fact.value is None:
        return "–"
    value = _number(fact.value, fact.form)
    if brief or fact.interval is None:
        return value
    low, high = fact.interval
    if fact.form == "share":
        low, high = max(low, 0.0), min(high, 1.0)
    return f"{value} ({_number(low, fact.form)} to {_number(high, fact.form)})"


def _number(value: float, form: str) -> str:
    if form == "share":
        return percent(value)
    if form == "exponent":
        return f"10^{value:.0f}"
    if form == "turns":
        return f"{value:.0f}"
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def differ(first: Fact | None, second: Fact | None) -> bool:
    """Return whether two values clearly differ: their intervals are disjoint or, for turns and for values without an
    interval, they differ by more than a fifth."""
    if first is None or second is None or first.value is None or second.value is None:
        return False
    if first.interval is None or second.interval is None or first.form == "turns":
        return abs(first.value - second.value) > 0.2 * max(abs(first.value), abs(second.value))
    return first.interval[0] > second.interval[1] or second.interval[0] > first.interval[1]


def as_text(report: JudgeReport, width: int = 100) -> str:
    """Format a report."""
    return _within(width, [*_head(report), "", *_findings(report), "", *_facts(report), *_sides(report),
                           *_ladder(report), *_uses(report)])


def side_by_side(first: JudgeReport, second: JudgeReport, width: int = 100) -> str:
    """Format two reports side by side; `≠` marks values that clearly differ (see `differ`)."""
    lines = [*_head(first), *_head(second), ""]
    for report in (first, second):
        lines += [f"{report.title}:", *_findings(report), ""]
    lines.append(f"{'':53} {first.file[:26]:26} {second.file[:26]}")
    for key in dict.fromkeys(f.key for f in (*first.facts, *second.facts)):
        left, right = first.fact(key), second.fact(key)
        fact = left or right
        assert fact
        mark = DIFFERS if differ(left, right) else " "
        lines.append(f"  {fact.name[:50]:50} {mark} {written(left):26} {written(right)}")
    for report in (first, second):
        lines += ["", f"{report.title}:", *_sides(report), *_ladder(report)]
    return _within(width, lines)


def _within(width: int, lines: Sequence[str]) -> str:
    """Join lines, wrapping the ones that are longer than `width`; continuations are indented."""
    return "\n".join(fill(line, max(width, 40), subsequent_indent=" " * 6, break_long_words=False,
                          break_on_hyphens=False) for line in lines)


def _head(report: JudgeReport) -> Iterator[str]:
    settings = report.settings
    yield (f"{report.title} ({report.file}): {settings['random_games']:,} random games, {settings['watched_games']:,} "
           f"games watched move by move, players {', '.join(settings['levels'])}, seed {settings['seed']}")


def _findings(report: JudgeReport) -> Iterator[str]:
    if not report.findings:
        yield "   nothing unusual"
    for finding in report.findings:
        yield f"{MARKS[finding.weight]} {finding.text}"


def _facts(report: JudgeReport) -> Iterator[str]:
    for group, title in GROUPS.items():
        facts = [f for f in report.facts if f.group == group]
        if facts:
            yield title
            for fact in facts:
                yield f"  {fact.name:52} {written(fact):28} {fact.text}".rstrip()
            yield ""


def _sides(report: JudgeReport) -> Iterator[str]:
    if len(report.sides) < 2:
        return
    yield "Who wins decided games"
    for side in report.sides:
        for play, (share, (low, high)) in side.shares.items():
            yield f"  {side.name[:40]:40} {play:8} {percent(share):>6}  ({percent(low)} to {percent(high)})"
    yield ""


def _ladder(report: JudgeReport) -> Iterator[str]:
    if report.ladder:
        yield "Does a stronger player win?"
        for step in report.ladder:
            yield (f"  {step.stronger} against {step.weaker}: {percent(step.score)} of {step.games} games, "
                   f"Elo {step.elo}" + ("; the result is clear, so no more games were played" if step.early else ""))
        yield ""


def _uses(report: JudgeReport) -> Iterator[str]:
    yield "Piece types"
    for use in report.pieces:
        yield f"  {use.name[:30]:30} moved {use.count:>7,} times, {use.detail}"
    yield ""
    yield "Blocks"
    for use, blocks in grouped(report.blocks):
        yield f"  {use.name[:20]:20} {use.count:>7,} moves  {use.detail}{f' ({blocks} blocks)' if blocks > 1 else ''}"
    yield ""
    yield "End conditions"
    for use in report.ends:
        yield f"  ended {use.count:>6,} games  {use.detail or use.name} ({use.place})"


def grouped(uses: list[Use]) -> list[tuple[Use, int]]:
    """Merge blocks with equal text and piece; return (merged use, number of blocks) for each."""
    rows: dict[tuple[str, str], tuple[Use, int]] = {}
    for use in uses:
        key = use.name, use.detail
        before, blocks = rows.get(key, (None, 0))
        count = use.count + (before.count if before else 0)
        offered = use.offered or bool(before and before.offered)
        games = max(use.games, before.games if before else 0.0)
        rows[key] = Use(use.name, use.place, count, games, offered, use.detail), blocks + 1
    return list(rows.values())
