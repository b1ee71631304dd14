"""Link one WebAssembly object file, as LLVM writes it, into a module that an engine runs.

LLVM leaves three things open in an object file: the addresses of globals, the place of the stack, and the exported
functions. Relocations name every place that depends on them. Linking a single object that imports no function
means filling in these places.

The formats: the WebAssembly core specification (binary format), and `Linking.md` of WebAssembly's tool conventions.
"""

import struct
from collections.abc import Collection, Iterable
from dataclasses import dataclass

PAGE = 65536
"""Bytes in a page of memory."""

CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA, DATA_COUNT = 0, 1, 2, 3, 5, 6, 7, 10, 11, 12
"""Section numbers."""
IS_FUNCTION, IS_TABLE, IS_MEMORY, IS_GLOBAL = 0, 1, 2, 3
"""Kinds of imports and exports."""
SEGMENT_INFO, SYMBOL_TABLE = 5, 8
"""Subsections of `linking`."""
SYMBOL_FUNCTION, SYMBOL_DATA, SYMBOL_GLOBAL, SYMBOL_SECTION = 0, 1, 2, 3
LOCAL, UNDEFINED, EXPLICIT_NAME = 0x02, 0x10, 0x40
"""Symbol flags."""
FUNCTION_INDEX, ADDRESS_UNSIGNED, ADDRESS_SIGNED, ADDRESS_WORD, TYPE_INDEX, GLOBAL_INDEX = 0, 3, 4, 5, 6, 7
"""Relocation kinds; no others occur in code without function pointers."""
WITH_ADDEND = {ADDRESS_UNSIGNED, ADDRESS_SIGNED, ADDRESS_WORD}
HEADER = b"\0asm\1\0\0\0"
I32, MUTABLE, I32_CONST, END = 0x7F, 1, 0x41, 0x0B


class LinkError(Exception):
    """The object file can't be linked: an unsupported feature or a missing function. A bug in zrf_py, or a new LLVM."""


@dataclass(frozen=True)
class Linked:
    """Linked module without imports, and the addresses in it."""

    module: bytes
    addresses: dict[str, int]
    """Address of the first byte of each global variable, by name."""
    end: int
    """Address just past the last byte in use; the module requests the pages up to here."""


@dataclass
class _Segment:
    """Data of one global variable."""

    alignment: int
    data: bytearray
    offset: int
    """Offset in the data section: the base of its relocations."""
    address: int = 0


@dataclass(frozen=True)
class _Symbol:
    kind: int
    flags: int
    name: str
    index: int
    """Index of the function, global, section or segment; -1 for undefined data."""
    offset: int = 0
    """Offset into the segment."""


class _Reader:
    """Cursor over bytes."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """Read an unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self) -> int:
        """Read a signed LEB128."""
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

    :param stack: bytes for the stack. It lies below everything else and grows downwards, so that an overflow traps
        instead of overwriting data.
    :raises LinkError: if the object needs a function from outside, lacks an exported one, or uses other features.
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
    """Return (number, contents) of each section in file order; relocations refer to sections by index."""
    if not code.startswith(HEADER):
        raise LinkError("not a WebAssembly object file")
    reader = _Reader(code, len(HEADER))
    sections = []
    while reader:
        number = reader.byte()
        sections.append((number, reader.take(reader.number())))
    return sections


def _custom(data: bytes) -> tuple[str, bytes]:
    reader = _Reader(data)
    name = reader.name()
    return name, data[reader.at :]


def _check_imports(data: bytes) -> None:
    """Check that only memory, a table and the stack pointer are imported; `link` defines memory and stack pointer."""
    reader = _Reader(data)
    for _ in range(reader.number()):
        reader.name()
        name, kind = reader.name(), reader.byte()
        if kind == IS_FUNCTION:
            raise LinkError(f"the code calls {name}, which the object does not define")
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
                raise LinkError(f"the code imports the global {name}")


