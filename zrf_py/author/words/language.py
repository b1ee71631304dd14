"""Sentences of a language, by keys, filled with fields. Each language is a JSON file in this folder."""

import json
import re
import string
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from zrf_py.catalogue import translated
from zrf_py.text.diagnostics import ZrfError

_FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.json"), key=lambda path: path.stem != "en")}
LANGUAGES = tuple(_FILES)
"""Names of all languages, English first."""


_MARKS = str.maketrans("[]|", "\x03\x04\x05")
_VERB = re.compile("\x03([^\x04]*)\x04([^\x03\x05]*)\x05")
_ARTICLE = re.compile(r"(\ba|^A) (?=\{(\w+)\})")
_VOWEL = re.compile("(?!On[ce]|Eu|Uni)[AEIOaeio][a-z]|[AEFHILMNORSX](?![a-z])")
"""The article before a field (in English only), and the beginning of a name that takes `an`: `an Elephant`, `an S`."""
ONE_PLAYER = "games for one player"
"""Heading of sentences that replace others in games for one player; other headings serve only translators."""


@cache
def table(language: str, alone: bool = False) -> Mapping[str, str]:
    """Return the sentences of a language by key; `alone`: for a game of one player."""
    sections: dict[str, dict[str, str]] = json.loads(_FILES[language].read_text("utf-8"))
    replacing = sections.pop(ONE_PLAYER)
    usual = {key: text for section in sections.values() for key, text in section.items()}
    return usual | replacing if alone else usual


@cache
def _genders() -> Mapping[str, str]:
    """Return "zum" or "zur" for each German name of a piece whose gender is known."""
    lines = Path(__file__).with_name("genders-de.txt").read_text("utf-8").splitlines()
    return {name: to for to, *names in map(str.split, lines) for name in names}


class _Filling(string.Formatter):
    """Fills in fields of sentences. In `er [zieht] weit|`, `[]` marks the verb, `|` its place in subordinate clauses.

    `{…:sub}` inserts a clause as subordinate (`er weit zieht`), `{…:first}` with its verb first (`zieht er weit`),
    `{…:to}` German names of pieces with "zu", "zum" or "zur".
    """

    def format_field(self, value: object, format_spec: str) -> str:
        text = str(value)
        if format_spec == "sub":
            return _VERB.sub(lambda match: f"{match[2].lstrip()} {match[1]}".lstrip(), text)
        if format_spec == "to":
            names = re.split("(, | oder )", text)
            has_gender = any(name in _genders() for name in names)
            return "".join(name if n % 2 or (n and not has_gender) else f"{_genders().get(name, 'zu')} {name}"
                           for n, name in enumerate(names))
        if format_spec == "first" and (verb := _VERB.search(text)):
            return f"{verb[1]} {text[: verb.start()].rstrip()}{verb[2]}{text[verb.end():]}"
        return text


def subordinate(text: str) -> str:
    """Return a text with its marked clauses in the word order of subordinate clauses."""
    return _FILL.format_field(text, "sub")


def plain(text: str) -> str:
    """Return a text with its marked clauses in the word order of main clauses, without the marks."""
    return _VERB.sub(r"\1\2", text)


_FILL = _Filling()


class Language:
    """Builds sentences in one language.

    >>> Language("en").both(["a1", "b2", "c3"])
    'a1, b2 and c3'

    `alone`: the sentences are about a game of one player.

    :raises ZrfError: if there is no file for the language.
    """

    def __init__(self, name: str = "en", alone: bool = False) -> None:
        if name not in _FILES:
            raise ZrfError(f"there is no language `{name}`; choose {' or '.join(LANGUAGES)}", "unknown-language")
        self.name = name
        self.table = table(name, alone)

    def __call__(self, key: str, **fields: object) -> str:
        text = _ARTICLE.sub(lambda a: f"{a[1]}n " if _VOWEL.match(str(fields[a[2]])) else a[0], self.table[key])
        return _FILL.vformat(text.translate(_MARKS), (), fields)

    def count(self, number: int) -> str:
        """Return a number as a word if the language table has one, else in digits."""
        return self.table.get(f"n.{number}", str(number))

    def has(self, key: str) -> bool:
        """Return whether the language has a sentence with this key."""
        return key in self.table

    def both(self, words: Iterable[str]) -> str:
        """Join words: `a, b and c`."""
        return self._list("and", list(words))

    def either(self, words: Iterable[str]) -> str:
        """Join words: `a, b or c`."""
        return self._list("or", list(words))

    def _list(self, key: str, words: list[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return self(key, list=", ".join(words[:-1]), last=words[-1])


def sentence(text: str) -> str:
    """Return a text with a capital first letter and a full stop.

    >>> sentence("nobody moves ")
    'Nobody moves.'
    """
    text = text.strip().replace(",;", ";").replace(",.", ".").replace(",,", ",").rstrip(",")
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", ":", ".”", ".“")) else ".") if text else ""


def without_parentheses(clause: str) -> str:
    """Return a clause without parentheses around the whole of it."""
    depth = 0
    for n, letter in enumerate(clause):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return clause[1:-1] if n and n == len(clause) - 1 else clause
    return clause


def author_text(text: str, language: str = "en") -> str:
    """Join the lines of a text of a rules file (backslashes end lines), translated if it comes from a bundled game.
    If more lines follow, the first gets a colon, as a heading, unless it ends in `.`, `!`, `?` or `:`.

    >>> author_text("King\\\\One step  in any direction")
    'King: One step in any direction'
    """
    text = translated(text, language)
    first, *rest = filter(None, (" ".join(part.split()) for part in text.split("\\"))) if text.strip() else [""]
    return " ".join([first + ":" if rest and first[-1] not in ".!?:" else first, *rest])
