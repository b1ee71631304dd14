"""The native engine without machine code: its kernel runs as Python, each element number checked.

Slower than the interpreter. It is there for tests and for whoever looks for a bug in the kernel with a debugger.
"""

from zrf_py.ir.ops import Program
from zrf_py.jit.as_python import PythonCode
from zrf_py.native import extension
from zrf_py.native.compiler import sources
from zrf_py.native.engine import Native


class PythonNative(Native):
    """`Native` for any game, with its kernel run as Python.

    Its methods raise IndexError where machine code would read or write beyond an array.
    """

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._alone = True

    def _kernel(self) -> PythonCode:
        return PythonCode(sources(self.also), extension.ARRAYS + self.also.arrays)
