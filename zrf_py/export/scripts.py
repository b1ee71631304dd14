"""The files that pages are made of, as they stand on disk; those of boards with a server among them."""

from functools import cache
from pathlib import Path

FOLDERS = (Path(__file__).parent.parent / "serve" / "static", Path(__file__).parent / "static")


@cache
def modules() -> dict[str, str]:
    """Scripts by their names without `.js`; of two with one name ours counts."""
    return {path.stem: path.read_text("utf-8") for folder in FOLDERS for path in sorted(folder.glob("*.js"))}


@cache
def text_of(name: str) -> str:
    """Another file: markup, style, words."""
    return next(path / name for path in reversed(FOLDERS) if (path / name).exists()).read_text("utf-8")
