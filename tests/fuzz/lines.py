"""Mutated typed or pasted text: moves, and positions as lines of text. Cheap enough to try a million."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

from tests import records
from tests.fuzz import stock
from tests.fuzz.games import answer
from tests.fuzz.mutations import spoil
from tests.fuzz.targets import Finding, compiled
from tests.fuzz.work import bounded
from tests.fuzz.writer import Writer
from tests.playing import RULES
from zrf_py.library import load_file
from zrf_py.play.game import Position
from zrf_py.play.position_text import position_text, read_position, same
from zrf_py.run.faults import RulesFault
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import ZrfError

MADE_UP = 12
"""Number of generated games, whose positions are used beside those of the shelf."""
PLIES = 8
INTERPRETED = 20
"""The moves of one position in `INTERPRETED` are compared with the interpreter, too."""


def positions() -> list[Position]:
    """Return positions of random games of the shelf and of generated games, with their histories."""
    shelf = [stock.quick(load_file(RULES / f"{name}.zrf").programs[0]) for name in stock.RECORDED]
    made = [stock.quick(compiled(Writer(Random(seed)).text.encode())[0][0]) for seed in range(MADE_UP)]
    found: list[Position] = []
    for game in shelf + made:
        with suppress(RulesFault):
            found += records.play(game, PLIES, Random(len(found))).line()
    return [position for position in found if position.state.result is None]


class OfPositions:
    """An input begins with the number of its position, two bytes."""

    ending = ".txt"

    def __init__(self, corpus: Path | None = None) -> None:
        self.positions = positions()
        self.texts = [position.text.encode() for position in self.positions]

    def make(self, random: Random) -> bytes:
        number = random.randrange(len(self.positions))
        return number.to_bytes(2, "big") + self.line(number, random)

    def line(self, number: int, random: Random) -> bytes:
        raise NotImplementedError

    def run(self, data: bytes) -> None:
        position = self.positions[int.from_bytes(data[:2], "big")]
        with suppress(ZrfError):
            self.holds(position, data[2:].decode("utf-8", "replace"))

    def holds(self, position: Position, line: str) -> None:
        """Check the invariants of a line typed in a position."""
        raise NotImplementedError


class Positions(OfPositions):
    """A line is refused or read as a position, which can be read back from its text and from which engines play on."""

    def line(self, number: int, random: Random) -> bytes:
        return spoil(self.texts[number], self.texts, random)

    def holds(self, position: Position, line: str) -> None:
        game = position.game
        state = read_position(game.program, line)
        text = position_text(game.program, state)
        again = read_position(game.program, text)
        if same(game.program, state) != same(game.program, again) or position_text(game.program, again) != text:
            raise Finding(f"read, written and read again it is another position: {text}")
        here = answer(partial(game.engine.moves, state))
        if len(line) % INTERPRETED == 0:
            with bounded():
                defined = answer(partial(Rules(game.program).moves, state))
            if here != defined:
                raise Finding(f"{here} by the kernel, {defined} by the interpreter: {text}")


class Typed(OfPositions):
    """A line is a legal move or is refused with a message; the notation of a move that was read can be typed, too."""

    def __init__(self, corpus: Path | None = None) -> None:
        super().__init__(corpus)
        self.moves: dict[int, list[bytes]] = {}

    def line(self, number: int, random: Random) -> bytes:
        if number not in self.moves:
            with suppress(RulesFault):
                self.moves[number] = [move.text.encode() for move in self.positions[number].moves()]
        moves = self.moves.get(number) or [b"a1 a2"]
        return spoil(random.choice(moves), moves, random)

    def holds(self, position: Position, line: str) -> None:
        move = position.find(line)
        if move not in position.moves():
            raise Finding(f"`{line}` is read as a move that isn't legal: {move}")
        if position.find(move.text).text != move.text:
            raise Finding(f"`{line}` is read as `{move}`, which is read as another one")
