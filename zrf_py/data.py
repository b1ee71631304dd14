"""Paths of the data folders `grammar/` and `rules/`: inside an installed package, beside it in a checkout; and a hash
of the package's own files."""

import hashlib
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_file(name: str) -> Path:
    """Return the path of a data file or folder such as `grammar/forms.lark`.

    :raises FileNotFoundError: if it is neither in the package nor in the folder around it: a broken installation.
    """
    for folder in (_PACKAGE, _PACKAGE.parent):
        path = folder / name
        if path.exists():
            return path
    raise FileNotFoundError(f"{name} is missing from this installation of zrf_py")


def data_text(name: str) -> str:
    """Return the text of a data file."""
    return data_file(name).read_text("utf-8")


@cache
def release(*patterns: str) -> str:
    """Hash the package's files that match glob patterns, such as `front/*.py` or `grammar/*.lark`: a cache key for
    results that depend on their code."""
    digest = hashlib.sha256()
    for pattern in patterns:
        folder = data_file("grammar").parent if pattern.startswith("grammar/") else _PACKAGE
        for path in sorted(folder.glob(pattern)):
            data = path.read_bytes()
            digest.update(f"{path.name} {len(data)} ".encode())
            digest.update(data)
    return digest.hexdigest()
