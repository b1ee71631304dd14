"""Dispatch requests of browsers to the commands that carry them out."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext

from zrf_py.serve import advising, company, moves, rematch, rights, sockets, takeback, viewing
from zrf_py.serve.session import Message, Services, Session
from zrf_py.serve.table import Table

Command = Callable[[Session, Message], Awaitable[None]]

CHANGES: dict[str, Command] = {
    "play": moves.play, "resume": moves.resume, "resign": moves.resign, "pause": moves.pause,
    "speak": company.speak, "draw": company.draw, "abort": company.abort, "claim": company.claim,
    "undo": takeback.undo, "answer": takeback.answer,
    "seat": company.seat, "offer": company.offer, "new": rematch.new, "load": rematch.load,
}
"""Commands that change a table; at each table, they run one at a time."""
LOOKS: dict[str, Command] = {
    "goto": viewing.goto, "overlays": viewing.overlay, "link": viewing.link, "reach": viewing.reach,
    "puzzle": viewing.puzzle, "draft": viewing.draft, "hint": advising.hint,
    "evaluate": advising.evaluate, "analyse": advising.analyse, "review": advising.review,
}
"""Commands that change nothing for other users; they don't wait for each other."""
NEEDED = {"goto": "look", "reach": "look", "puzzle": "link"}
"""Command → the right that it needs, if their names differ."""
WITHOUT_RULES = {"speak", "answer", "pause", "resume", "overlays", "link", "evaluate"}
"""Commands that work while the rules of a table have errors."""
COSTS = {"hint": 8, "load": 8, "new": 4, "overlays": 2, "reach": 1, "puzzle": 1, "draft": 1, "analyse": 8, "review": 20}
"""Costs of messages in the rate limit, in addition to 1 for each message."""


async def obey(services: Services, table: Table, socket: sockets.Socket, message: Message) -> None:
    """Carry out a browser's request.

    :raises ZrfError: if it isn't allowed or isn't possible.
    """
    kind = str(message.get("type"))
    command = CHANGES.get(kind) or LOOKS.get(kind)
    if command is None:
        raise rights.Refused("this page is out of date; reload it", "unknown-message")
    if not socket.bucket.take(COSTS.get(kind, 0)):
        raise rights.Refused("too many expensive requests; try again in a moment", "busy")
    async with table.lock if kind in CHANGES else nullcontext():
        action = NEEDED.get(kind, kind)
        if table.right(action, socket.token) == rights.NO:
            raise rights.why_not(action, table.role(socket.token))
        if table.error and kind not in WITHOUT_RULES:
            raise rights.Refused("fix the errors in the rules first", "broken-rules")
        await command(Session(services, table, socket), message)


async def rules_changed(services: Services, table: Table) -> None:
    """Adapt a table to changes in its rules file."""
    async with table.lock:
        services.computers.stop(table)
        await services.referee.look_again(table)
        if not table.error:
            table.sit(table.seats)
        services.lobby.save(table)
        table.tell()
    services.computers.advance(table)
