"""Checksums of the faces of a game (all that is public about it): programs, words, texts, drawings, ends, answers.

These are regression guards only: they do not show what is right, but any change that users notice alters one. They
cover games of the shelf, small odd games, and rules generated at random from the whole language.
After an intended change, `ZRF_WRITE_GOLDEN=1 python -m pytest tests/test_faces.py` regenerates the files of
`golden/faces/`; each line names its face.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from tests.fuzz.work import TooMuchWork, bounded
from tests.fuzz.writer import Writer
from tests.playing import ROOT
from tests.test_made_up_rules import program as made_up
from zrf_py.author.format.layout import formatted
from zrf_py.author.lint.linting import lint_source
from zrf_py.author.why.ends import why_end
from zrf_py.author.why.explainer import why_move
from zrf_py.author.why.page import as_text
from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import html, markdown
from zrf_py.cli import show
from zrf_py.cli.draw import BoardView, last_move_marks
from zrf_py.envs.fleet import Fleet
from zrf_py.export.facts import drawing, facts
from zrf_py.ir.show import show_piece
from zrf_py.library import load_file, named
from zrf_py.native import Native
from zrf_py.native.layout import lay_out
from zrf_py.play import reasons, standing
from zrf_py.play.aims import goal_places, goals_of
from zrf_py.play.facts import facts_of
from zrf_py.play.formats.record_files import FORMATS, written
from zrf_py.play.game import Game, Position
from zrf_py.play.players import Greedy, piece_values, random_turn
from zrf_py.play.prisoners import taken
from zrf_py.play.turn_text import turn_text
from zrf_py.play.zsg import record, write_game
from zrf_py.run.faults import RulesFault
from zrf_py.run.playouts import one_by_one
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source
from zrf_py.view.describe import describe, describe_game, describe_ply
from zrf_py.view.scene import scene
from zrf_py.view.svg import svg

GOLDEN = ROOT / "tests" / "golden" / "faces"
SHELF = {"tictactoe": 9, "chess": 24, "checkers": 30, "minishogi": 24, "nine-mens-morris": 22, "othello": 12,
         "connect-four": 14, "halma-2p": 8, "peg-solitaire": 12, "gefangen1-2p": 16, "tippy-nl-3p": 10, "amazons": 3,
         "catmouse-random": 12, "international-draughts": 16}
"""Games of the shelf, and the plies of a random game of each."""
LONG = {"chess", "gefangen1-2p", "amazons", "international-draughts"}
"""The games whose faces take longer than a second."""
FILES = sorted(path for folder in ("words", "transcripts", "sessions", "pictures")
               for path in (ROOT / "tests" / folder).glob("*.zrf") if path.stem != "bad")
SEEDS = range(16)
PLIES = 10
WORK = 60_000
"""Maximum number of interpreter operations for one face of a made-up game; a face that needs more has no checksum."""

Face = Callable[["Played"], Any]


class Played:
    """A game, with the positions of a random playout."""

    def __init__(self, game: Game, plies: int) -> None:
        self.game, self.program = game, game.program
        self.end = game.start()
        random = Random(5)
        with suppress(RulesFault):
            for _ in range(plies):
                if self.end.outcome() or not (moves := self.end.moves()):
                    break
                self.end = self.end.play(random.randrange(len(moves)))
        self.line = list(self.end.line())[::-1]

    @property
    def some(self) -> list[Position]:
        """The positions at the start, in the middle and at the end."""
        return list(dict.fromkeys((self.line[0], self.line[len(self.line) // 2], self.end)))


def program_itself(at: Played) -> Iterator[Any]:
    rules = at.program.game
    yield at.game.digest
    yield len(rules.board.places), len(rules.board.directions), len(rules.pieces), len(at.program.ops)
    for kind in range(len(rules.pieces)):
        yield from show_piece(at.program, kind)


def words(at: Played) -> Iterator[Any]:
    """Yield the rules in words, but not for games of `rules/` and `words/`, which `test_words.py` tests."""
    is_read = at.game.path and (at.game.path.parent.name == "words" or ROOT / "rules" in at.game.path.parents)
    for language in ("en", "de") if not is_read else ():
        page = rules_in_words(at.game, language)
        yield markdown(page) if language == "de" else html(page)


def cards(at: Played) -> Iterator[Any]:
    yield facts_of(at.program)
    yield describe_game(at.game)
    yield sorted(goal_places(at.program)), [sorted(goal) for goal in goals_of(at.program)]
    yield at.game.players, at.game.title, at.game.variants


def moves(at: Played) -> Iterator[Any]:
    for position in at.line:
        yield [(move.text, position.short(move)) for move in position.moves()]


def effects(at: Played) -> Iterator[Any]:
    for before, after in zip(at.line, at.line[1:], strict=False):
        assert after.move
        yield after.move.diff, describe_ply(before, after), turn_text(before, [after.move])
        yield sorted(taken(after).items())


def texts(at: Played) -> Iterator[Any]:
    for position in at.line:
        yield position.text, position.player, position.repetitions, position.in_turn, position.scores()
        yield sorted(position.pieces().items())
    yield at.end.key, repr(at.end)


def ends(at: Played) -> Iterator[Any]:
    for position in at.some:
        outcome = position.outcome()
        yield str(outcome), outcome
        yield standing.shown(at.program, position.state, outcome is not None)
        yield sorted(standing.supplies(at.program, position.state))
        yield as_text(position, why_end(position), True)
        yield reasons.royal_places(at.program, position.state, range(len(at.program.game.players)))


def answers(at: Played) -> Iterator[Any]:
    """Yield explanations of legal and illegal moves."""
    names = [place.name for place in at.program.game.board.places]
    for position in (at.line[0], at.end):
        for text in [move.text for move in position.moves()[:2]] + [f"{names[0]} {names[-1]}", names[len(names) // 2]]:
            try:
                yield as_text(position, why_move(position, text), True)
            except ZrfError as error:
                yield str(error)


def pictures(at: Played) -> Iterator[Any]:
    for position, overlays in zip(at.some, ((), ("zones",), ("links", "directions")), strict=False):
        yield svg(scene(position, overlays=overlays, targets=range(0, 40, 3)))
        yield describe(position)


def terminal(at: Played) -> Iterator[Any]:
    """Yield the board as text (coloured, with chess symbols, for wide and narrow windows), and parts of `zrf show`."""
    ways: tuple[dict[str, Any], ...] = ({}, {"color": True}, {"ascii": True, "room": 30}, {"figures": True})
    for number, options in enumerate(ways):
        view, position = BoardView(at.program, **options), at.some[number % len(at.some)]
        for columns, lines in ((0, 0), (120, 50), (50, 20)):
            if columns:
                view.fit(columns, lines)
            yield view.board(position.state, last_move_marks(position)), sorted(view.spots.items()), view.height
        yield view.stores(position.state), view.legend(position.state), view.names()
    view = BoardView(at.program)
    for part in (show._overview(at.game, view, at.end), show._pieces(at.game), show._options(at.game),
                 show._texts(at.game), show._zones(at.game, view)):
        yield [list(lines) if not isinstance(lines, str) else lines for lines in part]


def saved(at: Played) -> Iterator[Any]:
    """Yield the game in every format, or the reason why one can't express it."""
    entry = record(at.end, "game.zrf", "H" * len(at.game.players))
    yield write_game(entry)
    for kind in FORMATS:
        try:
            yield written(at.game, entry, kind, "a file")
        except ZrfError as error:
            yield error.diagnostics[0].message


