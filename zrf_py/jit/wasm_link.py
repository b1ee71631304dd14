"""One WebAssembly object file, as LLVM writes it → a module that an engine runs.

LLVM leaves three things open in an object file: where its globals lie in memory, where the stack is, and which
functions others may call. Every place that depends on them is named by a relocation. With a single object that calls
nothing from outside, filling them in is all there is to linking.

The formats: the WebAssembly core specification (binary format), and `Linking.md` of WebAssembly's tool conventions.
"""

import struct
from collections.abc import Collection, Iterable
from dataclasses import dataclass

PAGE = 65536
"""Memory is counted in pages of so many bytes."""

CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA, DATA_COUNT = 0, 1, 2, 3, 5, 6, 7, 10, 11, 12
"""Numbers of sections."""
IS_FUNCTION, IS_TABLE, IS_MEMORY, IS_GLOBAL = 0, 1, 2, 3
"""Kinds of imports and exports."""
SEGMENT_INFO, SYMBOL_TABLE = 5, 8
"""Parts of the section `linking`."""
SYMBOL_FUNCTION, SYMBOL_DATA, SYMBOL_GLOBAL, SYMBOL_SECTION = 0, 1, 2, 3
LOCAL, UNDEFINED, EXPLICIT_NAME = 0x02, 0x10, 0x40
"""Flags of symbols."""
FUNCTION_INDEX, ADDRESS_UNSIGNED, ADDRESS_SIGNED, ADDRESS_WORD, TYPE_INDEX, GLOBAL_INDEX = 0, 3, 4, 5, 6, 7
"""Kinds of relocations; others don't come up in code without function pointers."""
WITH_ADDEND = {ADDRESS_UNSIGNED, ADDRESS_SIGNED, ADDRESS_WORD}
HEADER = b"\0asm\1\0\0\0"
I32, MUTABLE, I32_CONST, END = 0x7F, 1, 0x41, 0x0B


class LinkError(Exception):
    """An object file holds what this linker does not know: a bug in zrf_py, or a new LLVM."""


@dataclass(frozen=True)
class Linked:
    """A module that needs nothing from outside, and where things are in it."""

    module: bytes
    addresses: dict[str, int]
    """Global variables by name: their first byte in memory."""
    end: int
    """The first byte of memory behind everything; the module asks for the pages up to here."""


@dataclass
class _Segment:
    """The contents of one global variable."""

    alignment: int
    data: bytearray
    offset: int
    """Where it begins in the data section: relocations count from there."""
    address: int = 0


@dataclass(frozen=True)
class _Symbol:
    kind: int
    flags: int
    name: str
    index: int
    """Of the function, global or segment."""
    offset: int = 0
    """Into the segment."""


