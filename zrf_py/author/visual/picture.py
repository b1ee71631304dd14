"""A piece -> the picture of its moves, found by playing: it stands alone on the board, or with one other piece."""

from itertools import takewhile
from typing import NamedTuple

from zrf_py.author.words.pictures import Pictures
from zrf_py.play.game import Game
from zrf_py.run.interpret import RulesFault


class Picture(NamedTuple):
    """Moves from the square `start`: `moves` to go to, `takes` where an enemy is taken, and the last
    squares of slides, which a piece on the way would stop. `links` are the steps between squares by direction.
    """

    start: str
    moves: list[str]
    takes: list[str]
    slides: list[str]
    links: dict[str, dict[str, str]]
    svg: str


def picture_of(game: Game, piece: str, start: str = "") -> Picture:
    """Draw the moves of a piece, from the square where it has most or from `start`.

    :raises KeyError: if there is no such piece or square.
    """
    rules, pictures = game.program.game, Pictures(game)
    kind, board, shown = rules.symbols.pieces[piece], rules.board, frozenset(pictures.shown)
    side, place = 0, pictures.shown[0]
    moves: tuple[int, ...] = ()
    takes: tuple[int, ...] = ()
    for number in (number for number, player in enumerate(rules.players) if player.kind == "player"):
        at = rules.symbols.positions[start] if start else pictures.best(number, kind)[0]
        if at >= 0 and not (moves or takes):
            side, place = number, at
            moves, takes = pictures.quiet(side, kind, at) or (), pictures.takes(side, kind, at)
    names = [square.name for square in board.places]
    ways = {name: board.links[board.symmetry[side][number]] for number, name in enumerate(board.directions)}
    ends = [_slide(pictures, side, kind, place, way, squares, squares is takes)
            for way in ways.values() for squares in (moves, takes)]
    links = {name: {names[a]: names[b] for a, b in enumerate(way) if a in shown and b in shown}
             for name, way in ways.items()}
    svg = pictures.first.at(pictures.with_man(pictures.empty(), place, side, kind)).svg()
    return Picture(names[place], [names[n] for n in moves], [names[n] for n in takes],
                   [names[n] for n in dict.fromkeys(ends) if n >= 0], links, svg)


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
