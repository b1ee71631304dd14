"""Everything that a page contains besides its markup, compressed as one payload: scripts, tables, modules, memory.

Its format: the length of the index (4 bytes, little-endian), the index as JSON, then the parts in order.

The index is {"names": {name: number}, "parts": [[offset, length]], "page": {…}}; in `page` each distinct value in the
variants' tables and their subtables is stored once, in `shared`. Initial memory contents are [address, part], or
[address, part, 1] if the part is delta-encoded as 32-bit numbers.
"""

import base64
import json
import zlib
from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, repeat
from operator import and_, sub
from typing import Any

from zrf_py.export.facts import Facts, fields
from zrf_py.export.wasm import Image

MUCH = 1000
"""Minimum size, in bytes, of tables for which delta encoding is tried."""


@dataclass(frozen=True)
class Payload:
    """Numbered parts of a page; equal ones are stored once."""

    parts: list[bytes] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    _known: dict[bytes, int] = field(default_factory=dict)
    _as_written: dict[bytes, list[int]] = field(default_factory=dict)

    def add(self, data: bytes) -> int:
        """Add a part unless an equal one exists; return its number."""
        if data not in self._known:
            self._known[data] = len(self.parts)
            self.parts.append(data)
        return self._known[data]

    def name(self, name: str, text: str) -> None:
        """Add a part that is looked up by name."""
        self.names[name] = self.add(text.encode("utf-8", "replace"))

    def page(self, variants: Sequence[tuple[Facts, Image]]) -> Facts:
        """Return the tables of all variants, as `world.js` reads them."""
        shared: dict[str, int] = {}

        def place(value: Any) -> int:
            return shared.setdefault(_json(value), len(shared))

        games = [{name: {inner: place(v) for inner, v in value.items()} if isinstance(value, dict) else place(value)
                  for name, value in game.items()} for game, _ in variants]
        return {"fields": fields(), "shared": [json.loads(text) for text in shared], "games": games,
                "images": [self._image(image) for _, image in variants]}

    def _image(self, image: Image) -> Facts:
        writes = [[address, *self._written(data)] for address, data in image.writes]
        return {"module": self.add(image.module), "writes": writes, "binds": image.binds, "at": image.at,
                "late": image.late, "end": image.end}

    def _written(self, data: bytes) -> list[int]:
        """Add memory contents; return [part], or [part, 1] if delta-encoded (rising numbers shrink to a tenth)."""
        if len(data) < MUCH or len(data) % 4:
            return [self.add(data)]
        if data not in self._as_written:  # variants have many arrays in common
            steps = _steps(data)
            is_smaller = 2 * len(zlib.compress(steps, 1)) < len(zlib.compress(data, 1))
            self._as_written[data] = [self.add(steps), 1] if is_smaller else [self.add(data)]
        return self._as_written[data]

    def packed(self, page: Facts) -> bytes:
        """Return the whole payload, uncompressed."""
        places, at = [], 0
        for part in self.parts:
            places.append([at, len(part)])
            at += len(part)
        index = _json({"names": self.names, "parts": places, "page": page}).encode("utf-8", "replace")
        return b"".join([len(index).to_bytes(4, "little"), index, *self.parts])


def compressed(data: bytes, small: bool = False) -> str:
    """Compress data (zlib) and encode it in base 64; with `small`, use zopfli if it is installed."""
    if small:
        with suppress(ImportError):
            import zopfli.zlib

            return base64.b64encode(zopfli.zlib.compress(data, numiterations=1)).decode("ascii")
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def _steps(data: bytes) -> bytes:
    numbers = array("I", data)
    return array("I", map(and_, map(sub, numbers, chain((0,), numbers)), repeat(0xFFFFFFFF))).tobytes()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
