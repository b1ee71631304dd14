"""Code and memory of one game (tiered JIT): the kernel for any game first, the game's own code once it is compiled.

Long work begins at once. Meanwhile another process compiles the game's own code (`making.py`). Between two calls of the
kernel the work switches to it: memory is copied, and since both versions compute the same, results do not depend on
the moment of the switch.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import c_int8, c_int16, c_int32, c_int64, memmove, sizeof
from mmap import ACCESS_COPY, mmap
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.jit.language import Storage
from zrf_py.jit.loader import Code
from zrf_py.native import code as codes
from zrf_py.native import extension
from zrf_py.native.errors import NoRoom, TooLarge
from zrf_py.native.extension import Extension
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import Layout, lay_out
from zrf_py.native.making import Making
from zrf_py.signals import uninterrupted

SLICE = 200_000
"""Positions a native loop visits before it returns to Python."""
SLOW_SLICE = 2_000
"""Value of `SLICE` for the kernel for any game, which is slower. Compilation begins after the first slice."""
PATIENCE = 1.0
"""Seconds of processor time after which the kernel yields the processor to the compiler: it pauses `RESTS` times as
long as it works, because compiled code soon makes up for the pause."""
RESTS = 8

MUCH = 1 << 16
"""Minimum size in bytes of an array that is allocated by mmap."""

UNITS: dict[int, Any] = {8: c_int8, 16: c_int16, 32: c_int32, 64: c_int64}
"""The integer types of ctypes, by number of bits."""


def _zeros(storage: Storage, size: int) -> Any:
    """Allocate a zeroed array; a large one is mapped, so that pages are created on first use."""
    kind = UNITS[storage.bits] * max(size, 1)
    return kind() if sizeof(kind) < MUCH else kind.from_buffer(mmap(-1, sizeof(kind), access=ACCESS_COPY))


class Machine:
    """Memory and code of one game: the kernel's arrays by name, and its functions.

    `advance` may replace the arrays: do not hold one across a call of it.
    """

    arrays: dict[str, Any]
    call: dict[str, Callable[..., int]]
    """Exported functions of the kernel and of the extension, by name."""
    step: Callable[[], int]
    """The function `line_step`, as an attribute because scripts call it for every ply."""
    words: "memoryview[int]"
    """The words of `state`."""
    state: m.PositionFields
    cell: Any
    """The board: one cell per square, 0 if empty."""
    moves: Any
    """Move records, encoded as in `records.py`."""
    records: "memoryview[int]"
    """The memory of `moves` as a view of 64-bit words."""
    code: Code

    def __init__(self, program: Program, also: Extension = extension.NOTHING, own: bool = False) -> None:
        """:param also: code that is compiled together with the kernel.
        :param own: begin with code compiled for this game, and wait for it; otherwise with the kernel for any game."""
        self.program = program
        self.also = also
        self.arrays = {}
        self.is_own = own
        """True if the code at work is compiled for this game."""
        self.grows = False
        """True if compiling the game's own code has not begun, but would pay because there is long work."""
        self.making: Making | None = None
        self._began = self._seen = 0.0
        self.layout: Layout | None = None
        """None for a game that only the interpreter can play."""
        with suppress(TooLarge):
            self.layout = lay_out(program)
        if own and self.layout is not None:
            self.layout = codes.knowing(program, self.layout)

    def settle(self, more: Callable[[Layout], Layout] | None = None) -> None:
        """Prepare for long work, with a layout that `more` may extend; call before anything else.

        :raises NoRoom: if only the interpreter can play the game.
        """
        if self.layout is None:
            raise NoRoom("this game is too large for the native engine")
        self.grows = True
        layout = codes.common(self.program, self.layout)
        self.layout = more(layout) if more else layout

    # ------------------------------------------------------------------------------------------- the code at work

    def make_ready(self) -> None:
        """Load code and memory on first use.

        :raises NoRoom: if only the interpreter can play the game.
        """
        if self.arrays:
            return
        if self.layout is None:
            raise NoRoom("this game is too large for the native engine")
        if self.is_own:
            self._use_own(self.layout, Code(codes.game_code(self.program, self.layout, self.also)))
        elif self.grows and (cached := codes.kept_game(self.program, self.layout, self.also)):
            self._use_own(cached[0], Code(cached[1]))
        else:
            code, arrays = self.kernel(), {}
            for number, storage in enumerate(extension.ARRAYS + self.also.arrays):
                arrays[storage.name] = memory = self._memory(self.layout, storage)
                code.bind(number, memory)
            with uninterrupted():
                self.code, self.arrays = code, arrays
                self._find()

    def kernel(self) -> Code:
        """Load the kernel for any game."""
        return Code(codes.kernel_code(self.also))

    def _use_own(self, layout: Layout, code: Code) -> None:
        """Switch to the game's own code and its memory together: Ctrl-C never finds one without the other."""
        arrays: dict[str, Any] = {}
        for storage in extension.ARRAYS + self.also.arrays:
            self._find_array(layout, storage, code, arrays)
        with uninterrupted():
            before, self.arrays = self.arrays, arrays
            self.is_own, self.layout, self.code = True, layout, code
            if before:
                self._keep(before)
            self._find()

    def _keep(self, before: dict[str, Any]) -> None:
        """Copy the contents of the memory used so far; arrays whose size was chosen late stay where they are."""
        for name, memory in self.arrays.items():
            assert sizeof(memory) == sizeof(before[name]), name
            memmove(memory, before[name], sizeof(memory))
        for storage in self.also.late:
            if storage.name in before:
                self.bind(storage, before[storage.name])

    def _find_array(self, layout: Layout, storage: Storage, code: Code, arrays: dict[str, Any]) -> None:
        """Add an array of the game's own code to `arrays`; if it is a table too large to inline, fill it instead."""
        table = layout.tables.get(storage.name)
        if storage.name in extension.LEFT_OUT or storage in self.also.late:
            return
        if len(table) <= extension.INLINE if table is not None else storage.name not in layout.sizes:
            return
        kind = UNITS[storage.bits] * max(layout.sizes[storage.name] if table is None else len(table), 1)
        memory = kind.from_address(code.address(storage.name))
        if table is None:
            arrays[storage.name] = memory
        else:
            memmove(memory, table.buffer_info()[0], len(table) * table.itemsize)

    def allot(self, arrays: Sequence[Storage], size: int) -> None:
        """Allocate arrays whose size is chosen late; they never shrink."""
        self.make_ready()
        for storage in arrays:
            if size > len(self.arrays.get(storage.name, ())):
                self.bind(storage, _zeros(storage, size))

    def bind(self, storage: Storage, memory: Any) -> None:
        """Bind an array of the kernel to memory."""
        bound = self.also.late if self.is_own else extension.ARRAYS + self.also.arrays
        self.arrays[storage.name] = memory
        self.code.bind(bound.index(storage), memory)

    def _find(self) -> None:
        """Look up the functions and the state; repeat after a change of code."""
        names = extension.EXPORTS + self.also.exports
        self.call = {name: self.code.function(name, count) for name, count in names}
        self.step = self.call["line_step"]
        self.words = memoryview(self.arrays["state"]).cast("B").cast("q")
        self.state = m.PositionFields.over(self.arrays["state"])
        self.cell, self.moves = self.arrays["cell"], self.arrays["moves"]
        self.records = memoryview(self.moves).cast("B").cast("q")

    @staticmethod
    def _memory(layout: Layout, storage: Storage) -> Any:
        if table := layout.tables.get(storage.name):
            return (UNITS[storage.bits] * len(table)).from_buffer(table)
        return _zeros(storage, layout.sizes.get(storage.name, 0))

    # ---------------------------------------------------------------------------------------------- replacing code

    @property
    def slice(self) -> int:
        return SLICE if self.is_own else SLOW_SLICE

    @property
    def is_waiting(self) -> bool:
        """True while code is being compiled, or is ready but not yet in use."""
        return self.making is not None

    @property
    def is_due(self) -> bool:
        """True if the code is ready but not yet in use."""
        return self.making is not None and self.making.is_done

    def make(self) -> None:
        """Start compiling the game's own code in the background, unless the game is too large for it."""
        assert self.layout is not None
        self._began = self._seen = time.thread_time()
        if codes.is_small(self.layout):
            self.making = Making(self.program, self.layout, self.also)
        self.grows = False

    def advance(self, rest: bool = False) -> None:
        """Start compiling the game's own code if that pays, or switch to it if it is ready; not during a kernel call.
        With `rest`, it may first wait for that code."""
        if self.grows and not self.is_own:
            self.make()
        elif self.making is not None and (self.is_due or (rest and self._rests(self.making))):
            result, self.making = self.making.made, None
            if result is not None and not self.is_own:
                assert self.layout is not None
                self._use_own(codes.own_layout(self.program, self.layout, result.attacks), Code(result.code))

    def begin_own(self) -> None:
        """Start compiling the game's own code, or switch to it if it is ready."""
        self.make_ready()
        self.advance()

    def _rests(self, making: Making) -> bool:
        """Return whether the code is ready; after `PATIENCE`, wait for it in proportion to the time worked."""
        now = time.thread_time()
        spent, self._seen = now - self._seen, now
        if now - self._began < PATIENCE:
            return False
        return making.wait(RESTS * spent)

    def finish(self, seconds: float) -> None:
        """Wait at most `seconds` for the game's own code, and switch to it if it is ready."""
        self.begin_own()
        if self.making is not None:
            self.making.wait(seconds)
            self.advance()
