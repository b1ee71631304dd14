"""The files that pages consist of, read from disk: scripts, markup, styles, texts, and the linked kernel."""

from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
FOLDERS = (_HERE.parent / "serve" / "static", _HERE / "static", _HERE / "site-static")


@cache
def modules() -> dict[str, str]:
    """Return the scripts by name, without `.js`; among files with the same name, the last one counts."""
    return {path.stem: path.read_text("utf-8") for folder in FOLDERS for path in sorted(folder.glob("*.js"))}


@cache
def text_of(name: str) -> str:
    """Return the text of a file that is no script: markup, style or words."""
    return next(path / name for path in reversed(FOLDERS) if (path / name).exists()).read_text("utf-8")


@cache
def server_script(name: str) -> str:
    """Return the script of this name that pages with a server use; pages without a server may have their own."""
    return (FOLDERS[0] / f"{name}.js").read_text("utf-8")


KERNEL, COMMON = (Path(__file__).with_name(name) for name in ("kernel.bin", "common.bin"))
"""Files that only the package for browsers contains: the linked kernel for any game, after 4 bytes with the end of its
memory; the tables of a small game, which serve as a preset dictionary for compressing those of other games."""


def content_of(path: Path) -> bytes:
    """Return the bytes of a file that becomes part of a site or an archive."""
    return path.read_bytes()


@cache
def shipped(path: Path) -> bytes:
    """Return the contents of a file that only the package for browsers contains; b"" if it doesn't exist."""
    return path.read_bytes() if path.exists() else b""
