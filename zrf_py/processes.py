"""Child processes: `zrf` commands with limits, and process pools that leave Ctrl-C to their parent."""

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
"""Seconds to wait for the end of a killed process."""
MAX_MEMORY = 2 << 30
"""Limit of a command's address space, in bytes."""


@contextmanager
def unheard() -> Iterator[None]:
    """Block SIGINT, so that processes and threads started meanwhile ignore Ctrl-C; here it is only delayed.

    A terminal sends SIGINT to all processes of a command, and a starting process can't yet ignore it by itself: it
    must inherit the signal mask.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_at_once(pool: ProcessPoolExecutor) -> None:
    """Kill the processes of a pool without waiting for their tasks."""
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
    """Run a `zrf` command in a process of its own, within limits of time and memory.

    :param folder: the working directory; None for this process's.
    :param typed: the standard input.
    :param most: maximum bytes returned of each output stream; the rest is discarded.
    :returns: exit code, standard output, standard error.
    :raises ZrfError: after `seconds`; the process and all its children are killed.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "zrf_py", *command, cwd=folder, stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
        env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"})
    with suppress(ImportError, OSError, AttributeError):  # not every system can limit another process
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
    """Read a stream to its end; return its first `most` bytes."""
    head = b""
    while chunk := await stream.read(65536):
        head += chunk[: max(0, most - len(head))]
    return head
