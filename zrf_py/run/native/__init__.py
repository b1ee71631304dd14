"""The native engine: the move program as machine code, through LLVM. Start with README.md in this folder."""

from __future__ import annotations

from zrf_py.run.native.engine import Native, NoRoom, Playouts

__all__ = ["Native", "NoRoom", "Playouts"]
