"""PGN: games of the chess family, in standard algebraic notation."""

from collections.abc import Sequence
from functools import cached_property

from zrf_py.play.formats.forsyth import Fen
from zrf_py.play.formats.movetext import LAST, UNKNOWN, write_score
from zrf_py.play.formats.score import Played, PlayedTurn, Score
from zrf_py.play.game import Move, Position
from zrf_py.play.letters import move_letters
from zrf_py.play.short import ShortWriter, read_short
from zrf_py.play.turn_text import check_mark
from zrf_py.run.position import Position as State

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class Pgn(Fen):
    """Codec of PGN."""

    kind = "pgn"

    @cached_property
    def writer(self) -> ShortWriter:
        """Writer of moves with the letters of the format, and squares named by their place."""
        own = self.row.get("letters", {})
        names = [self.square_name(i) if i in self.grid.cells else place.name
                 for i, place in enumerate(self.rules.board.places)]
        letters = {kind: own.get(self.rules.pieces[kind].name, letter)
                   for kind, letter in move_letters(self.rules).items() if letter}
        return ShortWriter(self.game.program, names, letters)

    def start(self, score: Score) -> State | None:
        return super().start(score) if score.tags.get("FEN") else None

    def read(self, position: Position, text: str) -> Sequence[Move]:
        names = self.writer.names
        moves = [move for move in position.moves()
                 if text[:1] in ("O", "0") or move.raw.is_pass or names[move.raw.key[1]] in text]
        if matches := read_short(text, self.writer.write(moves)):
            return (moves[matches[0]],)
        others = [] if self.row.get("letters") else position.matches(text)
        return others[:1] if len({move.text for move in others}) == 1 else ()

    def write_turn(self, turn: PlayedTurn) -> str:
        """Write a turn; only moves to the same square are compared, as others can't have the same text."""
        position, texts = turn.before, []
        for leg in turn.legs:
            moves = [move for move in position.moves() if move.raw.key[1] == leg.raw.key[1]] or [leg]
            short = dict(zip([m.text for m in moves], self.writer.write(moves), strict=True))
            texts.append((leg, short.get(leg.text, leg.text)))
            position = position.after(leg)
        return self.writer.join(texts) + check_mark(turn.after)

    def write(self, played: Played) -> str:
        clock, number = self.numbers(played.tags)
        extra = {} if self.row else {"Variant": self.game.title}
        extra |= self.headers
        if played.is_set_up:
            extra |= {"SetUp": "1", "FEN": self.write_fen(played.start, clock, number)}
        tags = headers(played, RESULTS, extra)
        return write_score(played, tags, self.write_turn, lambda turn: self.mover(turn.before), number)


def headers(played: Played, results: Sequence[str], extra: dict[str, str]) -> dict[str, str]:
    """Return the headers of a game: the seven usual ones, `extra` ones, and those it came with.

    :param results: values of the result: first player won, second won, draw, unknown.
    """
    names = [player.name for player in played.end.game.program.game.players if player.kind == "player"]
    first = UNKNOWN | dict.fromkeys(names, "?")
    others = {name: value for name, value in played.tags.items() if name not in LAST}
    outcome, result = played.end.outcome(), played.tags.get("Result", "")
    if outcome:
        result = results[int(names[0] not in outcome.winners) if outcome.winners else 2]
    result = result if result in results else results[3]
    return first | {k: v for k, v in others.items() if k in first} | {"Result": result} | extra | others
