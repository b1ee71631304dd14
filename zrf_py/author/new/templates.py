"""A kind of game, a title and a size -> the rules of a small game of that kind."""

from __future__ import annotations

from string import ascii_lowercase

from zrf_py.data import data_file
from zrf_py.library import contents
from zrf_py.text.diagnostics import Diagnostic, ZrfError

KINDS = {
    "men": "men walk and take, and want to reach the far side",
    "row": "stones are put on the board; three in a row win",
    "drops": "men come from the hand, and go back to it when taken",
    "race": "men step and jump to where the others began",
}
SIZES = range(4, 27)


def new_game(kind: str, title: str, size: int) -> str:
    """
    The text of a game on a square board of `size` by `size`.

    :raises ZrfError: if there is no such kind, size or title.
    """
    if kind not in KINDS:
        raise ZrfError([Diagnostic("usage", f"there is no template `{kind}`", None,
                                   help=f"there are {', '.join(f'`{k}`' for k in KINDS)}")])
    if size not in SIZES:
        raise ZrfError([Diagnostic("usage", f"a board of {size} by {size} can't be made", None,
                                   help=f"choose a size from {SIZES[0]} to {SIZES[-1]}")])
    if not title.strip() or any(c in '"\n\r;' or c < " " for c in title):
        raise ZrfError([Diagnostic("usage", "a title is one line without quotation marks and semicolons", None,
                                   help="choose another title")])
    letters = ascii_lowercase[:size]
    words = {
        "TITLE": title.strip(), "SIZE": str(size), "AREA": str(size * size), "COLUMNS": "/".join(letters),
        "ROWS": "/".join(str(n) for n in range(size, 0, -1)),
        "TOP": " ".join(f"{c}{size}" for c in letters), "BOTTOM": " ".join(f"{c}1" for c in letters),
    }
    text = contents(data_file(f"author/new/{kind}.zrf")).decode("utf-8")
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    return text
