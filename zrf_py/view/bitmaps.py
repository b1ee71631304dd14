"""Bitmaps of a rules file, converted to PNG with transparency; the only module that opens image files.

Only BMP and PNG are read, with limits of bytes and of pixels; pure green is transparent in pieces.
Needs Pillow (the extra `board`); without it there are no bitmaps.
"""

import base64
import io
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from zrf_py.paths import age_of, parts_of, same_name

MAX_BYTES = 16 * 1024 * 1024
MAX_PIXELS = 8 * 1024 * 1024
FORMATS = ("BMP", "PNG")
FOLDER = "images"
"""Name of the only sibling of the rules' folder from which bitmaps are read, as in Zillions."""
_GREEN = (0, 255, 0)


@cache
def available() -> bool:
    """Return True if Pillow is installed."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        return False
    return True


class Bitmaps:
    """Bitmaps that the rules file at `path` may use; none if `path` is None or Pillow is missing."""

    def __init__(self, path: Path | None) -> None:
        self.folder = path.resolve().parent if path is not None and available() else None
        self._paths: dict[str, Path | None] = {}

    def first(self, names: Iterable[str]) -> tuple[str, Path] | None:
        """Return (key, path) of the first usable file, or None; the key is its path relative to the folder's parent."""
        for name in names:
            if name not in self._paths:
                self._paths[name] = self._find(name)
            path = self._paths[name]
            if path is not None and self.folder is not None:
                return path.relative_to(self.folder.parent).as_posix(), path
        return None

    def _find(self, name: str) -> Path | None:
        files = companions(self.folder, name, FOLDER) if self.folder else ()
        return next((path for path in files if size_of(path) is not None), None)


def companions(folder: Path, name: str, sibling: str) -> Iterator[Path]:
    """Yield the files that a name in a rules file of `folder` may mean: within the folder, or within its sibling folder
    `sibling`. `..` in the name is ignored, and symbolic links must not lead elsewhere."""
    parts = [part for part in parts_of(name) or () if part not in (".", "..")]
    for base in (folder, folder.parent) if parts else ():
        path = same_name(base, parts)
        if path is not None and path.is_file():
            real = path.resolve()
            top = real.relative_to(folder.parent).parts[0] if real.is_relative_to(folder.parent) else ""
            if real.is_relative_to(folder) or (top.casefold() == sibling and real.parent != folder.parent):
                yield path


def size_of(path: Path) -> tuple[int, int] | None:
    """Return width and height in pixels; None if the file is not a readable BMP or PNG within the limits."""
    return _size(path, age_of(path))


def as_png(path: Path, transparent: bool) -> bytes:
    """Convert a bitmap to PNG; `transparent` makes pure green pixels transparent. b"" if it can't be read."""
    return _png(path, transparent, age_of(path))


def pixels(picture: bytes) -> tuple[int, int, bytes]:
    """Decode a trusted PNG into width, height and RGB pixels, composed on white, row by row."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        drawing = image.convert("RGBA")
    ground = Image.new("RGBA", drawing.size, "white")
    return *drawing.size, Image.alpha_composite(ground, drawing).convert("RGB").tobytes()


def data_uri(path: Path, transparent: bool) -> str:
    """Return a bitmap as a `data:` URI that contains a PNG."""
    return "data:image/png;base64," + base64.b64encode(as_png(path, transparent)).decode("ascii")


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
        mask = ImageChops.lighter(ImageChops.lighter(difference[0], difference[1]), difference[2])
        picture.putalpha(mask.point([0] + [255] * 255))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
