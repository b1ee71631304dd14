"""The command `zrf`, also as `python -m zrf_py`."""

import gc
import sys


def main() -> int:
    """Run one command; who interrupts it before anything is imported gets no traceback either."""
    try:
        from zrf_py.cli import main as command
    except KeyboardInterrupt:
        return 130
    try:
        return command.main()
    finally:
        gc.freeze()  # the process ends, and would look through all it has made for cycles


if __name__ == "__main__":
    sys.exit(main())
