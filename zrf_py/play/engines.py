"""The one place that chooses an engine by name."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Diagnostic, ZrfError

ENGINES = ("interpret", "native", "auto")
_NATIVE = "zrf_py.run.native"


def make_engine(program: Program, name: str = "interpret") -> Engine:
    """
    The engine for a program: "interpret", "native", or "auto" for native where this machine can run it.

    The native engine is a module with a class `Native` that takes the program; it is loaded only when asked for.

    :raises ZrfError: if the native engine is asked for by name and can't be used.
    """
    if name == "interpret":
        return Rules(program)
    try:
        return _native(program)
    except ImportError as error:
        if name == "auto":
            return Rules(program)
        raise ZrfError([Diagnostic("no-native-engine", f"the native engine can't be used here: {error}", None,
                                   help="leave out `--engine native`; the interpreter gives the same moves")]) from None


def _native(program: Program) -> Engine:
    if find_spec(_NATIVE) is None or not hasattr(import_module(_NATIVE), "Native"):
        raise ImportError("it isn't part of this installation")
    engine: Engine = import_module(_NATIVE).Native(program)
    return engine
