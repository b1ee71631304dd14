"""The sounds that a rules file names: which there are for what happens on a board, and where."""

from collections.abc import Iterator
from pathlib import Path

from zrf_py.paths import parts_of, same_name
from zrf_py.play.game import Game

NAMED = {"move": ("move-sound", "release-sound"), "take": ("capture-sound",), "drop": ("drop-sound",),
         "end": ("win-sound", "draw-sound", "loss-sound")}
"""What happens → the words of the rules for it; the first whose file is there is heard."""
MAX_BYTES = 2 << 20
FOLDER = "audio"
"""Beside the folder of the rules only what is below one of this name may be heard, as the original keeps it."""


def noises(game: Game) -> dict[str, Path]:
    """What happens → its sound, for what the rules name one that is there."""
    texts = game.program.game.texts
    return {kind: path for kind, words in NAMED.items()
            for path in _files(game.path, (texts.get(word, "") for word in reversed(words)))}


def noise(game: Game, kind: str) -> bytes:
    """The sound for what happens; empty if there is none."""
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
