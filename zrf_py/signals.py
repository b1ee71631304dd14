"""Context managers for signals such as Ctrl-C; no-ops outside the main thread, which is the only one to get signals."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress


@contextmanager
def on_signals(handler: Callable[[int, object], None], *names: str) -> Iterator[None]:
    """Handle signals with `handler`; names that the system doesn't have are ignored."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = []
    with suppress(ValueError):
        before = [(n, signal.signal(n, handler)) for n in numbers if signal.getsignal(n) is not None]
    try:
        yield
    finally:
        for number, old in before:
            signal.signal(number, old)


def raising(error: type[BaseException], *names: str) -> AbstractContextManager[None]:
    """Return a context manager that raises `error` when one of the signals `names` arrives."""
    def handler(number: int, frame: object) -> None:
        raise error

    return on_signals(handler, *names)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, so that nothing is left half done."""
    held: list[int] = []
    try:
        with on_signals(lambda number, _: held.append(number), "SIGINT"):
            yield
    finally:
        if held:
            signal.raise_signal(held[0])
