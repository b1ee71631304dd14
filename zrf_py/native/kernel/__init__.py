"""The kernel: the loops that know no game, written in a small part of Python that is compiled to machine code.

`jit/language.py` says what that small part is; `jit/translate.py` turns it into LLVM. Each file here may also be read
(and checked by mypy) as ordinary Python.
"""
