"""Taking back moves: at once for a user who plays alone, else if all others agree. Answers to users' requests."""

from zrf_py.serve import rematch
from zrf_py.serve.rights import ASK, Refused
from zrf_py.serve.session import Message, Session
from zrf_py.serve.table import Request


async def undo(here: Session, message: Message) -> None:
    """Take back to the user's last choice; the moves stay in the tree."""
    table, socket = here.table, here.socket
    asks = here.needs("undo") == ASK
    node = table.before(here.own if asks and here.own else None)
    if table.error or node == table.tip:
        return socket.wake()
    if asks and table.others(socket.token):
        table.request = Request("undo", here.who, node)
        return table.tell()
    await here.services.mover.go_to(table, node)
    socket.at = table.tip
    return None


async def answer(here: Session, message: Message) -> None:
    """Agree to a request or decline it; the user who made it may withdraw it."""
    here.needs("answer")
    table, request = here.table, here.table.request
    if request is None:
        raise Refused("there is no offer to answer", "no-request")
    is_asker = request.by == here.who
    if not message.get("agree"):
        table.request = None
        table.say({"type": "answered", "what": request.what, "agreed": False, "by": here.own, "withdrawn": is_asker})
        return table.tell()
    if is_asker:
        raise Refused("the other players have to agree", "not-yours")
    request.agreed |= set(here.own)
    asker = [table.owner] if request.by == "owner" else [table.tokens.get(request.by, "")]
    if set(table.others(asker[0])) <= request.agreed:
        if request.what == "new":
            table.request = None
            return await rematch.begin(here, request.wish)
        await here.services.mover.go_to(table, request.node)
        table.say({"type": "answered", "what": request.what, "agreed": True, "by": here.own, "withdrawn": False})
    table.tell()
    return None


async def redo(here: Session, message: Message) -> None:
    """Redo the moves taken back, up to the user's next choice."""
    here.needs("redo")
    node = here.table.after()
    if here.table.error or node == here.table.tip:
        return here.socket.wake()
    await here.services.mover.go_to(here.table, node)
    here.socket.at = here.table.tip
    return None
