"""Facts about a game for lists: title, players, board. Computed from the checked game, never from the file's text."""

from dataclasses import dataclass

from zrf_py.front.model import OFF
from zrf_py.ir.ops import Program


@dataclass(frozen=True)
class Facts:
    """Facts of a game: `players` such as `2`, `4 in 2 teams`; `board` such as `8 x 8`, `33 points` ("": no squares)."""

    title: str
    players: str
    board: str


def facts_of(program: Program) -> Facts:
    """Compute the facts of a game."""
    return Facts(program.game.title, _players(program), _board(program))


def _players(program: Program) -> str:
    """Describe the number of players with turns, then teams and chance: `4 in 2 teams`."""
    game = program.game
    movers = game.movers
    chance = {mover for mover in movers if game.players[mover].kind == "random"}
    teams = f" in {len(game.teams)} teams" if game.teams else ""
    return f"{len(movers - chance)}{teams}{' and chance' if chance else ''}"


def _board(program: Program) -> str:
    """Describe the board: columns and rows if its squares fill a rectangle, otherwise the number of squares.

    Squares without links, such as those that dice lie on, count only if no square has any.
    """
    board = program.game.board
    linked = {end for row in board.links for start, to in enumerate(row) if to != OFF for end in (start, to)}
    centres = {(left + right, top + bottom) for left, top, right, bottom in (
        place.rectangle for number, place in enumerate(board.places)
        if not place.dummy and (number in linked or not linked))}
    columns, rows = ({centre[i] for centre in centres} for i in (0, 1))
    if min(len(columns), len(rows)) > 1 and len(centres) == len(columns) * len(rows):
        return f"{len(columns)} x {len(rows)}"
    return f"{len(centres)} points" if centres else ""
