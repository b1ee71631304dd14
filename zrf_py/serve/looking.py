"""The view of a single browser: the position it shows, and what is drawn over it."""

from zrf_py.serve.links import pack
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import Message, Session


async def goto(here: Session, message: Message) -> None:
    """Show the position after `ply` moves of the line shown, or at a `node` of the tree."""
    here.needs("look")
    table, socket = here.table, here.socket
    node = message.get("node")
    if node is None:
        ply, line = message.get("ply"), [0, *table.tree.line(socket.at, here.name)]
        node = line[ply] if type(ply) is int and 0 <= ply < len(line) else -1
    if type(node) is not int or node not in table.tree or not table.tree.is_seen(node, here.name):
        raise Refused("no such move in this game", "no-such-move")
    if not table.error and node != socket.at:
        await here.services.referee.view(table, node)
        socket.at = node
    socket.wake()
    here.services.adviser.judge(table)


async def overlay(here: Session, message: Message) -> None:
    """Set the overlays that one browser sees on the board."""
    here.needs("overlays")
    wanted = message.get("overlays")
    here.socket.overlays = tuple(str(o)[:20] for o in wanted[:6]) if isinstance(wanted, list) else ()
    here.socket.plain = bool(message.get("plain"))
    here.socket.letters = bool(message.get("letters"))
    here.socket.wake()


async def reach(here: Session, message: Message) -> None:
    """Send the places that a piece can reach within a turn of several legs: answers `reach`."""
    here.needs("look")
    table, node, start = here.table, here.socket.at, message.get("from")
    if type(start) is not int or table.error:
        raise Refused("`from` must be the number of a position", "bad-message")
    referee = here.services.referee
    found = await referee.ask(referee.question(table, "reach", node, start=start))
    if here.socket.at == node:
        here.socket.say({"type": "reach", "from": start, "ways": found["ways"]})


async def link(here: Session, message: Message) -> None:
    """Send a link to the position: whoever opens it gets a board of their own that starts from here."""
    here.needs("link")
    table = here.table
    here.socket.say({"type": "link", "link": pack(table.game, table.variant, table.tree.texts(here.socket.at))})


async def draft(here: Session, message: Message) -> None:
    """Send the position that a user sets up (`men` [place, player, type], `stores` [player, type, number], `player` to
    move): answers `draft` with its drawing, its description, a link to it and the saved game."""
    here.needs("draft")
    table, referee = here.table, here.services.referee
    if table.error:
        raise Refused("fix the errors in the rules first", "broken-rules")
    question = referee.question(
        table, "draft", 0, rules=referee.games.name_for_record(referee.games[table.game]),
        men=_rows(message, "men"), stores=_rows(message, "stores"), player=str(message.get("player", "")))
    found = await referee.drawn(question)
    here.socket.say({"type": "draft", "link": pack(table.game, table.variant, found["line"]), **found})


def _rows(message: Message, name: str) -> list[list[int]]:
    """Return a message's rows of three numbers each."""
    rows = message.get(name, [])
    if not isinstance(rows, list) or not all(
            isinstance(row, list) and len(row) == 3 and all(type(n) is int and n >= 0 for n in row) for row in rows):
        raise Refused(f"`{name}` must be rows of three numbers", "bad-message")
    return rows
