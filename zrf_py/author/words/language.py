"""Languages: sentences by key, filled in. A language is a file of JSON in this folder, named as it is asked for."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from zrf_py.text.diagnostics import ZrfError

_FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.json"), key=lambda path: path.stem != "en")}
LANGUAGES = tuple(_FILES)
"""The names of all languages, English first."""


@cache
def table(language: str) -> Mapping[str, str]:
    """The sentences of a language by their keys; the headings of its file are for the translator alone."""
    sections: dict[str, dict[str, str]] = json.loads(_FILES[language].read_text("utf-8"))
    return {key: text for section in sections.values() for key, text in section.items()}


class Language:
    """
    Says things in one language.

    >>> Language("en").both(["a1", "b2", "c3"])
    'a1, b2 and c3'

    :raises ZrfError: if there is no file for it.
    """

    def __init__(self, name: str = "en") -> None:
        if name not in _FILES:
            raise ZrfError(f"there is no language `{name}`; there are {' and '.join(LANGUAGES)}", "unknown-language")
        self.name = name
        self.table = table(name)

    def __call__(self, key: str, **fields: object) -> str:
        return self.table[key].format(**fields)

    def has(self, key: str) -> bool:
        """Whether there is a sentence of this name."""
        return key in self.table

    def both(self, words: Iterable[str]) -> str:
        """`a, b and c`."""
        return self._list("and", list(words))

    def either(self, words: Iterable[str]) -> str:
        """`a, b or c`."""
        return self._list("or", list(words))

    def _list(self, key: str, words: list[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return self(key, list=", ".join(words[:-1]), last=words[-1])


def sentence(text: str) -> str:
    """A text with a capital first letter and a full stop.

    >>> sentence("nobody moves ")
    'Nobody moves.'
    """
    text = text.strip().replace(",;", ";").replace(",.", ".").rstrip(",")
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", ":")) else ".") if text else ""
