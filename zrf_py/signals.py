"""Context managers for signals such as Ctrl-C. They do nothing outside the main thread, which receives signals."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress


@contextmanager
def on_signals(handler: Callable[[int, object], None], *names: str) -> Iterator[None]:
    """Handle these signals with `handler`, as far as the system has them."""
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
    """Raise an error at these signals."""
    def handler(number: int, frame: object) -> None:
        raise error

    return on_signals(handler, *names)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block, so that it leaves nothing half done."""
    held: list[int] = []
    try:
        with on_signals(lambda number, _: held.append(number), "SIGINT"):
            yield
    finally:
        if held:
            signal.raise_signal(held[0])
