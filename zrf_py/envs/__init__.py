"""Environments for reinforcement learning: `Fleet`, and adapters for Gymnasium, PettingZoo and OpenSpiel.

Everything here needs numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zrf_py.envs.fleet import Fleet
    from zrf_py.envs.planes import features

__all__ = ["Fleet", "features"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'zrf_py.envs' has no attribute '{name}'")
    from zrf_py.text.diagnostics import ZrfError
    from zrf_py.text.extras import missing_extra

    try:
        import_module("numpy")
        return getattr(import_module(f"zrf_py.envs.{'planes' if name == 'features' else 'fleet'}"), name)
    except ImportError as error:
        if (error.name or "").startswith("llvmlite"):
            raise ZrfError(f"a fleet can't be used here: {error}", "no-native-engine",
                           help="a fleet requires the native engine: `pip install llvmlite`") from None
        raise missing_extra("`zrf_py.envs`", "fleet") from None
