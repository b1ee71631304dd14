"""Explanations of words: keywords of the language, options, and the codes of messages."""

import json
from collections.abc import Mapping
from pathlib import Path

from zrf_py.author.lint.subject import LINTS
from zrf_py.front.keywords import KEYWORDS, Keyword
from zrf_py.text.codes import CODES, Explanation
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import did_you_mean

EXPLAINED: Mapping[str, Explanation] = {**CODES, **LINTS}
"""Explanations of all message codes, lints included."""
_TABLE = json.loads(Path(__file__).with_name("explaining.json").read_text("utf-8"))
OPTIONS: Mapping[str, Keyword] = {
    name: Keyword(row["meaning"], "game, variant", f'(option "{name}" {row["values"]})',
                  f'(option "{name}" {row["example"]})')
    for name, row in _TABLE["options"].items()}
"""The options that matter for play; the first value in each `form` is the usual one."""
TOPICS: Mapping[str, str] = _TABLE["topics"]
"""Everyday word → the keyword or option for it."""


def known(word: str) -> str:
    """Return the keyword, option or code that a query stands for; else the query without quotes and brackets."""
    plain = word.strip("()`[]\"' ")
    if plain in KEYWORDS or plain in EXPLAINED or plain in OPTIONS:
        return plain
    small = plain.lower().rpartition("/")[2]
    topic = TOPICS.get(small) or TOPICS.get(small.removesuffix("s"))
    return next((name for name in (topic, small, small.replace("-", " "), small.replace(" ", "-"))
                 if name and (name in KEYWORDS or name in EXPLAINED or name in OPTIONS)), plain)


def explain(word: str) -> tuple[Keyword | None, Explanation | None]:
    """Explain a keyword, an option or a message code; a few words are both a keyword and a code.

    >>> explain("verify")[0].form
    '(verify CONDITION…)'
    >>> explain("pass turn")[0].example, explain("macro") == explain("define")
    ('(option "pass turn" forced)', True)

    :raises ZrfError: if the word is unknown, with a suggestion if one is close.
    """
    name = known(word)
    keyword, code = KEYWORDS.get(name) or OPTIONS.get(name), EXPLAINED.get(name)
    if keyword is None and code is None:
        raise ZrfError(f"`{name}` is not a keyword, an option or the code of a message", "unknown-word",
                       help=did_you_mean(name, [*KEYWORDS, *EXPLAINED, *OPTIONS], "`zrf explain` lists them all"))
    return keyword, code
