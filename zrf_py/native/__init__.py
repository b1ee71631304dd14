"""The native engine: move generation as machine code, compiled with LLVM. See README.md in this folder."""

from typing import TYPE_CHECKING, Any

from zrf_py.native import sources

if TYPE_CHECKING:
    from zrf_py.native.engine import Native

sources.note("jit", "native")


def __getattr__(name: str) -> Any:
    """Import the engine, and with it LLVM, on first access only."""
    if name == "Native":
        from zrf_py.jit.loader import host
        from zrf_py.native.engine import Native

        host()  # raises an ImportError in a browser, where no machine code can be made
        return Native
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Native"]
