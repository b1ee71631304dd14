"""Errors about optional packages that aren't installed, with an install command that suits this environment.

The command lists the packages, not an extra of this distribution: that works from a checkout, too, and depends on no
index. The packages of an extra are read from the installed metadata.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from zrf_py.text.diagnostics import ZrfError

DISTRIBUTION = "zrf-py"
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def missing_extra(feature: str, extra: str, otherwise: str = "") -> ZrfError:
    """Return the error that `feature` needs an extra; `otherwise` describes an alternative without it."""
    packages = _packages(extra)
    missing = [name for name in packages if not is_there(name)] or packages or [extra]
    help = f"install them with `{install_command(missing)}`" + (f"; {otherwise}" if otherwise else "")
    return ZrfError(f"{feature} needs packages that aren't installed: {', '.join(missing)}", "missing-extra", help=help)


@contextmanager
def importing(feature: str, extra: str) -> Iterator[None]:
    """Context manager around an import; if packages aren't installed, the error contains the install command.

    :raises ModuleNotFoundError: as the import does, with the message of `missing_extra`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(str(missing_extra(feature, extra)), name=error.name) from None


def install_command(packages: Sequence[str]) -> str:
    """Return the shell command that installs packages into this environment (pipx, uv or pip)."""
    names = " ".join(packages)
    prefix = Path(sys.prefix)
    if "pipx" in prefix.parts:
        return f"pipx inject {prefix.name} {names}"
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    if find_spec("pip") is None:
        return f"uv pip install --python {python} {names}"
    return f"{python} -m pip install {names}"


def _packages(extra: str) -> list[str]:
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []
    names = (_NAME.match(line) for line in requirements if re.search(rf"extra\s*==\s*['\"]{extra}['\"]", line))
    return [name[0] for name in names if name]


def is_there(name: str) -> bool:
    """Return True if a distribution is installed."""
    return any(metadata.distributions(name=name))
