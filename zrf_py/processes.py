"""Helper processes: commands with limits; pools that leave Ctrl-C to their parent, which can end them at once."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from zrf_py.text.diagnostics import ZrfError

PATIENCE = 5.0
"""Seconds in which a process that is killed is gone."""
MAX_MEMORY = 2 << 30
"""Bytes of address space of a command."""


@contextmanager
def unheard() -> Iterator[None]:
    """Processes and threads begun meanwhile never hear Ctrl-C; this one hears it at the end.

    A terminal tells all processes of a command at once, and those that are only just beginning can't be told to ignore
    it by what they do themselves.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # when it begins it lets the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_at_once(pool: ProcessPoolExecutor) -> None:
    """End a pool with whatever its processes are in the middle of."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError, ValueError):
            process.kill()
    for process in processes:
        process.join(PATIENCE)


async def run_zrf(
    command: Sequence[str], seconds: float, folder: str | Path | None = None, typed: str = "", most: int = 1_000_000,
) -> tuple[int, bytes, bytes]:
    """Run a command of `zrf` in a process of its own, within limits of time and memory.

    :param folder: the working directory; None for this process's.
    :param typed: the standard input.
    :param most: bytes of each output that are kept.
    :returns: exit code, standard output, standard error.
    :raises ZrfError: after `seconds`; the process is ended with all that it has started.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "zrf_py", *command, cwd=folder, stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
        env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"})
    with suppress(ImportError, OSError, AttributeError):  # where the system can limit another process
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    assert process.stdin and process.stdout and process.stderr
    with suppress(ConnectionError):
        process.stdin.write(typed.encode())
        process.stdin.close()
    try:
        async with asyncio.timeout(seconds):
            out, err = await asyncio.gather(_first_bytes(process.stdout, most), _first_bytes(process.stderr, most))
            return await process.wait(), out, err
    except TimeoutError:
        raise ZrfError(f"that takes longer than {seconds:g} seconds", "too-slow") from None
    finally:
        with suppress(OSError, AttributeError):
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            await process.wait()


async def _first_bytes(stream: asyncio.StreamReader, most: int) -> bytes:
    """Read a stream to its end and keep the first `most` bytes."""
    kept = b""
    while chunk := await stream.read(65536):
        kept += chunk[: max(0, most - len(kept))]
    return kept
