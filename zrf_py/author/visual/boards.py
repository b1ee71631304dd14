"""A board chosen or drawn by clicks -> the edits that make it the `(board …)` of a game; painted squares -> a zone's."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import atan2, pi
from typing import Any

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.rename import Edit
from zrf_py.author.editor.setup import after, cut, game_form, set_up
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import BOARDS, STAR, DrawnBoard, name_of
from zrf_py.front.model import Board
from zrf_py.front.nodes import Atom, Form
from zrf_py.play.game import Game
from zrf_py.run.position import NOBODY
from zrf_py.text.diagnostics import Diagnostic, ZrfError

MAX_SIDE, MAX_POINTS = 26, 400
HALF = 10
"""Half the width of a new point, in pixels."""
COMPASS = ("e", "se", "s", "sw", "w", "nw", "n", "ne")
"""Directions of the screen, clockwise."""
MIRRORED = {"n": "s", "s": "n", "ne": "se", "se": "ne", "nw": "sw", "sw": "nw"}
_NAME = re.compile(r"[^\s()\";$0-9][^\s()\";$]*")


@dataclass(frozen=True, slots=True)
class Made:
    """The parts of a new board as code, with the names of its squares and directions."""

    parts: str
    squares: frozenset[str]
    directions: frozenset[str]


def shaped(kind: str, columns: int, rows: int) -> Made:
    """Make a `rectangle`, or by its side (`columns`) a `hexagon` or a `star`.

    :raises ZrfError: if it is too small or too large.
    """
    drawn: DrawnBoard = {"rectangle": BOARDS["squares"], "hexagon": BOARDS["hexagons"], "star": STAR}[kind]
    if kind != "rectangle":
        columns = rows = 2 * columns - 1 if kind == "hexagon" else 4 * columns + 1
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE and columns * rows > 1):
        raise ZrfError([Diagnostic("usage", "a board of this size can't be made", None,
                                   help=f"it has at most {MAX_SIDE} columns and rows")])
    removed = drawn.removed(columns, rows)
    squares = {name_of(x, y, rows) for x in range(columns) for y in range(rows) if (x, y) not in removed}
    return Made(drawn.grid(columns, rows), frozenset(squares), frozenset(drawn.directions))


def pointed(points: Mapping[str, tuple[int, int]], pairs: Iterable[tuple[str, str]], old: Board) -> Made:
    """Make a board of points with lines both ways; lines of the `old` board keep their directions, others get those of
    the screen.

    :raises ZrfError: if a point's name is not allowed, or there are too many.
    """
    wrong = next((name for name in points if not _NAME.fullmatch(name)), None)
    if wrong is not None or not 0 < len(points) <= MAX_POINTS:
        raise ZrfError([Diagnostic("usage", f"`{wrong}` can't be the name of a point" if wrong is not None else
                                   f"a board has 1 to {MAX_POINTS} points", None, help="begin names with a letter")])
    names = [place.name for place in old.places]
    steps: dict[tuple[str, str], list[str]] = {}
    for direction, row in zip(old.directions, old.links, strict=True):
        for a, b in enumerate(row):
            if b >= 0:
                steps.setdefault((names[a], names[b]), []).append(direction)
    links: dict[str, list[str]] = {}
    used = {(a, direction) for (a, _), directions in steps.items() for direction in directions}
    for a, b in (pair for one in dict.fromkeys(pairs) for pair in (one, one[::-1])):
        for direction in steps.get((a, b)) or [_direction(points[a], points[b], a, used)]:
            used.add((a, direction))
            links.setdefault(direction, []).append(f"({a} {b})")
    sizes = {place.name: place.rectangle for place in old.places}
    places = [f"({name} {' '.join(map(str, _rectangle(sizes.get(name), *at)))})" for name, at in points.items()]
    lines = [f"(links {direction} {' '.join(them)})" for direction, them in links.items()]
    return Made("\n".join(["(positions", *places]) + ")\n" + "\n".join(lines), frozenset(points), frozenset(links))


def _direction(a: tuple[int, int], b: tuple[int, int], name: str, used: set[tuple[str, str]]) -> str:
    word = COMPASS[round(atan2(b[1] - a[1], b[0] - a[0]) / (pi / 4)) % 8]
    return next(way for n in range(1, MAX_POINTS + 2) if (name, way := word if n == 1 else f"{word}{n}") not in used)


def _rectangle(old: tuple[int, int, int, int] | None, x: int, y: int) -> tuple[int, int, int, int]:
    """Return the rectangle of a point around (x, y): as large as before, if it was there."""
    wide, high = ((old[2] - old[0]) // 2, (old[3] - old[1]) // 2) if old else (HALF, HALF)
    return x - wide, y - high, x + wide, y + high


def make_board(analysis: Analysis, game: Game, made: Made) -> list[Edit]:
    """Return the edits that give a game this board, with the zones and the set-up as far as their squares exist.

    :raises ZrfError: if the board is made by a macro or in another file.
    """
    title, rules = game.program.game.title, game.program.game
    form, old = game_form(analysis, title), _board(analysis, title)
    players = [player.name for player in rules.players if player.kind == "player"]
    parts = [made.parts]
    turned = " ".join(f"({a} {b})" for a, b in MIRRORED.items() if {a, b} <= made.directions)
    if len(players) == 2 and turned:
        parts.append(f"(symmetry {players[1]} {turned})")
    parts += [_zone(name, owners, [square for square in squares if square in made.squares])
              for name, owners, squares in zones_of(game)]
    column = analysis.source.position((old or form.items[-1]).origin.span.start)[1] - 1
    text = formatted("(board\n" + "\n".join(parts) + ")").strip().replace("\n", "\n" + " " * column)
    before = next((item for item in form.items if isinstance(item, Form) and item.head == "turn-order"), form.items[-1])
    edits = [Edit(old.origin.span, text)] if old else [after(before, f"\n\n{' ' * column}{text}")]
    state, names = game.start().state, [place.name for place in rules.board.places]
    men = {names[at]: (rules.players[state.owner[at]].name, rules.pieces[state.piece[at]].name)
           for at in range(len(names)) if state.owner[at] != NOBODY}
    stores = {(rules.players[p].name, rules.pieces[k].name): n for p, row in enumerate(state.stores)
              for k, n in enumerate(row) if n}
    rest = {square: man for square, man in men.items() if square in made.squares}
    return edits if rest == men else edits + set_up(analysis, title, rest, stores)


def zones_of(game: Game) -> list[tuple[str, list[str], list[str]]]:
    """Return the zones of a board: name, the players it is for, squares."""
    rules = game.program.game
    rows: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for name, zones in zip(rules.board.zone_names, rules.board.zones, strict=True):
        for player, squares in zip(rules.players, zones, strict=True):
            if squares or not any(zones):
                rows.setdefault((name, squares), []).append(player.name)
    return [(name, players, [rules.board.places[n].name for n in squares]) for (name, squares), players in rows.items()]


def _zone(name: str, players: list[str], squares: Iterable[str]) -> str:
    return f"(zone (name {name}) (players {' '.join(players)}) (positions{''.join(f' {square}' for square in squares)}))"


def _board(analysis: Analysis, title: str) -> Form | None:
    """Return the `(board …)` of a game in the text, for a variant also that of the game; None if it has none.

    :raises ZrfError: if it is made by a macro or in another file.
    """
    form = game_form(analysis, title)
    games = [form, *(node for node in analysis.stages.forms if isinstance(node, Form) and node.head == "game")]
    for item in (item for game in games for item in game.items if isinstance(item, Form)):
        if item.head == "board" and item.origin.span.source is analysis.source:
            return item
    if analysis.known.of("position"):
        raise _cant_write("the board of this game comes from a macro or another file")
    return None


def _cant_write(problem: str) -> ZrfError:
    return ZrfError([Diagnostic("cant-write", problem, None, help="change the board in the text")])


def paint(analysis: Analysis, title: str, name: str, players: list[str], squares: list[str]) -> list[Edit]:
    """Return the edits that give a zone these squares, or add it to the board; nothing else changes.

    :raises ZrfError: if the zone isn't written in the text as a list of squares, or its name is not allowed.
    """
    board = _board(analysis, title)
    if board is None or not _NAME.fullmatch(name):
        raise _cant_write("there is no board yet" if board is None else f"`{name}` can't be the name of a zone")
    for zone in board.items:
        if isinstance(zone, Form) and zone.head == "zone" and _words(zone, "name") == [name] \
                and sorted(_words(zone, "players")) == sorted(players):
            return _repaint(analysis, zone, squares)
    if any(isinstance(zone, Form) and zone.head == "zone" and _words(zone, "name") == [name]
           and set(_words(zone, "players")) & set(players) for zone in board.items):
        raise _cant_write(f"the zone `{name}` belongs to other players too")
    column = analysis.source.position(board.origin.span.start)[1] + 1
    return [after(board.items[-1], f"\n{' ' * column}{_zone(name, players, squares)}")]


def _words(zone: Form, head: str) -> list[str]:
    """Return the names in a part of a zone."""
    return [item.text for part in zone.items if isinstance(part, Form) and part.head == head
            for item in part.items[1:] if isinstance(item, Atom)]


def _repaint(analysis: Analysis, zone: Form, squares: list[str]) -> list[Edit]:
    part = next((item for item in zone.items if isinstance(item, Form) and item.head == "positions"), None)
    if part is None:
        return [after(zone.items[-1], f" (positions {' '.join(squares)})")]
    old = part.items[1:]
    if part.origin.span.source is not analysis.source or \
            not all(isinstance(item, Atom) and item.origin.span.source is analysis.source for item in old):
        raise _cant_write("the squares of this zone come from a macro")
    present = [item.text for item in old if isinstance(item, Atom)]
    new = "".join(f" {square}" for square in squares if square not in present)
    edits = [cut(item.origin.span) for item in old if isinstance(item, Atom) and item.text not in squares]
    return [*edits, after(part.items[-1], new)] if new else edits


def parts_of(game: Game) -> dict[str, Any]:
    """Return a board to work on: its picture without pieces, its points and lines, its zones, the players."""
    rules, start = game.program.game, game.start()
    places = rules.board.places
    shown = [n for n, place in enumerate(places) if not place.dummy]
    empty = (NOBODY,) * len(places)
    pairs = {(min(a, b), max(a, b)) for row in rules.board.links for a, b in enumerate(row) if b >= 0 and a != b}
    return {
        "svg": start.at(replace(start.state, owner=empty)).svg(), "zones": zones_of(game),
        "players": [player.name for player in rules.players],
        "points": [[places[n].name, (r[0] + r[2]) // 2, (r[1] + r[3]) // 2] for n in shown for r in (places[n].rectangle,)],
        "pairs": [[places[a].name, places[b].name] for a, b in sorted(pairs) if a in shown and b in shown]}
