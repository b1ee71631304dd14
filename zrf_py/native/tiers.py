"""Code and memory of one game: the kernel for any game at first, the game's own code as soon as it is there.

Long work begins at once. Meanwhile another process makes the game's own code (`making.py`), and between two calls of
the kernel the work goes over to it: what stands in memory is copied, and since both kinds of code do the same with it,
nothing can be told from the answers.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import c_int8, c_int16, c_int32, c_int64, memmove, sizeof
from mmap import ACCESS_COPY, mmap
from typing import Any, ClassVar

from zrf_py.ir.ops import Program
from zrf_py.jit.as_python import PythonCode
from zrf_py.jit.language import Storage
from zrf_py.jit.loader import Code
from zrf_py.native import code as machine
from zrf_py.native import extension
from zrf_py.native.errors import NoRoom, TooLarge
from zrf_py.native.extension import Extension
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import Layout, lay_out
from zrf_py.native.making import Making

SLICE = 200_000
"""Positions a native loop visits before it returns to Python."""
SLOW_SLICE = 2_000
"""The same for the kernel for any game, which takes longer for each; after the first, better code is ordered."""
PATIENCE = 1.0
"""Seconds of processor time after which it leaves the processor to those who make better code, `RESTS` times as long
as it works: in their code the work is soon done."""
RESTS = 8

MUCH = 1 << 16
"""Bytes from which an array is large."""

_UNITS = {8: c_int8, 16: c_int16, 32: c_int32, 64: c_int64}


def _zeros(where: Storage, size: int) -> Any:
    """An array of so many numbers; of a large one the machine makes the pages when they are first used."""
    kind = _UNITS[where.bits] * max(size, 1)
    return kind() if sizeof(kind) < MUCH else kind.from_buffer(mmap(-1, sizeof(kind), access=ACCESS_COPY))


class Tiers:
    """Memory and code of one game."""

    also: ClassVar[Extension] = extension.NOTHING
    """Modules of the kernel beside those that play."""
    exports: ClassVar[dict[str, int]] = {}
    """The kernel's functions that are called from here, and how many arguments each takes."""

    def __init__(self, program: Program, own: bool) -> None:
        self.program = program
        self._arrays: dict[str, Any] = {}
        self._room: dict[str, int] = {}
        self._is_own = own
        """Whether the code is made for this game; the kernel for any game does it otherwise."""
        self._grows = False
        """Whether it is worth having: there is long work."""
        self._making: Making | None = None
        self._began = self._seen = 0.0
        self.layout: Layout | None = None
        """None for a game that only the interpreter can play."""
        with suppress(TooLarge):
            self.layout = lay_out(program)
        if own and self.layout is not None:
            self.layout = machine.knowing(program, self.layout)

    def _settle(self) -> Layout:
        """Before anything else is asked: do long work here. The layout for it, to which more may be added.

        :raises NoRoom: if only the interpreter can play it.
        """
        if self.layout is None:
            raise NoRoom("this game is too large for the native engine")
        self._grows = True
        return machine.common(self.program, self.layout)

    @property
    def is_own(self) -> bool:
        """Whether the code at work is made for this game."""
        return self._is_own

    # ------------------------------------------------------------------------------------------- the code at work

    def _open(self) -> None:
        """Load code and memory, when they are needed for the first time."""
        if self.layout is None:
            raise NoRoom("this game is too large for the native engine")
        if self._is_own:
            self._use_own(self.layout, machine.game_code(self.program, self.layout, self.also))
        elif self._grows and (kept := machine.kept_game(self.program, self.layout, self.also)):
            self._use_own(*kept)
        else:
            self._code: Code | PythonCode = self._kernel()
            for number, where in enumerate(extension.ARRAYS + self.also.arrays):
                self._arrays[where.name] = memory = self._memory(self.layout, where)
                self._code.bind(number, memory)
            if self._grows and self.also.modules:
                self._make()
        self._find()

    def _kernel(self) -> Code | PythonCode:
        """The code of the kernel for any game."""
        return Code(machine.kernel_code(self.also))

    def _use_own(self, layout: Layout, data: bytes) -> None:
        """From now on this is the code, with memory of its own."""
        self._is_own, self.layout, self._code = True, layout, Code(data)
        for where in extension.ARRAYS + self.also.arrays:
            self._find_array(layout, where, self._code)

    def _find_array(self, layout: Layout, where: Storage, code: Code) -> None:
        """Look up an array in the code of this game, and fill it if it is a table that was left for later."""
        table = layout.tables.get(where.name)
        if where.name in extension.LEFT_OUT or where in self.also.late:
            return
        if len(table) <= extension.INLINE if table is not None else where.name not in layout.sizes:
            return
        kind = _UNITS[where.bits] * max(layout.sizes[where.name] if table is None else len(table), 1)
        memory = kind.from_address(code.address(where.name))
        if table is None:
            self._arrays[where.name] = memory
        else:
            memmove(memory, table.buffer_info()[0], len(table) * table.itemsize)

    def _allot(self, arrays: Sequence[Storage], size: int) -> None:
        """Give arrays whose size is chosen late their memory; never less than they have."""
        if not self._arrays:
            self._open()
        for where in arrays:
            if size > self._room.get(where.name, 0):
                self._arrays[where.name] = _zeros(where, size)
                self._room[where.name] = size
                self._bind_late(where)

    def _bind_late(self, where: Storage) -> None:
        bound = self.also.late if self._is_own else extension.ARRAYS + self.also.arrays
        self._code.bind(bound.index(where), self._arrays[where.name])

    def _find(self) -> None:
        """Look up the functions and arrays that are used from here; again when the code has become another."""
        self._call: dict[str, Callable[..., int]] = {
            name: self._code.function(name, count) for name, count in self.exports.items()
        }
        self._state = m.State.over(self._arrays["state"])

    @staticmethod
    def _memory(layout: Layout, where: Storage) -> Any:
        if table := layout.tables.get(where.name):
            return (_UNITS[where.bits] * len(table)).from_buffer(table)
        return _zeros(where, layout.sizes.get(where.name, 0))

    def symbol(self, name: str) -> int:
        """The address of something in the code, for tests."""
        assert isinstance(self._code, Code)
        return self._code.symbol(name)

    # -------------------------------------------------------------------------------------------------- going over

    @property
    def _slice(self) -> int:
        return SLICE if self._is_own else SLOW_SLICE

    @property
    def _is_waiting(self) -> bool:
        """Whether code is being made that has not been taken over."""
        return self._making is not None

    def _make(self) -> None:
        """Have the game's own code made beside the work, unless the game is too large for it."""
        assert self.layout is not None
        self._began = self._seen = time.thread_time()
        if machine.is_small(self.layout):
            self._making = Making(self.program, self.layout, type(self))
        self._grows = False

    def _advance(self, rest: bool = False) -> None:
        """Go over to better code if it is there by now; not while the kernel is at work. One may `rest` for it."""
        if self._grows and not self._is_own:
            self._make()
        elif self._making is not None and (self._making.is_done or (rest and self._rests(self._making))):
            made, self._making = self._making.made, None
            if made is not None and not self._is_own:
                self._go_over(made.attacks, made.code)

    def begin_own(self) -> None:
        """Have the game's own code made, if it is not at hand."""
        if not self._arrays:
            self._open()
        self._advance()

    def _rests(self, making: Making) -> bool:
        """Whether the code is there after a rest."""
        now = time.thread_time()
        spent, self._seen = now - self._seen, now
        if now - self._began < PATIENCE:
            return False
        return making.wait(RESTS * spent)

    def finish(self, seconds: float) -> None:
        """Wait for the game's own code, at most so long."""
        if not self._arrays:
            self._open()
        self._advance()
        if self._making is not None:
            self._making.wait(seconds)
            self._advance()

    def _go_over(self, attacks: bytes, data: bytes) -> None:
        """Use the game's own code from now on, with all that stands in memory."""
        assert self.layout is not None
        before, self._arrays = self._arrays, {}
        self._use_own(machine.own_layout(self.program, self.layout, attacks), data)
        for name, memory in self._arrays.items():
            assert sizeof(memory) == sizeof(before[name]), name
            memmove(memory, before[name], sizeof(memory))
        for where in self.also.late:
            if where.name in self._room:
                self._arrays[where.name] = before[where.name]
                self._bind_late(where)
        self._find()