def _segments(data: bytes) -> list[_Segment]:
    reader = _Reader(data)
    segments = []
    for _ in range(reader.number()):
        if reader.byte() != 0 or reader.byte() != I32_CONST:
            raise LinkError("passive data segments are not supported")
        reader.signed()
        reader.byte()
        length = reader.number()
        segments.append(_Segment(1, bytearray(data[reader.at : reader.at + length]), reader.at))
        reader.at += length
    return segments


def _symbols(linking: bytes, segments: list[_Segment]) -> list[_Symbol]:
    """Read the symbol table, and set the alignments of `segments`."""
    reader = _Reader(linking)
    reader.number()  # skip the version
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


# -------------------------------------------------------------------------------------------------- place and relocate


def _place(segments: list[_Segment], start: int) -> int:
    """Assign addresses to all segments, those that are all zeros last; return the end of the last one."""
    for segment in sorted(segments, key=lambda s: s.data.count(0) == len(s.data)):
        segment.address = start = -(-start // segment.alignment) * segment.alignment
        start += len(segment.data)
    return start


def _address(symbol: _Symbol, segments: list[_Segment]) -> int:
    if symbol.index < 0:
        raise LinkError(f"the code refers to {symbol.name}, which the object does not define")
    return segments[symbol.index].address + symbol.offset


def _relocate(
    reader: _Reader, sections: list[tuple[int, bytes]], symbols: list[_Symbol], segments: list[_Segment],
    body: bytearray,
) -> None:
    """Apply one section of relocations, in the code or in the data."""
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
            raise LinkError(f"unsupported relocation type {kind}")


def _value(kind: int, index: int, addend: int, symbols: list[_Symbol], segments: list[_Segment]) -> int:
    if kind == TYPE_INDEX:
        return index
    if kind in (FUNCTION_INDEX, GLOBAL_INDEX):
        return symbols[index].index
    if kind in WITH_ADDEND:
        return _address(symbols[index], segments) + addend
    raise LinkError(f"unsupported relocation type {kind}")


# -------------------------------------------------------------------------------------------------------------- write


def _number(value: int) -> bytes:
    """Encode an unsigned LEB128, as short as possible."""
    encoded = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        encoded.append(low | (0x80 if value else 0))
        if not value:
            return bytes(encoded)


def _padded(value: int) -> bytes:
    """Encode a padded LEB128 of five bytes, for relocated places. Below 2^31 (all addresses), signed is the same."""
    return bytes(value >> 7 * i & 0x7F | (0x80 if i < 4 else 0) for i in range(5))


def _vector(items: Iterable[bytes]) -> bytes:
    encoded = list(items)
    return _number(len(encoded)) + b"".join(encoded)


def _name(text: str) -> bytes:
    data = text.encode("utf-8")
    return _number(len(data)) + data


def _exports(symbols: list[_Symbol], names: Collection[str]) -> bytes:
    functions = {s.name: s.index for s in symbols if s.kind == SYMBOL_FUNCTION and not s.flags & UNDEFINED}
    missing = sorted(set(names) - set(functions))
    if missing:
        raise LinkError(f"the code has no function {', '.join(missing)}")
    items = [_name(name) + bytes([IS_FUNCTION]) + _number(functions[name]) for name in sorted(set(names))]
    return _vector([*items, _name("memory") + bytes([IS_MEMORY, 0])])


def _contents(segments: list[_Segment], body: bytes) -> list[tuple[int, bytes]]:
    """Return the code and data sections; segments of zeros are omitted."""
    items = [
        bytes([0, I32_CONST]) + _padded(s.address) + bytes([END]) + _number(len(s.data)) + s.data
        for s in segments if s.data.count(0) < len(s.data)
    ]
    if not items:
        return [(CODE, body)]
    return [(DATA_COUNT, _number(len(items))), (CODE, body), (DATA, _vector(items))]
