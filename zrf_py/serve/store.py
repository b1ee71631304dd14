"""Boards on disk: a SQLite file in a folder that belongs to one server, so that games survive a restart.

Each change is committed to a log before it is acknowledged. SQLite syncs the log to the disk only now and then:
commits survive the process, however it ends; a power failure may lose the last few, but damages no board.

A folder holds at most `MAX_STORED` boards. A game with a move in the last `KEPT_DAYS` days is never removed to make
room for new boards: if there is no room, they are refused.
"""

import json
import os
import re
import sqlite3
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from zrf_py.cache import hold, key, state_base
from zrf_py.text.diagnostics import Diagnostic, ZrfError

FILE, LOCK = "boards.sqlite", "server"
MAX_STORED = 2_000
MAX_OF_MAKER = 1_000
"""Maximum number of boards created from one address."""
MAX_UNUSED = 200
"""Maximum number of boards without a move that one address may have; a new one replaces the oldest."""
UNUSED_SECONDS = 3_600
KEPT_DAYS = 30
"""Number of days after its last move during which a game is never removed."""
MAX_BYTES = 1 << 20
TOO_LARGE = "the board is too large"
"""Reason given if a board exceeds `MAX_BYTES` and is not stored."""
ID = re.compile(r"[A-Za-z0-9_-]{12,24}")
_TABLE = """
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS boards (
    id TEXT PRIMARY KEY, maker TEXT NOT NULL, used INTEGER NOT NULL, touched REAL NOT NULL, board BLOB NOT NULL);
"""


def default_folder(edited: str = "") -> Path:
    """Return the folder for this user's boards; boards of a rules file that is edited have a folder of their own."""
    folder = state_base() if os.environ.get("ZRF_STATE") else state_base() / "boards"
    return folder / f"edit-{key(os.path.realpath(edited))[:16]}" if edited else folder


@dataclass(frozen=True)
class Facts:
    """Facts that decide how long a board is kept: its maker, whether a user has moved, the time of the last move."""

    id: str
    maker: str
    used: bool
    touched: float


class Store:
    """The stored boards of a folder, open from `claim` to `release`; with folder None, none are stored. Thread-safe."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.problem = ""
        """The reason why the folder can't be used; "" if it can."""
        self._owner: BinaryIO | None = None
        self._db: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        """Held while a statement runs."""

    def claim(self, address: str = "", command: str = "zrf serve") -> None:
        """Lock the folder and open its boards; `address`, this server's URL, is shown to others that are refused.

        :raises ZrfError: if another server owns the folder; the message suggests `command` with another folder.
        """
        if self.folder is None or self._db is not None:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._owner = hold(self.folder / LOCK, wait=False)
            if self._owner is None:
                raise _owned(self.folder, command)
            self._owner.truncate(0)
            self._owner.write(f"{address}\n{os.getpid()}\n".encode())
            self._owner.flush()
            self._db = sqlite3.connect(self.folder / FILE, isolation_level=None, check_same_thread=False)
            self._db.executescript(_TABLE)
            self._adopt(self.folder)
        except (OSError, sqlite3.Error) as error:
            self.release()
            self.problem = getattr(error, "strerror", None) or str(error)

    def _adopt(self, folder: Path) -> None:
        """Import the boards that earlier releases stored in separate files, and remove these files."""
        for path in folder.glob("*.json"):
            with suppress(ValueError, RecursionError):
                board = json.loads(path.read_bytes())
                if ID.fullmatch(path.stem) and isinstance(board, dict) and not self.save(path.stem, board):
                    path.unlink()

    def release(self) -> None:
        """Close the boards and unlock the folder."""
        for held in (self._db, self._owner):
            if held is not None:
                held.close()
        self._db = self._owner = None

    def _run(self, statement: str, *values: Any) -> list[Any]:
        """Run a statement and return its rows; without an open folder there are none.

        :raises sqlite3.Error: if the disk is full or can't be read.
        """
        with self._lock:
            return self._db.execute(statement, values).fetchall() if self._db else []

    def save(self, id: str, board: dict[str, Any]) -> str:
        """Store a board; return the reason if that fails, else ""."""
        data = json.dumps(board, ensure_ascii=False).encode("utf-8", "replace")
        if len(data) > MAX_BYTES:
            return TOO_LARGE
        touched = board.get("touched")
        try:
            self._run("INSERT OR REPLACE INTO boards VALUES (?, ?, ?, ?, ?)", id, str(board.get("maker", "")),
                      bool(board.get("used", board.get("line"))),
                      float(touched) if isinstance(touched, (int, float)) else 0.0, data)
        except sqlite3.Error as error:
            return str(error)
        return self.problem

    def load(self, id: str) -> dict[str, Any] | None:
        """Load a board; None if there is none."""
        with suppress(sqlite3.Error):
            rows = self._run("SELECT board FROM boards WHERE id = ?", id) if ID.fullmatch(id) else []
            return dict(json.loads(rows[0][0])) if rows else None
        return None

    def remove(self, id: str) -> None:
        """Remove a board."""
        with suppress(sqlite3.Error):
            self._run("DELETE FROM boards WHERE id = ?", id)

    def make_room(self, maker: str, watched: Collection[str] = ()) -> bool:
        """Make room for another board of an address, by removing old boards; return False if there is none.

        Games with a user's move within `KEPT_DAYS` and boards in `watched` always stay. Unused boards go first: those
        of the maker beyond `MAX_UNUSED`, then any that are older than an hour.
        """
        own = [f for f in self._facts() if f.maker == maker and f.id not in watched]
        self._drop([f for f in own if not f.used][: -MAX_UNUSED + 1])
        if sum(f.maker == maker for f in self._facts()) >= MAX_OF_MAKER:
            self.prune(watched, surplus=1)
        all_of = self._facts()
        if len(all_of) >= MAX_STORED:
            self.prune(watched, surplus=len(all_of) - MAX_STORED + 1)
        all_of = self._facts()
        return len(all_of) < MAX_STORED and sum(f.maker == maker for f in all_of) < MAX_OF_MAKER

    def prune(self, watched: Collection[str] = (), surplus: int = 0) -> int:
        """Remove up to `surplus` old boards (0: as many as exceed `MAX_STORED`): unused ones first, then those with no
        move for the longest time. Return how many were removed."""
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
        """Return the facts of all boards, those without a move for the longest time first."""
        with suppress(sqlite3.Error):
            return [Facts(*row) for row in self._run("SELECT id, maker, used, touched FROM boards ORDER BY touched")]
        return []


def _owned(folder: Path, command: str) -> ZrfError:
    address, _, process = (folder / LOCK).read_text("utf-8", "replace").strip().partition("\n")
    return ZrfError([Diagnostic(
        "folder-in-use", f"another server stores its boards in {folder}", None,
        notes=(f"it is at {address or 'an unknown address'}, process {process or 'unknown'}",),
        help="end that server with Ctrl+C in its terminal, or use another folder for this one: "
        f"`{command} --state FOLDER`")])
