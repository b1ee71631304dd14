"""Boards on disk: one JSON file each, replaced atomically, so that games survive a restart of the server.

A change is appended to a journal (`journal.py`) at once and written to the board's file soon after; at the start, the
server writes what the last one left in the journal. A save that fails returns the reason.

A folder holds at most `MAX_STORED` boards. A game in progress is never removed for somebody else's tables: if there is
no room, no board is created.
"""

import json
import os
import re
import threading
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zrf_py.cache import state_base
from zrf_py.paths import replace_file
from zrf_py.serve.journal import Journal
from zrf_py.text.diagnostics import Diagnostic, ZrfError

MAX_STORED = 2_000
MAX_OF_MAKER = 1_000
"""Maximum number of boards created from one address."""
MAX_UNUSED = 200
"""Maximum number of boards of one address without a move; a new one replaces the oldest."""
UNUSED_SECONDS = 3_600
KEPT_DAYS = 30
"""Number of days after its last move during which a game is never removed."""
MAX_BYTES = 1 << 20
TOO_LARGE = "the board is too large"
"""The reason for not storing a board that exceeds `MAX_BYTES`."""
ID = re.compile(r"[A-Za-z0-9_-]{12,24}")


def default_folder() -> Path:
    """Return the folder for this user's boards."""
    return state_base() if os.environ.get("ZRF_STATE") else state_base() / "boards"


def reason(error: OSError) -> str:
    """Return the cause of an error in the system's words."""
    return error.strerror or str(error)


@dataclass(frozen=True)
class Facts:
    """Facts that decide how long a board is kept: its maker, whether a user has moved, the time of the last move."""

    id: str
    maker: str
    used: bool
    touched: float


UNREAD: dict[str, Facts] = {}


class Store:
    """A folder of boards; `folder` None: nothing is stored. `problem`: why the folder `wish` can't be used, or ""."""

    def __init__(self, folder: Path | None) -> None:
        self.wish = self.folder = folder
        self.problem = ""
        self.journal: Journal | None = None
        self._known = UNREAD
        self._lock = threading.RLock()
        """Held while boards are written or counted: other threads do so, too."""
        if folder is not None:
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                self.folder, self.problem = None, reason(error)

    def claim(self, address: str = "") -> None:
        """Lock the folder, and write to files what a server that ended suddenly left in its journal.

        :raises ZrfError: if another server owns it, or those boards can't be written.
        """
        if self.folder is None or self.journal is not None:
            return
        try:
            self.journal = Journal(self.folder, address)
        except OSError as error:
            self.folder, self.problem = None, reason(error)
            return
        for half in self.folder.glob(".*.json.*"):
            half.unlink(missing_ok=True)
        for id, board in self.journal.boards().items():
            if ID.fullmatch(id) and (problem := self._put(id, board)):
                self.release()
                raise ZrfError([Diagnostic(
                    "unwritable", f"boards from the last run of the server can't be written: {problem}", None,
                    notes=(f"they are in {self.folder}",),
                    help="free some disk space and start again, or use another folder with `--state FOLDER`")])
        self._force()
        self.journal.clear()

    def release(self) -> None:
        """Unlock the folder."""
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    def note(self, id: str, board: dict[str, Any] | None) -> str:
        """Append a board to the journal (None: it was removed); return the reason if that fails, else ""."""
        data = _encoded(board)
        if len(data) > MAX_BYTES:
            return TOO_LARGE
        if self.journal is not None:
            try:
                self.journal.append(id, data)
            except OSError as error:
                return reason(error)
        return self.problem

    def save(self, id: str, board: dict[str, Any], is_wanted: Callable[[], bool] = lambda: True) -> str:
        """Write a board to its file; return the reason if that fails, else "".

        :param is_wanted: called just before writing, since the board may have been removed in the meantime.
        """
        if self.folder is None or not ID.fullmatch(id):
            return self.problem
        with self._lock:
            if not is_wanted():
                return ""
            self._facts()
            self._known[id] = _facts(id, board)
            return self._put(id, board)

    def save_all(self, boards: Iterable[tuple[str, dict[str, Any], Callable[[], bool]]]) -> list[str]:
        """Write boards to their files and flush them to disk; return for each the reason if that fails, else ""."""
        problems = [self.save(*board) for board in boards]
        self._force()
        return problems

    def _put(self, id: str, board: dict[str, Any] | None) -> str:
        """Replace the file of a board, or remove it; return the reason if that fails, else ""."""
        assert self.folder is not None
        path = self.folder / f"{id}.json"
        try:
            if board is None:
                path.unlink(missing_ok=True)
                return ""
            if len(data := _encoded(board)) > MAX_BYTES:
                return TOO_LARGE
            replace_file(path, data)
        except OSError as error:
            return reason(error)
        return ""

    def _force(self) -> None:
        """Flush the names of new files to disk, on systems that can."""
        if self.folder is not None:
            with suppress(OSError):
                handle = os.open(self.folder, os.O_RDONLY)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)

    def load(self, id: str) -> dict[str, Any] | None:
        """Load a board; None if there is none or the file is damaged."""
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
        """Remove a board."""
        if self.folder is not None and ID.fullmatch(id):
            with self._lock, suppress(OSError):
                self._known.pop(id, None)
                self.note(id, None)
                (self.folder / f"{id}.json").unlink()

    def make_room(self, maker: str, watched: Collection[str] = ()) -> bool:
        """Return whether an address may create another board, after removing boards that nobody will miss.

        Games with a user's move within `KEPT_DAYS` and boards in `watched` always stay. Unused boards go first: those
        of the maker beyond `MAX_UNUSED`, then any that are older than an hour.
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
        """Remove up to `surplus` boards that may go, unused ones first, then the longest untouched; 0: the boards
        beyond `MAX_STORED`. Return how many were removed."""
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
        """Return the facts of all boards, those longest untouched first; they are read from disk once."""
        with self._lock:
            if self._known is UNREAD and self.folder is not None:
                self._known = {}
                for path in self.folder.glob("*.json"):
                    if board := self.load(path.stem):
                        self._known[path.stem] = _facts(path.stem, board)
            return sorted(self._known.values(), key=lambda f: f.touched)


def _encoded(board: dict[str, Any] | None) -> bytes:
    return json.dumps(board, ensure_ascii=False).encode("utf-8", "replace")


def _facts(id: str, board: dict[str, Any]) -> Facts:
    touched = board.get("touched")
    return Facts(id, str(board.get("maker", "")), bool(board.get("used", board.get("line"))),
                 float(touched) if isinstance(touched, (int, float)) else 0.0)
