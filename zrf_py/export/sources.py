"""The files that pages consist of, read from disk: scripts, markup, styles, texts, and the linked kernel."""

from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
FOLDERS = (_HERE.parent / "serve" / "static", _HERE / "static", _HERE / "site-static")


@cache
def modules() -> dict[str, str]:
    """Return the scripts by name, without `.js`; of files with the same name the last counts."""
    return {path.stem: path.read_text("utf-8") for folder in FOLDERS for path in sorted(folder.glob("*.js"))}


@cache
def text_of(name: str) -> str:
    """Return the text of a file other than scripts: markup, style or words."""
    return next(path / name for path in reversed(FOLDERS) if (path / name).exists()).read_text("utf-8")


@cache
def server_script(name: str) -> str:
    """Return the script for pages with a server, where pages without one have another script of the same name."""
    return (FOLDERS[0] / f"{name}.js").read_text("utf-8")


KERNEL = Path(__file__).with_name("kernel.bin")
"""The linked kernel for any game, where a browser runs this package."""


def content_of(path: Path) -> bytes:
    """Return the bytes of a file of the package or of its parts."""
    return path.read_bytes()


@cache
def linked_kernel() -> bytes:
    """Return the linked kernel shipped with a site's package (the first 4 bytes are its end of memory), or b""."""
    return KERNEL.read_bytes() if KERNEL.exists() else b""
