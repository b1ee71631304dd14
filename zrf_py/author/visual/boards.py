"""Edits of a text: a board that was chosen or drawn becomes a `(board …)`, and painted squares become a zone."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.rename import Edit
from zrf_py.author.editor.setup import after, cut, game_form, game_forms
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import BOARDS, STAR, name_of
from zrf_py.author.visual.drawn import NAME, below, cant_write, column
from zrf_py.front.model import Board
from zrf_py.front.nodes import Atom, Form
from zrf_py.play.game import Game
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.grouping import by_key

MAX_SIDE, MAX_POINTS = 26, 400
HALF = 10
"""Half the width of a new point, in pixels."""
MIRRORED = {"n": "s", "s": "n", "ne": "se", "se": "ne", "nw": "sw", "sw": "nw"}


class Made(NamedTuple):
    """The parts of a new board as code, with the names of its squares and directions."""

    parts: str
    squares: frozenset[str]
    directions: frozenset[str]

    def symmetry(self, player: str) -> str:
        """Return the code of the symmetry that turns the directions for a player; "" if it would turn none."""
        turned = " ".join(f"({a} {b})" for a, b in MIRRORED.items() if {a, b} <= self.directions)
        return turned and f"(symmetry {player} {turned})"


def shaped(kind: str, columns: int, rows: int) -> Made:
    """Make a `rectangle`, a `hexagon` with `columns` squares on a side, or a `star` with `columns` rows in each point.

    :raises ZrfError: if it is too small or too large.
    """
    drawn = {"rectangle": BOARDS["squares"], "hexagon": BOARDS["hexagons"], "star": STAR}[kind]
    if kind != "rectangle":
        columns = rows = 2 * columns - 1 if kind == "hexagon" else 4 * columns + 1
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE and columns * rows > 1):
        raise ZrfError([Diagnostic("usage", "a board of this size can't be made", None,
                                   help=f"a board has 2 squares or more, and at most {MAX_SIDE} columns and rows")])
    removed = drawn.removed(columns, rows)
    squares = {name_of(x, y, rows) for x in range(columns) for y in range(rows) if (x, y) not in removed}
    return Made(drawn.grid(columns, rows), frozenset(squares), frozenset(drawn.directions))


def pointed(
    points: Mapping[str, tuple[int, int]], links: Mapping[str, list[tuple[str, str]]], old: Board | None,
) -> Made:
    """Make a board of points whose `links` are listed by direction; points of the `old` board keep their sizes.

    :raises ZrfError: if a name is not allowed, or there are too many points.
    """
    wrong = [name for name in (*points, *links) if not NAME.fullmatch(name)]
    if wrong or not 0 < len(points) <= MAX_POINTS:
        raise ZrfError([Diagnostic("usage", f"`{wrong[0]}` can't be the name of a point or direction" if wrong else
                                   f"a board has 1 to {MAX_POINTS} points", None,
                                   help="use no blanks, parentheses, `\"`, `;` or `$`, and no digit at the beginning"
                                   if wrong else "add or remove points")])
    halves = {place.name: ((r[2] - r[0]) // 2, (r[3] - r[1]) // 2)
              for place in (old.places if old else ()) for r in (place.rectangle,)}
    sizes = [(x, y, *halves.get(name, (HALF, HALF))) for name, (x, y) in points.items()]
    left, top = min(0, *(x - wide for x, _, wide, _ in sizes)), min(0, *(y - high for _, y, _, high in sizes))
    places = [f"({name} {x - wide - left} {y - high - top} {x + wide - left} {y + high - top})"  # shifted to 0 or more
              for name, (x, y, wide, high) in zip(points, sizes, strict=True)]
    lines = [f"(links {direction}{''.join(f' ({a} {b})' for a, b in steps)})" for direction, steps in links.items()]
    return Made("\n".join(["(positions", *places]) + ")\n" + "\n".join(lines), frozenset(points), frozenset(links))


def make_board(analysis: Analysis, game: Game, new: Made) -> list[Edit]:
    """Return the edits that give a game this board; zones keep those of their squares that exist on it.

    :raises ZrfError: if the board is made by a macro or in another file.
    """
    title, rules = game.program.game.title, game.program.game
    form, old = game_form(analysis, title), _board(analysis, title)
    players = [player.name for player in rules.players if player.kind == "player"]
    parts = ["(board", new.parts, *filter(None, [new.symmetry(players[1]) if len(players) == 2 else ""])]
    parts += [_zone(name, owners, [square for square in squares if square in new.squares])
              for name, owners, squares in zones_of(game)]
    text = "\n".join(parts) + ")"
    if old is None:
        heads = {item.head: item for item in form.items if isinstance(item, Form)}
        order = heads.get("turn-order", form.items[-1])
        return [below(order, column(order), "\n" + text)]
    return [Edit(old.origin.span, below(old, column(old), text).text.lstrip())]


def first_game(title: str, new: Made) -> str:
    """Return rules with this board for an empty text: two players, and a piece that has no moves yet."""
    head = f'(title "{title}")\n(players White Black)\n(turn-order White Black)'
    return formatted(f"(game\n{head}\n\n(board\n{new.parts}\n{new.symmetry('Black')})\n\n(piece\n(name Man)))\n")


def zones_of(game: Game) -> list[tuple[str, list[str], list[str]]]:
    """Return the name, players and squares of each zone of a board."""
    rules = game.program.game
    rows = by_key(((name, squares), player.name)
                  for name, zones in zip(rules.board.zone_names, rules.board.zones, strict=True)
                  for player, squares in zip(rules.players, zones, strict=True) if squares or not any(zones))
    return [(name, players, [rules.board.places[n].name for n in squares]) for (name, squares), players in rows.items()]


def _zone(name: str, players: list[str], squares: Iterable[str]) -> str:
    return f"(zone (name {name}) (players {' '.join(players)}) ({' '.join(('positions', *squares))}))"


def _board(analysis: Analysis, title: str) -> Form | None:
    """Return the `(board …)` of a game, or the one that a variant inherits from its game; None if there is none.

    :raises ZrfError: if it is made by a macro or in another file.
    """
    for item in (item for form in game_forms(analysis, title) for item in form.items if isinstance(item, Form)):
        if item.head == "board" and item.origin.span.source is analysis.source:
            return item
    if analysis.known.of("position"):
        raise cant_write("the board of this game comes from a macro or another file")
    return None


def paint(analysis: Analysis, title: str, name: str, players: list[str], squares: list[str]) -> list[Edit]:
    """Return the edits that give a zone these squares, or add it to the board; nothing else changes.

    :raises ZrfError: if there is no board, the name is not allowed, or the zone can't be edited here.
    """
    board = _board(analysis, title)
    if board is None or not NAME.fullmatch(name):
        raise cant_write("there is no board yet" if board is None else f"`{name}` can't be the name of a zone")
    namesakes = [zone for zone in board.items
                 if isinstance(zone, Form) and zone.head == "zone" and _words(zone, "name") == [name]]
    for zone in namesakes:
        if sorted(_words(zone, "players")) == sorted(players):
            return _repaint(analysis, zone, squares)
    if any(set(_words(zone, "players")) & set(players) for zone in namesakes):
        raise cant_write(f"the zone `{name}` belongs to other players too")
    return [below(board.items[-1], column(board) + 2, _zone(name, players, squares))]


def _words(zone: Form, head: str) -> list[str]:
    """Return the names listed in the part `head` of a zone."""
    return [item.text for part in zone.items if isinstance(part, Form) and part.head == head
            for item in part.items[1:] if isinstance(item, Atom)]


def _repaint(analysis: Analysis, zone: Form, squares: list[str]) -> list[Edit]:
    part = next((item for item in zone.items if isinstance(item, Form) and item.head == "positions"), None)
    if part is None:
        return [after(zone.items[-1], f" (positions {' '.join(squares)})")]
    old = part.items[1:]
    if part.origin.span.source is not analysis.source or \
            not all(isinstance(item, Atom) and item.origin.span.source is analysis.source for item in old):
        raise cant_write("the squares of this zone come from a macro or another file")
    present = [item.text for item in old if isinstance(item, Atom)]
    new = "".join(f" {square}" for square in squares if square not in present)
    edits = [cut(item.origin.span) for item in old if isinstance(item, Atom) and item.text not in squares]
    return [*edits, after(part.items[-1], new)] if new else edits


def parts_of(game: Game) -> dict[str, Any]:
    """Return a board for the editor: its picture without pieces, its points, links and zones, and the players."""
    rules, start = game.program.game, game.start()
    places = rules.board.places
    shown = [n for n, place in enumerate(places) if not place.dummy]
    rows = tuple(zip(rules.board.directions, rules.board.links, strict=True))
    return {
        "svg": start.at(start.state.emptied()).svg(), "zones": zones_of(game),
        "players": [player.name for player in rules.players],
        "points": [[places[n].name, (left + right) // 2, (top + bottom) // 2]
                   for n in shown for left, top, right, bottom in (places[n].rectangle,)],
        "links": [[direction, places[a].name, places[b].name] for direction, row in rows for a, b in enumerate(row)
                  if a in shown and b in shown]}
