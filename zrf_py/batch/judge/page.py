"""Render a report, or two side by side, as one self-contained HTML page: text, tables, plots."""

from collections.abc import Callable, Iterator, Sequence
from html import escape

from zrf_py import __version__
from zrf_py.batch.judge import plots
from zrf_py.batch.judge.findings import percent
from zrf_py.batch.judge.report import JudgeReport, Use
from zrf_py.batch.judge.text import GROUPS, differ, grouped, written
from zrf_py.data import data_text

STYLE = data_text("batch/judge/page.css")

NOTHING = '<p class="soft">nothing to show</p>'
SOURCES = data_text("batch/judge/sources.txt").splitlines()


def as_page(report: JudgeReport, other: JudgeReport | None = None) -> str:
    """Return the page; with `other`, all parts are shown side by side."""
    both = [report] if other is None else [report, other]
    title = " against ".join(r.title for r in both)
    body = "\n".join([
        *_columns(both, _head), "<h2>At a glance</h2>", *_columns(both, _cards), "<h2>Plots</h2>",
        *_plots(both), "<h2>Measures</h2>", *_measures(both), "<h2>Piece types</h2>",
        *_columns(both, _pieces), "<h2>Blocks</h2>", *_columns(both, _blocks), "<h2>End conditions</h2>",
        *_columns(both, _ends), *_foot(both),
    ])
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(title)}: report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n"
            f"</html>\n")


def _columns(reports: Sequence[JudgeReport], part: Callable[[JudgeReport], Iterator[str]]) -> list[str]:
    """Return a part of each report, in columns if there are two."""
    columns = ["\n".join(part(report)) for report in reports]
    return columns if len(columns) == 1 else ['<div class="two">', *(f"<div>{c}</div>" for c in columns), "</div>"]


def _head(report: JudgeReport) -> Iterator[str]:
    settings = report.settings
    yield f"<h1>{escape(report.title)}</h1>"
    yield (f'<p class="soft">{escape(report.file)} · {settings["random_games"]:,} random games, '
           f'{settings["watched_games"]:,} watched move by move · players {escape(", ".join(settings["levels"]))}</p>')
    yield '<ul class="findings">'
    for finding in report.findings:
        badge = f'<span class="badge {finding.weight}">{finding.weight}</span>'
        yield f"<li>{badge}<span>{escape(finding.text)}</span></li>"
    if not report.findings:
        yield "<li>Nothing unusual.</li>"
    yield "</ul>"


def _cards(report: JudgeReport) -> Iterator[str]:
    strong = report.fact("length-strong") is not None
    who = "strong" if strong else "random"
    play = f"{report.settings['levels'][-1]} players" if strong else "random play"
    cards = []
    if len(report.sides) > 1 and (shares := report.sides[0].shares):
        share, _ = shares.get("strong") or shares["random"]
        cards.append((percent(share), f"of decided games won by {report.sides[0].name}, {play}"))
    for key, text in ((f"completion-{who}", f"of games end, {play}"), (f"draws-{who}", f"of games are drawn, {play}"),
                      (f"length-{who}", f"turns, {play}"), (f"branching-{who}", "moves to choose from"),
                      ("lead-changes", "lead changes in a game"), ("decided", "of a game until it is decided")):
        fact = report.fact(key)
        if fact and fact.value is not None:
            cards.append((written(fact, brief=True), text))
    if report.ladder:
        step = report.ladder[-1]
        cards.append((percent(step.score), f"scored by {step.stronger} against {step.weaker}"))
    yield '<div class="cards">'
    for value, text in cards:
        yield f'<div class="card"><b>{escape(value)}</b><span>{escape(text)}</span></div>'
    yield "</div>"


