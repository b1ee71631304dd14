"""Run a command of `zrf` in a process of its own, with limits of time, memory and output.

The rules come from a model or its user: whatever they do, the server keeps running.
"""

import asyncio
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zrf_py.hosts import run_zrf
from zrf_py.library import catalogue, shelf
from zrf_py.paths import replace_file
from zrf_py.text.diagnostics import Diagnostic, ZrfError

MAX_RULES = 250_000
"""Most characters of rules (or tests) in one call."""
MAX_OUTPUT = 100_000
"""Most characters of an answer."""
MAX_BYTES = 1_000_000
"""Most bytes of an answer, which may be a picture."""
AT_ONCE = 2


@dataclass(frozen=True)
class CommandResult:
    """Result of a command: its exit code, standard output and standard error; `data` is the output as bytes, cut at a
    limit."""

    code: int
    out: str
    err: str
    data: bytes = b""


class Runner:
    """Runs commands, which may name files in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def game(self, name: str) -> str:
        """Return a bundled game's name unchanged, and a file's name as a path.

        :raises ZrfError: if it is neither, or a file outside the folder.
        """
        files = shelf()
        if name in files or name in catalogue() or name in {p.stem for p in files.values()}:
            return name
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder):
            raise ZrfError([Diagnostic("outside", f"`{name}` is outside {self.folder}", None,
                                       help="start `zrf mcp FOLDER` with the folder of the rules files")])
        if not path.is_file():
            raise ZrfError([Diagnostic("no-such-game", f"there is no file or bundled game called `{name}`", None,
                                       help="give the name of a bundled game or a rules file, or the rules as text")])
        return str(path)

    async def run(
        self, command: Sequence[str], seconds: float, rules: str = "", tests: str = "", typed: str = "",
    ) -> CommandResult:
        """Run a command and return its output; `{}` in `typed` stands for a file with `rules`, beside one with `tests`.

        :raises ZrfError: if it takes too long, or there is too much text.
        """
        if max(map(len, (rules, tests, typed))) > MAX_RULES:
            raise ZrfError(f"the rules may have at most {MAX_RULES:,} characters", "too-large")
        async with self._turns:
            with tempfile.TemporaryDirectory(prefix="zrf-") as folder:
                path = Path(folder).resolve() / "game.zrf"
                replace_file(path, rules.encode("utf-8", "replace"))
                if tests:
                    replace_file(path.with_suffix(".md"), tests.encode("utf-8", "replace"))
                words = [str(path) if word == "{}" else word for word in command]
                code, out, err = await run_zrf(words, seconds, folder, typed, MAX_BYTES)
                prefix = f"{path.parent}{os.sep}"  # a temporary folder that the client doesn't know
                return CommandResult(code, _text(out).replace(prefix, ""), _text(err).replace(prefix, ""), out)


def _text(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text if len(text) <= MAX_OUTPUT else text[:MAX_OUTPUT] + "\n… (the answer was cut off here)"
