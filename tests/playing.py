"""Random games and time limits, for the tests that play."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pytest

from zrf_py.library import RulesFile
from zrf_py.play.game import Game, Position
from zrf_py.text.diagnostics import ZrfError

Item = TypeVar("Item")
ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "rules"
HANG = 600
"""Seconds after which something counts as hanging, however busy the machine is: no test measures speed."""
UNNUMBERED = {"Tavreli"}
"""Files by other authors whose legs take longer to number than `reach.MAX_WORK` allows: fleets refuse these games."""


SAMPLE = {"chess", "shogi", "amazons", "international-draughts", "othello", "peg-solitaire", "gefangen-1",
          "wuerfelhalma", "platonic-simple"}
"""Files of the shelf, some of every kind: in quick runs, tests of every file check only these."""


def of_every_kind(paths: Iterable[Path]) -> list[Any]:
    """Return a test's parameters, one for each path; those outside `SAMPLE` are marked slow."""
    return [pytest.param(path, marks=[] if path.stem in SAMPLE else pytest.mark.slow) for path in paths]


def slow(cases: Iterable[Any]) -> list[Any]:
    """Return cases of a test, marked as slow; a tuple has the values of several parameters."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def some_of(cases: Iterable[Any], count: int) -> list[Any]:
    """Return parameters of a test, of which all but `count`, evenly spread, are marked slow."""
    rows = list(cases)
    quick = {number * len(rows) // count for number in range(count)}
    return [case if number in quick else slow([case])[0] for number, case in enumerate(rows)]


class TooSlow(BaseException):
    """A time limit has passed; no `except Exception` catches this."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` in a block that takes more than `seconds` of processor time; no limit without SIGPROF."""
    if not hasattr(signal, "SIGPROF"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_name == "gc_callback":  # exceptions raised there would be lost
            signal.setitimer(signal.ITIMER_PROF, 0.01)
            return
        raise TooSlow(f"takes longer than {seconds} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def counted(items: Iterable[Item], least: int = 1) -> Iterator[Item]:
    """Yield the items; fail if there are fewer than `least`: assertions in a loop over nothing would always hold."""
    count = 0
    for count, item in enumerate(items, 1):  # noqa: B007
        yield item
    assert count >= least, f"{count} cases of at least {least}"


def games(file: RulesFile) -> list[Game]:
    """Return the games of a file, at least one."""
    assert file.programs
    titles = tuple(p.game.title for p in file.programs)
    return [Game(program, titles) for program in file.programs]


def random_game(game: Game, plies: int, seed: int) -> Iterator[Position]:
    """Yield the positions of a random game, the start included, up to its end or the maximum number of plies."""
    choice = random.Random(seed)
    position = game.start()
    yield position
    for _ in range(plies):
        if position.outcome() is not None:
            return
        moves = position.moves()
        if not moves:
            return
        position = position.play(choice.choice(moves))
        yield position


def fault_in_random_game(game: Game, plies: int, seed: int, seconds: float) -> str:
    """Return the fault of a random game, with the moves that lead to it; empty if there is none.

    A game that is merely slow has no fault: it is abandoned when its time is over. But it is a fault if `seconds` is
    at least 5 and not even one ply was made.
    """
    last: Position | None = None
    made = 0
    try:
        with time_limit(seconds):
            for made, last in enumerate(random_game(game, plies, seed)):  # noqa: B007
                pass
    except TooSlow:
        fault = "no ply in time" if made < 1 and seconds >= 5 else ""
    except ZrfError as error:
        fault = error.summary()
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    else:
        stuck = last is not None and made < plies and last.outcome() is None and game.program.game.turns
        fault = "no moves and no outcome" if stuck else ""
    if not fault:
        return ""
    line = [str(p.move) for p in last.line() if p.move] if last else []
    return f"{game.title!r}, seed {seed}, after {made} plies: {fault}\n    {'; '.join(reversed(line))}"
