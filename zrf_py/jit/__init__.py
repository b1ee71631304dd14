"""Compiler from a small Python subset (integers, arrays, functions) to LLVM; game-agnostic, see README.md."""
