"""A fuzzer: files, saved games and messages of real ones, spoilt, until something breaks that should only complain.

    python -m tests.fuzz front engines --inputs 20000 --seed 7 --corpus FOLDER --out FOLDER

An input is made from (target, seed, number) alone, so each can be made again. `targets.py`, `messages.py` and
`connections.py` say what must hold of one, `mutations.py` how they are spoilt, `writer.py` makes up whole games for
`games.py`, `workers.py` runs inputs in processes that may hang or die, `work.py` bounds what the interpreter does,
`reduce.py` makes what is found small.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.fuzz.connections import Connections
from tests.fuzz.games import Games
from tests.fuzz.messages import Messages
from tests.fuzz.targets import Engines, Front, Records, Target

TARGETS: dict[str, Callable[[Path | None], Target]] = {
    "front": Front, "engines": Engines, "games": Games, "records": Records, "messages": Messages,
    "connections": Connections,
}
