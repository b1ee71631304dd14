"""Write a block of tests that describes a position of a game."""

import re
from collections.abc import Sequence
from dataclasses import replace

from zrf_py.author.tests.pages import is_drawn
from zrf_py.play.game import Game, Position
from zrf_py.text.diagnostics import ZrfError

MAX_PLIES = 4_000
LISTED = 200
"""Most legal moves that a test lists; of more it states the number."""


def reached(game: Game, record: Sequence[str]) -> Position:
    """Return the position after a record: moves, or edits of the board in parentheses, in the notation of saved games.

    :raises ZrfError: if a move is not legal.
    """
    position = game.start()
    for text in record[:MAX_PLIES]:
        position = position.edited(text) if text.startswith("(") else position.play(text)
    return position


def remembered(game: Game, record: Sequence[str], last: bool = False) -> str:
    """Return a block of tests about the position that a record leads to: exactly its legal moves, or its result.

    With `last` it is about the last move instead: legal in the position before, and its effect on the board.

    :raises ZrfError: if a move is not legal, or there is none for `last`.
    """
    if last and (not record or record[-1].startswith("(")):
        raise ZrfError("no move has been played here", "no-such-move", help="play one, or keep the legal moves")
    position = reached(game, record)
    lines = [f"variant: {game.title}"] if len(game.variants) > 1 else []
    if last and position.previous:
        before = position.previous
        lines += [f"position: {before.text}", f"play: {record[-1]}"]
        then, now = before.pieces(), position.pieces()
        lines += [f"has: {square} {' '.join(man)}" for square, man in now.items() if then.get(square) != man]
    else:
        lines += [f"position: {position.text}", *_expected(position)]
    return "\n".join(["```moves", *lines, "```", ""])


def _expected(position: Position) -> list[str]:
    """Return the lines that state the result, or the legal moves."""
    if outcome := position.outcome():
        return [f"outcome: {replace(outcome, _end=None)}"]
    texts = sorted({re.sub(r"^partial \d+ ", "partial ", str(move)) for move in position.moves()})
    if len(texts) > LISTED or any(is_drawn(text) for text in texts):
        return [f"count: {len(texts)}"]
    return texts or ["none"]
