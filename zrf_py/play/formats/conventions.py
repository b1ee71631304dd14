"""Conventions for recording a game in other formats, from the table `formats.json`; the base class of codecs.

The table is data beside the rules: `rules/formats.json` for the shelf, and a file of the same name beside any other
rules file. Each row has the title of a game and an object for each format in which people record it:

    title, rules      its title; the name of its rules file, for records that are read without a given game
    letters           piece type → letter, where it differs from that in moves (`move_letters`)
    pgn, fen, …       `headers`: values of headers that identify a record of the game; "" stands for a record without
                      the header, and the first value is the one that is written (default: `Variant`, the title)
    kif               `names`: piece type → signs, the usual one first
    pdn               `king`: the type that positions mark with K (default: King); `results`: first player won, second
                      won, draw, unknown (default: those of PGN)
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from zrf_py.catalogue import folded
from zrf_py.data import data_text
from zrf_py.library import contents
from zrf_py.play.coordinates import Grid
from zrf_py.play.edits import Man, turn_of
from zrf_py.play.formats.score import Played, Score
from zrf_py.play.game import Game, Move, Position
from zrf_py.run.position import Position as State
from zrf_py.run.position import initial
from zrf_py.text.diagnostics import Diagnostic, ZrfError

TABLE = "formats.json"
Row = dict[str, Any]


@cache
def shelf_rows() -> tuple[Row, ...]:
    """Return the rows of the shelf's table."""
    return tuple(json.loads(data_text(f"rules/{TABLE}"))["games"])


def rows_for(folder: Path | None) -> Iterator[Row]:
    """Yield the rows of a folder's own table, if it has one, then those of the shelf.

    :raises ZrfError: if the folder's table is not JSON of the form above.
    """
    if folder and (path := folder / TABLE).is_file():
        try:
            yield from (row for row in json.loads(contents(path, "table of formats"))["games"] if row["title"])
        except (ValueError, TypeError, KeyError) as error:
            cause = f"{error} is missing" if isinstance(error, KeyError) else error
            raise ZrfError([Diagnostic("bad-format-table", f"{path} is not a table of formats: {cause}", None,
                                       help='write {"games": [{"title": "…", "pgn": {…}}]}')]) from None
    yield from shelf_rows()


def row_of(game: Game) -> Row:
    """Return the row of a game, by its title; an empty row if there is none."""
    title = folded(game.title)
    return next((row for row in rows_for(game.path.parent if game.path else None) if folded(row["title"]) == title), {})


def fits(row: Row, kind: str, tags: Mapping[str, str]) -> bool:
    """Return True if a record in the format `kind`, with the headers `tags`, may belong to the game of this row."""
    values: dict[str, list[str]] = {"Variant": ["", row["title"]]} | row.get(kind, {}).get("headers", {})
    return kind in row and all(tags.get(key, "").partition(",")[0] in own for key, own in values.items())


class Codec:
    """Base class of codecs; a codec reads and writes records of one game, for two players, in one format."""

    kind = ""
    """Name of the format."""

    def __init__(self, game: Game, row: Row) -> None:
        """:raises ZrfError: if the format doesn't suit the rules."""
        self.game, self.row, self.rules = game, row, game.program.game
        self.own: Row = row.get(self.kind, {})
        headers: dict[str, list[str]] = self.own.get("headers", {"Variant": [game.title]})
        self.headers = {key: values[0] for key, values in headers.items() if values[0]}
        self.grid = Grid(self.rules.board)
        self.players = self.rules.playing
        if len(self.players) != 2 or len(self.players) != len(game.players):
            raise self.unfit("it is not a game for two players")

    def unfit(self, reason: str) -> ZrfError:
        """Return the error for rules that the format doesn't suit."""
        return ZrfError([Diagnostic("no-such-format", f"{self.game.title} can't be written in this format: {reason}",
                                    None, help="`--to zsg` writes any game; `formats.json` can set letters and names")])

    def mover(self, position: Position) -> int:
        """Return 0 if the first player is to move, else 1."""
        return int(self.rules.turns[position.state.turn].side != self.players[0])

    def placed(self, men: Mapping[int, Man], mover: int, stores: Sequence[Sequence[int]] | None = None) -> State:
        """Return the position with the pieces `men` by square, these stores (None: those of the start position), and
        player `mover` (0 or 1) to move."""
        start = initial(self.game.program)
        pieces = ((square, *man, self.rules.pieces[man[1]].attributes) for square, man in men.items())
        stock = tuple(map(tuple, stores)) if stores else start.stores
        turn = max(turn_of(self.rules, self.players[mover]), 0)
        return replace(start.emptied().with_pieces(*pieces), stores=stock, turn=turn)

    def start(self, score: Score) -> State | None:
        """Return the start position of a record; None for that of the rules.

        :raises ZrfError: if it is not a position of the game.
        """
        return None

    def read(self, position: Position, text: str) -> Sequence[Move]:
        """Parse a turn into its legs; () if it is not legal.

        :raises ZrfError: if it is not a move of the game.
        """
        return ()

    def write(self, played: Played) -> str:
        """Write a game with its headers."""
        raise NotImplementedError
