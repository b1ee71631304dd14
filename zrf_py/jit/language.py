"""The kernel's language: integers of 64 bits, arrays, functions. Nothing else.

A kernel function takes and returns integers. It may use assignments to local names, `if`, `while`,
`for … in range(…)`, `break`, `continue`, `return`, arithmetic, comparisons, `and`, `or`, `not`, array elements, other
kernel functions and constants, of this module or of another as `module.name`. Only `copy_all`, `fill_all` and what
threads share (`read_now` …) below take arrays. It differs from Python:

- arithmetic wraps at 64 bits; shifts are by 0 to 63 bits;
- `//` and `%` are for numbers that are not negative;
- comparisons, `and`, `or` and `not` give 0 or 1: `a or b` is not the value of `a`;
- the variable of a `for` is neither assigned in the loop nor read after it, and the range is worked out once;
- a name is assigned before it is read; a function that ends without `return` gives 0.

`as_python.py` runs kernel functions as Python with these rules; a test compares both ways on random functions. What
is outside the language is a `KernelError`.

Memory is declared once, as `Array`s in a module of its own. Element numbers are not checked by the compiled code:
whoever writes checks the room first. `translate.py` can be told to check every access; the tests run such code.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, MutableSequence
from typing import Any, ClassVar, Generic, Self, TypeVar

Function = TypeVar("Function", bound=Callable[..., object])


class Storage:
    """Numbers of `bits` bits in a row. `constant` ones are filled once and never written again.

    Compiled code has them where `translate.Memory` puts them. As Python they stand in `data`, which has to be set
    first: an array of ctypes, so that what is too large wraps.
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
    """Numbers by number: `cell[square]`."""

    def __getitem__(self, index: int) -> int:
        return self.read(index)

    def __setitem__(self, index: int, value: int) -> None:
        self.write(index, value)


class _Field:
    """A number of a record by its name. Of the class of records it is where the number stands: `State.turn`."""

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
    """Numbers by name: `state.turn`. A subclass declares the names, in the order in which they stand in memory:

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
                raise TypeError(f"{cls.__name__}.{name}: records have something else of that name")
            field = _Field(cls.size, cls.__dict__.get(name, 1))
            cls.fields[name] = field
            setattr(cls, name, field)
            cls.size += field.count

    @classmethod
    def over(cls, data: MutableSequence[int], offset: int = 0) -> Self:
        """The record that begins at an element of some memory."""
        record = cls(offset=offset)
        record.name, record.data = cls.__name__, data
        return record

    @classmethod
    def filled(cls, **values: int) -> list[int]:
        """The numbers of a record by their names; the others are 0."""
        found = [0] * cls.size
        for name, value in values.items():
            found[cls.fields[name].at] = int(value)
        return found

    def __getitem__(self, index: int) -> int:
        return self.read(self._offset + index)

    def __setitem__(self, index: int, value: int) -> None:
        self.write(self._offset + index, value)


class Part:
    """Numbers of a record that share a name: `state.stamps[depth]`."""

    def __init__(self, record: Record, at: int) -> None:
        self.record = record
        self.at = at

    def __getitem__(self, index: int) -> int:
        return self.record[self.at + index]

    def __setitem__(self, index: int, value: int) -> None:
        self.record[self.at + index] = value


def several(count: int) -> Any:
    """Of a field: so many numbers share the name."""
    return count


Kind = TypeVar("Kind", bound=Record)


class Rows(Storage, Generic[Kind]):
    """Records by number: `ply[p].alpha`."""

    def __init__(self, record: type[Kind], constant: bool = False) -> None:
        super().__init__(64, constant)
        self.record = record

    def __getitem__(self, index: int) -> Kind:
        return self.record.over(self.data, index * self.record.size)


def name_all(names: Mapping[str, object]) -> tuple[Storage, ...]:
    """The storage among the names of a module, in the order it stands there; each gets its name."""
    found = []
    for name, value in names.items():
        if isinstance(value, Storage):
            value.name = name
            found.append(value)
    return tuple(found)


def wrap(value: int) -> int:
    """A number as 64 bits with a sign hold it."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def shift_right(value: int, count: int) -> int:
    """The bits moved to the right, zeros coming in."""
    return wrap(value % (1 << 64) >> count)


def lowest_bit(value: int) -> int:
    """The number of the lowest bit that is set; 64 for zero."""
    return (value & -value).bit_length() - 1 if value else 64


def nth_bit(value: int, n: int) -> int:
    """The number of the bit with `n` lower ones that are set; there must be one."""
    for _ in range(n):
        value &= value - 1
    return lowest_bit(value)


def bit_count(value: int) -> int:
    """How many bits are set."""
    return (value % (1 << 64)).bit_count()


def copy_all(target: Storage, at: int, source: Storage, begin: int, count: int) -> None:
    """Copy `count` numbers of one array from `begin` on into another one of the same width, from `at` on."""
    for i in range(count):
        target.write(at + i, source.read(begin + i))


def fill_all(target: Storage, at: int, value: int, count: int) -> None:
    """Write a number `count` times from `at` on, into an array of 8 bits; into others only 0."""
    for i in range(count):
        target.write(at + i, value)


def read_now(array: Storage, at: int) -> int:
    """An element as other threads have left it. These four happen in one order for all threads; `array` has 64 bits."""
    return array.read(at)


def write_now(array: Storage, at: int, value: int) -> None:
    """Write an element for other threads, after everything that was written before."""
    array.write(at, value)


def add_now(array: Storage, at: int, number: int) -> int:
    """Add to an element, no other thread coming between; what stood there before."""
    before = array.read(at)
    array.write(at, wrap(before + number))
    return before


def replace_now(array: Storage, at: int, old: int, new: int) -> int:
    """Write a number where another one stands, no other thread coming between; whether that one stood there."""
    stood = array.read(at) == old
    if stood:
        array.write(at, new)
    return stood


def rest() -> None:
    """Let the processor rest a moment, in a loop that waits for another thread."""


def soon(array: Storage, at: int) -> None:
    """An element will be asked for soon: memory that was not used for long is slow to come."""


def inline(function: Function) -> Function:
    """Marks a function that is copied into its callers."""
    return function


def apart(function: Function) -> Function:
    """Marks a function that is never copied into its callers: it would make long code longer."""
    return function


def hook(function: Function) -> Function:
    """Marks a function that does nothing, unless a later module has one of the same name to be called instead."""
    return function


def entry(function: Function) -> Function:
    """Marks a function that Python calls."""
    return function


MANY = 1 << 40
"""No limit."""
