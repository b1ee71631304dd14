"""A fuzzer: mutates files, saved games and messages until something breaks that should only report an error.

    python -m tests.fuzz front engines --inputs 20000 --seed 7 --corpus FOLDER --out FOLDER
    python -m tests.fuzz all --inputs 1000000 --seed 7 --counts FILE    # resumes where FILE ends

An input depends only on (target, seed, number), so each can be made again. `targets.py`, `games.py`, `lines.py`,
`messages.py`, `protocols.py` and `connections.py` say what must hold for it, `mutations.py` how it is mutated,
`writer.py` generates whole games, `workers.py` runs inputs in processes that may hang or die, `work.py` limits the
interpreter's work, `reduce.py` minimises failing inputs, `tally.py` counts a long run over all targets.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.fuzz.connections import Connections
from tests.fuzz.games import Games
from tests.fuzz.lines import Positions, Typed
from tests.fuzz.messages import Messages
from tests.fuzz.protocols import LanguageServer, Tools
from tests.fuzz.targets import Engines, Front, Records, Target

TARGETS: dict[str, Callable[[Path | None], Target]] = {
    "front": Front, "engines": Engines, "games": Games, "records": Records, "positions": Positions,
    "typed": Typed, "messages": Messages, "lsp": LanguageServer, "mcp": Tools, "connections": Connections,
}
