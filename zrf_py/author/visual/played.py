"""Picture of a piece's moves, generated with the piece alone on the board, or with one other piece."""

from itertools import takewhile
from typing import NamedTuple

from zrf_py.author.words.pictures import Pictures
from zrf_py.play.game import Game
from zrf_py.run.interpret import RulesFault


class MovePicture(NamedTuple):
    """Moves from the square `start`: `moves` are the squares to go to, `takes` those where an enemy can be taken,
    `slides` the last squares of slides. `links[direction]` maps squares to the next squares."""

    start: str
    moves: list[str]
    takes: list[str]
    slides: list[str]
    links: dict[str, dict[str, str]]
    svg: str


def picture_of(game: Game, piece: str, start: str = "") -> MovePicture:
    """Draw the moves of a piece from `start`, or, if there is no such square, from the square where it has most moves.

    :raises KeyError: if there is no such piece.
    """
    rules, pictures = game.program.game, Pictures(game)
    kind, board, shown = rules.symbols.pieces[piece], rules.board, frozenset(pictures.shown)
    sides = rules.playing
    places = [rules.symbols.positions.get(start, pictures.best(number, kind)[0]) for number in sides]
    rows = [(number, at, pictures.quiet(number, kind, at) or (), pictures.takes(number, kind, at))
            for number, at in zip(sides, places, strict=True) if at >= 0] or [(0, pictures.shown[0], (), ())]
    side, place, moves, takes = next((row for row in rows if row[2] or row[3]), rows[0])
    names = [square.name for square in board.places]
    tables = {name: board.links[board.symmetry[side][number]] for number, name in enumerate(board.directions)}
    ends = [_slide(pictures, side, kind, place, table, squares, squares is takes)
            for table in tables.values() for squares in (moves, takes)]
    links = {name: {names[a]: names[b] for a, b in enumerate(table) if a in shown and b in shown}
             for name, table in tables.items()}
    svg = pictures.first.at(pictures.with_man(pictures.empty(), place, side, kind)).svg()
    return MovePicture(names[place], [names[n] for n in moves], [names[n] for n in takes],
                   [names[n] for n in dict.fromkeys(ends) if n >= 0], links, svg)


def _slide(
    pictures: Pictures, side: int, kind: int, start: int, table: tuple[int, ...], ends: tuple[int, ...], takes: bool,
) -> int:
    """Return the last square of a slide along the links `table`; -1 for a single step or a move that passes friends."""
    line, square = [], table[start]
    while square >= 0 and square != start and square not in line:
        line.append(square)
        square = table[square]
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