def _plots(reports: Sequence[JudgeReport]) -> Iterator[str]:
    """Render the plots, with equal scales for two reports."""
    longest = max((turn for r in reports for turns in r.lengths.values() for turn in turns), default=0)
    widest = max((count for r in reports for counts in r.choices.values() for count in counts), default=0)
    drawn: tuple[tuple[str, Callable[[JudgeReport], str], str], ...] = (
        ("Who wins", plots.winners, "Share of decided games, with 95% confidence interval; dashed: the fair share."),
        ("Does skill matter?", plots.ladder, "Score of the stronger player of each pair; dashed: equal strength."),
        ("How long games last", lambda r: plots.lengths(r, longest), "Games that ended by the rules."),
        ("How many moves there are", lambda r: plots.choices(r, widest), "Legal moves per turn, mean of all games."),
        ("Who leads", plots.courses, "Each line is one game; the lead is estimated by "),
        ("Where pieces go", plots.board, "Darker: entered more often; ×: never held a piece."),
    )
    yield '<div class="plots">' if len(reports) == 1 else ""
    for title, draw, text in drawn:
        images = [draw(report) for report in reports]
        figures = [
            f"<figure><h3>{title}</h3>{plot or NOTHING}<figcaption>"
            f"{escape(text + _seen_by(report) * text.endswith(' '))}</figcaption></figure>"
            for plot, report in zip(images, reports, strict=True)]
        if any(images):
            yield "\n".join(figures) if len(images) == 1 else f'<div class="two">{"".join(figures)}</div>'
    yield "</div>" if len(reports) == 1 else ""


def _seen_by(report: JudgeReport) -> str:
    labels = {"playouts": "random games from there", "search": "a short search", "worth": "pieces and their squares"}
    return f"{labels[report.settings['lead_seen_by']]}."


def _measures(reports: Sequence[JudgeReport]) -> Iterator[str]:
    yield '<div class="scroll"><table>'
    titles = "".join(f"<th>{escape(r.title if len(reports) > 1 else 'value')}</th>" for r in reports)
    yield f"<tr><th></th>{titles}<th></th><th>after</th></tr>"
    for group, title in GROUPS.items():
        keys = dict.fromkeys(f.key for r in reports for f in r.facts if f.group == group)
        if keys:
            yield f'<tr class="group"><td colspan="{3 + len(reports)}">{title}</td></tr>'
        for key in keys:
            facts = [r.fact(key) for r in reports]
            fact = next(f for f in facts if f)
            unlike = len(facts) > 1 and differ(facts[0], facts[1])
            values = "".join(f'<td class="value">{escape(written(f))}</td>' for f in facts)
            mark, style = (" ≠", " class=differs") if unlike else ("", "")
            yield (f"<tr{style}><td>{escape(fact.name)}{mark}</td>{values}"
                   f'<td class="soft">{escape(fact.text)}</td><td class="soft source">{escape(fact.source)}</td></tr>')
    yield "</table></div>"
    yield '<p class="soft">In parentheses: 95% confidence interval; for numbers of turns, the middle half of the games.'
    yield " ≠ marks significant differences.</p>" if len(reports) > 1 else "</p>"


def _table(titles: Sequence[str], rows: Sequence[tuple[bool, Sequence[str]]]) -> Iterator[str]:
    """Render a table; each row is (True if used, cells as HTML)."""
    yield '<div class="scroll"><table><tr>' + "".join(f"<th>{title}</th>" for title in titles) + "</tr>"
    for is_used, cells in rows:
        yield f'<tr{"" if is_used else " class=unused"}>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    yield "</table></div>"


def _pieces(report: JudgeReport) -> Iterator[str]:
    yield from _table(("type", "moves", "in games", ""), [
        (use.offered, (escape(use.name), f"{use.count:,}", percent(use.games), escape(use.detail)))
        for use in report.pieces])


def _blocks(report: JudgeReport) -> Iterator[str]:
    yield from _table(("type", "block", "moves", "in games", "where"), [
        (use.offered, (escape(use.name), f"<code>{escape(use.detail)}</code>" + (f" × {count}" if count > 1 else ""),
                       f"{use.count:,}" + ("" if use.offered else " (never possible)"), percent(use.games),
                       escape(use.place)))
        for use, count in grouped(report.blocks)])


def _ends(report: JudgeReport) -> Iterator[str]:
    def row(use: Use) -> tuple[bool, tuple[str, ...]]:
        return use.count > 0, (f"<code>{escape(use.detail or use.name)}</code>", f"{use.count:,}", percent(use.games),
                               escape(use.place))

    yield from _table(("condition", "ended", "of games", "where"), [row(use) for use in report.ends])


def _foot(reports: Sequence[JudgeReport]) -> Iterator[str]:
    settings = reports[0].settings
    yield (f"<footer><p>zrf_py {escape(__version__)}, seed {settings['seed']}. The measures are based on:</p><ul>"
           + "".join(f"<li>{escape(source)}</li>" for source in SOURCES) + "</ul></footer>")
