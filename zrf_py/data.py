"""Where the data folders `grammar/` and `rules/` are: inside an installed package, beside it in a checkout. What tells
the package's own files from those of another release."""

import hashlib
from functools import cache
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


@cache
def release(*patterns: str) -> str:
    """What tells files of the package, such as `front/*.py` or `grammar/*.lark`, from those of another release: what
    they have made, and is kept on disk, is good for them alone."""
    digest = hashlib.sha256()
    for pattern in patterns:
        folder = data_file("grammar").parent if pattern.startswith("grammar/") else _PACKAGE
        for path in sorted(folder.glob(pattern)):
            data = path.read_bytes()
            digest.update(f"{path.name} {len(data)} ".encode())
            digest.update(data)
    return digest.hexdigest()
