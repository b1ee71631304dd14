"""Labels of rules files for the gallery, read without compiling: titles, other names, search words.

Only the text is read, so even an unplayable file has a card, and a folder of thousands is listed at once. Players and
board are facts of the checked game (`play/facts.py`); they are not guessed from the text.
"""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from zrf_py.library import read_source

MAX_TITLES = 60
"""Maximum number of titles of a file by which searches can find it."""
_TITLE = re.compile(r'\(title\s+"([^"]{1,200})')
_NAMES = re.compile(r"^;\s*Names\s+(\S.*)$", re.M)
_GAME = re.compile(r"\((?=(?:game|variant)\s*\()")
_ABOUT = re.compile(r"^[ \t]*;[; \t]*(.*\S)", re.M)
_COMMENT = re.compile(r'("[^"]*")|;[^\n]*')
_WORD = re.compile(r"[^\W_]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@dataclass(frozen=True)
class Label:
    """Label of a file: its titles, that of the default game first, and its first comment line. `variant`: the title to
    open if the file holds only variants of an included game, else None."""

    titles: tuple[str, ...] = ()
    variant: str | None = None
    names: str = ""
    about: str = ""


def read_label(path: Path) -> Label:
    """Read the label from a file's text.

    :raises ZrfError: if it can't be read.
    """
    text = read_source(path).text
    bare = _COMMENT.sub(lambda match: match[1] or "", text)
    parts = sorted(_GAME.split(bare), key=lambda part: not re.search(r"\(\s*default\s*\)", _COMMENT.sub("", part)))
    titles = tuple(title.replace("`", '"') for part in parts for title in _TITLE.findall(part))[:MAX_TITLES]
    variant = titles[0] if titles and not any(part.startswith("game") for part in parts) else None
    names, about = _NAMES.search(text), _ABOUT.search(text)
    return Label(titles, variant, names[1].strip() if names else "", about[1] if about else "")


def players_text(players: str) -> str:
    """Format players: `1 player`, `4 players in 2 teams`; text that does not begin with a number is unchanged."""
    match = re.match(r"(\d+)(.*)", players)
    if not match:
        return players
    return f"{match[1]} player{'' if match[1] == '1' else 's'}{match[2]}"


def folded(text: str) -> str:
    """Return a text in lower case without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def search_words(*texts: str) -> str:
    """Return the words that searches match, `folded`. Umlauts also occur as two letters, `3 players` also as one word.

    The last text describes the players, as in `Facts`; if it mentions chance, `dice` and `random` are added.
    """
    players = texts[-1]
    number = re.match(r"\d+", players)
    text = " ".join(texts).casefold()
    words = _WORD.findall(f"{folded(text)} {folded(text.translate(_UMLAUTS))}")
    if number:
        words += [f"{number[0]}players", f"{number[0]}player"]
    if "chance" in players:
        words += ["dice", "random"]
    return " ".join(dict.fromkeys(words))
