"""Another game at a new table for the same people; the old table stays unchanged, unless its owner leaves it empty."""

from dataclasses import replace

from zrf_py.catalogue import folded
from zrf_py.play.tree import Tree
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import Message, Session, text_of
from zrf_py.serve.table import Request

MAX_TEXT = 256 << 10
"""Maximum number of characters of a saved game."""


async def new(session: Session, message: Message) -> None:
    """Start the same game again, or another variant; `swap`: every user takes the next player's seat.

    Other users at the table must agree first, unless all of them are away.
    """
    table = session.table
    variant = message.get("variant")
    if variant is not None and variant not in table.info["variants"]:
        raise Refused("there is no such variant", "unknown-variant")
    if not session.has("new") and not {*table.others(session.socket.token)} <= {*table.away}:
        table.request = Request("new", session.who, table.tip, wish=message)
        table.tell()
    else:
        await begin(session, message)


async def begin(session: Session, message: Message) -> None:
    """Start the game that a message describes, without asking the other users."""
    table, players = session.table, session.table.players
    before = {name: players[i - 1] for i, name in enumerate(players)} if message.get("swap") else {}
    seats = {name: table.seats[before.get(name, name)] for name in table.seats}
    tokens = {name: table.tokens[old] for name in table.seats if (old := before.get(name, name)) in table.tokens}
    await _move_on(session, Tree(), message.get("variant") or table.variant, seats, tokens)


async def load(session: Session, message: Message) -> None:
    """Continue a saved game of these rules."""
    table = session.table
    text = text_of(message, "text", MAX_TEXT)
    saved = await session.services.referee.ask({"op": "read", "text": text})
    variant = next((t for t in table.info["variants"] if folded(t) == folded(saved["variant"])), None)
    if variant is None:
        title = saved["variant"][:80]
        raise Refused(f"the saved game is a game of `{title}`, which is not a variant of these rules", "other-game")
    await _move_on(session, tree_of(saved), variant, table.seats, table.tokens, strict=True)


def tree_of(saved: dict[str, object]) -> Tree:
    """Return the moves of a saved game as a tree, with its variations."""
    line, variations = saved["line"], saved.get("variations") or []
    assert isinstance(line, list) and isinstance(variations, list)
    tree = Tree([str(text) for text in line])
    for parent, text in variations:
        if parent in tree:
            following = tree[parent].next
            tree.add(parent, str(text))
            tree[parent].next = following or tree[parent].next
    return tree


async def _move_on(session: Session, tree: Tree, variant: str | None, seats: dict[str, str], tokens: dict[str, str],
                   strict: bool = False) -> None:
    """Create a table and move the players there; `strict`: only if the rules allow every move of the record."""
    services, table = session.services, session.table
    game = services.lobby.games[table.game]
    like = replace(table, tokens=tokens)
    created = await services.lobby.create(game, tree, seats, variant, table.maker, like=like)
    if strict and created.note:
        services.lobby.discard(created)
        raise Refused(f"the game can't be continued. {created.note}", "bad-record")
    services.computers.stop(table)
    services.computers.prepare(created)
    is_empty = not len(table.tree) and table.is_owner(session.socket.token)
    players = [socket for socket in table.sockets if is_empty or table.may_play(socket.token)]
    table.say({"type": "moved", "id": created.id, "empty": is_empty}, players)
    table.say({"type": "another", "id": created.id}, table.sockets - set(players))
    if is_empty:
        services.lobby.discard(table)
