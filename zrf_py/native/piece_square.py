"""Shape of piece-square tables."""

from __future__ import annotations

from dataclasses import dataclass

from zrf_py.front.model import Game


@dataclass(frozen=True, slots=True)
class TableShape:
    """Shape of a table with a number for each [owner + 1][type + 1][square]; owner -1 stands for empty squares."""

    players: int
    types: int
    squares: int

    @classmethod
    def of(cls, game: Game) -> TableShape:
        return cls(len(game.players), len(game.pieces), len(game.board.places))

    @property
    def size(self) -> int:
        return (self.players + 1) * (self.types + 1) * self.squares

    def at(self, owner: int, kind: int, square: int = 0) -> int:
        """Return the index of an entry; the squares of one owner and type are consecutive."""
        return ((owner + 1) * (self.types + 1) + kind + 1) * self.squares + square
