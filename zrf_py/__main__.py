"""Entry point of the command `zrf`, also as `python -m zrf_py`."""

import gc
import sys
from typing import Literal

MANY = 1_000_000
"""Allocation threshold of the first garbage collection, high enough that short commands end before it."""


def main() -> int:
    """Run one command and return its exit code: 130, without a traceback, if Ctrl-C interrupts the imports."""
    try:
        from zrf_py.cli import main as command
    except KeyboardInterrupt:
        return 130
    _collect_late()
    try:
        return command.main()
    finally:
        gc.freeze()  # skips the collection at interpreter shutdown


def _collect_late() -> None:
    """Delay the first garbage collection, which then restores the usual thresholds."""
    usual = gc.get_threshold()

    def restore(phase: Literal["start", "stop"], info: dict[str, int]) -> None:
        gc.callbacks.remove(restore)
        gc.set_threshold(*usual)

    gc.callbacks.append(restore)
    gc.set_threshold(MANY, *usual[1:])


if __name__ == "__main__":
    sys.exit(main())
