"""The kernel language: 64-bit integers, arrays and functions.

A kernel function takes and returns integers. It may use assignments, also of several values (`a, b = b, a`), `if`,
`while`, `for … in range(…)`, `for … in squares_of(…)`, `break`, `continue`, `return`, arithmetic, comparisons, `and`,
`or`, `not`, `a if b else c`, array elements, fields of records, other kernel functions, and constants of this module
or as `module.name`. Only `squares_of`, `copy_all`, `fill_all`, `soon` and the atomic operations below take arrays.
The language differs from Python:

- arithmetic wraps at 64 bits; shifts are by 0 to 63 bits;
- `//` and `%` require a dividend of at least 0 and a positive divisor;
- comparisons, `and`, `or` and `not` give 0 or 1: `a or b` is not the value of `a`;
- the variable of a `for` is neither assigned in the loop nor read after it, and the range is evaluated once;
- a name is assigned before it is read; a function that ends without `return` returns 0.

`tests/as_python.py` runs kernel functions as Python with these rules; a test compares both on random functions. Other
syntax raises `KernelError`.

Memory is declared once, as `Array`s, `Record`s and `Rows` in a module of its own. Compiled code does not check bounds:
a kernel function that writes checks for room first. `translate.py` can check every access; the tests run such code.
"""

from __future__ import annotations

import inspect
from array import array
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

Function = TypeVar("Function", bound=Callable[..., object])


class Storage:
    """Array of `bits`-bit signed integers. `constant` arrays are filled once and never written again.

    In compiled code, `translate.Memory` places them. In Python they are read from `data`, a ctypes array that must be
    set first and whose elements wrap on overflow.
    """

    def __init__(self, bits: int, constant: bool = False) -> None:
        self.bits = bits
        self.constant = constant
        self.name = ""
        self.data: MutableSequence[int] = []

    def read(self, index: int) -> int:
        """:raises IndexError: if there is no such element."""
        self._check(index)
        return self.data[index]

    def write(self, index: int, value: int) -> None:
        """:raises IndexError: if there is no such element."""
        self._check(index)
        self.data[index] = value

    def _check(self, index: int) -> None:
        if not 0 <= index < len(self.data):
            raise IndexError(f"{self.name}[{index}] of {len(self.data)} elements")


class Array(Storage):
    """Array indexed by number: `cell[square]`."""

    def __getitem__(self, index: int) -> int:
        return self.read(index)

    def __setitem__(self, index: int, value: int) -> None:
        self.write(index, value)


class _Field:
    """Descriptor of a named field of a record. On the class it is the field's offset: `State.turn`."""

    def __init__(self, at: int, count: int) -> None:
        self.at = at
        self.count = count

    def __get__(self, record: Record | None, owner: type[Record]) -> int | Part:
        if record is None:
            return self.at
        return record[self.at] if self.count == 1 else Part(record, self.at)

    def __set__(self, record: Record, value: int) -> None:
        record[self.at] = value


class Record(Storage):
    """Structure with named fields: `state.turn`. A subclass declares them in memory order:

        class State(Record):
            turn: int
            stamps: Part = several(2)
    """

    size: ClassVar[int] = 0
    fields: ClassVar[dict[str, _Field]] = {}

    def __init__(self, constant: bool = False, offset: int = 0) -> None:
        super().__init__(64, constant)
        self._offset = offset

    def __init_subclass__(cls) -> None:
        cls.fields = {}
        cls.size = 0
        for name in inspect.get_annotations(cls):
            if hasattr(Record(), name):
                raise TypeError(f"{cls.__name__}.{name}: every record has an attribute of this name")
            field = _Field(cls.size, cls.__dict__.get(name, 1))
            cls.fields[name] = field
            setattr(cls, name, field)
            cls.size += field.count

    @classmethod
    def over(cls, data: MutableSequence[int], offset: int = 0) -> Self:
        """Return a record that begins at element `offset` of `data`."""
        record = cls(offset=offset)
        record.name, record.data = cls.__name__, data
        return record

    @classmethod
    def filled(cls, numbers: Sequence[int] = (), /, **values: int) -> array[int]:
        """Return the contents of a record: `numbers` (default: all 0), with the fields in `values` replaced."""
        contents = array("q", numbers or [0] * cls.size)
        for name, value in values.items():
            contents[cls.fields[name].at] = int(value)
        return contents

    def __getitem__(self, index: int) -> int:
        return self.read(self._offset + index)

    def __setitem__(self, index: int, value: int) -> None:
        self.write(self._offset + index, value)


