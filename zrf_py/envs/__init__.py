"""Games for programs that learn: thousands a call, and the interfaces of the field. See README.md.

Everything here needs numpy; the rest of the package does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zrf_py.envs.fleet import Fleet
    from zrf_py.envs.seen import features

__all__ = ["Fleet", "features"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'zrf_py.envs' has no attribute '{name}'")
    try:
        import numpy  # noqa: F401
    except ImportError:
        from zrf_py.text.diagnostics import Diagnostic, ZrfError
        from zrf_py.text.extras import install_command

        raise ZrfError([Diagnostic("missing-extra", "`zrf_py.envs` needs numpy, which isn't installed", None,
                                   help=f"type `{install_command(['numpy'])}`")]) from None
    if name == "features":
        from zrf_py.envs import seen as home
    else:
        from zrf_py.envs import fleet as home  # type: ignore[no-redef]
    return getattr(home, name)
