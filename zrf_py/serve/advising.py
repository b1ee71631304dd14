"""Computer advice on positions: hints, winning chances, best lines, the review of a whole game."""

import asyncio
import contextlib
from typing import Any

from zrf_py.serve.computers import AMONG_THEMSELVES, FOR_PEOPLE, THINK_SECONDS
from zrf_py.serve.moves import Mover
from zrf_py.serve.pool import Pool
from zrf_py.serve.rights import Refused
from zrf_py.serve.session import Message, Session
from zrf_py.serve.sockets import Socket
from zrf_py.serve.table import Table
from zrf_py.text.diagnostics import ZrfError

MAX_LOOKS = 4_000


class Adviser:
    """Lets the search processes evaluate positions; drops answers about positions that a browser no longer shows."""

    def __init__(self, mover: Mover, searchers: Pool) -> None:
        self.referee = mover.referee
        self.searchers = searchers
        mover.adviser = self
        self._asking: dict[Socket, asyncio.Task[None]] = {}
        self._wanted: dict[Socket, str] = {}
        self._reviewing: set[asyncio.Task[None]] = set()

    def ask(self, table: Table, socket: Socket, kind: str) -> None:
        """Queue a browser's request (hint or analysis) for the position it shows, in place of one that still waits."""
        self._wanted[socket] = kind
        if socket not in self._asking:
            task = self._asking[socket] = asyncio.create_task(self._answer_all(table, socket))
            task.add_done_callback(lambda _: self._asking.pop(socket, None))

    async def _answer_all(self, table: Table, socket: Socket) -> None:
        """Answer one browser's requests, one after the other, until none waits."""
        while (kind := self._wanted.pop(socket, None)) and socket in table.sockets:
            await self._answer(table, socket, kind)

    async def _answer(self, table: Table, socket: Socket, kind: str) -> None:
        node = socket.at
        try:
            evaluation = await self._look(table, node, FOR_PEOPLE, learn=False)
        except ZrfError as error:
            summary = f"no {'hint' if kind == 'hint' else 'analysis'}: {error.diagnostics[0].message}"
            return socket.say({"type": "problem", "code": f"no-{kind}", "summary": summary})
        if kind == "hint":
            evaluation = {"legs": _first_turn(evaluation["lines"][0]["moves"])}
        if socket.at == node:
            socket.say({"type": kind, "ply": table.tree[node].depth, "node": node, **evaluation})
        return None

    def judge(self, table: Table) -> None:
        """Start evaluating the positions shown by browsers that have evaluations turned on."""
        if self._unweighed(table) is not None and (table.judging is None or table.judging.done()):
            table.judging = asyncio.create_task(self._judge(table))

    def _unweighed(self, table: Table) -> int | None:
        return next((s.at for s in table.sockets if s.is_judged and s.at not in table.looks and not table.error
                     and table.right("evaluate", s.token) == "yes"), None)

    async def _judge(self, table: Table) -> None:
        while (node := self._unweighed(table)) is not None:
            if not (await self._weigh(table, node)).get("more"):
                table.tell()

    async def _weigh(self, table: Table, node: int) -> dict[str, Any]:
        """Evaluate a position; return {"chances": None} if it can't be searched."""
        evaluation: dict[str, Any] = {"chances": None}
        with contextlib.suppress(ZrfError):
            evaluation = await self._look(table, node, AMONG_THEMSELVES, learn=True)
        if evaluation.get("more"):
            table.say({"type": "learning", "why": evaluation["why"]}, [s for s in table.sockets if s.is_judged])
        else:
            table.looks.setdefault(node, evaluation)
        return evaluation

    async def _look(self, table: Table, node: int, urgency: int, learn: bool) -> dict[str, Any]:
        """Return the evaluation of a position: the table's stored one, or a worker's, which is stored if complete."""
        if node in table.looks:
            return table.looks[node]
        question = self.referee.question(table, "look", node, learn=learn)
        evaluation: dict[str, Any] = await self.searchers.ask(question, THINK_SECONDS, urgency)
        if not evaluation.get("more"):
            table.looks[node] = evaluation
            while len(table.looks) > MAX_LOOKS:
                table.looks.popitem(last=False)
        return evaluation

    def review(self, table: Table, socket: Socket) -> None:
        """Evaluate the positions of the line that a browser shows, one by one, and send each result at once."""
        tree = table.tree
        line = [0, *tree.line(socket.at, table.name_of(socket.token))]
        stops = [ply for ply, node in enumerate(line)
                 if ply + 1 == len(line) or not tree.is_half_set_up(node, line[ply + 1])]

        async def run() -> None:
            for ply in stops:
                node = line[ply]
                if socket not in table.sockets:
                    return
                while (evaluation := await self._weigh(table, node)).get("more"):
                    socket.say({"type": "learning", "why": evaluation["why"]})
                    if socket not in table.sockets:
                        return
                socket.say({"type": "review", "ply": ply, "node": node, "of": len(stops), **evaluation})

        if len(self._reviewing) >= 2:
            raise Refused("other reviews are running; try again in a moment", "busy")
        task = asyncio.create_task(run())
        self._reviewing.add(task)
        task.add_done_callback(self._reviewing.discard)


def _first_turn(moves: list[list[Any]]) -> list[str]:
    """Return the texts of a line's legs, up to the end of its first turn."""
    ends = next((i for i, (*_, goes_on) in enumerate(moves) if not goes_on), len(moves))
    return [text for text, *_ in moves[: ends + 1]]


# ------------------------------------------------------------------------------------------------------------- commands


async def hint(session: Session, message: Message) -> None:
    """Send the browser the first turn of the best line from the position it shows."""
    view = await _live_view(session, "hint")
    kinds = {p["name"]: p["kind"] for p in session.table.info["players"]}
    if kinds.get(view["player"]) != "player":
        raise Refused("the next move is random, so there is nothing to choose", "no-hint")
    session.services.adviser.ask(session.table, session.socket, "hint")


async def analyse(session: Session, message: Message) -> None:
    """Send the best lines from the position shown, each with its value and the places it passes."""
    await _live_view(session, "analyse")
    session.services.adviser.ask(session.table, session.socket, "analyse")


async def _live_view(session: Session, request: str) -> dict[str, Any]:
    view = await session.services.referee.view(session.table, session.socket.at)
    if view.get("outcome"):
        raise Refused("the game is over", f"no-{request}")
    return view


async def evaluate(session: Session, message: Message) -> None:
    """Turn on or off the evaluation of each position that this browser shows."""
    session.socket.is_judged = bool(message.get("on"))
    session.services.adviser.judge(session.table)
    session.socket.wake()


async def review(session: Session, message: Message) -> None:
    """Start to send the winning chances after each move of the line shown; refuse if two other reviews are running."""
    session.services.adviser.review(session.table, session.socket)
