"""A fuzzer: files, saved games and messages of real ones, spoilt, until something breaks that should only complain.

    python -m tests.fuzz front engines --inputs 20000 --seed 7 --corpus FOLDER --out FOLDER
    python -m tests.fuzz all --inputs 1000000 --seed 7 --counts FILE    # goes on where FILE ends

An input is made from (target, seed, number) alone, so each can be made again. `targets.py`, `games.py`, `lines.py`,
`messages.py`, `protocols.py` and `connections.py` say what must hold of one, `mutations.py` how they are spoilt,
`writer.py` makes up whole games, `workers.py` runs inputs in processes that may hang or die, `work.py` bounds what the
interpreter does, `reduce.py` makes what is found small, `tally.py` counts a long run over all targets.
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
