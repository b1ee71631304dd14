"""PGN: games of the chess family, in standard algebraic notation."""

from collections.abc import Sequence
from functools import cached_property

from zrf_py.play.formats.forsyth import Fen
from zrf_py.play.formats.movetext import LAST, UNKNOWN, write_score
from zrf_py.play.formats.score import Played, PlayedTurn, Score
from zrf_py.play.game import Move, Position
from zrf_py.play.letters import move_letters
from zrf_py.play.short import ShortWriter, read_short
from zrf_py.play.turn_text import check_mark, one_word, read_turn
from zrf_py.run.position import Position as State

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class Pgn(Fen):
    """Codec of PGN."""

    kind = "pgn"

    @cached_property
    def writer(self) -> ShortWriter:
        """Writer of moves with the format's letters, and squares named by file and rank."""
        own = self.row.get("letters", {})
        names = [self.square_name(i) if i in self.grid.cells else place.name
                 for i, place in enumerate(self.rules.board.places)]
        letters = {kind: own.get(self.rules.pieces[kind].name, letter)
                   for kind, letter in move_letters(self.rules).items() if letter}
        return ShortWriter(self.game.program, names, letters)

    def start(self, score: Score) -> State | None:
        return super().start(score) if score.tags.get("FEN") else None

    def read(self, position: Position, text: str) -> Sequence[Move]:
        """Like `Codec.read`; a text may also be one leg of a turn, in short or full notation."""
        names, moves = self.writer.names, position.moves()
        ends = [move for move in moves
                if text[:1] in ("O", "0") or move.raw.is_pass or names[move.raw.key[1]] in text]
        for some in (ends, moves):
            if matches := read_short(text, [*map(one_word, self.writer.write(some))]):
                return (some[matches[0]],)
        exact = read_turn(position, text, self.writer) or [move for move in moves if one_word(move.text) == text]
        others = [] if exact or self.row.get("letters") else position.matches(text)
        return exact or (others[:1] if len({move.text for move in others}) == 1 else ())

    def write_turn(self, turn: PlayedTurn) -> str:
        """Write a turn as one word; if that is ambiguous, as one word for each leg, in full notation if needed.

        Only moves to the same square are compared, because others can't have the same text.
        """
        position, texts, words = turn.before, [], []
        for leg in turn.legs:
            moves = [move for move in position.moves() if move.raw.key[1] == leg.raw.key[1]] or [leg]
            short = dict(zip([m.text for m in moves], self.writer.write(moves), strict=True)).get(leg.text, leg.text)
            texts.append((leg, short))
            is_plain = one_word(short) == short or self._is_read(position, (leg,), one_word(short))
            words.append(one_word(short if is_plain else leg.text))
            position = position.after(leg)
        joined = self.writer.join(texts)
        if len(words) > 1 and self._is_read(turn.before, turn.legs, one_word(joined)):
            words = [one_word(joined)]
        return " ".join(words) + check_mark(turn.after)

    def _is_read(self, position: Position, legs: Sequence[Move], text: str) -> bool:
        return [leg.raw for leg in self.read(position, text)] == [leg.raw for leg in legs]

    def write(self, played: Played) -> str:
        clock, number = self.numbers(played.tags)
        extra = dict(self.headers)
        if played.is_set_up:
            extra |= {"SetUp": "1", "FEN": self.write_fen(played.start, clock, number)}
        tags = headers(played, RESULTS, extra)
        return write_score(played, tags, self.write_turn, lambda turn: self.mover(turn.before), number)


def headers(played: Played, results: Sequence[str], extra: dict[str, str]) -> dict[str, str]:
    """Return the headers of a game: the Seven Tag Roster, the `extra` ones, and those of the record it was read from.

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
