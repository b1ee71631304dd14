"""The rules editor (desk): edits a rules file in the browser, with the services of `author/` and the board beside it.

Only the user who started the server has access: the page needs a token that is printed in the terminal only. Offsets
are in UTF-16 code units, as in browsers. The page decides when a text is saved; the board follows the saved file. The
page of tests beside the rules can be edited as well, and so can the files that the rules include.
"""

import asyncio
import hashlib
import json
import secrets
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from zrf_py.author import desk_answers
from zrf_py.author.desk_state import NO_QUESTION, Message, refused
from zrf_py.author.editor.room import Changed, Room
from zrf_py.author.format.files import encoded
from zrf_py.author.trials import trying
from zrf_py.front.decode import decode
from zrf_py.hosts import Late, Lost, Pool, run_zrf
from zrf_py.library import contents
from zrf_py.paths import age_of, replace_file
from zrf_py.serve.guard import PAGE_POLICY
from zrf_py.serve.limits import Limits
from zrf_py.serve.rights import OWNER, WATCHER, YES, Refused, right
from zrf_py.serve.table import same
from zrf_py.serve.wire import error_json
from zrf_py.text.diagnostics import ZrfError, writing

STATIC = Path(__file__).with_name("static")
POLICY = PAGE_POLICY + "; frame-src 'self'"
COMMAND_SECONDS = 60.0
MAX_SAID = 100_000
NOT_YOURS = Refused("only the person who started this server can check and play rules here", "not-yours")


