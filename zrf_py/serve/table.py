"""One game being played on the server: its record, who plays which seat, who watches.

The record is the truth; views are what a worker last said about it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zrf_py.play.players import HUMAN
from zrf_py.serve.opponents import BY_LINK, RANDOM, kinds

if TYPE_CHECKING:
    from zrf_py.serve.sockets import Socket

Ply = list[Any]
"""As `describe.describe_ply` makes it."""
TEXT, PLAYER, GOES_ON = range(3)


def new_id() -> str:
    """A name nobody can guess: who knows it may watch, and who knows a seat's may play it."""
    return secrets.token_urlsafe(12)


@dataclass(eq=False)
class Table:
    """
    `line` holds the moves, also those that were taken back; `cursor` of them have been played. `view` describes the
    position there; `error` is what is wrong with the rules, "" if nothing; `note` what people should know.
    """

    id: str
    game: str
    variant: str | None
    owner: str
    seats: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    line: list[str] = field(default_factory=list)
    cursor: int = 0
    plies: list[Ply] = field(default_factory=list)
    info: dict[str, Any] = field(default_factory=dict)
    view: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    note: str = ""
    paused: bool = False
    thinking: str = ""
    stamp: str = ""
    touched: float = field(default_factory=time.time)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    sockets: set[Socket] = field(default_factory=set)
    task: asyncio.Task[None] | None = None
    """A computer that thinks, or a hint that is looked for."""
    is_judged: bool = False
    judging: asyncio.Task[None] | None = None

    # ---------------------------------------------------------------------------------------------------------- seats

    def sit(self, seats: dict[str, str]) -> None:
        """Seats for the players that have turns: as wished where that is possible, humans where nothing is said."""
        found = {}
        allowed = {HUMAN, BY_LINK, *kinds()}
        for player in self.info["players"]:
            name = player["name"]
            if player["kind"] == "random":
                found[name] = RANDOM
            elif player["kind"] == "player":
                wish = seats.get(name, HUMAN)
                found[name] = wish if wish in allowed else HUMAN
        self.seats = found
        for name, kind in found.items():
            if kind == BY_LINK:
                self.tokens.setdefault(name, new_id())

    def may_play(self, token: str) -> list[str]:
        """The players that whoever holds a token moves for: the owner all that are played here, others their seat."""
        owner = secrets.compare_digest(token.encode(), self.owner.encode())
        return [name for name, kind in self.seats.items()
                if (owner and kind == HUMAN)
                or (kind == BY_LINK and name in self.tokens
                    and secrets.compare_digest(token.encode(), self.tokens[name].encode()))]

    def is_owner(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.owner.encode())

    def is_human(self, player: str) -> bool:
        return self.seats.get(player, HUMAN) in (HUMAN, BY_LINK)

    # ------------------------------------------------------------------------------------------------------ positions

    @property
    def player(self) -> str:
        """Who is to move; "" when the game is over or its rules are broken."""
        return "" if self.error or self.view.get("outcome") else str(self.view.get("player", ""))

    def mover_at(self, ply: int) -> str:
        """Who moved, or is to move, after so many moves of the line."""
        return str(self.plies[ply][PLAYER]) if ply < self.cursor or ply < len(self.plies) else self.player

    def rests_at(self, ply: int) -> bool:
        """Whether one may stop there when taking back: where a human chooses, with computers about at a turn's start.
        """
        if self.is_human(self.mover_at(ply)):
            in_turn = ply > 0 and self.plies[ply - 1][GOES_ON]
            return not in_turn or all(kind in (HUMAN, BY_LINK) for kind in self.seats.values())
        return False

    def before(self) -> int:
        """Where `undo` leads: back to the last choice of a human; where there was none, nowhere."""
        humans = any(kind in (HUMAN, BY_LINK) for kind in self.seats.values())
        for ply in range(self.cursor - 1, -1, -1):
            if not humans or self.rests_at(ply):
                return ply
        return self.cursor

    def after(self) -> int:
        """Where `redo` leads: on to the next choice of a human among what was taken back, or to its end."""
        for ply in range(self.cursor + 1, len(self.line)):
            if self.rests_at(ply):
                return ply
        return len(self.line)

    def forget_undone(self) -> None:
        del self.line[self.cursor :]
        del self.plies[self.cursor :]

    # ---------------------------------------------------------------------------------------------------------- saving

    def as_json(self) -> dict[str, Any]:
        names = ("id", "game", "variant", "owner", "seats", "tokens", "line", "cursor", "touched", "paused")
        return {"format": 1, **{name: getattr(self, name) for name in names}}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Table | None:
        """A board from disk; None if it isn't one."""
        try:
            line = [str(text) for text in data["line"]]
            return Table(str(data["id"]), str(data["game"]), data["variant"] and str(data["variant"]),
                         str(data["owner"]), _texts(data["seats"]), _texts(data["tokens"]), line,
                         max(0, min(int(data["cursor"]), len(line))), paused=bool(data["paused"]))
        except (KeyError, TypeError, ValueError, OverflowError):
            return None

    def tell(self) -> None:
        """Everybody who watches gets the new state."""
        for socket in list(self.sockets):
            socket.wake()

    def say(self, message: dict[str, Any], to: Iterable[Socket] | None = None) -> None:
        """A message beside the state, for everybody or some."""
        for socket in list(self.sockets if to is None else to):
            socket.say(message)


def _texts(value: Any) -> dict[str, str]:
    return {str(k): str(v) for k, v in dict(value).items()}
