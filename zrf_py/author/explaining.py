"""A word -> what it means: a keyword of the language, or the code of a message."""

from __future__ import annotations

from collections.abc import Mapping

from zrf_py.author.lint.codes import LINTS
from zrf_py.front.keywords import KEYWORDS, Keyword
from zrf_py.text.codes import CODES, Explanation
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import suggest

EXPLAINED: Mapping[str, Explanation] = {**CODES, **LINTS}
"""The codes of messages, lints among them."""


def explain(word: str) -> tuple[Keyword | None, Explanation | None]:
    """
    What a keyword or the code of a message means: one of the two, rarely both.

    >>> explain("verify")[0].form
    '(verify CONDITION…)'

    :raises ZrfError: if it is neither, with a guess.
    """
    if word not in KEYWORDS and word not in EXPLAINED:
        guess = suggest(word, [*KEYWORDS, *EXPLAINED])
        raise ZrfError([Diagnostic("unknown-word", f"`{word}` is neither a keyword nor the code of a message", None,
                                   help=f"did you mean `{guess}`?" if guess else "`zrf explain` lists them all")])
    return KEYWORDS.get(word), EXPLAINED.get(word)
