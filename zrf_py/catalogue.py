"""Catalogue and facts of the bundled games, read from one page instead of a hundred rules files; translated titles."""

import json
import re
from dataclasses import dataclass
from functools import cache

from zrf_py.data import data_text


def folded(title: str) -> str:
    """Normalise a title for comparison: fold case, collapse blanks, and write backquotes as quotation marks."""
    return " ".join(title.replace("`", '"').split()).casefold()


@dataclass(frozen=True)
class Entry:
    """A row of the catalogue; `name` is the game's file on the shelf, `uses` the language features it needs."""

    id: str
    title: str
    name: str
    players: str
    board: str
    uses: str
    source: str
    status: str


_ROW = re.compile(r"^\| `([^`]+)` \| \[(.*?)\]\((.*?)\.zrf\)" + r" \| (.*?)" * 5 + r" \|$", re.M)


def _shipped(name: str) -> str:
    """Return the text of a data file; "" if the package does not contain it."""
    try:
        return data_text(name)
    except FileNotFoundError:
        return ""


@cache
def catalogue() -> dict[str, Entry]:
    """Return the games of the catalogue by id, from the table in `rules/README.md`; tests check it against the rules.

    Listing the games reads one page instead of every rules file.
    """
    return {row[0]: Entry(*row) for row in _ROW.findall(_shipped("rules/README.md"))}


_FILE_ROW = re.compile(r"^\| \[(\S+)\]\(\S+\.zrf\)" + r" \| (.*?)" * 3 + r" \|", re.M)


@cache
def shelf_facts() -> dict[str, tuple[str, str, str]]:
    """Map the names of the shelf files outside the catalogue to (titles, players, board), from `rules/README.md`."""
    rows = _FILE_ROW.findall(_shipped("rules/README.md"))
    return {name: (titles, players, board) for name, titles, players, board in rows}


@cache
def _words(name: str) -> dict[str, str]:
    """Return a table of translations, keyed by the English texts; {} if the package does not contain it."""
    words: dict[str, str] = json.loads(_shipped(name) or "{}")
    return words


LANGUAGES = ("de",)
"""Languages of pages besides English; each has the files `serve/static/words-XX.json` and `desk-XX.json`."""


def titled(title: str, language: str) -> str:
    """Return a title in a language, translated whole or by parts (`Halma for Four, Variant 1`), like `titled` in
    `words.js`.

    >>> titled("Chess", "de"), titled("Halma for Four", "de"), titled("Unknown", "de")
    ('Schach', 'Halma zu viert', 'Unknown')
    """
    words = _words(f"serve/static/words-{language}.json")
    parts = (re.split(r" (?=for (?:Three|Four|Five|Six)$)", part) for part in title.split(", "))
    return words.get(title) or ", ".join(" ".join(words.get(name, name) for name in names) for names in parts)


def titles_of(*titles: str) -> list[str]:
    """Return each title in English and in all other languages."""
    return [words for title in titles for words in (title, *(titled(title, language) for language in LANGUAGES))]


def translated(text: str, language: str) -> str:
    """Return an author's text (a `description`, `help` …) in a language; unchanged if no table has it."""
    return _words(f"rules/{language}.json").get(" ".join(text.split()), text)


@cache
def by_title() -> dict[str, tuple[str, str]]:
    """Map the folded title of each bundled game, in any language, to (file on the shelf, English title)."""
    rows = [(name, title) for name, (titles, *_) in shelf_facts().items() if not name.endswith("-positions")
            for title in titles.split(", ")]
    rows += [(entry.name, entry.title) for entry in catalogue().values()]
    return {folded(words): row for row in reversed(rows) for words in reversed(titles_of(row[1]))}
