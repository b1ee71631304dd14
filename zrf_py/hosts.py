"""Helper processes: function calls in other processes, with limits and deadlines.

A `Worker` is a Python process that answers one call at a time; calls and answers travel as pickles. A `Pool` is an
executor over workers: a call that crashes, hangs or runs out of memory takes down its own process, but no other call.
Workers have sessions of their own, so Ctrl-C in a terminal reaches this process alone. They exit when their input
closes, however this process ends; `Worker.leave` may let a call that has set `begun` finish first.
"""

import asyncio
import io
import logging
import os
import pickle
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

from zrf_py import cache
from zrf_py.text.diagnostics import ZrfError

MEMORY = 2 << 30
"""Limit of a worker's data, in bytes."""
STARTING = 60.0
"""Seconds within which a process must be ready for its first call."""
PATIENCE = 5.0
"""Seconds that a process may take to exit before it is killed."""

Tell = Callable[[Any], None]
"""Callback for progress reports."""


class Lost(Exception):
    """The process ended before it answered. `status`: its exit code, negative for a signal; 0 if its pool is closed."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the process ended with status {status}")
        self.status = status


class Late(Lost):
    """The deadline of a call passed, and its process was killed."""


class Worker:
    """A process that answers calls, one at a time. `kill` and `leave` may be called from any thread."""

    def __init__(self, *, gentle: bool = False, quiet: bool = False) -> None:
        """Start a process, at low priority if `gentle`; if `quiet`, its output is discarded.

        :raises OSError: if it can't be started.
        """
        self.is_usable = True
        """False once the process was asked to end, or a call found that it has ended."""
        self.is_busy = False
        self._is_late = False
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from zrf_py.hosts import work; work({gentle})"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if quiet else None,
            start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})

    def call(self, function: Callable[..., Any], *args: Any, seconds: float | None = None, tell: Tell | None = None,
             ) -> Any:
        """Return `function(*args)`; with `tell`, call `function(*args, report)`, and pass each report to `tell`.

        :param function: a function at the top of a module, so that the process finds it.
        :param seconds: time limit; None for no limit.
        :raises Late: when the time is up.
        :raises Lost: if the process ends before it answers.
        :raises Exception: whatever the function raises.
        """
        call = pickle.dumps((function, args, tell is not None), pickle.HIGHEST_PROTOCOL)
        self.is_busy, is_fine = True, None
        try:
            with self._deadline(seconds):
                _send(self.process.stdin, call)
                while is_fine is None:
                    is_fine, value = pickle.load(self.process.stdout)  # type: ignore[arg-type]
                    if is_fine is None and tell:
                        tell(value)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self.kill()
            self.close()
            raise (Late if self._is_late else Lost)(self.process.returncode) from None
        except BaseException:
            self.kill()  # the process is in the middle of a call
            raise
        self.is_busy = False
        if not is_fine:
            raise value
        return value

    def send(self, message: Any) -> None:
        """Send a message to a call in progress, which reads it from `messages`; blocks while the pipe is full."""
        with suppress(ValueError):  # `leave` has closed the pipe
            _send(self.process.stdin, pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    @contextmanager
    def _deadline(self, seconds: float | None) -> Iterator[None]:
        """Kill the process if the `with` block takes longer."""
        if seconds is None:
            yield
            return
        timer = threading.Timer(seconds, self._expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _expire(self) -> None:
        self._is_late = True
        self.kill()

    def kill(self) -> None:
        """Kill the process without waiting; a running call raises `Lost`."""
        self.is_usable = False
        with suppress(OSError):
            self.process.kill()

    def leave(self, finish: bool = False) -> None:
        """Close the pipe without waiting. The process exits at once; with `finish`, after work that has set `begun`."""
        self.is_usable = False
        with suppress(OSError, ValueError):  # it has exited, or the pipe is closed already
            if finish:
                _send(self.process.stdin, b"")
            self.process.stdin.close()  # type: ignore[union-attr]

    def close(self) -> None:
        """Let the process exit, and kill it if it takes longer than `PATIENCE` seconds."""
        self.leave(finish=True)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()  # type: ignore[union-attr]


class Pool:
    """Executor over at most `count` workers, which are started on demand."""

    def __init__(self, count: int) -> None:
        self.workers: list[Worker] = []
        self._lock = threading.Lock()
        self._is_closed = False
        self._threads = ThreadPoolExecutor(max(count, 1), "host")
        self._own = threading.local()
        """The worker of each thread."""

    def submit(
        self, function: Callable[..., Any], *args: Any, seconds: float | None = None, tell: Tell | None = None,
    ) -> Future[Any]:
        """Schedule a `Worker.call`. Its `seconds` count from the start of the call; `tell` runs in another thread."""
        return self._threads.submit(self._call, function, *args, seconds=seconds, tell=tell)

    def _call(self, *args: Any, **named: Any) -> Any:
        worker: Worker | None = getattr(self._own, "worker", None)
        if worker is None or not worker.is_usable:
            with self._lock:
                if self._is_closed:
                    raise Lost(0)
                worker = self._own.worker = Worker()
                self.workers = [*(other for other in self.workers if other.is_usable), worker]
            worker.call(mute, seconds=STARTING)
        return worker.call(*args, **named)

    def close(self) -> None:
        """Kill busy workers and let idle ones exit; calls that haven't begun are cancelled."""
        with self._lock:
            self._is_closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers:
            if worker.is_busy:
                worker.kill()
            worker.leave(finish=True)
        self._threads.shutdown()
        for worker in self.workers:
            worker.close()


