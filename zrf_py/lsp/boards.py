"""Boards for editors: the picture of a game at its start, and servers that show a file as it changes."""

import re
import selectors
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

from zrf_py.author.editor.analysis import Analysis
from zrf_py.library import folded
from zrf_py.play.game import Game
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.extras import missing_extra

START_SECONDS = 20.0
_ADDRESS = re.compile(r"http://\S+")


def picture(analysis: Analysis, title: str) -> dict[str, str]:
    """The title of a game and its board at the start as SVG.

    :raises ZrfError: if the text has no such game, or errors.
    """
    if analysis.errors:
        raise ZrfError("the rules have errors; the board shows once they are mended", "rules-with-errors")
    programs = analysis.stages.programs
    found = next((p for p in programs if folded(p.game.title) == folded(title)), None)
    if found is None:
        raise ZrfError(f"there is no game called `{title}` in the file", "unknown-variant")
    titles = tuple(p.game.title for p in programs)
    return {"title": found.game.title, "svg": Game(found, titles, Rules(found), analysis.path).start().svg()}


class Boards:
    """Servers of boards, one for each file, started when they are wanted and ended with the editor."""

    def __init__(self) -> None:
        self._servers: dict[Path, tuple[subprocess.Popen[str], str]] = {}

    def address(self, path: Path, title: str) -> str:
        """Where a browser finds a board of the game that follows the file.

        :raises ZrfError: if no server can be started.
        """
        known = self._servers.get(path)
        if known is None or known[0].poll() is not None:
            known = self._servers[path] = _start(path)
        return f"{known[1]}&variant={quote(title)}"

    def end(self) -> None:
        """End all servers."""
        for process, _ in self._servers.values():
            process.terminate()
        self._servers.clear()


def _start(path: Path) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "zrf_py", "serve", str(path), "--watch", "--port", "0"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    assert process.stdout is not None
    said = ""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and selector.select(end - time.monotonic()):
            line = process.stdout.readline()
            said += line
            if match := _ADDRESS.search(line):
                return process, match[0]
            if not line:
                break
    process.terminate()
    if "missing-extra" in said:
        raise missing_extra("the board", "board")
    raise ZrfError(f"no board could be opened: {said.strip() or 'the server said nothing'}", "no-address")
