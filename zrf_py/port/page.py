"""The report as one self-contained HTML page: a card for each rules file, with its board."""

import re
from collections.abc import Iterator
from html import escape

from zrf_py import __version__
from zrf_py.data import data_text
from zrf_py.port.look import FAULT, STUCK, Facts
from zrf_py.port.look import FOREIGN as FOREIGN_RULES
from zrf_py.port.records import FOREIGN, WHOLE
from zrf_py.port.report import WORDS, Report, sentence
from zrf_py.port.text import cut_off, file_problems, foreign_line, random_games
from zrf_py.text.numbers import number

MAX_LISTED = 12
"""Maximum number of titles or missing files that a card names."""
STYLE = data_text("port/page.css")


def as_page(report: Report) -> str:
    """Return the whole page."""
    body = "\n".join([*_head(report), '<div class="cards">', *(_card(report, f) for f in report.files), "</div>",
                      *_records(report)])
    hiding = "".join(f"body:has(#show-{kind}:not(:checked)) .card.is-{kind} {{ display: none; }}\n" for kind in WORDS)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>Rules files, ported</title>\n'
            f"<style>{STYLE}{hiding}</style>\n</head>\n<body>\n{body}\n"
            f"<footer>zrf_py {__version__}, {report.seconds:.0f} s</footer>\n</body>\n</html>\n")


def _head(report: Report) -> Iterator[str]:
    yield f"<h1>{escape(', '.join(report.places))}</h1>"
    yield f"<p>{escape(sentence(report))}.</p>"
    if note := foreign_line(report):
        yield f'<p class="soft">{escape(note)}</p>'
    for name, why in report.refused:
        yield f'<p class="bad">{escape(name)} can\'t be opened: {escape(why)}</p>'
    boxes = [f'<label><input type="checkbox" id="show-{kind}" checked>{escape(word)} {report.kinds[kind]}</label>'
             for kind, word in WORDS.items() if report.kinds[kind]]
    yield f"<nav>{''.join(boxes)}</nav>"


def _card(report: Report, file: Facts) -> str:
    kind, titles = file["status"], file.get("titles", [])
    title = titles[0]["title"] if titles else file["name"].rsplit("/", 1)[-1]
    picture = f'<img src="{escape(file["picture"])}" alt="" loading="lazy">' if file.get("picture") else ""
    lines = [f'<span class="badge {kind}">{escape(WORDS[kind])}</span><h3>{escape(title)}</h3>',
             f'<p class="soft">{_name(file["name"])}</p>']
    lines += [f"<p>{escape(text)}</p>" for text in _facts(report, file)]
    if file.get("errors") or kind in (STUCK, FAULT):
        lines += [f'<p class="bad">{escape(text)}</p>' for text in file_problems({**file, "name": "here"})]
    if len(titles) > 1:
        played = kind != FOREIGN_RULES
        lines.append(_folded(f"{len(titles)} games", [_game(t) if played else t["title"] for t in titles]))
    for word in ("bitmaps", "sounds"):
        if missing := file.get(word, {}).get("missing"):
            lines.append(_folded(f"{len(missing)} of {file[word]['named']} {word} missing", missing))
    return f'<section class="card is-{kind}">{picture}<div>{"".join(lines)}</div></section>'


def _name(text: str) -> str:
    """Return a text as HTML in which names of files can be broken after a slash and before a full stop."""
    return re.sub(r"(?<=/)(?=\w)|(?=\.\w)", "<wbr>", escape(text))


def _facts(report: Report, file: Facts) -> Iterator[str]:
    titles = file.get("titles", [])
    if file.get("part_of"):
        yield f"included by {file['part_of']}"
    if not titles:
        return
    first = titles[0]
    players = ", ".join(f"{p} (by chance)" if p.startswith("?") else p for p in first["players"])
    yield (f"{players or 'no player has a turn'}; {number(first['positions'], 'position')}, "
           f"{number(first['pieces'], 'piece type')}")
    if file.get("program"):
        yield f"names the program {file['program']}"
    if file["status"] == "plays":
        yield f"random games: {random_games(titles)}"
    if saved := report.of_file(file):
        yield f"saved games: {sum(r['status'] == WHOLE for r in saved)} of {len(saved)} replay to the end"


def _game(title: Facts) -> str:
    if title["fault"]:
        return f"{title['title']}: {title['fault']}"
    return f"{title['title']}: {title['end'] or (cut_off([title['plies']]) if title['moves'] else 'no moves')}"


def _folded(heading: str, items: list[str]) -> str:
    more = [f"and {len(items) - MAX_LISTED} more"] if len(items) > MAX_LISTED else []
    rows = "".join(f"<li>{escape(text)}</li>" for text in [*items[:MAX_LISTED], *more])
    return f"<details><summary>{escape(heading)}</summary><ul>{rows}</ul></details>"


def _records(report: Report) -> Iterator[str]:
    """Yield the HTML of the saved games: totals, and a table of those that do not replay to the end."""
    rest = [r for r in report.records if r["status"] != WHOLE]
    if not report.records:
        return
    yield "<h2>Saved games</h2>"
    plies = sum(r["plies"] for r in report.records)
    yield f"<p>{report.replays[WHOLE]} of {len(report.records)} replay to the end, {plies:,} moves.</p>"
    if rest:
        yield "<table><tr><th>File</th><th>Game</th><th>Moves</th><th>Reason</th></tr>"
        for r in rest:
            why = r["why"] if r["status"] != FOREIGN else f"it needs a program: {r['why']}"
            cells = (r["name"], r["title"], f"{r['plies']} of {r['of']}", why)
            yield "<tr>" + "".join(f"<td>{_name(c)}</td>" for c in cells) + "</tr>"
        yield "</table>"
