"""Boards on disk: a JSON file each, replaced as a whole, so that games outlive a restart of the server.

A folder holds at most `MAX_STORED` of them; the longest untouched go first.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from zrf_py.play.zsg import replace_file

MAX_STORED = 1_000
MAX_BYTES = 1 << 20
ID = re.compile(r"[A-Za-z0-9_-]{12,24}")


def default_folder() -> Path:
    """Where the boards of this user are kept."""
    if base := os.environ.get("ZRF_STATE"):
        return Path(base)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "zrf_py" / "boards"
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "zrf_py" / "boards"


class Store:
    """A folder of boards; without one (`None`, or where the disk says no) nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        if folder is not None:
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError:
                self.folder = None

    def save(self, id: str, board: dict[str, Any]) -> None:
        """Keep a board; what is too large or can't be written is left out."""
        if self.folder is None or not ID.fullmatch(id):
            return
        data = json.dumps(board, ensure_ascii=False).encode("utf-8", "replace")
        if len(data) <= MAX_BYTES:
            with suppress(OSError):
                replace_file(self.folder / f"{id}.json", data)

    def load(self, id: str) -> dict[str, Any] | None:
        """A board, None if there is none or the file is damaged."""
        if self.folder is None or not ID.fullmatch(id):
            return None
        path = self.folder / f"{id}.json"
        try:
            if path.stat().st_size > MAX_BYTES:
                return None
            board = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        return board if isinstance(board, dict) else None

    def prune(self) -> int:
        """Remove the longest untouched boards beyond the limit; how many went."""
        if self.folder is None:
            return 0
        found = []
        for path in self.folder.glob("*.json"):
            with suppress(OSError):
                found.append((path.stat().st_mtime, path))
        surplus = sorted(found)[: max(0, len(found) - MAX_STORED)]
        for _, path in surplus:
            with suppress(OSError):
                path.unlink()
        return len(surplus)
