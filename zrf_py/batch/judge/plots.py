"""Draw the plots of a report as SVG, without external resources; all text is escaped."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import ceil, log10
from statistics import quantiles

from zrf_py.batch.judge.findings import percent
from zrf_py.batch.judge.report import Interval, JudgeReport, Square
from zrf_py.text.suggest import clipped

WIDTH = 440
LEFT, RIGHT, TOP, BOTTOM = 46, 22, 14, 40
QUARTERS = (0, 0.25, 0.5, 0.75, 1)
"""Ticks of an axis from 0 to 1."""
NAME = 23
"""Maximum number of characters of a name."""
COLORS = ("#2a6fbb", "#d1681d", "#3c8d4f", "#8a4fbe", "#b8336a", "#6b6b6b")
"""Colours of players and sides, whose marks also differ in shape or place."""


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    inside = "\n".join(parts)
    return (f'<svg viewBox="0 0 {WIDTH:g} {height:g}" role="img" aria-label="{escape(label, quote=True)}">'
            f"\n{inside}\n</svg>")


def _text(x: float, y: float, text: str, anchor: str = "middle", style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style and f" class={chr(34)}{style}{chr(34)}"}>' \
           f"{escape(text)}</text>"


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"/>'


def _ticks(most: float) -> list[float]:
    """Return four to six round ticks from 0 to at least `most`; 0 and 1 if `most` is not positive."""
    if most <= 0:
        return [0.0, 1.0]
    size = 10 ** int(log10(most) // 1)
    step = next(s * size / 10 for s in (1, 2, 2.5, 5, 10, 20, 25, 50) if most / (s * size / 10) <= 5)
    return [step * i for i in range(ceil(most / step - 1e-9) + 1)]


def _course(height: float, up: Sequence[tuple[float, str]], y_name: str,
            ) -> tuple[list[str], Callable[[float], float], Callable[[float], float]]:
    """Draw grid, ticks and axis names of a plot whose x axis is the part of the game, 0 to 1. `up`: the ticks of the
    y axis (value, text; ascending). Also return the functions that map x and y values to pixels."""
    y0, y1 = up[0][0], up[-1][0]

    def x(value: float) -> float:
        return LEFT + value * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return height - BOTTOM - (value - y0) / ((y1 - y0) or 1) * (height - TOP - BOTTOM)

    parts = []
    for value, text in up:
        parts += [_line(LEFT, y(value), WIDTH - RIGHT, y(value), "grid"), _text(LEFT - 6, y(value) + 4, text, "end")]
    for value in QUARTERS:
        parts += [_line(x(value), height - BOTTOM, x(value), height - BOTTOM + 4, "axis"),
                  _text(x(value), height - BOTTOM + 16, percent(value))]
    parts += [_line(LEFT, height - BOTTOM, WIDTH - RIGHT, height - BOTTOM, "axis"),
              _text((LEFT + WIDTH - RIGHT) / 2, height - 6, "part of the game", style="name")]
    if y_name:
        parts.append(_text(LEFT + 6, TOP, y_name, "start", "name"))
    return parts, x, y


def _key(names: Sequence[str], y: float) -> Iterator[str]:
    """Draw the legend, at the top right."""
    x = WIDTH - RIGHT
    for number in reversed(range(len(names))):
        yield _text(x, y, clipped(names[number], NAME), "end")
        x -= 7 * min(len(names[number]), 24) + 8
        yield f'<rect x="{x - 8:.1f}" y="{y - 9:.1f}" width="10" height="10" fill="{COLORS[number % len(COLORS)]}"/>'
        x -= 20


def whiskers(rows: Sequence[tuple[str, float, Interval, int]], fair: float, label: str) -> str:
    """Draw rows of (name, share, interval, colour), one below the other; a line marks `fair`, pure chance."""
    left, row = 168, 26
    height = len(rows) * row + 34

    def x(value: float) -> float:
        return left + value * (WIDTH - left - 52)

    parts = [_line(x(v), 6, x(v), height - 26, "grid") for v in QUARTERS]
    parts += [_text(x(v), height - 10, percent(v)) for v in QUARTERS]
    parts.append(_line(x(fair), 2, x(fair), height - 26, "fair"))
    for number, (name, share, (low, high), color) in enumerate(rows):
        y = 18 + number * row
        fill = COLORS[color % len(COLORS)]
        parts += [
            _text(left - 10, y + 4, clipped(name, NAME), "end"),
            f'<line x1="{x(low):.1f}" y1="{y}" x2="{x(high):.1f}" y2="{y}" stroke="{fill}" stroke-width="3" '
            f'opacity="0.45"/>',
            f'<circle cx="{x(share):.1f}" cy="{y}" r="5" fill="{fill}"/>',
            _text(WIDTH - 4, y + 4, percent(share), "end"),
        ]
    return _svg(height, label, parts)


def winners(report: JudgeReport) -> str:
    """Draw each side's share of decided games."""
    names = {"random": "random", "strong": report.settings["levels"][-1]}
    rows = [(f"{clipped(side.name, 13)}, {names[play]}", share, interval, number)
            for number, side in enumerate(report.sides) for play, (share, interval) in side.shares.items()]
    return whiskers(rows, 1 / max(len(report.sides), 1), "who wins decided games") if rows else ""


