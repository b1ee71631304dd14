"""PDN: games of the draughts family, with squares as numbers.

    1. 32-28 19-23 2. 28x19 14x23      positions: [FEN "W:W31,32,K45:B1-20"]

The squares that pieces can reach are numbered from 1 in reading order, as the board is drawn. A capture is written as
its first and last squares; if another capture has the same ends, with all squares between them. Results give the score
of the first player in the rules first.
"""

import re
from collections.abc import Iterator, Sequence
from functools import reduce

from zrf_py.front.model import Board, steps_from
from zrf_py.play.edits import Man
from zrf_py.play.formats.conventions import Codec, Row
from zrf_py.play.formats.forsyth import bad_position
from zrf_py.play.formats.movetext import write_score
from zrf_py.play.formats.pgn import RESULTS, headers
from zrf_py.play.formats.score import Played, PlayedTurn, Score
from zrf_py.play.game import Game, Move, Position
from zrf_py.run.position import Position as State
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import clipped

OTHER_RESULTS = ("2-0", "0-2", "1-1", "0-0")
MAX_LEGS = 60
_MOVE = re.compile(r"\d{1,4}([-x:]\d{1,4})+")


def numbered(board: Board, setup: Sequence[tuple[int, int, int]]) -> list[int]:
    """Return the squares linked, directly or not, to those of the set-up, in reading order: index 0 has number 1."""
    reached = steps_from((square for _, _, square in setup), board.linked().__getitem__)
    corners = [place.rectangle for place in board.places]
    return sorted(reached, key=lambda i: (corners[i][1] + corners[i][3], corners[i][0] + corners[i][2]))


