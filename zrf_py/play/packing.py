"""Canonical serialisation of programs, equal for equal rules; used to send them to other processes and to hash them."""

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
    """Serialise a program to bytes that are equal for equal rules.

    A pickle depends on which equal strings are the same object, and that differs between compiled and cached programs.
    Repeated pickling and unpickling reaches a fixed point after a round or two (at most `ROUNDS`).
    """
    packed = _pickled(program)
    for _ in range(ROUNDS):
        again = _pickled(_unpickled(packed))
        if again == packed:
            break
        packed = again
    return zlib.compress(packed, 1)


def unpack(packed: bytes) -> Program:
    """Deserialise a program."""
    return _unpickled(zlib.decompress(packed))


def digest(packed: bytes) -> str:
    """Hash packed rules to 64 hexadecimal digits (SHA-256), whatever the release of zlib that packed them."""
    return hashlib.sha256(zlib.decompress(packed)).hexdigest()


def texts_of(program: Program) -> list[str]:
    """Return the distinct texts of the rules files that a program was compiled from, sorted by file name."""
    finder = _Finder(io.BytesIO(), protocol=5)
    finder.dump(program)
    return [text for _, text in sorted(finder.sources)]


class _Pickler(pickle.Pickler):
    """Pickler that leaves out what isn't part of the rules: the file's folder, the order of sets, cached values."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Source):
            return Source, (PurePath(value.name).name, value.text)
        if isinstance(value, Program):
            return Program, tuple(getattr(value, field.name) for field in fields(value) if field.init)
        return NotImplemented

    def persistent_id(self, value: Any) -> Any:
        return tuple(sorted(value, key=repr)) if type(value) is frozenset else None


class _Finder(_Pickler):
    """Pickler that also collects the name and text of each source."""

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
    program: Program = _Unpickler(io.BytesIO(packed)).load()
    return program
