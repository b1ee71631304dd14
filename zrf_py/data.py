"""Where the data folders `grammar/` and `rules/` are: inside an installed package, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_file(name: str) -> Path:
    """The path of a file or folder such as `grammar/forms.lark`.

    :raises FileNotFoundError: if neither place holds it, which means a broken installation.
    """
    for folder in (_PACKAGE, _PACKAGE.parent):
        path = folder / name
        if path.exists():
            return path
    raise FileNotFoundError(f"{name} is missing from this installation of zrf_py")
