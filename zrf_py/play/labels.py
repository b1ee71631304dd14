"""Labels of rules files for the gallery, without compiling: titles, other names, words that a search finds.

The text alone is read, so a file that can't be played has a card too, and a folder of thousands is listed at once.
Players and board are facts of the checked game (`play/facts.py`), and no text is searched for them.
"""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from zrf_py.library import read_source

MAX_TITLES = 60
"""Titles of a file's variants that a search finds it by."""
_TITLE = re.compile(r'\(title\s+"([^"]{1,200})"')
_NAMES = re.compile(r"^;\s*Names\s+(\S.*)$", re.M)
_GAME = re.compile(r"\(game\b")
_COMMENT = re.compile(r'("[^"]*")|;[^\n]*')
_WORD = re.compile(r"[^\W_]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@dataclass(frozen=True)
class Label:
    """`variant` is the title to open where the file has no game of its own but variants of one it includes."""

    titles: tuple[str, ...] = ()
    variant: str | None = None
    names: str = ""


def read_label(path: Path) -> Label:
    """
    Labels read from a file's text.

    :raises ZrfError: if it can't be read.
    """
    text = read_source(path).text
    bare = _COMMENT.sub(lambda found: found[1] or "", text)
    titles = tuple(title.replace("`", '"') for title in _TITLE.findall(bare)[:MAX_TITLES])
    variant = titles[0] if titles and not _GAME.search(bare) else None
    names = _NAMES.search(text)
    return Label(titles, variant, names[1].strip() if names else "")


def players_text(players: str) -> str:
    """`1 player`, `4 players in 2 teams`, `2 players and chance`; as it is where it begins with no number."""
    found = re.match(r"(\d+)(.*)", players)
    if not found:
        return players
    return f"{found[1]} player{'' if found[1] == '1' else 's'}{found[2]}"


def folded(text: str) -> str:
    """Small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def search_words(*texts: str) -> str:
    """The words that a search finds something by, folded, umlauts also as two letters; `3 players` is one word, too.

    The last text says who plays.
    """
    players = texts[-1]
    number = re.match(r"\d+", players)
    said = " ".join(texts).casefold()
    words = _WORD.findall(f"{folded(said)} {folded(said.translate(_UMLAUTS))}")
    if number:
        words += [f"{number[0]}players", f"{number[0]}player"]
    if "chance" in players:
        words += ["dice", "random"]
    return " ".join(dict.fromkeys(words))
