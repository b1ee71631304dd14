"""Colours for rules files in the book."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String, Whitespace

from zrf_py.front.keywords import KEYWORDS

__all__ = ["ZrfLexer"]


class ZrfLexer(RegexLexer):
    """Comments, strings, keywords, arguments of macros, numbers, names."""

    name = "ZRF"
    tokens: ClassVar = {"root": [
        (r"\s+", Whitespace),
        (r";.*", Comment.Single),
        (r'"[^"]*"', String),
        (r"[()]", Punctuation),
        (r"\$\d+", Name.Variable),
        (r"-?\d+(?=[\s()]|$)", Number),
        (words([word for word in KEYWORDS if word not in ("$n", ";")], suffix=r"(?=[\s()]|$)"), Keyword),
        (r'[^\s();"$]+', Name),
        (r".", Name),
    ]}
