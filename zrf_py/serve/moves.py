"""Moves made at the end of a game or, by a user who plays alone, at any node; losses on time or by resignation.

Nodes are never removed from the tree: a move taken back only means that the game continues from another node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zrf_py.play.reasons import Reason
from zrf_py.serve.referee import Referee, unfit
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import Message, Session, text_of
from zrf_py.serve.table import Table, pace_of
from zrf_py.view.describe import why_of

if TYPE_CHECKING:
    from zrf_py.serve.advising import Adviser
    from zrf_py.serve.computers import Computers
    from zrf_py.serve.lobby import Lobby


class Mover:
    """Changes the game of a table; the caller holds the table's lock."""

    adviser: Adviser
    computers: Computers

    def __init__(self, referee: Referee, lobby: Lobby) -> None:
        self.referee = referee
        self.lobby = lobby

    async def move(self, table: Table, text: str, by_computer: bool = False, at: int | None = None) -> None:
        """Play a move of the game, after its last move or after the node `at`.

        :raises ZrfError: if it isn't legal.
        """
        node = await self.referee.step(table, table.tip if at is None else at, text, by_computer)
        if not by_computer:
            self.computers.stop(table)
            table.used = True
        table.tree.choose(node)
        table.go_to(node)
        table.paused = False
        table.note = ""
        if by_computer:  # if another computer is to move, show at once that it is thinking
            table.thinking = "" if table.is_human(table.player) else table.player
        self._changed(table, moved=True)

    async def go_to(self, table: Table, node: int) -> None:
        """Continue the game from a node; computers wait there until a user lets them continue.

        :raises ZrfError: if the rules no longer allow its moves.
        """
        view = await self.referee.view(table, node)
        self.computers.stop(table)
        table.ended = None
        table.go_to(node)
        table.note = unfit(view)
        table.paused = not table.is_human(table.player)
        self._changed(table)

    def wait(self, table: Table, on: bool) -> None:
        """Stop the computers and the clock (`on`), or let them continue."""
        if on:
            self.computers.stop(table)
        table.paused = on
        self._changed(table)

    def end(self, table: Table, loser: str, code: str) -> None:
        """End the game outside the rules, as lost for `loser` ("": a draw); `code` is the code of the reason."""
        self.computers.stop(table)
        others = [name for name in table.players if name != loser]
        winners = others if loser and len(others) == 1 else []
        why = Reason(code, name=loser)
        text = f"{others[0]} won" if winners else f"{loser} lost" if loser else "draw"
        table.ended = {"text": f"{text} ({why.words})", "winners": winners, "losers": [loser] if loser else [],
                       **why_of(why)}
        self._changed(table)

    def ticked(self, table: Table) -> None:
        """End the game if the time of the player to move has run out: that player loses."""
        clock = table.clock
        if clock and clock.running and clock.now(clock.running) <= 0:
            self.end(table, clock.running, "out-of-time")

    def _changed(self, table: Table, moved: bool = False) -> None:
        if table.clock:
            table.clock.run(table.player if table.played and not table.paused else "")
        self.lobby.save(table, moved)
        table.tell()
        self.adviser.judge(table)


# ------------------------------------------------------------------------------------------------------------- commands


async def play(session: Session, message: Message) -> None:
    """Play a move in the position shown: in the game, as a try beside it, or (by a lone user) to continue from there.

    `ply` (or `node`) is the position that the move is meant for; if that isn't the one shown, the move is ignored.
    """
    table, socket, mover = session.table, session.socket, session.services.mover
    text = text_of(message, "move", 2_000)
    at = socket.at
    if message.get("node", at) != at or ("node" not in message and message.get("ply") != table.tree[at].depth):
        return socket.wake()
    turn = turn_of(table, socket.token, at, await session.services.referee.view(table, at))
    if turn in ("play", "go-on"):
        table.ended = None
        await mover.move(table, text, at=at)
        socket.at = table.tip
    elif turn == "try":
        socket.at = await session.services.referee.step(table, at, text, tried=session.name or "")
        session.services.lobby.save(table)
        socket.wake()
    else:
        raise Refused("it isn't your turn", "not-your-turn")
    session.services.computers.advance(table)
    session.services.adviser.judge(table)
    return None


def turn_of(table: Table, token: str, node: int, view: dict[str, Any]) -> str:
    """Classify a move at a node: `play` (in the game), `go-on` (the game continues there), `try`, "" (not allowed)."""
    own = table.may_play(token)
    if node == table.tip and (table.player or table.by_link):
        return "play" if table.player in own else ""
    if view.get("player") in own and table.right("go-on", token) == "yes":
        return "go-on"
    return "try" if table.right("try", token) == "yes" else ""


async def resume(session: Session, message: Message) -> None:
    """Let the computers continue; for a user who plays alone, from the position shown."""
    table = session.table
    if session.socket.at != table.tip and session.has("go-on"):
        await session.services.mover.go_to(table, session.socket.at)
        table.tree.choose(table.tip)
    session.services.mover.wait(table, False)
    session.services.computers.advance(table)


async def pause(session: Session, message: Message) -> None:
    """Pause the computers (`on`), or let them continue; `pace`: seconds between their moves from now on."""
    table = session.table
    if "pace" in message:
        table.pace = pace_of(message["pace"])
    if "on" in message:
        session.services.mover.wait(table, bool(message["on"]))
    session.services.lobby.save(table)
    table.tell()
    session.services.computers.advance(table)


async def resign(session: Session, message: Message) -> None:
    """Resign for the player to move if the user plays it, otherwise for the user's first player."""
    table, own = session.table, session.own
    if not table.player or not own:
        raise Refused("there is nothing to resign", "no-game")
    session.services.mover.end(table, table.player if table.player in own else own[0], "resigned")
