"""A command of `zrf` -> what it said, run in a process of its own that may take so much time, memory and room, no more.

Rules come from a model, or from whoever talks to it: whatever they do, the server goes on.
"""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zrf_py.library import catalogue, shelf
from zrf_py.play.zsg import replace_file
from zrf_py.text.diagnostics import Diagnostic, ZrfError

MAX_RULES = 250_000
"""Characters of rules (or tests) that one call may bring."""
MAX_SAID = 100_000
"""Characters of an answer."""
MAX_BYTES = 1_000_000
"""Bytes of an answer, which may be a picture."""
MAX_MEMORY = 2 << 30
AT_ONCE = 2


@dataclass(frozen=True)
class Said:
    """The end of a command: its exit code, what it printed, and what it said on the side; `data` is what it printed as
    it came, cut after so many bytes."""

    code: int
    out: str
    err: str
    data: bytes = b""


class Runner:
    """Runs commands; files may be named if they lie in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def game(self, name: str) -> str:
        """
        A game of the shelf as it is, a file as a path.

        :raises ZrfError: if it is neither, or a file elsewhere.
        """
        known = shelf()
        if name in known or name in catalogue() or name in {p.stem for p in known.values()}:
            return name
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder):
            raise ZrfError([Diagnostic("outside", f"`{name}` lies outside {self.folder}", None,
                                       help="start `zrf mcp FOLDER` with the folder of the rules files")])
        if not path.is_file():
            raise ZrfError([Diagnostic("no-such-game", f"there is no file and no game called `{name}`", None,
                                       help="name a game of the shelf, a rules file, or give the rules as text")])
        return str(path)

    async def run(
        self, command: Sequence[str], seconds: float, rules: str = "", tests: str = "", typed: str = "",
    ) -> Said:
        """
        What a command says to what is `typed`; `{}` in it stands for a file that holds `rules`, `tests` are beside it.

        :raises ZrfError: if it takes too long, or there is too much text.
        """
        if max(map(len, (rules, tests, typed))) > MAX_RULES:
            raise ZrfError(f"rules may have {MAX_RULES:,} characters", "too-large")
        async with self._turns:
            with tempfile.TemporaryDirectory(prefix="zrf-") as folder:
                path = Path(folder).resolve() / "game.zrf"
                replace_file(path, rules.encode("utf-8", "replace"))
                if tests:
                    replace_file(path.with_suffix(".md"), tests.encode("utf-8", "replace"))
                words = [str(path) if word == "{}" else word for word in command]
                code, out, err = await self._process(words, seconds, folder, typed)
                here = f"{path.parent}{os.sep}"  # nobody but us knows it
                return Said(code, _text(out).replace(here, ""), _text(err).replace(here, ""), out)

    async def _process(self, command: list[str], seconds: float, folder: str, typed: str) -> tuple[int, bytes, bytes]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "zrf_py", *command, cwd=folder, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
            env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"})
        _limit(process.pid)
        assert process.stdin and process.stdout and process.stderr
        with suppress(ConnectionError):
            process.stdin.write(typed.encode())
            process.stdin.close()
        try:
            async with asyncio.timeout(seconds):
                out, err = await asyncio.gather(_read(process.stdout), _read(process.stderr))
                code = await process.wait()
        except TimeoutError:
            raise ZrfError(f"that takes longer than {seconds:g} seconds", "too-slow") from None
        finally:
            _end(process.pid)
            with suppress(ProcessLookupError):
                await process.wait()
        return code, out, err


def _limit(pid: int) -> None:
    """Memory of the process, where the system lets it be limited from outside."""
    with suppress(ImportError, OSError, AttributeError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _end(pid: int) -> None:
    """End the process with all it has started."""
    with suppress(OSError, AttributeError):
        os.killpg(pid, signal.SIGKILL)


async def _read(stream: asyncio.StreamReader) -> bytes:
    """Everything a process writes, the first so many bytes kept."""
    kept = b""
    while chunk := await stream.read(65536):
        kept += chunk[: max(0, MAX_BYTES - len(kept))]
    return kept


def _text(kept: bytes) -> str:
    text = kept.decode("utf-8", "replace")
    return text if len(text) <= MAX_SAID else text[:MAX_SAID] + "\n… (the answer is longer)"
