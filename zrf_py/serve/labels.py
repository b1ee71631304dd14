"""What the gallery says of a rules file without compiling it: titles, players, other names, words that a search finds.

The text alone is read, so a file that can't be played has a card too, and a folder of thousands is listed at once.
"""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from zrf_py.library import read_source

MAX_TITLES = 60
"""Titles of a file's variants that a search finds it by."""
_TITLE = re.compile(r'\(title\s+"([^"]{1,200})"')
_PLAYERS = re.compile(r"\(players\s+([^()\";]{1,400})\)")
_TURNS = re.compile(r"\(turn-order((?:[^()]|\([^()]*\)){1,4000})\)")
_ENTRY = re.compile(r"\(\s*([^\s()]*)[^()]*\)")
"""An entry of the turn order with more than a name; its first word is the player who moves."""
_NAMES = re.compile(r"^;\s*Names\s+(\S.*)$", re.M)
_HEAD_PLAYERS = re.compile(r"^;\s*Players\s+(\d[^\n]{0,40})$", re.M)
_GAME = re.compile(r"\(game\b")
_COMMENT = re.compile(r'("[^"]*")|;[^\n]*')
_WORD = re.compile(r"[^\W_]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@dataclass(frozen=True)
class Label:
    """`variant` is the title to open where the file has no game of its own but variants of one it includes."""

    titles: tuple[str, ...] = ()
    variant: str | None = None
    players: str = ""
    names: str = ""


def read_label(path: Path) -> Label:
    """
    What a file's text says of itself.

    :raises ZrfError: if it can't be read.
    """
    text = read_source(path).text
    bare = _COMMENT.sub(lambda found: found[1] or "", text)
    titles = tuple(title.replace("`", '"') for title in _TITLE.findall(bare)[:MAX_TITLES])
    variant = titles[0] if titles and not _GAME.search(bare) else None
    head, listed = _HEAD_PLAYERS.search(text), _PLAYERS.search(bare)
    players = head[1].strip() if head else _counted(listed[1].split(), _TURNS.search(bare)) if listed else ""
    names = _NAMES.search(text)
    return Label(titles, variant, players, names[1].strip() if names else "")


def _counted(names: list[str], turns: re.Match[str] | None) -> str:
    """The number of players that have turns, as far as the text shows it without its macros."""
    movers = set(_ENTRY.sub(r" \1 ", turns[1]).split()) if turns else set()
    names = [name for name in names if name in movers] or names
    chance = any(name.startswith("?") for name in names)
    return f"{sum(not name.startswith('?') for name in names)}{' and chance' if chance else ''}"


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