async def run_zrf(
    command: Sequence[str], seconds: float, folder: str | Path = ".", typed: str = "", most: int = 1_000_000,
) -> tuple[int, bytes, bytes]:
    """Run a `zrf` command in a process of its own.

    :param folder: the working directory.
    :param typed: the standard input.
    :param most: maximum number of bytes returned from each output stream; the rest is discarded.
    :returns: exit code, standard output, standard error.
    :raises ZrfError: after `seconds`, when the process is killed.
    """
    pool = Pool(1)
    try:
        code, out, err = await asyncio.wrap_future(pool.submit(zrf, command, folder, typed, most, seconds=seconds))
        return code, out, err
    except Late:
        raise ZrfError(f"the operation takes longer than {seconds:g} seconds", "too-slow") from None
    except Lost as error:
        return error.status, b"", str(error).encode()
    finally:
        await asyncio.to_thread(pool.close)


# ------------------------------------------------------------------------------------------------- the other process

begun = threading.Event()
"""Set by a call that may finish after this process's parent has exited."""
calls: SimpleQueue[bytes] = SimpleQueue()
"""Messages from the parent; b"" once it has closed the pipe."""


def messages() -> Iterator[Any]:
    """Yield the messages that the parent sends to the call in progress, until it closes the pipe."""
    while message := calls.get():
        yield pickle.loads(message)


def work(gentle: bool) -> None:
    """Answer calls from standard input until it closes: the entry point of a worker.

    Answers go to the original standard output; whatever else is printed goes to standard error.
    """
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    empty, end = os.pipe()
    os.dup2(empty, 0)
    os.close(end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit("DATA", MEMORY)
    if gentle and hasattr(os, "nice"):
        os.nice(10)
    threading.Thread(target=_listen, args=(source,), daemon=True).start()
    while call := calls.get():
        _send(sink, _answer(call, lambda value: _send(sink, (None, value))))


def _answer(call: bytes, report: Tell) -> tuple[bool, Any]:
    """Carry out a call; return (True, result) or (False, exception)."""
    try:
        function, args, reports = pickle.loads(call)
        return True, function(*args, *([report] if reports else []))
    except Exception as error:
        with suppress(Exception):
            pickle.loads(pickle.dumps(error))
            return False, error
        return False, RuntimeError(f"{type(error).__name__}: {error}")


def _listen(source: BinaryIO) -> None:
    """Queue calls until the parent closes the pipe; then end this process, unless a call may finish (`begun`)."""
    call = None
    with suppress(Exception):  # an incomplete message may raise any exception
        while call := pickle.load(source):
            calls.put(call)
    calls.put(b"")
    if call == b"" and begun.wait(PATIENCE):
        return
    cache.forget_half()
    os.kill(os.getpid(), signal.SIGTERM)  # a server shuts down on this signal
    time.sleep(PATIENCE)
    os._exit(1)


def mute() -> None:
    """Mute warnings of zrf_py, which the parent prints once for all processes."""
    logging.getLogger("zrf_py").setLevel(logging.ERROR)


def limit(name: str, most: int) -> None:
    """Limit a resource of this process, such as "DATA" (bytes) or "CPU" (seconds), if the system supports it."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most + 5))


def zrf(command: Sequence[str], folder: str | Path, typed: str, most: int) -> tuple[int, bytes, bytes]:
    """Run a `zrf` command in this process, which is used for nothing else; see `run_zrf`."""
    os.chdir(folder)
    os.environ.update(NO_COLOR="1", COLUMNS="100")
    sys.argv = ["zrf", *command]
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(stream, "utf-8") for stream in (io.BytesIO(typed.encode()), out, err))
    code: Any = 0
    try:
        runpy.run_module("zrf_py", run_name="__main__")
    except SystemExit as end:
        code = end.code
    sys.stdout.flush()
    sys.stderr.flush()
    return int(code or 0), out.getvalue()[:most], err.getvalue()[:most]


# ---------------------------------------------------------------------------------------------------- both processes


def _send(sink: Any, message: object) -> None:
    """Send a message; if the other end has gone, the next read from it will show that."""
    with suppress(OSError):
        sink.write(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
        sink.flush()