class _Reader:
    """A cursor in bytes."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """An unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self) -> int:
        """A signed LEB128."""
        first = self.at
        value = self.number()
        bits = 7 * (self.at - first)
        return value - (1 << bits) if value >> bits - 1 else value

    def take(self, length: int) -> bytes:
        self.at += length
        return self.data[self.at - length : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode("utf-8")

    def __bool__(self) -> bool:
        return self.at < len(self.data)


def link(code: bytes, exports: Collection[str], stack: int = 1 << 18) -> Linked:
    """Link an object file into a module that exports these functions and its memory.

    :param stack: bytes for the stack. It lies below everything else and grows downwards, so that running out of it
        is a trap instead of overwritten data.
    :raises LinkError: if the object needs something from outside, or lacks a function.
    """
    sections = _sections(code)
    standard = {number: data for number, data in sections if number != CUSTOM}
    custom = dict(_custom(data) for number, data in sections if number == CUSTOM)
    _check_imports(standard.get(IMPORT, b"\0"))
    segments = _segments(standard.get(DATA, b"\0"))
    symbols = _symbols(custom["linking"], segments)
    end = _place(segments, stack)
    body = bytearray(standard[CODE])
    for name, data in custom.items():
        if name.startswith("reloc."):
            _relocate(_Reader(data), sections, symbols, segments, body)
    parts = [
        (TYPE, standard[TYPE]),
        (FUNCTION, standard[FUNCTION]),
        (MEMORY, b"\1\0" + _number(-(-end // PAGE))),
        (GLOBAL, bytes([1, I32, MUTABLE, I32_CONST]) + _padded(stack) + bytes([END])),
        (EXPORT, _exports(symbols, exports)),
        *_contents(segments, bytes(body)),
    ]
    module = HEADER + b"".join(bytes([number]) + _number(len(data)) + data for number, data in parts)
    data_symbols = (s for s in symbols if s.kind == SYMBOL_DATA and not s.flags & UNDEFINED)
    return Linked(module, {s.name: _address(s, segments) for s in data_symbols}, end)


# --------------------------------------------------------------------------------------------------------------- read


def _sections(code: bytes) -> list[tuple[int, bytes]]:
    """The sections in their order: relocations name them by it."""
    if not code.startswith(HEADER):
        raise LinkError("not a WebAssembly object file")
    reader = _Reader(code, len(HEADER))
    found = []
    while reader:
        number = reader.byte()
        found.append((number, reader.take(reader.number())))
    return found


def _custom(data: bytes) -> tuple[str, bytes]:
    reader = _Reader(data)
    name = reader.name()
    return name, data[reader.at :]


def _check_imports(data: bytes) -> None:
    """Memory, a table and the stack pointer are made here; nothing else may be wanted."""
    reader = _Reader(data)
    for _ in range(reader.number()):
        reader.name()
        name, kind = reader.name(), reader.byte()
        if kind == IS_FUNCTION:
            raise LinkError(f"the code calls {name}, which isn't in it")
        if kind == IS_TABLE:
            reader.byte()
        if kind in (IS_TABLE, IS_MEMORY):
            flags = reader.byte()
            reader.number()
            if flags & 1:
                reader.number()
        elif kind == IS_GLOBAL:
            reader.take(2)
            if name != "__stack_pointer":
                raise LinkError(f"the code wants the global {name}")


def _segments(data: bytes) -> list[_Segment]:
    reader = _Reader(data)
    found = []
    for _ in range(reader.number()):
        if reader.byte() != 0 or reader.byte() != I32_CONST:
            raise LinkError("a segment of data that is not active")
        reader.signed()
        reader.byte()
        length = reader.number()
        found.append(_Segment(1, bytearray(data[reader.at : reader.at + length]), reader.at))
        reader.at += length
    return found


def _symbols(linking: bytes, segments: list[_Segment]) -> list[_Symbol]:
    """The table of symbols; on the way, the segments learn how they must be aligned."""
    reader = _Reader(linking)
    reader.number()  # the version
    symbols: list[_Symbol] = []
    while reader:
        part, length = reader.byte(), reader.number()
        inner = _Reader(reader.take(length))
        if part == SEGMENT_INFO:
            for number in range(inner.number()):
                inner.name()
                segments[number].alignment = 1 << inner.number()
                inner.number()
        elif part == SYMBOL_TABLE:
            symbols = [_symbol(inner) for _ in range(inner.number())]
    return symbols


def _symbol(reader: _Reader) -> _Symbol:
    kind, flags = reader.byte(), reader.number()
    if kind == SYMBOL_SECTION:
        return _Symbol(kind, flags, "", reader.number())
    if kind == SYMBOL_DATA:
        name = reader.name()
        if flags & UNDEFINED:
            return _Symbol(kind, flags, name, -1)
        index, offset = reader.number(), reader.number()
        reader.number()
        return _Symbol(kind, flags, name, index, offset)
    index = reader.number()
    named = not flags & UNDEFINED or flags & EXPLICIT_NAME
    return _Symbol(kind, flags, reader.name() if named else "", index)


# ------------------------------------------------------------------------------------------------------ place and mend


def _place(segments: list[_Segment], start: int) -> int:
    """Give every segment its address, those that are all zeros last; the end of them all."""
    for segment in sorted(segments, key=lambda s: s.data.count(0) == len(s.data)):
        segment.address = start = -(-start // segment.alignment) * segment.alignment
        start += len(segment.data)
    return start


def _address(symbol: _Symbol, segments: list[_Segment]) -> int:
    if symbol.index < 0:
        raise LinkError(f"the code wants the variable {symbol.name}, which isn't in it")
    return segments[symbol.index].address + symbol.offset


def _relocate(
    reader: _Reader, sections: list[tuple[int, bytes]], symbols: list[_Symbol], segments: list[_Segment],
    body: bytearray,
) -> None:
    """Fill in every place that one section of relocations names, in the code or in the data."""
    target = sections[reader.number()][0]
    for _ in range(reader.number()):
        kind, offset, index = reader.byte(), reader.number(), reader.number()
        addend = reader.signed() if kind in WITH_ADDEND else 0
        if target == CODE:
            body[offset : offset + 5] = _padded(_value(kind, index, addend, symbols, segments))
        elif target == DATA and kind == ADDRESS_WORD:
            segment = next(s for s in reversed(segments) if s.offset <= offset)
            value = _value(kind, index, addend, symbols, segments)
            struct.pack_into("<I", segment.data, offset - segment.offset, value)
        elif target in (CODE, DATA):
            raise LinkError(f"a relocation of kind {kind}")


def _value(kind: int, index: int, addend: int, symbols: list[_Symbol], segments: list[_Segment]) -> int:
    if kind == TYPE_INDEX:
        return index
    if kind in (FUNCTION_INDEX, GLOBAL_INDEX):
        return symbols[index].index
    if kind in WITH_ADDEND:
        return _address(symbols[index], segments) + addend
    raise LinkError(f"a relocation of kind {kind}")


# -------------------------------------------------------------------------------------------------------------- write


def _number(value: int) -> bytes:
    """An unsigned LEB128, as short as can be."""
    found = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        found.append(low | (0x80 if value else 0))
        if not value:
            return bytes(found)


def _padded(value: int) -> bytes:
    """The same in five bytes, as relocated places have it. Addresses are below 2^31, so that signed is the same."""
    return bytes(value >> 7 * i & 0x7F | (0x80 if i < 4 else 0) for i in range(5))


def _vector(items: Iterable[bytes]) -> bytes:
    found = list(items)
    return _number(len(found)) + b"".join(found)


def _name(text: str) -> bytes:
    data = text.encode("utf-8")
    return _number(len(data)) + data


def _exports(symbols: list[_Symbol], wanted: Collection[str]) -> bytes:
    functions = {s.name: s.index for s in symbols if s.kind == SYMBOL_FUNCTION and not s.flags & UNDEFINED}
    missing = sorted(set(wanted) - set(functions))
    if missing:
        raise LinkError(f"the code has no function {', '.join(missing)}")
    items = [_name(name) + bytes([IS_FUNCTION]) + _number(functions[name]) for name in sorted(set(wanted))]
    return _vector([*items, _name("memory") + bytes([IS_MEMORY, 0])])


def _contents(segments: list[_Segment], body: bytes) -> list[tuple[int, bytes]]:
    """Code and data; zeros need not be said."""
    items = [
        bytes([0, I32_CONST]) + _padded(s.address) + bytes([END]) + _number(len(s.data)) + s.data
        for s in segments if s.data.count(0) < len(s.data)
    ]
    if not items:
        return [(CODE, body)]
    return [(DATA_COUNT, _number(len(items))), (CODE, body), (DATA, _vector(items))]
