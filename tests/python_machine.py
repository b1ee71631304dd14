"""The native engine without machine code: its kernel runs as Python, with every array index checked.

It is slower than the interpreter; it serves tests and the debugging of the kernel.
"""

from tests.as_python import PythonCode
from zrf_py.native import extension
from zrf_py.native.compiler import sources
from zrf_py.native.machine import Machine


class PythonMachine(Machine):
    """The kernel for any game, run as Python: `Native(program, machine=PythonMachine(program))`.

    Calls raise IndexError where machine code would access memory out of bounds.
    """

    def make_ready(self) -> None:
        self.grows = False  # never switch to machine code, even if the cache holds it
        super().make_ready()

    def kernel(self) -> PythonCode:  # type: ignore[override]
        return PythonCode(sources(self.also), extension.ARRAYS + self.also.arrays)
