"""Pieces of work for `test_batch.py`; here, so that worker processes find them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

from zrf_py.batch.jobs import Result
from zrf_py.run.engine import Engine
from zrf_py.text.diagnostics import ZrfError


def count(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    return {"games": 1, "moves": len(engine.moves(engine.start())), "number": number}


def deadly(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """One piece kills whoever does it, another is refused by the rules."""
    if number == parameters["deadly"]:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == parameters["refused"]:
        raise ZrfError("these rules never end", "endless-block")
    return count(engine, parameters, number)


def endless(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """A piece that says who does it, and is never done."""
    print(os.getpid(), file=sys.stderr, flush=True)
    while True:
        count(engine, parameters, number)
