"""The kernel's arrays and exports, and the interface by which others (search, puzzles) add code to it."""

from dataclasses import dataclass

from zrf_py.jit.language import Rows, Storage
from zrf_py.native import sources
from zrf_py.native.bitboards.nodes import TABLES
from zrf_py.native.kernel import masks, memory, reached

INLINE = 1024
"""Tables with more elements than this are filled when the code is loaded; the compiler does not see their contents."""
LEFT_OUT = ("code", "routine_code", *(where.name for where in TABLES))
"""Tables that a game's own code does not use."""
ARRAYS = memory.ARRAYS + reached.REACHED + masks.MASKS
"""Arrays of the kernel."""
EXPORTS = (
    ("legal", 0), ("after", 1), ("unmake", 0), ("recount", 0), ("of_cells", 0), ("of_position", 0), ("final_result", 0),
    ("state_result", 2), ("find_turns", 0), ("make_turn", 1), ("unmake_to", 1), ("turn_perft_begin", 1),
    ("turn_perft", 2), ("turn_playouts", 3), ("is_attacked", 1), ("perft_begin", 0), ("perft", 2), ("playouts", 3),
    ("seed", 1), ("winners", 1), ("line_begin", 0), ("line_step", 0), ("line_back", 1),
    ("line_times", 0), ("line_texts", 0),
)
"""(name, number of arguments) of the kernel's functions that Python calls."""


@dataclass(frozen=True)
class Extension:
    """Code that is compiled together with the kernel."""

    modules: tuple[str, ...] = ()
    """Names of the modules; they may implement hooks of the kernel."""
    arrays: tuple[Storage, ...] = ()
    late: tuple[Storage, ...] = ()
    """Those of `arrays` whose size is chosen at run time: the code has pointers to them."""
    exports: tuple[tuple[str, int], ...] = ()
    """Functions that Python calls, as in `EXPORTS`."""

    def __post_init__(self) -> None:
        sources.note(*self.folders)

    @property
    def folders(self) -> list[str]:
        """Folders of the package with the source of the kernel, its compiler and the modules."""
        return sorted({"jit", "native", *(module.split(".")[1] for module in self.modules)})

    def shape(self) -> str:
        """Return a description of the memory layout: names, element sizes and record fields of all arrays."""
        return repr([(array.name, array.bits, array.constant, _fields(array)) for array in ARRAYS + self.arrays])


def _fields(array: Storage) -> list[tuple[str, int, int]]:
    record = array.record if isinstance(array, Rows) else type(array)
    return [(name, field.at, field.count) for name, field in getattr(record, "fields", {}).items()]


NOTHING = Extension()
