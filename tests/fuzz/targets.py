"""Targets: how inputs are made, and what must hold for them. Findings are raised as errors; a `ZrfError` isn't one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Protocol

from tests import records
from tests.engines import any_game, one_game
from tests.fuzz import stock
from tests.fuzz.mutations import spoil
from tests.fuzz.work import bounded
from zrf_py.author.format.layout import formatted, words
from zrf_py.compile import compile_source
from zrf_py.front.decode import decode
from zrf_py.ir.ops import Program
from zrf_py.native.agree import Disagreement, agree
from zrf_py.play.game import Game
from zrf_py.play.replay import replay
from zrf_py.play.zsg import read_game, write_game
from zrf_py.run.faults import RulesFault
from zrf_py.text.diagnostics import Report, ZrfError
from zrf_py.text.render import render
from zrf_py.text.source import Source

PLIES = 8
TITLES = 2
STYLED = 8
"""One text in `STYLED` is also formatted, which takes longer than checking it."""
WHOLE = 20
"""One saved game in `WHOLE` is tried unchanged."""
COMPILED = 40
"""One file in `COMPILED` also gets code of its own."""


class Finding(AssertionError):
    """Something that must not happen."""


class Target(Protocol):
    """A target: `make` makes an input, `run` tries it and raises an error if something is wrong.

    It may also raise `TooMuchWork`: then everything checked so far was right.
    """

    ending: str

    def make(self, random: Random) -> bytes: ...

    def run(self, data: bytes) -> None: ...


def compiled(data: bytes) -> tuple[Sequence[Program], Report]:
    """Return the sound games of a file, and the report about it, after rendering its messages."""
    report = Report()
    try:
        programs = compile_source(Source("fuzz.zrf", decode(data)), lambda *_: None, report)
    except ZrfError as error:
        render(error.diagnostics)
        return (), report
    render(report)
    return [p for p in programs if not report.errors_of(p.game.number)], report


class OfRules:
    """Mutated rules files, each tried up to a limit on the interpreter's work."""

    ending = ".zrf"

    def __init__(self, corpus: Path | None = None) -> None:
        self.files = stock.rules(corpus)

    def make(self, random: Random) -> bytes:
        return spoil(stock.one_of(self.files, random), self.files, random)

    def run(self, data: bytes) -> None:
        with bounded():
            self.holds(data)

    def holds(self, data: bytes) -> None:
        raise NotImplementedError


class Front(OfRules):
    """Any text is read and checked, and its first game begins; formatting keeps the words and is idempotent."""

    def holds(self, data: bytes) -> None:
        programs, _ = compiled(data)
        if sum(data) % STYLED == 0:
            self._style(decode(data))
        with suppress(ZrfError):
            for program in programs[:1]:
                position = Game(program).start()
                for move in position.moves()[:1]:
                    position.play(move).outcome()

    def _style(self, text: str) -> None:
        style = formatted(text)
        if words(style) != words(text):
            raise Finding("the style changes the words")
        if formatted(style) != style:
            raise Finding("what is in the style is put into another")


class Engines(OfRules):
    """Machine code agrees with the interpreter on moves, their order, the positions after them, and faults."""

    def holds(self, data: bytes) -> None:
        programs, _ = compiled(data)
        for program in programs[:TITLES]:
            makers = [any_game, one_game] if sum(data) % COMPILED == 0 else [any_game]
            for make in makers:
                with suppress(ZrfError):
                    found = agree(program, sum(data), PLIES, make(program))
                    if isinstance(found, Disagreement):
                        raise Finding(f"{make.__name__}: {found}")


class Records:
    """Any text is a saved game that can be replayed up to some move, or is refused with a reason. What is read or
    replayed can be written and read again, and games that we wrote are replayed to their end."""

    ending = ".zsg"

    def __init__(self, corpus: Path | None = None) -> None:
        self.recorded = stock.saved_games() + (stock.real_saved_games(corpus) if corpus else [])
        self.texts = [r.data for r in self.recorded]

    def make(self, random: Random) -> bytes:
        number = random.randrange(len(self.recorded))
        text = self.texts[number]
        return bytes([number]) + (spoil(text, self.texts, random) if random.randrange(WHOLE) else text)

    def run(self, data: bytes) -> None:
        """Replay a saved game; its first byte is the number of its game."""
        try:
            saved = read_game(data[1:].decode("cp1252", errors="replace"))
        except ZrfError:
            return
        again = read_game(write_game(saved))
        if (again.entries, again.variant) != (saved.entries, saved.variant):
            texts = [(e.text, f.text) for e, f in zip(saved.entries, again.entries, strict=False) if e.text != f.text]
            if texts or len(saved.entries) != len(again.entries):
                raise Finding(f"written and read again it is another game: {texts[:2]}")
        recorded = self.recorded[data[0]]
        try:
            found = replay(recorded.game, saved)
        except RulesFault:
            return
        if found.stop and recorded.ours and data[1:] == recorded.data:
            raise Finding(f"a game we wrote stops: {found.stop}")
        if lost := records.fault(found.position, found.loose):
            raise Finding(f"what was followed can't be saved and read back: {lost}")
