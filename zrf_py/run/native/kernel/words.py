"""The kernel's language: integers of 64 bits, arrays, functions. Nothing else.

A kernel function takes and returns integers. It may use assignments to local names, `if`, `while`,
`for … in range(…)`, `break`, `continue`, `return`, arithmetic, comparisons, `and`, `or`, `not`, array elements, other
kernel functions and module constants. Two differences from Python: arithmetic wraps at 64 bits, and `//` and `%` are
for numbers that are not negative. A truth value is 0 or 1.

Memory is declared once, in `memory.py`, as `Array`s. Element numbers are not checked by the compiled code: whoever
writes checks the room first. `translate.py` can be told to check every access; the tests run such code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])


class Array:
    """A row of integers of `bits` bits. `constant` ones are filled once from the rules and never written again."""

    def __init__(self, bits: int, constant: bool = False) -> None:
        self.bits = bits
        self.constant = constant
        self.name = ""

    def __getitem__(self, index: int) -> int:
        raise NotImplementedError("kernel code runs after translation only")

    def __setitem__(self, index: int, value: int) -> None:
        raise NotImplementedError("kernel code runs after translation only")


def name_all(names: Mapping[str, object]) -> tuple[Array, ...]:
    """The arrays among the names of a module, in the order they stand there; each gets its name."""
    found = []
    for name, value in names.items():
        if isinstance(value, Array):
            value.name = name
            found.append(value)
    return tuple(found)


def shift_right(value: int, count: int) -> int:
    """The bits moved to the right, zeros coming in."""
    raise NotImplementedError


def lowest_bit(value: int) -> int:
    """The number of the lowest bit that is set; 64 for zero."""
    raise NotImplementedError


def nth_bit(value: int, n: int) -> int:
    """The number of the bit with `n` lower ones that are set; there must be one."""
    raise NotImplementedError


def bit_count(value: int) -> int:
    """How many bits are set."""
    raise NotImplementedError


def inline(function: Function) -> Function:
    """Marks a function that is copied into its callers."""
    return function


def apart(function: Function) -> Function:
    """Marks a function that is never copied into its callers: it would make long code longer."""
    return function


def entry(function: Function) -> Function:
    """Marks a function that Python calls."""
    return function


MANY = 1 << 40
"""No limit."""
INTRINSICS = (shift_right, lowest_bit, nth_bit, bit_count)
