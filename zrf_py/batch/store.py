"""Results in a SQLite file: one row per task of a job, written as it arrives.

The key is (job, number of the task), and an existing row is never replaced: a task run twice, after a worker died or
by two programs at once, counts once.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from zrf_py.batch.jobs import Job, Result
from zrf_py.text.diagnostics import Diagnostic, ZrfError

_TABLES = """
CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, about TEXT NOT NULL, begun TEXT DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE IF NOT EXISTS results (
    job TEXT NOT NULL REFERENCES jobs, number INTEGER NOT NULL, games INTEGER NOT NULL, result TEXT NOT NULL,
    PRIMARY KEY (job, number)) WITHOUT ROWID;
"""
WAIT = 30.0
"""Seconds to wait for another program that writes to the same file."""


class Store:
    """Results of jobs, in a file or (":memory:") in memory."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.path = str(path)
        with self._clear():
            self._db = sqlite3.connect(self.path, timeout=WAIT)
            self._db.executescript(_TABLES)

    @contextmanager
    def _clear(self) -> Iterator[None]:
        """Turn SQLite errors into a `ZrfError` that names the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise ZrfError([Diagnostic("bad-results", f"results can't be stored in {self.path}: {error}", None,
                                       help="choose another file with `--results FILE`")]) from None

    def begin(self, job: Job) -> None:
        """Store the description of a job."""
        with self._clear(), self._db:
            self._db.execute("INSERT OR IGNORE INTO jobs (id, about) VALUES (?, ?)",
                             (job.id, json.dumps(job.about, sort_keys=True)))

    def add(self, job: Job, results: Iterable[tuple[int, Result]]) -> None:
        """Store results: (number of the task, result)."""
        rows = [(job.id, number, result.get("games", 0), json.dumps(result)) for number, result in results]
        with self._clear(), self._db:
            self._db.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?)", rows)

    def numbers(self, job: Job) -> set[int]:
        """Return the numbers of the finished tasks."""
        with self._clear():
            return {row[0] for row in self._db.execute("SELECT number FROM results WHERE job = ?", (job.id,))}

    def results(self, job: Job, tasks: int) -> dict[int, Result]:
        """Return the results of the tasks below number `tasks`, in order."""
        with self._clear():
            rows = self._db.execute("SELECT number, result FROM results WHERE job = ? AND number < ? ORDER BY number",
                                    (job.id, tasks))
            return {number: json.loads(text) for number, text in rows}

    def games(self, job: Job) -> int:
        """Return the number of games in the results of a job."""
        with self._clear():
            return int(self._db.execute("SELECT coalesce(sum(games), 0) FROM results WHERE job = ?",
                                        (job.id,)).fetchone()[0])

    def close(self) -> None:
        self._db.close()
