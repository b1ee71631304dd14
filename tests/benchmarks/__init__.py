"""Benchmarks, run by hand, some against other programs; `python -m tests.benchmarks.NAME --help` describes each."""

from __future__ import annotations

import sys


def show_help(text: str | None) -> None:
    """Print the docstring of a benchmark and exit, if its arguments ask for help."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(text)
        sys.exit()
