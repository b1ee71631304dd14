"""Explanations of words: keywords of the language, options, and the codes of messages."""

from collections.abc import Mapping

from zrf_py.author.lint.codes import LINTS
from zrf_py.front.keywords import KEYWORDS, Keyword
from zrf_py.text.codes import CODES, Explanation
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import did_you_mean

EXPLAINED: Mapping[str, Explanation] = {**CODES, **LINTS}
"""Explanations of all message codes, lints included."""


def _option(name: str, values: str, meaning: str, example: str) -> Keyword:
    return Keyword(meaning, "game, variant", f'(option "{name}" {values})', f'(option "{name}" {example})')


OPTIONS: Mapping[str, Keyword] = {name: _option(name, *rest) for name, *rest in (
    ("pass turn", "false|true|forced", "whether players may pass; forced: only if there is no other move", "forced"),
    ("pass partial", "false|true", "whether a player may end a turn of several legs after any leg", "true"),
    ("maximal captures", "false|true|2", "only the longest turns are legal; 2: those that capture most", "true"),
    ("recycle captures", "false|true|captor",
     "captured pieces go to their owner's store; with `captor` (ZRF+), to the store of the captor", "true"),
    ("recycle promotions", "false|true", "a piece that changes its type is exchanged for one in the store", "true"),
    ("include off-pieces", "false|true", "`pieces-remaining` also counts the pieces in the store", "true"),
    ("discard cascades", "false|true", "each `add` discards the movements before it", "true"),
    ("repetition", "default|none|2|3|100", "ZRF+: how often a position must occur to end the game, by a draw or by the "
     "condition `repetition`; the default is 3, or none in games with dice", "none"),
    ("null turns", "true|false", "whether a turn of several legs may end with the board unchanged", "false"),
)}
"""The options that matter for play; the first value is the usual one."""

TOPICS: Mapping[str, str] = {
    "macro": "define", "dice": "add-pass", "die": "add-pass", "random": "players", "chance": "players",
    "hand": "off", "stock": "off",
    "pocket": "off", "promotion": "add", "royal": "checkmated", "check": "checkmated", "stalemate": "stalemated",
    "win": "win-condition", "loss": "loss-condition", "draw": "draw-condition", "turn": "turn-order",
    "setup": "board-setup", "row": "relative-config", "block": "moves", "priority": "move-priorities",
    "pass": "pass turn", "must capture": "move-priorities", "hexagon": "grid", "castling": "cascade",
}
"""Everyday words -> the keyword or option for them."""


def known(word: str) -> str:
    """Normalise a query (quotes, capitals, everyday names) to the word explained; unknown words are only stripped."""
    plain = word.strip("()`[]\"' ")
    if plain in KEYWORDS or plain in EXPLAINED or plain in OPTIONS:
        return plain
    small = plain.lower().rpartition("/")[2]
    topic = TOPICS.get(small) or TOPICS.get(small.removesuffix("s"))
    return next((name for name in (topic, small, small.replace("-", " "), small.replace(" ", "-"))
                 if name and (name in KEYWORDS or name in EXPLAINED or name in OPTIONS)), plain)


def explain(word: str) -> tuple[Keyword | None, Explanation | None]:
    """Explain a keyword, an option or a message code; rarely a word is both a keyword and a code.

    >>> explain("verify")[0].form
    '(verify CONDITION…)'
    >>> explain("pass turn")[0].example, explain("macro") == explain("define")
    ('(option "pass turn" forced)', True)

    :raises ZrfError: if the word is unknown, with a suggestion if one is close.
    """
    name = known(word)
    keyword, code = KEYWORDS.get(name) or OPTIONS.get(name), EXPLAINED.get(name)
    if keyword is None and code is None:
        raise ZrfError(f"`{name}` is neither a keyword, an option nor the code of a message", "unknown-word",
                       help=did_you_mean(name, [*KEYWORDS, *EXPLAINED, *OPTIONS], "`zrf explain` lists them all"))
    return keyword, code