class Part:
    """Array field of a record: `state.stamps[depth]`."""

    def __init__(self, record: Record, at: int) -> None:
        self.record = record
        self.at = at

    def __getitem__(self, index: int) -> int:
        return self.record[self.at + index]

    def __setitem__(self, index: int, value: int) -> None:
        self.record[self.at + index] = value


def several(count: int) -> Any:
    """Declare an array field of `count` numbers."""
    return count


Kind = TypeVar("Kind", bound=Record)


class Rows(Storage, Generic[Kind]):
    """Array of records: `ply[p].alpha`."""

    def __init__(self, record: type[Kind], constant: bool = False) -> None:
        super().__init__(64, constant)
        self.record = record

    def __getitem__(self, index: int) -> Kind:
        return self.record.over(self.data, index * self.record.size)


def name_all(names: Mapping[str, object]) -> tuple[Storage, ...]:
    """Name the storage objects of a module after its variables; return them in order of definition."""
    arrays = []
    for name, value in names.items():
        if isinstance(value, Storage):
            value.name = name
            arrays.append(value)
    return tuple(arrays)


def wrap(value: int) -> int:
    """Wrap an integer to signed 64 bits (two's complement)."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def shift_right(value: int, count: int) -> int:
    """Logical shift right: zeros come in from the left."""
    return wrap(value % (1 << 64) >> count)


def lowest_bit(value: int) -> int:
    """Index of the lowest set bit; 64 for zero."""
    return (value & -value).bit_length() - 1 if value else 64


def nth_bit(value: int, n: int) -> int:
    """Index of set bit number `n`, counted from 0 at the lowest; there must be one."""
    for _ in range(n):
        value &= value - 1
    return lowest_bit(value)


def bit_count(value: int) -> int:
    """Population count: the number of set bits."""
    return (value % (1 << 64)).bit_count()


def squares_of(sets: Storage, number: int, words: int) -> Iterator[int]:
    """Yield the squares of set `number` in an array of sets, lowest first; each set has `words` words.

    Only a loop `for square in squares_of(…)` may use it; it sees no changes of the word that it has reached.
    """
    for word in range(words):
        bits = sets.read(number * words + word) % (1 << 64)
        while bits:
            yield 64 * word + lowest_bit(bits)
            bits &= bits - 1


def copy_all(target: Storage, at: int, source: Storage, begin: int, count: int) -> None:
    """Copy `count` elements, from index `begin` of `source` to index `at` of `target`; both are of the same width."""
    for i in range(count):
        target.write(at + i, source.read(begin + i))


def fill_all(target: Storage, at: int, value: int, count: int) -> None:
    """Write `value` to `count` elements from `at` on; for arrays wider than 8 bits it must be 0."""
    for i in range(count):
        target.write(at + i, value)


def read_now(array: Storage, at: int) -> int:
    """Atomic load. This and the three operations below are sequentially consistent and need 64-bit arrays."""
    return array.read(at)


def write_now(array: Storage, at: int, value: int) -> None:
    """Atomic store; earlier writes become visible to every thread that loads the value."""
    array.write(at, value)


def add_now(array: Storage, at: int, number: int) -> int:
    """Atomic fetch-and-add; return the previous value."""
    before = array.read(at)
    array.write(at, wrap(before + number))
    return before


def replace_now(array: Storage, at: int, old: int, new: int) -> int:
    """Atomic compare-and-swap; return whether `old` was there."""
    stood = array.read(at) == old
    if stood:
        array.write(at, new)
    return stood


def rest() -> None:
    """Pause hint to the processor, for loops that wait for another thread."""


def soon(array: Storage, at: int) -> None:
    """Prefetch an element that will be used soon."""


def inline(function: Function) -> Function:
    """Mark a function that is inlined into its callers."""
    return function


def apart(function: Function) -> Function:
    """Mark a function that is never inlined, to keep its callers short."""
    return function


def hook(function: Function) -> Function:
    """Mark an empty function that a later module may override with one of the same name."""
    return function


def entry(function: Function) -> Function:
    """Mark a function that Python calls."""
    return function


MANY = 1 << 40
"""Limit so large that it never applies."""
