"""Measurements by hand, beside other programs; `python -m tests.benchmarks.NAME --help` says what each one measures."""

from __future__ import annotations

import sys


def show_help(text: str | None) -> None:
    """Print the docstring of a benchmark, and end, if its arguments ask for help."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(text)
        sys.exit()
