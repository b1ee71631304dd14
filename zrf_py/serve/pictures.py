"""Pictures and facts of the gallery's games, cached in memory and on disk."""

import asyncio
import base64
import json
from collections import OrderedDict
from pathlib import Path
from typing import Any

import zrf_py
from zrf_py import archives, cache
from zrf_py.play.facts import Facts
from zrf_py.play.gallery import Games, Served
from zrf_py.serve.pool import Pool
from zrf_py.text.diagnostics import ZrfError

MAX_KEPT = 32 << 20
"""Maximum number of characters of all pictures in memory."""
SECONDS = 30.0
URGENCY = {"picture": 0, "facts": 1}
"""Urgency of requests, lowest first: users wait for pictures, but not for facts."""


class Pictures:
    """Pictures of the gallery, cached once made; `painters` are processes of low priority."""

    def __init__(self, painters: Pool) -> None:
        self.painters = painters
        self._kept: OrderedDict[str, str] = OrderedDict()
        home = Path(zrf_py.__file__).parent
        self._version = [f"{p.name}:{p.stat().st_mtime_ns}"
                         for p in (*sorted(home.glob("view/*.py")), home / "play" / "facts.py")]

    async def get(self, served: Served) -> str:
        """Return the drawing of a game's start position.

        :raises ZrfError: if its rules can't be used.
        """
        game = await self._game(served)
        key = game["stamp"]
        text = self._kept.pop(key, None) or await self._drawn(game, "picture", key)
        self._kept[key] = text
        while sum(map(len, self._kept.values())) > MAX_KEPT and len(self._kept) > 1:
            self._kept.popitem(last=False)
        return text

    async def learn(self, games: Games) -> None:
        """Compile the games whose cards lack facts, and add the facts; drawing pictures takes precedence."""
        for served in await asyncio.to_thread(games.all):
            if not served.is_checked:
                try:
                    game = await self._game(served)
                    text = await self._drawn(game, "facts", cache.key("facts", game["stamp"]))
                    games.learn(served, Facts(**json.loads(text)))
                except ZrfError as error:
                    if error.diagnostics[0].code != "busy":
                        games.learn(served, None)

    async def bitmap(self, path: str, transparent: bool) -> bytes:
        """Return a bitmap of a rules file as PNG; b"" if it can't be read.

        :raises ZrfError: if the process that reads it fails.
        """
        bitmap = await self.painters.ask({"op": "bitmap", "path": path, "transparent": transparent}, SECONDS)
        return base64.b64decode(bitmap["png"])

    async def _game(self, served: Served) -> dict[str, Any]:
        """Describe a game for workers; its `stamp` is the cache key of its picture.

        :raises ZrfError: if its file can't be read.
        """
        try:
            path = await asyncio.to_thread(archives.on_disk, served.path)
            age = path.stat().st_mtime_ns
        except OSError as error:
            raise ZrfError(f"{served.path.name} can't be read: {error.strerror}", "unreadable") from None
        key = cache.key("picture", *self._version, str(served.path), served.variant or "", str(age))
        return {"path": str(path), "name": served.id.removeprefix("file/"), "variant": served.variant, "stamp": key}

    async def _drawn(self, game: dict[str, Any], op: str, key: str) -> str:
        if cached := await asyncio.to_thread(cache.load, key):
            return cached.decode()
        text = str((await self.painters.ask({"op": op, "game": game}, SECONDS, URGENCY[op]))["text"])
        await asyncio.to_thread(cache.store, key, text.encode())
        return text
