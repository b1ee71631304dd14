"""Replaying recorded games: every recorded move must be among the legal ones, with the same effects.

A record may go on after an end condition was met (people like to see it through), so the end is ignored where moves
follow. Legs are compared as collections of parts, since the order of parts isn't always the same: see `notation.py`.
"""

from collections import Counter
from dataclasses import dataclass, replace

from zrf_py.play.finding import recorded
from zrf_py.play.game import Game, Move, Position
from zrf_py.play.notation import PASS
from zrf_py.play.zsg import Edit, Ply, SavedGame
from zrf_py.run.position import NOT_PARTIAL
from zrf_py.text.diagnostics import ZrfError


@dataclass(frozen=True)
class Stop:
    """Where a replay could not go on: the entry, why, and the legal moves, those most like the recorded one first."""

    entry: Edit | Ply
    reason: str
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Replay:
    """How far a replay came: the last position reached, the plies played, and why it stopped, None if it didn't."""

    position: Position
    plies: int
    stop: Stop | None = None
    loose: int = 0
    """Plies that fit but for being recorded as a leg, or as a whole move, when the rules say otherwise."""


def replay(game: Game, saved: SavedGame) -> Replay:
    """Play a recorded game from the start position."""
    position = game.start()
    plies = loose = 0
    for entry in saved.entries:
        found = follow(position, entry)
        if isinstance(found, Stop):
            return Replay(position, plies, found, loose)
        position, is_loose = found
        loose += is_loose
        plies += isinstance(entry, Ply)
    return Replay(position, plies, None, loose)


def follow(position: Position, entry: Edit | Ply) -> tuple[Position, bool] | Stop:
    """The position after one entry of a record, and whether it fits only loosely (see `Replay.loose`)."""
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
    """The same position with the end of the game forgotten."""
    if position.state.result is None:
        return position
    return position.at(replace(position.state, result=None))


def _recorded(position: Position, entry: Ply) -> tuple[Move | None, bool]:
    """The legal move that was recorded, None if there is none, and whether it was recorded as a leg."""
    moves = position.moves()
    if _is_pass(entry):
        return next((m for m in moves if m.is_pass), None), False
    return next(iter(recorded(moves, entry.text)), (None, False))


def _is_pass(entry: Ply) -> bool:
    return entry.text.casefold() == PASS.casefold()


def _stop(position: Position, entry: Ply) -> Stop:
    """The reason that no legal move is the one recorded."""
    moves = position.moves()
    why = ("the rules allow no pass here" if _is_pass(entry) else "the game is over: nobody may move" if not moves
           else f"no legal move of {position.player} is written so")
    return Stop(entry, why, tuple(move.text for move in nearest(moves, entry.text)))


def nearest(moves: list[Move], text: str) -> list[Move]:
    """Legal moves, those that share most words with a text first."""
    words = Counter(text.split())

    def distance(move: Move) -> tuple[bool, int, int]:
        own = Counter(move.text.split())
        return move.is_pass, -(own & words).total(), (own - words).total()

    return sorted(moves, key=distance)
