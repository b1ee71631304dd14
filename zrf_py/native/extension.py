"""What the kernel's code is made from: its arrays, and what others (search, puzzles) add. It knows none of them."""

from __future__ import annotations

from dataclasses import dataclass

from zrf_py.jit.language import Storage
from zrf_py.native.bitboards.nodes import TABLES
from zrf_py.native.kernel import masks, memory

INLINE = 1024
"""Tables with more elements are filled when the code is loaded; the compiler does not see what is in them."""
LEFT_OUT = ("code", "routine_code", *(where.name for where in TABLES))
"""Tables that a game's own code has no use for."""
ARRAYS = memory.ARRAYS + masks.MASKS
"""The arrays of the kernel."""


@dataclass(frozen=True)
class Extension:
    """Kernel modules by name, which may fill hooks; their arrays; and which of these are always behind a pointer, since
    their size is chosen late."""

    modules: tuple[str, ...] = ()
    arrays: tuple[Storage, ...] = ()
    late: tuple[Storage, ...] = ()


NOTHING = Extension()
