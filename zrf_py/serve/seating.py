"""Changes to a table: who plays a seat, and whether hints and evaluations are offered."""

from zrf_py.serve import opponents
from zrf_py.serve.clock import Clock
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import Message, Session, text_of
from zrf_py.serve.table import HELP, PEOPLE


async def seat(session: Session, message: Message) -> None:
    """Give a seat to another kind of player."""
    session.needs("seat")
    table, computers = session.table, session.services.computers
    player, kind = text_of(message, "player", 200), text_of(message, "who", 40)
    kinds = {p["name"]: p["kind"] for p in table.info["players"]}
    if player not in table.seats or kinds.get(player) != "player":
        raise Refused("there is no such seat", "no-such-seat")
    if kind not in (*PEOPLE, *opponents.kinds()):
        raise Refused("there is no such kind of player", "unknown-player-kind")
    table.sit({**table.seats, player: kind})
    if kind != opponents.BY_LINK:
        table.tokens.pop(player, None)
    table.request = None
    computers.stop(table)
    computers.prepare(table)
    table.paused = table.paused and not table.is_human(table.player)
    session.services.lobby.save(table)
    table.tell()
    computers.advance(table)


async def offer(session: Session, message: Message) -> None:
    """Set whether hints and evaluations are offered: between people only before the first move. Before the first move
    also set the `clock`: `[seconds, increment]`, or None."""
    session.needs("offer")
    table = session.table
    if table.by_link and table.played:
        raise Refused("in a game between people, this can only be changed before the first move", "too-late")
    if "clock" in message:
        if table.used and table.played:
            raise Refused("the clock can only be set before the first move", "too-late")
        table.clock = Clock.wished(message["clock"], table.players)
    table.is_listed = bool(message.get("listed", table.is_listed))
    table.help |= {name: message[name] for name in HELP if isinstance(message.get(name), bool)}
    session.services.lobby.save(table)
    table.tell()
