"""Program ↔ bytes, the same for the same rules: what other processes get."""

import hashlib
import io
import pickle
import zlib
from dataclasses import fields
from pathlib import PurePath
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.text.source import Source

ROUNDS = 5


def pack(program: Program) -> bytes:
    """
    A program as bytes, the same for the same rules.

    Which equal strings are one object depends on whether the program was compiled or read from the disk, and pickles
    tell that; what is packed from what was unpacked settles after a round or two.
    """
    packed = _pickled(program)
    for _ in range(ROUNDS):
        again = _pickled(_unpickled(packed))
        if again == packed:
            break
        packed = again
    return zlib.compress(packed, 1)


def unpack(packed: bytes) -> Program:
    """The program that was packed."""
    return _unpickled(zlib.decompress(packed))


def digest(packed: bytes) -> str:
    """64 hexadecimal digits, the same for the same rules, whichever release of zlib has packed them."""
    return hashlib.sha256(zlib.decompress(packed)).hexdigest()


def texts_of(program: Program) -> list[str]:
    """The texts of the rules files that a program was made from, each once, ordered by the names of the files."""
    finder = _Finder(io.BytesIO(), protocol=5)
    finder.dump(program)
    return [text for _, text in sorted(finder.sources)]


class _Pickler(pickle.Pickler):
    """Leaves out in which folder the rules lay, in which order sets were filled, and what a program has found out about
    itself since: that makes no other game."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Source):
            return Source, (PurePath(value.name).name, value.text)
        if isinstance(value, Program):
            return Program, tuple(getattr(value, field.name) for field in fields(value) if field.init)
        return NotImplemented

    def persistent_id(self, value: Any) -> Any:
        return tuple(sorted(value, key=repr)) if type(value) is frozenset else None


class _Finder(_Pickler):
    """Notes the name and the text of each source on its way."""

    def __init__(self, out: io.BytesIO, protocol: int) -> None:
        super().__init__(out, protocol)
        self.sources: set[tuple[str, str]] = set()

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Source):
            self.sources.add((PurePath(value.name).name, value.text))
        return super().reducer_override(value)


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, held: Any) -> Any:
        return frozenset(held)


def _pickled(program: Program) -> bytes:
    out = io.BytesIO()
    _Pickler(out, protocol=5).dump(program)
    return out.getvalue()


def _unpickled(packed: bytes) -> Program:
    found: Program = _Unpickler(io.BytesIO(packed)).load()
    return found
