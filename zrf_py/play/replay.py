"""Replaying recorded games: every recorded move must be among the legal ones, with the same effects.

A record may go on after an end condition was met (people like to see it through), so the end is ignored where moves
follow. Legs are compared as collections of parts, since the order of parts isn't always the same.
"""

from dataclasses import dataclass, replace

from zrf_py.play.game import Game, Move, Position
from zrf_py.play.notation import PASS, Part, read_parts
from zrf_py.play.notation import parts as parts_of
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
    move, stop = _recorded(position, entry)
    if move is None:
        assert stop
        return stop
    wanted_leg = entry.text.lower().startswith("partial")
    if move.is_partial and not wanted_leg:
        return position.after(Move(replace(move.raw, partial=NOT_PARTIAL), move.program, move.before)), True
    return position.play(move), wanted_leg and not move.is_partial


def _going_on(position: Position) -> Position:
    """The same position with the end of the game forgotten."""
    if position.state.result is None:
        return position
    return position.at(replace(position.state, result=None))


def _recorded(position: Position, entry: Ply) -> tuple[Move | None, Stop | None]:
    """The legal move that was recorded, or why there is none."""
    legal = position.moves()
    if entry.text.casefold() == PASS.casefold():
        passes = [m for m in legal if m.raw.is_pass]
        return (passes[0], None) if passes else (None, Stop(entry, "the rules allow no pass here", _texts(legal)))
    wanted = read_parts(entry.text)
    if wanted is None:
        return None, Stop(entry, "this is not the notation of a move")
    found = fitting(position, legal, wanted, entry.text.lower().startswith("partial"))
    if found:
        return next((m for m in found if m.text == entry.text), found[0]), None
    why = "the game is over: nobody may move" if not legal else f"no legal move of {position.player} is written so"
    return None, Stop(entry, why, _texts(nearest(position, legal, wanted)))


def fitting(position: Position, legal: list[Move], wanted: list[Part], leg: bool) -> list[Move]:
    """The moves with exactly these parts; if some are legs and some whole moves, those of the recorded kind."""
    program, state = position.game.program, position.state
    target = sorted(wanted)
    found = [m for m in legal if not m.raw.is_pass and sorted(parts_of(program, state, m.raw)) == target]
    return [m for m in found if m.is_partial == leg] or found


def nearest(position: Position, legal: list[Move], wanted: list[Part]) -> list[Move]:
    """Legal moves, those that share most with the recorded parts first."""
    program, state = position.game.program, position.state
    words = [word for part in wanted for word in part]

    def distance(move: Move) -> tuple[int, int]:
        own = parts_of(program, state, move.raw)
        left = [word for part in own for word in part]
        for word in words:
            if word in left:
                left.remove(word)
        shared = sum(map(len, own)) - len(left)
        return -2 * sum(part in wanted for part in own) * 4 - shared, len(left)

    return sorted((m for m in legal if not m.raw.is_pass), key=distance) + [m for m in legal if m.raw.is_pass]


def _texts(moves: list[Move]) -> tuple[str, ...]:
    return tuple(m.text for m in moves)
