"""The native engine without machine code: its kernel runs as Python, each element number checked.

Slower than the interpreter. It is there for tests and for whoever looks for a bug in the kernel with a debugger.
"""

from zrf_py.jit.as_python import PythonCode
from zrf_py.native import extension
from zrf_py.native.compiler import sources
from zrf_py.native.machine import Machine


class PythonMachine(Machine):
    """The kernel for any game, run as Python: `Native(program, machine=PythonMachine(program))`.

    Calls raise IndexError where machine code would read or write beyond an array.
    """

    def kernel(self) -> PythonCode:
        return PythonCode(sources(self.also), extension.ARRAYS + self.also.arrays)
