"""Commands to take back moves (with other users: only if all agree), and to answer requests."""

from zrf_py.serve import rematch
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import Message, Session
from zrf_py.serve.table import Request


async def undo(session: Session, message: Message) -> None:
    """Take moves back to the user's last choice, or ask the others for that; the moves stay in the tree."""
    table, socket = session.table, session.socket
    asks = not session.has("undo")
    node = table.before(session.own if asks and session.own else None)
    if node == table.tip:
        return socket.wake()
    if asks and table.others(socket.token):
        table.request = Request("undo", session.who, node)
        return table.tell()
    await session.services.mover.go_to(table, node)
    socket.at = table.tip
    return None


async def answer(session: Session, message: Message) -> None:
    """Agree to a request or decline it; the user who made it may withdraw it."""
    table, request = session.table, session.table.request
    if request is None:
        raise Refused("there is no offer to answer", "no-request")
    is_asker = request.by == session.who
    if not message.get("agree"):
        table.request = None
        table.say({"type": "answered", "what": request.what, "agreed": False, "by": session.own, "withdrawn": is_asker})
        return table.tell()
    if is_asker:
        raise Refused("the other players have to agree", "not-yours")
    request.agreed |= set(session.own)
    asker = [table.owner] if request.by == "owner" else [table.tokens.get(request.by, "")]
    if set(table.others(asker[0])) <= request.agreed:
        if request.what == "new":
            table.request = None
            return await rematch.begin(session, request.wish)
        if request.what == "draw":
            table.request = None
            return session.services.mover.end(table, "", "agreed")
        await session.services.mover.go_to(table, request.node)
        table.say({"type": "answered", "what": request.what, "agreed": True, "by": session.own, "withdrawn": False})
    table.tell()
    return None
