"""The context of a command: a user at a table, and the services that commands use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zrf_py.serve.rights import YES, Refused
from zrf_py.serve.sockets import Socket
from zrf_py.serve.table import Table

if TYPE_CHECKING:
    from zrf_py.serve.advising import Adviser
    from zrf_py.serve.computers import Computers
    from zrf_py.serve.lobby import Lobby
    from zrf_py.serve.moves import Mover
    from zrf_py.serve.referee import Referee

Message = dict[str, Any]


@dataclass(frozen=True)
class Services:
    """The services behind the tables of a server."""

    lobby: Lobby
    referee: Referee
    mover: Mover
    computers: Computers
    adviser: Adviser

    def close(self) -> None:
        """Stop all work in progress."""
        for table in self.lobby.tables.values():
            self.computers.stop(table)
            if table.judging is not None:
                table.judging.cancel()
        self.computers.close()


@dataclass(frozen=True)
class Session:
    """A browser (`socket`) at a table."""

    services: Services
    table: Table
    socket: Socket

    def has(self, action: str) -> bool:
        """Return whether the user may do something without asking the others."""
        return self.table.right(action, self.socket.token) == YES

    @property
    def own(self) -> list[str]:
        """The players for whom the user moves."""
        return self.table.may_play(self.socket.token)

    @property
    def who(self) -> str:
        """`owner`, or the user's first player; "" for a watcher."""
        return self.table.who(self.socket.token)

    @property
    def name(self) -> str | None:
        """Key under which the user's tries are stored, hidden from others; None once everybody sees all tries."""
        return self.table.name_of(self.socket.token)


def text_of(message: Message, name: str, longest: int) -> str:
    """Return a text field of a message.

    :raises Refused: if it is missing or too long.
    """
    text = message.get(name)
    if not isinstance(text, str) or len(text) > longest:
        raise Refused(f"`{name}` must be a string of at most {longest} characters", "bad-message")
    return text
