"""Jobs: numbered tasks whose results do not depend on the machine.

A task derives all its randomness from its number, so repeating it gives the same result, unless players have time
limits. A worker gets the packed program (a few kilobytes) and needs no rules files.
"""

import hashlib
import json
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from zrf_py import __version__
from zrf_py.ir.ops import Program
from zrf_py.play.engines import make_engine
from zrf_py.play.packing import pack, unpack
from zrf_py.run.engine import Engine
from zrf_py.text.diagnostics import ZrfError

Result = dict[str, Any]
"""Result of a task, as JSON. `games` is its number of games; if the task failed it is 0, and `fault` is the reason."""
Work = Callable[[Engine, Mapping[str, Any], int], Result]
"""Function of a job: (engine, parameters, number of the task) → result."""

KEPT_ENGINES = 4


@dataclass(frozen=True)
class Job:
    """A job: `work` must be a module-level function, so that other processes find it; `parameters` are plain values."""

    work: Work
    program: Program
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def packed(self) -> bytes:
        """The packed program, for workers."""
        return pack(self.program)

    @cached_property
    def id(self) -> str:
        """Hash of version, work, parameters and rules: equal for equal jobs on all machines."""
        parameters = json.dumps(dict(self.parameters), sort_keys=True)
        source = (__version__, self.work.__module__, self.work.__qualname__, parameters)
        return hashlib.sha256("\0".join(source).encode() + self.packed).hexdigest()[:16]

    @property
    def about(self) -> Result:
        """Description of the job stored with its results."""
        return {"work": self.work.__qualname__, "game": self.program.game.title, **self.parameters}


def do_task(work: Work, packed: bytes, parameters: Mapping[str, Any], number: int) -> Result:
    """Run one task of a job, in a worker; return its result."""
    try:
        return work(_engines.of(packed), parameters, number)
    except ZrfError as error:
        return {"games": 0, "fault": "; ".join(d.message for d in error.diagnostics)}
    except MemoryError:
        return {"games": 0, "fault": "it needs more memory than is available"}


def seeded(*names: object) -> random.Random:
    """Return a random generator seeded by the names, identical on every machine."""
    return random.Random("/".join(map(str, names)))


class _Engines(threading.local):
    """Engines by packed program, cached for each thread: an engine serves one thread, and a worker may have several."""

    def __init__(self) -> None:
        self.of = lru_cache(maxsize=KEPT_ENGINES)(lambda packed: make_engine(unpack(packed), "auto"))


_engines = _Engines()
