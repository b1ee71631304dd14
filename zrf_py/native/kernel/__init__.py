"""The kernel: loops independent of any game, in a Python subset that is compiled to machine code.

`jit/language.py` defines the subset; `jit/translate.py` compiles it to LLVM. Each file here is also ordinary Python,
checked by mypy.
"""
