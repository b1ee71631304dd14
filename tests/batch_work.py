"""Tasks for `test_batch.py`, in a module of their own that worker processes can import."""

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
    """Kill the process in one task, and raise an error of the rules in another."""
    if number == parameters["deadly"]:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == parameters["refused"]:
        raise ZrfError("these rules never end", "endless-block")
    return count(engine, parameters, number)


def endless(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """A task that prints its process id to standard error and never ends."""
    print(os.getpid(), file=sys.stderr, flush=True)
    while True:
        count(engine, parameters, number)
