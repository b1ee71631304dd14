"""Turns and lines of play as people write them: a turn in one text, with the mark of a check; and read again."""

from collections.abc import Iterable, Iterator, Sequence

from zrf_py.play.game import Move, Position
from zrf_py.play.reasons import royal_places
from zrf_py.run.position import Move as Leg

MAX_LEGS = 60
"""Legs of a typed turn."""


def turn_text(before: Position, legs: Sequence[Move]) -> str:
    """
    Legs of one turn in one text, with `+` for a check and `#` for a checkmate where the rules know these.

    >>> from zrf_py.play.game import load
    >>> position = load("chess").start()
    >>> turn_text(position, [position.find("e2 e4")])
    'e4'
    """
    return _text(_walk(before, legs))


def played_turn(after: Position) -> str:
    """The turn, or the part of one, that led to a position; "" where no move did."""
    way = [after]
    while way[-1].previous is not None and way[-1].previous.in_turn and way[-1].previous.move is not None:
        way.append(way[-1].previous)
    return _text(list(reversed(way))) if after.move is not None else ""


def turns_text(before: Position, legs: Iterable[Leg]) -> list[str]:
    """A line of play, as an engine has it, turn by turn."""
    here, turn, found = before, [], []
    for move in before.named(legs):
        here = here.play(move)
        turn.append(here)
        if not here.in_turn:
            found.append(_text(turn))
            turn = []
    return [*found, *([_text(turn)] if turn else [])]


def read_turn(position: Position, text: str) -> tuple[Move, ...]:
    """The legs that a person means by the text of a whole turn, such as `c3-c5-e5`; none if it isn't one."""
    wanted = "".join(text.split()).rstrip("+#!?")
    return next(_ways(position, wanted, ()), ())


def checked(position: Position) -> tuple[int, ...]:
    """The squares of the royal men that are attacked, of whoever is to move."""
    game, player = position.game, _number(position)
    if not game.rules.has_royals or position.in_turn or player < 0:
        return ()
    if not game.engine.is_attacked(position.state, player):
        return ()
    return royal_places(game.program, position.state, (player,))


def _walk(before: Position, legs: Sequence[Move]) -> list[Position]:
    way = [before]
    for leg in legs:
        way.append(way[-1].play(leg))
    return way[1:]


def _text(way: Sequence[Position]) -> str:
    """The text of a turn by the positions that its legs led to."""
    said = [(after.move, after.previous.short(after.move)) for after in way if after.move and after.previous]
    if not said:
        return ""
    return way[0].game.writer.join(said) + _mark(way[-1])


def _mark(after: Position) -> str:
    if not after.game.writer.marks_check or not after.game.rules.has_royals or not checked(after):
        return ""
    outcome = after.outcome()
    return "#" if outcome and outcome.reason == "checkmated" else "+"


def _ways(position: Position, wanted: str, legs: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """Legs whose joined text is the one wanted; ends that may be left unsaid are added."""
    before = position
    for _ in legs:
        assert before.previous
        before = before.previous
    for move in position.moves():
        so_far = (*legs, move)
        said = "".join(_text(_walk(before, so_far)).split())
        after = position.play(move)
        if said.rstrip("+#") == wanted:
            yield so_far
        elif wanted.startswith(said) and after.in_turn and len(so_far) < MAX_LEGS:
            yield from _ways(after, wanted, so_far)


def _number(position: Position) -> int:
    """The player whose men are to move, by number; -1 where nobody has a turn."""
    turns = position.game.program.game.turns
    return turns[position.state.turn].side if turns else -1
