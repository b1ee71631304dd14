"""Replay of recorded games: every recorded move must be legal, with the same effects.

A record may continue after an end condition (some people play on), so the end is ignored if moves follow.
Legs are compared as multisets of parts, since the order of parts varies: see `notation.py`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from zrf_py.play.foreign import missing_rules
from zrf_py.play.game import Game, Move, Position
from zrf_py.play.matching import recorded
from zrf_py.play.notation import PASS
from zrf_py.play.zsg import Edit, Ply, SavedGame
from zrf_py.run.position import NOT_PARTIAL
from zrf_py.text.diagnostics import ZrfError


@dataclass(frozen=True)
class Stop:
    """Failure of a replay: the entry, the reason, and the legal moves, most similar to the recorded one first."""

    entry: Edit | Ply
    reason: str
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Replay:
    """Result of a replay: the last position reached, the number of plies, and the failure, if any."""

    position: Position
    plies: int
    stop: Stop | None = None
    loose: int = 0
    """Number of plies that match except that a leg is recorded as a whole move, or vice versa."""


def replay(game: Game, saved: SavedGame) -> Replay:
    """Play a recorded game from the start position."""
    position = game.start()
    plies = loose = 0
    for entry in saved.entries:
        step = follow(position, entry)
        if isinstance(step, Stop):
            return Replay(position, plies, step, loose)
        position, is_loose = step
        loose += is_loose
        plies += isinstance(entry, Ply)
    return Replay(position, plies, None, loose)


def follow(position: Position, entry: Edit | Ply) -> tuple[Position, bool] | Stop:
    """Play one entry of a record; return a `Stop`, or (position, True if the ply counts as `Replay.loose`)."""
    if isinstance(entry, Edit):
        try:
            return position.edited(entry.text), False
        except ZrfError as error:
            why = error.diagnostics[0]
            return Stop(entry, f"{why.message}; {why.help}")
    position = _going_on(position)
    move, is_leg = _recorded(position, entry)
    if move is None:
        return _stop(position, entry)
    if move.is_partial and not is_leg:
        return position.after(Move(replace(move.raw, partial=NOT_PARTIAL), move.program, move.before)), True
    return position.play(move), is_leg and not move.is_partial


def _going_on(position: Position) -> Position:
    """Return the same position without the result that a goal on the board has set."""
    if position.state.result is None:
        return position
    return position.at(replace(position.state, result=None))


def _recorded(position: Position, entry: Ply) -> tuple[Move | None, bool]:
    """Return (the legal move that was recorded, or None; True if it was recorded as a leg)."""
    moves = position.moves()
    if _is_pass(entry):
        return next((m for m in moves if m.is_pass), None), False
    if entry.text in position.texts:  # nearly always
        move = moves[position.texts.index(entry.text)]
        return move, move.is_partial
    return next(iter(recorded(moves, entry.text)), (None, False))


def _is_pass(entry: Ply) -> bool:
    return entry.text.casefold() == PASS.casefold()


def _stop(position: Position, entry: Ply) -> Stop:
    """Return the failure of a replay at an entry that matches no legal move."""
    moves = position.moves()
    why = "passing isn't allowed here" if _is_pass(entry) else missing_rules(position.game.program) or (
        f"no legal move of `{position.player}` matches" if moves else "the game is over")
    return Stop(entry, why, tuple(move.text for move in nearest(moves, entry.text)))


def nearest(moves: Sequence[Move], text: str) -> list[Move]:
    """Sort legal moves by the number of words shared with a text, most first; passes come last."""
    words = Counter(text.split())

    def distance(move: Move) -> tuple[bool, int, int]:
        own = Counter(move.text.split())
        return move.is_pass, -(own & words).total(), (own - words).total()

    return sorted(moves, key=distance)
