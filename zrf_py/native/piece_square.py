"""The shape of tables with a number for each piece on each square."""

from __future__ import annotations

from dataclasses import dataclass

from zrf_py.front.model import Game


@dataclass(frozen=True, slots=True)
class Table:
    """The shape of a table that has a number for each [owner + 1][type + 1][square]; nobody owns what is empty."""

    players: int
    types: int
    squares: int

    @classmethod
    def of(cls, game: Game) -> Table:
        return cls(len(game.players), len(game.pieces), len(game.board.places))

    @property
    def size(self) -> int:
        return (self.players + 1) * (self.types + 1) * self.squares

    def at(self, owner: int, kind: int, square: int = 0) -> int:
        """The place of a number; those of the other squares follow that of square 0."""
        return ((owner + 1) * (self.types + 1) + kind + 1) * self.squares + square
