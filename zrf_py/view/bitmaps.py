"""Bitmaps beside a rules file → PNG with transparency; the only place that opens pictures.

A name in a rules file leads at most to the folder of the file and the folders below it, and to a folder `images` beside
that folder, which is where the original keeps them. Only BMP and PNG are read, with limits of bytes and of pixels;
pure green is transparent in pieces. Needs Pillow (the extra `board`); without it there are no bitmaps.
"""

import base64
import io
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from zrf_py.paths import parts_of, same_name

MAX_BYTES = 16 * 1024 * 1024
MAX_PIXELS = 8 * 1024 * 1024
FORMATS = ("BMP", "PNG")
_GREEN = (0, 255, 0)


@cache
def available() -> bool:
    """Whether Pillow is installed."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        return False
    return True


class Bitmaps:
    """The bitmaps that the rules file at `path` may use."""

    def __init__(self, path: Path | None) -> None:
        self.folder = path.resolve().parent if path is not None and available() else None
        self._found: dict[str, Path | None] = {}

    def first(self, names: Iterable[str]) -> tuple[str, Path] | None:
        """The first of several files that can be used: a key for it, and where it is."""
        for name in names:
            if name not in self._found:
                self._found[name] = self._find(name)
            path = self._found[name]
            if path is not None and self.folder is not None:
                return path.relative_to(self.folder.parent).as_posix(), path
        return None

    def _find(self, name: str) -> Path | None:
        wanted = parts_of(name)
        if self.folder is None or wanted is None:
            return None
        parts = [p for p in wanted if p not in (".", "..")]
        for base in (self.folder, self.folder.parent):
            path = same_name(base, parts) if parts else None
            if path is not None and path.is_file() and self._is_allowed(path) and size_of(path) is not None:
                return path
        return None

    def _is_allowed(self, path: Path) -> bool:
        assert self.folder is not None
        real = path.resolve()
        beside = real.relative_to(self.folder.parent).parts if real.is_relative_to(self.folder.parent) else ("",)
        return real.is_relative_to(self.folder) or (len(beside) > 1 and beside[0].casefold() == "images")


def size_of(path: Path) -> tuple[int, int] | None:
    """Width and height; None if it is no picture that may be used."""
    return _size(path, _age(path))


def as_png(path: Path, transparent: bool) -> bytes:
    """The picture as PNG; `transparent`: where it is pure green nothing is seen. Empty if it can't be read."""
    return _png(path, transparent, _age(path))


def pixels(picture: bytes) -> tuple[int, int, bytes]:
    """Width, height and the pixels of a PNG picture of our own: three bytes each, on white, row by row."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        seen = image.convert("RGBA")
    ground = Image.new("RGBA", seen.size, "white")
    return *seen.size, Image.alpha_composite(ground, seen).convert("RGB").tobytes()


def data_uri(path: Path, transparent: bool) -> str:
    """The picture as a `data:` address."""
    return "data:image/png;base64," + base64.b64encode(as_png(path, transparent)).decode("ascii")


def _age(path: Path) -> int:
    """When a file was written, so that a changed one is read again."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=4096)
def _size(path: Path, age: int) -> tuple[int, int] | None:
    from PIL import Image

    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        with Image.open(path, formats=FORMATS) as image:
            return image.size if 0 < image.width * image.height <= MAX_PIXELS else None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        return None


@lru_cache(maxsize=256)
def _png(path: Path, transparent: bool, age: int) -> bytes:
    from PIL import Image, ImageChops

    if _size(path, age) is None:
        return b""
    try:
        with Image.open(path, formats=FORMATS) as image:
            picture = image.convert("RGB" if transparent else "RGBA")
    except (OSError, ValueError, SyntaxError):
        return b""
    if transparent:
        difference = ImageChops.difference(picture, Image.new("RGB", picture.size, _GREEN)).split()
        seen = ImageChops.lighter(ImageChops.lighter(difference[0], difference[1]), difference[2])
        picture.putalpha(seen.point([0] + [255] * 255))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
