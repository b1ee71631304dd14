"""Compare two versions of the rules: the first position of random games in which they differ."""

import difflib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zrf_py.batch.jobs import seeded
from zrf_py.play.game import Game, Position
from zrf_py.play.move import Move
from zrf_py.text.diagnostics import ZrfError

GAMES = 100
PLIES = 200
"""Length in moves at which a game is cut off."""


@dataclass(frozen=True)
class Version:
    """A version at the first difference: its position, the moves legal only there, its result or fault ("": none)."""

    position: Position
    only: tuple[Move, ...] = ()
    outcome: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Difference:
    """A difference found after some moves; `kind` is `pieces`, `player`, `moves`, `outcome` or `fault`."""

    kind: str
    moves: tuple[str, ...]
    old: Version
    new: Version


@dataclass(frozen=True)
class Comparison:
    """The number of positions compared, and the first difference (None: there was none)."""

    positions: int
    difference: Difference | None


def compare(
    old: Game, new: Game, games: int = GAMES, plies: int = PLIES, seed: int = 1, seconds: float | None = None,
) -> Comparison:
    """Play the same random games under both versions until a position differs, for at most `games` games and `seconds`.

    Positions are compared by their pieces, the player to move, the legal moves, the result, and faults of the rules.

    >>> from zrf_py import load
    >>> compare(load("tictactoe"), load("tictactoe"), games=3).difference is None
    True
    """
    random, positions = seeded("compare", seed), 0
    until = None if seconds is None else time.perf_counter() + seconds
    for _ in range(games):
        left, right = old.start(), new.start()
        record: list[str] = []
        while True:
            positions += 1
            difference, texts = _difference(left, right, tuple(record))
            if difference or (until is not None and time.perf_counter() > until):
                return Comparison(positions, difference)
            if not texts or len(record) >= plies:
                break
            record.append(random.choice(texts))
            left, right = left.play(record[-1]), right.play(record[-1])
    return Comparison(positions, None)


def _difference(old: Position, new: Position, record: tuple[str, ...]) -> tuple[Difference | None, list[str]]:
    """Return (difference of two positions, []), or (None, their moves) if they agree; no moves if the game is over."""
    for kind, left, right in (("pieces", old.pieces(), new.pieces()), ("player", old.player, new.player)):
        if left != right:
            return Difference(kind, record, Version(old), Version(new)), []
    moves, faults = [], []
    for position in (old, new):
        try:
            result = position.outcome()
            moves.append(({} if result else {move.text: move for move in position.moves()}, str(result or "")))
            faults.append("")
        except ZrfError as error:
            moves.append(({}, ""))
            faults.append(error.diagnostics[0].message)
    (left_moves, left_end), (right_moves, right_end) = moves
    versions = (Version(old, _without(left_moves, right_moves), left_end, faults[0]),
                Version(new, _without(right_moves, left_moves), right_end, faults[1]))
    if faults[0] != faults[1]:
        return Difference("fault", record, *versions), []
    if left_end != right_end:
        return Difference("outcome", record, *versions), []
    if left_moves.keys() != right_moves.keys():
        return Difference("moves", record, *versions), []
    return None, list(left_moves)


def _without(moves: dict[str, Move], others: Iterable[str]) -> tuple[Move, ...]:
    return tuple(moves[text] for text in moves.keys() - set(others))


def as_data(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON data: `positions`, and the `difference` (or None) with a picture of each version."""
    first = comparison.difference
    return {"positions": comparison.positions, "difference": first and {
        "kind": first.kind, "moves": list(first.moves), "old": _version(first.old), "new": _version(first.new)}}


def _version(version: Version) -> dict[str, Any]:
    squares = {square for move in version.only for square in (move.start, move.end) if square}
    return {"svg": version.position.svg(), "player": version.position.player, "outcome": version.outcome,
            "fault": version.fault, "only": sorted(version.position.short(move) for move in version.only),
            "squares": sorted(squares), "position": version.position.text}


def changed_lines(old: str, new: str) -> list[tuple[str, str]]:
    """Return the lines of a diff as (kind, line); a kind is `added`, `removed`, `place`, or "" for lines of context.

    >>> changed_lines("a\\nb", "a\\nc")
    [('place', '@@ -1,2 +1,2 @@'), ('', '  a'), ('removed', '- b'), ('added', '+ c')]
    """
    kinds = {"+": "added", "-": "removed", "@": "place", " ": ""}
    rows = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm=""))[2:]
    return [(kinds[row[0]], row if row[0] == "@" else f"{row[0]} {row[1:]}") for row in rows]
