"""Generated games: every engine plays them alike, and their positions and saved games are read back.

The more a comparison costs, the fewer games it is made for: all games are played by the kernel for any game, some by
the kernel as Python, few by the game's own code and by a page in node.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

from tests import records
from tests.engines import Make, any_game, kernel_as_python, one_game
from tests.exporting import paged
from tests.fuzz.targets import Finding, compiled
from tests.fuzz.work import TooMuchWork, bounded
from tests.fuzz.workers import any_memory
from tests.fuzz.writer import Writer
from zrf_py.ir.ops import Program
from zrf_py.native import Native
from zrf_py.native.agree import Disagreement, agree
from zrf_py.native.code import is_small
from zrf_py.play.game import Game, Position
from zrf_py.play.perft import perft
from zrf_py.play.position_text import position_text, read_position, same
from zrf_py.run.faults import RulesFault
from zrf_py.run.rules import Rules

PLIES = 12
WORK = 400_000
"""Maximum number of operations of the interpreter for one game."""
PYTHON, OWN, PAGE = 12, 60, 60
"""One game in `PYTHON` is played by the kernel as Python, one in `OWN` by own code, one in `PAGE` by a page in node."""


class Games:
    """A generated game has no errors, and its engines, counts, texts of positions and saved games agree."""

    ending = ".zrf"

    def __init__(self, corpus: Path | None = None) -> None:
        pass

    def make(self, random: Random) -> bytes:
        return Writer(random).text.encode()

    def run(self, data: bytes) -> None:
        programs, report = compiled(data)
        if report.errors or len(programs) != 1:
            raise Finding(f"no sound game: {report.errors[:1]}")
        with bounded(WORK):
            self.holds(programs[0], sum(data))

    def holds(self, program: Program, number: int) -> None:
        """Check the invariants of a game without errors; `number` selects the engines."""
        plays_alike(program, number, any_game)
        counts_alike(program)
        comes_back(program, number)
        if number % PYTHON == 0:
            with suppress(TooMuchWork), bounded(WORK // 20):  # an endless block takes many seconds as Python
                plays_alike(program, number, kernel_as_python)
        if number % OWN == 1 and (layout := Native(program).machine.layout) and is_small(layout):
            plays_alike(program, number, one_game)
        if number % PAGE == 2:
            pages_alike(program, number)


def plays_alike(program: Program, seed: int, make: Make) -> None:
    found = agree(program, seed, PLIES, make(program))
    if isinstance(found, Disagreement):
        raise Finding(f"{make.__name__}: {found}")


def answer(question: Callable[[], object]) -> object:
    """Return the answer, or the code of the fault."""
    try:
        return question()
    except RulesFault as fault:
        return fault.diagnostics[0].code


def counts_alike(program: Program) -> None:
    """Compare the counts of move sequences two plies deep."""
    rules, engine = Rules(program), any_game(program)
    here = answer(lambda: perft(rules, rules.start(), 2))
    there = answer(lambda: perft(engine, engine.start(), 2))
    if here != there:
        raise Finding(f"perft 2: {here} by the interpreter, {there} by the kernel")


def comes_back(program: Program, seed: int) -> None:
    """Check that positions and a saved game can be read back from their texts."""
    game, random = records.game_of(program), Random(seed)
    with suppress(RulesFault):
        end = records.play(game, random.randint(1, 2 * PLIES), random)
        for position in end.line():
            text = position_text(program, position.state)
            again = read_position(program, text)
            if same(program, again) != same(program, position.state) or position_text(program, again) != text:
                raise Finding(f"the text of a position is read as another one: {text}")
        if told_apart(end) and (lost := records.fault(end)):
            raise Finding(f"a saved game can't be read back: {lost}")


def told_apart(end: Position) -> bool:
    """Return whether no move of a game shares its notation with another move of the same position.

    The notation of saved games shows neither the square where a move began, if no man stood there, nor whether a man
    that appears came from the store.
    """
    return all([(other.is_partial, sorted(other.parts)) for other in position.previous.moves()].count(
        (position.move.is_partial, sorted(position.move.parts))) == 1
        for position in end.line() if position.previous and position.move)


def pages_alike(program: Program, seed: int) -> None:
    """Check that the engine of a page counts, plays and replays like ours."""
    game, engine = Game(program), Native(program)
    with tempfile.TemporaryDirectory() as folder, any_memory(), paged(game, Path(folder)) as page:
        for depth in (1, 2):
            here, (there, error) = answer(partial(engine.perft, engine.start(), depth)), page("perft", depth)
            if engine.asked:
                return  # too large for machine code, the only engine of a page
            if isinstance(here, str) != bool(error) or (not error and here != there):
                raise Finding(f"page, perft {depth}: {here} here, {there} there, error {error}")
            if error:
                return
        with suppress(RulesFault):
            end = records.play(game, PLIES, Random(seed))
            if told_apart(end) and (lost := records.fault_in_page(page, end)):
                raise Finding(f"page, saved game: {lost}")
