"""Job → numbered pieces of work → results: what is to be played, on whatever machine.

A piece is named by its number alone and takes all its chance from it, so it gives the same result wherever and however
often it is done. A worker gets the program itself (a few kilobytes) and needs no rules files.
"""

import hashlib
import json
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from zrf_py import __version__
from zrf_py.ir.ops import Program
from zrf_py.play.engines import make_engine
from zrf_py.play.packing import pack, unpack
from zrf_py.run.engine import Engine
from zrf_py.text.diagnostics import ZrfError

Result = dict[str, Any]
"""What a piece came to, as JSON can hold it. `games` says how many games it was; a piece whose rules failed in the
middle has the `fault` instead."""
Work = Callable[[Engine, Mapping[str, Any], int], Result]
"""(rules, parameters, number of the piece) → result."""

KEPT_ENGINES = 4


@dataclass(frozen=True)
class Job:
    """`work` is a function at the top of a module, so that other processes find it; `parameters` are plain values."""

    work: Work
    program: Program
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def packed(self) -> bytes:
        """The program, as workers get it."""
        return pack(self.program)

    @cached_property
    def id(self) -> str:
        """The same for the same work on the same rules, from wherever it is started."""
        given = json.dumps(dict(self.parameters), sort_keys=True)
        what = (__version__, self.work.__module__, self.work.__qualname__, given)
        return hashlib.sha256("\0".join(what).encode() + self.packed).hexdigest()[:16]

    @property
    def about(self) -> Result:
        """What somebody who opens the file of results wants to know of it."""
        return {"work": self.work.__qualname__, "game": self.program.game.title, **self.parameters}


def do_piece(work: Work, packed: bytes, parameters: Mapping[str, Any], number: int) -> Result:
    """Do one piece of a job; runs in a worker."""
    try:
        return work(_engine(packed), parameters, number)
    except ZrfError as error:
        return {"games": 0, "fault": "; ".join(d.message for d in error.diagnostics)}


def seeded(*names: object) -> random.Random:
    """Chance of its own for whatever the names say; the same on every machine."""
    return random.Random("/".join(map(str, names)))


# ------------------------------------------------------------------------------------------------- programs on the way


_local = threading.local()
"""An engine serves one thread, and a worker may have several."""


def _engine(packed: bytes) -> Engine:
    """The rules, ready; those of the last few jobs are kept."""
    kept: dict[bytes, Engine] = _local.__dict__.setdefault("engines", {})
    key = hashlib.sha256(packed).digest()
    if key not in kept:
        while len(kept) >= KEPT_ENGINES:
            del kept[next(iter(kept))]
        kept[key] = make_engine(unpack(packed), "auto")
    return kept[key]
