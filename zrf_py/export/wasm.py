"""A game's engine as a WebAssembly module, and the contents of its memory before the first call.

The module is the one that `native/` and `search/` make for this machine, compiled for browsers: one game's own code, or
the kernel for any game with the rules as tables.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cache

from zrf_py.export.sources import KERNEL, shipped
from zrf_py.ir.ops import Program
from zrf_py.jit.language import Storage
from zrf_py.jit.loader import WASM
from zrf_py.jit.wasm_link import Linked, link
from zrf_py.native import code, extension
from zrf_py.native.bitboards.counting import for_any_game
from zrf_py.native.extension import Extension
from zrf_py.native.layout import Layout
from zrf_py.search.searcher import BEAMS
from zrf_py.search.searcher import SEARCHING as SEARCH

PLAYING = (
    "after", "bind", "final_result", "goal_holds", "is_attacked", "legal", "number_told", "of_cells", "perft",
    "perft_begin", "playouts", "recount", "seed", "state_result", "winners",
)
"""Functions that pages call with or without a search; those for perft and random games are for tests."""
SEARCHING = {
    "alphabeta": ("alphabeta_begin", "alphabeta_go", "alphabeta_lines", "position_key", "search_clear", "sum_up"),
    "mcts": ("mcts_begin", "mcts_go", "mcts_lines", "position_key", "sum_up"),
    "beam": ("beam_begin", "beam_go", "beam_lines", "position_key", "search_clear", "sum_up"),
    "": (),
}
"""Further functions that pages call, by kind of search."""
SHIPPED = (("alphabeta",), ("mcts",), ("alphabeta", "mcts"), ("alphabeta", "beam"), ("alphabeta", "beam", "mcts"))
"""Combinations of search kinds whose kernel for any game ships with the package; others are rare."""
SEARCHES = frozenset(SHIPPED[-1])
"""All kinds of search: those of the kernel in the package for browsers."""
TELLING = "zrf_py.native.kernel.telling"
ALIGNED = 64
NEEDED = frozenset({
    "state", "cell", "attributes", "stores", "taken", "undo", "moves", "tally", "piece_square", "search", "past",
})
"""Arrays that pages read or write themselves, besides those bound late."""


@dataclass(frozen=True)
class Image:
    """A module with its memory. `writes` are (address, contents) of all that isn't zero, `binds` (number, address) of
    arrays to bind; `at` maps arrays to addresses. `late` holds the arrays that the page allocates itself, each with the
    number by which it binds the array. Memory is used up to `end`."""

    module: bytes
    writes: list[tuple[int, bytes]]
    binds: list[tuple[int, int]]
    at: dict[str, int]
    late: dict[str, int]
    end: int


@dataclass(frozen=True)
class Parts:
    """Parts of an engine: `also` holds what the search adds to the kernel, `kind` is the kind of search ("": none),
    `measured` holds the contents of arrays that aren't tables, by name."""

    program: Program
    layout: Layout
    also: Extension = field(default_factory=Extension)
    kind: str = ""
    measured: dict[str, bytes] = field(default_factory=dict)

    @property
    def extension(self) -> Extension:
        return replace(self.also, modules=(*self.also.modules, TELLING))

    @property
    def exports(self) -> tuple[str, ...]:
        return tuple(name for name in (*PLAYING, *SEARCHING[self.kind]) if name != "bind" or self.also.late)


def own(parts: Parts) -> Image:
    """Return an engine compiled for this game: fast, but useless for any other."""
    object_code = code.code_elsewhere(WASM, parts.exports, parts.extension, (parts.program, parts.layout))
    linked = link(object_code, parts.exports)
    at = {name.removeprefix("array."): address for name, address in linked.addresses.items()}
    late = {storage.name: number for number, storage in enumerate(parts.also.late)}
    writes = [(at[name], table.tobytes()) for name, table in parts.layout.tables.items()
              if len(table) > extension.INLINE and name in at and name not in {*late, *extension.LEFT_OUT}]
    writes += [(at[name], data) for name, data in parts.measured.items() if name in at]
    return Image(linked.module, writes, [], {n: a for n, a in at.items() if n in NEEDED}, late, linked.end)


def any_game(parts: Parts, kinds: Collection[str]) -> Image:
    """Return an engine whose module serves any game with one of these kinds of search."""
    parts = replace(parts, layout=for_any_game(parts.layout))
    linked = kernel(frozenset({parts.kind, *kinds}))
    arrays = extension.ARRAYS + SEARCH.arrays
    at, late, writes, binds, end = {}, {}, [], [], linked.end
    for number, storage in enumerate(arrays):
        if storage in SEARCH.late:
            late[storage.name] = number
            continue
        data = _contents(parts, storage)
        at[storage.name] = end = -(-end // ALIGNED) * ALIGNED
        binds.append((number, end))
        if any(data):
            writes.append((end, data))
        end += max(len(data), parts.layout.sizes.get(storage.name, 0) * storage.bits // 8)
    return Image(linked.module, writes, binds, {n: a for n, a in at.items() if n in NEEDED}, late, end)


def _contents(parts: Parts, storage: Storage) -> bytes:
    table = parts.layout.tables.get(storage.name)
    return table.tobytes() if table is not None else parts.measured.get(storage.name, b"")


@cache
def kernel(kinds: frozenset[str]) -> Linked:
    """Return the linked kernel for any game, with these kinds of search; link a new one unless one is stored."""
    if linked := shipped(KERNEL):
        return Linked(linked[4:], {}, int.from_bytes(linked[:4], "little"))
    also = BEAMS if "beam" in kinds else SEARCH
    exports = sorted({*PLAYING, *(name for kind in kinds for name in SEARCHING[kind])})
    return link(code.code_elsewhere(WASM, exports, replace(also, modules=(*also.modules, TELLING))), exports)