def page(at: Played) -> Iterator[Any]:
    yield json.dumps([drawing(at.game), facts(at.game, lay_out(at.program))], default=str)


def counts(at: Played) -> Iterator[Any]:
    """Yield perft counts of the native engine, and the results of random games by it and by the interpreter."""
    engine, start = Native(at.program), at.line[0].state
    yield engine.perft(start, 2), engine.perft(at.end.state, 2), engine.asked
    yield engine.playouts(40, 3, 60, start), engine.turn_playouts(20, 3, 30)
    yield one_by_one(Rules(at.program), 3, 3, 20, start)


def fleets(at: Played) -> Iterator[Any]:
    """Yield the arrays of three games that the fleet plays at random."""
    with Fleet(at.game, 3, seed=4, max_plies=20) as fleet:
        yield fleet.players, fleet.action_count, fleet.planes
        yield [fleet.action_text(number) for number in range(min(fleet.action_count, 40))]
        for _ in range(6):
            shown = (fleet.legal, fleet.mask, fleet.observation, fleet.reward, fleet.done, fleet.truncated,
                     fleet.player)
            yield [(array.shape, crc32(array.tobytes())) for array in shown]
            fleet.step(fleet.sample())
        yield [fleet.position(slot).text for slot in range(3)]


def turns(at: Played) -> Iterator[Any]:
    """Yield the values of pieces and the choices of simple players."""
    engine = Rules(at.program)
    yield piece_values(at.program)
    greedy = Greedy(engine)
    for position in (at.line[0], at.line[len(at.line) // 2]):
        yield greedy.choose(position.state, Random(1)), random_turn(engine, position.state, Random(1))


FACES: tuple[Face, ...] = (program_itself, words, cards, moves, effects, texts, ends, answers, pictures, terminal,
                           saved, page, counts, fleets, turns)

def checksum(text: str) -> str:
    return f"{crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def line_of(face: Face, at: Played, limit: int = 0) -> str:
    """Return the line of one face: number of parts, length as text, checksum; or why there is no checksum."""
    try:
        if limit:
            with bounded(limit):
                parts = [repr(part) for part in face(at)]
        else:
            parts = [repr(part) for part in face(at)]
    except TooMuchWork:
        return f"  {face.__name__}: too much work"
    except ZrfError as error:
        return f"  {face.__name__}: {error.diagnostics[0].code}"
    text = "\n".join(parts).replace(str(ROOT), ".")
    return f"  {face.__name__}: {len(parts)} parts, {len(text)} characters {checksum(text)}"


def texts_of(source: Source, path: Path | None) -> str:
    """Return a line about a text: the number of lints; length and checksum of its formatted form with all messages."""
    linted = lint_source(source, path)
    found = [repr((one.code, one.message, one.label, one.notes, one.help, one.severity,
                   one.origin and one.origin.span.start))
             for one in (*linted.diagnostics, *(linted.lints or ()))]
    text = "\n".join([formatted(source.text), *found]).replace(str(ROOT), ".")
    return f"  {len(linted.lints or ())} findings, {len(text)} characters {checksum(text)}"


def compare(name: str, lines: list[str]) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    assert lines == path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", [name if name not in LONG else pytest.param(name, marks=pytest.mark.slow)
                                  for name in SHELF])
def test_faces_of_the_shelf_match_the_golden_file(name: str) -> None:
    path, variant = named(name, None)
    file = load_file(path)
    at = Played(Game(file.program(variant), path=file.path), SHELF[name])
    compare(name, [line_of(face, at) for face in FACES])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_faces_of_odd_games_match_the_golden_file(path: Path) -> None:
    file = load_file(path)
    lines = [texts_of(Source(path.name, path.read_text("utf-8")), path)]
    for program in file.programs:
        at = Played(Game(program, path=path), 8)
        lines += [f"{program.game.title}:", *(line_of(face, at) for face in FACES)]
    compare(f"{path.parent.name}-{path.stem}", lines)


@pytest.mark.parametrize("part", range(4))
def test_faces_of_random_rules_match_the_golden_file(part: int) -> None:
    lines = []
    for seed in SEEDS[part::4]:
        at = Played(Game(made_up(seed)), PLIES)
        text = Source("made-up.zrf", Writer(Random(seed)).text)
        lines += [f"{seed}:", texts_of(text, None), *(line_of(face, at, WORK) for face in FACES)]
    compare(f"made-up-{part}", lines)
