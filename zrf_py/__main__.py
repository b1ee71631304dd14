"""The command `zrf`, also as `python -m zrf_py`."""

import sys


def main() -> int:
    """Run one command; who interrupts it before anything is imported gets no traceback either."""
    try:
        from zrf_py.cli import main as command
    except KeyboardInterrupt:
        return 130
    return command.main()


if __name__ == "__main__":
    sys.exit(main())
