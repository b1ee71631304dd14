"""Short notation of whole turns and of lines of play, with marks of check; and the parser of whole turns."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate

from zrf_py.play.game import Move, Position
from zrf_py.play.move_parser import split_moves
from zrf_py.play.reasons import royal_places
from zrf_py.play.short import ShortWriter
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import clipped

MAX_LEGS = 60
"""Maximum number of legs of a typed turn, and of words that are tried as separate moves."""


def turn_text(before: Position, legs: Sequence[Move]) -> str:
    """Write the legs of one turn as one text, with `+` for check and `#` for checkmate if the rules have royal pieces.

    >>> from zrf_py.play.game import load
    >>> position = load("chess").start()
    >>> turn_text(position, [position.find("e2 e4")])
    'e4'
    """
    return _text([*accumulate(legs, type(before).play, initial=before)][1:])


def played_turn(after: Position) -> str:
    """Write the turn, or the part of it so far, that led to a position; "" if no move did."""
    steps = [after]
    while steps[-1].previous is not None and steps[-1].previous.in_turn and steps[-1].previous.move is not None:
        steps.append(steps[-1].previous)
    return _text(list(reversed(steps))) if after.move is not None else ""


def turns_text(before: Position, legs: Iterable[Move]) -> list[str]:
    """Write a line of play, one text for each turn."""
    position, turn, texts = before, [], []
    for move in legs:
        position = position.play(move)
        turn.append(position)
        if not position.in_turn:
            texts.append(_text(turn))
            turn = []
    return [*texts, *([_text(turn)] if turn else [])]


def played_on(position: Position, moves: str) -> Position:
    """Return the position after moves with `;` or `,` between them.

    :raises ZrfError: if one isn't legal; the help separates moves that have only blanks between them.
    """
    for move in split_moves(moves, position.game.reader.squares):
        try:
            position = position.play(move)
        except ZrfError as error:
            if len(parts := _parted(position, move.split()[:MAX_LEGS])) < 3:
                raise
            help = f"separate moves by `;`: `{clipped('; '.join(filter(None, parts)))}`"
            raise ZrfError([replace(error.diagnostics[0], help=help)]) from None
    return position


def _parted(position: Position, words: Sequence[str]) -> list[str]:
    """Split words into moves that are legal one after the other, and append the rest of the text, which may be ""."""
    for count in range(1, len(words) + 1):
        with suppress(ZrfError):
            move = " ".join(words[:count])
            return [move, *_parted(position.play(move), words[count:])]
    return [" ".join(words)]


def one_word(text: str) -> str:
    """Return the text of a move without blanks, and without characters that records use, such as brackets."""
    return re.sub(r"[\s(){};$<>%\[\]]", "", text)


def read_turn(position: Position, text: str, writer: ShortWriter | None = None) -> tuple[Move, ...]:
    """Parse the text of a turn or of its first legs, such as `c3-c5-e5`, into legs; () if no legal turn matches.

    :param writer: writer of the notation, if it isn't that of the game.
    """
    return next(_matches(position, one_word(text).rstrip("+#!?"), writer or position.game.writer, ()), ())


def checked(position: Position) -> tuple[int, ...]:
    """Return the squares of the royal pieces of the player to move if one of them is attacked; () within a turn."""
    game, player = position.game, _number(position)
    if not game.rules.has_royals or position.in_turn or player < 0:
        return ()
    if not game.engine.is_attacked(position.state, player):
        return ()
    return royal_places(game.program, position.state, (player,))


def _text(steps: Sequence[Position]) -> str:
    """Write a turn, given as the positions after each of its legs; "" without legs."""
    texts = [(after.move, after.previous.short(after.move)) for after in steps if after.move and after.previous]
    if not texts:
        return ""
    return steps[0].game.writer.join(texts) + check_mark(steps[-1])


def check_mark(after: Position) -> str:
    """Return `#` for checkmate, `+` for check, else ""; "" also in games in whose notation `+` marks promotion."""
    if not after.game.writer.marks_check or not after.game.rules.has_royals or not checked(after):
        return ""
    outcome = after.outcome()
    return "#" if outcome and outcome.reason == "checkmated" else "+"


def _matches(
    position: Position, target: str, writer: ShortWriter, legs: tuple[tuple[Move, str], ...],
) -> Iterator[tuple[Move, ...]]:
    """Search depth first for continuations of `legs` (moves and their texts) whose joined text is `target`."""
    moves = position.moves()
    for leg in zip(moves, writer.write(moves), strict=True):
        turn = (*legs, leg)
        text = one_word(writer.join(turn)).rstrip("+#")
        if text == target:
            yield tuple(move for move, _ in turn)
        elif target.startswith(text) and (after := position.play(leg[0])).in_turn and len(turn) < MAX_LEGS:
            yield from _matches(after, target, writer, turn)


def _number(position: Position) -> int:
    """Return the number of the player whose pieces are to move; -1 in a game without turns."""
    turns = position.game.program.game.turns
    return turns[position.state.turn].side if turns else -1
