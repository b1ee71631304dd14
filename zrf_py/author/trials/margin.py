"""Random games for one second, summed up in a line: who wins, how long games take, what is never used."""

import time
from collections.abc import Sequence
from typing import Any

from zrf_py.batch.games import Played, play, winners
from zrf_py.batch.jobs import seeded
from zrf_py.batch.judge import uses
from zrf_py.batch.judge.notes import Notes
from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import is_quick, playouts
from zrf_py.run.position import Move, Position
from zrf_py.text.diagnostics import ZrfError

SECONDS = 1.0
MAX_TURNS = 500
"""Length at which a game is cut off, in turns; in plies for the games that native code plays."""
WATCHED = 200
"""Maximum number of games that are examined move by move."""
FEW = 20
"""Minimum number of examined games for "never used" to be reported."""
NAMED = 4
"""Maximum number of unused parts that the line names."""
CHUNK = 20
MOST_CHUNKS = 500

Part = tuple[str, dict[str, Any]]
"""A part of the line: an English template, which is also the key of its translation, and its values."""


class _TimeUp(Exception):
    """Raised when time is up in the middle of a game."""


class _Tally:
    """Results of random games."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.groups = program.game.sides
        self.games = self.moves = self.drawn = self.cut_off = 0
        self.won = [0] * len(self.groups)
        self.notes: list[dict[str, Any]] = []
        self.fault = ""

    def watch(self, engine: Engine, number: int, until: float) -> None:
        """Play one game and note each move; a game cut off by the clock adds to the notes, not to the counts."""
        start = engine.start()
        notes = Notes(self.program, start)

        def watcher(before: Position, moves: Sequence[Move], move: Move, after: Position) -> None:
            notes.watch(before, moves, move, after)
            if time.perf_counter() > until:
                raise _TimeUp

        played = Played((), 0, None, start)
        try:
            played = play(engine, start, {}, seeded("margin", number), MAX_TURNS, watcher)
            self._count(played)
        finally:
            self.notes.append({"notes": notes.result(played)})

    def _count(self, played: Played) -> None:
        self.games += 1
        self.moves += len(played.moves)
        self.cut_off += played.outcome is None
        won = winners(self.program, played.outcome)
        self.drawn += played.outcome is not None and not won
        for side in won:
            self.won[side] += 1

    def bulk(self, engine: Engine, until: float) -> None:
        """Play games in native code; their counts replace those of the watched games."""
        self.games = self.moves = self.drawn = self.cut_off = 0
        self.won = [0] * len(self.groups)
        for number in range(MOST_CHUNKS):
            chunk = playouts(engine, CHUNK, number, MAX_TURNS)
            self.games += chunk.games
            self.moves += chunk.plies
            self.cut_off += chunk.cut_off
            for n, side in enumerate(self.groups):
                self.won[n] += sum(chunk.won[player] for player in side) // len(side)
            if time.perf_counter() > until:
                break
        self.drawn = max(0, self.games - self.cut_off - sum(self.won))

    def never(self) -> list[str]:
        """Return the types that never moved although they have moves, then other types' blocks without a legal move."""
        program = self.program
        pieces = uses.pieces(program, self.notes)
        still = [use.name for number, use in enumerate(pieces) if not use.count
                 and (program.moves[number] or program.drops[number]) and not program.game.pieces[number].dummy]
        blocks = [f"{use.name} {use.detail}" for use in uses.blocks_used(program, self.notes)
                  if not use.count and not use.offered and use.name not in still]
        return list(dict.fromkeys((*still, *blocks)))


def margin(engine: Engine, seconds: float = SECONDS) -> dict[str, Any]:
    """Play random games for some seconds; return `games`, `won` (a number for each of `sides`), `drawn`, `cut_off`, the
    mean `length` in moves, `watched`, `never` (parts never used), `fault`, and `line`, the parts of a summary.

    Games watched move by move get half of the time, or all of it on a slow engine. The counts depend on the machine.
    """
    program = engine.program
    tally = _Tally(program)
    quick = is_quick(engine)
    if quick and tally.groups:
        playouts(engine, 1, 0, 1)  # load the code before the clock runs
    start = time.perf_counter()
    until = start + (seconds / 2 if quick else seconds)
    try:
        while tally.groups and time.perf_counter() < until and len(tally.notes) < WATCHED:
            tally.watch(engine, len(tally.notes), until)
    except _TimeUp:
        pass
    except ZrfError as error:
        tally.fault = error.diagnostics[0].message
    if quick and tally.groups and not tally.fault:
        try:
            tally.bulk(engine, max(start + seconds, time.perf_counter()))
        except ZrfError as error:
            tally.fault = error.diagnostics[0].message
    never = tally.never() if len(tally.notes) >= FEW else []
    return {"games": tally.games, "sides": [*program.game.side_names], "won": tally.won, "drawn": tally.drawn,
            "cut_off": tally.cut_off, "length": round(tally.moves / tally.games, 1) if tally.games else None,
            "watched": len(tally.notes), "never": never, "fault": tally.fault, "line": _line(tally, never)}


def _line(tally: _Tally, never: Sequence[str]) -> list[Part]:
    """Return the parts of the summary."""
    if tally.fault:
        return [("the rules fail in a random game: {fault}", {"fault": tally.fault})]
    if not tally.groups:
        return [("no player has a turn", {})]
    if not tally.games:
        return [("no random game finished in time", {})]
    parts: list[Part] = [("{games} random games", {"games": tally.games})]
    share = 100 / tally.games
    parts += [("{side} wins {share}%", {"side": name, "share": round(won * share)})
              for name, won in zip(tally.program.game.side_names, tally.won, strict=True)]
    if tally.drawn:
        parts.append(("{share}% drawn", {"share": round(tally.drawn * share)}))
    if tally.cut_off:
        parts.append(("{share}% unfinished after {moves} moves", {"share": round(tally.cut_off * share),
                                                              "moves": MAX_TURNS}))
    parts.append(("{moves} moves on average", {"moves": round(tally.moves / tally.games)}))
    if never:
        more = len(never) - NAMED
        names_of = ", ".join(never[:NAMED]) + (f" +{more}" if more > 0 else "")
        parts.append(("never used: {names}", {"names": names_of}))
    return parts


def in_words(line: Sequence[Part]) -> str:
    """Return the summary in English.

    >>> in_words([("{games} random games", {"games": 3}), ("no player has a turn", {})])
    '3 random games · no player has a turn'
    """
    return " · ".join(template.format(**values) for template, values in line)
