"""Languages: sentences by key, filled in. A language is a table in a module of its own."""

from collections.abc import Iterable, Mapping

from zrf_py.author.words import english, german
from zrf_py.text.diagnostics import ZrfError

TABLES: Mapping[str, Mapping[str, str]] = {"en": english.SAY, "de": german.SAY}


class Language:
    """
    Says things in one language.

    >>> Language("en").both(["a1", "b2", "c3"])
    'a1, b2 and c3'

    :raises ZrfError: if there is no table for it.
    """

    def __init__(self, name: str = "en") -> None:
        if name not in TABLES:
            raise ZrfError(f"there is no language `{name}`; there are {' and '.join(TABLES)}", "unknown-language")
        self.name = name
        self.table = TABLES[name]

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
