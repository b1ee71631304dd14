"""What needs packages that aren't installed: one message, with a command that works however zrf_py was installed.

The packages are named themselves, not an extra of a distribution: that works from a checkout, too, and depends on no
index. Which packages an extra has is read from the metadata of the installation.
"""

import re
import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from zrf_py.text.diagnostics import Diagnostic, ZrfError

DISTRIBUTION = "zrf-py"
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def missing_extra(what: str, extra: str, otherwise: str = "") -> ZrfError:
    """The error that `what` needs the packages of an extra; `otherwise` says what works without them."""
    packages = _packages(extra)
    missing = [name for name in packages if not is_there(name)] or packages or [extra]
    help = f"type `{install_command(missing)}`" + (f"; {otherwise}" if otherwise else "")
    return ZrfError([Diagnostic("missing-extra", f"{what} needs packages that aren't installed: {', '.join(missing)}",
                                None, help=help)])


def install_command(packages: Sequence[str]) -> str:
    """What to type, in any shell, to add packages to this very environment."""
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
        needed = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []
    found = (_NAME.match(line) for line in needed if re.search(rf"extra\s*==\s*['\"]{extra}['\"]", line))
    return [name[0] for name in found if name]


def is_there(name: str) -> bool:
    """Whether a distribution is installed."""
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True