def ladder(report: JudgeReport) -> str:
    """Draw each player's score against the next weaker one."""
    rows = [(f"{step.stronger} – {step.weaker}", step.score, step.interval, n) for n, step in enumerate(report.ladder)]
    return whiskers(rows, 0.5, "points of the stronger player") if rows else ""


def lengths(report: JudgeReport, most: float = 0) -> str:
    """Draw the length of games: a histogram for each player, one above the other."""
    by_player = {name: turns for name, turns in report.lengths.items() if turns}
    if not by_player:
        return ""
    ticks = _ticks(max(most, *(max(turns) for turns in by_player.values())))
    bins, each = 24, 110
    parts: list[str] = []
    for number, (name, turns) in enumerate(by_player.items()):
        counts = [0] * bins
        for turn in turns:
            counts[min(int(turn / ticks[-1] * bins), bins - 1)] += 1
        base = (number + 1) * each - 12
        width = (WIDTH - LEFT - RIGHT) / bins
        parts.append(_line(LEFT, base, WIDTH - RIGHT, base, "axis"))
        for i, count in enumerate(counts):
            high = count / max(counts) * (each - 34)
            parts.append(f'<rect x="{LEFT + i * width + 1:.1f}" y="{base - high:.1f}" width="{width - 2:.1f}" '
                         f'height="{high:.1f}" fill="{COLORS[number]}"><title>{count} games</title></rect>')
        parts.append(_text(WIDTH - RIGHT, base - each + 26, f"{clipped(name, NAME)}: {len(turns)} games", "end"))
    end = len(by_player) * each
    for tick in ticks:
        x = LEFT + tick / ticks[-1] * (WIDTH - LEFT - RIGHT)
        parts.append(_text(x, end + 4, f"{tick:g}"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, end + 22, "turns", style="name"))
    return _svg(end + 28, "how long games last", parts)


def choices(report: JudgeReport, most: float = 0) -> str:
    """Draw the number of choices over the course of a game."""
    by_player = {name: values for name, values in report.choices.items() if values}
    if not by_player:
        return ""
    height = 220
    ticks = _ticks(max(most, *(max(values) for values in by_player.values())))
    parts, x, y = _course(height, [(t, f"{t:g}") for t in ticks], "moves")
    for number, values in enumerate(by_player.values()):
        points = [(x((i + 0.5) / len(values)), y(value)) for i, value in enumerate(values)]
        parts.append(_path(points, COLORS[number], 2.5))
    parts += _key(list(by_player), TOP)
    return _svg(height, "legal moves per turn in the course of a game", parts)


def courses(report: JudgeReport) -> str:
    """Draw the lead over time, one line per game."""
    if not report.courses:
        return ""
    height = 240
    first = report.sides[0].name
    other = report.sides[1].name if len(report.sides) == 2 else "another"
    parts, x, y = _course(height, [(-1, ""), (0, "even"), (1, "")], "")
    for game in report.courses:
        parts.append(_path([(x(at), y(lead)) for at, lead in game], COLORS[0], 1.2, 0.5))
    parts += [_line(x(0), y(0), x(1), y(0), "fair"), _text(LEFT + 6, TOP + 8, f"{clipped(first, NAME)} leads", "start"),
              _text(LEFT + 6, height - BOTTOM - 6, f"{clipped(other, NAME)} leads", "start")]
    return _svg(height, "the lead in the course of a game", parts)


def _path(points: Sequence[tuple[float, float]], color: str, width: float, opacity: float = 1) -> str:
    steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (f'<polyline points="{steps}" fill="none" stroke="{color}" stroke-width="{width:g}" '
            f'stroke-linejoin="round" opacity="{opacity:g}"/>')


def board(report: JudgeReport) -> str:
    """Draw a heat map of arrivals by square, with a cross on each square where no piece ever stood."""
    squares = report.squares
    if not squares:
        return ""
    left, top = min(s.x - s.size / 2 for s in squares), min(s.y - s.size / 2 for s in squares)
    across = max(s.x + s.size / 2 for s in squares) - left
    down = max(s.y + s.size / 2 for s in squares) - top
    scale = min((WIDTH - 20) / max(across, 1), 400 / max(down, 1))
    shift = (WIDTH - across * scale) / 2
    most = _most(squares)
    parts = [_square(s, shift + (s.x - left) * scale, 10 + (s.y - top) * scale, s.size * scale, most) for s in squares]
    return _svg(down * scale + 20, "where pieces arrive", parts)


def _most(squares: Sequence[Square]) -> float:
    """Return the arrivals shown in full colour: a high quantile, so that one busy position does not fade the others."""
    values = sorted(s.arrivals for s in squares if s.arrivals)
    return (quantiles(values, n=20)[-1] if len(values) > 1 else values[0] if values else 0) or 1.0


def _square(square: Square, x: float, y: float, size: float, most: float) -> str:
    title = f"<title>{escape(square.name)}: {square.arrivals:.2f} arrivals a game</title>"
    half = max(size * 0.47, 1.0)
    if not square.reached:
        cross = "".join(f'<line x1="{x - half * a:.1f}" y1="{y - half / 2:.1f}" x2="{x + half * a:.1f}" '
                        f'y2="{y + half / 2:.1f}" class="never"/>' for a in (0.5, -0.5))
        return f"<g>{title}{cross}</g>"
    strength = min(square.arrivals / most, 1.0)
    return (f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}" rx="2" '
            f'class="cell" fill="{COLORS[0]}" fill-opacity="{0.05 + 0.95 * strength:.2f}">{title}</rect>')
