"""A piece -> the picture of its moves, found by playing: it stands alone on the board, or with one other piece."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile

from zrf_py.author.words.pictures import Pictures
from zrf_py.play.game import Game
from zrf_py.run.interpret import RulesFault


@dataclass(frozen=True, slots=True)
class Picture:
    """Moves from the square `start`, by names of squares: those to go to, those where an enemy is taken, and the ends of
    slides, which a piece on the way would stop. `links` are the steps from square to square by direction, as in code.
    """

    player: str
    start: str
    moves: tuple[str, ...]
    takes: tuple[str, ...]
    slides: tuple[str, ...]
    links: Mapping[str, Mapping[str, str]]
    svg: str


def picture_of(game: Game, piece: str, start: str = "") -> Picture:
    """Draw the moves of a piece, from the square where it has most or from `start`.

    :raises KeyError: if there is no such piece or square.
    """
    rules = game.program.game
    kind, board = rules.symbols.pieces[piece], rules.board
    pictures = Pictures(game)
    sides = [number for number, player in enumerate(rules.players) if player.kind == "player"] or [0]
    at = rules.symbols.positions[start] if start else -1
    best = [(side, place, pictures.quiet(side, kind, place) or (), pictures.takes(side, kind, place)) for side in sides
            if (place := at if start else pictures.best(side, kind)[0]) >= 0]
    side, place, moves, takes = next((row for row in best if row[2] or row[3]),
                                     (sides[0], pictures.middle() if at < 0 else at, (), ()))
    ways = {name: board.links[board.symmetry[side][number]] for number, name in enumerate(board.directions)}
    shown = set(pictures.shown)
    names = [square.name for square in board.places]
    slides = [end for way in ways.values() for squares in (moves, takes)
              if (end := _slide(pictures, side, kind, place, way, squares, squares is takes)) >= 0]
    links = {name: {names[a]: names[b] for a, b in enumerate(way) if a in shown and b in shown}
             for name, way in ways.items()}
    svg = pictures.first.at(pictures.with_man(pictures.empty(), place, side, kind)).svg()
    return Picture(rules.players[side].name, names[place], tuple(names[n] for n in moves), tuple(names[n] for n in takes),
                   tuple(names[n] for n in dict.fromkeys(slides)), links, svg)


def _slide(
    pictures: Pictures, side: int, kind: int, start: int, way: tuple[int, ...], ends: tuple[int, ...], takes: bool,
) -> int:
    """Return the last square of a slide along `way`, which a friend on the first square ends; -1 if there is none."""
    line, square = [], way[start]
    while square >= 0 and square != start and square not in line:
        line.append(square)
        square = way[square]
    open_ends = list(takewhile(ends.__contains__, line))
    if len(open_ends) < 2:
        return -1
    state = pictures.with_man(pictures.empty(), start, side, kind)
    state = pictures.with_man(state, line[0], side, kind)
    try:
        blocked = pictures.captured(state, side, start, open_ends[1:2]) if takes else \
            [move.end for move in pictures.generated(state, side, start)]
    except RulesFault:
        return -1
    return open_ends[-1] if open_ends[1] not in blocked else -1
