"""The gallery's pictures: made one by one when somebody looks, kept in memory and on disk."""

import asyncio
import base64
from collections import OrderedDict
from pathlib import Path

import zrf_py
from zrf_py import archives, cache
from zrf_py.serve.games import Served
from zrf_py.serve.pool import Pool
from zrf_py.text.diagnostics import ZrfError

MAX_KEPT = 32 << 20
"""Characters of all pictures in memory."""
SECONDS = 30.0


class Pictures:
    """`painters` are processes that give way to all others; nobody waits long for a picture that was made once."""

    def __init__(self, painters: Pool) -> None:
        self.painters = painters
        self._kept: OrderedDict[str, str] = OrderedDict()
        view = Path(zrf_py.__file__).parent / "view"
        self._version = [f"{p.name}:{p.stat().st_mtime_ns}" for p in sorted(view.glob("*.py"))]

    async def get(self, served: Served) -> str:
        """
        The drawing of a game's start position.

        :raises ZrfError: if its rules can't be used.
        """
        try:
            path = await asyncio.to_thread(archives.on_disk, served.path)
            status = path.stat()
        except OSError as error:
            raise ZrfError(f"{served.path.name} can't be read: {error.strerror}", "unreadable") from None
        key = cache.key("picture", *self._version, str(served.path), served.variant or "", str(status.st_mtime_ns))
        text = self._kept.pop(key, None)
        if text is None:
            kept = await asyncio.to_thread(cache.load, key)
            text = kept.decode() if kept else await self._make(path, served.variant, key)
        self._kept[key] = text
        while sum(map(len, self._kept.values())) > MAX_KEPT and len(self._kept) > 1:
            self._kept.popitem(last=False)
        return text

    async def bitmap(self, path: str, transparent: bool) -> bytes:
        """
        A bitmap of some rules as PNG.

        :raises ZrfError: if it can't be had.
        """
        found = await self.painters.ask({"op": "bitmap", "path": path, "transparent": transparent}, SECONDS)
        return base64.b64decode(found["png"])

    async def _make(self, path: Path, variant: str | None, key: str) -> str:
        game = {"path": str(path), "variant": variant, "stamp": key}
        text = str((await self.painters.ask({"op": "picture", "game": game}, SECONDS))["svg"])
        await asyncio.to_thread(cache.store, key, text.encode())
        return text
