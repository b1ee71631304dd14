"""Sound files of a rules file, by event on the board."""

from collections.abc import Iterator
from pathlib import Path

from zrf_py.paths import parts_of, same_name
from zrf_py.play.game import Game

NAMED = {"move": ("move-sound", "release-sound"), "take": ("capture-sound",), "drop": ("drop-sound",),
         "end": ("win-sound", "draw-sound", "loss-sound")}
"""Event → keywords of the rules that name its sound; the first with an existing file is used."""
MAX_BYTES = 2 << 20
FOLDER = "audio"
"""Name of the only sibling of the rules' folder from which sounds are read, as in Zillions."""


def noises(game: Game) -> dict[str, Path]:
    """Return the existing sound file of each event."""
    texts = game.program.game.texts
    return {kind: path for kind, words in NAMED.items()
            for path in _files(game.path, (texts.get(word, "") for word in reversed(words)))}


def noise(game: Game, kind: str) -> bytes:
    """Return the sound of an event as WAV bytes; b"" if there is none."""
    path = noises(game).get(kind)
    return path.read_bytes() if path else b""


def _files(rules: Path | None, names: Iterator[str]) -> Iterator[Path]:
    folder = rules.resolve().parent if rules else None
    for name in names:
        parts = [p for p in parts_of(name) or () if p not in (".", "..")]
        if folder and parts and parts[-1].casefold().endswith(".wav"):
            near = [same_name(base, parts) for base in (folder, folder.parent)]
            yield from (path for path in near[:1] if path and _may_be_heard(path.resolve(), folder))
            yield from (path for path in near[1:] if path and parts[0].casefold() == FOLDER and not near[0]
                        and _may_be_heard(path.resolve(), folder.parent))


def _may_be_heard(real: Path, folder: Path) -> bool:
    return real.is_file() and real.is_relative_to(folder) and real.stat().st_size <= MAX_BYTES
