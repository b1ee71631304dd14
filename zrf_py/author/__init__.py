"""Services for authors of rules files: plain typed functions that return values; commands and editors display them.

`Draft` offers them all for one text; `why_move` and `why_end` explain a position, and `as_text` formats their answers;
`explain` describes a word; `markdown` and `html` format the rules in words, `junit` formats test results. README.md
has an example of each.

>>> from zrf_py.author import Draft, why_move
>>> why_move(Draft.new("men", "Hop").game().start(), "a1 a3").verdict
'no block generates it'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zrf_py.author.draft import Draft
    from zrf_py.author.explaining import explain
    from zrf_py.author.tests.running import junit
    from zrf_py.author.why.ends import why_end
    from zrf_py.author.why.explainer import why_move
    from zrf_py.author.why.page import as_text
    from zrf_py.author.words.writing import html, markdown

__all__ = ["Draft", "as_text", "explain", "html", "junit", "markdown", "why_end", "why_move"]

_HOMES = {"Draft": "draft", "as_text": "why.page", "explain": "explaining", "html": "words.writing",
          "junit": "tests.running", "markdown": "words.writing", "why_end": "why.ends", "why_move": "why.explainer"}


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that one service does not load the others."""
    if name not in _HOMES:
        raise AttributeError(f"module 'zrf_py.author' has no attribute '{name}'")
    return getattr(import_module(f"zrf_py.author.{_HOMES[name]}"), name)
