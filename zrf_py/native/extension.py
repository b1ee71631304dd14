"""What the kernel's code is made from: its arrays, and what others (search, puzzles) add. It knows none of them."""

from dataclasses import dataclass

from zrf_py.jit.language import Rows, Storage
from zrf_py.native import sources
from zrf_py.native.bitboards.nodes import TABLES
from zrf_py.native.kernel import masks, memory, reached

INLINE = 1024
"""Tables with more elements are filled when the code is loaded; the compiler does not see what is in them."""
LEFT_OUT = ("code", "routine_code", *(where.name for where in TABLES))
"""Tables that a game's own code has no use for."""
ARRAYS = memory.ARRAYS + reached.REACHED + masks.MASKS
"""The arrays of the kernel."""


EXPORTS = (
    ("legal", 0), ("after", 1), ("unmake", 0), ("recount", 0), ("of_cells", 0), ("of_position", 0), ("final_result", 0),
    ("state_result", 2), ("find_turns", 0), ("make_turn", 1), ("unmake_to", 1), ("turn_perft_begin", 1),
    ("turn_perft", 2), ("turn_playouts", 3), ("is_attacked", 1), ("perft_begin", 0), ("perft", 2), ("playouts", 3),
    ("seed", 1), ("winners", 1),
)
"""The kernel's functions that are called from Python, and how many arguments each takes."""


@dataclass(frozen=True)
class Extension:
    """What is compiled in beside the kernel that plays: modules by name, which may fill hooks; their arrays; which of
    these are always behind a pointer, since their size is chosen late; and functions, as in `EXPORTS`."""

    modules: tuple[str, ...] = ()
    arrays: tuple[Storage, ...] = ()
    late: tuple[Storage, ...] = ()
    exports: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        sources.note(*self.folders)

    @property
    def folders(self) -> list[str]:
        """The folders of the package whose source becomes code."""
        return sorted({"jit", "native", *(module.split(".")[1] for module in self.modules)})

    def shape(self) -> str:
        """How the memory looks that code is for: names, sizes of elements, numbers of records."""
        return repr([(array.name, array.bits, array.constant, _fields(array)) for array in ARRAYS + self.arrays])


def _fields(array: Storage) -> list[tuple[str, int, int]]:
    record = array.record if isinstance(array, Rows) else type(array)
    return [(name, field.at, field.count) for name, field in getattr(record, "fields", {}).items()]



NOTHING = Extension()
