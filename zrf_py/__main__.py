"""The command `zrf`, also as `python -m zrf_py`."""

import gc
import sys
from typing import Literal

MANY = 1_000_000
"""Objects after which a process is looked through for cycles for the first time: a short command ends before."""


def main() -> int:
    """Run one command; who interrupts it before anything is imported gets no traceback either."""
    try:
        from zrf_py.cli import main as command
    except KeyboardInterrupt:
        return 130
    _collect_late()
    try:
        return command.main()
    finally:
        gc.freeze()  # the process ends, and would look through all it has made for cycles


def _collect_late() -> None:
    """The first collection comes late; from then on, in a process that stays, they come as ever."""
    usual = gc.get_threshold()

    def as_ever(phase: Literal["start", "stop"], info: dict[str, int]) -> None:
        gc.callbacks.remove(as_ever)
        gc.set_threshold(*usual)

    gc.callbacks.append(as_ever)
    gc.set_threshold(MANY, *usual[1:])


if __name__ == "__main__":
    sys.exit(main())
