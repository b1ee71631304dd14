"""Material for inputs: the examples of the language, the shelf, and any further folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.engines import any_game
from tests.playing import RULES
from zrf_py.author.tests.pages import examples, wrap
from zrf_py.ir.ops import Program
from zrf_py.library import load_file
from zrf_py.play.game import Game
from zrf_py.play.zsg import encoded, record, write_game
from zrf_py.text.diagnostics import ZrfError

SPEC = Path(__file__).parent.parent / "spec"
LARGEST = 40_000
"""Maximum size in bytes of a file to mutate; small files are tried faster, and reveal as many errors."""
SHORT = 1_500
"""Maximum size in bytes of a real saved game to mutate."""
PLIES = 10
"""Maximum length in plies of the saved games of the shelf."""
RECORDED = ("tictactoe", "breakthrough", "checkers", "halma", "minishogi", "nine-mens-morris", "othello", "amazons",
            "connect-four", "chess")


def rules(corpus: Path | None = None) -> list[bytes]:
    """Return rules files: the examples as whole files, the shelf, and the files below `corpus`."""
    return [*_examples(), *_files([RULES, *([corpus] if corpus else [])], ".zrf")]


def one_of(files: list[bytes], random: Random) -> bytes:
    """Return one of the files, mostly the smallest of three drawn at random."""
    return min(random.choices(files, k=random.choice((1, 3, 3, 3))), key=len)


def _examples() -> Iterator[bytes]:
    for page in sorted(SPEC.glob("*.md")):
        for example in examples(page.read_text("utf-8")):
            yield wrap(example).text.encode()


def _files(folders: list[Path], ending: str) -> Iterator[bytes]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() == ending and path.is_file() and path.stat().st_size <= LARGEST:
                yield path.read_bytes()


@dataclass(frozen=True)
class Recorded:
    """A saved game, and the game that it records."""

    game: Game
    data: bytes
    ours: bool = False
    """True if zrf_py wrote the saved game."""


def quick(program: Program) -> Game:
    """Return a game on the machine code for any game, which answers sooner than the interpreter."""
    return Game(program, engine=any_game(program))


def saved_games() -> list[Recorded]:
    """Return saved random games of the shelf."""
    found = []
    for name in RECORDED:
        path = RULES / f"{name}.zrf"
        game = quick(load_file(path).programs[0])
        for seed in range(2):
            position = game.start()
            for _ in range(PLIES):
                if position.outcome() is not None:
                    break
                position = position.play(Random(seed * 100 + len(list(position.line()))).choice(position.moves()))
            found.append(Recorded(game, encoded(write_game(record(position, path.name, "HC"))), ours=True))
    return found


def real_saved_games(corpus: Path) -> list[Recorded]:
    """Return the small saved games below a folder, each beside a small rules file of the same name."""
    found = []
    for path in sorted(corpus.rglob("*")):
        if path.suffix.lower() != ".zsg" or path.stat().st_size > SHORT:
            continue
        beside = {p.name.casefold(): p for p in path.parent.iterdir() if p.suffix.lower() == ".zrf"}
        rules_file = beside.get(path.with_suffix(".zrf").name.casefold())
        if rules_file is None or rules_file.stat().st_size > LARGEST:
            continue
        try:
            programs = load_file(rules_file).programs
        except ZrfError:
            continue
        if programs:
            found.append(Recorded(quick(programs[0]), path.read_bytes()))
    return found
