"""Commands for people at a table: seats, help, names, phrases, draw offers, aborted and abandoned games."""

from typing import Any

from zrf_py.serve import opponents
from zrf_py.serve.clock import Clock
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import Message, Session, text_of
from zrf_py.serve.table import HELP, PEOPLE, Request, Table
from zrf_py.text.source import harmless

MAX_NAME = 24
PHRASES = 6
"""Number of phrases that people can send; the page has their texts."""


async def speak(session: Session, message: Message) -> None:
    """Set the `name` that others see at the user's seats, or send one of the phrases, by its number."""
    table, phrase = session.table, message.get("phrase")
    if "name" in message:
        name = harmless(" ".join(text_of(message, "name", 200).split()))[:MAX_NAME]
        table.names |= dict.fromkeys(session.own, name)
        table.tell()
    if type(phrase) is int and 0 <= phrase < PHRASES and session.own:
        table.say({"type": "phrase", "by": session.own[0], "phrase": phrase})


async def draw(session: Session, message: Message) -> None:
    """Offer a draw to all other users, who reply with `answer`; do nothing if another request is pending."""
    table = session.table
    if not table.player or not table.played:
        raise Refused("a draw can be offered only during a game", "no-game")
    if table.request is None:
        table.request = Request("draw", session.who, table.tip)
        table.tell()


async def abort(session: Session, message: Message) -> None:
    """End the game without a result; refuse if it is over, or if as many moves were made as there are players."""
    table = session.table
    if not table.player or table.played >= len(table.players):
        raise Refused("the game can no longer be aborted", "too-late")
    session.services.mover.end(table, "", "aborted")


async def claim(session: Session, message: Message) -> None:
    """End the game if all other users have been away long enough: as a win over the only opponent, or as a draw if
    `draw` is set or there are several opponents."""
    table, others = session.table, session.table.others(session.socket.token)
    if table.claim_in(session.socket.token) != 0:
        raise Refused("the others are still here, or haven't been away long enough", "too-early")
    session.services.mover.end(table, "" if message.get("draw") or len(others) > 1 else others[0],
                               "gone" if not message.get("draw") and len(others) == 1 else "abandoned")


def listed(tables: list[Table]) -> list[dict[str, Any]]:
    """Return the facts about the games in progress that may be listed."""
    return [{"id": table.id, **table.facts(), "names": table.names, "watchers": table.spectators} for table in tables
            if table.is_listed and table.by_link and table.sockets and table.player]


async def seat(session: Session, message: Message) -> None:
    """Give a seat to another kind of player."""
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
    """Set the help that is offered, whether the game is listed, and the `clock` (`[seconds, increment]` or None). After
    the first move, none of this can be changed in games between people; in other games, all but the clock can."""
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
