"""Journal of a folder of boards: holds each change until the board's own file has it.

Two files take turns: while boards are written to their own files, new changes go to the other one. Each line holds a
whole board, or `null` for a removed one. A line survives the end of the process, however it ends; lines are not flushed
to disk, so a power failure may lose those of the last second. The process that locks `server` owns the folder.
"""

import json
import os
import threading
from pathlib import Path
from typing import Any, BinaryIO

from zrf_py.cache import hold
from zrf_py.text.diagnostics import Diagnostic, ZrfError

LOCK = "server"


class Journal:
    """The journal of a folder, which belongs to this process until `close`."""

    def __init__(self, folder: Path, address: str = "") -> None:
        """
        :raises ZrfError: if another server keeps its boards in the folder.
        :raises OSError: if the folder can't be written.
        """
        owner = hold(folder / LOCK, wait=False)
        if owner is None:
            raise _owned(folder)
        self._owner = owner
        self._paths = [folder / f"journal-{i}" for i in range(2)]
        self._serial = 0
        self._guard = threading.Lock()
        """Held while the files change: other threads remove boards."""
        self._current = 0
        self._files: list[BinaryIO] = []
        try:
            owner.truncate(0)
            owner.write(f"{address}\n{os.getpid()}\n".encode())
            owner.flush()
            self._files = [path.open("ab", buffering=0) for path in self._paths]
        except OSError:
            self.close()
            raise

    def append(self, id: str, board: bytes) -> None:
        """Append the current state of a board as JSON; `null` if it was removed.

        :raises OSError: if it can't be written; then nothing was.
        """
        with self._guard:
            self._serial += 1
            line = b'[%d, "%s", %s]\n' % (self._serial, id.encode(), board)
            file = self._files[self._current]
            end = os.fstat(file.fileno()).st_size
            try:
                while line:  # a nearly full disk may write only part
                    line = line[file.write(line) :]
            except OSError:
                file.truncate(end)
                raise

    def turn(self) -> None:
        """Append to the other file from now on, if it is empty: all lines so far are about to be written."""
        with self._guard:
            other = 1 - self._current
            if not os.fstat(self._files[other].fileno()).st_size:
                self._current = other

    def settle(self) -> None:
        """Empty the file that isn't appended to, once its boards are in files of their own."""
        self._files[1 - self._current].truncate(0)

    def clear(self) -> None:
        """Empty both files."""
        for file in self._files:
            file.truncate(0)

    def boards(self) -> dict[str, dict[str, Any] | None]:
        """Return the last state of each board by id (None: removed); incomplete lines are ignored."""
        lines = []
        for path in self._paths:
            for text in path.read_bytes().splitlines():
                try:
                    serial, id, board = json.loads(text)
                except (ValueError, TypeError):
                    continue
                lines.append((int(serial), str(id), board if isinstance(board, dict) else None))
        return {id: board for _, id, board in sorted(lines, key=lambda line: line[0])}

    def close(self) -> None:
        """Close the journal and unlock the folder."""
        for file in (*self._files, self._owner):
            file.close()


def _owned(folder: Path) -> ZrfError:
    address, _, process = (folder / LOCK).read_text("utf-8", "replace").strip().partition("\n")
    return ZrfError([Diagnostic(
        "folder-in-use", f"another server stores its boards in {folder}", None,
        notes=(f"it is at {address or 'an unknown address'}, process {process or 'unknown'}",),
        help="open that address, or use another folder for this server: `zrf serve --state FOLDER`")])
