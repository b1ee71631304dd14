"""USI lines: a game of the shogi family on one line, with its start position in SFEN; and USI's names of squares.

    position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e
    sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f
"""

from collections.abc import Sequence
from functools import cached_property

from zrf_py.play.coordinates import Coordinates, Grid
from zrf_py.play.formats.forsyth import Sfen
from zrf_py.play.formats.score import Played, Score, ScoreMove
from zrf_py.play.game import Move, Position


def squares_of(grid: Grid) -> dict[int, str]:
    """Return the squares' names: the number of the file from the right, then the letter of the rank from the top."""
    return {i: f"{grid.files - x}{chr(97 + grid.ranks - 1 - y)}" for i, (x, y) in grid.cells.items()}


class Usi(Sfen):
    """Codec of USI lines."""

    kind = "usi"

    @cached_property
    def coordinates(self) -> Coordinates:
        return Coordinates(self.game.program, squares=squares_of(self.grid))

    def read(self, position: Position, text: str) -> Sequence[Move]:
        raw = self.coordinates.read(self.game.engine, position.state, text)
        return [move for move in position.moves() if move.raw == raw][:1] if raw else ()

    def write(self, played: Played) -> str:
        start = f"sfen {self.write_sfen(played.start, self.number(played.tags))}" if played.is_set_up else "startpos"
        moves = [self.coordinates.texts(turn.before.state, leg.raw)[0] for turn in played.turns for leg in turn.legs]
        return f"position {start}{' moves ' if moves else ''}{' '.join(moves)}\n"


def read(text: str, name: str) -> list[Score]:
    """Parse a text with one game per line; empty lines and comments that begin with `#` are skipped."""
    scores = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            at = words.index("moves") if "moves" in words else len(words)
            start = " ".join(word for word in words[:at] if word not in ("position", "sfen", "startpos"))
            moves = [ScoreMove(word, number) for word in words[at + 1 :]]
            scores.append(Score({"SFEN": start} if start else {}, moves, number))
    return scores