class Desk:
    """One file, and the browsers that edit it."""

    def __init__(self, path: Path, game: str, limits: Limits, address: str = "") -> None:
        """`game` is the id under which boards of the file are served, `address` how other machines reach the server."""
        self.limits, self.address = limits, address
        self.path, self.game = path.resolve(), game
        self.token = secrets.token_urlsafe(18)
        self.room = Room(desk_answers.news, self._publish)
        self._included: list[Path] = []
        self._seen: dict[str, int] = {}
        """Time of the last change of each file, as of the last notice."""
        self._sockets: dict[str, Callable[[Message], Awaitable[None]]] = {}
        self._numbers = count()
        self._writing = threading.Lock()
        self._is_closed = False
        self._pools: dict[bool, Pool] = {}
        """Processes for trials: one for long work (True), one for the rest."""
        self._tasks: set[asyncio.Future[None]] = set()

    async def page(self, request: Request) -> Response:
        self.room.begin()  # start its process while the page loads
        return FileResponse(STATIC / "desk.html", headers={
            "cache-control": "no-cache", "content-security-policy": POLICY})

    async def socket(self, web: WebSocket) -> None:
        """Serve a browser: its first message contains the token, each later one a text or a query."""
        await web.accept()
        with suppress(WebSocketDisconnect, RuntimeError, OSError, TimeoutError, ValueError):
            hello = json.loads(await asyncio.wait_for(web.receive_text(), self.limits.join_seconds))
            is_owner = isinstance(hello, dict) and same(str(hello.get("token", "")), self.token)
            if right("edit", OWNER if is_owner else WATCHER) == YES:
                await self._attend(web)
            else:
                await web.send_text(json.dumps({"type": "gone", "problem": error_json(NOT_YOURS)}))
        with suppress(Exception):
            await web.close(1008)

    async def _attend(self, web: WebSocket) -> None:
        self.room.begin()
        name = f"desk-{next(self._numbers)}"

        async def say(message: Message) -> None:
            with suppress(RuntimeError, OSError, WebSocketDisconnect):
                await web.send_text(json.dumps(message))

        self._sockets[name] = say
        try:
            file = await asyncio.to_thread(_read, self.path)
            await say({"type": "file", "name": self.path.name, "game": self.game, "path": str(self.path),
                       "address": self.address, "longest": self.limits.message_bytes, **file})
            self.room.take(name, self.path, file["text"], 0)
            while True:
                message = json.loads(await web.receive_text())
                if isinstance(message, dict):
                    await self._heed(name, message, say)
        finally:
            self._sockets.pop(name, None)
            self.room.close(name)
            if not self._sockets:
                await asyncio.to_thread(self._stop, True)

    def look(self) -> None:
        """Notify the pages if one of their files has changed on disk since the last call, whoever has written it."""
        if self._sockets and (now := {name: age_of(path) for name, path in self._files().items()}) != self._seen:
            self._seen = now
            self.room.reread()
            for say in self._sockets.values():
                self._keep(asyncio.ensure_future(say({"type": "disk"})))

    async def _heed(self, name: str, message: Message, say: Callable[[Message], Awaitable[None]]) -> None:
        if message.get("type") == "text":
            text, version = message.get("text"), message.get("version")
            if isinstance(text, str) and type(version) is int:
                self.room.change(name, text, version)
            else:
                await say({"type": "answer", "id": None, "problem": NO_QUESTION})
            return
        self._keep(asyncio.create_task(self._answer(name, message, say)))

    def _keep(self, task: asyncio.Future[None]) -> None:
        """Keep a reference to a task until it is done."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, name: str, message: Message, say: Callable[[Message], Awaitable[None]]) -> None:
        """Answer a query; the answer contains the query's id, and the version of the text that it is about."""
        if (text := self.room.texts.get(name)) is None:
            return  # the page has left
        answer: Message = {"type": "answer", "id": message.get("id"), "version": text.version}
        try:
            is_trial = message["what"] in trying.SECONDS
            answer["value"] = await (self._try(text.text, message, say) if is_trial else self._ask(name, message))
        except Changed:
            answer["changed"] = True
        except ZrfError as error:
            answer["problem"] = error_json(error)
        except (KeyError, TypeError, ValueError, OverflowError):
            answer["problem"] = NO_QUESTION
        await say(answer)

    async def _ask(self, name: str, message: Message) -> Any:
        command = message["what"]
        if command in ("open", "save"):
            path = self._files()[str(message["name"])]
            if command == "open":
                return await asyncio.to_thread(_read, path)
            saved = await asyncio.to_thread(self._write, path, str(message["text"]), message["mark"])
            self.room.reread()
            return saved
        if command == "lints":
            return await self._lints()
        if command == "stop":
            return await asyncio.to_thread(self._stop, True)
        if command == "starts":
            return await asyncio.to_thread(desk_answers.starts, self.path)
        if command == "start":
            return await asyncio.to_thread(desk_answers.bundled, str(message["game"]))
        return await self.room.ask(name, desk_answers.reply, message)

    async def _try(self, text: str, message: Message, say: Callable[[Message], Awaitable[None]]) -> Any:
        """Answer a query with `author/trials`, in another process; send its progress to the page.

        :raises ZrfError: after the deadline, or if the page stops it.
        """
        name, loop = str(message["what"]), asyncio.get_running_loop()

        def tell(value: Message) -> None:
            progress = {"type": "progress", "id": message.get("id"), "value": value}
            loop.call_soon_threadsafe(lambda: self._keep(asyncio.ensure_future(say(progress))))

        if self._is_closed:
            raise ZrfError("the analysis was stopped", "stopped")
        try:
            pool = self._pools.get(name == "judge") or self._pools.setdefault(name == "judge", Pool(1))
            return await asyncio.wrap_future(pool.submit(
                trying.answer, name, text, self.path, message, seconds=trying.SECONDS[name], tell=tell))
        except Late:
            raise ZrfError(f"that takes longer than {trying.SECONDS[name]:g} seconds", "too-slow") from None
        except (Lost, asyncio.CancelledError):
            raise ZrfError("the analysis was stopped", "stopped") from None

    def _stop(self, is_long: bool) -> None:
        """End the process for long trials, or the one for short trials, without waiting for its work."""
        if pool := self._pools.pop(is_long, None):
            pool.close()

    async def close(self) -> None:
        """End all processes of the rules editor, for good."""
        self._is_closed = True
        for is_long in (True, False):
            await asyncio.to_thread(self._stop, is_long)
        self.room.end()

    def _publish(self, name: str, version: int, news: Message | ZrfError) -> None:
        say = self._sockets.get(name)
        if say is not None:
            if isinstance(news, ZrfError):
                news = refused(news)
            else:
                self._included = news.pop("included")
            self._keep(asyncio.ensure_future(say({**news, "version": version, "files": list(self._files())})))

    # --------------------------------------------------------------------------------------------------- the file

    def _files(self) -> dict[str, Path]:
        """Return the files that may be edited, by path below the folder: rules, tests, included files."""
        folder, files = self.path.parent, (self.path, self.path.with_suffix(".md"), *self._included)
        return {path.relative_to(folder).as_posix(): path for path in (file.resolve() for file in files)
                if path.is_relative_to(folder)}

    def _write(self, path: Path, text: str, mark: str) -> Message:
        """Save a text in the encoding and with the line endings of its file; return the file's new mark.

        :raises ZrfError: if the file can't be written, or if its mark is no longer `mark`.
        """
        if path.exists() and not path.is_file():  # a pipe would wait for a reader
            raise ZrfError(f"{path.name} can't be written: it is no longer a regular file", "unwritable")
        with self._writing:
            now = _bytes(path)
            data = encoded(text.replace("\n", "\r\n") if "\r\n" in decode(now) else text, now)
            if data != now:
                if mark != _mark(now):
                    raise ZrfError(f"{path.name} has been changed by another program", "changed-elsewhere")
                with writing(path.name):
                    replace_file(path, data)
        return {"mark": _mark(data)}

    async def _lints(self) -> Message:
        """Run `zrf lint` on the file as saved, in a process of its own; return its output."""
        _, out, err = await run_zrf(("lint", str(self.path)), COMMAND_SECONDS)
        return {"text": (out + err).decode("utf-8", "replace")[:MAX_SAID]}


def _bytes(path: Path) -> bytes:
    return contents(path) if path.is_file() else b""


def _mark(data: bytes) -> str:
    """Return a file's hash. A page that saves sends the hash it has read, so that it overwrites no other content."""
    return hashlib.sha256(data).hexdigest()


def _read(path: Path) -> Message:
    """Return a file's text (empty if there is no file) with the line endings of the editor, and its mark."""
    data = _bytes(path)
    return {"text": decode(data).replace("\r\n", "\n"), "mark": _mark(data)}
