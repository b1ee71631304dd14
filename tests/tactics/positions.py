"""Convert positions in the notations of other programs to positions of our rules files."""

from __future__ import annotations

from dataclasses import replace

from zrf_py.play.game import Game, Position

CHESS = {"K": "King", "Q": "Queen", "R": "Rook", "B": "Bishop", "N": "Knight", "P": "Pawn"}


def emptied(game: Game) -> Position:
    """Return the start position with an empty board."""
    position = game.start()
    for square in position.pieces():
        position = position.edited(f"(x {square})")
    return position


def to_move(position: Position, player: str) -> Position:
    """Return the same position with another player to move."""
    turns = position.game.program.game.turns
    names = [position.game.program.game.players[turn.mover].name for turn in turns]
    return position.at(replace(position.state, turn=names.index(player)))


def from_fen(game: Game, fen: str) -> Position:
    """Return the position of a FEN of chess. King and rooks on their home squares may castle, as in any set-up; there
    is no en passant."""
    board, side = fen.split()[:2]
    position = emptied(game)
    for rank, row in zip("87654321", board.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            owner = "White" if letter.isupper() else "Black"
            position = position.edited(f"({owner} {CHESS[letter.upper()]} {'abcdefgh'[file]}{rank})")
            file += 1
    return to_move(position, "White" if side == "w" else "Black")


def from_discs(game: Game, board: str, side: str) -> Position:
    """Return the position of 64 letters `b`, `w` or `.`, row by row from a1 to h8; row 1 is the top row."""
    position = emptied(game)
    for i, letter in enumerate(board):
        if letter != ".":
            owner = "Black" if letter == "b" else "White"
            position = position.edited(f"({owner} Disc {'abcdefgh'[i % 8]}{i // 8 + 1})")
    return to_move(position, "Black" if side == "b" else "White")


def from_columns(game: Game, columns: str) -> Position:
    """Return the position after moves, given as the digits of their columns, 1 to 7."""
    position = game.start()
    for column in columns:
        file = "abcdefg"[int(column) - 1]
        position = position.play(next(m for m in position.moves() if m.text.split()[-1][0] == file))
    return position