class Pdn(Codec):
    """Codec of PDN."""

    kind = "pdn"

    def __init__(self, game: Game, row: Row) -> None:
        """:raises ZrfError: unless there are two players, a single type of piece at the start, and a type of king."""
        super().__init__(game, row)
        self.squares = numbered(self.rules.board, self.rules.setup)
        self.numbers = {square: number for number, square in enumerate(self.squares, 1)}
        types = {kind for _, kind, _ in self.rules.setup}
        king = self.own.get("king", "King")
        kings = [kind for kind, piece in enumerate(self.rules.pieces) if piece.name == king]
        if len(types) != 1 or not kings:
            raise self.unfit("it has no kings, or does not begin with pieces of one type")
        self.man, self.king = types.pop(), kings[0]
        initials = [self.rules.players[i].name[:1].upper() for i in self.players]
        self.colours = initials if set(initials) == {"W", "B"} else ["W", "B"]

    def write_position(self, position: Position) -> str:
        """Write a position, such as `W:W31,K32:B1,2`."""
        state = position.state
        sides = []
        for colour, player in sorted(zip(self.colours, self.players, strict=True), reverse=True):
            men = [f"{'K' * (state.piece[square] == self.king)}{number}" for square, number in self.numbers.items()
                   if state.owner[square] == player]
            sides.append(colour + ",".join(men))
        return ":".join([self.colours[self.mover(position)], *sides])

    def read_position(self, text: str) -> State:
        """Parse a position; numbers may be ranges, as in `W1-20`.

        :raises ZrfError: if it is not a position of the game.
        """
        mover, *sides = [part.strip() for part in text.strip().rstrip(".").upper().split(":")]
        if mover not in self.colours or len(sides) != 2:
            raise bad_position(text, "it doesn't have the form `player:pieces:pieces`", "write, for example, `W:W1:B9`")
        men: dict[int, Man] = {}
        for side in sides:
            if side[:1] not in self.colours:
                raise bad_position(text, f"`{clipped(side)}` does not name a player", "begin with `W` or `B`")
            player = self.players[self.colours.index(side[0])]
            men |= {square: (player, self.king if is_king else self.man) for is_king, square in
                    self._men(text, side[1:])}
        return self.placed(men, self.colours.index(mover))

    def _men(self, text: str, side: str) -> Iterator[tuple[bool, int]]:
        for item in filter(None, side.split(",")):
            match = re.fullmatch(r"(K?)(\d{1,4})(?:-(\d{1,4}))?", item.strip())
            first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
            if not match or not 1 <= first <= last <= len(self.squares):
                raise bad_position(text, f"`{clipped(item)}` is not a square",
                                   f"squares have numbers from 1 to {len(self.squares)}")
            yield from ((bool(match[1]), self.squares[number - 1]) for number in range(first, last + 1))

    def start(self, score: Score) -> State | None:
        return self.read_position(score.tags["FEN"]) if score.tags.get("FEN") else None

    def read(self, position: Position, text: str) -> Sequence[Move]:
        """Like `Codec.read`. If several turns match, those with exactly the squares of the text take precedence; the
        first is returned if they lead to the same position, else `ZrfError` is raised. The text of an unfinished
        capture must contain every square."""
        if not _MOVE.fullmatch(text):
            raise ZrfError(f"`{clipped(text)}` is not a move", "not-a-move", help="write, for example, `32-28`")
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        if wrong := [number for number in numbers if not 1 <= number <= len(self.squares)]:
            raise ZrfError(f"`{clipped(text)}` is not a move: there is no square {wrong[0]}", "not-a-move",
                           help=f"squares have numbers from 1 to {len(self.squares)}")
        first, *between, last = [self.squares[number - 1] for number in numbers]
        lines = [legs for legs in self._turns(position, first)
                 if legs[-1].raw.key[1] == last and _is_within(between, [leg.raw.key[1] for leg in legs[:-1]])]
        exact = [legs for legs in lines if len(legs) == len(between) + 1]
        squares = [*between, last]
        partial = () if lines else (legs for legs in self._turns(position, first, is_partial=True)
                                    if [leg.raw.key[1] for leg in legs] == squares)
        for choice in (exact, lines, [*partial]):
            if choice and (len({reduce(Position.play, legs, position).state.key() for legs in choice}) == 1):
                return choice[0]
        if lines:
            raise ZrfError(f"`{clipped(text)}` may be any of {len(lines)} captures", "ambiguous-move",
                           help=f"write every square, such as `{self._full(lines[0])}`")
        return ()

    def _turns(
        self, position: Position, start: int, legs: tuple[Move, ...] = (), is_partial: bool = False,
    ) -> Iterator[tuple[Move, ...]]:
        """Yield the turns of the piece on a square, depth first; with `is_partial` also unfinished turns."""
        for move in position.moves():
            if move.raw.key[0] == start and not move.raw.is_pass:
                after = position.play(move)
                goes_on = after.in_turn and len(legs) < MAX_LEGS
                if goes_on:
                    yield from self._turns(after, move.raw.key[1], (*legs, move), is_partial)
                if not goes_on or is_partial:
                    yield (*legs, move)

    def write_turn(self, turn: PlayedTurn) -> str:
        """Write a turn. :raises ZrfError: if it is a pass or a drop."""
        start, end = turn.legs[0].raw.key[0], turn.legs[-1].raw.key[1]
        if not {start, end} <= self.numbers.keys():
            raise self.unfit("a player passes or drops a piece")
        if not any(leg.captures for leg in turn.legs):
            return f"{self.numbers[start]}-{self.numbers[end]}"
        same_ends = [legs for legs in self._turns(turn.before, start) if legs[-1].raw.key[1] == end]
        if len(same_ends) > 1 or turn.after.in_turn:
            return self._full(turn.legs)
        return f"{self.numbers[start]}x{self.numbers[end]}"

    def _full(self, legs: Sequence[Move]) -> str:
        return "x".join(str(self.numbers[square]) for square in
                        (legs[0].raw.key[0], *(leg.raw.key[1] for leg in legs)))

    def write(self, played: Played) -> str:
        extra = dict(self.headers)
        if played.is_set_up:
            extra |= {"SetUp": "1", "FEN": self.write_position(played.start)}
        first = int(self.rules.turns[0].side != self.players[0])
        tags = headers(played, self.own.get("results", RESULTS), extra)
        return write_score(played, tags, self.write_turn, lambda turn: self.mover(turn.before) ^ first, 1)


def _is_within(squares: Sequence[int], path: Sequence[int]) -> bool:
    """Return True if the squares occur on the path in this order."""
    rest = iter(path)
    return all(square in rest for square in squares)
