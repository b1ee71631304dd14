"""Random games of other people's rules files, saved, read back and replayed: `python -m tests.records FOLDER`.

Plays games of every title of every file, up to `--games` or for the title's processor time; each game is saved as
bytes, read and replayed, and every position must be the one that was played. Prints the counts of each file with
failures or abandoned titles, its first failures, and the totals, also after Ctrl-C. Exits with 1 if anything failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import partial
from operator import attrgetter
from pathlib import Path
from random import Random

from tests.engines import any_game
from tests.exporting import Paged
from tests.playing import TooSlow, time_limit
from zrf_py.front.decode import decode
from zrf_py.ir.ops import Program
from zrf_py.library import load_file, rules_files
from zrf_py.play.foreign import has_moves
from zrf_py.play.game import Game, Position
from zrf_py.play.move import Move as Named
from zrf_py.play.replay import replay
from zrf_py.play.zsg import encoded, read_game, record, write_game
from zrf_py.run.engine import Engine
from zrf_py.run.faults import RulesFault
from zrf_py.run.position import Move, Outcome
from zrf_py.run.position import Position as State
from zrf_py.text.diagnostics import ZrfError

PLIES = 40
"""Maximum number of plies of a random game."""
KEPT = 3_000
"""Maximum number of positions whose moves are cached."""
SLOW = 60
"""Processor time in seconds that a title may take beyond its share, if a list of moves is slow."""
FACTS = [one.name for one in fields(State)]
facts = attrgetter(*FACTS)
"""Returns everything that a position holds."""


class Remembering:
    """An engine that caches the moves of a position, since replaying a game lists them a second time."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.program = engine.program
        self.known: dict[tuple[object, ...], tuple[Move, ...]] = {}

    def start(self) -> State:
        return self.engine.start()

    def moves(self, position: State) -> tuple[Move, ...]:
        key = facts(position)
        if key not in self.known:
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[key] = self.engine.moves(position)
        return self.known[key]

    def after(self, position: State, move: Move) -> State:
        return self.engine.after(position, move)

    def outcome(self, position: State, repetitions: int = 1) -> Outcome | None:
        return self.engine.outcome(position, repetitions)

    def is_attacked(self, position: State, player: int) -> bool:
        return self.engine.is_attacked(position, player)


def game_of(program: Program) -> Game:
    """Return a game on the machine code for any game, with the moves of positions cached."""
    return Game(program, engine=Remembering(any_game(program)))


def play(game: Game, plies: int, random: Random) -> Position:
    """Return the end of a random game of at most this many plies, possibly within a turn."""
    position = game.start()
    for _ in range(plies):
        if position.state.result or not (moves := game.engine.moves(position.state)):
            break
        position = position.after(Named(random.choice(moves), game.program, position.state))
    return position


def fault(end: Position, loose: int = 0) -> str:
    """Return the difference between a game and its saved form read back by the reader of notation; "" if there is none.

    `loose`: maximum number of plies in which the record has a whole move, but the rules only a leg. (A whole move that
    was once read from the record of a leg is saved as a whole move, and so matches exactly.)
    """
    saved = record(end, "a game.zrf", "H" * len(end.game.players))
    found = replay(end.game, read_game(decode(encoded(write_game(saved)))))
    if found.stop:
        return f"ply {found.plies}: {found.stop.reason}: `{found.stop.entry.text}`"
    if found.loose > loose:
        return f"{found.loose} plies fit loosely, not {loose}"
    played, again = list(end.line())[::-1], list(found.position.line())[::-1]
    if len(played) != len(again):
        return f"{len(played)} positions, {len(again)} read back"
    for ply, (one, other) in enumerate(zip(played, again, strict=True)):
        different = [name for name in FACTS if getattr(one.state, name) != getattr(other.state, name)]
        if different:
            text = one.move.text if one.move else one.change
            return f"ply {ply}, `{text}`: other {', '.join(different)}"
    return ""


def fault_in_page(page: Paged, end: Position) -> str:
    """Return the difference if a page reads a game saved by Python and writes it again; "" if there is none."""
    text = write_game(record(end, page("rules"), ""))
    written, states = page("replay", text)
    if written != text:
        return f"written again it is\n{written}"
    played = [_numbers(position.state) for position in end.line()][::-1]
    wrong = [ply for ply, (one, other) in enumerate(zip(played, states, strict=True)) if one != other]
    return f"other positions at {wrong} of\n{text}" if wrong else ""


def _numbers(s: State) -> list[list[int]]:
    """Return a position as a page has it: squares, stores, attributes, the turn, the square whose piece continues."""
    squares = [(owner + 1) | (kind + 1) << 8 if owner >= 0 else 0 for owner, kind in zip(s.owner, s.piece, strict=True)]
    stores = [count for counts in s.stores for count in counts]
    return [squares, stores, list(s.attributes) if any(s.attributes) else [], [s.turn, s.chain[0] if s.chain else -1]]


@dataclass
class Counts:
    """Counts of games saved and read back."""

    titles: int = 0
    games: int = 0
    plies: int = 0
    left: int = 0
    """Number of titles abandoned: a list of moves took too long, or the rules can't be followed."""
    faults: list[str] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        for name in ("titles", "games", "plies", "left"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults += other.faults

    def __str__(self) -> str:
        return (f"{self.titles} titles, {self.games:,} games, {self.plies:,} plies; {len(self.faults)} games failed; "
                f"{self.left} titles left early")


def try_title(program: Program, games: int, seconds: float, seed: int, plies: int = PLIES) -> Counts:
    """Play, save and read back up to `games` random games of a title, as many as `seconds` of processor time allow."""
    counts = Counts(titles=1)
    game, end = game_of(program), time.process_time() + seconds
    try:
        with time_limit(seconds + SLOW):
            while counts.games < games and (time.process_time() < end or not counts.games):
                number = seed * 1_000_000 + counts.games
                random = Random(number)
                last = play(game, random.randint(1, plies), random)
                found = fault(last)
                counts.games += 1
                counts.plies += sum(1 for _ in last.line()) - 1
                counts.faults += [f"{program.game.title}, game {number}: {found}"] if found else []
    except (TooSlow, RulesFault):
        counts.left = 1
    except ZrfError as error:
        counts.faults.append(f"{program.game.title}: {error.summary()}")
    return counts


def try_file(path: Path, games: int, seconds: float, seed: int) -> tuple[Path, Counts]:
    """Try every title of a file; a file with errors has none."""
    counts = Counts()
    with suppress(ZrfError):
        for program in load_file(path).programs:
            if has_moves(program):
                counts.add(try_title(program, games, seconds, seed))
    return path, counts


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.records", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="of each title (default: 100)")
    parser.add_argument("--seconds", type=float, default=10, metavar="S",
                        help="of processor time of each title (default: 10)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--verbose", action="store_true", help="a line for every file")
    args = parser.parse_args(words)
    every, began = Counts(), time.monotonic()
    quiet = signal.signal, (signal.SIGINT, signal.SIG_IGN)
    with multiprocessing.Pool(args.workers, *quiet, maxtasksperchild=5) as pool, suppress(KeyboardInterrupt):
        work = partial(try_file, games=args.games, seconds=args.seconds, seed=args.seed)
        for path, counts in pool.imap_unordered(work, rules_files(args.folder)):
            every.add(counts)
            if counts.faults or counts.left or args.verbose:
                print(f"{path.relative_to(args.folder)}: {counts}", *counts.faults[:5], sep="\n", flush=True)
    print(f"{every}; {every.games / (time.monotonic() - began):.0f} games/s")
    return int(bool(every.faults))


if __name__ == "__main__":
    sys.exit(main())
