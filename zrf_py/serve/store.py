"""Boards on disk: a JSON file each, replaced as a whole, so that games outlive a restart of the server.

A folder holds at most `MAX_STORED` of them. Nobody's running game goes for somebody else's tables: where there is no
room for another board, there will be none.
"""

import json
import os
import re
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zrf_py.cache import state_base
from zrf_py.play.zsg import replace_file

MAX_STORED = 2_000
MAX_OF_MAKER = 1_000
"""Boards of one address."""
MAX_UNUSED = 200
"""Boards of one address on which nobody has moved yet; for another one its oldest goes."""
UNUSED_SECONDS = 3_600
KEPT_DAYS = 30
"""So long after its last move a game is kept for certain."""
MAX_BYTES = 1 << 20
ID = re.compile(r"[A-Za-z0-9_-]{12,24}")


def default_folder() -> Path:
    """Where the boards of this user are kept."""
    return state_base() if os.environ.get("ZRF_STATE") else state_base() / "boards"


@dataclass(frozen=True)
class Facts:
    """What decides how long a board is kept: who made it, whether people have moved, when the last move was."""

    id: str
    maker: str
    used: bool
    touched: float


UNREAD: dict[str, Facts] = {}


class Store:
    """A folder of boards; without one (`None`, or where the disk says no) nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._known = UNREAD
        self._lock = threading.RLock()
        """Boards are written and counted in threads."""
        if folder is not None:
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError:
                self.folder = None

    def save(self, id: str, board: dict[str, Any], wanted: Callable[[], bool] = lambda: True) -> None:
        """
        Keep a board; what is too large or can't be written is left out.

        :param wanted: asked when its turn has come: a board may have been removed while it waited to be written.
        """
        if self.folder is None or not ID.fullmatch(id):
            return
        data = json.dumps(board, ensure_ascii=False).encode("utf-8", "replace")
        if len(data) <= MAX_BYTES:
            with self._lock, suppress(OSError):
                if wanted():
                    self._facts()
                    self._known[id] = _facts(id, board)
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

    def remove(self, id: str) -> None:
        """Forget a board."""
        if self.folder is not None and ID.fullmatch(id):
            with self._lock, suppress(OSError):
                self._known.pop(id, None)
                (self.folder / f"{id}.json").unlink()

    def make_room(self, maker: str, watched: Collection[str] = ()) -> bool:
        """
        Whether one more board may be made from an address; boards that nobody will miss may have to go for it.

        Never a game that people have moved in within `KEPT_DAYS`, nor one of `watched`. What goes first are boards on
        which nobody ever moved: those of the maker beyond `MAX_UNUSED`, then all that are older than an hour.
        """
        if self.folder is None:
            return True
        own = [f for f in self._facts() if f.maker == maker and f.id not in watched]
        self._drop([f for f in own if not f.used][: -MAX_UNUSED + 1])
        if sum(f.maker == maker for f in self._facts()) >= MAX_OF_MAKER:
            self.prune(watched, surplus=1)
        all_of = list(self._facts())
        if len(all_of) >= MAX_STORED:
            self.prune(watched, surplus=len(all_of) - MAX_STORED + 1)
        all_of = list(self._facts())
        return len(all_of) < MAX_STORED and sum(f.maker == maker for f in all_of) < MAX_OF_MAKER

    def prune(self, watched: Collection[str] = (), surplus: int = 0) -> int:
        """Remove boards that may go, the longest untouched first, until `surplus` have or so many are left as may be
        kept; how many went."""
        facts = self._facts()
        now = time.time()
        surplus = surplus or len(facts) - MAX_STORED
        old = [f for f in facts if f.id not in watched
               and now - f.touched > (KEPT_DAYS * 86_400 if f.used else UNUSED_SECONDS)]
        return self._drop(sorted(old, key=lambda f: (f.used, f.touched))[: max(0, surplus)])

    def _drop(self, facts: list[Facts]) -> int:
        for f in facts:
            self.remove(f.id)
        return len(facts)

    def _facts(self) -> list[Facts]:
        """What is known of all boards, the longest untouched first; read once from the disk."""
        with self._lock:
            if self._known is UNREAD and self.folder is not None:
                self._known = {}
                for path in self.folder.glob("*.json"):
                    if board := self.load(path.stem):
                        self._known[path.stem] = _facts(path.stem, board)
            return sorted(self._known.values(), key=lambda f: f.touched)


def _facts(id: str, board: dict[str, Any]) -> Facts:
    touched = board.get("touched")
    return Facts(id, str(board.get("maker", "")), bool(board.get("used", board.get("line"))),
                 float(touched) if isinstance(touched, (int, float)) else 0.0)
