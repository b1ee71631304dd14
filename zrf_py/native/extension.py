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


@dataclass(frozen=True)
class Extension:
    """Kernel modules by name, which may fill hooks; their arrays; and which of these are always behind a pointer, since
    their size is chosen late."""

    modules: tuple[str, ...] = ()
    arrays: tuple[Storage, ...] = ()
    late: tuple[Storage, ...] = ()

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
