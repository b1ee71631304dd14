"""Commands for the view of a single browser: the position that it shows, how it is drawn, links to it."""

from zrf_py.author.sharing import pack
from zrf_py.play.shipped_puzzles import record_of
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import Message, Session


async def goto(session: Session, message: Message) -> None:
    """Show the position after `ply` moves of the line shown, or at a `node` of the tree."""
    table, socket = session.table, session.socket
    node = message.get("node")
    if node is None:
        ply, line = message.get("ply"), [0, *table.tree.line(socket.at, session.name)]
        node = line[ply] if type(ply) is int and 0 <= ply < len(line) else -1
    if type(node) is not int or node not in table.tree or not table.tree.is_seen(node, session.name):
        raise Refused("no such move in this game", "no-such-move")
    if node != socket.at:
        await session.services.referee.view(table, node)
        socket.at = node
    socket.wake()
    session.services.adviser.judge(table)


async def overlay(session: Session, message: Message) -> None:
    """Set how one browser's board is drawn: its overlays, whether bitmaps are used, whether letters replace signs."""
    names = message.get("overlays")
    session.socket.overlays = tuple(str(o)[:20] for o in names[:6]) if isinstance(names, list) else ()
    session.socket.plain = bool(message.get("plain"))
    session.socket.letters = bool(message.get("letters"))
    session.socket.wake()


async def reach(session: Session, message: Message) -> None:
    """Send the places that a piece can reach this turn only by several legs, in the reply `reach`."""
    table, node, start = session.table, session.socket.at, message.get("from")
    if type(start) is not int:
        raise Refused("`from` must be the number of a square", "bad-message")
    referee = session.services.referee
    answer = await referee.ask(referee.question(table, "reach", node, start=start))
    if session.socket.at == node:
        session.socket.say({"type": "reach", "from": start, "ways": answer["ways"]})


async def link(session: Session, message: Message) -> None:
    """Send a link to the position; anyone who opens it gets a new board that starts from it."""
    table = session.table
    session.socket.say({"type": "link", "link": pack(table.game, table.variant, table.tree.texts(session.socket.at))})


async def puzzle(session: Session, message: Message) -> None:
    """Send a link to a puzzle of the game, by its `number`."""
    table, games = session.table, session.services.lobby.games
    record = record_of(games[table.game].path, table.info["title"], message.get("number"))
    session.socket.say({"type": "puzzle", "link": pack(table.game, table.variant, record)})


async def draft(session: Session, message: Message) -> None:
    """Send the position that a user sets up (`men` [place, player, type], `stores` [player, type, number], `player` to
    move): the reply `draft` has its drawing, its description, a link to it and the saved game."""
    table, referee = session.table, session.services.referee
    question = referee.question(
        table, "draft", 0, rules=referee.games.name_for_record(referee.games[table.game]),
        men=_rows(message, "men"), stores=_rows(message, "stores"), player=str(message.get("player", "")))
    answer = await referee.drawn(question)
    session.socket.say({"type": "draft", "link": pack(table.game, table.variant, answer["line"]), **answer})


def _rows(message: Message, name: str) -> list[list[int]]:
    """Return a message's rows, of three non-negative integers each; [] if there are none."""
    rows = message.get(name, [])
    if not isinstance(rows, list) or not all(
            isinstance(row, list) and len(row) == 3 and all(type(n) is int and n >= 0 for n in row) for row in rows):
        raise Refused(f"`{name}` must be rows of three numbers", "bad-message")
    return rows
