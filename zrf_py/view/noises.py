"""Sound files of a rules file, by event on the board."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from zrf_py.play.game import Game
from zrf_py.view.bitmaps import companions

NAMED = {"move": ("move-sound", "release-sound"), "take": ("capture-sound",), "drop": ("drop-sound",),
         "end": ("win-sound", "draw-sound", "loss-sound")}
"""Event → keywords of the rules that name its sound; the first with an existing file is used."""
MAX_BYTES = 2 << 20
FOLDER = "audio"
"""Name of the only sibling of the rules' folder from which sounds are read, as in Zillions."""


def noises(game: Game) -> dict[str, Path]:
    """Return the existing sound file of each event."""
    texts = game.program.game.texts
    files = {kind: next(_files(game.path, [texts.get(word, "") for word in words]), None)
             for kind, words in NAMED.items()}
    return {kind: path for kind, path in files.items() if path}


def noise(game: Game, kind: str) -> bytes:
    """Return the sound of an event as WAV bytes; b"" if there is none."""
    path = noises(game).get(kind)
    return path.read_bytes() if path else b""


def _files(rules: Path | None, names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        if rules and name.strip().casefold().endswith(".wav"):
            yield from (path for path in companions(rules.resolve().parent, name, FOLDER)
                        if path.stat().st_size <= MAX_BYTES)
